import { IS, REPLACED_BY, REPLACING, TURNS_BACK } from '../lists.ts'
import { isSeparator, namesTrade } from '../mentions/titles.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../words.ts'
import { answeredBefore, isUnread, listBefore, namedBefore, refusedSubject, refuseLikewise, refuseList, tellsOf } from './behind.ts'
import { doubtStatements, doubtUnreached, keepNarrowed } from './doubted.ts'
import { familyOf } from './families.ts'
import {
  comesInstead,
  describedOnly,
  endOfBracket,
  endOfLabel,
  endsHere,
  extendToBracket,
  extendToList,
  IN,
  introduces,
  isRelation,
  joinsAnything,
  listCloses,
  namesRelation,
  placesGoOn,
  placesRefused,
  type Scope,
} from './scope-ends.ts'

/**
 * Which mentions a negation reaches. One layer for all kinds: people, places, industries, names, numbers.
 *   "no A", "not A or B"        a short negation: its noun phrase and what is joined to it
 *   "except A, B and C"         a verb or preposition of exclusion: its whole list
 *   "NOT (A OR B)", "Exclude: A" everything in the bracket or on the line
 * Refusals that come behind what they refuse are in behind.ts.
 */

const OR = new Set('or nor oder noch ou ni o u of'.split(' '))
/** Behind these, names belong to what is refused: "no subsidiaries of A", "no chains like A". */
const OF = new Set('of by von de d du del di van like as wie comme como type tipo que'.split(' '))
/** "sauf les banques et les assurances": these say nothing about where a list ends. */
const ARTICLES = wordSet('polarity.txt', 'articles')
const REACH = 10

export function applyNegation(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  const byStart = new Map<number, Mention[]>()
  for (const mention of mentions) byStart.set(mention.first, [...(byStart.get(mention.first) ?? []), mention])
  let scope: Scope | undefined
  const become = (next: Scope | undefined) => {
    if (scope) settle(chunks, mentions, scope)
    scope = next
  }
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at]!
    const bound = scope?.until !== undefined && at <= scope.until
    if (chunk.label === 'exclude' && scope?.until === undefined) become({ ...opened(at, true), until: endOfLabel(chunks, at) })
    if (chunk.kind === 'negator' && !bound) become(openScope(chunks, at))
    else if (chunk.kind === 'instead') become({ ...opened(at, true), instead: true, replaces: REPLACING.has(chunk.word) })
    else if (chunk.kind === 'excluded' && !bound) {
      const list = chunks[at + 1]?.word === ':' ? [] : listBefore(chunks, mentions, answeredBefore(chunks, at))
      if (tellsOf(chunks, list, at)) continue
      refuseList(mentions, list)
      // "No nos interesan agencias": with nothing before it, it refuses what follows; "(Acme, Globex)" behind it are examples.
      const answers = chunk.control?.not === true && chunks[at - 1]?.kind === 'word' && !chunks[at - 1]!.small
      const until = chunks[at + 1]?.word === '(' ? endOfBracket(chunks, at + 2) : undefined
      if (until !== undefined) become({ ...opened(at, true), until })
      else become(list.length === 0 && !answers && !endsHere(chunks[at + 1], ':') ? opened(at, true) : undefined)
      if (answers && list.length === 0) chunk.unanswered = true
      // "we had trouble with Acme, please skip": behind its comma it means what was named.
      const before = chunks[at - 1]?.kind === 'word' && chunks[at - 1]!.small ? chunks[at - 2] : chunks[at - 1]
      const opens = ['comma', 'break', 'gap'].includes(before?.kind ?? '') && before!.word !== '('
      if (list.length === 0 && opens && endsHere(chunks[at + 1]))
        for (const mention of namedBefore(chunks, mentions, at)) mention.negated = true
    } else if (chunk.kind === 'refusal') {
      for (const mention of namedBefore(chunks, mentions, at)) mention.negated = true
      become(undefined)
    } else if (chunk.kind === 'word' && IS.has(chunk.word) && namesRelation(chunks, at))
      refuseList(mentions, listBefore(chunks, mentions, at))
    const found = byStart.get(at)
    if (found && scope) {
      if (reaches(chunks, byStart, scope, at, found)) {
        reach(chunks, mentions, scope, found)
        scope.since = Math.max(...found.map(mention => mention.last))
      } else {
        if (scope.reached && found.every(mention => familyOf(mention) === 'place') && placesRefused(chunks, scope.reached, at))
          for (const mention of found) mention.unsayable = true
        become(undefined)
      }
    }
    if (found) {
      at = Math.max(at, ...found.map(mention => mention.last))
      continue
    }
    if (scope && chunk.word === '(') extendToBracket(chunks, byStart, at, scope)
    else if (scope) extendToList(chunks, byStart, at, scope)
    if (scope && closes(chunks, at, scope)) become(undefined)
  }
  become(undefined)
  refuseLikewise(chunks, mentions)
  keepNarrowed(chunks, mentions)
  doubtUnreached(chunks, mentions)
  doubtStatements(chunks, mentions)
}

/** A negation that reached nothing refuses what stands before it, or it says something that nobody could read. */
function settle(chunks: readonly Chunk[], mentions: readonly Mention[], scope: Scope): void {
  const chunk = chunks[scope.opener]!
  if (scope.reached || scope.until !== undefined || chunk.kind !== 'negator') return
  const list = chunk.control?.not ? refusedSubject(chunks, mentions, scope.opener) : []
  refuseList(mentions, list)
  // "Acme are customers, so please skip": a command without an object means what was named.
  const isSaid = chunk.control?.command && isUnread(chunks[scope.opener - 1])
  if (chunk.control?.except && !isSaid && endsHere(chunks[scope.opener + 1])) list.push(...commanded(chunks, mentions, scope.opener))
  for (const mention of list) mention.negated = true
  chunk.unanswered = list.length === 0
}

/** "banks (exclude)", "banks - exclude" mean the list before the mark; behind a comma whatever was named. */
function commanded(chunks: readonly Chunk[], mentions: readonly Mention[], at: number): Mention[] {
  const before = chunks[at - 1]
  const marked = before?.word === '(' || before?.word === '—' || before?.word === '-'
  const list = marked ? listBefore(chunks, mentions, at - 1) : []
  return list.length > 0 || marked ? list : namedBefore(chunks, mentions, at)
}

const opened = (at: number, strong: boolean): Scope => ({ opener: at, strong, instead: false, replaces: false, since: at })

function openScope(chunks: readonly Chunk[], at: number): Scope {
  const { control } = chunks[at]!
  const scope = opened(at, Boolean(control?.except || control?.retraction || control?.exceptBehindPlace || control?.refusesThem))
  const next = chunks[at + 1]
  if (next?.kind !== 'break' || next.word !== '(') return scope
  // "NOT (assistant OR intern)"
  return { ...scope, until: endOfBracket(chunks, at + 2) }
}

/** Whether an open scope goes on to the mentions at a chunk. */
function reaches(
  chunks: readonly Chunk[],
  byStart: ReadonlyMap<number, Mention[]>,
  scope: Scope,
  at: number,
  found: readonly Mention[],
): boolean {
  if (scope.until !== undefined) return at <= scope.until
  // "nicht in Großstädten, Niedersachsen": what was refused is a word that nobody knows; only names may still belong to it.
  if (
    !scope.reached &&
    (describedOnly(chunks, scope, at, found) || missesItsNoun(chunks, scope, at, found) || leadsBack(chunks, scope, at, found))
  )
    return false
  if (!scope.reached) return !scope.missed || found.every(mention => mention.kind === 'company')
  if (chunks[scope.opener]!.control?.retraction && comesInstead(chunks, at)) return false
  const before = Math.max(...scope.reached.map(mention => mention.last))
  const between = chunks.slice(before + 1, at)
  const same = found.some(mention => familyOf(mention) === familyOf(scope.reached![0]!))
  if (!between.some(isSeparator)) {
    // "Non-US SaaS companies": the place alone is refused.
    const isNon = chunks[scope.opener]!.word === 'non' && familyOf(scope.reached[0]!) === 'place'
    if (isNon || between.some(chunk => SO.has(chunk.word))) return false
    // "no subsidiaries of Schenker": whose they are belongs to what is refused.
    const owned =
      between.length <= 2 &&
      between.every(chunk => chunk.kind === 'word' && (chunk.small || OF.has(chunk.word))) &&
      OF.has(between.at(-1)?.word ?? '')
    if (owned && found.every(mention => mention.kind === 'company')) return true
    // "no corporates with more than 5,000 people": how big they are belongs to what is refused.
    if (found.every(isMeasure) && between.every(chunk => chunk.kind === 'word' && chunk.small) && familyOf(scope.reached[0]!) !== 'place')
      return true
    return between.every(chunk => chunk.kind === 'word' && chunk.idle) && !found.some(mention => familyOf(mention) === 'place')
  }
  const isOr = between.some(chunk => OR.has(chunk.word) || chunk.kind === 'list')
  if ((scope.strong || isOr) && joinsAnything(between)) return true
  const prepositions = between.some(chunk => chunk.kind === 'word' && chunk.small && !ARTICLES.has(chunk.word))
  if (prepositions && familyOf(found[0]!) !== 'place') return false
  // "skip agencies and Berlin": a place that ends the list belongs to it.
  if (
    scope.strong &&
    between.length === 1 &&
    between[0]!.kind === 'conjunction' &&
    familyOf(found[0]!) === 'place' &&
    endsHere(chunks[Math.max(...found.map(mention => mention.last)) + 1])
  )
    return true
  if (between.some(chunk => chunk.kind === 'conjunction' || chunk.kind === 'list'))
    return same || (!prepositions && (scope.strong || isOr) && familyOf(found[0]!) !== 'measure' && familyOf(found[0]!) !== 'place')
  // "ohne Agenturen, bei Banken", "sin agencias, de bancos": behind the comma a preposition goes back to the wish.
  if (OF.has(between.at(-1)!.word) && between.at(-1)!.kind === 'word') return false
  // "sans Berlin, chez des distributeurs en Italie": another noun has its own place.
  if (familyOf(found[0]!) === 'place' && between.some(chunk => chunk.kind === 'word' && !chunk.small && !chunk.idle)) return false
  // "Gong but not Outreach, SaaS": a product and an industry make no list.
  if ((found[0]!.kind === 'technology') !== (scope.reached[0]!.kind === 'technology') && !found.some(mention => mention.kind === 'company'))
    return false
  // "in Mexico, exclude Walmart, Monterrey and Liverpool": where is said before the refusal, and its list goes on over places.
  if (scope.strong && !same && between.length === 1 && placesGoOn(chunks, byStart, scope, at, found)) return true
  // Behind a comma alone: names go on, and so does a list that is closed by "and" or "or" later.
  // "no banks, Berlin or agencies": what stands between two of a kind that "or" joins is refused with them.
  if (!same) return between.length === 1 && listCloses(chunks, byStart, at, familyOf(scope.reached[0]!), 1)
  if (found.every(mention => mention.kind === 'company')) return scope.reached.some(mention => mention.kind === 'company')
  const goesOn = scope.strong || scope.examples === found[0]!.kind
  return (goesOn && familyOf(found[0]!) !== 'person') || listCloses(chunks, byStart, at, familyOf(found[0]!))
}

/** "companies without debt in Spain": what is refused is a word that nobody knows, and the place behind it is the wish's. */
function missesItsNoun(chunks: readonly Chunk[], scope: Scope, at: number, found: readonly Mention[]): boolean {
  const [noun, preposition] = [chunks[at - 2], chunks[at - 1]]
  if (!noun || at - 2 <= scope.opener || !found.every(mention => familyOf(mention) === 'place')) return false
  return IN.has(preposition!.word) && isUnreadNoun(noun)
}

/**
 * Marks what is reached. In "no German agencies" only the noun is refused: what it says of the noun is dropped, unless the
 * noun itself is wanted ("SaaS, no early-stage SaaS"), and then it is what is said of it that is refused.
 */
function reach(chunks: readonly Chunk[], mentions: readonly Mention[], scope: Scope, found: readonly Mention[]): void {
  const previous = scope.reached
  const adjacent =
    previous &&
    scope.until === undefined &&
    !previous.some(mention => mention.kind === 'company') &&
    !chunks.slice(Math.max(...previous.map(mention => mention.last)) + 1, found[0]!.first).some(isSeparator)
  const isWanted = (mention: Mention) =>
    mentions.some(
      other => other !== mention && !other.negated && !other.dropped && other.kind === mention.kind && other.value === mention.value,
    )
  // "hotel managers, no hotels under 50 staff": the title names them as well.
  const isNamed = ({ kind, value }: Mention) =>
    kind === 'industry' &&
    mentions.some(other => other.kind === 'title' && !other.negated && other.value.split(' ').some(word => namesTrade(word, value)))
  // "no agencies with more than 50 people": no filter says so of agencies alone, and nobody asked for such a size.
  if (
    previous &&
    found.every(isMeasure) &&
    !previous.some(mention => ['keyword', 'size'].includes(mention.kind) || isWanted(mention) || isNamed(mention))
  )
    for (const mention of found) mention.unsayable = true
  else if (adjacent && found.every(isWanted)) for (const mention of found) mention.dropped = true
  else {
    // "no cities like Boston, Chicago": examples are a whole list, of one kind.
    if (!previous && OF.has(chunks[found[0]!.first - 1]?.word ?? '') && scope.opener < found[0]!.first - 2) scope.examples = found[0]!.kind
    for (const mention of found) {
      // "Rather than Tesco or banks, …": what nobody asked for before, and nothing in its sentence replaces, is not wanted.
      const fresh = !scope.replaces && !mentions.some(other => takesItsPlace(chunks, other, mention, scope))
      if (scope.instead && !fresh) mention.dropped = true
      else mention.negated = true
    }
    if (adjacent) for (const mention of previous) mention.dropped = true
  }
  scope.reached = [...found]
}

/** "not the small ones so over 200 people": what was refused stands before "so", read or not, and the size behind it is the wish's. */
const leadsBack = (chunks: readonly Chunk[], scope: Scope, at: number, found: readonly Mention[]): boolean =>
  found.every(isMeasure) && chunks.slice(scope.opener + 2, at).some(chunk => SO.has(chunk.word))

const SO = new Set('so also donc asi'.split(' '))
const isMeasure = (mention: Mention): boolean => familyOf(mention) === 'measure'

function takesItsPlace(chunks: readonly Chunk[], other: Mention, mention: Mention, scope: Scope): boolean {
  if (mention.kind === 'company') return other.kind === 'company' && other.first < scope.opener
  if (other.first < scope.opener && other.kind === mention.kind && other.value === mention.value) return true
  return (
    familyOf(other) === familyOf(mention) &&
    !other.negated &&
    other !== mention &&
    chunks[other.first]!.sentence === chunks[mention.first]!.sentence
  )
}

function closes(chunks: readonly Chunk[], at: number, scope: Scope): boolean {
  const chunk = chunks[at]!
  if (scope.until !== undefined) return at > scope.until
  if (at <= scope.since) return false
  if (scope.replaces && scope.reached && REPLACED_BY.has(chunk.word)) return true
  const { command, retraction, excluded } = chunks[scope.opener]!.control ?? {}
  // "Do not add anything: CFOs", "Ignore the size: CFOs" have their object before the colon.
  const beforeColon = command || retraction || excluded ? 1 : MOST_BEFORE_COLON
  if (chunk.kind === 'break') {
    if (chunk.word !== ':' || scope.reached) return true
    return !(scope.strong && at - scope.since <= beforeColon && introduces(chunks, scope.since, at))
  }
  // "no Big Four (Deloitte, EY)", "without two cities: Rome, Bari": what stands behind the mark says whom that means.
  if (chunk.kind === 'gap' && !chunk.bound && chunks.slice(at + 1, at + 4).some(({ word }) => SAYS_WHOM.has(word))) return false
  // Words that are not the wish's own end it; a stray apostrophe does not, nor "people we called" within a refused list.
  if (chunk.kind === 'gap' && /[\p{L}#]/u.test(chunk.word)) return !(chunk.wish && scope.strong && scope.reached)
  if (chunk.kind === 'correction') return true
  if (chunk.kind === 'word' && scope.reached && TURNS_BACK.has(chunk.word)) return true
  if (chunk.kind === 'comma' && !scope.reached) {
    if (chunks.slice(scope.since + 1, at).some(isUnreadNoun)) scope.missed = true
    return !scope.strong || scope.instead || Boolean(command || retraction)
  }
  return at - scope.since > REACH
}

const MOST_BEFORE_COLON = 4
const SAYS_WHOM = new Set(['(', ':', '—'])

const isUnreadNoun = (chunk: Chunk): boolean => chunk.kind === 'word' && chunk.unknown && !chunk.used && !isRelation(chunk.word)
