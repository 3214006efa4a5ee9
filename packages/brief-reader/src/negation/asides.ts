import { isSeparator } from '../mentions/titles.ts'
import type { Chunk } from '../model.ts'
import { COMPETITORS, RELATIONSHIPS, RELATIVES_BEFORE_A_REFUSAL, TURNS_BACK } from '../vocabulary/word-lists.ts'

/**
 * The remarks of a list about one of its members before it continues: "Dallas (too far) or Austin", "Acme, who have been a client since 2019, and
 * Globex", "banks - too slow - or insurers".
 */
export interface Asides {
  /** By the chunk after the member, the one where the list continues. */
  ends: Map<number, number>
  /** The chunks in them. */
  within: Set<number>
}

/** By the chunk where it begins, each thing that may be a member of a list, with its last chunk. */
type Members = ReadonlyMap<number, { last: number }>

export function findAsides(chunks: readonly Chunk[], nodes: Members): Asides {
  const [ends, within] = [new Map<number, number>(), new Set<number>()]
  for (const { last } of nodes.values()) {
    const end = endOfAside(chunks, nodes, last + 1) ?? 0
    if (end > 0) ends.set(last + 1, end)
    for (let at = last + 1; at < end; at++) within.add(at)
  }
  return { ends, within }
}

const CLOSED_BY = new Map([
  ['(', ')'],
  ['—', '—'],
  ['-', '-'],
  [',', ','],
])
const LONGEST_ASIDE = 14
export const CUES: ReadonlySet<Chunk['kind']> = new Set(['negator', 'excluded', 'refusal', 'reference', 'instead', 'correction'])
const isRelative = (chunk: Chunk | undefined): boolean => RELATIVES_BEFORE_A_REFUSAL.has(chunk?.word ?? '')

function endOfAside(chunks: readonly Chunk[], nodes: Members, from: number): number | undefined {
  const mark = isRelative(chunks[from]) ? ',' : CLOSED_BY.get(chunks[from]?.word ?? '')
  // "with whom"
  const isPlain = mark === ',' && ![from, from + 1, chunks[from + 1]?.small ? from + 2 : from].some(at => isRelative(chunks[at]))
  let [named, refused, relation] = [false, false, false]
  for (let at = from + 1; mark && at < chunks.length && at <= from + LONGEST_ASIDE; at++) {
    const { kind, word, requirement } = chunks[at]!
    if (word === mark && at > from + 1) {
      // Between commas stands a list as well: only a relative clause or "a client since 2019" may name something there.
      if (named && mark === ',' && (refused || (isPlain && !relation))) return undefined
      return isSeparator(chunks[at + 1]) ? at + 1 : mark === ',' && nodes.has(at + 1) ? at : undefined
    }
    if (kind === 'break' || TURNS_BACK.has(word) || (isPlain && (CUES.has(kind) || requirement || (nodes.has(at) && at === from + 1))))
      return undefined
    if (mark === ',' && isSeparator(chunks[at])) return undefined
    named ||= nodes.has(at)
    refused ||= CUES.has(kind)
    relation ||= RELATIONSHIPS.has(word) || COMPETITORS.has(word)
  }
  return undefined
}
