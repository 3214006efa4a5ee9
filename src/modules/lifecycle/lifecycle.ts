import type { Tx } from '../../db/sql.ts'
import { changeStatus, getLockedCampaign, hasEnded, mailboxesOf } from '../campaigns/campaigns.ts'
import { type CampaignRow, keepMailboxes, resetBreaker } from '../campaigns/queries.ts'
import { leaveMailboxes, replanLeads } from '../leads/queue-queries.ts'
import { type BouncingCampaign, hasOpenLeads } from './queries.ts'

/** Fewer messages tell nothing about the quality of the addresses. */
export const BREAKER_MINIMUM = 50
export const BREAKER_SHARE = 0.05

/** Ends a campaign that seems to be over. It is checked again under its lock, because leads may have been added meanwhile. */
export async function completeCampaign(tx: Tx, workspaceId: string, id: string, now: Date): Promise<boolean> {
  const campaign = await getLockedCampaign(tx, workspaceId, id)
  const ended = hasEnded(campaign, now)
  const isOver = ended || !(await hasOpenLeads(tx, id))
  if (campaign.status !== 'active' || !isOver) return false
  const reason = ended ? 'The end date has passed.' : 'No lead is left to contact.'
  await changeStatus(tx, campaign, 'completed', now, { reason })
  return true
}

/**
 * The leads of a campaign follow its new plan at once. A lead that ended only because the campaign's time was over
 * continues when there is time again. The campaign must be locked.
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

/** Pauses a campaign with too many bounces, which would harm the reputation of the mailbox. */
export async function stopBouncing(tx: Tx, { id, workspaceId, sent, bounced }: BouncingCampaign, now: Date): Promise<void> {
  const campaign = await getLockedCampaign(tx, workspaceId, id)
  if (campaign.status !== 'active') return
  await resetBreaker(tx, id)
  const reason = `${bounced} of ${sent} messages bounced, more than ${BREAKER_SHARE * 100}%. Check the source of the addresses before you resume.`
  await changeStatus(tx, campaign, 'attention_needed', now, { reason })
}
