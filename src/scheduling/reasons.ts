import { MINUTE_MS } from '../lib/time.ts'
import { dateOfDay, weekdayOfDay, zoneOf } from './zone.ts'

export const CONTACT_REASONS = ['contacted_elsewhere', 'in_other_campaign', 'company_replied', 'company_limit'] as const
export type ContactReason = (typeof CONTACT_REASONS)[number]

export const isContactReason = (reason: string | null): reason is ContactReason =>
  reason !== null && (CONTACT_REASONS as readonly string[]).includes(reason)

// Why a message was not sent. The list is complete: every cause has a code here, and all texts about decisions are made here.
// `resolves` is what ends the hold: time, an action of a person, or nothing.

type ReasonResolution = 'with_time' | 'by_action' | 'never'

export const reasonCatalogue = {
  waiting_window: { resolves: 'with_time', meaning: 'the sending window is closed' },
  not_due: { resolves: 'with_time', meaning: 'the delay after the previous step has not passed' },
  campaign_not_started: { resolves: 'with_time', meaning: 'the start date is in the future' },
  mailbox_cap: { resolves: 'with_time', meaning: 'the mailbox has reached its daily limit' },
  mailbox_gap: { resolves: 'with_time', meaning: 'the mailbox waits between two emails' },
  mailbox_resting: { resolves: 'with_time', meaning: 'the mailbox is paused for a short time after an error of its mail server' },
  inbox_unread: { resolves: 'with_time', meaning: 'the inbox has not been checked for replies yet' },
  domain_throttle: { resolves: 'with_time', meaning: 'the mailbox has reached its hourly limit for this domain' },
  earlier_step_open: { resolves: 'with_time', meaning: 'the previous email to this lead is not confirmed yet' },
  contacted_elsewhere: { resolves: 'with_time', meaning: 'emailed recently by another campaign' },
  in_other_campaign: { resolves: 'with_time', meaning: 'another active campaign has priority' },
  company_limit: { resolves: 'with_time', meaning: 'the company has reached its limit of people in a sequence' },
  company_replied: { resolves: 'by_action', meaning: 'someone else at the company replied' },
  tracking_host_failing: { resolves: 'by_action', meaning: 'the tracking domain is not working, and links need it' },
  campaign_not_active: { resolves: 'by_action', meaning: 'the campaign is not active' },
  no_mailbox: { resolves: 'by_action', meaning: 'the campaign has no connected mailbox' },
  mailbox_disconnected: { resolves: 'by_action', meaning: 'the mailbox that sent the first email is not connected' },
  missing_variable: { resolves: 'by_action', meaning: 'the template needs a value that the lead does not have' },
  campaign_expired: { resolves: 'by_action', meaning: 'the end date has passed, or no sending window is left before it' },
  due_after_end: { resolves: 'by_action', meaning: 'the step is due after the campaign ends' },
  suppressed: { resolves: 'never', meaning: 'the address or its domain is on the suppression list' },
  lead_final: { resolves: 'never', meaning: 'the lead replied, bounced or is finished for another reason' },
  sequence_completed: { resolves: 'never', meaning: 'every step was sent' },
  beyond_horizon: { resolves: 'with_time', meaning: 'the step is due after the forecast period' },
  recipient_deferred: { resolves: 'with_time', meaning: 'the mail server of the recipient asked to try again later' },
  connection_lost: { resolves: 'with_time', meaning: 'the connection to the mail server was lost before the email was sent' },
  mailbox_unreachable: { resolves: 'with_time', meaning: 'the mail server could not be reached' },
  mailbox_refused: { resolves: 'by_action', meaning: 'the mail server refused the mailbox' },
  message_too_large: { resolves: 'by_action', meaning: 'the email is too large for the mail server' },
  content_refused: { resolves: 'by_action', meaning: 'the mail server refused the content of the email' },
  recipient_away: { resolves: 'with_time', meaning: 'out of office' },
} as const satisfies Record<string, { resolves: ReasonResolution; meaning: string }>

export type ReasonCode = keyof typeof reasonCatalogue

export const HOLD_REASONS = Object.keys(reasonCatalogue) as ReasonCode[]

const SERVER_REASONS = [
  'recipient_deferred',
  'connection_lost',
  'mailbox_unreachable',
  'mailbox_refused',
  'message_too_large',
  'content_refused',
] as const
type ServerReason = (typeof SERVER_REASONS)[number]
/** The planner cannot find these again, so they are stored: responses of mail servers, and an absence. */
export const STORED_REASONS: readonly string[] = [...SERVER_REASONS, 'recipient_away']

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

/** When the text is written, and the time zone of the campaign. */
export type Wording = { now: Date; timezone: string }

/** The text of one lead's decision, for its timeline. */
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

interface Words {
  isOne: boolean
  /** The time of the next attempt, if there is one, and its date. */
  when: string | null
  date: string | null
  /** The same as the end of a phrase. */
  next: string
  detail: ReasonDetail
}

const INACTIVE: Readonly<Record<string, string>> = {
  draft: 'waiting for activation',
  attention_needed: 'waiting: the campaign needs attention',
}

type Phrase = (words: Words) => string

const phraseOfServer =
  (reason: ServerReason): Phrase =>
  ({ when }) =>
    `waiting: ${reasonCatalogue[reason].meaning}${when === null ? '' : `, next attempt on ${when}`}`

const PHRASES: Readonly<Record<ReasonCode, Phrase>> = {
  ...(Object.fromEntries(SERVER_REASONS.map(reason => [reason, phraseOfServer(reason)])) as Record<ServerReason, Phrase>),
  waiting_window: ({ when }) => (when === null ? 'no sending window left' : `outside the sending window until ${when}`),
  not_due: ({ isOne, when }) => (when === null ? 'not due yet' : isOne ? `due ${when}` : `not due yet, next on ${when}`),
  campaign_not_started: ({ when }) => `waiting for the campaign to start${when === null ? '' : ` on ${when}`}`,
  mailbox_cap: ({ next, detail }) => `waiting: daily limit reached${wordRatio(detail)}${next || ', the campaign ends before another day'}`,
  mailbox_gap: ({ next }) => `waiting for the delay between emails${next || ', no sending window left'}`,
  mailbox_resting: ({ next }) => `waiting: mailbox paused after a mail server error${next}`,
  inbox_unread: () => 'waiting until the inbox has been checked for replies',
  domain_throttle: ({ next, detail }) => `waiting: hourly limit reached for ${detail.domain ?? 'the same domain'}${next}`,
  earlier_step_open: () => 'waiting for confirmation of the previous email',
  contacted_elsewhere: ({ next, detail: { days } }) =>
    `waiting: emailed by another campaign ${days === undefined ? 'recently' : days === 1 ? 'in the last day' : `in the last ${days} days`}${next}`,
  in_other_campaign: () => 'waiting: another active campaign has priority',
  company_limit: ({ isOne, detail: { limit, domain } }) =>
    `waiting: limit ${limit ? `of ${limit === 1 ? '1 person' : `${limit} people`} ` : ''}${isOne && domain ? `at ${domain}` : 'per company'} reached`,
  company_replied: ({ isOne, detail: { domain } }) => `held back: someone else at ${(isOne && domain) || 'the company'} replied`,
  tracking_host_failing: ({ detail: { host } }) => `waiting: the tracking domain ${host ? `${host} ` : ''}is not working`,
  campaign_not_active: ({ detail: { status } }) => INACTIVE[status ?? ''] ?? `waiting: the campaign is ${status ?? 'not active'}`,
  no_mailbox: () => 'waiting for a connected mailbox',
  mailbox_disconnected: () => 'waiting: the mailbox that sent the first email is not connected',
  missing_variable: ({ detail: { variables } }) => `without a value for ${variables?.join(', ') || 'a variable of the template'}`,
  campaign_expired: () => 'not reached before the campaign ended',
  due_after_end: () => 'due after the campaign ends',
  suppressed: () => 'on the suppression list',
  lead_final: ({ detail: { status } }) => `finished${status === undefined ? '' : ` (${status.replaceAll('_', ' ')})`}`,
  sequence_completed: () => 'received every step, waiting for a reply',
  beyond_horizon: () => 'due after the forecast period',
  recipient_away: ({ date }) => `out of office${date === null ? '' : `, next email on ${date}`}`,
}

const wordRatio = ({ used, limit }: ReasonDetail): string => (limit === undefined ? '' : ` (${used ?? limit}/${limit} today)`)

function phrase({ reason, nextAttemptAt, detail }: Reason, count: number, wording: Wording): string {
  const isOne = count === 1
  const when = nextAttemptAt === null ? null : wordTime(nextAttemptAt, wording.timezone)
  const date = nextAttemptAt === null ? null : wordDate(nextAttemptAt, wording.timezone)
  // A newer worker may have stored a reason that this process does not know.
  return (PHRASES[reason] ?? (() => reason))({
    isOne,
    when,
    date,
    next: when === null ? '' : `, next email on ${when}`,
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

/** `Monday 2026-03-09 09:00 Europe/Berlin`: with the date, because a timeline is also read later. */
export function wordTime(at: Date, timezone: string): string {
  const minutes = Math.floor(zoneOf(timezone).clockAt(at.getTime()) / MINUTE_MS)
  return `${wordDate(at, timezone)} ${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)} ${timezone}`
}

function wordDate(at: Date, timezone: string): string {
  const day = zoneOf(timezone).dayAt(at.getTime())
  return `${weekdayNames[weekdayOfDay(day)]} ${dateOfDay(day)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a.getTime() <= b.getTime() ? a : b
}
