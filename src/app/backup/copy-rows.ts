import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BrokenArchive, type Frame, parseFrame, type TableHead } from './archive.ts'
import { copyText } from './tables.ts'

/** Puts the rows of one table back: takes frames up to the end of the table. */
export async function copyRows(
  client: pg.Client,
  table: TableHead,
  frames: AsyncGenerator<Frame>,
  tell: (byteCount: number) => void,
): Promise<void> {
  let expected: number | undefined
  const rows = async function* (): AsyncGenerator<Buffer> {
    for (let next = await frames.next(); !next.done; next = await frames.next()) {
      const { type, payload } = next.value
      if (type === 'E') {
        expected = parseFrame<{ rowCount: number }>(payload).rowCount
        return
      }
      if (type !== 'D') throw new BrokenArchive('the end of a table is missing')
      tell(payload.length)
      yield payload
    }
    throw new BrokenArchive('it is truncated')
  }
  const target = client.query(copyFrom(copyText(table, 'from stdin')))
  await pipeline(Readable.from(rows()), target)
  if (target.rowCount !== expected) throw new BrokenArchive(`${table.name} has ${target.rowCount} rows instead of ${expected}`)
}
