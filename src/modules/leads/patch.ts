import type { Tx } from '../../db/client.ts'
import { existing, invalid, invalidState, wrongState } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { visibleText } from '../../lib/storable-text.ts'
import { addBusinessDays, scheduleFor } from '../../scheduling/window.ts'
import { checkTimezone, isTimezone } from '../../scheduling/zone.ts'
import { getLockedCampaign, reopen } from '../campaigns/campaigns.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { changeLead, IMPORTABLE, joinName, type LeadIds, recordLeadEvent, toCents, unsubscribeLead } from './leads.ts'
import {
  type Contents,
  findDelayDays,
  findProgress,
  type LeadRow,
  lockLead,
  type NewLeadRow,
  updateContents,
  updateKnown,
  updateQueue,
} from './queries.ts'
import { type LeadPatch, MOST_VARIABLES } from './schema.ts'
import { rewriteWords } from './word-queries.ts'

// Changes of a lead by people, and how a skipped lead is queued again.

const TEXTS = ['firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone'] as const

const isSearched = (name: string): boolean => ['firstName', 'lastName', 'fullName', 'company'].includes(name)

/** Amounts have two decimals. Silent rounding would make the sum of the changes differ from the value. */
export function checkPatch({ opportunityValue, timezone }: LeadPatch): void {
  if (typeof opportunityValue === 'number' && toCents(opportunityValue) !== opportunityValue) {
    throw invalid('body', '/opportunityValue', 'decimals', 'must have at most two decimals')
  }
  checkTimezone('/timezone', visibleText(timezone) ?? undefined)
}

const changesContents = (patch: LeadPatch): boolean => patch.variables !== undefined || TEXTS.some(name => patch[name] !== undefined)

export async function patchLead(tx: Tx, secrets: SecretBox, ids: LeadIds, patch: LeadPatch, now: Date): Promise<LeadRow> {
  // A campaign is locked before its leads, and a lead that waits again may reopen it.
  const campaign = changesContents(patch) ? await getLockedCampaign(tx, ids.workspaceId, ids.campaignId) : null
  const locked = existing(await lockLead(tx, ids.workspaceId, ids.campaignId, ids.leadId), 'lead')
  const lead = campaign ? await changeContents(tx, campaign, locked, patch, now) : locked
  const current = patch.status === 'unsubscribed' ? await unsubscribeLead(tx, secrets, lead, 'api', now) : lead
  const meetingAt = patch.meetingAt === undefined ? {} : { meetingAt: patch.meetingAt === null ? null : new Date(patch.meetingAt) }
  const value = patch.opportunityValue === undefined ? {} : { opportunityValue: patch.opportunityValue }
  return changeLead(tx, current, { ...(patch.status ? { status: patch.status } : {}), ...value, ...meetingAt, by: 'api' }, now)
}

async function changeContents(tx: Tx, campaign: CampaignRow, lead: LeadRow, patch: LeadPatch, now: Date): Promise<LeadRow> {
  const next = applyContents(lead, patch)
  const changed = ([...TEXTS, 'variables'] as const).filter(name => JSON.stringify(lead[name]) !== JSON.stringify(next[name]))
  if (changed.length === 0) return lead
  const updated = await updateContents(tx, lead.id, next, now)
  if (changed.some(isSearched)) await rewriteWords(tx, lead.campaignId, [lead.id])
  recordLeadEvent(tx, 'lead.updated', lead, { changed, by: 'api' }, now)
  // The other values of the patch are stored as sent.
  return patch.status === undefined ? checkAgain(tx, campaign, updated, 'lead_changed', now) : updated
}

function applyContents(lead: LeadRow, patch: LeadPatch): Contents {
  const { firstName, lastName, fullName, company, jobTitle, timezone } = lead
  const next: Contents = { firstName, lastName, fullName, company, jobTitle, timezone, variables: { ...lead.variables } }
  for (const name of TEXTS) if (patch[name] !== undefined) next[name] = visibleText(patch[name])
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
  const { holdReason } = (await findProgress(tx, lead.id))!
  return holdReason === 'missing_variable' ? waitAgain(tx, campaign, lead, by, now) : lead
}

/** Requeues a skipped lead, whatever the reason was. */
export async function requeueLead(tx: Tx, { workspaceId, campaignId, leadId }: LeadIds, now: Date): Promise<LeadRow> {
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
  const lead = existing(await lockLead(tx, workspaceId, campaignId, leadId), 'lead')
  if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
  if (lead.status !== 'skipped')
    throw wrongState(`The lead is ${lead.status}; only a skipped lead can be requeued.`, lead.status, 'skipped')
  return waitAgain(tx, campaign, lead, 'requeue', now)
}

async function waitAgain(tx: Tx, campaign: CampaignRow, lead: LeadRow, by: string, now: Date): Promise<LeadRow> {
  const changed = await changeLead(tx, lead, { status: lead.emailSent ? 'contacted' : 'not_yet_contacted', by }, now)
  const { nextStep, sequenceVersion, lastSentAt, isUnderWay } = (await findProgress(tx, lead.id))!
  // While a message is leaving, the lead is not in the queue; the outcome of the message puts it back.
  const queue = isUnderWay
    ? { dueAt: null, completesAt: null }
    : await queueAt(tx, campaign, { nextStep, sequenceVersion, lastSentAt, timezone: lead.timezone }, now)
  await updateQueue(tx, lead.id, queue)
  await reopen(tx, campaign, now)
  tx.wake('sends')
  return { ...changed, dueAt: queue.dueAt, holdReason: null, holdUntil: null }
}

type Position = { nextStep: number; sequenceVersion: number | null; lastSentAt: Date | null; timezone: string | null }

/** A follow-up keeps its delay after the message before it; a lead that got all messages is done. */
async function queueAt(
  tx: Tx,
  campaign: CampaignRow,
  position: Position,
  now: Date,
): Promise<{ dueAt: Date | null; completesAt: Date | null }> {
  const { nextStep, sequenceVersion, lastSentAt } = position
  const { timezone, useLeadTimezone } = campaign
  if (nextStep === 0 || lastSentAt === null || timezone === null) return { dueAt: now, completesAt: null }
  const delayDays = await findDelayDays(tx, campaign.id, sequenceVersion ?? campaign.sequenceVersion, nextStep)
  if (delayDays === undefined) return { dueAt: null, completesAt: now }
  const due = addBusinessDays(lastSentAt, delayDays, scheduleFor({ timezone, useLeadTimezone }, position.timezone).timezone)
  return { dueAt: due > now ? due : now, completesAt: null }
}

/** Updates leads that exist already from an import. The campaign must be locked. */
export async function updateKnownLeads(tx: Tx, campaign: CampaignRow, rows: NewLeadRow[], now: Date): Promise<number> {
  // An unknown time zone does not replace a valid one.
  const known = rows.map(row => ({ ...row, timezone: row.timezone !== null && isTimezone(row.timezone) ? row.timezone : null }))
  const updated = await updateKnown(tx, campaign.workspaceId, campaign.id, known, now)
  const ids = updated.filter(lead => lead.hasOtherWords).map(lead => lead.id)
  await rewriteWords(tx, campaign.id, ids)
  for (const lead of updated) await checkAgain(tx, campaign, lead, 'import', now)
  return updated.length
}
