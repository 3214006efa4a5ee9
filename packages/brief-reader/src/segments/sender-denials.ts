import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { EXCEPT, NEGATES_NOTHING, NOT, RETRACTIONS, SENDER } from '../vocabulary/word-lists.ts'

/** Denials of the sender that he contacts a person, in words that sound like a request. */

/** The position of a negation between the sender and the end of his request. */
export function denialBetween(words: readonly string[], sender: number, request: number): number | undefined {
  for (let at = sender; at < request; at++) {
    if (words[at] === ',' || words[at] === ';') return undefined
    if (at > sender && NOT.longest(words, at) && !NEGATES_NOTHING.longest(words, at)) return at
    // "we refuse to sell to banks", "we are tired of approaching banks": the request is a part of the refusal.
    const opener = EXCEPT.longest(words, at)?.length ?? 0
    const between = words.slice(at + opener, request)
    if (opener > 0 && between.length <= MOST_DENIED && !between.some(word => BEGINS_CLAUSE.has(word) || SENDER.has(word))) return at
  }
  return undefined
}
const MOST_DENIED = 3
const BEGINS_CLAUSE = new Set(', ; : and but und aber et mais y pero'.split(' '))

/** "We stopped approaching interns", "Nous ne voulons plus": whether the sender says that he does not go to those who follow. */
export function declinesContact(words: readonly string[], from: number, to: number): boolean {
  if (TURNS_AWAY.isWithin(words, from, to)) return true
  for (let at = from; at < to; at++) if (NOT.longest(words, at) || EXCEPT.longest(words, at)) return true
  const said = words.slice(from, to)
  return said.includes('plus') && (said.includes('ne') || said.includes('n'))
}
const TURNS_AWAY = phraseSet('segments.txt', 'turns away')

/** The end of a clause in which the sender turns away from those whom its request names, or in which his rivals ask for them. */
export function endOfDeclining(words: readonly string[], first: number, request: number, end: number): number | undefined {
  let from = request - 1
  while (from > first && !BEGINS_CLAUSE.has(words[from - 1]!)) from--
  if (!TURNS_AWAY.isWithin(words, from, request) && !words.slice(from, request).some(word => COMPETITORS.has(word))) return undefined
  let to = request
  while (to < end && !BEGINS_CLAUSE.has(words[to]!)) to++
  return to
}
export const COMPETITORS = wordSet('segments.txt', 'rival senders')

/** Whether a stretch takes something back: "Actually scratch HR". */
export const takesBack = (words: readonly string[], from: number, to: number): boolean =>
  [CORRECTIONS, INSTEAD_OF, RETRACTIONS].some(phrases => phrases.isWithin(words, from, to))
export const CORRECTIONS = phraseSet('negation.txt', 'corrections')
const INSTEAD_OF = phraseSet('negation.txt', 'instead of')
