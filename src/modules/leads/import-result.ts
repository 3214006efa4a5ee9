// The result for the rows of an import, of a list or of a file.

/** `Place` is the position of a row: its index in a list, or its line in a file. */
export interface ImportResult<Place> {
  importedCount: number
  duplicateCount: number
  suppressedCount: number
  /** Leads that existed and were updated. */
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

/** Shared by the pieces of one import: the addresses so far and the number of rows. */
export class ImportProgress {
  readonly result = nothingImported<{ index: number }>()
  readonly seen = new Set<string>()
  /** All of them, for the file with rejected rows. */
  readonly rejected: { line: number; reason: string; email: string }[] = []
  rowCount = 0
}
