import { digits, many } from '../lib/many.ts'
import { DAY_MS } from '../lib/time.ts'
import { type DomainSend, DomainThrottle, MailboxMeter } from './capacity.ts'
import { type HandedIn, type QueuedLead, toQueued } from './mailbox-queue.ts'
import { type Hold, type PlannedMailbox, Planner } from './planner.ts'
import type { ReasonCode } from './reasons.ts'
import type { Schedule } from './window.ts'
import { dateOfDay, zoneOf } from './zone.ts'

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

type Play = {
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

// The sender's own planner on a virtual clock. It assumes that no one replies, bounces or opts out and that no other
// campaign uses the mailboxes beyond what is already counted today, so it shows the most that this campaign will send.

type SimulatedDay = {
  /** The date in the campaign's zone. */
  date: string
  total: number
  byMailbox: Record<string, number>
  /** One number for each step of the sequence. */
  byStep: number[]
}

export type Simulation = {
  sends: number
  days: SimulatedDay[]
  startsAt: Date | null
  endsAt: Date | null
  bindingLimit: BindingLimit
  /** `count` is leads that will not receive all they should, `messages` the messages they will not receive. */
  notSent: { reason: ReasonCode; count: number; messages: number }[]
  /** True when there is more to send than the horizon shows. */
  truncated: boolean
}

/** `onSend` sees every planned message in order. */
export function simulate(input: SimulationInput, onSend?: (send: PlayedSend) => void): Simulation {
  const zone = zoneOf(input.schedule.timezone)
  /** The clock only moves forward, so the days are met in order. */
  const days = new Map<number, SimulatedDay>()
  const played = play(input, send => {
    const number = zone.dayAt(send.atMs)
    const day = days.get(number) ?? { date: dateOfDay(number), total: 0, byMailbox: {}, byStep: input.steps.map(() => 0) }
    days.set(number, day)
    day.total++
    day.byMailbox[send.mailboxId] = (day.byMailbox[send.mailboxId] ?? 0) + 1
    day.byStep[send.step]!++
    onSend?.(send)
  })
  return {
    sends: played.sends,
    days: [...days.values()],
    startsAt: played.firstMs === null ? null : new Date(played.firstMs),
    endsAt: played.lastMs === null ? null : new Date(played.lastMs),
    bindingLimit: findBindingLimit(input, played),
    notSent: sumUnsent(played),
    truncated: played.truncated,
  }
}

function sumUnsent(played: Play): Simulation['notSent'] {
  const sums = new Map<ReasonCode, { reason: ReasonCode; count: number; messages: number }>()
  for (const { reason, count, messages } of played.unsent) {
    const sum = sums.get(reason) ?? { reason, count: 0, messages: 0 }
    sum.count += count
    sum.messages += messages
    sums.set(reason, sum)
  }
  return [...sums.values()].sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}

/** A mailbox of a simulation, and the same without one of its limits. */
export type SimulationMailbox = SimulationInput['mailboxes'][number]

const NO_CAP = 1_000_000_000

export const withoutCap = (mailbox: SimulationMailbox): SimulationMailbox => ({ ...mailbox, dailyCap: NO_CAP, rampUp: null })

export const withoutGap = (mailbox: SimulationMailbox): SimulationMailbox => ({
  ...mailbox,
  minGapSeconds: 0,
  load: { ...mailbox.load, nextSlotAt: null },
})

export const withoutThrottle = (mailbox: SimulationMailbox): SimulationMailbox => ({ ...mailbox, maxPerDomainPerHour: null })

// The limit that decides when the campaign ends is not the one that was met most often, but the one whose absence would end it
// soonest. So the campaign is played again without each limit, and the one with the greatest gain is returned.
// A gain is a day or more (or more messages sent); a gain of a minute at the end does not count.

type BindingLimitCode =
  | 'nothing_to_send'
  | 'no_mailbox'
  | 'end_date'
  | 'mailbox_cap'
  | 'gap_and_window'
  | 'domain_throttle'
  | 'delays'
  | 'nothing'

type BindingLimit = { code: BindingLimitCode; message: string }

type Relaxation = { code: BindingLimitCode; input: SimulationInput }

function findBindingLimit(input: SimulationInput, played: Play): BindingLimit {
  const certain = certainLimit(played)
  if (certain !== null) return certain
  let best: { code: BindingLimitCode; play: Play } | null = null
  for (const { code, input: relaxed } of relaxations(input)) {
    const without = playToBeat(best?.play ?? played, relaxed)
    if (without !== null) best = { code, play: without }
  }
  return best === null ? togetherOrNothing(input, played) : { code: best.code, message: describe(best.code, input) }
}

/**
 * Plays the relaxed campaign and returns it if it does better. The only way to beat a campaign that sends everything is
 * to end on an earlier day, so we need not look at that day any more: most plays end early and cost little.
 */
function playToBeat(target: Play, relaxed: SimulationInput): Play | null {
  const playWith = (end: { horizonDays?: number }) =>
    betterOf(
      relaxed,
      play({ ...relaxed, ...end }, () => {}),
      target,
    )
  if (target.truncated || target.lastMs === null) return playWith({})
  const zone = zoneOf(relaxed.schedule.timezone)
  const lastDayMs = zone.startOfDay(zone.dayAt(target.lastMs))
  const horizonDays = (lastDayMs - 1 - relaxed.now.getTime()) / DAY_MS
  return horizonDays < 0 ? null : playWith({ horizonDays })
}

/** If a limit cuts messages off, it is the binding one, and no comparison is needed. */
function certainLimit(played: Play): BindingLimit | null {
  const cutOff = played.unsent.filter(({ reason }) => reason === 'campaign_expired' || reason === 'due_after_end')
  if (cutOff.length > 0) {
    const messages = cutOff.reduce((sum, leads) => sum + leads.messages, 0)
    const leads = cutOff.reduce((sum, leads) => sum + leads.count, 0)
    return { code: 'end_date', message: `The end date cuts off ${many(messages, 'email')} to ${many(leads, 'lead')}.` }
  }
  if (played.sends > 0 || played.truncated) return null
  if (played.unsent.some(({ reason }) => reason === 'no_mailbox' || reason === 'mailbox_disconnected')) {
    return { code: 'no_mailbox', message: 'No connected mailbox can send for this campaign.' }
  }
  if (played.unsent.some(({ reason }) => reason === 'mailbox_cap')) {
    return { code: 'mailbox_cap', message: 'The daily limit of every mailbox is zero.' }
  }
  return { code: 'nothing_to_send', message: 'No lead is waiting for an email.' }
}

function relaxations(input: SimulationInput): Relaxation[] {
  const { mailboxes, steps } = input
  const list: Relaxation[] = [{ code: 'mailbox_cap', input: { ...input, mailboxes: mailboxes.map(withoutCap) } }]
  if (mailboxes.some(mailbox => mailbox.minGapSeconds > 0)) {
    list.push({ code: 'gap_and_window', input: { ...input, mailboxes: mailboxes.map(withoutGap) } })
  }
  if (mailboxes.some(mailbox => mailbox.maxPerDomainPerHour !== null)) {
    list.push({ code: 'domain_throttle', input: { ...input, mailboxes: mailboxes.map(withoutThrottle) } })
  }
  const now = input.now.getTime()
  if (steps.some(step => step.delayDays > 0) || input.leads.some(lead => lead.dueAt.getTime() > now)) {
    const leads = input.leads.map(lead => (lead.dueAt.getTime() > now ? { ...lead, dueAt: input.now } : lead))
    list.push({ code: 'delays', input: { ...input, leads, steps: steps.map(() => ({ delayDays: 0 })) } })
  }
  return list
}

/** Two limits can be equally tight, so that lifting one alone gains nothing; lifting all limits of the mailboxes shows it. */
function togetherOrNothing(input: SimulationInput, played: Play): BindingLimit {
  const mailboxes = input.mailboxes.map(mailbox => withoutThrottle(withoutGap(withoutCap(mailbox))))
  const code = playToBeat(played, { ...input, mailboxes }) === null ? 'nothing' : 'mailbox_cap'
  return { code, message: describe(code, input) }
}

function betterOf(input: SimulationInput, play: Play, target: Play): Play | null {
  if (play.sends !== target.sends) return play.sends > target.sends ? play : null
  if (play.lastMs === null || target.lastMs === null) return null
  const zone = zoneOf(input.schedule.timezone)
  return zone.dayAt(play.lastMs) < zone.dayAt(target.lastMs) ? play : null
}

function describe(code: BindingLimitCode, input: SimulationInput): string {
  const mailboxes = input.mailboxes.filter(mailbox => mailbox.connected)
  const boxes = many(mailboxes.length, 'mailbox')
  switch (code) {
    case 'mailbox_cap': {
      const limits = mailboxes.map(mailbox => new MailboxMeter(mailbox, mailbox.load).limitAt(input.now.getTime()))
      const today = limits.reduce((sum, limit) => sum + limit, 0)
      const cap = mailboxes.reduce((sum, mailbox) => sum + mailbox.dailyCap, 0)
      const ramp = today < cap ? `, ${digits(today)} a day now during the ramp-up` : ''
      return `The daily limit of ${boxes} sets the pace: ${digits(cap)} emails a day${ramp}.`
    }
    case 'gap_and_window': {
      const { start, end } = input.schedule.timeWindow
      const gap = Math.max(...mailboxes.map(mailbox => mailbox.minGapSeconds))
      return `Between ${start} and ${end} each day, ${boxes} cannot send more emails with ${many(gap, 'second')} between them.`
    }
    case 'domain_throttle':
      return 'Many leads share a domain, and the hourly limit per domain sets the pace.'
    case 'delays':
      return 'The delays between steps set the pace. More mailboxes would not help.'
    default:
      return 'No limit delays the campaign by a day or more.'
  }
}
