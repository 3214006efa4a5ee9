import { sql, type Tx, type Writer } from '../../db/client.ts'
import { newId } from '../../lib/ids.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import { type DeliveryRow, ORDERED_ID, SUBSCRIBED } from './queries.ts'

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

const FAN_OUT_TO = sql(`
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
  )${insertFrom('behind')}`)

/** Puts all missing deliveries of an endpoint into the queue. The row must be locked. */
export async function fanOutTo(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(FAN_OUT_TO, [endpointId])
}

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
        where endpoint_id = rooms.id and status = 'pending' and worker_id is null and due_at <= now()
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

/** Without what is null: most attempts succeed, and PostgreSQL reads a third as much. */
function toRow({ id, workerId, status, responseStatus, error, durationMs, retryInMs }: AttemptRecord): object {
  if (status === 'succeeded') return { id, workerId, status, responseStatus, durationMs }
  return { id, workerId, status, responseStatus, error, durationMs, retryInMs, ...(retryInMs === null ? {} : { nextId: newId() }) }
}

const RELEASE_OTHERS = sql(`
  update deliveries
  set worker_id = null
  where worker_id = $1 and id <> all($2::uuid[])`)

/** For claims whose answer was lost: they have the number of this worker, but it does not work on them. */
export const releaseDeliveriesExcept = (tx: Tx, workerId: number, ids: string[]): Promise<number> => tx.run(RELEASE_OTHERS, [workerId, ids])

const RELEASE_DEAD = sql(`
  update deliveries
  set worker_id = null
  where worker_id is not null and worker_id not in (${LIVE_WORKERS})`)

export const releaseDeliveriesOfDeadWorkers = (tx: Tx): Promise<number> => tx.run(RELEASE_DEAD)
