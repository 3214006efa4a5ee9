import { type Db, sql, type Tx } from '../../db/client.ts'
import { newestFirst } from '../../db/filtered.ts'
import { oldest } from '../../db/fragments.ts'
import type { Page } from '../../lib/page.ts'
import type { Role } from '../../lib/roles.ts'

export interface InvitationRow {
  id: string
  workspaceId: string
  email: string
  role: Role
  createdAt: Date
  expiresAt: Date
}

const COLUMNS = `i.id, i.workspace_id as "workspaceId", i.email, i.role, i.created_at as "createdAt", i.expires_at as "expiresAt"`

// By the clock of the database, like tokens. An invitation ends when the token that made it is revoked, because that may have leaked.
const IS_OPEN = `i.ended_at is null
    and i.expires_at > now()
    and not exists (select from tokens t where t.id = i.token_id and t.revoked_at <= now())`

const INSERT = sql(`
  insert into invitations as i (id, workspace_id, email, role, hash, token_id, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, now(), now() + interval '7 days')
  returning ${COLUMNS}`)

export async function insertInvitation(
  tx: Tx,
  invitation: Pick<InvitationRow, 'id' | 'workspaceId' | 'email' | 'role'> & { hash: Buffer; tokenId: string },
): Promise<InvitationRow> {
  const { id, workspaceId, email, role, hash, tokenId } = invitation
  return (await tx.first<InvitationRow>(INSERT, [id, workspaceId, email, role, hash, tokenId]))!
}

const COUNT = sql(`
  select count(*)::int as count
  from invitations i
  where i.workspace_id = $1 and ${IS_OPEN}`)

export const countInvitations = async (db: Db, workspaceId: string): Promise<number> =>
  (await db.first<{ count: number }>(COUNT, [workspaceId]))!.count

const LIST = newestFirst(`
  select ${COLUMNS}
  from invitations i
  where i.workspace_id = $1 and ${IS_OPEN}`)

export const listInvitations = (db: Db, workspaceId: string, page: Page): Promise<InvitationRow[]> =>
  db.many<InvitationRow>(...LIST([workspaceId], page))

const FIND = sql(`
  select ${COLUMNS}
  from invitations i
  where i.workspace_id = $1 and i.id = $2 and ${IS_OPEN}`)

export const findInvitation = (db: Db, workspaceId: string, id: string): Promise<InvitationRow | undefined> =>
  db.first<InvitationRow>(FIND, [workspaceId, id])

const FIND_PLACE = sql(`
  select workspace_id as "workspaceId"
  from invitations
  where hash = $1`)

/** Where an invitation leads, whether it is open or not. */
export const findPlace = (db: Db, hash: Buffer): Promise<{ workspaceId: string } | undefined> =>
  db.first<{ workspaceId: string }>(FIND_PLACE, [hash])

// The second of two concurrent requests waits for the row and then finds it ended.
const ACCEPT = sql(`
  update invitations i
  set ended_at = now()
  where i.hash = $1 and ${IS_OPEN}
  returning ${COLUMNS}, i.token_id as "tokenId"`)

/** The invitation, and the token that it was made with. */
export const endByCode = (tx: Tx, hash: Buffer): Promise<(InvitationRow & { tokenId: string }) | undefined> =>
  tx.first<InvitationRow & { tokenId: string }>(ACCEPT, [hash])

const END = sql(`
  update invitations i
  set ended_at = now()
  where i.workspace_id = $1 and i.id = $2 and ${IS_OPEN}`)

export const endInvitation = async (tx: Tx, workspaceId: string, id: string): Promise<boolean> =>
  (await tx.run(END, [workspaceId, id])) === 1

const END_TO = sql(`
  update invitations
  set ended_at = now()
  where workspace_id = $1 and email = $2 and ended_at is null`)

export async function endInvitationsTo(tx: Tx, workspaceId: string, email: string): Promise<void> {
  await tx.run(END_TO, [workspaceId, email])
}

const END_BY = sql(`
  update invitations
  set ended_at = now()
  where workspace_id = $1
    and ended_at is null
    and token_id in (select id from tokens where user_id = $2)`)

export async function endInvitationsBy(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx.run(END_BY, [workspaceId, userId])
}

const DELETE_ENDED = sql(`
  delete from invitations
  where id in (${oldest('invitations', 'least(expires_at, ended_at)')})`)

export const forgetInvitations = (tx: Tx, before: Date, limit: number): Promise<number> => tx.run(DELETE_ENDED, [before, limit])
