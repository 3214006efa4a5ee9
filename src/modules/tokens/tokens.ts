import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { type Caller, isOperatorScope, mayGrant, scopesOutside, scopesWithin, tokenScopesOf } from '../../http/access.ts'
import { AppError, checkLimit, existing, invalid, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { TokenLimits } from '../../lib/token-limits.ts'
import { hashToken, isWellFormedToken, newToken } from '../../lib/tokens.ts'
import type { ActorRow, CallerRow, Owner, TokenRow } from './queries.ts'
import * as queries from './queries.ts'
import { endSessionsOf } from './session-queries.ts'

/** Code that serves a token for longer than one request listens to this, and checks the token again. */
export const TOKENS_CHANGED = 'tokens'

const CHALLENGE = { 'www-authenticate': 'Bearer' }

interface Authenticated {
  caller: Caller
  reachesWorkspace: boolean
}

const invalidToken = (): AppError =>
  new AppError('invalid_token', 'The token is unknown, expired or revoked.', null, { 'www-authenticate': 'Bearer error="invalid_token"' })

export async function authenticateToken(ctx: Context, authorization: string | undefined, workspaceId: string | null) {
  if (authorization === undefined) {
    throw new AppError('unauthenticated', 'Send a token: Authorization: Bearer <ACCESS_TOKEN>.', null, CHALLENGE)
  }
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!token || !isWellFormedToken(token)) throw invalidToken()
  // Never from a cache, so that a revoked token is refused by every process from the next request on.
  const row = await queries.findCaller(ctx.db, hashToken(token), workspaceId)
  if (!row) throw invalidToken()
  return authenticated(row, null, workspaceId)
}

export function authenticated(row: CallerRow, sessionId: string | null, requestedId: string | null): Authenticated {
  const { id, rateId, kind, userId, workspaceId, role, endsAt, limits, reachesWorkspace } = row
  const scopes = requestedId === null ? scopesOutside(row.scopes, role) : scopesWithin(row.scopes, role)
  return { caller: { tokenId: id, rateId, kind, userId, workspaceId, role, scopes, endsAt, limits, sessionId }, reachesWorkspace }
}

/**
 * The caller with the role of this moment. A change of who may do what locks the team first: a request that waited for the lock while its
 * caller lost a role must not give that role back.
 */
export async function callerNow(tx: Tx, { tokenId, sessionId }: Caller, workspaceId: string): Promise<Caller> {
  const row = await queries.findCallerById(tx, tokenId, workspaceId)
  if (!row) throw invalidToken()
  if (!row.reachesWorkspace) throw notFound('workspace')
  return authenticated(row, sessionId, workspaceId).caller
}

export interface NewToken extends Pick<TokenRow, 'kind' | 'userId' | 'workspaceId' | 'name' | 'scopes' | 'expiresAt'> {
  /** The token that created it; omitted if an operator created it, or no token did. */
  madeBy?: string | null
  limits?: TokenLimits | null
  followsRole?: boolean
}

/** The token itself is returned here and never again: only its hash is kept. */
export async function issueToken(tx: Tx, input: NewToken, now: Date): Promise<{ row: TokenRow; token: string }> {
  const token = newToken(input.kind)
  const row = await queries.insertToken(tx, {
    ...input,
    madeBy: input.madeBy ?? null,
    limits: input.limits ?? null,
    followsRole: input.followsRole ?? false,
    id: newId(),
    hash: hashToken(token),
    lastFour: token.slice(-4),
    createdAt: now,
  })
  return { row, token }
}

/**
 * A token must not switch off what can do more. It can always end itself and the tokens that it created. A personal token counts with what
 * the role of its person leaves of it, and without the scopes of the operator, which no other token of the person has.
 */
export function checkMayEnd(caller: Caller, { id, madeBy, userId, scopes }: Pick<TokenRow, 'id' | 'madeBy' | 'userId' | 'scopes'>): void {
  if ([id, madeBy].includes(caller.tokenId)) return
  if (caller.limits !== null)
    throw new AppError('forbidden', 'A token with limits can end or replace only itself, its session and the tokens that it created.')
  const held = userId === null ? scopes : [...scopesOutside(scopes, caller.role)]
  const missing = held.filter(scope => !isOperatorScope(scope) && !mayGrant(caller, scope))
  if (missing.length > 0) {
    const message = `A token cannot end or replace a token with scopes that it does not have: ${missing.join(', ')}.`
    throw new AppError('forbidden', message, { missingScopes: missing })
  }
}

export async function revokeToken(tx: Tx, caller: Caller, owner: Owner, id: string, now: Date): Promise<void> {
  checkMayEnd(caller, existing(await queries.lockToken(tx, owner, id, now), 'token'))
  await endToken(tx, id, 0)
  tx.wake(TOKENS_CHANGED)
}

async function endToken(tx: Tx, id: string, seconds: number): Promise<void> {
  if (seconds > 0) {
    await queries.revokeTokenIn(tx, id, seconds)
  } else {
    await queries.revokeTokenNow(tx, id)
    await endSessionsOf(tx, [id])
  }
}

export async function revokeTokensOf(tx: Tx, userId: string): Promise<void> {
  await endSessionsOf(tx, await queries.revokeAllTokens(tx, userId))
}

const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60

interface Rotation {
  owner: Owner
  id: string
  overlapSeconds?: number | undefined
  maxTokens: number
}

/** The old token works until the overlap ends, so that clients can change at different times. */
export async function rotateToken(tx: Tx, caller: Caller, rotation: Rotation, now: Date) {
  const { owner, id, overlapSeconds = DEFAULT_OVERLAP_SECONDS, maxTokens } = rotation
  const old = existing(await queries.lockToken(tx, owner, id, now), 'token')
  checkMayEnd(caller, old)
  checkGrant(caller, old.scopes)
  // The new token gets the same limits. A caller with narrower limits must not get around them in this way.
  if (caller.limits !== null) narrowedLimits(caller, { ...NO_LIMITS, ...old.limits })
  await endToken(tx, id, overlapSeconds)
  await checkMayAdd(tx, caller, owner, old.scopes, maxTokens, now)
  const lifetimeMs = old.expiresAt ? old.expiresAt.getTime() - old.createdAt.getTime() : null
  const renewed = lifetimeMs === null ? null : new Date(now.getTime() + lifetimeMs)
  return issueToken(tx, { ...old, madeBy: caller.tokenId, expiresAt: rotatedExpiry(caller, endOf(old), renewed) }, now)
}

/** A token that was replaced works until the overlap ends, unless it expires earlier. */
export function endOf({ expiresAt, revokedAt }: Pick<TokenRow, 'expiresAt' | 'revokedAt'>): Date | null {
  if (expiresAt === null || revokedAt === null) return expiresAt ?? revokedAt
  return revokedAt < expiresAt ? revokedAt : expiresAt
}

/** The same lifetime again, but the new token never outlives both the token of the caller and the token that it replaces. */
function rotatedExpiry(caller: Caller, old: Date | null, renewed: Date | null): Date | null {
  if (caller.endsAt === null || old === null) return renewed
  const latest = caller.endsAt > old ? caller.endsAt : old
  return renewed === null || renewed > latest ? latest : renewed
}

/** Refuses when there is no room for another token, or when the caller lost the role for these scopes while the request waited. */
export async function checkMayAdd(
  tx: Tx,
  caller: Caller,
  owner: Owner,
  scopes: readonly string[],
  limit: number,
  now: Date,
): Promise<void> {
  const what = 'workspaceId' in owner ? 'workspace keys' : 'personal tokens of this user'
  checkLimit(what, limit, await queries.countTokensLocked(tx, owner, now))
  if ('workspaceId' in owner) checkGrant(await callerNow(tx, caller, owner.workspaceId), ['tokens:write', ...scopes])
}

/** A token expires no later than the token that created it: otherwise a leaked token could live on in the tokens that it creates. */
export function expiryOf(caller: Caller, asked: Date | null | undefined, now: Date): Date | null {
  const { endsAt } = caller
  if (asked === undefined) {
    const usual = new Date(now.getTime() + DEFAULT_LIFETIME_MS)
    return endsAt !== null && endsAt < usual ? endsAt : usual
  }
  if (endsAt !== null && (asked === null || asked > endsAt)) {
    throw invalid('body', '/expiresAt', 'maker', `must not be after ${endsAt.toISOString()}, when the token of the request expires`)
  }
  return asked
}

export const DEFAULT_LIFETIME_MS = 90 * DAY_MS

const NUMBERS = ['leadsPerDay', 'creditsPerDay', 'mailsPerDay'] as const
const NO_LIMITS: TokenLimits = { leadsPerDay: Infinity, creditsPerDay: Infinity, mailsPerDay: Infinity, sandboxOnly: false }

/** The limits of a new token are those of the token that creates it, or narrower. Its requests count for both. */
export function narrowedLimits(caller: Caller, asked: TokenLimits | null | undefined): TokenLimits | null {
  const own = caller.limits
  if (own === null) return asked && Object.keys(asked).length > 0 ? asked : null
  const wider = NUMBERS.filter(name => own[name] !== undefined && asked?.[name] !== undefined && asked[name] > own[name])
  const names = [...wider, ...(own.sandboxOnly && asked?.sandboxOnly === false ? ['sandboxOnly'] : [])]
  if (names.length > 0) {
    throw new AppError('forbidden', `A token cannot give wider limits than its own: ${names.join(', ')}.`, { limits: own })
  }
  return { ...own, ...asked, ...(own.sandboxOnly ? { sandboxOnly: true } : {}) }
}

/** A token that follows the role of its person: after each change of the roles, it has the scopes of the widest one. */
export async function followRole(tx: Tx, userId: string): Promise<void> {
  tx.wake(TOKENS_CHANGED)
  const role = await queries.findWidestRole(tx, userId)
  if (role !== null) await queries.setRoleScopes(tx, userId, tokenScopesOf(role))
}

/** A caller can give only scopes that it has. */
export function checkGrant(caller: Caller, scopes: readonly string[]): void {
  const missing = scopes.filter(scope => !mayGrant(caller, scope))
  if (missing.length > 0) {
    throw new AppError('forbidden', `A token cannot grant scopes that it does not have: ${missing.join(', ')}.`, { missingScopes: missing })
  }
}

/** Without a token, the service itself acted, or the token was deleted with its user. */
export const presentActor = (row: ActorRow | null) =>
  row ? { type: row.type, id: row.id, name: row.name } : { type: 'system', id: null, name: 'Overture' }
