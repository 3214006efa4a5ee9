import type { HasLink } from '../../context/context.ts'
import type { Db, Deferred, Tx } from '../../db/sql.ts'
import { type Caller, withDownload } from '../../http/access.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { HOUR_MS } from '../../lib/time.ts'
import { projectMetrics, settleMetrics } from '../metrics/metrics.ts'
import type { EventData, EventType } from './data-schema.ts'
import { deleteOldestEvents, type EventRow, findHorizon, type Horizon, insertEvents, moveHorizon, type NewEventRow } from './queries.ts'

interface NewEvent<T extends EventType> {
  workspaceId: string
  type: T
  timestamp: Date
  campaignId?: string | null
  leadId?: string | null
  /** The token of the request that causes the change. The data then names its person or key. */
  tokenId?: string | null
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

/**
 * Deletes old events. Their share of the metrics is stored, so that computing the metrics again gives the same numbers. Only whole hours
 * are deleted, because the results over time have one row for an hour that is long past.
 */
export async function forgetEvents(tx: Tx, before: Date, limit: number): Promise<number> {
  const wholeHours = new Date(Math.floor(before.getTime() / HOUR_MS) * HOUR_MS)
  const events = await deleteOldestEvents(tx, wholeHours, limit)
  if (events.length === 0) return 0
  await settleMetrics(tx, events)
  await moveHorizon(tx, events[0]!.workspaceId, Math.max(...events.map(event => event.seq)), wholeHours)
  return events.length
}

/** A client that continues after a number expects all later events. Zero is the beginning of the log. */
export async function checkKeptAfter(db: Db, workspaceId: string, after: number): Promise<void> {
  if (after === 0) return
  const horizon = await findHorizon(db, workspaceId)
  if (!horizon || after >= horizon.goneSeq) return
  throw gone(horizon, `Events up to seq ${horizon.goneSeq} are no longer kept. Continue after it. The earlier events are lost.`)
}

/** The same by time. */
export async function checkKeptSince(db: Db, workspaceId: string, since: Date): Promise<void> {
  const horizon = await findHorizon(db, workspaceId)
  if (!horizon || since >= horizon.goneBefore) return
  throw gone(horizon, `Events before ${horizon.goneBefore.toISOString()} are no longer kept. Start at that time.`)
}

/** The event that something is about. */
export async function checkKept(db: Db, workspaceId: string, seq: number): Promise<void> {
  const horizon = await findHorizon(db, workspaceId)
  if (!horizon || seq > horizon.goneSeq) return
  throw gone(horizon, 'The event is no longer kept, so it cannot be delivered.')
}

const gone = ({ goneSeq, goneBefore }: Horizon, message: string): AppError =>
  new AppError('events_expired', message, { keptAfter: goneSeq, keptSince: goneBefore.toISOString() })

export const presentEvent = (row: EventRow, ctx: HasLink, caller: Caller) => ({
  ...pick(row, 'id', 'seq', 'type', 'workspaceId', 'timestamp'),
  data: withDownload(row.data, caller),
  links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/events/${row.id}`) },
})
