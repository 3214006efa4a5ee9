import type { Context } from '../context/context.ts'
import { breakBouncing, completeCampaigns, completeSequences } from '../modules/lifecycle/tasks.ts'
import { reverifyMailboxes } from '../modules/mailboxes/tasks.ts'
import { InboxReader } from '../modules/replies/tasks.ts'
import { sandboxMail } from '../modules/sandbox/sandbox.ts'
import { playReactions } from '../modules/sandbox/tasks.ts'
import type { Stage } from '../modules/sandbox/test-clock-tasks.ts'
import { reconcileSends } from '../modules/sending/reconcile.ts'
import { Sender } from '../modules/sending/tasks.ts'
import { reverifyTrackingHosts } from '../modules/tracking/tasks.ts'
import { WorkerIdentity } from '../queue/identity.ts'
import { Timer } from '../queue/timer.ts'

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
export function playByHand(ctx: Context): Stage {
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
