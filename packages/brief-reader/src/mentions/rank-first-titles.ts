import type { Chunk, Mention } from '../model.ts'
import { entryOf, entryOfWords } from '../vocabulary/lexicon.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { endsPhrase, type FunctionList, functionBehindComma, lineOfBusiness, readOneFunction, wordsOf } from './title-functions.ts'
import {
  afterSeparators,
  ESTABLISHMENTS,
  englishWords,
  fill,
  isFunction,
  isSeparator,
  LEVEL_FORMS,
  LONGEST_LIST,
  markUsed,
  modifiersBefore,
  pushTitle,
  RANKS_BEHIND,
  ranksBefore,
} from './titles.ts'

/** Titles that begin with their rank: "head of X", "VP X", "directeur X", "Director, X". */

const OF_WORDS = wordSet('titles-grammar.txt', 'of')
const ENGLISH_OPENINGS = wordSet('titles-grammar.txt', 'english openings')
const isEnglishOpening = (word: string): boolean => ENGLISH_OPENINGS.has(word.replace(/(?: of| for| the)+$/, ''))

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

/** The functions that continue a list: "… und Vertrieb", "…, logística y producción". */
function moreFunctions(chunks: readonly Chunk[], from: number, english: boolean): FunctionList {
  const names: string[] = []
  const written: string[] = []
  let at = from
  while (names.length < LONGEST_LIST && isSeparator(chunks[at])) {
    const isComma = chunks[at]!.kind === 'comma'
    const step = skipOf(chunks, chunks[at + 1]?.kind === 'conjunction' ? at + 2 : at + 1, 3)
    // "directors of nursing or midwifery": joined to a function, what no one has listed is one.
    const isNamed = english && !isComma && chunks[step]?.unknown && !chunks[step]!.capital && endsPhrase(chunks[step + 1])
    const another = readOneFunction(chunks, step, english, Boolean(isNamed))
    const after = another && chunks[another.next]
    // "head of sales, marketing managers": the second function belongs to the next title.
    if (!another || after?.role || after?.companyNoun || after?.peopleNoun) break
    const entry = chunks[step]!.entry
    // "…, logistique et production" continues with functions, "…, logistique et entrepôts" with industries.
    const joins = after?.kind === 'comma' ? another.next + 1 : another.next
    const closes = chunks[joins]?.kind === 'conjunction' && isFunction(chunks[skipOf(chunks, joins + 1, 3)])
    if (isComma && (entry?.industry || entry?.technology) && !closes) break
    names.push(another.name)
    written.push(wordsOf(chunks, step, another.next))
    at = another.next
  }
  return { names, written, next: at }
}

/** "Leiter Einkauf und Logistik", "directores de compras o de logística": the functions after a title have the rank that opened it. */
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
    // "jefes de hatchery" manage it.
    const isHouse = form === 'head of %' && /^(?:jef|chef)/.test(rank) && ESTABLISHMENTS.has(name)
    return entryOfWords(words, 0, words.length)?.title ?? fill(isHouse ? '% manager' : form, name)
  })

/** "VP, Director, Head or Lead of Sales": more ranks than this for one function no one lists. */
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
    if (chunks[last]!.word === 'directors' && chunks[last + 1]!.word === 'and' && chunks[step]!.word === 'heads of') break
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
  // "Senior Directors of Sales"; French and Spanish put the rank after: "développeurs backend seniors".
  const behind = english ? undefined : RANKS_BEHIND.get(following?.word ?? '')
  const rank = behind ? { words: [behind], from: at } : ranksBefore(chunks, at)
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

/** "Director Supply Chain", "Manager HR"; "managers logistics" work in that industry, and "to head marketing" is a verb. */
function opensEnglish(chunks: readonly Chunk[], at: number, { next }: FunctionList): boolean {
  const { word, capital } = chunks[at]!
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
  for (const value of titlesOf(word, form, { names: [name.title], written: [written.join(' ')], next: step }))
    pushTitle(mentions, value, at, step)
  chunks[at]!.used = true
  return step
}

/** "CMOs (medical, not marketing!)", "CPO (people)": the bracket says what the letter in the middle stands for. */
export function readChief(chunks: readonly Chunk[], at: number): { title: string; last: number } | undefined {
  const [chief, open, meant] = chunks.slice(at, at + 3)
  const letter = /^c([a-z])os?$/.exec(chief!.word)?.[1]
  if (letter === undefined || open?.word !== '(' || meant?.kind !== 'word' || !meant.word.startsWith(letter)) return undefined
  const close = at + chunks.slice(at, at + 12).findIndex(({ word }) => word === ')')
  // The other meanings of the letter are named only to rule them out.
  const explains = chunks.slice(at + 3, close).every(({ kind, word, small }) => kind !== 'word' || small || word.startsWith(letter))
  if (close < at || !explains) return undefined
  return { title: `chief ${englishWords(meant.word)} officer`, last: close }
}
