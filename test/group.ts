import { after, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { cleanUp } from './cleanups.ts'

/**
 * Runs test files one after the other in this process: to load the service and to compile what it answers takes longer than
 * most files do. A file is loaded when the one before has ended everything that it had started.
 */
export async function runGroup(files: string[]): Promise<void> {
  for (const file of files) {
    await new Promise<void>(resolve => {
      suite(file, async () => {
        after(cleanUp)
        await import(pathToFileURL(file).href).catch(error => {
          test('loads', () => {
            throw error
          })
        })
        after(() => resolve())
      })
    })
  }
}
