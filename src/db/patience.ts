import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectTimeout, isTooManyConnections } from './errors.ts'

const LIMIT_MS = 60_000
const RETRY_MS = 250
/** The server is still starting. */
const STARTING = '57P03'

/**
 * What a process does with the database before it runs, tried again while PostgreSQL has no connection to give, or is too slow to
 * give one on a busy machine. To have got one a moment ago says nothing: another process may have taken it since, so each step is
 * patient by itself.
 */
export async function patiently<T>(step: () => Promise<T>, onWaiting: (error: Error) => void): Promise<T> {
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
