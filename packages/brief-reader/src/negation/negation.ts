import { isSeparator } from '../mentions/titles.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { CLOSING_WORDS, IS, LIKEWISE_BEFORE, PREDICATES, RELATIVES_BEFORE_A_REFUSAL, REPLACING } from '../vocabulary/word-lists.ts'
import { dropDispreferred } from './approval.ts'
import { namesRelation } from './coordination.ts'
import { beforeInSentence, betweenParts, closes, decideListed } from './listed-nouns.ts'
import {
  asksElsewhere,
  buildRow,
  FAR,
  isRefused,
  isUnread,
  isWished,
  LEADS_IN,
  LEADS_OVER,
  lastBefore,
  listBefore,
  listFrom,
  type Node,
  namedBefore,
  opensClause,
  type Row,
  type Scope,
} from './mention-row.ts'
import { applyScope, endOfBracket, endsHere } from './scopes.ts'
import { reportUnconfirmedWishes } from './unconfirmed-wishes.ts'
import { report, reportUnreadClauses } from './unread-clauses.ts'

/**
 * Gives every mention its sign. A cue refuses the list after it ("no A", "except A, B and C", "NOT (A OR B)"), the list before it
 * ("A and B are out", "A? No thanks"), or what was named last ("skip them"). What it leaves undecided is doubted: reported, not asked for.
 */
export function applyNegation(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const row = buildRow(chunks, mentions)
  /** Up to here a bracket or a label has decided. */
  let bound = -1
  const scopes: Scope[] = []
  const open = (scope: Scope) => {
    scopes.push(scope)
    applyScope(row, scope)
    bound = Math.max(bound, scope.until ?? -1)
    settle(row, scope)
  }
  for (let at = 0; at < chunks.length; at++) {
    const { kind, label, word, cue } = chunks[at]!
    const isFree = at > bound
    if (label === 'exclude' && isFree) {
      let until = at
      while (chunks[until + 1]?.label === 'exclude') until++
      open({ opener: at, strong: true, until })
    }
    if (kind === 'negator' && isFree) {
      const strong = Boolean(cue?.except || cue?.speaker || cue?.retraction || cue?.exceptBehindPlace || cue?.refusesThem)
      open({
        opener: at,
        strong,
        indifferent: Boolean(cue?.indifferent),
        ...(chunks[at + 1]?.word === '(' ? { until: endOfBracket(chunks, at + 2) } : {}),
      })
    } else if (kind === 'instead') open({ opener: at, strong: true, instead: true, replaces: REPLACING.has(word) })
    else if (kind === 'excluded' && isFree) excludeBefore(row, at, open)
    else if (kind === 'refusal') refuse(namedBefore(row, at))
    else if (kind === 'reference') refuseReferred(row, at)
    else if (kind === 'gap' && OR_NOT.has(word)) leaveOpen(row, at)
    else if (kind === 'word' && IS.has(word) && namesRelation(chunks, at)) refuseList(row, listBefore(row, at))
    // "Banks, insurers: please no."
    else if (kind === 'correction' && cue?.not && answeredBefore(chunks, at) < at - 1 && endsHere(chunks[at + 1]))
      refuseList(row, listBefore(row, answeredBefore(chunks, at)))
    // A cue among the words of a mention is a part of its name.
    at = Math.max(at, row.at.get(at)?.last ?? 0)
  }
  decideListed(row, scopes)
  refuseLikewise(row)
  dropDispreferred(row)
  reportUnreadClauses(row)
  reportUnconfirmedWishes(row, scopes)
}

const refuse = (list: readonly Node[]): void => {
  for (const { mentions } of list) for (const mention of mentions) mention.negated = true
}

/** "SaaS or not": asks for neither. */
function leaveOpen({ chunks, nodes }: Row, at: number): void {
  for (const { last, mentions } of nodes)
    if (last === at - 1 && endsHere(chunks[at + 1])) for (const mention of mentions) mention.dropped = true
}
const OR_NOT = wordSet('negation.txt', 'or not')

/**
 * "skip the last one", "ces deux-là, non": of the list that was named last, what the words point at is refused. Where the list does not
 * tell which these are, all of it is reported.
 */
function refuseReferred(row: Row, at: number): void {
  const [from, count] = row.chunks[at]!.cue!.reference!.split(' ') as [string, string]
  // "(Acme and Globex are clients, so not those two)": they are refused already.
  const nearest = row.nodes[lastBefore(row, at)]
  if (nearest && isRefused(nearest) && row.chunks[nearest.first]!.sentence === row.chunks[at]!.sentence) return
  const named = listNamedLast(row, at)
  const same = named.filter(node => node.family === named.at(-1)!.family)
  const few = Number(count)
  if (from === 'last' && named.length > few) refuse(named.slice(-few))
  else if (from === 'first' && same.length > few) refuse(same.slice(0, few))
  else if (from === 'nth' && same.length >= few) refuse([same[few - 1]!])
  else if (from === 'all' && same.length === few) refuse(same)
  else report(named)
}

/** The last of the wanted lists before a chunk that has several members, or what was named last. */
function listNamedLast({ chunks, nodes }: Row, at: number): Node[] {
  const lists: Node[][] = []
  for (const node of nodes) {
    if (node.first >= at || node.family === 'measure' || !isWished(node)) continue
    const list = lists.at(-1)
    const between = list ? chunks.slice(list.at(-1)!.last + 1, node.first) : []
    if (list && between.some(isSeparator) && between.every(chunk => isSeparator(chunk) || chunk.small)) list.push(node)
    else lists.push([node])
  }
  return lists.findLast(list => list.length > 1) ?? lists.at(-1) ?? []
}

/** "agencies excluded", "Acme: no"; with nothing before it, it refuses what follows: "No nos interesan agencias". */
function excludeBefore(row: Row, at: number, open: (scope: Scope) => void): void {
  const { chunks } = row
  const split = betweenParts(row, at)
  refuse(split)
  if (split.length > 0) return
  const list = chunks[at + 1]?.word === ':' ? [] : listBefore(row, answeredBefore(chunks, at))
  list.push(...beforeInSentence(row, list, at))
  if (tellsOf(row, list, at)) return
  // "Andere als Banken kommen nicht in Frage" asks for banks alone.
  if (OTHERS.test(chunks[(list.at(-1)?.first ?? 0) - 1]?.word ?? '')) {
    for (const { mentions } of list) for (const mention of mentions) mention.negated = false
    return
  }
  if (isContrast(row, list, at)) {
    if (!CONTRASTS.test(chunks[at]!.word)) report(list)
    return
  }
  refuseList(row, list)
  const before = chunks[at - 1]
  const answers = chunks[at]!.cue?.not === true && before?.kind === 'word' && !before.small
  // "Competitors must never appear (Acme, Globex)"
  if (chunks[at + 1]?.word === '(') open({ opener: at, strong: true, until: endOfBracket(chunks, at + 2) })
  else if (list.length === 0 && !answers && !endsHere(chunks[at + 1], ':')) open({ opener: at, strong: true })
  if (list.length > 0) return
  if (answers) chunks[at]!.unanswered = true
  // "we had trouble with Acme, please skip": after its comma it means what was named.
  const [name, mark] = chunks.slice(Math.max(0, at - 3), at).slice(before?.kind === 'word' && before.small ? -3 : -2)
  const isAnswer = mark?.kind === 'comma' || mark?.kind === 'gap' || (mark?.kind === 'break' && mark.word !== '(' && !isUnread(name))
  if (isAnswer && endsHere(chunks[at + 1], ':')) refuse(namedBefore(row, at))
}

const OTHERS = /^(?:andere als|other than|autres? que|otros que no sean)$/

/** "Banks are out, insurers aren't": a bare negation after a refusal denies that. Without a verb ("insurers no") it may do either. */
function isContrast({ chunks }: Row, list: readonly Node[], at: number): boolean {
  const { not, excluded } = chunks[at]!.cue ?? {}
  let before = (list.at(-1)?.first ?? 0) - 1
  while (before > 0 && at - before < FAR && (chunks[before]!.small || chunks[before]!.kind === 'comma')) before--
  const said = chunks[before]
  if (!not || excluded || said?.kind !== 'excluded' || said.cue?.not || said.sentence !== chunks[at]!.sentence) return false
  return said.word.includes(' ') || IS.has(chunks[before - 1]?.word ?? '')
}
const CONTRASTS = /^(?:isn|aren|is|are)\b/

/** A negation that reached nothing refuses what comes before it, or it says something that no one could read. */
function settle(row: Row, { opener, until, reached }: Scope): void {
  const { chunks } = row
  const chunk = chunks[opener]!
  if (reached || until !== undefined || chunk.kind !== 'negator' || chunks[opener + 1]?.kind === 'reference') return
  const before = chunks[opener - 1]
  const list = chunk.cue?.not ? refusedSubject(row, opener) : []
  refuseList(row, list)
  // "Acme are customers, so please skip": a command without an object means what was named.
  if (chunk.cue?.except && !(chunk.cue.command && isUnread(before)) && endsHere(chunks[opener + 1])) {
    // "banks (exclude)", "banks - exclude" mean the list before the mark.
    const isMarked = ['(', '—', '-'].includes(before?.word ?? '')
    list.push(...(isMarked ? listBefore(row, opener - 1) : namedBefore(row, opener)))
    refuse(list)
  }
  chunk.unanswered = list.length === 0
}

/** "hospitals …, government hospitals excluded": of a noun that is wanted, what is said of it is refused. */
function refuseList(row: Row, list: readonly Node[]): void {
  refuse(list)
  const first = list.at(-1)
  const said = first && row.nodes[row.nodes.indexOf(first) - 1]
  // "fabricants de drones exclus": no filter says which of them.
  const isOf = said?.last === (first?.first ?? 0) - 2 && OF.has(row.chunks[said.last + 1]!.word)
  if (isOf && said.family === 'thing' && first!.family === 'thing') report([said])
  if (said?.last !== (first?.first ?? 0) - 1 || said.family !== 'thing' || isRefused(said)) return
  const { kind, value } = first!.mentions[0]!
  const isWanted = row.mentions.some(other => !other.negated && other.kind === kind && other.value === value)
  if (isWanted) refuse([said])
  for (const mention of (isWanted ? first! : said).mentions) mention.dropped = true
}

const LIKEWISE = wordSet('negation.txt', 'likewise')

/** "Cemex excluded, Holcim too", "…, same goes for Holcim": done with as with the list before. */
function refuseLikewise(row: Row): void {
  const { chunks, nodes } = row
  const words = chunks.map(chunk => chunk.word)
  for (const [at, { kind, word }] of chunks.entries()) {
    if (kind !== 'word') continue
    const phrase = LIKEWISE_BEFORE.longest(words, at)
    const before = nodes[lastBefore(row, at)]
    if (phrase && before && isRefused(before) && ['comma', 'break', 'conjunction', 'gap'].includes(chunks[at - 1]?.kind ?? '')) {
      let next = at + phrase.length
      while (chunks[next] && (isSeparator(chunks[next]) || chunks[next]!.small)) next++
      const node = row.at.get(next)
      if (node) refuse(listFrom(row, node))
    }
    if (!LIKEWISE.has(word) || !endsHere(chunks[at + 1])) continue
    const list = listBefore(row, at)
    const first = list.at(-1)
    if (!first || list.some(isRefused) || !opensClause(row, first.first)) continue
    const other = nodes[lastBefore(row, first.first)]
    if (other && isRefused(other) && other.kind === first.kind && first.first - other.last <= 7) refuse(list)
  }
}

const OF = wordSet('negation.txt', 'whose')
const WITH = wordSet('negation.txt', 'with')
const OWNERS = wordSet('negation.txt', 'owners')

/** "CTOs at firms whose projects are on hold": a relative, or another noun than the list's, is what the refusal speaks of. */
function tellsOf(row: Row, list: readonly Node[], at: number): boolean {
  const { chunks } = row
  const last = list[0]?.last ?? at
  // "charities in London not included in the index": where the clause continues, its subject must begin it.
  const next = chunks[at + 1]
  const isClosed = CLOSING_WORDS.has(next?.word ?? '') || closes(chunks, at + 1)
  if (list.length > 0 && next?.kind === 'word' && !isClosed && !opensClause(row, list.at(-1)!.first)) return true
  for (let from = at - 1; from >= 0 && at - from < FAR; from--) {
    const { kind, word, companyNoun } = chunks[from]!
    if ((OWNERS.has(word) && !LEADS_IN.has(chunks[from - 1]?.word ?? '')) || (companyNoun && from > last + 1)) return true
    // "leads in London with projects parked", but "with banks removed"
    if (WITH.has(word) && (from > last || list.every(node => node.kind === 'keyword'))) return true
    if (kind === 'break' || kind === 'gap' || kind === 'comma') return false
  }
  return false
}

/** The mark that leads over to a refusal, after which a small word may stand ("Acme: please no"), or the refusal itself. */
function answeredBefore(chunks: readonly Chunk[], at: number): number {
  let mark = at - 1
  while (at - mark < 3 && chunks[mark]?.kind === 'word' && chunks[mark]!.small) mark--
  return chunks[mark]?.kind === 'break' && LEADS_OVER.has(chunks[mark]!.word) ? mark : at
}

/**
 * "Acme and Globex are not for us": a negation with nothing after it, at the end of a clause that begins with a list. What is said of
 * the list must be known to refuse it; of companies anything may be said.
 */
function refusedSubject(row: Row, at: number): Node[] {
  const { chunks } = row
  const list = listBefore(row, answeredBefore(chunks, at))
  const first = list.at(-1)
  if (!first || !opensClause(row, first.first)) return []
  const { last } = list[0]!
  const verb = chunks.slice(last + 1, at)
  // "museums with under 20,000 visitors don't fit": no filter says which of them.
  if (verb.some(chunk => RELATIVES_BEFORE_A_REFUSAL.has(chunk.word) || chunk.bound)) return []
  const clause = chunks.slice(at + 1, at + 8)
  const end = clause.findIndex(chunk => chunk.kind === 'break' || chunk.kind === 'comma')
  const said = clause
    .slice(0, end < 0 ? undefined : end)
    .filter(chunk => chunk.kind === 'word' && (!chunk.small || PREDICATES.has(chunk.word)))
  const refuses = said.length === 0 || said.some(chunk => chunk.word.split(' ').some(word => PREDICATES.has(word)))
  // "banks have no budget": a verb of theirs leads over to the negation.
  const direct = verb.length > 0 && verb.every(chunk => chunk.kind === 'word')
  // "Tesco, Asda - no KPs": after a mark the negation has a noun of its own, which no one could read.
  const isApart = verb.some(chunk => chunk.kind !== 'word') && said.some(chunk => chunk.unknown && !chunk.used)
  if (refuses || direct || (!isApart && list.every(node => node.kind === 'company'))) return list
  // "banks don't convert", next to a wish for a person: what that means for the wish no one knows, unless "…, so leave them out" says it.
  const isSaid = chunks.slice(at).some(chunk => chunk.kind === 'refusal' && chunk.sentence === chunks[at]!.sentence)
  if (!isSaid && verb.length === 0 && first.family !== 'measure' && said.every(isUnread) && asksElsewhere(row, first.first, at))
    for (const { mentions } of list) for (const mention of mentions) mention.unsayable = true
  return []
}
