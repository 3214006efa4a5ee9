import type { Context, HasLink } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { AppError, existing, invalidReference, invalidState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { effectiveRules } from '../../scheduling/contact-rules.ts'
import { recordEvent } from '../events/events.ts'
import { newMetrics, readMetrics } from '../metrics/metrics.ts'
import { applyPatch, changedFields, configurationOf } from './configuration.ts'
import type { CampaignRow } from './queries.ts'
import * as queries from './queries.ts'
import type { CampaignPatch, CampaignStatus } from './schema.ts'

/** The transitions that a caller can request. `to` is the new status; a campaign that already has it is a success. */
export const TRANSITIONS = {
  activate: { from: ['draft'], to: ['active'] },
  pause: { from: ['active', 'attention_needed'], to: ['paused'] },
  resume: { from: ['paused', 'attention_needed'], to: ['active'] },
  archive: { from: ['draft', 'paused', 'completed', 'attention_needed'], to: ['archived'] },
  unarchive: { from: ['archived'], to: ['draft', 'active', 'paused', 'completed', 'attention_needed'] },
} as const satisfies Record<string, { from: CampaignStatus[]; to: CampaignStatus[] }>

export type Transition = keyof typeof TRANSITIONS

export const getCampaign = async (db: Db, workspaceId: string, id: string): Promise<CampaignRow> =>
  existing(await queries.findCampaign(db, workspaceId, id), 'campaign')

export const getLockedCampaign = async (tx: Tx, workspaceId: string, id: string): Promise<CampaignRow> =>
  existing(await queries.lockCampaign(tx, workspaceId, id), 'campaign')

export async function createCampaign(tx: Tx, workspaceId: string, input: CampaignPatch & { name: string }, now: Date) {
  await checkReferences(tx, workspaceId, input)
  const configuration = applyPatch({ ...queries.EMPTY_CONFIGURATION, name: input.name }, input)
  return queries.insertCampaign(tx, newId(), workspaceId, configuration, now)
}

/** References in the body: they must exist in this workspace. */
export async function checkReferences(db: Db, workspaceId: string, patch: CampaignPatch): Promise<void> {
  const asked: [field: string, id: string][] = (patch.rotationProviderIds ?? []).map((id, index) => [`rotationProviderIds/${index}`, id])
  if (typeof patch.providerId === 'string') asked.unshift(['providerId', patch.providerId])
  if (asked.length === 0) return
  const ids = asked.map(([, id]) => id)
  const found = await queries.findMailboxes(db, workspaceId, ids)
  const missing = asked.find(([, id]) => !found.has(id.toLowerCase()))
  if (missing) throw invalidReference(missing[0], 'is not a provider connection of this workspace')
}

/** The statuses in which a campaign can be changed. A draft can be changed in more ways, see `campaigns.update`. */
export const UPDATABLE = ['draft', 'active', 'paused', 'completed', 'attention_needed'] as const satisfies CampaignStatus[]

/** The mailboxes that first contacts are shared out to. */
export const mailboxesOf = ({ providerId, rotationProviderIds }: Pick<CampaignRow, 'providerId' | 'rotationProviderIds'>): string[] => [
  ...new Set([...(providerId === null ? [] : [providerId]), ...rotationProviderIds]),
]

interface Change {
  patch: CampaignPatch
  /** Null for a change that a person has approved: the approval was compared, and a new name, for example, does not end it. */
  ifMatch: Date | null
  operationId: string
  tokenId: string | null
  /** The statuses that allow it. */
  from: readonly CampaignStatus[]
}

/**
 * The one place where the configuration of a campaign changes. A change is made once for each operation: when the operation is looked at
 * again, the campaign is returned as it is. The row must be locked.
 */
export async function updateCampaign(tx: Tx, campaign: CampaignRow, change: Change, now: Date): Promise<CampaignRow> {
  const { patch, ifMatch, operationId, from } = change
  if (campaign.updatingOperationId === operationId) return campaign
  checkIfMatch(campaign, ifMatch)
  if (!from.includes(campaign.status)) throw invalidState(campaign.status, from)
  await checkReferences(tx, campaign.workspaceId, patch)
  const before = configurationOf(campaign)
  const next = applyPatch(before, patch)
  next.rotationProviderIds = next.rotationProviderIds.filter(id => id !== next.providerId)
  const changed = changedFields(before, next)
  if (changed.length === 0) return campaign
  const updated = await queries.updateConfiguration(tx, campaign.id, next, now, operationId)
  recordEvent(tx, {
    workspaceId: campaign.workspaceId,
    type: 'campaign.updated',
    timestamp: now,
    campaignId: campaign.id,
    tokenId: change.tokenId,
    data: { campaignId: campaign.id, name: next.name, changed },
  })
  tx.wake('sends')
  return updated
}

export function checkIfMatch(campaign: CampaignRow, ifMatch: Date | null): void {
  if (ifMatch !== null && campaign.updatedAt.getTime() !== ifMatch.getTime()) {
    throw new AppError(
      'precondition_failed',
      `The campaign was changed at ${campaign.updatedAt.toISOString()}. Read it again and repeat the change.`,
    )
  }
}

const EVENT_OF = {
  active: 'campaign.activated',
  paused: 'campaign.paused',
  completed: 'campaign.completed',
  archived: 'campaign.archived',
  attention_needed: 'campaign.attention_needed',
} as const satisfies Partial<Record<CampaignStatus, string>>

type StatusEvent = (typeof EVENT_OF)[keyof typeof EVENT_OF] | 'campaign.resumed' | 'campaign.unarchived'
type StatusOptions = { reason?: string; event?: StatusEvent; providerId?: string; tokenId?: string | null }

/** The one place where the status of a campaign changes. The row must be locked. */
export async function changeStatus(tx: Tx, campaign: CampaignRow, status: CampaignStatus, now: Date, options: StatusOptions = {}) {
  const changed = await queries.updateStatus(
    tx,
    campaign.id,
    {
      status,
      statusBeforeArchive: status === 'archived' ? campaign.status : null,
      attentionReason: status === 'attention_needed' ? (options.reason ?? null) : null,
      attentionProviderId: status === 'attention_needed' ? (options.providerId ?? null) : null,
    },
    now,
  )
  const type = options.event ?? (EVENT_OF as Partial<Record<CampaignStatus, StatusEvent>>)[status]
  if (type) {
    recordEvent(tx, {
      workspaceId: campaign.workspaceId,
      type,
      timestamp: now,
      campaignId: campaign.id,
      tokenId: options.tokenId ?? null,
      data: {
        campaignId: campaign.id,
        name: campaign.name,
        from: campaign.status,
        to: status,
        ...(options.reason ? { reason: options.reason } : {}),
      },
    })
  }
  tx.wake('sends')
  return changed
}

/** Performs a requested transition. A campaign that already has the status is a success, any other status is a conflict. */
export async function transition(tx: Tx, campaign: CampaignRow, name: Transition, now: Date, tokenId: string | null): Promise<CampaignRow> {
  const { from, to } = TRANSITIONS[name] as { from: readonly CampaignStatus[]; to: readonly CampaignStatus[] }
  if (to.includes(campaign.status)) return campaign
  if (!from.includes(campaign.status)) throw invalidState(campaign.status, from)
  if (name === 'unarchive') {
    const before = campaign.statusBeforeArchive!
    return changeStatus(tx, campaign, before === 'attention_needed' ? 'paused' : before, now, { event: 'campaign.unarchived', tokenId })
  }
  return changeStatus(tx, campaign, to[0]!, now, { tokenId, ...(name === 'resume' ? { event: 'campaign.resumed' as const } : {}) })
}

/** A copy of configuration and window: leads, metrics and dates belong to the original. */
export function duplicateCampaign(tx: Tx, source: CampaignRow, name: string, now: Date): Promise<CampaignRow> {
  const configuration = { ...configurationOf(source), name: name.trim(), startDate: null, endDate: null }
  return queries.insertCampaign(tx, newId(), source.workspaceId, configuration, now)
}

export const hasEnded = (campaign: Pick<CampaignRow, 'endDate'>, now: Date): boolean => campaign.endDate !== null && campaign.endDate <= now

/** New leads reopen a completed campaign, unless its end date has passed: then it would complete again. The row must be locked. */
export async function countLeads(tx: Tx, campaign: CampaignRow, change: number, now: Date): Promise<CampaignRow> {
  if (change === 0) return campaign
  const counted = await queries.addToTotalLeads(tx, campaign.id, change, now)
  return change > 0 ? reopen(tx, counted, now) : counted
}

/** Reopens a completed campaign when a lead is to be contacted again, unless its end date has passed. The row must be locked. */
export const reopen = async (tx: Tx, campaign: CampaignRow, now: Date): Promise<CampaignRow> =>
  campaign.status === 'completed' && !hasEnded(campaign, now) ? changeStatus(tx, campaign, 'active', now) : campaign

/** Stops an active campaign until a person has looked at it. Call it in its own transaction: a campaign is locked before its leads. */
export async function needsAttention(tx: Tx, workspaceId: string, campaignId: string, reason: string, now: Date): Promise<void> {
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
  if (campaign.status === 'active') await changeStatus(tx, campaign, 'attention_needed', now, { reason })
}

export async function presentCampaign(ctx: Context, db: Db, row: CampaignRow) {
  const now = ctx.clock.now()
  return {
    ...pick(row, 'id', 'workspaceId', 'name', 'status', 'providerId', 'pipelineId', 'salesPersonId', 'leadListName', 'sourceUrl'),
    ...pick(row, 'niche', 'location', 'jobTitle', 'companySize', 'industry', 'trackOpens', 'trackClicks', 'unsubscribe', 'optOutText'),
    ...pick(row, 'rotationProviderIds', 'contactRules', 'totalLeads'),
    displayStatus: row.status === 'archived' ? ('archived' as const) : ('active' as const),
    startDate: row.startDate?.toISOString() ?? null,
    endDate: row.endDate?.toISOString() ?? null,
    effectiveContactRules: effectiveRules(row.workspaceContactRules, row.contactRules),
    metrics: row.hasMetrics ? await readMetrics(db, row, now) : newMetrics(now),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    links: { self: campaignLink(ctx, row) },
  }
}

export const campaignLink = (ctx: HasLink, campaign: { workspaceId: string; id: string }): string =>
  ctx.link(`/v1/workspaces/${campaign.workspaceId}/campaigns/${campaign.id}`)

/** Presents data of a campaign whose URL is below the URL of the campaign. */
export function presentWithin<T extends object>(
  ctx: HasLink,
  { id, workspaceId }: { workspaceId: string; id: string },
  path: string,
  data: T,
) {
  const link = campaignLink(ctx, { id, workspaceId })
  return { campaignId: id, workspaceId, ...data, links: { self: `${link}/${path}`, campaign: link } }
}
