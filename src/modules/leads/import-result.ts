// The result for the rows of an import, of a list or of a file.

/** `Place` says where a row stood: its index in a list, its line in a file. */
export interface ImportResult<Place> {
  importedCount: number
  duplicateCount: number
  suppressedCount: number
  /** Leads that were there and got what the import says about them. */
  updatedCount: number
  invalidCount: number
  /** The first of them. */
  invalid: (Place & { reason: string })[]
  /** Rows that were imported, but with a value that was ignored. */
  warningCount: number
  /** The first of them. */
  warnings: (Place & { reason: string })[]
}

export const nothingImported = <Place>(): ImportResult<Place> => ({
  importedCount: 0,
  duplicateCount: 0,
  suppressedCount: 0,
  updatedCount: 0,
  invalidCount: 0,
  invalid: [],
  warningCount: 0,
  warnings: [],
})

/** The pieces of one import, as if they had come in one: addresses that were seen before, and how many rows. */
export class ImportProgress {
  readonly result = nothingImported<{ index: number }>()
  readonly seen = new Set<string>()
  /** All of them, for the file with rejected rows. */
  readonly rejected: { line: number; reason: string; email: string }[] = []
  rowCount = 0
}
