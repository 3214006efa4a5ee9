import type { Db } from '../../db/sql.ts'
import type { DomainSend } from '../../scheduling/capacity.ts'
import { asksAnything } from '../../scheduling/contact-rules.ts'
import type { Hold } from '../../scheduling/planner.ts'
import { CONTACT_REASONS } from '../../scheduling/reasons.ts'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import type { SendingCampaign } from '../sending/claim-queries.ts'
import { judgeContacts, rulesOf } from '../sending/planner-input.ts'
import { dueMsOf, listFirstDue, listOpenEntries, type OpenEntry, type OpenLead } from './queries.ts'

// The waiting leads of a campaign. Leads that are equal for the planner are one entry with a count, so that the cost depends on the number
// of different leads. The contact rules check persons and companies, so for them every lead is different.

/** The contact rules are checked for this many leads, those that are due first; the others count as if no rule applied. */
const MOST_JUDGED = 10_000

export interface WaitingLeads {
  /** The leads that are due first come first. */
  entries: OpenEntry[]
  /** The holds by contact rules, by the id of the entry. */
  contacts: Map<string, Hold>
}

/** The values by which leads are grouped. */
export interface Surroundings {
  mailboxes: SendingMailbox[]
  steps: readonly { delayDays: number }[]
  recentSends: readonly DomainSend[]
}

export async function readWaiting(db: Db, campaign: SendingCampaign, around: Surroundings, now: Date): Promise<WaitingLeads> {
  const { mailboxes, steps, recentSends } = around
  // A lead gets more than one message within an hour where steps have no delay.
  const atOnce = 1 + steps.slice(1).filter(({ delayDays }) => delayDays === 0).length
  const single = asksAnything(rulesOf(campaign)) ? await listFirstDue(db, campaign.id, mailboxIdsOf(campaign), MOST_JUDGED) : []
  const limits = mailboxes.flatMap(({ maxPerDomainPerHour }) => maxPerDomainPerHour ?? [])
  const alike = await listOpenEntries(db, campaign.id, {
    now,
    byZone: campaign.useLeadTimezone,
    crowdedFrom: limits.length === 0 ? null : Math.floor(Math.min(...limits) / atOnce),
    recentDomains: [...new Set(recentSends.map(({ domain }) => domain))],
    detailed: ['domain_throttle', ...CONTACT_REASONS],
    except: single.map(({ id }) => id),
  })
  const entries = single.length === 0 ? alike : [...single, ...alike].sort(byDue)
  return { entries, contacts: await judgeWaiting(db, campaign, single, now) }
}

/** The holds by contact rules for these leads. */
export const judgeWaiting = (db: Db, campaign: SendingCampaign, leads: OpenLead[], now: Date): Promise<Map<string, Hold>> =>
  judgeContacts(db, leads.filter(isQueued), () => campaign, now)

export const mailboxIdsOf = (campaign: SendingCampaign): string[] => [...campaign.mailboxIds, ...campaign.keptMailboxIds]

/** The first `count` waiting leads; the last entry may be cut. */
export function takeFirst(entries: readonly OpenEntry[], most: number): OpenEntry[] {
  const taken: OpenEntry[] = []
  let room = most
  for (const entry of entries) {
    if (room <= 0) break
    taken.push({ ...entry, count: Math.min(entry.count, room) })
    room -= entry.count
  }
  return taken
}

export const countLeads = (entries: readonly OpenEntry[]): number => entries.reduce((sum, { count }) => sum + count, 0)

/** Whether the lead itself is ready for its next message. */
const isQueued = (lead: OpenEntry): boolean => lead.dueAt !== null && lead.openSend === null && !lead.suppressed

const byDue = (a: OpenEntry, b: OpenEntry): number => dueMsOf(a) - dueMsOf(b) || (a.id < b.id ? -1 : 1)
