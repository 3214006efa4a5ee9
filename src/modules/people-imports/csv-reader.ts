import { createReadStream } from 'node:fs'

export interface CsvBatch {
  rows: string[][]
  /** Just behind the last of the rows. */
  bytePosition: number
}

/**
 * Reads a CSV file in batches, from any row's beginning. RFC 4180, and forgiving: a quote inside an unquoted cell is a
 * quote, rows may be short or long, empty lines are none. Bytes are read as one character each, so that positions are
 * exact whatever the encoding; cells that are not plain ASCII are decoded one by one.
 */
export async function* readCsv(file: string, delimiter: string, from: number, batchRows: number): AsyncGenerator<CsvBatch> {
  let text = ''
  let position = from
  let rows: string[][] = []
  const take = function* (isEnd: boolean): Generator<CsvBatch> {
    let at = 0
    while (at < text.length) {
      const next = readRow(text, at, delimiter, isEnd)
      if (!next) break
      at = next.end
      if (next.cells.length > 1 || next.cells[0] !== '') rows.push(next.cells)
      if (rows.length === batchRows) {
        yield { rows, bytePosition: position + at }
        rows = []
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
  if (rows.length > 0) yield { rows, bytePosition: position }
}

/** The row that starts at `at`, or nothing when its end has not been read yet. */
function readRow(text: string, at: number, delimiter: string, isEnd: boolean): { cells: string[]; end: number } | undefined {
  const newline = text.indexOf('\n', at)
  if (newline === -1 && !isEnd) return undefined
  const lineEnd = newline === -1 ? text.length : newline
  const line = text.slice(at, text.charCodeAt(lineEnd - 1) === 13 && lineEnd > at ? lineEnd - 1 : lineEnd)
  if (line.includes('"')) return readQuotedRow(text, at, delimiter, isEnd)
  const cells = line.split(delimiter)
  return { cells: NOT_ASCII.test(line) ? cells.map(decode) : cells, end: lineEnd + 1 }
}

function readQuotedRow(text: string, start: number, delimiter: string, isEnd: boolean): { cells: string[]; end: number } | undefined {
  const cells: string[] = []
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
          break
        }
        cell += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        cell += '"'
        at++
      }
    }
    // What follows a closing quote, or a cell without quotes: up to the next delimiter or the end of the line.
    const rest = at
    if (newline < at) newline = endOf(text, '\n', at)
    // Looked for within the line: the next delimiter of the file may be far, and would be looked for from every line.
    at += endOf(text.slice(at, newline), delimiter, 0)
    if (at === text.length && !isEnd) return undefined
    const isLast = at === text.length || text[at] === '\n'
    cell += text.slice(rest, isLast && text[at - 1] === '\r' && at > rest ? at - 1 : at)
    cells.push(decode(cell))
    at++
    if (isLast) return { cells, end: Math.min(at, text.length) }
  }
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII is meant
const NOT_ASCII = /[^\x00-\x7f]/

/** UTF-8; what is not valid UTF-8 comes from an older program and stays as it is in Latin-1. */
function decode(cell: string): string {
  if (!NOT_ASCII.test(cell)) return cell
  const decoded = Buffer.from(cell, 'latin1').toString('utf8')
  return decoded.includes('\uFFFD') ? cell : decoded
}
