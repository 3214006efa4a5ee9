import { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { csvRecord } from '../../lib/csv.ts'
import { AppError, unavailable } from '../../lib/errors.ts'
import { S3Failed } from '../../lib/s3.ts'
import { type ExportRow, type FileRow, listFileRows, setFile } from './queries.ts'

/** Rows that are in memory at a time: about a quarter of a megabyte. A slow client holds no connection between two pages. */
const PAGE_ROWS = 1000

export const CSV_TYPE = 'text/csv; charset=utf-8'

const EXPORT_COLUMNS = [
  'email',
  'firstName',
  'lastName',
  'fullName',
  'jobTitle',
  'seniority',
  'department',
  'company',
  'companyDomain',
  'industry',
  'employees',
  'companySize',
  'city',
  'region',
  'country',
  'linkedinUrl',
  'phone',
  'lastVerifiedAt',
] as const satisfies readonly (keyof FileRow)[]

/** Called with how many rows of the file are written. */
type OnWritten = (rowCount: number) => void

/** The file, page by page. It fails at its end if rows were removed meanwhile: the receiver must not take a part for the whole. */
async function* writeCsv(db: Db, { id, leadCount }: ExportRow, onWritten: OnWritten = () => {}): AsyncGenerator<Buffer> {
  yield Buffer.from(csvRecord(EXPORT_COLUMNS))
  let written = 0
  for (let after = 0; ; ) {
    const rows = await listFileRows(db, id, after, PAGE_ROWS)
    if (rows.length === 0) break
    yield Buffer.from(rows.map(row => csvRecord(EXPORT_COLUMNS.map(column => row[column]!))).join(''))
    after = rows.at(-1)!.n
    written += rows.length
    onWritten(written)
  }
  if (written !== leadCount) throw new Error(`export ${id} was changed while its file was being written`)
}

/** Each revision has its own name, so that a worker that was believed dead cannot overwrite the file of its successor. */
const objectKey = (exported: ExportRow, revision: number): string => `exports/${exported.workspaceId}/${exported.id}-${revision}.csv`

/** Runs a transaction that commits only while this worker still has the operation. */
type Guarded = (work: (tx: Tx) => Promise<void>) => Promise<void>

/** Stores the file in the object store. Without one there is nothing to do: each download is written from the rows. */
export async function storeFile(
  ctx: Context,
  exported: ExportRow,
  guarded: Guarded,
  signal: AbortSignal,
  onWritten?: OnWritten,
): Promise<void> {
  if (ctx.objects === null) return
  const { id, revision } = exported
  const key = objectKey(exported, revision)
  await ctx.objects.put(key, writeCsv(ctx.db, exported, onWritten), CSV_TYPE, signal).catch(storeFailed)
  await guarded(tx => setFile(tx, id, revision, key))
  // Only now: a download finds a file at any time.
  await deleteObjects(ctx, exported, revision)
}

/** The file as a stream. A missing object cannot be distinguished from a store that is briefly unavailable, so both are retryable. */
export async function readFile(ctx: Context, exported: ExportRow): Promise<Readable> {
  if (exported.objectKey === null) return Readable.from(writeCsv(ctx.db, exported), { objectMode: false })
  const stream = ctx.objects && (await ctx.objects.get(exported.objectKey).catch(() => null))
  if (!stream) throw unavailable('The store of the file cannot be reached. Try again.', 5)
  return stream
}

/** Deletes the files of the revisions before `end` from the object store. */
export async function deleteObjects(ctx: Context, exported: ExportRow, end: number): Promise<void> {
  if (ctx.objects === null) return
  for (let revision = 0; revision < end; revision++) await ctx.objects.delete(objectKey(exported, revision)).catch(storeFailed)
}

function storeFailed(error: unknown): never {
  if (error instanceof S3Failed)
    throw new AppError('upstream_unavailable', 'The object store does not accept the file. Nothing was charged.')
  throw error
}
