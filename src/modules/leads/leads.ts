import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { existing, notFound } from '../../lib/errors.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { isTimezone } from '../../scheduling/zone.ts'
import { countLeads, getLockedCampaign } from '../campaigns/campaigns.ts'
import type { EventData, EventType } from '../events/data-schema.ts'
import { recordEvent } from '../events/events.ts'
import type { ExportedPerson } from '../exports/queries.ts'
import { suppress } from '../suppressions/suppressions.ts'
import { deleteLead, findLead, type LeadRow, listOpenLeads, lockLead, updateOutcome } from './queries.ts'
import type { LeadStatus, NewLead } from './schema.ts'
import { rewriteWords } from './word-queries.ts'

export const IMPORTABLE = ['draft', 'active', 'paused', 'completed', 'attention_needed'] as const

const PROSPECT: ReadonlySet<LeadStatus> = new Set(['interested', 'meeting_booked', 'meeting_completed', 'closed'])

export const isProspect = (status: LeadStatus): boolean => PROSPECT.has(status)

export const getLead = async (db: Db, workspaceId: string, campaignId: string, id: string): Promise<LeadRow> =>
  existing(await findLead(db, workspaceId, campaignId, id), 'lead')

/** The names that a template can use, besides those that every lead has. */
export function toNewLead(person: Omit<ExportedPerson, 'n'>): NewLead {
  const { email, firstName, lastName, fullName, jobTitle, company, ...rest } = person
  const variables: Record<string, string> = {}
  for (const name of ['industry', 'city', 'country'] as const) if (rest[name]) variables[name] = rest[name]
  return { email, firstName, lastName, fullName, jobTitle, company, variables }
}

interface LeadWarning {
  field: string
  message: string
}

/** Values of a lead that cannot be used. They are kept unchanged, so that a person can correct them. */
export const warningsOf = (timezone: string | null | undefined): LeadWarning[] =>
  timezone && !isTimezone(timezone)
    ? [{ field: 'timezone', message: 'timezone is not an IANA time zone, so the time zone of the campaign is used' }]
    : []

export const joinName = (firstName: string | null, lastName: string | null): string | null =>
  [firstName, lastName].filter(Boolean).join(' ') || null

type NamesLead = { leadId: string; campaignId: string; email: string | null }
type LeadEventType = { [T in EventType]: EventData<T> extends NamesLead ? T : never }[EventType]
type LeadEventData<T extends LeadEventType> = Omit<EventData<T>, keyof NamesLead>
type LeadOfEvent = Pick<LeadRow, 'id' | 'workspaceId' | 'campaignId' | 'email'>

/** An event about a lead contains its id, its campaign and its address, and `data`. */
export function recordLeadEvent<T extends LeadEventType>(tx: Tx, type: T, lead: LeadOfEvent, data: LeadEventData<T>, now: Date): void {
  const { id: leadId, workspaceId, campaignId, email } = lead
  const said = { leadId, campaignId, email, ...data } as unknown as EventData<T>
  recordEvent(tx, { workspaceId, type, timestamp: now, campaignId, leadId, data: said })
}

/**
 * The one place where the status of a lead changes. The event says whether the lead has this status for the first
 * time, which is all that the metrics need. The lead must be locked.
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
  const data = {
    from: lead.status,
    to: status,
    first,
    firstProspect,
    opportunityValue,
    meetingAt: meetingAt?.toISOString() ?? null,
    by: change.by,
    ...(opportunityValueChange === 0 ? {} : { opportunityValueChange }),
  }
  recordLeadEvent(tx, status === lead.status ? 'lead.updated' : 'lead.status_changed', lead, data, now)
  return changed
}

/** Handles an opt-out from any source: the sequence of the lead ends, and its address is suppressed. */
export async function unsubscribeLead(tx: Tx, secrets: SecretBox, lead: LeadRow, by: string, now: Date): Promise<LeadRow> {
  // Also when the lead is unsubscribed already, because the suppression may have been removed since.
  await suppress(tx, secrets, lead.workspaceId, { kind: 'email', value: lead.email, reason: 'unsubscribed' }, now)
  if (lead.status === 'unsubscribed') return lead
  const changed = await changeLead(tx, lead, { status: 'unsubscribed', by }, now)
  recordLeadEvent(tx, 'lead.unsubscribed', lead, { first: !lead.reached.includes('unsubscribed'), by }, now)
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

/** The ids in the path of a lead. */
export interface LeadIds {
  workspaceId: string
  campaignId: string
  leadId: string
}

export const toCents = (value: number): number => Math.round(value * 100) / 100

export async function removeLead(tx: Tx, ids: LeadIds, now: Date): Promise<void> {
  const campaign = await getLockedCampaign(tx, ids.workspaceId, ids.campaignId)
  if ((await deleteLead(tx, ids.workspaceId, ids.campaignId, ids.leadId)) === 0) throw notFound('lead')
  await rewriteWords(tx, ids.campaignId, [ids.leadId])
  await countLeads(tx, campaign, -1, now)
}

export function presentLead(row: LeadRow, ctx: Pick<Context, 'link'>) {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    campaignId: row.campaignId,
    email: row.email,
    firstName: row.firstName,
    lastName: row.lastName,
    fullName: row.fullName,
    company: row.company,
    jobTitle: row.jobTitle,
    timezone: row.timezone,
    variables: row.variables,
    warnings: warningsOf(row.timezone),
    leadListName: row.leadListName,
    status: row.status,
    source: row.source,
    emailOpenCount: row.emailOpenCount,
    emailBounceCount: row.emailBounceCount,
    emailSent: row.emailSent,
    isProspect: isProspect(row.status),
    opportunityValue: row.opportunityValue,
    meetingAt: row.meetingAt?.toISOString() ?? null,
    ...presentQueue(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/campaigns/${row.campaignId}/leads/${row.id}`) },
  }
}

/** A stored reason may be out of date: it counts only while a step is planned, or when the lead was skipped because of it. */
const isHeld = (row: LeadRow): boolean => row.dueAt !== null || (row.status === 'skipped' && row.holdUntil === null)

/** The next planned step of a lead, and the reason why it waited when it was last checked. */
const presentQueue = (row: LeadRow) => ({
  next: row.dueAt && { step: row.nextStep, dueAt: row.dueAt.toISOString() },
  hold: row.holdReason !== null && isHeld(row) ? { reason: row.holdReason, until: row.holdUntil?.toISOString() ?? null } : null,
})
