// Rows of CSV out of text in which each character is one byte: so positions are exact whatever the encoding, and cells that
// are not plain ASCII are decoded one by one. RFC 4180, and forgiving: a quote inside an unquoted cell is a quote.

interface Row {
  cells: string[]
  end: number
  /** A quote was not closed, or only by the quote that opens a cell of another row: a cell holds what are other rows. */
  isUnclosed?: boolean
}

/** The row that starts at `at`, or nothing when its end has not been read yet. */
export function readRow(text: string, at: number, delimiter: string, isEnd: boolean): Row | undefined {
  const newline = text.indexOf('\n', at)
  if (newline === -1 && !isEnd) return undefined
  const lineEnd = newline === -1 ? text.length : newline
  const line = text.slice(at, text.charCodeAt(lineEnd - 1) === 13 && lineEnd > at ? lineEnd - 1 : lineEnd)
  if (line.includes('"')) return readQuotedRow(text, at, delimiter, isEnd)
  const cells = line.split(delimiter)
  return { cells: NOT_ASCII.test(line) ? cells.map(decode) : cells, end: lineEnd + 1 }
}

/** The line that starts at `at` as a row: a quote that is open at its end does not go on in the next line. */
export function readLine(text: string, at: number, delimiter: string, isEnd: boolean): Row | undefined {
  const newline = text.indexOf('\n', at)
  if (newline === -1 && !isEnd) return undefined
  const end = newline === -1 ? text.length : newline
  const line = text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end)
  return { ...readRow(line, 0, delimiter, true)!, end: Math.min(end + 1, text.length) }
}

function readQuotedRow(text: string, start: number, delimiter: string, isEnd: boolean): Row | undefined {
  const cells: string[] = []
  let isUnclosed = false
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
    if (isLast) return { cells, end: Math.min(at, text.length), isUnclosed }
  }
}

/** Whether the quote behind this text begins a cell of another line: it stands where a cell begins. */
function opensCell(text: string, delimiter: string): boolean {
  const before = text.replace(/ +$/, '')
  return text.includes('\n') && (before.endsWith(delimiter) || before.endsWith('\n'))
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

/** UTF-8; what is not valid UTF-8 comes from an older program and is Windows-1252. */
function decode(cell: string): string {
  if (!NOT_ASCII.test(cell)) return cell
  const bytes = Buffer.from(cell, 'latin1')
  const decoded = bytes.toString('utf8')
  return decoded.includes('\uFFFD') ? WINDOWS.decode(bytes) : decoded
}

/**
 * Old programs for the Mac end every line with a carriage return alone: in a file that begins so, it becomes a line feed. A line feed
 * within quotes ends no line, also where the beginning is cut off before the closing quote.
 */
export function lineFeeder(beginning: string): (text: string) => string {
  const outside = beginning.includes('\r') ? beginning.replace(/"[^"]*("|$)/g, '') : ''
  const hasLineFeeds = outside.includes('\n') || !outside.includes('\r')
  return hasLineFeeds ? text => text : text => text.replaceAll('\r', '\n')
}

/** The most frequent separator in the header line. */
export function guessDelimiter(headerLine: string): string {
  const outside = headerLine.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map(delimiter => ({ delimiter, count: outside.split(delimiter).length }))
  return counts.sort((a, b) => b.count - a.count)[0]!.delimiter
}
