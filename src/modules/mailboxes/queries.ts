import { type Db, sql, type Tx, type Writer } from '../../db/client.ts'
import { newestFirst } from '../../db/filtered.ts'
import { columnsOf, fieldOf } from '../../db/fragments.ts'
import { lockWorkspace } from '../../db/locks.ts'
import type { Page } from '../../lib/page.ts'
import type { Issuer } from './consent-schema.ts'
import type { ProviderSettings, ServerKind } from './schema.ts'

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
  settings: ProviderSettings
  credentials: Buffer | null
  /** The servers that the stored credentials must not be shown to. */
  credentialsWithheld: ServerKind[]
  replyTo: string | null
  signature: { text: string | null; html: string | null } | null
  /** The consent that it signs in with. */
  consent: { issuer: Issuer; account: string } | null
  inboxState: 'unread' | 'readable' | 'unreadable' | null
  inboxReason: string | null
  inboxSince: Date | null
  restingUntil: Date | null
  restingReason: string | null
  /** Why the server stores no copies in the Sent folder. */
  copiesReason: string | null
  copiesSince: Date | null
  /** The date of the mailbox that `loadReserved` counts; null before the first message. */
  loadDay: string | null
  loadReserved: number
  /** When its next message may be sent. */
  nextSlotAt: Date | null
  connectedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Every statement names the table `p`, so that its columns are unambiguous in joins. */
export const PROVIDER_COLUMNS = columnsOf(
  `id, workspace_id, kind, name, from_name, from_email, postal_address, status, status_reason, daily_cap, min_gap_seconds, ramp,
  timezone, max_per_domain_per_hour, settings, credentials, credentials_withheld, reply_to, signature, consent, inbox_state,
  inbox_reason, inbox_since, resting_until, resting_reason, copies_reason, copies_since, load_day, load_reserved, next_slot_at,
  connected_at, created_at, updated_at`,
  'p',
)

const COUNT = sql(`
  select count(*)::int as count
  from providers
  where workspace_id = $1`)

export async function countProvidersLocked(tx: Tx, workspaceId: string): Promise<number> {
  await lockWorkspace(tx, workspaceId)
  return (await tx.first<{ count: number }>(COUNT, [workspaceId]))!.count
}

/** What people and checks write; sending counts the rest. */
const WRITTEN = `kind, name, from_name, from_email, postal_address, status, status_reason, daily_cap, min_gap_seconds, ramp, settings,
  credentials, connected_at, created_at, timezone, max_per_domain_per_hour, credentials_withheld, reply_to, signature, inbox_state,
  inbox_reason, inbox_since, resting_until, resting_reason, consent, copies_reason, copies_since`.split(/,\s+/)

const values = (row: ProviderRow): unknown[] => [
  row.id,
  row.workspaceId,
  row.updatedAt,
  ...WRITTEN.map(column => row[fieldOf(column) as keyof ProviderRow]),
]

const INSERT = sql(`
  insert into providers as p (id, workspace_id, updated_at, ${WRITTEN.join(', ')})
  values ($1, $2, $3, ${WRITTEN.map((_, index) => `$${index + 4}`).join(', ')})
  returning ${PROVIDER_COLUMNS}`)

export const insertProvider = async (tx: Tx, row: ProviderRow): Promise<ProviderRow> => (await tx.first<ProviderRow>(INSERT, values(row)))!

// Each change has its own time, because the result of a check counts only for a mailbox that was not changed since.
const UPDATE = sql(`
  update providers p
  set updated_at = greatest($3, p.updated_at + interval '1 millisecond'),
    ${WRITTEN.map((column, index) => `${column} = $${index + 4}`).join(', ')}
  where p.id = $1 and p.workspace_id = $2
  returning ${PROVIDER_COLUMNS}`)

export const updateProvider = async (tx: Tx, row: ProviderRow): Promise<ProviderRow> => (await tx.first<ProviderRow>(UPDATE, values(row)))!

const FIND = sql(`
  select ${PROVIDER_COLUMNS}
  from providers p
  where p.workspace_id = $1 and p.id = $2`)

export const findProvider = (db: Db, workspaceId: string, id: string): Promise<ProviderRow | undefined> =>
  db.first<ProviderRow>(FIND, [workspaceId, id])

const LOCK = sql(`
  select ${PROVIDER_COLUMNS}
  from providers p
  where p.workspace_id = $1 and p.id = $2
  for update`)

export const lockProvider = (tx: Tx, workspaceId: string, id: string): Promise<ProviderRow | undefined> =>
  tx.first<ProviderRow>(LOCK, [workspaceId, id])

const LIST = newestFirst(`
  select ${PROVIDER_COLUMNS}
  from providers p
  where p.workspace_id = $1`)

export const listProviders = (db: Db, workspaceId: string, page: Page): Promise<ProviderRow[]> =>
  db.many<ProviderRow>(...LIST([workspaceId], page))

const LIST_IDS = sql(`
  select id
  from providers
  where workspace_id = $1
  order by id`)

export const listProviderIds = async (db: Db, workspaceId: string): Promise<string[]> =>
  (await db.many<{ id: string }>(LIST_IDS, [workspaceId])).map(row => row.id)

const DELETE = sql(`
  delete from providers
  where workspace_id = $1 and id = $2`)

export const deleteProvider = (tx: Tx, workspaceId: string, id: string): Promise<number> => tx.run(DELETE, [workspaceId, id])

const FIND_CREDENTIALS = sql(`
  select credentials
  from providers
  where id = $1`)

export const findCredentials = async (db: Db, id: string): Promise<Buffer | null> =>
  (await db.first<{ credentials: Buffer | null }>(FIND_CREDENTIALS, [id]))?.credentials ?? null

// Only when nobody has changed them in the meantime.
const REPLACE_CREDENTIALS = sql.atomic(`
  update providers
  set credentials = $3
  where id = $1
    and credentials = $2`)

export async function replaceCredentials(db: Writer, id: string, before: Buffer, after: Buffer): Promise<void> {
  await db.write(REPLACE_CREDENTIALS, [id, before, after])
}

const COUNT_USERS = sql(`
  select count(*)::int as count
  from campaigns
  where (provider_id = $1 or $1 = any(rotation_provider_ids)) and status in ('active', 'attention_needed')`)

export const countRunningCampaigns = async (db: Db, id: string): Promise<number> =>
  (await db.first<{ count: number }>(COUNT_USERS, [id]))!.count

const NOTE_SAVES_SENT = sql(`
  update providers
  set saves_sent = true
  where id = $1 and not saves_sent`)

export const noteSavesSent = (tx: Tx, id: string): Promise<number> => tx.run(NOTE_SAVES_SENT, [id])

const LOCK_CLOCK = sql(`
  select offset_ms > 0 as "isAhead"
  from test_clock
  for share`)

/** Whether the test clock is ahead of real time. It is locked until the end of the transaction. */
export const isClockAhead = async (tx: Tx): Promise<boolean> => (await tx.first<{ isAhead: boolean }>(LOCK_CLOCK))?.isAhead ?? false
