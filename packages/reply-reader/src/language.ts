import { readLines } from './phrase-files.ts'

/** Whether a text is in one of the languages of the word files. */

const wordsOf = (section: string): ReadonlySet<string> => new Set(readLines('languages.txt', section).flat())
const OURS = wordsOf('ours')
const THEIRS = readLines('languages.txt', 'theirs').map(words => new Set(words.filter(word => !OURS.has(word))))

const MAX_CHARS = 2000
const WORD = /[\p{L}']+/gu
const LATIN = /\p{Script=Latin}/gu
const LETTER = /\p{L}/gu

/** True if words of another language outnumber those of ours, or if the script differs. */
export function isForeign(normalized: string): boolean {
  const start = normalized.slice(0, MAX_CHARS)
  if (2 * countOf(start, LATIN) < countOf(start, LETTER)) return true
  const words = start.match(WORD) ?? []
  const ours = words.filter(word => OURS.has(word)).length
  return THEIRS.some(theirs => words.filter(word => theirs.has(word)).length > ours)
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
