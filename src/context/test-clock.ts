import { type Db, sql, type Tx } from '../db/sql.ts'
import type { Clock } from '../lib/clock.ts'

const READ_OFFSET = sql(`
  select offset_ms::float8 as "offsetMs", resets
  from test_clock`)

/** Nobody begins to move the clock until the end of the transaction. */
export const lockClock = sql(`
  select from test_clock
  for update`).run()

/**
 * When the operation began to move the clock, now or in an attempt before; undefined when the clock belongs to another workspace. The clock must
 * be locked, and no other operation may be moving it. Without a target, it is moved until nothing more is planned.
 */
export const beginMove = sql(`
  update test_clock
  set operation_id = $1, workspace_id = $2, started_at = case when operation_id = $1 then started_at else $3 end, target_at = $4
  where workspace_id is null or workspace_id = $2
  returning started_at as "startedAt"`).value<
  Date | undefined,
  [operationId: string, workspaceId: string, now: Date, target: Date | null]
>()

/** Locks the clock, so that no real mailbox is connected until the end of the transaction. False: another operation moves it, or it was reset. */
export const moveClock = sql(`
  update test_clock
  set offset_ms = greatest(offset_ms, $2::bigint)
  where operation_id = $1`).any<[operationId: string, offsetMs: number]>()

const LOCK = sql(`
  select offset_ms > 0 or operation_id is not null as "isUsed"
  from test_clock
  for share`)
const RESET = sql(`
  update test_clock
  set offset_ms = 0, resets = resets + 1, workspace_id = null, operation_id = null, started_at = null, target_at = null`)

/** Back to real time, for all campaigns. The clock is locked until the end of the transaction, even if it was not moved. */
export async function resetClock(tx: Tx): Promise<void> {
  if (!(await tx.first<{ isUsed: boolean }>(LOCK))?.isUsed) return
  await tx.run(RESET, [])
  tx.wake('clock')
}

const READ_EVERY_MS = 1000

/**
 * The time of the campaigns: real time plus the offset of a local installation. All processes read the offset from the database, so that
 * they agree, also after a restart.
 */
export class TestClock implements Clock {
  /** The time of tokens, operations and webhooks: their clients and receivers use real time. */
  readonly real: Clock
  #offsetMs = 0
  #resets = 0

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

  /** Until it is reset, the offset only grows: a smaller one is out of date, and so is one from before the last reset. */
  moveTo(offsetMs: number, resets = this.#resets): void {
    if (resets < this.#resets) return
    this.#offsetMs = resets > this.#resets ? offsetMs : Math.max(this.#offsetMs, offsetMs)
    this.#resets = resets
  }

  async read(db: Db): Promise<void> {
    const row = await db.first<{ offsetMs: number; resets: number }>(READ_OFFSET)
    if (row) this.moveTo(row.offsetMs, row.resets)
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
