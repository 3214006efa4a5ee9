import { KINDS, kindOf } from './commands.ts'
import { processorMs, type TestResult } from './test-reporter.ts'

const SLOWEST = 10
const BUDGET_MS = { test: 4000, file: 20_000 }

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const sum = (results: TestResult[]): number => results.reduce((total, { ms }) => total + ms, 0)
const sumOfProcessor = (results: TestResult[]): number => results.reduce((total, { processorMs: ms }) => total + (ms ?? 0), 0)
const bySlowness = (results: TestResult[]): TestResult[] => results.toSorted((a, b) => b.ms - a.ms)
const nameOf = ({ file, path }: TestResult): string => [file, ...path].join(' > ')

function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows
    .map(row => `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')}`)
    .join('\n')
}

interface Run {
  wallMs: number
  problems: string[]
  /** The shared setup of all files, and its processor time. */
  shared: Record<string, number>
  seed: number
  isFull: boolean
}

/** The summary at the end of a run. */
export function summarize(results: TestResult[], { wallMs, problems, shared, seed, isFull }: Run): string {
  const files = results.filter(({ path }) => path.length === 0)
  const tests = results.filter(({ path }) => path.length > 0)
  const count = (chosen: TestResult[], outcome: TestResult['outcome']): number => chosen.filter(result => result.outcome === outcome).length

  const kinds = KINDS.filter(kind => files.some(({ file }) => kindOf(file) === kind)).map(kind => {
    const [ofKind, filesOfKind] = [tests, files].map(all => all.filter(({ file }) => kindOf(file) === kind)) as [TestResult[], TestResult[]]
    return [
      kind,
      String(filesOfKind.length),
      String(ofKind.length - count(ofKind, 'skipped')),
      String(count(ofKind, 'skipped')),
      seconds(sum(filesOfKind)),
      seconds(sumOfProcessor(filesOfKind)),
    ]
  })
  const total = [
    'all',
    String(files.length),
    String(tests.length - count(tests, 'skipped')),
    String(count(tests, 'skipped')),
    seconds(sum(files)),
    seconds(sumOfProcessor(files)),
  ]
  const parts = [table([['kind', 'files', 'tests', 'skipped', 'time', 'processor'], ...kinds, total])]

  const slowest = bySlowness(tests).slice(0, SLOWEST)
  if (tests.length > SLOWEST)
    parts.push(`The slowest tests:\n${slowest.map(result => `  ${seconds(result.ms)}  ${nameOf(result)}`).join('\n')}`)
  const costly = files.toSorted((a, b) => (b.processorMs ?? 0) - (a.processorMs ?? 0)).slice(0, SLOWEST)
  if (files.length > SLOWEST)
    parts.push(
      `The files that took most of the processor:\n${costly.map(file => `  ${seconds(file.processorMs ?? 0)}  ${file.file}`).join('\n')}`,
    )
  const over = bySlowness([...tests.filter(({ ms }) => ms > BUDGET_MS.test), ...files.filter(({ ms }) => ms > BUDGET_MS.file)])
  if (over.length > 0) {
    const shown = over.map(result => `  ${seconds(result.ms)}  ${nameOf(result)}`)
    parts.push(`Over budget (${seconds(BUDGET_MS.test)} for a test, ${seconds(BUDGET_MS.file)} for a file):\n${shown.join('\n')}`)
  }

  const failed = results.filter(({ outcome, path }) => outcome === 'failed' && path.length > 0)
  const failedFiles = [...new Set(results.filter(({ outcome }) => outcome === 'failed').map(({ file }) => file))]
  if (problems.length > 0) parts.push(problems.map(problem => `✖ ${problem}`).join('\n'))
  if (failed.length > 0) parts.push(`Failed:\n${failed.map(result => `  ✖ ${nameOf(result)}`).join('\n')}`)
  if (failedFiles.length > 0) {
    const command = isFull ? 'npm run test:all' : 'npm test'
    parts.push(`To repeat it:\n${failedFiles.map(file => `  OVERTURE_TEST_SEED=${seed} ${command} -- ${file}`).join('\n')}`)
  }
  const processor = processorMs()
  const shares = Object.entries(shared).map(([name, ms]) => `${name} ${seconds(ms)}`)
  const besides = shares.length > 0 ? ` (besides the files: ${shares.join(', ')})` : ''
  const took = `${seconds(wallMs)}${processor === null ? '' : `, and ${seconds(processor)} of processor time${besides}`}`
  parts.push(`pass ${count(tests, 'passed')}, fail ${count(tests, 'failed')}, skipped ${count(tests, 'skipped')}, in ${took}`)
  return `\n${parts.join('\n\n')}`
}
