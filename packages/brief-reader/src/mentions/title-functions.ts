import type { Chunk } from '../model.ts'
import { entryOf } from '../vocabulary/lexicon.ts'
import { wordMap } from '../vocabulary/word-files.ts'
import { englishWords, functionName, isFunction, LINES_OF_WORK, NOUN_MODIFIERS, RANKS, RANKS_BEHIND, TRADES } from './titles.ts'
import { splitCompound } from './unusual-roles.ts'

/** The words after the rank of a title: a function, a line of business, a topic. */

/** The objects of titles in other languages, in addition to the functions: "gestores de contratos". */
const FOREIGN_PARTS = wordMap('titles-grammar.txt', 'foreign parts', value => value)

export interface FunctionList {
  names: string[]
  /** The same functions as they were written. */
  written: string[]
  /** The first chunk after the list. */
  next: number
}

export const wordsOf = (chunks: readonly Chunk[], from: number, end: number): string =>
  chunks
    .slice(from, end)
    .map(({ word }) => word)
    .join(' ')

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

export function readOneFunction(
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
    // A second function right after the first is one name ("product marketing") in English only.
    if (!english) break
  }
  return parts.length === 0 ? undefined : { name: parts.join(' '), next }
}

/** "head of brand", "heads of platform": after an English opening the noun is what is headed, whatever else it means. */
function functionPart(chunks: readonly Chunk[], at: number, english: boolean, open: boolean, position: number): string | undefined {
  const chunk = chunks[at]!
  const after = chunks[at + 1]
  // "gerentes de finca" manage the farm; "directeurs d'EHPAD" direct such companies.
  const isCompany = chunk.entry?.industry !== undefined && !chunk.entry.function && /^dir/.test(chunks[at - 1]!.word)
  if (!english && FOREIGN_PARTS.has(chunk.word) && !after?.companyNoun && !isCompany) return FOREIGN_PARTS.get(chunk.word)
  // "jefes de hatchery", "Leiter Grünflächenamt": what no one has listed is kept unchanged written. In German only a noun is headed.
  if (!english && position === 0 && isHeadedAbroad(chunks, at)) return splitCompound(chunk.word) ?? chunk.word
  // "head of online sales", "heads of new business": an adjective belongs to what is headed, unless that is a kind of company.
  if (open && english && position === 0 && chunk.idle && isHeaded(chunks, at + 1)) return chunk.word
  if (position === 1 && chunks[at - 1]!.idle && isHeaded(chunks, at)) return englishWords(chunk.word)
  if (chunk.companyNoun || (chunk.peopleNoun && !isFunction(chunk))) {
    const headed = open && english && position === 0 && !chunk.word.endsWith('s') && !after?.companyNoun
    return headed && (isFunction(chunk) || isFunction(after) || endsPhrase(after)) ? englishWords(chunk.word) : undefined
  }
  // "head of esg real estate funds": after a department an industry is the company's.
  const { function: named, industry } = chunk.entry ?? {}
  if (position > 0 && named && industry && !named.department && chunks[at - 1]!.entry?.function?.department) return undefined
  if (isFunction(chunk)) return functionName(chunk, english)
  // "développeurs Java", "consultores SAP"
  const ends = endsPhrase(after) || RANKS_BEHIND.has(after!.word)
  if (!english && position === 0 && chunk.entry?.technology && !chunk.entry.industry && ends) return chunk.word
  // "Head of Salesforce", "VP of DTC"
  const isTopic = chunk.entry?.technology ? /^heads? of$/.test(chunks[at - 1]!.word) : chunk.entry?.keyword && !chunk.word.startsWith('b')
  if (open && english && position === 0 && isTopic && endsPhrase(after)) return chunk.word
  if (open && chunk.entry?.industry && position === 0) {
    // "directors of care homes": companies have directors; a line of business ("director of retail") is a title.
    const speaksOfCompanies = after?.kind === 'word' && !after.used && (after.companyNoun || (after.unknown && after.word.endsWith('s')))
    return speaksOfCompanies || namesCompanies(chunk) ? undefined : chunk.word
  }
  // "head of sea freight", "head of retail banking"; "head of sales fintech" names a function and then an industry.
  const isLine = chunk.entry?.industry !== undefined && (LINES_OF_WORK.has(chunk.word) || !chunks[at - 1]!.entry?.function)
  if (open && english && position > 0 && isLine && endsPhrase(after) && !namesCompanies(chunk)) return chunk.word
  if ((open || position > 0) && chunk.unknown && english) return englishWords(chunk.word)
  // "VP clinical supply"
  if (english && position > 0 && !chunk.entry && NOUN_MODIFIERS.has(chunk.word) && endsPhrase(after)) return chunk.word
  if (!open || !english) return undefined
  const isName = chunk.capital && chunks[at - 1]!.capital && endsPhrase(after)
  const plain = !chunk.entry && !chunk.role && !chunk.idle && (position === 0 || NOUN_MODIFIERS.has(chunk.word) || isName)
  return RANKS.has(chunk.word) || plain ? chunk.word : undefined
}

function isHeadedAbroad(chunks: readonly Chunk[], at: number): boolean {
  const { word, capital, unknown } = chunks[at]!
  const after = chunks[at + 1]
  if (!unknown || word.length < 4 || /[sx]$/.test(word) || !endsPhrase(after) || LINKS.test(after?.word ?? '')) return false
  return LINKS.test(chunks[at - 1]!.word) ? !capital : capital && /leit(?:er(?:in|innen|n)?|ung)$/.test(chunks[at - 1]!.word)
}
const LINKS = /(?:^| )(?:de|del|du|d)$/

function isHeaded(chunks: readonly Chunk[], at: number): boolean {
  const chunk = chunks[at]
  if (chunk?.kind !== 'word' || chunk.used || chunk.small || chunk.idle || chunk.role || !endsPhrase(chunks[at + 1])) return false
  if (chunk.companyNoun || chunk.peopleNoun) return HEADED.has(chunk.word)
  const namesTrade = chunk.entry?.industry !== undefined && chunk.word.endsWith('s') && !TRADES.test(chunk.word)
  return isFunction(chunk) || !(namesTrade || chunk.entry?.title || chunk.entry?.size || chunk.entry?.stage)
}
const HEADED = new Set('business accounts services platform platforms brand brands stores space'.split(' '))

export const endsPhrase = (chunk: Chunk | undefined): boolean => chunk === undefined || chunk.kind !== 'word' || chunk.small

/** "VP, Customer Experience", "Director, CX": as titles are written in profiles. */
export function functionBehindComma(chunks: readonly Chunk[], at: number): FunctionList | undefined {
  const [rank, comma, name] = chunks.slice(at, at + 3)
  if (!rank!.capital || rank!.word.endsWith('s') || comma?.kind !== 'comma' || !isFunction(name) || !name!.capital) return undefined
  return { names: [functionName(name!, true)], written: [name!.word], next: at + 3 }
}

/** "VP Retail", "VP brand", "Director Visitor Experience": what is right after the rank. In lower case an industry is the company's. */
export function lineOfBusiness(chunks: readonly Chunk[], at: number): FunctionList | undefined {
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
