import { newestFirst } from '../../db/filtered.ts'
import { mentions, oldest } from '../../db/fragments.ts'
import { sql } from '../../db/sql.ts'
import type { Static } from '../../lib/type.ts'
import type { Plan, PlanSummary } from './schema.ts'

export interface PlannedRequest {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  ifMatch: string | null
  body: Record<string, unknown>
}

export interface PlanRow
  extends Omit<Static<typeof Plan>, 'request' | 'proposedBy' | 'decidedAt' | 'appliedAt' | 'error' | 'createdAt' | 'expiresAt' | 'links'> {
  tokenId: string
  request: PlannedRequest | null
  requestHash: string
  basis: string
  decidedAt: Date | null
  appliedAt: Date | null
  executedAt: Date | null
  error: { code: string; message: string; retryable: boolean } | null
  createdAt: Date
  expiresAt: Date
}

// By the clock of the database, so that every process agrees. An expired plan counts as expired before it is cleared, too.
const STATUS = `case when status in ('pending', 'approved') and expires_at <= now() then 'expired' else status end`
const COLUMNS = `id, workspace_id as "workspaceId", token_id as "tokenId", operation, request, request_hash as "requestHash", basis, summary,
  ${STATUS} as status, decided_by as "decidedBy", decided_at as "decidedAt", applied_at as "appliedAt", operation_id as "operationId", executed_at as "executedAt", error,
  created_at as "createdAt", expires_at as "expiresAt"`

type NewPlan = Pick<PlanRow, 'id' | 'workspaceId' | 'tokenId' | 'operation' | 'request' | 'requestHash' | 'basis' | 'summary'>

export const insertPlan = sql(`
  insert into plans (id, workspace_id, token_id, operation, request, request_hash, basis, summary, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 minute')
  returning ${COLUMNS}`).one<PlanRow, [plan: NewPlan, minutes: number]>((row, minutes) => {
  const { id, workspaceId, tokenId, operation, request, requestHash, basis, summary } = row
  return [id, workspaceId, tokenId, operation, JSON.stringify(request), requestHash, basis, JSON.stringify(summary), minutes]
})

/** Of all tokens of a person, or of a workspace key with the keys that it was made by and that it made: anyone may make 100 tokens. */
export const countOpenPlans = sql(`
  with recursive makers (id, made_by) as (
    select id, made_by
    from tokens
    where id = $1 and kind = 'organization'
    union all
    select t.id, t.made_by
    from tokens t
    join makers m on t.id = m.made_by
    where t.kind = 'organization'
  ), family (id) as (
    select id
    from makers
    union
    select t.id
    from tokens t
    join family f on t.made_by = f.id
    where t.kind = 'organization'
  )
  select count(*)::int as count
  from plans
  where status in ('pending', 'approved')
    and expires_at > now()
    and token_id in (
      select id
      from family
      union
      select same.id
      from tokens t
      join tokens same on same.user_id = t.user_id
      where t.id = $1)`).value<number, [tokenId: string]>()

const FIND = `
  select ${COLUMNS}
  from plans
  where workspace_id = $1 and id = $2`
export const findPlan = sql(FIND).first<PlanRow, [workspaceId: string, id: string]>()
export const lockPlan = sql(`${FIND} for update`).first<PlanRow, [workspaceId: string, id: string]>()

export const listPlans = newestFirst<PlanRow, [workspaceId: string], 'status'>(
  `
  select ${COLUMNS}
  from plans
  where workspace_id = $1`,
  { status: `${STATUS} = ?` },
)

// A rejected plan is never carried out, so its request is not kept.
export const decidePlan = sql(`
  update plans
  set status = $2, decided_by = $3, decided_at = now(), request = case when $2 = 'rejected' then null else request end
  where id = $1
  returning ${COLUMNS}`).one<PlanRow, [id: string, status: 'approved' | 'rejected', userId: string | null]>()

/** In the transaction of the change: from here on, the state is not compared again. */
export const markExecuted = sql(`
  update plans
  set executed_at = now(), request = null
  where id = $1`).run<[id: string]>()

// The key of the request finds the operation, for any attempt that made it.
/** False when it was recorded before. */
export const completePlan = sql(`
  update plans p
  set status = 'applied', applied_at = now(), error = null, operation_id = o.id,
    request = case when o.completed_at is null then p.request end
  from operations o
  where p.workspace_id = $1 and p.id = $2 and p.operation_id is null
    and o.workspace_id = p.workspace_id and o.idempotency_key = $3
  returning p.operation_id as "operationId"`).any<[workspaceId: string, id: string, key: string]>()

/** False when the plan had ended before. */
export const failPlan = sql(`
  update plans
  set status = 'failed', request = null, error = $3
  where workspace_id = $1 and id = $2 and operation_id is null and status <> 'failed'`).any(
  (workspaceId: string, id: string, error: PlanRow['error']) => [workspaceId, id, JSON.stringify(error)],
)

/** Deletes the requests of expired plans. */
export const clearExpiredPlans = sql(`
  update plans
  set status = case when status in ('pending', 'approved') then 'expired' else status end, request = null
  where (status in ('pending', 'approved') or request is not null) and expires_at <= now()`).run()

// A mailbox that would send belongs to the workspace: its address is no mention of a person.
export const findPlanMentions = sql(`
  select id, summary
  from plans
  where workspace_id = $1 and ${mentions("concat_ws(' ', request::text, (summary - 'from')::text, error::text)", '$2')}`).many<
  { id: string; summary: PlanSummary },
  [workspaceId: string, address: string]
>()

export const forgetInPlan = sql(`
  update plans
  set request = null, error = null, summary = $2, status = case when status in ('pending', 'approved') then 'expired' else status end
  where id = $1`).run((id: string, summary: PlanSummary) => [id, JSON.stringify(summary)])

export const forgetPlans = sql(`
  delete from plans
  where id in (${oldest('plans', 'created_at', { and: 'expires_at < $1' })})`).run<[before: Date, limit: number]>()
