import { sql, type Tx, type Writer } from '../db/client.ts'
import { LIVE_WORKERS } from '../queue/identity.ts'
import { OPERATION_COLUMNS, type OperationError, type OperationRow } from './queries.ts'

/** The next eight open operations in the order of the lanes: those of several short lanes, or the beginning of a long one. */
const nextBehind = (lane: string): string => `
      select *,
        lag(campaign_id) over (order by campaign_id, seq) is distinct from campaign_id as is_head,
        lead(campaign_id) over (order by campaign_id, seq) as next_lane
      from (
        select id, ctid as place, campaign_id, seq, is_large,
          worker_id is null and run_at <= now() and ($4 or action <> all($3::text[])) and ($6 or not is_large) as may_begin
        from operations
        where completed_at is null and campaign_id > ${lane}
        order by campaign_id, seq
        limit 8
      ) as piece`

// The operations of one campaign are a lane. Only the beginning of a lane can be claimed, and only by the worker that locks its first
// operation: this keeps them in order. Lanes are read in pieces, and each piece begins behind the lane in which the last one ended, so that
// the cost depends neither on the number of waiting operations nor on the finished ones. The first operations of all lanes come before any
// second ones, which are read only where the first ones leave room. Operations that use the network are claimed alone, and so are those that
// were begun before. At most one large operation is claimed. No index mentions what a claim changes, so it writes none where the page has
// room.
// A first operation is locked by its place, and left alone when it was changed meanwhile. PostgreSQL before 18.1 (and 17.7, 16.11, 15.15)
// may follow it to its new version, so what counts is read from what was locked. It is then claimed by its id, as are those behind
// it: of those, one that is changed meanwhile must be claimed nevertheless, because the ones behind it are.
// A claim need not reach the disk before the work begins: the commit of the work includes it, and if PostgreSQL dies before that, the
// operation is unclaimed again. Operations behind the first of their lane have not begun: they stay queued until their turn, in the
// transaction of the first. The beginning is read from the clock when the row is claimed: the transaction may be older than the end of the
// operation ahead.
const CLAIM = sql.byIndex(`
  with recursive hurry as (
    select set_config('synchronous_commit', 'off', true)
  ), lanes as (
    (${nextBehind('$5::uuid')}
    )
    union all
    select next.*
    from lanes
    cross join lateral (${nextBehind('lanes.campaign_id')}
    ) as next
    where lanes.next_lane is null
  ), heads as materialized (
    select lanes.*, locked.may_lead
    from lanes
    cross join lateral (
      select o.attempts = 0 and o.action <> all($3::text[]) and not o.is_large as may_lead
      from operations o
      where o.ctid = lanes.place and o.worker_id is null and o.completed_at is null and o.run_at <= now()
      limit 1
      for no key update skip locked
    ) as locked
    where lanes.is_head and lanes.may_begin
    limit $2
  ), behind as (
    select next.id, next.seq, next.nth
    from heads
    cross join lateral (
      select o.id, o.seq, 1 + row_number() over (order by o.seq) as nth,
        bool_and(
          o.worker_id is null and o.attempts = 0 and o.run_at <= now() and o.action <> all($3::text[]) and not o.is_large
        ) over (order by o.seq) as follows
      from (
        select *
        from operations
        where campaign_id = heads.campaign_id and completed_at is null and seq > heads.seq
        order by seq
        limit least($2 - (select count(*) from heads where not is_large), 32)
      ) as o
    ) as next
    where next.follows and heads.may_lead and coalesce(heads.next_lane = heads.campaign_id, true)
  ), free as (
    select o.id, o.seq, o.is_large
    from operations o
    where o.campaign_id is null
      and o.completed_at is null
      and o.worker_id is null
      and o.run_at <= now()
      and ($4 or o.action <> all($3::text[]))
      and ($6 or not o.is_large)
    order by o.seq
    limit $2
    for no key update skip locked
  ), due as (
    select id as due_id, begins
    from (
      select id, seq, nth, begins, is_large, row_number() over (partition by is_large order by seq) as nth_of_size
      from (
        select id, seq, 1 as nth, true as begins, is_large
        from heads
        union all
        select id, seq, nth, false, false
        from behind
        union all
        select id, seq, row_number() over (order by seq), true, is_large
        from free
      ) as each
    ) as candidates
    where not is_large or nth_of_size = 1
    order by nth, seq
    limit $2
  )
  update operations
  set status = case when begins then 'running' else status end, worker_id = $1, attempts = attempts + 1, progress = null,
    started_at = case when begins then coalesce(started_at, clock_timestamp()) else started_at end
  from due, hurry
  where id = due_id
  returning ${OPERATION_COLUMNS}`)

/** Before the first lane: the smallest id there can be. */
const NO_LANE = '00000000-0000-0000-0000-000000000000'

interface ClaimRules {
  /** Actions that use the network, and whether one of them may be claimed. */
  outsideActions: readonly string[]
  isOutsideAllowed: boolean
  isLargeAllowed: boolean
  /** The lane where the last claim stopped; null to begin with the first. */
  afterLane: string | null
}

const CLAIM_ANYTHING: ClaimRules = { outsideActions: [], isOutsideAllowed: true, isLargeAllowed: true, afterLane: null }

/** Claims the beginnings of lanes, and operations without a campaign. */
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

/** An ending, and when it came by the clock of the worker. */
export type TimedEnding = Ending & { endedAt: Date }

// The time of the statement, because the transaction began before the changes were made. An operation behind others of its campaign begins
// when these have ended, and that is in the same statement. The input is deleted: it can be large and full of personal data, and a
// repeated request needs only the result and the fingerprint. The ids are passed separately, so that PostgreSQL looks up each by its key.
const END = sql(`
  update operations o
  set status = r.status,
    result = nullif(r.result, 'null'),
    error = nullif(r.error, 'null'),
    started_at = coalesce(o.started_at, greatest(statement_timestamp(), r."endedAt")),
    completed_at = greatest(statement_timestamp(), r."endedAt"),
    worker_id = null,
    progress = null,
    checkpoint = null,
    input = '{}'
  from jsonb_to_recordset($2::jsonb) as r(id uuid, status text, result jsonb, error jsonb, "endedAt" timestamptz)
  where o.id = any($3::uuid[])
    and o.id = r.id
    and o.worker_id = $1
  returning o.id`)

/** Returns the ids that were stored. A missing one belongs to another worker now, because this one was declared dead. */
export async function endOperations(tx: Tx, workerId: number, endings: TimedEnding[]): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(END, [workerId, JSON.stringify(endings), endings.map(({ id }) => id)])
  return rows.map(row => row.id)
}

// Only for the current attempt: reports of an attempt that was declared dead are ignored.
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

/** Puts operations back into the queue, still `running`. A postponement that is no failure does not count as an attempt. */
export const postponeOperations = (tx: Tx, workerId: number, ids: string[], delayMs: number, countsAsAttempt: boolean): Promise<number> =>
  tx.run(POSTPONE, [workerId, ids, delayMs, countsAsAttempt ? 0 : 1])

const RELEASE_OTHERS = sql(`
  update operations
  set worker_id = null
  where completed_at is null and worker_id = $1 and id <> all($2::uuid[])`)

/** For lost claims and results: rows with our number that nothing here processes. */
export const releaseOperationsExcept = (tx: Tx, workerId: number, ids: string[]): Promise<number> => tx.run(RELEASE_OTHERS, [workerId, ids])

const RELEASE_DEAD = sql(`
  update operations
  set worker_id = null
  where completed_at is null and worker_id is not null and worker_id not in (${LIVE_WORKERS})`)

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

/** An attempt at an operation. */
export type Claim = Pick<OperationRow, 'id' | 'attempts' | 'workerId'>

// Every claim increases the count. It does not wait for the disk, though: after a crash of PostgreSQL the next claim may have the same count,
// but not the same worker.
const IS_HELD = "id = $1 and attempts = $2 and worker_id = $3 and status = 'running'"
const HOLDS_CLAIM = sql(`
  select from operations
  where ${IS_HELD}`)
const LOCK_CLAIM = sql(`
  select from operations
  where ${IS_HELD}
  for update`)

/** True when this attempt has the operation at this moment. */
export const holdsClaim = async (tx: Tx, { id, attempts, workerId }: Claim): Promise<boolean> =>
  (await tx.run(HOLDS_CLAIM, [id, attempts, workerId])) === 1

/** True when this attempt still has the operation. No other can take it until the end of the transaction. */
export const lockClaim = async (tx: Tx, { id, attempts, workerId }: Claim): Promise<boolean> =>
  (await tx.run(LOCK_CLAIM, [id, attempts, workerId])) === 1

const SAVE_CHECKPOINT = sql(`
  update operations
  set checkpoint = $4
  where ${IS_HELD}`)

/** False when another attempt has the operation now. */
export const saveCheckpoint = async (tx: Tx, { id, attempts, workerId }: Claim, checkpoint: unknown): Promise<boolean> =>
  (await tx.run(SAVE_CHECKPOINT, [id, attempts, workerId, JSON.stringify(checkpoint)])) === 1
