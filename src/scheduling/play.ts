import { DAY_MS } from '../lib/time.ts'
import { type DomainSend, DomainThrottle } from './capacity.ts'
import { type HandedIn, type QueuedLead, toQueued } from './mailbox-queue.ts'
import { type Hold, type PlannedMailbox, Planner } from './planner.ts'
import type { ReasonCode } from './reasons.ts'
import type { Schedule } from './window.ts'

export type SimulationLead = HandedIn & { hold?: Hold | null }

export type SimulationInput = {
  schedule: Schedule
  steps: readonly { delayDays: number }[]
  leads: readonly SimulationLead[]
  mailboxes: readonly PlannedMailbox[]
  /** The mailboxes for first contacts, when others only continue their threads. */
  mailboxIds?: readonly string[]
  now: Date
  /** The messages of the last hour, for the throttle per recipient domain. */
  recentSends?: readonly DomainSend[]
  seed?: string
  /** How far to look ahead, at most 365 days. */
  horizonDays?: number
  /** The maximum number of messages to plan. The rest counts as beyond the horizon. */
  mostSends?: number
}

/** `entryId` is the lead as it was handed in: itself, or the entry that it was part of. */
export type PlayedSend = { leadId: string; entryId: string; step: number; mailboxId: string; atMs: number }

export type Play = {
  sends: number
  firstMs: number | null
  lastMs: number | null
  /** Leads with steps left, and the messages that they will not receive. */
  unsent: { reason: ReasonCode; count: number; messages: number }[]
  truncated: boolean
}

const CAMPAIGN_ID = 'simulated'
const MAX_HORIZON_DAYS = 365

/**
 * Plays a campaign to its end, jumping from each instant at which something can happen to the next. A caller that has seen enough
 * can end it before: what is left then counts as beyond the horizon.
 */
export function play(input: SimulationInput, onSend: (send: PlayedSend) => void, isEnough: () => boolean = () => false): Play {
  const { planner, leads } = prepare(input)
  const startMs = input.now.getTime()
  const horizonMs = startMs + Math.min(input.horizonDays ?? MAX_HORIZON_DAYS, MAX_HORIZON_DAYS) * DAY_MS
  const result: Play = { sends: 0, firstMs: null, lastMs: null, unsent: [], truncated: false }

  const mostSends = input.mostSends ?? Number.POSITIVE_INFINITY
  const parts = new Set<QueuedLead>()

  let nowMs = startMs
  for (;;) {
    for (const send of planner.tick(nowMs)) {
      const { lead, mailboxId } = send
      if (lead.partOf !== undefined && !parts.has(lead)) {
        parts.add(lead)
        leads.push({ lead, hold: null })
      }
      if (result.sends >= mostSends) continue
      onSend({ leadId: lead.id, entryId: lead.partOf ?? lead.id, step: lead.step, mailboxId, atMs: nowMs })
      result.sends++
      result.firstMs ??= nowMs
      result.lastMs = nowMs
      planner.advance(send, nowMs)
    }
    const next = planner.nextEventAfter(nowMs)
    if (next === null) break
    if (next > horizonMs || result.sends >= mostSends || isEnough()) {
      result.truncated = true
      break
    }
    nowMs = next
  }

  for (const { lead, hold } of leads) {
    const left = input.steps.length - lead.step
    if (left <= 0 || lead.count === 0) continue
    const reason = hold ?? (lead.step === lead.stopsAt ? 'missing_variable' : null) ?? finalReason(planner, lead, nowMs, result.truncated)
    result.unsent.push({ reason, count: lead.count, messages: left * lead.count })
  }
  return result
}

function prepare(input: SimulationInput): { planner: Planner; leads: { lead: QueuedLead; hold: ReasonCode | null }[] } {
  const campaign = {
    id: CAMPAIGN_ID,
    status: 'active',
    schedule: input.schedule,
    steps: input.steps,
    mailboxIds: input.mailboxIds ?? input.mailboxes.map(mailbox => mailbox.id),
  }
  const throttle = new DomainThrottle(input.recentSends)
  const planner = new Planner([campaign], input.mailboxes, throttle, input.seed ?? '')
  const leads = input.leads.map(({ hold, ...handedIn }) => {
    const lead = toQueued(handedIn)
    if (!hold && lead.step !== lead.stopsAt) planner.add(CAMPAIGN_ID, lead)
    return { lead, hold: hold?.reason ?? null }
  })
  return { planner, leads }
}

/** Messages that are left at the end were stopped by the horizon, by the end of the campaign, or by a permanent reason. */
function finalReason(planner: Planner, lead: QueuedLead, nowMs: number, truncated: boolean): ReasonCode {
  const { reason, nextAttemptAt } = planner.explain(CAMPAIGN_ID, lead, nowMs)
  if (nextAttemptAt !== null) return truncated ? 'beyond_horizon' : reason
  switch (reason) {
    case 'waiting_window':
    case 'mailbox_gap':
      return 'campaign_expired'
    case 'mailbox_cap':
    case 'domain_throttle':
      return planner.canEverSend(CAMPAIGN_ID, lead, nowMs) ? 'campaign_expired' : reason
    default:
      return reason
  }
}
