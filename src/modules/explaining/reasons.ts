import type { Db } from '../../db/client.ts'
import { isContactReason } from '../../scheduling/contact-reasons.ts'
import { isLimit, type WaitingGroup } from '../../scheduling/if-lifted.ts'
import { type PlanLead, planTick } from '../../scheduling/plan.ts'
import {
  type Reason,
  type ReasonCode,
  type ReasonDetail,
  reasonCatalogue,
  sumReasons,
  type Wording,
  wordReason,
  wordTime,
} from '../../scheduling/reasons.ts'
import { scheduleFor } from '../../scheduling/window.ts'
import { listMailboxes, type SendingMailbox } from '../mailboxes/mailboxes.ts'
import { judgeContacts } from '../sending/contact.ts'
import {
  holdByMailbox,
  holdByTrackingHost,
  readRecentSends,
  readSendingCampaign,
  type SendingCampaign,
  toPlannedCampaign,
  toPlannedMailbox,
} from '../sending/planning.ts'
import { type Fix, fixOf } from './fixes.ts'
import { type IfLifted, liftLimits } from './lifts.ts'
import { countAssumed, countByStatus, findOpenLead, listFirstDue, listOpenLeads, type OpenLead } from './queries.ts'

// Why nothing was sent. What holds for a lead right now is not stored but worked out, by the planner that sends: so it
// is never out of date. Stored is what nobody could work out again: what a mail server said, and when.

/** Reasons beyond the schedule's own: what mail servers and people have said. */
const HEARD = {
  recipient_deferred: 'the server of the recipient asked to try again later',
  connection_lost: 'the connection to the mail server was lost before the message was handed over',
  mailbox_unreachable: 'the mail server could not be reached',
  mailbox_refused: 'the mail server refused the mailbox',
  recipient_away: 'the recipient is away',
} as const

type HeardCode = keyof typeof HEARD

export interface Waiting {
  reason: string
  nextAttemptAt: Date | null
  detail: unknown
}

interface WaitingSum extends Waiting {
  members: WaitingLead[]
  count: number
  text: string
}

type ExplainedSum = WaitingSum & { fix: Fix | null; ifLifted: IfLifted | null }
type WaitingLead = Waiting & { leadId: string }

/** How many leads of a campaign are looked at to tell when one of them would leave. */
const MOST_AHEAD = 2000

interface SendingReport {
  status: string
  mailboxes: SendingMailbox[]
  /** How many messages would go at this moment. */
  readyCount: number
  inFlightCount: number
  /** Of how many it is not known whether they left. */
  unknownCount: number
  /** How many count as sent although nobody could tell. */
  assumedCount: number
  reasons: ExplainedSum[]
  nextAttemptAt: Date | null
}

const isHeard = (reason: string): reason is HeardCode => reason in HEARD

/** Everything that keeps the leads of a campaign waiting, summed up and in words. */
export async function reportSending(db: Db, campaignId: string, now: Date): Promise<SendingReport> {
  const campaign = (await readSendingCampaign(db, campaignId))!
  const mailboxes = await listMailboxes(db, [...campaign.mailboxIds, ...campaign.keptMailboxIds])
  const leads = await listOpenLeads(db, campaignId)
  const wording = { now, timezone: campaign.timezone ?? 'UTC' }
  const judged = await judge(db, campaign, mailboxes, leads, now)
  const waits: WaitingLead[] = [...judged.waits].map(([leadId, wait]) => ({ leadId, ...wait }))
  const skipped: { reason: string; detail: unknown; leadId: string }[] = []
  for (const { status, reason, detail, count, leadId } of await countByStatus(db, campaignId)) {
    if (status !== 'skipped' || reason === null) continue
    skipped.push({ reason, detail, leadId })
    for (let n = 0; n < count; n++) waits.push({ leadId, reason, nextAttemptAt: null, detail })
  }
  const planned = sumReasons(waits.filter(isPlanned) as (Reason & WaitingLead)[], wording)
  const heard = sumHeard(
    waits.filter(wait => !isPlanned(wait)),
    wording,
  )
  const sums: WaitingSum[] = [...planned, ...heard].sort((a, b) => b.count - a.count)
  const lifts = await liftLimits(db, sums.map(toGroup), { campaign, mailboxes, leads, wording })
  const times = waits.flatMap(wait => wait.nextAttemptAt ?? []).map(at => at.getTime())
  return {
    status: campaign.status,
    mailboxes,
    readyCount: judged.ready,
    inFlightCount: leads.filter(lead => lead.openSend === 'claimed' || lead.openSend === 'sending').length,
    unknownCount: leads.filter(lead => lead.openSend === 'unknown').length,
    assumedCount: await countAssumed(db, campaignId),
    reasons: sums.map((sum, index) => {
      const isSame = (lead: { reason: string; detail: unknown }): boolean =>
        lead.reason === sum.reason && JSON.stringify(lead.detail) === JSON.stringify(sum.detail)
      const leadId = skipped.find(isSame)?.leadId ?? null
      const fix = fixOf(sum, { campaign, mailboxes, leadId, count: sum.count, now })
      return { ...sum, fix, ifLifted: lifts[index]! }
    }),
    nextAttemptAt: judged.ready > 0 ? now : times.length > 0 ? new Date(times.reduce((a, b) => Math.min(a, b))) : null,
  }
}

/** What holds one lead back at this moment, in words; null when nothing does, or nothing is left to send. */
export async function explainLead(
  db: Db,
  campaignId: string,
  leadId: string,
  now: Date,
): Promise<(Waiting & { step: number; text: string; fix: Fix | null; ifLifted: IfLifted | null }) | null> {
  const lead = await findOpenLead(db, leadId)
  const campaign = lead && (await readSendingCampaign(db, campaignId))
  if (!lead || !campaign) return null
  const mailboxIds = [...new Set([...campaign.mailboxIds, ...(lead.providerId ? [lead.providerId] : [])])]
  const mailboxes = await listMailboxes(db, mailboxIds)
  const { waits } = await judge(db, campaign, mailboxes, [lead], now)
  const wait = waits.get(lead.id)
  if (!wait) return null
  const { timezone } = scheduleFor(campaign, lead.timezone)
  const wording = { now, timezone: timezone ?? 'UTC' }
  const text = wordWaiting(wait, wording)
  const fix = fixOf(wait, { campaign, mailboxes, leadId, count: 1, now })
  const group = { reason: wait.reason, detail: wait.detail as ReasonDetail | null, leadIds: [leadId] }
  const ahead = isLimit(wait.reason) ? await listFirstDue(db, campaignId, MOST_AHEAD) : []
  const [ifLifted] = await liftLimits(db, [group], { campaign, mailboxes, leads: ahead, wording })
  return { ...wait, step: lead.step, text, fix, ifLifted: ifLifted! }
}

const toGroup = ({ reason, detail, members }: WaitingSum): WaitingGroup => ({
  reason,
  detail: detail as ReasonDetail | null,
  leadIds: members.map(({ leadId }) => leadId),
})

const isPlanned = (wait: Waiting): boolean => wait.reason in reasonCatalogue

export function wordWaiting(wait: Waiting, wording: Wording): string {
  if (isPlanned(wait)) return wordReason(wait as Reason, wording)
  const meaning = isHeard(wait.reason) ? HEARD[wait.reason] : wait.reason
  return `waits: ${meaning}${wait.nextAttemptAt ? `, next ${wordTime(wait.nextAttemptAt, wording)}` : ''}`
}

function sumHeard(waits: WaitingLead[], wording: Wording): WaitingSum[] {
  return [...Map.groupBy(waits, wait => wait.reason)].map(([reason, group]) => {
    const times = group.flatMap(wait => wait.nextAttemptAt ?? []).sort((a, b) => a.getTime() - b.getTime())
    const sum = { reason, nextAttemptAt: times[0] ?? null, detail: null, members: group }
    const text = wordWaiting(sum, wording)
    return { ...sum, count: group.length, text: `${group.length} ${group.length === 1 ? text : text.replace(/^waits/, 'wait')}` }
  })
}

/** Asks the planner about these leads, as if they were all there are. */
async function judge(
  db: Db,
  campaign: SendingCampaign,
  mailboxes: SendingMailbox[],
  leads: OpenLead[],
  now: Date,
): Promise<{ waits: Map<string, Waiting>; ready: number }> {
  const waits = new Map<string, Waiting>()
  const asked: PlanLead[] = []
  const contacts = await judgeContacts(db, leads.filter(isQueued), () => campaign, now)
  for (const lead of leads) {
    const contact = contacts.get(lead.id)
    const known = knownReason(campaign, lead, contact !== undefined, now)
    if (known) waits.set(lead.id, known)
    else {
      const { id, step, domain, timezone } = lead
      const hold = lead.suppressed
        ? ({ reason: 'suppressed' } as const)
        : (contact ?? holdByTrackingHost(campaign) ?? holdByMailbox({ step, mailboxId: lead.providerId }, mailboxes, now))
      asked.push({ id, campaignId: campaign.id, step, domain, timezone, dueAt: lead.dueAt!, mailboxId: lead.providerId, hold })
    }
  }
  if (asked.length === 0) return { waits, ready: 0 }
  const recentSends = await readRecentSends(db, mailboxes, now)
  const plan = planTick(
    {
      campaigns: [toPlannedCampaign(campaign, campaign.status)],
      leads: asked,
      mailboxes: mailboxes.map(toPlannedMailbox),
      recentSends,
      seed: 'send',
    },
    now,
  )
  for (const { leadId, reason, nextAttemptAt, detail } of plan.waits) waits.set(leadId, { reason, nextAttemptAt, detail })
  return { waits, ready: plan.sends.length }
}

/** Waits for a message, as far as the lead itself is concerned. */
const isQueued = (lead: OpenLead): boolean => lead.dueAt !== null && lead.openSend === null && !lead.suppressed

function knownReason(campaign: SendingCampaign, lead: OpenLead, isHeldByRules: boolean, now: Date): Waiting | null {
  const wait = (reason: ReasonCode, detail: unknown = null): Waiting => ({ reason, nextAttemptAt: null, detail })
  if (lead.openSend !== null) return wait('earlier_step_open', { status: lead.openSend })
  if (lead.dueAt === null) return wait('sequence_completed')
  // Without a window there is nothing to reckon with; a campaign that is not active has not got one by necessity.
  if (campaign.timezone === null) return wait('campaign_not_active', { status: campaign.status })
  if (campaign.status === 'completed' && campaign.endDate !== null && campaign.endDate <= now) return wait('campaign_expired')
  const isKept = lead.holdReason !== null && (isHeard(lead.holdReason) || lead.holdReason === 'domain_throttle')
  if (isKept && lead.holdReason && lead.holdUntil && lead.holdUntil > now && campaign.status === 'active') {
    return { reason: lead.holdReason, nextAttemptAt: lead.holdUntil, detail: lead.holdDetail }
  }
  // Whom it waited for may be done in the meantime. It is due when it is looked at again.
  if (!isHeldByRules && isContactReason(lead.holdReason) && lead.dueAt > now && campaign.status === 'active') {
    return { reason: lead.holdReason, nextAttemptAt: lead.dueAt, detail: lead.holdDetail }
  }
  return null
}
