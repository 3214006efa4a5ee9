import { placeWithin, samePlace } from '../../search/terms/places.ts'
import { IS, WELCOMES } from '../lists.ts'
import { isSeparator } from '../mentions/titles.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../words.ts'
import { opensClause } from './behind.ts'
import { familyOf } from './families.ts'
import { IN } from './scope-ends.ts'

/**
 * Statements that nobody could read: "Acme verdampft gerade", "banks are kaputt". A brief rarely states anything about what
 * it wants, so that what such a clause opens with is reported and not asked for.
 */

const THEREFORE = new Set('so hence therefore thus daher deshalb also donc'.split(' '))
const OPENERS = wordSet('polarity.txt', 'welcoming openers')

export function doubtStatements(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  for (const mention of mentions) if (chunks[mention.first]!.doubted && !mention.negated) mention.unsayable = true
  const endOf = new Map<number, Mention[]>()
  for (const mention of mentions) endOf.set(mention.last, [...(endOf.get(mention.last) ?? []), mention])
  doubtCommands(chunks, mentions)
  doubtPlaces(chunks, mentions)
  doubtParts(chunks, mentions)
  for (const last of endOf.keys()) {
    const list = subject(chunks, endOf, last)
    const first = list.at(-1)
    if (!first || list.some(mention => mention.negated || mention.dropped) || !opensClause(chunks, first.first)) continue
    const companies = list.every(mention => mention.kind === 'company' && chunks[mention.first]!.kind === 'name')
    const states = statesUnread(chunks, last + 1) || isAside(chunks, mentions, list, last)
    if (companies ? saysUnread(chunks, last + 1) || states : states) for (const mention of list) mention.unsayable = true
  }
}

/**
 * "no whatsit banks": behind a refusal that reached nothing, what stands in its clause may be refused in a way nobody could read. Only a
 * place with its own preposition is the wish's: "companies without debt in Spain".
 */
export function doubtUnreached(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const starts = Map.groupBy(mentions, mention => mention.first)
  for (const [at, chunk] of chunks.entries()) {
    if (!chunk.unanswered) continue
    for (let next = at + 1; next < chunks.length && next <= at + UNREACHED && !endsClause(chunks[next]!); next++)
      for (const mention of starts.get(next) ?? [])
        if (!mention.negated && !(mention.kind === 'place' && IN.has(chunks[next - 1]!.word))) mention.unsayable = true
  }
}
const UNREACHED = 12
/** "not the small ones so over 200 people": behind "so" comes the wish. */
const endsClause = ({ kind, word }: Chunk): boolean => CLAUSE_ENDS.has(kind) || THEREFORE.has(word)
const CLAUSE_ENDS: ReadonlySet<Chunk['kind']> = new Set(['break', 'comma', 'negator', 'correction', 'instead', 'conjunction'])

/**
 * "Tom handles Acme and Globex", "exit les banques": a clause of its own that puts a word nobody knows before its list. The wish stands
 * elsewhere, and most people who mean to add to it say so in words that are known.
 */
function doubtCommands(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const wanted = mentions.filter(mention => !mention.negated && !mention.dropped && !mention.unsayable)
  const starts = new Map(wanted.map(mention => [mention.first, mention]))
  const people = wanted.filter(mention => familyOf(mention) === 'person')
  for (let at = 0; at < chunks.length; at++) {
    if (at > 0 && !CLAUSE_STARTS.has(chunks[at - 1]!.kind)) continue
    const first = commanded(chunks, starts, at)
    if (first === undefined) continue
    const list = listFrom(chunks, starts, first)
    const last = behindNoun(chunks, list.at(-1)!.last)
    const next = chunks[last + 1]
    if (next && (next.kind !== 'break' || next.word === ':')) continue
    if (list.some(isExact) || isWhere(chunks, wanted, list) || !people.some(mention => mention.last < at || mention.first > last)) continue
    for (const mention of list) mention.unsayable = true
  }
}
/** "implantés en Espagne", or the only place of the brief: without it the search would be for the whole world. */
const isWhere = (chunks: readonly Chunk[], wanted: readonly Mention[], list: readonly Mention[]): boolean =>
  list.every(mention => familyOf(mention) === 'place') &&
  (chunks[list[0]!.first - 1]!.small || wanted.every(mention => list.includes(mention) || familyOf(mention) !== 'place'))
/** What is numbered or used is rarely refused, and often said with words of its own: "founded", "headcount", "que vendan con". */
const isExact = (mention: Mention): boolean => familyOf(mention) === 'measure' || mention.kind === 'technology' || mention.kind === 'stage'
/** "Skip startups in Berlin. CFOs in Germany.": where those are who are refused, in a sentence that asks for nobody. */
function doubtPlaces(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const bySentence = Map.groupBy(mentions, mention => chunks[mention.first]!.sentence)
  const asking = mentions.filter(mention => familyOf(mention) === 'person' && !mention.negated && !mention.dropped)
  for (const [sentence, named] of bySentence) {
    const [refused, place, more] = named.filter(mention => !mention.dropped)
    if (!refused?.negated || !place || more || place.negated || place.kind !== 'place' || familyOf(refused) === 'place') continue
    const between = chunks.slice(refused.last + 1, place.first)
    if (between.length !== 1 || !between[0]!.small || !asking.some(mention => chunks[mention.first]!.sentence !== sentence)) continue
    place.unsayable = true
  }
}

/** "Texas, Houston is someone else's": of a part of what is wanted, a brief hardly says anything but that it is not. */
function doubtParts(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const wanted = mentions.filter(({ place, negated, dropped, unsayable }) => place && !(negated || dropped || unsayable))
  for (const [index, part] of wanted.slice(0, MOST_PARTS).entries()) {
    const start = chunks[part.first - 1]?.small ? part.first - 2 : part.first - 1
    const verb = chunks[part.last + 1]
    const states =
      verb?.kind === 'word' ? STATES.has(verb.word) || IS.has(verb.word) : verb?.kind === 'gap' && !verb.wish && /\p{L}/u.test(verb.word)
    if (!states || start < 0 || !CLAUSE_STARTS.has(chunks[start]!.kind)) continue
    const isWithin = ({ place }: Mention) => !samePlace(place!, part.place!) && placeWithin(part.place!, place!)
    if (!wanted.slice(0, index).some(isWithin)) continue
    let end = part.last + 1
    while (end < chunks.length && !CLAUSE_STARTS.has(chunks[end]!.kind)) end++
    if (chunks.slice(part.last, end).some(({ word }) => WELCOMES.has(word))) continue
    for (const mention of mentions) if (mention.first >= part.first && mention.last < end && !mention.negated) mention.unsayable = true
  }
}
const MOST_PARTS = 50
const STATES = wordSet('polarity.txt', 'states')

/** "Series A companies": the noun belongs to what was read. */
const behindNoun = (chunks: readonly Chunk[], last: number): number =>
  chunks[last + 1]?.companyNoun || chunks[last + 1]?.peopleNoun ? last + 1 : last
/** Directly before a noun, how a word ends shows that it describes it ("profitable retailers"): an order ends otherwise. */
const DESCRIBES = /(?:able|ible|ive|ent|ous|ful|ic|al|ly|ed|ende[nr]?|ierte[nr]?|liche[nr]?|ige[nr]?|ische[nr]?)$/
/** Directly behind it, that it tells what they do: "retailers expanding abroad", "fabricantes exportando". */
const DOING = /(?:ing|ndo|ants?|antes|entes)$/
const CLAUSE_STARTS: ReadonlySet<Chunk['kind']> = new Set(['break', 'comma'])
const MOST_BEFORE = 5

/** Where the list of a clause begins that opens with words nobody could read. */
function commanded(chunks: readonly Chunk[], starts: ReadonlyMap<number, Mention>, from: number): number | undefined {
  let unread = false
  for (let at = from; at < chunks.length && at <= from + MOST_BEFORE; at++) {
    if (starts.has(at)) return unread ? at : undefined
    const chunk = chunks[at]!
    if (chunk.kind !== 'word' || WELCOMES.has(chunk.word) || OPENERS.has(chunk.word)) return undefined
    if (starts.has(at + 1) && DESCRIBES.test(chunk.word)) return undefined
    if (isUnread(chunk)) unread = true
    else if (!chunk.small) return undefined
  }
  return undefined
}

function listFrom(chunks: readonly Chunk[], starts: ReadonlyMap<number, Mention>, from: number): Mention[] {
  const list: Mention[] = []
  for (let at = from, found = starts.get(at); found && list.length < 20; found = starts.get(at)) {
    list.push(found)
    at = found.last + 1
    while (isSeparator(chunks[at]) || (chunks[at]?.small && isSeparator(chunks[at - 1]))) at++
  }
  return list
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

/** "banks bore us", beside a wish for somebody: a clause of its own that begins with what it names and says what nobody could read. */
function isAside(chunks: readonly Chunk[], mentions: readonly Mention[], list: readonly Mention[], last: number): boolean {
  const { first } = list.at(-1)!
  const start = chunks[first - 1]?.small ? first - 2 : first - 1
  if (
    list.some(mention => familyOf(mention) === 'measure' || mention.kind === 'stage') ||
    (start >= 0 && !CLAUSE_STARTS.has(chunks[start]!.kind))
  )
    return false
  let end = behindNoun(chunks, last) + 1
  if (DOING.test(chunks[end]?.word ?? '')) return false
  let unread = false
  for (; end < chunks.length && end <= last + LONGEST_PREDICATE && chunks[end]!.kind !== 'break'; end++) {
    const chunk = chunks[end]!
    if (chunk.kind !== 'word' || WELCOMES.has(chunk.word) || !(isUnread(chunk) || chunk.small)) return false
    unread ||= isUnread(chunk)
  }
  if (!unread || end > last + LONGEST_PREDICATE || chunks[end]?.word === ':') return false
  return mentions.some(
    other => familyOf(other) === 'person' && !other.negated && !other.dropped && (other.last < start || other.first > end),
  )
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
    if (!mention.negated || mention.dropped || !wanted.has(key(mention))) continue
    if (familyOf(mention) !== 'person') continue
    const behind = chunks[mention.last + 1]?.small ? mention.last + 2 : mention.last + 1
    if (isNarrower(chunks[mention.first - 1]) || isNarrower(chunks[behind])) mention.unsayable = true
  }
}
