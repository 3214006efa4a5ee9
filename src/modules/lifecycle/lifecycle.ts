import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { type CampaignRow, changeStatus, getLockedCampaign, hasEnded, resetBreaker } from '../campaigns/campaigns.ts'
import { keepMailboxes, mailboxesOf } from '../campaigns/updates.ts'
import { completeLeads, leaveMailboxes, replanLeads } from '../leads/progress.ts'
import { hasOpenLeads, listBouncingCampaigns, listFinishedCampaigns } from './queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'log'>

const BATCH = 200
const BREAKER_MINIMUM = 50
const BREAKER_SHARE = 0.05

/** Leads that were sent everything and have had their time to answer. */
export async function completeSequences(ctx: Ctx): Promise<number> {
  for (let total = 0; ; ) {
    const now = ctx.clock.now()
    const taken = await ctx.db.inTransaction(tx => completeLeads(tx, now, BATCH))
    total += taken
    if (taken < BATCH) return total
  }
}

/** Campaigns that are over. Each is looked at again under its lock: leads may have been added in the meantime. */
export async function completeCampaigns(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now()
  let completed = 0
  for (const { id, workspaceId } of await listFinishedCampaigns(ctx.db, now)) {
    await ctx.db.inTransaction(async tx => {
      const campaign = await getLockedCampaign(tx, workspaceId, id)
      const ended = hasEnded(campaign, now)
      const isOver = ended || !(await hasOpenLeads(tx, id))
      if (campaign.status !== 'active' || !isOver) return
      const reason = ended ? 'The end date has passed.' : 'Nobody is left to write to.'
      await changeStatus(tx, campaign, 'completed', now, { reason })
      completed++
    })
  }
  return completed
}

/**
 * The leads of a campaign follow its new plan at once. One that ended only because its time was over, and has time again,
 * goes on. The campaign must be locked.
 */
export async function replan(tx: Tx, before: CampaignRow, changed: CampaignRow, moveThreads: boolean, now: Date): Promise<CampaignRow> {
  const { id, status } = changed
  await keepMailboxes(tx, id, await leaveMailboxes(tx, id, mailboxesOf(changed), moveThreads, now))
  await replanLeads(tx, id, now)
  tx.wake('sends')
  const hasTimeAgain = status === 'completed' && hasEnded(before, now) && !hasEnded(changed, now)
  if (!hasTimeAgain || !(await hasOpenLeads(tx, id))) return changed
  return changeStatus(tx, changed, 'active', now, { reason: 'The end date was moved.' })
}

/** Too many messages came back: going on would ruin the name of the mailbox. */
export async function breakBouncing(ctx: Ctx): Promise<void> {
  for (const { id, workspaceId, sent, bounced } of await listBouncingCampaigns(ctx.db, BREAKER_MINIMUM, BREAKER_SHARE)) {
    await ctx.db.inTransaction(async tx => {
      const campaign = await getLockedCampaign(tx, workspaceId, id)
      if (campaign.status !== 'active') return
      await resetBreaker(tx, id)
      const reason = `${bounced} of ${sent} messages came back, more than ${BREAKER_SHARE * 100}%. Check where the addresses come from before resuming.`
      await changeStatus(tx, campaign, 'attention_needed', ctx.clock.now(), { reason })
    })
  }
}
