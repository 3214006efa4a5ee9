import { type Db, sql, type Tx, type Writer } from '../../db/client.ts'
import { columnsOf } from '../../db/fragments.ts'
import type { Page } from '../../lib/page.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
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

const FIELDS = {
  id: 'id',
  workspaceId: 'workspace_id',
  endpointId: 'endpoint_id',
  eventSeq: 'event_seq',
  eventId: 'event_id',
  eventType: 'event_type',
  attempt: 'attempt',
  status: 'status',
  responseStatus: 'response_status',
  error: 'error',
  durationMs: 'duration_ms',
  dueAt: 'due_at',
  nextAttemptAt: 'next_attempt_at',
  createdAt: 'created_at',
}
const COLUMNS = columnsOf(FIELDS)

// Ordered by time like the ids we make ourselves, and within one statement by `n`, so that the log reads in the order
// of events. PostgreSQL has a function for this only from version 18 on.
const ORDERED_ID = (n: string): string => `
  (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + (${n} >> 12)), 12, '0') || '7' || lpad(to_hex(${n} & 4095), 3, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid`

// A test event is meant for one endpoint alone and never part of a subscription.
const SUBSCRIBED = (events: string, type: string): string =>
  `(${events} @> array['*'] or ${type} = any(${events})) and ${type} <> 'webhook.test'`

// The order is drawn: with more endpoints behind than fit, none of them waits for ever.
const FAN_OUT = sql.atomic(`
  with due as (
    select e.id, e.workspace_id, e.events, e.cursor_seq, least(s.seq, e.cursor_seq + $3) as up_to
    from webhook_endpoints e
    join event_streams s on s.workspace_id = e.workspace_id
    where e.status = 'active' and s.seq > e.cursor_seq and ($1::uuid is null or e.id = $1)
    order by random()
    limit $2
    for no key update of e skip locked
  ), moved as (
    update webhook_endpoints e
    set cursor_seq = due.up_to
    from due
    where e.id = due.id
  ), inserted as (
    insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
    select ${ORDERED_ID('(v.seq - due.cursor_seq)')}, due.workspace_id, due.id, v.seq, v.id, v.type, 1, now()
    from due
    join events v on v.workspace_id = due.workspace_id and v.seq > due.cursor_seq and v.seq <= due.up_to
    where ${SUBSCRIBED('due.events', 'v.type')}
    returning endpoint_id
  )
  select due.id, (select count(*) from inserted where inserted.endpoint_id = due.id)::int as count
  from due`)

interface FanOut {
  id: string
  count: number
}

/** Turns events into deliveries for endpoints that are behind, and moves their cursors, all in one statement. */
export const fanOut = (db: Writer, limits: { endpoints: number; events: number }): Promise<FanOut[]> =>
  db.write<FanOut>(FAN_OUT, [null, limits.endpoints, limits.events])

const NO_LIMIT = 1_000_000_000

/** The same for one endpoint and all that it is behind. The row must be locked. */
export async function fanOutTo(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(FAN_OUT, [endpointId, 1, NO_LIMIT])
}

export interface DeliveryJob
  extends Pick<DeliveryRow, 'id' | 'endpointId' | 'eventId' | 'eventSeq' | 'eventType' | 'attempt' | 'workspaceId'> {
  url: string
  secret: Buffer
  /** Null once the overlap of a rotation is over. */
  previousSecret: Buffer | null
  timestamp: Date
  data: unknown
  isFailing: boolean
  /** How many the endpoint may have under way at once. */
  atOnce: number
  claimedAt: Date
}

// Every endpoint gets its share before any gets more, so that a slow one cannot take the places of the others; one that
// has been failing gets few. `waiting` hops through the index from endpoint to endpoint instead of reading all that is due.
const CLAIM = sql.atomic(`
  with recursive waiting as (
    (
      select d.endpoint_id
      from deliveries d
      where d.status = 'pending' and d.worker_id is null
      order by d.endpoint_id
      limit 1
    )
    union all
    select (
      select d.endpoint_id
      from deliveries d
      where d.status = 'pending' and d.worker_id is null and d.endpoint_id > waiting.endpoint_id
      order by d.endpoint_id
      limit 1
    )
    from waiting
    where waiting.endpoint_id is not null
  ), rooms as (
    select e.id, coalesce(busy.count, 0) as busy,
      case when e.failing_since is null then $3::int else $4::int end as at_once
    from waiting
    join webhook_endpoints e on e.id = waiting.endpoint_id
    left join unnest($5::uuid[], $6::int[]) as busy(id, count) on busy.id = e.id
    where e.status = 'active'
  ), due as materialized (
    select d.id, rooms.at_once
    from rooms
    cross join lateral (
      select locked.id, row_number() over (order by locked.due_at) as n
      from (
        select id, due_at
        from deliveries
        where endpoint_id = rooms.id and status = 'pending' and worker_id is null and due_at <= now()
        order by due_at
        limit greatest(rooms.at_once - rooms.busy, 0)
        for update skip locked
      ) as locked
    ) as d
    order by rooms.busy + d.n
    limit $2
  ), claimed as (
    update deliveries d
    set worker_id = $1
    from due
    where d.id = due.id
    returning d.*, due.at_once
  )
  select d.id, d.workspace_id as "workspaceId", d.endpoint_id as "endpointId", d.event_id as "eventId",
    d.event_seq as "eventSeq", d.event_type as "eventType", d.attempt, d.at_once as "atOnce", e.url, e.secret,
    case when e.previous_secret_until > now() then e.previous_secret end as "previousSecret", v.timestamp,
    case
      when v.data ? 'downloadUrl' and not e.sees_downloads then v.data || '{"downloadUrl": null}'
      else v.data
    end as data,
    e.failing_since is not null as "isFailing", now() as "claimedAt"
  from claimed d
  join webhook_endpoints e on e.id = d.endpoint_id
  join events v on v.workspace_id = d.workspace_id and v.seq = d.event_seq
  order by d.due_at, d.id`)

interface ClaimLimits {
  total: number
  perEndpoint: number
  perFailingEndpoint: number
  /** How many each endpoint has under way in this worker already. */
  busy: ReadonlyMap<string, number>
}

export function claimDeliveries(db: Writer, workerId: number, limits: ClaimLimits): Promise<DeliveryJob[]> {
  const { total, perEndpoint, perFailingEndpoint, busy } = limits
  return db.write<DeliveryJob>(CLAIM, [workerId, total, perEndpoint, perFailingEndpoint, [...busy.keys()], [...busy.values()]])
}

export interface AttemptRecord {
  id: string
  workerId: number
  status: 'succeeded' | 'failed'
  responseStatus: number | null
  error: string | null
  durationMs: number
  /** Null: there is no next attempt. */
  retryInMs: number | null
  nextId: string
}

// A row that is no longer ours was given to somebody else, who will have a result of their own.
const RECORD = sql.atomic(`
  with done as (
    update deliveries d
    set status = r.status, response_status = r."responseStatus", error = r.error, duration_ms = r."durationMs",
      next_attempt_at = now() + r."retryInMs" * interval '1 millisecond', worker_id = null, completed_at = now()
    from jsonb_to_recordset($1::jsonb) as r(
      id uuid, "workerId" int, status text, "responseStatus" int, error text, "durationMs" int, "retryInMs" bigint,
      "nextId" uuid
    )
    where d.id = r.id and d.worker_id = r."workerId" and d.status = 'pending'
    returning d.*, r."nextId"
  )
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
  select "nextId", workspace_id, endpoint_id, event_seq, event_id, event_type, attempt + 1, next_attempt_at
  from done
  where next_attempt_at is not null`)

/** The results of attempts, and the attempts that follow from them. */
export async function recordAttempts(db: Writer, records: AttemptRecord[]): Promise<void> {
  await db.write(RECORD, [JSON.stringify(records)])
}

const RELEASE_OTHERS = sql(`
  update deliveries
  set worker_id = null
  where worker_id = $1 and id <> all($2::uuid[])`)

/** For claims whose answer was lost: they are ours by name, but nobody works on them. */
export const releaseDeliveriesExcept = (tx: Tx, workerId: number, ids: string[]): Promise<number> => tx.run(RELEASE_OTHERS, [workerId, ids])

const RELEASE_DEAD = sql(`
  update deliveries
  set worker_id = null
  where worker_id is not null and worker_id not in (${LIVE_WORKERS})`)

export const releaseDeliveriesOfDeadWorkers = (tx: Tx): Promise<number> => tx.run(RELEASE_DEAD)

const FIND = sql(`
  select ${COLUMNS}
  from deliveries
  where endpoint_id = $1 and id = $2`)

export const findDelivery = (db: Db, endpointId: string, id: string): Promise<DeliveryRow | undefined> =>
  db.first<DeliveryRow>(FIND, [endpointId, id])

const LIST = sql(`
  select ${COLUMNS}
  from deliveries
  where endpoint_id = $1
    and ($2::text is null or status = $2)
    and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
  order by created_at desc, id desc
  limit $5`)

export const listDeliveries = (db: Db, endpointId: string, status: string | undefined, page: Page): Promise<DeliveryRow[]> =>
  db.many<DeliveryRow>(LIST, [endpointId, status, page.after?.at, page.after?.id, page.limit + 1])

// The event was written in this very transaction, so it is among the last of its workspace.
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

/** The time by which the queue runs, whatever the clocks of the processes say. */
export const readDatabaseTime = async (db: Db): Promise<Date> => (await db.first<{ now: Date }>(NOW))!.now

const HASTEN = sql(`
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
  returning ${COLUMNS}`)

/** Makes the attempt of this event that waits for its time due now. */
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
      and status <> 'pending'
      and created_at < $1
    order by id
    limit 5000
  )`)

/** Ids are ordered by time, so the old ones are found at the left edge of the primary key. */
export const deleteOldDeliveries = (tx: Tx, before: Date): Promise<number> => tx.run(DELETE_OLD, [before])
