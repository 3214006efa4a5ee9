import type { Chunk } from '../model.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { COMPETITORS, RELATIONSHIPS } from '../vocabulary/word-lists.ts'
import { isUnread } from './mention-row.ts'

/** The words that join more to a refused list than a comma and a noun: a relation, a pronoun or a preposition. */

const ANYTHING = wordSet('negation.txt', 'anything')
const ARTICLES = wordSet('negation.txt', 'articles')
export const IN = wordSet('negation.txt', 'in')

export const isRelation = (word: string): boolean => COMPETITORS.has(word) || RELATIONSHIPS.has(word) || word === 'following'

/** "exclude consultants and anyone at Acme", "… and anything in Alaska": whom or what it names belongs to the list. */
export function joinsAnything(between: readonly Chunk[]): boolean {
  const joint = between.findLastIndex(chunk => chunk.kind === 'conjunction')
  const said = joint < 0 ? [] : between.slice(joint + 1)
  if (said.length === 0 || said.some(chunk => chunk.kind !== 'word' || chunk.used)) return false
  if (ANYTHING.has(said[0]!.word)) return said.length === 1 || said.at(-1)!.small
  return said.length === 2 && said[0]!.peopleNoun && said[1]!.small
}

/** "not in Paris or at an agency", "except at schools, and in Alaska": what is joined has a preposition, as the first has. */
export function opensWithPreposition(chunks: readonly Chunk[], opener: number): boolean {
  const next = chunks[opener + 1]
  return PREPOSITIONS.has(chunks[opener]!.word.split(' ').at(-1)!) || (next?.kind === 'word' && PREPOSITIONS.has(next.word))
}
export function joinsPreposition(between: readonly Chunk[]): boolean {
  const said = between.slice(between.findLastIndex(chunk => chunk.kind === 'conjunction' || chunk.kind === 'list') + 1)
  return (
    said.length < between.length &&
    said.length > 0 &&
    PREPOSITIONS.has(said[0]!.word) &&
    said.slice(1).every(({ word }) => ARTICLES.has(word))
  )
}
const PREPOSITIONS = new Set('in at from bei in aus von chez en dans de a'.split(' '))

/** "except Acme and its suppliers in Berlin": whether words say where others of a refused list are. */
export function placesRefused(between: readonly Chunk[]): boolean {
  const noun = between.at(-2)
  if (between[0]?.kind !== 'conjunction' || between.length > 5 || !IN.has(between.at(-1)!.word) || !noun) return false
  return noun.kind === 'word' && (noun.companyNoun || noun.peopleNoun || isRelation(noun.word) || isUnread(noun))
}

/** "Acme is a competitor", "Acme are already clients": not wanted, without a word of negation. */
export function namesRelation(chunks: readonly Chunk[], verb: number): boolean {
  const said = chunks.slice(verb + 1, verb + 6).map(chunk => chunk.word)
  if (said.some(word => COMPETITORS.has(word))) return true
  return said.slice(0, 4).some(word => RELATIONSHIPS.has(word)) && said.some(word => ALREADY.has(word))
}
const ALREADY = wordSet('negation.txt', 'already')
