import { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { csvRecord } from '../../lib/csv.ts'
import { AppError, existing, invalidReference, unavailable } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pagesOf } from '../../lib/page.ts'
import { pick } from '../../lib/pick.ts'
import { S3Failed } from '../../lib/s3.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { ExportedPerson, ExportRow } from './queries.ts'
import * as queries from './queries.ts'

const KEPT_MS = 30 * DAY_MS

/** How often the people may be chosen again before people who became unavailable are left out. */
const MAX_CHOICES = 5

export const getExport = async (db: Db, workspaceId: string, id: string): Promise<ExportRow> =>
  existing(await queries.findExport(db, workspaceId, id), 'export')

export const hasExpired = (exported: ExportRow, now: Date): boolean =>
  exported.status === 'expired' || (exported.expiresAt !== null && exported.expiresAt <= now)

/** The people of an export while they are being chosen, and how many of them are stored. */
export interface Choice {
  exported: ExportRow
  rowCount: number
}

/**
 * Begins the choice, with nothing of an earlier one. The export is made when it is not there yet. The lock waits for parts that a worker
 * that was considered dead may still be storing.
 */
export async function beginChoice(tx: Tx, operation: { id: string; workspaceId: string; requestedCount: number }, now: Date) {
  const { workspaceId, requestedCount } = operation
  const { id } = await queries.ensureExport(tx, { id: newId(), workspaceId, operationId: operation.id, requestedCount, now })
  const exported = (await queries.lockExport(tx, id))!
  if (exported.isFixed) throw new Error(`the people of export ${id} are chosen already`)
  await queries.deleteRows(tx, id)
  return { exported, rowCount: 0 }
}

/** Ends the choice. False when a person was erased from the export meanwhile: then the people must be chosen again. */
export async function endChoice(tx: Tx, choice: Choice, directoryVersion: number): Promise<boolean> {
  const { id, revision } = choice.exported
  if ((await queries.lockExport(tx, id))!.revision !== revision) return false
  await queries.fixRows(tx, id, choice.rowCount, directoryVersion)
  return true
}

/**
 * Checks again, as part of the purchase, that all people can still be delivered. If it returns false, the people must be chosen again, or
 * a file in the object store must be replaced; nothing was charged.
 */
export async function confirmExport(
  tx: Tx,
  exported: ExportRow,
  { withoutOwned, directoryVersion }: { withoutOwned: boolean; directoryVersion: number },
): Promise<boolean> {
  const current = await queries.lockExport(tx, exported.id)
  if (!current || current.revision !== exported.revision) return false
  if (exported.objectKey !== null && current.fileRevision !== current.revision) return false
  const lost = await queries.findLostRows(tx, exported, { withoutOwned, isSameDirectory: current.directoryVersion === directoryVersion })
  if (lost.length === 0) return true
  await queries.reviseRows(tx, exported.id, current.revision < MAX_CHOICES ? 'all' : lost)
  return false
}

export const completeExport = (tx: Tx, id: string, creditsCharged: number, now: Date): Promise<ExportRow> =>
  queries.setCompleted(tx, id, creditsCharged, now, new Date(now.getTime() + KEPT_MS))

/** An export whose people can be put into a campaign. */
export async function getImportableExport(db: Db, workspaceId: string, id: string, now: Date): Promise<ExportRow> {
  const exported = await queries.findExport(db, workspaceId, id)
  const refuse = (message: string): AppError => invalidReference('exportId', message)
  if (!exported) throw refuse('is not an export of this workspace')
  if (hasExpired(exported, now)) throw refuse('is an expired export')
  if (exported.status !== 'completed') throw refuse(`is an export that is ${exported.status}`)
  return exported
}

/** The people of an export in pages, for an import into a campaign. */
export const peopleOfExport = (db: Db, exportId: string, pageSize: number): AsyncGenerator<ExportedPerson[]> =>
  pagesOf(
    (after: number | null) => queries.listPeople(db, exportId, after ?? 0, pageSize),
    person => person.n,
  )

const LINK = 'export download'

const messageOf = (exported: { workspaceId: string; id: string }): string => `${exported.workspaceId}/${exported.id}`

export const isSignedLink = (secrets: SecretBox, exported: { workspaceId: string; id: string }, signature: string): boolean =>
  secrets.verify(LINK, messageOf(exported), Buffer.from(signature, 'base64url'))

type Presenter = Pick<Context, 'link' | 'secrets' | 'clock'>

/** A client with this link can fetch the file as long as it is kept. */
function downloadUrl(ctx: Presenter, exported: ExportRow): string {
  const signature = ctx.secrets.sign(LINK, messageOf(exported)).toString('base64url')
  return `${exportLink(ctx, exported)}/download?signature=${signature}`
}

const exportLink = (ctx: Presenter, exported: ExportRow): string =>
  ctx.link(`/v1/workspaces/${exported.workspaceId}/exports/${exported.id}`)

export function presentExport(exported: ExportRow, ctx: Presenter) {
  const expired = hasExpired(exported, ctx.clock.now())
  const ready = exported.status === 'completed' && !expired
  return {
    ...pick(exported, 'id', 'workspaceId', 'operationId', 'requestedCount', 'leadCount', 'creditsCharged', 'expiresAt', 'createdAt'),
    status: expired ? ('expired' as const) : exported.status,
    downloadUrl: ready ? downloadUrl(ctx, exported) : null,
    links: { self: exportLink(ctx, exported) },
  }
}

/** The data of the operation's result and of the event. */
export function presentDelivery(exported: ExportRow, ctx: Presenter) {
  return {
    exportId: exported.id,
    requestedCount: exported.requestedCount,
    exportedCount: exported.leadCount,
    creditsCharged: exported.creditsCharged,
    downloadUrl: downloadUrl(ctx, exported),
    expiresAt: exported.expiresAt!.toISOString(),
  }
}

/** Rows that are in memory at a time: about a quarter of a megabyte. A slow client holds no connection between two pages. */
const PAGE_ROWS = 1000

export const CSV_TYPE = 'text/csv; charset=utf-8'

type OnWritten = (rowCount: number) => void

/** The file, page by page. It fails at its end if rows were removed meanwhile: the receiver must not take a part for the whole. */
async function* writeCsv(db: Db, { id, leadCount }: ExportRow, onWritten: OnWritten = () => {}): AsyncGenerator<Buffer> {
  yield Buffer.from(csvRecord(queries.FILE_FIELDS))
  let written = 0
  const read = (after: number | null) => queries.listFileRows(db, id, after ?? 0, PAGE_ROWS)
  for await (const rows of pagesOf(read, row => row.n)) {
    yield Buffer.from(rows.map(row => csvRecord(queries.FILE_FIELDS.map(column => row[column]!))).join(''))
    written += rows.length
    onWritten(written)
  }
  if (written !== leadCount) throw new Error(`export ${id} was changed while its file was being written`)
}

/** Each revision has its own name, so that a worker that was considered dead cannot overwrite the file of its successor. */
const objectKey = (exported: ExportRow, revision: number): string => `exports/${exported.workspaceId}/${exported.id}-${revision}.csv`

/** Runs a transaction that commits only while this worker still has the operation. */
type Guarded = (work: (tx: Tx) => Promise<void>) => Promise<void>

/** Stores the file in the object store. Without one there is nothing to do: each download is written from the rows. */
export async function storeFile(ctx: Context, exported: ExportRow, guarded: Guarded, signal: AbortSignal, onWritten?: OnWritten) {
  if (ctx.objects === null) return
  const { id, revision } = exported
  const key = objectKey(exported, revision)
  await ctx.objects.put(key, writeCsv(ctx.db, exported, onWritten), CSV_TYPE, signal).catch(storeFailed)
  await guarded(async tx => void (await queries.setFile(tx, id, revision, key)))
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
