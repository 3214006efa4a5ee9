import type { Chunk, Mention } from '../model.ts'
import { familyOf } from './families.ts'

/** Where a refusal ends that marks or labels bound: its bracket, its line. */

export interface Scope {
  /** The chunk that opened it. */
  opener: number
  /** A whole list, as against a noun phrase. */
  strong: boolean
  /** Named only to be replaced: dropped, not excluded. */
  instead: boolean
  replaces: boolean
  /** Up to this chunk everything is reached, whatever stands between. */
  until?: number
  /** Its noun was read by nobody, and the comma behind it was passed. */
  missed?: boolean
  /** What it reached last. */
  reached?: Mention[]
  since: number
}

/** "no groups (Siblu, Yelloh)", "no small ones (under 20 staff)": a bracket behind what is refused gives examples, or its size. */
export function extendToBracket(chunks: readonly Chunk[], byStart: ReadonlyMap<number, Mention[]>, at: number, scope: Scope): void {
  if (scope.until !== undefined || at - scope.since > 4) return
  // "no agencies (50+ staff)": beside a noun of its own the number may be the wish's.
  const sizes = !scope.reached || scope.reached.every(({ kind, dropped, first }) => kind === 'size' || dropped || chunks[first - 1]?.idle)
  let end = at + 1
  let named = false
  for (; end < chunks.length && end < at + 20 && chunks[end]!.word !== ')'; end++) {
    const found = byStart.get(end)
    if (found?.some(mention => mention.kind !== 'company' && !(familyOf(mention) === 'measure' && sizes))) return
    named ||= found !== undefined
  }
  if (named && chunks[end]?.word === ')') scope.until = end
}

export function endOfBracket(chunks: readonly Chunk[], from: number): number {
  let end = from
  while (end < chunks.length && chunks[end]!.word !== ')') end++
  return end
}

export function endOfLabel(chunks: readonly Chunk[], at: number): number {
  let end = at
  while (chunks[end + 1]?.label === 'exclude') end++
  return end
}
