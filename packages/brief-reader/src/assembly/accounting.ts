import type { Chunk, Mention, Requirement, Segments, Source } from '../model.ts'
import { asksForPeople, namesSomebody } from '../segments/sender-offer.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { GENERIC_NOUNS } from '../vocabulary/word-lists.ts'

/**
 * The destination of every word of a brief: into a filter, into what was read as context, or into what could not be read. Small words
 * of the grammar carry no wish of their own; no other word is lost.
 */
export interface Account {
  /** Stretches that speak of the sender, greet, tell the past, or were canceled. */
  context: string[]
  /** Words that asked for something which became no filter, and orders to the machine. */
  unmatched: string[]
}

type Place = 'filter' | 'context' | 'grammar' | 'unmatched'

/** No one reads more stretches than this; the account says that there are more. */
const MOST_STRETCHES = 100

export function account(
  source: Source,
  chunks: readonly Chunk[],
  mentions: readonly Mention[],
  requirements: readonly Requirement[],
  segments: Segments,
  quote: (first: number, last: number) => string,
): Account {
  const asks = mentions.some(({ kind, negated, dropped }) => PEOPLE.has(kind) && !negated && !dropped)
  const asksAtAll = asks || mentions.some(({ kind, negated, dropped }) => COMPANIES.has(kind) && !negated && !dropped)
  const aboutSomebody = asksAtAll ? undefined : clausesAboutSomebody(source, segments)
  const places: Place[] = source.items.map(({ kind }, at) => {
    if (kind === 'mark') return 'grammar'
    const segment = segments.of[at]!
    if (segment === 'label') return 'grammar'
    // If no one is asked for, the people whom the sender names may be meant.
    if (segment === 'sender' && !asks && asksForPeople(source.words[at]!)) return 'unmatched'
    if (aboutSomebody?.[at]) return 'unmatched'
    // An order to the machine may be what the brief asks for: the reader of the result must see that it was not followed.
    return segment === 'wish' || segment === 'machine' ? 'unmatched' : 'context'
  })
  for (const [at, chunk] of chunks.entries()) if (isGrammar(chunks, at)) fill(places, chunk.first, chunk.last, 'grammar')
  for (const chunk of chunks) if (chunk.cue?.delegated) fill(places, chunk.first, chunk.last, 'context')
  for (const [at, chunk] of chunks.entries()) if (chunk.unanswered) reportRefusal(places, chunks, at)
  for (const mention of mentions) if (mention.dropped) fillMention(places, chunks, mention, 'context')
  for (const mention of mentions) if (!mention.dropped) fillMention(places, chunks, mention, mention.unsayable ? 'unmatched' : 'filter')
  for (const { radius } of mentions) if (radius) fill(places, radius.first, radius.last, 'filter')
  for (const requirement of requirements)
    fill(places, requirement.first, requirement.last, requirement.field === 'none' ? 'context' : 'filter')
  reportUnheard(places, source, segments)
  return { context: stretches(places, source, 'context', quote), unmatched: stretches(places, source, 'unmatched', quote) }
}

const PEOPLE: ReadonlySet<Mention['kind']> = new Set(['title', 'level', 'department'])
const COMPANIES: ReadonlySet<Mention['kind']> = new Set(['industry', 'company', 'keyword', 'technology'])

/** The clauses of the sender that name people or a trade: each item of such a clause is marked. */
function clausesAboutSomebody({ words, items }: Source, { of }: Segments): Uint8Array {
  const found = new Uint8Array(words.length)
  for (let from = 0, to = 0; from < words.length; from = to + 1) {
    to = from
    while (to < words.length && of[to] === 'sender' && items[to]!.kind !== 'mark') to++
    if (namesSomebody(words, from, to)) found.fill(1, from, to)
  }
  return found
}
const TELLING = wordSet('small.txt', 'telling small words')
const NOT_ONLY = /(?:only|just|merely|solely|simply|nur|bloss|allein|seulement|uniquement|juste|solo|solamente|unicamente|alleen|apenas)$/

/** Small words, conjunctions, negations; nouns for people and companies, which every filter is about. */
function isGrammar(chunks: readonly Chunk[], at: number): boolean {
  const { kind, word, small, companyNoun, peopleNoun, cue } = chunks[at]!
  // "not just Paris": nothing is negated, and nothing more is said.
  if (kind === 'gap') return cue?.nothing === true && NOT_ONLY.test(word)
  if (kind !== 'word') return !['place', 'name', 'domain'].includes(kind)
  if (small) return !TELLING.has(word)
  // "hotel chains" are hotels; "chains in Ohio" and "vertical farming" say something that no one has read.
  return (companyNoun || peopleNoun) && (GENERIC_NOUNS.has(word) || heads(chunks, at))
}

/**
 * Whether a noun has next to it what says which ones it means: before it a thing that was read or is reported itself, after
 * it one that is joined to it ("cadenas de supermercados", "groupes agroalimentaires").
 */
function heads(chunks: readonly Chunk[], at: number): boolean {
  const [before, next] = [chunks[at - 1], chunks[at + 1]]
  const isPlural = /(?:s|en)$/.test(chunks[at]!.word)
  // "series A chain startups": before another noun it says of what kind that is.
  if (!isPlural && next?.kind === 'word' && (next.companyNoun || next.used)) return false
  const isTopic = before?.unknown || (before?.used && !before.entry)
  if (before?.kind === 'name' || (before?.kind === 'word' && (isTopic || namesThing(before)))) return true
  const joined = next?.small && OF.has(next.word) ? chunks[at + 2] : isPlural ? next : undefined
  return joined !== undefined && namesThing(joined)
}
const namesThing = ({ kind, used, entry }: Chunk): boolean =>
  kind === 'word' && used === true && (entry?.industry ?? entry?.technology ?? entry?.keyword) !== undefined
const OF = new Set('of de d des du von fur for'.split(' '))

/** "no chains": a negation that refused nothing is reported with its noun, though its words are words of the grammar. */
function reportRefusal(places: Place[], chunks: readonly Chunk[], at: number): void {
  let last = at
  for (let next = at + 1; next < chunks.length && next <= at + LONGEST_REFUSAL; next++) {
    const { kind, small } = chunks[next]!
    if (kind !== 'word' && kind !== 'gap') break
    if (!small) last = next
  }
  if (last > at) fill(places, chunks[at]!.first, chunks[last]!.last, 'unmatched')
}
const LONGEST_REFUSAL = 6

/** "Acme should be left out since we know them": a refusal of which nothing became is no mere context, no matter who speaks. */
function reportUnheard(places: Place[], { words, items }: Source, { of }: Segments): void {
  for (let from = 0, to = 0; from < words.length; from = to + 1) {
    to = from
    while (to < words.length && items[to]!.kind !== 'mark') to++
    const isSender = of.slice(from, to).includes('sender')
    if (!isSender || places.slice(from, to).includes('filter') || !REFUSALS.isWithin(words, from, to)) continue
    for (let at = from; at < to; at++) if (places[at] === 'context') places[at] = 'unmatched'
  }
}
const REFUSALS = phraseSet('negation.txt', 'plain refusals')

function fill(places: Place[], first: number, last: number, place: Place): void {
  for (let at = first; at <= last; at++) places[at] = place
}

const fillMention = (places: Place[], chunks: readonly Chunk[], mention: Mention, place: Place): void =>
  fill(places, chunks[mention.first]!.first, chunks[mention.last]!.last, place)

/** Neighbors of one place are one stretch; small words between them belong to it, marks end it. */
function stretches(places: readonly Place[], { items }: Source, wanted: Place, quote: (first: number, last: number) => string): string[] {
  const found = new Set<string>()
  let more = 0
  for (let at = 0; at < places.length; at++) {
    if (places[at] !== wanted) continue
    let last = at
    for (let next = at + 1; next < places.length && items[next]!.kind !== 'mark'; next++) {
      if (places[next] === wanted) last = next
      else if (places[next] !== 'grammar') break
    }
    const text = quote(at, last)
    if (found.size < MOST_STRETCHES) found.add(text)
    else if (!found.has(text)) more++
    at = last
  }
  return more === 0 ? [...found] : [...found, `… and ${more} more`]
}
