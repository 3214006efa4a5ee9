import type { CsvImportResult, LeadImportResult } from '../../../packages/sdk/src/types.gen.ts'
import { many } from '../../lib/many.ts'
import type { Verdict } from './expectations.ts'

/** The result of the import of the leads. */
export interface Intake {
  rejectedCount: number
  /** The first ones, each with its place and the reason. */
  rejected: string[]
  duplicateCount: number
  /** Imported, but with a value that was ignored. */
  warningCount: number
  warnings: string[]
}

const MOST_NAMED = 5

export function intakeOf(results: readonly (CsvImportResult | LeadImportResult)[]): Intake {
  const sum = (count: (result: CsvImportResult | LeadImportResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0)
  return {
    rejectedCount: sum(({ invalidCount }) => invalidCount),
    rejected: results.flatMap(({ invalid }) => invalid.map(told)).slice(0, MOST_NAMED),
    duplicateCount: sum(({ duplicateCount }) => duplicateCount),
    warningCount: sum(({ warningCount }) => warningCount),
    warnings: results.flatMap(({ warnings }) => warnings.map(told)).slice(0, MOST_NAMED),
  }
}

type Problem = { reason: string } & ({ line: number } | { index: number })

const told = (problem: Problem): string => `${'line' in problem ? `line ${problem.line}` : `lead ${problem.index + 1}`}: ${problem.reason}`

/** A list that is partly rejected fails the rehearsal, because the real import would lose the same rows. */
export const judgeIntake = ({ rejectedCount, rejected }: Intake): Verdict => ({
  name: 'everyRowIsImported',
  wanted: true,
  ok: rejectedCount === 0,
  text: rejectedCount === 0 ? 'no row was rejected' : `${many(rejectedCount, 'row')} rejected`,
  broken: rejected,
  brokenCount: rejectedCount,
})

/** One line for each kind of row that did not become a lead as it is; the rejected ones are with their verdict. */
export function intakeLines({ duplicateCount, warningCount, warnings }: Intake): string[] {
  const duplicates =
    duplicateCount === 0 ? [] : [`${many(duplicateCount, 'duplicate row')} skipped: the address is in the list more than once`]
  const ignored = warningCount === 0 ? [] : [`${many(warningCount, 'row')} with a value that was ignored: ${warnings.join('; ')}`]
  return [...duplicates, ...ignored]
}
