import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { isEmail } from '../../lib/email.ts'
import { invalid, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { isTimezone } from '../../scheduling/zone.ts'
import { type CampaignRow, countLeads, getLockedCampaign } from '../campaigns/campaigns.ts'
import { recordEvent } from '../events/events.ts'
import { hashAddress, suppress, whichAreSuppressed } from '../suppressions/suppressions.ts'
import {
  countMailable,
  deleteLead,
  findLead,
  insertLeads,
  type LeadRow,
  listOpenLeads,
  lockLead,
  type NewLeadRow,
  updateOutcome,
} from './queries.ts'
import type { LeadPatch, LeadSource, LeadStatus, NewLead } from './schema.ts'

export type { LeadRow }

export const IMPORTABLE = ['draft', 'active', 'paused', 'completed', 'attention_needed'] as const

const PROSPECT: ReadonlySet<LeadStatus> = new Set(['interested', 'meeting_booked', 'meeting_completed', 'closed'])

export const isProspect = (status: LeadStatus): boolean => PROSPECT.has(status)

export async function getLead(db: Db, workspaceId: string, campaignId: string, id: string): Promise<LeadRow> {
  const lead = await findLead(db, workspaceId, campaignId, id)
  if (!lead) throw notFound('lead')
  return lead
}

/** The lead, locked until the transaction ends, or undefined when it is gone. */
export const getLockedLead = lockLead

export const countMailableLeads = countMailable

export interface ImportResult {
  importedCount: number
  duplicateCount: number
  suppressedCount: number
  invalid: { index: number; reason: string }[]
}

const INVALID_SHOWN = 100

/**
 * Adds people to a campaign. Nobody is in it twice, nobody who is suppressed gets in, and a bad row is reported
 * instead of spoiling the rest. The campaign must be locked.
 */
export async function importLeads(
  tx: Tx,
  secrets: SecretBox,
  campaign: CampaignRow,
  leads: NewLead[],
  batch: { leadListName: string | null; source: LeadSource; now: Date },
): Promise<ImportResult> {
  const invalid: ImportResult['invalid'] = []
  const rows: NewLeadRow[] = []
  const seen = new Set<string>()
  let duplicateCount = 0
  leads.forEach((lead, index) => {
    const problem = problemOf(lead)
    if (problem) {
      if (invalid.length < INVALID_SHOWN) invalid.push({ index, reason: problem })
      return
    }
    const address = lead.email.trim().toLowerCase()
    if (seen.has(address)) {
      duplicateCount++
      return
    }
    seen.add(address)
    rows.push(toRow(secrets, lead))
  })

  const suppressed = await whichAreSuppressed(
    tx,
    campaign.workspaceId,
    rows.map(row => ({ email: row.emailHash, domain: row.domainHash })),
  )
  const allowed = rows.filter((_, index) => !suppressed.has(index))
  const importedCount = allowed.length > 0 ? await insertLeads(tx, campaign.workspaceId, campaign.id, allowed, batch) : 0
  await countLeads(tx, campaign, importedCount, batch.now)
  return { importedCount, duplicateCount: duplicateCount + allowed.length - importedCount, suppressedCount: suppressed.size, invalid }
}

function problemOf(lead: NewLead): string | null {
  if (!isEmail(lead.email.trim())) return 'email is not an e-mail address'
  if (lead.timezone && !isTimezone(lead.timezone)) return 'timezone is not an IANA time zone'
  return null
}

function toRow(secrets: SecretBox, lead: NewLead): NewLeadRow {
  const email = lead.email.trim()
  const text = (value: string | null | undefined): string | null => value?.trim() || null
  const hashes = hashAddress(secrets, email)
  const [firstName, lastName] = [text(lead.firstName), text(lead.lastName)]
  return {
    id: newId(),
    email,
    emailHash: hashes.email,
    domainHash: hashes.domain,
    firstName,
    lastName,
    fullName: text(lead.fullName) ?? ([firstName, lastName].filter(Boolean).join(' ') || null),
    company: text(lead.company),
    jobTitle: text(lead.jobTitle),
    timezone: text(lead.timezone),
    variables: lead.variables ?? {},
  }
}

/**
 * The one place where the status of a lead changes. The event says whether the lead is there for the first time:
 * that is all the metrics need. The lead must be locked.
 */
export async function changeLead(
  tx: Tx,
  lead: LeadRow,
  change: { status?: LeadStatus; opportunityValue?: number | null; meetingAt?: Date | null; by: string },
  now: Date,
): Promise<LeadRow> {
  const status = change.status ?? lead.status
  const opportunityValue = change.opportunityValue === undefined ? lead.opportunityValue : change.opportunityValue
  const meetingAt = change.meetingAt === undefined ? lead.meetingAt : change.meetingAt
  const isSame = status === lead.status && opportunityValue === lead.opportunityValue && meetingAt?.getTime() === lead.meetingAt?.getTime()
  if (isSame) return lead

  const first = !lead.reached.includes(status) && status !== lead.status
  const firstProspect = isProspect(status) && !lead.reached.some(isProspect)
  const reached = first ? [...lead.reached, status] : lead.reached
  const changed = await updateOutcome(tx, lead.id, { status, reached, opportunityValue, meetingAt }, now)
  const opportunityValueChange = toCents((opportunityValue ?? 0) - (lead.opportunityValue ?? 0))
  recordEvent(tx, {
    workspaceId: lead.workspaceId,
    type: status === lead.status ? 'lead.updated' : 'lead.status_changed',
    timestamp: now,
    campaignId: lead.campaignId,
    leadId: lead.id,
    data: {
      leadId: lead.id,
      campaignId: lead.campaignId,
      email: lead.email,
      from: lead.status,
      to: status,
      first,
      firstProspect,
      opportunityValue,
      meetingAt: meetingAt?.toISOString() ?? null,
      by: change.by,
      ...(opportunityValueChange === 0 ? {} : { opportunityValueChange }),
    },
  })
  return changed
}

export interface ContactedLead {
  id: string
  workspaceId: string
  campaignId: string
  email: string
  reached: LeadStatus[]
}

/** The first message has left for each of these, as they were before: the update that notes the message changes the status, too. */
export function announceContacted(tx: Tx, leads: ContactedLead[], now: Date): void {
  for (const { id, workspaceId, campaignId, email, reached } of leads) {
    const first = !reached.includes('contacted')
    const data = { leadId: id, campaignId, email, from: 'not_yet_contacted', to: 'contacted', first, firstProspect: false, by: 'sender' }
    recordEvent(tx, { workspaceId, type: 'lead.status_changed', timestamp: now, campaignId, leadId: id, data })
  }
}

/** An opt-out, however it reached us: the lead stops, and the address is never written to again. */
export async function unsubscribeLead(tx: Tx, secrets: SecretBox, lead: LeadRow, by: string, now: Date): Promise<LeadRow> {
  if (lead.status === 'unsubscribed') return lead
  await suppress(tx, secrets, lead.workspaceId, { kind: 'email', value: lead.email, reason: 'unsubscribed' }, now)
  const changed = await changeLead(tx, lead, { status: 'unsubscribed', by }, now)
  recordEvent(tx, {
    workspaceId: lead.workspaceId,
    type: 'lead.unsubscribed',
    timestamp: now,
    campaignId: lead.campaignId,
    leadId: lead.id,
    data: { leadId: lead.id, campaignId: lead.campaignId, email: lead.email, first: !lead.reached.includes('unsubscribed'), by },
  })
  await stopSamePerson(tx, lead, 'opt_out', now)
  return changed
}

const STOPPED_AS = { positive_reply: 'skipped', opt_out: 'unsubscribed', bounce: 'bounced' } as const

/**
 * The same address may be in other campaigns of the workspace. What it said or suffered in one of them ends the others,
 * and the event of each says by what. The lead must be locked.
 */
export const stopSamePerson = (tx: Tx, lead: LeadRow, cause: keyof typeof STOPPED_AS, now: Date): Promise<void> =>
  stopOpenLeads(tx, lead, lead.email, { status: STOPPED_AS[cause], by: `${cause}_in_other_campaign` }, now)

/** Every lead with this address that is still written to, except the one that is dealt with already. */
export async function stopOpenLeads(
  tx: Tx,
  except: LeadRow,
  email: string,
  change: { status: LeadStatus; by: string },
  now: Date,
): Promise<void> {
  for (const { id, campaignId } of await listOpenLeads(tx, except.workspaceId, email)) {
    const other = id === except.id ? undefined : await lockLead(tx, except.workspaceId, campaignId, id)
    if (other?.status === 'not_yet_contacted' || other?.status === 'contacted') await changeLead(tx, other, change, now)
  }
}

const toCents = (value: number): number => Math.round(value * 100) / 100

/** Money has two decimals here. Rounding in silence would make the sum of the changes differ from the value itself. */
export function checkPatch({ opportunityValue }: LeadPatch): void {
  if (typeof opportunityValue === 'number' && toCents(opportunityValue) !== opportunityValue) {
    throw invalid('body', '/opportunityValue', 'decimals', 'must have at most two decimals')
  }
}

export async function patchLead(
  tx: Tx,
  secrets: SecretBox,
  ids: { workspaceId: string; campaignId: string; leadId: string },
  patch: LeadPatch,
  now: Date,
): Promise<LeadRow> {
  const lead = await lockLead(tx, ids.workspaceId, ids.campaignId, ids.leadId)
  if (!lead) throw notFound('lead')
  const current = patch.status === 'unsubscribed' ? await unsubscribeLead(tx, secrets, lead, 'api', now) : lead
  const meetingAt = patch.meetingAt === undefined ? {} : { meetingAt: patch.meetingAt === null ? null : new Date(patch.meetingAt) }
  const value = patch.opportunityValue === undefined ? {} : { opportunityValue: patch.opportunityValue }
  return changeLead(tx, current, { ...(patch.status ? { status: patch.status } : {}), ...value, ...meetingAt, by: 'api' }, now)
}

export async function removeLead(tx: Tx, ids: { workspaceId: string; campaignId: string; leadId: string }, now: Date): Promise<void> {
  const campaign = await getLockedCampaign(tx, ids.workspaceId, ids.campaignId)
  if ((await deleteLead(tx, ids.workspaceId, ids.campaignId, ids.leadId)) === 0) throw notFound('lead')
  await countLeads(tx, campaign, -1, now)
}

export function presentLead(row: LeadRow, ctx: Pick<Context, 'link'>) {
  const { reached: _reached, meetingAt, createdAt, updatedAt, ...shown } = row
  return {
    ...shown,
    isProspect: isProspect(row.status),
    meetingAt: meetingAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/campaigns/${row.campaignId}/leads/${row.id}`) },
  }
}
