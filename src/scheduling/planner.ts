import { type DomainSend, DomainThrottle, type Mailbox, type MailboxLoad, MailboxMeter } from './capacity.ts'
import { goesBefore, type HandedIn, Heap, MailboxQueue, type QueuedLead, toQueued } from './mailbox-queue.ts'
import type { ContactReason, Reason, ReasonCode, ReasonDetail } from './reasons.ts'
import { addBusinessDays, OpenHours, type Schedule, scheduleFor } from './window.ts'

// The only place that decides which message is sent when. `chooseSends` asks it about an instant, `simulate` drives it from one
// interesting instant to the next. It is fast because a tick touches only what can move: leads that are not due wait in
// a heap, due leads wait in mailboxQueues, and a mailboxQueue whose mailboxes are all busy is passed over as a whole.

export type PlannedCampaign = {
  id: string
  /** Anything but `active` sends nothing. */
  status: string
  schedule: Schedule
  steps: readonly { delayDays: number }[]
  mailboxIds: readonly string[]
}

export type PlannedMailbox = Mailbox & { connected: boolean; load: MailboxLoad }

type PlannedSend = { campaignId: string; lead: QueuedLead; mailboxId: string }

/** When the next step is due after `sentStep` was sent, or null after the last one. Both planner and sender ask here. */
export function dueAfterSend(campaign: Pick<PlannedCampaign, 'steps' | 'schedule'>, sentStep: number, sentAt: Date): Date | null {
  const next = campaign.steps[sentStep + 1]
  return next === undefined ? null : addBusinessDays(sentAt, next.delayDays, campaign.schedule.timezone)
}

/** The leads of a campaign that have one window in common: all of them, unless it goes by their own zones. */
class CampaignQueue {
  readonly campaign: PlannedCampaign
  readonly hours: OpenHours
  readonly pending = new Heap<QueuedLead>((a, b) => a.dueMs < b.dueMs)
  readonly mailboxQueues = new Map<string, MailboxQueue>()

  constructor(campaign: PlannedCampaign) {
    this.campaign = campaign
    this.hours = new OpenHours(campaign.schedule)
  }
}

export class Planner {
  readonly #campaigns = new Map<string, PlannedCampaign>()
  readonly #queues = new Map<string, CampaignQueue>()
  readonly #meters = new Map<string, MailboxMeter>()
  readonly #connected = new Set<string>()
  readonly #throttle: DomainThrottle
  readonly #seed: string

  constructor(campaigns: readonly PlannedCampaign[], mailboxes: readonly PlannedMailbox[], throttle: DomainThrottle, seed: string) {
    for (const campaign of campaigns) this.#campaigns.set(campaign.id, campaign)
    for (const mailbox of mailboxes) {
      this.#meters.set(mailbox.id, new MailboxMeter(mailbox, mailbox.load))
      if (mailbox.connected) this.#connected.add(mailbox.id)
    }
    this.#throttle = throttle
    this.#seed = seed
  }

  /** Puts a lead in the queue for its `step`. Does nothing when there is no such step or campaign. */
  add(campaignId: string, lead: QueuedLead): void {
    const queue = this.#queueOf(campaignId, lead)
    if (queue === undefined || lead.step >= queue.campaign.steps.length) return
    queue.pending.push(lead)
  }

  /** Everything that is sent at this instant, in order. It is reserved at once and leaves the queue. */
  tick(nowMs: number): PlannedSend[] {
    const sends: PlannedSend[] = []
    const turn = new Heap<{ campaignId: string; mailboxQueue: MailboxQueue; head: QueuedLead }>((a, b) => goesBefore(a.head, b.head))
    const touched: MailboxQueue[] = []
    for (const queue of this.#queues.values()) {
      if (queue.campaign.status !== 'active' || !queue.hours.isOpen(nowMs)) continue
      this.#releaseDue(queue, nowMs)
      for (const mailboxQueue of queue.mailboxQueues.values()) {
        if (mailboxQueue.size === 0 || !mailboxQueue.candidates.some(meter => meter.isFree(nowMs))) continue
        const head = mailboxQueue.peek()
        if (head !== undefined) turn.push({ campaignId: queue.campaign.id, mailboxQueue, head })
      }
    }
    for (let next = turn.pop(); next !== undefined; next = turn.pop()) {
      const { campaignId, mailboxQueue, head } = next
      const choice = this.#chooseMailbox(mailboxQueue, head.domain, nowMs)
      // Within one instant capacity only shrinks, so a mailboxQueue without a free mailbox is done for this tick.
      if (choice === 'all_busy') continue
      if (choice === 'throttled') {
        mailboxQueue.setAside()
        touched.push(mailboxQueue)
      } else {
        choice.reserve(nowMs, this.#seed)
        this.#throttle.reserve(choice.mailbox, head.domain, nowMs)
        sends.push({ campaignId, lead: mailboxQueue.pop(), mailboxId: choice.mailbox.id })
      }
      const newHead = mailboxQueue.peek()
      if (newHead !== undefined) turn.push({ campaignId, mailboxQueue, head: newHead })
    }
    for (const mailboxQueue of touched) mailboxQueue.restore()
    return sends
  }

  /** Moves a lead that was sent on to its next step and back into the queue; false after the last step that it gets. */
  advance(send: PlannedSend, sentMs: number): boolean {
    const { lead } = send
    const { campaign } = this.#queueOf(send.campaignId, lead)!
    const due = dueAfterSend(campaign, lead.step, new Date(sentMs))
    lead.step++
    lead.mailboxId = send.mailboxId
    if (due === null || lead.step === lead.stopsAt) return false
    lead.dueMs = due.getTime()
    this.add(send.campaignId, lead)
    return true
  }

  /**
   * The next instant, after a tick at `nowMs`, at which something can change. Nothing changes before it, and perhaps
   * nothing changes then. Null when nothing will ever change.
   */
  nextEventAfter(nowMs: number): number | null {
    let next: number | null = null
    for (const queue of this.#queues.values()) {
      if (queue.campaign.status !== 'active') continue
      const moved = this.#nextMove(queue, nowMs)
      const opening = moved === null ? null : queue.hours.nextOpening(moved)
      next = earliest(next, opening)
    }
    return next
  }

  /** Why this lead gets no message at `nowMs`, and the time of the next check. Call it after the tick. */
  explain(campaignId: string, lead: QueuedLead, nowMs: number): Reason {
    const queue = this.#queueOf(campaignId, lead)
    if (queue === undefined) return wait('campaign_not_active')
    const { campaign, hours } = queue
    if (lead.step >= campaign.steps.length) return wait('sequence_completed')
    if (campaign.status !== 'active') return wait('campaign_not_active', null, { status: campaign.status })
    const opening = hours.nextOpening(nowMs)
    if (opening === null) return wait('campaign_expired')
    if (lead.dueMs > opening) {
      const dueOpening = hours.nextOpening(lead.dueMs)
      return dueOpening === null ? wait('due_after_end') : wait('not_due', dueOpening)
    }
    if (nowMs < hours.startMs) return wait('campaign_not_started', opening)
    if (opening > nowMs) return wait('waiting_window', opening)
    return this.#explainCapacity(queue, lead, nowMs)
  }

  /** False when the limits of the mailboxes stay zero, so that no schedule would help. */
  canEverSend(campaignId: string, lead: QueuedLead, nowMs: number): boolean {
    const campaign = this.#campaigns.get(campaignId)
    if (campaign === undefined) return false
    return this.#candidates(campaign, lead).some(meter => {
      const available = meter.availableAt(nowMs)
      return available !== null && this.#throttle.peek(meter.mailbox, lead.domain, available) !== null
    })
  }

  loads(): Map<string, MailboxLoad> {
    return new Map([...this.#meters].map(([id, meter]) => [id, meter.load()]))
  }

  #queueOf(campaignId: string, lead: QueuedLead): CampaignQueue | undefined {
    const campaign = this.#campaigns.get(campaignId)
    if (campaign === undefined) return undefined
    const schedule = scheduleFor(campaign.schedule, lead.timezone)
    const key = `${campaignId}|${schedule.timezone}`
    let queue = this.#queues.get(key)
    if (queue === undefined) {
      queue = new CampaignQueue({ ...campaign, schedule })
      this.#queues.set(key, queue)
    }
    return queue
  }

  #releaseDue(queue: CampaignQueue, nowMs: number): void {
    for (let lead = queue.pending.peek(); lead !== undefined && lead.dueMs <= nowMs; lead = queue.pending.peek()) {
      queue.pending.pop()
      this.#mailboxQueueOf(queue, lead).push(lead)
    }
  }

  #mailboxQueueOf(queue: CampaignQueue, lead: QueuedLead): MailboxQueue {
    const key = lead.mailboxId ?? ''
    let mailboxQueue = queue.mailboxQueues.get(key)
    if (mailboxQueue === undefined) {
      mailboxQueue = new MailboxQueue(this.#candidates(queue.campaign, lead))
      queue.mailboxQueues.set(key, mailboxQueue)
    }
    return mailboxQueue
  }

  /** A lead that was written to stays with its mailbox: another sender cannot continue the thread. */
  #candidates(campaign: PlannedCampaign, lead: QueuedLead): MailboxMeter[] {
    const ids = lead.mailboxId === null ? campaign.mailboxIds : [lead.mailboxId]
    return ids.filter(id => this.#connected.has(id)).map(id => this.#meters.get(id)!)
  }

  #chooseMailbox(mailboxQueue: MailboxQueue, domain: string, nowMs: number): MailboxMeter | 'all_busy' | 'throttled' {
    let best: MailboxMeter | null = null
    let anyFree = false
    for (const meter of mailboxQueue.candidates) {
      if (!meter.isFree(nowMs)) continue
      anyFree = true
      if (this.#throttle.peek(meter.mailbox, domain, nowMs) !== nowMs) continue
      if (best === null || meter.compareLoad(best, nowMs) < 0) best = meter
    }
    return best ?? (anyFree ? 'throttled' : 'all_busy')
  }

  #nextMove(queue: CampaignQueue, nowMs: number): number | null {
    const pending = queue.pending.peek()
    let next = pending === undefined ? null : Math.max(nowMs, pending.dueMs)
    // Everything that was due and open was tried at this instant; a closed campaign changes when it opens.
    if (!queue.hours.isOpen(nowMs)) {
      const waiting = [...queue.mailboxQueues.values()].some(mailboxQueue => mailboxQueue.size > 0)
      return waiting ? nowMs : next
    }
    for (const mailboxQueue of queue.mailboxQueues.values()) {
      if (mailboxQueue.size === 0) continue
      for (const meter of mailboxQueue.candidates) {
        const available = meter.availableAt(nowMs)
        if (available === null || available > nowMs) next = earliest(next, available)
        else for (const domain of mailboxQueue.domains()) next = earliest(next, this.#throttle.peek(meter.mailbox, domain, nowMs))
      }
    }
    return next
  }

  #explainCapacity(queue: CampaignQueue, lead: QueuedLead, nowMs: number): Reason {
    const candidates = this.#candidates(queue.campaign, lead)
    if (candidates.length === 0) {
      const known = lead.mailboxId !== null && this.#meters.has(lead.mailboxId)
      return known ? wait('mailbox_disconnected', null, { mailboxId: lead.mailboxId! }) : wait('no_mailbox')
    }
    let best: MailboxMeter | null = null
    let bestAt: number | null = null
    for (const meter of candidates) {
      const at = this.#earliestFor(meter, queue.hours, lead.domain, nowMs)
      if (best !== null && (at === null || (bestAt !== null && at >= bestAt))) continue
      best = meter
      bestAt = at
    }
    return this.#blame(best!, lead.domain, nowMs, bestAt)
  }

  /** Once free, mailbox and throttle stay free while nothing is sent, so at the end only the window is left to wait for. */
  #earliestFor(meter: MailboxMeter, hours: OpenHours, domain: string, nowMs: number): number | null {
    const available = meter.availableAt(nowMs)
    const allowed = available === null ? null : this.#throttle.peek(meter.mailbox, domain, available)
    return allowed === null ? null : hours.nextOpening(allowed)
  }

  #blame(meter: MailboxMeter, domain: string, nowMs: number, at: number | null): Reason {
    const { id, maxPerDomainPerHour } = meter.mailbox
    const blocked = meter.blockedBy(nowMs)
    if (blocked === 'mailbox_cap') {
      return wait(blocked, at, { mailboxId: id, used: meter.reservedAt(nowMs), limit: meter.limitAt(nowMs) })
    }
    if (blocked === 'mailbox_gap') return wait(blocked, at, { mailboxId: id })
    return wait('domain_throttle', at, { mailboxId: id, domain, limit: maxPerDomainPerHour ?? 0 })
  }
}

function wait(reason: ReasonCode, atMs: number | null = null, detail: ReasonDetail | null = null): Reason {
  return { reason, nextAttemptAt: atMs === null ? null : new Date(atMs), detail }
}

function earliest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

// The messages that may be sent at one instant, and for all others the reason and the time of the next attempt. The order:
// - A lead has one entry, for its next step; it has none while the step before has no outcome.
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

export type PlannerLead = Omit<HandedIn, 'stopsAt'> & {
  campaignId: string
  mailboxId: string | null
  hold: Hold | null
}

export type PlannerState = {
  campaigns: readonly PlannedCampaign[]
  leads: readonly PlannerLead[]
  mailboxes: readonly PlannedMailbox[]
  /** The messages of the last hour, for the throttle per recipient domain. */
  recentSends: readonly DomainSend[]
  /** Decides the jitter of the gaps. */
  seed: string
}

type Subject = { campaignId: string; leadId: string; step: number }
type SendDecision = Subject & { mailboxId: string; at: Date }
export type WaitDecision = Subject & Reason & { count: number }

export type ChosenSends = {
  /** In the order in which they should go. */
  sends: SendDecision[]
  /** One for every other lead, in the order given. */
  waits: WaitDecision[]
  /** The load of every mailbox once the sends are reserved. */
  loads: Map<string, MailboxLoad>
}

export function chooseSends(state: PlannerState, now: Date): ChosenSends {
  const nowMs = now.getTime()
  const planner = new Planner(state.campaigns, state.mailboxes, new DomainThrottle(state.recentSends), state.seed)
  const queued = new Map<PlannerLead, QueuedLead>()
  for (const lead of state.leads) {
    if (lead.hold !== null) continue
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
    const reason = entry === undefined ? heldBack(lead.hold!) : planner.explain(lead.campaignId, entry, nowMs)
    // The leads that get a message have left the entry.
    waits.push({ campaignId: lead.campaignId, leadId: lead.id, step: lead.step, count: entry?.count ?? lead.count ?? 1, ...reason })
  }
  return {
    sends: planned.map(({ campaignId, lead, mailboxId }) => {
      return { campaignId, leadId: lead.id, step: lead.step, mailboxId, at: now }
    }),
    waits,
    loads: planner.loads(),
  }
}

function heldBack({ reason, nextAttemptAt, detail }: Hold): Reason {
  return { reason, nextAttemptAt: nextAttemptAt ?? null, detail: detail ?? null }
}
