import { oldest } from '../../db/fragments.ts'
import { sql, type Tx, type Writer } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'
import type { Static } from '../../lib/type.ts'
import { CALLER, type CallerRow, TOKEN_WORKS, WITH_ROLE } from './queries.ts'
import type { Session } from './schema.ts'

/** An unused session ends after this time. Each use renews it, up to the maximum. */
const LIFETIME = `interval '12 hours'`
const LONGEST = `interval '30 days'`
/** A use is stored only when the last stored one is this old, so that not every request is a write. */
const NOTED_EVERY = `interval '5 minutes'`
// A use in the future is from before the clock was set back; it must not make the session last longer.
const IS_TO_BE_NOTED = `last_used_at not between now() - ${NOTED_EVERY} and now() + ${NOTED_EVERY}`
const CODE_LIFETIME = `interval '24 hours'`
const SESSION_WORKS = 's.expires_at > now() and s.revoked_at is null'

interface SessionCallerRow extends CallerRow {
  sessionId: string
  isToBeNoted: boolean
}

export const findSessionCaller = sql(`
  select ${CALLER}, s.id as "sessionId", s.${IS_TO_BE_NOTED} as "isToBeNoted"
  from sessions s
  join tokens t on t.id = s.token_id
  ${WITH_ROLE}
  where s.hash = $1 and ${SESSION_WORKS} and ${TOKEN_WORKS}`).first<SessionCallerRow, [hash: Buffer, workspaceId: string | null]>()

const RENEW = sql.atomic(`
  update sessions
  set last_used_at = now(), expires_at = least(now() + ${LIFETIME}, created_at + ${LONGEST})
  where id = $1 and revoked_at is null and ${IS_TO_BE_NOTED}`)

export async function renewSession(db: Writer, id: string): Promise<void> {
  await db.write(RENEW, [id])
}

export const insertSession = sql(`
  insert into sessions (id, token_id, hash, user_agent, created_at, last_used_at, expires_at)
  values ($1, $2, $3, $4, now(), now(), now() + ${LIFETIME})`).run<[id: string, tokenId: string, hash: Buffer, userAgent: string | null]>()

export const insertCode = sql(`
  insert into sign_in_codes (hash, token_id, expires_at)
  values ($1, $2, now() + ${CODE_LIFETIME})`).run<[hash: Buffer, tokenId: string]>()

// The second of two concurrent requests waits for the row and then finds it used.
export const useCode = sql(`
  update sign_in_codes c
  set used_at = now()
  from tokens t
  where c.hash = $1
    and c.used_at is null
    and c.expires_at > now()
    and t.id = c.token_id
    and ${TOKEN_WORKS}
  returning c.token_id as "tokenId"`).value<string | undefined, [hash: Buffer]>()

export interface SessionRow extends Pick<Static<typeof Session>, 'id' | 'tokenId' | 'tokenName' | 'userAgent'> {
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}

/** The owner of the sessions: those of all tokens of a user, or those of a workspace key. */
export interface SessionOwner {
  userId: string | null
  tokenId: string
}

const ownedValues = (owner: SessionOwner, id: string): unknown[] => [owner.userId, owner.tokenId, id]
const OWNED = `case when $1::uuid is null then t.id = $2 else t.user_id = $1 end`
// A session ends with its token.
const COLUMNS = `s.id, s.token_id as "tokenId", t.name as "tokenName", s.user_agent as "userAgent", s.created_at as "createdAt",
  s.last_used_at as "lastUsedAt", least(s.expires_at, t.expires_at, t.revoked_at) as "expiresAt"`

export const listSessions = sql(`
  select ${COLUMNS}
  from sessions s
  join tokens t on t.id = s.token_id
  where ${OWNED} and ${SESSION_WORKS} and ${TOKEN_WORKS}
    and ($3::timestamptz is null or (s.created_at, s.id) < ($3, $4::uuid))
  order by s.created_at desc, s.id desc
  limit $5`).many<SessionRow, [owner: SessionOwner, page: Page]>((owner, page) => [
  owner.userId,
  owner.tokenId,
  page.after?.at,
  page.after?.id,
  page.limit + 1,
])

export const findSession = sql(`
  select ${COLUMNS}
  from sessions s
  join tokens t on t.id = s.token_id
  where ${OWNED} and s.id = $3 and ${SESSION_WORKS} and ${TOKEN_WORKS}`).first<SessionRow, Parameters<typeof ownedValues>>(ownedValues)

/** False: there is none to end. */
export const endSession = sql(`
  update sessions s
  set revoked_at = date_trunc('milliseconds', now())
  from tokens t
  where t.id = s.token_id and ${OWNED} and s.id = $3 and ${SESSION_WORKS} and ${TOKEN_WORKS}`).any(ownedValues)

const REVOKE_OF_TOKENS = sql(`
  update sessions
  set revoked_at = date_trunc('milliseconds', now())
  where token_id = any($1::uuid[]) and revoked_at is null`)
const DELETE_CODES_OF_TOKENS = sql(`
  delete from sign_in_codes
  where token_id = any($1::uuid[])`)

/** Ends the sessions of revoked tokens. */
export async function endSessionsOf(tx: Tx, tokenIds: string[]): Promise<void> {
  await tx.run(REVOKE_OF_TOKENS, [tokenIds])
  await tx.run(DELETE_CODES_OF_TOKENS, [tokenIds])
}

/** Those of these sessions that have not ended. The tokens are checked elsewhere. */
export const findWorkingSessions = sql(`
  select s.id
  from sessions s
  where s.id = any($1::uuid[]) and ${SESSION_WORKS}`).set<string, [ids: string[]]>()

export interface IdentityRow {
  tokenId: string
  kind: 'personal' | 'organization'
  tokenName: string
  scopes: string[]
  endsAt: Date | null
  user: { id: string; name: string; email: string } | null
  workspaces: { id: string; name: string; role: CallerRow['role']; lastEventSeq: number }[]
}

export const findIdentity = sql(`
  select t.id as "tokenId", t.kind, t.name as "tokenName", t.scopes, least(t.expires_at, t.revoked_at) as "endsAt",
    (
      select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email)
      from users u
      where u.id = t.user_id
    ) as user,
    coalesce((
      select jsonb_agg(
        jsonb_build_object('id', w.id, 'name', w.name, 'role', m.role, 'lastEventSeq', coalesce(e.seq, 0))
        order by w.created_at, w.id)
      from workspaces w
      left join memberships m on m.workspace_id = w.id and m.user_id = t.user_id
      left join event_streams e on e.workspace_id = w.id
      where w.id = t.workspace_id or w.id in (select workspace_id from memberships where user_id = t.user_id)), '[]') as workspaces
  from tokens t
  where t.id = $1`).one<IdentityRow, [tokenId: string]>()

export const forgetSessions = sql(`
  delete from sessions
  where id in (${oldest('sessions', 'least(expires_at, revoked_at)')})`).run<[before: Date, limit: number]>()

export const forgetSignInCodes = sql(`
  delete from sign_in_codes
  where hash in (${oldest('sign_in_codes', 'expires_at', { key: 'hash' })})`).run<[before: Date, limit: number]>()
