import {
  bitCount,
  containsWord,
  gazetteer,
  isTown,
  isTypedPlace,
  letterSet,
  meantCost,
  moreFunctionText,
  moreIndustryText,
  PLAIN,
  SWAPPED,
  slipCost,
  tradeText,
  typedPlaceWords,
} from '../../../lead-terms/src/index.ts'
import type { Token } from '../model.ts'
import { compoundIndustry } from '../vocabulary/compounds.ts'
import { entryOfWord, longestEntry, stemWord, vocabularyText } from '../vocabulary/lexicon.ts'
import { inPlaceName, isEverydayPlace, isPlaceWord } from '../vocabulary/place-words.ts'
import { readEntries, readWordText, wordSet } from '../vocabulary/word-files.ts'
import { COMMON_WORDS, COMPANY_NOUNS, CONJUNCTIONS, ROLE_NOUNS, STOP_WORDS } from '../vocabulary/word-lists.ts'

/** Slips of the fingers are repaired towards words we know: industries, titles, functions, countries and big cities. */

const NOT_WORDS = wordSet('negation.txt', 'not')
const MISSPELLINGS: ReadonlyMap<string, string> = new Map(
  readEntries('misspellings.txt').flatMap(([meant, slips]) => slips.map(slip => [slip, meant] as const)),
)
/** Files whose words reverse a wish or bound a number: a slip in one of them must not lose that. */
const CUE_FILES = ['negation.txt', 'refusals.txt', 'numbers.txt', 'small.txt', 'requirements.txt']
const GRAMMAR_FILES = [
  ...CUE_FILES,
  'labels.txt',
  'segments.txt',
  'titles-grammar.txt',
  'things-grammar.txt',
  'companies.txt',
  'common.txt',
  'real.txt',
  'first-names.txt',
  'noun-modifiers.txt',
  'translations.txt',
  'titles-more.txt',
  'levels-more.txt',
  'title-openings-more.txt',
  'sizes-more.txt',
]

interface Target {
  word: string
  /** One bit for each letter that occurs: two words that differ in many letters are not compared further. */
  letters: number
  /** How often the word files have it: of two words that are equally near, people mean the commoner one. */
  count: number
}

const CUES = new Set(
  ['not', 'except', 'except behind place', 'excluded', 'excluded at the end']
    .flatMap(section => [...wordSet('negation.txt', section)])
    .flatMap(phrase => phrase.split(' ')),
)

/** The words of a text that begin with a letter. One letter is looked through when a brief first needs it. */
const wordsOf = (text: string, letter: string): string[] =>
  /[a-z]/.test(letter) ? (text.match(new RegExp(`(?<![a-z])${letter}[a-z]{2,}`, 'g')) ?? []) : []

const readTexts = () => ({
  vocabulary: vocabularyText(),
  // No slip is likely to have meant a word of a language that fewer people write.
  cues: CUE_FILES.map(readWordText)
    .join('\n')
    .replace(/^more: .*$/gm, ''),
  grammar: [...GRAMMAR_FILES.map(readWordText), moreFunctionText(), moreIndustryText()].join('\n'),
  // Words that are spelled correctly though they resemble one of ours.
  spelt: readWordText('spelt.txt')
    .replace('[everyday]', section => `${section}\n${tradeText()}`)
    .split(/\[(?:everyday|rare)\]/),
})
let texts: ReturnType<typeof readTexts> | undefined

function wordTexts(): ReturnType<typeof readTexts> {
  texts ??= readTexts()
  return texts
}

/** The possible intended words of a slip, and how often they are written: the vocabulary, the cues, and the places people mistype. */
function targetWords(letter: string): Map<string, number> {
  const { vocabulary, cues } = wordTexts()
  const counts = new Map<string, number>()
  for (const word of [...wordsOf(vocabulary, letter), ...wordsOf(cues, letter), ...typedPlaceWords(letter)])
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const knownStems = new Map<string, ReadonlySet<string>>()
const targetsByLength = new Map<string, ReadonlyMap<number, Target[]>>()

function stemsOf(letter: string): ReadonlySet<string> {
  const ready = knownStems.get(letter)
  if (ready) return ready
  const stems = new Set<string>()
  for (const word of [...targetWords(letter).keys(), ...wordsOf(wordTexts().grammar, letter)]) {
    stems.add(word)
    const stem = stemWord(word)
    // "Ukrain", "peopl": a word without its last letter is no form of it.
    if (word !== `${stem}e`) stems.add(stem)
  }
  knownStems.set(letter, stems)
  return stems
}

/** The words that a slip with this first letter may have meant, by their length. */
export function targetsOf(letter: string): ReadonlyMap<number, Target[]> {
  const ready = targetsByLength.get(letter)
  if (ready) return ready
  const targets = new Map<number, Target[]>()
  for (const [word, count] of targetWords(letter)) {
    if (word.length < 4 || !PLAIN.test(word)) continue
    const target = { word, letters: letterSet(word), count }
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
  return foundWords.has(word) || stemsOf(letter).has(word) || (!/ees?$/.test(word) && stemsOf(letter).has(stemWord(word)))
}

/** Words that a look through the texts has found: no more than the texts have. */
const foundWords = new Set<string>()

/** How the gazetteer writes the saint of a town: "St. Louis" has one name in Missouri and another in Senegal. */
const saintOf = (name: string): string | undefined =>
  ['st', 'saint', 'sankt'].find(saint => gazetteer().citiesByName(`${saint} ${name}`).length > 0)

/** "St. Louis", "kaufm. Leiter": the stop belongs to the name of the town or to the title, and ends nothing. */
export const isInnerStop = (at: number, tokens: readonly Token[]): boolean => {
  const [before, next] = [tokens[at - 1]?.word ?? '', tokens[at + 1]]
  if (tokens[at]!.text !== '.' || next?.kind !== 'word') return false
  // "Gte. de ventas", "Dir. of Sales"; German "dir." ends a sentence.
  if (RANKS.test(before) || (before === 'dir' && tokens[at - 1]!.capital)) return true
  if (!next.capital) return false
  return /^(?:kaufm|kfm|techn)$/.test(before) || (before === 'st' && saintOf(next.word) !== undefined)
}

const RANKS = /^(?:abt|coord|enc|gte|hd|ltg|ltr|mgr|resp|stellv|stv|verantw)$/

/** Comparing is expensive: of a text of gibberish, only this many words are repaired. */
const REPAIRS_PER_BRIEF = 40

/** Mends the words of a brief in place. The text as written stays what is quoted. */
export function correctSpelling(tokens: readonly Token[]): void {
  const repaired = new Map<string, string | undefined>()
  const settled = new Map<string, boolean>()
  let spent = 0
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'word') continue
    // "St-Étienne", "St. Pölten"
    if (token.word === 'st') token.word = saintOf(tokens[at + 1]?.word ?? '') ?? token.word
    const slip = MISSPELLINGS.get(token.word)
    if (slip && (token.word.length > 4 || isTypedPlace(slip) || isPlainWord(tokens, at))) token.word = slip
    const { word } = token
    const before = tokens[at - 1]
    if (word.length < 3 || word.length > 24 || !PLAIN.test(word)) continue
    const isPlace = token.capital ? isPlaceWord : isTown
    const known = settled.get(word) ?? (isPlace(word) || isEverydayPlace(word) || isKnownWord(word) || compoundIndustry(word) !== undefined)
    settled.set(word, known)
    if (known || (token.allCaps && word.length < 6)) continue
    const around = surroundingsOf(tokens, at)
    if (around.expects === 'place' ? isPlaceWord(word) : word.length < 4 && around.expects === undefined) continue
    if (inPlaceName(tokens, at)) continue
    // "AutoNation": a capital within a word makes a name of it.
    if (/\p{Ll}\p{Lu}/u.test(token.text)) continue
    // "Thermo Fisher": a capitalized word next to a capitalized word that nothing explains is a name, not a slip.
    if ((token.capital && token.glue === '' && isStrange(before)) || isListedName(tokens, at)) continue
    const key = `${around.before} ${word} ${around.next}`
    if (!repaired.has(key)) {
      if (spent++ >= REPAIRS_PER_BRIEF) return
      repaired.set(key, nearestTarget(word, around))
    }
    const target = repaired.get(key)
    if (target === undefined) continue
    // "Ribera del Duero": a capital after a small letter makes a name of a short word.
    // "Pas Rolex": a negation has its capital only because it begins the sentence.
    const inName = token.capital && before?.kind === 'word' && (!before.capital || NOT_WORDS.has(before.word)) && word.length < 8
    const begins = beginsSentence(tokens, at)
    const isSlip = inName ? isSlipOfName(word, target) : isSlipOfCapital(word, target, begins)
    // "stores like Unger 24" counts nothing.
    const fills = isExpected(target, around) && (around.expects === 'place' || begins)
    if (!token.capital || fills || isSlip) token.word = target
  }
}

const beginsSentence = (tokens: readonly Token[], at: number): boolean =>
  (tokens[at - 1] === undefined || (tokens[at - 1]!.kind === 'mark' && tokens[at - 1]!.word !== ',')) && tokens[at + 1]?.capital !== true

/** "SKP", "SAF-Holland": a short word with capitals or a hyphen is a name, not a slip. */
const isPlainWord = (tokens: readonly Token[], at: number): boolean =>
  !tokens[at]!.allCaps &&
  (!tokens[at]!.capital || beginsSentence(tokens, at)) &&
  tokens[at]!.glue === '' &&
  (tokens[at + 1]?.glue ?? '') === ''

/** "at Personio, Factorial and HiBob": after the comma of a strange name, a capital that fills its place makes a name as well. */
function isListedName(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  if (!tokens[at]!.capital || tokens[at - 1]?.word !== ',' || !isStrange(tokens[at - 2])) return false
  return next === undefined || next.kind !== 'word' || CONJUNCTIONS.has(next.word)
}
const isStrange = (token: Token | undefined): boolean =>
  token?.kind === 'word' && token.capital && !isKnownWord(token.word) && !isPlaceWord(token.word)

/** "Graña" is no Ghana, Korian no Korean: one letter for another makes another name of a short one, and of what people are called by. */
function isSlipOfName(word: string, target: string): boolean {
  const swapped = slipCost(word, target) <= SWAPPED
  if (!isTypedPlace(target)) return swapped && word.length > 5 && entryOfWord(target) !== undefined
  return swapped || word.length !== target.length || (word.length > 5 && !gazetteer().countryByDemonym.has(target))
}

/** A capitalized word is a name before it is a slip, but for places, roles, long words, and swapped letters: Tesco is no telco. */
function isSlipOfCapital(word: string, target: string, begins: boolean): boolean {
  if (target.length >= 8 || isTypedPlace(target) || (word.length > 4 && slipCost(word, target) <= SWAPPED)) return true
  const entry = entryOfWord(target)
  // "Margaret Pell": a word of the grammar has a capital only where a sentence begins, and no name does.
  if (!entry) return begins && word.length > 4
  return entry.industry === undefined || entry.title !== undefined || entry.level !== undefined
}

/** The word that was most probably meant, unless the slip is a word itself. */
function nearestTarget(word: string, around: Surroundings): string | undefined {
  const targets = targetsOf(word[0]!)
  const limit = word.length >= 8 ? 2 : 1
  const letters = letterSet(word)
  let best: string | undefined
  let bestFits = false
  let least = Number.POSITIVE_INFINITY
  for (let length = word.length - limit; length <= word.length + limit; length++) {
    for (const target of targets.get(length) ?? []) {
      if (bitCount(letters ^ target.letters) > 2 * limit + 1) continue
      let cost = meantCost(word, target.word)
      if (cost === Infinity) continue
      const expected = isExpected(target.word, around)
      const fits = expected || fitsBeside(target.word, around)
      if (!fits && (word.length < 5 || length < 5) && !(word.length > 3 && CUES.has(target.word))) continue
      cost -= (fits ? FITTING : 0) + (expected ? FITTING : 0) + (CUES.has(target.word) ? CUE : 0)
      cost -= COMMON * Math.min(1, Math.log2(target.count) / 6)
      if (cost >= least) continue
      best = target.word
      least = cost
      bestFits = fits
    }
  }
  if (best === undefined) return undefined
  const [names, everyday, rare] = wordTexts().spelt as [string, string, string]
  if (containsWord(names, word)) return undefined
  // Only a longer word gives way to what its neighbors ask for: "Poland, Hungry and Czechia".
  const yields = word.length > 5
  if (containsWord(everyday, word)) return yields && around.listed ? best : undefined
  return containsWord(rare, word) && !(yields && bestFits) ? undefined : best
}
/** The evidence for a word: that it fits the words next to it, that it reverse a wish, that people write it often. */
const FITTING = 0.3
const CUE = 0.1
const COMMON = 0.3

/** How probable it is that a person who typed one word meant another: by the kind of the slip, and by the words around it. */

/** The words around a word that show what it should be. */
interface Surroundings {
  before: string
  next: string
  expects: 'size' | 'place' | undefined
  /** It is in a list of places: "Poland, Hungry and Czechia". */
  listed: boolean
}

function surroundingsOf(tokens: readonly Token[], at: number): Surroundings {
  const word = (place: number) => (tokens[place]?.kind === 'word' ? tokens[place].word : '')
  const isNumber = (place: number) => tokens[place]?.kind === 'number' || NUMBER_WORDS.has(tokens[place]?.word ?? '')
  const isSize =
    isNumber(at + 1) || isNumber(at - 1) || (isNumber(at + 2) && SIZE_WORDS.has(word(at + 1))) || (isNumber(at - 2) && word(at - 1) !== '')
  const inList = isListedPlace(tokens, at)
  const isPlace = inList || IN.has(tokens[at - 1]?.text.toLowerCase() ?? '')
  const expects = isSize ? 'size' : isPlace ? 'place' : undefined
  return { before: word(at - 1), next: word(at + 1), expects, listed: inList && tokens[at]!.capital }
}

/** "Spain, Itly and Malta": where a place is expected, a misspelled word is one. */
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

const isExpected = (target: string, { expects }: Surroundings): boolean =>
  expects === 'size' ? SIZE_WORDS.has(target) : expects === 'place' && isTypedPlace(target)

/** "tehc companies", "heda of sales": the word and its neighbor are a phrase, or a role and what it is for. */
function fitsBeside(target: string, { before, next }: Surroundings): boolean {
  const entry = entryOfWord(target)
  if (entry?.function && ROLE_NOUNS.has(next)) return true
  if (entry?.industry && COMPANY_NOUNS.has(next)) return true
  return longestEntry([target, next], 0, 2)?.length === 2 || longestEntry([before, target], 0, 2)?.length === 2
}
