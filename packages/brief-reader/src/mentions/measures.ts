import type { Item, Quantity, Range, RangeField, Segments, Source } from '../model.ts'
import type { Layout } from '../segments/sentences.ts'
import { entryOfWord } from '../vocabulary/lexicon.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { COMMON_WORDS, COMPANY_NOUNS, CONJUNCTIONS, STOP_WORDS } from '../vocabulary/word-lists.ts'
import { BEFORE, compare } from './numbers.ts'
import { isPlaceCode } from './place-codes.ts'

/** Every quantity of the brief to its field, by the noun it is said with. A number without such a noun is not a filter. */

export interface Measure {
  item: number
  /** The items that said it, inclusive: the number and its noun. */
  first: number
  last: number
  range?: Range
  /** Kilometres around a city. */
  radiusKm?: number
}

const list = (name: string) => wordSet('numbers.txt', name)
const PEOPLE_UNITS = list('people units')
const SIZE_LABELS = list('size labels')
const REVENUE = list('revenue')
const FUNDING = list('funding')
const FOUNDED = list('founded')
const OTHER_SINCE = list('since when others')
const KILOMETRES = list('kilometres')
const MILES = list('miles')
const RADIUS = list('radius')
const PER = list('per')
const TIME = list('time')
const RESULTS = list('results wanted')
const COUNTED = list('counted things')
const ASKING = list('asking')
const SIZED = list('sized companies')
const FILLERS = list('unit fillers')
const NOT_SIZES = list('not sizes')
const OTHER_SUMS = list('other sums')
export const HAVING = new Set('with of over has have mit avec con operating running owning managing com met'.split(' '))
const PERSONS = new Set('people ppl persons personen personnes personas leute heads'.split(' '))
const WITH_SUMS = list('with sums')
const BESIDE_SUMS = new Set('of in en im with a an is total per year de von mit yearly their that have has than more'.split(' '))
const COMPARES = new Set('over under above below than least most up between'.split(' '))
/** "100+ no agencies": a negation begins something else. */
const NEGATIONS = wordSet('negation.txt', 'not')
const KM_PER_MILE = 1.609344
/** No one asks for more; a text with more numbers is not a brief. */
const MOST_MEASURES = 40

export function readMeasures(source: Source, layout: Layout, segments: Segments, consumed: Uint8Array): Measure[] {
  const { items } = source
  const measures: Measure[] = []
  for (let at = 0; at < items.length && measures.length < MOST_MEASURES; at++) {
    const { quantity } = items[at]!
    if (!quantity || consumed[at] || segments.of[at] !== 'wish') continue
    const after = wordsBeside(items, at, 1, 4, consumed)
    const before = wordsBeside(items, at, -1, 6, consumed)
    const radius = readRadius(items, at, quantity, after[0])
    // The noun is used up with its number: "chains of more than 5 clinics" asks for no clinics.
    const countsThing = COUNTED.has(items[at + 1]?.word ?? '') && layout.labels[at] !== 'employees' && countsThings(items, at)
    if (!radius && !quantity.currency && countsThing) {
      consumed.fill(1, at, at + 2)
      continue
    }
    const last = measures.at(-1)
    const goesOn = last?.range?.field === 'employees' && at - last.item <= 4 && isBound(quantity) && !isOtherNoun(after[0])
    const field = fieldOf(quantity, before, after, layout.labels[at], items, at) ?? (goesOn ? 'employees' : undefined)
    const range = field && toRange(bounded(quantity, source, layout, at), field)
    if (!radius && !range) continue
    const measure = radius ?? withNoun(items, at, range!)
    consumed.fill(1, measure.first, measure.last + 1)
    measures.push(measure)
  }
  return measures
}

/** "min_employees: 200", "Ab welcher Größe? 250": the label says which bound a plain number is. */
function bounded(quantity: Quantity, { words }: Source, layout: Layout, at: number): Quantity {
  if (!quantity.plain || layout.labels[at] === undefined) return quantity
  let label = at - 1
  while (label >= 0 && at - label < 4 && !layout.isLabel[label]) label--
  for (; label >= 0 && layout.isLabel[label]; label--) {
    const comparison = BEFORE.get(words[label]!)
    if (comparison && comparison !== 'about')
      return { ...compare(quantity.min!, comparison), ...(quantity.currency ? { currency: quantity.currency } : {}) }
  }
  return quantity
}

const isBound = (quantity: Quantity): boolean => !quantity.plain && !quantity.currency && !quantity.temporal
const isOtherNoun = (word: string | undefined): boolean => word !== undefined && (TIME.has(word) || RESULTS.has(word) || COUNTED.has(word))

/** "within 20 km of", "un radio de 20 km": the word for the radius is no broadcaster. */
function readRadius(items: readonly Item[], at: number, quantity: Quantity, unit: string | undefined): Measure | undefined {
  if (unit === undefined || !(KILOMETRES.has(unit) || MILES.has(unit))) return undefined
  const value = quantity.max ?? quantity.min!
  const radiusKm = Math.round(KILOMETRES.has(unit) ? value : value * KM_PER_MILE)
  const first = [at - 2, at - 1].find(position => RADIUS.has(items[position]?.word ?? '')) ?? at
  const last = RADIUS.has(items[at + 2]?.word ?? '') ? at + 2 : at + 1
  return { item: at, first, last, ...(radiusKm >= 1 && radiusKm <= 500 ? { radiusKm } : {}) }
}

/** The number with the words that named it: "200 full-time employees", "annual revenue of €5m". */
function withNoun(items: readonly Item[], at: number, range: Range): Measure {
  const counts = range.field === 'employees'
  const isNoun = (word: string) =>
    counts
      ? PEOPLE_UNITS.has(word)
      : range.field === 'founded'
        ? FOUNDED.has(word)
        : [REVENUE, FUNDING, WITH_SUMS].some(set => set.has(word))
  const end = (step: -1 | 1): number => {
    let found = at
    for (let place = at + step; Math.abs(place - at) <= 4 && items[place]?.kind === 'word'; place += step)
      if (isNoun(items[place]!.word)) found = place
      else if (!(counts ? FILLERS : BESIDE_SUMS).has(items[place]!.word)) break
    return found
  }
  return { item: at, first: counts ? at : end(-1), last: end(1), range }
}

/** The words next to a quantity, nearest first, as far as the next mark that ends a thought. */
function wordsBeside(items: readonly Item[], at: number, step: -1 | 1, count: number, consumed: Uint8Array): string[] {
  const found: string[] = []
  for (let position = at + step; found.length < count && position >= 0 && position < items.length; position += step) {
    const { kind, word } = items[position]!
    if (kind === 'mark') {
      if (word === ':' && step < 0) continue
      if (step > 0 || ['.', ';', '\n', ',', '|'].includes(word)) break
      continue
    }
    if (kind === 'quantity' || (consumed[position] && step < 0)) break
    found.push(word)
  }
  return found
}

function fieldOf(
  quantity: Quantity,
  before: readonly string[],
  after: readonly string[],
  label: string | undefined,
  items: readonly Item[],
  at: number,
): RangeField | undefined {
  const isMoney = quantity.currency !== undefined
  const isSum = isMoney || (quantity.scaled === true && (quantity.max ?? quantity.min ?? 0) >= 100_000)
  const year = isYear(quantity)
  const people = after.slice(0, 3).findIndex(word => PEOPLE_UNITS.has(word))
  if (label === 'revenue' && !year) return 'revenue'
  if (label === 'employees' && !isMoney) return 'employees'
  if (isSum && people === 0 && !isMoney) return 'employees'
  // "5-50M" is money; "over 100k sq ft", "making 2 million meals" and "100k+" are not.
  const speaks = [...before.slice(0, 4), ...after].some(word => (REVENUE.has(word) || FUNDING.has(word)) && !/^(?:mak|do)ing$/.test(word))
  const isLarge = (quantity.max ?? quantity.min!) >= 1e6 && !isFollowedByThing(after[0])
  if (isSum) return isMoney || speaks || isLarge ? sumField(before, after) : undefined
  if (people >= 0 && after.slice(0, people).every(word => FILLERS.has(word))) {
    // "find 50 people in marketing" counts leads, not employees.
    const counts =
      (quantity.plain || quantity.approximate) &&
      PERSONS.has(after[people]!) &&
      (before.some(word => ASKING.has(word)) || before.length === 0)
    return counts && !before.some(word => HAVING.has(word)) ? undefined : 'employees'
  }
  // "client since 2019", "im Amt seit 2020": that says nothing of how old the company is.
  const isOther = [...before.slice(0, 5), ...after.slice(0, 2)].some(word => OTHER_SINCE.has(word))
  const founded =
    before.some(word => FOUNDED.has(word)) || after.slice(0, 2).some(word => FOUNDED.has(word)) || (quantity.temporal && !isOther)
  if (year && founded) return 'founded'
  if ((after[0] && TIME.has(after[0])) || (year && quantity.plain)) return undefined
  if (before.slice(0, 3).some(word => REVENUE.has(word)) && (quantity.max ?? quantity.min ?? 0) >= 10_000)
    return isFollowedByThing(after[0]) ? undefined : 'revenue'
  if (after[0] && RESULTS.has(after[0]) && !SIZED.has(after[0])) return undefined
  if (before.slice(0, 3).some(word => SIZE_LABELS.has(word))) return 'employees'
  if (quantity.plain || items[at + 1]?.word === '%' || items[at + 1]?.word === '°') return undefined
  if (NOT_SIZES.has(before[0] ?? '')) return undefined
  // "Stores: 20+": the line counts something else.
  if (items[at - 1]?.word === ':' && isOtherNoun(before[0])) return undefined
  if (countsLeads(before, after)) return undefined
  if (quantity.span && !year && (quantity.max ?? 0) >= 2) return isFollowedByThing(after[0], after[1]) ? undefined : 'employees'
  if (before.slice(0, 3).some(word => SIZED.has(word)) || (after[0] && SIZED.has(after[0]) && !quantity.approximate))
    return isFollowedByThing(after[0], after[1]) ? undefined : 'employees'
  // A bare bound that fills its own segment: "SaaS, 200+, Berlin".
  const subject = before.find(word => !STOP_WORDS.has(word) && !COMPARES.has(word) && !NEGATIONS.has(word))
  if (subject !== undefined && !isPlaceCode(subject) && isFollowedByThing(subject)) return undefined
  const silent = [ASKING, REVENUE, FUNDING, FOUNDED, TIME, RESULTS].every(set => !before.some(word => set.has(word)))
  return !quantity.temporal && (after.length === 0 || NEGATIONS.has(after[0]!)) && (quantity.min ?? quantity.max ?? 0) >= 5 && silent
    ? 'employees'
    : undefined
}

/** "€50 per lead" is a price, "$500m under management" no turnover; "€5m per year" is one. */
function sumField(before: readonly string[], after: readonly string[]): RangeField | undefined {
  if (PER.has(after[0] ?? '') && !(after[1] && (TIME.has(after[1]) || after[1] === 'annum'))) return undefined
  const nearest = (set: ReadonlySet<string>) =>
    Math.min(...[before, after].map(words => words.findIndex(word => set.has(word))).filter(index => index >= 0), Number.POSITIVE_INFINITY)
  const revenue = nearest(REVENUE)
  if (nearest(OTHER_SUMS) < revenue && nearest(OTHER_SUMS) < 4) return undefined
  return nearest(FUNDING) < revenue ? 'fundingTotal' : 'revenue'
}

/** "a long list is ok (2-3k)", "need 500 to 800 of them": how many are wanted. */
function countsLeads(before: readonly string[], after: readonly string[]): boolean {
  const list = before.findIndex(word => LISTS.has(word))
  const isList = list >= 0 && before.slice(0, list).every(word => STOP_WORDS.has(word) || COMMON_WORDS.has(word))
  return isList || OF_THEM.has(after.slice(0, 2).join(' ')) || (after.length === 0 && before[0] !== 'us' && ASKING.has(before[0] ?? ''))
}
const LISTS = list('lists')
const OF_THEM = list('of them')

/** "more than 50 stores" counts stores; "20 shops in Lyon" may be what is wanted, and "50 members of staff" are people. */
function countsThings(items: readonly Item[], at: number): boolean {
  if (items[at + 2]?.word === 'of') return false
  return !items[at]!.quantity!.plain || HAVING.has(items[at - 1]?.word ?? '')
}

/** A noun right after the number that is neither companies, nor an industry, nor a place: it is what is counted. */
function isFollowedByThing(word: string | undefined, next?: string): boolean {
  if (word === undefined || [STOP_WORDS, COMPANY_NOUNS, CONJUNCTIONS, WITH_SUMS].some(set => set.has(word))) return false
  // "3 to 5 production lines"
  if (isOtherNoun(word) || (next !== undefined && COUNTED.has(next) && !SIZED.has(next))) return !SIZED.has(word)
  const entry = entryOfWord(word)
  return entry === undefined && !isPlaceWord(word) && word !== 'sized' && word !== 'size'
}

function isYear(quantity: Quantity): boolean {
  if (quantity.scaled || quantity.currency) return false
  const fits = (value: number | undefined) => value === undefined || (Number.isInteger(value) && value >= 1850 && value <= 2100)
  return fits(quantity.min) && fits(quantity.max)
}

const LIMITS: Record<RangeField, [bottom: number, top: number]> = {
  employees: [1, 1e7],
  founded: [1800, 2100],
  revenue: [0, 1e13],
  fundingTotal: [0, 1e13],
}

function toRange(quantity: Quantity, field: RangeField): Range | undefined {
  const isMoney = field === 'revenue' || field === 'fundingTotal'
  const [bottom, top] = LIMITS[field]
  const range: Range = { field }
  // People and years are counted: "more than 50" begins at 51. Money is continuous.
  if (quantity.min !== undefined) range.min = Math.max(bottom, Math.round(quantity.min) + (quantity.minOpen && !isMoney ? 1 : 0))
  if (quantity.max !== undefined) range.max = Math.min(top, Math.round(quantity.max) - (quantity.maxOpen && !isMoney ? 1 : 0))
  if (isMoney) range.currency = quantity.currency ?? 'USD'
  const isEmpty = (range.min ?? bottom) > (range.max ?? top) && !(quantity.min! > quantity.max!)
  return isEmpty || (range.min ?? bottom) > top || (range.max ?? top) < bottom ? undefined : range
}
