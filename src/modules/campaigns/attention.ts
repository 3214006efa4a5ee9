import type { Tx } from '../../db/client.ts'
import { changeStatus, getLockedCampaign } from './campaigns.ts'

/** Stops an active campaign until a person has looked at it. Call it in its own transaction: a campaign is locked before its leads. */
export async function needsAttention(tx: Tx, workspaceId: string, campaignId: string, reason: string, now: Date): Promise<void> {
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
  if (campaign.status === 'active') await changeStatus(tx, campaign, 'attention_needed', now, { reason })
}
