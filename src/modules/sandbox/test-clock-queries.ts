import { sql } from '../../db/sql.ts'

// One workspace moves the clock, and all of them have its time: these are the only statements here that look at all of them.

export const hasRealMailbox = sql(`
  select exists (
    select from providers
    where kind <> 'sandbox'
  ) as found`).value<boolean>()

interface Move {
  operationId: string
  workspaceId: string
  startedAt: Date
  /** Null: until nothing more is planned. */
  targetAt: Date | null
}

// An operation that has ended, or is gone, moves nothing any more.
export const findMove = sql(`
  select o.id as "operationId", o.workspace_id as "workspaceId", t.started_at as "startedAt", t.target_at as "targetAt"
  from test_clock t
  join operations o on o.id = t.operation_id
  where o.status in ('queued', 'running')`).first<Move>()

/** The workspace that moved the clock; null before anyone did, and after a reset. */
export const findClockOwner = sql(`
  select workspace_id
  from test_clock`).value<string | null>()

// Work in progress counts as due now. The sender decides which messages may be sent.
/** When something other than a message is due; not later than now while it is being done. */
export const findNextMoment = sql(`
  select least(
    (select min(due_at) from sandbox_reactions),
    (select min(completes_at) from leads where completes_at is not null),
    (select min(end_date) from campaigns where status = 'active'),
    (select min(reconcile_at) from sends where status = 'unknown'),
    (select min(due_at) from answers where due_at is not null),
    (select $1::timestamptz from sends where worker_id is not null limit 1)
  ) as at`).value<Date | null, [now: Date]>()

export const countEvents = sql(`
  select type, count(*)::int as count
  from events
  where workspace_id = $1
    and timestamp > $2
    and timestamp <= $3
    and type like 'email.%'
  group by type`).many<{ type: string; count: number }, [workspaceId: string, from: Date, to: Date]>()
