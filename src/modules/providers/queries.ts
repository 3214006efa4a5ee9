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
  settings: Record<string, unknown>
  credentials: Buffer | null
  connectedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = `id, workspace_id as "workspaceId", kind, name, from_name as "fromName", from_email as "fromEmail",
  postal_address as "postalAddress", status, status_reason as "statusReason", daily_cap as "dailyCap",
  min_gap_seconds as "minGapSeconds", ramp, settings, credentials, connected_at as "connectedAt",
  created_at as "createdAt", updated_at as "updatedAt"`

const INSERT = sql(`
  insert into providers (id, workspace_id, kind, name, from_name, from_email, postal_address, status, status_reason, daily_cap,
    min_gap_seconds, ramp, settings, credentials, connected_at, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) returning ${COLUMNS}`)

export async function insertProvider(tx: Tx, row: ProviderRow): Promise<ProviderRow> {
  return (await tx.first<ProviderRow>(INSERT, values(row)))!
}

const UPDATE = sql(`
  update providers set kind = $3, name = $4, from_name = $5, from_email = $6, postal_address = $7, status = $8, status_reason = $9,
    daily_cap = $10, min_gap_seconds = $11, ramp = $12, settings = $13, credentials = $14, connected_at = $15, created_at = $16, updated_at = $17
  where id = $1 and workspace_id = $2 returning ${COLUMNS}`)

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
]

const FIND = sql(`select ${COLUMNS} from providers where workspace_id = $1 and id = $2`)

export const findProvider = (db: Db, workspaceId: string, id: string): Promise<ProviderRow | undefined> =>
  db.first<ProviderRow>(FIND, [workspaceId, id])

const LOCK = sql(`select ${COLUMNS} from providers where workspace_id = $1 and id = $2 for update`)

export const lockProvider = (tx: Tx, workspaceId: string, id: string): Promise<ProviderRow | undefined> =>
  tx.first<ProviderRow>(LOCK, [workspaceId, id])

const LIST = sql(`
  select ${COLUMNS} from providers
  where workspace_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
  order by created_at desc, id desc limit $4`)

export const listProviders = (db: Db, workspaceId: string, page: Page): Promise<ProviderRow[]> =>
  db.many<ProviderRow>(LIST, [workspaceId, page.after?.at, page.after?.id, page.limit + 1])

const DELETE = sql('delete from providers where workspace_id = $1 and id = $2')

export const deleteProvider = (tx: Tx, workspaceId: string, id: string): Promise<number> => tx.run(DELETE, [workspaceId, id])

const COUNT_USERS = sql(`select count(*)::int as count from campaigns where provider_id = $1 and status in ('active', 'attention_needed')`)

export async function countRunningCampaigns(db: Db, id: string): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_USERS, [id]))!.count
}
