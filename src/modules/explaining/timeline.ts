import type { Db } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'
import { listTimelineEvents } from '../events/timeline.ts'
import type { LeadRow } from '../leads/leads.ts'
import { readCurrentDecision, readDecisions } from './decisions.ts'

export interface TimelineEntry {
  /** Its number in the event log; 0 for the entry that no event stands behind. */
  seq: number
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

/** What happened to the lead and why things did not happen, oldest first, beginning with how it came to be here. */
export async function readTimeline(db: Db, lead: LeadRow, page: Page, zone: { now: Date; timezone: string }): Promise<TimelineEntry[]> {
  const after = Number(page.after?.id ?? 0)
  const events = await listTimelineEvents(db, lead.workspaceId, lead.id, Math.floor(after), page.limit + 1)
  const decisions = await readDecisions(db, lead.id, zone.timezone, after, page.limit + 1)
  const entries = [
    ...events.map(({ seq, id, type, timestamp, data }) => ({ seq, id, type, timestamp: timestamp.toISOString(), data })),
    ...decisions.map(({ position, id, at, data }) => ({ seq: position, id, type: 'decision.waiting', timestamp: at.toISOString(), data })),
  ].sort((a, b) => a.seq - b.seq)
  if (entries.length <= page.limit) {
    const data = await readCurrentDecision(db, lead.campaignId, lead.id, zone.now)
    const last = entries.at(-1)?.seq ?? after
    if (data) entries.push({ seq: last + 0.0001, id: `${lead.id}-now`, type: 'decision.waiting', timestamp: zone.now.toISOString(), data })
  }
  if (page.after) return entries
  const added = { source: lead.source, leadListName: lead.leadListName }
  return [{ seq: 0, id: lead.id, type: 'lead.added', timestamp: lead.createdAt.toISOString(), data: added }, ...entries]
}

export const presentTimelineEntry = ({ id, type, timestamp, data }: TimelineEntry) => ({ id, type, timestamp, data })
