import { type Db, sql, type Tx } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'

export interface ProviderRow {
  id: string
  workspaceId: string
  kind: 'smtp' | 'sandbox'
  name: string
  fromName: string | null
  fromEmail: string
  postalAddress: string | null
  status: 'connected' | 'disconnected' | 'unverified'
  statusReason: string | null
  dailyCap: number
  minGapSeconds: number
  ramp: { startPerDay: number; increasePerDay: number } | null
  timezone: string
  maxPerDomainPerHour: number | null
  settings: Record<string, unknown>
  credentials: Buffer | null
  connectedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export const PROVIDER_COLUMNS = `id, workspace_id as "workspaceId", kind, name, from_name as "fromName", from_email as "fromEmail",
  postal_address as "postalAddress", status, status_reason as "statusReason", daily_cap as "dailyCap",
  min_gap_seconds as "minGapSeconds", ramp, timezone, max_per_domain_per_hour as "maxPerDomainPerHour", settings, credentials, connected_at as "connectedAt",
  created_at as "createdAt", updated_at as "updatedAt"`

// Whoever is second waits here until the first has committed, and then counts its mailbox too.
const LOCK_WORKSPACE = sql('select from workspaces where id = $1 for no key update')
const COUNT = sql('select count(*)::int as count from providers where workspace_id = $1')

export async function countProvidersLocked(tx: Tx, workspaceId: string): Promise<number> {
  await tx.run(LOCK_WORKSPACE, [workspaceId])
  return (await tx.first<{ count: number }>(COUNT, [workspaceId]))!.count
}

const INSERT = sql(`
  insert into providers (id, workspace_id, kind, name, from_name, from_email, postal_address, status, status_reason, daily_cap,
    min_gap_seconds, ramp, settings, credentials, connected_at, created_at, updated_at, timezone, max_per_domain_per_hour)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) returning ${PROVIDER_COLUMNS}`)

export async function insertProvider(tx: Tx, row: ProviderRow): Promise<ProviderRow> {
  return (await tx.first<ProviderRow>(INSERT, values(row)))!
}

const UPDATE = sql(`
  update providers set kind = $3, name = $4, from_name = $5, from_email = $6, postal_address = $7, status = $8, status_reason = $9,
    daily_cap = $10, min_gap_seconds = $11, ramp = $12, settings = $13, credentials = $14, connected_at = $15, created_at = $16, updated_at = $17,
    timezone = $18, max_per_domain_per_hour = $19
  where id = $1 and workspace_id = $2 returning ${PROVIDER_COLUMNS}`)

export async function updateProvider(tx: Tx, row: ProviderRow): Promise<ProviderRow> {
  return (await tx.first<ProviderRow>(UPDATE, values(row)))!
}

const values = (row: ProviderRow): unknown[] => [
  row.id,
  row.workspaceId,
  row.kind,
  row.name,
  row.fromName,
  row.fromEmail,
  row.postalAddress,
  row.status,
  row.statusReason,
  row.dailyCap,
  row.minGapSeconds,
  row.ramp && JSON.stringify(row.ramp),
  JSON.stringify(row.settings),
  row.credentials,
  row.connectedAt,
  row.createdAt,
  row.updatedAt,
  row.timezone,
  row.maxPerDomainPerHour,
]

const FIND = sql(`select ${PROVIDER_COLUMNS} from providers where workspace_id = $1 and id = $2`)

export const findProvider = (db: Db, workspaceId: string, id: string): Promise<ProviderRow | undefined> =>
  db.first<ProviderRow>(FIND, [workspaceId, id])

const LOCK = sql(`select ${PROVIDER_COLUMNS} from providers where workspace_id = $1 and id = $2 for update`)

export const lockProvider = (tx: Tx, workspaceId: string, id: string): Promise<ProviderRow | undefined> =>
  tx.first<ProviderRow>(LOCK, [workspaceId, id])

const LIST = sql(`
  select ${PROVIDER_COLUMNS} from providers
  where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
  order by created_at desc, id desc limit $4`)

export const listProviders = (db: Db, workspaceId: string, page: Page): Promise<ProviderRow[]> =>
  db.many<ProviderRow>(LIST, [workspaceId, page.after?.at, page.after?.id, page.limit + 1])

const DELETE = sql('delete from providers where workspace_id = $1 and id = $2')
const FORGET = sql(
  'update campaigns set rotation_provider_ids = array_remove(rotation_provider_ids, $2) where workspace_id = $1 and $2 = any(rotation_provider_ids)',
)
// A lead whose mailbox is gone goes on from another one, in a thread of its own.
const FREE_LEADS = sql(`
  update leads set provider_id = null, thread = null
  where provider_id = $2 and campaign_id in (select id from campaigns where workspace_id = $1 and (provider_id = $2 or $2 = any(rotation_provider_ids)))`)

export async function deleteProvider(tx: Tx, workspaceId: string, id: string): Promise<number> {
  await tx.run(FREE_LEADS, [workspaceId, id])
  await tx.run(FORGET, [workspaceId, id])
  return tx.run(DELETE, [workspaceId, id])
}

const FIND_CREDENTIALS = sql('select credentials from providers where id = $1')

export async function findCredentials(db: Db, id: string): Promise<Buffer | null> {
  return (await db.first<{ credentials: Buffer | null }>(FIND_CREDENTIALS, [id]))?.credentials ?? null
}

// Only when nobody has changed them in the meantime.
const UPDATE_CREDENTIALS = sql('update providers set credentials = $3 where id = $1 and credentials = $2')

export const updateCredentials = (tx: Tx, id: string, before: Buffer, after: Buffer): Promise<number> =>
  tx.run(UPDATE_CREDENTIALS, [id, before, after])

const COUNT_USERS = sql(`select count(*)::int as count from campaigns
  where (provider_id = $1 or $1 = any(rotation_provider_ids)) and status in ('active', 'attention_needed')`)

export async function countRunningCampaigns(db: Db, id: string): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_USERS, [id]))!.count
}

const DISCONNECT = sql(`
  update providers set status = 'disconnected', status_reason = $2, verify_at = $3, updated_at = $4
  where id = $1 and status = 'connected' returning ${PROVIDER_COLUMNS}`)

/** Undefined when it was not connected in the first place. */
export const markDisconnected = (tx: Tx, id: string, reason: string, verifyAt: Date | null, now: Date): Promise<ProviderRow | undefined> =>
  tx.first<ProviderRow>(DISCONNECT, [id, reason, verifyAt, now])

const CONNECT = sql(`
  update providers set status = 'connected', status_reason = null, failures = 0, verify_at = null, verify_attempts = 0,
    connected_at = coalesce(connected_at, $2), saves_sent = saves_sent or $3, updated_at = case when status = 'connected' then updated_at else $2 end
  where id = $1 returning ${PROVIDER_COLUMNS}`)

export const markConnected = (tx: Tx, id: string, savesSent: boolean, now: Date): Promise<ProviderRow | undefined> =>
  tx.first<ProviderRow>(CONNECT, [id, now, savesSent])

const CLEAR_FAILURES = sql('update providers set failures = 0 where id = any($1::uuid[]) and failures > 0')

export const clearFailures = (tx: Tx, ids: string[]): Promise<number> => tx.run(CLEAR_FAILURES, [ids])

const COUNT_FAILURE = sql('update providers set failures = failures + 1 where id = $1 returning failures')

export async function countFailure(tx: Tx, id: string): Promise<number> {
  return (await tx.first<{ failures: number }>(COUNT_FAILURE, [id]))?.failures ?? 0
}

const REST = sql('update providers set next_slot_at = greatest(next_slot_at, $2::timestamptz) where id = $1')

export const restMailbox = (tx: Tx, id: string, until: Date): Promise<number> => tx.run(REST, [id, until])

const POSTPONE_VERIFY = sql(
  'update providers set verify_at = $2, verify_attempts = verify_attempts + 1, status_reason = coalesce($3, status_reason) where id = $1',
)

export const postponeVerification = (tx: Tx, id: string, at: Date | null, reason: string | null): Promise<number> =>
  tx.run(POSTPONE_VERIFY, [id, at, reason])

// Taken by moving it ahead: two workers never try the same mailbox at once, and a worker that dies costs one turn.
const TAKE_TO_VERIFY = sql(`
  update providers p set verify_at = $2 from (
    select id from providers where verify_at <= $1 and status = 'disconnected' order by verify_at limit 1 for update skip locked) as due
  where p.id = due.id returning ${PROVIDER_COLUMNS.split(', ')
    .map(column => `p.${column.trim()}`)
    .join(', ')}, p.verify_attempts as "verifyAttempts"`)

export const takeToVerify = (tx: Tx, now: Date, until: Date): Promise<(ProviderRow & { verifyAttempts: number }) | undefined> =>
  tx.first(TAKE_TO_VERIFY, [now, until])

// A campaign stands still only when none of its mailboxes works.
const LIST_STRANDED = sql(`
  select c.id from campaigns c
  where c.workspace_id = $1 and c.status = 'active' and (c.provider_id = $2 or $2 = any(c.rotation_provider_ids))
    and not exists (select from providers p where p.status = 'connected' and (p.id = c.provider_id or p.id = any(c.rotation_provider_ids)))
  order by c.id`)

export async function listStrandedCampaigns(db: Db, workspaceId: string, id: string): Promise<string[]> {
  return (await db.many<{ id: string }>(LIST_STRANDED, [workspaceId, id])).map(row => row.id)
}

const LIST_STOPPED = sql(`
  select id from campaigns where workspace_id = $1 and attention_provider_id = $2 and status = 'attention_needed' order by id`)

export async function listStoppedCampaigns(db: Db, workspaceId: string, id: string): Promise<string[]> {
  return (await db.many<{ id: string }>(LIST_STOPPED, [workspaceId, id])).map(row => row.id)
}
