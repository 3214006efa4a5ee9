import { mergeRanges } from '../terms/ranges.ts'
import { CURRENCIES } from '../terms/vocabulary.ts'
import { FILTER_LIMITS } from './filter-schema.ts'
import { escapePointer, isRecord, type Report } from './report.ts'
import { readRangeText } from './shorthand.ts'

const RANGE_FIELDS = ['employees', 'founded'] as const
const MONEY_FIELDS = ['revenue', 'fundingTotal'] as const
export type RangeField = (typeof RANGE_FIELDS)[number] | (typeof MONEY_FIELDS)[number]

interface Range {
  min?: number
  max?: number
  currency?: string
}

/** Reads a list of ranges, or a single one, and merges those that touch. Undefined when nothing is left. */
export function readRanges(report: Report, value: unknown, path: string, field: RangeField): unknown {
  const money = (MONEY_FIELDS as readonly string[]).includes(field)
  const [bottom, top] = field === 'employees' ? [1, FILTER_LIMITS.employees] : field === 'founded' ? [1800, 2100] : [0, FILTER_LIMITS.money]
  const given = Array.isArray(value) ? value : typeof value === 'string' || isRecord(value) ? [value] : undefined
  if (!given) return report.issue(path, 'type', 'expected a list of ranges')
  if (given.length > FILTER_LIMITS.ranges)
    return report.issue(path, 'tooMany', `${given.length} ranges; at most ${FILTER_LIMITS.ranges} are accepted`)
  const ranges: Range[] = []
  for (const [index, item] of given.entries()) {
    const range = readRange(report, item, Array.isArray(value) ? `${path}/${index}` : path, money, bottom, top)
    if (range) ranges.push(range)
  }
  if (ranges.length === 0) return undefined
  // Amounts of different currencies cannot be put in order; each currency is merged by itself.
  const byCurrency = Map.groupBy(ranges, range => range.currency ?? '')
  return [...byCurrency.values()].flatMap(list => mergeRanges(list, money ? 0 : 1, bottom))
}

function readRange(report: Report, item: unknown, path: string, money: boolean, bottom: number, top: number): Range | undefined {
  const range = typeof item === 'string' ? readRangeText(item, money) : item
  if (!isRecord(range))
    return report.issue(
      path,
      'format',
      `expected a range such as {"min": 50, "max": 200}, "50-200" or "1000+"${money ? ', with a currency: "1M-10M EUR"' : ''}`,
    )
  const result: Range = {}
  for (const key of Object.keys(range)) {
    if (key !== 'min' && key !== 'max' && !(money && key === 'currency'))
      report.issue(`${path}/${escapePointer(key)}`, 'unknownField', `a range has no "${key.slice(0, 60)}"`)
  }
  for (const end of ['min', 'max'] as const) {
    if (range[end] === undefined) continue
    const number = report.integer(range[end], `${path}/${end}`, bottom, top)
    if (number === undefined) return undefined
    result[end] = number
  }
  if (result.min === undefined && result.max === undefined) return report.issue(path, 'empty', 'a range needs min or max')
  if (result.min !== undefined && result.max !== undefined && result.min > result.max)
    return report.issue(path, 'bounds', 'min is above max')
  if (money) {
    const currency =
      range.currency === undefined
        ? 'USD'
        : report.word(typeof range.currency === 'string' ? range.currency.toUpperCase() : range.currency, `${path}/currency`, CURRENCIES)
    if (currency === undefined) return undefined
    result.currency = currency
  }
  return result
}
