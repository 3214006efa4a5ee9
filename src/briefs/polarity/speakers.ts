import { ARTICLES, PREDICATES, SENDER, TEAMS } from '../lists.ts'
import { entryOf } from '../mentions/lexicon.ts'
import type { Source } from '../model.ts'
import { phraseSet } from '../words.ts'

/** Others who speak in a brief: "Anna wants dentists", "Marketing objects to Norway", "Legal says no banks". */

const ASKS = phraseSet('voices.txt', 'others want')
const REFUSES = phraseSet('voices.txt', 'others refuse')

/** Where the words about the one who speaks end; what he asks for or refuses follows. */
export function endOfSpeaker({ words, items, tokens }: Source, first: number, end: number): number | undefined {
  const at = ARTICLES.has(words[first]!) || words[first] === 'our' ? first + 1 : first
  if (items[at]?.kind !== 'word') return undefined
  if (SENDER.has(words[at]!)) return undefined
  const entry = entryOf(words[at]!)
  const isName = tokens[items[at]!.first]!.capital && !entry && !/s$/.test(words[at]!)
  if (!isName && !TEAMS.has(words[at]!)) return undefined
  const refuses = REFUSES.longest(words, at + 1, end)
  // "Acme won't work for us" is said of Acme.
  if (refuses) return PREDICATES.has(words[at + 1 + refuses.length] ?? '') ? undefined : at + 1
  const asks = ASKS.longest(words, at + 1, end)
  return asks && words[at + 1 + asks.length] !== 'not' ? at + 1 + asks.length : undefined
}
