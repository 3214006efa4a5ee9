import { COUNTS, FORTNIGHT_DAYS, type PackedDays } from './packing-queries.ts'

export const QUARTERS = 96
const QUARTER_SECONDS = 900
const HEAD_BYTES = 6

/** Rows of counts, one after the other: row 3 begins at 3 times the number of kinds. */
export type Tally = Uint32Array

export const newTally = (rows: number): Tally => new Uint32Array(rows * COUNTS.length)

export const isEmpty = (tally: Tally): boolean => tally.every(count => count === 0)

/** The days of UTC and their quarters, counted from 1970. */
export const quarterAt = (at: Date): number => Math.floor(at.getTime() / 1000 / QUARTER_SECONDS)

/** Days of one key, one after the other, each with its number (four bytes) and its length (two) before it. A day may be there twice: both count. */
export function packDays(days: Iterable<[number, Tally]>): PackedDays {
  const quarters: Buffer[] = []
  const hours: Buffer[] = []
  let bits = 0
  for (const [day, tally] of days) {
    if (isEmpty(tally)) continue
    bits |= 1 << (day % FORTNIGHT_DAYS)
    quarters.push(...entryOf(day, tally))
    hours.push(...entryOf(day, byHour(tally)))
  }
  return { days: bits, quarters: Buffer.concat(quarters), hours: Buffer.concat(hours) }
}

function entryOf(day: number, tally: Tally): [Buffer, Buffer] {
  const bytes = pack(tally)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeInt32BE(day)
  head.writeInt16BE(bytes.length, 4)
  return [head, bytes]
}

function byHour(day: Tally): Tally {
  const hours = newTally(QUARTERS / 4)
  for (let at = 0; at < day.length; at++) hours[Math.floor(at / COUNTS.length / 4) * COUNTS.length + (at % COUNTS.length)]! += day[at]!
  return hours
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

/** Calls `visit` with the number of each packed day, and with where its bytes begin and end. */
export function eachDay(packed: Buffer, visit: (day: number, start: number, end: number) => void): void {
  for (let position = 0; position < packed.length; ) {
    const start = position + HEAD_BYTES
    const end = start + packed.readInt16BE(position + 4)
    visit(packed.readInt32BE(position), start, end)
    position = end
  }
}

/**
 * Adds the quarters (or hours) of a day to a tally. `rowOf` names the row that each of them belongs to; what has row -1 is left out. Without a
 * function that reads a number: a year of twenty mailboxes has two million of them.
 */
export function addDay(bytes: Uint8Array, start: number, end: number, rowOf: Int16Array, tally: Tally): void {
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

/** Each quarter in a row of its own. */
export const BY_QUARTER = Int16Array.from({ length: QUARTERS }, (_, quarter) => quarter)
