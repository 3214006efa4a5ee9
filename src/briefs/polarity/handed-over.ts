import type { Source } from '../model.ts'
import { wordSet } from '../words.ts'

/** Companies or places that somebody else looks after: "Hilton belongs to Pedro's team", "Bavaria is with Jana". */

const HANDED = wordSet('polarity.txt', 'handed over')
const KEEPERS = wordSet('polarity.txt', 'keepers')
const TURFS = new Set('patch territory turf beat'.split(' '))
const MOST_WORDS = 6

/** How many items say so from here on; 0 where nobody does. */
export function handedOver({ words, items, tokens }: Source, at: number): number {
  // "Vienna is my colleague's patch"
  if (words[at] === 'is' || words[at] === 'are') {
    // "Vienna is Anna's"
    if (words[at + 2] === 's' && tokens[items[at + 1]!.first]!.capital && items[at + 3]?.kind !== 'word') return 3
    for (let turf = at + 1; turf < at + MOST_WORDS && items[turf]?.kind === 'word'; turf++)
      if (TURFS.has(words[turf]!)) return turf - at + 1
  }
  if (!HANDED.has(`${words[at]} ${words[at + 1]}`)) return 0
  for (let next = at + 2; next < words.length && next < at + 2 + MOST_WORDS; next++) {
    if (items[next]!.kind !== 'word') return 0
    if (KEEPERS.has(words[next]!)) return next - at + 1
    const ends = items[next + 1] === undefined || items[next + 1]!.kind === 'mark'
    // "Paris is with Jean": a first name that ends the clause.
    if (ends) return next === at + 2 && tokens[items[next]!.first]!.capital && words[at] !== 'belong' && words[at] !== 'belongs' ? 3 : 0
  }
  return 0
}
