import type { Db, Tx } from '../../db/client.ts'
import { startOfDay } from '../../scheduling/zone.ts'
import {
  addEvents,
  COUNTED_FIELDS,
  COUNTED_TYPES,
  type CountedEvent,
  findMetrics,
  type MetricsRow,
  NO_METRICS,
  recountCampaign,
  settleEvents,
} from './queries.ts'
import { addToRollups, holdRollups, recountRollups, SERIES_TYPES } from './series-queries.ts'

const COUNTED: ReadonlySet<string> = new Set(COUNTED_TYPES)
const IN_SERIES: ReadonlySet<string> = new Set(SERIES_TYPES)
const isCounted = (type: string): boolean => COUNTED.has(type) || IN_SERIES.has(type)

interface LoggedEvent {
  type: string
  timestamp: Date
  campaignId: string | null
  data: Record<string, unknown>
}

/** Called with every batch of events, in their transaction. */
export async function projectMetrics(tx: Tx, events: LoggedEvent[]): Promise<void> {
  const alike = countAlike(events)
  const counted = alike.filter(({ type }) => COUNTED.has(type))
  const inSeries = alike.filter(({ type }) => IN_SERIES.has(type))
  // Always in this order: a transaction that adds to a campaign first waits for the row of its metrics, so that no two wait for each other.
  if (counted.length > 0) await addEvents(tx, counted)
  if (inSeries.length > 0) await addToRollups(tx, inSeries)
}

/** Hundreds of messages are sent together and add the same, so they are added as one row. */
function countAlike(events: LoggedEvent[]): (CountedEvent & { timestamp: Date })[] {
  const rows = new Map<string, CountedEvent & { timestamp: Date }>()
  for (const { type, timestamp, campaignId, data } of events) {
    if (campaignId === null || !isCounted(type)) continue
    const used: Record<string, unknown> = {}
    for (const field of COUNTED_FIELDS) used[field] = data[field]
    // An event that does not name its mailbox names its message.
    if (data.providerId == null) used.sendId = data.sendId
    const key = JSON.stringify([campaignId, type, timestamp, used])
    const known = rows.get(key)
    if (known) known.n++
    else rows.set(key, { campaign_id: campaignId, type, timestamp, data: used, n: 1 })
  }
  return [...rows.values()]
}

/**
 * Called with all events that metrics count and that are about to be deleted, in the same transaction. Their campaigns are locked, so that
 * no other transaction counts them again at the same time.
 */
export async function settleMetrics(tx: Tx, events: (LoggedEvent & { leadId: string | null })[]): Promise<void> {
  const counted = events.flatMap(({ type, campaignId, leadId, data }) =>
    campaignId !== null && isCounted(type) ? [{ campaign_id: campaignId, lead_id: leadId, type, data, n: 1 }] : [],
  )
  if (counted.length > 0) await settleEvents(tx, counted)
}

/**
 * Counts the log of one campaign again, on top of what the events that are gone had added. The rollups of the workspace follow when all its
 * campaigns are counted.
 */
export async function recountMetrics(tx: Tx, campaignId: string): Promise<void> {
  // First, because a worker that merges rollups holds their lock while it waits for the campaign.
  await holdRollups(tx)
  await recountCampaign(tx, campaignId)
  await recountRollups(tx, campaignId)
}

export type Metrics = ReturnType<typeof presentMetrics>

export interface Measured {
  id: string
  timezone: string | null
}

export async function readMetrics(db: Db, campaigns: Measured[], now: Date): Promise<Metrics[]> {
  const rows = campaigns.map(({ id, timezone }) => findMetrics(db, id, startOfDay(timezone ?? 'UTC', now)))
  return (await Promise.all(rows)).map(row => presentMetrics(row, now))
}

/** For a campaign that was made in this transaction, so that nothing has to be read. */
export const newMetrics = (now: Date): Metrics => presentMetrics(NO_METRICS, now)

/** The numerator and the denominator of a rate count contacted leads only, so no rate exceeds 1. */
export function presentMetrics(row: MetricsRow, now: Date) {
  const contacted = row.contactedLeadsCount
  const rate = (part: number): number => (contacted === 0 ? 0 : Math.round((Math.min(part, contacted) / contacted) * 10_000) / 10_000)
  return {
    openCount: row.openCount,
    uniqueOpenCount: row.uniqueOpenCount,
    linkClickCount: row.linkClickCount,
    replyCount: row.replyCount,
    uniqueReplyCount: row.uniqueReplyCount,
    bouncedCount: row.bouncedCount,
    unsubscribedCount: row.unsubscribedCount,
    emailsSentCount: row.emailsSentCount,
    newLeadsContactedCount: row.newLeadsContactedCount,
    contactedLeadsCount: row.contactedLeadsCount,
    totalOpportunities: row.totalOpportunities,
    totalInterested: row.totalInterested,
    totalMeetingBooked: row.totalMeetingBooked,
    totalMeetingCompleted: row.totalMeetingCompleted,
    totalClosed: row.totalClosed,
    totalOpportunityValue: row.totalOpportunityValue,
    openRate: rate(row.uniqueOpenCount),
    replyRate: rate(row.uniqueReplyCount),
    bounceRate: rate(row.bouncedCount),
    meetingBookingRate: rate(row.contactedMeetingCount),
    snapshotAt: now.toISOString(),
  }
}
