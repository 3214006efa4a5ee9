import { setTimeout as sleep } from 'node:timers/promises'
import { isLockedByOthers } from './errors.ts'

/** Each waits for the lock itself, so these are two minutes: transactions of ours are over by then. */
const TRIES = 24
const PAUSE_MS = 200

/** Does all of it again while others keep its rows locked: for work that nobody would repeat later. When the signal is raised, there is one last try. */
export async function repeatWhileLocked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!isLockedByOthers(error) || left === 0 || signal?.aborted) throw error
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}
