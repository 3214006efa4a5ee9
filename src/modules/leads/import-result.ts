import type { ListResult, NewLead } from './schema.ts'

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

/** A lead that was not imported, by its position among all that were given. */
export interface RejectedLead {
  index: number
  reason: string
  lead: NewLead
}

const SHOWN = 100

/** Shared by the pieces of one import: the addresses so far and the number of rows. */
export class ImportProgress {
  readonly result: ListResult = nothingImported()
  readonly seen = new Set<string>()
  /** All of them, for the file with rejected rows, until they are taken. */
  rejected: RejectedLead[] = []
  rowCount = 0

  reject(index: number, reason: string, lead: NewLead): void {
    this.rejected.push({ index, reason, lead })
    this.result.invalidCount++
    if (this.result.invalid.length < SHOWN) this.result.invalid.push({ index, reason })
  }

  warn(index: number, reason: string): void {
    this.result.warningCount++
    if (this.result.warnings.length < SHOWN) this.result.warnings.push({ index, reason })
  }

  takeRejected(): RejectedLead[] {
    const { rejected } = this
    this.rejected = []
    return rejected
  }
}
