import type { Chunk, Mention } from '../model.ts'
import { wordMap, wordSet } from '../words.ts'
import { entryOf, entryOfWords } from './lexicon.ts'
import {
  afterSeparators,
  englishWords,
  fill,
  functionName,
  isFunction,
  isSeparator,
  LEVEL_FORMS,
  LINES_OF_WORK,
  LONGEST_LIST,
  markUsed,
  modifiersBefore,
  NOUN_MODIFIERS,
  pushTitle,
  RANKS,
  ranksBefore,
} from './titles.ts'

/** Titles that begin with their rank: "head of X", "VP X", "directeur X", "Director, X". */

const OF_WORDS = wordSet('titles-grammar.txt', 'of')
/** What is headed or done in other languages, beside the functions: "gestores de contratos". */
const FOREIGN_PARTS = wordMap('titles-grammar.txt', 'foreign parts', value => value)
const ENGLISH_OPENINGS = wordSet('titles-grammar.txt', 'english openings')
const isEnglishOpening = (word: string): boolean => ENGLISH_OPENINGS.has(word.replace(/(?: of| for| the)+$/, ''))

interface FunctionList {
  names: string[]
  /** The same functions as they were written. */
  written: string[]
  /** The first chunk after the list. */
  next: number
}

const skipOf = (chunks: readonly Chunk[], from: number, most: number): number => {
  let at = from
  while (at < from + most && chunks[at]?.kind === 'word' && OF_WORDS.has(chunks[at]!.word) && !isFunction(chunks[at])) at++
  return at
}

/** After "head of" or "directeur": one or more functions. */
function readFunctions(chunks: readonly Chunk[], from: number, english: boolean, open: boolean): FunctionList | undefined {
  const start = skipOf(chunks, from, 3)
  const first = readOneFunction(chunks, start, english, open)
  if (!first) return undefined
  const more = moreFunctions(chunks, first.next, english)
  const written = wordsOf(chunks, start, first.next)
  return { names: [first.name, ...more.names], written: [written, ...more.written], next: more.next }
}

const wordsOf = (chunks: readonly Chunk[], from: number, end: number): string =>
  chunks
    .slice(from, end)
    .map(({ word }) => word)
    .join(' ')

/** The functions that go on a list: "… und Vertrieb", "…, logística y producción". */
function moreFunctions(chunks: readonly Chunk[], from: number, english: boolean): FunctionList {
  const names: string[] = []
  const written: string[] = []
  let at = from
  while (names.length < LONGEST_LIST && isSeparator(chunks[at])) {
    const isComma = chunks[at]!.kind === 'comma'
    const step = skipOf(chunks, chunks[at + 1]?.kind === 'conjunction' ? at + 2 : at + 1, 3)
    const another = readOneFunction(chunks, step, english, false)
    const after = another && chunks[another.next]
    // "head of sales, marketing managers": the second function belongs to the next title.
    if (!another || after?.role || after?.companyNoun || after?.peopleNoun) break
    const entry = chunks[step]!.entry
    // "…, logistique et production" goes on with functions, "…, logistique et entrepôts" with industries.
    const joins = after?.kind === 'comma' ? another.next + 1 : another.next
    const closes = chunks[joins]?.kind === 'conjunction' && isFunction(chunks[skipOf(chunks, joins + 1, 3)])
    if (isComma && (entry?.industry || entry?.technology) && !closes) break
    names.push(another.name)
    written.push(wordsOf(chunks, step, another.next))
    at = another.next
  }
  return { names, written, next: at }
}

/** "Leiter Einkauf und Logistik", "directores de compras o de logística": the functions behind a title have the rank that opened it. */
export function shareOpening(chunks: readonly Chunk[], at: number, mentions: Mention[]): number {
  const words = chunks[at]!.word.split(' ')
  const rank = [2, 1].map(count => words.slice(0, count).join(' ')).find(each => words.length > 1 && entryOf(each)?.opening)
  const opening = rank === undefined ? undefined : entryOf(rank)!.opening
  if (rank === undefined || !opening || rank.startsWith('chief')) return at + 1
  const list = moreFunctions(chunks, at + 1, isEnglishOpening(rank))
  for (const title of titlesOf(rank, opening, list)) pushTitle(mentions, title, at + 1, list.next - 1)
  markUsed(chunks, at + 1, list.next - 1)
  return list.next
}

/** Each function of a list with its rank; what the vocabulary calls the two of them comes first. */
const titlesOf = (rank: string, form: string, { names, written }: FunctionList): string[] =>
  names.map((name, index) => {
    const words = `${rank} ${written[index]}`.split(' ')
    return entryOfWords(words, 0, words.length)?.title ?? fill(form, name)
  })

/** "hospitals", "care homes": a plural whose singular is as common. "logistics", "textiles" and their like are trades. */
function namesCompanies({ word, entry }: Chunk): boolean {
  if (!word.endsWith('s') || word.length < 5 || TRADES.test(word)) return false
  const one = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  // "private banks": of several words the last says that companies are meant.
  return (
    entryOf(one)?.industry === entry!.industry ||
    (word.includes(' ') && entryOf(one.slice(one.lastIndexOf(' ') + 1))?.industry !== undefined)
  )
}
export const TRADES =
  /(?:ics|sports|textiles|metals|chemicals|games|services|utilities|goods|foods|media|beverages|sales|events|payments|products)$/

function readOneFunction(
  chunks: readonly Chunk[],
  at: number,
  english: boolean,
  open: boolean,
): { name: string; next: number } | undefined {
  const parts: string[] = []
  let next = at
  while (next < chunks.length && parts.length < 4) {
    const chunk = chunks[next]!
    if (chunk.kind !== 'word' || chunk.used || chunk.small) break
    const part = functionPart(chunks, next, english, open, parts.length)
    if (part === undefined) break
    parts.push(part)
    next++
    // A second function right behind the first is one name ("product marketing") in English only.
    if (!english) break
  }
  return parts.length === 0 ? undefined : { name: parts.join(' '), next }
}

/** "head of brand", "heads of platform": after an English opening the noun is what is headed, whatever else it means. */
function functionPart(chunks: readonly Chunk[], at: number, english: boolean, open: boolean, position: number): string | undefined {
  const chunk = chunks[at]!
  const after = chunks[at + 1]
  if (!english && FOREIGN_PARTS.has(chunk.word) && (after === undefined || !after.companyNoun)) return FOREIGN_PARTS.get(chunk.word)
  // "head of online sales", "heads of new business": an adjective belongs to what is headed, unless that is a kind of company.
  if (open && english && position === 0 && chunk.idle && isHeaded(chunks, at + 1)) return chunk.word
  if (position === 1 && chunks[at - 1]!.idle && isHeaded(chunks, at)) return englishWords(chunk.word)
  if (chunk.companyNoun || (chunk.peopleNoun && !isFunction(chunk))) {
    const headed = open && english && position === 0 && !chunk.word.endsWith('s') && !after?.companyNoun
    return headed && (isFunction(chunk) || isFunction(after) || endsPhrase(after)) ? englishWords(chunk.word) : undefined
  }
  if (isFunction(chunk)) return functionName(chunk, english)
  // "développeurs Java", "consultores SAP"
  if (!english && position === 0 && chunk.entry?.technology && !chunk.entry.industry && endsPhrase(after)) return chunk.word
  // "Head of Salesforce"
  if (open && english && position === 0 && chunk.entry?.technology && /^heads? of$/.test(chunks[at - 1]!.word) && endsPhrase(after))
    return chunk.word
  if (open && chunk.entry?.industry && position === 0) {
    // "directors of care homes": companies have directors; a line of business ("director of retail") is a title.
    const speaksOfCompanies = after?.kind === 'word' && !after.used && (after.companyNoun || (after.unknown && after.word.endsWith('s')))
    return speaksOfCompanies || namesCompanies(chunk) ? undefined : chunk.word
  }
  // "head of sea freight", "head of retail banking"; "head of sales fintech" names a function and then an industry.
  const isLine =
    open &&
    english &&
    position > 0 &&
    chunk.entry?.industry !== undefined &&
    (LINES_OF_WORK.has(chunk.word) || !chunks[at - 1]!.entry?.function)
  if (isLine && endsPhrase(after) && !namesCompanies(chunk)) return chunk.word
  if ((open || position > 0) && chunk.unknown && english) return englishWords(chunk.word)
  // "VP clinical supply"
  if (english && position > 0 && !chunk.entry && NOUN_MODIFIERS.has(chunk.word) && endsPhrase(after)) return chunk.word
  if (!open || !english) return undefined
  const plain =
    !chunk.entry &&
    !chunk.role &&
    !chunk.idle &&
    (position === 0 || NOUN_MODIFIERS.has(chunk.word) || (chunk.capital && chunks[at - 1]!.capital && endsPhrase(after)))
  return RANKS.has(chunk.word) || plain ? chunk.word : undefined
}

function isHeaded(chunks: readonly Chunk[], at: number): boolean {
  const chunk = chunks[at]
  if (chunk?.kind !== 'word' || chunk.used || chunk.small || chunk.idle || chunk.role || !endsPhrase(chunks[at + 1])) return false
  if (chunk.companyNoun || chunk.peopleNoun) return HEADED.has(chunk.word)
  const namesTrade = chunk.entry?.industry !== undefined && chunk.word.endsWith('s') && !TRADES.test(chunk.word)
  return isFunction(chunk) || !(namesTrade || chunk.entry?.title || chunk.entry?.size || chunk.entry?.stage)
}
const HEADED = new Set('business accounts services platform platforms brand brands stores space'.split(' '))

const endsPhrase = (chunk: Chunk | undefined): boolean => chunk === undefined || chunk.kind !== 'word' || chunk.small

/** "VP, Director, Head or Lead of Sales": more ranks than this for one function nobody lists. */
const MOST_OPENINGS = 6

function opensTitle(chunk: Chunk | undefined): boolean {
  if (chunk?.kind !== 'word' || chunk.used || !chunk.entry) return false
  return chunk.entry.opening !== undefined || LEVEL_FORMS[chunk.entry.level ?? ''] !== undefined
}

/** "Head of X", "VP X", "Directeur X", and lists of such openings: "VP or Head of Engineering". */
export function readOpeningTitle(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  if (!opensTitle(chunks[at])) return undefined
  const shared = readRankBeforeTitle(chunks, at, mentions)
  if (shared !== undefined) return shared
  const openings = [at]
  for (;;) {
    const last = openings.at(-1)!
    const step = afterSeparators(chunks, last + 1)
    if (step === last + 1 || openings.length === MOST_OPENINGS || !opensTitle(chunks[step])) break
    // "ingénieurs et directeurs marketing": a role is complete without a function, a rank is not.
    if (chunks[last]!.entry!.title || chunks[step]!.entry!.title) break
    // "directors and heads of visitor experience": only the heads need to say of what.
    if (chunks[last]!.word === 'directors' && chunks[last + 1]!.kind === 'conjunction' && chunks[step]!.word === 'heads of') break
    openings.push(step)
  }
  const last = openings.at(-1)!
  // "Talent Acquisition Manager, Head of Talent": the first title is complete, its rank opens nothing.
  if (openings.length > 1 && chunks[at]!.role && modifiersBefore(chunks, at).words.length > 0) return undefined
  const { word, entry } = chunks[last]!
  const english = isEnglishOpening(word)
  const open = / (?:of|for|de|del|du|des)$/.test(word)
  // "marketing managers for pet brands", "finance directors of hotels": the title is complete before the preposition.
  if (/ for$|^(?:directors|managers|heads) of$/.test(word) && isFunction(chunks[at - 1])) return undefined
  const list =
    readFunctions(chunks, last + 1, english, open && english) ?? lineOfBusiness(chunks, last) ?? functionBehindComma(chunks, last)
  if (!list) return undefined
  const following = chunks[list.next]
  // "directors marketing" is not English; but "VP marketing" is, and so are "directeur marketing" and "Leiter Einkauf".
  const twoNouns =
    following?.role && following.kind === 'word' && !following.used && (entry!.level || entry!.title) && !open && !/^v|^s?e?vp/.test(word)
  const isBareRank = english && !open && chunks[last + 1]?.kind !== 'comma' && BARE_RANKS.test(word)
  if (!(isBareRank ? opensEnglish(chunks, at, list) : entry!.opening) || twoNouns) return undefined
  if (entry!.opening === 'chief % officer') {
    if (following?.role !== 'officer') return undefined
    for (const name of list.names) pushTitle(mentions, `chief ${name} officer`, at, list.next)
    markUsed(chunks, at, list.next)
    return list.next + 1
  }
  // "Senior Directors of Sales"; French and Spanish put the rank behind: "développeurs backend seniors".
  const behind = english || following?.kind !== 'word' ? null : /^(senior|junior)e?s?$/.exec(following.word)
  const rank = behind ? { words: [behind[1]!], from: at } : ranksBefore(chunks, at)
  const end = behind ? list.next + 1 : list.next
  for (const opening of openings) {
    const { word: opened, entry: rankEntry } = chunks[opening]!
    const form = rankEntry!.opening ?? LEVEL_FORMS[rankEntry!.level ?? '']
    const titles = form ? titlesOf(opened, form, list) : []
    for (const title of titles) pushTitle(mentions, [...rank.words, title].join(' '), rank.from, end - 1)
  }
  markUsed(chunks, rank.from, end - 1)
  return end
}

const BARE_RANKS = /^(?:directors?|managers?|heads?|mgrs?)$/

/** "Director Supply Chain", "Manager HR": nothing but ranks before it, and nothing behind its function that could have one as well. */
function opensEnglish(chunks: readonly Chunk[], at: number, { next }: FunctionList): boolean {
  const { word, capital } = chunks[at]!
  if (!endsPhrase(chunks[next]) || modifiersBefore(chunks, at).from !== ranksBefore(chunks, at).from) return false
  // "managers logistics" work in that industry; "to head marketing" is a verb.
  if (word.endsWith('s') && chunks.slice(at + 1, next).some(chunk => chunk.entry?.industry)) return false
  return !word.startsWith('head') || capital || endsPhrase(chunks[at - 1]) !== (chunks[at - 1]?.small ?? false)
}

/** "directeurs et responsables achats", "director o jefe de ventas": a bare rank has the function of the title that it is joined to. */
function readRankBeforeTitle(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const { word, entry } = chunks[at]!
  const step = afterSeparators(chunks, at + 1)
  const title = chunks[step]
  const joins = chunks[step - 1]!.kind === 'conjunction' || chunks[step - 1]!.word === '/'
  if (step === at + 1 || !joins || entry!.title || !entry!.level || title?.kind !== 'word' || !title.entry?.title) return undefined
  const [rank, ...written] = title.word.split(' ')
  const name = entryOf(written.filter(each => !OF_WORDS.has(each)).join(' '))?.function
  const form = entry!.opening ?? LEVEL_FORMS[entry!.level]
  if (!name?.department || !form || !entryOf(rank!)?.level || (word === 'directors' && rank === 'heads')) return undefined
  if (modifiersBefore(chunks, at).words.length > 0) return undefined
  for (const value of titlesOf(word, form, { names: [name.title], written: [written.join(' ')], next: step }))
    pushTitle(mentions, value, at, step)
  chunks[at]!.used = true
  return step
}

/** "VP, Customer Experience", "Director, CX": as titles are written in profiles. */
function functionBehindComma(chunks: readonly Chunk[], at: number): FunctionList | undefined {
  const [rank, comma, name, after] = chunks.slice(at, at + 4)
  if (!rank!.capital || rank!.word.endsWith('s') || comma?.kind !== 'comma' || !isFunction(name) || !name!.capital) return undefined
  if ((name!.entry!.industry && rank!.label !== 'title') || (after?.kind === 'word' && !after.small)) return undefined
  return { names: [functionName(name!, true)], written: [name!.word], next: at + 3 }
}

/** "VP Retail", "VP brand", "Director Visitor Experience": what stands right behind the rank. In small letters an industry is the company's. */
function lineOfBusiness(chunks: readonly Chunk[], at: number): FunctionList | undefined {
  const { word: rank, capital } = chunks[at]!
  const isVp = /^(?:s|e|a)?vp$/.test(rank)
  const isRank = isVp || (/^(?:director|manager|head)$/.test(rank) && (capital || !chunks[at - 1]?.small))
  if (!isRank) return undefined
  let next = at + 1
  while (next < at + 4 && isLine(chunks[next], isVp)) next++
  const last = chunks[next - 1]!
  const after = chunks[next]
  const isKnown = LINES_OF_WORK.has(last.word) || isFunction(last) || (NOUN_MODIFIERS.has(last.word) && !last.entry)
  if (next === at + 1 || !endsPhrase(after) || ((next > at + 2 || !isVp) && !isKnown)) return undefined
  // "VP meetings": a plural of what makes titles.
  const isPlain = isKnown || (!last.entry?.industry && (!last.word.endsWith('s') || NOUN_MODIFIERS.has(last.word.slice(0, -1))))
  const ends = after === undefined || ['comma', 'break', 'conjunction'].includes(after.kind)
  if (!(isPlain && (ends || after.small)) && !(ends && last.entry?.industry)) return undefined
  const words = wordsOf(chunks, at + 1, next)
  return { names: [words], written: [words], next }
}

function isLine(chunk: Chunk | undefined, isVp: boolean): boolean {
  if (chunk?.kind !== 'word' || chunk.used || chunk.small || chunk.role || chunk.idle || chunk.peopleNoun) return false
  const { entry, capital, word } = chunk
  if (entry?.technology || entry?.title || entry?.level || entry?.size || entry?.stage) return false
  if (capital || LINES_OF_WORK.has(word)) return true
  return isVp ? !entry?.industry : chunk.unknown || entry?.function !== undefined || (!entry && NOUN_MODIFIERS.has(word))
}
