import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { existing, invalid, invalidState, notFound, statusWords, wrongState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { visibleText } from '../../lib/storable-text.ts'
import { oneLine } from '../../mail/compose/mime.ts'
import { addBusinessDays, firstOpening, scheduleFor } from '../../scheduling/window.ts'
import { checkTimezone, isTimezone } from '../../scheduling/zone.ts'
import { countLeads, getLockedCampaign, reopen } from '../campaigns/campaigns.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import type { EventData, EventType } from '../events/data-schema.ts'
import { recordEvent } from '../events/events.ts'
import type { ExportedPerson } from '../exports/queries.ts'
import { suppress } from '../suppressions/suppressions.ts'
import type { Contents, LeadRow, NewLeadRow } from './queries.ts'
import * as queries from './queries.ts'
import { type Advance, type Hold, insertHolds, type LockedLead, takeCompleted, updateAdvances } from './queue-queries.ts'
import { type LeadPatch, type LeadStatus, MOST_VARIABLES, type NewLead, OPEN_STATUSES } from './schema.ts'

export const IMPORTABLE = ['draft', 'active', 'paused', 'completed', 'attention_needed'] as const

const PROSPECT: ReadonlySet<LeadStatus> = new Set(['interested', 'meeting_booked', 'meeting_completed', 'closed'])

export const isProspect = (status: LeadStatus): boolean => PROSPECT.has(status)

export const getLead = async (db: Db, workspaceId: string, campaignId: string, id: string): Promise<LeadRow> =>
  existing(await queries.findLead(db, workspaceId, campaignId, id), 'lead')

/** The names that a template can use, in addition to those that every lead has. */
export function toNewLead(person: Omit<ExportedPerson, 'n'>): NewLead {
  const { email, firstName, lastName, fullName, jobTitle, company, ...rest } = person
  const variables: Record<string, string> = {}
  for (const name of ['industry', 'city', 'country'] as const) if (rest[name]) variables[name] = rest[name]
  return { email, firstName, lastName, fullName, jobTitle, company, variables }
}

/** Values of a lead that cannot be used. They are kept unchanged, so that a person can correct them. */
export const warningsOf = (timezone: string | null | undefined) =>
  timezone && !isTimezone(timezone) ? [{ field: 'timezone', message: 'unknown time zone, so the time zone of the campaign is used' }] : []

export const joinName = (firstName: string | null, lastName: string | null): string | null =>
  [firstName, lastName].filter(Boolean).join(' ') || null

type NamesLead = { leadId: string; campaignId: string; email: string | null }
type LeadEventType = { [T in EventType]: EventData<T> extends NamesLead ? T : never }[EventType]
type LeadEventData<T extends LeadEventType> = Omit<EventData<T>, keyof NamesLead>
type LeadOfEvent = Pick<LeadRow, 'id' | 'workspaceId' | 'campaignId' | 'email'>

/** An event about a lead contains its id, its campaign and its address, and `data`. */
export function recordLeadEvent<T extends LeadEventType>(
  tx: Tx,
  type: T,
  lead: LeadOfEvent,
  data: LeadEventData<T>,
  now: Date,
  tokenId: string | null = null,
): void {
  const { id: leadId, workspaceId, campaignId, email } = lead
  const said = { leadId, campaignId, email, ...data } as unknown as EventData<T>
  recordEvent(tx, { workspaceId, type, timestamp: now, campaignId, leadId, tokenId, data: said })
}

type Outcome = Partial<Pick<LeadRow, 'status' | 'opportunityValue' | 'meetingAt'>> & { by: string; tokenId?: string | null | undefined }

/**
 * The one place where the status of a lead changes. The event says whether the lead has this status for the first
 * time, which is all that the metrics need. The lead must be locked.
 */
export async function changeLead(tx: Tx, lead: LeadRow, change: Outcome, now: Date): Promise<LeadRow> {
  const status = change.status ?? lead.status
  const opportunityValue = change.opportunityValue === undefined ? lead.opportunityValue : change.opportunityValue
  const meetingAt = change.meetingAt === undefined ? lead.meetingAt : change.meetingAt
  const isSame = status === lead.status && opportunityValue === lead.opportunityValue && meetingAt?.getTime() === lead.meetingAt?.getTime()
  if (isSame) return lead

  // The reply that made the lead interested was corrected, and nobody reported a later status.
  const isWithdrawn = change.by === 'reply_corrected' && lead.status === 'interested' && lead.reached.filter(isProspect).length === 1
  const before = isWithdrawn ? lead.reached.filter(each => each !== 'interested') : lead.reached
  const first = !before.includes(status) && status !== lead.status
  const firstProspect = isProspect(status) && !before.some(isProspect)
  const reached = first ? [...before, status] : before
  const changed = await queries.updateOutcome(tx, lead.id, { status, reached, opportunityValue, meetingAt }, now)
  const opportunityValueChange = toCents((opportunityValue ?? 0) - (lead.opportunityValue ?? 0))
  const data = {
    from: lead.status,
    to: status,
    first,
    firstProspect,
    ...(isWithdrawn ? { withdrawn: true } : {}),
    opportunityValue,
    meetingAt: meetingAt?.toISOString() ?? null,
    by: change.by,
    ...(opportunityValueChange === 0 ? {} : { opportunityValueChange }),
  }
  recordLeadEvent(tx, status === lead.status ? 'lead.updated' : 'lead.status_changed', lead, data, now, change.tokenId)
  return changed
}

/** Handles an opt-out from any source: the sequence of the lead ends, and its address is suppressed. */
export async function unsubscribeLead(tx: Tx, secrets: SecretBox, lead: LeadRow, by: string, now: Date, tokenId?: string | null) {
  // Even if the lead is already unsubscribed, because the suppression may have been removed since.
  await suppress(tx, secrets, lead.workspaceId, { kind: 'email', value: lead.email, reason: 'unsubscribed' }, now)
  if (lead.status === 'unsubscribed') return lead
  const changed = await changeLead(tx, lead, { status: 'unsubscribed', by, tokenId }, now)
  recordLeadEvent(tx, 'lead.unsubscribed', lead, { first: !lead.reached.includes('unsubscribed'), by }, now, tokenId)
  await stopSamePerson(tx, lead, 'opt_out', now)
  return changed
}

const STOPPED_AS = { positive_reply: 'skipped', opt_out: 'unsubscribed', bounce: 'bounced' } as const

/**
 * The same address may be in other campaigns of the workspace. A reply, an opt-out or a bounce in one of them ends the
 * others, and the event of each names the cause. The lead must be locked.
 */
export const stopSamePerson = (tx: Tx, lead: LeadRow, cause: keyof typeof STOPPED_AS, now: Date): Promise<void> =>
  stopOpenLeads(tx, lead, lead.email, { status: STOPPED_AS[cause], by: `${cause}_in_other_campaign` }, now)

/** Every open lead with this address, except the given one. */
export async function stopOpenLeads(tx: Tx, except: LeadRow, email: string, change: { status: LeadStatus; by: string }, now: Date) {
  for (const { id, campaignId } of await queries.listOpenLeads(tx, except.workspaceId, email)) {
    const other = id === except.id ? undefined : await queries.lockLead(tx, except.workspaceId, campaignId, id)
    if (other?.status === 'not_yet_contacted' || other?.status === 'contacted') await changeLead(tx, other, change, now)
  }
}

/** The ids in the path of a lead. */
export interface LeadIds {
  workspaceId: string
  campaignId: string
  leadId: string
}

const toCents = (value: number): number => Math.round(value * 100) / 100

export async function removeLead(tx: Tx, { workspaceId, campaignId, leadId }: LeadIds, now: Date): Promise<void> {
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
  if ((await removeLeads(tx, campaign, [leadId], now)) === 0) throw notFound('lead')
}

/** Returns how many there were. The campaign must be locked. */
export async function removeLeads(tx: Tx, campaign: CampaignRow, ids: string[], now: Date): Promise<number> {
  const count = await queries.deleteLeads(tx, campaign.workspaceId, campaign.id, ids)
  await queries.rewriteWords(tx, campaign.id, ids)
  await countLeads(tx, campaign, -count, now)
  return count
}

export function presentLead(row: LeadRow, campaign: CampaignRow, ctx: Pick<Context, 'link' | 'clock'>) {
  return {
    ...pick(row, 'id', 'workspaceId', 'campaignId', 'email', 'firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone'),
    ...pick(row, 'variables', 'leadListName', 'status', 'source', 'emailOpenCount', 'emailBounceCount', 'emailSent', 'opportunityValue'),
    ...pick(row, 'meetingAt', 'createdAt', 'updatedAt'),
    warnings: warningsOf(row.timezone),
    isProspect: isProspect(row.status),
    ...presentQueue(row, campaign, ctx.clock.now()),
    links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/campaigns/${row.campaignId}/leads/${row.id}`) },
  }
}

/** A stored reason may be out of date: it counts only while a step is planned, or when the lead was skipped because of it. */
const isHeld = (row: LeadRow): boolean => row.dueAt !== null || (row.status === 'skipped' && row.holdUntil === null)

/** The next planned step of a lead, and the reason why it waited when it was last checked. */
function presentQueue(row: LeadRow, campaign: CampaignRow, now: Date) {
  const sendableFrom = (at: Date): string => (at > now ? openingOf(campaign, row.timezone, at) : at).toISOString()
  return {
    next: row.dueAt && { step: row.nextStep, dueAt: sendableFrom(row.dueAt) },
    hold: row.holdReason !== null && isHeld(row) ? { reason: row.holdReason, until: row.holdUntil && sendableFrom(row.holdUntil) } : null,
  }
}

/** A delay and an absence end at any time of day, and the message is sent when the window is open. A draft may have no window. */
function openingOf(campaign: CampaignRow, leadTimezone: string | null, at: Date): Date {
  const { daysOfWeek, windowStart, windowEnd, timezone, startDate, endDate, useLeadTimezone } = campaign
  if (daysOfWeek === null || windowStart === null || windowEnd === null || timezone === null) return at
  const timeWindow = { start: windowStart, end: windowEnd }
  return firstOpening({ daysOfWeek, timeWindow, timezone, startDate, endDate, useLeadTimezone }, leadTimezone, at)
}

// The progress of leads through their sequences: code that sends, reads replies or counts visits reports it here.

/** The lead may still get messages. */
export const isOpen = (status: LeadStatus): boolean => (OPEN_STATUSES as readonly LeadStatus[]).includes(status)

/** Stores why these leads get no message now, and the time of the next check. */
export async function holdLeads(tx: Tx, holds: Hold[], now: Date): Promise<void> {
  if (holds.length === 0) return
  const rows = holds.map(hold => ({ ...hold, id: newId(now.getTime()) }))
  await insertHolds(tx, rows, now)
}

/** Skips a lead: it gets no message until something changes. */
export async function skipLead(tx: Tx, hold: Hold, now: Date): Promise<void> {
  const lead = await queries.lockLead(tx, hold.workspaceId, hold.campaignId, hold.leadId)
  if (!lead) return
  await holdLeads(tx, [{ ...hold, dueAt: null }], now)
  if (isOpen(lead.status)) await changeLead(tx, lead, { status: 'skipped', by: hold.reason }, now)
}

/** Records that a message was sent to each of these leads. They must be locked; each `lead` is its state before the message. */
export async function advanceLeads(tx: Tx, advanced: { lead: LockedLead; advance: Advance }[], now: Date): Promise<void> {
  if (advanced.length === 0) return
  const advances = advanced.map(({ advance }) => advance)
  await updateAdvances(tx, advances, now)
  for (const { lead } of advanced) if (lead.status === 'not_yet_contacted') announceContacted(tx, lead, now)
}

/** The update that notes the first message changes the status, too. */
function announceContacted(tx: Tx, lead: LockedLead, now: Date): void {
  const first = !lead.reached.includes('contacted')
  const data = { from: 'not_yet_contacted', to: 'contacted', first, firstProspect: false, by: 'sender' }
  recordLeadEvent(tx, 'lead.status_changed', lead, data, now)
}

/** Completes leads that got all messages and whose time to reply is over. Returns how many were checked. */
export async function completeLeads(tx: Tx, now: Date, limit: number): Promise<number> {
  const due = await takeCompleted(tx, now, limit)
  for (const { id, workspaceId, campaignId } of due) {
    const lead = await queries.lockLead(tx, workspaceId, campaignId, id)
    if (lead?.status === 'contacted') await changeLead(tx, lead, { status: 'sequence_completed', by: 'sender' }, now)
  }
  return due.length
}

// Changes of a lead by people, and how a skipped lead is queued again.

const TEXTS = ['firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone'] as const

/** A name as one line, without the control characters that files and forms bring; null when there is nothing to see. */
export const nameText = (text: string | null | undefined): string | null => visibleText(text && oneLine(text))

const isSearched = (name: string): boolean => ['firstName', 'lastName', 'fullName', 'company'].includes(name)

/** Amounts have two decimals. Silent rounding would make the sum of the changes differ from the value. */
export function checkPatch({ opportunityValue, timezone }: LeadPatch): void {
  if (typeof opportunityValue === 'number' && toCents(opportunityValue) !== opportunityValue) {
    throw invalid('body', '/opportunityValue', 'decimals', 'must have at most two decimals')
  }
  checkTimezone('/timezone', visibleText(timezone) ?? undefined)
}

const changesContents = (patch: LeadPatch): boolean => patch.variables !== undefined || TEXTS.some(name => patch[name] !== undefined)

export async function patchLead(tx: Tx, secrets: SecretBox, ids: LeadIds, patch: LeadPatch, now: Date, tokenId: string | null) {
  // A campaign is locked before its leads, and a lead that waits again may reopen it.
  const campaign = changesContents(patch) ? await getLockedCampaign(tx, ids.workspaceId, ids.campaignId) : null
  const locked = existing(await queries.lockLead(tx, ids.workspaceId, ids.campaignId, ids.leadId), 'lead')
  const lead = campaign ? await changeContents(tx, campaign, locked, patch, now, tokenId) : locked
  const current = patch.status === 'unsubscribed' ? await unsubscribeLead(tx, secrets, lead, 'api', now, tokenId) : lead
  const meetingAt = patch.meetingAt === undefined ? {} : { meetingAt: patch.meetingAt === null ? null : new Date(patch.meetingAt) }
  const value = patch.opportunityValue === undefined ? {} : { opportunityValue: patch.opportunityValue }
  return changeLead(tx, current, { ...(patch.status ? { status: patch.status } : {}), ...value, ...meetingAt, by: 'api', tokenId }, now)
}

async function changeContents(tx: Tx, campaign: CampaignRow, lead: LeadRow, patch: LeadPatch, now: Date, tokenId: string | null) {
  const { next, changed } = changedContents(lead, patch)
  if (changed.length === 0) return lead
  const updated = await queries.updateContents(tx, lead.id, next, now)
  if (changed.some(isSearched)) await queries.rewriteWords(tx, lead.campaignId, [lead.id])
  recordLeadEvent(tx, 'lead.updated', lead, { changed, by: 'api' }, now, tokenId)
  // The other values of the patch are stored as sent.
  return patch.status === undefined ? checkAgain(tx, campaign, updated, 'lead_changed', now) : updated
}

/** The contents after the patch, and which of them differ. */
export function changedContents(lead: LeadRow, patch: LeadPatch) {
  const next = applyContents(lead, patch)
  return { next, changed: ([...TEXTS, 'variables'] as const).filter(name => JSON.stringify(lead[name]) !== JSON.stringify(next[name])) }
}

function applyContents(lead: LeadRow, patch: LeadPatch): Contents {
  const { firstName, lastName, fullName, company, jobTitle, timezone } = lead
  const next: Contents = { firstName, lastName, fullName, company, jobTitle, timezone, variables: { ...lead.variables } }
  for (const name of TEXTS) if (patch[name] !== undefined) next[name] = nameText(patch[name])
  // A full name that was made of the other names changes with them.
  if (patch.fullName === undefined && fullName === joinName(firstName, lastName)) next.fullName = joinName(next.firstName, next.lastName)
  for (const [name, value] of Object.entries(patch.variables ?? {})) {
    if (value === null) delete next.variables[name]
    else next.variables[name] = value
  }
  if (Object.keys(next.variables).length > MOST_VARIABLES) {
    throw invalid('body', '/variables', 'maxProperties', `a lead has at most ${MOST_VARIABLES} variables`)
  }
  return next
}

/** The missing value may exist now: a lead that was skipped because of it is queued again. The campaign and the lead must be locked. */
async function checkAgain(tx: Tx, campaign: CampaignRow, lead: LeadRow, by: string, now: Date): Promise<LeadRow> {
  tx.wake('sends')
  if (lead.status !== 'skipped' || campaign.status === 'archived') return lead
  const { holdReason } = (await queries.findProgress(tx, lead.id))!
  return holdReason === 'missing_variable' ? waitAgain(tx, campaign, lead, by, now) : lead
}

/** Requeues a skipped lead, whatever the reason was. */
export async function requeueLead(tx: Tx, { workspaceId, campaignId, leadId }: LeadIds, now: Date, tokenId: string | null) {
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
  const lead = existing(await queries.lockLead(tx, workspaceId, campaignId, leadId), 'lead')
  if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
  if (lead.status !== 'skipped')
    throw wrongState(`Only skipped leads can be retried. The status of this lead is ${statusWords(lead.status)}.`, lead.status, 'skipped')
  return waitAgain(tx, campaign, lead, 'requeue', now, tokenId)
}

async function waitAgain(tx: Tx, campaign: CampaignRow, lead: LeadRow, by: string, now: Date, tokenId?: string | null): Promise<LeadRow> {
  const changed = await changeLead(tx, lead, { status: lead.emailSent ? 'contacted' : 'not_yet_contacted', by, tokenId }, now)
  const { nextStep, sequenceVersion, lastSentAt, isUnderWay } = (await queries.findProgress(tx, lead.id))!
  // While a message is leaving, the lead is not in the queue; the outcome of the message puts it back.
  const queue = isUnderWay
    ? { dueAt: null, completesAt: null }
    : await queueAt(tx, campaign, { nextStep, sequenceVersion, lastSentAt, timezone: lead.timezone }, now)
  await queries.updateQueue(tx, lead.id, queue)
  await reopen(tx, campaign, now)
  tx.wake('sends')
  return { ...changed, dueAt: queue.dueAt, holdReason: null, holdUntil: null }
}

type Position = { nextStep: number; sequenceVersion: number | null; lastSentAt: Date | null; timezone: string | null }

/** A follow-up keeps its delay after the message before it; a lead that got all messages is done. */
async function queueAt(tx: Tx, campaign: CampaignRow, position: Position, now: Date) {
  const { nextStep, sequenceVersion, lastSentAt } = position
  const { timezone, useLeadTimezone } = campaign
  if (nextStep === 0 || lastSentAt === null || timezone === null) return { dueAt: now, completesAt: null }
  const delayDays = await queries.findDelayDays(tx, campaign.id, sequenceVersion ?? campaign.sequenceVersion, nextStep)
  if (delayDays === undefined) return { dueAt: null, completesAt: now }
  const due = addBusinessDays(lastSentAt, delayDays, scheduleFor({ timezone, useLeadTimezone }, position.timezone).timezone)
  return { dueAt: due > now ? due : now, completesAt: null }
}

/** Updates leads that exist already from an import. The campaign must be locked. */
export async function updateKnownLeads(tx: Tx, campaign: CampaignRow, rows: NewLeadRow[], now: Date): Promise<number> {
  // An unknown time zone does not replace a valid one.
  const known = rows.map(row => ({ ...row, timezone: row.timezone !== null && isTimezone(row.timezone) ? row.timezone : null }))
  const updated = await queries.updateKnown(tx, campaign.workspaceId, campaign.id, known, now)
  const ids = updated.filter(lead => lead.hasOtherWords).map(lead => lead.id)
  await queries.rewriteWords(tx, campaign.id, ids)
  for (const lead of updated) await checkAgain(tx, campaign, lead, 'import', now)
  return updated.length
}
