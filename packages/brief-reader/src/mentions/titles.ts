import type { Chunk, Mention } from '../model.ts'
import { entryOf, entryOfWord } from '../vocabulary/lexicon.ts'
import { Phrases, readAllWords, wordMap, wordSet } from '../vocabulary/word-files.ts'

/** The words before and after the noun of a title, and their English forms. */

export const NOUN_MODIFIERS = readAllWords('noun-modifiers.txt')
export const RANKS = wordSet('titles-grammar.txt', 'ranks')
/** Nouns of rank and of ownership: an industry in front of them is the company's, not a part of the title. */
const RANK_NOUNS = wordSet('titles-grammar.txt', 'rank nouns')
export const ESTABLISHMENTS = wordSet('titles-grammar.txt', 'establishments')
/** Industries that say what a person does, in front of any title: "payments product managers". */
export const LINES_OF_WORK = wordSet('titles-grammar.txt', 'lines of work')
const TOOL_ROLES = wordSet('titles-grammar.txt', 'tool roles')
const FOREIGN_FUNCTIONS = wordSet('titles-grammar.txt', 'foreign functions')
/** "glass producers" are companies, "music producers" are people. */
const MEDIA = wordSet('titles-grammar.txt', 'media')
const SHORT_FORMS = wordMap('titles-grammar.txt', 'short forms', value => value)
/** "mindestens Direktor", "minimum VP": what is said of the ranks that are meant. */
export const BEFORE_RANGES = new Phrases(wordMap('titles-grammar.txt', 'before a range of ranks', value => value))
const RANGE_WORDS = new Set([...BEFORE_RANGES.words(), ...wordSet('titles-grammar.txt', 'beside a range of ranks')])
/** "acheteurs seniors", "directeurs généraux adjoints": French and Spanish put the rank after. */
export const RANKS_BEHIND = wordMap('titles-grammar.txt', 'ranks behind', value => value)
const BEFORE_SHARED = wordSet('titles-grammar.txt', 'before shared functions')

const SEPARATORS: ReadonlySet<string> = new Set(['comma', 'conjunction', 'list'])
export const isSeparator = (chunk: Chunk | undefined): boolean => chunk !== undefined && SEPARATORS.has(chunk.kind)

/**
 * No one lists more functions or ranks in one breath than this, nor puts more separators between two of them. Without an
 * end, a text of nothing but list would be read from every one of its words to its end.
 */
export const LONGEST_LIST = 12
const MOST_SEPARATORS = 3

/** The first chunk after the separators at `at`; `at` itself where there are none, or more than anyone writes. */
export function afterSeparators(chunks: readonly Chunk[], at: number): number {
  let step = at
  while (isSeparator(chunks[step])) if (++step - at > MOST_SEPARATORS) return at
  return step
}

/** How a bare level is written with a function. */
export const LEVEL_FORMS: Record<string, string> = { director: '% director', vp: 'vp %', head: 'head of %', manager: '% manager' }

export const isFunction = (chunk: Chunk | undefined): boolean =>
  chunk !== undefined && chunk.kind === 'word' && chunk.entry?.function !== undefined && !chunk.used

export const fill = (form: string, name: string): string => form.replace('%', name)

export const englishWords = (word: string): string =>
  SHORT_FORMS.get(word) ??
  word
    .split(' ')
    .map(part => SHORT_FORMS.get(part) ?? part)
    .join(' ')

/** English titles keep the words they were written with; others are written with the English name of the function. */
export function functionName(chunk: Chunk, english: boolean): string {
  if (!english) return chunk.entry!.function!.title
  if (/^[amr] and \w$/.test(chunk.word)) return chunk.word.replace(' and ', '&')
  const { title, foreign } = chunk.entry!.function!
  return foreign || FOREIGN_FUNCTIONS.has(chunk.word) ? title : englishWords(chunk.word)
}

/**
 * A title of the vocabulary as the document has it. English titles stay as they were written ("factory manager" is not
 * turned into "plant manager"); other languages are translated, and an abbreviation of one word is kept for what it is.
 */
export function namedTitle({ word, role, entry }: Chunk, isModified: boolean): string {
  const title = entry!.title!
  const words = word.split(' ')
  // A "steward" is a flight attendant, a "product steward" is not.
  if (role && words.length < 2 && isModified) return role
  if (!role || entry!.foreignTitle || words.length < 2 || !title.includes(' ') || words.some(each => FOREIGN_FUNCTIONS.has(each)))
    return title
  const shared = title.split(' ').some(each => words.includes(each) || each === role)
  return shared ? [...words.slice(0, -1), role].join(' ') : title
}

export function pushTitle(mentions: Mention[], value: string, first: number, last: number): void {
  const title = value.replace(/\s+/g, ' ').trim()
  if (title !== '') mentions.push({ kind: 'title', value: title.slice(0, 100), first, last })
}

export function markUsed(chunks: readonly Chunk[], first: number, last: number): void {
  for (let at = first; at <= last; at++) chunks[at]!.used = true
}

/** A title that ends the reading of its chunks: the first chunk after it. */
export function takeTitle(chunks: readonly Chunk[], mentions: Mention[], value: string, first: number, last: number): number {
  pushTitle(mentions, value, first, last)
  markUsed(chunks, first, last)
  return last + 1
}

export function ranksBefore(chunks: readonly Chunk[], at: number): { words: string[]; from: number } {
  const words: string[] = []
  let from = at
  while (from > 0 && words.length < 2) {
    const chunk = chunks[from - 1]!
    if (chunk.kind !== 'word' || chunk.used || !RANKS.has(chunk.word)) break
    words.unshift(englishWords(chunk.word))
    from--
  }
  return { words, from }
}

export interface Modifiers {
  words: string[]
  from: number
  /** At least one of them is a function of the vocabulary. */
  functional: boolean
  departments: Chunk[]
}

/** "packaging engineers": in front of a role noun an industry says what the person does. */
function namesTheWork(chunks: readonly Chunk[], at: number, end: number): boolean {
  const chunk = chunks[at]!
  const noun = chunks[end]!
  // "packaging companies engineers": the companies are said.
  if (!noun.role || / (?:companies|firms|businesses)$/.test(chunk.word)) return false
  // "hospital finance directors" are finance directors, at hospitals.
  if (RANK_NOUNS.has(noun.role) && noun.word.includes(' ')) return false
  // "education officers": no one is an officer of nothing.
  if (noun.role === 'officer') return !chunk.entry?.size && !chunk.entry?.stage
  if (RANK_NOUNS.has(noun.role))
    return MANAGING.has(noun.role) && (ESTABLISHMENTS.has(chunk.word) || chunk.refused || isOneOfTheirs(chunks, at, end))
  return noun.role === 'producer' ? MEDIA.has(chunk.word) : !chunk.entry?.size && !chunk.entry?.stage
}

const MANAGING = new Set(['manager', 'director', 'head'])

/**
 * "hospitality manager", "insurance managers at shipping companies", "DTC managers, tasting room managers": one person, other
 * companies, or the same rank said again tell that the word is of the title. "fintech directors" work at fintechs.
 */
function isOneOfTheirs(chunks: readonly Chunk[], at: number, end: number): boolean {
  const { word, role } = chunks[end]!
  if (chunks[at]!.idle || (/[^s]s$/.test(chunks[at]!.word) && !TRADES.test(chunks[at]!.word))) return false
  const other = chunks[at - 2]
  if (word === role || (isSeparator(chunks[at - 1]) && other?.used && (other.role || other.entry?.title))) return true
  const [first, ...following] = chunks.slice(end + 1, end + 6)
  if (isSeparator(first)) return following.find(chunk => chunk.role || !['word', 'conjunction'].includes(chunk.kind))?.role === role
  return namesOthersBehind(chunks, at, end + 1)
}

/** "insurance managers at shipping companies", "Entscheider aus der Logistik bei Möbelhändlern": other companies are named after. */
export function namesOthersBehind(chunks: readonly Chunk[], at: number, next: number): boolean {
  const others = BEFORE_WHERE.has(chunks[next]?.word ?? '') ? chunks.slice(next + 1, next + 3) : []
  return others.some(({ kind, entry }) => kind === 'word' && entry?.industry && entry.industry !== chunks[at]!.entry?.industry)
}
export const BEFORE_WHERE = new Set('in at from near across within around en a au aux dans chez bei aus im nel nella em te bij'.split(' '))

export const BUILDS = /construction|contractors|engineering|builders|real-estate|roofing|hvac/
/** Plurals that name a trade, not its companies. */
export const TRADES =
  /(?:ics|sports|textiles|metals|chemicals|games|services|utilities|goods|foods|media|beverages|sales|events|payments|products)$/

/** "building materials producers", "productores de aceite": what they produce is said, so the noun names companies. */
export function producesGoods(chunks: readonly Chunk[], at: number): boolean {
  const before = chunks[at - 1]
  if (chunks[at]!.role !== 'producer' || before?.kind !== 'word' || MEDIA.has(before.word)) return false
  return before.entry?.industry !== undefined || (before.unknown && chunks[at]!.word === 'producers')
}

const MOST_MODIFIERS = 4
/** Nouns for companies that make titles with any role noun. */
const TITLE_NOUNS = new Set(['facility', 'store', 'shop', 'account', 'group', 'platform', 'network', 'brand', 'supplier', 'vendor', 'crew'])

export function modifiersBefore(chunks: readonly Chunk[], at: number): Modifiers {
  const result: Modifiers = { words: [], from: at, functional: false, departments: [] }
  while (result.from > 0 && result.words.length < MOST_MODIFIERS) {
    const word = modifierWord(chunks, result.from - 1, at, result)
    if (word === undefined) break
    result.words.unshift(word)
    result.from--
  }
  return result
}

/** "cfo controller" are two people: the abbreviation of a chief is a whole title. */
export const isChief = (word: string): boolean => /^c[a-z]{1,3}o$/.test(word)

/** How a chunk in front of a role noun is written in its title; undefined where the title has begun. */
function modifierWord(chunks: readonly Chunk[], at: number, end: number, found: Modifiers): string | undefined {
  const chunk = chunks[at]!
  const noun = chunks[end]!
  const isNext = found.words.length === 0
  if (chunk.kind !== 'word' || chunk.used || (chunk.small && !NOUN_MODIFIERS.has(chunk.word))) return undefined
  const { entry, word } = chunk
  if (chunk.unknown && RANGE_WORDS.has(word)) return undefined
  if (entry?.function) {
    // "SaaS marketing managers": an industry that is a function as well belongs to the title only next to the noun.
    if (entry.industry && found.words.length > 0 && !RANKS.has(word) && !['logistics', 'supply chain'].includes(word)) return undefined
    // "im Auftrag eines Kunden Treasury Manager"
    if (!isNext && FOREIGN_FUNCTIONS.has(word)) return undefined
    found.functional = true
    found.departments.push(chunk)
    return functionName(chunk, true)
  }
  if (RANKS.has(word) || (word === 'head' && !RANK_NOUNS.has(noun.role ?? ''))) return englishWords(word)
  if (LINES_OF_WORK.has(word) && (noun.role || !isNext)) return word
  // "DTC manager", "drone pilots", but "B2B buyers".
  if (entry?.keyword && !entry.narrower) return isNext && !word.startsWith('b') && namesTheWork(chunks, at, end) ? word : undefined
  if (entry?.size || entry?.stage) return undefined
  if (entry?.industry && isNext && namesTheWork(chunks, at, end)) return word
  // "data platform lead", "trade lane manager": what names companies only in the plural, or next to a noun for them.
  const isPlural = entry?.industry && (entry.weakIndustry || (NOUN_MODIFIERS.has(word) && !entryOf(word)?.industry))
  if (isPlural && !word.endsWith('s') && noun.role) return word
  if (entry?.title && !word.endsWith('s') && isNext) return isChief(word) ? undefined : entry.title
  // "outreach officers", "greenhouse coordinators": products with everyday names.
  if (entry?.weakTechnology && !chunk.capital && noun.role && (NOUN_MODIFIERS.has(word) || ESTABLISHMENTS.has(word))) return word
  if (entry?.technology && !entry.industry && TOOL_ROLES.has(noun.role ?? '')) return word
  // "partner managers" are no partners.
  if (entry?.level === 'partner' && isNext && !word.endsWith('s') && noun.role) return word
  if (entry) return undefined
  // "city engineer"; "city IT directors" work for a city.
  if (ESTABLISHMENTS.has(word) && namesTheWork(chunks, at, end)) return englishWords(word)
  if (chunk.companyNoun || chunk.peopleNoun || chunk.idle) {
    // "stage managers" work in theatres; "early stage" is something else.
    const stage = word === 'stage' && !chunks[at - 1]?.idle && !chunks[at - 1]?.entry
    // "foreign rights director": an adjective of what is managed.
    const { entry: managed, companyNoun, unknown } = chunks[at + 1]!
    const described = chunk.idle && !isNext && !managed && !companyNoun && (unknown || NOUN_MODIFIERS.has(chunks[at + 1]!.word))
    const modifies = NOUN_MODIFIERS.has(word) && (described || stage || namesTheWork(chunks, at, end))
    return modifies || TITLE_NOUNS.has(word) ? englishWords(word) : undefined
  }
  // "selbständige Berater", "sucht Einkäufer": an adjective or a verb is no part of a German title; in "Delphi-Entwickler" stands a product.
  if (chunk.unknown && GERMAN_ROLES.test(noun.word) && (/e[nr]?$|cht$/.test(word) || !TAKES_NAMES.test(noun.word))) return undefined
  const isPart = chunk.unknown || chunk.label === 'title' || (NOUN_MODIFIERS.has(word) && found.words.length < 2)
  return isPart ? englishWords(word) : undefined
}

const TAKES_NAMES = /^(?:berater|entwickler|projektleiter)n?$/
const GERMAN_ROLES =
  /^(?:(?:berater|entwickler|projektleiter|projektmanager|techniker|planer|programmierer|einkaufer)n?|ingenieuren?|referent|(?:projektleit)ung|.*(?:referent|assistent|spezialist|analyst|administrator|koordinator)en|.*erin|.*innen)$/

/** "facilities or energy managers": functions before the conjunction share the noun. */
export function sharedBefore(chunks: readonly Chunk[], from: number, noun: number, rest: readonly string[] = [], isTool = false) {
  const names: string[] = []
  let start = from
  while (names.length < LONGEST_LIST) {
    let step = start - 1
    while (step >= 0 && start - step <= 2 && isSeparator(chunks[step])) step--
    if (step === start - 1 || step < 0) break
    const chunk = chunks[step]!
    if (chunk.kind !== 'word' || chunk.used) break
    const { entry } = chunk
    // "Golang or Rust backend engineers": a second technology shares the rest of the title.
    const isSecond = isTool && entry?.technology && !entry.industry && !entry.function
    const isOther = isSecond || (!entry?.function && chunks[start - 1]!.kind !== 'comma' && sharesNoun(chunks, step, noun))
    if (!isOther && (!entry?.function || (entry.industry && !entry.weakIndustry && chunks[start - 1]!.kind === 'comma'))) break
    const words = isOther ? [englishWords(chunk.word), ...rest] : [functionName(chunk, true)]
    let first = step
    while (first > 0 && words.length < 5 && isPartOfFunction(chunks[first - 1]!)) words.unshift(englishWords(chunks[--first]!.word))
    // "work in sales and marketing managers": a preposition before it makes it something else.
    const before = chunks[first - 1]
    if (before?.kind === 'word' && (before.small ? !BEFORE_SHARED.has(before.word) : isOther)) break
    names.unshift(words.join(' '))
    start = first
  }
  return { names, from: start }
}

/** "bar and restaurant managers", "wind and solar engineers", but "banks and software engineers": what makes titles next to functions. */
function sharesNoun(chunks: readonly Chunk[], at: number, noun: number): boolean {
  const { word, entry, unknown, capital, companyNoun } = chunks[at]!
  if (ESTABLISHMENTS.has(word) || LINES_OF_WORK.has(word)) return true
  if (entry) return entry.industry !== undefined && !/[^s]s$/.test(word) && namesTheWork(chunks, at, noun)
  return !companyNoun && !capital && !RANKS.has(word) && (unknown || NOUN_MODIFIERS.has(word))
}

const isPartOfFunction = (chunk: Chunk): boolean =>
  chunk.kind === 'word' && !chunk.used && (RANKS.has(chunk.word) || (chunk.entry?.function !== undefined && !chunk.entry.industry))

/** "hotel managers, no hostels", "warehouse managers": a word of a title that means an industry rather than a department. */
export function namesTrade(word: string, slug: string): boolean {
  const entry = entryOfWord(word)
  if (word === slug.replace(/s$|-management$/, '')) return true
  return entry?.function ? slug === `${word.replace(/e$/, '')}ing` : entry?.industry === slug
}
