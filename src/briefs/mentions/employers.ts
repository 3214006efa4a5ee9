import type { Chunk, Mention } from '../model.ts'
import { amongRivals, namesEmployer } from './names.ts'
import { isSeparator } from './titles.ts'

/** Products that are employers where the text speaks of working there: "people at Stripe", "competitors such as Zendesk". */
export function readEmployers(chunks: readonly Chunk[], people: readonly Mention[], sliceOf: (chunk: Chunk) => string): Mention[] {
  const mentions: Mention[] = []
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at]!
    if (chunk.kind !== 'word' || chunk.used || !chunk.entry?.technology || chunk.entry.industry || !chunk.capital) continue
    const before = chunks[at - 1]
    const employs =
      before?.kind === 'word' && ['at', 'bei', 'chez', 'from'].includes(before.word) && people.some(mention => mention.last < at)
    const listed = isSeparator(before) && mentions.at(-1)?.last === at - 2
    if (!employs && !listed && !namesEmployer(chunks, at) && !amongRivals(chunks, at)) continue
    mentions.push({ kind: 'company', value: sliceOf(chunk), first: at, last: at })
    chunk.used = true
  }
  return mentions
}
