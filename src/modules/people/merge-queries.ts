// Under the directory's lock nobody else adds companies or people. So what is new can be told apart first and copied
// straight into its table, with the next numbers; only what is known goes through a staging table.

/** Keys are one line of text each, without control characters, so they travel as one text: cheaper than an array. */
export const UNIT = '\u001f'

/** One import: the version that it makes, where the records come from, and whose they are. */
export interface MergeSource {
  version: number
  source: string
  now: Date
  /** 0 is the operator, everything else a workspace. */
  owner: number
}
