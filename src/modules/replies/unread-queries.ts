import { type Db, sql, type Tx } from '../../db/client.ts'
import { newestFirst } from '../../db/filtered.ts'
import type { Page } from '../../lib/page.ts'
import type { UnreadReason } from './schema.ts'

export interface UnreadRow {
  id: string
  workspaceId: string
  providerId: string
  folder: string
  uidValidity: string
  uid: number
  messageId: string | null
  digest: Buffer
  reason: UnreadReason
  detail: string
  receivedAt: Date
  createdAt: Date
}

const INSERT = sql(`
  insert into unread_messages (
    id, workspace_id, provider_id, folder, uid_validity, uid, message_id, digest, reason, detail, received_at,
    created_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (provider_id, digest) do nothing`)

export const insertUnread = (tx: Tx, row: UnreadRow): Promise<number> =>
  tx.run(INSERT, [
    ...[row.id, row.workspaceId, row.providerId, row.folder, row.uidValidity, row.uid, row.messageId, row.digest],
    ...[row.reason, row.detail, row.receivedAt, row.createdAt],
  ])

const FIND_DIGESTS = sql(`
  select digest
  from unread_messages
  where provider_id = $1 and digest = any($2::bytea[])`)

/** The fingerprints, in hex, of these messages of a mailbox that were set aside before. */
export async function findUnreadDigests(db: Db, providerId: string, digests: Buffer[]): Promise<Set<string>> {
  if (digests.length === 0) return new Set()
  const rows = await db.many<{ digest: Buffer }>(FIND_DIGESTS, [providerId, digests])
  return new Set(rows.map(row => row.digest.toString('hex')))
}

const COLUMNS = `id, workspace_id as "workspaceId", provider_id as "providerId", folder, uid_validity as "uidValidity", uid,
  message_id as "messageId", digest, reason, detail, received_at as "receivedAt", created_at as "createdAt"`

const FIND = sql(`
  select ${COLUMNS}
  from unread_messages
  where workspace_id = $1
    and provider_id = $2
    and id = $3`)

export const findUnread = (db: Db, workspaceId: string, providerId: string, id: string): Promise<UnreadRow | undefined> =>
  db.first<UnreadRow>(FIND, [workspaceId, providerId, id])

const LIST = newestFirst(`
  select ${COLUMNS}
  from unread_messages
  where workspace_id = $1
    and provider_id = $2`)

export const listUnread = (db: Db, workspaceId: string, providerId: string, page: Page): Promise<UnreadRow[]> =>
  db.many<UnreadRow>(...LIST([workspaceId, providerId], page))
