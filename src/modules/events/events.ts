import type { Deferred, Tx } from '../../db/client.ts'
import { newId } from '../../lib/ids.ts'
import { projectMetrics } from '../metrics/metrics.ts'
import { EVENT_TYPES, type EventData, type EventType } from './data-schema.ts'
import { insertEvents, type NewEventRow } from './queries.ts'

export { EVENT_TYPES, type EventData, type EventType }

interface NewEvent<T extends EventType> {
  workspaceId: string
  type: T
  timestamp: Date
  campaignId?: string | null
  leadId?: string | null
  data: EventData<T>
}

/**
 * Part of the transaction of the change: an event exists exactly when its change does. The numbers are assigned at the very end, because
 * the counter of the workspace stays locked until the commit.
 */
export function recordEvent<T extends EventType>(tx: Tx, event: NewEvent<T>): string {
  const id = newId()
  tx.defer(OUTBOX, { ...event, id, campaignId: event.campaignId ?? null, leadId: event.leadId ?? null })
  return id
}

const OUTBOX: Deferred<NewEventRow> = {
  async flush(tx, events) {
    // Workspaces are locked in a fixed order, so that two transactions cannot wait for each other.
    const byWorkspace = Map.groupBy(events, event => event.workspaceId)
    for (const workspaceId of [...byWorkspace.keys()].sort()) {
      const recorded = byWorkspace.get(workspaceId)!
      await insertEvents(tx, workspaceId, recorded)
      await projectMetrics(tx, recorded)
    }
    tx.wake('events')
  },
}
