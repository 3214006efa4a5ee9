import type { Context } from '../../context/context.ts'
import { isLimit, type Lift, type WaitingGroup, wordLift } from '../../scheduling/lifted-limits.ts'
import type { PlannerLead } from '../../scheduling/planner.ts'
import { makePlanningThreads, type PlanningThreads } from '../../scheduling/planning.ts'
import {
  HEARD_REASONS,
  isContactReason,
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
import type { SendingMailbox } from '../mailboxes/queries.ts'
import { findSendingCampaign, type SendingCampaign } from '../sending/claim-queries.ts'
import { holdOutside, toPlannedCampaign, toPlannedMailbox } from '../sending/scheduler-input.ts'
import { type Fix, fixOf } from './fixes.ts'
import { countAssumed, countSkipped } from './queries.ts'
import { readSurroundings, toSimulationInput } from './simulation.ts'
import { countLeads, judgeWaiting, mailboxIdsOf, readWaiting, type Surroundings, takeFirst, type WaitingLeads } from './waiting.ts'
import { findOpenLead, listFirstDue, type OpenEntry } from './waiting-queries.ts'

// Why nothing was sent. The current reason of a lead is not stored: the planner of the sender computes it, so it is never out of date. Only
// reasons that cannot be computed again are stored, such as the answer of a mail server.

interface Waiting {
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
/** One lead, or several equal ones. */
type WaitingLead = Waiting & { leadId: string; count: number }

/** The number of leads that are simulated to find out when one of them would be contacted. */
const MOST_AHEAD = 2000

interface SendingReport {
  status: string
  mailboxes: SendingMailbox[]
  /** The number of messages that can be sent now. */
  readyCount: number
  inFlightCount: number
  /** The number of messages with an unknown outcome. */
  unknownCount: number
  /** The number of messages that count as sent although their outcome is unknown. */
  assumedCount: number
  reasons: ExplainedSum[]
  nextAttemptAt: Date | null
}

const isHeard = (reason: string): reason is keyof typeof HEARD_REASONS => reason in HEARD_REASONS

/** The reasons why the leads of a campaign wait, with counts and in words. */
export async function reportSending(ctx: Pick<Context, 'db' | 'part'>, campaignId: string, now: Date): Promise<SendingReport> {
  const { db } = ctx
  const threads = ctx.part(makePlanningThreads)
  const campaign = (await findSendingCampaign(db, campaignId))!
  const around = await readSurroundings(db, campaign, now)
  const { mailboxes } = around
  const waiting = await readWaiting(db, campaign, around, now)
  const wording = { now, timezone: campaign.timezone }
  const judged = await judge(threads, campaign, around, waiting, now)
  const skipped = await countSkipped(db, campaignId)
  const waits = [...judged.waits, ...skipped.map(wait => ({ ...wait, nextAttemptAt: null }))]
  const planned = sumReasons(waits.filter(isPlanned) as (Reason & WaitingLead)[], wording)
  const heard = sumHeard(
    waits.filter(wait => !isPlanned(wait)),
    wording,
  )
  const sums: WaitingSum[] = [...planned, ...heard].sort((a, b) => b.count - a.count)
  const lifts = await liftLimits(threads, sums.map(toGroup), { campaign, around, waiting, wording })
  const times = waits.flatMap(wait => wait.nextAttemptAt ?? []).map(at => at.getTime())
  const countOpen = (...statuses: string[]): number =>
    countLeads(waiting.entries.filter(({ openSend }) => openSend !== null && statuses.includes(openSend)))
  return {
    status: campaign.status,
    mailboxes,
    readyCount: judged.ready,
    inFlightCount: countOpen('claimed', 'sending'),
    unknownCount: countOpen('unknown'),
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

/** The current hold of one lead, in words; null when there is none, or nothing is left to send. */
export async function explainLead(
  ctx: Pick<Context, 'db' | 'part'>,
  campaignId: string,
  leadId: string,
  now: Date,
): Promise<(Waiting & { step: number; text: string; fix: Fix | null; ifLifted: IfLifted | null }) | null> {
  const { db } = ctx
  const threads = ctx.part(makePlanningThreads)
  const lead = await findOpenLead(db, leadId)
  const campaign = lead && (await findSendingCampaign(db, campaignId))
  if (!lead || !campaign) return null
  const around = await readSurroundings(db, campaign, now, { mailboxId: lead.providerId })
  const { mailboxes } = around
  const contacts = await judgeWaiting(db, campaign, [lead], now)
  const [wait] = (await judge(threads, campaign, around, { entries: [lead], contacts }, now)).waits
  if (!wait) return null
  const { timezone } = scheduleFor(campaign, lead.timezone)
  const wording = { now, timezone }
  const text = wordWaiting(wait, wording)
  const fix = fixOf(wait, { campaign, mailboxes, leadId, count: 1, now })
  const group = { reason: wait.reason, detail: wait.detail as ReasonDetail | null, leadIds: [leadId] }
  const ahead = isLimit(wait.reason) ? await listFirstDue(db, campaignId, mailboxIdsOf(campaign), MOST_AHEAD) : []
  const waiting = { entries: ahead, contacts: await judgeWaiting(db, campaign, ahead, now) }
  const [ifLifted] = await liftLimits(threads, [group], { campaign, around, waiting, wording })
  const { reason, nextAttemptAt, detail } = wait
  return { reason, nextAttemptAt, detail, step: lead.step, text, fix, ifLifted: ifLifted! }
}

const toGroup = ({ reason, detail, members }: WaitingSum): WaitingGroup => ({
  reason,
  detail: detail as ReasonDetail | null,
  leadIds: members.map(({ leadId }) => leadId),
})

const isPlanned = (wait: Waiting): boolean => wait.reason in reasonCatalogue

export function wordWaiting(wait: Waiting, wording: Wording): string {
  if (isPlanned(wait)) return wordReason(wait as Reason, wording)
  const meaning = isHeard(wait.reason) ? HEARD_REASONS[wait.reason] : wait.reason
  const hold = wait.reason === 'recipient_away' ? meaning : `waiting: ${meaning}`
  return `${hold}${wait.nextAttemptAt ? `, next ${wordTime(wait.nextAttemptAt, wording)}` : ''}`
}

function sumHeard(waits: WaitingLead[], wording: Wording): WaitingSum[] {
  return [...Map.groupBy(waits, wait => wait.reason)].map(([reason, group]) => {
    const times = group.flatMap(wait => wait.nextAttemptAt ?? []).sort((a, b) => a.getTime() - b.getTime())
    const sum = { reason, nextAttemptAt: times[0] ?? null, detail: null, members: group }
    const text = wordWaiting(sum, wording)
    const count = group.reduce((total, wait) => total + wait.count, 0)
    return { ...sum, count, text: `${count} ${text}` }
  })
}

/** Runs the planner with these leads, as if there were no others. */
async function judge(
  threads: PlanningThreads,
  campaign: SendingCampaign,
  { mailboxes, recentSends }: Surroundings,
  { entries, contacts }: WaitingLeads,
  now: Date,
): Promise<{ waits: WaitingLead[]; ready: number }> {
  const waits: WaitingLead[] = []
  const asked: PlannerLead[] = []
  for (const entry of entries) {
    const { id, count, step, domain, timezone, providerId: mailboxId } = entry
    const contact = contacts.get(id)
    const known = knownReason(campaign, entry, contact !== undefined, now)
    if (known) waits.push({ ...known, leadId: id, count })
    else {
      const hold = entry.suppressed
        ? ({ reason: 'suppressed' } as const)
        : (contact ?? holdOutside({ campaign, mailboxes }, { step, mailboxId }, now))
      asked.push({ id, count, campaignId: campaign.id, step, domain, timezone, dueAt: entry.dueAt!, mailboxId, hold })
    }
  }
  if (asked.length === 0) return { waits, ready: 0 }
  const chosen = await threads.ask({
    kind: 'choose',
    state: {
      campaigns: [toPlannedCampaign(campaign, campaign.status)],
      leads: asked,
      mailboxes: mailboxes.map(toPlannedMailbox),
      recentSends,
      seed: 'send',
    },
    now,
  })
  for (const { leadId, count, reason, nextAttemptAt, detail } of chosen.waits) waits.push({ leadId, count, reason, nextAttemptAt, detail })
  return { waits, ready: chosen.sends.length }
}

function knownReason(campaign: SendingCampaign, lead: OpenEntry, isHeldByRules: boolean, now: Date): Waiting | null {
  const wait = (reason: ReasonCode, detail: unknown = null): Waiting => ({ reason, nextAttemptAt: null, detail })
  if (lead.openSend !== null) return wait('earlier_step_open', { status: lead.openSend })
  if (lead.dueAt === null) return wait('sequence_completed')
  // Nothing can be planned without a window. A campaign that is not active may have none.
  if (campaign.timezone === null) return wait('campaign_not_active', { status: campaign.status })
  if (campaign.status === 'completed' && campaign.endDate !== null && campaign.endDate <= now) return wait('campaign_expired')
  const isKept = lead.holdReason !== null && (isHeard(lead.holdReason) || lead.holdReason === 'domain_throttle')
  if (isKept && lead.holdReason && lead.holdUntil && lead.holdUntil > now && campaign.status === 'active') {
    return { reason: lead.holdReason, nextAttemptAt: lead.holdUntil, detail: lead.holdDetail }
  }
  // The lead that it waited for may be finished by now. It is due when it is checked again.
  if (!isHeldByRules && isContactReason(lead.holdReason) && lead.dueAt > now && campaign.status === 'active') {
    return { reason: lead.holdReason, nextAttemptAt: lead.dueAt, detail: lead.holdDetail }
  }
  return null
}

/** A change that would follow if a limit were lifted, in words. */
export type IfLifted = Lift & { text: string }

/** The request waits for the simulations, so only the leads that are due first take part. */
const MOST_LEADS = 5000

interface Circumstances {
  campaign: SendingCampaign
  around: Surroundings
  waiting: WaitingLeads
  wording: Wording
}

/** For each group, the effect of lifting its limit; null when nothing would change, or when it is too far in the future to compute. */
async function liftLimits(
  threads: PlanningThreads,
  groups: readonly WaitingGroup[],
  { campaign, around, waiting, wording }: Circumstances,
): Promise<(IfLifted | null)[]> {
  const nothing = groups.map(() => null)
  if (campaign.timezone === null || campaign.sequenceVersion === 0) return nothing
  if (!groups.some(({ reason }) => isLimit(reason))) return nothing
  const entries = takeFirst(waiting.entries, MOST_LEADS)
  const known = new Set(entries.map(({ id }) => id))
  const asked = groups.map(group => ({ ...group, leadIds: group.leadIds.filter(id => known.has(id)) }))
  const input = toSimulationInput(campaign, around, { ...waiting, entries }, wording.now)
  const lifts = await threads.ask({ kind: 'lift', input, groups: asked })
  return lifts.map(lift => lift && { ...lift, text: wordLift(lift, wording) })
}

export const presentLift = (lift: IfLifted | null) =>
  lift && { limit: lift.limit, value: lift.value, leavesAt: lift.leavesAt.toISOString(), count: lift.count, text: lift.text }
