import { parse } from 'csv-parse/sync'

/** A CSV file as rows: with commas, semicolons or tabs, whichever the first line has most of. */
export const csvRows = (text: string): string[][] =>
  parse(text, {
    bom: true,
    delimiter: separatorOf(text.slice(0, text.search(/[\r\n]|$/))),
    relaxQuotes: true,
    relaxColumnCount: true,
    skipEmptyLines: true,
  })

const separatorOf = (line: string): string => [',', ';', '\t'].toSorted((a, b) => line.split(b).length - line.split(a).length)[0]!

/** Everything in quotes: no spreadsheet reads it, so a number that begins with a plus stays one. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`).join('')
