import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** A test, or a whole file, as it ended. */
export interface TestResult {
  file: string
  /** The names of the suites around it, and its own. Empty for a file. */
  path: string[]
  outcome: 'passed' | 'failed' | 'skipped'
  ms: number
  /** Of a file: its processor time, including processes that it started and that have ended. Only on Linux. */
  processorMs?: number | null
}

/** Emits `file` when a file has ended, with all of its hooks. */
export const ended = new EventEmitter<{ file: [] }>()

const MARKS = { passed: '✔', failed: '✖', skipped: '-' }
/** In a run of named files, every test is shown. */
const SHOWS_ALL = process.env.OVERTURE_TEST_SHOWS === 'all'

/** The processor time of this process, its threads and its ended children so far. Available only on Linux. */
export function processorMs(): number | null {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ')
    // User and system time, of itself and of its children, in hundredths of a second.
    return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks) * 10, 0)
  } catch {
    return null
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** The thrown error, without the wrapper of the runner. Empty if it only says that a nested test has failed. */
function reasonOf(error: Error & { failureType?: string; cause?: unknown }): string {
  if (error.failureType === 'subtestsFailed') return ''
  const thrown = error.failureType === 'testCodeFailure' || error.failureType === 'hookFailed' ? (error.cause ?? error) : error
  return inspect(thrown, { colors: process.stdout.isTTY, depth: 6 })
}

/** Prints each file once it has ended, so that parallel files do not mix, and writes its results as lines of JSON. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter as a default export
export default async function* testReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let names: string[] = []
  let results: Omit<TestResult, 'file'>[] = []
  let lines: string[] = []
  let taken = processorMs()
  for await (const { type, data } of source) {
    if (type === 'test:start') names = [...names.slice(0, data.nesting), data.name]
    if (type === 'test:diagnostic' && data.nesting > 0 && SHOWS_ALL) lines.push(`${'  '.repeat(data.nesting)}${data.message}`)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { nesting, name, details } = data
    const isSkipped = data.skip !== undefined && data.skip !== false
    const outcome = type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed'
    const reason = type === 'test:fail' ? reasonOf(data.details.error as Error) : ''
    const isSuite = details.type === 'suite'
    const path = [...names.slice(1, nesting), name]
    if (nesting > 0 && (SHOWS_ALL || reason)) {
      const why = typeof data.skip === 'string' ? ` # ${data.skip}` : ''
      const title = SHOWS_ALL ? `${'  '.repeat(nesting - 1)}${MARKS[outcome]} ${name}` : `  ${MARKS[outcome]} ${path.join(' > ')}`
      lines.push(`${title} (${seconds(details.duration_ms)})${why}`)
    }
    if (reason) lines.push(reason.replace(/^/gm, '      '))
    if (nesting > 0) {
      if (!isSuite || reason || isSkipped) results.push({ path, outcome, ms: details.duration_ms })
      continue
    }
    const before = taken
    taken = processorMs()
    const ofFile = { path: [], outcome, ms: details.duration_ms, processorMs: taken === null || before === null ? null : taken - before }
    const cost = ofFile.processorMs === null ? '' : `, processor ${seconds(ofFile.processorMs)}`
    // A file whose tests passed, but with a failed hook at its root, has failed.
    const count = results.filter(result => result.outcome !== 'skipped').length
    process.stdout.write(`${[`${MARKS[outcome]} ${name} (${count} tests, ${seconds(details.duration_ms)}${cost})`, ...lines].join('\n')}\n`)
    for (const result of [...results, ofFile]) yield `${JSON.stringify({ file: name, ...result })}\n`
    results = []
    lines = []
    ended.emit('file')
  }
}
