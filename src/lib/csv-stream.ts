import { RowCutter } from './csv-cutter.ts'
import { guessDelimiter, lineFeeder } from './csv-rows.ts'

export interface CsvRow {
  /** The line of the file that the row begins on, from 1. */
  line: number
  cells: string[]
  /** Why the row could not be read. */
  problem: string | null
}

export interface CsvStream {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  delimiter: string
  header: string[]
  headerLine: number
  /** Why the header could not be read. */
  headerProblem: string | null
  /** The rows behind the header. Empty ones are left out. */
  rows: AsyncGenerator<CsvRow>
}

const HEAD_BYTES = 64 * 1024

/** Reads a CSV file piece by piece, in whatever encoding and with whatever separator it is. Null when there is nothing in it. */
export async function openCsv(pieces: AsyncIterable<Uint8Array>): Promise<CsvStream | null> {
  const source = pieces[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let isEnd = false
  while (head.length < HEAD_BYTES && !isEnd) {
    const next = await source.next()
    if (next.done) isEnd = true
    else head = Buffer.concat([head, next.value])
  }
  const encoding = encodingOf(head)
  const toBytes = byteReader(encoding)
  const beginning = toBytes(head, isEnd).replace(UTF8_BOM, '')
  const withLineFeeds = lineFeeder(beginning)
  const first = withLineFeeds(beginning)
  const declared = /^"?sep=(.)"?\r?\n/.exec(first)
  const start = first.slice(declared?.[0].length ?? 0)
  const firstLine = start.replace(/^[\r\n]+/, '').split(/\r?\n/, 1)[0]!
  const delimiter = declared?.[1] ?? guessDelimiter(firstLine)
  const texts = async function* (): AsyncGenerator<{ text: string; isEnd: boolean }> {
    yield { text: start, isEnd }
    while (!isEnd) {
      const next = await source.next()
      isEnd = next.done === true
      yield { text: withLineFeeds(toBytes(next.done ? new Uint8Array() : next.value, isEnd)), isEnd }
    }
  }
  const rows = readRows(texts(), delimiter, declared ? 2 : 1)
  const header = await rows.next()
  if (header.done) return null
  const { line, cells, problem } = header.value
  return { encoding, delimiter, header: cells.map(cell => cell.trim()), headerLine: line, headerProblem: problem, rows }
}

async function* readRows(
  texts: AsyncIterable<{ text: string; isEnd: boolean }>,
  delimiter: string,
  firstLine: number,
): AsyncGenerator<CsvRow> {
  const cutter = new RowCutter(delimiter, firstLine)
  for await (const { text, isEnd } of texts) {
    cutter.add(text, isEnd)
    for (let row = cutter.next(); row; row = cutter.next()) {
      const { line, cells, problem } = row
      if (problem !== null || cells.some(cell => cell.trim() !== '')) yield { line, cells, problem }
    }
  }
}

const UTF8_BOM = /^\u00ef\u00bb\u00bf/

/** By its mark, or by the zeros that every Latin letter has in UTF-16. Windows-1252 is distinguished from UTF-8 cell by cell. */
function encodingOf(head: Buffer): CsvStream['encoding'] {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const sample = head.subarray(0, 1024)
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++
  if (Math.max(...zeros) < sample.length / 8) return 'utf-8'
  return zeros[1]! > zeros[0]! ? 'utf-16le' : 'utf-16be'
}

/** Each character of what comes back is one byte of UTF-8, or of what the file has instead. */
function byteReader(encoding: CsvStream['encoding']): (piece: Uint8Array, isEnd: boolean) => string {
  if (encoding === 'utf-8') return piece => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
  const decoder = new TextDecoder(encoding)
  return (piece, isEnd) => Buffer.from(decoder.decode(piece, { stream: !isEnd })).toString('latin1')
}
