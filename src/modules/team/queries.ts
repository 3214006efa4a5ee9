import { newestFirst } from '../../db/filtered.ts'
import { oldest } from '../../db/fragments.ts'
import { sql } from '../../db/sql.ts'
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

export const insertInvitation = sql(`
  insert into invitations as i (id, workspace_id, email, role, hash, token_id, created_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, now(), now() + interval '7 days')
  returning ${COLUMNS}`).one<
  InvitationRow,
  [invitation: Pick<InvitationRow, 'id' | 'workspaceId' | 'email' | 'role'> & { hash: Buffer; tokenId: string }]
>(({ id, workspaceId, email, role, hash, tokenId }) => [id, workspaceId, email, role, hash, tokenId])

export const countInvitations = sql(`
  select count(*)::int as count
  from invitations i
  where i.workspace_id = $1 and ${IS_OPEN}`).value<number, [workspaceId: string]>()

export const listInvitations = newestFirst<InvitationRow, [workspaceId: string]>(`
  select ${COLUMNS}
  from invitations i
  where i.workspace_id = $1 and ${IS_OPEN}`)

export const findInvitation = sql(`
  select ${COLUMNS}
  from invitations i
  where i.workspace_id = $1 and i.id = $2 and ${IS_OPEN}`).first<InvitationRow, [workspaceId: string, id: string]>()

/** The workspace and role of an invitation, open or not. */
export const findPlace = sql(`
  select workspace_id as "workspaceId"
  from invitations
  where hash = $1`).first<{ workspaceId: string }, [hash: Buffer]>()

// The second of two concurrent requests waits for the row and then finds it ended.
/** The invitation, and the token that it was made with. */
export const endByCode = sql(`
  update invitations i
  set ended_at = now()
  where i.hash = $1 and ${IS_OPEN}
  returning ${COLUMNS}, i.token_id as "tokenId"`).first<InvitationRow & { tokenId: string }, [hash: Buffer]>()

export const endInvitation = sql(`
  update invitations i
  set ended_at = now()
  where i.workspace_id = $1 and i.id = $2`).run<[workspaceId: string, id: string]>()

/** Returns those that ended, and whether they could still be accepted. */
export const endInvitationsTo = sql(`
  update invitations
  set ended_at = now()
  where workspace_id = $1 and email = $2 and ended_at is null
  returning role, expires_at > now() as "isOpen"`).many<{ role: Role; isOpen: boolean }, [workspaceId: string, email: string]>()

export const endInvitationsBy = sql(`
  update invitations
  set ended_at = now()
  where workspace_id = $1
    and ended_at is null
    and token_id in (select id from tokens where user_id = $2)`).run<[workspaceId: string, userId: string]>()

export const forgetInvitations = sql(`
  delete from invitations
  where id in (${oldest('invitations', 'least(expires_at, ended_at)')})`).run<[before: Date, limit: number]>()
