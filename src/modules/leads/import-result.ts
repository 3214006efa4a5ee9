import type { ListResult } from './schema.ts'

/** The result for the rows of an import, of a list or of a file, before the first of them. */
export const nothingImported = () => ({
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
  readonly result: ListResult = nothingImported()
  readonly seen = new Set<string>()
  /** All of them, for the file with rejected rows. */
  readonly rejected: { line: number; reason: string; email: string }[] = []
  rowCount = 0
}
