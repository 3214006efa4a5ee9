import { type Db, sql } from '../db/client.ts'
import type { Clock } from '../lib/clock.ts'

const READ_OFFSET = sql(`
  select offset_ms as "offsetMs"
  from test_clock`)

const READ_EVERY_MS = 1000

/**
 * The time that campaigns live by. It is real time, plus what a local installation was moved ahead. All processes read from the
 * database how far that is, so that they agree, also after a restart.
 */
export class TestClock implements Clock {
  /** What tokens, operations and webhooks go by: they concern people and machines that cannot be moved ahead. */
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

  /** Time only goes on: a smaller offset is old news. */
  moveTo(offsetMs: number): void {
    this.#offsetMs = Math.max(this.#offsetMs, offsetMs)
  }

  async read(db: Db): Promise<void> {
    const row = await db.first<{ offsetMs: string }>(READ_OFFSET)
    this.moveTo(Number(row?.offsetMs ?? 0))
  }

  /** Reads it again when woken, and now and then: a wake may get lost. The function that is returned ends it. */
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
