import { type Db, sql, type Tx } from '../../db/client.ts'
import { newestFirst } from '../../db/filtered.ts'
import type { Page } from '../../lib/page.ts'
import { deleteRows } from './contents-queries.ts'
import { deleteChunks } from './file-queries.ts'

type ExportStatus = 'building' | 'completed' | 'failed' | 'expired'

export interface ExportRow {
  id: string
  workspaceId: string
  operationId: string
  status: ExportStatus
  requestedCount: number
  revision: number
  isFixed: boolean
  fileRevision: number | null
  objectKey: string | null
  byteLength: number | null
  leadCount: number
  creditsCharged: number
  directoryVersion: number | null
  createdAt: Date
  expiresAt: Date | null
}

const COLUMNS = `id, workspace_id as "workspaceId", operation_id as "operationId", status, requested_count as "requestedCount", revision,
  is_fixed as "isFixed", file_revision as "fileRevision", object_key as "objectKey", byte_length as "byteLength", lead_count as "leadCount",
  credits_charged as "creditsCharged", directory_version as "directoryVersion", created_at as "createdAt", expires_at as "expiresAt"`

const INSERT = sql(`
  with made as (
    insert into exports (id, workspace_id, operation_id, status, requested_count, created_at)
    values ($1, $2, $3, 'building', $4, $5)
    on conflict (operation_id) do nothing
    returning ${COLUMNS}
  )
  select ${COLUMNS}
  from exports
  where operation_id = $3
  union all
  select *
  from made`)

/** The export of an operation, made when it is not there yet. */
export async function ensureExport(
  tx: Tx,
  exported: { id: string; workspaceId: string; operationId: string; requestedCount: number; now: Date },
): Promise<ExportRow> {
  const { id, workspaceId, operationId, requestedCount, now } = exported
  return (await tx.first<ExportRow>(INSERT, [id, workspaceId, operationId, requestedCount, now]))!
}

const FIND = sql(`
  select ${COLUMNS}
  from exports
  where workspace_id = $1 and id = $2`)

export const findExport = (db: Db, workspaceId: string, id: string): Promise<ExportRow | undefined> =>
  db.first<ExportRow>(FIND, [workspaceId, id])

const FIND_OF_OPERATION = sql(`
  select ${COLUMNS}
  from exports
  where operation_id = $1`)

export const findExportOfOperation = (db: Db, operationId: string): Promise<ExportRow | undefined> =>
  db.first<ExportRow>(FIND_OF_OPERATION, [operationId])

const LIST = newestFirst(`
  select ${COLUMNS}
  from exports
  where workspace_id = $1`)

export const listExports = (db: Db, workspaceId: string, page: Page): Promise<ExportRow[]> =>
  db.many<ExportRow>(...LIST([workspaceId], page))

const LIST_UNCLEARED = sql(`
  select id
  from exports
  where workspace_id = $1 and cleared_at is null`)

export async function listUncleared(db: Db, workspaceId: string): Promise<string[]> {
  return (await db.many<{ id: string }>(LIST_UNCLEARED, [workspaceId])).map(row => row.id)
}

const SET_FILE = sql(`
  update exports
  set file_revision = $2, object_key = $3, byte_length = $4
  where id = $1`)

export async function setFile(tx: Tx, id: string, file: { revision: number; objectKey: string | null; byteLength: number }): Promise<void> {
  await tx.run(SET_FILE, [id, file.revision, file.objectKey, file.byteLength])
}

const LOCK = sql(`
  select ${COLUMNS}
  from exports
  where id = $1
  for update`)

export const lockExport = (tx: Tx, id: string): Promise<ExportRow | undefined> => tx.first<ExportRow>(LOCK, [id])

const SHARE = sql(`
  select from exports
  where id = $1
  for share`)

/** Keeps everybody out who locks the export, but not others who share it. */
export const shareExport = (tx: Tx, id: string): Promise<number> => tx.run(SHARE, [id])

const COMPLETE = sql(`
  update exports
  set status = 'completed', credits_charged = $2, completed_at = $3, expires_at = $4
  where id = $1
  returning ${COLUMNS}`)

export async function setCompleted(tx: Tx, id: string, creditsCharged: number, now: Date, expiresAt: Date): Promise<ExportRow> {
  return (await tx.first<ExportRow>(COMPLETE, [id, creditsCharged, now, expiresAt]))!
}

const FAIL = sql(`
  update exports
  set status = 'failed'
  where operation_id = $1 and status = 'building'`)

export async function setFailed(tx: Tx, operationId: string): Promise<void> {
  await tx.run(FAIL, [operationId])
}

const LIST_CLEARABLE = sql(`
  select ${COLUMNS}
  from exports
  where cleared_at is null and status <> 'building' and (expires_at is null or expires_at <= $1)
  order by expires_at nulls first
  limit $2`)

/** Expired and failed exports that still have their rows. */
export const listClearable = (db: Db, now: Date, limit: number): Promise<ExportRow[]> => db.many<ExportRow>(LIST_CLEARABLE, [now, limit])

const CLEAR = sql(`
  update exports
  set cleared_at = $2, status = case when status = 'completed' then 'expired' else status end
  where id = $1 and cleared_at is null`)

export async function clearExport(tx: Tx, id: string, now: Date): Promise<void> {
  await deleteRows(tx, id)
  await deleteChunks(tx, id)
  await tx.run(CLEAR, [id, now])
}
