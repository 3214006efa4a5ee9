import type { Token } from '../model.ts'
import { isPlaceWord } from '../vocabulary/place-words.ts'
import { wordMap, wordSet } from '../vocabulary/word-files.ts'
import { CONJUNCTIONS, EXCEPT, NOT } from '../vocabulary/word-lists.ts'

/** Numbers in words: "two hundred and fifty", "a thousand", "a couple hundred". */

export const SCALES = wordMap('numbers.txt', 'scales', Number)
export const NUMBER_WORDS = wordMap('numbers.txt', 'number words', Number)
const ONE = new Set('a an one un une una ein eine einer'.split(' '))
const HALVES = new Set('half halbe halben demi medio'.split(' '))
/** The words that may begin a number. */
export const SPELLED = [...NUMBER_WORDS.keys(), ...ONE, ...HALVES, 'couple']

/** "between a hundred and a thousand": the article before a number that is spelled out. */
export function skipArticle(tokens: readonly Token[], at: number): number {
  const next = tokens[at + 1]
  return ONE.has(tokens[at]?.word ?? '') && next?.kind === 'word' && (NUMBER_WORDS.get(next.word) ?? 0) >= 12 ? at + 1 : at
}
/** "a thousand", "a couple thousand", "a couple of hundred": the number before a scale, when it is no number word. */
export function readLoose(tokens: readonly Token[], at: number): { value: number; last: number } | undefined {
  const isScaled = (position: number) => SCALES.has(tokens[position]?.word ?? '') && tokens[position]!.word.length > 3
  if (ONE.has(tokens[at]!.word) && isScaled(at + 1)) return { value: 1, last: at }
  // "half a million", "eine halbe Million", "un demi-million"
  const half = HALVES.has(tokens[at]!.word) ? at : ONE.has(tokens[at]!.word) && HALVES.has(tokens[at + 1]?.word ?? '') ? at + 1 : -1
  if (half >= 0) {
    const last = tokens[half + 1]?.word === 'a' ? half + 1 : half
    return isScaled(last + 1) ? { value: 0.5, last } : undefined
  }
  const couple = tokens[at]!.word === 'couple' ? at : tokens[at + 1]?.word === 'couple' && ONE.has(tokens[at]!.word) ? at + 1 : -1
  if (couple < 0) return undefined
  const next = tokens[couple + 1]?.word === 'of' ? couple + 2 : couple + 1
  if (tokens[next]?.word === 'hundred') return { value: 200, last: next }
  return isScaled(next) ? { value: 2, last: next - 1 } : undefined
}

/** "a couple hundred", "une centaine de" */
export const isLoose = (tokens: readonly Token[], at: number): boolean => [at, at + 1].some(place => LOOSE.has(tokens[place]?.word ?? ''))
const LOOSE = wordSet('numbers.txt', 'loose numbers')

/** "several hundred" is no number. */
const SOME = new Set('several few many some mehrere einige paar plusieurs quelques varios varias'.split(' '))

/** "exclude Four Seasons", "not Three or Vodafone", "no Seven Eleven": a capital within a sentence, before another one or after a refusal. */
function isInName(tokens: readonly Token[], at: number): boolean {
  if (!tokens[at]!.capital) return false
  const isPair = tokens[at - 1]?.capital && NUMBER_WORDS.has(tokens[at - 1]!.word)
  const before = tokens[isPair ? at - 2 : at - 1]
  if (!before) return false
  const isRefused = EXCEPT.has(before.word) || NOT.has(before.word)
  const isWithin = before.kind === 'word' ? !before.capital : before.word === ','
  // "O2, Three and EE"
  const next = CONJUNCTIONS.has(tokens[at + 1]?.word ?? '') && before.word === ',' ? tokens[at + 2] : tokens[at + 1]
  return isRefused || (isWithin && next?.kind === 'word' && next.capital)
}

/** "not Super 8 or Hilton": right after a refusal a capital and a small number that ends its place are one name. */
export function isNumberedName(tokens: readonly Token[], at: number): boolean {
  const [before, name, number, after] = [tokens[at - 1]?.word ?? '', tokens[at]!, tokens[at + 1], tokens[at + 2]]
  if (!name.capital || number?.kind !== 'number' || number.value! > 100 || !(EXCEPT.has(before) || NOT.has(before))) return false
  return (after?.kind !== 'word' || CONJUNCTIONS.has(after.word)) && !isPlaceWord(name.word)
}

/** "fifty", "two hundred", "two hundred and fifty", "twenty five". */
export function readSpelled(tokens: readonly Token[], at: number): { value: number; last: number } | undefined {
  const numberAt = (position: number): number | undefined => {
    const token = tokens[position]
    return token?.kind === 'word' && !token.allCaps ? NUMBER_WORDS.get(token.word) : undefined
  }
  let value = numberAt(at)
  if (value === undefined || (value >= 12 && SOME.has(tokens[at - 1]?.word ?? ''))) return undefined
  if ((value < 20 || value >= 1000) && isInName(tokens, at)) return undefined
  let last = at
  const addSmall = (position: number, below: number): void => {
    const more = numberAt(position)
    // "between one hundred and five hundred": the next number begins here.
    if (more === undefined || more >= below || numberAt(position + 1) === 100) return
    value! += more
    last = position
  }
  if (value < 100 && numberAt(at + 1) === 100) {
    value *= 100
    last = at + 1
    addSmall(['and', 'und'].includes(tokens[last + 1]?.word ?? '') ? last + 2 : last + 1, 100)
  }
  // "a hundred fifty", "one hundred and twenty"
  else if (value === 100)
    addSmall(['and', 'und'].includes(tokens[at + 1]?.word ?? '') && (numberAt(at + 2) ?? 100) < 100 ? at + 2 : at + 1, 100)
  // "two fifty" is spoken for two hundred and fifty.
  const tens = numberAt(at + 1)
  if (value < 10 && value > 0 && tens !== undefined && tens >= 20 && tens < 100) {
    value = value * 100 + tens
    last = at + 1
  }
  if (value >= 20 && value % 10 === 0 && value % 100 !== 0) addSmall(last + 1, 10)
  return { value, last }
}

/** "skip those two": it points at what was named, and counts nothing. */
export function pointsBack(tokens: readonly Token[], words: readonly string[], at: number): boolean {
  if (!FEW.has(words[at]!) || !POINTING.has(words[at - 1] ?? '')) return false
  const next = ORDINALS.test(words[at + 1] ?? '') ? at + 2 : at + 1
  return tokens[next]?.kind !== 'word' || BEHIND_FEW.has(words[next]!)
}
const FEW = new Set('two three zwei drei deux trois dos tres'.split(' '))
const POINTING = new Set(
  'those these the last latter first die diese letzten ersten alle ces les esos esas los las ultimos ultimas'.split(' '),
)
const ORDINALS = /^(?:letzten|ersten|dernier|premier|ultim|primer)/
const BEHIND_FEW = new Set('are sind sont son out off alone please raus nicht bitte weg weglassen la no fuera'.split(' '))
