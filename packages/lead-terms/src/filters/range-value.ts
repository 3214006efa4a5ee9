import { mergeRanges } from '../ranges.ts'
import { CURRENCIES } from '../vocabulary.ts'
import { FILTER_LIMITS } from './filter-schema.ts'
import { escapePointer, isRecord, type Report } from './report.ts'
import { readRangeText } from './shorthand.ts'

interface Kind {
  bottom: number
  top: number
  isMoney: boolean
}

const MONEY: Kind = { bottom: 0, top: FILTER_LIMITS.money, isMoney: true }
const KINDS = {
  employees: { bottom: 1, top: FILTER_LIMITS.employees, isMoney: false },
  founded: { bottom: 1800, top: 2100, isMoney: false },
  revenue: MONEY,
  fundingTotal: MONEY,
} satisfies Record<string, Kind>

export type RangeField = keyof typeof KINDS

interface Range {
  min?: number
  max?: number
  currency?: string
}

/** Reads a list of ranges, or a single one, and merges those that touch. Undefined when nothing is left. */
export function readRanges(report: Report, value: unknown, path: string, field: RangeField): unknown {
  const { bottom, isMoney } = KINDS[field]
  const given = Array.isArray(value) ? value : typeof value === 'string' || isRecord(value) ? [value] : undefined
  if (!given) return report.issue(path, 'type', 'expected a list of ranges')
  if (given.length > FILTER_LIMITS.ranges)
    return report.issue(path, 'tooMany', `${given.length} ranges; at most ${FILTER_LIMITS.ranges} are accepted`)
  const ranges: Range[] = []
  for (const [index, item] of given.entries()) {
    const range = readRange(report, item, Array.isArray(value) ? `${path}/${index}` : path, KINDS[field])
    if (range) ranges.push(range)
  }
  if (ranges.length === 0) return undefined
  // Amounts of different currencies cannot be put in order; each currency is merged separately.
  const byCurrency = Map.groupBy(ranges, range => range.currency ?? '')
  return [...byCurrency.values()].flatMap(list => mergeRanges(list, isMoney ? 0 : 1, bottom))
}

function readRange(report: Report, item: unknown, path: string, { bottom, top, isMoney }: Kind): Range | undefined {
  const range = typeof item === 'string' ? readRangeText(item, isMoney) : item
  if (!isRecord(range))
    return report.issue(
      path,
      'format',
      `expected a range such as {"min": 50, "max": 200}, "50-200" or "1000+"${isMoney ? ', with a currency: "1M-10M EUR"' : ''}`,
    )
  const result: Range = {}
  for (const key of Object.keys(range)) {
    if (key !== 'min' && key !== 'max' && !(isMoney && key === 'currency'))
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
  if (!isMoney) return result
  const currency = readCurrency(report, range.currency, `${path}/currency`)
  return currency === undefined ? undefined : { ...result, currency }
}

function readCurrency(report: Report, value: unknown, path: string): Range['currency'] {
  if (value === undefined) return 'USD'
  return report.word(typeof value === 'string' ? value.toUpperCase() : value, path, CURRENCIES)
}
