import type { Context } from '../context/context.ts'
import type { Db, Tx } from '../db/sql.ts'
import { type EndedOperation, findEndedOperations } from './queries.ts'

const POLL_MS = 25
const ENDED = 'operations.ended'
/** The wake names up to this many operations, which spares those who wait a query. When more have ended, they look themselves. */
const MOST_NAMED = 16

const topicOf = ({ id, status }: EndedOperation): string => `${ENDED} ${id} ${status}`

/** Wakes requests that wait for these operations, once the transaction has committed. */
export function wakeWaiting(tx: Tx, ended: readonly EndedOperation[]): void {
  if (ended.length > MOST_NAMED) tx.wake(ENDED)
  else for (const operation of ended) tx.wake(topicOf(operation))
}

/** Waits for operations on behalf of requests with `Prefer: wait`. Wakes can be lost, so one query every 25 ms checks all of them together. */
class OperationWaiter {
  readonly #db: Db
  readonly #wake: Context['wake']
  readonly #waiting = new Map<string, Set<(ended: EndedOperation) => void>>()
  #timer: NodeJS.Timeout | undefined
  #looking: 'no' | 'yes' | 'asked again' = 'no'

  constructor(ctx: Pick<Context, 'db' | 'wake'>) {
    this.#db = ctx.db
    this.#wake = ctx.wake
    ctx.wake.on(ENDED, () => void this.#look())
  }

  async wait(id: string, seconds: number): Promise<EndedOperation | undefined> {
    const { promise, resolve } = Promise.withResolvers<EndedOperation | undefined>()
    const listeners = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, listeners.add(resolve))
    const outcomes: EndedOperation[] = [
      { id, status: 'succeeded' },
      { id, status: 'failed' },
    ]
    const stopListening = outcomes.map(outcome => this.#wake.on(topicOf(outcome), () => resolve(outcome)))
    const giveUp = setTimeout(() => resolve(undefined), seconds * 1000)
    this.#lookLater()
    try {
      return await promise
    } finally {
      clearTimeout(giveUp)
      for (const stop of stopListening) stop()
      listeners.delete(resolve)
      if (listeners.size === 0) this.#waiting.delete(id)
    }
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#look()
    }, POLL_MS)
  }

  async #look(): Promise<void> {
    if (this.#looking !== 'no') {
      this.#looking = 'asked again'
      return
    }
    if (this.#waiting.size === 0) return
    this.#looking = 'yes'
    try {
      for (const ended of await findEndedOperations(this.#db, [...this.#waiting.keys()])) {
        for (const resolve of this.#waiting.get(ended.id) ?? []) resolve(ended)
      }
    } catch {
      // The database does not respond: waiting requests get their 202 when their time is over.
    }
    const isAskedAgain = (this.#looking as string) === 'asked again'
    this.#looking = 'no'
    if (isAskedAgain) void this.#look()
    else if (this.#waiting.size > 0) this.#lookLater()
  }
}

export const operationWaiter = (ctx: Context): OperationWaiter => new OperationWaiter(ctx)
