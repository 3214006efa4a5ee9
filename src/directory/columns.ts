import { DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, EMPLOYEE_BUCKETS, FUNDING_STAGES, INDUSTRY_SLUGS, SENIORITIES } from '#lead-terms'

/** Values of closed vocabularies as one byte each. 0 is "unknown" everywhere. */
export class Codes {
  readonly values: readonly string[]
  readonly #codes: ReadonlyMap<string, number>

  constructor(values: readonly string[]) {
    if (values.length > 255) throw new Error('a column of bytes cannot distinguish more than 255 values')
    this.values = values
    this.#codes = new Map(values.map((value, index) => [value, index + 1]))
  }

  of(value: string | null | undefined): number {
    return value == null ? 0 : (this.#codes.get(value) ?? 0)
  }

  value(code: number): string | undefined {
    return this.values[code - 1]
  }
}

export const BUCKETS = Object.keys(EMPLOYEE_BUCKETS) as (keyof typeof EMPLOYEE_BUCKETS)[]

export const seniorityCodes = new Codes(SENIORITIES)
export const departmentCodes = new Codes(DEPARTMENTS)
export const industryCodes = new Codes(INDUSTRY_SLUGS)
export const sizeCodes = new Codes(BUCKETS)
export const stageCodes = new Codes(FUNDING_STAGES)

/**
 * Status and type of the address in one byte, and whether a workspace imported the person, so that a workspace without
 * imports does not have to check owners. 0 is a row without a person: never assigned, or deleted.
 */
export const MAIL_CODES = EMAIL_STATUSES.flatMap(status => [null, ...EMAIL_TYPES].map(type => ({ status, type }))).map((mail, index) => ({
  ...mail,
  code: index + 1,
}))

/** Added to the code of an imported person. */
export const IMPORTED = MAIL_CODES.length

export const isVerifiedCode = (code: number): boolean => code >= 1 && (code - 1) % IMPORTED < 4

export function bucketOf(employees: number): (typeof BUCKETS)[number] {
  const limits = [10, 50, 200, 500, 1000, 5000, 10_000]
  const index = limits.findIndex(limit => employees <= limit)
  return BUCKETS[index === -1 ? BUCKETS.length - 1 : index]!
}

/** The columns of the index: 22 bytes per person. They grow by whole segments and are never copied. The number of a row is the id of the person. */
export const SEGMENT_ROWS = 1 << 18

const SMALL_COLUMNS = ['mail', 'seniority', 'department', 'country', 'industry', 'size'] as const
const WIDE_COLUMNS = ['title', 'company', 'place', 'owner'] as const
export type SmallColumn = (typeof SMALL_COLUMNS)[number]
export type WideColumn = (typeof WIDE_COLUMNS)[number]

export type Segment = Record<SmallColumn, Uint8Array> & Record<WideColumn, Uint32Array>

/** A flag in the column of places: the place of the person is unknown, and this is the place of the company. */
export const PLACE_OF_COMPANY = 0x8000_0000
/** Removes the flag from a wide value. */
export const WIDE_MASK = 0x7fff_ffff

function newSegment(): Segment {
  const small = SMALL_COLUMNS.map(name => [name, new Uint8Array(SEGMENT_ROWS)])
  const wide = WIDE_COLUMNS.map(name => [name, new Uint32Array(SEGMENT_ROWS)])
  return Object.fromEntries([...small, ...wide]) as Segment
}

export class Columns {
  readonly segments: Segment[] = []
  /** Rows in use are 1 to `rowCount - 1`. */
  rowCount = 1

  /** The segment that holds this row; a new segment is created when needed. */
  segmentOf(row: number): Segment {
    const number = Math.floor(row / SEGMENT_ROWS)
    while (this.segments.length <= number) this.segments.push(newSegment())
    if (row >= this.rowCount) this.rowCount = row + 1
    return this.segments[number]!
  }
}
