import { firstIndex } from '../../lib/first-index.ts'
import { addBlock, headOf, QUARTER_MS, QUARTERS, QUARTERS_OF_HOUR, type Rows, type Tally } from './packed-fortnight.ts'
import { FORTNIGHT_DAYS, HEAD_BYTES } from './packing-queries.ts'
import type { Cut } from './series-reading-queries.ts'

const HOURS = 24
/** When more hours of a fortnight are cut, all hours are read at once. */
const MOST_CUTS = 6

/** The quarter with which each hour, day or week of a period begins, and the one after the last, counted from 1970. A quarter belongs to where it begins. */
export const marksOf = (from: Date, to: Date, starts: Date[]): Float64Array =>
  Float64Array.from([...starts.map(start => (start < from ? from : start)), to], at => Math.ceil(at.getTime() / QUARTER_MS))

/** The place of the hour, day or week that a quarter belongs to; -1 where it belongs to none. */
const rowOf = (quarter: number, marks: Float64Array): number => (quarter >= marks.at(-1)! ? -1 : lastAtOrBefore(marks, quarter))

/** Everything that divides a day of UTC between two hours, days or weeks. What begins at midnight does not. */
export function cutsOf(marks: Float64Array): Cut[] {
  const within = [...new Set(marks)].filter(mark => mark % QUARTERS !== 0)
  const byFortnight = Map.groupBy(within, mark => Math.floor(mark / QUARTERS / FORTNIGHT_DAYS))
  return [...byFortnight].flatMap(([fortnight, its]) =>
    [...Map.groupBy(its, mark => mark % QUARTERS_OF_HOUR)].flatMap(([quarter, alike]) => {
      const byHour = Map.groupBy(alike, hourOf)
      const groups = byHour.size > MOST_CUTS ? [[null, alike] as const] : [...byHour]
      return groups.map(([hour, together]): Cut => {
        const cut = { fortnight, quarter, hour, before: newRows(hour), after: newRows(hour) }
        for (const mark of together) {
          const place = (hour === null ? hourOf(mark) * FORTNIGHT_DAYS : 0) + (Math.floor(mark / QUARTERS) % FORTNIGHT_DAYS)
          cut.before[place] = rowOf(mark - 1, marks)
          cut.after[place] = rowOf(mark, marks)
        }
        return cut
      })
    }),
  )
}

const hourOf = (mark: number): number => Math.floor((mark % QUARTERS) / QUARTERS_OF_HOUR)

const newRows = (hour: number | null): Rows => new Int16Array(hour === null ? HOURS * FORTNIGHT_DAYS : FORTNIGHT_DAYS).fill(-1)

const NONE = new Int16Array(HOURS * FORTNIGHT_DAYS).fill(-1)

/**
 * Adds pieces of packed fortnights to the rows of a period. Each has the number of its fortnight and that of a cut, counted from 1, the totals,
 * and the blocks at the cut. A day belongs to the row of its last quarter; a cut gives what was counted before it to the row before it.
 */
export class PieceReader {
  readonly #marks: Float64Array
  readonly #cuts: Cut[]
  readonly #ends = new Map<number, Rows>()

  constructor({ marks, cuts }: { marks: Float64Array; cuts: Cut[] }) {
    this.#marks = marks
    this.#cuts = cuts
  }

  add(packed: Buffer, tally: Tally): void {
    for (let at = 0; at < packed.length; ) {
      const fortnight = packed.readInt32BE(at)
      const number = packed.readInt16BE(at + 4)
      const head = headOf(packed, at + 6)
      const totals = at + 6 + HEAD_BYTES
      const cut = this.#cuts[number - 1]
      at = totals + head.size
      // Of several cuts of a fortnight, each brings the totals along.
      if (this.#cuts[number - 2]?.fortnight !== fortnight) addBlock(packed, totals, head, this.#endsOf(fortnight), NONE, 0, tally)
      if (!cut) continue
      for (let hour = cut.hour ?? head.firstHour; hour <= (cut.hour ?? HOURS - 1); hour++) {
        if (hour < head.firstHour) continue
        const isLater = hour >= head.firstHour + head.hours
        const rows = cut.hour === null ? hour * FORTNIGHT_DAYS : 0
        addBlock(packed, isLater ? totals : at, head, cut.before, cut.after, rows, tally)
        if (!isLater) at += head.size
      }
    }
  }

  #endsOf(fortnight: number): Rows {
    const known = this.#ends.get(fortnight)
    if (known) return known
    const ends = Int16Array.from({ length: FORTNIGHT_DAYS }, (_, place) =>
      rowOf((fortnight * FORTNIGHT_DAYS + place + 1) * QUARTERS - 1, this.#marks),
    )
    this.#ends.set(fortnight, ends)
    return ends
  }
}

/** The position of the last one that is not greater, or -1. */
const lastAtOrBefore = (sorted: Float64Array, value: number): number => firstIndex(sorted.length, at => sorted[at]! > value) - 1
