import { newestFirst } from '../../db/filtered.ts'
import { lookup } from '../../db/lookup.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { Role } from '../../lib/roles.ts'
import type { TokenLimits } from '../../lib/token-limits.ts'
import type { TokenKind } from '../../lib/tokens.ts'

export interface CallerRow {
  id: string
  rateId: string
  kind: TokenKind
  userId: string | null
  workspaceId: string | null
  scopes: string[]
  endsAt: Date | null
  limits: TokenLimits | null
  reachesWorkspace: boolean
  /** The role of its person in the requested workspace, or their widest role for a request that is about none. Null for a workspace key. */
  role: Role | null
}

const WIDEST_ROLE = (userId: string): string => `(
      select role
      from memberships
      where user_id = ${userId}
      order by array_position('{owner,admin,member,viewer}', role)
      limit 1
    )`

/** The rights of a request come from its token `t`, and from the role `m` of its person in the requested workspace `$2`. */
export const CALLER = `t.id, t.kind, t.user_id as "userId", t.workspace_id as "workspaceId", t.scopes,
    least(t.expires_at, t.revoked_at) as "endsAt", t.limits,
    t.rate_id as "rateId",
    coalesce(t.workspace_id = $2, false) or m.role is not null as "reachesWorkspace",
    case
      when t.user_id is null then null
      when $2::uuid is not null then m.role
      else coalesce(${WIDEST_ROLE('t.user_id')}, 'viewer')
    end as role`

export const WITH_ROLE = 'left join memberships m on m.user_id = t.user_id and m.workspace_id = $2'

/** By the clock of the database, so that every process agrees. */
export const TOKEN_WORKS = '(t.expires_at is null or t.expires_at > now()) and (t.revoked_at is null or t.revoked_at > now())'

const FIND_CALLER = lookup(
  ['bytea', 'uuid'],
  `select ${CALLER}
  from tokens t
  ${WITH_ROLE}
  where t.hash = $1 and ${TOKEN_WORKS}`,
)

export const findCaller = (db: Db, hash: Buffer, workspaceId: string | null): Promise<CallerRow | undefined> =>
  db.find<CallerRow>(FIND_CALLER, [hash, workspaceId])

/** The current permissions of a token, for work that it started earlier. */
export const findCallerById = sql(`
  select ${CALLER}
  from tokens t
  ${WITH_ROLE}
  where t.id = $1 and ${TOKEN_WORKS}`).first<CallerRow, [tokenId: string, workspaceId: string]>()

export interface TokenRow extends Pick<CallerRow, 'id' | 'kind' | 'userId' | 'workspaceId' | 'scopes' | 'limits'> {
  name: string
  lastFour: string
  expiresAt: Date | null
  revokedAt: Date | null
  createdAt: Date
  /** Its scopes are those of the widest role of its person, and change with it. */
  followsRole: boolean
  /** The token that created it. */
  madeBy: string | null
  spentToday: { leads: number; credits: number; mails: number } | null
}

// Without requests today, there is no row.
const SPENT_TODAY = `case
    when limits is not null then coalesce(
      (
        select jsonb_build_object('leads', s.leads, 'credits', s.credits, 'mails', s.mails)
        from token_spending s
        where s.token_id = tokens.id and s.day = (now() at time zone 'utc')::date
      ),
      '{"leads": 0, "credits": 0, "mails": 0}'
    )
  end`

const COLUMNS = `id, kind, user_id as "userId", workspace_id as "workspaceId", name, scopes, last_four as "lastFour",
  expires_at as "expiresAt", revoked_at as "revokedAt", created_at as "createdAt", limits, follows_role as "followsRole", made_by as "madeBy",
  ${SPENT_TODAY} as "spentToday"`

export const insertToken = sql(`
  insert into tokens (id, kind, user_id, workspace_id, name, hash, last_four, scopes, expires_at, created_at, made_by, limits, follows_role,
    rate_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
    coalesce((select rate_id from tokens where id = $11 and (user_id = $3 or workspace_id = $4)), $1))
  returning ${COLUMNS}`).one<TokenRow, [token: Omit<TokenRow, 'revokedAt' | 'spentToday'> & { hash: Buffer }]>(token => [
  ...valuesOf(token, 'id', 'kind', 'userId', 'workspaceId', 'name', 'hash', 'lastFour', 'scopes', 'expiresAt', 'createdAt'),
  ...valuesOf(token, 'madeBy', 'limits', 'followsRole'),
])

/** The owner of the tokens: the workspace keys of a workspace, or the personal tokens of a user. */
export type Owner = { workspaceId: string } | { userId: string }

const OWNED = `($1::uuid is null or workspace_id = $1) and ($2::uuid is null or user_id = $2) and ($1 is not null or $2 is not null)`
const ownerValues = (owner: Owner): [string | null, string | null] =>
  'workspaceId' in owner ? [owner.workspaceId, null] : [null, owner.userId]

// A replaced token that still works for a while does not count, so that a token can also be rotated at the limit.
const COUNT = sql(`
  select count(*)::int as count
  from tokens
  where ${OWNED}
    and revoked_at is null
    and (expires_at is null or expires_at > $3)`)

const LOCK_WORKSPACE = sql(`
  select from workspaces
  where id = $1
  for no key update`)

const LOCK_USER = sql(`
  select from users
  where id = $1
  for no key update`)

/** Locks the owner, so that the limit holds for requests that come at the same time. */
export async function countTokensLocked(tx: Tx, owner: Owner, now: Date): Promise<number> {
  if ('workspaceId' in owner) await tx.run(LOCK_WORKSPACE, [owner.workspaceId])
  else await tx.run(LOCK_USER, [owner.userId])
  return (await tx.first<{ count: number }>(COUNT, [...ownerValues(owner), now]))!.count
}

const FIND_OWNED = `
  select ${COLUMNS}
  from tokens
  where ${OWNED} and id = $3 and (revoked_at is null or revoked_at > $4)`
const ownedValues = (owner: Owner, id: string, now: Date): unknown[] => [...ownerValues(owner), id, now]
export const findOwnedToken = sql(FIND_OWNED).first<TokenRow, Parameters<typeof ownedValues>>(ownedValues)
export const lockToken = sql(`${FIND_OWNED} for update`).first<TokenRow, Parameters<typeof ownedValues>>(ownedValues)

// By the clock of the database, which also decides about requests. Truncated, because rounding to
// milliseconds could end a token a moment after it was revoked.
const NOW = `date_trunc('milliseconds', now())`
export const revokeTokenIn = sql(`
  update tokens
  set revoked_at = least(revoked_at, ${NOW} + $2 * interval '1 second')
  where id = $1`).run<[id: string, seconds: number]>()

// Permanent: when the clock is set back, revoked_at is in the future again, so the hash is changed, too. No token has the hash of a hash.
const REVOKE = `update tokens
  set revoked_at = least(revoked_at, ${NOW}), hash = sha256(hash)`
export const revokeTokenNow = sql(`
  ${REVOKE}
  where id = $1`).run<[id: string]>()

// All tokens of a person who is in no workspace any more. A token that ends earlier keeps its end.
export const revokeAllTokens = sql(`
  ${REVOKE}
  where user_id = $1
  returning id`).column<string, [userId: string]>()

export const findWidestRole = sql(`
  select ${WIDEST_ROLE('$1')} as role`).value<Role | null, [userId: string]>()

/** Of the tokens that have the rights of a role. */
export const setRoleScopes = sql(`
  update tokens
  set scopes = $2
  where user_id = $1 and follows_role`).run<[userId: string, scopes: readonly string[]]>()

export const listWorkingTokensOf = sql(`
  select ${COLUMNS}
  from tokens
  where user_id = $1
    and (expires_at is null or expires_at > now())
    and (revoked_at is null or revoked_at > now())
  order by created_at desc, id desc`).many<TokenRow, [userId: string]>()

const listOwned = newestFirst<TokenRow, [workspaceId: string | null, userId: string | null, now: Date]>(`
  select ${COLUMNS}
  from tokens
  where ${OWNED}
    and (revoked_at is null or revoked_at > $3)`)

export const listTokens = (db: Db, owner: Owner, page: Page, now: Date): Promise<TokenRow[]> =>
  listOwned(db, ...ownerValues(owner), now, page)

/** Those of these tokens that still work and reach the workspace, with the role of their person there. */
export const findWorkingTokens = sql(`
  select t.id, m.role
  from tokens t
  ${WITH_ROLE}
  where t.id = any($1::uuid[])
    and ${TOKEN_WORKS}
    and (t.workspace_id = $2 or m.user_id is not null)`).map<string, Role | null, [ids: string[], workspaceId: string]>()

export const findToken = sql(`
  select ${COLUMNS}
  from tokens
  where id = $1`).first<TokenRow, [id: string]>()

/**
 * `makers (id, made_by, limits)` for `with recursive`: the token in `$1` and those that it was made by, up to the first. Who may approve what
 * a token proposes, and whose budget it spends, is decided by all of them.
 */
const MAKERS = `makers as (
    select id, made_by, limits
    from tokens
    where id = $1
    union
    select t.id, t.made_by, t.limits
    from tokens t
    join makers m on t.id = m.made_by
  )`

/** Whether a token is this one, or was created by it, directly or through others. */
export const descendsFrom = sql(`
  with recursive ${MAKERS}
  select exists (select from makers where id = $2) as descends`).value<boolean, [tokenId: string, from: string]>()

export interface Spending {
  leads: number
  credits: number
  mails: number
}

export interface LimitedToken extends Spending {
  id: string
  limits: TokenLimits
}

// The token and the tokens that created it, as far as they have limits. Adding zero locks the row: a second transaction waits here and then
// sees what the first has stored. The order of the rows prevents deadlocks.
export const lockSpending = sql(`
  with recursive ${MAKERS}, locked as (
    insert into token_spending as s (token_id, day)
    select id, (now() at time zone 'utc')::date
    from makers
    where limits is not null
    order by id
    on conflict (token_id, day) do update
    set leads = s.leads
    returning token_id, leads, credits, mails
  )
  select l.token_id as id, m.limits, l.leads, l.credits, l.mails
  from locked l
  join makers m on m.id = l.token_id`).many<LimitedToken, [tokenId: string]>()

export const addSpending = sql(`
  update token_spending
  set leads = leads + $2, credits = credits + $3, mails = mails + $4
  where token_id = any($1::uuid[])
    and day = (now() at time zone 'utc')::date`).run((tokenIds: string[], { leads, credits, mails }: Spending) => [
  tokenIds,
  leads,
  credits,
  mails,
])

export const clearOldSpending = sql(`
  delete from token_spending
  where day < (now() at time zone 'utc')::date - 30`).run()

// The token that created another token is kept as long as that token: the origin of a token decides whether it may approve a
// plan. A token with sessions, plans and the like is kept, too; those are deleted before it by their own age.
/** Tokens that ended before then. */
export const forgetTokens = sql(`
  delete from tokens
  where id in (
    select t.id
    from tokens t
    where least(t.expires_at, t.revoked_at) < $1
      and not exists (select from tokens made where made.made_by = t.id)
      and not exists (select from plans p where p.token_id = t.id)
    order by least(t.expires_at, t.revoked_at)
    limit $2
    for update skip locked
  )`).run<[before: Date, limit: number]>()

/** The actor: the person of a personal token, or a workspace key. */
export interface ActorRow {
  type: 'user' | 'token'
  id: string
  name: string
}

/** Of the token with this id. */
export const actorOf = (tokenId: string): string => `(
    select case
      when u.id is null then jsonb_build_object('type', 'token', 'id', t.id, 'name', t.name)
      else jsonb_build_object('type', 'user', 'id', u.id, 'name', u.name)
    end
    from tokens t
    left join users u on u.id = t.user_id
    where t.id = ${tokenId}
  )`
