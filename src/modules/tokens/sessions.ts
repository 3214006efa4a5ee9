import { timingSafeEqual } from 'node:crypto'
import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { type Authenticate, SESSION_COOKIE } from '../../http/access.ts'
import { writeCookie } from '../../lib/cookies.ts'
import { AppError } from '../../lib/errors.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { hashToken, isSecret, newSecret } from '../../lib/tokens.ts'
import { findSessionCaller, insertCode, insertSession, renewSession, useCode } from './session-queries.ts'
import { authenticated, authenticateToken } from './tokens.ts'

export const authenticate: Authenticate = async (ctx, { authorization, sessions, sessionKey }, workspaceId) => {
  const asked = workspaceId && isUuid(workspaceId) ? workspaceId : null
  if (sessions.length === 0) return authenticateToken(ctx, authorization, asked)
  const [secret] = sessions
  // With two cookies it is unknown which one is right: an attacker may have set one of them.
  if (sessions.length > 1 || !isSecret(secret!)) throw sessionOver(ctx)
  // The cookie stays: another tab may have signed in at this moment, and this one does not know its key yet.
  if (!isKeyOf(ctx.secrets, secret!, sessionKey)) throw wrongKey()
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

const wrongKey = (): AppError =>
  new AppError('invalid_token', 'The key of the session is missing or wrong. Sign in again.', null, { 'www-authenticate': INVALID })

/**
 * The key of a session: its second secret, which no cookie carries. A browser sends cookies to every port of a host, so another service on
 * the same machine can learn the first one. The key follows from the first secret and our master key, so nothing more is stored.
 */
const keyOf = (secrets: SecretBox, secret: string): string => secrets.sign('session', secret).toString('base64url')

function isKeyOf(secrets: SecretBox, secret: string, given: string | null): boolean {
  const [expected, sent] = [Buffer.from(keyOf(secrets, secret)), Buffer.from(given ?? '')]
  return expected.length === sent.length && timingSafeEqual(expected, sent)
}

/** The maximum lifetime of a session. The service, not the browser, decides when it ends. */
const COOKIE_SECONDS = 30 * 24 * 60 * 60

const cookie = ({ config }: Pick<Context, 'config'>, value: string, seconds: number): string =>
  writeCookie(config.baseUrl, { name: SESSION_COOKIE, value, seconds, sameSite: 'Strict' })

export const setCookie = (ctx: Pick<Context, 'config'>, secret: string): string => cookie(ctx, secret, COOKIE_SECONDS)
export const clearedCookie = (ctx: Pick<Context, 'config'>): string => cookie(ctx, '', 0)

const MAX_USER_AGENT = 300

/** The secret and the key are returned here and never again: only a hash of the secret is kept. */
export async function beginSession(tx: Tx, secrets: SecretBox, tokenId: string, userAgent: string | null) {
  const [id, secret] = [newId(), newSecret()]
  await insertSession(tx, id, tokenId, hashToken(secret), userAgent?.slice(0, MAX_USER_AGENT) ?? null)
  return { id, secret, key: keyOf(secrets, secret) }
}

/** A code that signs in once, as this token. */
export async function issueCode(tx: Tx, tokenId: string): Promise<string> {
  const code = newSecret()
  await insertCode(tx, hashToken(code), tokenId)
  return code
}

/** Redeems a code: returns its token. The code works only once. */
export async function redeemCode(tx: Tx, code: string): Promise<string> {
  const tokenId = isSecret(code) ? await useCode(tx, hashToken(code)) : undefined
  if (tokenId === undefined) {
    throw new AppError('invalid_token', 'The sign-in link is unknown, expired or already used. Ask for a new one.', null, {
      'www-authenticate': INVALID,
    })
  }
  return tokenId
}
