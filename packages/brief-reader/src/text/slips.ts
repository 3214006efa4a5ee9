import { isTypedPlace } from '../../../lead-terms/src/index.ts'
import { COMPANY_NOUNS, CONJUNCTIONS, ROLE_NOUNS } from '../lists.ts'
import { entryOfWord, longestEntry } from '../mentions/lexicon.ts'
import { wordSet } from '../words.ts'
import type { Token } from './tokens.ts'

/** How probable it is that somebody who typed one word meant another: by the kind of the slip, and by the words around it. */

/** What stands around a word, as far as it says what the word should be. */
export interface Surroundings {
  before: string
  next: string
  expects: 'size' | 'place' | undefined
  /** It stands in a list of places: "Poland, Hungry and Czechia". */
  listed: boolean
}

export function surroundingsOf(tokens: readonly Token[], at: number): Surroundings {
  const word = (place: number) => (tokens[place]?.kind === 'word' ? tokens[place].word : '')
  const isNumber = (place: number) => tokens[place]?.kind === 'number' || NUMBER_WORDS.has(tokens[place]?.word ?? '')
  const isSize =
    isNumber(at + 1) || isNumber(at - 1) || (isNumber(at + 2) && SIZE_WORDS.has(word(at + 1))) || (isNumber(at - 2) && word(at - 1) !== '')
  const inList = isListedPlace(tokens, at)
  const isPlace = inList || IN.has(tokens[at - 1]?.text.toLowerCase() ?? '')
  const expects = isSize ? 'size' : isPlace ? 'place' : undefined
  return { before: word(at - 1), next: word(at + 1), expects, listed: inList && tokens[at]!.capital }
}

/** "Spain, Itly and Malta": where a place is expected, a misspelt word is one. */
function isListedPlace(tokens: readonly Token[], at: number): boolean {
  const joins = (place: number) =>
    tokens[place] !== undefined && (/^[,/;+]$/.test(tokens[place].word) || CONJUNCTIONS.has(tokens[place].word))
  const isPlace = (place: number) => tokens[place] !== undefined && isTypedPlace(tokens[place].word)
  return (joins(at - 1) && isPlace(at - 2)) || (joins(at + 1) && isPlace(at + 2))
}

const IN = new Set('in im en à near across'.split(' '))
const NUMBER_WORDS = new Set([...wordSet('numbers.txt', 'number words'), '$', '€', '£'])
const SIZE_SECTIONS = ['comparisons', 'comparisons behind', 'between', 'people units', 'size labels', 'revenue']
const SIZE_WORDS = new Set(SIZE_SECTIONS.flatMap(section => [...wordSet('numbers.txt', section)].flatMap(phrase => phrase.split(' '))))

export const isExpected = (target: string, { expects }: Surroundings): boolean =>
  expects === 'size' ? SIZE_WORDS.has(target) : expects === 'place' && isTypedPlace(target)

/** "tehc companies", "heda of sales": the word and its neighbour are a phrase, or a role and what it is for. */
export function fitsBeside(target: string, { before, next }: Surroundings): boolean {
  const entry = entryOfWord(target)
  if (entry?.function && ROLE_NOUNS.has(next)) return true
  if (entry?.industry && COMPANY_NOUNS.has(next)) return true
  return longestEntry([target, next], 0, 2)?.length === 2 || longestEntry([before, target], 0, 2)?.length === 2
}
