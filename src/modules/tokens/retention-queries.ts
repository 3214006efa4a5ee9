import { oldest } from '../../db/fragments.ts'
import { sql } from '../../db/sql.ts'

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

export const forgetSessions = sql(`
  delete from sessions
  where id in (${oldest('sessions', 'least(expires_at, revoked_at)')})`).run<[before: Date, limit: number]>()

export const forgetSignInCodes = sql(`
  delete from sign_in_codes
  where hash in (${oldest('sign_in_codes', 'expires_at', { key: 'hash' })})`).run<[before: Date, limit: number]>()
