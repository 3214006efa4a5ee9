import { type Db, sql, type Tx } from '../../db/client.ts'
import { newestFirst } from '../../db/filtered.ts'
import type { Page } from '../../lib/page.ts'
import { lockWorkspace } from '../workspaces/queries.ts'
import type { DisabledReason, EndpointStatus } from './schema.ts'

export interface EndpointRow {
  id: string
  workspaceId: string
  url: string
  events: string[]
  description: string | null
  status: EndpointStatus
  disabledReason: DisabledReason | null
  /** Sealed, like the one before it. */
  secret: Buffer
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = `id, workspace_id as "workspaceId", url, events, description, status, disabled_reason as "disabledReason", secret,
  created_at as "createdAt", updated_at as "updatedAt"`

const CURRENT_SEQ = (workspaceId: string): string =>
  `coalesce((select s.seq from event_streams s where s.workspace_id = ${workspaceId}), 0)`

const COUNT = sql(`
  select count(*)::int as count
  from webhook_endpoints
  where workspace_id = $1`)

export async function countEndpointsLocked(tx: Tx, workspaceId: string): Promise<number> {
  await lockWorkspace(tx, workspaceId)
  return (await tx.first<{ count: number }>(COUNT, [workspaceId]))!.count
}

const INSERT = sql(`
  insert into webhook_endpoints (id, workspace_id, url, events, description, secret, created_at, updated_at, cursor_seq)
  values ($1, $2, $3, $4, $5, $6, $7, $7, ${CURRENT_SEQ('$2')})
  returning ${COLUMNS}`)

type NewEndpointRow = Pick<EndpointRow, 'id' | 'workspaceId' | 'url' | 'events' | 'description' | 'secret' | 'createdAt'>

/** A new endpoint begins with what happens from now on. */
export async function insertEndpoint(tx: Tx, row: NewEndpointRow): Promise<EndpointRow> {
  const { id, workspaceId, url, events, description, secret, createdAt } = row
  return (await tx.first<EndpointRow>(INSERT, [id, workspaceId, url, events, description, secret, createdAt]))!
}

const FIND = sql(`
  select ${COLUMNS}
  from webhook_endpoints
  where workspace_id = $1 and id = $2`)

export const findEndpoint = (db: Db, workspaceId: string, id: string): Promise<EndpointRow | undefined> =>
  db.first<EndpointRow>(FIND, [workspaceId, id])

// Not `for update`: that would also block the results of attempts, which read this row with `for key share`.
const LOCK = sql(`
  select ${COLUMNS}
  from webhook_endpoints
  where workspace_id = $1 and id = $2
  for no key update`)

export const lockEndpoint = (tx: Tx, workspaceId: string, id: string): Promise<EndpointRow | undefined> =>
  tx.first<EndpointRow>(LOCK, [workspaceId, id])

const LIST = newestFirst(`
  select ${COLUMNS}
  from webhook_endpoints
  where workspace_id = $1`)

export const listEndpoints = (db: Db, workspaceId: string, page: Page): Promise<EndpointRow[]> =>
  db.many<EndpointRow>(...LIST([workspaceId], page))

// Becoming active again is a new beginning: the failures are forgotten, and the cursor jumps to the present.
const UPDATE = sql(`
  update webhook_endpoints e
  set url = $2, events = $3, description = $4, status = $5, updated_at = $6,
    disabled_reason = case when $5 = 'disabled' then e.disabled_reason end,
    failing_since = case when $5 = 'active' and e.status <> 'active' then null else e.failing_since end,
    cursor_seq = case
      when $5 = 'active' and e.status <> 'active' then ${CURRENT_SEQ('e.workspace_id')}
      else e.cursor_seq
    end
  where e.id = $1
  returning ${COLUMNS}`)

export async function updateEndpoint(tx: Tx, row: EndpointRow): Promise<EndpointRow> {
  return (await tx.first<EndpointRow>(UPDATE, [row.id, row.url, row.events, row.description, row.status, row.updatedAt]))!
}

const SET_SEES_DOWNLOADS = sql(`
  update webhook_endpoints
  set sees_downloads = $2
  where id = $1`)

/** Whether events bring the endpoint the links to files. */
export const setSeesDownloads = (tx: Tx, id: string, seesDownloads: boolean): Promise<number> =>
  tx.run(SET_SEES_DOWNLOADS, [id, seesDownloads])

const ROTATE = sql(`
  update webhook_endpoints
  set secret = $2, updated_at = $4, previous_secret = case when $3 > 0 then secret end,
    previous_secret_until = case when $3 > 0 then now() + $3 * interval '1 second' end
  where id = $1
  returning ${COLUMNS}`)

export async function rotateEndpointSecret(tx: Tx, id: string, secret: Buffer, overlapSeconds: number, now: Date): Promise<EndpointRow> {
  return (await tx.first<EndpointRow>(ROTATE, [id, secret, overlapSeconds, now]))!
}

// The endpoint first: its lock prevents others from adding deliveries.
const DELETE = sql(`
  delete from webhook_endpoints
  where workspace_id = $1 and id = $2`)
const DELETE_DELIVERIES = sql(`
  delete from deliveries
  where endpoint_id = $1`)

/** With its deliveries. False: there is no such endpoint. */
export async function deleteEndpoint(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  if ((await tx.run(DELETE, [workspaceId, id])) === 0) return false
  await tx.run(DELETE_DELIVERIES, [id])
  return true
}

export interface EndpointReport {
  endpointId: string
  succeeded: boolean
  gone: boolean
}

// Locked in one order, so that two workers with results for the same endpoints cannot deadlock.
const JUDGE = sql(`
  with told as (
    select *
    from jsonb_to_recordset($1::jsonb) as r("endpointId" uuid, succeeded boolean, gone boolean)
  ), judged as (
    select e.id, told.succeeded,
      case
        when told.gone then 'gone'
        when not told.succeeded and e.failing_since <= now() - interval '5 days' then 'failing'
      end as reason
    from webhook_endpoints e
    join told on told."endpointId" = e.id
    where e.status <> 'disabled'
    order by e.id
    for no key update of e
  )
  update webhook_endpoints e
  set failing_since = case when judged.succeeded then null else coalesce(e.failing_since, now()) end,
    status = case when judged.reason is null then e.status else 'disabled' end, disabled_reason = judged.reason,
    updated_at = case when judged.reason is null then e.updated_at else greatest(now(), e.updated_at) end
  from judged
  where e.id = judged.id and (judged.reason is not null or judged.succeeded = (e.failing_since is not null))
  returning e.id, e.status, e.disabled_reason as "disabledReason"`)

/** Updates endpoints from their latest attempts. Returns those that it changed. */
export function judgeEndpoints(tx: Tx, reports: EndpointReport[]): Promise<Pick<EndpointRow, 'id' | 'status' | 'disabledReason'>[]> {
  return tx.many(JUDGE, [JSON.stringify(reports)])
}
