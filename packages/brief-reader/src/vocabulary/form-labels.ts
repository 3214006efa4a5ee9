import { Phrases, readEntries, wordSet } from './word-files.ts'

/** Labels of briefs that are written as forms: which field a line speaks about, or that it excludes. */

export const LABELS = new Phrases(
  new Map(readEntries('labels.txt').flatMap(([label, phrases]) => phrases.map(phrase => [phrase, label] as const))),
)
const EXCLUDING = wordSet('small.txt', 'excluding labels')
const BESIDE = wordSet('small.txt', 'label words')
const HEADINGS = wordSet('small.txt', 'table headings')
const LABEL_WORDS = new Set(LABELS.words())
const LONGEST_LABEL = 6

/** The meaning of a whole label: one of the list, an exclusion in any wording, or a label with words like "target" before it. */
export function labelOf(words: readonly string[]): string | undefined {
  if (words.length === 0 || words.length > LONGEST_LABEL) return undefined
  const whole = LABELS.longest(words, 0)
  if (whole?.length === words.length) return whole.value
  if (words.some((word, at) => EXCLUDING.has(word) || EXCLUDING.has(`${word} ${words[at + 1]}`)) && words.every(isLabelWord))
    return 'exclude'
  const noun = LABELS.longestBefore(words, words.length)
  if (noun && words.slice(0, words.length - noun.length).every(word => BESIDE.has(word))) return noun.value
  const first = LABELS.longest(words, 0)
  return first && words.slice(first.length).every(word => BESIDE.has(word)) ? first.value : undefined
}

const isLabelWord = (word: string): boolean => /^[a-z]$/.test(word) || EXCLUDING.has(word) || BESIDE.has(word) || LABEL_WORDS.has(word)

/** "Field | Value": headings that only say that a form follows. */
export const isHeading = (words: readonly string[]): boolean => words.length > 0 && words.every(word => HEADINGS.has(word))
