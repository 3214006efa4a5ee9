import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { repeatWhileLocked } from '../../db/locked.ts'
import { changeStatus, getLockedCampaign } from './campaigns.ts'

/** Two minutes: our own transactions are over by then. */
const STOP_TRIES = 24

/** Work for after a transaction, because a campaign must be locked before its leads, never after. */
export interface Aftermath {
  workspaceId: string
  campaignId: string
  attention: string
}

/** The message that asks for it is recorded by now and is not read again: the stop must not be lost because the campaign is locked. */
export const stopAfterwards = (
  ctx: Pick<Context, 'db' | 'clock'>,
  { workspaceId, campaignId, attention }: Aftermath,
  signal: AbortSignal,
): Promise<void> =>
  repeatWhileLocked(() => ctx.db.inTransaction(tx => needsAttention(tx, workspaceId, campaignId, attention, ctx.clock.now())), {
    tries: STOP_TRIES,
    signal,
  })

/** Stops an active campaign until a person has looked at it. Call it in its own transaction: a campaign is locked before its leads. */
export async function needsAttention(tx: Tx, workspaceId: string, campaignId: string, reason: string, now: Date): Promise<void> {
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
  if (campaign.status === 'active') await changeStatus(tx, campaign, 'attention_needed', now, { reason })
}
