import { OWN } from '../lists.ts'
import type { Source } from '../model.ts'
import { wordSet } from '../words.ts'

/** Sentences of the sender that speak of whom he wants after all. */

const IDEAL = wordSet('voices.txt', 'ideal')
const AUDIENCE = wordSet('voices.txt', 'audience')
const AUDIENCE_ALONE = wordSet('voices.txt', 'audience alone')
const AUDIENCE_LINKS = wordSet('voices.txt', 'audience links')
const IS_LINK = wordSet('voices.txt', 'is links')
const OPENINGS = wordSet('voices.txt', 'openings')

/** "Our ideal client is", "Unser Wunschkunde:", "The buyer is usually": what follows is the lead after all. */
export function audienceIntro({ words, items }: Source, first: number, end: number): number | undefined {
  let at = first
  while (at < end && at < first + 5 && OPENINGS.has(words[at]!)) at++
  const from = at
  let own = false
  let ideal = false
  let named = false
  for (; at < end && at < from + 9; at++) {
    const word = words[at]!
    if (items[at]!.kind === 'mark') {
      if (word === ',' && at === from) continue
      return named && [':', '—', '=', '-'].includes(word) ? at + 1 : undefined
    }
    if (items[at]!.kind !== 'word') return undefined
    if (OWN.has(word) && !named) own = true
    else if (IDEAL.has(word)) ideal = true
    else if (AUDIENCE_ALONE.has(word)) {
      if (!own && !ideal) return undefined
      named = true
      ideal = true
    } else if (AUDIENCE.has(word)) named ||= own || ideal
    else return undefined
    if (!named || !IS_LINK.has(words[at + 1] ?? '')) continue
    // "The buyer is usually the CFO" introduces; "our clients are banks" speaks of those he has.
    const isBuyer = BUYERS.has(word) && USUALLY.has(words[at + 2] ?? '')
    if (!ideal && !isBuyer && !IDEAL.has(words[at + 1]!)) return undefined
    at += 2
    while (at < end && AUDIENCE_LINKS.has(words[at]!)) at++
    return at
  }
  return undefined
}
const BUYERS = wordSet('polarity.txt', 'buyers')
const USUALLY = wordSet('polarity.txt', 'usually')

/** "CTOs in Berlin are our target": what the sender says of those who stand before it. */
export const saysTarget = (words: readonly string[], sender: number): boolean =>
  IS_LINK.has(words[sender - 1] ?? '') && words.slice(sender + 1, sender + 3).some(word => AUDIENCE_ALONE.has(word) || FOCUS.has(word))
const FOCUS = new Set('focus fokus prio priority prioritat priorite foco objetivo cible cibles'.split(' '))
