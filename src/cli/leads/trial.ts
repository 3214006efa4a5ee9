import type { CsvTrial } from '../../../packages/sdk/src/types.gen.ts'
import { harmless, printTable } from '../output.ts'
import type { Shell } from '../shell.ts'

const SHOWN_PROBLEMS = 5
const FIELDS = ['email', 'firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone']

const SEPARATORS: Record<CsvTrial['delimiter'], string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }

/** The result of the dry run: the columns with an example of each, and the problems of rows. */
export function printTrial(shell: Shell, file: string, trial: CsvTrial): void {
  shell.print(`${harmless(file)}: ${trial.rowCount} rows, ${trial.encoding}, separated by ${SEPARATORS[trial.delimiter]}\n`)
  const rows = trial.columns.map(({ header, target }, at) => ({
    column: header,
    becomes: target === null ? 'left out' : FIELDS.includes(target) ? target : `variable ${target}`,
    'for example': trial.firstRows.map(cells => cells[at]?.trim()).find(Boolean) ?? '',
  }))
  printTable(shell, rows, ['column', 'becomes', 'for example'])
  shell.print('')
  for (const [what, count, told] of [
    ['cannot be imported', trial.invalidCount, trial.invalid],
    ['have a value that will be ignored', trial.warningCount, trial.warnings],
  ] as const) {
    if (count === 0) continue
    shell.print(`${count} of ${trial.rowCount} rows ${what}:`)
    for (const { line, reason } of told.slice(0, SHOWN_PROBLEMS)) shell.print(`  line ${line}: ${harmless(reason)}`)
    if (count > SHOWN_PROBLEMS) shell.print(`  and ${count - SHOWN_PROBLEMS} more`)
  }
}
