import { guessDelimiter, readLine, readRow } from './csv-rows.ts'

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
  /** Why the header could not be read. */
  headerProblem: string | null
  /** The rows behind the header. Empty ones are left out. */
  rows: AsyncGenerator<CsvRow>
}

const HEAD_BYTES = 64 * 1024
const LF = 10
const LONGEST_ROW = 1024 * 1024

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
  const first = toBytes(head, isEnd).replace(UTF8_BOM, '')
  const declared = /^"?sep=(.)"?\r?\n/.exec(first)
  const start = first.slice(declared?.[0].length ?? 0)
  const firstLine = start.replace(/^[\r\n]+/, '').split(/\r?\n/, 1)[0]!
  const delimiter = declared?.[1] ?? guessDelimiter(firstLine)
  const texts = async function* (): AsyncGenerator<{ text: string; isEnd: boolean }> {
    yield { text: start, isEnd }
    while (!isEnd) {
      const next = await source.next()
      isEnd = next.done === true
      yield { text: toBytes(next.done ? new Uint8Array() : next.value, isEnd), isEnd }
    }
  }
  const rows = readRows(texts(), delimiter, declared ? 2 : 1)
  const header = await rows.next()
  if (header.done) return null
  const { cells, problem } = header.value
  return { encoding, delimiter, header: cells.map(cell => cell.trim()), headerProblem: problem, rows }
}

async function* readRows(
  texts: AsyncIterable<{ text: string; isEnd: boolean }>,
  delimiter: string,
  firstLine: number,
): AsyncGenerator<CsvRow> {
  let text = ''
  let line = firstLine
  let isSkipping = false
  /**
   * Up to here, every line is a row: a quote before it was not closed. Without this, that quote would take all the rows behind it into its
   * cell; and reading from each of their lines up to the end again would take hours for a hostile file.
   */
  let linesUntil = 0
  /** Where the next line begins. A line that goes on behind the text is skipped there, too. */
  const skipLine = (from: number): number => {
    const newline = text.indexOf('\n', from)
    isSkipping = newline === -1
    return isSkipping ? text.length : newline + 1
  }
  for await (const { text: more, isEnd } of texts) {
    text += more
    let at = isSkipping ? skipLine(0) : 0
    while (at < text.length) {
      // Millions of empty lines cost next to nothing.
      const blank = text.charCodeAt(at) === LF ? 1 : text.startsWith('\r\n', at) ? 2 : 0
      if (blank > 0) {
        at += blank
        line++
        continue
      }
      const isLine = at < linesUntil
      const row = isLine ? readLine(text, at, delimiter, isEnd) : readRow(text, at, delimiter, isEnd)
      const end = row?.end ?? text.length
      if (end - at > LONGEST_ROW) {
        yield { line: line++, cells: [], problem: 'the row is longer than 1 MiB; a quote may not have been closed' }
        at = skipLine(at)
        linesUntil = row ? end : text.lastIndexOf('\n') + 1
        continue
      }
      if (!row) break
      if (row.isUnclosed && !isLine) {
        linesUntil = end
        continue
      }
      if (row.cells.some(cell => cell.trim() !== '')) {
        yield { line, cells: row.cells, problem: row.isUnclosed ? 'a quote is not closed' : null }
      }
      line += countLines(text, at, row.end)
      at = row.end
    }
    text = text.slice(at)
    linesUntil = Math.max(0, linesUntil - at)
  }
}

function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
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
