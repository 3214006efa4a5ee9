const SIGN = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20'
/** Text that a spreadsheet would run as a formula, also after white space or quotes, and in full-width forms. */
const FORMULA = new RegExp(`^(?:[\\s"]*[${SIGN}]|[\\t\\r\\n])`)
/** The characters at which some spreadsheet splits a line. Quotes protect only when they are at the beginning of the cell that it sees. */
const SPLITS = /[,;|\t\r\n]/
/** Everything that may be between such a split and a sign, and the sign. The pattern visits each character once. */
const BEHIND_SPLIT = new RegExp(`([,;|"\\s]+)([${SIGN}])?`, 'g')
const SPECIAL = /[",\r\n]/

/** The same, even if they already have apostrophes. */
const MARKED_FORMULA = new RegExp(`^'*(?:[\\s"]*[${SIGN}]|[\\t\\r\\n])`)
const MARKED_BEHIND_SPLIT = new RegExp(`([,;|"\\s]+)('*)([${SIGN}])?`, 'g')
/** Also the other separators: a reader that guesses the separator by the header does not count them within quotes. */
const SEPARATING = /[",;|\t\r\n]/

export type Cell = string | number | Date | null

/** One record of RFC 4180, with its line end. An apostrophe before a formula turns it into text. */
export function csvRecord(cells: readonly Cell[]): string {
  let line = ''
  for (let index = 0; index < cells.length; index++) {
    if (index > 0) line += ','
    const cell = cells[index]
    if (cell === null || cell === undefined) continue
    if (typeof cell === 'number') line += cell
    else if (cell instanceof Date) line += cell.toISOString()
    else line += quoted(defused(cell), SPECIAL)
  }
  return `${line}\r\n`
}

/**
 * A record of a file that people correct and send back. If a formula already has apostrophes, one more is written, so that
 * `originalCell` restores every cell.
 */
export const correctableRecord = (cells: readonly string[]): string =>
  `${cells.map(cell => quoted(marked(cell), SEPARATING)).join(',')}\r\n`

function marked(text: string): string {
  const mark = (run: string, gap: string, marks: string, sign?: string): string =>
    sign && SPLITS.test(gap) ? `${gap}'${marks}${sign}` : run
  const inside = SPLITS.test(text) ? text.replace(MARKED_BEHIND_SPLIT, mark) : text
  return MARKED_FORMULA.test(text) ? `'${inside}` : inside
}

/** The cell that `correctableRecord` was given. One that was typed in without an apostrophe stays as it is. */
export function originalCell(text: string): string {
  if (!text.includes("'")) return text
  const unmark = (run: string, gap: string, marks: string, sign?: string): string =>
    sign && marks !== '' && SPLITS.test(gap) ? `${gap}${marks.slice(1)}${sign}` : run
  // Inside first: until then, what follows the apostrophe at the beginning does not look like a formula.
  const inside = SPLITS.test(text) ? text.replace(MARKED_BEHIND_SPLIT, unmark) : text
  return inside.startsWith("'") && MARKED_FORMULA.test(inside) ? inside.slice(1) : inside
}

/** Quotes every cell. For files that no spreadsheet opens, so a number with a leading plus stays unchanged. */
export const quotedCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')

const quoted = (text: string, special: RegExp): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

function defused(text: string): string {
  const inside = SPLITS.test(text) ? text.replace(BEHIND_SPLIT, defusedRun) : text
  return FORMULA.test(text) ? `'${inside}` : inside
}

const defusedRun = (run: string, gap: string, sign?: string): string => (sign && SPLITS.test(gap) ? `${gap}'${sign}` : run)
