import { newestFirst } from '../../db/filtered.ts'
import { columnsOf } from '../../db/fragments.ts'
import { sql, type Tx, type Writer } from '../../db/sql.ts'
import { newId } from '../../lib/ids.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { Static } from '../../lib/type.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import { countLocked, lockWorkspace } from '../workspaces/queries.ts'
import type { Delivery, WebhookEndpoint } from './schema.ts'

export interface DeliveryRow extends Omit<Static<typeof Delivery>, 'eventType' | 'nextAttemptAt' | 'createdAt' | 'links'> {
  eventSeq: number
  eventType: string
  dueAt: Date
  nextAttemptAt: Date | null
  createdAt: Date
}

const COLUMNS =
  columnsOf(`id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, status, response_status, error, duration_ms, due_at,
  next_attempt_at, created_at`)

// Ordered by time like the ids we make ourselves, and within one statement by `n`, so that the log reads in the order
// of events. PostgreSQL has a function for this only from version 18 on.
const ORDERED_ID = (n: string): string => `
  (lpad(to_hex((extract(epoch from now()) * 1000)::bigint + (${n} >> 12)), 12, '0') || '7' || lpad(to_hex(${n} & 4095), 3, '0')
    || right(replace(gen_random_uuid()::text, '-', ''), 16))::uuid`

// A test event is for one endpoint only, never part of a subscription.
const SUBSCRIBED = (events: string, type: string): string =>
  `(${events} @> array['*'] or ${type} = any(${events})) and ${type} <> 'webhook.test'`

export const findDelivery = sql(`
  select ${COLUMNS}
  from deliveries
  where endpoint_id = $1 and id = $2`).first<DeliveryRow, [endpointId: string, id: string]>()

export const listDeliveries = newestFirst<DeliveryRow, [endpointId: string], 'status'>(
  `
  select ${COLUMNS}
  from deliveries
  where endpoint_id = $1`,
  { status: 'status = ?' },
)

// The event was inserted in this transaction, so it is among the last of its workspace.
export const insertDeliveryOfEvent = sql(`
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at, created_at)
  select $1, v.workspace_id, $2, v.seq, v.id, v.type, 1, $5, $5
  from events v
  where v.workspace_id = $3 and v.id = $4
  order by v.seq desc
  limit 1`).run((row: DeliveryRow) => valuesOf(row, 'id', 'endpointId', 'workspaceId', 'eventId', 'createdAt'))

/** The time of the database, which the queue uses instead of the clocks of the processes. */
export const readDatabaseTime = sql('select now()::timestamptz(3) as now').value<Date>()

// The previous attempt stores the time of the next one, which is also now.
/** Makes the waiting attempt of this event due now. */
export const hastenDelivery = sql(`
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
  from hastened`).first<DeliveryRow, [endpointId: string, eventSeq: number]>()

export const insertDeliveryAgain = sql(`
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
  select $1, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt + 1, now()
  from deliveries
  where id = $2
  returning ${COLUMNS}`).one<DeliveryRow, [id: string, previousId: string]>()

const REPLAYED = `
  from webhook_endpoints e join events v on v.workspace_id = e.workspace_id
  where e.id = $1 and v.timestamp >= $2 and ($3::timestamptz is null or v.timestamp <= $3) and ${SUBSCRIBED('e.events', 'v.type')}`

/** How many events a replay would send, counted no further than `limit`. */
export const countReplayed = sql(`
  select count(*)::int as count
  from (select ${REPLAYED} limit $4) as found`).value<number, [endpointId: string, since: Date, until: Date | null, limit: number]>()

/** How many attempts wait for their time, counted no further than `limit`. */
export const countPending = sql(`
  select count(*)::int as count
  from (select from deliveries where endpoint_id = $1 and status = 'pending' limit $2) as found`).value<
  number,
  [endpointId: string, limit: number]
>()

export const insertReplayed = sql(`
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
  select ${ORDERED_ID('row_number() over (order by v.seq)')}, e.workspace_id, e.id, v.seq, v.id, v.type, 1, now() ${REPLAYED}`).run<
  [endpointId: string, since: Date, until: Date | null]
>()

/**
 * Also attempts that will never be made, because their endpoint was deleted. Ids are ordered by time, so the old ones are found at the
 * left edge of the primary key.
 */
export const forgetDeliveries = sql(`
  delete from deliveries
  where id in (
    select id
    from deliveries
    where id < (lpad(to_hex((extract(epoch from $1::timestamptz) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
      and (status <> 'pending' or not exists (select from webhook_endpoints e where e.id = deliveries.endpoint_id))
      and created_at < $1
    order by id
    limit $2
  )`).run<[before: Date, limit: number]>()

export interface EndpointRow extends Omit<Static<typeof WebhookEndpoint>, 'events' | 'createdAt' | 'updatedAt' | 'links'> {
  events: string[]
  /** Sealed, like the one before it. */
  secret: Buffer
  createdAt: Date
  updatedAt: Date
}

const ENDPOINT_COLUMNS = columnsOf('id, workspace_id, url, events, description, status, disabled_reason, secret, created_at, updated_at')

const CURRENT_SEQ = (workspaceId: string): string =>
  `coalesce((select s.seq from event_streams s where s.workspace_id = ${workspaceId}), 0)`

export const countEndpointsLocked = countLocked(lockWorkspace, 'webhook_endpoints where workspace_id')

type NewEndpointRow = Pick<EndpointRow, 'id' | 'workspaceId' | 'url' | 'events' | 'description' | 'secret' | 'createdAt'>

/** A new endpoint begins with what happens from now on. */
export const insertEndpoint = sql(`
  insert into webhook_endpoints (id, workspace_id, url, events, description, secret, created_at, updated_at, cursor_seq)
  values ($1, $2, $3, $4, $5, $6, $7, $7, ${CURRENT_SEQ('$2')})
  returning ${ENDPOINT_COLUMNS}`).one<EndpointRow, [row: NewEndpointRow]>(row =>
  valuesOf(row, 'id', 'workspaceId', 'url', 'events', 'description', 'secret', 'createdAt'),
)

const FIND_ENDPOINT = `
  select ${ENDPOINT_COLUMNS}
  from webhook_endpoints
  where workspace_id = $1 and id = $2`
export const findEndpoint = sql(FIND_ENDPOINT).first<EndpointRow, [workspaceId: string, id: string]>()
// Not `for update`: that would also block the results of attempts, which read this row with `for key share`.
export const lockEndpoint = sql(`${FIND_ENDPOINT} for no key update`).first<EndpointRow, [workspaceId: string, id: string]>()

export const listEndpoints = newestFirst<EndpointRow, [workspaceId: string]>(`
  select ${ENDPOINT_COLUMNS}
  from webhook_endpoints
  where workspace_id = $1`)

// Becoming active again is a new beginning: the failures are forgotten, and the cursor jumps to the present.
export const updateEndpoint = sql(`
  update webhook_endpoints e
  set url = $2, events = $3, description = $4, status = $5, updated_at = $6,
    disabled_reason = case when $5 = 'disabled' then e.disabled_reason end,
    failing_since = case when $5 = 'active' and e.status <> 'active' then null else e.failing_since end,
    cursor_seq = case
      when $5 = 'active' and e.status <> 'active' then ${CURRENT_SEQ('e.workspace_id')}
      else e.cursor_seq
    end
  where e.id = $1
  returning ${ENDPOINT_COLUMNS}`).one<EndpointRow, [row: EndpointRow]>(row =>
  valuesOf(row, 'id', 'url', 'events', 'description', 'status', 'updatedAt'),
)

/** Whether events bring the endpoint the links to files. */
export const setSeesDownloads = sql(`
  update webhook_endpoints
  set sees_downloads = $2
  where id = $1`).run<[id: string, seesDownloads: boolean]>()

export const rotateEndpointSecret = sql(`
  update webhook_endpoints
  set secret = $2, updated_at = $4, previous_secret = case when $3 > 0 then secret end,
    previous_secret_until = case when $3 > 0 then now() + $3 * interval '1 second' end
  where id = $1
  returning ${ENDPOINT_COLUMNS}`).one<EndpointRow, [id: string, secret: Buffer, overlapSeconds: number, now: Date]>()

// The endpoint first: its lock prevents others from adding deliveries.
const DELETE = sql(`
  delete from webhook_endpoints
  where workspace_id = $1 and id = $2`)
const DELETE_DELIVERIES = sql(`
  delete from deliveries
  where endpoint_id = $1`)

/** With its deliveries. False: there is no such endpoint. */
export async function deleteEndpoint(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  if ((await tx.run(DELETE, [workspaceId, id])) === 0) return false
  await tx.run(DELETE_DELIVERIES, [id])
  return true
}

export interface EndpointReport {
  endpointId: string
  succeeded: boolean
  gone: boolean
}

// Locked in one order, so that two workers with results for the same endpoints cannot deadlock.
/** Updates endpoints from their latest attempts. Returns those that it changed. */
export const judgeEndpoints = sql(`
  with told as (
    select *
    from jsonb_to_recordset($1::jsonb) as r("endpointId" uuid, succeeded boolean, gone boolean)
  ), judged as (
    select e.id, told.succeeded,
      case
        when told.gone then 'gone'
        when not told.succeeded and e.failing_since <= now() - interval '5 days' then 'failing'
      end as reason
    from webhook_endpoints e
    join told on told."endpointId" = e.id
    where e.status <> 'disabled'
    order by e.id
    for no key update of e
  )
  update webhook_endpoints e
  set failing_since = case when judged.succeeded then null else coalesce(e.failing_since, now()) end,
    status = case when judged.reason is null then e.status else 'disabled' end, disabled_reason = judged.reason,
    updated_at = case when judged.reason is null then e.updated_at else greatest(now(), e.updated_at) end
  from judged
  where e.id = judged.id and (judged.reason is not null or judged.succeeded = (e.failing_since is not null))
  returning e.id, e.status, e.disabled_reason as "disabledReason"`).many<
  Pick<EndpointRow, 'id' | 'status' | 'disabledReason'>,
  [reports: EndpointReport[]]
>(reports => [JSON.stringify(reports)])

const insertFrom = (behind: string): string => `
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
  select ${ORDERED_ID(`(v.seq - ${behind}.cursor_seq)`)}, ${behind}.workspace_id, ${behind}.id, v.seq, v.id, v.type, 1, now()
  from ${behind}
  join events v on v.workspace_id = ${behind}.workspace_id and v.seq > ${behind}.cursor_seq and v.seq <= ${behind}.up_to
  where ${SUBSCRIBED(`${behind}.events`, 'v.type')}`

// The order is random: when more endpoints are behind than fit, none of them waits forever. The commit may be asynchronous: if the server
// loses it, the fan-out is repeated.
const FAN_OUT = sql.atomic(`
  with hurry as (
    select set_config('synchronous_commit', 'off', true)
  ), behind as materialized (
    select e.id, e.workspace_id, e.events, e.cursor_seq, s.seq as newest, least(s.seq, e.cursor_seq + $2) as up_to
    from hurry
    cross join webhook_endpoints e
    join event_streams s on s.workspace_id = e.workspace_id
    where e.status = 'active' and s.seq > e.cursor_seq
    order by random()
    limit $1
    for no key update of e skip locked
  ), moved as (
    update webhook_endpoints e
    set cursor_seq = behind.up_to
    from behind
    where e.id = behind.id
  ), inserted as (${insertFrom('behind')}
  )
  select up_to < newest as "isBehind"
  from behind`)

/** Turns events into deliveries for endpoints that are behind, and moves their cursors. Returns whether any are behind still. */
export async function fanOut(db: Writer, limits: { endpoints: number; events: number }): Promise<{ isBehind: boolean; count: number }> {
  const rows = await db.write<{ isBehind: boolean }>(FAN_OUT, [limits.endpoints, limits.events])
  return { count: rows.length, isBehind: rows.length === limits.endpoints || rows.some(row => row.isBehind) }
}

/** Puts all missing deliveries of an endpoint into the queue. The row must be locked. */
export const fanOutTo = sql(`
  with behind as (
    select e.id, e.workspace_id, e.events, e.cursor_seq, s.seq as up_to
    from webhook_endpoints e
    join event_streams s on s.workspace_id = e.workspace_id
    where e.id = $1 and s.seq > e.cursor_seq
  ), moved as (
    update webhook_endpoints e
    set cursor_seq = behind.up_to
    from behind
    where e.id = behind.id
  )${insertFrom('behind')}`).run<[endpointId: string]>()

export interface DeliveryJob
  extends Pick<DeliveryRow, 'id' | 'endpointId' | 'eventId' | 'eventSeq' | 'eventType' | 'attempt' | 'workspaceId'> {
  url: string
  /** Sealed, in base64; also the key of the cache of opened secrets. */
  secret: string
  /** Null once the overlap of a rotation is over. */
  previousSecret: string | null
  /** Null, like `data`, when the event was deleted. */
  timestamp: Date | null
  data: unknown
  isFailing: boolean
  claimedAt: Date
}

/** Of a delivery `d` that was claimed, its endpoint `e` and its event `v`. */
const JOB_COLUMNS = `
    d.id, d.workspace_id as "workspaceId", d.endpoint_id as "endpointId", d.event_id as "eventId",
    d.event_seq as "eventSeq", d.event_type as "eventType", d.attempt, e.url,
    encode(e.secret, 'base64') as secret,
    case when e.previous_secret_until > now() then encode(e.previous_secret, 'base64') end as "previousSecret", v.timestamp,
    case
      when v.data ? 'downloadUrl' and not e.sees_downloads then v.data || '{"downloadUrl": null}'
      else v.data
    end as data,
    e.failing_since is not null as "isFailing", now() as "claimedAt"`

// Workspaces take turns, and within each its endpoints, so that slow ones cannot take the places of others; one that has been failing gets
// few. `waiting` hops through the index from endpoint to endpoint instead of reading all that is due.
// The commit of a claim may be asynchronous: if the server loses it, the delivery is simply not claimed.
// What is due at this very moment was rounded to milliseconds, so the present is, too.
const CLAIM = sql.atomic(`
  with recursive hurry as (
    select set_config('synchronous_commit', 'off', true)
  ), waiting as (
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
    select e.id, e.workspace_id, coalesce(known.busy, 0) as busy, coalesce(own.busy, 0) as workspace_busy,
      case when e.failing_since is null then $3::int else $4::int end as most
    from waiting
    join webhook_endpoints e on e.id = waiting.endpoint_id
    left join unnest($5::uuid[], $6::int[]) as known(id, busy) on known.id = e.id
    left join unnest($7::uuid[], $8::int[]) as own(id, busy) on own.id = e.workspace_id
    where e.status = 'active'
  ), next as materialized (
    select d.id, rooms.workspace_id, rooms.workspace_busy, rooms.busy + d.n as place
    from hurry
    cross join rooms
    cross join lateral (
      select locked.id, row_number() over (order by locked.due_at) as n
      from (
        select id, due_at
        from deliveries
        where endpoint_id = rooms.id and status = 'pending' and worker_id is null and due_at <= now()::timestamptz(3)
        order by due_at
        limit greatest(rooms.most - rooms.busy, 0)
        for update skip locked
      ) as locked
    ) as d
  ), due as materialized (
    select id
    from (
      select id, place, workspace_busy + row_number() over (partition by workspace_id order by place) as turn
      from next
    ) as next
    where turn <= $9
    order by turn, place
    limit $2
  ), claimed as (
    update deliveries d
    set worker_id = $1
    from due
    where d.id = due.id
    returning d.*
  )
  select ${JOB_COLUMNS}
  from claimed d
  join webhook_endpoints e on e.id = d.endpoint_id
  left join events v on v.workspace_id = d.workspace_id and v.seq = d.event_seq
  order by d.due_at, d.id`)

interface ClaimLimits {
  total: number
  perEndpoint: number
  perFailingEndpoint: number
  perWorkspace: number
}

/** How many deliveries this worker has in hand. */
interface InHand {
  ofEndpoints: ReadonlyMap<string, number>
  ofWorkspaces: ReadonlyMap<string, number>
}

export function claimDeliveries(
  db: Writer,
  workerId: number,
  { total, perEndpoint, perFailingEndpoint, perWorkspace }: ClaimLimits,
  { ofEndpoints, ofWorkspaces }: InHand,
): Promise<DeliveryJob[]> {
  const busy = [[...ofEndpoints.keys()], [...ofEndpoints.values()], [...ofWorkspaces.keys()], [...ofWorkspaces.values()]]
  return db.write<DeliveryJob>(CLAIM, [workerId, total, perEndpoint, perFailingEndpoint, ...busy, perWorkspace])
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
}

// A row that is no longer ours belongs to another worker, which will record its own result. The ids are also passed alone, and the
// worker is compared in a way that fits no index: otherwise PostgreSQL would read all deliveries, or all that this worker ever had.
const RECORD = sql.atomic(`
  with done as (
    update deliveries d
    set status = r.status, response_status = r."responseStatus", error = r.error, duration_ms = r."durationMs",
      next_attempt_at = now() + r."retryInMs" * interval '1 millisecond', worker_id = null, completed_at = now()
    from jsonb_to_recordset($1::jsonb) as r(
      id uuid, "workerId" int, status text, "responseStatus" int, error text, "durationMs" int, "retryInMs" bigint,
      "nextId" uuid
    )
    where d.id = any($2::uuid[]) and d.id = r.id and d.worker_id is not distinct from r."workerId" and d.status = 'pending'
    returning d.*, r."nextId"
  )
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
  select done."nextId", done.workspace_id, done.endpoint_id, done.event_seq, done.event_id, done.event_type, done.attempt + 1,
    done.next_attempt_at
  from done
  cross join lateral (
    select
    from webhook_endpoints
    where id = done.endpoint_id
    limit 1
    for key share
  ) as kept
  where done.next_attempt_at is not null`)

/** The results of attempts, and the attempts that follow from them. */
export async function recordAttempts(db: Writer, records: AttemptRecord[]): Promise<void> {
  await db.write(RECORD, [JSON.stringify(records.map(toRow)), records.map(({ id }) => id)])
}

/** Without null fields: most attempts succeed, and PostgreSQL reads a third as much. */
function toRow({ id, workerId, status, responseStatus, error, durationMs, retryInMs }: AttemptRecord): object {
  if (status === 'succeeded') return { id, workerId, status, responseStatus, durationMs }
  return { id, workerId, status, responseStatus, error, durationMs, retryInMs, ...(retryInMs === null ? {} : { nextId: newId() }) }
}

/** For claims whose response was lost: they have the number of this worker, but it does not work on them. */
export const releaseDeliveriesExcept = sql(`
  update deliveries
  set worker_id = null
  where worker_id = $1 and id <> all($2::uuid[])`).run<[workerId: number, ids: string[]]>()

export const releaseDeliveriesOfDeadWorkers = sql(`
  update deliveries
  set worker_id = null
  where worker_id is not null and worker_id not in (${LIVE_WORKERS})`).run()
