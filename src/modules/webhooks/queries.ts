import { type Db, sql, type Tx } from '../../db/client.ts'
import { newestFirst } from '../../db/filtered.ts'
import { columnsOf } from '../../db/fragments.ts'
import type { Page } from '../../lib/page.ts'
import type { DeliveryStatus } from './schema.ts'

export interface DeliveryRow {
  id: string
  workspaceId: string
  endpointId: string
  eventSeq: number
  eventId: string
  eventType: string
  attempt: number
  status: DeliveryStatus
  responseStatus: number | null
  error: string | null
  durationMs: number | null
  dueAt: Date
  nextAttemptAt: Date | null
  createdAt: Date
}

const COLUMNS =
  columnsOf(`id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, status, response_status, error, duration_ms, due_at,
  next_attempt_at, created_at`)

// Ordered by time like the ids we make ourselves, and within one statement by `n`, so that the log reads in the order
// of events. PostgreSQL has a function for this only from version 18 on.
export const ORDERED_ID = (n: string): string => `
  (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + (${n} >> 12)), 12, '0') || '7' || lpad(to_hex(${n} & 4095), 3, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid`

// A test event is for one endpoint only, never part of a subscription.
export const SUBSCRIBED = (events: string, type: string): string =>
  `(${events} @> array['*'] or ${type} = any(${events})) and ${type} <> 'webhook.test'`

const FIND = sql(`
  select ${COLUMNS}
  from deliveries
  where endpoint_id = $1 and id = $2`)

export const findDelivery = (db: Db, endpointId: string, id: string): Promise<DeliveryRow | undefined> =>
  db.first<DeliveryRow>(FIND, [endpointId, id])

const LIST = newestFirst(
  `
  select ${COLUMNS}
  from deliveries
  where endpoint_id = $1`,
  { status: 'status = ?' },
)

export const listDeliveries = (db: Db, endpointId: string, status: string | undefined, page: Page): Promise<DeliveryRow[]> =>
  db.many<DeliveryRow>(...LIST([endpointId], page, { status }))

// The event was inserted in this transaction, so it is among the last of its workspace.
const INSERT_OF_EVENT = sql(`
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at, created_at)
  select $1, v.workspace_id, $2, v.seq, v.id, v.type, 1, $5, $5
  from events v
  where v.workspace_id = $3 and v.id = $4
  order by v.seq desc
  limit 1`)

export async function insertDeliveryOfEvent(
  tx: Tx,
  row: Pick<DeliveryRow, 'id' | 'endpointId' | 'workspaceId' | 'eventId' | 'createdAt'>,
): Promise<void> {
  await tx.run(INSERT_OF_EVENT, [row.id, row.endpointId, row.workspaceId, row.eventId, row.createdAt])
}

const NOW = sql('select now()::timestamptz(3) as now')

/** The time of the database, which the queue uses instead of the clocks of the processes. */
export const readDatabaseTime = async (db: Db): Promise<Date> => (await db.first<{ now: Date }>(NOW))!.now

// The attempt before it says when the next one is: that is now, too.
const HASTEN = sql(`
  with hastened as (
    update deliveries
    set due_at = least(due_at, now())
    where id = (
      select id
      from deliveries
      where endpoint_id = $1 and event_seq = $2 and status = 'pending' and worker_id is null
      order by attempt desc
      limit 1
      for update skip locked
    )
    returning ${COLUMNS}
  ), announced as (
    update deliveries
    set next_attempt_at = now()
    where endpoint_id = $1 and event_seq = $2 and status = 'failed' and next_attempt_at > now() and exists (select from hastened)
  )
  select *
  from hastened`)

/** Makes the waiting attempt of this event due now. */
export const hastenDelivery = (tx: Tx, endpointId: string, eventSeq: number): Promise<DeliveryRow | undefined> =>
  tx.first<DeliveryRow>(HASTEN, [endpointId, eventSeq])

const INSERT_AGAIN = sql(`
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
  select $1, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt + 1, now()
  from deliveries
  where id = $2
  returning ${COLUMNS}`)

export async function insertDeliveryAgain(tx: Tx, id: string, previousId: string): Promise<DeliveryRow> {
  return (await tx.first<DeliveryRow>(INSERT_AGAIN, [id, previousId]))!
}

const REPLAYED = `
  from webhook_endpoints e join events v on v.workspace_id = e.workspace_id
  where e.id = $1 and v.timestamp >= $2 and ($3::timestamptz is null or v.timestamp <= $3) and ${SUBSCRIBED('e.events', 'v.type')}`

const COUNT_REPLAYED = sql(`
  select count(*)::int as count
  from (select ${REPLAYED} limit $4) as found`)

/** How many events a replay would send, counted no further than `limit`. */
export async function countReplayed(db: Db, endpointId: string, since: Date, until: Date | null, limit: number): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_REPLAYED, [endpointId, since, until, limit]))!.count
}

const COUNT_PENDING = sql(`
  select count(*)::int as count
  from (select from deliveries where endpoint_id = $1 and status = 'pending' limit $2) as found`)

/** How many attempts wait for their time, counted no further than `limit`. */
export async function countPending(db: Db, endpointId: string, limit: number): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_PENDING, [endpointId, limit]))!.count
}

const REPLAY = sql(`
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
  select ${ORDERED_ID('row_number() over (order by v.seq)')}, e.workspace_id, e.id, v.seq, v.id, v.type, 1, now() ${REPLAYED}`)

export const insertReplayed = (tx: Tx, endpointId: string, since: Date, until: Date | null): Promise<number> =>
  tx.run(REPLAY, [endpointId, since, until])

const DELETE_OLD = sql(`
  delete from deliveries
  where id in (
    select id
    from deliveries
    where id < (lpad(to_hex((extract(epoch from $1::timestamptz) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
      and (status <> 'pending' or not exists (select from webhook_endpoints e where e.id = deliveries.endpoint_id))
      and created_at < $1
    order by id
    limit $2
  )`)

/**
 * Also attempts that will never be made, because their endpoint was deleted. Ids are ordered by time, so the old ones are found at the
 * left edge of the primary key.
 */
export const forgetDeliveries = (tx: Tx, before: Date, limit: number): Promise<number> => tx.run(DELETE_OLD, [before, limit])
