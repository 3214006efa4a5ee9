/**
 * The columns of the index: twenty-two bytes a person, in shared memory, so that every thread scans the same ones. They
 * grow by whole segments; nothing is ever copied, and a row's number is the person's id.
 */
export const SEGMENT_ROWS = 1 << 18

export const SMALL_COLUMNS = ['mail', 'seniority', 'department', 'country', 'industry', 'size'] as const
const WIDE_COLUMNS = ['title', 'company', 'place', 'owner'] as const
export type SmallColumn = (typeof SMALL_COLUMNS)[number]
export type WideColumn = (typeof WIDE_COLUMNS)[number]

export type Segment = Record<SmallColumn, Uint8Array> & Record<WideColumn, Uint32Array>

export const SEGMENT_BYTES = SEGMENT_ROWS * (SMALL_COLUMNS.length + 4 * WIDE_COLUMNS.length)

/** In the column of places: the person's own place is unknown, this is the company's. */
export const PLACE_OF_COMPANY = 0x8000_0000
/** What is left of a wide value without its mark. */
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

  /** The segment that holds this row, made when it is the first of a new one. */
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
