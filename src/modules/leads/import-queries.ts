import { type Db, sql, type Tx } from '../../db/client.ts'
import { copyInShortly } from '../../db/copy-in.ts'
import { mentions } from '../../db/fragments.ts'
import type { NewLead } from './schema.ts'

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
