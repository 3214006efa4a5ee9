import {
  COUNTS,
  FIRST_HOUR_BYTE,
  FORTNIGHT_DAYS,
  HEAD_BYTES,
  HOURS_BYTE,
  type PackedBlocks,
  type PackedFortnight,
} from './packing-queries.ts'

export const QUARTERS = 96
export const QUARTERS_OF_HOUR = 4
const WIDTH_BYTE = 4
export const QUARTER_MS = 900_000

/** Rows of counts, one after the other: row 3 begins at 3 times the number of kinds. */
export type Tally = Uint32Array

export const newTally = (rows: number): Tally => new Uint32Array(rows * COUNTS.length)

export function isEmpty(tally: Tally): boolean {
  for (let at = 0; at < tally.length; at++) if (tally[at]! > 0) return false
  return true
}

/** The days of UTC and their quarters, counted from 1970. */
export const quarterAt = (at: Date): number => Math.floor(at.getTime() / QUARTER_MS)

/**
 * Fourteen days of a key. A block has a number for each day on which anything was counted and for each kind that was: what was counted since
 * midnight of UTC. `totals` has the block of midnight after the day, and before it which days and kinds these are and how many bytes a number
 * takes. `cuts` has the block of each quarter of the hours in between: first those at the full hours, then those at a quarter past, and so on.
 * Where days begin at half past six, one block says how to divide all fourteen. Null where nothing was counted.
 */
export function packFortnight(days: Iterable<[number, Tally]>): PackedFortnight | null {
  const counted = [...days].filter(([, tally]) => !isEmpty(tally)).sort(([a], [b]) => a - b)
  if (counted.length === 0) return null
  const sums = counted.map(([, tally]) => sumsOf(tally))
  const kinds = COUNTS.map((_, kind) => kind).filter(kind => counted.some(([, tally]) => hasKind(tally, kind)))
  const hours = Array.from({ length: 24 }, (_, hour) => hour).filter(hour => counted.some(([, tally]) => !isEmpty(hourOf(tally, hour))))
  const [firstHour, lastHour] = [hours[0]!, hours.at(-1)!]
  const most = Math.max(...sums.map(sum => sum.reduce((a, b) => Math.max(a, b), 0)))
  const width = most < 0x1_00 ? 1 : most < 0x1_00_00 ? 2 : 4
  const bits = (numbers: number[]): number => numbers.reduce((sum, number) => sum | (1 << number), 0)
  const places = counted.map(([day]) => day % FORTNIGHT_DAYS)
  const size = counted.length * kinds.length * width

  const write = (quarter: number, into: Buffer, start: number): void => {
    let at = start
    for (const sum of sums) for (const kind of kinds) at = into.writeUIntBE(sum[quarter * COUNTS.length + kind]!, at, width)
  }
  const totals = Buffer.alloc(HEAD_BYTES + size)
  totals.writeUInt16BE(bits(kinds), 0)
  totals.writeUInt16BE(bits(places), 2)
  totals[WIDTH_BYTE] = width
  totals[FIRST_HOUR_BYTE] = firstHour
  totals[HOURS_BYTE] = lastHour - firstHour + 1
  write(QUARTERS, totals, HEAD_BYTES)
  const cuts = Buffer.alloc(QUARTERS_OF_HOUR * (lastHour - firstHour + 1) * size)
  let place = 0
  for (let quarter = 0; quarter < QUARTERS_OF_HOUR; quarter++) {
    for (let hour = firstHour; hour <= lastHour; hour++) write(hour * QUARTERS_OF_HOUR + quarter, cuts, place++ * size)
  }
  return { days: bits(places), totals, cuts }
}

/** What was counted before each quarter, and in the last row before the next day. */
function sumsOf(day: Tally): Tally {
  const sums = newTally(QUARTERS + 1)
  for (let at = 0; at < day.length; at++) sums[at + COUNTS.length] = sums[at]! + day[at]!
  return sums
}

const hasKind = (tally: Tally, kind: number): boolean => tally.some((count, at) => count > 0 && at % COUNTS.length === kind)

const hourOf = (day: Tally, hour: number): Tally =>
  day.subarray(hour * QUARTERS_OF_HOUR * COUNTS.length, (hour + 1) * QUARTERS_OF_HOUR * COUNTS.length)

interface Head {
  kinds: number[]
  /** The places of the days in the fortnight. */
  days: number[]
  width: number
  firstHour: number
  hours: number
  /** Of a block, in bytes. */
  size: number
}

const known = new Map<number, number[]>()

function numbersOf(bits: number): number[] {
  const numbers = known.get(bits) ?? Array.from({ length: 16 }, (_, number) => number).filter(number => bits & (1 << number))
  known.set(bits, numbers)
  return numbers
}

export function headOf(packed: Buffer, start: number): Head {
  const kinds = numbersOf(packed.readUInt16BE(start))
  const days = numbersOf(packed.readUInt16BE(start + 2))
  const width = packed[start + WIDTH_BYTE]!
  return {
    kinds,
    days,
    width,
    firstHour: packed[start + FIRST_HOUR_BYTE]!,
    hours: packed[start + HOURS_BYTE]!,
    size: kinds.length * days.length * width,
  }
}

/** The row of each day of the fortnight, -1 where it has none. Those of the next hour follow. */
export type Rows = Int16Array

/** Adds the numbers of a block to the rows `to` of their days, and takes them away from the rows `from`. */
export function addBlock(
  bytes: Buffer,
  start: number,
  { kinds, days, width }: Head,
  to: Rows,
  from: Rows,
  rows: number,
  tally: Tally,
): void {
  let at = start
  for (const day of days) {
    const plus = to[rows + day]!
    const minus = from[rows + day]!
    if (plus === minus) {
      at += kinds.length * width
      continue
    }
    for (const kind of kinds) {
      let count = bytes[at++]!
      for (let more = 1; more < width; more++) count = ((count << 8) | bytes[at++]!) >>> 0
      if (plus >= 0) tally[plus * COUNTS.length + kind]! += count
      if (minus >= 0) tally[minus * COUNTS.length + kind]! -= count
    }
  }
}

/** Adds what was counted in each quarter to its day. `dayAt` names the tally of each day of the fortnight. */
export function unpackFortnight({ totals, cuts }: PackedBlocks, dayAt: (place: number) => Tally): void {
  const head = headOf(totals, 0)
  const first = head.firstHour * QUARTERS_OF_HOUR
  const last = first + head.hours * QUARTERS_OF_HOUR
  for (const [index, place] of head.days.entries()) {
    const tally = dayAt(place)
    for (const [column, kind] of head.kinds.entries()) {
      const skipped = (index * head.kinds.length + column) * head.width
      let before = 0
      for (let quarter = first; quarter < last; quarter++) {
        const [bytes, start] = quarter + 1 < last ? [cuts, placeOf(quarter + 1, head)] : [totals, HEAD_BYTES]
        const after = bytes.readUIntBE(start + skipped, head.width)
        tally[quarter * COUNTS.length + kind]! += after - before
        before = after
      }
    }
  }
}

const placeOf = (quarter: number, { firstHour, hours, size }: Head): number =>
  ((quarter % QUARTERS_OF_HOUR) * hours + Math.floor(quarter / QUARTERS_OF_HOUR) - firstHour) * size
