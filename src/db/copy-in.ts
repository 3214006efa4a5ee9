import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

const READ_AHEAD_BYTES = 1 << 18

/** What the library calls when PostgreSQL is ready for the rows. Its types do not name it. */
type Ready = { handleCopyInResponse: (connection: { stream: { destroy(): void } }) => void }

/** Sends these bytes to a `copy … from stdin`, as fast as PostgreSQL takes them. Returns how many rows they were. */
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
  await pipeline(Readable.from(bytes, { objectMode: false, highWaterMark: READ_AHEAD_BYTES }), client.query(copy))
  return copy.rowCount
}
