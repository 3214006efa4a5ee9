import type { Context } from '../../context/context.ts'
import { completeLeads } from '../leads/queue.ts'
import { BREAKER_MINIMUM, BREAKER_SHARE, completeCampaign, stopBouncing } from './lifecycle.ts'
import { listBouncingCampaigns, listFinishedCampaigns } from './queries.ts'

// Periodic work on campaigns that depends on time, not on a request.

type Ctx = Pick<Context, 'db' | 'clock'>

const BATCH = 200

/** Completes leads that got all messages and whose time to answer is over. */
export async function completeSequences(ctx: Ctx): Promise<number> {
  for (let total = 0; ; ) {
    const now = ctx.clock.now()
    const taken = await ctx.db.inTransaction(tx => completeLeads(tx, now, BATCH))
    total += taken
    if (taken < BATCH) return total
  }
}

/** Campaigns that are over. Returns how many were completed. */
export async function completeCampaigns(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now()
  let count = 0
  for (const { id, workspaceId } of await listFinishedCampaigns(ctx.db, now)) {
    if (await ctx.db.inTransaction(tx => completeCampaign(tx, workspaceId, id, now))) count++
  }
  return count
}

export async function breakBouncing(ctx: Ctx): Promise<void> {
  for (const campaign of await listBouncingCampaigns(ctx.db, BREAKER_MINIMUM, BREAKER_SHARE))
    await ctx.db.inTransaction(tx => stopBouncing(tx, campaign, ctx.clock.now()))
}
