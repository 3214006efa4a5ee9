import { DateTime, strict, Uuid } from '../../http/schema.ts'
import { requiredState } from '../../operations/registry.ts'
import { type OperationTasks, transactionTask } from '../../operations/tasks.ts'
import { NewSequence, SequenceCopy, SequenceResult } from './schema.ts'
import { copySequenceInto, replaceSequence } from './sequences.ts'

export const sequenceTasks: OperationTasks = {
  'campaign.copy_sequence': transactionTask(
    strict({ sourceCampaignId: Uuid }),
    SequenceCopy,
    async (tx, ctx, { workspaceId, campaignId, input }) => {
      const { sourceCampaignId } = input
      const { campaign, stepCount } = await copySequenceInto(tx, workspaceId, campaignId!, sourceCampaignId, ctx.clock.now())
      return { campaignId: campaignId!, sourceCampaignId, stepCount, updatedAt: campaign.updatedAt.toISOString() }
    },
  ),

  'campaign.update_sequence': transactionTask(
    strict({ sequence: NewSequence, ifMatch: DateTime }),
    SequenceResult,
    async (tx, ctx, operation) => {
      const { workspaceId, campaignId, input } = operation
      const ifMatch = requiredState(operation)
      const { campaign, stepCount } = await replaceSequence(tx, workspaceId, campaignId!, input.sequence, ifMatch, ctx.clock.now())
      return { campaignId: campaignId!, stepCount, updatedAt: campaign.updatedAt.toISOString() }
    },
  ),
}
