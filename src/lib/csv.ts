/** What a spreadsheet would run as a formula, also behind white space and in the full-width forms. */
const FORMULA = /^(?:[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/
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

function textCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
