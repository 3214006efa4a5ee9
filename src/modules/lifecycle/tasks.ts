import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { DateTime, strict } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'
import type { OperationRow } from '../../operations/queries.ts'
import { requiredState } from '../../operations/registry.ts'
import { Again, type OperationTasks, transactionTask } from '../../operations/tasks.ts'
import {
  changeStatus,
  duplicateCampaign,
  getCampaign,
  getLockedCampaign,
  hasEnded,
  mailboxesOf,
  presentCampaign,
  type Transition,
  transition,
  UPDATABLE,
  updateCampaign,
} from '../campaigns/campaigns.ts'
import { type CampaignRow, keepMailboxes, resetBreaker } from '../campaigns/queries.ts'
import { CampaignCopy, type CampaignPatch, CampaignResult, MailboxesUpdate, ScheduleUpdate, SettingsUpdate } from '../campaigns/schema.ts'
import { requireReadiness } from '../explaining/readiness.ts'
import { completeLeads } from '../leads/leads.ts'
import { leaveMailboxes, releaseContacts, replanLeads } from '../leads/queue-queries.ts'
import { countSendsInFlight } from '../sending/queries.ts'
import { copySequence } from '../sequences/sequences.ts'
import { WorkspaceSettingsResult, WorkspaceSettingsUpdate } from '../workspaces/schema.ts'
import { changeSettings, hasSameRules, presentSettings } from '../workspaces/workspaces.ts'
import { type BouncingCampaign, hasOpenLeads, listBouncingCampaigns, listFinishedCampaigns } from './queries.ts'

const SETTLE_MS = 200

export const lifecycleTasks: OperationTasks = {
  'campaign.activate': statusTask('activate'),
  'campaign.pause': statusTask('pause'),
  'campaign.resume': statusTask('resume'),
  'campaign.archive': statusTask('archive'),
  'campaign.unarchive': statusTask('unarchive'),

  'campaign.update_schedule': transactionTask(
    strict({ schedule: ScheduleUpdate, ifMatch: DateTime }),
    CampaignResult,
    (tx, ctx, operation) => update(tx, ctx, operation, { schedule: operation.input.schedule }),
  ),

  'campaign.update_settings': transactionTask(
    strict({ settings: SettingsUpdate, ifMatch: DateTime }),
    CampaignResult,
    (tx, ctx, operation) => update(tx, ctx, operation, operation.input.settings),
  ),

  'campaign.update_mailboxes': transactionTask(
    strict({ mailboxes: MailboxesUpdate, ifMatch: DateTime }),
    CampaignResult,
    (tx, ctx, operation) => {
      const { moveThreads, ...patch } = operation.input.mailboxes
      return update(tx, ctx, operation, patch, moveThreads)
    },
  ),

  'workspace.update_settings': transactionTask(
    strict({ settings: WorkspaceSettingsUpdate, ifMatch: DateTime }),
    WorkspaceSettingsResult,
    async (tx, ctx, operation) => {
      const { workspaceId, input } = operation
      const now = ctx.clock.now()
      const { workspace, before } = await changeSettings(tx, workspaceId, input.settings, new Date(input.ifMatch), now)
      if (!hasSameRules(workspace, before)) await releaseContacts(tx, workspaceId, now)
      tx.wake('sends')
      return { settings: presentSettings(workspace, ctx) }
    },
  ),

  'campaign.duplicate': transactionTask(
    strict({ name: Type.String() }),
    CampaignCopy,
    async (tx, ctx, { workspaceId, campaignId, input }) => {
      const source = await getCampaign(tx, workspaceId, campaignId!)
      const copy = await duplicateCampaign(tx, source, input.name, ctx.clock.now())
      const campaign = source.sequenceVersion === 0 ? copy : (await copySequence(tx, source, copy, ctx.clock.now())).campaign
      return { sourceCampaignId: source.id, campaign: await presentCampaign(ctx, tx, campaign) }
    },
  ),
}

type Update = Pick<OperationRow, 'id' | 'key' | 'workspaceId' | 'campaignId' | 'tokenId'> & { input: { ifMatch: string } }

/** In force from the first commit on; it has succeeded when the last message that left under the old plan is recorded. */
async function update(tx: Tx, ctx: Context, operation: Update, patch: CampaignPatch, moveThreads = false) {
  const { id, workspaceId, campaignId, tokenId } = operation
  const now = ctx.clock.now()
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
  const change = { patch, ifMatch: requiredState(operation), operationId: id, tokenId, from: UPDATABLE }
  const changed = await updateCampaign(tx, campaign, change, now)
  const current = await replan(tx, campaign, changed, moveThreads, now)
  if (changed.updatingOperationId === id && (await countSendsInFlight(tx, campaignId!)) > 0) return new Again(SETTLE_MS)
  return { campaign: await presentCampaign(ctx, tx, current) }
}

function statusTask(name: Transition): OperationTasks[string] {
  return transactionTask(strict({}), CampaignResult, async (tx, ctx, { workspaceId, campaignId, tokenId }) => {
    const campaign = await getLockedCampaign(tx, workspaceId, campaignId!)
    const changed = await transition(tx, campaign, name, ctx.clock.now(), tokenId)
    if (changed !== campaign && (name === 'activate' || name === 'resume')) await requireReadiness(ctx, tx, changed)
    // A pause applies from this commit on; it succeeds when the last message in progress was sent.
    if (name === 'pause' && (await countSendsInFlight(tx, campaignId!)) > 0) return new Again(SETTLE_MS)
    return { campaign: await presentCampaign(ctx, tx, changed) }
  })
}

// Periodic work on campaigns that depends on time, not on a request.

type Ctx = Pick<Context, 'db' | 'clock'>

const BATCH = 200

/** Completes leads that got all messages and whose time to reply is over. */
export async function completeSequences(ctx: Ctx): Promise<number> {
  for (let total = 0; ; ) {
    const now = ctx.clock.now()
    const taken = await ctx.db.inTransaction(tx => completeLeads(tx, now, BATCH))
    total += taken
    if (taken < BATCH) return total
  }
}

/** Campaigns that are over. Returns how many were completed. */
export async function completeCampaigns(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now()
  let count = 0
  for (const { id, workspaceId } of await listFinishedCampaigns(ctx.db, now)) {
    if (await ctx.db.inTransaction(tx => completeCampaign(tx, workspaceId, id, now))) count++
  }
  return count
}

export async function breakBouncing(ctx: Ctx): Promise<void> {
  for (const campaign of await listBouncingCampaigns(ctx.db, BREAKER_MINIMUM, BREAKER_SHARE))
    await ctx.db.inTransaction(tx => stopBouncing(tx, campaign, ctx.clock.now()))
}

/** Fewer messages tell nothing about the quality of the addresses. */
const BREAKER_MINIMUM = 50
const BREAKER_SHARE = 0.05

/** Ends a campaign that seems to be over. It is checked again under its lock, because leads may have been added meanwhile. */
async function completeCampaign(tx: Tx, workspaceId: string, id: string, now: Date): Promise<boolean> {
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
async function replan(tx: Tx, before: CampaignRow, changed: CampaignRow, moveThreads: boolean, now: Date): Promise<CampaignRow> {
  const { id, status } = changed
  await keepMailboxes(tx, id, await leaveMailboxes(tx, id, mailboxesOf(changed), moveThreads, now))
  await replanLeads(tx, id, now)
  tx.wake('sends')
  const hasTimeAgain = status === 'completed' && hasEnded(before, now) && !hasEnded(changed, now)
  if (!hasTimeAgain || !(await hasOpenLeads(tx, id))) return changed
  return changeStatus(tx, changed, 'active', now, { reason: 'The end date was moved.' })
}

/** Pauses a campaign with too many bounces, which would harm the reputation of the mailbox. */
async function stopBouncing(tx: Tx, { id, workspaceId, sent, bounced }: BouncingCampaign, now: Date): Promise<void> {
  const campaign = await getLockedCampaign(tx, workspaceId, id)
  if (campaign.status !== 'active') return
  await resetBreaker(tx, id)
  const reason = `${bounced} of ${sent} emails bounced, more than ${BREAKER_SHARE * 100}%. Check the source of the addresses before you resume.`
  await changeStatus(tx, campaign, 'attention_needed', now, { reason })
}
