import { DateTime, strict } from '../../http/schema.ts'
import { type OperationTasks, transactionTask } from '../../operations/tasks.ts'
import { updateDraft } from './campaigns.ts'
import { presentCampaign } from './presenting.ts'
import { CampaignPatch, CampaignResult } from './schema.ts'

export const campaignTasks: OperationTasks = {
  'campaign.update': transactionTask(strict({ patch: CampaignPatch, ifMatch: DateTime }), CampaignResult, async (tx, ctx, operation) => {
    const { workspaceId, campaignId, input } = operation
    const campaign = await updateDraft(tx, workspaceId, campaignId!, input.patch, new Date(input.ifMatch), ctx.clock.now())
    return { campaign: await presentCampaign(ctx, tx, campaign) }
  }),
}
