import { gazetteer } from '../../search/terms/gazetteer.ts'
import { tradeText } from '../../search/terms/phrase-file.ts'
import { editDistance } from '../../search/terms/text.ts'
import { COMMON_WORDS, CONJUNCTIONS, STOP_WORDS } from '../lists.ts'
import { entryOfWord, stemWord, vocabularyText } from '../mentions/lexicon.ts'
import { compoundIndustry } from '../mentions/other-roles.ts'
import { inPlaceName, isPlaceWord } from '../mentions/place-words.ts'
import { readAllWords, readEntries, readWordText, wordSet } from '../words.ts'
import type { Token } from './tokens.ts'

/** Slips of the fingers are repaired towards words we know: industries, titles, functions, countries and big cities. */

/** Cities of half a million and more, and well-known smaller ones, are worth a repair; villages are not. */
const TYPED_CITIES = readAllWords('typed-cities.txt')
const NOT_WORDS = wordSet('polarity.txt', 'not')
const SLIPS: ReadonlyMap<string, string> = new Map(
  readEntries('slips.txt').flatMap(([meant, slips]) => slips.map(slip => [slip, meant] as const)),
)
const GRAMMAR_FILES = [
  'labels.txt',
  'small.txt',
  'polarity.txt',
  'refusals.txt',
  'voices.txt',
  'wishes.txt',
  'numbers.txt',
  'titles-grammar.txt',
  'things-grammar.txt',
  'companies.txt',
  'common.txt',
  'real.txt',
  'first-names.txt',
  'noun-modifiers.txt',
]

interface Target {
  word: string
  /** One bit for each letter that occurs: two words that differ in many letters are not compared further. */
  letters: number
  /** An everyday word: only two letters that changed places are a slip of it. */
  isCommon: boolean
}

/** Small words whose slips would turn a wish round or lose a number. */
const MENDED_LISTS = [
  ['polarity.txt', 'except'],
  ['small.txt', 'company nouns'],
  ['numbers.txt', 'people units'],
] as const
const MENDED = new Set(['without', 'except', 'exclude', 'excluding', 'companies', 'company', 'employees', 'verified', 'emails', 'between'])
const FUNCTION_WORDS = wordSet('things-grammar.txt', 'function words')
const TYPED_COUNTRIES = 'US CA GB DE AT ES FR IT AU'.split(' ')

/** The words of a text that begin with a letter. One letter is looked through when a brief first needs it. */
const wordsOf = (text: string, letter: string): string[] =>
  /[a-z]/.test(letter) ? (text.match(new RegExp(`(?<![a-z])${letter}[a-z]{2,}`, 'g')) ?? []) : []

let texts: { vocabulary: string; grammar: string } | undefined

function wordTexts(): { vocabulary: string; grammar: string } {
  texts ??= { vocabulary: vocabularyText(), grammar: [...GRAMMAR_FILES.map(readWordText), tradeText()].join('\n') }
  return texts
}

/** What a slip may have been meant to be: the vocabulary, the places people mistype, and the small words that matter most. */
function targetWords(letter: string): Set<string> {
  const data = gazetteer()
  const words = new Set(wordsOf(wordTexts().vocabulary, letter))
  const add = (word: string) => {
    if (word[0] === letter && !word.includes(' ')) words.add(word)
  }
  for (const names of [data.countryByName, data.countryByDemonym]) for (const name of names.keys()) add(name)
  for (const name of data.regionNamesOf(letter, TYPED_COUNTRIES)) add(name)
  for (const city of TYPED_CITIES) add(city)
  for (const [file, section] of MENDED_LISTS) for (const phrase of wordSet(file, section)) for (const word of phrase.split(' ')) add(word)
  return words
}

const knownStems = new Map<string, ReadonlySet<string>>()
const targetsByLength = new Map<string, ReadonlyMap<number, Target[]>>()

function stemsOf(letter: string): ReadonlySet<string> {
  const ready = knownStems.get(letter)
  if (ready) return ready
  const stems = new Set<string>()
  for (const word of [...targetWords(letter), ...wordsOf(wordTexts().grammar, letter)]) {
    stems.add(word)
    // "Lucern" is no form of Lucerne: names have none.
    if (!TYPED_CITIES.has(word)) stems.add(stemWord(word))
  }
  knownStems.set(letter, stems)
  return stems
}

function targetsOf(letter: string): ReadonlyMap<number, Target[]> {
  const ready = targetsByLength.get(letter)
  if (ready) return ready
  const targets = new Map<number, Target[]>()
  for (const word of targetWords(letter)) {
    // Functions ("product", "finance") are worth a repair though they are everyday words.
    const isCommon = COMMON_WORDS.has(word) && !MENDED.has(word) && word.length < (FUNCTION_WORDS.has(word) ? 7 : 8)
    if (word.length < 5 || !/^[a-z]+$/.test(word)) continue
    const target = { word, letters: letterSet(word), isCommon }
    const list = targets.get(word.length)
    if (list) list.push(target)
    else targets.set(word.length, [target])
  }
  targetsByLength.set(letter, targets)
  return targets
}

export function isKnownWord(word: string): boolean {
  // Most words are found where they are read; only then is everything looked through.
  if (word.length < 3 || COMMON_WORDS.has(word) || STOP_WORDS.has(word) || foundWords.has(word) || entryOfWord(word)) return true
  const letter = word[0]!
  // Nothing is known in other scripts; where the words of a letter have been sorted, a look through the texts finds no more.
  if (letter > 'z') return false
  const { vocabulary, grammar } = wordTexts()
  if (!knownStems.has(letter) && (containsWord(grammar, word) || containsWord(vocabulary, word))) foundWords.add(word)
  return foundWords.has(word) || stemsOf(letter).has(word) || stemsOf(letter).has(stemWord(word))
}

/** Words that a look through the texts has found: no more than the texts have. */
const foundWords = new Set<string>()

/** Whether a text has a word as it stands: one look through the text costs less than sorting its words. */
function containsWord(text: string, word: string): boolean {
  if (!PLAIN.test(word)) return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (!isLetter(text.charCodeAt(at - 1)) && !isLetter(text.charCodeAt(at + word.length))) return true
  return false
}
const PLAIN = /^[a-z]+$/
const isLetter = (code: number): boolean => code >= 97 && code <= 122

function letterSet(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) - 97)
  return letters
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Two neighbouring letters changed places: the commonest slip of all, and one slip only. */
function swapped(word: string, target: string): boolean {
  if (word.length !== target.length) return false
  let at = 0
  while (at < word.length && word[at] === target[at]) at++
  return at + 1 < word.length && word[at] === target[at + 1] && word[at + 1] === target[at] && word.slice(at + 2) === target.slice(at + 2)
}

/** "joined" is not a slip for "joiner": words that part only at their end are forms of one stem. */
function inflects(word: string, target: string): boolean {
  const shorter = Math.min(word.length, target.length)
  let at = 0
  while (at < shorter && word[at] === target[at]) at++
  return at >= 4 && VERB_ENDS.has(word.slice(at)) && NOUN_ENDS.has(target.slice(at))
}
const VERB_ENDS = new Set('d ed s es n en ing ly ally t'.split(' '))
const NOUN_ENDS = new Set('r er ers rs or ors d ed s es ing ion ions ive al ale ales e y a o os as ate r n ry nt'.split(' '))

let countryNames: { first: Map<string, string[]>; second: Map<string, string[]> } | undefined

const near = (word: string, target: string): boolean =>
  word !== target && (swapped(word, target) || (word[0] === target[0] && editDistance(word, target, 1) <= 1))

/** "Untied Kingdom", "New Zaeland": one word of a country's name says what the other was meant to be. */
function repairBeside(word: string, before: string | undefined, next: string | undefined): string | undefined {
  if (!countryNames) {
    countryNames = { first: new Map(), second: new Map() }
    for (const name of gazetteer().countryByName.keys()) {
      const [first, second, third] = name.split(' ') as [string, string | undefined, string | undefined]
      if (!second || second.length < 5 || third !== undefined) continue
      countryNames.second.set(first, [...(countryNames.second.get(first) ?? []), second])
      if (first.length > 4) countryNames.first.set(second, [...(countryNames.first.get(second) ?? []), first])
    }
  }
  if (word.length < 5) return undefined
  const ahead = next === undefined ? undefined : countryNames.first.get(next)?.find(first => near(word, first))
  if (ahead !== undefined || before === undefined) return ahead
  const names = countryNames.second.get(before)
  return names?.includes(word) ? undefined : names?.find(second => near(word, second))
}

/** How the gazetteer writes the saint of a town: "St. Louis" has one name in Missouri and another in Senegal. */
const saintOf = (name: string): string | undefined =>
  ['st', 'saint', 'sankt'].find(saint => gazetteer().citiesByName(`${saint} ${name}`).length > 0)

/** "St. Louis", "kaufm. Leiter": the stop belongs to the name of the town or to the title, and ends nothing. */
export const isInnerStop = (at: number, tokens: readonly Token[]): boolean => {
  const [before, next] = [tokens[at - 1]?.word ?? '', tokens[at + 1]]
  if (tokens[at]!.text !== '.' || next?.capital !== true) return false
  return /^(?:kaufm|kfm|techn)$/.test(before) || (before === 'st' && saintOf(next.word) !== undefined)
}

/** Comparing is expensive: of a text of gibberish, only this many words are repaired. */
const REPAIRS_PER_BRIEF = 60

/** Mends the words of a brief in place. The text as written stays what is quoted. */
export function repairWords(tokens: readonly Token[]): void {
  const repaired = new Map<string, string | undefined>()
  const settled = new Map<string, boolean>()
  let spent = 0
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'word') continue
    // "St-Étienne", "St. Pölten"
    if (token.word === 'st') token.word = saintOf(tokens[at + 1]?.word ?? '') ?? token.word
    token.word = SLIPS.get(token.word) ?? token.word
    const { word } = token
    const before = tokens[at - 1]
    const next = tokens[at + 1]
    const beside = repairBeside(word, before?.word, next?.kind === 'word' ? next.word : undefined)
    if (beside) {
      token.word = beside
      continue
    }
    if (word.length < 5 || word.length > 24 || !/^[a-z]+$/.test(word)) continue
    const known = settled.get(word) ?? (isPlaceWord(word) || isKnownWord(word) || compoundIndustry(word) !== undefined)
    settled.set(word, known)
    if (known || inPlaceName(tokens, at)) continue
    // "AutoNation": a capital within a word makes a name of it.
    if (/\p{Ll}\p{Lu}/u.test(token.text)) continue
    // "Thermo Fisher": a capitalised word beside a capitalised word that nothing explains is a name, not a slip.
    const named =
      token.capital &&
      token.glue === '' &&
      before?.kind === 'word' &&
      before.capital &&
      !isKnownWord(before.word) &&
      !isPlaceWord(before.word)
    if (named || isListedName(tokens, at)) continue
    if (!repaired.has(word)) {
      if (spent++ >= REPAIRS_PER_BRIEF) return
      repaired.set(word, nearestTarget(word))
    }
    const target = repaired.get(word)
    // "Ribera del Duero": a capital behind a small letter makes a name of a short word.
    // "Pas Rolex": a negation has its capital only because it begins the sentence.
    const inName = token.capital && before?.kind === 'word' && (!before.capital || NOT_WORDS.has(before.word)) && word.length < 8
    if (target && (!token.capital || (inName ? isTypedPlace(target) && !isOtherName(word, target) : isSlipOfCapital(target))))
      token.word = target
  }
}

/** "at Personio, Factorial and HiBob": behind the comma of a strange name, a capital that fills its place makes a name as well. */
function isListedName(tokens: readonly Token[], at: number): boolean {
  const [other, comma, next] = [tokens[at - 2], tokens[at - 1], tokens[at + 1]]
  if (!tokens[at]!.capital || comma?.word !== ',' || other?.kind !== 'word' || !other.capital) return false
  const fills = next === undefined || next.kind !== 'word' || CONJUNCTIONS.has(next.word)
  return fills && !isKnownWord(other.word) && !isPlaceWord(other.word)
}

/** "Graña" is no Ghana, Korian no Korean: one letter for another makes another name of a short one, and of what people are called by. */
const isOtherName = (word: string, target: string): boolean =>
  (word.length < 6 || gazetteer().countryByDemonym.has(target)) && word.length === target.length && !swapped(word, target)

/** A country, a region, or a city that people mistype. */
function isTypedPlace(word: string): boolean {
  const data = gazetteer()
  return data.countryByName.has(word) || data.countryByDemonym.has(word) || TYPED_CITIES.has(word) || data.regionsByName(word).length > 0
}

/** A capitalised word is a name before it is a slip, but for places, roles, and long words: Tesco is no telco. */
function isSlipOfCapital(target: string): boolean {
  if (target.length >= 8 || isTypedPlace(target)) return true
  const entry = entryOfWord(target)
  return !entry || entry.industry === undefined || entry.title !== undefined || entry.level !== undefined
}

function nearestTarget(word: string): string | undefined {
  const targets = targetsOf(word[0]!)
  const limit = word.length >= 8 ? 2 : 1
  const letters = letterSet(word)
  let best: string | undefined
  let bestDistance = limit + 1
  for (let length = word.length - limit; length <= word.length + limit; length++) {
    for (const target of targets.get(length) ?? []) {
      if (bitCount(letters ^ target.letters) > 2 * limit) continue
      if (target.isCommon && !swapped(word, target.word)) continue
      const distance = swapped(word, target.word) ? 1 : editDistance(word, target.word, Math.min(limit, bestDistance - 1))
      if (distance >= bestDistance || inflects(word, target.word)) continue
      best = target.word
      bestDistance = distance
    }
  }
  // Two slips need a long word on both sides, or everything resembles something.
  return best && bestDistance === 2 && (best.length < 9 || word.length < 9) ? undefined : best
}
