import { DAY_MS } from '../lib/time.ts'
import { MailboxMeter } from './capacity.ts'
import { type Play, play, type SimulationInput } from './play.ts'
import { zoneOf } from './zone.ts'

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

// Which limit decides when the campaign ends? Not the one that was met most often, but the one whose absence would end it
// soonest. So we ask exactly that: the campaign is played again without each limit, and the greatest gain is the answer.
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

export type BindingLimit = { code: BindingLimitCode; message: string }

type Relaxation = { code: BindingLimitCode; input: SimulationInput }

export function findBindingLimit(input: SimulationInput, played: Play): BindingLimit {
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

/** When a limit cuts messages off, it is the answer, and no comparison is needed. */
function certainLimit(played: Play): BindingLimit | null {
  const cutOff = played.unsent.filter(({ reason }) => reason === 'campaign_expired' || reason === 'due_after_end')
  if (cutOff.length > 0) {
    const messages = cutOff.reduce((sum, leads) => sum + leads.messages, 0)
    const leads = cutOff.reduce((sum, leads) => sum + leads.count, 0)
    return {
      code: 'end_date',
      message: `The end date cuts off ${count(messages, 'message')} to ${count(leads, 'lead')}.`,
    }
  }
  if (played.sends > 0 || played.truncated) return null
  if (played.unsent.some(({ reason }) => reason === 'no_mailbox' || reason === 'mailbox_disconnected')) {
    return { code: 'no_mailbox', message: 'No connected mailbox can send for this campaign.' }
  }
  if (played.unsent.some(({ reason }) => reason === 'mailbox_cap')) {
    return { code: 'mailbox_cap', message: 'The daily cap of every mailbox is zero.' }
  }
  return { code: 'nothing_to_send', message: 'No lead is waiting for a message.' }
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
  const boxes = count(mailboxes.length, 'mailbox')
  switch (code) {
    case 'mailbox_cap': {
      const limits = mailboxes.map(mailbox => new MailboxMeter(mailbox, mailbox.load).limitAt(input.now.getTime()))
      const today = limits.reduce((sum, limit) => sum + limit, 0)
      const cap = mailboxes.reduce((sum, mailbox) => sum + mailbox.dailyCap, 0)
      const ramp = today < cap ? `, ${today} a day now while the ramp-up lasts` : ''
      return `The daily cap of ${boxes} sets the pace: ${cap} messages a day${ramp}.`
    }
    case 'gap_and_window': {
      const { start, end } = input.schedule.timeWindow
      const gap = Math.max(...mailboxes.map(mailbox => mailbox.minGapSeconds))
      return `The window ${start} to ${end} is too short for more messages at a gap of ${gap} seconds (${boxes}).`
    }
    case 'domain_throttle':
      return 'Many leads share a recipient domain, and the limit for each domain and hour sets the pace.'
    case 'delays':
      return 'The delays between the steps set the pace; more mailboxes would not end the campaign sooner.'
    default:
      return 'No limit delays the campaign by a day or more.'
  }
}

function count(amount: number, noun: string): string {
  if (amount === 1) return `1 ${noun}`
  return `${amount} ${noun}${noun.endsWith('x') ? 'es' : 's'}`
}
