import type { OperationTasks } from '../../operations/runner.ts'
import type { NewSequence } from './schema.ts'
import { copySequenceInto, replaceSequence } from './sequences.ts'

export const sequenceTasks: OperationTasks = {
  'campaign.copy_sequence': {
    async apply(tx, ctx, { workspaceId, campaignId, input }) {
      const { sourceCampaignId } = input as { sourceCampaignId: string }
      const { campaign, stepCount } = await copySequenceInto(tx, workspaceId, campaignId!, sourceCampaignId, ctx.clock.now())
      return { campaignId, sourceCampaignId, stepCount, updatedAt: campaign.updatedAt.toISOString() }
    },
  },

  'campaign.update_sequence': {
    async apply(tx, ctx, { workspaceId, campaignId, input }) {
      const { sequence, ifMatch } = input as { sequence: NewSequence; ifMatch: string }
      const { campaign, stepCount } = await replaceSequence(tx, workspaceId, campaignId!, sequence, new Date(ifMatch), ctx.clock.now())
      return { campaignId, stepCount, updatedAt: campaign.updatedAt.toISOString() }
    },
  },
}
