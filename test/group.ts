import { after, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { cleanUp } from './cleanups.ts'

/** So long a file may take to load. The limit of the test runner applies to tests, not to what is around them. */
const LOAD_MS = 60_000

/**
 * Runs test files one after the other in this process: to load the service and to compile what it answers takes longer than
 * most files do. A file is loaded when the one before has ended everything that it had started.
 */
export async function runGroup(files: string[]): Promise<void> {
  for (const file of files) {
    await new Promise<void>(resolve => {
      suite(file, async () => {
        // Where a hook fails, those behind it are not run: the next file must not wait for them.
        after(() =>
          cleanUp().catch(error => {
            resolve()
            throw error
          }),
        )
        await load(file).catch(error => {
          test('loads', () => {
            throw error
          })
        })
        after(() => resolve())
      })
    })
  }
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
