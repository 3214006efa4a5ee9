import { IS } from '../lists.ts'
import { phraseSet } from '../words.ts'
import { LEADS_OVER, listFrom, type Node, type Row } from './walker.ts'

/**
 * A word of wanting behind a list: "no banks, insurers are fine", "pas Paris, Lyon et Lille plutôt", "keine Praktikanten, Buchhalter
 * gesucht". It is said of what stands behind the comma, so that no refusal before it reaches that.
 */
const WANTED_BEHIND = phraseSet('polarity.txt', 'wanted behind')
const LONGEST_LINK = 6

/** Whether what begins at a node is said to be wanted. */
export function isWelcomed(row: Row, node: Node): boolean {
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
