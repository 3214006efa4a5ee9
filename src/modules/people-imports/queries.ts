import { type Db, sql, type Tx } from '../../db/client.ts'

const WITHOUT_WAITING = sql("select set_config('synchronous_commit', 'off', true)")

/** The commit does not wait for the disk. A crash of the server loses only whole transactions, the latest first. */
export const commitWithoutWaiting = (tx: Tx): Promise<number> => tx.run(WITHOUT_WAITING)

export interface ImportPosition {
  bytePosition: number
  rowCount: number
  insertedCount: number
  updatedCount: number
  rejectedCount: number
  rejectedBytes: number
  finished: boolean
}

const FIND_IMPORT = sql(`
  select byte_position as "bytePosition", row_count as "rowCount", inserted_count as "insertedCount",
    updated_count as "updatedCount", rejected_count as "rejectedCount", rejected_bytes as "rejectedBytes", finished
  from directory_imports
  where fingerprint = $1`)

export const findImport = (db: Db, fingerprint: string): Promise<ImportPosition | undefined> =>
  db.first<ImportPosition>(FIND_IMPORT, [fingerprint])

const SAVE_IMPORT = sql(`
  insert into directory_imports (
    fingerprint, file_name, byte_position, row_count, inserted_count, updated_count, rejected_count, rejected_bytes,
    finished, updated_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (fingerprint) do update set
    byte_position = $3, row_count = $4, inserted_count = $5, updated_count = $6, rejected_count = $7,
    rejected_bytes = $8, finished = $9, updated_at = $10`)

export const saveImport = (tx: Tx, fingerprint: string, fileName: string, at: ImportPosition, now: Date): Promise<number> =>
  tx.run(SAVE_IMPORT, [
    fingerprint,
    fileName,
    at.bytePosition,
    at.rowCount,
    at.insertedCount,
    at.updatedCount,
    at.rejectedCount,
    at.rejectedBytes,
    at.finished,
    now,
  ])
