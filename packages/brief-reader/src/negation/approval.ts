import type { Chunk } from '../model.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { IS } from '../vocabulary/word-lists.ts'
import { isPlural } from './listed-nouns.ts'
import { FAR, isWished, LEADS_OVER, listFrom, type Node, type Row, type Scope } from './mention-row.ts'

/**
 * A word of wanting after a list: "no banks, insurers are fine", "pas Paris, Lyon et Lille plutôt", "keine Praktikanten, Buchhalter
 * gesucht". It is said of what comes after the comma, so that no refusal before it reaches that.
 */
const WANTED_BEHIND = phraseSet('negation.txt', 'wanted behind')
const LONGEST_LINK = 6

/** Whether the wish begins after a comma: "no banks, insurers are fine", "Instead of banks, insurers", "minus UBS, plus Pictet". */
export function returnsToWish(row: Row, { opener, instead, replaces }: Scope, { last, kind }: Node, node: Node): boolean {
  const { chunks } = row
  if (!chunks.slice(last + 1, node.first).some(chunk => chunk.kind === 'comma')) return false
  if (isApproved(row, node) || addsBack(chunks, opener, node.first)) return true
  // "except Acme and Globex, steel industry": a trade after names that "and" has closed is no group.
  const isClosed = () =>
    (kind === 'company' || kind === 'industry') && chunks.slice(opener, last).some(chunk => chunk.kind === 'conjunction')
  const isTrade = node.kind === 'industry' || (node.kind === 'keyword' && kind === 'company')
  if (isTrade && last + 2 === node.first && (namesLine(chunks[node.last + 1]) || !isPlural(chunks, node)) && isClosed()) return true
  const opens = !chunks[opener - 1] || BEFORE_CLAUSE.has(chunks[opener - 1]!.kind)
  return Boolean(instead && !replaces && opens) && node.kind !== 'company' && chunks[node.last + 1]?.kind === 'break'
}
/** "minus UBS, plus Pictet" */
export const addsBack = (chunks: readonly Chunk[], opener: number, at: number): boolean =>
  MINUS.has(chunks[opener]!.word) && PLUS.has(chunks[at - 1]!.word)
const MINUS = new Set('minus moins menos abzuglich'.split(' '))
const PLUS = new Set('plus mas zuzuglich'.split(' '))
const BEFORE_CLAUSE: ReadonlySet<Chunk['kind']> = new Set(['break', 'comma', 'conjunction'])
const namesLine = (chunk: Chunk | undefined): boolean => /^(?:industr|se[ck]t|branche|space)/.test(chunk?.word ?? '')

/** Whether what begins at a node is said to be wanted. */
export function isApproved(row: Row, node: Node): boolean {
  const { chunks } = row
  const list = listFrom(row, node)
  const { last } = list.at(-1)!
  const comma = chunks.slice(node.first, last).findLastIndex(({ kind }) => kind === 'comma')
  // "no A, B, C are fine": several commas belong to one list only where "and" closes it.
  if (comma >= 0 && !chunks.slice(node.first + comma, last).some(({ kind }) => kind === 'conjunction')) return false
  return isWanted(row, last + 1)
}

/** Whether words of wanting begin at a chunk; a verb, a mark, a noun for companies or a place may lead over to them. */
export function isWanted({ chunks, at: nodeAt }: Row, from: number): boolean {
  for (let at = from; at < chunks.length && at < from + LONGEST_LINK; at++) {
    const { kind, word, small, companyNoun, peopleNoun } = chunks[at]!
    const said = chunks.slice(at, at + 4).flatMap(chunk => chunk.word.split(' '))
    if (kind !== 'negator' && kind !== 'excluded' && WANTED_BEHIND.longest(said, 0)) return true
    const place = small ? nodeAt.get(at + 1) : undefined
    if (place?.family === 'place') at = place.last
    else if (!(kind === 'break' ? LEADS_OVER.has(word) && at === from : kind === 'word' && (IS.has(word) || companyNoun || peopleNoun)))
      return false
  }
  return false
}

/** "rather insurers than banks", "lieber Bonn als Köln": what something else is preferred to is named only to be passed over. */
export function dropDispreferred(row: Row): void {
  const { chunks, nodes } = row
  const prefers = chunks.map(({ word }) => word.split(' ').find(each => PREFERS.has(each)))
  for (const [index, node] of prefers.some(Boolean) ? nodes.entries() : []) {
    const before = nodes[index - 1]
    if (!before || before.family !== node.family || !isWished(node) || !isWished(before)) continue
    const [than, ...articles] = chunks
      .slice(before.last + 1, node.first)
      .filter(({ companyNoun, peopleNoun }) => !companyNoun && !peopleNoun)
    if (!than || !THAN.has(than.word) || !articles.every(({ word }) => ARTICLES.has(word))) continue
    let opener = before.first - 1
    while (opener >= 0 && before.first - opener < FAR && !prefers[opener] && chunks[opener]!.kind !== 'break') opener--
    const verb = prefers[opener]
    // "prefer A to B", "prefiero A a B": only a verb is followed by these.
    if (!verb || before.first - opener >= FAR || (than.word.length <= 2 && !verb.startsWith('pref'))) continue
    const comma = chunks.slice(node.first, node.first + FAR).findIndex(({ kind }) => kind === 'comma')
    for (const { first, mentions } of listFrom(row, node))
      for (const mention of comma < 0 || first < node.first + comma ? mentions : []) mention.dropped = true
  }
}
const PREFERS = wordSet('negation.txt', 'prefers')
const THAN = wordSet('negation.txt', 'than')
const ARTICLES = wordSet('negation.txt', 'articles')
