import { firstIndex } from '../../lib/first-index.ts'
import { placeWithin } from '../../search/terms/places.ts'
import { LIKEWISE_BEFORE, PREDICATES, RELATIVES_BEFORE_A_REFUSAL } from '../lists.ts'
import { isSeparator } from '../mentions/titles.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../words.ts'
import { familyOf } from './families.ts'

/**
 * Refusals that come behind what they refuse: "A and B are out", "A bitte nicht", "A and B do not fit", "A? No thanks",
 * "leave A and B out", "we have A, skip them".
 */

/** Between what is refused and the refusal: "Acme: no", "Acme — no". */
const LEADS_OVER = new Set([':', '—', '-', '?', '→', '='])
/** "make sure banks are not in there" */
const LEADS_IN = new Set('sure ensure remember dass check note careful'.split(' '))
const OPENS = new Set(['break', 'comma', 'conjunction', 'gap', 'correction', 'list', 'negator'])

/** "Tesco, Asda and Morrisons need to be out": the list that ends before the exclusion, the last first. */
export function listBefore(chunks: readonly Chunk[], mentions: readonly Mention[], at: number): Mention[] {
  const found: Mention[] = []
  let from = at
  let joined = false
  for (let index = lastBefore(mentions, at); index >= 0; index--) {
    const mention = mentions[index]!
    if (mention.dropped) continue
    if (mention.last >= from) {
      // Read from the same words as the one before.
      found.push(mention)
      continue
    }
    const between = chunks.slice(Math.max(mention.last + 1, from - FAR), from)
    if (from - mention.last > FAR || between.some(chunk => chunk.kind === 'break' && !isBracket(chunk))) break
    // "under 60 people (religious ones excluded)": the bracket has its own noun.
    const bracket = found.length === 0 ? between.findIndex(chunk => chunk.word === '(') : -1
    if (bracket >= 0 && between.slice(bracket + 1).some(chunk => chunk.kind === 'word' && !chunk.small)) break
    if (found.length > 0) {
      if (familyOf(mention) !== familyOf(found[0]!) || !between.every(chunk => isSeparator(chunk) || chunk.small)) break
      const conjunction = between.some(chunk => chunk.kind === 'conjunction' || chunk.kind === 'list')
      if (!conjunction && !joined && mention.kind !== 'company') break
      // "banks only, Acme and Globex are customers": behind a comma names begin a list of their own.
      if (!conjunction && (mention.kind === 'company') !== (found.at(-1)!.kind === 'company')) break
      // "CFOs in Poland, Spain and Portugal excluded": where people are asked for stays, or nothing would be left.
      if (!conjunction && mention.kind === 'place' && placesPeople(chunks, mentions, index)) break
      // "…, Miami is taken": what it lies in is wanted.
      if (found.some(other => other.place && mention.place && placeWithin(other.place, mention.place))) break
      joined ||= conjunction
    } else if (between.some(chunk => chunk.kind === 'comma') || between.filter(chunk => chunk.kind === 'word' && !chunk.small).length > 3)
      break
    found.push(mention)
    from = mention.first
  }
  return found
}
/** Whether the place of a mention is where the people right before it are: "CFOs in Poland". */
function placesPeople(chunks: readonly Chunk[], mentions: readonly Mention[], index: number): boolean {
  const { first } = mentions[index]!
  const sentence = chunks[first]!.sentence
  // "in Spain and Portugal": the preposition stands before the first of them.
  let opener = first - 1
  while (first - opener < FAR && (chunks[opener]?.kind === 'conjunction' || chunks[opener]?.kind === 'place')) opener--
  const preposition = chunks[opener]
  if (preposition?.kind !== 'word' || !IN.has(preposition.word)) return false
  for (let before = index - 1; before >= 0 && chunks[mentions[before]!.first]!.sentence === sentence; before--)
    if (familyOf(mentions[before]!) === 'person') return true
  return false
}
const IN = new Set('in from across en a au aux dans aus im de'.split(' '))

/** What is refused stands at most this far from its refusal, or from the next of its list. */
const FAR = 12

const isBracket = (chunk: Chunk): boolean => chunk.word === '(' || chunk.word === ')'

/** The last mention that ends before a chunk: mentions stand in the order of the text. */
const lastBefore = (mentions: readonly Mention[], at: number): number =>
  firstIndex(mentions.length, index => mentions[index]!.first >= at) - 1

/** "hospitals …, government hospitals excluded": of a noun that is wanted, what is said of it is refused. */
export function refuseList(mentions: readonly Mention[], list: readonly Mention[]): void {
  for (const mention of list) mention.negated = true
  const first = list.at(-1)
  const said =
    first &&
    [1, 2]
      .map(back => mentions[lastBefore(mentions, first.first) - back + 1])
      .find(other => other?.last === first.first - 1 && !other.negated && familyOf(other) === 'thing')
  if (!said) return
  const isWanted = mentions.some(other => other !== first && !other.negated && other.kind === first.kind && other.value === first.value)
  if (isWanted) said.negated = true
  if (isWanted) first.dropped = true
  else said.dropped = true
}

const LIKEWISE = wordSet('polarity.txt', 'likewise')

/** "Cemex excluded, as is Holcim", "same goes for Holcim": what such words put before a list is done with it as with the one before. */
function refuseBehindLikewise(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const words = chunks.map(chunk => chunk.word)
  for (let at = 1; at < chunks.length; at++) {
    const phrase = chunks[at]!.kind === 'word' ? LIKEWISE_BEFORE.longest(words, at) : undefined
    if (!phrase || !['comma', 'break', 'conjunction', 'gap'].includes(chunks[at - 1]!.kind)) continue
    const index = lastBefore(mentions, at)
    if (!mentions[index]?.negated) continue
    let last = at + phrase.length
    for (const mention of mentions.slice(index + 1)) {
      if (chunks.slice(last, mention.first).some(chunk => !isSeparator(chunk) && !chunk.small)) break
      mention.negated = true
      last = mention.last + 1
    }
  }
}

/** "Cemex excluded, Holcim too": what a clause of a few words adds to a refusal is refused. */
export function refuseLikewise(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  refuseBehindLikewise(chunks, mentions)
  for (const [at, chunk] of chunks.entries()) {
    const next = chunks[at + 1]
    if (chunk.kind !== 'word' || !LIKEWISE.has(chunk.word) || (next && next.kind !== 'break' && next.kind !== 'comma')) continue
    const list = listBefore(chunks, mentions, at)
    const first = list.at(-1)
    if (!first || list.some(mention => mention.negated) || !opensClause(chunks, first.first)) continue
    const before = mentions[lastBefore(mentions, first.first)]
    const between = chunks.slice((before?.last ?? 0) + 1, first.first)
    const refuses = before?.negated && before.kind === first.kind && between.length <= 6
    if (refuses) for (const mention of list) mention.negated = true
  }
}

/**
 * "CTOs at firms whose projects are on hold": a relative, or another noun than the list's own, is what the refusal speaks of,
 * and who has it is wanted.
 */
export function tellsOf(chunks: readonly Chunk[], list: readonly Mention[], at: number): boolean {
  const last = list.length > 0 ? Math.max(...list.map(mention => mention.last)) : at
  // "charities in London not included in the index": where the clause goes on, its subject must begin it.
  const next = chunks[at + 1]
  const goesOn = next?.kind === 'word' && !CLOSINGS.has(next.word) && list.length > 0
  if (goesOn && !opensClause(chunks, list.at(-1)!.first)) return true
  for (let from = at - 1; from >= 0 && at - from < FAR; from--) {
    const { kind, word, companyNoun } = chunks[from]!
    if (OWNERS.has(word) || (companyNoun && from > last + 1)) return true
    // "leads in London with projects parked", but "with banks removed"
    if (WITH.has(word) && (from > last || list.every(mention => mention.kind === 'keyword'))) return true
    if (kind === 'break' || kind === 'gap' || kind === 'comma') return false
  }
  return false
}
const CLOSINGS = new Set('please pls bitte though tho too here'.split(' '))
const WITH = new Set('with mit avec con'.split(' '))
const OWNERS = new Set('who which that whose where if when qui dont cuyo cuya cuyos cuyas donde deren dessen denen wenn'.split(' '))

/** Where what a refusal answers ends: before the mark in "Acme: no", else before the refusal itself. */
export function answeredBefore(chunks: readonly Chunk[], at: number): number {
  const before = chunks[at - 1]
  return before?.kind === 'break' && LEADS_OVER.has(before.word) ? at - 1 : at
}

/**
 * A negation with nothing behind it that it could refuse, at the end of a clause that begins with a list: "Acme and Globex
 * are not for us". What is said of the list must be known to refuse it; of companies anything may be said.
 */
export function refusedSubject(chunks: readonly Chunk[], mentions: readonly Mention[], at: number): Mention[] {
  const list = listBefore(chunks, mentions, answeredBefore(chunks, at))
  const first = list.at(-1)
  if (!first || !opensClause(chunks, first.first)) return []
  const last = Math.max(...list.map(mention => mention.last))
  // "museums with under 20,000 visitors don't fit": no filter says which of them.
  if (chunks.slice(last + 1, at).some(chunk => RELATIVES_BEFORE_A_REFUSAL.has(chunk.word) || chunk.bound)) return []
  const said = saidBehind(chunks, at)
  const refuses =
    said.length === 0 || said.some(chunk => PREDICATES.has(chunk.word) || chunk.word.split(' ').some(word => PREDICATES.has(word)))
  // "banks have no budget": a verb of theirs leads over to the negation.
  const direct = last + 1 < at && chunks.slice(last + 1, at).every(chunk => chunk.kind === 'word')
  if (refuses || direct || list.every(mention => mention.kind === 'company')) return list
  // "banks don't convert", beside a wish for somebody: what that means for the wish nobody knows.
  const isWished = mentions.some(
    other => familyOf(other) === 'person' && !other.negated && !list.includes(other) && (other.last < first.first || other.first > at),
  )
  // "…, so leave them out" says it.
  const isRefused = chunks.slice(at).some(chunk => chunk.kind === 'refusal' && chunk.sentence === chunks[at]!.sentence)
  if (isWished && !isRefused && last + 1 === at && familyOf(first) !== 'measure' && said.every(isUnread))
    for (const mention of list) mention.unsayable = true
  return []
}

/** Whether only small words stand between a chunk and the beginning of its clause. */
export function opensClause(chunks: readonly Chunk[], from: number): boolean {
  let at = from - 1
  while (
    at >= 0 &&
    from - at < 8 &&
    chunks[at]!.kind === 'word' &&
    (chunks[at]!.small ||
      chunks[at]!.idle ||
      LEADS_IN.has(chunks[at]!.word) ||
      (chunks[at]!.used && !chunks[at]!.role && chunks[at]!.entry?.industry))
  )
    at--
  return at < 0 || OPENS.has(chunks[at]!.kind)
}

/** The words behind a negation, as far as its clause goes. */
function saidBehind(chunks: readonly Chunk[], at: number): Chunk[] {
  const said: Chunk[] = []
  for (let next = at + 1; next < chunks.length && next < at + 8; next++) {
    const chunk = chunks[next]!
    if (chunk.kind === 'break' || chunk.kind === 'comma') break
    if (chunk.kind === 'word' && (!chunk.small || PREDICATES.has(chunk.word))) said.push(chunk)
  }
  return said
}

/** "We work with Bosch, skip them": companies of this sentence or the one before; without any, what it names last. */
export function namedBefore(chunks: readonly Chunk[], mentions: readonly Mention[], at: number): Mention[] {
  const isRefusal = chunks[at]!.kind === 'refusal'
  for (const sentence of [chunks[at]!.sentence, chunks[at]!.sentence - 1]) {
    const said: Mention[] = []
    for (let index = lastBefore(mentions, at); index >= 0 && chunks[mentions[index]!.first]!.sentence >= sentence; index--)
      if (chunks[mentions[index]!.first]!.sentence === sentence && !mentions[index]!.dropped) said.unshift(mentions[index]!)
    const companies = said.filter(mention => mention.kind === 'company')
    if (companies.length > 0) return companies
    // "Duplicates? Drop them.": its own sentence has the noun that it speaks of.
    const hasNoun = sentence < chunks[at]!.sentence && namesUnread(chunks, at)
    const last = sentence === chunks[at]!.sentence || (isRefusal && !hasNoun) ? said.at(-1) : undefined
    // Only the list that was named last: what the brief asks for may stand in the same sentence.
    if (!last || familyOf(last) === 'measure') continue
    const list = listBefore(chunks, mentions, last.last + 1)
    // "les écoles vétérinaires, on oublie": a role right behind its noun only says of what kind that is.
    const noun = last.kind === 'title' ? said.find(mention => familyOf(mention) === 'thing' && mention.last === last.first - 1) : undefined
    if (!noun) return list
    last.dropped = true
    return [noun]
  }
  return []
}

/** Whether a noun that nobody could read stands before a chunk in its sentence. */
function namesUnread(chunks: readonly Chunk[], at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back < FAR && chunks[back]!.sentence === chunks[at]!.sentence; back--)
    if (isUnread(chunks[back]!) || chunks[back]!.wish || (chunks[back]!.kind === 'gap' && /\p{L}/u.test(chunks[back]!.word))) return true
  return false
}

export const isUnread = (chunk: Chunk | undefined): boolean => chunk?.kind === 'word' && !chunk.small && !chunk.used && !chunk.idle
