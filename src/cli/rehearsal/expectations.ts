import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Lead } from '../../../packages/sdk/src/types.gen.ts'
import { many } from '../../lib/many.ts'
import { DAY_MS, LAST_MINUTE } from '../../lib/time.ts'
import { EXPECTATIONS, type Expectation, type Rehearsal } from './section.ts'

export interface Verdict {
  /** Overture always checks that every row of a list is imported. */
  name: Expectation | 'everyRowIsImported'
  wanted: true | number
  ok: boolean
  /** The finding, in a sentence. */
  text: string
  /** The emails and leads that broke it, the first ones. */
  broken: string[]
  brokenCount: number
}

interface Finding {
  text: string
  broken: string[]
}

const MOST_NAMED = 5

/** In the order in which they are explained, so that two runs can be compared line by line. */
export function judge(facts: Facts, expected: NonNullable<Rehearsal['expect']>): Verdict[] {
  const names = Object.keys(EXPECTATIONS) as Expectation[]
  return names.flatMap(name => {
    const wanted = expected[name]
    if (wanted === undefined) return []
    const { text, broken } = CHECKS[name](facts, wanted as number)
    return [{ name, wanted, ok: broken.length === 0, text, broken: broken.slice(0, MOST_NAMED), brokenCount: broken.length }]
  })
}

const CHECKS: Record<Expectation, (facts: Facts, wanted: number) => Finding> = {
  repliedLeadsGetNothingMore: facts => nothingAfter(facts, 'replied'),
  unsubscribedLeadsGetNothingMore: facts => nothingAfter(facts, 'unsubscribed'),
  bouncedLeadsGetNothingMore: facts => nothingAfter(facts, 'bounced'),
  noSendOutsideWindow,
  noUnfilledVariables,
  maxPerDay: (facts, most) => mostPerDay(facts, most, () => ({ zone: facts.schedule.timezone, of: '' })),
  maxPerMailboxPerDay: (facts, most) =>
    mostPerDay(facts, most, ({ mailbox }) => ({ zone: facts.mailboxZones.get(mailbox) ?? 'UTC', of: mailbox })),
  maxPerDomainPerDay: (facts, most) =>
    mostPerDay(facts, most, ({ lead }) => ({ zone: facts.schedule.timezone, of: lead.email.slice(lead.email.lastIndexOf('@') + 1) })),
  everyLeadGets,
  endsWithinDays,
}

const plainTime = (at: Date): string => `${at.toISOString().slice(0, 16)}Z`
const wordMail = ({ step, lead, mailbox, at }: PlayedMail): string =>
  `step ${step} to ${lead.email} from ${mailbox} at ${plainTime(at)} (${localTime(at, 'UTC').weekday})`

function nothingAfter({ ends, mails }: Facts, kind: LeadEnd['kind']): Finding {
  const first = new Map<PlayedLead, Date>()
  for (const { lead, at, kind: what } of ends) if (what === kind && !(first.get(lead)! <= at)) first.set(lead, at)
  const late = mails.filter(({ lead, at }) => first.has(lead) && at > first.get(lead)!)
  const text = late.length > 0 ? `${many(late.length, 'email')} sent anyway` : 'nothing was sent to them afterwards'
  return {
    text: `${many(first.size, 'lead')} ${kind}, ${text}`,
    broken: late.map(mail => `${wordMail(mail)}, who ${kind} at ${plainTime(first.get(mail.lead)!)}`),
  }
}

function noSendOutsideWindow({ mails, schedule }: Facts): Finding {
  const { daysOfWeek, timeWindow, timezone, useLeadTimezone } = schedule
  const broken = mails.flatMap(mail => {
    const zone = (useLeadTimezone && mail.lead.timezone) || timezone
    const { weekday, time } = localTime(mail.at, zone)
    const isBeforeEnd = time < timeWindow.end || timeWindow.end === LAST_MINUTE
    const isInside = daysOfWeek.includes(weekday) && time >= timeWindow.start && isBeforeEnd
    return isInside ? [] : [`${wordMail(mail)}: ${weekday} ${time} in ${zone}`]
  })
  const window = `${timeWindow.start} to ${timeWindow.end}`
  return { text: `${many(mails.length - broken.length, 'email')} of ${mails.length} sent from ${window}`, broken }
}

function noUnfilledVariables({ mails, leads }: Facts): Finding {
  const lacking = leads.filter(({ holdReason }) => holdReason === 'missing_variable')
  const left = mails.filter(({ content }) => /\{\{|\}\}|\{%|%\}/.test(content))
  return {
    text: `${many(lacking.length, 'lead')} with a missing variable, ${many(left.length, 'email')} with an unfilled placeholder`,
    broken: [
      ...lacking.map(({ email }) => `${email} has no value for a variable of the template, and got no further email`),
      ...left.map(mail => `${wordMail(mail)} contains an unfilled placeholder`),
    ],
  }
}

function mostPerDay({ mails }: Facts, most: number, keyOf: (mail: PlayedMail) => { zone: string; of: string }): Finding {
  const days = Map.groupBy(mails, mail => {
    const { zone, of } = keyOf(mail)
    return `${localTime(mail.at, zone).date}${of ? ` ${of}` : ''}`
  })
  const busiest = [...days].reduce<[string, PlayedMail[]] | null>(
    (max, each) => (max && max[1].length >= each[1].length ? max : each),
    null,
  )
  return {
    text: busiest ? `at most ${many(busiest[1].length, 'email')}, on ${busiest[0]}` : 'nothing was sent',
    broken: [...days]
      .filter(([, list]) => list.length > most)
      .map(([day, list]) => `${list.length} emails on ${day}; number ${most + 1} is ${wordMail(list[most]!)}`),
  }
}

/** Leads with these statuses can still get messages, or should have got them. */
const OPEN: readonly PlayedLead['status'][] = ['not_yet_contacted', 'contacted', 'sequence_completed', 'skipped']

function everyLeadGets({ mails, leads }: Facts, wanted: number): Finding {
  const counts = Map.groupBy(mails, ({ lead }) => lead)
  const open = leads.filter(({ status, holdReason }) => OPEN.includes(status) && holdReason !== 'company_replied')
  const short = open.filter(lead => (counts.get(lead)?.length ?? 0) < wanted)
  return {
    text: `${many(open.length - short.length, 'lead')} of ${open.length} got ${wanted} or more; ${many(leads.length - open.length, 'other')} stopped earlier`,
    broken: short.map(lead => `${lead.email} got ${counts.get(lead)?.length ?? 0}: ${wordWait(lead)}`),
  }
}

function wordWait({ nextAt, holdReason, status }: PlayedLead): string {
  if (holdReason) return `held by ${holdReason}`
  return nextAt ? `the next email is due at ${plainTime(nextAt)}, after the rehearsal` : `no email is planned (${status})`
}

function endsWithinDays({ mails, leads, startedAt }: Facts, wanted: number): Finding {
  const limit = new Date(startedAt.getTime() + wanted * DAY_MS)
  const late = mails.filter(({ at }) => at > limit)
  const planned = leads.filter(({ nextAt }) => nextAt !== null)
  const last = mails.at(-1)
  const days = last ? Math.ceil((last.at.getTime() - startedAt.getTime()) / DAY_MS) : 0
  return {
    text: `the last of ${many(mails.length, 'email')} was sent on day ${days}${planned.length > 0 ? `, and ${planned.length} more planned` : ''}`,
    broken: [
      ...late.map(mail => `${wordMail(mail)} is too late`),
      ...planned.map(({ email, nextAt }) => `${email} has an email planned for ${plainTime(nextAt!)}`),
    ],
  }
}

interface LocalTime {
  /** `2026-03-02` */
  date: string
  /** `monday` */
  weekday: string
  /** `09:05` */
  time: string
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const formats = new Map<string, Intl.DateTimeFormat>()

/** The local date and time there. In Swedish they are written as `2026-03-02 09:05`. */
function localTime(at: Date, timeZone: string): LocalTime {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(timeZone, format)
  const [date, time] = format.format(at).split(' ') as [string, string]
  return { date, time, weekday: WEEKDAYS[new Date(date).getUTCDay()]! }
}

export interface PlayedLead {
  /** As in the given list. */
  email: string
  timezone: string | null
  status: Lead['status']
  /** Why it gets no more messages, if so. */
  holdReason: string | null
  nextAt: Date | null
}

export interface PlayedMail {
  lead: PlayedLead
  at: Date
  /** Counted from 1. */
  step: number
  mailbox: string
  content: string
}

type EndKind = 'replied' | 'unsubscribed' | 'bounced'

/** An event after which a lead must not be emailed. */
interface LeadEnd {
  lead: PlayedLead
  at: Date
  kind: EndKind
}

/** The events of a rehearsal, against which expectations are checked. */
export interface Facts {
  startedAt: Date
  endedAt: Date
  status: string
  attentionReason: string | null
  /** How the schedule was kept: days, hours and time zone. */
  schedule: { daysOfWeek: string[]; timeWindow: { start: string; end: string }; timezone: string; useLeadTimezone: boolean }
  /** The time zones that the mailboxes count their days in. */
  mailboxZones: ReadonlyMap<string, string>
  leads: PlayedLead[]
  mails: PlayedMail[]
  ends: LeadEnd[]
  autoReplies: number
}

interface Asked {
  campaignId: string
  startedAt: Date
  endedAt: Date
  realAddresses: ReadonlyMap<string, string>
}

/** Reads the facts over the public API: from the leads, the event log and the mailboxes. */
export async function readFacts(service: Overture, { campaignId, startedAt, endedAt, realAddresses }: Asked): Promise<Facts> {
  const leads = new Map<string, PlayedLead>()
  for await (const lead of service.leads.list(campaignId, { limit: 100 })) leads.set(lead.id, played(lead, realAddresses))
  const addresses = new Map<string, string>()
  const mailboxZones = new Map<string, string>()
  const contents = new Map<string, string>()
  for await (const { id, fromEmail, timezone } of service.providers.list({ limit: 100 })) {
    addresses.set(id, fromEmail)
    mailboxZones.set(fromEmail, timezone)
    for await (const message of service.providers.listSandboxMessages(id, { limit: 100 }))
      contents.set(message.id, `${message.subject}\n${message.text}\n${message.html ?? ''}`)
  }
  const mails: PlayedMail[] = []
  const ends: LeadEnd[] = []
  let autoReplies = 0
  for await (const { type, timestamp, data } of service.events.list({ campaignId, limit: 100 })) {
    const at = new Date(timestamp)
    if (type === 'email.auto_replied') autoReplies++
    if (type === 'email.sent') {
      const { leadId, providerId, sendId } = data
      const step = data.step + 1
      const content = contents.get(sendId) ?? ''
      mails.push({ lead: leads.get(leadId)!, at, step, mailbox: addresses.get(providerId) ?? providerId, content })
    }
    if (type === 'email.replied') ends.push({ lead: leads.get(data.leadId)!, at, kind: 'replied' })
    if (type === 'lead.unsubscribed') ends.push({ lead: leads.get(data.leadId)!, at, kind: 'unsubscribed' })
    if (type === 'email.bounced' && data.kind === 'hard') ends.push({ lead: leads.get(data.leadId)!, at, kind: 'bounced' })
  }
  const [campaign, schedule] = await Promise.all([
    service.campaigns.getSendingStatus(campaignId),
    service.campaigns.getSchedule(campaignId),
  ])
  return {
    startedAt,
    endedAt,
    status: campaign.status,
    attentionReason: campaign.attentionReason,
    schedule: schedule as Facts['schedule'],
    mailboxZones,
    leads: [...leads.values()],
    mails: mails.sort((one, other) => one.at.getTime() - other.at.getTime()),
    ends,
    autoReplies,
  }
}

const played = ({ email, timezone, status, hold, next }: Lead, real: ReadonlyMap<string, string>): PlayedLead => ({
  email: real.get(email) ?? email,
  timezone,
  status,
  holdReason: hold?.reason ?? null,
  nextAt: next ? new Date(next.dueAt) : null,
})
