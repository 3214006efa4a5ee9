import type { OperationTasks } from '../../operations/runner.ts'
import { presentCampaign, updateDraft } from './campaigns.ts'
import type { CampaignPatch } from './schema.ts'

export const campaignTasks: OperationTasks = {
  'campaign.update': {
    async apply(tx, ctx, { workspaceId, campaignId, input }) {
      const { patch, ifMatch } = input as { patch: CampaignPatch; ifMatch: string }
      const campaign = await updateDraft(tx, workspaceId, campaignId!, patch, new Date(ifMatch), ctx.clock.now())
      return { campaign: await presentCampaign(ctx, tx, campaign) }
    },
  },
}
