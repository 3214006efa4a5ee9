import type { Context } from '../context/context.ts'
import { sql } from '../db/client.ts'
import { releaseInboxesOfDeadWorkers } from '../modules/mailboxes/inboxes.ts'
import { releaseSendsOfDeadWorkers } from '../modules/sending/sending.ts'
import { releaseDeliveriesOfDeadWorkers } from '../modules/webhooks/delivery-queries.ts'
import { releaseOperationsOfDeadWorkers } from '../operations/claim-queries.ts'
import { LIVE_WORKERS } from '../queue/identity.ts'

/** Who is alive, and the last number that was given out: somebody may have come and gone since the last look. */
const FIND_WORKERS = sql(`
  select (select last_value from worker_ids) || ' ' || coalesce((
      select array_agg(id order by id)::text
      from (${LIVE_WORKERS}) as live (id)
    ), '') as workers`)

/** For so long, PostgreSQL may still store a claim of somebody who is gone. */
const LATE_CLAIM_MS = 5_000
/** In case that took even longer. */
const LOOK_ANYWAY_MS = 15_000

/**
 * Gives the work of dead workers back to the queues. No index says who has claimed an operation, because every claim would write it. So
 * all open operations must be read to find those of the dead, which is done only when workers have come or gone, and seldom otherwise.
 */
export class Sweep {
  readonly #ctx: Context
  #workers: string | null = null
  #changedMs = Number.NEGATIVE_INFINITY
  #lookedMs = Number.NEGATIVE_INFINITY

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  async run(): Promise<void> {
    const { db, clock } = this.#ctx
    const nowMs = performance.now()
    const { workers, hasChanged, looks } = await db.inTransaction(async tx => {
      // Asked before the look: a worker that dies after it is missing the next time.
      const { workers } = (await tx.first<{ workers: string }>(FIND_WORKERS))!
      const hasChanged = workers !== this.#workers
      const looks = hasChanged || nowMs - this.#changedMs < LATE_CLAIM_MS || nowMs - this.#lookedMs > LOOK_ANYWAY_MS
      if (looks && (await releaseOperationsOfDeadWorkers(tx)) > 0) tx.wake('operations')
      if ((await releaseDeliveriesOfDeadWorkers(tx)) > 0) tx.wake('deliveries')
      if ((await releaseSendsOfDeadWorkers(tx, clock.now())) > 0) tx.wake('sends')
      if ((await releaseInboxesOfDeadWorkers(tx)) > 0) tx.wake('inboxes')
      return { workers, hasChanged, looks }
    })
    this.#workers = workers
    if (hasChanged) this.#changedMs = nowMs
    if (looks) this.#lookedMs = nowMs
  }
}
