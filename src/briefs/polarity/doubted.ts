import { isSeparator } from '../mentions/titles.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../words.ts'
import { opensClause } from './behind.ts'
import { familyOf } from './families.ts'

/**
 * Statements that nobody could read: "Acme verdampft gerade", "banks are kaputt". A brief rarely states anything about what
 * it wants, so that what such a clause opens with is reported and not asked for.
 */

const IS = wordSet('things-grammar.txt', 'is')
const THEREFORE = new Set('so hence therefore thus daher deshalb also donc'.split(' '))
const WELCOMES = wordSet('polarity.txt', 'welcoming predicates')

export function doubtStatements(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  for (const mention of mentions) if (chunks[mention.first]!.doubted && !mention.negated) mention.unsayable = true
  const endOf = new Map<number, Mention[]>()
  for (const mention of mentions) endOf.set(mention.last, [...(endOf.get(mention.last) ?? []), mention])
  for (const last of endOf.keys()) {
    const list = subject(chunks, endOf, last)
    const first = list.at(-1)
    if (!first || list.some(mention => mention.negated || mention.dropped) || !opensClause(chunks, first.first)) continue
    const companies = list.every(mention => mention.kind === 'company' && chunks[mention.first]!.kind === 'name')
    if (companies ? saysUnread(chunks, last + 1) : statesUnread(chunks, last + 1)) for (const mention of list) mention.unsayable = true
  }
}

/** The list that ends at a chunk, the last first. */
function subject(chunks: readonly Chunk[], endOf: ReadonlyMap<number, readonly Mention[]>, last: number): Mention[] {
  const list: Mention[] = []
  let at = last
  for (let found = endOf.get(at); found && list.length < MOST_NAMED; found = endOf.get(at)) {
    list.push(...found)
    at = Math.min(...found.map(mention => mention.first)) - 1
    if (!isSeparator(chunks[at]) || chunks[at]!.kind === 'comma') break
    at--
  }
  return list
}
const MOST_NAMED = 6

/** Behind a name: a word that nothing explains and that nothing was read from. */
function saysUnread(chunks: readonly Chunk[], from: number): boolean {
  const next = chunks[from]
  return next?.kind === 'word' && isUnread(next) && restIsUnread(chunks, from)
}

/** Behind anything else: "is" and words that do not welcome it, up to the end of the clause. */
function statesUnread(chunks: readonly Chunk[], from: number): boolean {
  return chunks[from]?.kind === 'word' && IS.has(chunks[from]!.word) && isUnread(chunks[from + 1]) && restIsUnread(chunks, from + 1)
}

const isUnread = (chunk: Chunk | undefined): boolean =>
  chunk?.kind === 'word' &&
  !(chunk.used || chunk.small || chunk.companyNoun || chunk.peopleNoun || chunk.role || chunk.entry || WELCOMES.has(chunk.word))

function restIsUnread(chunks: readonly Chunk[], from: number): boolean {
  for (let at = from; at < chunks.length && at < from + LONGEST_PREDICATE; at++) {
    const chunk = chunks[at]!
    // "Hospitals are understaffed: HR heads there" gives a reason for the wish.
    if (chunk.word === ':' || (chunk.kind === 'comma' && THEREFORE.has(chunks[at + 1]?.word ?? ''))) return false
    if (chunk.kind === 'break' || chunk.kind === 'comma') return true
    if (chunk.kind !== 'word' || chunk.used || chunk.role || chunk.entry || WELCOMES.has(chunk.word)) return false
  }
  return chunks.length - from < LONGEST_PREDICATE
}
const LONGEST_PREDICATE = 6

/** "part-time CFOs: no; CFOs in Lyon: yes": where the same is wanted elsewhere, the words beside it say what is refused. */
export function keepNarrowed(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const key = (mention: Mention) => `${mention.kind} ${mention.value}`
  const wanted = new Set(mentions.filter(mention => !mention.negated && !mention.dropped).map(key))
  const isNarrower = (chunk: Chunk | undefined) =>
    chunk?.kind === 'word' && !chunk.small && !chunk.used && !chunk.companyNoun && !chunk.peopleNoun
  for (const mention of mentions) {
    if (!mention.negated || mention.dropped || !wanted.has(key(mention)) || familyOf(mention) !== 'person') continue
    const behind = chunks[mention.last + 1]?.small ? mention.last + 2 : mention.last + 1
    if (isNarrower(chunks[mention.first - 1]) || isNarrower(chunks[behind])) mention.unsayable = true
  }
}
