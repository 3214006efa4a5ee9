import type { Db } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'
import { listTimelineEvents } from '../events/timeline.ts'
import type { LeadRow } from './leads.ts'

export interface TimelineEntry {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
}

/** What happened to the lead, oldest first, beginning with how it came to be here. */
export async function readTimeline(db: Db, lead: LeadRow, page: Page): Promise<TimelineEntry[]> {
  const events = await listTimelineEvents(db, lead.workspaceId, lead.id, page)
  const entries = events.map(event => ({ id: event.id, type: event.type, timestamp: event.timestamp.toISOString(), data: event.data }))
  if (page.after) return entries
  return [
    {
      id: lead.id,
      type: 'lead.added',
      timestamp: lead.createdAt.toISOString(),
      data: { source: lead.source, leadListName: lead.leadListName },
    },
    ...entries,
  ]
}
