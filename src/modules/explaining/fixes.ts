import type { ContactOverrides } from '../../scheduling/contact-rules.ts'
import { type ContactReason, isContactReason, type ReasonDetail } from '../../scheduling/reasons.ts'
import { weekdayOfDay, zoneOf } from '../../scheduling/zone.ts'
import { WEEKDAYS, type Weekday } from '../campaigns/schema.ts'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import type { SendingCampaign } from '../sending/claim-queries.ts'

// The reason why a lead waits, with a request that would solve it. There is no request where the solution is not clear.

export interface Fix {
  method: 'POST' | 'PUT' | 'PATCH'
  path: string
  body: Record<string, unknown>
}

interface Circumstances {
  campaign: SendingCampaign
  mailboxes: SendingMailbox[]
  /** The waiting lead, or one of them. */
  leadId: string | null
  count: number
  now: Date
}

const MOST_PER_DAY = 100_000
/** Columns of a lead; every other name in a template is a variable. */
const FIELDS = ['firstName', 'lastName', 'fullName', 'company', 'jobTitle']
const TRANSITIONS: Readonly<Record<string, string>> = {
  draft: 'activate',
  paused: 'resume',
  attention_needed: 'resume',
  archived: 'unarchive',
}

/** For each contact rule, the setting that switches it off for the campaign. */
const WITHOUT: Readonly<Record<ContactReason, ContactOverrides>> = {
  contacted_elsewhere: { contactedElsewhereWithinDays: null },
  in_other_campaign: { inOtherActiveCampaign: 'allow' },
  company_replied: { companyReplied: 'ignore' },
  company_limit: { maxPerCompanyAtOnce: null },
}

export function fixOf(wait: { reason: string; detail: unknown }, circumstances: Circumstances): Fix | null {
  const { campaign, mailboxes, leadId, count, now } = circumstances
  const home = `/v1/workspaces/${campaign.workspaceId}`
  const base = `${home}/campaigns/${campaign.id}`
  const detail = (wait.detail ?? {}) as ReasonDetail
  if (isContactReason(wait.reason)) {
    return { method: 'PUT', path: `${base}/settings`, body: { contactRules: { ...campaign.contactRules, ...WITHOUT[wait.reason] } } }
  }
  switch (wait.reason) {
    case 'missing_variable':
      return leadId === null || !detail.variables?.length ? null : fillIn(`${base}/leads/${leadId}`, detail.variables)
    case 'campaign_not_active': {
      // A campaign that stopped because of its mailbox continues automatically when the mailbox works again.
      const broken = campaign.status === 'attention_needed' ? findBroken(mailboxes) : undefined
      if (broken) return verify(home, broken.id)
      const transition = TRANSITIONS[campaign.status]
      return transition === undefined ? null : { method: 'POST', path: `${base}/${transition}`, body: {} }
    }
    case 'mailbox_disconnected':
      return detail.mailboxId === undefined ? null : verify(home, detail.mailboxId)
    case 'tracking_host_failing':
      return detail.host === undefined ? null : { method: 'PUT', path: `${home}/tracking-host`, body: { host: detail.host } }
    case 'no_mailbox': {
      const broken = findBroken(mailboxes)
      return broken ? verify(home, broken.id) : null
    }
    case 'waiting_window':
      return { method: 'PUT', path: `${base}/schedule`, body: openNow(campaign, now) }
    case 'campaign_not_started':
      return { method: 'PUT', path: `${base}/schedule`, body: { startDate: null } }
    case 'campaign_expired':
    case 'due_after_end':
      return { method: 'PUT', path: `${base}/schedule`, body: { endDate: null } }
    case 'mailbox_cap': {
      const mailbox = mailboxes.find(({ id }) => id === detail.mailboxId)
      return mailbox ? raiseCap(home, mailbox, detail, count) : null
    }
    default:
      return null
  }
}

const findBroken = (mailboxes: SendingMailbox[]): SendingMailbox | undefined => mailboxes.find(({ status }) => status !== 'connected')

const verify = (home: string, mailboxId: string): Fix => ({ method: 'POST', path: `${home}/providers/${mailboxId}/verify`, body: {} })

/** A person fills in the values. */
export function fillIn(path: string, names: readonly string[]): Fix {
  const blank = (name: string): [string, string] => [name, `<${name}>`]
  const variables = names.filter(name => !FIELDS.includes(name)).map(blank)
  const fields = Object.fromEntries(names.filter(name => FIELDS.includes(name)).map(blank))
  return { method: 'PATCH', path, body: variables.length > 0 ? { ...fields, variables: Object.fromEntries(variables) } : fields }
}

/** The sending days and today, for the whole day. */
function openNow({ timezone, daysOfWeek }: SendingCampaign, now: Date): Record<string, unknown> {
  // Weeks of the scheduler begin on Sunday, weeks of the API on Monday.
  const today: Weekday = WEEKDAYS[(weekdayOfDay(zoneOf(timezone).dayAt(now.getTime())) + 6) % 7]!
  return {
    daysOfWeek: WEEKDAYS.filter(day => day === today || daysOfWeek.includes(day)),
    timeWindow: { start: '00:00', end: '23:59' },
    timezone,
  }
}

/**
 * A daily cap that is high enough for the waiting leads. While the ramp-up sets a lower limit than the cap, a higher cap would change
 * nothing.
 */
function raiseCap(home: string, mailbox: SendingMailbox, { limit, used }: ReasonDetail, count: number): Fix {
  const path = `${home}/providers/${mailbox.id}`
  if (limit !== undefined && limit < mailbox.dailyCap) return { method: 'PATCH', path, body: { ramp: null } }
  const dailyCap = Math.min(MOST_PER_DAY, Math.max(mailbox.dailyCap, used ?? 0) + count)
  return { method: 'PATCH', path, body: { dailyCap } }
}
