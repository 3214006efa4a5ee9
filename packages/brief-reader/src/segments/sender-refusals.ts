import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { AT_THE_END, EXCEPT, NOT, REFUSE_THEM, SPLIT_VERBS } from '../vocabulary/word-lists.ts'

/** The position at which the sender's own sentence refuses a person. */

const THEREFORE = wordSet('segments.txt', 'therefore')
export const LEAVE_TO = phraseSet('segments.txt', 'leaves to the reader')
const MODALS = wordSet('segments.txt', 'before a command')

/** The length of the negation at a position, 0 if there is none. */
export const refusalLength = (words: readonly string[], at: number, end = words.length): number =>
  Math.max(
    NOT.longest(words, at, end)?.length ?? 0,
    EXCEPT.longest(words, at, end)?.length ?? 0,
    REFUSE_THEM.longest(words, at, end)?.length ?? 0,
  )

/** The position at which a sentence about the sender turns into a refusal: "we work with Alstom, so no Alstom", "we have Bosch so skip them". */
export function findRefusal(words: readonly string[], sender: number, end: number): number | undefined {
  for (let at = Math.max(0, sender - 1); at < Math.min(end, sender + 5); at++)
    if ((at === sender ? (EXCEPT.longest(words, at, end)?.length ?? 0) : refusalLength(words, at, end)) >= 2) return at
  // "I'd avoid Italy", "we would rather skip agencies"
  let verb = sender + 1
  while (verb < end && verb < sender + 5 && MODALS.has(words[verb]!)) verb++
  if (verb < end && isCommand(words, verb, end)) return verb
  for (let at = sender + 1; at < Math.min(end, sender + 30); at++) {
    if (words[at] !== ',' && !THEREFORE.has(words[at]!)) continue
    // "…, donc aucune"
    if (REFUSE_THEM.longest(words, at + 1, end)) return at + 1
    let next = at + 1
    while (next < end && next < at + 4 && THEREFORE.has(words[next]!)) next++
    if (next < end && (words[at] === ',' ? refusalLength(words, next, end) > 0 : isCommand(words, next, end))) return next
  }
  return undefined
}

/** Whether a command that refuses stands at a position: "leave agencies out, we only want …". */
export const isCommand = (words: readonly string[], at: number, end: number): boolean =>
  (SPLIT_VERBS.has(words[at]!) && splitsBefore(words, at, end)) ||
  REFUSE_THEM.longest(words, at, end) !== undefined ||
  (EXCEPT.longest(words, at, end) !== undefined && !['without', 'outside'].includes(words[at]!))

/** "wir schließen Agenturen aus, …": the second part of the verb ends its clause. */
function splitsBefore(words: readonly string[], verb: number, end: number): boolean {
  let to = verb + 1
  while (to < end && ![',', ';', '—', ':'].includes(words[to]!)) to++
  return AT_THE_END.longest(words, to - 1, to) !== undefined || AT_THE_END.longest(words, end - 1, end) !== undefined
}
