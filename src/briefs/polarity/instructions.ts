import { ROLE_NOUNS } from '../lists.ts'
import { entryOfWord } from '../mentions/lexicon.ts'
import { isPlaceWord } from '../mentions/place-words.ts'
import type { Source, Voices } from '../model.ts'
import { phraseSet, wordSet } from '../words.ts'
import type { Layout } from './sentences.ts'

/** Words that are said to the machine and not to us: they are neither a wish nor context. */

const INSTRUCTIONS = phraseSet('voices.txt', 'instructions')
const INSTRUCTION_LABELS = phraseSet('voices.txt', 'instruction labels')
const REFUSING_INSTRUCTIONS = wordSet('voices.txt', 'refusing instructions')
const ORDERS = wordSet('voices.txt', 'orders')
const OPENS_COMMAND = new Set(['and', 'then', 'please', 'und', 'et', 'y', 'now', 'bitte', 'also', 'but'])
const SQL = new Set(['drop', 'delete', 'select', 'update'])

/** What is said to the machine: a line that begins with "System:", or a command wherever a clause begins. */
export function markMachine(
  source: Source,
  layout: Layout,
  consumed: Uint8Array,
  voices: Voices,
  mark: (from: number, to: number) => void,
): void {
  const { words, items } = source
  for (const [start, end] of layout.bounds) {
    let first = start
    while (first < end && items[first]!.kind === 'mark') first++
    const label = INSTRUCTION_LABELS.longest(words, first, end)
    // What a speaker of that name says goes on to the end of his line.
    if (label && words[first + label.length] === ':') mark(start, endOfLine(words, end))
  }
  for (let at = 0; at < words.length; at++) {
    if (items[at]!.kind !== 'word' || voices.of[at] !== 'wish' || consumed[at]) continue
    const before = items[at - 1]
    const opens = before === undefined || before.kind === 'mark' || OPENS_COMMAND.has(before.word)
    const instruction = opens ? INSTRUCTIONS.longest(words, at) : undefined
    if (!instruction || refusesSomebody(source, at, at + instruction.length)) continue
    // A statement of SQL ends at its semicolon; a plea in prose takes its whole sentence with it.
    mark(at, clauseEnd(words, at, layout, SQL.has(words[at]!) ? new Set([';', '—', '\n']) : undefined))
  }
}

function endOfLine(words: readonly string[], from: number): number {
  const end = words.indexOf('\n', from)
  return end < 0 ? words.length : end
}

/** "Ignore all agencies", "vergiss die Banken": a verb of refusal with somebody who can be asked for excludes him. */
function refusesSomebody({ words, items, tokens }: Source, at: number, from: number): boolean {
  if (!REFUSING_INSTRUCTIONS.has(words[at]!)) return false
  let refuses = false
  for (let next = at + 1; next < words.length && next < from + 5 && items[next]!.kind === 'word'; next++) {
    const word = words[next]!
    if (ORDERS.has(word)) return false
    const entry = entryOfWord(word)
    refuses ||= ROLE_NOUNS.has(word) || isPlaceWord(word) || (entry !== undefined && entry.function === undefined)
    refuses ||= tokens[items[next]!.first]!.capital && next >= from && !tokens[items[next]!.first]!.allCaps && !isGerman(words[at]!)
  }
  return refuses
}
const isGerman = (verb: string): boolean => /^(?:ignorier|vergiss|missacht)/.test(verb)

/** The end of the sentence, or of the clause where marks that end one are given. */
export function clauseEnd(words: readonly string[], from: number, layout: Layout, marks?: ReadonlySet<string>): number {
  const end = layout.bounds[layout.sentence[from]!]![1]
  if (!marks) return end
  for (let at = from; at < end; at++) if (marks.has(words[at]!)) return at
  return end
}
