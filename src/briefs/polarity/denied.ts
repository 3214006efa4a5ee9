import type { Source } from '../model.ts'
import { wordSet } from '../words.ts'

/**
 * German commands that refuse, and that a "nicht" at the end of their clause denies: "Vergessen Sie Banken nicht", "Lasst Wien nicht
 * weg". They ask for what they name.
 */

const FORGETTING = wordSet('polarity.txt', 'forgetting')
/** These need the second part of their verb: "nehmt Banken nicht" refuses. */
const SPLIT = new Set('lass lasse lasst lassen schliess schliesse schliesst schliessen nimm nehmt nehmen klammer klammert'.split(' '))
const SECOND_PARTS = new Set('weg aus raus heraus'.split(' '))
const BEFORE_VERB = new Set('bitte und aber auch please'.split(' '))
const BEHIND_VERB = new Set('sie bitte mir uns auch aber ja'.split(' '))
const LONGEST_CLAUSE = 14

/** How many words of such a command stand here: its verb, or its "nicht" with what follows it; 0 where there is none. */
export function deniedCommand(source: Source, at: number): number {
  const { words, items } = source
  if (words[at] === 'nicht') {
    const length = endsWithDenial(source, at)
    if (length === 0) return 0
    let from = at
    while (from > 0 && at - from < LONGEST_CLAUSE && items[from - 1]!.kind !== 'mark') from--
    while (BEFORE_VERB.has(words[from]!)) from++
    return from < at && isCommand(words[from]!, length) ? length : 0
  }
  if (!FORGETTING.has(words[at]!) && !SPLIT.has(words[at]!)) return 0
  let first = at
  while (first > 0 && BEFORE_VERB.has(words[first - 1]!)) first--
  if (first > 0 && items[first - 1]!.kind !== 'mark') return 0
  for (let next = at + 1; next < items.length && next < at + LONGEST_CLAUSE && items[next]!.kind !== 'mark'; next++)
    if (words[next] === 'nicht' && isCommand(words[at]!, endsWithDenial(source, next))) {
      let end = at + 1
      while (end < next && BEHIND_VERB.has(words[end]!)) end++
      // "Vergessen wir nicht": nothing is named.
      return end < next ? end - at : 0
    }
  return 0
}

const isCommand = (verb: string, length: number): boolean => (length === 1 && FORGETTING.has(verb)) || (length === 2 && SPLIT.has(verb))

/** "nicht" and, where there is one, the second part of the verb, at the end of their clause. */
function endsWithDenial({ words, items }: Source, at: number): number {
  const length = SECOND_PARTS.has(words[at + 1] ?? '') ? 2 : 1
  const next = items[at + length]
  return next === undefined || next.kind === 'mark' ? length : 0
}
