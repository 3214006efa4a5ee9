import { isVerifiedCode, SEGMENT_ROWS, type Segment, type SmallColumn, WIDE_MASK, type WideColumn } from './columns.ts'

/** A resolved filter: one lookup table for each restricted column, with a 1 for every value that satisfies it. */
export interface ScanFilter {
  /** At least one. A row that is not in use is 0 in every column, so one of the tests must reject 0. */
  tests: ColumnTest[]
  /** One bit per row to leave out. */
  exclude: Uint8Array | null
}

export interface ColumnTest {
  column: SmallColumn | WideColumn
  table: Uint8Array
}

/** The rows of a chunk stay in the first-level cache while the tests of the columns reduce them one after the other. */
const CHUNK_ROWS = 8192

function firstSmall(column: Uint8Array, table: Uint8Array, from: number, to: number, selected: Uint32Array): number {
  let count = 0
  for (let row = from; row < to; row++) {
    selected[count] = row
    count += table[column[row]!]!
  }
  return count
}

function firstWide(column: Uint32Array, table: Uint8Array, from: number, to: number, selected: Uint32Array): number {
  let count = 0
  for (let row = from; row < to; row++) {
    selected[count] = row
    count += table[column[row]! & WIDE_MASK]!
  }
  return count
}

function nextSmall(column: Uint8Array, table: Uint8Array, selected: Uint32Array, count: number): number {
  let kept = 0
  for (let index = 0; index < count; index++) {
    const row = selected[index]!
    selected[kept] = row
    kept += table[column[row]!]!
  }
  return kept
}

function nextWide(column: Uint32Array, table: Uint8Array, selected: Uint32Array, count: number): number {
  let kept = 0
  for (let index = 0; index < count; index++) {
    const row = selected[index]!
    selected[kept] = row
    kept += table[column[row]! & WIDE_MASK]!
  }
  return kept
}

function nextExcluded(bits: Uint8Array, base: number, selected: Uint32Array, count: number): number {
  let kept = 0
  for (let index = 0; index < count; index++) {
    const row = selected[index]!
    const global = base + row
    selected[kept] = row
    kept += ((bits[global >> 3]! >> (global & 7)) & 1) ^ 1
  }
  return kept
}

const selected = new Uint32Array(CHUNK_ROWS)

/** Passes the matching rows of each chunk to `take`, in order, until `take` returns that it has enough. */
function select(
  segments: readonly Segment[],
  filter: ScanFilter,
  from: number,
  to: number,
  take: (segment: Segment, base: number, selected: Uint32Array, count: number) => boolean | undefined,
): void {
  const [first, ...others] = filter.tests as [ColumnTest, ...ColumnTest[]]
  for (let start = from; start < to; ) {
    const number = Math.floor(start / SEGMENT_ROWS)
    const base = number * SEGMENT_ROWS
    const end = Math.min(to, start + CHUNK_ROWS, base + SEGMENT_ROWS)
    const segment = segments[number]
    // A directory without people has none.
    if (!segment) return
    const column = segment[first.column]
    let count =
      column instanceof Uint8Array
        ? firstSmall(column, first.table, start - base, end - base, selected)
        : firstWide(column, first.table, start - base, end - base, selected)
    for (const test of others) {
      if (count === 0) break
      const next = segment[test.column]
      count = next instanceof Uint8Array ? nextSmall(next, test.table, selected, count) : nextWide(next, test.table, selected, count)
    }
    if (filter.exclude && count > 0) count = nextExcluded(filter.exclude, base, selected, count)
    if (count > 0 && take(segment, base, selected, count)) return
    start = end
  }
}

/** Counts per value of five columns, 256 each: everything a preview needs. */
const TALLIED = ['mail', 'industry', 'country', 'size', 'seniority'] as const
export type Tally = Uint32Array<ArrayBuffer>

function count(column: Uint8Array, rows: Uint32Array, rowCount: number, into: Uint32Array): void {
  for (let index = 0; index < rowCount; index++) into[column[rows[index]!]!]!++
}

function addToTally(tally: Tally, segment: Segment, rows: Uint32Array, rowCount: number, withFacets: boolean): void {
  count(segment.mail, rows, rowCount, tally.subarray(0, 256))
  if (!withFacets) return
  for (let number = 1; number < TALLIED.length; number++) {
    count(segment[TALLIED[number]!], rows, rowCount, tally.subarray(number * 256, number * 256 + 256))
  }
}

/** The limit of people per company, and the data to identify companies. */
export interface PerCompany {
  max: number
  companyCount: number
  /** For each company, another record of the same company, or 0. */
  twins: Uint32Array
}

/** Keeps the first rows of each company up to the limit. People without a company are not limited. */
class CompanyLimit {
  readonly #taken: Uint8Array
  readonly #perCompany: PerCompany

  constructor(perCompany: PerCompany) {
    this.#taken = new Uint8Array(perCompany.companyCount)
    this.#perCompany = perCompany
  }

  admits(company: number): boolean {
    if (company === 0) return true
    const one = this.#perCompany.twins[company] || company
    if (this.#taken[one]! >= this.#perCompany.max) return false
    this.#taken[one]!++
    return true
  }
}

interface Counts {
  tally: Tally
  /** The number of verified people that an export could deliver: unverified people do not use up the limit of a company. */
  verifiedCount: number
}

export function countRows(
  segments: readonly Segment[],
  filter: ScanFilter,
  rowCount: number,
  perCompany: PerCompany | null,
  withFacets: boolean,
): Counts {
  const tally: Tally = new Uint32Array(TALLIED.length * 256)
  const [all, verified] = perCompany ? [new CompanyLimit(perCompany), new CompanyLimit(perCompany)] : []
  let verifiedCount = 0
  select(segments, filter, 0, rowCount, (segment, _base, rows, count) => {
    let kept = count
    if (all && verified) {
      kept = 0
      for (let index = 0; index < count; index++) {
        const row = rows[index]!
        const company = segment.company[row]!
        if (isVerifiedCode(segment.mail[row]!) && verified.admits(company)) verifiedCount++
        if (all.admits(company)) rows[kept++] = row
      }
    }
    addToTally(tally, segment, rows, kept, withFacets)
    return undefined
  })
  if (!perCompany) for (let code = 1; code < 256; code++) if (isVerifiedCode(code)) verifiedCount += tally[code]!
  return { tally, verifiedCount }
}

export function firstRows(
  segments: readonly Segment[],
  filter: ScanFilter,
  rowCount: number,
  limit: number,
  perCompany: PerCompany | null,
) {
  const found: number[] = []
  if (limit <= 0) return found
  const companies = perCompany && new CompanyLimit(perCompany)
  select(segments, filter, 0, rowCount, (segment, base, rows, count) => {
    for (let index = 0; index < count; index++) {
      const row = rows[index]!
      if (companies && !companies.admits(segment.company[row]!)) continue
      found.push(base + row)
      if (found.length === limit) return true
    }
    return undefined
  })
  return found
}
