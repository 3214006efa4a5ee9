/**
 * The columns of the index: 22 bytes per person, in shared memory, so that all threads scan the same memory. They grow by whole segments
 * and are never copied. The number of a row is the id of the person.
 */
export const SEGMENT_ROWS = 1 << 18

export const SMALL_COLUMNS = ['mail', 'seniority', 'department', 'country', 'industry', 'size'] as const
const WIDE_COLUMNS = ['title', 'company', 'place', 'owner'] as const
export type SmallColumn = (typeof SMALL_COLUMNS)[number]
export type WideColumn = (typeof WIDE_COLUMNS)[number]

export type Segment = Record<SmallColumn, Uint8Array> & Record<WideColumn, Uint32Array>

export const SEGMENT_BYTES = SEGMENT_ROWS * (SMALL_COLUMNS.length + 4 * WIDE_COLUMNS.length)

/** A flag in the column of places: the place of the person is unknown, and this is the place of the company. */
export const PLACE_OF_COMPANY = 0x8000_0000
/** Removes the flag from a wide value. */
export const WIDE_MASK = 0x7fff_ffff

/** Typed views of one segment's memory. */
export function viewSegment(memory: SharedArrayBuffer): Segment {
  let offset = 0
  const segment: Partial<Segment> = {}
  for (const name of WIDE_COLUMNS) {
    segment[name] = new Uint32Array(memory, offset, SEGMENT_ROWS)
    offset += SEGMENT_ROWS * 4
  }
  for (const name of SMALL_COLUMNS) {
    segment[name] = new Uint8Array(memory, offset, SEGMENT_ROWS)
    offset += SEGMENT_ROWS
  }
  return segment as Segment
}

export class Columns {
  readonly memories: SharedArrayBuffer[] = []
  readonly segments: Segment[] = []
  /** Rows in use are 1 to `rowCount - 1`. */
  rowCount = 1

  /** The segment that holds this row; a new segment is created when needed. */
  segmentOf(row: number): Segment {
    const number = Math.floor(row / SEGMENT_ROWS)
    while (this.segments.length <= number) this.add(new SharedArrayBuffer(SEGMENT_BYTES))
    if (row >= this.rowCount) this.rowCount = row + 1
    return this.segments[number]!
  }

  add(memory: SharedArrayBuffer): void {
    this.memories.push(memory)
    this.segments.push(viewSegment(memory))
  }
}
