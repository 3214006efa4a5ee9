import type { Db } from '../../db/client.ts'
import { HOUR_MS } from '../../lib/time.ts'
import type { MailboxLoad } from '../../scheduling/capacity.ts'
import type { Hold } from '../../scheduling/plan.ts'
import type { PlannedCampaign, PlannedMailbox } from '../../scheduling/planner.ts'
import { OpenHours, type Schedule } from '../../scheduling/window.ts'
import { type SendingMailbox, toMailbox } from '../mailboxes/mailboxes.ts'
import { type DueCampaign, findSendingCampaign, listRecentSends, type RecentSend } from './claim-queries.ts'
import { findWriting, type WorkspaceWriting } from './send-queries.ts'

// Turns rows into the input of the scheduler.

/** A campaign as the sender sees it. */
export type SendingCampaign = DueCampaign & { status: string }

export const readSendingCampaign = (db: Db, id: string): Promise<SendingCampaign | undefined> => findSendingCampaign(db, id)

/** The settings of the workspace that every message uses. */
export const readWriting = (db: Db, workspaceId: string): Promise<WorkspaceWriting> => findWriting(db, workspaceId)

/** The messages of the last hour, for mailboxes that limit how many go to one domain. */
export function readRecentSends(db: Db, mailboxes: SendingMailbox[], now: Date): Promise<RecentSend[]> {
  const throttled = mailboxes.filter(mailbox => mailbox.maxPerDomainPerHour !== null).map(mailbox => mailbox.id)
  return listRecentSends(db, throttled, new Date(now.getTime() - HOUR_MS))
}

export const toPlannedMailbox = (mailbox: SendingMailbox): PlannedMailbox => ({
  ...toMailbox(mailbox),
  connected: mailbox.status === 'connected',
  load: loadOf(mailbox),
})

export const loadOf = (mailbox: SendingMailbox): MailboxLoad => ({
  day: mailbox.loadDay,
  reserved: mailbox.loadReserved,
  nextSlotAt: mailbox.nextSlotAt,
})

export const scheduleOf = (campaign: DueCampaign): Schedule => ({
  daysOfWeek: campaign.daysOfWeek,
  timeWindow: { start: campaign.windowStart, end: campaign.windowEnd },
  timezone: campaign.timezone,
  startDate: campaign.startDate,
  endDate: campaign.endDate,
  useLeadTimezone: campaign.useLeadTimezone,
})

/**
 * Finds the first instant, from a given one on, at which the campaign may write to a lead; null when there is none. A campaign that
 * uses the time zones of its leads may do so at any time between its dates; leads whose window is closed move back in the queue.
 */
export function openingsOf(campaign: DueCampaign): (fromMs: number) => number | null {
  const hours = new OpenHours(scheduleOf(campaign))
  if (!campaign.useLeadTimezone) return fromMs => hours.nextOpening(fromMs)
  return fromMs => (Math.max(fromMs, hours.startMs) < hours.endMs ? Math.max(fromMs, hours.startMs) : null)
}

/** A lead that is due has a next step, whatever its version, so the planner need not know the steps of each version. */
const ANY_STEPS: PlannedCampaign['steps'] = Array.from({ length: 100 }, () => ({ delayDays: 0 }))

export const toPlannedCampaign = (campaign: DueCampaign, status = 'active'): PlannedCampaign => ({
  id: campaign.id,
  status,
  schedule: scheduleOf(campaign),
  steps: ANY_STEPS,
  mailboxIds: campaign.mailboxIds,
})

/**
 * A campaign whose messages carry links waits while its tracking host does not work: links to another host would be
 * worse than a later message.
 */
export function holdByTrackingHost(campaign: DueCampaign): Hold | null {
  const { trackingHost } = campaign
  return trackingHost?.isFailing && carriesLinks(campaign) ? { reason: 'tracking_host_failing', detail: { host: trackingHost.host } } : null
}

export const carriesLinks = ({
  trackOpens,
  trackClicks,
  unsubscribe,
}: Pick<DueCampaign, 'trackOpens' | 'trackClicks' | 'unsubscribe'>): boolean => trackOpens || trackClicks || unsubscribe !== 'reply-line'

const hasUnreadInbox = ({ settings, inboxState }: SendingMailbox): boolean =>
  settings.imap != null && inboxState !== null && inboxState !== 'readable'

/** Whether the mailbox may write to somebody for the first time, as far as its inbox is concerned. */
export function mayOpenThreads(mailbox: SendingMailbox): boolean {
  const inbox = mailbox.settings.imap as { firstStepsWithoutInbox?: boolean } | null | undefined
  return inbox?.firstStepsWithoutInbox !== false || !hasUnreadInbox(mailbox)
}

/**
 * The reasons against a message now that come from the mailbox of a lead, or from all its possible mailboxes. No lead gets
 * a follow-up while its answer may be in an inbox that was not read.
 */
function holdByMailbox(lead: { step: number; mailboxId: string | null }, mailboxes: SendingMailbox[], now: Date): Hold | null {
  const able = mailboxes.filter(({ id, status }) => status === 'connected' && (lead.mailboxId === null || lead.mailboxId === id))
  const [first] = able
  if (!first) return null
  const isHeld = (mailbox: SendingMailbox): boolean => (lead.step > 0 ? hasUnreadInbox(mailbox) : !mayOpenThreads(mailbox))
  if (able.every(isHeld)) return { reason: 'inbox_unread', detail: { mailboxId: first.id } }
  const rests = able.map(mailbox => mailbox.restingUntil?.getTime() ?? 0)
  const until = Math.min(...rests)
  if (until <= now.getTime()) return null
  return { reason: 'mailbox_resting', detail: { mailboxId: able[rests.indexOf(until)]!.id }, nextAttemptAt: new Date(until) }
}

export interface Surroundings {
  campaign: DueCampaign
  mailboxes: SendingMailbox[]
}

/** Reasons against a message now that do not depend on the lead itself. */
export const holdOutside = (
  { campaign, mailboxes }: Surroundings,
  lead: { step: number; mailboxId: string | null },
  now: Date,
): Hold | null => holdByTrackingHost(campaign) ?? holdByMailbox(lead, mailboxes, now)
