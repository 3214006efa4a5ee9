import { sql, type Writer } from '../db/sql.ts'
import { LIVE_WORKERS } from '../queue/identity.ts'
import { OPERATION_COLUMNS, type OperationError, type OperationRow } from './queries.ts'

/** What is due at this very moment was rounded to milliseconds, so the present is, too. */
const IS_WAITING = 'o.completed_at is null and o.worker_id is null and o.run_at <= now()::timestamptz(3)'

const TAKE = `status = 'running', worker_id = $1, attempts = attempts + 1, progress = null,
    started_at = coalesce(started_at, clock_timestamp())`

/** After this many deaths together with others, an operation runs alone, so that the next death shows which one was the cause. */
export const ISOLATED = 3
/** It was the only one at work when its worker died: from now on, each death counts against it. */
const KILLED_ALONE = 4

// Operations of one campaign are carried out in the order of `seq`, one at a time: only the first open one can be claimed, and only while no
// other of them is. Those that only read hold up no other.
//
// Workspaces take turns: the first operation of each, then the second of each. `busy` steps through the index from one workspace with open
// operations to the next. What is read are the open operations, of which a workspace has a limited number. No index mentions what a claim
// changes, so it writes none where the page has room. It need not reach the disk before the work begins: the commit of the work includes it,
// and if PostgreSQL dies before that, the operation is unclaimed again. `mine` checks each row again when it is locked, because another worker
// may have claimed it.
const CLAIM = sql.byIndex(`
  with recursive hurry as (
    select set_config('synchronous_commit', 'off', true)
  ), busy as (
    select '00000000-0000-0000-0000-000000000000'::uuid as id
    union all
    select (select workspace_id from operations where completed_at is null and workspace_id > busy.id order by workspace_id limit 1)
    from busy
    where busy.id is not null
  ), waiting as (
    select found.*, row_number() over (partition by busy.id, kind order by seq) as turn
    from busy
    cross join lateral (
      select id, seq, kind
      from (
        select *, min(seq) filter (where changes) over lane as first_change, bool_or(changes and not is_free) over lane as is_taken
        from (
          select id, seq, campaign_id, action <> all($7::text[]) as changes, o.worker_id is null as is_free,
            ${IS_WAITING} and suspicion <> ${ISOLATED} as is_due,
            case when action = any($3::text[]) then 'outside' when is_large then 'large' else 'quick' end as kind
          from operations o
          where workspace_id = busy.id and completed_at is null
          order by seq
          limit $8
        ) as open
        window lane as (partition by campaign_id)
      ) as open
      where is_due
        and (campaign_id is null or seq <= coalesce(first_change, seq) and not coalesce(is_taken, false))
        and (kind <> 'outside' or $4 > 0 and busy.id <> all($6::uuid[]))
        and (kind <> 'large' or $5 > 0)
      order by seq
      limit $2
    ) as found
  ), ranked as (
    select *, row_number() over (partition by kind order by turn, seq) as place
    from waiting
    order by turn, seq
  ), mine as (
    select o.id as mine_id
    from operations o
    join ranked r using (id)
    where ${IS_WAITING}
      and (kind = 'quick' or (kind = 'outside' and place <= $4) or (kind = 'large' and place <= $5))
    order by turn, r.seq
    limit $2
    for no key update of o skip locked
  )
  update operations
  set ${TAKE}
  from mine, hurry
  where id = mine_id
  returning ${OPERATION_COLUMNS}`)

export interface ClaimRules {
  /** Actions that use the network or take long, and how many of them may be claimed. */
  outsideActions: readonly string[]
  outsideRoom: number
  largeRoom: number
  /** Workspaces that have their share of what uses the network already. */
  crowdedWorkspaces: readonly string[]
  /** Actions that hold up no other operation of their campaign. */
  onlyRead: readonly string[]
  /** No more open operations of a workspace are read. */
  maxOpen: number
}

const CLAIM_ANYTHING: ClaimRules = { outsideActions: [], outsideRoom: 0, largeRoom: 1, crowdedWorkspaces: [], onlyRead: [], maxOpen: 1000 }

export function claimOperations(db: Writer, workerId: number, limit: number, rules = CLAIM_ANYTHING): Promise<OperationRow[]> {
  const { outsideActions, outsideRoom, largeRoom, crowdedWorkspaces, onlyRead, maxOpen } = rules
  return db.write<OperationRow>(CLAIM, [workerId, limit, outsideActions, outsideRoom, largeRoom, crowdedWorkspaces, onlyRead, maxOpen])
}

const CLAIM_ISOLATED = sql.atomic(`
  update operations
  set ${TAKE}
  where id = (
    select o.id
    from operations o
    where o.suspicion = ${ISOLATED}
      and ${IS_WAITING}
      and not exists (
        select from operations ahead
        where ahead.campaign_id = o.campaign_id
          and ahead.completed_at is null
          and (ahead.seq < o.seq or ahead.worker_id is not null)
          and ahead.action <> all($2::text[])
      )
    order by o.seq
    limit 1
    for no key update skip locked
  )
  returning ${OPERATION_COLUMNS}`)

/** For a worker without other work, which starts nothing else in parallel. */
export const claimIsolated = (db: Writer, workerId: number, onlyRead: readonly string[] = []): Promise<OperationRow[]> =>
  db.write<OperationRow>(CLAIM_ISOLATED, [workerId, onlyRead])

export interface Ending {
  id: string
  status: 'succeeded' | 'failed'
  result: unknown
  error: OperationError | null
}

// The time of the statement, because the transaction began before the changes were made. The clock of the worker counts, too: changes have
// its times. The input is deleted: it can be large and full of personal data, and a repeated request needs only the result and the
// fingerprint. The ids are passed separately, so that PostgreSQL looks up each by its key.
/** Returns the ids that were stored. A missing one belongs to another worker now, because this one was considered dead. */
export const endOperations = sql(`
  update operations o
  set status = r.status,
    result = nullif(r.result, 'null'),
    error = nullif(r.error, 'null'),
    completed_at = greatest(statement_timestamp(), $4::timestamptz),
    worker_id = null,
    progress = null,
    checkpoint = null,
    input = '{}'
  from jsonb_to_recordset($2::jsonb) as r(id uuid, status text, result jsonb, error jsonb)
  where o.id = any($3::uuid[])
    and o.id = r.id
    and o.worker_id = $1
  returning o.id`).column<string, [workerId: number, endings: Ending[], now: Date]>((workerId, endings, now) => [
  workerId,
  JSON.stringify(endings),
  endings.map(({ id }) => id),
  now,
])

// Only for the current attempt: reports of an attempt that was considered dead are ignored.
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

/** Puts operations back into the queue, still `running`. A postponement that is no failure does not count as an attempt. */
export const postponeOperations = sql(`
  update operations
  set worker_id = null,
    run_at = now() + $3 * interval '1 millisecond',
    attempts = attempts - $4
  where id = any($2::uuid[])
    and worker_id = $1`).run((workerId: number, ids: string[], delayMs: number, countsAsAttempt: boolean) => [
  workerId,
  ids,
  delayMs,
  countsAsAttempt ? 0 : 1,
])

/** It has come further: what went wrong before does not count any more. False when another worker has it now. */
export const lookAgainLater = sql(`
  update operations
  set worker_id = null,
    run_at = now() + $3 * interval '1 millisecond',
    attempts = 0,
    suspicion = 0,
    is_underway = is_underway or $4
  where id = $2 and worker_id = $1`).any<[workerId: number, id: string, delayMs: number, isUnderway: boolean]>()

/** For lost claims and results: rows with our number that nothing here processes. */
export const releaseOperationsExcept = sql(`
  update operations
  set worker_id = null, attempts = greatest(attempts - 1, 0)
  where completed_at is null and worker_id = $1 and id <> all($2::uuid[])`).run<[workerId: number, ids: string[]]>()

// A death counts as an attempt only against an operation that was the only one at work, or that has killed alone before: of several, all but
// one had nothing to do with it. After a death that counts, the next attempt waits, so that a killer does not end one worker after another.
// A worker that seems dead may be ending its operations. It has locked them then, perhaps in another order: waiting for them could be a
// deadlock, so they are looked at the next time.
export const releaseOperationsOfDeadWorkers = sql(`
  with held as materialized (
    select id, worker_id, suspicion, count(*) over (partition by worker_id) as together
    from operations
    where completed_at is null and worker_id is not null and worker_id not in (${LIVE_WORKERS})
  ), free as materialized (
    select o.id, o.worker_id
    from operations o
    join held h on h.id = o.id and h.worker_id = o.worker_id
    where o.completed_at is null
    for no key update of o skip locked
  ), dead as (
    select id, worker_id, together = 1 as was_alone, together = 1 or suspicion = ${KILLED_ALONE} as counts
    from held h
    where together = (select count(*) from free f where f.worker_id = h.worker_id)
  )
  update operations o
  set worker_id = null,
    suspicion = case when was_alone then ${KILLED_ALONE} when o.suspicion < ${ISOLATED} then o.suspicion + 1 else o.suspicion end,
    attempts = o.attempts - case when counts then 0 else 1 end,
    run_at = case when counts then now() + least(power(2, least(o.attempts, 10)) * 0.25, 30) * interval '1 second' else o.run_at end
  from dead
  where o.id = dead.id and o.worker_id = dead.worker_id and o.completed_at is null`).run()

export const deleteOldOperations = sql(`
  delete from operations
  where id in (
    select id
    from operations
    where status in ('succeeded', 'failed') and completed_at < $1 and not (action = any($3::text[]))
    order by completed_at
    limit $2
  )`).run<[before: Date, limit: number, keptActions: readonly string[]]>()

/** An attempt at an operation. */
export type Claim = Pick<OperationRow, 'id' | 'attempts' | 'workerId'>

// Every claim increases the count. It does not wait for the disk, though: after a crash of PostgreSQL the next claim may have the same count,
// but not the same worker.
const IS_HELD = "id = $1 and attempts = $2 and worker_id = $3 and status = 'running'"
/** True when this attempt has the operation at this moment. */
export const holdsClaim = sql(`
  select from operations
  where ${IS_HELD}`).any(({ id, attempts, workerId }: Claim) => [id, attempts, workerId])

/** True when this attempt still has the operation. No other can take it until the end of the transaction. */
export const lockClaim = sql(`
  select from operations
  where ${IS_HELD}
  for update`).any(({ id, attempts, workerId }: Claim) => [id, attempts, workerId])

/** False when another attempt has the operation now. */
export const saveCheckpoint = sql(`
  update operations
  set checkpoint = $4
  where ${IS_HELD}`).any(({ id, attempts, workerId }: Claim, checkpoint: unknown) => [id, attempts, workerId, JSON.stringify(checkpoint)])
