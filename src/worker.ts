import type { Context } from './context.ts'
import { campaignTasks } from './modules/campaigns/tasks.ts'
import { leadTasks } from './modules/leads/tasks.ts'
import { KEPT_ACTIONS } from './modules/operations/operations.ts'
import { deleteOldOperations, releaseOperationsOfDeadWorkers } from './modules/operations/queries.ts'
import { OperationRunner, type OperationTasks } from './modules/operations/runner.ts'
import { sequenceTasks } from './modules/sequences/tasks.ts'
import { releaseDeliveriesOfDeadWorkers } from './modules/webhooks/queries.ts'
import { WebhookWorker } from './modules/webhooks/tasks.ts'
import { WorkerIdentity } from './work/identity.ts'
import { Timer } from './work/timer.ts'

const tasks: OperationTasks = { ...campaignTasks, ...sequenceTasks, ...leadTasks }

const SWEEP_MS = 1000
const CLEANUP_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

/** All queues and timers of a worker process. As many of these as wanted can run on one database. */
export class Worker {
  readonly #identity: WorkerIdentity
  readonly #operations: OperationRunner
  readonly #webhooks: WebhookWorker
  readonly #timers: Timer[]

  constructor(ctx: Context) {
    this.#identity = new WorkerIdentity(ctx.db.url, ctx.log)
    this.#operations = new OperationRunner(ctx, tasks, this.#identity)
    this.#webhooks = new WebhookWorker(ctx, this.#identity)
    this.#timers = [new Timer('sweep', SWEEP_MS, () => sweep(ctx), ctx.log), new Timer('cleanup', CLEANUP_MS, () => cleanUp(ctx), ctx.log)]
  }

  async start(): Promise<void> {
    await this.#identity.id()
    this.#operations.start()
    this.#webhooks.start()
    for (const timer of this.#timers) timer.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#timers.map(timer => timer.stop()))
    await Promise.all([this.#operations.stop(), this.#webhooks.stop()])
    await this.#identity.close()
  }
}

/** Work that a dead worker had taken goes back to the queues. */
async function sweep(ctx: Context): Promise<void> {
  await ctx.db.inTransaction(async tx => {
    if ((await releaseOperationsOfDeadWorkers(tx)) > 0) tx.wake('operations')
    if ((await releaseDeliveriesOfDeadWorkers(tx)) > 0) tx.wake('deliveries')
  })
}

async function cleanUp(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - ctx.config.operationRetentionDays * DAY_MS)
  await ctx.db.inTransaction(tx => deleteOldOperations(tx, before, KEPT_ACTIONS))
}
