import { readPhrases } from './phrase-files.ts'

/** Typing errors in the words of an opt-out: two letters swapped, one dropped or one doubled. The first letter is correct. */

/** A shorter word with a missing or doubled letter is usually another word. */
const LEAST_CHARS = 7

function slipsOf(word: string): string[] {
  const slips: string[] = []
  for (let i = 1; i < word.length; i++) {
    const letter = word[i] as string
    if (i + 1 < word.length) slips.push(`${word.slice(0, i)}${word[i + 1]}${letter}${word.slice(i + 2)}`)
    if (word.length < LEAST_CHARS) continue
    slips.push(`${word.slice(0, i)}${letter}${word.slice(i)}`)
    // A word without its last letter is often another form of the same word.
    if (i + 1 < word.length) slips.push(word.slice(0, i) + word.slice(i + 1))
  }
  return slips
}

function readSlips(): ReadonlyMap<string, string> {
  const words = readPhrases('misspelt.txt').map(({ text }) => text)
  const slips = new Map(words.flatMap(word => slipsOf(word).map(slip => [slip, word] as const)))
  for (const word of words) slips.delete(word)
  return slips
}

let slips: ReadonlyMap<string, string> | undefined

export function correctSpelling(folded: string): string {
  slips ??= readSlips()
  const known = slips
  return folded.replace(/[a-z]{4,}/g, word => known.get(word) ?? word)
}
