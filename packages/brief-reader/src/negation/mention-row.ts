import { placeWithin } from '../../../lead-terms/src/index.ts'
import { isSeparator } from '../mentions/titles.ts'
import type { Chunk, Mention, MentionKind } from '../model.ts'
import { wordMap, wordSet } from '../vocabulary/word-files.ts'
import { type Asides, findAsides } from './asides.ts'

/**
 * The brief as a row of nodes, made once: each is what was read from the same words. Lists, clauses and what a pronoun points to are
 * found by walking along this row, and cues (negation.ts) give whole lists their sign.
 */

/** The possible members of a list: people, places, things that companies are or have, numbers. */
export type Family = 'person' | 'place' | 'thing' | 'measure'

const FAMILIES: Partial<Record<MentionKind, Family>> = {
  title: 'person',
  level: 'person',
  department: 'person',
  place: 'place',
  headquarters: 'place',
  employees: 'measure',
  revenue: 'measure',
  fundingTotal: 'measure',
  founded: 'measure',
}
export const familyOf = (mention: Mention): Family => FAMILIES[mention.kind] ?? 'thing'

export interface Node {
  /** Chunk positions, inclusive. */
  first: number
  last: number
  mentions: Mention[]
  kind: MentionKind
  family: Family
}

export interface Row {
  chunks: readonly Chunk[]
  mentions: readonly Mention[]
  /** Those that are titles: each refused trade of a hostile text would look through all mentions for them. */
  titles: readonly Mention[]
  nodes: readonly Node[]
  /** The node that begins at a chunk. */
  at: ReadonlyMap<number, Node>
  asides: Asides
  /** The lists that pronouns point to, by their last chunk: each "skip them" of a hostile text would walk the whole list again. */
  lists: Map<string, Node[]>
}

/**
 * The reach of a cue after it:
 *   "no A", "not A or B"        a short one: its noun phrase and what is joined to it
 *   "except A, B and C"         a strong one: its whole list
 *   "NOT (A OR B)", "Exclude: A" everything in the bracket or on the line
 */
export interface Scope {
  /** The chunk that opened it. */
  opener: number
  /** A whole list, as against a noun phrase. */
  strong: boolean
  /** Named only to be replaced: dropped, not excluded. */
  instead?: boolean
  replaces?: boolean
  /** Neither asked for nor refused. */
  indifferent?: boolean
  /** Up to this chunk everything is reached, whatever is between. */
  until?: number | undefined
  /** It named examples: a list continues over more of their kind. */
  examples?: MentionKind
  /** Its noun was read by no one, and the comma after it was passed. */
  missed?: boolean
  /** The last node that it reached. */
  reached?: Node
  /** Bare nouns after a comma that may belong to its list: they are decided when all cues are read (listed-nouns.ts). */
  listed?: Node[]
  /** The chunk where its list continues after an aside. */
  resumes?: number | undefined
}

export function buildRow(chunks: readonly Chunk[], mentions: readonly Mention[]): Row {
  const at = new Map<number, Node>()
  let shared: Node | undefined
  for (const mention of mentions) {
    const { first, last, kind } = mention
    // "assistant or regional sales managers": titles that share their noun are one of a list.
    const node = at.get(first) ?? (kind === 'title' && shared?.kind === 'title' && shared.last === last ? shared : undefined)
    if (node) {
      node.mentions.push(mention)
      node.last = Math.max(node.last, last)
    } else {
      shared = { first, last, kind, mentions: [mention], family: familyOf(mention) }
      at.set(first, shared)
    }
  }
  const titles = mentions.filter(({ kind }) => kind === 'title')
  return { chunks, mentions, titles, nodes: [...at.values()], at, asides: findAsides(chunks, at), lists: new Map() }
}

/** Nothing that is refused stands further away from its refusal, or from the next of its list, than this. */
export const FAR = 12
export const IN_PLACES = wordSet('negation.txt', 'in places')

/** Whether a place is a part of one that is asked for before the opener. */
export const liesInWish = ({ nodes }: Row, opener: number, { mentions: [inner] }: Node): boolean =>
  nodes.some(node => {
    const outer = node.mentions[0]!
    return node.first < opener && isWished(node) && !!outer.place && !!inner?.place && placeWithin(inner.place, outer.place)
  })

export function lastBefore({ nodes }: Row, at: number): number {
  let [low, high] = [0, nodes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (nodes[middle]!.first >= at) high = middle
    else low = middle + 1
  }
  return low - 1
}
/** "Series A companies", "outsourcing outfits": the noun after what was read belongs to it. */
export function endOfItem(chunks: readonly Chunk[], last: number): number {
  const noun = chunks[last + 1]
  return noun?.kind === 'word' && !noun.used && (noun.companyNoun || noun.peopleNoun) ? last + 1 : last
}
export const isUnread = (chunk: Chunk | undefined): boolean => chunk?.kind === 'word' && !chunk.small && !chunk.used && !chunk.idle
export const isLive = ({ mentions }: Node): boolean => mentions.some(mention => !mention.dropped)
export const isRefused = ({ mentions }: Node): boolean => mentions.some(mention => mention.negated)
export const isWished = ({ mentions }: Node): boolean =>
  mentions.some(({ negated, dropped, unsayable }) => !(negated || dropped || unsayable))
/** Whether a person is asked for outside of a stretch of chunks. */
export const asksElsewhere = ({ nodes }: Row, from: number, to: number): boolean =>
  nodes.some(node => node.family === 'person' && (node.last < from || node.first > to) && isWished(node))

/** Between what is refused and the refusal: "Acme: no", "Acme — no". */
export const LEADS_OVER = new Set([':', '—', '-', '?', '→', '='])

/**
 * The list that ends before a chunk, the last first: "Tesco, Asda and Morrisons" before "need to be out". With "none of those" the
 * whole list is meant.
 */
export function listBefore(row: Row, at: number, isWhole = false): Node[] {
  const { chunks, nodes, asides } = row
  const found: Node[] = []
  let from = at
  let joined = false
  for (let index = lastBefore(row, at); index >= 0; index--) {
    const node = nodes[index]!
    if (!isLive(node) || (found.length > 0 && asides.within.has(node.first))) continue
    const start = (found.length > 0 && asides.ends.get(node.last + 1)) || node.last + 1
    const between = chunks.slice(Math.max(start, from - FAR), from)
    if (from - start > FAR || between.some(chunk => chunk.kind === 'break' && chunk.word !== '(' && chunk.word !== ')')) break
    const [next] = found.slice(-1)
    if (!next) {
      // "under 60 people (religious ones excluded)": the bracket has its own noun.
      const bracket = between.findIndex(chunk => chunk.word === '(')
      const nouns = between.slice(Math.max(0, bracket)).filter(chunk => chunk.kind === 'word' && !chunk.small).length
      if (nouns > (bracket < 0 ? 3 : 0) || between.some(chunk => chunk.kind === 'comma')) break
    } else {
      const joins = between.some(chunk => chunk.kind === 'conjunction' || chunk.kind === 'list')
      // "Spain in, France out", "CFOs at German companies and French firms are out": a word after the left side is said of it alone.
      const joint = opensClause(row, node.first) ? chunks.slice(Math.max(start, endOfItem(chunks, node.last) + 1), from) : between
      if (!isSeparator(joint[0]) || !joint.every(chunk => isSeparator(chunk) || chunk.small)) break
      // "Banks, insurers, telcos: no": a mark answers the whole list that opens its sentence, of any kinds where others are asked for.
      const isAnswered =
        isWhole || LEADS_OVER.has(chunks[at]?.word ?? '')
          ? opensSentence(row, index) && (node.kind === next.kind || asksElsewhere(row, node.first, at))
          : // "Recruiters, interns are out." next to a wish: a sentence of nothing but people, or nothing but places.
            REFUSES.has(chunks[chunks[at]?.kind === 'comma' ? at + 1 : at]?.kind ?? 'word') &&
            opensSentence(row, index, next.family) &&
            asksElsewhere(row, node.first, at)
      if (node.family !== found[0]!.family && !isAnswered && !((joins || joined) && opensSentence(row, index))) break
      if (!joins && !joined && node.kind !== 'company' && !isAnswered) break
      // "CFOs in Poland, Spain and Portugal excluded", "CFOs at hotels, spas and zoos are out": where people are asked for stays.
      if (!joins && placesPeople(row, index)) break
      joined ||= joins
    }
    found.push(node)
    from = node.first
  }
  return found
}

const REFUSES: ReadonlySet<Chunk['kind']> = new Set(['excluded', 'negator', 'refusal'])

const AT = new Set('at bei chez'.split(' '))
/** Whether a node says where the people right before it are: "CFOs in Poland", "CFOs at hotels". */
function placesPeople({ chunks, nodes }: Row, index: number): boolean {
  const { first } = nodes[index]!
  // "in Spain and Portugal": the preposition comes before the first of them.
  let opener = first - 1
  while (first - opener < FAR && (chunks[opener]?.kind === 'conjunction' || chunks[opener]?.kind === 'place')) opener--
  if (chunks[opener]?.kind !== 'word' || !(IN_PLACES.has(chunks[opener]!.word) || AT.has(chunks[opener]!.word))) return false
  for (let before = index - 1; before >= 0 && chunks[nodes[before]!.first]!.sentence === chunks[first]!.sentence; before--)
    if (nodes[before]!.family === 'person') return true
  return false
}

/** "Banks, insurers and brokers are …": nothing but a list, or one of a family, is between a node and the beginning of its sentence. */
export function opensSentence({ chunks, nodes }: Row, index: number, family?: Family): boolean {
  for (let at = index; at >= 0 && index - at < FAR && nodes[at]!.family === (family ?? nodes[at]!.family); at--) {
    let before = nodes[at]!.first - 1
    while (before >= 0 && (isSeparator(chunks[before]) || chunks[before]!.small) && nodes[at]!.first - before < 4) before--
    if (before < 0 || chunks[before]!.kind === 'break') return true
    const previous = nodes[at - 1]
    if (!previous || before !== endOfItem(chunks, previous.last) || !chunks.slice(before, nodes[at]!.first).some(isSeparator)) return false
  }
  return false
}

/** The list that begins at a node. */
export function listFrom({ chunks, at: nodeAt }: Row, node: Node): Node[] {
  const list: Node[] = []
  for (let next: Node | undefined = node; next && list.length < 20; ) {
    list.push(next)
    let at = next.last + 1
    while (isSeparator(chunks[at]) || (chunks[at]?.small && isSeparator(chunks[at - 1]))) at++
    next = nodeAt.get(at)
  }
  return list
}

const OPENS: ReadonlySet<Chunk['kind']> = new Set(['break', 'comma', 'conjunction', 'gap', 'correction', 'list', 'negator'])
/** "make sure banks are not in there" */
export const LEADS_IN = wordSet('negation.txt', 'leads in')

/** Whether only small words are between a chunk and the beginning of its clause. */
export function opensClause({ chunks }: Row, from: number): boolean {
  let at = from - 1
  for (; at >= 0 && from - at < 8; at--) {
    const { kind, small, idle, word, used, role, entry } = chunks[at]!
    if (kind !== 'word' || !(small || idle || LEADS_IN.has(word) || (used && !role && entry?.industry))) break
  }
  return at < 0 || OPENS.has(chunks[at]!.kind)
}

function listOnce(row: Row, at: number, isWhole: boolean): Node[] {
  const key = `${at} ${isWhole}`
  const list = row.lists.get(key) ?? listBefore(row, at, isWhole)
  row.lists.set(key, list)
  return list.filter(isLive)
}

/** The targets of a pronoun: companies of its sentence or the one before; without any, the list that was named last. */
export function namedBefore(row: Row, at: number): Node[] {
  const { chunks, nodes } = row
  const { kind: cue, sentence, word } = chunks[at]!
  for (const each of [sentence, sentence - 1]) {
    const said: Node[] = []
    for (let index = lastBefore(row, at); index >= 0 && chunks[nodes[index]!.first]!.sentence >= each; index--)
      if (chunks[nodes[index]!.first]!.sentence === each && isLive(nodes[index]!)) said.push(nodes[index]!)
    said.reverse()
    // "exclude both levels": its noun says which of them.
    const kind = NOUNS.get(word.split(' ').at(-1)!)
    const meant = said.filter(node => (kind ? node.mentions.some(mention => mention.kind === kind) : node.kind === 'company'))
    if (meant.length > 0) return meant
    // "Duplicates? Drop them.": its own sentence has the noun that it speaks of.
    const last = each === sentence || (cue === 'refusal' && !namesUnread(chunks, at)) ? said.at(-1) : undefined
    // "over 1000 staff, please not": an answer after its comma means a number, too; a pronoun does not.
    if (last?.family === 'measure' && cue === 'excluded' && chunks[at - 1]!.kind === 'comma' && at - last.last <= 3) return [last]
    // The wish may be in the same sentence.
    if (!last || last.family === 'measure') continue
    const subject = each === sentence ? subjectOf(row, said) : []
    if (subject.length > 0) return subject
    // "les écoles vétérinaires, on oublie": a role right after its noun only says of what kind that is.
    const noun = last.kind === 'title' ? said.find(node => node.family === 'thing' && node.last === last.first - 1) : undefined
    if (!noun) return listOnce(row, last.last + 1, SEVERAL.test(chunks[at]!.word))
    for (const mention of last.mentions) mention.dropped = true
    return [noun]
  }
  return []
}

/** "…, Paris already has a distributor so leave it out": what the clause is about, where it says more. That is reported. */
function subjectOf(row: Row, said: readonly Node[]): Node[] {
  const { chunks, at: nodeAt } = row
  const latest = said.at(-1)!.first
  let from = latest
  while (from > 0 && latest - from < FAR && !['comma', 'break'].includes(chunks[from - 1]!.kind)) from--
  while (chunks[from]!.small && !nodeAt.has(from)) from++
  const list = nodeAt.has(from) ? listFrom(row, nodeAt.get(from)!) : []
  const { last } = list.at(-1) ?? said.at(-1)!
  const told = said.filter(node => node.first > last)
  if (!told[0] || !chunks.slice(last + 1, told[0].first).some(chunk => (VERBS.has(chunk.word) && chunk.word !== 'a') || isUnread(chunk)))
    return []
  for (const { mentions } of told) for (const mention of mentions) mention.unsayable = true
  return list
}
const VERBS = new Set('is are has have ist sind hat haben est sont a ont es son tiene tienen'.split(' '))

const NOUNS = wordMap('negation.txt', 'nouns of kinds', value => value as MentionKind)
const SEVERAL = /\b(?:none|nothing|all|those|these|them|davon|dergleichen|diese|rien|aucune?|ceux|celles|nada|ningun[oa]|es[oa]s)\b/

/** Whether a noun that no one could read comes before a chunk in its sentence. */
function namesUnread(chunks: readonly Chunk[], at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back < FAR && chunks[back]!.sentence === chunks[at]!.sentence; back--)
    if (isUnread(chunks[back]) || chunks[back]!.requirement) return true
  return false
}
