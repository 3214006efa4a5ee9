import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks until the result is true (anything except false, null or undefined) and returns it, less often the longer it takes. The limit is generous
 * and says nothing about how long a thing may take: it only keeps a broken test from hanging.
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T> | T,
  limitMs = 150_000,
): Promise<Exclude<T, false | null | undefined>> {
  const started = performance.now()
  let last: unknown
  for (;;) {
    try {
      const answer = await ask()
      if (answer !== false && answer !== null && answer !== undefined) return answer as Exclude<T, false | null | undefined>
      last = answer
    } catch (error) {
      last = error
    }
    const waitedMs = performance.now() - started
    if (waitedMs > limitMs) throw new Error(`never happened: ${what}`, { cause: last })
    await sleep(Math.min(10 + waitedMs / 10, 200))
  }
}
