import { isSeniority, SENIORITIES, type Seniority } from '../../../lead-terms/src/index.ts'
import type { Chunk, Mention } from '../model.ts'
import { entryOf } from '../vocabulary/lexicon.ts'
import { Phrases, wordMap, wordSet } from '../vocabulary/word-files.ts'
import { BEFORE_RANGES, isFunction, markUsed, modifiersBefore, RANKS } from './titles.ts'

/** From which rank to which: "VP+", "from manager up", "nobody below director", "managers to VPs", "hasta jefe". */

interface RankRange {
  levels: readonly Seniority[]
  /** The first chunk of what is said, and the first after it. */
  first: number
  next: number
}

export function readRankRange(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const { kind, used, word } = chunks[at]!
  const level = levelOf(chunks[at])
  if (kind !== 'word' || used || level === undefined) return undefined
  const before = modifiersBefore(chunks, at)
  // "VP Sales and above"
  const isHeaded = chunks[at]!.entry?.opening && chunks[at + 1]?.entry?.function?.department && !chunks[at + 1]!.entry!.industry
  const range = rangeAround(chunks, before.from, isHeaded ? at + 1 : at, level)
  if (!range) return undefined
  // "sales managers" may be one word of the vocabulary, or two.
  const inside = isHeaded ? [chunks[at + 1]!.entry] : chunks[at]!.entry?.level ? [] : [entryOf(word.slice(0, word.lastIndexOf(' ')))]
  const said = [...before.departments.map(({ entry }) => entry), ...inside]
  const departments = said.flatMap(entry => entry?.function?.department ?? [])
  // "plant managers and above": no department says who is above them.
  if (departments.length < before.words.filter(each => each !== 'senior').length + inside.length) return undefined
  const { levels, first, next } = range
  const behind = chunks[next]
  const isBehind = isFunction(behind) && !behind!.entry!.industry && !chunks[next + 1]?.role && departments.length === 0
  if (isBehind) departments.push(...[behind!.entry!.function!.department ?? []].flat())
  const last = isBehind ? next : next - 1
  while (mentions.length > 0 && mentions.at(-1)!.first >= first) mentions.pop()
  takeRefusal(chunks, first, at)
  for (const department of departments) mentions.push({ kind: 'department', value: department, department, first, last })
  mentions.push({ kind: 'level', value: level, levels, first, last })
  markUsed(chunks, first, last)
  return last + 1
}

function levelOf(chunk: Chunk | undefined): Seniority | undefined {
  const space = chunk?.role ? chunk.word.lastIndexOf(' ') : -1
  const opened = chunk?.entry?.opening && entryOf(chunk.word.split(' ')[0]!)?.level
  const level = chunk?.entry?.level ?? (opened || (space > 0 ? entryOf(chunk!.word.slice(space + 1))?.level : undefined))
  return level !== undefined && isSeniority(level) ? level : undefined
}

/** Whether words next to a rank say how far the ranks go that are meant. */
function rangeAround(chunks: readonly Chunk[], from: number, at: number, level: Seniority): RankRange | undefined {
  const ahead = boundBehind(chunks, at + 1)
  const { bound = '', first } = boundBefore(chunks, from)
  const [rank, other] = [SENIORITIES.indexOf(level), SENIORITIES.indexOf(levelOf(chunks[ahead.next])!)]
  const isSpan = other >= 0 && (ahead.bound === 'to' || (bound === 'between' && chunks[ahead.next - 1]?.kind === 'conjunction'))
  const said = isSpan ? 'to' : ahead.bound && ahead.bound !== 'to' ? ahead.bound : bound
  const low: Record<string, number> = { to: Math.min(rank, other), up: rank, over: rank + 1, down: 0, under: 0 }
  const high: Record<string, number> = { to: Math.max(rank, other) + 1, down: rank + 1, under: rank }
  const levels = said in low ? SENIORITIES.slice(low[said], high[said]) : []
  const next = isSpan ? skipNouns(chunks, ahead.next + 1) : said === ahead.bound ? ahead.next : skipNouns(chunks, at + 1)
  return levels.length > 0 ? { levels, first, next } : undefined
}

const BEHIND = new Phrases(wordMap('titles-grammar.txt', 'behind a range of ranks', value => value))
const FILLERS = wordSet('titles-grammar.txt', 'beside a range of ranks')
const LEVEL_NOUNS = wordSet('titles-grammar.txt', 'profiles')
const FARTHEST = 8

const skipNouns = (chunks: readonly Chunk[], at: number): number => (LEVEL_NOUNS.has(chunks[at]?.word ?? '') ? at + 1 : at)

function boundBehind(chunks: readonly Chunk[], from: number): { bound?: string; next: number } {
  const at = skipNouns(chunks, from)
  const words: string[] = []
  const ends: number[] = []
  for (let step = at; step < chunks.length && step < at + FARTHEST; step++) {
    if (!['word', 'conjunction', 'list'].includes(chunks[step]!.kind)) break
    for (const word of chunks[step]!.word.split(' ')) ends[words.push(word) - 1] = step + 1
  }
  const found = BEHIND.longest(words, 0)
  if (!found) return { next: at + 1 }
  const next = ends[found.length - 1]!
  const { role, entry, word } = chunks[next]?.kind === 'word' ? chunks[next]! : {}
  // "category managers + strategic buyers" are a list; a rank begins a title as well.
  const lists = role || entry?.function || entry?.title || entry?.level || entry?.opening || RANKS.has(word ?? '')
  return found.length === 1 && lists && /^(?:\+|plus|up)$/.test(words[0]!) ? { next: at + 1 } : { bound: found.value, next }
}

/** The words before a rank; a brief that refuses the ranks below it asks for it and those above. */
function boundBefore(chunks: readonly Chunk[], from: number): { bound?: string; first: number } {
  const words: string[] = []
  const starts: number[] = []
  for (let at = from - 1; at >= 0 && from - at <= FARTHEST && /^(?:word|negator|conjunction)$/.test(chunks[at]!.kind); at--) {
    const parts = chunks[at]!.word.split(' ')
    words.unshift(...parts)
    starts.unshift(...parts.map(() => at))
  }
  let end = words.length
  let found = BEFORE_RANGES.longestBefore(words, end, 5)
  while (!found && end > 0 && FILLERS.has(words[end - 1]!)) found = BEFORE_RANGES.longestBefore(words, --end, 5)
  if (!found) return { first: LEVEL_NOUNS.has(words.at(-1) ?? '') ? from - 1 : from }
  const first = starts[end - found.length]!
  // "skip over interns" is one cue.
  if (found.value === 'over' && chunks[first]!.kind === 'negator') return { first: from }
  const opposite = OPPOSITES[found.value]
  let refusal = chunks[first]!.kind === 'negator' ? first : -1
  // "no need for anyone", "don't send us anybody": where the refusal of those above or below begins.
  for (let at = first - 1; opposite && at >= 0 && first - at < FARTHEST; at--) {
    const { kind, small, peopleNoun, word } = chunks[at]!
    if (kind === 'negator') refusal = at
    else if (kind !== 'word' || !(small || peopleNoun || LEVEL_NOUNS.has(word))) break
  }
  return opposite && refusal >= 0 ? { bound: opposite, first: refusal } : { bound: found.value, first }
}
const OPPOSITES: Record<string, string> = { under: 'up', over: 'down' }

/** The refusal of those below a rank refuses nothing else, and names no one. */
function takeRefusal(chunks: readonly Chunk[], first: number, at: number): void {
  for (const chunk of chunks.slice(first, at)) chunk.kind = 'word'
}

/** "nobody below plant manager" asks for plant managers. */
export function takeBelow(chunks: readonly Chunk[], at: number): void {
  const { bound, first } = boundBefore(chunks, at)
  if (bound === 'up') takeRefusal(chunks, first, at)
}
