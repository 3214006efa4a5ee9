import type { Segments, Source } from '../model.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'

/** Former employers are no filter: "who left banks", "formerly at SAP", "ex-Google engineers", "anciens de McKinsey". */

/** Words that are followed by a former place: an employer, a trade, a place of work. */
const LEFT_BEHIND = phraseSet('segments.txt', 'left behind')
/** Adjectives of the past. What they come before is over: the employer, if they come before a name, else the role itself. */
const FORMER = wordSet('segments.txt', 'former')
const OF = wordSet('segments.txt', 'former of')
const STAFF = wordSet('segments.txt', 'former staff')
const IN = wordSet('segments.txt', 'former in')
/** Here the sentence comes back to the present. */
const NOW = wordSet('segments.txt', 'back to now')
const ANOTHER_VERB = wordSet('segments.txt', 'another verb')
const PEOPLE_UNITS = wordSet('numbers.txt', 'people units')
const MOST_WORDS = 10

export function markPastRoles(source: Source, segments: Segments, mark: (from: number, to: number) => void): void {
  const { words, items } = source
  for (let at = 0; at < words.length; at++) {
    if (items[at]!.kind !== 'word' || segments.of[at] !== 'wish') continue
    const left = LEFT_BEHIND.longest(words, at)
    const to = left ? untilNow(source, at + left.length) : FORMER.has(words[at]!) ? endOfRole(source, at) : undefined
    if (to === undefined) continue
    mark(at, to)
    at = Math.max(at, to - 1)
  }
}

function untilNow(source: Source, begin: number): number {
  let to = begin
  while (to < source.words.length && to - begin < MOST_WORDS && !turns(source, to, to === begin)) to++
  return to
}

function turns({ words, items, tokens }: Source, at: number, isFirst: boolean): boolean {
  const word = words[at]!
  if (items[at]!.kind !== 'word') return true
  const next = items[at + 1]
  if (!isFirst && NOW.has(word)) return true
  if (['and', 'und', 'et', 'y', 'e'].includes(word)) return next === undefined || ANOTHER_VERB.has(next.word)
  // "who left banks in London": the place is where they are; "left jobs in banking" continues.
  return IN.has(word) && next?.kind === 'word' && tokens[next.first]!.capital && isPlaceWord(next.word)
}

/** "ex-Google engineers" are engineers still; "former bankers" are no bankers any more; "former employees of SAP" are neither. */
function endOfRole(source: Source, at: number): number | undefined {
  const { words, items, tokens } = source
  const isName = (position: number): boolean => items[position]?.kind === 'word' && tokens[items[position]!.first]!.capital
  const before = items[at - 1]
  // "APAC ex China": after a place it takes something from it.
  if (words[at] === 'ex' && before?.kind === 'word' && (isPlaceWord(before.word) || isPlaceWord(words[at + 1] ?? ''))) return undefined
  // "50 to 500 staff ex DHL": after a number it takes companies from a list.
  if (words[at] === 'ex' && (before?.kind === 'quantity' || PEOPLE_UNITS.has(before?.word ?? ''))) return undefined
  const german = words[at]!.startsWith('ehemalig') || words[at]!.startsWith('fruher')
  let to = at + 1
  if (!german && isName(to) && !STAFF.has(words[to]!)) {
    while (to < at + 4 && isName(to)) to++
    if (STAFF.has(words[to] ?? '')) return to + 1
    // "ex Google, Meta and Uber": a list of names that ends the clause was left after as a whole.
    const end = endOfNames(source, to)
    return items[end]?.kind === 'word' ? to : end
  }
  if (items[to]?.kind !== 'word') return undefined
  const staff = STAFF.has(words[to]!)
  if (!staff && !words[at]!.startsWith('exempleado')) return untilNow(source, to)
  if (staff) to++
  while (to < at + 6 && OF.has(words[to] ?? '')) to++
  return untilNow(source, to)
}

/** After a name: over the names that are joined to it. */
function endOfNames({ words, items, tokens }: Source, from: number): number {
  let end = from
  const isName = () => items[end]!.kind === 'word' && tokens[items[end]!.first]!.capital && !isPlaceWord(words[end]!)
  while (end < words.length && (JOINS.has(words[end]!) || isName())) end++
  while (end > from && JOINS.has(words[end - 1]!)) end--
  return end
}
const JOINS = new Set([',', '/', 'and', 'or', 'und', 'oder', 'et', 'ou', 'y', 'o'])
