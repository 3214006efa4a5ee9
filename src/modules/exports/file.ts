import { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { csvRecord } from '../../lib/csv.ts'
import { AppError } from '../../lib/errors.ts'
import { S3Failed } from '../../lib/s3.ts'
import { deleteChunks, EXPORT_COLUMNS, insertChunk, lastRowNumber, readChunks, renderRows, writeChunks } from './file-queries.ts'
import { type ExportRow, lockExport, setFile } from './queries.ts'

/** The number of rows that one transaction writes into the file. Between two transactions, the operation is unlocked and reports progress. */
const WRITTEN_AT_ONCE = 5000
/** Rows that are in memory at a time while a file goes to the object store. They come to about a quarter of a megabyte. */
const PAGE_ROWS = 1000
/** Chunks that are in memory at a time while a file is sent. */
const READ_AHEAD = 8

export const CSV_TYPE = 'text/csv; charset=utf-8'

const HEADER = csvRecord(EXPORT_COLUMNS)

/** Called with how many rows of the file are written. */
type OnWritten = (rowCount: number) => void

/** The text of the file, page by page. A page is fetched while the one before is written. */
async function* renderPages(db: Db, exportId: string, onWritten: OnWritten): AsyncGenerator<string> {
  const last = await lastRowNumber(db, exportId)
  const fetchPage = (after: number): Promise<string> => {
    const page = after < last ? renderRows(db, exportId, after, after + PAGE_ROWS) : Promise.resolve('')
    // The error is handled when this page is awaited; until then it must not count as unhandled.
    page.catch(() => {})
    return page
  }
  let next = fetchPage(0)
  yield HEADER
  for (let after = 0; after < last; after += PAGE_ROWS) {
    const page = await next
    next = fetchPage(after + PAGE_ROWS)
    if (page) yield page
    onWritten(Math.min(after + PAGE_ROWS, last))
  }
}

/** Runs a transaction that commits only while this worker still has the operation. */
type Guarded = (work: (tx: Tx) => Promise<void>) => Promise<void>

async function* encoded(pages: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const page of pages) yield Buffer.from(page)
}

/** Each revision has its own name, so that a worker that was believed dead cannot overwrite the file of its successor. */
const objectKey = (exported: ExportRow, revision: number): string => `exports/${exported.workspaceId}/${exported.id}-${revision}.csv`

/** Makes the file of the chosen people. */
export async function writeFile(
  ctx: Context,
  exported: ExportRow,
  guarded: Guarded,
  signal: AbortSignal,
  onWritten: OnWritten = () => {},
): Promise<void> {
  const { id, revision } = exported
  if (ctx.objects === null) {
    const byteLength = await storeChunks(id, guarded, signal, onWritten)
    await guarded(tx => setFile(tx, id, { revision, objectKey: null, byteLength }))
    return
  }
  const key = objectKey(exported, revision)
  const byteLength = await ctx.objects.put(key, encoded(renderPages(ctx.db, id, onWritten)), CSV_TYPE, signal).catch(storeFailed)
  await guarded(tx => setFile(tx, id, { revision, objectKey: key, byteLength }))
}

/** Writes the beginning of a file in the database, in place of whatever was there, and returns the number of bytes. */
export async function startFile(tx: Tx, exportId: string): Promise<number> {
  await deleteChunks(tx, exportId)
  await insertChunk(tx, exportId, 0, HEADER)
  return Buffer.byteLength(HEADER)
}

/**
 * Writes the file into the database, part by part. An interrupted attempt leaves no file, and the next one starts from the beginning. The export is
 * locked for each part, because a person who is erased meanwhile must not get into it.
 */
async function storeChunks(id: string, guarded: Guarded, signal: AbortSignal, onWritten: OnWritten): Promise<number> {
  let [byteLength, last] = [0, 0]
  await guarded(async tx => {
    byteLength = await startFile(tx, id)
    last = await lastRowNumber(tx, id)
  })
  for (let after = 0; after < last; after += WRITTEN_AT_ONCE) {
    signal.throwIfAborted()
    await guarded(async tx => {
      await lockExport(tx, id)
      byteLength += await writeChunks(tx, id, after, after + WRITTEN_AT_ONCE)
    })
    onWritten(Math.min(after + WRITTEN_AT_ONCE, last))
  }
  return byteLength
}

/** The file as a stream. A missing file cannot be distinguished from a store that is briefly unavailable, so both are retryable. */
export async function readFile(ctx: Context, exported: ExportRow, transact: Transact): Promise<Readable> {
  if (exported.objectKey === null) return Readable.from(stored(exported, transact), { objectMode: false })
  const stream = ctx.objects && (await ctx.objects.get(exported.objectKey).catch(() => null))
  if (!stream)
    throw new AppError('service_unavailable', 'The store of the file cannot be reached. Try again.', null, { 'retry-after': '5' })
  return stream
}

/** A few chunks are one short transaction, so that a slow client keeps no connection. */
type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

async function* stored(exported: ExportRow, transact: Transact): AsyncGenerator<Buffer> {
  let left = exported.byteLength!
  for (let after = -1; left > 0; ) {
    const chunks = await transact(tx => readChunks(tx, exported.id, after, READ_AHEAD))
    // The connection is aborted, so that the client does not mistake a part for the whole file.
    if (chunks.length === 0) throw new Error(`export ${exported.id} was cleared while it was being sent`)
    for (const { n, body } of chunks) {
      after = n
      left -= body.length
      if (left < 0) throw new Error(`export ${exported.id} was written again while it was being sent`)
      yield body
    }
  }
}

/** Deletes the files of all revisions from the object store. */
export async function deleteObjects(ctx: Context, exported: ExportRow): Promise<void> {
  if (exported.objectKey === null && exported.fileRevision !== null) return
  if (ctx.objects === null) return
  for (let revision = 0; revision <= exported.revision; revision++)
    await ctx.objects.delete(objectKey(exported, revision)).catch(storeFailed)
}

/** The same for the revisions before the present one. */
export async function deleteEarlierObjects(ctx: Context, exported: ExportRow): Promise<void> {
  if (ctx.objects === null) return
  for (let revision = 0; revision < exported.revision; revision++)
    await ctx.objects.delete(objectKey(exported, revision)).catch(storeFailed)
}

function storeFailed(error: unknown): never {
  if (error instanceof S3Failed)
    throw new AppError('upstream_unavailable', 'The object store does not accept the file. Nothing was charged.')
  throw error
}
