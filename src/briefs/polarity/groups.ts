import { entryOf } from '../mentions/lexicon.ts'
import { TRADES } from '../mentions/opening-titles.ts'
import { isSeparator } from '../mentions/titles.ts'
import type { Chunk } from '../model.ts'
import { wordSet } from '../words.ts'
import { isUnread, isWished, type Node, type Row, type Scope } from './walker.ts'

/**
 * A refused list may name groups of different kinds: "no recruiters, agencies, banks". It goes on over bare nouns to the end of its
 * clause, and ends before a noun with words of its own ("SaaS founders in Berlin"), a place, a number or a product. What is listed so
 * is decided when all cues are read, because the same words may be the wish of a brief that asks for nobody else.
 */

const ARTICLES = wordSet('polarity.txt', 'articles')
const CLOSINGS = wordSet('polarity.txt', 'closing words')
const GROUPS: ReadonlySet<Node['kind']> = new Set(['title', 'level', 'department', 'industry', 'company', 'keyword', 'size'])

/** Whether a node is one more bare group of the list that a scope has reached. */
export function isListed({ chunks, at: nodeAt }: Row, { reached, resumes, instead, indifferent }: Scope, node: Node): boolean {
  if (!reached || instead || indifferent || !GROUPS.has(reached.kind) || !GROUPS.has(node.kind)) return false
  const between = chunks.slice(resumes ?? reached.last + 1, node.first)
  if (!between.some(isListSign) || !between.every(isPartOfList)) return false
  const end = endOfItem(chunks, node)
  return !nodeAt.has(end + 1) && endsItem(chunks[end + 1]) && isGroup(chunks, node)
}

const isListSign = (chunk: Chunk): boolean => isSeparator(chunk) || chunk.word === ';'
const isPartOfList = (chunk: Chunk): boolean =>
  isListSign(chunk) || isUnread(chunk) || chunk.idle || chunk.companyNoun || chunk.peopleNoun || (chunk.small && ARTICLES.has(chunk.word))

function endOfItem(chunks: readonly Chunk[], { last }: Node): number {
  const noun = chunks[last + 1]
  return noun?.kind === 'word' && !noun.used && (noun.companyNoun || noun.peopleNoun) ? last + 1 : last
}

function endsItem(chunk: Chunk | undefined): boolean {
  if (chunk?.kind === 'word') return CLOSINGS.has(chunk.word)
  return chunk?.word !== ':' && !(chunk?.kind === 'gap' && /[\p{L}#]/u.test(chunk.word))
}

/** People, names and kinds of companies. A trade such as "SaaS" or "retail" is none: behind a comma it is rather a wish of its own. */
function isGroup(chunks: readonly Chunk[], node: Node): boolean {
  return node.family === 'person' || node.kind !== 'industry' || endOfItem(chunks, node) > node.last || isPlural(chunks, node)
}

/** Whether a noun is in the plural, by the endings of four languages. In "agences de conseil" the first word has the ending. */
function isPlural(chunks: readonly Chunk[], { first, last }: Node): boolean {
  const words = chunks.slice(first, last + 1).flatMap(({ word }) => word.split(' '))
  return [words[0]!, words.at(-1)!].some(word => {
    if (word.length > 4 && /[^suic]s$/.test(word)) return !TRADES.test(word)
    const [ending] = /(?:inn|)en$|n$|er?$/.exec(word) ?? []
    return ending !== undefined && entryOf(word.slice(0, -ending.length)) !== undefined
  })
}

/** Decides what was only listed: refused where the brief surely asks for others, reported where it may, and else left as a wish. */
export function decideListed(row: Row, scopes: readonly Scope[]): void {
  const undecided = new Set(scopes.flatMap(({ listed }) => listed ?? []))
  const wished = row.nodes.filter(node => !undecided.has(node) && isWished(node))
  for (const { opener, listed } of scopes) {
    if (!listed) continue
    const last = listed.at(-1)!
    const end = row.chunks[endOfItem(row.chunks, last) + 1]
    // "no agencies, banks, Berlin", "CFOs; no agencies; banks": in shorthand each item may be a wish of its own.
    const closes = end?.kind !== 'comma' && !row.chunks.slice(opener, last.first).some(({ word }) => word === ';')
    const people = wished.filter(node => node.family === 'person')
    const before = people.some(node => node.last < opener)
    const asksForThings = wished.some(node => node.last < opener && (node.kind === 'industry' || node.kind === 'size'))
    for (const node of listed) {
      const isPerson = node.family === 'person'
      if (people.length === 0 && (isPerson || !asksForThings)) continue
      const certain = (closes || (isPerson && before)) && isPlural(row.chunks, node)
      for (const mention of node.mentions) certain ? (mention.negated = true) : (mention.unsayable = true)
    }
  }
}
