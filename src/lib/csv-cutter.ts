import { wrongUsage } from './command-failure.ts'
import { guessDelimiter, lineFeeder, readLine, readRow } from './csv-rows.ts'

const LF = 10
const LONGEST_ROW = 1024 * 1024

interface CutRow {
  /** The line of the file that the row begins on. */
  line: number
  cells: string[]
  /** Where the row begins and ends in `text`. */
  start: number
  end: number
  /** Why the row could not be read. */
  problem: string | null
}

/** Cuts rows out of a text that comes piece by piece. A quote that is not closed spoils its own line, and no other. */
export class RowCutter {
  /** The last piece, behind what was left of the one before. */
  text = ''
  readonly #delimiter: string
  #isEnd = false
  #at = 0
  #line: number
  #isSkipping = false
  /**
   * Up to here, every line is a row: a quote before it was not closed. Without this, that quote would take all the rows behind it into its
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
      const line = this.#line
      this.#line += countLines(text, start, end)
      this.#at = end
      return { line, cells: row.cells, start, end, problem: row.isUnclosed ? 'a quote is not closed' : null }
    }
    return undefined
  }

  /** Whether the next row could be read without knowing the rows before it, so that reading can begin there again. */
  get isFresh(): boolean {
    return !this.#isSkipping && this.#at >= this.#linesUntil
  }

  /** Where the next line begins. A line that goes on behind the text is skipped there, too. */
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
  const whole = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  const text = lineFeeder(whole)(whole)
  const cutter = new RowCutter(guessDelimiter(text.split('\n', 1)[0]!), 1)
  cutter.add(text, true)
  const rows: string[][] = []
  for (let row = cutter.next(); row; row = cutter.next()) {
    if (row.problem !== null) throw wrongUsage(`Line ${row.line} of the file cannot be read: ${row.problem}.`, 'mend that line')
    if (row.cells.some(cell => cell.trim() !== '')) rows.push(row.cells)
  }
  return rows
}
