import type { Database, Db, Tx } from '../../db/client.ts'
import { startOfDay } from '../../scheduling/zone.ts'
import { addEvents, COUNTED_TYPES, findMetrics, listCampaignIds, type MetricsRow, recountCampaign } from './queries.ts'

const COUNTED: ReadonlySet<string> = new Set(COUNTED_TYPES)

interface LoggedEvent {
  type: string
  campaignId: string | null
  data: Record<string, unknown>
}

/** Called with every batch of events, in their transaction. */
export async function projectMetrics(tx: Tx, events: LoggedEvent[]): Promise<void> {
  const counted = events.flatMap(({ type, campaignId, data }) =>
    campaignId !== null && COUNTED.has(type) ? [{ campaign_id: campaignId, type, data }] : [],
  )
  if (counted.length > 0) await addEvents(tx, counted)
}

/** Folds the whole log again, a campaign at a time. */
export async function recomputeMetrics(db: Database, campaignId: string | null): Promise<number> {
  const ids = await listCampaignIds(db, campaignId)
  for (const id of ids) await db.inTransaction(tx => recountCampaign(tx, id))
  return ids.length
}

export type Metrics = ReturnType<typeof presentMetrics>

interface Measured {
  id: string
  timezone: string | null
}

export async function readMetrics(db: Db, campaigns: Measured[], now: Date): Promise<Metrics[]> {
  const rows = campaigns.map(({ id, timezone }) => findMetrics(db, id, startOfDay(timezone ?? 'UTC', now)))
  return (await Promise.all(rows)).map(row => presentMetrics(row, now))
}

/** A rate is about the leads that were written to, above the line as below it: none is ever more than 1. */
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
