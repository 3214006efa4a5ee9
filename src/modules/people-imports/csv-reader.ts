import { createReadStream } from 'node:fs'
import { RowCutter } from '../../lib/csv-cutter.ts'

/** Some rows that follow each other. */
export interface CsvSlice {
  rows: string[][]
  /** The text of each row, to be read once more when its cells are gone. */
  lines: string[]
  /** Why a row could not be read, by its position among these rows. */
  problems: Map<number, string>
  /** The position behind the last row. */
  bytePosition: number
}

/**
 * Reads a CSV file in slices, from the beginning of any row. RFC 4180, but tolerant: a quote inside an unquoted cell is a
 * quote, rows may be short or long, and empty lines are ignored. Bytes are read as one character each, so that positions are
 * exact whatever the encoding; cells that are not plain ASCII are decoded one by one. What ends the lines is known from the head of the
 * file.
 */
export async function* readCsv(
  file: string,
  delimiter: string,
  from: number,
  sliceRows: number,
  withLineFeeds = (text: string): string => text,
): AsyncGenerator<CsvSlice> {
  const cutter = new RowCutter(delimiter, 1)
  let bytesRead = from
  let slice: CsvSlice = { rows: [], lines: [], problems: new Map(), bytePosition: from }
  const take = function* (): Generator<CsvSlice> {
    const { text } = cutter
    for (let row = cutter.next(); row; row = cutter.next()) {
      if (row.problem !== null) slice.problems.set(slice.rows.length, row.problem)
      else if (row.cells.length === 1 && row.cells[0] === '') continue
      slice.rows.push(row.cells)
      const line = text.slice(row.start, row.end)
      // The end of the line would belong to the cell that is not closed.
      slice.lines.push(row.problem === null ? line : line.replace(/[\r\n]+$/, ''))
      if (slice.rows.length < sliceRows || !cutter.isFresh) continue
      const bytePosition = bytesRead - text.length + row.end
      yield { ...slice, bytePosition }
      slice = { rows: [], lines: [], problems: new Map(), bytePosition }
    }
  }
  for await (const chunk of createReadStream(file, { start: from, highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    bytesRead += chunk.length
    cutter.add(withLineFeeds(chunk.toString('latin1')), false)
    yield* take()
  }
  cutter.add('', true)
  yield* take()
  if (slice.rows.length > 0) yield { ...slice, bytePosition: bytesRead }
}
