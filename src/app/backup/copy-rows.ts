import type pg from 'pg'
import { copyIn } from '../../db/copy-in.ts'
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
  const count = await copyIn(client, copyText(table, 'from stdin'), rows())
  if (count !== expected) throw new BrokenArchive(`${table.name} has ${count} rows instead of ${expected}`)
}
