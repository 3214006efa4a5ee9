import type { Db } from '../../db/client.ts'
import type { LogRange } from '../../lib/page.ts'
import { type EventRow, findEvent, listEvents } from './queries.ts'

export async function findTimelineEvent(db: Db, workspaceId: string, leadId: string, id: string): Promise<EventRow | undefined> {
  const event = await findEvent(db, workspaceId, id)
  return event?.leadId === leadId ? event : undefined
}

/** By number and not by time: what happened in one transaction has one timestamp. */
export const listTimelineEvents = (db: Db, workspaceId: string, leadId: string, range: LogRange): Promise<EventRow[]> =>
  listEvents(db, workspaceId, { leadId }, range)
