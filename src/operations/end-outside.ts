import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isLockedByOthers, type Tx } from '../db/client.ts'

/** A locked row delays its own operation, which is tried again later, and delays others no longer than this. */
export const LOCK_WAIT_MS = 1000
export const LOCKED_RETRY_MS = 2000
/** The next worker would do the work outside again. Shorter than the limit of a statement, so that it still ends as a locked row. */
const LAST_WAIT_MS = 14_000

/**
 * What was done outside, such as a message that was sent, is not done again because a row is locked: only its end is repeated. The
 * operation keeps its worker meanwhile, but neither its place nor a connection. A process that stops waits for the row one last time.
 */
export async function endOutside(
  db: Database,
  stopping: AbortSignal,
  running: { outside: number },
  end: (tx: Tx) => Promise<void>,
): Promise<void> {
  for (;;) {
    if (stopping.aborted) return db.inImpatience(LAST_WAIT_MS, end)
    try {
      return await db.inImpatience(LOCK_WAIT_MS, end)
    } catch (error) {
      if (!isLockedByOthers(error)) throw error
    }
    running.outside--
    await sleep(LOCKED_RETRY_MS, undefined, { signal: stopping }).catch(() => {})
    running.outside++
  }
}
