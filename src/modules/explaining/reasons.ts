import type { Context } from '../../context/context.ts'
import type { Fix as FixSchema } from '../../http/schema.ts'
import { pick } from '../../lib/pick.ts'
import type { Static } from '../../lib/type.ts'
import type { ContactOverrides } from '../../scheduling/contact-rules.ts'
import { isLimit, type Lift, type WaitingGroup, wordLift } from '../../scheduling/lifted-limits.ts'
import type { PlannerLead } from '../../scheduling/planner.ts'
import { makePlanningThreads, type PlanningThreads } from '../../scheduling/planning.ts'
import {
  type ContactReason,
  isContactReason,
  type Reason,
  type ReasonCode,
  type ReasonDetail,
  STORED_REASONS,
  sumReasons,
  type Wording,
  wordReason,
} from '../../scheduling/reasons.ts'
import { firstOpening, scheduleFor } from '../../scheduling/window.ts'
import { weekdayOfDay, zoneOf } from '../../scheduling/zone.ts'
import { WEEKDAYS, type Weekday } from '../campaigns/schema.ts'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import { findSendingCampaign, type SendingCampaign } from '../sending/claim-queries.ts'
import { holdOutside, scheduleOf, toPlannedCampaign, toPlannedMailbox } from '../sending/planner-input.ts'
import { countAssumed, countSkipped, findOpenLead, listFirstDue, type OpenEntry } from './queries.ts'
import type { SendingStatus } from './schema.ts'
import { readSurroundings, toSimulationInput } from './simulation.ts'
import { countLeads, judgeWaiting, mailboxIdsOf, readWaiting, type Surroundings, takeFirst, type WaitingLeads } from './waiting.ts'

// Why nothing was sent. The current reason of a lead is not stored: the planner of the sender computes it, so it is never out of date. Only
// reasons that cannot be computed again are stored, such as the answer of a mail server.

/** One lead, or several equal ones. */
type WaitingLead = Reason & { leadId: string; count: number }

type WaitingSum = ReturnType<typeof sumReasons<WaitingLead>>[number]
type ExplainedSum = WaitingSum & { fix: Fix | null; ifLifted: IfLifted | null }

/** The number of leads that are simulated to find out when one of them would be contacted. */
const MOST_AHEAD = 2000

interface SendingReport extends Pick<Static<typeof SendingStatus>, 'readyCount' | 'inFlightCount' | 'unknownCount' | 'assumedCount'> {
  mailboxes: SendingMailbox[]
  reasons: ExplainedSum[]
  nextAttemptAt: Date | null
}

/** The reasons why the leads of a campaign wait, with counts and in words. */
export async function reportSending(ctx: Pick<Context, 'db' | 'part'>, campaignId: string, now: Date): Promise<SendingReport> {
  const { db } = ctx
  const threads = ctx.part(makePlanningThreads)
  const campaign = (await findSendingCampaign(db, campaignId))!
  const around = await readSurroundings(db, campaign, now)
  const { mailboxes } = around
  const waiting = await readWaiting(db, campaign, around, now)
  const wording = { now, timezone: campaign.timezone }
  const judged = await judge(threads, campaign, around, waiting, now)
  const skipped = await countSkipped(db, campaignId)
  const waits = [...judged.waits, ...skipped.map(wait => ({ ...wait, nextAttemptAt: null }) as WaitingLead)]
  const sums = sumReasons(waits, wording)
  const lifts = await liftLimits(threads, sums.map(toGroup), { campaign, around, waiting, wording })
  const times = waits.flatMap(wait => wait.nextAttemptAt ?? []).map(at => at.getTime())
  const countOpen = (...statuses: string[]): number =>
    countLeads(waiting.entries.filter(({ openSend }) => openSend !== null && statuses.includes(openSend)))
  return {
    mailboxes,
    readyCount: judged.ready,
    inFlightCount: countOpen('claimed', 'sending'),
    unknownCount: countOpen('unknown'),
    assumedCount: await countAssumed(db, campaignId),
    reasons: sums.map((sum, index) => {
      const isSame = (lead: { reason: string; detail: unknown }): boolean =>
        lead.reason === sum.reason && JSON.stringify(lead.detail) === JSON.stringify(sum.detail)
      const leadId = skipped.find(isSame)?.leadId ?? null
      const fix = fixOf(sum, { campaign, mailboxes, leadId, count: sum.count, now })
      return { ...sum, fix, ifLifted: lifts[index]! }
    }),
    nextAttemptAt: judged.ready > 0 ? now : times.length > 0 ? new Date(times.reduce((a, b) => Math.min(a, b))) : null,
  }
}

/** The current hold of one lead, in words; null when there is none, or nothing is left to send. */
export async function explainLead(ctx: Pick<Context, 'db' | 'part'>, campaignId: string, leadId: string, now: Date) {
  const { db } = ctx
  const threads = ctx.part(makePlanningThreads)
  const lead = await findOpenLead(db, leadId)
  const campaign = lead && (await findSendingCampaign(db, campaignId))
  if (!lead || !campaign) return null
  const around = await readSurroundings(db, campaign, now, { mailboxId: lead.providerId })
  const { mailboxes } = around
  const contacts = await judgeWaiting(db, campaign, [lead], now)
  const [wait] = (await judge(threads, campaign, around, { entries: [lead], contacts }, now)).waits
  if (!wait) return null
  const { timezone } = scheduleFor(campaign, lead.timezone)
  const wording = { now, timezone }
  const text = wordReason(wait, wording)
  const fix = fixOf(wait, { campaign, mailboxes, leadId, count: 1, now })
  const group = { reason: wait.reason, detail: wait.detail, leadIds: [leadId] }
  const ahead = isLimit(wait.reason) ? await listFirstDue(db, campaignId, mailboxIdsOf(campaign), MOST_AHEAD) : []
  const waiting = { entries: ahead, contacts: await judgeWaiting(db, campaign, ahead, now) }
  const [ifLifted] = await liftLimits(threads, [group], { campaign, around, waiting, wording })
  const { reason, nextAttemptAt, detail } = wait
  return { reason, nextAttemptAt, detail, step: lead.step, text, fix, ifLifted: ifLifted! }
}

const toGroup = ({ reason, detail, members }: WaitingSum): WaitingGroup => ({
  reason,
  detail,
  leadIds: members.map(({ leadId }) => leadId),
})

/** Runs the planner with these leads, as if there were no others. */
async function judge(
  threads: PlanningThreads,
  campaign: SendingCampaign,
  { mailboxes, recentSends }: Surroundings,
  { entries, contacts }: WaitingLeads,
  now: Date,
): Promise<{ waits: WaitingLead[]; ready: number }> {
  const waits: WaitingLead[] = []
  const asked: PlannerLead[] = []
  for (const entry of entries) {
    const { id, count, step, domain, timezone, providerId: mailboxId } = entry
    const contact = contacts.get(id)
    const known = knownReason(campaign, entry, contact !== undefined, now)
    if (known) waits.push({ ...known, leadId: id, count })
    else {
      const hold = entry.suppressed
        ? ({ reason: 'suppressed' } as const)
        : (contact ?? holdOutside({ campaign, mailboxes }, { step, mailboxId }, now))
      asked.push({ id, count, campaignId: campaign.id, step, domain, timezone, dueAt: entry.dueAt!, mailboxId, hold })
    }
  }
  if (asked.length === 0) return { waits, ready: 0 }
  const chosen = await threads.ask({
    kind: 'choose',
    state: {
      campaigns: [toPlannedCampaign(campaign, campaign.status)],
      leads: asked,
      mailboxes: mailboxes.map(toPlannedMailbox),
      recentSends,
      seed: 'send',
    },
    now,
  })
  for (const { leadId, count, reason, nextAttemptAt, detail } of chosen.waits) waits.push({ leadId, count, reason, nextAttemptAt, detail })
  return { waits, ready: chosen.sends.length }
}

function knownReason(campaign: SendingCampaign, lead: OpenEntry, isHeldByRules: boolean, now: Date): Reason | null {
  const wait = (reason: ReasonCode, detail: ReasonDetail | null = null): Reason => ({ reason, nextAttemptAt: null, detail })
  if (lead.openSend !== null) return wait('earlier_step_open', { status: lead.openSend })
  if (lead.dueAt === null) return wait('sequence_completed')
  // Nothing can be planned without a window. A campaign that is not active may have none.
  if (campaign.timezone === null) return wait('campaign_not_active', { status: campaign.status })
  if (campaign.status === 'completed' && campaign.endDate !== null && campaign.endDate <= now) return wait('campaign_expired')
  const detail = lead.holdDetail as ReasonDetail | null
  const isKept = lead.holdReason !== null && [...STORED_REASONS, 'domain_throttle'].includes(lead.holdReason)
  if (isKept && lead.holdUntil && lead.holdUntil > now && campaign.status === 'active') {
    // A hold ends at any time of day, and the message is sent when the window is open.
    const nextAttemptAt = firstOpening(scheduleOf(campaign), lead.timezone, lead.holdUntil)
    return { reason: lead.holdReason as ReasonCode, nextAttemptAt, detail }
  }
  // The lead that it waited for may be finished by now. It is due when it is checked again.
  if (!isHeldByRules && isContactReason(lead.holdReason) && lead.dueAt > now && campaign.status === 'active') {
    return { reason: lead.holdReason, nextAttemptAt: lead.dueAt, detail }
  }
  return null
}

/** A change that would follow if a limit were lifted, in words. */
export type IfLifted = Lift & { text: string }

/** The request waits for the simulations, so only the leads that are due first take part. */
const MOST_LEADS = 5000

interface Circumstances {
  campaign: SendingCampaign
  around: Surroundings
  waiting: WaitingLeads
  wording: Wording
}

/** For each group, the effect of lifting its limit; null when nothing would change, or when it is too far in the future to compute. */
async function liftLimits(threads: PlanningThreads, groups: WaitingGroup[], { campaign, around, waiting, wording }: Circumstances) {
  const nothing = groups.map(() => null)
  if (campaign.timezone === null || campaign.sequenceVersion === 0) return nothing
  if (!groups.some(({ reason }) => isLimit(reason))) return nothing
  const entries = takeFirst(waiting.entries, MOST_LEADS)
  const known = new Set(entries.map(({ id }) => id))
  const asked = groups.map(group => ({ ...group, leadIds: group.leadIds.filter(id => known.has(id)) }))
  const input = toSimulationInput(campaign, around, { ...waiting, entries }, wording.now)
  const lifts = await threads.ask({ kind: 'lift', input, groups: asked })
  return lifts.map(lift => lift && { ...lift, text: wordLift(lift, wording.timezone) })
}

export const presentLift = (lift: IfLifted | null) => lift && pick(lift, 'limit', 'value', 'leavesAt', 'count', 'text')

// The reason why a lead waits, with a request that would solve it. There is no request where the solution is not clear.

export type Fix = Static<typeof FixSchema>

interface FixCircumstances {
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

export function fixOf(wait: { reason: string; detail: unknown }, circumstances: FixCircumstances): Fix | null {
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
  // Weeks of the planner begin on Sunday, weeks of the API on Monday.
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
