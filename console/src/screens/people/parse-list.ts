export interface Parsed {
  values: readonly string[]
  /** Lines without an address or a domain: headings, names, nothing. */
  skippedCount: number
  duplicateCount: number
}

/** Long enough for an address; what is longer is none. */
const LONGEST = 254
const ADDRESS = /^[^\s@<>()"',;:]+@[^\s@<>()"',;:]+\.[^\s@<>()"',;:]+$/
const DOMAIN = /^@?(?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z][a-z0-9-]{0,62}$/i

/**
 * Addresses and domains out of whatever was pasted: a list, a column of a spreadsheet, or a CSV file with other columns. An
 * address counts more than a domain in the same line, because a company's website often stands beside its people.
 */
export function parseList(text: string): Parsed {
  const values = new Set<string>()
  let skippedCount = 0
  let duplicateCount = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue
    const cells = line
      .split(/[\s,;|]+/)
      .map(cell => cell.replace(/^[<("']+|[>)"'.]+$/g, '').replace(/^mailto:/i, ''))
      .filter(cell => cell !== '' && cell.length <= LONGEST)
    const addresses = cells.filter(cell => ADDRESS.test(cell))
    const found = addresses.length > 0 ? addresses : cells.filter(cell => DOMAIN.test(cell)).map(cell => cell.replace(/^@/, ''))
    if (found.length === 0) skippedCount++
    for (const value of found) {
      const folded = value.toLowerCase()
      if (values.has(folded)) duplicateCount++
      values.add(folded)
    }
  }
  return { values: [...values], skippedCount, duplicateCount }
}
