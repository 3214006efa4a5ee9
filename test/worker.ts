import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, suite, test } from 'node:test'
import tls from 'node:tls'
import { pathToFileURL } from 'node:url'
import { ended } from '../scripts/test-reporter.ts'
import { cleanUp } from './cleanups.ts'

/**
 * Runs the test files that the runner names, one after the other, in this process: to load the service takes longer than most files do. A file is
 * loaded when the one before has ended everything that it had started.
 */

/** So long a file may take to load. The limit of the test runner applies to tests, not to what is around them. */
const LOAD_MS = 60_000
/** How much longer than usual the service waits for what may hang, see `src/lib/time.ts`. A test of such a limit sets it to 1. */
const PATIENCE = '10'
// The next service of this process takes the threads of the last one, see `src/lib/budgeted-thread.ts`.
process.env.OVERTURE_TEST_THREADS = 'kept'

const send = process.send!.bind(process)
// The service looks for it, too, to see whether it was started by another process.
delete process.send
// A test that waits for nothing that the event loop knows must not end the process.
process.channel!.ref()

async function nextFile(): Promise<string> {
  const answer = once(process, 'message')
  send('next')
  const [file] = (await answer) as [string]
  return file
}

/** The state that all files of a process share, and that a file may replace only for itself. */
const SHARED = ['fetch', 'Date', 'setTimeout', 'setInterval', 'setImmediate', 'document', 'window'] as const
const sharedNow = (): unknown[] => SHARED.map(name => Reflect.get(globalThis, name))
const original = sharedNow()

function assertNothingReplaced(): void {
  const current = sharedNow()
  const replaced = SHARED.filter((_, index) => current[index] !== original[index])
  for (const name of replaced) Reflect.set(globalThis, name, original[SHARED.indexOf(name)])
  assert.deepEqual(replaced, [], 'the file has replaced these globals, and the next files of this process would see that')
}

const environment = { ...process.env, OVERTURE_TEST_PATIENCE: PATIENCE }
let trusted = tls.getCACertificates('default')

/** A file may set variables and trust certificates, which apply to it alone. */
function resetProcess(): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  // It is the same list until one is set.
  if (tls.getCACertificates('default') === trusted) return
  tls.setDefaultCACertificates(trusted)
  trusted = tls.getCACertificates('default')
}

async function runFile(file: string): Promise<void> {
  resetProcess()
  const end = once(ended, 'file')
  void suite(file, async () => {
    // The first hook, because those after one that fails are not run.
    after(cleanUp)
    await load(file).catch(error => {
      test('loads', () => {
        throw error
      })
    })
    // The last hook, because a test file puts back in hooks of its own what it has replaced.
    after(assertNothingReplaced)
  })
  await end
}

async function load(file: string): Promise<void> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`It is not loaded after ${LOAD_MS} ms.`)), LOAD_MS)
  try {
    await Promise.race([import(pathToFileURL(file).href), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

for (let file = await nextFile(); file !== 'end'; file = await nextFile()) await runFile(file)
process.disconnect()
// Keeps the process from nothing: it is printed only if something else keeps it.
setTimeout(() => console.error('Still at work after the last file:', process.getActiveResourcesInfo().join(', ')), 20_000).unref()
