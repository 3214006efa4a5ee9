import type { Tx } from '../../db/client.ts'
import { invalidState } from '../../lib/errors.ts'
import { recordEvent } from '../events/events.ts'
import { type CampaignRow, checkIfMatch, checkReferences } from './campaigns.ts'
import { applyPatch, changedFields, configurationOf } from './configuration.ts'
import { keepMailboxes, updateConfiguration } from './queries.ts'
import type { CampaignPatch } from './schema.ts'

// Changes to a campaign that may be running.

export { keepMailboxes }

export const UPDATABLE = ['draft', 'active', 'paused', 'completed', 'attention_needed'] as const

/** The mailboxes that first contacts are shared out to. */
export const mailboxesOf = ({ providerId, rotationProviderIds }: Pick<CampaignRow, 'providerId' | 'rotationProviderIds'>): string[] => [
  ...new Set([...(providerId === null ? [] : [providerId]), ...rotationProviderIds]),
]

/**
 * Puts a change into force, once for each operation: when the operation is looked at again, the campaign is returned as it
 * is. The row must be locked.
 */
export async function updateLiving(
  tx: Tx,
  campaign: CampaignRow,
  patch: CampaignPatch,
  operation: { id: string; ifMatch: Date },
  now: Date,
): Promise<CampaignRow> {
  if (campaign.updatingOperationId === operation.id) return campaign
  checkIfMatch(campaign, operation.ifMatch)
  if (campaign.status === 'archived') throw invalidState(campaign.status, UPDATABLE)
  await checkReferences(tx, campaign.workspaceId, patch)
  const before = configurationOf(campaign)
  const next = applyPatch(before, patch)
  next.rotationProviderIds = next.rotationProviderIds.filter(id => id !== next.providerId)
  const changedNames = changedFields(before, next)
  if (changedNames.length === 0) return campaign
  const changed = await updateConfiguration(tx, campaign.id, next, now, operation.id)
  recordEvent(tx, {
    workspaceId: campaign.workspaceId,
    type: 'campaign.updated',
    timestamp: now,
    campaignId: campaign.id,
    data: {
      campaignId: campaign.id,
      name: next.name,
      changed: changedNames,
    },
  })
  tx.wake('sends')
  return changed
}
