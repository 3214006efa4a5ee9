import { ARTICLES, CONJUNCTIONS, OWN, SENDER, STOP_WORDS } from '../lists.ts'
import type { Source } from '../model.ts'
import { phraseSet, wordSet } from '../words.ts'
import { turnsAway } from './denials.ts'
import { asksFor, isPerson, MARKS, SELLS } from './trade.ts'

/** What the sender plans with people makes them the wish, whatever else his clause tells: "we're planning a mailing to CFOs of hotels". */

const PLANS = phraseSet('voices.txt', 'plans')
const OVER = phraseSet('voices.txt', 'over and done')
const OF_ONE = wordSet('voices.txt', 'of one')
const FAR_PEOPLE = 10

/** Where those begin whom the sender plans to reach, with a trade, a place or a size of theirs. */
export function startOfPlanned({ words, items }: Source, first: number, end: number): number | undefined {
  for (let at = first; at < end; at++) {
    const plan = PLANS.longest(words, at, end)
    if (!plan) continue
    let role = at + plan.length
    while (role < end && role < at + FAR_PEOPLE && !isPerson(words[role]!) && !BREAKS.has(words[role]!)) role++
    if (role === end || !isPerson(words[role]!)) continue
    let start = role
    while (start > at + plan.length && !isSmall(words, start - 1)) start--
    const before = words[start - 1]!
    const isOwn = OF_ONE.has(before) || (OWN.has(before) && SENDER.has(before))
    const isTold = words.slice(first, at).some(word => SELLS.has(word)) || OVER.isWithin(words, first, end) || turnsAway(words, first, role)
    const isKnown = items.slice(role + 1, end).some(({ kind, word }) => kind === 'quantity' || asksFor(word))
    return isOwn || isTold || !isKnown ? undefined : start
  }
  return undefined
}
const BREAKS = new Set([...MARKS].filter(mark => mark !== '-'))
const isSmall = (words: readonly string[], at: number): boolean =>
  (STOP_WORDS.has(words[at]!) && !CONJUNCTIONS.has(words[at]!)) || ARTICLES.has(words[at]!)
