import { COUNTS, type PackedDay } from './packing-queries.ts'

export const QUARTERS = 96
const QUARTER_SECONDS = 900

/** Rows of counts, one after the other: row 3 begins at 3 times the number of kinds. */
export type Tally = Uint32Array

export const newTally = (rows: number): Tally => new Uint32Array(rows * COUNTS.length)

/** The days of UTC and their quarters, counted from 1970. */
export const quarterAt = (at: Date): number => Math.floor(at.getTime() / 1000 / QUARTER_SECONDS)

export function packDay(day: Tally): PackedDay {
  const hours = newTally(QUARTERS / 4)
  for (let at = 0; at < day.length; at++) hours[Math.floor(at / COUNTS.length / 4) * COUNTS.length + (at % COUNTS.length)]! += day[at]!
  return { quarters: pack(day), hours: pack(hours) }
}

/**
 * A day as bytes. For each quarter (or hour) in which anything was counted: how far it is from the one before, which kinds there are, and their
 * counts. Numbers take seven bits of each byte; the eighth says that there is more. A busy quarter takes about six bytes.
 */
function pack(day: Tally): Buffer {
  const bytes: number[] = []
  const write = (number: number): void => {
    let rest = number
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
    bytes.push(rest)
  }
  let last = 0
  for (let quarter = 0; quarter * COUNTS.length < day.length; quarter++) {
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

/**
 * Adds the quarters (or hours) of a packed day to a tally. `rowOf` names the row that each of them belongs to; what has row -1 is left out. Without a
 * function that reads a number: a year of twenty mailboxes has two million of them.
 */
export function addDay(bytes: Uint8Array, rowOf: Int16Array, tally: Tally, start = 0, end = bytes.length): void {
  let position = start
  let quarter = 0
  while (position < end) {
    quarter += bytes[position++]!
    let mask = bytes[position++]!
    if (mask >= 0x80) mask = (mask & 0x7f) | (bytes[position++]! << 7)
    const row = rowOf[quarter]!
    for (let index = row * COUNTS.length; mask > 0; mask >>= 1, index++) {
      if ((mask & 1) === 0) continue
      let byte = bytes[position++]!
      let count = byte & 0x7f
      for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
        byte = bytes[position++]!
        count += (byte & 0x7f) * scale
      }
      if (row >= 0) tally[index]! += count
    }
  }
}

/** Adds the days that `joinDays` has joined, one after the other. `rowsOf` names the rows of a day, by its number. */
export function addDays(joined: Buffer, rowsOf: (day: number, isByHour: boolean) => Int16Array, tally: Tally): void {
  for (let position = 0; position < joined.length; ) {
    const length = joined.readInt16BE(position + 4)
    const start = position + 6
    const end = start + Math.abs(length)
    addDay(joined, rowsOf(joined.readInt32BE(position), length < 0), tally, start, end)
    position = end
  }
}

/** Each quarter in a row of its own. */
export const BY_QUARTER = Int16Array.from({ length: QUARTERS }, (_, quarter) => quarter)
