import { isSeparator, TRADES } from '../mentions/titles.ts'
import type { Chunk, MentionKind } from '../model.ts'
import { entryOf } from '../vocabulary/lexicon.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { CLOSING_WORDS } from '../vocabulary/word-lists.ts'
import {
  asksElsewhere,
  endOfItem,
  FAR,
  isLive,
  isUnread,
  isWished,
  lastBefore,
  liesInWish,
  type Node,
  opensSentence,
  type Row,
  type Scope,
} from './mention-row.ts'

/**
 * A refused list may name groups of different kinds: "no recruiters, agencies, banks". It continues over bare nouns to the end of its
 * clause, and ends before a noun with words of its own ("SaaS founders in Berlin"), a place, a number or a product. What is listed so
 * is decided when all cues are read, because the same words may be the wish of a brief that asks for no one else.
 */

const ADDS = wordSet('negation.txt', 'adds')
const ARTICLES = wordSet('negation.txt', 'articles')
const CLOSING_PHRASES = phraseSet('negation.txt', 'closing phrases')
/** Whether a phrase that says nothing more begins at a chunk: "no recruiters, interns at all". */
export const closes = (chunks: readonly Chunk[], at: number): boolean =>
  CLOSING_PHRASES.longest(
    chunks.slice(at, at + 4).map(({ word }) => word),
    0,
  ) !== undefined
const GROUPS: ReadonlySet<MentionKind> = new Set(['title', 'level', 'department', 'industry', 'company', 'keyword', 'size'])

/** The nodes of one more item of the list that a scope has reached; none where something else begins. */
export function listedAt(row: Row, scope: Scope, node: Node): Node[] {
  const { chunks } = row
  const { opener, reached, resumes, instead, indifferent, strong } = scope
  if (!reached || instead || indifferent) return []
  // "excluding Berlin, agencies": after a place only where the brief asks for a person besides.
  if (!GROUPS.has(reached.kind) && !(reached.kind === 'place' && listsPlaces(row, scope, reached, node))) return []
  const between = chunks.slice(resumes ?? reached.last + 1, node.first)
  if (!between.some(isListSign) || !between.every(isPartOfList)) return []
  // "no agencies, also CTOs": people who are added are rather a wish.
  if (isAdded(row, node) && !isOftenRefused(node) && (node.family === 'person' || !asksBefore(row, opener))) return []
  const item = [node]
  for (let next = row.at.get(node.last + 1); next; next = row.at.get(next.last + 1)) item.push(next)
  const head = item.at(-1)!
  if (!GROUPS.has(head.kind) || !endsItem(chunks, endOfItem(chunks, head.last) + 1)) return []
  // "no agencies, SaaS founders": a noun that has another next to it may be the wish, unless the brief asked for a person before.
  const isAlone = item.length === 1 || asksBefore(row, opener)
  return isAlone && ((strong && reached.kind !== 'place') || isGroup(chunks, head)) ? item : []
}

/** "Spain except Madrid, banks": an exception right after its place ends with it. */
function listsPlaces(row: Row, { opener, strong }: Scope, place: Node, node: Node): boolean {
  const { kind } = row.chunks[opener - 1] ?? { kind: 'break' }
  if ((kind !== 'comma' && kind !== 'break') || OUTSIDE.test(row.chunks[opener]!.word)) return false
  return (strong || liesInWish(row, opener, place)) && (asksBefore(row, opener) || asksElsewhere(row, opener, node.last))
}
/** The area outside of a place is wanted. */
const OUTSIDE = /^(?:outside|ausserhalb|hors|en dehors|fuera)/

const isListSign = (chunk: Chunk): boolean => isSeparator(chunk) || chunk.word === ';'
const isAdded = ({ chunks }: Row, { first }: Node): boolean => ADDS.has(chunks[first - 1]?.word ?? '')
const isPartOfList = (chunk: Chunk): boolean =>
  isListSign(chunk) ||
  (chunk.unknown && !chunk.used) ||
  chunk.idle ||
  chunk.companyNoun ||
  chunk.peopleNoun ||
  (chunk.small && ARTICLES.has(chunk.word))

function asksBefore({ nodes }: Row, opener: number): boolean {
  for (const node of nodes) {
    if (node.first >= opener) return false
    if (node.family === 'person' && isWished(node)) return true
  }
  return false
}

function endsItem(chunks: readonly Chunk[], at: number): boolean {
  const chunk = chunks[at]
  if (chunk?.kind === 'word') return CLOSING_WORDS.has(chunk.word) || closes(chunks, at)
  return !(chunk?.kind === 'gap' && /[\p{L}#]/u.test(chunk.word))
}

/** People, names and kinds of companies. A trade such as "SaaS" or "retail" is none: after a comma it is rather a wish of its own. */
const isGroup = (chunks: readonly Chunk[], node: Node): boolean =>
  node.family === 'person' || node.kind !== 'industry' || isPlural(chunks, node)

/** Whether a noun means several, by the endings of four languages. In "agences de conseil" the first word has the ending. */
export function isPlural(chunks: readonly Chunk[], node: Node): boolean {
  if (endOfItem(chunks, node.last) > node.last) return true
  const words = chunks.slice(node.first, node.last + 1).flatMap(({ word }) => word.split(' '))
  return [words[0]!, words.at(-1)!].some(word => {
    if (word.length > 4 && /(?:[^suic]s|aux|[^im]er)$/.test(word)) return !TRADES.test(word)
    const [ending] = /(?:inn|)en$|[ne]$/.exec(word) ?? []
    return ending !== undefined && entryOf(word.slice(0, -ending.length)) !== undefined
  })
}

const OFTEN_REFUSED = wordSet('negation.txt', 'often refused')
/** People whom briefs name to refuse them: intermediaries and beginners. */
export const isOftenRefused = ({ mentions }: Node): boolean => mentions.some(({ value }) => OFTEN_REFUSED.has(value))

/** "Agencies, interns are out." next to a wish: what opens the sentence before a refused list, where some of it is rarely asked for. */
export function beforeInSentence(row: Row, list: readonly Node[], at: number): Node[] {
  const index = list.length > 0 ? row.nodes.indexOf(list.at(-1)!) : 0
  const before = row.nodes[index - 1]
  if (index < 1 || !isWished(before!) || ![...list, before!].some(isOftenRefused) || before!.family === 'place') return []
  // "Banks are in, agencies are out": what a predicate closes is no part of the list.
  if (!row.chunks.slice(before!.last + 1, list.at(-1)!.first).every(isSeparator)) return []
  const alone = opensSentence(row, index) && opensSentence(row, index - 1, before!.family)
  return alone && asksElsewhere(row, before!.first, at) ? [before!] : []
}

const opensOwnSentence = ({ chunks }: Row, at: number): boolean => chunks[at - 1]?.sentence !== chunks[at]!.sentence

/** Decides what was only listed: refused where the brief surely asks for others, reported where it may, and else left as a wish. */
export function decideListed(row: Row, scopes: readonly Scope[]): void {
  const { chunks, nodes } = row
  const undecided = new Set(scopes.flatMap(({ listed }) => listed ?? []))
  const wished = nodes.filter(node => !undecided.has(node) && isWished(node))
  const firstThing = wished.find(({ kind }) => kind === 'industry' || kind === 'size')?.first ?? Number.POSITIVE_INFINITY
  let firstPerson = wished.find(({ family }) => family === 'person')?.first ?? Number.POSITIVE_INFINITY
  for (const { opener, listed } of scopes) {
    if (!listed) continue
    const end = endOfItem(chunks, listed.at(-1)!.last) + 1
    const inParts = chunks.slice(opener, end).some(({ word }) => word === ';')
    // "Without agencies, freelancers: CMOs in Lyon", but "CTOs: US, no agencies, CFOs: UK"
    const isLabel = chunks[end]?.word === ':' && opener > 0 && chunks[opener - 1]!.kind !== 'break'
    const closes = chunks[end]?.kind !== 'comma' && !inParts && !isLabel
    const before = nodes[lastBefore(row, listed[0]!.first)]!
    // "CFOs in Germany, excluding Berlin, hospitals": the only trade that is named may be the wish.
    const isOnlyTrade =
      before.kind === 'place' && firstThing > chunks.length && !listed.some(isOftenRefused) && !opensOwnSentence(row, opener)
    const isDoubtful = (node: Node) => (isOnlyTrade && node.family !== 'person') || (isAdded(row, node) && !isOftenRefused(node))
    const requirement = firstPerson < chunks.length ? [] : onlyWish(row, listed, firstThing < opener)
    for (const [index, node] of listed.entries()) {
      if (requirement.includes(node)) continue
      const isAlone = listed[index - 1]?.last !== node.first - 1 && listed[index + 1]?.first !== node.last + 1
      const isOver =
        closes || (node.family === 'person' ? firstPerson < opener && !isLabel : !inParts && !isLabel && !isShorthand(row, end + 1))
      const isCertain = isAlone && isOver && !isDoubtful(node) && isPlural(chunks, node)
      for (const mention of node.mentions)
        if (isCertain) mention.negated = true
        else mention.unsayable = true
    }
    firstPerson = Math.min(firstPerson, requirement.find(({ family }) => family === 'person')?.first ?? firstPerson)
  }
}

/** The wish of a list in a brief that asks for no one else: "no agencies, CTOs", and of "no interns, students, CTOs" the last. */
function onlyWish(row: Row, listed: readonly Node[], asksForThings: boolean): readonly Node[] {
  const people = listed.filter(node => node.family === 'person')
  if (people.length === 0) return asksForThings ? [] : listed
  const before = row.nodes[lastBefore(row, listed[0]!.first)]!
  const isOneList = row.chunks.slice(before.last, listed[0]!.first).every(({ word }) => word !== ';')
  return isOneList && before.family === 'person' ? people.slice(-1) : people
}

/** "no agencies, banks, Berlin, 50-200": where bare words follow, each of them may be a wish of its own. */
function isShorthand({ chunks, at: nodeAt }: Row, from: number): boolean {
  const node = nodeAt.get(from)
  return chunks[from]?.kind === 'gap' || (node !== undefined && endsItem(chunks, node.last + 1))
}

/** "Leave Stripe, Baker and Mason out": everything between the parts of the verb, of whatever kinds. */
export function betweenParts({ chunks, nodes }: Row, at: number): Node[] {
  if (!PARTICLES.has(chunks[at]!.word)) return []
  for (let back = at - 1; back >= 0 && at - back < FAR; back--) {
    const chunk = chunks[back]!
    if (LEAVING_OUT.has(chunk.word) && !chunk.used) {
      chunk.small = true
      return nodes.filter(node => node.first > back && node.last < at && isLive(node))
    }
    const isNoun = chunk.peopleNoun || chunk.companyNoun
    if (chunk.sentence !== chunks[at]!.sentence || STOPS.has(chunk.kind) || (isUnread(chunk) && !isNoun)) return []
  }
  return []
}
const LEAVING_OUT = wordSet('negation.txt', 'leaving out')
const PARTICLES = phraseSet('negation.txt', 'particles')
const STOPS: ReadonlySet<Chunk['kind']> = new Set(['break', 'correction', 'excluded', 'instead', 'negator'])
