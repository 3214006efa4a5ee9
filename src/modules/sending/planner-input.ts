import type { Db, Tx } from '../../db/sql.ts'
import { domainOf } from '../../lib/email.ts'
import { hash32 } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import { isFreeMail } from '../../mail/transport/hosters.ts'
import { type MailboxLoad, MailboxMeter } from '../../scheduling/capacity.ts'
import {
  asksAboutCompany,
  asksAboutPerson,
  type Contact,
  type ContactFacts,
  ContactJudge,
  type ContactOverrides,
  type ContactRules,
  effectiveRules,
} from '../../scheduling/contact-rules.ts'
import type { Hold, PlannedCampaign, PlannedMailbox } from '../../scheduling/planner.ts'
import { OpenHours, type Schedule } from '../../scheduling/window.ts'
import { toMailbox } from '../mailboxes/mailboxes.ts'
import { listMailboxes, type SendingMailbox } from '../mailboxes/queries.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import type { DueCampaign, RecentSend, WaitingCampaign } from './claim-queries.ts'
import * as claimQueries from './claim-queries.ts'
import type { Message } from './queries.ts'

// Turns rows into the input of the planner.

/** The messages of the last hour, for mailboxes that limit how many go to one domain. */
export function readRecentSends(db: Db, mailboxes: SendingMailbox[], now: Date): Promise<RecentSend[]> {
  const throttled = mailboxes.filter(mailbox => mailbox.maxPerDomainPerHour !== null).map(mailbox => mailbox.id)
  return claimQueries.listRecentSends(db, throttled, new Date(now.getTime() - HOUR_MS))
}

export const toPlannedMailbox = (mailbox: SendingMailbox): PlannedMailbox => ({
  ...toMailbox(mailbox),
  connected: mailbox.status === 'connected',
  load: loadOf(mailbox),
})

const loadOf = (mailbox: SendingMailbox): MailboxLoad => ({
  day: mailbox.loadDay,
  reserved: mailbox.loadReserved,
  nextSlotAt: mailbox.nextSlotAt,
})

export const meterOf = (mailbox: SendingMailbox): MailboxMeter => new MailboxMeter(toPlannedMailbox(mailbox), loadOf(mailbox))

export const scheduleOf = (campaign: DueCampaign): Schedule => ({
  ...pick(campaign, 'daysOfWeek', 'timezone', 'startDate', 'endDate', 'useLeadTimezone'),
  timeWindow: { start: campaign.windowStart, end: campaign.windowEnd },
})

/**
 * Finds the first instant, from a given one on, at which the campaign may email a lead; null if there is none. A campaign that
 * uses the time zones of its leads may do so at any time between its dates; leads whose window is closed move back in the queue.
 */
export function openingsOf(campaign: DueCampaign): (fromMs: number) => number | null {
  const hours = new OpenHours(scheduleOf(campaign))
  if (!campaign.useLeadTimezone) return fromMs => hours.nextOpening(fromMs)
  return fromMs => (Math.max(fromMs, hours.startMs) < hours.endMs ? Math.max(fromMs, hours.startMs) : null)
}

/** A lead that is due has a next step, whatever its version, so the planner need not know the steps of each version. */
const ANY_STEPS: PlannedCampaign['steps'] = Array.from({ length: 100 }, () => ({ delayDays: 0 }))

export const toPlannedCampaign = (campaign: DueCampaign, status = 'active'): PlannedCampaign => ({
  id: campaign.id,
  status,
  schedule: scheduleOf(campaign),
  steps: ANY_STEPS,
  mailboxIds: campaign.mailboxIds,
})

/**
 * A campaign whose messages carry links waits while its tracking host does not work: links to another host would be
 * worse than a later message.
 */
export function holdByTrackingHost(campaign: DueCampaign): Hold | null {
  const { trackingHost } = campaign
  return trackingHost?.isFailing && carriesLinks(campaign) ? { reason: 'tracking_host_failing', detail: { host: trackingHost.host } } : null
}

export const carriesLinks = ({
  trackOpens,
  trackClicks,
  unsubscribe,
}: Pick<DueCampaign, 'trackOpens' | 'trackClicks' | 'unsubscribe'>): boolean => trackOpens || trackClicks || unsubscribe !== 'reply-line'

const hasUnreadInbox = ({ settings, inboxState }: SendingMailbox): boolean =>
  settings.imap != null && inboxState !== null && inboxState !== 'readable'

/** Whether the mailbox may send first messages, as far as its inbox is concerned. */
export function mayOpenThreads(mailbox: SendingMailbox): boolean {
  const inbox = mailbox.settings.imap as { firstStepsWithoutInbox?: boolean } | null | undefined
  return inbox?.firstStepsWithoutInbox !== false || !hasUnreadInbox(mailbox)
}

/**
 * The reasons against a message now that come from the mailbox of a lead, or from all its possible mailboxes. No lead gets
 * a follow-up while a reply may be in an unread inbox.
 */
function holdByMailbox(lead: { step: number; mailboxId: string | null }, mailboxes: SendingMailbox[], now: Date): Hold | null {
  const able = mailboxes.filter(({ id, status }) => status === 'connected' && (lead.mailboxId === null || lead.mailboxId === id))
  const [first] = able
  if (!first) return null
  const isHeld = (mailbox: SendingMailbox): boolean => (lead.step > 0 ? hasUnreadInbox(mailbox) : !mayOpenThreads(mailbox))
  if (able.every(isHeld)) return { reason: 'inbox_unread', detail: { mailboxId: first.id } }
  const rests = able.map(mailbox => mailbox.restingUntil?.getTime() ?? 0)
  const until = Math.min(...rests)
  if (until <= now.getTime()) return null
  return { reason: 'mailbox_resting', detail: { mailboxId: able[rests.indexOf(until)]!.id }, nextAttemptAt: new Date(until) }
}

export interface Surroundings {
  campaign: DueCampaign
  mailboxes: SendingMailbox[]
}

/** Reasons against a message now that do not depend on the lead itself. */
export const holdOutside = (
  { campaign, mailboxes }: Surroundings,
  lead: { step: number; mailboxId: string | null },
  now: Date,
): Hold | null => holdByTrackingHost(campaign) ?? holdByMailbox(lead, mailboxes, now)

/** Picks by weight, and always the same for the same seed, so that a second try sends the same message. */
export function chooseVariant(step: SequenceStep, seed: string): SequenceStep['variants'][number] {
  const total = step.variants.reduce((sum, variant) => sum + variant.weight, 0)
  let point = hash32(`variant:${seed}`) % total
  for (const variant of step.variants) {
    point -= variant.weight
    if (point < 0) return variant
  }
  return step.variants.at(-1)!
}

/** Opening times and capacity are queried in turn until both agree; each result is later than the previous one. */
const MAX_ROUNDS = 50

/**
 * The first moment at which a message of the installation may leave. Nothing leaves earlier; a message may leave later,
 * because a domain can be at its limit. Null when no message will leave.
 */
export async function nextSendAt(db: Db, now: Date): Promise<Date | null> {
  const campaigns = await claimQueries.listWaitingCampaigns(db)
  if (campaigns.length === 0) return null
  const ids = new Set(campaigns.flatMap(campaign => [...campaign.mailboxIds, ...campaign.keptMailboxIds]))
  const mailboxes = new Map((await listMailboxes(db, [...ids])).map(mailbox => [mailbox.id, mailbox]))
  const moments = campaigns.flatMap(campaign => momentsOf(campaign, mailboxes, now.getTime()))
  return moments.length === 0 ? null : new Date(Math.min(...moments))
}

function momentsOf(campaign: WaitingCampaign, mailboxes: ReadonlyMap<string, SendingMailbox>, nowMs: number): number[] {
  if (holdByTrackingHost(campaign)) return []
  const nextOpening = openingsOf(campaign)
  return campaign.queues.flatMap(({ mailboxId, dueAt }) =>
    (mailboxId === null ? campaign.mailboxIds : [mailboxId]).flatMap(id => {
      const mailbox = mailboxes.get(id)
      const fromMs = Math.max(nowMs, new Date(dueAt).getTime(), mailbox?.restingUntil?.getTime() ?? 0)
      return (mailbox?.status === 'connected' ? firstFree(nextOpening, mailbox, fromMs) : null) ?? []
    }),
  )
}

function firstFree(nextOpening: (fromMs: number) => number | null, mailbox: SendingMailbox, fromMs: number): number | null {
  const meter = meterOf(mailbox)
  let atMs: number | null = fromMs
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const openMs: number | null = nextOpening(atMs)
    const freeMs: number | null = openMs === null ? null : meter.availableAt(openMs)
    if (freeMs === null || freeMs === openMs) return freeMs
    atMs = freeMs
  }
  return atMs
}

// Turns rows into the input of the contact rules.

/** How far a lead moves back in the queue when it waits for another lead and not for a time. A reply never expires. */
const LOOK_AGAIN_MS = HOUR_MS
const LOOK_AGAIN_AFTER_REPLY_MS = DAY_MS

interface ContactLead extends Pick<Message, 'id' | 'workspaceId' | 'campaignId' | 'step'> {
  email: string
}

type Ruled = { contactRules: ContactOverrides; workspaceContactRules: ContactOverrides }

export const rulesOf = (campaign: Ruled): ContactRules => effectiveRules(campaign.workspaceContactRules, campaign.contactRules)

/** Whether the rules end the sequence of a lead, instead of only making it wait. */
export const isStopped = (reason: string, campaign: Ruled): boolean =>
  reason === 'company_replied' && rulesOf(campaign).companyReplied === 'stop'

/** When a lead that the rules hold back is looked at again. */
export const lookAgainAt = ({ reason, nextAttemptAt }: { reason: string; nextAttemptAt?: Date | null }, now: Date): Date =>
  nextAttemptAt ?? new Date(now.getTime() + (reason === 'company_replied' ? LOOK_AGAIN_AFTER_REPLY_MS : LOOK_AGAIN_MS))

/** The domain of a company; null for a provider of personal mailboxes. */
function companyOf(email: string): string | null {
  const domain = domainOf(email)
  return isFreeMail(domain) ? null : domain
}

/** Until the commit, no other transaction with these locks emails the same people or companies. */
export async function holdContacts(tx: Tx, leads: ContactLead[]): Promise<void> {
  const keys = leads.flatMap(({ workspaceId, email }) => {
    const company = companyOf(email)
    return [`${workspaceId} ${email.toLowerCase()}`, ...(company === null ? [] : [`${workspaceId} @${company}`])]
  })
  if (keys.length > 0) await claimQueries.lockContacts(tx, keys)
}

/** The reasons of the rules against emailing these leads now, checked in the given order. */
export async function judgeContacts<L extends ContactLead>(db: Db, leads: readonly L[], campaignOf: (lead: L) => Ruled, now: Date) {
  const asked = leads.map(lead => ({ lead, rules: rulesOf(campaignOf(lead)), company: companyOf(lead.email) }))
  const ofPerson = asked.filter(({ rules }) => asksAboutPerson(rules))
  const ofCompany = asked.filter(({ rules, company }) => company !== null && asksAboutCompany(rules))
  const holds = new Map<string, Hold>()
  if (ofPerson.length + ofCompany.length === 0) return holds
  const most = ofCompany.reduce((most, { rules }) => Math.max(most, rules.maxPerCompanyAtOnce ?? 0), 0)
  const facts = new Map<string, Partial<ContactFacts>>()
  const people = await claimQueries.readPeople(db, idsOf(ofPerson))
  const companies = await claimQueries.readCompanies(db, idsOf(ofCompany), most)
  for (const { leadId, ...fact } of [...people, ...companies]) facts.set(leadId, { ...facts.get(leadId), ...fact })
  // Messages of several workspaces are judged together, and no workspace may see anything of another.
  const judges = new Map(asked.map(({ lead }) => [lead.workspaceId, new ContactJudge(now)]))
  for (const { lead, rules, company } of asked) {
    const contact: Contact = {
      campaignId: lead.campaignId,
      address: lead.email.toLowerCase(),
      company,
      isFirst: lead.step === 0,
      rules,
      facts: { contactedElsewhereAt: null, aheadElsewhere: null, hasCompanyReplied: false, inSequence: [], ...facts.get(lead.id) },
    }
    const hold = judges.get(lead.workspaceId)!.judge(contact)
    if (hold) holds.set(lead.id, hold)
  }
  return holds
}

const idsOf = (asked: readonly { lead: ContactLead }[]): string[] => asked.map(({ lead }) => lead.id)
