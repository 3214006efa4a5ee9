import type { Context } from '../context/context.ts'
import { isConnectionRefused } from '../db/client.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { clearExports } from '../modules/exports/tasks.ts'
import { deleteForgottenUploads } from '../modules/leads/csv-queries.ts'
import { deleteChunksOfFinishedImports } from '../modules/leads/import-queries.ts'
import { mergeOldRollups } from '../modules/metrics/tasks.ts'
import { announceOperation } from '../modules/operations/operations.ts'
import { clearExpiredPlans } from '../modules/plans/plans.ts'
import { clockTasks } from '../modules/sandbox/clock-tasks.ts'
import { WebhookWorker } from '../modules/webhooks/tasks.ts'
import { clearOldSpending } from '../operations/budget.ts'
import { OperationRunner } from '../operations/runner.ts'
import { WorkerIdentity } from '../queue/identity.ts'
import { Timer } from '../queue/timer.ts'
import { CampaignWork, playByHand } from './campaign-work.ts'
import { operationTasks } from './operation-tasks.ts'
import { forgetOld, tryStep } from './retention.ts'
import { Sweep } from './sweep.ts'

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

  constructor(ctx: Context) {
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
      new Timer('imports', IMPORTS_MS, async () => void (await clearImports(ctx)), ctx.log),
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
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#timers.map(timer => timer.stop()))
    await this.#campaigns?.stop()
    await Promise.all([this.#operations.stop(), this.#webhooks.stop()])
    await this.#identity.close()
  }
}

/** Deletes uploads and chunks that no import needs any more, expired plans and old spending. */
const clearImports = (ctx: Context): Promise<number> =>
  ctx.db.inTransaction(
    async tx =>
      (await deleteChunksOfFinishedImports(tx)) +
      (await deleteForgottenUploads(tx)) +
      (await clearExpiredPlans(tx)) +
      (await clearOldSpending(tx)),
  )

async function cleanUp(ctx: Context, signal: AbortSignal): Promise<void> {
  const forgotten = await forgetOld(ctx, signal)
  if (forgotten.size > 0) ctx.log.info({ forgotten: Object.fromEntries(forgotten) }, 'deleted data whose retention period has ended')
  await tryStep(ctx, 'metrics', async () => void (await mergeOldRollups(ctx.db, ctx.clock.now(), signal)))
}
