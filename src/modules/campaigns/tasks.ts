import { DateTime, strict } from '../../http/schema.ts'
import { type OperationTasks, transactionTask } from '../../operations/tasks.ts'
import { getLockedCampaign, presentCampaign, updateCampaign } from './campaigns.ts'
import { CampaignPatch, CampaignResult } from './schema.ts'

export const campaignTasks: OperationTasks = {
  'campaign.update': transactionTask(strict({ patch: CampaignPatch, ifMatch: DateTime }), CampaignResult, async (tx, ctx, operation) => {
    const { workspaceId, campaignId, input } = operation
    const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
    const change = {
      patch: input.patch,
      ifMatch: new Date(input.ifMatch),
      operationId: operation.id,
      tokenId: operation.tokenId,
      from: ['draft'] as const,
    }
    return { campaign: await presentCampaign(ctx, tx, await updateCampaign(tx, campaign, change, ctx.clock.now())) }
  }),
}
