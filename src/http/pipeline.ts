import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import { isConflict, isDatabaseDown, PoolSaturated } from '../db/client.ts'
import { AppError, notFound } from '../lib/errors.ts'
import { findHostileValue } from '../lib/hostile-json.ts'
import { isUuid } from '../lib/ids.ts'
import { parseDateTime } from '../lib/rfc3339.ts'
import { authenticate, type Caller, hasScope } from '../modules/tokens/tokens.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { ApiReply, ApiRequest, Method, Route } from './route.ts'
import { strict } from './schema.ts'
import { type Check, compileCheck, readQuery } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
  interface FastifyContextConfig {
    ignoresBody?: boolean
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
const NO_QUERY = strict({})
const NO_BODY = strict({})

/**
 * Every request goes the same way and the first failure wins: route, method, token, rate limit, path, workspace,
 * scope (before the body is read), then size, media type, JSON, query, headers, body, and only then the handler.
 */
export function mountRoutes(app: FastifyInstance, ctx: Context, routes: readonly Route[], limiter: RateLimiter): void {
  for (const route of routes) {
    if (!route.scope) throw new Error(`${route.method} ${route.path} declares no scope; every route must`)
    mountRoute(app, ctx, route, limiter)
  }
  refuseOtherMethods(app, routes)
}

function mountRoute(app: FastifyInstance, ctx: Context, route: Route, limiter: RateLimiter): void {
  const checkQuery = compileCheck(route.query ?? NO_QUERY, 'query')
  const checkBody = route.method === 'GET' ? null : compileCheck(route.body ?? NO_BODY, 'body')
  app.route({
    method: route.method,
    url: route.path,
    ...(route.bodyLimitBytes ? { bodyLimit: route.bodyLimitBytes } : {}),
    config: { ignoresBody: route.ignoresBody ?? false },
    onRequest: request => admit(ctx, route, limiter, request),
    handler: async (request, reply) => {
      const answer = await route.handle(readRequest(ctx, route, request, checkQuery, checkBody) as ApiRequest<never, never, never>)
      return respond(reply, answer)
    },
  })
}

/** Who is asking, and may they? Nothing of the body has been read yet. */
async function admit(ctx: Context, route: Route, limiter: RateLimiter, request: FastifyRequest): Promise<void> {
  const params = request.params as Record<string, string>
  const workspaceId = params.workspaceId
  if (route.scope !== 'public' && !carriesSignature(ctx, route, request)) {
    const { caller, reachesWorkspace } = await authenticate(ctx, request.headers.authorization, workspaceId)
    request.caller = caller
    limiter.take(caller.tokenId)
    checkPath(params)
    if (workspaceId !== undefined && !reachesWorkspace) throw notFound('workspace')
    if (route.scope !== 'token' && !route.judgesScope && ![route.scope, ...(route.orScopes ?? [])].some(scope => hasScope(caller, scope))) {
      throw insufficientScope(route.scope)
    }
  } else {
    checkPath(params)
  }
}

function carriesSignature(ctx: Context, route: Route, request: FastifyRequest): boolean {
  return route.signedLink?.(ctx, request.params as Record<string, string>, request.query as Record<string, unknown>) ?? false
}

export function insufficientScope(scope: string): AppError {
  return new AppError(
    'insufficient_scope',
    `The token lacks the scope ${scope}.`,
    { requiredScope: scope },
    {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
    },
  )
}

function checkPath(params: Record<string, string>): void {
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('Id') && !isUuid(value)) {
      throw new AppError('invalid_request', `${name} in the path must be a uuid.`, {
        issues: [{ in: 'path', path: `/${name}`, rule: 'format', message: 'must be a uuid' }],
      })
    }
  }
}

function readRequest(ctx: Context, route: Route, request: FastifyRequest, checkQuery: Check, checkBody: Check | null): ApiRequest {
  const query = readQuery(route.query ?? NO_QUERY, request.query as Record<string, unknown>)
  checkQuery(query)
  const idempotencyKey = route.write ? readIdempotencyKey(request) : null
  const ifMatch = route.ifMatch ? readIfMatch(request) : null
  const body = route.ignoresBody ? {} : (request.body ?? {})
  if (checkBody) {
    const hostile = findHostileValue(body)
    if (hostile) {
      throw new AppError('validation_failed', `${hostile.path.replace(/^\//, '') || 'The body'} ${hostile.message}.`, {
        issues: [{ in: 'body', path: hostile.path, rule: 'text', message: hostile.message }],
      })
    }
    checkBody(body)
  }
  return {
    ctx,
    requestId: request.id,
    method: request.method as Method,
    path: request.url.split('?', 1)[0]!,
    url: request.url,
    params: lowerCaseIds(request.params as Record<string, string>),
    query,
    body,
    caller: request.caller,
    idempotencyKey,
    ifMatch,
    waitSeconds: route.write === 'accepted' ? readWait(request) : null,
    userAgent: request.headers['user-agent'] ?? null,
  }
}

function lowerCaseIds(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, name.endsWith('Id') ? value.toLowerCase() : value]))
}

function readIdempotencyKey(request: FastifyRequest): string | null {
  const value = request.headers['idempotency-key']
  if (value === undefined) return null
  const sent = request.raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'idempotency-key').length
  if (sent > 1) throw new AppError('invalid_idempotency_key', 'idempotency-key was sent more than once.')
  if (typeof value !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(value)) {
    throw new AppError('invalid_idempotency_key', 'idempotency-key must be 1 to 255 printable ASCII characters.')
  }
  return value
}

function readIfMatch(request: FastifyRequest): Date {
  const value = request.headers['if-match']
  if (value === undefined) {
    throw new AppError('precondition_required', 'if-match is required: send the updatedAt of your latest read of the campaign.')
  }
  const date = parseDateTime(value.replace(/^"(.*)"$/, '$1'))
  if (!date) throw new AppError('invalid_if_match', 'if-match must be a date-time: the updatedAt of your latest read.')
  return date
}

const MAX_WAIT_SECONDS = 30

/** A preference is no demand (RFC 7240): one that makes no sense is passed over, one that is too long is cut. */
function readWait(request: FastifyRequest): number | null {
  const match = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/.exec(String(request.headers.prefer ?? ''))
  const seconds = match ? Number(match[1]) : 0
  return seconds > 0 ? Math.min(seconds, MAX_WAIT_SECONDS) : null
}

function respond(reply: FastifyReply, answer: ApiReply): FastifyReply {
  reply.code(answer.status)
  if (answer.headers) reply.headers(answer.headers)
  if (answer.body === undefined) return reply.send()
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(reply.getHeader('content-type') === 'application/json; charset=utf-8' ? JSON.stringify(answer.body) : answer.body)
}

/** A path that exists answers 405 and names what it takes, before anybody is asked for a token. */
function refuseOtherMethods(app: FastifyInstance, routes: readonly Route[]): void {
  const methodsOf = new Map<string, Set<string>>()
  for (const route of routes) {
    const methods = methodsOf.get(route.path) ?? new Set<string>()
    methods.add(route.method)
    if (route.method === 'GET') methods.add('HEAD')
    methodsOf.set(route.path, methods)
  }
  for (const [path, methods] of methodsOf) {
    const allow = [...methods].sort().join(', ')
    app.route({
      method: METHODS.filter(method => !methods.has(method)),
      url: path,
      onRequest: async () => {
        throw new AppError('method_not_allowed', `This path takes ${allow}.`, null, { allow })
      },
      handler: async () => undefined,
    })
  }
}

/** Turns whatever was thrown into the one envelope. Only what an AppError says leaves; the rest stays in the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isDatabaseDown(error)) {
    const why = error instanceof PoolSaturated ? 'All connections to the database are in use.' : 'The database cannot be reached.'
    return new AppError('service_unavailable', `${why} Nothing was changed; try again.`, null, {
      'retry-after': '1',
    })
  }
  if (isConflict(error)) {
    return new AppError('service_unavailable', 'Others were changing the same things. Nothing was changed; try again.', null, {
      'retry-after': '1',
    })
  }
  switch ((error as { code?: string }).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('payload_too_large', 'The body is larger than this endpoint takes.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_request', 'content-length does not match the body.')
    case 'FST_ERR_BAD_URL':
      return new AppError('invalid_request', 'The URL cannot be decoded.')
    // What PostgreSQL refuses to store although it passed our checks is still the caller's text, not our fault.
    case '22021':
    case '22P05':
      return new AppError('validation_failed', 'The body contains text that cannot be stored.')
    default:
      return new AppError('internal_error', 'Something went wrong on our side. The request id helps to find it in the log.')
  }
}
