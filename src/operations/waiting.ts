import type { Context } from '../context/context.ts'
import type { Db, Tx } from '../db/sql.ts'
import { Lookout } from '../queue/lookout.ts'
import { type EndedOperation, findEndedOperations } from './queries.ts'

/** Wakes can be lost. */
const POLL_MS = 250
const ENDED = 'operations.ended'

/** Wakes requests that wait for operations, once the transaction has committed. */
export const wakeWaiting = (tx: Pick<Tx, 'wake'>): void => tx.wake(ENDED)

/** Waits for operations on behalf of requests with `Prefer: wait`. One query finds all of them that have ended. */
class OperationWaiter {
  readonly #db: Db
  readonly #lookout: Lookout
  readonly #waiting = new Map<string, Set<(ended: EndedOperation) => void>>()

  constructor({ db, wake, log }: Pick<Context, 'db' | 'wake' | 'log'>) {
    this.#db = db
    this.#lookout = new Lookout({ name: 'waiting requests', topics: [ENDED], pollMs: POLL_MS, look: () => this.#look() }, wake, log)
    this.#lookout.start()
  }

  stop(): Promise<void> {
    return this.#lookout.stop()
  }

  async wait(id: string, seconds: number): Promise<EndedOperation | undefined> {
    const { promise, resolve } = Promise.withResolvers<EndedOperation | undefined>()
    const listeners = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, listeners.add(resolve))
    // It may have ended before anyone waited for it.
    this.#lookout.poke()
    const giveUp = setTimeout(() => resolve(undefined), seconds * 1000)
    try {
      return await promise
    } finally {
      clearTimeout(giveUp)
      listeners.delete(resolve)
      if (listeners.size === 0) this.#waiting.delete(id)
    }
  }

  async #look(): Promise<boolean> {
    if (this.#waiting.size === 0) return false
    for (const ended of await findEndedOperations(this.#db, [...this.#waiting.keys()])) {
      for (const resolve of this.#waiting.get(ended.id) ?? []) resolve(ended)
    }
    return false
  }
}

export const operationWaiter = (ctx: Context): OperationWaiter => new OperationWaiter(ctx)
