import { mentions } from '../db/fragments.ts'
import { type AtomicSql, sql, type Writer } from '../db/sql.ts'
import type { OperationErrorCode } from '../lib/errors.ts'
import type { Page } from '../lib/page.ts'

type OperationStatus = 'queued' | 'running' | 'succeeded' | 'failed'

export interface OperationError {
  code: OperationErrorCode
  message: string
  retryable: boolean
}

export interface OperationRow {
  id: string
  seq: number
  workspaceId: string
  action: string
  status: OperationStatus
  campaignId: string | null
  input: Record<string, unknown>
  result: unknown
  error: OperationError | null
  key: string | null
  fingerprint: string | null
  tokenId: string | null
  attempts: number
  workerId: number | null
  /** Whether it takes seconds and is applied alone. */
  isLarge: boolean
  /** Whether its worker may have died of it, see the column. */
  suspicion: number
  /** A part of it is in force, and it waits for the rest. */
  isUnderway: boolean
  /** The progress of earlier attempts, for tasks with many steps. */
  checkpoint: unknown
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
}

export const OPERATION_COLUMNS = `id, seq, workspace_id as "workspaceId", action, status, campaign_id as "campaignId", input, result, error,
  idempotency_key as key, fingerprint, token_id as "tokenId", attempts, worker_id as "workerId", is_large as "isLarge", suspicion, is_underway as "isUnderway",
  checkpoint, created_at as "createdAt", started_at as "startedAt", completed_at as "completedAt"`

export interface AcceptRequest
  extends Pick<OperationRow, 'id' | 'workspaceId' | 'action' | 'campaignId' | 'input' | 'key' | 'fingerprint'> {
  /** The statuses of the campaign that allow the operation; null: any status. */
  allowedStatuses: readonly string[] | null
  tokenId: string
  isLarge?: boolean | undefined
}

export interface AcceptAnswer {
  inserted: boolean
  /** The workspace has as many open operations as it may have. */
  isFull: boolean
  campaignStatus: string | null
  prior: OperationRow | null
}

/**
 * The statement that accepts operations: one round trip for a whole batch, with the key, the status of the campaign and the new row. While an
 * operation is open that can change the status ($3), the current one says nothing about the time when this operation runs, so only the worker
 * checks it. The limits of 1 make PostgreSQL use the indexes row by row; otherwise it reads whole tables while they are small.
 *
 * `statusOf` is SQL for the id and the status of a campaign, if it belongs to the workspace: at most one row.
 */
export const acceptStatement = (statusOf: (campaignId: string, workspaceId: string) => string): AtomicSql =>
  sql.atomic(`
  with asked as (
    select *
    from jsonb_to_recordset($1::jsonb) as r(
      n int, id uuid, "workspaceId" uuid, action text, "campaignId" uuid, "allowedStatuses" jsonb,
      input jsonb, key text, fingerprint text, "tokenId" uuid, "isLarge" boolean)
  ), open as materialized (
    select workspace_id, (
        select count(*)
        from (select from operations o where o.workspace_id = w.workspace_id and o.completed_at is null limit $2) as counted
      ) as count
    from (select distinct "workspaceId" as workspace_id from asked) as w
  ), judged as materialized (
    select asked.*, c.status as campaign_status,
      (select count from open where workspace_id = "workspaceId") + row_number() over (partition by "workspaceId" order by n)
        > case when action = any($4::text[]) then ($2 + 1) / 2 else $2 end as is_full,
      asked."campaignId" is null or (c.id is not null and (
        asked."allowedStatuses" is null
        or asked."allowedStatuses" = 'null'
        or asked."allowedStatuses" ? c.status
        or exists (
          select from operations o
          where o.campaign_id = c.id
            and o.completed_at is null
            and o.action = any($3::text[])
        ))) as admitted
    from asked
    left join lateral (${statusOf('asked."campaignId"', 'asked."workspaceId"')}) as c on true
  ), inserted as (
    insert into operations (id, workspace_id, action, status, campaign_id, input, idempotency_key, fingerprint, token_id, is_large)
    select id, "workspaceId", action, 'queued', "campaignId", input, key, fingerprint, "tokenId", coalesce("isLarge", false)
    from judged
    where admitted and not is_full
    order by n
    on conflict (workspace_id, idempotency_key) where idempotency_key is not null do nothing
    returning id
  )
  select judged.n, inserted.id is not null as inserted, judged.admitted and judged.is_full as "isFull",
    judged.campaign_status as "campaignStatus", prior.id as "priorId"
  from judged
  left join inserted on inserted.id = judged.id
  left join lateral (
    select id
    from operations
    where workspace_id = judged."workspaceId"
      and idempotency_key = judged.key
      and inserted.id is null
    limit 1
  ) as prior on true`)

interface AcceptedRow {
  n: number
  inserted: boolean
  isFull: boolean
  campaignStatus: string | null
  priorId: string | null
}

export interface AcceptRules {
  accept: AtomicSql
  changeStatus: readonly string[]
  /** The number of open operations that a workspace may have. Requests at the same moment may exceed it by a few. */
  maxOpen: number
  /** The actions that get half of this number. */
  onlyRead: readonly string[]
}

export async function acceptOperations(db: Writer, requests: AcceptRequest[], { accept, changeStatus, maxOpen, onlyRead }: AcceptRules) {
  const asked = JSON.stringify(requests.map((request, n) => ({ ...request, n })))
  const rows = await db.write<AcceptedRow>(accept, [asked, maxOpen, changeStatus, onlyRead], ['operations'])
  const answers: AcceptAnswer[] = new Array(requests.length)
  for (const row of rows) {
    const request = requests[row.n]!
    // A key that lost against a simultaneous request is not in the snapshot of this statement, but is committed now.
    const taken = row.priorId !== null || (!row.inserted && request.key !== null)
    const prior = taken ? await findOperationByKey(db, request.workspaceId, request.key!) : undefined
    const { inserted, isFull, campaignStatus } = row
    answers[row.n] = { inserted, isFull, campaignStatus, prior: prior ?? null }
  }
  return answers
}

export const findOperationByKey = sql(`
  select ${OPERATION_COLUMNS}
  from operations
  where workspace_id = $1 and idempotency_key = $2`).first<OperationRow, [workspaceId: string, key: string]>()

type SucceededOperation = Omit<AcceptRequest, 'allowedStatuses' | 'input' | 'isLarge'> & { result: unknown; endedAt: Date | null }

// The time of the statement, because the transaction began before the change was made. The clock of the process that made it counts, too.
// The row is the lock: a second request with the same key waits here until the first has committed, then inserts nothing.
export const insertSucceededOperation = sql(`
  insert into operations (
    id, workspace_id, action, status, campaign_id, result, idempotency_key, fingerprint, token_id, started_at,
    completed_at
  )
  values ($1, $2, $3, 'succeeded', $4, $5, $6, $7, $8, now(), greatest(statement_timestamp(), $9::timestamptz))
  on conflict (workspace_id, idempotency_key) where idempotency_key is not null do nothing`).any((operation: SucceededOperation) => {
  const { id, workspaceId, action, campaignId, result, key, fingerprint, tokenId, endedAt } = operation
  const kept = result === undefined ? null : JSON.stringify(result)
  return [id, workspaceId, action, campaignId, kept, key, fingerprint, tokenId, endedAt]
})

export const setOperationResult = sql(`
  update operations
  set result = $2, campaign_id = coalesce(campaign_id, $3), completed_at = greatest(statement_timestamp(), $4::timestamptz)
  where id = $1`).run((id: string, result: unknown, campaignId: string | null, endedAt: Date | null) => [
  id,
  JSON.stringify(result),
  campaignId,
  endedAt,
])

/** The number of operations with this action within an hour and within a day. */
export const countRecentOperations = sql(`
  select count(*)::int as day,
    (count(*) filter (where created_at > now() - interval '1 hour'))::int as hour
  from operations
  where workspace_id = $1
    and action = $2
    and created_at > now() - interval '1 day'`).one<{ hour: number; day: number }, [workspaceId: string, action: string]>()

export interface EndedOperation {
  id: string
  status: 'succeeded' | 'failed'
}

export const findEndedOperations = sql(`
  select id, status
  from operations
  where id = any($1::uuid[]) and status in ('succeeded', 'failed')`).many<EndedOperation, [ids: string[]]>()

/**
 * Whether operations are open that can change the campaign, also those of another campaign. `uncounted`: actions that leave the campaign as
 * it is. Whether they have ended must make no difference to other requests.
 */
export const hasOpenOperations = sql(`
  select exists (
    select from operations
    where campaign_id = $2
      and completed_at is null
      and action <> all($3::text[])
  ) or exists (
    -- Leads of another campaign are being moved here.
    select from operations
    where workspace_id = $1
      and completed_at is null
      and lower(input ->> 'targetCampaignId') = $2::text
  ) as open`).value<boolean, [campaign: { workspaceId: string; id: string }, uncounted: readonly string[]]>(
  ({ workspaceId, id }, uncounted) => [workspaceId, id, uncounted],
)

/** A page of operations, and which of them hold the address. */
export const readOperationPage = sql(`
  select id, created_at as "createdAt",
    ${mentions("concat_ws(' ', input::text, result::text, error::text, idempotency_key)", '$5')} as found
  from (
    select *
    from operations
    where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
    order by created_at desc, id desc
    limit $4
  ) as page
  order by created_at desc, id desc`).many<
  { id: string; createdAt: Date; found: boolean },
  [workspaceId: string, page: Page, address: string]
>((workspaceId, page, address) => [workspaceId, page.after?.at, page.after?.id, page.limit, address])

export interface StoredOperation extends Pick<OperationRow, 'id' | 'action' | 'result' | 'key'> {
  input: unknown
  error: unknown
}

export const lockOperation = sql(`
  select id, action, input, result, error, idempotency_key as key
  from operations
  where id = $1
  for update`).first<StoredOperation, [id: string]>()

/** The operation must be locked. */
export const updateContent = sql(`
  update operations
  set input = $2, result = $3, error = $4, idempotency_key = $5
  where id = $1 and (input, result, error, idempotency_key) is distinct from ($2::jsonb, $3::jsonb, $4::jsonb, $5::text)`).run(
  ({ id, input, result, error, key }: StoredOperation) => [
    id,
    ...[input, result, error].map(value => (value === null ? null : JSON.stringify(value))),
    key,
  ],
)

export const clearInput = sql(`
  update operations
  set input = '{}'
  where id = $1`).run<[operationId: string]>()
