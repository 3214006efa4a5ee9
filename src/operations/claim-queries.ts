import { sql, type Tx, type Writer } from '../db/client.ts'
import { LIVE_WORKERS } from '../queue/identity.ts'
import { OPERATION_COLUMNS, type OperationError, type OperationRow } from './queries.ts'

// The operations of one campaign are a lane. Only the beginning of a lane can be claimed, and only by the worker that gets
// the lock of its first operation: that is what keeps them in order. The lanes are found by hopping from one to the next in
// the index, and for each only its beginning is read, so that the cost grows neither with the number of operations that wait
// in a lane nor with those that are done. The first of every lane come before the second of any. What reaches outside is
// claimed alone, and so is what was begun before. Of those that are large, one is claimed at most.
//
// A claim need not reach the disk before the work begins: what the work commits carries it along, and when PostgreSQL
// dies before that, the operation simply is unclaimed again. What stands behind the first of its lane has not begun yet: it
// stays queued until its turn comes, in the transaction of the first.
const CLAIM = sql.atomic(`
  with recursive hurry as (
    select set_config('synchronous_commit', 'off', true)
  ), hops(campaign_id) as (
    select (
      select o.campaign_id
      from operations o
      where o.status in ('queued', 'running') and o.campaign_id > $5::uuid
      order by o.campaign_id
      limit 1
    )
    union all
    select (
      select o.campaign_id
      from operations o
      where o.status in ('queued', 'running') and o.campaign_id > hops.campaign_id
      order by o.campaign_id
      limit 1
    )
    from hops
    where hops.campaign_id is not null
  ), first as materialized (
    select head.*
    from hops
    cross join lateral (
      select o.id, o.campaign_id, o.seq, o.action, o.attempts, o.worker_id, o.run_at, o.is_large
      from operations o
      where o.campaign_id = hops.campaign_id and o.status in ('queued', 'running')
      order by o.seq
      limit 1
    ) as head
    where head.worker_id is null
      and head.run_at <= now()
      and ($4 or head.action <> all($3::text[]))
      and ($6 or not head.is_large)
    limit $2
  ), locked as materialized (
    select head.*
    from first
    cross join lateral (
      select o.id, o.campaign_id, o.seq, o.action, o.attempts, o.is_large
      from operations o
      where o.id = first.id and o.worker_id is null and o.status in ('queued', 'running')
      limit 1
      for no key update skip locked
    ) as head
  ), behind as (
    select next.id, next.seq, next.place
    from locked
    cross join lateral (
      select o.id, o.seq, 1 + row_number() over (order by o.seq) as place,
        bool_and(
          o.worker_id is null and o.attempts = 0 and o.run_at <= now() and o.action <> all($3::text[]) and not o.is_large
        ) over (order by o.seq) as follows
      from (
        select *
        from operations
        where campaign_id = locked.campaign_id and status in ('queued', 'running') and seq > locked.seq
        order by seq
        limit least($2, 32)
      ) as o
    ) as next
    where next.follows and locked.attempts = 0 and locked.action <> all($3::text[]) and not locked.is_large
  ), free as (
    select o.id, o.seq, o.is_large
    from operations o
    where o.campaign_id is null
      and o.worker_id is null
      and o.status in ('queued', 'running')
      and o.run_at <= now()
      and ($4 or o.action <> all($3::text[]))
      and ($6 or not o.is_large)
    order by o.seq
    limit $2
    for no key update skip locked
  ), due as (
    select id as due_id, begins
    from (
      select id, seq, place, begins, is_large, row_number() over (partition by is_large order by seq) as nth
      from (
        select id, seq, 1 as place, true as begins, is_large
        from locked
        union all
        select id, seq, place, false, false
        from behind
        union all
        select id, seq, row_number() over (order by seq), true, is_large
        from free
      ) as each
    ) as candidates
    where not is_large or nth = 1
    order by place, seq
    limit $2
  )
  update operations
  set status = case when begins then 'running' else status end, worker_id = $1, attempts = attempts + 1, progress = null,
    started_at = case when begins then coalesce(started_at, now()) else started_at end
  from due, hurry
  where id = due_id
  returning ${OPERATION_COLUMNS}`)

/** Before the first lane: the smallest id there can be. */
const NO_LANE = '00000000-0000-0000-0000-000000000000'

interface ClaimRules {
  /** Actions that reach outside, and whether there is room for one. */
  outsideActions: readonly string[]
  isOutsideAllowed: boolean
  isLargeAllowed: boolean
  /** The lane where the last claim stopped; null to begin with the first. */
  afterLane: string | null
}

const CLAIM_ANYTHING: ClaimRules = { outsideActions: [], isOutsideAllowed: true, isLargeAllowed: true, afterLane: null }

/** Takes the beginnings of lanes, and operations that belong to no campaign. */
export async function claimOperations(db: Writer, workerId: number, limit: number, rules = CLAIM_ANYTHING): Promise<OperationRow[]> {
  const { outsideActions, isOutsideAllowed, isLargeAllowed, afterLane } = rules
  const values = [workerId, limit, outsideActions, isOutsideAllowed, afterLane ?? NO_LANE, isLargeAllowed]
  const rows = await db.write<OperationRow>(CLAIM, values)
  if (rows.length > 0 || afterLane === null) return rows
  return claimOperations(db, workerId, limit, { ...rules, afterLane: null })
}

export interface Ending {
  id: string
  status: 'succeeded' | 'failed'
  result: unknown
  error: OperationError | null
}

// What the operation was given can be large and full of people; a repeated request needs the result and the fingerprint.
// The ids are given by themselves as well, and the worker is compared in a way that fits no index: otherwise all that it ever claimed was read.
const END = sql(`
  update operations o
  set status = r.status,
    result = nullif(r.result, 'null'),
    error = nullif(r.error, 'null'),
    started_at = coalesce(o.started_at, now()),
    completed_at = now(),
    worker_id = null,
    progress = null,
    checkpoint = null,
    input = '{}'
  from jsonb_to_recordset($2::jsonb) as r(id uuid, status text, result jsonb, error jsonb)
  where o.id = any($3::uuid[])
    and o.id = r.id
    and o.worker_id is not distinct from $1
  returning o.id`)

/** Returns the ids that were stored. A missing one belongs to another worker now, because this one was declared dead. */
export async function endOperations(tx: Tx, workerId: number, endings: Ending[]): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(END, [workerId, JSON.stringify(endings), endings.map(({ id }) => id)])
  return rows.map(row => row.id)
}

// Of the attempt that has the operation only: one that was taken for dead has nothing to say any more.
const SET_PROGRESS = sql.atomic(`
  update operations
  set progress = $4
  where id = $2
    and worker_id = $1
    and attempts = $3
    and status = 'running'`)

export async function setProgress(
  db: Writer,
  workerId: number,
  { id, attempts }: Pick<OperationRow, 'id' | 'attempts'>,
  progress: unknown,
): Promise<void> {
  await db.write(SET_PROGRESS, [workerId, id, attempts, JSON.stringify(progress)])
}

const POSTPONE = sql(`
  update operations
  set worker_id = null,
    run_at = now() + $3 * interval '1 millisecond',
    attempts = attempts - $4
  where id = any($2::uuid[])
    and worker_id = $1`)

/** Back into the queue, still `running`; a postponement that is no failure does not count as an attempt. */
export const postponeOperations = (tx: Tx, workerId: number, ids: string[], delayMs: number, countsAsAttempt: boolean): Promise<number> =>
  tx.run(POSTPONE, [workerId, ids, delayMs, countsAsAttempt ? 0 : 1])

const RELEASE_OTHERS = sql(`
  update operations
  set worker_id = null
  where worker_id = $1 and id <> all($2::uuid[])`)

/** For claims and results that got lost: ours by number, but nobody works on them. */
export const releaseOperationsExcept = (tx: Tx, workerId: number, ids: string[]): Promise<number> => tx.run(RELEASE_OTHERS, [workerId, ids])

const RELEASE_DEAD = sql(`
  update operations
  set worker_id = null
  where worker_id is not null and worker_id not in (${LIVE_WORKERS})`)

export const releaseOperationsOfDeadWorkers = (tx: Tx): Promise<number> => tx.run(RELEASE_DEAD)

const DELETE_OLD = sql(`
  delete from operations
  where id in (
    select id
    from operations
    where status in ('succeeded', 'failed') and completed_at < $1 and not (action = any($3::text[]))
    order by completed_at
    limit $2
  )`)

export const deleteOldOperations = (tx: Tx, before: Date, limit: number, keptActions: readonly string[]): Promise<number> =>
  tx.run(DELETE_OLD, [before, limit, keptActions])

// Every claim counts one up, and a claim that was lost never comes back with the same count.
const LOCK_CLAIM = sql(`
  select from operations
  where id = $1 and attempts = $2 and status = 'running' and worker_id is not null
  for update`)

/** True when the operation is still in the hands of the attempt that asks; nobody can take it until the end of the transaction. */
export async function lockClaim(tx: Tx, operationId: string, attempts: number): Promise<boolean> {
  return (await tx.run(LOCK_CLAIM, [operationId, attempts])) === 1
}

const SAVE_CHECKPOINT = sql(`
  update operations
  set checkpoint = $3
  where id = $1 and attempts = $2 and status = 'running' and worker_id is not null`)

/** False when another attempt has the operation by now. */
export const saveCheckpoint = async (tx: Tx, operationId: string, attempts: number, checkpoint: unknown): Promise<boolean> =>
  (await tx.run(SAVE_CHECKPOINT, [operationId, attempts, JSON.stringify(checkpoint)])) === 1
