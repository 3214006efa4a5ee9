/** A CSV file as rows, as RFC 4180 has it: with commas, semicolons or tabs, whichever the first line has most of. */
export function csvRows(text: string): string[][] {
  const plain = text.replace(/^\ufeff/, '')
  const separator = separatorOf(plain.slice(0, plain.search(/[\r\n]|$/)))
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at] as string
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (plain[at + 1] === '"') {
        cell += '"'
        at++
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === separator) endCell()
    else if (sign === '\n') endRow()
    else if (sign !== '\r') cell += sign
  }
  endRow()
  return rows
}

const separatorOf = (line: string): string => [',', ';', '\t'].toSorted((a, b) => line.split(b).length - line.split(a).length)[0]!

/** Everything in quotes: no spreadsheet reads it, so a number that begins with a plus stays one. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')
