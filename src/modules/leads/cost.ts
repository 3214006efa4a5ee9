import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import type { Cost, CostRequest } from '../../http/access.ts'
import { AppError } from '../../lib/errors.ts'
import { isApproved, registryOf } from '../../operations/registry.ts'
import { applyPatch, changedFields, configurationOf } from '../campaigns/configuration.ts'
import { CONFIGURATION_FIELDS, type Configuration, findCampaign, lockCampaign } from '../campaigns/queries.ts'
import type { CampaignPatch, SettingsUpdate } from '../campaigns/schema.ts'
import { hasRealMailbox } from '../workspaces/queries.ts'
import { changedContents } from './leads.ts'
import { type CampaignLoad, findCampaignLoad, findLateLoad, findLead, findMailsFromMailbox, findMailsHeldBack } from './queries.ts'
import type { LeadBulk, LeadPatch } from './schema.ts'

// The cost of requests about the leads of a campaign for a token with limits.

type CampaignParams = { workspaceId: string; campaignId: string }
type LeadParams = CampaignParams & { leadId: string }

interface LoadQuestion {
  campaignId?: string
  leadIds?: string[] | null
  /** Open operations with one of these effects could change the load. */
  changedBy?: readonly ('startsSending' | 'addsMessages' | 'changesSteps')[]
  /** The number of steps that its sequence is about to have. */
  stepCount?: number | undefined
}

/** Unfinished operations of the campaign could increase the load, so a token with limits has to wait for them. */
export async function findLoad(
  tx: Tx,
  { ctx, params, operationId }: CostRequest<CampaignParams, unknown>,
  { campaignId = params.campaignId, leadIds = null, changedBy = ['startsSending'], stepCount }: LoadQuestion = {},
): Promise<CampaignLoad> {
  const { actions } = registryOf(ctx)
  const changing = changedBy.flatMap(effect => actions.having(effect))
  const load = await findCampaignLoad(tx, { workspaceId: params.workspaceId, campaignId, operationId, leadIds, changing, stepCount })
  // The slice of the resource refuses an id that does not exist.
  if (!load) return { status: 'draft', stepCount: 0, openMails: 0, leadCount: 0, skippedCount: 0, isReal: false, isMoving: false }
  if (!load.isMoving) return load
  throw new AppError(
    'invalid_state',
    'Other operations of the campaign are still running. A token with limits must wait for them, because the effect of this request depends on them.',
    { currentStatus: 'operations_open' },
  )
}

/**
 * Changes of such a campaign, and additions to it, are sent without another request of the token. A completed campaign becomes active with
 * new leads, one that needs attention continues when its mailbox works again, and a person who approved a paused one resumes it.
 */
export const hasStarted = ({ status }: { status: string }): boolean => status !== 'draft'

/** The cost of a campaign that starts to send. */
export async function startCost(tx: Tx, request: CostRequest<CampaignParams, unknown>): Promise<Partial<Cost>> {
  const { openMails, isReal } = await findLoad(tx, request, { changedBy: ['addsMessages'] })
  return { mails: openMails, isReal }
}

/**
 * The cost of a change to what a campaign sends, or when: all emails that its leads have before them. At least one, because leads may be
 * added later. A draft costs nothing, because its start is charged or a person starts it.
 */
export const costOfChange = (load: CampaignLoad): Partial<Cost> =>
  hasStarted(load) ? { mails: Math.max(load.openMails, 1), isReal: load.isReal } : {}

/** The load of a campaign whose emails, senders or times change. One that is about to start could run by the time of the change. */
export async function findLoadToChange(tx: Tx, request: CostRequest<CampaignParams, unknown>, stepCount?: number): Promise<CampaignLoad> {
  const load = await findLoad(tx, request, { changedBy: ['addsMessages'], stepCount })
  return hasStarted(load) ? load : findLoad(tx, request)
}

/** The load of a campaign that gets leads to write to. If it has started, they get the messages of a sequence that is about to replace its own. */
async function findLoadToAdd(tx: Tx, request: CostRequest<CampaignParams, unknown>, question: LoadQuestion = {}): Promise<CampaignLoad> {
  const load = await findLoad(tx, request, question)
  return hasStarted(load) ? findLoad(tx, request, { ...question, changedBy: ['startsSending', 'changesSteps'] }) : load
}

/** The fields that the patch changes. If the campaign is not as the caller read it, the operation fails, unless it is so again by then: all fields. */
export async function changesOf(
  tx: Tx,
  { params, ifMatch }: CostRequest<CampaignParams, unknown>,
  patch: CampaignPatch,
): Promise<readonly (keyof Configuration)[]> {
  const campaign = await findCampaign(tx, params.workspaceId, params.campaignId)
  if (campaign?.updatedAt.getTime() !== ifMatch?.getTime()) return CONFIGURATION_FIELDS
  const before = configurationOf(campaign!)
  return changedFields(before, applyPatch(before, patch))
}

/** The cost of another schedule. A later end date reactivates a completed campaign. */
export async function scheduleCost(
  tx: Tx,
  request: CostRequest<CampaignParams, NonNullable<CampaignPatch['schedule']>>,
): Promise<Partial<Cost>> {
  const changes = await changesOf(tx, request, { schedule: request.body })
  return changes.length > 0 ? costOfChange(await findLoadToChange(tx, request)) : {}
}

/** The cost of another sequence with so many steps. */
export const sequenceCost = async (tx: Tx, request: CostRequest<CampaignParams, unknown>, stepCount: number): Promise<Partial<Cost>> =>
  costOfChange(await findLoadToChange(tx, request, stepCount))

/** The settings of a campaign that a recipient notices, or that decide who is written to. */
const NOTICED: readonly (keyof Configuration)[] = ['trackOpens', 'trackClicks', 'unsubscribe', 'optOutText', 'contactRules']

/** The cost of other settings. The name and the labels of a campaign reach no recipient. */
export async function settingsCost(tx: Tx, request: CostRequest<CampaignParams, SettingsUpdate>): Promise<Partial<Cost>> {
  const changes = await changesOf(tx, request, request.body)
  return changes.some(name => NOTICED.includes(name)) ? costOfChange(await findLoadToChange(tx, request)) : {}
}

/** The cost of other data of a lead, which its next emails contain. A skipped lead is queued again with them. */
export async function updateCost(tx: Tx, request: CostRequest<LeadParams, LeadPatch>): Promise<Partial<Cost>> {
  const { workspaceId, campaignId, leadId } = request.params
  // So that the lead is changed in the state that is paid for.
  await lockCampaign(tx, workspaceId, campaignId)
  const lead = await findLead(tx, workspaceId, campaignId, leadId)
  if (!lead || changedContents(lead, request.body).changed.length === 0) return {}
  const load = await findLoadToAdd(tx, request, { leadIds: [leadId] })
  const mails = hasStarted(load) ? load.openMails + load.skippedCount * load.stepCount : 0
  return { mails, isReal: load.isReal && mails > 0 }
}

/** The cost of a changed or removed mailbox: the emails of all started campaigns that send from it. */
export async function mailboxChangeCost(
  tx: Tx,
  { ctx, params }: Pick<CostRequest<{ workspaceId: string; providerId: string }, unknown>, 'ctx' | 'params'>,
): Promise<Partial<Cost>> {
  const starting = registryOf(ctx).actions.having('startsSending')
  return { mails: await findMailsFromMailbox(tx, params.workspaceId, params.providerId, starting) }
}

/** The cost of a lifted suppression: the emails that it holds back in started campaigns. At least one, because the address may be added later. */
export async function liftCost(
  tx: Tx,
  { ctx, params }: CostRequest<{ workspaceId: string; suppressionId: string }, unknown>,
): Promise<Partial<Cost>> {
  const starting = registryOf(ctx).actions.having('startsSending')
  const mails = await findMailsHeldBack(tx, params.workspaceId, params.suppressionId, starting)
  return { mails: Math.max(mails, 1), isReal: await hasRealMailbox(tx, params.workspaceId, null) }
}

/** The cost of new leads. */
export async function importCost(tx: Tx, request: CostRequest<CampaignParams, unknown>): Promise<Partial<Cost>> {
  const { leadCount: leads } = request
  const load = await findLoadToAdd(tx, request)
  return hasStarted(load) ? { leads, mails: leads * load.stepCount, isReal: load.isReal } : { leads }
}

/**
 * Leads were added to a campaign that did not run, which costs no messages. If a start of the campaign was requested meanwhile, those that
 * come now get messages without another request of the token: they cost what they would cost after the start.
 */
export async function chargeLateLeads(
  tx: Tx,
  ctx: Pick<Context, 'part'>,
  { id, key }: { id: string; key: string | null },
  leadCount: number,
): Promise<void> {
  if (leadCount === 0 || isApproved({ key })) return
  const { actions, spend } = registryOf(ctx)
  const load = await findLateLoad(tx, id, actions.having('startsSending'))
  if (!load?.tokenId || hasStarted(load)) return
  await spend(tx, load.tokenId, async () => ({ leads: 0, credits: 0, mails: leadCount * load.stepCount, isReal: load.isReal }))
}

/** The cost of a skipped lead that is queued again. */
export async function requeueCost(tx: Tx, request: CostRequest<LeadParams, unknown>): Promise<Partial<Cost>> {
  const { workspaceId, campaignId, leadId } = request.params
  await lockCampaign(tx, workspaceId, campaignId)
  const load = await findLoadToAdd(tx, request, { leadIds: [leadId] })
  return costOfLeads(load, load.skippedCount)
}

const costOfLeads = (load: CampaignLoad, count: number): Partial<Cost> =>
  hasStarted(load) ? { mails: count * load.stepCount, isReal: load.isReal && count > 0 } : {}

/**
 * The number of leads that a change of many could write to again now. More may match when it is carried out: a token with limits pays for
 * these, and changes no more.
 */
export async function countToPay(db: Db, { workspaceId, campaignId }: CampaignParams, { action, ids }: LeadBulk): Promise<number> {
  const load = await findCampaignLoad(db, { workspaceId, campaignId, operationId: null, leadIds: ids ?? null, changing: [] })
  return (action === 'requeue' ? load?.skippedCount : (ids?.length ?? load?.leadCount)) ?? 0
}

/** The cost of skipped leads that are queued again, and of leads that are moved to another campaign. */
export async function bulkCost(tx: Tx, request: CostRequest<CampaignParams, LeadBulk>): Promise<Partial<Cost>> {
  const { action, ids, targetCampaignId: campaignId } = request.body
  if (action === 'delete' || action === 'set_status') return {}
  // Leads that are still being added could match a filter, too.
  if (!ids) await findLoad(tx, request, { changedBy: ['startsSending', 'addsMessages'] })
  return costOfLeads(await findLoadToAdd(tx, request, action === 'move' ? { campaignId: campaignId! } : {}), request.leadCount)
}
