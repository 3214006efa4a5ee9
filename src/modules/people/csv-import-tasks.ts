import { basename, resolve } from 'node:path'
import type { Context } from '../../context/context.ts'
import { repeatWhileLocked } from '../../db/errors.ts'
import type { Tx } from '../../db/sql.ts'
import { type MergeResult, mergeIntoDirectory } from './people.ts'
import {
  describeMapping,
  fingerprintOf,
  mapColumns,
  nameRejectFile,
  type PreparedBatch,
  prepareBatches,
  RejectFile,
  readHead,
} from './people-file.ts'
import { ERASED, type PersonField } from './person-input.ts'
import { commitWithoutWaiting, findImport, type ImportPosition, saveImport } from './queries.ts'
import type { VerifyOptions } from './verify-people.ts'

interface FileImportOptions {
  file: string
  /** `field=Header`, overrides recognized columns. */
  map?: readonly string[]
  /** Start from the beginning, even when the file was imported before. */
  again?: boolean
  verify?: VerifyOptions
  /** The people become this workspace's own. Verified addresses in the file are ignored; the findings of `verify` count. */
  workspaceId?: string
  batchRows?: number
  onMapping?: (shown: string) => void
  onResume?: (at: ImportPosition) => void
  onProgress?: (progress: ImportProgress) => void
}

interface ImportProgress {
  rowCount: number
  bytePosition: number
  byteCount: number
}

export interface FileImportResult extends ImportPosition {
  rejectedFile: string
  /** How often a value was there and could not be read, by field. */
  unread: Partial<Record<PersonField, number>>
  /** The file had been imported completely before; nothing was done. */
  wasFinished: boolean
}

const BATCH_ROWS = 25_000

/**
 * Imports a file of any size in batches: the next one is read while the database merges the one before. Each batch commits the number of
 * rows that are done, so an interrupted import continues there.
 */
export async function importFile(ctx: Pick<Context, 'db' | 'clock' | 'secrets'>, options: FileImportOptions): Promise<FileImportResult> {
  const file = resolve(options.file)
  const head = await readHead(file)
  const mapping = mapColumns(head.headers, options.map)
  options.onMapping?.(describeMapping(head.headers, mapping))

  const { workspaceId } = options
  const fingerprint = fingerprintOf(head, mapping, workspaceId)
  const kept = options.again ? undefined : await findImport(ctx.db, fingerprint)
  const at: ImportPosition = kept ?? {
    rowCount: 0,
    insertedCount: 0,
    updatedCount: 0,
    rejectedCount: 0,
    rejectedBytes: 0,
    finished: false,
  }
  const rejectedFile = await nameRejectFile(file, at.rejectedBytes > 0)
  const unread: Partial<Record<PersonField, number>> = {}
  if (at.finished) return { ...at, rejectedFile, unread, wasFinished: true }
  if (kept) options.onResume?.(kept)

  const rejects = new RejectFile(rejectedFile, head.headers)
  await rejects.open(at.rejectedBytes)
  const merge = async (batch: PreparedBatch): Promise<void> => {
    const { people, indexes, rejected } = batch
    at.rowCount += batch.lines.length
    at.rejectedCount += rejected.length
    at.rejectedBytes = await rejects.append(rejected)
    const before = { ...at }
    let isRepeated = false
    const mergeOnce = async (tx: Tx): Promise<void> => {
      if (isRepeated) {
        // The results of a transaction that was rolled back.
        Object.assign(at, before)
        await rejects.rewind(at.rejectedBytes)
      }
      isRepeated = true
      await commitWithoutWaiting(tx)
      const now = ctx.clock.now()
      const from = {
        source: `file:${basename(file)}`,
        now,
        secrets: ctx.secrets,
        ...(workspaceId ? { workspaceId, isCheckedByUs: true } : {}),
      }
      const result: MergeResult = await mergeIntoDirectory(tx, people, from)
      at.insertedCount += result.insertedCount
      at.updatedCount += result.updatedCount
      at.rejectedCount += result.erased.length
      at.rejectedBytes = await rejects.append(result.erased.map(person => batch.rejectedRow(indexes[person]!, ERASED)))
      await saveImport(tx, fingerprint, basename(file), at, now)
    }
    await repeatWhileLocked(() => ctx.db.inTransaction(mergeOnce))
    options.onProgress?.({ rowCount: at.rowCount, bytePosition: batch.bytePosition, byteCount: head.byteCount })
  }
  const source = {
    ...options,
    file,
    ...{ original: head.original, mapping },
    batchRows: options.batchRows ?? BATCH_ROWS,
    clock: ctx.clock,
  }
  let merging: Promise<void> = Promise.resolve()
  try {
    for await (const batch of prepareBatches(source, at.rowCount, unread)) {
      await merging
      merging = merge(batch)
      // The error is handled with the next batch; until then it must not count as unhandled.
      merging.catch(() => {})
    }
    await merging
    at.finished = true
    // This commit waits for the disk, and so for all earlier ones.
    await ctx.db.inTransaction(tx => saveImport(tx, fingerprint, basename(file), at, ctx.clock.now()))
  } finally {
    await merging.catch(() => {})
    await rejects.close()
  }
  return { ...at, rejectedFile, unread, wasFinished: false }
}
