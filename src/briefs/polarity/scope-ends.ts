import { ACQUAINTANCES, PLACE_KINDS, RIVALS } from '../lists.ts'
import { NAMELY } from '../mentions/name-openers.ts'
import { isSeparator } from '../mentions/titles.ts'
import type { Chunk, Mention, MentionKind } from '../model.ts'
import { wordSet } from '../words.ts'
import { isUnread } from './behind.ts'
import { type Family, familyOf } from './families.ts'

/** Where a refusal ends that marks or labels bound: its bracket, its line. */

export const IN = new Set('in en a aus'.split(' '))

export interface Scope {
  /** The chunk that opened it. */
  opener: number
  /** A whole list, as against a noun phrase. */
  strong: boolean
  /** Named only to be replaced: dropped, not excluded. */
  instead: boolean
  /** It named examples: a list goes on over more of their kind. */
  examples?: Mention['kind']
  replaces: boolean
  /** Up to this chunk everything is reached, whatever stands between. */
  until?: number
  /** Its noun was read by nobody, and the comma behind it was passed. */
  missed?: boolean
  /** What it reached last. */
  reached?: Mention[]
  since: number
}

/** "no groups (Siblu, Yelloh)", "no small ones (under 20 staff)": a bracket behind what is refused gives examples, or its size. */
export function extendToBracket(chunks: readonly Chunk[], byStart: ReadonlyMap<number, Mention[]>, at: number, scope: Scope): void {
  if (scope.until !== undefined || at - scope.since > 4) return
  // "no agencies (50+ staff)": beside a noun of its own the number may be the wish's.
  const sizes = !scope.reached || scope.reached.every(({ kind, dropped, first }) => kind === 'size' || dropped || chunks[first - 1]?.idle)
  const members = membersOf(chunks, at, scope)
  let end = at + 1
  let named = false
  for (; end < chunks.length && end < at + 20 && chunks[end]!.word !== ')'; end++) {
    const found = byStart.get(end)
    if (found?.some(mention => !members.has(mention.kind) && !(familyOf(mention) === 'measure' && sizes))) return
    named ||= found?.some(mention => mention.kind !== 'technology') ?? false
  }
  if (named && chunks[end]?.word === ')') scope.until = end
}

/** "without the Big Four: PwC, EY", "no majors — Shell and BP", "skip FAANG, i.e. Google": who a refused group is, up to the last name. */
export function extendToList(chunks: readonly Chunk[], byStart: ReadonlyMap<number, Mention[]>, at: number, scope: Scope): void {
  const mark = chunks[at]!.word
  if (scope.until !== undefined || at - scope.opener > MOST_BEFORE_LIST || !INTRODUCES.has(mark)) return
  const namely = NAMELY.longest(
    chunks.slice(at + 1, at + 5).map(chunk => chunk.word),
    0,
  )
  if (mark === ',' && !namely) return
  // "no juniors: Acme staff": no company is one of them.
  if (scope.reached?.some(mention => familyOf(mention) === 'person')) return
  let next = at + 1 + (namely?.length ?? 0)
  const listed = membersOf(chunks, at, scope)
  for (; next < chunks.length; next++) {
    const found = byStart.get(next)
    if (found ? !found.every(mention => listed.has(mention.kind)) : !isSeparator(chunks[next]) && !chunks[next]!.small) return
    if (!found) continue
    if (scope.until === undefined && found[0]!.kind === 'technology') return
    next = Math.max(...found.map(mention => mention.last))
    scope.until = next
  }
}
const MOST_BEFORE_LIST = 7
const INTRODUCES = new Set([':', '—', ','])

/** "no big cities: New York", "no groups: Siblu": what the members of a refused group may be; a label ("location:") names none. */
function membersOf(chunks: readonly Chunk[], at: number, scope: Scope): ReadonlySet<MentionKind> {
  const said = chunks.slice(scope.opener + 1, at)
  return said.some(({ kind, word }) => (kind === 'word' || !scope.reached) && PLACE_KINDS.has(word)) ? PLACES : NAMES
}

/** Among companies, the name of a product is its maker's: "(AWS, Google, Microsoft)". */
const NAMES = new Set<MentionKind>(['company', 'technology'])
const PLACES = new Set<MentionKind>(['place', 'headquarters'])

export function endOfBracket(chunks: readonly Chunk[], from: number): number {
  let end = from
  while (end < chunks.length && chunks[end]!.word !== ')') end++
  return end
}

export function endOfLabel(chunks: readonly Chunk[], at: number): number {
  let end = at
  while (chunks[end + 1]?.label === 'exclude') end++
  return end
}

/** "except Acme and its suppliers in Berlin": where others of the refused list are is no place to look. */
export function placesRefused(chunks: readonly Chunk[], reached: readonly Mention[], at: number): boolean {
  const between = chunks.slice(Math.max(...reached.map(mention => mention.last)) + 1, at)
  const noun = between.at(-2)
  if (between[0]?.kind !== 'conjunction' || between.length > 5 || !IN.has(between.at(-1)!.word) || !noun) return false
  return noun.kind === 'word' && (noun.companyNoun || noun.peopleNoun || isRelation(noun.word) || isUnread(noun))
}

/** "except family-owned ones, Spain": what is refused is said by an adjective alone, before the comma. */
export function describedOnly(chunks: readonly Chunk[], { opener }: Scope, at: number, found: readonly Mention[]): boolean {
  if (at - opener > 9 || !found.every(mention => familyOf(mention) === 'place')) return false
  const comma = chunks.slice(opener + 1, at).findIndex(chunk => chunk.kind === 'comma')
  return chunks.slice(opener + 1, opener + 1 + comma).some(chunk => chunk.kind === 'word' && chunk.idle)
}

/** "scratch Spain, Italy and Malta instead": what stands before the last word takes the place of what is taken back. */
export function comesInstead(chunks: readonly Chunk[], at: number): boolean {
  const said = chunks.slice(at, at + 9)
  const end = said.findIndex(({ kind }) => kind === 'break' || kind === 'negator' || kind === 'correction')
  return said[end]?.kind === 'correction' && chunks[at + end + 1]?.kind !== 'word'
}

/** "exclude consultants and anyone at Acme", "… and anything in Alaska": whom or what it names belongs to the list. */
export function joinsAnything(between: readonly Chunk[]): boolean {
  const joint = between.findLastIndex(chunk => chunk.kind === 'conjunction')
  const said = joint < 0 ? [] : between.slice(joint + 1)
  if (said.length < 2 || !said.at(-1)!.small || said.some(chunk => chunk.kind !== 'word' || chunk.used)) return false
  return ANYTHING.has(said[0]!.word) || (said.length === 2 && said[0]!.peopleNoun)
}
const ANYTHING = wordSet('polarity.txt', 'anything')

/** "exclude these companies: A and B": nothing that could be refused stands before the colon. */
export const introduces = (chunks: readonly Chunk[], from: number, to: number): boolean =>
  chunks.slice(from + 1, to).every(({ small, companyNoun, peopleNoun, word }) => small || companyNoun || peopleNoun || isRelation(word))
export const isRelation = (word: string): boolean => RIVALS.has(word) || ACQUAINTANCES.has(word) || word === 'following'

/** "Acme is a competitor", "Acme are already clients": not wanted, without a word of negation. */
export function namesRelation(chunks: readonly Chunk[], verb: number): boolean {
  const said = chunks.slice(verb + 1, verb + 6).map(chunk => chunk.word)
  if (said.some(word => RIVALS.has(word))) return true
  const known = said.slice(0, 4).some(word => ACQUAINTANCES.has(word))
  return known && said.slice(0, 5).some(word => ALREADY.has(word))
}
const ALREADY = new Set('already existing current schon bereits deja ya gia'.split(' '))

export const endsHere = (chunk: Chunk | undefined, but?: string): boolean =>
  chunk === undefined || chunk.kind === 'comma' || (chunk.kind === 'break' && chunk.word !== but)

/** "no A, B or C": a conjunction further on joins another of the family. */
export function listCloses(
  chunks: readonly Chunk[],
  byStart: ReadonlyMap<number, Mention[]>,
  at: number,
  family: Family,
  near = 3,
): boolean {
  for (let position = at; position < chunks.length && position < at + 12; position++) {
    const chunk = chunks[position]!
    if (chunk.kind === 'break' || chunk.kind === 'negator') return false
    if (chunk.kind !== 'conjunction') continue
    for (let next = position + 1; next <= position + near; next++)
      if (byStart.get(next)?.some(mention => familyOf(mention) === family)) return true
    return false
  }
  return false
}

/** Whether the list of a refusal goes on over places to its end, where a place is wanted before it. */
export function placesGoOn(
  chunks: readonly Chunk[],
  byStart: ReadonlyMap<number, Mention[]>,
  { opener }: Scope,
  at: number,
  found: readonly Mention[],
): boolean {
  const isPlace = (mention: Mention) => familyOf(mention) === 'place'
  if (!found.every(isPlace) || !listCloses(chunks, byStart, at, 'place', 1)) return false
  let last = at
  while (chunks[last + 1] && (isSeparator(chunks[last + 1]) || byStart.get(last + 1)?.every(isPlace))) last++
  if (!endsHere(chunks[last + 1])) return false
  for (let before = opener - 1; before >= 0 && opener - before < FAR_BEFORE; before--) if (byStart.get(before)?.every(isPlace)) return true
  return false
}
const FAR_BEFORE = 12
