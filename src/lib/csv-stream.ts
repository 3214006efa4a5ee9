import { isUtf8 } from 'node:buffer'
import { wrongUsage } from './command-failure.ts'

export interface CsvRow {
  /** The line of the file that the row begins on, from 1. */
  line: number
  cells: string[]
  /** The row itself, each byte of it as one character: `readRow` reads it once more. */
  text: string
  /** Why the row could not be read. */
  problem: string | null
}

type CsvEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface CsvStream {
  /** The encoding of everything that has been read so far. */
  encoding: () => CsvEncoding
  delimiter: string
  header: string[]
  headerLine: number
  /** Why the header could not be read. */
  headerProblem: string | null
  /** The rows after the header. Empty ones are left out. */
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
  const cutter = new RowCutter(delimiter, declared ? 2 : 1)
  const rows = readRows(texts(), cutter)
  const header = await rows.next()
  if (header.done) return null
  const { line, cells, problem } = header.value
  return {
    encoding: () => (cutter.isWindows ? 'windows-1252' : encoding),
    delimiter,
    header: cells.map(cell => cell.trim()),
    headerLine: line,
    headerProblem: problem,
    rows,
  }
}

async function* readRows(texts: AsyncIterable<{ text: string; isEnd: boolean }>, cutter: RowCutter): AsyncGenerator<CsvRow> {
  for await (const { text, isEnd } of texts) {
    cutter.add(text, isEnd)
    for (let row = cutter.next(); row; row = cutter.next()) {
      const { line, cells, problem, start, end } = row
      if (problem === null && cells.every(cell => cell.trim() === '')) continue
      yield { line, cells, text: cutter.text.slice(start, end), problem }
    }
  }
}

export const SWALLOWED = 'a cell contains lines that look like other rows, which are not imported; a quote may not have been closed'

/** Whether a cell contains a line with such a value in this column: between two quotes, a row is text. */
export function swallowsRows(cells: readonly string[], delimiter: string, column: number, isValue: (cell: string) => boolean): boolean {
  const isRow = (line: string): boolean => isValue((line.split(delimiter, column + 1)[column] ?? '').trim())
  return cells.some(
    cell =>
      /[\r\n]/.test(cell) &&
      cell
        .split(/\r\n?|\n/)
        .slice(1)
        .some(isRow),
  )
}

/** Some programs write a second mark before one that is there. */
const UTF8_BOM = /^(?:\u00ef\u00bb\u00bf)+/

/** By its mark, or by the zeros that every Latin letter has in UTF-16. Windows-1252 is distinguished from UTF-8 cell by cell. */
function encodingOf(head: Buffer): CsvEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const sample = head.subarray(0, 1024)
  const zeros = [0, 0]
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2]!++
  if (Math.max(...zeros) < sample.length / 8) return 'utf-8'
  return zeros[1]! > zeros[0]! ? 'utf-16le' : 'utf-16be'
}

/** Each character of the result is one byte of UTF-8, or of the encoding of the file. */
function byteReader(encoding: CsvEncoding): (piece: Uint8Array, isEnd: boolean) => string {
  if (encoding === 'utf-8') return piece => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
  const decoder = new TextDecoder(encoding)
  return (piece, isEnd) => Buffer.from(decoder.decode(piece, { stream: !isEnd })).toString('latin1')
}

const LF = 10
const LONGEST_ROW = 1024 * 1024
/** A mebibyte of delimiters would otherwise become a million cells, which take eight times as much memory. */
const MOST_CELLS = 1000

interface CutRow extends Omit<CsvRow, 'text'> {
  /** The start and the end of the row in `text`. */
  start: number
  end: number
}

/** Cuts rows out of a text that comes piece by piece. A quote that is not closed spoils its own line, and no other. */
class RowCutter {
  /** The last piece, after the rest of the previous one. */
  text = ''
  /** A row was not UTF-8, so it was read as Windows-1252. */
  isWindows = false
  readonly #delimiter: string
  #isEnd = false
  #at = 0
  #line: number
  #isSkipping = false
  /**
   * Up to here, every line is a row: a quote before it was not closed. Without this, that quote would take all following rows into its
   * cell; and reading from each of their lines up to the end again would take hours for a hostile file.
   */
  #linesUntil = 0

  constructor(delimiter: string, firstLine: number) {
    this.#delimiter = delimiter
    this.#line = firstLine
  }

  add(more: string, isEnd: boolean): void {
    this.#linesUntil = Math.max(0, this.#linesUntil - this.#at)
    this.text = this.text.slice(this.#at) + more
    this.#isEnd = isEnd
    this.#at = this.#isSkipping ? this.#skipLine(0) : 0
  }

  /** The next row, or nothing when its end has not come yet. Empty lines are left out, and millions of them cost next to nothing. */
  next(): CutRow | undefined {
    const { text } = this
    while (this.#at < text.length) {
      const start = this.#at
      const blank = text.charCodeAt(start) === LF ? 1 : text.startsWith('\r\n', start) ? 2 : 0
      if (blank > 0) {
        this.#at += blank
        this.#line++
        continue
      }
      const isLine = start < this.#linesUntil
      const read = isLine ? readLine : readRow
      const row = read(text, start, this.#delimiter, this.#isEnd)
      const end = row?.end ?? text.length
      if (end - start > LONGEST_ROW) {
        this.#at = this.#skipLine(start)
        this.#linesUntil = row ? end : text.lastIndexOf('\n') + 1
        const problem = 'the row is longer than 1 MiB; a quote may not have been closed'
        return { line: this.#line++, cells: [], start, end: this.#at, problem }
      }
      if (!row) return undefined
      if (row.isUnclosed && !isLine) {
        this.#linesUntil = end
        continue
      }
      this.isWindows ||= row.isWindows === true
      const line = this.#line
      this.#line += countLines(text, start, end)
      this.#at = end
      if (row.cells.length > MOST_CELLS) return { line, cells: [], start, end, problem: 'the row has more than 1,000 cells' }
      return { line, cells: row.cells, start, end, problem: row.isUnclosed ? 'a quote is not closed' : null }
    }
    return undefined
  }

  /** The start of the next line. A line that continues after the text is skipped there, too. */
  #skipLine(from: number): number {
    const newline = this.text.indexOf('\n', from)
    this.#isSkipping = newline === -1
    return this.#isSkipping ? this.text.length : newline + 1
  }
}

function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** All rows of a file that is small enough for the memory, without the blank ones. A row that cannot be read ends the command with its line. */
export function csvRows(bytes: Buffer): string[][] {
  const whole = bytes.toString('latin1').replace(UTF8_BOM, '')
  const text = lineFeeder(whole)(whole)
  const cutter = new RowCutter(guessDelimiter(text.split('\n', 1)[0]!), 1)
  cutter.add(text, true)
  const rows: string[][] = []
  for (let row = cutter.next(); row; row = cutter.next()) {
    if (row.problem !== null) throw wrongUsage(`Line ${row.line} of the file cannot be read: ${row.problem}.`, 'fix that line')
    if (row.cells.some(cell => cell.trim() !== '')) rows.push(row.cells)
  }
  return rows
}

// Rows of CSV out of text in which each character is one byte: so positions are exact whatever the encoding, and cells that
// are not plain ASCII are decoded one by one. RFC 4180, and forgiving: a quote inside an unquoted cell is a quote.

interface Row {
  cells: string[]
  end: number
  /** A quote was not closed, or only by the quote that opens a cell of another row: a cell holds what are other rows. */
  isUnclosed?: boolean
  /** A cell is not UTF-8. */
  isWindows?: boolean
}

/** The row that starts at `at`, or nothing when its end has not been read yet. Of a row with too many cells, one more than the most is returned. */
export function readRow(text: string, at: number, delimiter: string, isEnd: boolean): Row | undefined {
  const found = lineAt(text, at, isEnd)
  if (!found) return undefined
  const { line, end } = found
  if (line.includes('"')) return readQuotedRow(text, at, delimiter, isEnd)
  const cells = line.split(delimiter, MOST_CELLS + 1)
  return NOT_ASCII.test(line) ? { cells: cells.map(decode), end, isWindows: cells.some(isWindows) } : { cells, end }
}

/** The line that starts at `at` as a row: a quote that is open at its end does not continue in the next line. */
function readLine(text: string, at: number, delimiter: string, isEnd: boolean): Row | undefined {
  const found = lineAt(text, at, isEnd)
  return found && { ...readRow(found.line, 0, delimiter, true)!, end: found.end }
}

function lineAt(text: string, at: number, isEnd: boolean): { line: string; end: number } | undefined {
  const newline = text.indexOf('\n', at)
  if (newline === -1 && !isEnd) return undefined
  const end = newline === -1 ? text.length : newline
  return { line: text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end), end: Math.min(end + 1, text.length) }
}

function readQuotedRow(text: string, start: number, delimiter: string, isEnd: boolean): Row | undefined {
  const cells: string[] = []
  let isUnclosed = false
  let hasWindows = false
  let newline = -1
  for (let at = start; ; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; ; ) {
        const quote = text.indexOf('"', at)
        if (quote === -1) {
          if (!isEnd) return undefined
          cell += text.slice(at)
          at = text.length
          isUnclosed = true
          break
        }
        cell += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        cell += '"'
        at++
      }
      if (isText(text[at], delimiter) && opensCell(cell, delimiter)) isUnclosed = true
    }
    // The text after a closing quote, or a cell without quotes: up to the next delimiter or the end of the line.
    const rest = at
    if (newline < at) newline = endOf(text, '\n', at)
    // Looked for within the line: the next delimiter of the file may be far, and would be looked for from every line.
    at += endOf(text.slice(at, newline), delimiter, 0)
    if (at === text.length && !isEnd) return undefined
    const isLast = at === text.length || text[at] === '\n'
    cell += text.slice(rest, isLast && text[at - 1] === '\r' && at > rest ? at - 1 : at)
    if (cells.length <= MOST_CELLS) {
      hasWindows ||= isWindows(cell)
      cells.push(decode(cell))
    }
    at++
    if (isLast) return { cells, end: Math.min(at, text.length), isUnclosed, isWindows: hasWindows }
  }
}

/** Whether the quote after this text begins a cell of another line: it is where a cell begins. */
function opensCell(text: string, delimiter: string): boolean {
  if (!text.includes('\n')) return false
  let end = text.length
  while (text[end - 1] === ' ') end--
  return text[end - 1] === delimiter || text[end - 1] === '\n'
}

/** Whether this can only be the text of a cell. Behind a quote that closes a cell, there is none. */
const isText = (letter: string | undefined, delimiter: string): boolean =>
  letter !== undefined && letter !== delimiter && letter.trim() !== ''

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII is meant
const NOT_ASCII = /[^\x00-\x7f]/

const WINDOWS = new TextDecoder('windows-1252')

/** A cell that is not valid UTF-8 comes from an older program and is Windows-1252. */
const isWindows = (cell: string): boolean => NOT_ASCII.test(cell) && !isUtf8(Buffer.from(cell, 'latin1'))

function decode(cell: string): string {
  if (!NOT_ASCII.test(cell)) return cell
  const bytes = Buffer.from(cell, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : WINDOWS.decode(bytes)
}

/**
 * Old programs for the Mac end every line with a carriage return alone: in a file that mostly begins so, it becomes a line feed. A line feed
 * within quotes ends no line, also where the beginning is cut off before the closing quote.
 */
function lineFeeder(beginning: string): (text: string) => string {
  const outside = beginning.includes('\r') ? beginning.replace(/"[^"]*("|$)/g, '') : ''
  const count = (end: RegExp): number => outside.match(end)?.length ?? 0
  const endsWithReturns = count(/\r(?!\n)/g) > count(/\n/g)
  return endsWithReturns ? text => text.replaceAll('\r', '\n') : text => text
}

function guessDelimiter(headerLine: string): string {
  const outside = headerLine.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map(delimiter => ({ delimiter, count: outside.split(delimiter).length }))
  return counts.sort((a, b) => b.count - a.count)[0]!.delimiter
}
