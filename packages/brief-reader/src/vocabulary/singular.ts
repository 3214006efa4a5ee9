import { entryOf } from './lexicon.ts'

/** A phrase in the singular: by the vocabulary, else by the endings of English, French, Spanish and German nouns that are safe. */
export function singular(phrase: string): string {
  const space = phrase.lastIndexOf(' ') + 1
  const last = phrase.slice(space)
  if (last.length <= 3 || last === 'saas') return phrase
  // "pharmacies": French knows the noun without its last letter only.
  if (last.endsWith('ies') && endsWithNoun(`${last.slice(0, -3)}y`)) return `${phrase.slice(0, -3)}y`
  // "hospitales", "versandapotheken": the last part of the word is known without its ending.
  const known = ['s', 'es', 'n', 'en'].find(ending => last.endsWith(ending) && endsWithNoun(last.slice(0, -ending.length)))
  if (known) return phrase.slice(0, -known.length)
  if (GERMAN.test(last) || last.endsWith('iones')) return phrase.slice(0, -2)
  if (/(?:x|sh|ss)es$/.test(last)) return phrase.slice(0, -2)
  if (!/[^su]s$/.test(last)) return phrase
  return last.endsWith('ies') ? `${phrase.slice(0, -3)}y` : phrase.slice(0, -1)
}
/** "yachten", "werbeagenturen", "brauereien" */
const GERMAN = /(?:cht|eit|ung|ion|schaft|tat|ei|tur|anz|enz)en$/
const SHORTEST_PART = 5
const LONGEST_PART = 40

function endsWithNoun(word: string): boolean {
  for (let from = Math.max(0, word.length - LONGEST_PART); from <= word.length - SHORTEST_PART; from++)
    if (entryOf(word.slice(from))?.industry) return true
  return false
}
