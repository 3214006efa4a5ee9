import { type Db, sql } from '../db/client.ts'
import type { Clock } from '../lib/clock.ts'

const READ_OFFSET = sql(`
  select offset_ms as "offsetMs"
  from test_clock`)

const READ_EVERY_MS = 1000

/**
 * The time of the campaigns: real time plus the offset of a local installation. All processes read the offset from the database, so that
 * they agree, also after a restart.
 */
export class TestClock implements Clock {
  /** The time of tokens, operations and webhooks: their clients and receivers use real time. */
  readonly real: Clock
  #offsetMs = 0

  constructor(real: Clock) {
    this.real = real
  }

  now(): Date {
    return new Date(this.real.now().getTime() + this.#offsetMs)
  }

  get offsetMs(): number {
    return this.#offsetMs
  }

  /** How far ahead of real time `at` is now. */
  offsetOf(at: Date): number {
    return at.getTime() - this.real.now().getTime()
  }

  /** The offset only grows: a smaller one is out of date. */
  moveTo(offsetMs: number): void {
    this.#offsetMs = Math.max(this.#offsetMs, offsetMs)
  }

  async read(db: Db): Promise<void> {
    const row = await db.first<{ offsetMs: string }>(READ_OFFSET)
    this.moveTo(Number(row?.offsetMs ?? 0))
  }

  /** Reads the offset when woken and at intervals, because a wake can be lost. Returns a function that ends this. */
  follow(db: Db, wake: { on(topic: string, listener: () => void): () => void }): () => void {
    const look = (): void => void this.read(db).catch(() => {})
    const stopListening = wake.on('clock', look)
    const timer = setInterval(look, READ_EVERY_MS).unref()
    return () => {
      stopListening()
      clearInterval(timer)
    }
  }
}
