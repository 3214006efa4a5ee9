import type { FilterDocument } from '#lead-terms'
import type { Context } from '../../../context/context.ts'
import { mergeIntoDirectory } from '../people.ts'
import { readPerson } from '../person-input.ts'
import type { NewPerson } from '../schema.ts'
import type { LeadSource } from './source.ts'

const PAGE_SIZE = 100

interface PullResult {
  foundCount: number
  insertedCount: number
  updatedCount: number
  rejectedCount: number
}

/** Fetches up to `limit` people from a source, page by page, each page merged before the next is asked for. */
export async function pullFromSource(
  ctx: Pick<Context, 'db' | 'clock' | 'secrets'>,
  source: LeadSource,
  filters: FilterDocument,
  limit: number,
): Promise<PullResult> {
  const result: PullResult = { foundCount: 0, insertedCount: 0, updatedCount: 0, rejectedCount: 0 }
  let cursor: string | null = null
  do {
    const page = await source.search(filters, Math.min(PAGE_SIZE, limit - result.foundCount), cursor)
    const found = page.people.slice(0, limit - result.foundCount)
    const people = found.map(readPerson).flatMap((read): NewPerson[] => ('person' in read ? [read.person] : []))
    const merged = await ctx.db.inTransaction(tx =>
      mergeIntoDirectory(tx, people, { source: `source:${source.name}`, now: ctx.clock.now(), secrets: ctx.secrets }),
    )
    result.foundCount += found.length
    result.insertedCount += merged.insertedCount
    result.updatedCount += merged.updatedCount
    result.rejectedCount += found.length - people.length + merged.erased.length
    // A provider that returns the same cursor again would make this loop endless.
    cursor = found.length === 0 || page.cursor === cursor ? null : page.cursor
  } while (cursor !== null && result.foundCount < limit)
  return result
}
