import { NAMELY } from '../mentions/name-contexts.ts'
import { isSeparator, namesTrade } from '../mentions/titles.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { PLACE_KINDS, REPLACED_BY, TURNS_BACK } from '../vocabulary/word-lists.ts'
import { isWanted, returnsToWish } from './approval.ts'
import { CUES } from './asides.ts'
import { IN, isRelation, joinsAnything, joinsPreposition, opensWithPreposition, placesRefused } from './coordination.ts'
import { listedAt } from './listed-nouns.ts'
import {
  asksElsewhere,
  FAR,
  type Family,
  familyOf,
  isWished,
  liesInWish,
  listFrom,
  type Node,
  type Row,
  type Scope,
} from './mention-row.ts'

const OR = wordSet('negation.txt', 'or')
/** After these, names belong to what is refused: "no subsidiaries of A", "no chains like A". */
const OF = wordSet('negation.txt', 'whose')
/** "sauf les banques et les assurances": these say nothing about where a list ends. */
const ARTICLES = wordSet('negation.txt', 'articles')
const SO = wordSet('negation.txt', 'therefore')
const LACKING = wordSet('negation.txt', 'lacking')
const REACH = 10
const MOST_ASIDES = 3
const MOST_BEFORE_COLON = 4
const SAYS_WHOM = new Set(['(', ':', '—'])

export const endsHere = (chunk: Chunk | undefined, but?: string): boolean =>
  chunk === undefined || chunk.kind === 'comma' || (chunk.kind === 'break' && chunk.word !== but)

export function endOfBracket(chunks: readonly Chunk[], from: number): number {
  let end = from
  while (end < chunks.length && chunks[end]!.word !== ')') end++
  return end
}

/** Walks from a cue as far as its scope goes, and signs what it meets. */
export function applyScope(row: Row, scope: Scope): void {
  const { chunks } = row
  const { opener } = scope
  let since = opener
  // Any other cue ends a walk; one within an aside is passed by each list around it, and its own walk passes the asides after it.
  let asidesLeft = row.asides.within.has(opener) ? MOST_ASIDES : Number.POSITIVE_INFINITY
  for (let at = chunks[opener]!.label === 'exclude' ? opener : opener + 1; at < chunks.length; at++) {
    const node = row.at.get(at)
    if (node && scope.reached && scope.until === undefined && returnsToWish(row, scope, scope.reached, node)) return
    if (node && !scope.listed && goesOn(row, scope, node)) {
      sign(row, scope, node)
      since = node.last
      at = node.last
    } else if (node && list(row, scope, node)) {
      since = scope.reached!.last
      at = since
    } else if (node) {
      // "except Acme and its suppliers in Berlin": where others of the refused list are is no place to look.
      if (scope.reached && node.family === 'place' && placesRefused(chunks.slice(scope.reached.last + 1, at)))
        for (const mention of node.mentions) mention.unsayable = true
      // "no subsidiaries of banks": of what they are who are refused is nothing to ask for.
      if (scope.reached && node.family === 'thing' && at === scope.reached.last + 2 && OF.has(chunks[at - 1]!.word))
        for (const mention of node.mentions) mention.unsayable = true
      return
    } else {
      if (scope.until === undefined && CUES.has(chunks[at]!.kind)) return
      if (scope.until === undefined && chunks[at]!.word === '(' && at - since <= 4) scope.until = endOfRefusedBracket(row, scope, at)
      const resumes = scope.until === undefined && scope.reached?.last === at - 1 ? row.asides.ends.get(at) : undefined
      if (resumes !== undefined && asidesLeft-- > 0) {
        scope.resumes = resumes
        for (; at < resumes; at++) for (const mention of row.at.get(at)?.mentions ?? []) mention.unsayable = true
        since = at
        at--
      } else if (scope.until === undefined ? closes(row, scope, at, since) : at > scope.until) return
    }
  }
}

/** Adds the item at a node to what is decided later. After such an item nothing of the list is certain. */
function list(row: Row, scope: Scope, node: Node): boolean {
  const item = listedAt(row, scope, node)
  if (item.length === 0 && scope.listed && node.family !== 'measure' && goesOn(row, scope, node)) item.push(node)
  if (item.length === 0) return false
  scope.listed ??= []
  scope.listed.push(...item)
  scope.reached = item.at(-1)!
  scope.resumes = undefined
  return true
}

/** Whether a chunk that names nothing ends a scope. */
function closes(row: Row, scope: Scope, at: number, since: number): boolean {
  const { chunks } = row
  const { kind, word, requirement } = chunks[at]!
  const { opener, strong, reached } = scope
  const { command, retraction, excluded } = chunks[opener]!.cue ?? {}
  if (kind === 'break') {
    // "exclude these companies: A and B", but "Do not add anything: CFOs", "Ignore the size: CFOs"
    // "no recruiters; agencies; banks", but "no recruiters, agencies; CFOs in Rome"
    if (word === ';' && reached && row.at.has(at + 1) && !chunks.slice(opener, at).some(chunk => chunk.kind === 'comma'))
      return listedAt(row, scope, row.at.get(at + 1)!).length === 0
    const most = command || retraction || excluded ? 1 : MOST_BEFORE_COLON
    if (word === ':' && !reached && strong && at - since <= most && chunks.slice(since + 1, at).every(introduces)) return false
    scope.until = endOfMembers(row, scope, at)
    return scope.until === undefined
  }
  if (kind === 'gap') {
    // "no Big Four (Deloitte, EY)", "without two cities: Rome, Bari": what comes after the mark says whom that means.
    if (!reached && !chunks[at]!.bound && chunks.slice(at + 1, at + 4).some(chunk => SAYS_WHOM.has(chunk.word))) return false
    // Words that are not the wish's own end it; a stray apostrophe does not, nor "people we called" within a refused list.
    if (/[\p{L}#]/u.test(word)) return !(requirement && strong && reached)
  }
  if (kind === 'word' && reached && (TURNS_BACK.has(word) || (scope.replaces && REPLACED_BY.has(word)))) return true
  if (kind === 'comma') scope.until = endOfMembers(row, scope, at)
  if (scope.until !== undefined) return false
  if (kind === 'comma' && !reached) {
    scope.missed ||= chunks.slice(since + 1, at).some(isNoun)
    return !strong || Boolean(scope.instead || command || retraction)
  }
  return at - since > REACH
}

/** "except, of course, banks", "without rivals, Acme" continue after the comma; what any other noun says is complete. */
const isNoun = ({ kind, small, idle, word }: Chunk): boolean => kind === 'word' && !small && !idle && !isRelation(word)
const isUnreadNoun = (chunk: Chunk): boolean => chunk.kind === 'word' && chunk.unknown && !chunk.used && !isRelation(chunk.word)
const introduces = ({ small, companyNoun, peopleNoun, word }: Chunk): boolean => small || companyNoun || peopleNoun || isRelation(word)

/** Whether an open scope continues to a node. */
function goesOn(row: Row, scope: Scope, node: Node): boolean {
  const { chunks } = row
  const { opener, reached, strong } = scope
  const { first, family, kind } = node
  if (scope.until !== undefined) return first <= scope.until
  if (!reached) {
    if (misses(chunks, opener, node)) return false
    // "nicht in Großstädten, Niedersachsen": what was refused is a word that no one knows; only names may still belong to it.
    return !scope.missed || kind === 'company'
  }
  const between = chunks.slice(scope.resumes ?? reached.last + 1, first)
  const small = (chunk: Chunk) => chunk.kind === 'word' && chunk.small
  const last = between.at(-1)
  const isOf = last?.kind === 'word' && OF.has(last.word)
  if (last?.word === ';') return chunks[opener + 1]!.word === ':'
  // "my colleague covers Spain, me Italy"
  if (between.some(({ word }) => word === 'me' || word === 'i')) return false
  if (!between.some(isSeparator)) {
    // "Non-US SaaS companies": the place alone is refused.
    if ((chunks[opener]!.word === 'non' && reached.family === 'place') || between.some(chunk => SO.has(chunk.word))) return false
    // "no subsidiaries of Schenker", "no chains of gyms", "no corporates with more than 5,000 people": whose, of what or how big.
    const isOwner = kind === 'company' || (kind === 'industry' && reached.family === 'thing')
    if (isOwner && isOf && between.length <= 2 && between.every(chunk => small(chunk) || OF.has(chunk.word))) return true
    if (family === 'measure' && reached.family !== 'place' && between.every(small)) return true
    return family !== 'place' && between.every(chunk => chunk.kind === 'word' && chunk.idle)
  }
  const whole = strong || between.some(chunk => OR.has(chunk.word) || chunk.kind === 'list')
  if (whole && (joinsAnything(between) || (opensWithPreposition(chunks, opener) && joinsPreposition(between)))) return true
  const preposition = between.some(chunk => small(chunk) && !ARTICLES.has(chunk.word))
  if (preposition && family !== 'place') return false
  const same = node.mentions.some(mention => mention.kind === reached.kind) || family === reached.family
  if (between.some(chunk => chunk.kind === 'conjunction' || chunk.kind === 'list')) {
    // "skip agencies and Berlin": a place that ends the list belongs to it.
    if (same || (whole && between.length === 1 && family === 'place' && endsHere(chunks[node.last + 1]))) return true
    // "no banks, Bergen and Equinor": nor is a name asked for that ends a list of several.
    const isList = kind === 'company' && chunks.slice(opener, reached.last).some(chunk => chunk.kind === 'comma')
    return (whole || isList) && !preposition && family !== 'measure' && family !== 'place'
  }
  // "excluding agencies, SaaS founders in Berlin": whom the words after the comma ask for is of another family.
  if (!isHeadedAs(row, node, reached.family) && !listCloses(row, first, reached.family, 1)) return false
  // After a comma alone. "ohne Agenturen, bei Banken", "sans Berlin, chez des distributeurs en Italie": the wish comes back.
  if (isOf || (family === 'place' && between.some(chunk => chunk.kind === 'word' && !chunk.small && !chunk.idle))) return false
  // "Gong but not Outreach, SaaS": a product and an industry make no list.
  if ((kind === 'technology') !== (reached.kind === 'technology') && kind !== 'company') return false
  if (strong && !same && between.length === 1 && placesGoOn(row, opener, node)) return true
  // "no banks, Berlin or agencies": what is between two of a kind that "or" joins is refused with them.
  // "excluding Berlin, Zalando and Otto": no one asks for a name right after a refused list.
  if (!same) return between.length === 1 && ((strong && kind === 'company') || listCloses(row, first, reached.family, 1))
  if (family === 'place' && between.length === 1 && isSentenceOfPlaces(row, opener, node)) return true
  // "in California, not Los Angeles, San Jose"
  if (between.length === 1 && endsHere(chunks[node.last + 1]) && liesInWish(row, opener, node)) return true
  // Names continue, after a product as well, and so does a list that is closed by "and" or "or" later.
  if (kind === 'company') return reached.kind === 'company' || reached.kind === 'technology'
  return ((strong || scope.examples === kind) && family !== 'person') || listCloses(row, first, family, 3)
}

/** "No Leeds, Hull. CFOs in Kent": a sentence that is nothing but the refused list, where others ask for a person in another place. */
function isSentenceOfPlaces(row: Row, opener: number, node: Node): boolean {
  const { chunks, nodes } = row
  const list = listFrom(row, node)
  const { last } = list.at(-1)!
  if ((chunks[opener - 1]?.kind ?? 'break') !== 'break' || list.some(({ family }) => family !== 'place')) return false
  if ((chunks[last + 1]?.kind ?? 'break') !== 'break' || chunks[last + 1]?.word === ':') return false
  const { sentence } = chunks[node.first]!
  return (
    asksElsewhere(row, opener, last) &&
    nodes.some(each => each.kind === 'place' && chunks[each.first]!.sentence !== sentence && isWished(each))
  )
}

/** Whether nodes that stand side by side are headed by one of a family; one alone is its own head. */
function isHeadedAs({ at: nodeAt }: Row, node: Node, family: Family): boolean {
  let head = node
  for (let next = nodeAt.get(head.last + 1); next; next = nodeAt.get(head.last + 1)) head = next
  return head === node || head.family === family
}

/** Whether what a cue refuses is something that no one could read, and the node after it is the wish's. */
function misses(chunks: readonly Chunk[], opener: number, { first, family }: Node): boolean {
  // "they have their own fitters": of things the same words ask for those who have them.
  if (/ own$/.test(chunks[opener]!.word)) return family !== 'person'
  // "not the small ones so over 200 people"
  if (family === 'measure') return chunks.slice(opener + 2, first).some(chunk => SO.has(chunk.word))
  if (family !== 'place') return false
  // "companies without debt in Spain"
  if (first - 2 > opener && IN.has(chunks[first - 1]!.word) && isUnreadNoun(chunks[first - 2]!)) return true
  // "except family-owned ones, Spain": it is said by an adjective alone, before the comma.
  const said = chunks.slice(opener + 1, first)
  const comma = said.findIndex(chunk => chunk.kind === 'comma')
  return said.length < 9 && said.slice(0, Math.max(0, comma)).some(chunk => chunk.idle)
}

/** "no A, B or C": a conjunction further on joins another of the family. */
function listCloses({ chunks, at: nodeAt }: Row, from: number, family: Family, near: number): boolean {
  for (let at = from; at < chunks.length && at < from + 12; at++) {
    const { kind } = chunks[at]!
    if (kind === 'break' || kind === 'negator') return false
    if (kind !== 'conjunction') continue
    for (let next = at + 1; next <= at + near; next++) if (nodeAt.get(next)?.family === family) return true
    // "no crypto, gambling or adult": so does a noun that no one could read.
    return near > 1 && isUnreadNoun(chunks[at + 1] ?? chunks[at]!)
  }
  return false
}

/** "in Mexico, exclude Walmart, Monterrey and Liverpool": where is said before the refusal, and its list continues over places to its end. */
function placesGoOn(row: Row, opener: number, node: Node): boolean {
  const list = listFrom(row, node)
  if (list.some(({ family }) => family !== 'place') || !listCloses(row, node.first, 'place', 1)) return false
  return (
    endsHere(row.chunks[list.at(-1)!.last + 1]) &&
    row.nodes.some(({ family, first }) => family === 'place' && first < opener && opener - first < FAR)
  )
}

/**
 * Signs what is reached. In "no German agencies" only the noun is refused: what it says of the noun is dropped, unless the
 * noun itself is wanted ("SaaS, no early-stage SaaS"), and then it is what is said of it that is refused.
 */
function sign({ chunks, mentions, titles }: Row, scope: Scope, node: Node): void {
  const { reached, opener } = scope
  const wanted = (mention: Mention) => (other: Mention) =>
    other !== mention && !other.negated && !other.dropped && other.kind === mention.kind && other.value === mention.value
  const isWanted = (mention: Mention) => mentions.some(wanted(mention)) || isNamed(titles, mention)
  const beside =
    reached && scope.until === undefined && reached.kind !== 'company' && !chunks.slice(reached.last + 1, node.first).some(isSeparator)
  // "firms without a legal team": no one of that team is refused.
  const lacks = !reached && node.kind === 'department' && LACKING.has(chunks[opener]!.word)
  // "no agencies with more than 50 people": no filter says so of agencies alone, and no one asked for such a size.
  if (
    lacks ||
    (reached &&
      node.family === 'measure' &&
      !reached.mentions.some(each => each.kind === 'keyword' || each.kind === 'size' || isWanted(each)))
  )
    for (const mention of node.mentions) mention.unsayable = true
  else if (beside && node.mentions.every(isWanted)) for (const mention of node.mentions) mention.dropped = true
  else {
    // "no cities like Boston, Chicago": examples are a whole list, of one kind.
    if (!reached && OF.has(chunks[node.first - 1]?.word ?? '') && opener < node.first - 2) scope.examples = node.kind
    for (const mention of node.mentions) {
      // "Rather than Tesco or banks, …": what no one asked for before, and nothing in its sentence replaces, is not wanted.
      const isReplaced = scope.instead && (scope.replaces || mentions.some(other => takesPlace(chunks, other, mention, opener)))
      if (isReplaced || scope.indifferent) mention.dropped = true
      else mention.negated = true
    }
    if (beside) for (const mention of reached.mentions) mention.dropped = true
  }
  scope.reached = node
  scope.resumes = undefined
}

/** "hotel managers, no hotels under 50 staff": the title names them as well. */
export const isNamed = (titles: readonly Mention[], { kind, value }: Mention): boolean =>
  kind === 'industry' && titles.some(other => !other.negated && other.value.split(' ').some(word => namesTrade(word, value)))

function takesPlace(chunks: readonly Chunk[], other: Mention, mention: Mention, opener: number): boolean {
  if (mention.kind === 'company') return other.kind === 'company' && other.first < opener
  if (other.first < opener && other.kind === mention.kind && other.value === mention.value) return true
  if (other === mention || other.negated || chunks[other.first]!.sentence !== chunks[mention.first]!.sentence) return false
  return familyOf(other) === familyOf(mention)
}

/** The members of a refused group: the names, places or sizes that a bracket, a colon or "i.e." tells of it. */

/** Among companies, the name of a product is its maker's: "(AWS, Google, Microsoft)". */
const isName = ({ mentions }: Node): boolean => mentions.every(({ kind }) => kind === 'company' || kind === 'technology')

/** "no groups (Siblu, Yelloh)", "except Bonn (and Kiel)", "no small ones (under 20 staff)": the end of a bracket that belongs to what is refused. */
function endOfRefusedBracket(row: Row, { reached }: Scope, at: number): number | undefined {
  const { chunks } = row
  // "no agencies (50+ staff)": next to a noun of its own the number may be the wish's.
  const sizes = !reached || reached.mentions.every(({ kind, dropped, first }) => kind === 'size' || dropped || chunks[first - 1]?.idle)
  const goesOn = chunks[at + 1]?.kind === 'conjunction'
  let named = false
  for (let end = at + 1; end < chunks.length && end < at + 20; end++) {
    if (chunks[end]!.word === ')') return named ? end : undefined
    const node = row.at.get(end)
    if (!node) continue
    if (!isName(node) && !(node.family === 'measure' && sizes) && !(goesOn && node.family === reached?.family)) return undefined
    named ||= node.kind !== 'technology'
  }
  return undefined
}

/**
 * "none of the Big Four: PwC, EY", "no majors — Shell and BP", "no big cities, e.g. Rome": where the list ends that tells who a
 * refused group is, up to the last name or place.
 */
function endOfMembers(row: Row, { opener, reached }: Scope, mark: number): number | undefined {
  const { chunks } = row
  const { word } = chunks[mark]!
  const behind = chunks.slice(mark + 1, mark + 5).map(chunk => chunk.word)
  const namely = NAMELY.longest(behind, 0)?.length ?? 0
  const group = chunks.slice(opener + 1, Math.min(mark, opener + MOST_IN_GROUP + 2))
  if (group.length > MOST_IN_GROUP || group.every(chunk => chunk.small) || !(namely > 0 || word === ':' || word === '—')) return undefined
  // "no juniors: Acme staff": no company is one of them, nor of another company.
  if (reached?.family === 'person' || (reached?.kind === 'company' && namely === 0)) return undefined
  // "no startups: Siemens, Bosch": whether they are of that size no one knows.
  if (reached && isSize(reached) && namely === 0) return undefined
  let next = mark + 1 + namely
  while (chunks[next]?.small) next++
  const first = row.at.get(next)
  if (!first) return undefined
  const list = listFrom(row, first)
  const places = group.some(chunk => (chunk.kind === 'word' || !reached) && PLACE_KINDS.has(chunk.word))
  const other = list.findIndex(node => !(places ? node.family === 'place' : isName(node)))
  const last = list.at(other < 0 ? -1 : other - 1)!.last
  // "no agencies: Acme and Globex are fine"
  if (other !== 0 && first.kind !== 'technology') return isWanted(row, last + 1) ? undefined : last
  // If a person is asked for elsewhere, a colon may explain the group by any things to the end of the sentence.
  const isRest = word === ':' && !reached && list.every(node => node.family === 'thing') && endsSentence(chunks[list.at(-1)!.last + 1])
  return isRest && asksElsewhere(row, opener, list.at(-1)!.last) ? list.at(-1)!.last : undefined
}
const MOST_IN_GROUP = 6
const isSize = ({ family, kind }: Node): boolean => family === 'measure' || kind === 'size'

const endsSentence = (chunk: Chunk | undefined): boolean => chunk === undefined || chunk.kind === 'break'
