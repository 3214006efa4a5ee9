import { foldText } from '../../../lead-terms/src/index.ts'
import { isHeading, labelOf } from '../vocabulary/form-labels.ts'

/**
 * Tables and forms as lines of "label: values", the one form that the reader of labels knows: "| Exclude | Quebec |",
 * "Blocked   Inditex, Kering", "[Sauf] Brico", "Leave out ▸ HubSpot", a table with a row of headings, a list of "+" and "-".
 */
export function readTables(text: string): string {
  if (!text.includes('\n')) return text
  const lines = readSignedList(text.split('\n'))
  const read: string[] = []
  let headings: readonly string[] | undefined
  let mark = ''
  for (const line of lines) {
    const row = cellsOf(line, headings ? mark : undefined)
    if (row.cells.length < 2) {
      headings = undefined
      read.push(readLabel(line))
      continue
    }
    if (row.cells.every(cell => /^[-:= ]*$/.test(cell))) continue
    if (headings && row.cells.length <= headings.length) {
      read.push(...row.cells.map((cell, column) => underHeading(headings!, column, cell)))
      continue
    }
    headings = undefined
    const labels = row.cells.map(cell => (cell === '' ? 'any' : labelOf(wordsOf(cell))))
    if (row.cells.every(cell => isHeading(wordsOf(cell)))) continue
    if (labels.every(label => label !== undefined)) {
      headings = row.cells
      mark = row.mark
    } else if (row.mark === ',' || row.mark === ';') read.push(readLabel(line))
    else if (labels[0] !== undefined && row.cells[0] !== '') read.push(`${plainLabel(row.cells[0]!)}: ${row.cells.slice(1).join(', ')}`)
    else read.push(row.mark === ' ' ? readLabel(line) : row.cells.filter(cell => cell !== '').join(' ; '))
  }
  return read.join('\n')
}

const wordsOf = (cell: string): string[] =>
  foldText(cell.replace(/['’]/g, ' '))
    .split(' ')
    .filter(word => word !== '')
const plainLabel = (cell: string): string =>
  cell
    .replace(/[()[\]:*_]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** A column of notes may hold anything: its cells are read without a label. */
function underHeading(headings: readonly string[], column: number, cell: string): string {
  const label = labelOf(wordsOf(headings[column]!))
  return cell === '' || label === 'note' || label === 'any' ? cell : `${plainLabel(headings[column]!)}: ${cell}`
}

interface Row {
  cells: string[]
  /** The text between the cells. */
  mark: string
}

/** The cells of a line. Commas and semicolons part cells only where headings did so, or where all of them are headings. */
function cellsOf(line: string, known: string | undefined): Row {
  const split = (mark: string, cells: readonly string[]): Row => ({ mark, cells: cells.map(cell => cell.trim()) })
  if (/^\s*\|.*\|\s*$/.test(line)) return split('|', line.trim().slice(1, -1).split('|'))
  if (line.includes(' | ') || line.includes('\t|')) return split('|', line.split('|'))
  if (/\S\t+\S/.test(line)) return split('\t', line.trim().split(/\t+/))
  const spaced = /^\s*(\S.{0,38}?\S?) {3,}(\S.*)$/.exec(line)
  if (spaced) return split(' ', [spaced[1]!, spaced[2]!])
  const mark = known === ',' || known === ';' ? known : [';', ','].find(each => line.includes(each))
  if (!mark || line.length > MOST_CSV) return { cells: [line], mark: '' }
  const cells = line.split(mark)
  const isHeader = known === undefined && cells.every(cell => labelOf(wordsOf(cell)) !== undefined)
  return isHeader || known === mark ? split(mark, cells) : { cells: [line], mark: '' }
}
const MOST_CSV = 500

/** "[Role] Store director", "Leave out ▸ HubSpot", "1) Sector – biotech", "Titles (exclude): intern": the label and a colon. */
function readLabel(text: string): string {
  const asked = /^\s*[QF]\d{0,2}[:.)]\s*([^?\n]{2,60}\?)\s*[AR]\d{0,2}[:.)]\s*(?=\S)/.exec(text)
  const line = asked ? `${asked[1]} ${text.slice(asked[0].length)}` : text
  const numbered = /^\s*(?:\d{1,2}[.)]|\([a-z\d]\))\s+(?=\p{L})/u.exec(line)
  const rest = numbered ? line.slice(numbered[0].length) : line
  const found =
    /^(\s*(?:[-*•]\s+)?)([^.:\n]{2,40}?)\s*(?:\.{3,}|…)\s*(?=\S)/.exec(rest) ??
    /^(\s*(?:[-*•]\s+)?)\[([^\][\n]{2,40})\]:?\s+(?=\S)/.exec(rest) ??
    /^(\s*(?:[-*•]\s+)?)([^:▸►▶→➜»=–—\n]{2,40}?)\s*(?:▸|►|▶|→|➜|»|=>|->|::|\s[–—-]\s)\s*(?=\S)/.exec(rest) ??
    /^(\s*(?:[-*•]\s+)?)([^:\n]{2,30}\([^():\n]{2,20}\))\s*:\s*(?=\S)/.exec(rest) ??
    /^(\s*(?:[-*•]\s+)?)(\p{L}[^:?\n]{2,30})\?\s+(?=\S)/u.exec(rest)
  if (!found || labelOf(wordsOf(found[2]!)) === undefined) return rest
  return `${found[1]}${plainLabel(found[2]!)}: ${rest.slice(found[0].length)}`
}

const WANTED = /^\s*(?:\+\s+|[✓✔✅👍☑]\uFE0F?\s*)(?=\S)/u
const MINUS = /^\s*[-–−]\s*(?=\S)/

/** "+ CEOs", "- gaming": where some lines are added, a minus takes away. A cross is a "no" by now (clean.ts). */
function readSignedList(lines: readonly string[]): readonly string[] {
  if (!lines.some(line => WANTED.test(line))) return lines
  return lines.map(line => (MINUS.test(line) ? line.replace(MINUS, 'exclude: ') : line.replace(WANTED, '')))
}
