import { createReadStream } from 'node:fs'
import { readRow } from '../../lib/csv-rows.ts'

/** Some rows that follow each other. */
export interface CsvSlice {
  rows: string[][]
  /** The text of each row, to be read once more when its cells are gone. */
  lines: string[]
  /** The position behind the last row. */
  bytePosition: number
}

/**
 * Reads a CSV file in slices, from the beginning of any row. RFC 4180, but tolerant: a quote inside an unquoted cell is a
 * quote, rows may be short or long, and empty lines are ignored. Bytes are read as one character each, so that positions are
 * exact whatever the encoding; cells that are not plain ASCII are decoded one by one.
 */
export async function* readCsv(file: string, delimiter: string, from: number, sliceRows: number): AsyncGenerator<CsvSlice> {
  let text = ''
  let position = from
  let rows: string[][] = []
  let lines: string[] = []
  const take = function* (isEnd: boolean): Generator<CsvSlice> {
    let at = 0
    while (at < text.length) {
      const next = readRow(text, at, delimiter, isEnd)
      if (!next) break
      if (next.cells.length > 1 || next.cells[0] !== '') {
        rows.push(next.cells)
        lines.push(text.slice(at, next.end))
      }
      at = next.end
      if (rows.length === sliceRows) {
        yield { rows, lines, bytePosition: position + at }
        rows = []
        lines = []
      }
    }
    text = text.slice(at)
    position += at
  }
  for await (const chunk of createReadStream(file, { start: from, highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1')
    yield* take(false)
  }
  yield* take(true)
  if (rows.length > 0) yield { rows, lines, bytePosition: position }
}
