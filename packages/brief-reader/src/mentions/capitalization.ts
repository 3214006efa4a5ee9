import { gazetteer } from '../../../lead-terms/src/index.ts'
import type { Source, Token } from '../model.ts'
import { isKnownWord } from '../text/spelling.ts'
import { compoundIndustry } from '../vocabulary/compounds.ts'
import { entryOf, longestEntry } from '../vocabulary/lexicon.ts'
import { inPlaceName, isKnownPlace, isPlaceWord } from '../vocabulary/place-words.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import {
  AMBIGUOUS,
  COMPANY_NOUNS,
  CONJUNCTIONS,
  IDLE_ADJECTIVES,
  IS,
  PEOPLE_NOUNS,
  ROLE_NOUNS,
  STOP_WORDS,
} from '../vocabulary/word-lists.ts'
import { COMPANIES, CONNECTORS, negatorAt } from './name-contexts.ts'

/** How a text writes its nouns: where all of them have capitals, a capital makes no name. */
interface Spelling {
  isGerman: boolean
  isTitleCase: boolean
  /** Nothing but abbreviations and the first words of sentences has a capital. */
  isLowerCase: boolean
}

const GERMAN = new Set('und oder der das bei ohne nicht ausser mit im fur von keine mitarbeiter'.split(' '))

function spellingOf({ words, tokens }: Source): Spelling {
  const long = tokens.filter(token => token.kind === 'word' && token.word.length > 3)
  return {
    isGerman: words.some(word => GERMAN.has(word)),
    // "CFOs at clubs in Spain, not Real Madrid": where a noun is written in lower case, the capitals are names.
    isTitleCase: long.length > 5 && long.filter(token => token.capital).length > long.length * 0.7 && !long.some(isSmallNoun),
    isLowerCase: !tokens.some(
      (token, at) =>
        token.kind === 'word' &&
        token.capital &&
        !token.allCaps &&
        !/^[A-ZÄÖÜÉ]{2,5}s?$/.test(token.text) &&
        !opensSentence(tokens[at - 1]),
    ),
  }
}

const isSmallNoun = ({ capital, word }: Token): boolean => !capital && (ROLE_NOUNS.has(word) || COMPANY_NOUNS.has(word))

const isEveryday = (word: string): boolean => STOP_WORDS.has(word) && word.length > 3 && !isPlaceWord(word) && !COMPANY_NOUNS.has(word)

const opensSentence = (before: Token | undefined): boolean => before === undefined || ['.', '!', '?', '\n', ':'].includes(before.word)

const LEGAL_FORMS = new Set('inc ltd llc corp plc gmbh ag kg bv sarl sas ltda'.split(' '))
const NAME_ENDINGS = wordSet('things-grammar.txt', 'name endings')
const INSTITUTIONS = wordSet('things-grammar.txt', 'institutions')
const SURNAMES = wordSet('things-grammar.txt', 'surnames')
const ABBREVIATIONS = new Set(['dr', 'st', 'mr', 'mrs', 'prof'])
/** "Van der Valk", "Von der Heydt" */
const NOBLE = new Set(['van', 'von'])
export const LONGEST_NAME = 5

/** The signs in the spelling of a word that it is a name. */
export class Capitalization {
  readonly spelling: Spelling
  readonly #source: Source

  constructor(source: Source) {
    this.#source = source
    this.spelling = spellingOf(source)
  }

  capital(at: number): boolean {
    const { items, tokens } = this.#source
    return items[at]?.kind === 'word' && tokens[items[at]!.first]!.capital
  }

  /** "Maersk, Norwegian, SAS", "Walmart and Target": alone in a list of names, an everyday word or a nationality is a name. */
  isBareAdjective(at: number): boolean {
    const { words, items } = this.#source
    const word = words[at]!
    const next = words[at + 1] ?? ''
    // "not Gap or Next people"
    const goesOn = items[at + 1]?.kind === 'word' && !CONJUNCTIONS.has(next) && !IS.has(next) && !PEOPLE_NOUNS.has(next)
    if (!this.capital(at) || goesOn || this.spelling.isTitleCase) return false
    const { countryByDemonym, countryByName } = gazetteer()
    return (countryByDemonym.has(word) && !countryByName.has(word)) || isEveryday(word)
  }

  /** "not Target": where nouns are written in lower case, a capital makes a name of an everyday word that ends its clause. */
  isBareWord(at: number): boolean {
    const { words, items, tokens } = this.#source
    const isWritten = this.capital(at) && !tokens[items[at]!.first]!.allCaps && !this.spelling.isGerman && !this.spelling.isTitleCase
    const ends = items[at + 1]?.kind !== 'word' || (CONJUNCTIONS.has(words[at + 1]!) && this.capital(at + 2))
    return isWritten && ends && words[at + 1] !== ':' && isEveryday(words[at]!)
  }

  /** "Werner and Schneider": among names, a trade by which families are called is one of them. */
  isSurname(at: number): boolean {
    const { words, items } = this.#source
    const next = words[at + 1] ?? ''
    const goesOn = items[at + 1]?.kind === 'word' && (isKnownWord(next) || this.capital(at + 1)) && !STOP_WORDS.has(next)
    return SURNAMES.has(words[at]!) && this.capital(at) && !goesOn && !this.spelling.isGerman && !this.spelling.isTitleCase
  }

  /** "revolut + monzo are out": where nothing has a capital, a strange word that fills its place is a name. */
  isPlainName(at: number, shortest = 4): boolean {
    const { words, items } = this.#source
    const word = words[at]!
    if (!this.spelling.isLowerCase || items[at]?.kind !== 'word' || word.length < shortest || /[^s]s$|^\d/.test(word)) return false
    if (COMPANIES.has(word) && !AMBIGUOUS.has(word) && !entryOf(word)) return true
    if (isKnownWord(word) || STOP_WORDS.has(word) || isPlaceWord(word) || entryOf(word)) return false
    const edge = (next: number) => items[next]?.kind !== 'word' || CONJUNCTIONS.has(words[next]!) || isKnownWord(words[next]!)
    // "no predatory outfits", "immigration lawyers" say of what kind they are.
    const next = words[at + 1] ?? ''
    return edge(at + 1) && edge(at - 1) && !COMPANY_NOUNS.has(next) && !ROLE_NOUNS.has(next)
  }

  /** "acme corp", "delta foods ltd": how many words a name has that the form of its company ends, in lower case as well. */
  formedLength(at: number): number {
    const { words, items } = this.#source
    // "no public corp" says of what kind it is.
    const entry = entryOf(words[at]!)
    if (entry?.stage || entry?.size || IDLE_ADJECTIVES.has(words[at]!)) return 0
    for (let form = at; form <= at + 2 && items[form]?.kind === 'word'; form++) {
      if (form > at && LEGAL_FORMS.has(words[form]!)) return form + 1 - at
      if (STOP_WORDS.has(words[form]!) || CONJUNCTIONS.has(words[form]!) || COMPANY_NOUNS.has(words[form]!)) return 0
    }
    return 0
  }

  /** "at Never Summer Industries", "from Nothing": where an employer is named, a word that would refuse begins his name by its capital. */
  cueLength(at: number, end: number, taken: Uint8Array): number {
    const { words, items, tokens } = this.#source
    if (!this.capital(at) || tokens[items[at]!.first]!.allCaps || this.spelling.isTitleCase) return 0
    const length = negatorAt(words, at) && !longestEntry(words, at, end) ? this.runLength(at, end, taken) : 0
    return length === 1 &&
      (words[at]!.length < 4 || (items[at + 1]?.kind === 'word' && !STOP_WORDS.has(words[at + 1]!) && !CONJUNCTIONS.has(words[at + 1]!)))
      ? 0
      : length
  }

  isHyphened(at: number): boolean {
    const { tokens, items } = this.#source
    return tokens[items[at]!.first]!.glue === '-' && this.capital(at)
  }

  /** "no Boston Agencies": a plural is a noun; "not Chicago Bulls" refuses one, where nothing knows the word and no capital follows it. */
  isPlural(at: number, length: number, isWhole: boolean): boolean {
    const last = this.#source.words[at + length - 1]!
    const isNoun = !NAME_ENDINGS.has(last) && (COMPANY_NOUNS.has(last) || entryOf(last) !== undefined)
    return /[^s]s$/.test(last) && (isNoun || !isWhole)
  }

  /** "not University of Toronto", "no Bank of Hawaii": with a capital and a place, one of a kind is a name. */
  isInstitution(at: number): boolean {
    return this.capital(at) && INSTITUTIONS.has(this.#source.words[at]!)
  }

  mayBeName(at: number): boolean {
    return this.capital(at) || this.isPlainName(at)
  }

  /** Written like a name, and nothing that the vocabulary knows. */
  isStrange(at: number): boolean {
    if (this.isPlainName(at)) return true
    const word = this.#source.words[at]!
    return this.capital(at) && !isKnownWord(word) && !STOP_WORDS.has(word) && !isPlaceWord(word) && !this.isGermanNoun(at)
  }

  /** Strange names that a clause opens with, and nothing but small words between them and its end. */
  subjectBefore(start: number, end: number): { from: number; to: number } | undefined {
    const { words, items } = this.#source
    let at = end
    while (at > start && end - at < 4 && items[at - 1]!.kind === 'word' && !this.isStrange(at - 1) && STOP_WORDS.has(words[at - 1]!)) at--
    const to = at
    let from = at
    // "CD Projekt: no": capitals that fill the sentence before its answer.
    if (to - start > 1 && words[end] === ':' && this.runLength(start, to, new Uint8Array(0)) === to - start && !this.spelling.isGerman)
      return { from: start, to }
    const known = COMPANIES.longestBefore(words, at)
    if (known && known.length > 1 && this.spelling.isLowerCase) return { from: at - known.length, to }
    for (; at > start; at--) {
      if (this.isStrange(at - 1)) from = at - 1
      else if (from === to || !(CONJUNCTIONS.has(words[at - 1]!) || [',', '+', '/', '&'].includes(words[at - 1]!))) break
    }
    const opens = from === start || items[from - 1]!.kind === 'mark' || CONJUNCTIONS.has(words[from - 1]!)
    return from < to && opens ? { from, to } : undefined
  }

  /** German writes every noun with a capital: a plural that nothing explains is a noun before it is a name. */
  isGermanNoun(at: number): boolean {
    const { words, items, tokens } = this.#source
    const { allCaps } = tokens[items[at]!.first]!
    // "bei Ferienhotels"
    const isPlural =
      /(?:en|er|ern|eln|innen|e|n)$/.test(words[at]!) || (/s$/.test(words[at]!) && compoundIndustry(words[at]!) !== undefined)
    return !allCaps && this.spelling.isGerman && isPlural
  }

  isBareCapital(at: number): boolean {
    const { words, items, tokens } = this.#source
    const word = words[at]!
    if (inPlaceName(items, at)) return false
    // "leave out Arm", but "not the Big Four"
    const shortest = tokens[items[at]!.first]!.allCaps || items[at + 1]?.kind === 'quantity' ? 4 : 3
    return (
      word.length >= shortest && !STOP_WORDS.has(word) && !COMPANY_NOUNS.has(word) && !this.spelling.isGerman && !this.spelling.isTitleCase
    )
  }

  /** Capitalized words in a row, with what is tied to them: "Kuehne+Nagel", "L'Oréal", "Marks & Spencer". */
  runLength(at: number, end: number, taken: Uint8Array): number {
    const { items, tokens, words } = this.#source
    let next = at
    while (next < end && next < at + LONGEST_NAME && !taken[next]) {
      // "Dr. Oetker", "St. Modwen"
      if (words[next] === '.' && next > at && ABBREVIATIONS.has(words[next - 1]!) && this.capital(next + 1)) next++
      if (items[next]?.kind !== 'word') break
      const token = tokens[items[next]!.first]!
      const joins =
        token.text === '&' && next > at && this.capital(next + 1) && !(isKnownPlace(words[next - 1]!) && isKnownPlace(words[next + 1]!))
      // "UBS & Credit Suisse" are two.
      const ampersand = joins && COMPANIES.longest(words, at)?.length !== next - at
      // "Compagnie des Alpes", "House of Fraser"
      const connects =
        next > at &&
        CONNECTORS.has(words[next]!) &&
        !(words[next] === 'der' && !NOBLE.has(words[at]!) && this.isGermanNoun(at)) &&
        this.capital(next + 1) &&
        (this.isInstitution(at) || (!isKnownPlace(words[next + 1]!) && !entryOf(words[next + 1]!)))
      if (!(token.capital || ampersand || connects || (next > at && token.glue !== '' && token.glue !== '-'))) break
      // "NOT (Vitol OR Gunvor)": the capitals of a query join names, they are no part of one.
      if (!ampersand && (CONJUNCTIONS.has(words[next]!) || (token.text === 'NOT' && next > at))) break
      if (next > at && token.capital && STOP_WORDS.has(words[next]!) && !COMPANY_NOUNS.has(words[next]!) && this.spelling.isTitleCase) break
      next++
    }
    return next - at
  }
}
