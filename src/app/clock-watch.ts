import type { Context } from '../context/context.ts'
import { sql } from '../db/client.ts'
import { pullLeadsForward } from '../modules/leads/clock-queries.ts'
import { pullMailboxesForward } from '../modules/mailboxes/clock-queries.ts'
import { pullReactionsForward } from '../modules/sandbox/clock-queries.ts'
import { pullSendsForward } from '../modules/sending/clock-queries.ts'
import { pullHostsForward } from '../modules/tracking-hosts/clock-queries.ts'
import { pullDeliveriesForward } from '../modules/webhooks/clock-queries.ts'
import { pullOperationsForward } from '../operations/clock-queries.ts'

const LOCK_MARK = sql(`
  select latest
  from clock_marks
  for update`)
const INSERT_MARK = sql(`
  insert into clock_marks (latest)
  values ($1)
  on conflict do nothing`)
const UPDATE_MARK = sql(`
  update clock_marks
  set latest = $1`)

const MARK_EVERY_MS = 60_000
/** The clock of one process does not run backwards by itself, but the clocks of several workers may differ. */
const TOLERATED_HERE_MS = 5_000
const TOLERATED_BETWEEN_MS = 10 * 60_000

/**
 * Notices when the clock was set back, by an administrator or after a wrong start of the machine. Work with due times from
 * the wrong clock would otherwise wait for hours, so all due times are moved by the same amount as the clock.
 */
export class ClockWatch {
  readonly #ctx: Context
  #lastMs = Number.NEGATIVE_INFINITY
  #markedMs = Number.NEGATIVE_INFINITY

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Called about every second; it usually only compares two numbers. */
  async look(): Promise<void> {
    const { clock, db, log } = this.#ctx
    const now = clock.now()
    const nowMs = now.getTime()
    const wentBack = nowMs < this.#lastMs - TOLERATED_HERE_MS
    if (!wentBack && nowMs - this.#markedMs < MARK_EVERY_MS) {
      this.#lastMs = nowMs
      return
    }
    const seenMs = this.#lastMs
    const backMs = await db.inTransaction(async tx => {
      const mark = await tx.first<{ latest: Date }>(LOCK_MARK)
      if (!mark) await tx.run(INSERT_MARK, [now])
      const markMs = mark?.latest.getTime() ?? nowMs
      const isBack = markMs - nowMs > (wentBack ? TOLERATED_HERE_MS : TOLERATED_BETWEEN_MS)
      const byMs = isBack ? Math.max(markMs, wentBack ? seenMs : markMs) - nowMs : 0
      if (isBack) {
        await pullLeadsForward(tx, now, byMs)
        await pullSendsForward(tx, now, byMs)
        await pullMailboxesForward(tx, now, byMs)
        await pullReactionsForward(tx, now, byMs)
        await pullHostsForward(tx, now, byMs)
      }
      if (isBack || nowMs > markMs) await tx.run(UPDATE_MARK, [now])
      // These two use the clock of the database, and notice themselves when it was set back.
      await pullOperationsForward(tx)
      await pullDeliveriesForward(tx)
      return byMs
    })
    this.#lastMs = nowMs
    this.#markedMs = nowMs
    if (backMs > 0) log.warn({ backMs }, 'the clock was set back; due times were moved with it')
  }
}
