import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { type Authenticate, SESSION_COOKIE } from '../../http/access.ts'
import { writeCookie } from '../../lib/cookies.ts'
import { AppError } from '../../lib/errors.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import { hashToken, isSecret, newSecret } from '../../lib/tokens.ts'
import { findSessionCaller, insertCode, insertSession, renewSession, useCode } from './session-queries.ts'
import { authenticated, authenticateToken } from './tokens.ts'

export { findWorkingSessions } from './session-queries.ts'

export const authenticate: Authenticate = async (ctx, { authorization, sessions }, workspaceId) => {
  const asked = workspaceId && isUuid(workspaceId) ? workspaceId : null
  if (sessions.length === 0) return authenticateToken(ctx, authorization, asked)
  const [secret] = sessions
  // With two cookies it is unknown which one is right: an attacker may have set one of them.
  if (sessions.length > 1 || !isSecret(secret!)) throw sessionOver(ctx)
  // Never from a cache, as with tokens.
  const row = await findSessionCaller(ctx.db, hashToken(secret!), asked)
  if (!row) throw sessionOver(ctx)
  if (row.isToBeNoted) {
    await renewSession(ctx.db, row.sessionId).catch(error =>
      ctx.log.warn({ err: error }, 'cannot renew a session; its next use will try again'),
    )
  }
  return authenticated(row, row.sessionId, asked)
}

const INVALID = 'Bearer error="invalid_token"'

const sessionOver = (ctx: Context): AppError =>
  new AppError('invalid_token', 'The session has ended. Sign in again.', null, {
    'www-authenticate': INVALID,
    'set-cookie': clearedCookie(ctx),
  })

/** The maximum lifetime of a session. The service, not the browser, decides when it ends. */
const COOKIE_SECONDS = 30 * 24 * 60 * 60

const cookie = ({ config }: Pick<Context, 'config'>, value: string, seconds: number): string =>
  writeCookie(config.baseUrl, { name: SESSION_COOKIE, value, seconds, sameSite: 'Strict' })

export const setCookie = (ctx: Pick<Context, 'config'>, secret: string): string => cookie(ctx, secret, COOKIE_SECONDS)
export const clearedCookie = (ctx: Pick<Context, 'config'>): string => cookie(ctx, '', 0)

const MAX_USER_AGENT = 300

/** The secret is returned here and never again: only its hash is kept. */
export async function beginSession(tx: Tx, tokenId: string, userAgent: string | null): Promise<{ id: string; secret: string }> {
  const [id, secret] = [newId(), newSecret()]
  await insertSession(tx, { id, tokenId, hash: hashToken(secret), userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null })
  return { id, secret }
}

/** A code that signs in once, as this token. */
export async function issueCode(tx: Tx, tokenId: string): Promise<string> {
  const code = newSecret()
  await insertCode(tx, tokenId, hashToken(code))
  return code
}

/** Redeems a code: returns its token. The code works only once. */
export async function redeemCode(tx: Tx, code: string): Promise<string> {
  const tokenId = isSecret(code) ? await useCode(tx, hashToken(code)) : null
  if (tokenId === null) {
    throw new AppError('invalid_token', 'The code is unknown, expired or already used.', null, { 'www-authenticate': INVALID })
  }
  return tokenId
}
