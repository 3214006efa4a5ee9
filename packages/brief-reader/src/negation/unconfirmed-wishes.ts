import { isSeparator } from '../mentions/titles.ts'
import type { Chunk } from '../model.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { APPROVALS, EXCLUDED, IS, NOT, ONLY, TURNS_BACK } from '../vocabulary/word-lists.ts'
import { addsBack, isApproved, isWanted } from './approval.ts'
import { CUES } from './asides.ts'
import { isPlural } from './listed-nouns.ts'
import {
  asksElsewhere,
  endOfItem,
  FAR,
  IN_PLACES,
  isRefused,
  isWished,
  lastBefore,
  liesInWish,
  listFrom,
  type Node,
  type Row,
  type Scope,
} from './mention-row.ts'
import { report } from './unread-clauses.ts'

/**
 * The last check of a sentence that refuses something: what is between the refusal and the end of its sentence is asked for only
 * where something tells that the wish has come back, such as "but", "only", a preposition or a person with words of their own. Anything
 * else is reported, because an exclusion that is read as a wish is the worst of all errors.
 */
export function reportUnconfirmedWishes(row: Row, scopes: readonly Scope[]): void {
  for (const scope of scopes) reportBehindRefusal(row, scope)
  const opened = new Map(scopes.map(scope => [scope.opener, scope]))
  for (const scope of scopes) reportDoubleNegation(row, scope, opened)
  const words = row.chunks.map(({ word }) => word)
  for (const [at, { kind, cue, requirement }] of row.chunks.entries())
    if (REFUSALS.has(kind) || (kind === 'gap' && !cue && !requirement && (EXCLUDED.longest(words, at) || NOT.longest(words, at))))
      reportBeforeRefusal(row, at)
}

/** "not necessary to exclude banks", "ohne Banken geht es nicht": two refusals that deny each other ask for nothing for certain. */
function reportDoubleNegation(row: Row, { opener, reached }: Scope, scopes: ReadonlyMap<number, Scope>): void {
  const { chunks } = row
  const { kind, cue, word } = chunks[opener]!
  if (kind !== 'negator' || (reached ? !LACKING.has(word) || reached.first > opener + 2 : !cue?.not)) return
  let [at, last] = [(reached?.last ?? opener) + 1, reached?.last ?? 0]
  for (; at < chunks.length && at < opener + FAR && (reached ? chunks[at]!.kind === 'word' : isNeed(chunks, at)); at++);
  // "nicht nötig, Banken auszuschließen"
  const list = !reached && row.at.has(at) ? listFrom(row, row.at.get(at)!) : []
  at = (list.at(-1)?.last ?? at - 1) + 1
  const other = scopes.get(at)?.reached
  if (!chunks[at] || !CUES.has(chunks[at]!.kind) || chunks[at]!.word === word || (reached && other)) return
  last = Math.max(last, list.at(-1)?.last ?? 0, other?.last ?? 0)
  for (const node of row.nodes)
    if (node.first > opener && node.last <= last && isRefused(node))
      for (const mention of node.mentions) Object.assign(mention, { negated: false, unsayable: true })
}
const NEEDS = new Set([...wordSet('negation.txt', 'harmless predicates'), ...wordSet('refusals.txt', 'needed')])
function isNeed(chunks: readonly Chunk[], at: number): boolean {
  const { kind, small, word } = chunks[at]!
  return kind === 'word' ? small || NEEDS.has(word) : kind === 'comma' && NEEDS.has(chunks[at - 1]!.word)
}

/** "Acme and its like, Globex and Initech are out": what begins the sentence of a refusal that stands at its end. */
function reportBeforeRefusal(row: Row, cue: number): void {
  const { chunks, nodes, asides } = row
  const { kind: refusal } = chunks[cue]!
  const nearest = nodes[lastBefore(row, cue)]
  if (!nearest || (refusal !== 'gap' && refusal !== 'refusal' && !isRefused(nearest))) return
  const found: Node[] = []
  let from = cue
  for (let index = lastBefore(row, cue); from >= 0 && cue - from < LONGEST_SENTENCE; index--) {
    const node = nodes[index]
    const start = node ? node.last + 1 : 0
    for (from--; from >= start; from--) {
      const { kind, word } = chunks[from]!
      if (kind === 'break' && word !== ')' && !asides.within.has(from)) break
      if (CUES.has(kind) || (word === ')' && !asides.within.has(from)) || cue - from > LONGEST_SENTENCE) return
      if (
        kind === 'word' &&
        !asides.within.has(from) &&
        found.length > 0 &&
        (turnsBackToWish(row, from) || IS.has(word) || leadsTo(row, from) || (APPROVALS.has(word) && !isAdding(word)))
      )
        return
    }
    if (!node || from >= start) break
    if (found.length > 0 && isWanted(row, node.last + 1)) return
    found.push(node)
    from = node.first
  }
  const wished = found.filter(isWished)
  if (wished.length > 0 && (refusal === 'gap' || found.some(isRefused)) && asksElsewhere(row, from, cue))
    report(wished.filter(({ family }) => family !== 'measure' || found.length > 1))
}

const REFUSALS: ReadonlySet<Chunk['kind']> = new Set(['excluded', 'refusal', 'negator', 'correction'])
const ADDS = wordSet('negation.txt', 'adds')
const LACKING = wordSet('negation.txt', 'lacking')
const LIKEWISE = wordSet('negation.txt', 'likewise')
const OPENERS = wordSet('negation.txt', 'welcoming openers')
const REASONS = new Set('since because weil denn car parce puisque porque'.split(' '))
const THEREFORE = wordSet('negation.txt', 'therefore')
const ARTICLES = wordSet('negation.txt', 'articles')
const AT = new Set('at bei chez for with mit avec con using'.split(' '))
const BRACKETS = new Set('()')
const LONGEST_SENTENCE = 40
const isAdding = (word: string): boolean => (ADDS.has(word) && word !== 'add') || LIKEWISE.has(word) || word === 'well'

/** Whether a word begins the wish again. Some do so only where they open their clause or come before what they name. */
function turnsBackToWish({ chunks, at: nodeAt }: Row, at: number): boolean {
  const { word } = chunks[at]!
  if (TURNS_BACK.has(word) || ONLY.has(word) || THEREFORE.has(word)) return true
  if (!OPENERS.has(word) || isAdding(word) || REASONS.has(word)) return false
  return nodeAt.has(at + 1) || isSeparator(chunks[chunks[at - 1]?.small ? at - 2 : at - 1])
}

function reportBehindRefusal(row: Row, { opener, until, reached, instead, indifferent }: Scope): void {
  const { chunks, asides } = row
  const { label, sentence, cue } = chunks[opener]!
  if (instead || indifferent || label === 'exclude' || (cue?.retraction && !reached) || chunks[opener + 1]?.word === '(') return
  // "Canada outside Ontario, owners": an exception right after its place ends with it.
  const exception = reached?.family === 'place' && chunks[opener - 1]?.kind === 'place'
  const from = Math.max(until ?? 0, reached?.last ?? opener) + 1
  let uncertain: Node | undefined
  let depth = 0
  for (let at = from; at < chunks.length && at < from + LONGEST_SENTENCE; at++) {
    const chunk = chunks[at]!
    if (chunk.sentence !== sentence || chunk.label !== label || CUES.has(chunk.kind) || turnsBackToWish(row, at)) return
    depth += chunk.word === '(' ? 1 : chunk.word === ')' ? -1 : 0
    if (depth < 0 || (chunk.kind === 'break' && !asides.within.has(at) && !BRACKETS.has(chunk.word))) return
    const node = row.at.get(at)
    if (!node) continue
    // "no Bosch, 3M": a bare number in a list of names is one of them.
    const isNumber = node.family === 'measure'
    if (isNumber && reached?.kind === 'company' && isBare(chunks, node)) report([node])
    if (isWished(node) && !isNumber) {
      const goesOn = uncertain && chunks.slice(uncertain.last + 1, at).every(isSeparator)
      if (
        addsBack(chunks, opener, at) ||
        (!goesOn && (isConfirmed(row, listFrom(row, node), opener, reached) || (exception && node.family !== 'place')))
      )
        return
      report([node])
      uncertain = node
    }
    at = node.last
  }
}

const isBare = (chunks: readonly Chunk[], { first, last, mentions }: Node): boolean =>
  mentions[0]!.range?.min === mentions[0]!.range?.max &&
  isSeparator(chunks[first - 1]) &&
  (!chunks[last + 1] || isSeparator(chunks[last + 1]))

/** "in Berlin", "at hotels" */
const leadsTo = ({ chunks, at: nodeAt }: Row, at: number): boolean =>
  nodeAt.has(ARTICLES.has(chunks[at + 1]?.word ?? '') ? at + 2 : at + 1) &&
  chunks[at]?.kind === 'word' &&
  (IN_PLACES.has(chunks[at]!.word) || AT.has(chunks[at]!.word))

const isIdle = (chunk: Chunk | undefined): boolean =>
  chunk?.kind === 'word' && !(chunk.small || chunk.used || chunk.companyNoun || chunk.peopleNoun)

/** Whether a list that begins after a refusal is the wish's. */
function isConfirmed(row: Row, list: readonly Node[], opener: number, reached: Node | undefined): boolean {
  const { chunks, nodes } = row
  const { first, last, family, kind } = list[0]!
  const before = chunks[first - 1]?.word ?? ''
  let clause = first
  while (clause > 0 && first - clause < FAR && !isSeparator(chunks[clause - 1])) clause--
  const isJoined = chunks[clause - 1]?.kind === 'conjunction' || isAdding(before)
  // "Acme, the market leader, …" tells of Acme.
  const isApposed = clause < first && ARTICLES.has(chunks[clause]!.word) && !IN_PLACES.has(chunks[clause]!.word)
  const next = chunks[endOfItem(chunks, last) + 1]
  if (!isApposed && (leadsTo(row, first - 1) || leadsTo(row, first - 2))) return true
  const end = list.at(-1)!.last + 1
  let said = end
  while (chunks[said]?.kind === 'word' && (isAdding(chunks[said]!.word) || !APPROVALS.has(chunks[said]!.word))) said++
  if (isApproved(row, list[0]!) || chunks[end]?.kind === 'correction' || APPROVALS.has(chunks[said]?.word ?? '')) return true
  if (kind === 'stage' || isApposed) return !isApposed
  const isOther = (other: Node) => (family === 'thing' ? other.kind === kind : other.family === family)
  const others = nodes.some(other => isOther(other) && !list.includes(other) && isWished(other))
  if (family === 'place') {
    // "no Chelsea, Real Madrid": a town in a name.
    if ([first - 1, last + 1].some(at => isIdle(chunks[at]))) return false
    // "CTOs in Germany, not Berlin, Austria"
    const isBeside = !isJoined && reached?.family === 'place' && liesInWish(row, opener, reached) && !liesInWish(row, opener, list[0]!)
    return !others || isBeside || row.at.has(last + 1) || Boolean(chunks[last + 1]?.companyNoun)
  }
  if (family === 'person') return !reached || !others || isAdding(before) || (next?.kind === 'word' && next.small)
  if (!reached || kind === 'company' || isJoined || others) return false
  // "no agencies, SaaS", but "no casinos or banks, cannabis"
  const isClosed = chunks.slice(opener, reached.last).some(chunk => chunk.kind === 'conjunction')
  return reached.kind !== kind || !(isClosed || isPlural(chunks, list[0]!))
}
