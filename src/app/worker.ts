import type { Context } from '../context/context.ts'
import { isConnectionRefused } from '../db/errors.ts'
import { sql } from '../db/sql.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { clearExports } from '../modules/exports/tasks.ts'
import { BRIEFS, makeBriefReaders } from '../modules/lead-searches/briefs.ts'
import { deleteChunksOfFinishedImports, deleteForgottenUploads } from '../modules/leads/import-queries.ts'
import { breakBouncing, completeCampaigns, completeSequences } from '../modules/lifecycle/tasks.ts'
import { releaseInboxesOfDeadWorkers } from '../modules/mailboxes/queries.ts'
import { reverifyMailboxes } from '../modules/mailboxes/tasks.ts'
import { mergeOldRollups } from '../modules/metrics/tasks.ts'
import { announceOperation } from '../modules/operations/operations.ts'
import { clearExpiredPlans } from '../modules/plans/queries.ts'
import { InboxReader } from '../modules/replies/tasks.ts'
import { sandboxMail } from '../modules/sandbox/sandbox.ts'
import { playReactions } from '../modules/sandbox/tasks.ts'
import { clockTasks, type Stage } from '../modules/sandbox/test-clock-tasks.ts'
import { releaseSendsOfDeadWorkers } from '../modules/sending/claim.ts'
import { reconcileSends } from '../modules/sending/reconcile.ts'
import { Sender } from '../modules/sending/tasks.ts'
import { clearOldSpending } from '../modules/tokens/queries.ts'
import { reverifyTrackingHosts } from '../modules/tracking/tasks.ts'
import { releaseDeliveriesOfDeadWorkers } from '../modules/webhooks/queries.ts'
import { WebhookWorker } from '../modules/webhooks/tasks.ts'
import { releaseOperationsOfDeadWorkers } from '../operations/claim-queries.ts'
import { register } from '../operations/registry.ts'
import { OperationRunner } from '../operations/runner.ts'
import { LIVE_WORKERS, WorkerIdentity } from '../queue/identity.ts'
import { Timer } from '../queue/timer.ts'
import { forgetOld, tryStep } from './retention.ts'
import { operationTasks, registry } from './routes.ts'

const CHORES_MS = 1000

/**
 * All work on campaigns: sending, the simulated recipients of the sandbox, the ends of sequences and campaigns. The worker
 * runs it by timers and wakes; a test or the demo calls `tick` and controls the clock.
 */
export class CampaignWork {
  readonly sender: Sender
  readonly inboxes: InboxReader
  readonly #ctx: Context
  readonly #timers: Timer[]
  readonly #stopping = new AbortController()

  constructor(ctx: Context, identity: Pick<WorkerIdentity, 'id'>) {
    this.#ctx = ctx
    this.sender = new Sender(ctx, identity, sandboxMail)
    this.inboxes = new InboxReader(ctx, identity)
    // Work with mail servers may take long, and must not delay the rest.
    this.#timers = [
      new Timer('campaign chores', CHORES_MS, async () => void (await this.#doChores()), ctx.log),
      new Timer('mailbox chores', CHORES_MS, async () => void (await this.#askMailboxes()), ctx.log),
    ]
  }

  start(): void {
    this.sender.start()
    this.inboxes.start()
    for (const timer of this.#timers) timer.start()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#timers.map(timer => timer.stop()))
    await Promise.all([this.sender.stop(), this.inboxes.stop()])
  }

  /** Does all that can be done at this instant, until nothing is left. */
  async tick(): Promise<number> {
    let total = 0
    for (;;) {
      const done = (await this.takeTurn()) + (await this.#askMailboxes())
      if (done === 0) return total
      total += done
    }
  }

  /** One round of it; the results may need another round. */
  takeTurn(): Promise<number> {
    return this.#doChores(() => this.sender.tick())
  }

  /** Campaigns end last, after everything that may end them. The worker sends by a loop of its own. */
  async #doChores(send = async (): Promise<number> => 0): Promise<number> {
    const ctx = this.#ctx
    const done = (await playReactions(ctx, this.#stopping.signal)) + (await completeSequences(ctx)) + (await send())
    await breakBouncing(ctx)
    return done + (await completeCampaigns(ctx))
  }

  async #askMailboxes(): Promise<number> {
    return (await reconcileSends(this.#ctx)) + (await reverifyMailboxes(this.#ctx)) + (await reverifyTrackingHosts(this.#ctx))
  }
}

/** All of it, for code that moves the clock. A worker may run at the same time, because each claims its own work. */
function playByHand(ctx: Context): Stage {
  const identity = new WorkerIdentity(ctx.db, ctx.log)
  const work = new CampaignWork(ctx, identity)
  return {
    takeTurn: () => work.takeTurn(),
    async close() {
      await work.stop()
      await identity.close()
    },
  }
}

const SWEEP_MS = 1000
const CLEANUP_MS = HOUR_MS
const EXPORTS_MS = 10 * MINUTE_MS
const IMPORTS_MS = MINUTE_MS

/** All queues and timers of a worker process. As many of these as wanted can run on one database. */
export class Worker {
  readonly #identity: WorkerIdentity
  readonly #operations: OperationRunner
  readonly #webhooks: WebhookWorker
  readonly #timers: Timer[]
  readonly #stopping = new AbortController()
  readonly #campaigns: CampaignWork | null
  readonly #ctx: Context
  #stopListening: (() => void) | undefined

  constructor(ctx: Context) {
    this.#ctx = ctx
    register(ctx, registry)
    this.#identity = new WorkerIdentity(ctx.db, ctx.log)
    const allTasks = { ...operationTasks, ...clockTasks(playByHand, this.#stopping.signal) }
    this.#operations = new OperationRunner(ctx, allTasks, announceOperation, this.#identity)
    this.#webhooks = new WebhookWorker(ctx, this.#identity)
    this.#campaigns = ctx.config.sendsMail ? new CampaignWork(ctx, this.#identity) : null
    const sweep = new Sweep(ctx)
    this.#timers = [
      new Timer('sweep', SWEEP_MS, () => sweep.run(), ctx.log),
      new Timer('cleanup', CLEANUP_MS, () => cleanUp(ctx, this.#stopping.signal), ctx.log),
      new Timer('exports', EXPORTS_MS, () => clearExports(ctx), ctx.log),
      new Timer('imports', IMPORTS_MS, () => clearImports(ctx), ctx.log),
    ]
  }

  async start(): Promise<void> {
    // Without a connection there is no number yet; the next claim requests it again.
    await this.#identity.id().catch(error => {
      if (!isConnectionRefused(error)) throw error
    })
    this.#operations.start()
    this.#webhooks.start()
    this.#campaigns?.start()
    for (const timer of this.#timers) timer.start()
    this.#stopListening = this.#ctx.wake.on(BRIEFS, () => this.#ctx.part(makeBriefReaders).warmUp())
  }

  async stop(): Promise<void> {
    this.#stopListening?.()
    this.#stopping.abort()
    await Promise.all(this.#timers.map(timer => timer.stop()))
    await this.#campaigns?.stop()
    await Promise.all([this.#operations.stop(), this.#webhooks.stop()])
    await this.#identity.close()
  }
}

/** Deletes uploads and chunks that no import needs any more, expired plans and old spending. */
const clearImports = (ctx: Context): Promise<void> =>
  ctx.db.inTransaction(async tx => {
    for (const clear of [deleteChunksOfFinishedImports, deleteForgottenUploads, clearExpiredPlans, clearOldSpending]) await clear(tx)
  })

async function cleanUp(ctx: Context, signal: AbortSignal): Promise<void> {
  const forgotten = await forgetOld(ctx, signal)
  if (forgotten.size > 0) ctx.log.info({ forgotten: Object.fromEntries(forgotten) }, 'deleted data whose retention period has ended')
  await tryStep(ctx, 'metrics', async () => void (await mergeOldRollups(ctx.db, ctx.clock.now(), signal)))
}

/** The living workers, and the last number that was assigned, because a worker may have started and died since the last look. */
const FIND_WORKERS = sql(`
  select (select last_value from worker_ids) || ' ' || coalesce((
      select array_agg(id order by id)::text
      from (${LIVE_WORKERS}) as live (id)
    ), '') as workers`)

/** For this long, PostgreSQL may still store a claim of a dead worker. */
const LATE_CLAIM_MS = 5_000
/** In case that took even longer. */
const LOOK_ANYWAY_MS = 15_000

/**
 * Gives the work of dead workers back to the queues. No index says who has claimed an operation, because every claim would write it. So
 * all open operations must be read to find those of the dead, which is done only when workers have come or gone, and seldom otherwise.
 */
class Sweep {
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
