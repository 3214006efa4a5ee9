import { digits } from '../lib/many.ts'
import { mailboxDay } from './capacity.ts'
import { type Reason, wordTime } from './reasons.ts'
import { type PlayedSend, play, type SimulationInput, type SimulationMailbox, withoutCap, withoutGap, withoutThrottle } from './simulate.ts'
import { WEEKDAYS } from './window.ts'

// The effect of removing a limit. Nothing is estimated: the planner of the sender plays the campaign once with and once
// without the limit, and the two are compared. A limit whose absence gains nothing is not reported.

type Limit = 'daily_cap' | 'ramp' | 'gap' | 'domain_throttle' | 'window' | 'start_date' | 'end_date'

export type Lift = {
  limit: Limit
  /** The daily cap that is enough for the messages of the first day; null for limits that are not numbers. */
  value: number | null
  /** When the first of these messages would be sent. */
  leavesAt: Date
  /** How many of these messages would be sent on that day. */
  count: number
}

/** Leads that wait for the same thing, each separately or in entries of equal ones. */
export type WaitingGroup = Pick<Reason, 'detail'> & { reason: string; leadIds: readonly string[] }

/** How far ahead the two plays look. */
const HORIZON_DAYS = 14

/** For each group, the effect of removing its limit; null when it waits for no limit, or when that would change nothing. */
export function findLifts(input: SimulationInput, groups: readonly WaitingGroup[]): (Lift | null)[] {
  const limits = groups.map(group => limitOf(input, group))
  const wanted = new Set(groups.flatMap((group, index) => (limits[index] === null ? [] : group.leadIds)))
  if (wanted.size === 0) return groups.map(() => null)
  const asItIs = leavings(input, wanted)
  return groups.map((group, index) => {
    const limit = limits[index]!
    return limit === null ? null : liftOf(input, group, limit, asItIs)
  })
}

/** The text of a lift, after the text of the reason: `with a daily limit of 45, the email would be sent on Friday 2026-03-06 14:30 Europe/Berlin`. */
export function wordLift({ limit, value, leavesAt, count }: Lift, timezone: string): string {
  const when = wordTime(leavesAt, timezone)
  return `${CONDITIONS[limit](value)}, ${count === 1 ? 'the email' : `${digits(count)} emails`} would be sent ${count === 1 ? 'on' : 'from'} ${when}`
}

const CONDITIONS: Readonly<Record<Limit, (value: number | null) => string>> = {
  daily_cap: value => `with a daily limit of ${digits(value ?? 0)}`,
  ramp: () => 'without the ramp-up',
  gap: () => 'without the delay between emails',
  domain_throttle: () => 'without the hourly limit per domain',
  window: () => 'with an all-day window',
  start_date: () => 'without the start date',
  end_date: () => 'without the end date',
}

/** Whether a lead that waits for this reason waits for a limit. */
export const isLimit = (reason: string): boolean => reason in LIMITS

/** The limit of each reason. The daily limit of a mailbox is its cap or its ramp-up. */
const LIMITS: Readonly<Record<string, Limit>> = {
  mailbox_cap: 'daily_cap',
  mailbox_gap: 'gap',
  domain_throttle: 'domain_throttle',
  waiting_window: 'window',
  campaign_not_started: 'start_date',
  campaign_expired: 'end_date',
  due_after_end: 'end_date',
}

function limitOf(input: SimulationInput, { reason, detail }: WaitingGroup): Limit | null {
  const limit = LIMITS[reason] ?? null
  if (limit !== 'daily_cap') return limit
  const mailbox = input.mailboxes.find(({ id }) => id === detail?.mailboxId)
  if (mailbox === undefined) return null
  // While the ramp-up sets a lower limit than the cap, a higher cap would change nothing.
  return mailbox.rampUp !== null && (detail?.limit ?? mailbox.dailyCap) < mailbox.dailyCap ? 'ramp' : 'daily_cap'
}

function withoutLimit(input: SimulationInput, limit: Limit, mailboxId: string | undefined): SimulationInput {
  const { schedule, mailboxes } = input
  const changed = (change: (mailbox: SimulationMailbox) => SimulationMailbox): SimulationInput => ({
    ...input,
    mailboxes: mailboxes.map(change),
  })
  switch (limit) {
    case 'daily_cap':
      return changed(mailbox => (mailbox.id === mailboxId ? withoutCap(mailbox) : mailbox))
    case 'ramp':
      return changed(mailbox => (mailbox.id === mailboxId ? { ...mailbox, rampUp: null } : mailbox))
    case 'gap':
      return changed(withoutGap)
    case 'domain_throttle':
      return changed(withoutThrottle)
    case 'window':
      return { ...input, schedule: { ...schedule, daysOfWeek: WEEKDAYS, timeWindow: { start: '00:00', end: '23:59' } } }
    case 'start_date':
      return { ...input, schedule: { ...schedule, startDate: null } }
    case 'end_date':
      return { ...input, schedule: { ...schedule, endDate: null } }
  }
}

/** When a lead gets its next message, and its position among the messages of the mailbox on that day. */
type Leaving = { entryId: string; atMs: number; day: string; nth: number }
/** By the entry that a lead was handed in with, then by the lead. */
type Leavings = Map<string, Map<string, Leaving>>

function liftOf(input: SimulationInput, group: WaitingGroup, limit: Limit, asItIs: Leavings): Lift | null {
  const lifted = leavings(withoutLimit(input, limit, group.detail?.mailboxId), new Set(group.leadIds))
  const gains = group.leadIds
    .flatMap(entryId => [...(lifted.get(entryId) ?? [])])
    .flatMap(([leadId, { entryId, ...leaving }]) => {
      const before = asItIs.get(entryId)?.get(leadId)
      return before === undefined || leaving.atMs < before.atMs ? [leaving] : []
    })
    .sort((a, b) => a.atMs - b.atMs)
  const [first] = gains
  if (first === undefined) return null
  const sameDay = gains.filter(({ day }) => day === first.day)
  const value = limit === 'daily_cap' ? sameDay.reduce((most, { nth }) => Math.max(most, nth), 0) : null
  return { limit, value, leavesAt: new Date(first.atMs), count: sameDay.length }
}

/** When each lead gets its next message. The play ends when those that are wanted have got theirs. */
function leavings(input: SimulationInput, wanted: ReadonlySet<string>): Leavings {
  const firstStep = new Map(input.leads.map(({ id, step }) => [id, step]))
  const mailboxes = new Map(input.mailboxes.map(mailbox => [mailbox.id, mailbox]))
  const counts = new Map<string, number>()
  const found: Leavings = new Map()
  let missing = input.leads.reduce((sum, { id, count = 1 }) => sum + (wanted.has(id) ? count : 0), 0)
  const note = ({ leadId, entryId, step, mailboxId, atMs }: PlayedSend): void => {
    const mailbox = mailboxes.get(mailboxId)!
    const day = mailboxDay(mailbox, new Date(atMs))
    const key = `${mailboxId}|${day}`
    const nth = (counts.get(key) ?? (mailbox.load.day === day ? mailbox.load.reserved : 0)) + 1
    counts.set(key, nth)
    if (firstStep.get(entryId) !== step) return
    const ofEntry = found.get(entryId) ?? new Map<string, Leaving>()
    found.set(entryId, ofEntry.set(leadId, { entryId, atMs, day, nth }))
    if (wanted.has(entryId)) missing--
  }
  play({ ...input, horizonDays: HORIZON_DAYS }, note, () => missing === 0)
  return found
}
