const SIGN = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20'
/** Text that a spreadsheet would run as a formula, also after white space or quotes, and in full-width forms. */
const FORMULA = new RegExp(`^(?:[\\s"]*[${SIGN}]|[\\t\\r\\n])`)
/** The characters at which some spreadsheet splits a line. Quotes protect only when they are at the beginning of the cell that it sees. */
const SPLITS = /[,;|\t\r\n]/
/** Everything that may be between such a split and a sign, and the sign. The pattern visits each character once. */
const BEHIND_SPLIT = new RegExp(`([,;|"\\s]+)([${SIGN}])?`, 'g')
const SPECIAL = /[",\r\n]/

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
    else line += textCell(cell)
  }
  return `${line}\r\n`
}

/** Quotes every cell. For files that no spreadsheet opens, so a number with a leading plus stays unchanged. */
export const quotedCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')

function textCell(text: string): string {
  const safe = defused(text)
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function defused(text: string): string {
  const inside = SPLITS.test(text) ? text.replace(BEHIND_SPLIT, defusedRun) : text
  return FORMULA.test(text) ? `'${inside}` : inside
}

const defusedRun = (run: string, gap: string, sign?: string): string => (sign && SPLITS.test(gap) ? `${gap}'${sign}` : run)
