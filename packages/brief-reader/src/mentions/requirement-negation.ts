import type { Source } from '../model.ts'
import { entryOfWord } from '../vocabulary/lexicon.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { CONJUNCTIONS, STOP_WORDS } from '../vocabulary/word-lists.ts'

const NEGATION = wordSet('requirements.txt', 'negation')
/** "noch nie kontaktiert" */
const YET = new Set('noch bisher bislang bis aun todavia encore'.split(' '))
const WE = wordSet('requirements.txt', 'we')
const SPEAKERS = new Set('we i wir ich nous on'.split(' '))

/**
 * The beginning of the negation before a position, within its clause: "who we have (not) contacted". What else it refuses is not this
 * wish's: of "skip Netflix, Disney and anybody we emailed" it begins after the conjunction.
 */
export function negationBefore(source: Source, at: number, personal = false): number | undefined {
  const { words, items, tokens } = source
  const from = findNegation(source, at, personal) ?? at
  const joint = words.slice(from, at).findLastIndex(word => CONJUNCTIONS.has(word))
  const isOther = (word: string, index: number) =>
    !NEGATION.has(word) && (tokens[items[from + index]!.first]!.capital || entryOfWord(word)?.industry || entryOfWord(word)?.title)
  if (words.slice(from, from + Math.max(0, joint)).some(isOther)) return from + joint + 1
  return from < at ? from : undefined
}

function findNegation({ words, items }: Source, at: number, personal: boolean): number | undefined {
  let found: number | undefined
  let we = personal
  let position = at - 1
  for (; position >= 0 && at - position <= 11 && items[position]!.kind !== 'mark'; position--) {
    if (WE.has(words[position]!)) we = true
    if (NEGATION.has(words[position]!)) found = position
    else if (found !== undefined) return YET.has(words[found - 1] ?? '') ? found - 1 : found
  }
  if (found !== undefined || !we) return found
  // "skip people, who replied": the negation comes before the comma or the noun; without any there is no wish.
  const clause = position + 1
  // "…cut their bills, and we've talked to them" tells what was.
  if (CONJUNCTIONS.has(words[clause]!) && SPEAKERS.has(words[clause + 1]!)) return undefined
  let alone = true
  for (; position >= 0 && at - position <= 14 && !['.', '\n', ';'].includes(words[position]!); position--) {
    // Anything else that the negation refuses ("skip banks, people we called") does not belong to this wish.
    if (NEGATION.has(words[position]!)) return alone ? position : clause
    if (items[position]!.kind === 'word' && !WE.has(words[position]!) && !STOP_WORDS.has(words[position]!)) alone = false
  }
  return undefined
}
