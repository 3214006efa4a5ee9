import { after } from 'node:test'

/** Everything that a test file has started and must end, in order. */
export const cleanups: (() => Promise<void>)[] = []

export async function cleanUp(): Promise<void> {
  const failures: unknown[] = []
  // One that fails must not keep the others from ending: what lives on would keep the process from ending.
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup().catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

// Registered at the root of the test file that imports this: a hook that is added inside of another ends with it. Other programs call it themselves.
if (/\.test\.(?:ts|mjs)$/.test(process.argv[1] ?? '')) after(cleanUp)
