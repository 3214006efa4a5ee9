import type { FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import type { Tx } from '../db/sql.ts'
import { readCookie } from '../lib/cookies.ts'
import { AppError } from '../lib/errors.ts'
import type { Role } from '../lib/roles.ts'
import type { TokenLimits } from '../lib/token-limits.ts'
import type { TokenKind } from '../lib/tokens.ts'

/** Everything that a token can be allowed to do. */
export const SCOPES = [
  'campaigns:read',
  'campaigns:write',
  'leads:read',
  'leads:write',
  'webhooks:read',
  'webhooks:write',
  'workspaces:read',
  'workspaces:write',
  'providers:read',
  'providers:write',
  'suppressions:read',
  'suppressions:write',
  'tokens:read',
  'tokens:write',
  'operations:read',
  'credits:read',
  'credits:write',
  'events:read',
  'leads:export',
  'people:write',
  'deals:write',
  'team:read',
  'team:write',
  'audit:read',
] as const

export type Scope = (typeof SCOPES)[number]

/**
 * The scopes of the operator of the installation: no role has them, `*` does not include it, and no token can grant it. The command line
 * issues tokens with it.
 */
export const OPERATOR_SCOPES: readonly Scope[] = ['credits:write']
export const isOperatorScope = (scope: string): boolean => (OPERATOR_SCOPES as readonly string[]).includes(scope)

/** All that `*` stands for. */
const WORKSPACE_SCOPES: readonly Scope[] = SCOPES.filter(scope => !isOperatorScope(scope))

const VIEWED: readonly Scope[] = [
  'campaigns:read',
  'leads:read',
  'webhooks:read',
  'workspaces:read',
  'providers:read',
  'suppressions:read',
  'operations:read',
  'credits:read',
  'events:read',
  'team:read',
]

/** A role is a set of scopes, and nothing else. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: WORKSPACE_SCOPES,
  admin: WORKSPACE_SCOPES,
  member: [
    ...VIEWED,
    'campaigns:write',
    'leads:write',
    'leads:export',
    'providers:write',
    'suppressions:write',
    'people:write',
    'deals:write',
  ],
  viewer: VIEWED,
}

/** Every person manages their own tokens, whatever their roles are. In a workspace the same scopes are about its API keys, and a role gives them or not. */
const OWN_TOKENS: readonly Scope[] = ['tokens:read', 'tokens:write']

/** The scopes of a token that has the rights of a role, and no others. */
export const tokenScopesOf = (role: Role): Scope[] => [...new Set([...ROLE_SCOPES[role], ...OWN_TOKENS])]

/** Whether a person may create workspaces is a permission of the person, and no role takes it away. */
const OUTSIDE: readonly Scope[] = [...OWN_TOKENS, 'workspaces:write']

/** The scopes of a token for requests that are about its person and no workspace. `role` is the widest role of the person. */
export const scopesOutside = (scopes: Iterable<string>, role: Role | null): Set<string> => {
  const held = new Set(scopes)
  return new Set([...scopesWithin(held, role), ...OUTSIDE.filter(scope => held.has('*') || held.has(scope))])
}

/** The scopes of a token in a workspace where its user has this role: those that both include. A workspace key has no user. */
export function scopesWithin(scopes: Iterable<string>, role: Role | null): Set<string> {
  const held = new Set(scopes)
  // The owner of a workspace may be its operator, too.
  if (role === null || role === 'owner') return held
  const allowed = new Set<string>(ROLE_SCOPES[role])
  return held.has('*') ? allowed : new Set([...held].filter(scope => allowed.has(scope)))
}

export interface Caller {
  tokenId: string
  /** The requests of a token and of the tokens that it creates are counted together. */
  rateId: string
  kind: TokenKind
  userId: string | null
  /** The only workspace of a workspace key; null for a personal token, which reaches all workspaces of its user. */
  workspaceId: string | null
  /** Of its user in the requested workspace; null for a workspace key. */
  role: Role | null
  scopes: ReadonlySet<string>
  /** When the token stops working; null when it never does. */
  endsAt: Date | null
  limits: TokenLimits | null
  /** The session that the request was made with; null when it brought the token itself. */
  sessionId: string | null
}

/** Whose share of a resource a request takes: anyone may make many tokens. The keys of a workspace share one. */
export const personOf = ({ userId, workspaceId }: Pick<Caller, 'userId' | 'workspaceId'>): string => `person ${userId ?? workspaceId}`

/** Whether the caller may see what a request with this scope returns: with the scope itself, or with the one that reads the same. */
export function seesResultOf(caller: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  const [noun] = scope.split(':')
  const reading = noun === 'people' || noun === 'deals' ? 'leads:read' : (`${noun}:read` as Scope)
  // Only those who may change a webhook endpoint see its complete address.
  return hasScope(caller, scope) || (scope !== 'webhooks:write' && hasScope(caller, reading))
}

/** The maximum effect of a request. The limits of a token are checked against it. */
export interface Cost {
  leads: number
  credits: number
  mails: number
  /** Whether it concerns a mailbox that is not a sandbox. */
  isReal: boolean
}

/** A request of a token with limits, whose operation was just stored. */
export interface CostRequest<P, B> {
  ctx: Context
  params: P
  body: B
  /** The state that the caller has read, where the request names it. */
  ifMatch: Date | null
  operationId: string
  /** The maximum number of leads that the request adds, as its handler counts them. */
  leadCount: number
}

/**
 * The cost of a request for a token with limits. `free`: it neither sends, spends nor adds leads. `never`: a token with limits cannot send it,
 * because it would get around the limits. Otherwise the cost, which is computed in the transaction that stores the operation. A missing
 * figure is zero.
 */
export type CostOf<P, B> = 'free' | 'never' | ((tx: Tx, request: CostRequest<P, B>) => Promise<Partial<Cost>>)

interface Credentials {
  authorization: string | undefined
  /** The secrets in the cookies of our name. A request with more than one is refused. */
  sessions: readonly string[]
  /** The second secret of a session, which the page keeps and sends itself. Null in a request without a session. */
  sessionKey: string | null
}

export const SESSION_COOKIE = 'overture_session'

/** Finds the caller of a token or a session, and whether the caller can use the workspace. Passed in, so that HTTP knows no slice. */
export type Authenticate = (
  ctx: Context,
  credentials: Credentials,
  workspaceId: string | undefined,
) => Promise<{ caller: Caller; reachesWorkspace: boolean }>

export const hasScope = (caller: Pick<Caller, 'scopes'>, scope: Scope): boolean =>
  caller.scopes.has(scope) || (caller.scopes.has('*') && !isOperatorScope(scope))

/** A caller can grant what it has, without the scopes of the operator. */
export function mayGrant(caller: Pick<Caller, 'scopes'>, scope: string): boolean {
  if (scope === '*') return WORKSPACE_SCOPES.every(each => hasScope(caller, each))
  return !isOperatorScope(scope) && hasScope(caller, scope as Scope)
}

/** A signed link opens a file without a token, so only callers who may fetch the file get the link. */
export const seesDownloads = (caller: Caller): boolean => hasScope(caller, 'leads:read') || hasScope(caller, 'leads:export')

/** The data of an operation or an event, with the link for callers who may see it, and null for all others. */
export function withDownload(data: unknown, caller: Caller): unknown {
  const hasLink = typeof data === 'object' && data !== null && 'downloadUrl' in data
  return hasLink && !seesDownloads(caller) ? { ...data, downloadUrl: null } : data
}

export function insufficientScope(scope: string): AppError {
  const challenge = { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }
  return new AppError('insufficient_scope', `The token lacks the scope ${scope}.`, { requiredScope: scope }, challenge)
}

/**
 * Our own header, with the key of the session. A page of another origin cannot send it without a CORS preflight, which we never allow, and
 * does not know the key.
 */
const CONSOLE_HEADER = 'x-overture-console'

/**
 * The credentials of a request. A token takes precedence over a cookie. A browser sends the cookie with requests that another site made,
 * too, and without TLS to every port of the host. The cookie alone is therefore worth nothing: the page adds the key of the session, and
 * the request must come from a page of our own.
 */
export function readCredentials(request: FastifyRequest, baseUrl: string): Credentials {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined) return { authorization, sessions: [], sessionKey: null }
  const sessions = readCookie(cookie, baseUrl, SESSION_COOKIE)
  if (sessions.length === 0) return { authorization, sessions, sessionKey: null }
  const sessionKey = request.headers[CONSOLE_HEADER]
  if (typeof sessionKey !== 'string' || sessionKey === '') {
    throw new AppError(
      'forbidden',
      `A request with a session needs its key in the header ${CONSOLE_HEADER}. Programs send a token instead.`,
    )
  }
  checkOwnPage(request, baseUrl)
  return { authorization, sessions, sessionKey }
}

function checkOwnPage(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // Browsers send no origin with reads from the same site, but this header.
  const isOwn = origin === undefined ? isRead && request.headers['sec-fetch-site'] === 'same-origin' : isOwnOrigin(request, origin, baseUrl)
  if (!isOwn) throw foreignOrigin()
}

const foreignOrigin = (): AppError =>
  new AppError('forbidden', 'A session is only accepted from pages of this installation, at the address in OVERTURE_BASE_URL.')

/** Signing in sets a cookie, so pages of other origins must not be able to do it. */
export function refuseForeignOrigin(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers
  if (origin !== undefined && !isOwnOrigin(request, origin, baseUrl)) throw foreignOrigin()
}

/**
 * Without TLS, as on a local machine, an installation has several names, such as 127.0.0.1 and localhost. Then the host of the request is
 * accepted, too: a browser sends our cookie only to the host that set it.
 */
function isOwnOrigin(request: FastifyRequest, origin: string, baseUrl: string): boolean {
  if (URL.canParse(baseUrl) && origin === new URL(baseUrl).origin) return true
  return !baseUrl.startsWith('https:') && origin === `http://${request.headers.host?.toLowerCase()}`
}
