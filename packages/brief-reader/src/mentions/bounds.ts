import type { Item, Quantity } from '../model.ts'
import { wordSet } from '../words.ts'

/** "more than 1000 but fewer than 5000": two half-open quantities that follow each other are one range. */
export function joinBounds(items: Item[]): Item[] {
  const joined: Item[] = []
  for (const item of items) {
    // "moins de 50 ou de plus de 500", "under 30 people or over 300"
    const or = joined.at(-1)?.word === 'de' ? -2 : -1
    const back = PEOPLE_UNITS.has(joined.at(or - 1)?.word ?? '') ? or - 2 : or - 1
    const before = joined.at(back)
    const both = item.quantity && before?.quantity && joinedBy(joined.at(or)!.word, before.quantity, item.quantity)
    if (both && (back === -2 || both.min! > both.max!)) joined.splice(back, -back, { ...before, last: item.last, quantity: both })
    else joined.push(item)
  }
  return joined
}

/** Two bounds are what lies between them, or, where they exclude each other, what lies outside: then the least is above the most. */
function joinedBy(joiner: string, a: Quantity, b: Quantity): Quantity | undefined {
  const isOr = OR.has(joiner)
  // "not under 30 or over 300": the negation of the first bound is said of the second as well.
  if (isOr && b.minOpen && a.min! < b.min! && !a.minOpen && a.max === undefined) return { ...a, max: b.min! }
  if (isOr && b.maxOpen && a.max! > b.max! && !a.maxOpen && a.min === undefined) return { ...a, min: b.max! }
  const both = isOr || BOUND_JOINERS.has(joiner) || joiner === ',' ? intersect(a, b) : undefined
  if (!both || both.min! < both.max!) return isOr ? undefined : both
  const isAlike = (a.currency === undefined) === (b.currency === undefined) && both.min! < both.max! * MOST_APART
  return isAlike && joiner !== ',' ? both : undefined
}
/** "under 30 people or over 5M" speaks of two things. */
const MOST_APART = 1000
const OR = wordSet('numbers.txt', 'or')
const BOUND_JOINERS = wordSet('numbers.txt', 'bound joiners')
const PEOPLE_UNITS = wordSet('numbers.txt', 'people units')

function intersect(a: Quantity, b: Quantity): Quantity | undefined {
  if (a.plain || b.plain || a.span || b.span || a.approximate || b.approximate) return undefined
  // "founded before 2000, more than 60 employees" are two bounds of two things.
  if (Boolean(a.temporal) !== Boolean(b.temporal)) return undefined
  const [low, high] = a.min !== undefined ? [a, b] : [b, a]
  if (low.min === undefined || high.max === undefined || low.max !== undefined || high.min !== undefined) return undefined
  return low.min === high.max ? undefined : { ...high, ...low }
}
