import { readPlaceName } from '../../../lead-terms/src/index.ts'
import type { Item, NameSpan, Segments, Source } from '../model.ts'
import { isKnownWord } from '../text/spelling.ts'
import { entryOf, entryOfWords, longestEntry } from '../vocabulary/lexicon.ts'
import { BIG_CITY, inPlaceName, isKnownPlace, isPlaceWord, KNOWN_TOWN } from '../vocabulary/place-words.ts'
import { phraseSet, readAllWords, wordSet } from '../vocabulary/word-files.ts'
import {
  AMBIGUOUS,
  COMMON_WORDS,
  COMPANY_NOUNS,
  CONJUNCTIONS,
  EMPLOYER_PHRASES,
  PEOPLE_NOUNS,
  PLACE_KINDS,
  ROLE_NOUNS,
  STOP_WORDS,
  USERS,
} from '../vocabulary/word-lists.ts'
import { Capitalization, LONGEST_NAME } from './capitalization.ts'
import { COMPANIES, negatorAt, OPENS_CLAUSE, type Opener, PRONOUNS } from './name-contexts.ts'
import { isPlaceCode } from './place-codes.ts'

const FIRST_NAMES = readAllWords('first-names.txt')
const BEFORE_NAMES = wordSet('things-grammar.txt', 'before names')
const ITSELF = phraseSet('things-grammar.txt', 'itself')
const MOST_SMALL = 6
const ARTICLES = new Set('la le les el los las der die das the'.split(' '))
const isWord = ({ items }: Source, at: number): boolean => items[at]?.kind === 'word'

/** Reads names and lists of names from where the text expects them. */
export class NameFinder {
  readonly spans: NameSpan[] = []
  #source: Source
  #segments: Segments
  #taken: Uint8Array
  #towns: Towns
  #written: Capitalization
  /** Elements of refused lists that were found to be no names: a text of nothing but refusals is walked once. */
  #passed: Uint8Array

  constructor(source: Source, segments: Segments, consumed: Uint8Array) {
    this.#source = source
    this.#segments = segments
    this.#taken = Uint8Array.from(consumed)
    this.#passed = new Uint8Array(source.items.length)
    this.#towns = new Towns(source.words)
    this.#written = new Capitalization(source)
  }

  /** Over articles, nouns for companies and the full stop of "excl.", as far as the first name. */
  skipBefore(from: number): number {
    const { words, items } = this.#source
    let at = from
    while (at < from + 6 && at < words.length) {
      const mark =
        items[at]!.kind === 'mark' && (words[at] === '(' || words[at] === ':' || (words[at] === '.' && /^ex[ck]l$/.test(words[at - 1]!)))
      if (!mark && !(isWord(this.#source, at) && !this.#written.capital(at) && BEFORE_NAMES.has(words[at]!))) break
      at++
    }
    return at
  }

  /** Names from the beginning of a clause to the verb that refuses them. */
  readBefore(start: number, end: number, opener: Opener = 'label'): void {
    const { words, items } = this.#source
    const from = this.#listStart(start, end)
    for (let at = from; at < end; at++) {
      const opens =
        at === from ||
        items[at - 1]!.kind === 'mark' ||
        CONJUNCTIONS.has(words[at - 1]!) ||
        !this.#written.capital(at - 1) ||
        OPENS_CLAUSE.has(words[at - 1]!)
      if (opens && this.#written.mayBeName(at)) at = Math.max(at, this.readList(at, opener, end) - 1)
    }
  }

  /** "Vantero und Lumico bitte nicht": strange names that a clause opens with. */
  readSubject(start: number, end: number): void {
    const subject = this.#written.subjectBefore(start, end)
    if (subject) this.readDoubted(subject.from, subject.to)
  }

  /** Names only if something else in the text refuses them. */
  readDoubted(from: number, to?: number): void {
    const known = this.spans.length
    this.readList(from, 'label', to)
    for (const span of this.spans.slice(known)) span.uncertain = true
  }

  /** The start of the list that ends at a verb: names and what joins them, with a few small words before the verb. */
  #listStart(start: number, end: number): number {
    const { words, items } = this.#source
    let from = end
    for (let at = end - 1, small = 0; at >= start; at--) {
      const isName = this.#written.mayBeName(at)
      if (isName || CONJUNCTIONS.has(words[at]!) || items[at]!.kind === 'mark') {
        if (isName) from = at
        if (items[at]!.kind === 'mark' && ![',', '/', '(', ')', '+', '&', '.'].includes(words[at]!)) break
        continue
      }
      // Within the list only small words may stand: "Bosch and the Würth group are out".
      if (++small > MOST_SMALL || (from < end && !STOP_WORDS.has(words[at]!) && !COMPANY_NOUNS.has(words[at]!))) break
    }
    return from
  }

  /** A list of names, joined by commas, "and" and the like. Gives the position after it. */
  readList(from: number, opener: Opener, end = this.#source.words.length): number {
    const { words, items } = this.#source
    let at = from
    let expected = opener
    for (let found = 0; at < end; found++) {
      if (items[at]!.kind !== 'domain') {
        const mayBeCue = opener === 'employer' && (found === 0 || CONJUNCTIONS.has(words[at - 1]!))
        const written = opener === 'example' ? this.#exampleLength(at, end) : mayBeCue ? this.#written.cueLength(at, end, this.#taken) : 0
        const length =
          written ||
          ((mayBeCue || opener === 'refusal') && found === 0 && this.#listedLength(at)) ||
          this.#nameLength(at, end, found > 0 ? 'list' : opener === 'example' ? 'refusal' : expected)
        // "leave out schools, councils and the NHS": names may come later in what is refused.
        const later = length === 0 && found === 0 && opener === 'refusal' ? this.#laterElement(at, end) : undefined
        if (later !== undefined) {
          if (this.#passed[later] && end === words.length) return at
          this.#passed[later] = end === words.length ? 1 : 0
          at = later
          expected = 'label'
          found--
          continue
        }
        if (length === 0) return at
        this.spans.push({ first: at, last: at + length - 1 })
        this.#taken.fill(1, at, at + length)
        at += length
      } else at++
      let next = at
      while (next < end && next < at + 2 && (CONJUNCTIONS.has(words[next]!) || [',', '/', '+', ';'].includes(words[next]!))) next++
      // "ex ups dhl fedex": names that everyone knows need nothing between them.
      if (next === at && !COMPANIES.longest(words, at, end)) return at
      while (
        next < end &&
        ['the', 'not', 'no', 'nor'].includes(words[next]!) &&
        !(opener === 'employer' && this.#written.cueLength(next, end, this.#taken))
      )
        next++
      at = next
    }
    return at
  }

  /** The next element of a list, if this one is a word of the vocabulary and the next is written like a name. */
  #laterElement(at: number, end: number): number | undefined {
    const { words } = this.#source
    // "exclude Stripe, Mistral": a product stands for its maker.
    const isNoun = !this.#written.capital(at) || isPlaceWord(words[at]!) || entryOf(words[at]!)?.technology !== undefined
    if (!isWord(this.#source, at) || !isNoun) return undefined
    let next = at
    while (next < end && next < at + 4 && isWord(this.#source, next) && !CONJUNCTIONS.has(words[next]!)) next++
    const from = next
    while (next < end && next < from + 3 && (words[next] === ',' || words[next] === 'the' || CONJUNCTIONS.has(words[next]!))) next++
    return next === from || next >= end ? undefined : next
  }

  isKnownCompany(at: number): boolean {
    if (this.#taken[at] || !this.#written.capital(at)) return false
    const found = COMPANIES.longest(this.#source.words, at)
    const phrase = this.#phrase(at, found?.length ?? 0)
    if (!found || (isPlaceHere(this.#source.items, at, phrase) && !this.#written.capital(at + found.length))) return false
    if ((longestEntry(this.#source.words, at, at + LONGEST_NAME)?.length ?? 0) > found.length) return false
    // "Amazon aggregators" are not Amazon.
    const next = this.#source.words[at + found.length] ?? ''
    const modifies = isWord(this.#source, at + found.length) && !this.#written.capital(at + found.length) && /[^su]s$/.test(next)
    if (modifies && !ROLE_NOUNS.has(next) && !PEOPLE_NOUNS.has(next) && !STOP_WORDS.has(next) && !entryOf(next)) return false
    return !AMBIGUOUS.has(phrase) && !entryOf(phrase) && !USERS.has(this.#source.words[at + found.length] ?? '')
  }

  #phrase = (at: number, length: number): string => this.#source.words.slice(at, at + length).join(' ')

  /** How many items the name at a position has; 0 if there is none. */
  #nameLength(at: number, end: number, opener: Opener): number {
    if (!isWord(this.#source, at) || this.#taken[at] || this.#segments.of[at] !== 'wish') return 0
    const { words } = this.#source
    const company = COMPANIES.longest(words, at, end)
    const length = this.#written.runLength(at, end, this.#taken)
    // "CFOs at Amazon sellers", "Tesla and Rivian, EV charging": the vocabulary knows the longer phrase.
    const { entry, length: known = 0 } = longestEntry(words, at, end) ?? {}
    if (known > Math.max(length, company?.length ?? 0) && (entry!.industry || (opener === 'list' && words[at - 1] === ','))) return 0
    const said = company && this.#phrase(at, company.length)
    // "no metro areas": before another noun an everyday word is no name.
    const next = words[at + (company?.length ?? 0)] ?? ''
    const describes = said && !this.#written.capital(at) && (PLACE_KINDS.has(next) || (AMBIGUOUS.has(said) && entryOf(next) !== undefined))
    if (said && company.length >= length && !describes && !entryOf(said)?.technology) return company.length
    // "anyone at acme", "working for globex": where a person is said to work, a strange word needs no capital.
    const mayBePlain = opener !== 'employer' || EMPLOYER_PHRASES.has(`${words[at - 2]} ${words[at - 1]}`)
    const formed = length === 0 ? this.#written.formedLength(at) : 0
    if (formed > 0) return formed
    if (length === 0 && mayBePlain && this.#written.isPlainName(at, opener === 'list' ? 3 : 4)) return 1
    // "La Bretagne est exclue": an article before a place.
    if (ARTICLES.has(words[at]!) && isKnownPlace(words[at + 1] ?? '')) return 0
    for (let size = length; size > 0; size--) {
      // "Tempo-Team": a name is not cut at its hyphen.
      if (size < length && this.#written.isHyphened(at + size)) continue
      if (this.#isName(at, size, opener)) return size
      // "no Hong Kong": the first word of a place is no name.
      if (size > 1 && (isKnownPlace(this.#phrase(at, size)) || entryOf(this.#phrase(at, size))?.technology)) return 0
    }
    return company && this.#written.capital(at) && !entryOf(this.#phrase(at, company.length)) ? company.length : 0
  }

  /** "no agencies like Hays Recruitment": words with capitals in a row are one name, unless they are a trade, a title or a place. */
  #exampleLength(at: number, end: number): number {
    const length =
      isWord(this.#source, at) && !this.#taken[at] && this.#segments.of[at] === 'wish' ? this.#written.runLength(at, end, this.#taken) : 0
    if (length < 2 || this.#written.spelling.isTitleCase) return 0
    const { words } = this.#source
    const [phrase, last] = [this.#phrase(at, length), words[at + length - 1]!]
    if (entryOf(words[at]!) || entryOfWords(words, at, length) || isKnownPlace(phrase)) return 0
    return ROLE_NOUNS.has(last) || PEOPLE_NOUNS.has(last) ? 0 : length
  }

  /**
   * "at Next, John Lewis": before another company that everyone knows, a capital makes a name of any word; "not Casper or Purple": before
   * something else that is written as a name, of a town that few know.
   */
  #listedLength(at: number): number {
    const { words } = this.#source
    const next = words[at + 1] === ',' || CONJUNCTIONS.has(words[at + 1] ?? '') ? at + 2 : at
    if (next === at || !this.#written.capital(at) || entryOf(words[at]!) || isPlaceCode(words[at]!)) return 0
    if (this.isKnownCompany(next)) return isKnownPlace(words[at]!) ? 0 : 1
    const isBare = this.#written.isBareWord(next) || (this.#written.capital(next) && this.#written.isBareCapital(next))
    if (!isBare || isPlaceWord(words[next]!) || entryOf(words[next]!)) return 0
    return isPlaceWord(words[at]!) && !isKnownPlace(words[at]!, true) && !isWord(this.#source, next + 1) ? 1 : 0
  }

  #isName(at: number, length: number, opener: Opener): boolean {
    const { words } = this.#source
    const phrase = this.#phrase(at, length)
    const last = words[at + length - 1]!
    // "We've already spoken to Acme": who speaks is no company.
    if (PRONOUNS.has(words[at]!) || (length > 1 && (OPENS_CLAUSE.has(words[at]!) || negatorAt(words, at)))) return false
    const entry = entryOf(phrase) ?? entryOfWords(words, at, length)
    // "on Salesforce, just not Salesforce the company"
    if (entry?.technology && opener === 'refusal' && ITSELF.longest(words, at + length)) return true
    // "at Shopify agencies", "at companies on Salesforce": that says what they use.
    const next = words[at + length] ?? ''
    if (entry?.technology && !this.#written.capital(at + length) && (COMPANY_NOUNS.has(next) || entryOf(next)?.industry)) return false
    if (entry?.technology && (USERS.has(next) || (/^(?:on|with|mit|con)$/.test(words[at - 1]!) && COMPANY_NOUNS.has(words[at - 2] ?? ''))))
      return false
    if (opener === 'list' && length === 1 && (this.#written.isBareAdjective(at) || this.#written.isSurname(at))) return true
    if (opener === 'refusal' && this.#written.isInstitution(at) && length > 1 && isKnownPlace(last)) return true
    if (opener === 'refusal' && length === 1 && this.#written.isBareWord(at)) return true
    if (entry) return (opener === 'employer' || opener === 'list') && entry.technology !== undefined && entry.industry === undefined
    // "at MGAs in London", "no KYC engineers": the plural of an abbreviation is a noun, and so is one before a role.
    const token = this.#source.tokens[this.#source.items[at]!.first]!
    if (length === 1 && /^\p{Lu}{2,5}s+$/u.test(ROLE_NOUNS.has(words[at + 1] ?? '') ? `${token.text}s` : token.text)) return false
    // "keine Series-B-Firmen": what begins with a word of the vocabulary for money or size is no name.
    const begins = longestEntry(words, at, at + length)?.entry
    if (begins?.stage || begins?.size || (length > 1 && entryOf(last)?.size)) return false
    const joined = CONJUNCTIONS.has(words[at - 1] ?? '') || words[at - 1] === '/'
    if (opener === 'list' && length === 1 && joined && this.#towns.isElsewhere(phrase)) return true
    const among = opener === 'list' || opener === 'employer'
    const inPlace = inPlaceName(this.#source.items, at) && !this.#written.capital(at + length)
    const isPlace = length === 1 ? inPlace || this.#towns.isTown(phrase, among) : isKnownPlace(phrase, among)
    const isPeople =
      ROLE_NOUNS.has(last) || (PEOPLE_NOUNS.has(last) && !(this.#written.isHyphened(at + length - 1) && !entryOf(words[at]!)))
    if (isPlace || isPlaceCode(phrase) || isPeople) return false
    const strange = words
      .slice(at, at + length)
      .filter(
        word => (!isKnownWord(word) && !STOP_WORDS.has(word) && !isKnownPlace(word)) || (opener === 'employer' && FIRST_NAMES.has(word)),
      )
    if (length === 1 && opener === 'list' && !STOP_WORDS.has(phrase) && !isKnownPlace(phrase, true)) return true
    // "and the NHS": capitals throughout, and nothing that the vocabulary knows.
    const initials = words[at - 1] === 'the' && token.allCaps
    // "but not Kraft", "no Seat": where nouns are written in lower case, a capital after a refusal makes a name of any word.
    const capitalised =
      opener === 'refusal' && length === this.#written.runLength(at, words.length, this.#taken) && this.#written.isBareCapital(at)
    const germanNoun = opener !== 'list' && this.#written.isGermanNoun(at) && (opener !== 'label' || phrase.length > 8)
    if (length === 1) return (strange.length > 0 || initials || capitalised) && !germanNoun
    if (strange.length > 0) return !isKnownPlace(words[at]!) || !/s$/.test(last) || !COMPANY_NOUNS.has(last)
    // "leave out Treasury Wine Estates": after a refusal, words that are written as one name and end with no noun of the vocabulary.
    const isWhole = opener === 'refusal' && length > 2 && length === this.#written.runLength(at, words.length, this.#taken)
    if (isWhole && !entryOf(last) && !COMPANY_NOUNS.has(last) && !this.#written.spelling.isTitleCase && !this.#written.isGermanNoun(at))
      return true
    // "skip Northwestern Medicine", "Nubank, Mercado Pago"
    if (
      opener !== 'employer' &&
      (opener === 'refusal' || !isKnownPlace(words[at]!)) &&
      !entryOf(words[at]!) &&
      !this.#written.isPlural(at, length, length === this.#written.runLength(at, words.length, this.#taken)) &&
      !this.#written.spelling.isTitleCase
    )
      return true
    // "Boston Consulting Group", "Phoenix Contact": a place and words that alone would mean something else.
    return isKnownPlace(words[at]!) && !/[^s]s$/.test(last) && opener !== 'label' && !this.#written.spelling.isTitleCase
  }
}

/** Whether a capitalized word where a name is expected is a place anyway. */

/** "in Salzgitter", "Den Bosch", "La Roche-sur-Yon": after the preposition of a place, and within its name, no company is meant. */
function isPlaceHere(items: readonly Item[], at: number, phrase: string): boolean {
  if (!isPlaceWord(phrase)) return inPlaceName(items, at)
  return IN.has(items[at - 1]?.word ?? '') && (readPlaceName(phrase)[0]?.weight ?? 0) >= 50_000
}
const IN = new Set(['in', 'en', 'im'])

/** The countries of the countries, regions and big cities that a text names. */
function countriesOf(words: readonly string[], but: string): Set<string> {
  const found = new Set<string>()
  for (let at = 0; at < words.length && at < MOST_WORDS; at++) {
    for (const name of [words[at]!, `${words[at]} ${words[at + 1] ?? ''}`]) {
      if (name === but || name.length < 4 || COMMON_WORDS.has(name) || !isPlaceWord(name)) continue
      const reading = readPlaceName(name)[0]
      if (reading && 'country' in reading.place && reading.weight >= BIG_CITY) found.add(reading.place.country)
    }
  }
  return found
}
const MOST_WORDS = 400

class Towns {
  readonly #words: readonly string[]
  #countries: Set<string> | undefined

  constructor(words: readonly string[]) {
    this.#words = words
  }

  /** "Mexico, except Walmart and Liverpool": a city where the brief does not look, joined to names, is one. */
  isElsewhere(word: string): boolean {
    const place = isPlaceWord(word) ? readPlaceName(word)[0]?.place : undefined
    if (!place || !('country' in place) || !place.city) return false
    this.#countries ??= countriesOf(this.#words, word)
    return this.#countries.size > 0 && !this.#countries.has(place.country)
  }

  /** "Graubünden, ausgenommen Davos", "Jalisco, ni Bimbo": a town gives way to a name unless it lies where the brief looks. */
  isTown(word: string, amongNames: boolean): boolean {
    const readings = readPlaceName(word)
    const weight = readings[0]?.weight ?? 0
    // "Skanska and Turner": a small town among names is one of them.
    if (amongNames && weight < KNOWN_TOWN) return false
    if (!isPlaceWord(word) || weight >= BIG_CITY || weight < 1000 || COMMON_WORDS.has(word)) return isKnownPlace(word, amongNames)
    this.#countries ??= countriesOf(this.#words, word)
    if (this.#countries.size === 0) return isKnownPlace(word, amongNames)
    return readings.some(({ place }) => 'country' in place && this.#countries!.has(place.country))
  }
}
