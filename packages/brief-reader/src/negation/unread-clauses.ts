import { placeWithin, samePlace } from '../../../lead-terms/src/index.ts'
import { isSeparator } from '../mentions/titles.ts'
import type { Chunk, Mention } from '../model.ts'
import { singular } from '../vocabulary/singular.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { APPROVALS, IS } from '../vocabulary/word-lists.ts'
import { isWanted } from './approval.ts'
import { IN } from './coordination.ts'
import { isOftenRefused } from './listed-nouns.ts'
import {
  asksElsewhere,
  endOfItem,
  FAR,
  isLive,
  isRefused,
  isWished,
  lastBefore,
  listFrom,
  type Node,
  opensClause,
  opensSentence,
  type Row,
} from './mention-row.ts'
import { isNamed } from './scopes.ts'

/**
 * Clauses that no cue decided, and that could not be read either: "Acme verdampft gerade", "exit les banques". A brief rarely states anything about
 * what it wants, so that what such a clause names is reported and not asked for.
 */
export function reportUnreadClauses(row: Row): void {
  const { chunks, nodes, mentions } = row
  keepNarrowed(row)
  doubtUnreached(row)
  for (const mention of mentions) if (chunks[mention.first]!.uncertain && !mention.negated) mention.unsayable = true
  for (let at = 0; at < chunks.length; at++) if (at === 0 || CLAUSE_STARTS.has(chunks[at - 1]!.kind)) doubtOrder(row, at)
  doubtPlaces(row)
  doubtEmployers(row)
  doubtParts(row)
  doubtDashes(row)
  for (const { last } of nodes) doubtStatement(row, last)
}

export const report = (list: readonly Node[]): void => {
  for (const { mentions } of list) for (const mention of mentions) if (!mention.negated) mention.unsayable = true
}

const THEREFORE = wordSet('negation.txt', 'therefore')
const OPENERS = wordSet('negation.txt', 'welcoming openers')
const STATES = wordSet('negation.txt', 'states')
const VERBS = wordSet('refusals.txt', 'modals')
const CLAUSE_STARTS: ReadonlySet<Chunk['kind']> = new Set(['break', 'comma'])
const CLAUSE_ENDS: ReadonlySet<Chunk['kind']> = new Set(['break', 'comma', 'negator', 'correction', 'instead', 'conjunction'])
/** Directly before a noun, how a word ends shows that it describes it ("profitable retailers"): an order ends otherwise. */
const DESCRIBES = /(?:able|ible|ive|ent|ous|ful|ic|al|ly|ed|ende[nr]?|ierte[nr]?|liche[nr]?|ige[nr]?|ische[nr]?)$/
/** Directly after it, that it tells what they do: "retailers expanding abroad", "fabricantes exportando". */
const DOING = /(?:ing|ndo|ants?|antes|entes)$/
const UNREACHED = 12
const MOST_BEFORE = 5
const LONGEST_PREDICATE = 6
const MOST_PARTS = 50

const isStrange = (chunk: Chunk | undefined): boolean =>
  chunk?.kind === 'word' &&
  !(chunk.used || chunk.small || chunk.companyNoun || chunk.peopleNoun || chunk.role || chunk.entry || APPROVALS.has(chunk.word))
/** Numbers and used things are rarely refused, and often have words of their own: "founded", "headcount", "que vendan con". */
const isExact = ({ family, kind }: Node): boolean => family === 'measure' || kind === 'technology' || kind === 'stage'

/**
 * "no whatsit banks": after a refusal that reached nothing, what is in its clause may be refused. Only a place with its own
 * preposition is the wish's: "companies without debt in Spain".
 */
function doubtUnreached({ chunks, at: nodeAt }: Row): void {
  for (const [at, { unanswered }] of chunks.entries())
    for (let next = at + 1; unanswered && next < chunks.length && next <= at + UNREACHED; next++) {
      if (CLAUSE_ENDS.has(chunks[next]!.kind) || THEREFORE.has(chunks[next]!.word)) break
      const node = nodeAt.get(next)
      if (node && !(node.kind === 'place' && IN.has(chunks[next - 1]!.word))) report([node])
    }
}

/** "Tom handles Acme and Globex", "exit les banques": a clause of its own that puts a word no one knows before its list. */
function doubtOrder(row: Row, from: number): void {
  const { chunks, nodes } = row
  let unread = false
  let at = from
  for (; !row.at.has(at); at++) {
    const chunk = chunks[at]
    if (chunk?.kind !== 'word' || at - from >= MOST_BEFORE || APPROVALS.has(chunk.word) || OPENERS.has(chunk.word)) return
    if (row.at.has(at + 1) && DESCRIBES.test(chunk.word)) return
    if (!chunk.small && !isStrange(chunk)) return
    unread ||= !chunk.small
  }
  const list = unread ? listFrom(row, row.at.get(at)!) : []
  const last = endOfItem(chunks, list.at(-1)?.last ?? 0)
  if (list.length === 0 || !list.every(isWished) || list.some(isExact) || (chunks[last + 1] && chunks[last + 1]!.kind !== 'break')) return
  // "implantés en Espagne", or the only place of the brief: without it the search would be for the whole world.
  const isWhere = list.every(node => node.family === 'place')
  const others = () => nodes.some(node => node.family === 'place' && isWished(node) && !list.includes(node))
  if (chunks[last + 1]?.word === ':' || (isWhere && (chunks[at - 1]!.small || !others())) || !asksElsewhere(row, from, last)) return
  // "…, housing associations, Glasgow": nor are its only places taken from a list of another kind.
  report(others() ? list : list.filter(node => node.family === list[0]!.family))
}

/** "Acme verdampft gerade", "banks are kaputt", "banks bore us": a clause that begins with a list and says of it what no one could read. */
function doubtStatement(row: Row, last: number): void {
  const { chunks } = row
  let index = lastBefore(row, last + 1)
  const list = [row.nodes[index]!]
  const whole = opensSentence(row, index)
  for (; index > 0 && list.length < 6; index--) {
    const between = chunks.slice(row.nodes[index - 1]!.last + 1, list.at(-1)!.first)
    if (!between.some(isSeparator) || !between.every(chunk => chunk.small || (isSeparator(chunk) && (whole || chunk.kind !== 'comma'))))
      break
    list.push(row.nodes[index - 1]!)
  }
  const { first } = list.at(-1)!
  if (list.some(node => isRefused(node) || !isLive(node)) || !opensClause(row, first)) return
  const next = chunks[last + 1]
  const isNamed = list.every(node => node.kind === 'company' && chunks[node.first]!.kind === 'name')
  const states = next?.kind === 'word' && IS.has(next.word) && isStrange(chunks[last + 2]) && restIsStrange(chunks, last + 2)
  if (states || (isNamed && isStrange(next) && restIsStrange(chunks, last + 1))) {
    if (!isWanted(row, last + 1)) report(list)
    return
  }
  // Next to a wish for a person, of anything that begins its clause.
  const start = chunks[first - 1]?.small ? first - 2 : first - 1
  if (list.some(node => node.family === 'measure' || node.kind === 'stage') || (start >= 0 && !CLAUSE_STARTS.has(chunks[start]!.kind)))
    return
  let end = endOfItem(chunks, last) + 1
  if (DOING.test(chunks[end]?.word ?? '')) return
  // "banks should stay off this list", "les banques, très peu pour nous": a verb or a comma may lead over to any words.
  const leads = VERBS.has(chunks[end]?.word ?? '') || (chunks[end]?.kind === 'comma' && (start < 0 || chunks[start]!.kind === 'break'))
  let unread = false
  for (; end < chunks.length && chunks[end]!.kind !== 'break'; end++) {
    const { kind, small, word, used } = chunks[end]!
    const isSaid =
      isStrange(chunks[end]) || small || (leads && (kind === 'comma' ? end <= last + 2 : (kind === 'word' && !used) || kind === 'gap'))
    if (end > last + LONGEST_PREDICATE || !isSaid || APPROVALS.has(word) || (leads && OPENERS.has(word))) return
    unread ||= !small && kind === 'word'
  }
  if (unread && chunks[end]?.word !== ':' && asksElsewhere(row, start, end) && !isWanted(row, last + 1)) report(list)
}

function restIsStrange(chunks: readonly Chunk[], from: number): boolean {
  for (let at = from; at < from + LONGEST_PREDICATE; at++) {
    const chunk = chunks[at]
    // "Hospitals are understaffed: HR heads there" gives a reason for the wish.
    if (chunk?.word === ':' || (chunk?.kind === 'comma' && THEREFORE.has(chunks[at + 1]?.word ?? ''))) return false
    if (!chunk || chunk.kind === 'break' || chunk.kind === 'comma') return true
    if (chunk.kind !== 'word' || chunk.used || chunk.role || chunk.entry || APPROVALS.has(chunk.word)) return false
  }
  return false
}

/** "Skip startups in Berlin. CFOs in Germany.": where those are who are refused, in a sentence that asks for no one. */
function doubtPlaces(row: Row): void {
  const { chunks, nodes } = row
  for (const named of Map.groupBy(nodes.filter(isLive), node => chunks[node.first]!.sentence).values()) {
    const [refused, place, more] = named
    if (!place || more || !isRefused(refused!) || isRefused(place) || place.kind !== 'place' || refused!.family === 'place') continue
    if (place.first === refused!.last + 2 && chunks[place.first - 1]!.small && asksElsewhere(row, refused!.first, place.last))
      report([place])
  }
}

/**
 * "No recruiters — Acme, Globex": names after people who are refused may be their employers, and after a refused size or trade
 * ("no startups: Siemens", "no agencies: design, print") no one knows whether they are examples of it or what is wanted.
 */
function doubtEmployers(row: Row): void {
  const { chunks, nodes } = row
  for (const node of nodes) {
    const { family, last } = node
    if (family === 'place' || node.kind === 'company' || !isRefused(node) || !EXPLAINS.has(chunks[last + 1]?.word ?? '')) continue
    const first = row.at.get(last + 2)
    const list = first ? listFrom(row, first) : []
    const end = chunks[(list.at(-1)?.last ?? 0) + 1]
    const isListed = list.every(({ kind }) => kind === 'company') || (family !== 'person' && list.every(each => each.family === 'thing'))
    if (isListed && (!end || end.kind === 'break') && asksElsewhere(row, node.first, list.at(-1)?.last ?? last)) report(list)
  }
}
const EXPLAINS = new Set([':', '—'])

/** "CFOs in Oslo - recruiters, agencies": a dash may be a minus before those who are rather refused. */
function doubtDashes(row: Row): void {
  const { chunks, nodes } = row
  for (const [at, { word }] of chunks.entries()) {
    const first = DASHES.has(word) ? row.at.get(at + 1) : undefined
    const list = first ? listFrom(row, first) : []
    if (!list.some(isOftenRefused) || !list.every(isWished) || list.some(({ family }) => family === 'place')) continue
    const end = chunks[endOfItem(chunks, list.at(-1)!.last) + 1]
    if (end && (end.kind !== 'break' || DASHES.has(end.word))) continue
    let before = lastBefore(row, at)
    while (before > 0 && nodes[before]!.family !== 'person' && chunks[nodes[before]!.first]!.sentence === chunks[at]!.sentence) before--
    const asked = nodes[before]
    if (asked?.family === 'person' && isWished(asked) && at - asked.last < FAR) report(list)
  }
}
const DASHES = new Set(['—', '–', '-'])

/** "Texas, Houston is someone else's": of a part of what is wanted, a brief hardly says anything but that it is not. */
function doubtParts({ chunks, nodes }: Row): void {
  const wanted = nodes.filter(node => node.mentions[0]!.place && isWished(node)).slice(0, MOST_PARTS)
  const placeOf = (node: Node) => node.mentions[0]!.place!
  for (const [index, part] of wanted.entries()) {
    const start = chunks[part.first - 1]?.small ? part.first - 2 : part.first - 1
    const { kind, word, requirement } = chunks[part.last + 1] ?? {}
    const states = kind === 'word' ? STATES.has(word!) || IS.has(word!) : kind === 'gap' && !requirement && /\p{L}/u.test(word!)
    if (!states || start < 0 || !CLAUSE_STARTS.has(chunks[start]!.kind)) continue
    const isWithin = (node: Node) => !samePlace(placeOf(node), placeOf(part)) && placeWithin(placeOf(part), placeOf(node))
    let end = part.last + 1
    while (end < chunks.length && !CLAUSE_STARTS.has(chunks[end]!.kind)) end++
    if (!wanted.slice(0, index).some(isWithin) || chunks.slice(part.last, end).some(each => APPROVALS.has(each.word))) continue
    report(nodes.filter(node => node.first >= part.first && node.last < end))
  }
}

/**
 * "part-time CFOs: no; CFOs in Lyon: yes", "crèches à Lyon, pas les crèches municipales": where the same is wanted elsewhere, the words
 * next to it say what is refused. So do other words for it: "accountants, no CPAs".
 */
function keepNarrowed({ chunks, mentions, titles, nodes }: Row): void {
  const keyOf = ({ kind, value }: Mention) => `${kind} ${value}`
  const wanted = new Map(mentions.filter(({ negated, dropped }) => !negated && !dropped).map(mention => [keyOf(mention), mention]))
  const isNarrower = (chunk: Chunk | undefined) =>
    chunk?.kind === 'word' && !(chunk.small || chunk.used || chunk.peopleNoun || (chunk.companyNoun && /(?:s|en)$/.test(chunk.word)))
  const nameOf = ({ first }: Mention) => singular(chunks[first]!.word)
  for (const { family, mentions: read } of nodes)
    for (const mention of family === 'person' || read[0]!.kind === 'industry' ? read : []) {
      const other = wanted.get(keyOf(mention))
      if (!mention.negated || mention.dropped || !(other || isNamed(titles, mention))) continue
      const behind = chunks[mention.last + 1]?.small ? mention.last + 2 : mention.last + 1
      const isOther = family === 'person' && other && nameOf(other) !== nameOf(mention)
      if (isOther || (family === 'person' && isNarrower(chunks[mention.first - 1])) || isNarrower(chunks[behind])) mention.unsayable = true
    }
}
