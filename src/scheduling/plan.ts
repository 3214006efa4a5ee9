import { type DomainSend, DomainThrottle, type MailboxLoad } from './capacity.ts'
import type { ContactReason } from './contact-reasons.ts'
import { type HandedIn, type QueuedLead, toQueued } from './lane.ts'
import { type PlannedCampaign, type PlannedMailbox, Planner } from './planner.ts'
import type { Reason, ReasonDetail } from './reasons.ts'

// The messages that may be sent at one instant, and for all others the reason and the time of the next attempt. The order:
// - The steps of a lead go one after the other; a step waits while an earlier one has no outcome.
// - Follow-ups go before first contacts; within each, the lead that has been due the longest goes first.
// - A first contact takes the free mailbox that has used the smallest share of its day. A follow-up keeps the mailbox of
//   the message before it and waits for that one, even when another is free: the thread belongs to the mailbox.
// - A next attempt means "not before": others may take the slot, and then there is a new reason.

/** A reason of the caller that forbids a message at any time. */
export type Hold = {
  reason:
    | 'suppressed'
    | 'missing_variable'
    | 'lead_final'
    | 'earlier_step_open'
    | 'inbox_unread'
    | 'mailbox_resting'
    | 'tracking_host_failing'
    | ContactReason
  detail?: ReasonDetail
  nextAttemptAt?: Date | null
}

export type PlanLead = Omit<HandedIn, 'stopsAt'> & {
  campaignId: string
  mailboxId: string | null
  hold: Hold | null
}

export type PlanState = {
  campaigns: readonly PlannedCampaign[]
  leads: readonly PlanLead[]
  mailboxes: readonly PlannedMailbox[]
  /** The messages of the last hour, for the throttle per recipient domain. */
  recentSends: readonly DomainSend[]
  /** Decides the jitter of the gaps. */
  seed: string
}

type Subject = { campaignId: string; leadId: string; step: number }
type SendDecision = Subject & { mailboxId: string; at: Date }
export type WaitDecision = Subject & Reason & { count: number }

export type Plan = {
  /** In the order in which they should go. */
  sends: SendDecision[]
  /** One for every other lead, in the order given. */
  waits: WaitDecision[]
  /** The load of every mailbox once the sends are reserved. */
  loads: Map<string, MailboxLoad>
  /** The earliest next attempt among the waits: there is no use in another tick before it unless something changes. */
  wakeAt: Date | null
}

export function planTick(state: PlanState, now: Date): Plan {
  const nowMs = now.getTime()
  const planner = new Planner(state.campaigns, state.mailboxes, new DomainThrottle(state.recentSends), state.seed)
  const lowestStep = lowestSteps(state.leads)
  const queued = new Map<PlanLead, QueuedLead>()
  for (const lead of state.leads) {
    if (lead.hold !== null || lowestStep.get(leadKey(lead)) !== lead) continue
    const entry = toQueued(lead)
    queued.set(lead, entry)
    planner.add(lead.campaignId, entry)
  }

  const planned = planner.tick(nowMs)
  const sent = new Set(planned.map(send => send.lead))
  const waits: WaitDecision[] = []
  for (const lead of state.leads) {
    const entry = queued.get(lead)
    if (entry !== undefined && (entry.count === 0 || sent.has(entry))) continue
    const reason = entry === undefined ? heldBack(lead) : planner.explain(lead.campaignId, entry, nowMs)
    // The leads that get a message have left the entry.
    waits.push({ campaignId: lead.campaignId, leadId: lead.id, step: lead.step, count: entry?.count ?? lead.count ?? 1, ...reason })
  }
  return {
    sends: planned.map(({ campaignId, lead, mailboxId }) => {
      return { campaignId, leadId: lead.id, step: lead.step, mailboxId, at: now }
    }),
    waits,
    loads: planner.loads(),
    wakeAt: earliestAttempt(waits),
  }
}

/** If a lead is passed in twice, only its lowest step takes part; the others wait for the outcome of that one. */
function lowestSteps(leads: readonly PlanLead[]): Map<string, PlanLead> {
  const lowest = new Map<string, PlanLead>()
  for (const lead of leads) {
    const known = lowest.get(leadKey(lead))
    if (known === undefined || lead.step < known.step) lowest.set(leadKey(lead), lead)
  }
  return lowest
}

function leadKey(lead: PlanLead): string {
  return `${lead.campaignId}|${lead.id}`
}

function heldBack({ hold }: PlanLead): Reason {
  if (hold === null) return { reason: 'earlier_step_open', nextAttemptAt: null, detail: null }
  return { reason: hold.reason, nextAttemptAt: hold.nextAttemptAt ?? null, detail: hold.detail ?? null }
}

function earliestAttempt(waits: readonly WaitDecision[]): Date | null {
  let earliest: Date | null = null
  for (const { nextAttemptAt } of waits) {
    if (nextAttemptAt !== null && (earliest === null || nextAttemptAt < earliest)) earliest = nextAttemptAt
  }
  return earliest
}
