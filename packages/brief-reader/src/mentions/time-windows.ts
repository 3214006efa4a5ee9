import type { AddRequirement, Source } from '../model.ts'
import { phraseSet, wordMap, wordSet } from '../vocabulary/word-files.ts'
import { COMPANY_NOUNS } from '../vocabulary/word-lists.ts'

/** Stretches of time: "in the last 3 months", "hace 6 meses", "within half a year". */
export interface Window {
  days: number
  first: number
  last: number
  /** "last", "past" and the like were said. */
  isLast: boolean
  /** It reaches back from today, by "last" or by another word for it. */
  isRecent: boolean
  /** "more than 3 months ago" */
  isLongAgo: boolean
}

const DAYS = wordMap('requirements.txt', 'days', Number)
const LAST = wordSet('requirements.txt', 'last')
const WITHIN = wordSet('requirements.txt', 'within')
const RECENTLY = wordSet('requirements.txt', 'recently')
const FUNDED = phraseSet('requirements.txt', 'funded')
const FOUNDED = phraseSet('requirements.txt', 'founded')
const AGO = new Set(['ago', 'her'])
/** The words that mean "ago" and precede the number. */
const SINCE = new Set(['vor', 'il', 'hace'])
const MOST_GLUE = 6

/** The window that begins at an item. A unit alone is none: it needs a number, or "last". */
function windowAt({ words, items, tokens }: Source, first: number): Window | undefined {
  // "series a in the past year": the letter belongs to what comes before it.
  if (words[first] === 'a' && WITHIN.has(words[first + 1] ?? '')) return undefined
  let at = first
  while (at - first < MOST_GLUE && WITHIN.has(words[at] ?? '') && !LAST.has(words[at]!)) at++
  let isLast = false
  const readLast = () => {
    if (!LAST.has(words[at] ?? '')) return
    isLast = true
    at++
  }
  readLast()
  const { quantity } = items[at] ?? {}
  const half = lengthOfHalf(words, at)
  // "the past 12 months", "seit 6 Monaten": next to a number the word was read as a comparison.
  const opener = tokens[items[at]?.first ?? 0]!.word
  if (quantity && LAST.has(opener)) isLast = true
  if (quantity) at++
  else at += half
  readLast()
  const unit = DAYS.get(words[at] ?? '')
  if (unit === undefined || items[at]!.kind !== 'word') return undefined
  const end = at++
  readLast()
  const within = words.slice(first, at)
  const single = !quantity && half === 0 && /^(?:a|one|un|une|einem)$/.test(words[end - 1]!)
  if (!isLast && !quantity && half === 0 && !single) return undefined
  const count = quantity ? (quantity.max ?? quantity.min!) : half > 0 ? 0.5 : 1
  const isBounded = quantity !== undefined && quantity.min === undefined
  const isAgo = AGO.has(words[at] ?? '')
  const isRecent = isLast || [opener, ...within].some(word => RECENTLY.has(word)) || isAgo || isBounded
  const isLongAgo =
    quantity?.min !== undefined && quantity.max === undefined && (isAgo || [opener, ...within].some(word => SINCE.has(word)))
  const last = isAgo ? at : isLast && LAST.has(words[at - 1]!) ? at - 1 : end
  return { days: Math.round(count * unit), first, last, isLast, isRecent, isLongAgo }
}

/** "half a (year)", "a half (year)", "einem halben (Jahr)", "medio (año)": how many words say so. */
function lengthOfHalf(words: readonly string[], at: number): number {
  const article = HALF_ARTICLES.has(words[at] ?? '') ? 1 : 0
  if (!HALVES.has(words[at + article] ?? '')) return 0
  return article + (words[at + article + 1] === 'a' ? 2 : 1)
}
const HALF_ARTICLES = new Set('a ein einem des'.split(' '))
const HALVES = new Set('half halbe halbes halben demi medio media'.split(' '))

/** A window within the next few words: "(contacted) in the last 3 months". */
export function windowAfter(source: Source, verb: number, most: number): Window | undefined {
  const { words, items } = source
  for (let at = verb + 1; at < words.length && at <= verb + 1 + most; at++) {
    if (items[at]!.kind === 'mark' && words[at] !== ',' && words[at] !== '(') return undefined
    const window = windowAt(source, at)
    if (window) return window
  }
  return undefined
}

const OPENINGS = new Set('in within during over im innerhalb au dans en durante ces los las les seit depuis desde vor'.split(' '))

/** The same before the verb: "in the last year raised". */
export function windowBefore(source: Source, verb: number): Window | undefined {
  const { items, tokens } = source
  for (let at = verb - 2; at >= 0 && verb - at <= 9; at--) {
    if (items[at]!.kind === 'mark') return undefined
    if (!OPENINGS.has(tokens[items[at]!.first]!.word)) continue
    const window = windowAt(source, at)
    if (window && window.last < verb) return window
  }
  return undefined
}

export const recent = (window: Window | undefined): Window | undefined => (window?.isRecent ? window : undefined)

/** "raised in the last 6 months", "founded in the last 5 years". */
export function readAges(source: Source, at: number, add: AddRequirement): void {
  const funded = FUNDED.longest(source.words, at)
  if (funded) {
    const last = at + funded.length - 1
    const window = recent(windowAfter(source, last, 9)) ?? recent(windowBefore(source, at))
    if (!window) return
    const months = Math.max(1, Math.round((window.days * 12) / 365))
    // Only the window is used up: a stage or a sum next to it ("raised a Series B last year") must still be read.
    if (months <= 120)
      add({ field: 'fundedWithinMonths', value: months }, Math.min(at, window.first), Math.max(last, window.last), [
        window.first,
        window.last,
      ])
    return
  }
  const founded = FOUNDED.longest(source.words, at)
  const last = founded ? at + founded.length - 1 : at
  // "vor 1990 gegründet, in den letzten 6 Monaten nicht kontaktiert": after a comma the months say something else.
  const behind = founded && source.words[last + 1] !== ',' ? recent(windowAfter(source, last, 3)) : undefined
  const window = founded ? (behind ?? recent(windowBefore(source, at))) : undefined
  const value = Math.max(1, Math.round((window?.days ?? 0) / 365))
  if (window) add({ field: 'founded', value, isOlder: window.isLongAgo }, Math.min(at, window.first), Math.max(last, window.last))
  else readAge(source, at, add)
}

/** "younger than 5 years", "at least 10 years old": who is said to be old enough to be of age is a person. */
function readAge({ words, items, tokens }: Source, at: number, add: AddRequirement): void {
  const { quantity, first = 0, last = 0 } = items[at - 1] ?? {}
  if (!quantity || quantity.plain || quantity.span || quantity.approximate || DAYS.get(words[at]!) !== 365) return
  const isCompared = tokens.slice(first, last).some(({ word }) => AGED.has(word))
  const [before, behind] = [AGE.longestBefore(words, at - 1)?.length ?? 0, AGE.longest(words, at + 1)?.length ?? 0]
  const value = quantity.min ?? quantity.max!
  if (value >= 18 ? !COMPANY_NOUNS.has(words[at - 2] ?? '') : !isCompared && before + behind === 0) return
  // An older company was founded earlier.
  add({ field: 'founded', value, isOlder: (quantity.min === undefined) === isCompared }, at - 1 - before, at + behind)
}
const AGE = phraseSet('requirements.txt', 'age')
const AGED = wordSet('requirements.txt', 'aged')
