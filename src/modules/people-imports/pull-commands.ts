import { readFile } from 'node:fs/promises'
import type { FilterDocument } from '#lead-terms'
import type { Context } from '../../context/context.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import { readFilters } from '../people/read-filters.ts'
import { HttpSource, type HttpSourceShape } from './sources/http-source.ts'
import { pullFromSource } from './sources/pull-tasks.ts'

export interface PullValues {
  filters?: string | undefined
  limit?: string | undefined
  'key-file'?: string | undefined
}

/** `overture people pull` */
export async function pullCommand(ctx: Context, file: string, values: PullValues): Promise<void> {
  const shape = JSON.parse(await readFile(file, 'utf8')) as HttpSourceShape
  const key = values['key-file'] ? (await readFile(values['key-file'], 'utf8')).trim() : ''
  const filters = readFilterOption(values.filters)
  const limit = Number(values.limit ?? 100)
  if (!Number.isInteger(limit) || limit < 1)
    throw wrongUsage('--limit needs a whole number.', 'overture people pull SOURCE.json --limit 100')
  const result = await pullFromSource(ctx, new HttpSource(shape, key), filters, limit)
  console.log(
    `${result.foundCount} found: ${result.insertedCount} new people, ${result.updatedCount} updated, ${result.rejectedCount} rejected.`,
  )
}

/** The same document that the API takes, shorthand included, and refused in the same words. */
export function readFilterOption(text = '{}'): FilterDocument {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw wrongUsage(`--filters wants JSON: ${(error as Error).message}`, 'overture help server')
  }
  return readFilters(document).filters
}
