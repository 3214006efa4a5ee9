import { DateTime, strict } from '../../http/schema.ts'
import { type OperationTasks, setTask } from '../../operations/tasks.ts'
import { updateDrafts } from './campaigns.ts'
import { presentCampaigns } from './presenting.ts'
import { CampaignPatch, CampaignResult } from './schema.ts'

export const campaignTasks: OperationTasks = {
  'campaign.update': setTask(strict({ patch: CampaignPatch, ifMatch: DateTime }), CampaignResult, async (tx, ctx, operations) => {
    const asked = operations.map(({ workspaceId, campaignId, input }) => ({
      ...{ workspaceId, id: campaignId!, patch: input.patch, ifMatch: new Date(input.ifMatch) },
    }))
    const campaigns = await updateDrafts(tx, asked, ctx.clock.now())
    return (await presentCampaigns(ctx, tx, campaigns)).map(campaign => ({ campaign }))
  }),
}
