import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectTimeout, isTooManyConnections } from './errors.ts'

const LIMIT_MS = 60_000
const RETRY_MS = 250
/** The server is still starting. */
const STARTING = '57P03'

const tellWaiting = (error: Error): void => console.error(`Waiting for a connection to PostgreSQL (${error.message}) ...`)

/**
 * Repeats a step of the start while PostgreSQL has no free connection, or is too slow to give one on a busy machine. Each step waits by
 * itself: the connection of the step before may have gone to another process.
 */
export async function patiently<T>(step: () => Promise<T>, onWaiting: (error: Error) => void = tellWaiting): Promise<T> {
  const deadline = performance.now() + LIMIT_MS
  for (let attempt = 0; ; attempt++) {
    try {
      return await step()
    } catch (error) {
      const willPass = isTooManyConnections(error) || isConnectTimeout(error) || (error as { code?: unknown }).code === STARTING
      if (!willPass || performance.now() > deadline) throw error
      if (attempt === 0) onWaiting(error as Error)
      await sleep(RETRY_MS)
    }
  }
}
