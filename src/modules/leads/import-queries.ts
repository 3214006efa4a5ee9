import { copyInShortly } from '../../db/copy-in.ts'
import { mentions } from '../../db/fragments.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { CsvResult, NewLead } from './schema.ts'

// A chunk is stored as it was received, in UTF-8, because it was validated before and is read only once.
const COPY = `
  copy lead_import_chunks (operation_id, n, leads)
  from stdin (format binary)`

/** By COPY, because parameters of a statement would be copied once more, and the garbage collector would have to find the copies. */
export async function insertChunks(tx: Tx, operationId: string, groups: Iterable<readonly Uint8Array[]>): Promise<void> {
  let count = 0
  for (const chunks of groups) {
    await copyInShortly(tx, COPY, copyOf(operationId, count, chunks))
    count += chunks.length
  }
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const NO_FLAGS = Buffer.alloc(8)
const END = Buffer.from([0xff, 0xff])

/** PostgreSQL's binary COPY: the head, then rows of fields with their lengths, and -1 as the end. */
function* copyOf(operationId: string, first: number, chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  yield Buffer.concat([SIGNATURE, NO_FLAGS])
  for (const [n, chunk] of chunks.entries()) {
    const row = Buffer.alloc(2 + 4 + 16 + 4 + 4 + 4)
    row.writeInt16BE(3)
    row.writeInt32BE(16, 2)
    row.write(operationId.replaceAll('-', ''), 6, 'hex')
    row.writeInt32BE(4, 22)
    row.writeInt32BE(first + n, 26)
    row.writeInt32BE(chunk.length, 30)
    yield row
    yield chunk
  }
  yield END
}

const FIND = sql(`
  select leads
  from lead_import_chunks
  where operation_id = $1 and n = $2`)

/** Reads the leads of an import in order, one chunk at a time. */
export async function* readChunks(db: Db, operationId: string): AsyncGenerator<NewLead[]> {
  for (let n = 0; ; n++) {
    const row = await db.first<{ leads: string }>(FIND, [operationId, n])
    if (!row) return
    yield JSON.parse(row.leads) as NewLead[]
  }
}

export const deleteChunks = sql(`
  delete from lead_import_chunks
  where operation_id = $1`).run<[operationId: string]>()

// When an import fails, the rollback also restores its chunks.
export const deleteChunksOfFinishedImports = sql(`
  delete from lead_import_chunks c
  using operations o
  where o.id = c.operation_id
    and o.status in ('succeeded', 'failed')`).run()

interface StoredChunk {
  operationId: string
  n: number
  leads: unknown
}

/** Chunks of waiting imports that contain the address. */
export const findChunkMentions = sql(`
  select c.operation_id as "operationId", c.n, c.leads::jsonb as leads
  from operations o
  join lead_import_chunks c on c.operation_id = o.id
  where o.workspace_id = $1
    and ${mentions('c.leads', '$2')}`).many<StoredChunk, [workspaceId: string, address: string]>()

export const updateChunk = sql(`
  update lead_import_chunks
  set leads = $3
  where operation_id = $1
    and n = $2`).run(({ operationId, n, leads }: StoredChunk) => [operationId, n, JSON.stringify(leads)])

export const insertUpload = sql(`
  insert into csv_uploads (id, workspace_id)
  values ($1, $2)`).run<[id: string, workspaceId: string]>()

export const insertPiece = sql(`
  insert into csv_upload_pieces (upload_id, n, bytes)
  values ($1, $2, $3)`).run<[uploadId: string, n: number, bytes: Buffer]>()

/** Assigns the file to the operation. */
export const attachUpload = sql(`
  update csv_uploads
  set operation_id = $2
  where id = $1`).run<[id: string, operationId: string]>()

export const deleteLooseUpload = sql(`
  delete from csv_uploads
  where id = $1
    and operation_id is null`).run<[id: string]>()

export const deleteUploadOf = sql(`
  delete from csv_uploads
  where operation_id = $1`).run<[operationId: string]>()

// An API process that died during an upload leaves an incomplete file.
export const deleteForgottenUploads = sql(`
  delete from csv_uploads u
  where (u.operation_id is null and u.created_at < now() - interval '1 day')
    or exists (
      select from operations o
      where o.id = u.operation_id
        and o.status in ('succeeded', 'failed'))`).run()

export interface Upload {
  id: string
  rowCount: number
  result: CsvResult | null
}

export const findUpload = sql(`
  select id, row_count as "rowCount", result
  from csv_uploads
  where operation_id = $1`).first<Upload, [operationId: string]>()

const FIND_PIECE = sql(`
  select bytes
  from csv_upload_pieces
  where upload_id = $1
    and n = $2`)

/** Reads the file in order, one piece at a time. */
export async function* readUpload(db: Db, id: string): AsyncGenerator<Buffer> {
  for (let n = 0; ; n++) {
    const row = await db.first<{ bytes: Buffer }>(FIND_PIECE, [id, n])
    if (!row) return
    yield row.bytes
  }
}

export const saveProgress = sql(`
  update csv_uploads
  set row_count = $2,
    result = $3
  where id = $1`).run((id: string, rowCount: number, result: unknown) => [id, rowCount, JSON.stringify(result)])

export interface RejectedRow {
  line: number
  reason: string
  /** In the header, null is a column that no row has a value in. */
  cells: (string | null)[]
}

export const insertRejectedRows = sql(`
  insert into rejected_rows (operation_id, workspace_id, n, rows)
  select $1, $2, coalesce(max(n) + 1, 0), $3
  from rejected_rows
  where operation_id = $1`).run((operation: { id: string; workspaceId: string }, rows: RejectedRow[]) => [
  ...valuesOf(operation, 'id', 'workspaceId'),
  JSON.stringify(rows),
])

/** Replaces the first page, which has only the header. */
export const updateRejectedHeader = sql(`
  update rejected_rows
  set rows = $2
  where operation_id = $1
    and n = 0`).run((operationId: string, header: RejectedRow) => [operationId, JSON.stringify([header])])

export const isImport = sql(`
  select id
  from operations
  where id = $1
    and workspace_id = $2
    and campaign_id = $3
    and action in ('campaign.import_leads', 'campaign.import_csv')`).any(
  (ids: { operationId: string; workspaceId: string; campaignId: string }) => [ids.operationId, ids.workspaceId, ids.campaignId],
)

const LIST_REJECTED = sql(`
  select n, rows
  from rejected_rows
  where operation_id = $1
    and n > $2
  order by n
  limit 1`)

export async function* readRejectedRows(db: Db, operationId: string): AsyncGenerator<RejectedRow[]> {
  for (let n = -1; ; ) {
    const page = await db.first<{ n: number; rows: RejectedRow[] }>(LIST_REJECTED, [operationId, n])
    if (!page) return
    yield page.rows
    n = page.n
  }
}

interface RejectedPage {
  operationId: string
  n: number
  rows: RejectedRow[]
}

export const findRejectedMentions = sql(`
  select operation_id as "operationId", n, rows
  from rejected_rows
  where workspace_id = $1
    and ${mentions('rows::text', '$2')}`).many<RejectedPage, [workspaceId: string, address: string]>()

export const updateRejectedRows = sql(`
  update rejected_rows
  set rows = $3
  where operation_id = $1
    and n = $2`).run(({ operationId, n, rows }: RejectedPage) => [operationId, n, JSON.stringify(rows)])
