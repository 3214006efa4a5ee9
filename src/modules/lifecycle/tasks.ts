import Type from 'typebox'
import { strict } from '../../http/schema.ts'
import { Again, type OperationTasks, transactionTask } from '../../operations/tasks.ts'
import { duplicateCampaign, getCampaign, getLockedCampaign, presentCampaign, type Transition, transition } from '../campaigns/campaigns.ts'
import { requireReadiness } from '../explaining/readiness.ts'
import { countSendsInFlight } from '../sending/sending.ts'
import { copySequence } from '../sequences/sequences.ts'

const SETTLE_MS = 200

export const lifecycleTasks: OperationTasks = {
  'campaign.activate': becomes('activate'),
  'campaign.resume': becomes('resume'),
  'campaign.archive': becomes('archive'),
  'campaign.unarchive': becomes('unarchive'),

  'campaign.pause': transactionTask(strict({}), async (tx, ctx, { workspaceId, campaignId }) => {
    const campaign = await transition(tx, await getLockedCampaign(tx, workspaceId, campaignId!), 'pause', ctx.clock.now())
    // The pause holds from this commit on; it has succeeded when the last message that was on its way has left.
    if ((await countSendsInFlight(tx, campaignId!)) > 0) return new Again(SETTLE_MS)
    return { campaign: await presentCampaign(ctx, tx, campaign) }
  }),

  'campaign.duplicate': transactionTask(strict({ name: Type.String() }), async (tx, ctx, { workspaceId, campaignId, input }) => {
    const source = await getCampaign(tx, workspaceId, campaignId!)
    const copy = await duplicateCampaign(tx, source, input.name, ctx.clock.now())
    const campaign = source.sequenceVersion === 0 ? copy : (await copySequence(tx, source, copy, ctx.clock.now())).campaign
    return { sourceCampaignId: source.id, campaign: await presentCampaign(ctx, tx, campaign) }
  }),
}

function becomes(name: Transition): OperationTasks[string] {
  return transactionTask(strict({}), async (tx, ctx, { workspaceId, campaignId }) => {
    const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
    const changed = await transition(tx, campaign, name, ctx.clock.now())
    if (changed !== campaign && (name === 'activate' || name === 'resume')) await requireReadiness(ctx, tx, changed)
    return { campaign: await presentCampaign(ctx, tx, changed) }
  })
}
