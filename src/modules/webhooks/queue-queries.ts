import { sql, type Tx, type Writer } from '../../db/client.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import { type DeliveryRow, ORDERED_ID, SUBSCRIBED } from './queries.ts'

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
  /** Sealed, in base64: so it is a key to what was made of it before. */
  secret: string
  /** Null once the overlap of a rotation is over. */
  previousSecret: string | null
  /** Null with `data` when the event is no longer kept. */
  timestamp: Date | null
  data: unknown
  isFailing: boolean
  /** How many deliveries to the endpoint may be in hand, those included that wait for their turn. */
  inHand: number
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
    select e.id, coalesce(known.busy, 0) as busy,
      case when e.failing_since is null then $3::int + coalesce(known.ahead, 0) else $4::int end as in_hand
    from waiting
    join webhook_endpoints e on e.id = waiting.endpoint_id
    left join unnest($5::uuid[], $6::int[], $7::int[]) as known(id, busy, ahead) on known.id = e.id
    where e.status = 'active'
  ), due as materialized (
    select d.id, rooms.in_hand
    from rooms
    cross join lateral (
      select locked.id, row_number() over (order by locked.due_at) as n
      from (
        select id, due_at
        from deliveries
        where endpoint_id = rooms.id and status = 'pending' and worker_id is null and due_at <= now()
        order by due_at
        limit greatest(rooms.in_hand - rooms.busy, 0)
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
    returning d.*, due.in_hand
  )
  select d.id, d.workspace_id as "workspaceId", d.endpoint_id as "endpointId", d.event_id as "eventId",
    d.event_seq as "eventSeq", d.event_type as "eventType", d.attempt, d.in_hand as "inHand", e.url,
    encode(e.secret, 'base64') as secret,
    case when e.previous_secret_until > now() then encode(e.previous_secret, 'base64') end as "previousSecret", v.timestamp,
    case
      when v.data ? 'downloadUrl' and not e.sees_downloads then v.data || '{"downloadUrl": null}'
      else v.data
    end as data,
    e.failing_since is not null as "isFailing", now() as "claimedAt"
  from claimed d
  join webhook_endpoints e on e.id = d.endpoint_id
  left join events v on v.workspace_id = d.workspace_id and v.seq = d.event_seq
  order by d.due_at, d.id`)

interface ClaimLimits {
  total: number
  perEndpoint: number
  perFailingEndpoint: number
  /** How many this worker has in hand for each endpoint already. */
  busy: ReadonlyMap<string, number>
  /** How many more than it may have under way it may have in hand. */
  aheadOf: (endpointId: string) => number
}

export function claimDeliveries(db: Writer, workerId: number, limits: ClaimLimits): Promise<DeliveryJob[]> {
  const { total, perEndpoint, perFailingEndpoint, busy, aheadOf } = limits
  const known = [...busy.keys()]
  return db.write<DeliveryJob>(CLAIM, [workerId, total, perEndpoint, perFailingEndpoint, known, [...busy.values()], known.map(aheadOf)])
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

// A row that is no longer ours was given to somebody else, who will have a result of their own. The ids are given by themselves as well, and the worker
// is compared in a way that fits no index: joined with the results alone, all deliveries were read, or all that this worker ever had.
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
  select "nextId", workspace_id, endpoint_id, event_seq, event_id, event_type, attempt + 1, next_attempt_at
  from done
  where next_attempt_at is not null`)

/** The results of attempts, and the attempts that follow from them. */
export async function recordAttempts(db: Writer, records: AttemptRecord[]): Promise<void> {
  await db.write(RECORD, [JSON.stringify(records), records.map(({ id }) => id)])
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
