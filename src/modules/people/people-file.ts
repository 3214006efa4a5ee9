import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm, truncate, writeFile } from 'node:fs/promises'
import { wrongUsage } from '../../lib/command-failure.ts'
import { correctableRecord, originalCell } from '../../lib/csv.ts'
import { RowCutter } from '../../lib/csv-cutter.ts'
import { guessDelimiter, lineFeeder, readRow } from '../../lib/csv-rows.ts'
import type { ColumnMapping } from './csv-columns.ts'

const EDGE_BYTES = 65_536

/** What is known of a file before its rows are read. */
interface FileHead {
  headers: string[]
  headerBytes: number
  delimiter: string
  /** Makes of a cell what it was before we wrote it into a file of rejected rows. */
  original: (cell: string) => string
  /** Makes line feeds of what ends the lines. Each byte stays one byte. */
  withLineFeeds: (text: string) => string
  byteCount: number
  edges: Buffer
}

export async function readHead(file: string): Promise<FileHead> {
  const handle = await open(file).catch(error => {
    const { code } = error as NodeJS.ErrnoException
    throw wrongUsage(`${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`, 'name a file that exists')
  })
  try {
    const about = await handle.stat()
    if (!about.isFile()) throw wrongUsage(`${file} is not a file.`, 'name a CSV file')
    const { size } = about
    const start = await readAt(handle, 0, Math.min(size, EDGE_BYTES))
    const end = await readAt(handle, Math.max(0, size - EDGE_BYTES), Math.min(size, EDGE_BYTES))
    const beginning = start.toString('latin1')
    const withLineFeeds = lineFeeder(beginning)
    const [firstLine] = withLineFeeds(beginning).split('\n', 1) as [string]
    const line = firstLine.replace(/^\xef\xbb\xbf/, '')
    const delimiter = guessDelimiter(line)
    const written = readRow(line, 0, delimiter, true)!.cells.map(cell => cell.trim())
    const original = isMended(written) ? originalCell : (cell: string) => cell
    const headers = written.map(original)
    if (line.trim() === '') throw wrongUsage(`${file} is empty.`, 'name a CSV file with a header line')
    const headerBytes = firstLine.length === start.length ? size : firstLine.length + 1
    return { headers, headerBytes, delimiter, original, withLineFeeds, byteCount: size, edges: Buffer.concat([start, end]) }
  } finally {
    await handle.close()
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** The same file with another mapping or owner is another import. */
export function fingerprintOf(head: FileHead, mapping: ColumnMapping, workspaceId: string | undefined): string {
  return createHash('sha256')
    .update(head.edges)
    .update(JSON.stringify([head.byteCount, mapping.columns, ...(workspaceId ? [workspaceId] : [])]))
    .digest('base64url')
}

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

export interface Rejected {
  row: string[]
  rowNumber: number
  reason: string
}

/** The columns that a file of rejected rows ends with. */
const OUR_HEADERS = ['row', 'reason']

/** Whether this is a file of rejected rows that was mended. */
const isMended = (headers: readonly string[]): boolean =>
  OUR_HEADERS.every((name, position) => headers.at(position - OUR_HEADERS.length) === name)

/** Rows that were not taken, with the reason: to be mended and imported again. No cell is one that a spreadsheet would run. */
export class RejectFile {
  readonly #path: string
  readonly #headers: readonly string[]
  #handle: FileHandle | undefined
  #bytes = 0

  constructor(path: string, headers: readonly string[]) {
    this.#path = path
    // The row and the reason of a mended file are those of the import before.
    this.#headers = isMended(headers) ? headers.slice(0, -OUR_HEADERS.length) : headers
  }

  /** Rows after the last commit will be written again, so they are removed first. */
  async open(bytes: number): Promise<void> {
    if (bytes === 0) await writeFile(this.#path, '')
    else await truncate(this.#path, bytes)
    this.#handle = await open(this.#path, 'a')
    this.#bytes = bytes
  }

  async append(rejected: readonly Rejected[]): Promise<number> {
    if (rejected.length === 0) return this.#bytes
    const lines = rejected.map(({ row, rowNumber, reason }) =>
      correctableRecord([...this.#headers.map((_, index) => row[index] ?? ''), String(rowNumber), reason]),
    )
    if (this.#bytes === 0) lines.unshift(correctableRecord([...this.#headers, ...OUR_HEADERS]))
    const text = Buffer.from(lines.join(''))
    await this.#handle!.appendFile(text)
    this.#bytes += text.length
    return this.#bytes
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    if (this.#bytes === 0) await rm(this.#path, { force: true })
  }
}
