import { MINUTE_MS } from '../lib/time.ts'
import { dateOfDay, weekdayOfDay, zoneOf } from './zone.ts'

export const CONTACT_REASONS = ['contacted_elsewhere', 'in_other_campaign', 'company_replied', 'company_limit'] as const
export type ContactReason = (typeof CONTACT_REASONS)[number]

export const isContactReason = (reason: string | null): reason is ContactReason =>
  reason !== null && (CONTACT_REASONS as readonly string[]).includes(reason)

// Why a message was not sent. The list is complete: every cause has a code here, and all texts about decisions are made here.
// `resolves` says what ends the hold: time, an action of a person, or nothing.

type ReasonResolution = 'with_time' | 'by_action' | 'never'

export const reasonCatalogue = {
  waiting_window: { resolves: 'with_time', meaning: 'the sending window is closed' },
  not_due: { resolves: 'with_time', meaning: 'the delay after the previous step has not passed' },
  campaign_not_started: { resolves: 'with_time', meaning: 'the start date is in the future' },
  mailbox_cap: { resolves: 'with_time', meaning: 'the mailbox has reached its daily cap' },
  mailbox_gap: { resolves: 'with_time', meaning: 'the mailbox keeps its minimum gap between two messages' },
  mailbox_resting: { resolves: 'with_time', meaning: 'the mailbox rests after a failure of its mail server' },
  inbox_unread: { resolves: 'with_time', meaning: 'the inbox has not been read up to now, and it may contain a reply' },
  domain_throttle: { resolves: 'with_time', meaning: 'the mailbox has reached its hourly limit for this domain' },
  earlier_step_open: { resolves: 'with_time', meaning: 'an earlier message to this lead has no recorded outcome yet' },
  contacted_elsewhere: { resolves: 'with_time', meaning: 'another campaign wrote to this person not long ago' },
  in_other_campaign: { resolves: 'with_time', meaning: 'another active campaign has priority for this person' },
  company_limit: { resolves: 'with_time', meaning: 'the company has reached its limit of people in a sequence' },
  company_replied: { resolves: 'by_action', meaning: 'a colleague of the person has replied' },
  tracking_host_failing: { resolves: 'by_action', meaning: 'the tracking host of the workspace does not work, and links need it' },
  campaign_not_active: { resolves: 'by_action', meaning: 'the campaign is not active' },
  no_mailbox: { resolves: 'by_action', meaning: 'the campaign has no connected mailbox' },
  mailbox_disconnected: { resolves: 'by_action', meaning: 'the mailbox that wrote the first message is not connected' },
  missing_variable: { resolves: 'by_action', meaning: 'the template needs a value that the lead does not have' },
  campaign_expired: { resolves: 'by_action', meaning: 'the end date has passed, or no window is left before it' },
  due_after_end: { resolves: 'by_action', meaning: 'the step falls due when the campaign is already over' },
  suppressed: { resolves: 'never', meaning: 'the address or its domain is on the suppression list' },
  lead_final: { resolves: 'never', meaning: 'the lead has replied, bounced or was otherwise closed' },
  sequence_completed: { resolves: 'never', meaning: 'every step was sent' },
  beyond_horizon: { resolves: 'with_time', meaning: 'the simulation looks no further ahead' },
} as const satisfies Record<string, { resolves: ReasonResolution; meaning: string }>

export type ReasonCode = keyof typeof reasonCatalogue

/** Reasons that do not come from the planner: responses of mail servers, and actions of people. */
export const HEARD_REASONS = {
  recipient_deferred: 'the server of the recipient asked to try again later',
  connection_lost: 'the connection to the mail server was lost before the message was handed over',
  mailbox_unreachable: 'the mail server could not be reached',
  mailbox_refused: 'the mail server refused the mailbox',
  message_too_large: 'the message is too large for the mail server',
  content_refused: 'the mail server refuses what the message says',
  recipient_away: 'the recipient is away',
} as const

/** Every reason why a lead can wait. */
export type HoldReason = ReasonCode | keyof typeof HEARD_REASONS
export const HOLD_REASONS = [...Object.keys(reasonCatalogue), ...Object.keys(HEARD_REASONS)] as HoldReason[]

export type ReasonDetail = {
  mailboxId?: string
  used?: number
  limit?: number
  domain?: string
  variables?: readonly string[]
  status?: string
  campaignId?: string
  host?: string
  days?: number
}

export type Reason = { reason: ReasonCode; nextAttemptAt: Date | null; detail: ReasonDetail | null }

type ReasonSum<R extends Reason> = Reason & { count: number; text: string; members: R[] }

/** How times are written: `now` decides what "today" is, the zone is the campaign's. */
export type Wording = { now: Date; timezone: string }

/** What one lead's decision says, for its timeline. */
export const wordReason = (reason: Reason, wording: Wording): string => phrase(reason, 1, wording)

/** One line for each cause of holds, the largest first. A reason may apply to several leads: its `count`. */
export function sumReasons<R extends Reason & { count?: number }>(reasons: Iterable<R>, wording: Wording): ReasonSum<R>[] {
  const groups = new Map<string, Reason & { count: number; members: R[] }>()
  for (const reason of reasons) {
    const key = groupKey(reason)
    const group = groups.get(key)
    const count = reason.count ?? 1
    if (group === undefined) {
      const { reason: code, nextAttemptAt, detail } = reason
      groups.set(key, { reason: code, nextAttemptAt, detail, count, members: [reason] })
    } else {
      group.count += count
      group.members.push(reason)
      group.nextAttemptAt = earlier(group.nextAttemptAt, reason.nextAttemptAt)
    }
  }
  return [...groups.values()]
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
    .map(group => ({ ...group, text: `${group.count} ${phrase(group, group.count, wording)}` }))
}

/** The words that depend on the number of leads, and what is known about their hold. */
interface Words {
  isOne: boolean
  wait: string
  are: string
  have: string
  /** The time of the next attempt, if there is one. */
  when: string | null
  /** The same as the end of a phrase. */
  next: string
  detail: ReasonDetail
}

const PHRASES: Readonly<Record<ReasonCode, (words: Words) => string>> = {
  waiting_window: ({ wait, have, when }) => (when === null ? `${have} no window left` : `${wait} for ${when}`),
  not_due: ({ isOne, are, when }) => `${are} not due yet${when === null ? '' : isOne ? `, ${when}` : `, the next ${when}`}`,
  campaign_not_started: ({ wait, when }) => `${wait} for the campaign to start${when === null ? '' : `, ${when}`}`,
  mailbox_cap: ({ wait, next, detail }) => `${wait}: mailbox cap reached${wordRatio(detail)}${next || ', and no later day is left'}`,
  mailbox_gap: ({ wait, next }) => `${wait} for the gap between two messages${next || ', and no later time is left'}`,
  mailbox_resting: ({ wait, next }) => `${wait}: the mailbox rests after a failure of its mail server${next}`,
  inbox_unread: ({ wait }) => `${wait} until the inbox of the mailbox has been read: it may contain an answer`,
  domain_throttle: ({ wait, next, detail }) => `${wait}: hourly limit reached for ${detail.domain ?? 'the same domain'}${next}`,
  earlier_step_open: ({ wait }) => `${wait} for the outcome of the previous message`,
  contacted_elsewhere: ({ isOne, wait, next, detail: { days } }) =>
    `${wait}: another campaign wrote to ${isOne ? 'this person' : 'them'} ${days === undefined ? 'not long ago' : `within ${days} days`}${next}`,
  in_other_campaign: ({ wait }) => `${wait}: another active campaign has priority`,
  company_limit: ({ isOne, wait, detail: { limit, domain } }) =>
    `${wait}: no more than ${limit ?? 'so many'} of ${(isOne && domain) || 'a company'} at a time`,
  company_replied: ({ isOne, are, detail: { domain } }) =>
    `${are} held back: somebody else at ${(isOne && domain) || 'the company'} has answered`,
  tracking_host_failing: ({ wait, detail: { host } }) =>
    `${wait}: the tracking host ${host ?? 'of the workspace'} does not work, and no other host is used instead`,
  campaign_not_active: ({ wait, detail: { status } }) => `${wait}: the campaign is ${status ?? 'not active'}`,
  no_mailbox: ({ wait }) => `${wait} for a connected mailbox`,
  mailbox_disconnected: ({ wait }) => `${wait} for the mailbox that wrote before: it is not connected`,
  missing_variable: ({ isOne, detail: { variables } }) =>
    `${isOne ? 'lacks' : 'lack'} ${variables?.join(', ') || 'a value that the template needs'}`,
  campaign_expired: ({ isOne }) => `${isOne ? 'was' : 'were'} not reached before the campaign ended`,
  due_after_end: ({ are }) => `${are} due only after the campaign ends`,
  suppressed: ({ are }) => `${are} on the suppression list`,
  lead_final: ({ are, detail: { status } }) => `${are} closed${status === undefined ? '' : ` (${status})`}`,
  sequence_completed: ({ have }) => `${have} received every step`,
  beyond_horizon: ({ are }) => `${are} beyond the simulated days`,
}

const wordRatio = ({ used, limit }: ReasonDetail): string => (limit === undefined ? '' : ` (${used ?? limit}/${limit} today)`)

function phrase({ reason, nextAttemptAt, detail }: Reason, count: number, wording: Wording): string {
  const isOne = count === 1
  const when = nextAttemptAt === null ? null : wordTime(nextAttemptAt, wording)
  return PHRASES[reason]({
    isOne,
    wait: isOne ? 'waits' : 'wait',
    are: isOne ? 'is' : 'are',
    have: isOne ? 'has' : 'have',
    when,
    next: when === null ? '' : `, next ${when}`,
    detail: detail ?? {},
  })
}

/** The key by which leads are grouped: by the hour they wait for, the mailbox, the domain or the missing value. */
function groupKey({ reason, nextAttemptAt, detail }: Reason): string {
  switch (reason) {
    case 'waiting_window':
    case 'campaign_not_started':
      return `${reason}|${nextAttemptAt?.getTime() ?? ''}`
    case 'mailbox_cap':
      return `${reason}|${detail?.mailboxId ?? ''}|${detail?.used ?? ''}/${detail?.limit ?? ''}`
    case 'domain_throttle':
      return `${reason}|${detail?.domain ?? ''}`
    case 'contacted_elsewhere':
      return `${reason}|${detail?.days ?? ''}`
    case 'company_limit':
      return `${reason}|${detail?.limit ?? ''}`
    case 'missing_variable':
      return `${reason}|${detail?.variables?.join(',') ?? ''}`
    case 'lead_final':
    case 'campaign_not_active':
      return `${reason}|${detail?.status ?? ''}`
    default:
      return reason
  }
}

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `today 14:30 Europe/Berlin`, `Monday 09:00 Europe/Berlin`, and with the date when it is a week away or more. */
export function wordTime(at: Date, { now, timezone }: Wording): string {
  const zone = zoneOf(timezone)
  const day = zone.dayAt(at.getTime())
  const daysAhead = day - zone.dayAt(now.getTime())
  const minutes = Math.floor(zone.clockAt(at.getTime()) / MINUTE_MS)
  const clock = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
  const weekday = weekdayNames[weekdayOfDay(day)]!
  const name = daysAhead === 0 ? 'today' : daysAhead > 0 && daysAhead < 7 ? weekday : `${weekday} ${dateOfDay(day)}`
  return `${name} ${clock} ${timezone}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a.getTime() <= b.getTime() ? a : b
}
