import { setTimeout as sleep } from 'node:timers/promises'
import { isLockedByOthers } from './errors.ts'

const PAUSE_MS = 200

interface Patience {
  /** Each try waits for the lock itself, see LOCK_WAIT_MS of the pool. */
  tries?: number
  /** Raised when the process stops: there is one last try. */
  signal?: AbortSignal
}

/** Does all of it again while others keep its rows locked: for work that nobody would repeat later. */
export async function repeatWhileLocked<T>(work: () => Promise<T>, { tries = 6, signal }: Patience = {}): Promise<T> {
  for (let left = tries - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!isLockedByOthers(error) || left <= 0 || signal?.aborted) throw error
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}
