import type { Context } from '../../context/context.ts'
import { changeStatus, getLockedCampaign } from './campaigns.ts'

/** Stops an active campaign until somebody has looked at it. A transaction of its own: a campaign is locked before its leads. */
export async function needsAttention(
  ctx: Pick<Context, 'db' | 'clock'>,
  workspaceId: string,
  campaignId: string,
  reason: string,
): Promise<void> {
  await ctx.db.inTransaction(async tx => {
    const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
    if (campaign.status === 'active') await changeStatus(tx, campaign, 'attention_needed', ctx.clock.now(), { reason })
  })
}
