import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** What the library calls when PostgreSQL is ready for the rows. Its types do not name it. */
interface Ready {
  handleCopyInResponse: (connection: { stream: { destroy(): void } }) => void
}

/**
 * Sends these bytes to a `copy … from stdin`, as fast as PostgreSQL takes them. Returns how many rows they were. The first bytes leave before
 * the next ones are made, so that PostgreSQL need not wait for many of them.
 */
export async function copyIn(
  client: pg.ClientBase,
  statement: string,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const copy = copyFrom(statement)
  const ready = copy as unknown as Ready
  const begin = ready.handleCopyInResponse
  // `pg` gives up on a silent server. When that one answers after all, the library would fail where nobody can catch it, and end the process.
  ready.handleCopyInResponse = connection => {
    if (copy.destroyed) connection.stream.destroy()
    else begin.call(copy, connection)
  }
  await pipeline(bytes, client.query(copy))
  return copy.rowCount
}
