const SIGN = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20'
/** What a spreadsheet would run as a formula, also behind white space or quotes, and in the full-width forms. */
const FORMULA = new RegExp(`^(?:[\\s"]*[${SIGN}]|[\\t\\r\\n])`)
/** What one spreadsheet or another splits a line at, whatever the quotes: they only count at the beginning of what it takes for a cell. */
const SPLITS = /[,;|\t\r\n]/
/** All that may stand between such a split and a sign, and the sign. Written so that each character is looked at once. */
const BEHIND_SPLIT = new RegExp(`([,;|"\\s]+)([${SIGN}])?`, 'g')
const SPECIAL = /[",\r\n]/

export type Cell = string | number | Date | null

/** One record of RFC 4180, with its line end. An apostrophe in front turns a formula into the text that it is. */
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

/** Everything in quotes: no spreadsheet reads it, so a number that begins with a plus stays one. */
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
