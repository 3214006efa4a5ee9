import { sql, type Tx, type Writer } from '../../db/client.ts'
import { ORDERED_ID, SUBSCRIBED } from './queries.ts'
import { type ClaimLimits, type DeliveryJob, JOB_COLUMNS } from './queue-queries.ts'

// Turns events into deliveries for the endpoints that are behind, and moves their cursors. As many as there is room for are inserted
// as claimed, because a separate claim takes PostgreSQL nearly twice as long. For a fast endpoint, only these are inserted, and the
// others when it has room again; for a slow one, the others wait in the queue.
//
// The order is random: when more endpoints are behind than fit, none of them waits forever. The commit may be asynchronous:
// the record of the deliveries flushes it, and if the server loses it, the fan-out is repeated.
const FAN_OUT = sql.atomic(`
  with hurry as (
    select set_config('synchronous_commit', 'off', true)
  ), behind as (
    select e.id, e.workspace_id, e.events, e.cursor_seq, s.seq as newest, least(s.seq, e.cursor_seq + $5) as up_to,
      coalesce(known.busy, 0) as busy, places.in_hand, greatest(places.in_hand - coalesce(known.busy, 0), 0) as room, places.is_slow
    from hurry
    cross join webhook_endpoints e
    join event_streams s on s.workspace_id = e.workspace_id
    left join unnest($6::uuid[], $7::int[], $8::int[], $9::boolean[]) as known(id, busy, ahead, is_slow) on known.id = e.id
    cross join lateral (
      select case when e.failing_since is null then $3::int + coalesce(known.ahead, 0) else $4::int end as in_hand,
        coalesce(known.is_slow, false) or e.failing_since is not null as is_slow
    ) as places
    where e.status = 'active' and s.seq > e.cursor_seq and (places.is_slow or places.in_hand > coalesce(known.busy, 0))
    order by random()
    limit $10
    for no key update of e skip locked
  ), taken as materialized (
    select behind.id as endpoint_id, v.*, row_number() over (partition by behind.id order by v.seq) as n, behind.busy
    from behind
    cross join lateral (
      select seq, id, type, timestamp, data
      from events
      where workspace_id = behind.workspace_id and seq > behind.cursor_seq and seq <= behind.up_to
        and ${SUBSCRIBED('behind.events', 'type')}
      order by seq
      limit case when not behind.is_slow then behind.room end
    ) as v
  ), reached as (
    select behind.id, behind.newest, behind.in_hand, filled.holds as is_filled,
      case when filled.holds then own.last else behind.up_to end as seq
    from behind
    cross join lateral (
      select count(*) as count, max(seq) as last
      from taken
      where endpoint_id = behind.id
    ) as own
    cross join lateral (select not behind.is_slow and own.count = behind.room as holds) as filled
  ), moved as (
    update webhook_endpoints e
    set cursor_seq = reached.seq
    from reached
    where e.id = reached.id
  ), made as materialized (
    select ${ORDERED_ID('(taken.seq - behind.cursor_seq)')} as id, behind.workspace_id, behind.id as endpoint_id, taken.seq as event_seq,
      taken.id as event_id, taken.type as event_type, 1 as attempt, taken.timestamp, taken.data,
      case when taken.n <= behind.room and row_number() over (order by taken.busy + taken.n) <= $2 then $1::int end as worker_id
    from taken
    join behind on behind.id = taken.endpoint_id
  ), inserted as (
    insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at, worker_id)
    select id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, now(), worker_id
    from made
  ), queued as materialized (
    select distinct endpoint_id
    from made
    where worker_id is null
  )
  select reached.id as "reportedId", reached.seq < reached.newest as "isBehind", reached.is_filled as "isFilled",
    reached.in_hand as "inHand", queued.endpoint_id is not null as "hasWaiting", ${JOB_COLUMNS}
  from reached
  join webhook_endpoints e on e.id = reached.id
  left join queued on queued.endpoint_id = reached.id
  left join made d on d.endpoint_id = reached.id and d.worker_id is not null
  cross join lateral (select d.timestamp, d.data) as v
  order by d.event_seq`)

interface EndpointReach {
  reportedId: string
  /** There are more events than were read. */
  isBehind: boolean
  /** It got as many as it may have claimed. */
  isFilled: boolean
  /** Deliveries to it were put into the queue. */
  hasWaiting: boolean
}

interface FanOutLimits extends ClaimLimits {
  isSlow: (endpointId: string) => boolean
  endpoints: number
  /** For each endpoint. */
  events: number
}

interface FanOut {
  /** The deliveries that this worker has claimed now. */
  jobs: DeliveryJob[]
  /** The endpoints that were behind. */
  reached: EndpointReach[]
}

/** Turns events into deliveries for endpoints that are behind, claims as many as there is room for, and moves their cursors. */
export async function fanOut(db: Writer, workerId: number, limits: FanOutLimits): Promise<FanOut> {
  const { total, perEndpoint, perFailingEndpoint, busy, aheadOf, isSlow, endpoints, events } = limits
  const known = [...busy.keys()]
  const rows = await db.write<EndpointReach & (DeliveryJob | { id: null })>(FAN_OUT, [
    ...[workerId, total, perEndpoint, perFailingEndpoint, events],
    ...[known, [...busy.values()], known.map(aheadOf), known.map(isSlow), endpoints],
  ])
  return {
    jobs: rows.filter(row => row.id !== null),
    reached: [...new Map(rows.map(row => [row.reportedId, row])).values()],
  }
}

const FAN_OUT_TO = sql(`
  with due as (
    select e.id, e.workspace_id, e.events, e.cursor_seq, s.seq as up_to
    from webhook_endpoints e
    join event_streams s on s.workspace_id = e.workspace_id
    where e.id = $1 and s.seq > e.cursor_seq
  ), moved as (
    update webhook_endpoints e
    set cursor_seq = due.up_to
    from due
    where e.id = due.id
  )
  insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
  select ${ORDERED_ID('(v.seq - due.cursor_seq)')}, due.workspace_id, due.id, v.seq, v.id, v.type, 1, now()
  from due
  join events v on v.workspace_id = due.workspace_id and v.seq > due.cursor_seq and v.seq <= due.up_to
  where ${SUBSCRIBED('due.events', 'v.type')}`)

/** Puts all missing deliveries of an endpoint into the queue. The row must be locked. */
export async function fanOutTo(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(FAN_OUT_TO, [endpointId])
}
