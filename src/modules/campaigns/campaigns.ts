import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { AppError, type Issue, invalid, invalidState, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { parseDateTime } from '../../lib/rfc3339.ts'
import { effectiveRules } from '../../scheduling/contact-rules.ts'
import { checkTimezone } from '../../scheduling/zone.ts'
import { recordEvent } from '../events/events.ts'
import { readMetrics } from '../metrics/metrics.ts'
import {
  addToTotalLeads,
  type CampaignRow,
  CONFIGURATION_FIELDS,
  type Configuration,
  findCampaign,
  hasMailbox,
  insertCampaign,
  lockCampaign,
  updateConfiguration,
  updateSequenceVersion,
  updateStatus,
} from './queries.ts'
import type { CampaignPatch, CampaignStatus } from './schema.ts'

export { listCampaignIds, removeFromRotation, resetBreaker } from './queries.ts'
export type { CampaignRow }

/** What people can ask for. `to` is where it leads; being there already is a success. */
export const TRANSITIONS = {
  activate: { from: ['draft'], to: ['active'] },
  pause: { from: ['active', 'attention_needed'], to: ['paused'] },
  resume: { from: ['paused', 'attention_needed'], to: ['active'] },
  archive: { from: ['draft', 'paused', 'completed', 'attention_needed'], to: ['archived'] },
  unarchive: { from: ['archived'], to: ['draft', 'active', 'paused', 'completed', 'attention_needed'] },
} as const satisfies Record<string, { from: CampaignStatus[]; to: CampaignStatus[] }>

export type Transition = keyof typeof TRANSITIONS

export async function getCampaign(db: Db, workspaceId: string, id: string): Promise<CampaignRow> {
  const campaign = await findCampaign(db, workspaceId, id)
  if (!campaign) throw notFound('campaign')
  return campaign
}

export async function getLockedCampaign(tx: Tx, workspaceId: string, id: string): Promise<CampaignRow> {
  const campaign = await lockCampaign(tx, workspaceId, id)
  if (!campaign) throw notFound('campaign')
  return campaign
}

const EMPTY: Omit<Configuration, 'name'> = {
  providerId: null,
  pipelineId: null,
  salesPersonId: null,
  startDate: null,
  endDate: null,
  daysOfWeek: null,
  windowStart: null,
  windowEnd: null,
  timezone: null,
  useLeadTimezone: false,
  leadListName: null,
  sourceUrl: null,
  niche: null,
  location: null,
  jobTitle: null,
  companySize: null,
  industry: null,
  trackOpens: false,
  trackClicks: false,
  unsubscribe: 'header',
  optOutText: null,
  rotationProviderIds: [],
  contactRules: {},
}

export async function createCampaign(
  tx: Tx,
  workspaceId: string,
  input: CampaignPatch & { name: string },
  now: Date,
): Promise<CampaignRow> {
  await checkReferences(tx, workspaceId, input)
  const configuration = applyPatch({ ...EMPTY, name: input.name }, input)
  return insertCampaign(tx, newId(), workspaceId, configuration, now)
}

/** Everything about a patch that can be judged without knowing the campaign. */
export function checkPatch(patch: CampaignPatch): void {
  if (patch.name !== undefined) {
    const length = [...patch.name.trim()].length
    if (length < 1 || length > 200) throw invalid('body', '/name', 'length', 'must have 1 to 200 characters after trimming')
  }
  const { schedule } = patch
  if (schedule) {
    checkSchedule(schedule, '/schedule')
    for (const name of ['startDate', 'endDate'] as const) {
      const [inside, outside] = [schedule[name], patch[name]]
      if (inside !== undefined && outside !== undefined && toDate(inside)?.getTime() !== toDate(outside)?.getTime()) {
        throw invalid('body', `/${name}`, 'contradiction', `is the same date as schedule.${name}, but another value was sent there`)
      }
    }
  }
  checkDates(datesOf(patch))
}

/** A schedule by itself; `at` is where it stands in the body. */
export function checkSchedule(schedule: NonNullable<CampaignPatch['schedule']>, at: string): void {
  const parts = [schedule.daysOfWeek, schedule.timeWindow, schedule.timezone].filter(part => part !== undefined).length
  if (parts !== 0 && parts !== 3) {
    throw invalid('body', at, 'window_incomplete', 'daysOfWeek, timeWindow and timezone come together or not at all')
  }
  if (schedule.timeWindow && schedule.timeWindow.start >= schedule.timeWindow.end) {
    throw invalid('body', `${at}/timeWindow`, 'order', 'start must be before end')
  }
  checkTimezone(`${at}/timezone`, schedule.timezone)
  checkDates(datesOf({ schedule }))
}

/** References in the body: they must exist in this workspace. */
export async function checkReferences(db: Db, workspaceId: string, patch: CampaignPatch): Promise<void> {
  const asked: [path: string, id: string][] = (patch.rotationProviderIds ?? []).map((id, index) => [`/rotationProviderIds/${index}`, id])
  if (typeof patch.providerId === 'string') asked.unshift(['/providerId', patch.providerId])
  for (const [path, id] of asked) {
    if (await hasMailbox(db, workspaceId, id)) continue
    const message = 'is not a provider connection of this workspace'
    const issue: Issue = { in: 'body', path, rule: 'reference', message }
    throw new AppError('invalid_reference', `${path.slice(1)} ${message}.`, { issues: [issue] })
  }
}

const toDate = (text: string | null): Date | null => (text === null ? null : parseDateTime(text))

function datesOf(patch: CampaignPatch): Partial<Pick<Configuration, 'startDate' | 'endDate'>> {
  const dates: Partial<Pick<Configuration, 'startDate' | 'endDate'>> = {}
  for (const name of ['startDate', 'endDate'] as const) {
    const sent = patch.schedule?.[name] !== undefined ? patch.schedule[name] : patch[name]
    if (sent !== undefined) dates[name] = toDate(sent)
  }
  return dates
}

function checkDates({ startDate, endDate }: { startDate?: Date | null; endDate?: Date | null }): void {
  if (startDate && endDate && endDate <= startDate) throw invalid('body', '/endDate', 'order', 'must be after startDate')
}

/** Only what was sent is changed. The window is replaced as a whole; a date stays unless it was sent. */
export function applyPatch(current: Configuration, patch: CampaignPatch): Configuration {
  const { schedule, startDate: _start, endDate: _end, name, ...plain } = patch
  const next: Configuration = { ...current, ...plain, ...datesOf(patch) }
  if (name !== undefined) next.name = name.trim()
  if (schedule?.useLeadTimezone !== undefined) next.useLeadTimezone = schedule.useLeadTimezone
  if (schedule?.daysOfWeek && schedule.timeWindow && schedule.timezone) {
    next.daysOfWeek = schedule.daysOfWeek
    next.windowStart = schedule.timeWindow.start
    next.windowEnd = schedule.timeWindow.end
    next.timezone = schedule.timezone
  }
  checkDates(next)
  return next
}

export async function updateDraft(
  tx: Tx,
  workspaceId: string,
  id: string,
  patch: CampaignPatch,
  ifMatch: Date,
  now: Date,
): Promise<CampaignRow> {
  const campaign = await getLockedCampaign(tx, workspaceId, id)
  checkIfMatch(campaign, ifMatch)
  if (campaign.status !== 'draft') throw invalidState(campaign.status, ['draft'])
  await checkReferences(tx, workspaceId, patch)
  const next = applyPatch(configurationOf(campaign), patch)
  return changedFields(campaign, next).length === 0 ? campaign : updateConfiguration(tx, id, next, now)
}

export function checkIfMatch(campaign: CampaignRow, ifMatch: Date): void {
  if (campaign.updatedAt.getTime() !== ifMatch.getTime()) {
    throw new AppError(
      'precondition_failed',
      `The campaign was changed at ${campaign.updatedAt.toISOString()}. Read it again and repeat the change.`,
    )
  }
}

export function configurationOf(campaign: CampaignRow): Configuration {
  return Object.fromEntries(CONFIGURATION_FIELDS.map(field => [field, campaign[field]])) as unknown as Configuration
}

/** The fields that differ. The database keeps the members of an object in an order of its own, which says nothing. */
export function changedFields(a: Configuration, b: Configuration): (keyof Configuration)[] {
  const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : canonicalJson(value ?? null))
  return CONFIGURATION_FIELDS.filter(field => textOf(a[field]) !== textOf(b[field]))
}

const EVENT_OF = {
  active: 'campaign.activated',
  paused: 'campaign.paused',
  completed: 'campaign.completed',
  archived: 'campaign.archived',
  attention_needed: 'campaign.attention_needed',
} as const satisfies Partial<Record<CampaignStatus, string>>

type StatusEvent = (typeof EVENT_OF)[keyof typeof EVENT_OF] | 'campaign.resumed' | 'campaign.unarchived'

/** The one place where the status of a campaign changes. The row must be locked. */
export async function changeStatus(
  tx: Tx,
  campaign: CampaignRow,
  status: CampaignStatus,
  now: Date,
  options: { reason?: string; event?: StatusEvent; providerId?: string } = {},
): Promise<CampaignRow> {
  const changed = await updateStatus(
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

/** Carries out what people asked for; already being there is fine, everything else is a conflict. */
export async function transition(tx: Tx, campaign: CampaignRow, name: Transition, now: Date): Promise<CampaignRow> {
  const { from, to } = TRANSITIONS[name] as { from: readonly CampaignStatus[]; to: readonly CampaignStatus[] }
  if (to.includes(campaign.status)) return campaign
  if (!from.includes(campaign.status)) throw invalidState(campaign.status, from)
  if (name === 'unarchive') {
    const before = campaign.statusBeforeArchive!
    return changeStatus(tx, campaign, before === 'attention_needed' ? 'paused' : before, now, { event: 'campaign.unarchived' })
  }
  return changeStatus(tx, campaign, to[0]!, now, name === 'resume' ? { event: 'campaign.resumed' } : {})
}

/** A copy of configuration and window: leads, metrics and dates belong to the original. */
export function duplicateCampaign(tx: Tx, source: CampaignRow, name: string, now: Date): Promise<CampaignRow> {
  const configuration = { ...configurationOf(source), name: name.trim(), startDate: null, endDate: null }
  return insertCampaign(tx, newId(), source.workspaceId, configuration, now)
}

export const hasEnded = (campaign: Pick<CampaignRow, 'endDate'>, now: Date): boolean => campaign.endDate !== null && campaign.endDate <= now

export const setSequenceVersion = updateSequenceVersion

/** New leads reopen a completed campaign, unless its time is over: then it would only complete again. The row must be locked. */
export async function countLeads(tx: Tx, campaign: CampaignRow, change: number, now: Date): Promise<CampaignRow> {
  if (change === 0) return campaign
  const counted = await addToTotalLeads(tx, campaign.id, change, now)
  return change > 0 ? reopen(tx, counted, now) : counted
}

/** Somebody is to be written to again: a completed campaign goes on, unless its time is over. The row must be locked. */
export const reopen = async (tx: Tx, campaign: CampaignRow, now: Date): Promise<CampaignRow> =>
  campaign.status === 'completed' && !hasEnded(campaign, now) ? changeStatus(tx, campaign, 'active', now) : campaign

export async function presentCampaign(ctx: Context, db: Db, row: CampaignRow) {
  return (await presentCampaigns(ctx, db, [row]))[0]!
}

export async function presentCampaigns(ctx: Context, db: Db, rows: CampaignRow[]) {
  const metrics = await readMetrics(db, rows, ctx.clock.now())
  return rows.map((row, index) => ({
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    status: row.status,
    displayStatus: row.status === 'archived' ? ('archived' as const) : ('active' as const),
    providerId: row.providerId,
    pipelineId: row.pipelineId,
    salesPersonId: row.salesPersonId,
    startDate: row.startDate?.toISOString() ?? null,
    endDate: row.endDate?.toISOString() ?? null,
    leadListName: row.leadListName,
    sourceUrl: row.sourceUrl,
    niche: row.niche,
    location: row.location,
    jobTitle: row.jobTitle,
    companySize: row.companySize,
    industry: row.industry,
    trackOpens: row.trackOpens,
    trackClicks: row.trackClicks,
    unsubscribe: row.unsubscribe,
    optOutText: row.optOutText,
    rotationProviderIds: row.rotationProviderIds,
    contactRules: row.contactRules,
    effectiveContactRules: effectiveRules(row.workspaceContactRules, row.contactRules),
    totalLeads: row.totalLeads,
    metrics: metrics[index]!,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    links: { self: campaignLink(ctx, row) },
  }))
}

export const campaignLink = (ctx: Pick<Context, 'link'>, campaign: { workspaceId: string; id: string }): string =>
  ctx.link(`/v1/workspaces/${campaign.workspaceId}/campaigns/${campaign.id}`)
