import { BEHIND, behind, filtered, newestFirst } from '../../db/filtered.ts'
import { type Db, sql } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'
import type { Role } from '../../lib/roles.ts'
import type { OperationRow } from '../../operations/queries.ts'
import { type ActorRow, actorOf } from '../tokens/queries.ts'

/** The visible columns of an operation. Its input is never read here, because it can be as large as a body. */
export type ShownOperation = Pick<
  OperationRow,
  'id' | 'workspaceId' | 'action' | 'status' | 'result' | 'error' | 'createdAt' | 'startedAt' | 'completedAt'
> & { actor: ActorRow | null; doneCount?: number | null; progress?: unknown }

/** Of the row of `operations` in the statement. */
export const ACTOR = actorOf('operations.token_id')

const SHOWN = `id, workspace_id as "workspaceId", action, status, result, error, created_at as "createdAt", started_at as "startedAt",
  completed_at as "completedAt", ${ACTOR} as actor`

// Progress is shown only in the response for this one operation. The report of an interrupted attempt is no longer true.
const PROGRESS = `case
    when status = 'running' and worker_id is not null then progress
  end`

const DONE_COUNT = `case
    when status = 'running' and action = 'campaign.import_csv' then (
      select u.row_count
      from csv_uploads u
      where u.operation_id = operations.id)
  end`

/** By id alone: the caller checks whether the token can access the workspace of the result. */
export const findOperation = sql(`
  select ${SHOWN}, ${DONE_COUNT} as "doneCount", ${PROGRESS} as progress
  from operations
  where id = $1`).first<ShownOperation, [id: string]>()

interface Reach {
  /** Of the token's person; null for a workspace key. */
  role: Role | null
}

/** How a token reaches a workspace; undefined when it does not. */
export const findReach = sql(`
  select m.role
  from tokens t
  left join memberships m on m.user_id = t.user_id and m.workspace_id = $2
  where t.id = $1 and (t.workspace_id = $2 or m.role is not null)`).first<Reach, [tokenId: string, workspaceId: string]>()

const listByStatus = newestFirst<ShownOperation, [workspaceId: string], 'open' | 'failed' | 'succeeded' | 'action' | 'campaignId'>(
  `
  select ${SHOWN}
  from operations
  where workspace_id = $1`,
  {
    // Each status with the condition of its index. Most operations have succeeded, so these need none of their own.
    open: 'completed_at is null and status = ?',
    failed: 'error is not null and status = ?',
    succeeded: 'status = ?',
    action: 'action = ?',
    campaignId: 'campaign_id = ?',
  },
)

interface OperationFilter {
  status?: string | undefined
  action?: string | undefined
  campaignId?: string | undefined
}

export function listOperations(db: Db, workspaceId: string, filter: OperationFilter, page: Page): Promise<ShownOperation[]> {
  const { status, ...others } = filter
  const kind = status === 'failed' || status === 'succeeded' ? status : 'open'
  return listByStatus(db, workspaceId, page, { ...others, [kind]: status })
}

export interface AuditRow extends Pick<OperationRow, 'id' | 'action' | 'status' | 'campaignId' | 'createdAt'> {
  actor: ActorRow | null
}

const ENTRY = `id, action, status, campaign_id as "campaignId", created_at as "createdAt", ${ACTOR} as actor`

/** Actions on people's own tokens and sessions are stored under their own id, and belong to every team that they are in. */
const PERSONAL = `action in ('session.create', 'session.revoke', 'token.create', 'token.revoke')`

const LIST_ENTRIES = filtered(
  2,
  {
    id: 'id = ?',
    action: 'action = ?',
    actorId: 'token_id in (select t.id from tokens t where t.id = ? or t.user_id = ?)',
    createdFrom: 'created_at >= ?',
    createdTo: 'created_at <= ?',
    behind: BEHIND,
  },
  conditions => `
  select *
  from (
    (
      select ${ENTRY}
      from operations
      where workspace_id = $1
        ${conditions}
      order by created_at desc, id desc
      limit $2
    )
    union all
    select personal.*
    from memberships m
    cross join lateral (
      select ${ENTRY}
      from operations
      where workspace_id = m.user_id
        and ${PERSONAL}
        ${conditions}
      order by created_at desc, id desc
      limit $2
    ) as personal
    where m.workspace_id = $1
  ) as entries
  order by "createdAt" desc, id desc
  limit $2`,
)

interface AuditFilter {
  action?: string | undefined
  actorId?: string | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
}

export function listAudit(db: Db, workspaceId: string, { actorId, ...filter }: AuditFilter, page: Page): Promise<AuditRow[]> {
  const given = { ...filter, actorId: actorId && [actorId, actorId], behind: behind(page) }
  return db.many<AuditRow>(...LIST_ENTRIES([workspaceId, page.limit + 1], given))
}

export const findAuditEntry = async (db: Db, workspaceId: string, id: string): Promise<AuditRow | undefined> =>
  (await db.many<AuditRow>(...LIST_ENTRIES([workspaceId, 1], { id })))[0]
