import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import { answerLimitOf } from './questions.ts'
import type { Tx } from './sql.ts'

/** The library calls this when PostgreSQL is ready for the rows. Its types do not declare it. */
interface Ready {
  handleCopyInResponse: (connection: { stream: { destroy(): void } }) => void
}

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/**
 * Sends these bytes to a `copy … from stdin`, as fast as PostgreSQL takes them. Returns how many rows they were. The first bytes leave before
 * the next ones are made, so that PostgreSQL need not wait for many of them.
 */
export const copyIn = (client: pg.ClientBase, statement: string, bytes: Bytes): Promise<number> => send(client, copyFrom(statement), bytes)

/**
 * The same for a few bytes in a transaction: it gives up on a silent server. `pg` reads the limit from what it sends. Only a COPY that writes
 * may have one: `pg-copy-streams` never says that a COPY that reads has ended, and the limit would end a connection that others use by then.
 */
export const copyInShortly = ({ client }: Pick<Tx, 'client'>, statement: string, bytes: Bytes): Promise<number> =>
  send(client, Object.assign(copyFrom(statement), { query_timeout: answerLimitOf(client) }), bytes)

async function send(client: pg.ClientBase, copy: CopyStreamQuery, bytes: Bytes): Promise<number> {
  const ready = copy as unknown as Ready
  const begin = ready.handleCopyInResponse
  // `pg` gives up on a silent server. If the server responds later, the library would throw where it cannot be caught, and end the process.
  ready.handleCopyInResponse = connection => {
    if (copy.destroyed) connection.stream.destroy()
    else begin.call(copy, connection)
  }
  await pipeline(bytes, client.query(copy))
  return copy.rowCount
}
