export const QUARTERS = 96
const QUARTER_SECONDS = 900

/** What is counted. The order is stored: a new kind goes to the end. */
export const COUNTS = ['sent', 'assumed', 'opened', 'clicked', 'replied', 'positive', 'bounced', 'unsubscribed'] as const
export type Counts = Record<(typeof COUNTS)[number], number>

/** Rows of counts, one after the other: row 3 begins at 3 times the number of kinds. */
export type Tally = Uint32Array

export const newTally = (rows: number): Tally => new Uint32Array(rows * COUNTS.length)

/** The days of UTC and their quarters, counted from 1970. */
export const quarterAt = (at: Date): number => Math.floor(at.getTime() / 1000 / QUARTER_SECONDS)
export const dateOfDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
/** The same in SQL, of a column that holds where a quarter begins. */
export const QUARTER_OF_AT = `(extract(epoch from at)::bigint / ${QUARTER_SECONDS})::int`

/**
 * A day as bytes. For each quarter in which anything was counted: how far it is from the one before, which kinds there are, and their
 * counts. Numbers take seven bits of each byte; the eighth says that there is more. A busy quarter takes about six bytes.
 */
export function packDay(day: Tally): Buffer {
  const bytes: number[] = []
  const write = (number: number): void => {
    let rest = number
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
    bytes.push(rest)
  }
  let last = 0
  for (let quarter = 0; quarter < QUARTERS; quarter++) {
    const counts = day.subarray(quarter * COUNTS.length, (quarter + 1) * COUNTS.length)
    const mask = counts.reduce((bits, count, kind) => (count > 0 ? bits | (1 << kind) : bits), 0)
    if (mask === 0) continue
    write(quarter - last)
    write(mask)
    for (const count of counts) if (count > 0) write(count)
    last = quarter
  }
  return Buffer.from(bytes)
}

/** Adds a packed day to a tally. `rowOf` names the row that each quarter of the day belongs to; a quarter of row -1 is left out. */
export function addDay(bytes: Uint8Array, rowOf: Int16Array, tally: Tally): void {
  let position = 0
  const read = (): number => {
    let byte = bytes[position++]!
    if (byte < 0x80) return byte
    let number = byte & 0x7f
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = bytes[position++]!
      number += (byte & 0x7f) * scale
    }
    return number
  }
  let quarter = 0
  while (position < bytes.length) {
    quarter += read()
    const start = rowOf[quarter]! * COUNTS.length
    for (let mask = read(), kind = 0; mask > 0; mask >>= 1, kind++) {
      if ((mask & 1) === 0) continue
      const count = read()
      if (start >= 0) tally[start + kind]! += count
    }
  }
}

/** Each quarter in a row of its own. */
export const BY_QUARTER = Int16Array.from({ length: QUARTERS }, (_, quarter) => quarter)
/** The whole day in one row. */
export const ALL_DAY = new Int16Array(QUARTERS)
