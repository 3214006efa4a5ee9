import { type Db, sql, type Tx } from '../../db/client.ts'
import { mentions } from '../../db/fragments.ts'
import type { NewLead } from './schema.ts'

// The chunk is stored as it was received, in UTF-8, because it was validated before and is read only once.
const INSERT = sql(`
  insert into lead_import_chunks (operation_id, n, leads)
  values ($1, $2, $3::text)`)

export async function insertChunks(tx: Tx, operationId: string, chunks: readonly Uint8Array[]): Promise<void> {
  for (const [n, chunk] of chunks.entries()) {
    await tx.run(INSERT, [operationId, n, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)])
  }
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

const DELETE = sql(`
  delete from lead_import_chunks
  where operation_id = $1`)

export const deleteChunks = (tx: Tx, operationId: string): Promise<number> => tx.run(DELETE, [operationId])

// When an import fails, the rollback also restores its chunks.
const DELETE_FINISHED = sql(`
  delete from lead_import_chunks c
  using operations o
  where o.id = c.operation_id
    and o.status in ('succeeded', 'failed')`)

export const deleteChunksOfFinishedImports = (tx: Tx): Promise<number> => tx.run(DELETE_FINISHED)

interface StoredChunk {
  operationId: string
  n: number
  leads: unknown
}

const FIND_MENTIONS = sql(`
  select c.operation_id as "operationId", c.n, c.leads::jsonb as leads
  from operations o
  join lead_import_chunks c on c.operation_id = o.id
  where o.workspace_id = $1
    and ${mentions('c.leads', '$2')}`)

/** Chunks of waiting imports that contain the address. */
export const findChunkMentions = (db: Db, workspaceId: string, address: string): Promise<StoredChunk[]> =>
  db.many<StoredChunk>(FIND_MENTIONS, [workspaceId, address])

const UPDATE = sql(`
  update lead_import_chunks
  set leads = $3
  where operation_id = $1
    and n = $2`)

export const updateChunk = (tx: Tx, { operationId, n, leads }: StoredChunk): Promise<number> =>
  tx.run(UPDATE, [operationId, n, JSON.stringify(leads)])
