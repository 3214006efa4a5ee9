import { EXCLUDED } from '../lists.ts'
import type { Source } from '../model.ts'
import { phraseSet, wordSet } from '../words.ts'

/**
 * Refusals behind what they refuse that are put together from parts, because nobody can list them all:
 *   "may be omitted", "sollen vermieden werden", "peuvent être écartés"   what may or must be done, and a participle
 *   "need not be included", "müssen nicht dabei sein"                     a need that is denied, and what is not needed
 *   "schließen wir aus", "können wir weglassen"                           verb, subject, and the rest of the verb
 *   "are not our market", "sind nicht unsere Zielgruppe"                  a negation, and what the sender lives from
 */

const MODALS = phraseSet('refusals.txt', 'modals')
const BETWEEN = wordSet('refusals.txt', 'between')
const REFUSED = phraseSet('refusals.txt', 'refused')
const DENIED_NEEDS = phraseSet('refusals.txt', 'denied needs')
const NEEDED = phraseSet('refusals.txt', 'needed')
const INVERTED_VERBS = wordSet('refusals.txt', 'inverted verbs')
const SUBJECTS = wordSet('refusals.txt', 'subjects')
const INVERTED_ENDS = phraseSet('refusals.txt', 'inverted ends')
const REFUSING_VERBS = wordSet('refusals.txt', 'refusing verbs')
const DENIALS = phraseSet('refusals.txt', 'denials')
const OWN = wordSet('refusals.txt', 'own')
const MARKETS = phraseSet('refusals.txt', 'markets')
const ONLY = new Set('only sole single einziger einzige einziges einzigen seul seule unico unica'.split(' '))
const MOST_BETWEEN = 4

/** "such mir Banken raus": what is fetched is wanted, and "raus" belongs to the verb. */
export function fetches({ words, items }: Source, at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back < LONGEST_CLAUSE && (items[back]!.kind === 'word' || words[back] === ','); back--)
    if (FETCHING.has(words[back]!)) return true
  return false
}
export const FETCHED = /^(?:bitte )?(?:he)?raus$/
const FETCHING = new Set('such suche suchen sucht zieh ziehe zieht hol hole holt schreib schreibt pick picke'.split(' '))
/** "um Engpässe zu vermeiden" says what for. */
export const isPurpose = (words: readonly string[], at: number): boolean =>
  (words[at] === 'zu' || words[at - 1] === 'zu') && words.slice(Math.max(0, at - 10), at).includes('um')
const FETCHED_WITH = new Set(['aus', 'raus', 'heraus'])
const LONGEST_CLAUSE = 20

/** How many words from here on say that what stands before them is refused; 0 where they do not. */
export const excludedAt = (words: readonly string[], at: number, end = words.length): number =>
  keptAt(words, at, end) > 0 || isPurpose(words, at)
    ? 0
    : Math.max(EXCLUDED.longest(words, at, end)?.length ?? 0, composedRefusal(words, at, end))

/** "must not be left out", "dürfen wir nicht vergessen", "no deben excluirse": a refusal that is denied keeps; how many words say so. */
export function keptAt(words: readonly string[], at: number, end = words.length): number {
  const need = DENIED_NEEDS.longest(words, at, end)
  const isInverted = SUBJECTS.has(words[at + 1] ?? '') && (INVERTED_VERBS.has(words[at]!) || REFUSING_VERBS.has(words[at]!))
  if (!need && !isInverted) return 0
  let next = skipBetween(words, at + (need?.length ?? 2), end)
  if (!need) {
    if (words[next] !== 'nicht') return 0
    next = skipBetween(words, next + 1, end)
    if (REFUSING_VERBS.has(words[at]!)) return next - at
  }
  for (const phrases of [REFUSED, INVERTED_ENDS]) {
    const refused = phrases.longest(words, next, end)
    if (refused && !words.slice(next, next + refused.length).includes('nicht')) return skipBetween(words, next + refused.length, end) - at
  }
  return 0
}

export function composedRefusal(words: readonly string[], at: number, end = words.length): number {
  const to = modalEnd(words, at, end) || needEnd(words, at, end) || invertedEnd(words, at, end) || marketEnd(words, at, end)
  return to === 0 ? 0 : to - at
}

function skipBetween(words: readonly string[], from: number, end: number): number {
  let at = from
  while (at < end && at < from + MOST_BETWEEN && BETWEEN.has(words[at]!)) at++
  return at
}

function modalEnd(words: readonly string[], at: number, end: number): number {
  const modal = MODALS.longest(words, at, end)
  if (!modal) return 0
  // The words between may be a part of what follows: "a exclure".
  for (let next = skipBetween(words, at + modal.length, end); next >= at + modal.length; next--) {
    const refused = REFUSED.longest(words, next, end)
    if (refused) return skipBetween(words, next + refused.length, end)
  }
  return 0
}

function needEnd(words: readonly string[], at: number, end: number): number {
  const need = DENIED_NEEDS.longest(words, at, end)
  if (!need) return 0
  const next = skipBetween(words, at + need.length, end)
  const needed = NEEDED.longest(words, next, end)
  return needed ? skipBetween(words, next + needed.length, end) : 0
}

function invertedEnd(words: readonly string[], at: number, end: number): number {
  if (!SUBJECTS.has(words[at + 1] ?? '') || at + 1 >= end) return 0
  const next = skipBetween(words, at + 2, end)
  if (REFUSING_VERBS.has(words[at]!)) return next
  if (!INVERTED_VERBS.has(words[at]!)) return 0
  const last = INVERTED_ENDS.longest(words, next, end)
  // "Banken suche ich raus" fetches them.
  if (!last || (FETCHING.has(words[at]!) && FETCHED_WITH.has(words[next]!))) return 0
  return next + last.length
}

function marketEnd(words: readonly string[], at: number, end: number): number {
  const denial = DENIALS.longest(words, at, end)
  if (!denial || !OWN.has(words[at + denial.length] ?? '')) return 0
  for (let next = at + denial.length + 1; next < end && next < at + denial.length + 3; next++) {
    if (ONLY.has(words[next]!)) return 0
    const market = MARKETS.longest(words, next, end)
    if (market) return next + market.length
  }
  return 0
}
