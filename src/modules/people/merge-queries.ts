// The lock of the directory keeps other imports out. So new rows can be identified first and copied directly into their table with the next
// ids; only changes to existing rows go through a staging table.

/** Keys are single lines without control characters, so they are sent as one text, which is cheaper than an array. */
export const UNIT = '\u001f'

/** One import: its version, the source of the records, and their owner. */
export interface MergeSource {
  version: number
  source: string
  now: Date
  /** 0 is the operator, any other number a workspace. */
  owner: number
}
