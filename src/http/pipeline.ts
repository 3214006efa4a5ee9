import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import type { Pulse } from '../db/pulse.ts'
import { AppError, invalid, notFound } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { findHostileValue, type JsonBounds } from '../lib/json-bounds.ts'
import { Turns } from '../lib/turns.ts'
import { type Authenticate, type Caller, hasScope, insufficientScope, personOf, readCredentials, refuseForeignOrigin } from './access.ts'
import {
  announcedBytes,
  type BodyReader,
  BULK_FROM_BYTES,
  BulkBody,
  type BulkSpec,
  collect,
  parseBody,
  readPieces,
  StreamedBody,
} from './body.ts'
import { BODY_LIMIT_BYTES, type BodyBudget, boundsOf, dropBody, holdBody, readApart } from './body-limits.ts'
import { approvedKey } from './dispatch.ts'
import { nothingHere, wrongType } from './failures.ts'
import { hostOf, readIdempotencyKey, readIfMatch, readLastEventId, readWait } from './headers.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { ApiReply, ApiRequest, Bulk, Method, Route } from './route.ts'
import { strict } from './schema.ts'
import { type Check, compileCheck, readQuery } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** The body had not arrived completely when the caller was checked. */
    awaitsBody?: boolean
  }
  interface FastifyContextConfig {
    ignoresBody?: boolean
    streams?: string
    bounds?: JsonBounds
    /** For endpoints with bodies that may be large enough for the thread. */
    large?: BulkSpec
  }
}

/** The checks that every request passes before its handler runs. */
export interface RequestGuards {
  authenticate: Authenticate
  limiter: RateLimiter
  /** Failed sign-ins by address: a map of its own, so that many addresses cannot push out the windows of tokens. */
  signIns: RateLimiter
  budget: BodyBudget
  pulse: Pulse
}

/** A viewer must not keep the connections of all others, nor the simulations of their own workspace. */
const heavyTurns = (): Turns => new Turns(Number.POSITIVE_INFINITY, { perOwner: 2 })

const NO_QUERY = strict({})
const NO_BODY = strict({})

/**
 * Every request passes the same checks in the same order, and the first failure is returned: route, method, token, rate limit, path,
 * workspace, scope (before the body is read), then size, media type, JSON, query, headers, body, and only then the handler.
 */
export function mountRoutes(app: FastifyInstance, ctx: Context, routes: readonly Route[], guards: RequestGuards): void {
  for (const route of routes) {
    if (!route.scope) throw new Error(`${route.method} ${route.path} declares no scope; every route must`)
    if (route.write && !route.action) throw new Error(`${route.method} ${route.path} declares no action; every write must`)
    if (route.action && !route.cost) throw new Error(`${route.method} ${route.path} declares no cost; every route with an action must`)
    mountRoute(app, ctx, route, guards)
  }
}

function mountRoute(app: FastifyInstance, ctx: Context, route: Route, guards: RequestGuards): void {
  const checkQuery = compileCheck(route.query ?? NO_QUERY, 'query')
  const checkBody = route.method === 'GET' ? null : compileCheck(route.body ?? NO_BODY, 'body')
  app.route({
    method: route.method,
    url: route.path,
    ...(route.bodyLimitBytes ? { bodyLimit: route.bodyLimitBytes } : {}),
    config: { ignoresBody: route.ignoresBody ?? false, ...(route.streams ? { streams: route.streams } : bodyConfigOf(route)) },
    onRequest: async (request, reply) => {
      await guards.pulse.guard(() => admit(ctx, route, guards, request))
      request.awaitsBody = request.raw.complete === false && announcedBytes(request.headers) > 0
      if (route.method !== 'GET') holdBody(guards.budget, route, request, reply)
    },
    handler: async (request, reply) => {
      request.holdsBody = request.body instanceof BulkBody
      // A body can arrive minutes after its headers, and the caller may have lost the right since.
      const admitAgain = (): Promise<void> => guards.pulse.guard(() => admit(ctx, route, guards, request, true))
      try {
        if (request.body instanceof StreamedBody) request.body = request.body.endingWith(admitAgain)
        else if (request.awaitsBody) await admitAgain()
        const read = readRequest(ctx, route, request, checkQuery, checkBody) as ApiRequest<never, never, never>
        route.checkBody?.(read.body, read.bulk)
        for (const scope of route.alsoNeeds?.(read.body) ?? []) if (!hasScope(read.caller, scope)) throw insufficientScope(scope)
        const handle = async (): Promise<ApiReply> => route.handle(read)
        const work = route.isHeavy ? () => ctx.part(heavyTurns).run(personOf(read.caller), handle) : handle
        return respond(reply, await guards.pulse.guard(work))
      } finally {
        if (request.body instanceof BulkBody) dropBody(request, request.body)
      }
    },
    ...(route.signsIn ? { onResponse: async (request, reply) => countFailure(guards.signIns, request, reply) } : {}),
  })
}

function bodyConfigOf(route: Route): { bounds?: JsonBounds; large?: BulkSpec } {
  if (route.method === 'GET') return {}
  const schema = route.body ?? NO_BODY
  const bounds = boundsOf(schema)
  if (!route.bodyLimitBytes) return { bounds }
  return { bounds, large: { name: route.id, schema: JSON.parse(JSON.stringify(schema)), bounds, bulk: route.bulk ?? null } }
}

/** JSON only, in UTF-8. The parser of Fastify would accept more than the contract. */
export function readJsonStrictly(app: FastifyInstance, reader: BodyReader): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/json\s*(?:;|$)/i, async (request: FastifyRequest, payload: IncomingMessage) => {
    const { config, bodyLimit } = request.routeOptions
    if (config.streams) throw wrongType(config.streams)
    refuseCharset(request, JSON_CHARSETS, 'application/json in UTF-8')
    if (!config.bounds) return {}
    refuseEncoding(request)
    const limit = bodyLimit ?? BODY_LIMIT_BYTES
    const isSmall = Number(payload.headers['content-length']) < BULK_FROM_BYTES
    if (config.large && !isSmall) return readApart(reader, config.large, request, readPieces(payload, limit))
    return parseBody(await collect(payload, limit), config.bounds)
  })
  app.addContentTypeParser(FILE_TYPES, async (request: FastifyRequest, payload: IncomingMessage) => {
    const { config, bodyLimit } = request.routeOptions
    const limit = bodyLimit ?? BODY_LIMIT_BYTES
    if (config.streams) {
      refuseEncoding(request)
      refuseCharset(request, FILE_CHARSETS, `${config.streams} in UTF-8`)
      return new StreamedBody(readPieces(payload, limit))
    }
    if (config.ignoresBody || (await collect(payload, limit)).length === 0) return {}
    throw wrongType(config.streams)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0 || request.routeOptions.config.ignoresBody) done(null, {})
    else done(wrongType(request.routeOptions.config.streams))
  })
}

/** The media types that programs use for CSV. */
const FILE_TYPES = /^text\/(?:csv|tab-separated-values)(?:\s*;|$)/i

/** JSON has one encoding (RFC 8259). */
const JSON_CHARSETS = /^utf-?8$/i
/** The encodings that the reader of files detects. */
const FILE_CHARSETS = /^(?:utf-?8|utf-?16(?:le|be)?|windows-1252|iso-8859-1|us-ascii)$/i

/** Text in another encoding would be read and stored wrong. */
function refuseCharset({ headers }: FastifyRequest, known: RegExp, wanted: string): void {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !known.test(charset)) throw wrongType(wanted)
}

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Compressed bodies are refused, because a few bytes could become any number. */
function refuseEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || /^identity$/i.test(encoding)) return
  throw new AppError('unsupported_media_type', 'Send the body without content-encoding: compressed bodies are not accepted.')
}

/** Authentication and authorization: before the body is read, and again after a body that came later. The rate limit counts the first. */
async function admit(ctx: Context, route: Route, guards: RequestGuards, request: FastifyRequest, isAgain = false): Promise<void> {
  const params = request.params as Record<string, string>
  // A slash at the end of a list's path: the router takes it for an empty id.
  if (Object.values(params).includes('')) throw nothingHere()
  const workspaceId = params.workspaceId
  if (route.signsIn) {
    guards.signIns.check(request.ip)
    refuseForeignOrigin(request, ctx.config.baseUrl)
    const { authorization } = request.headers
    if (authorization === undefined) return
    const { caller } = await guards.authenticate(ctx, { authorization, sessions: [], sessionKey: null }, undefined)
    request.caller = caller
    if (!isAgain) guards.limiter.take(caller.rateId)
  } else if (route.scope !== 'public' && !carriesSignature(ctx, route, request)) {
    const { caller, reachesWorkspace } = await guards.authenticate(ctx, readCredentials(request, ctx.config.baseUrl), workspaceId)
    request.caller = caller
    if (!isAgain) guards.limiter.take(caller.rateId)
    checkPath(params)
    if (workspaceId !== undefined && !reachesWorkspace) throw notFound('workspace')
    if (route.scope === 'token' || route.judgesScope || route.exempts?.(caller, lowerCaseIds(params))) return
    if (![route.scope, ...(route.orScopes ?? [])].some(scope => hasScope(caller, scope))) throw insufficientScope(route.scope)
  } else {
    checkPath(params)
  }
}

/** A client that guesses has no valid token, so failures are counted by address. */
function countFailure(limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply): void {
  if (reply.statusCode === 401) limiter.count(request.ip)
}

function carriesSignature(ctx: Context, route: Route, request: FastifyRequest): boolean {
  return route.signedLink?.(ctx, request.params as Record<string, string>, request.query as Record<string, unknown>) ?? false
}

function checkPath(params: Record<string, string>): void {
  const name = findWrongId(params)
  if (name !== undefined) throw invalid('path', `/${name}`, 'format', 'must be a uuid')
}

const findWrongId = (params: Record<string, string>): string | undefined =>
  Object.keys(params).find(name => name.endsWith('Id') && !isUuid(params[name]!))

/** The parser of queries leaves what cannot be decoded as it was written, so that a filter would look for something else. */
function checkEncoding(url: string): void {
  const query = url.indexOf('?')
  if (query < 0 || !url.includes('%', query)) return
  try {
    decodeURIComponent(url.slice(query))
  } catch {
    throw new AppError('invalid_request', 'The query string cannot be decoded: use percent-encoded UTF-8.')
  }
}

/** Clients may send them as they are, but links cannot contain them (RFC 3986). */
const NEVER_IN_URLS = /["<>[\\\]^`{|}]/g

function readRequest(ctx: Context, route: Route, request: FastifyRequest, checkQuery: Check, checkBody: Check | null): ApiRequest {
  const params = lowerCaseIds(request.params as Record<string, string>)
  if (route.scope !== 'public') checkEncoding(request.url)
  const query = readQuery(route.query ?? NO_QUERY, request.query as Record<string, unknown>)
  checkQuery(query)
  const hostile = findHostileValue(query)
  if (hostile) throw invalid('query', hostile.path, 'text', hostile.message)
  // A request that stores nothing needs no key, but a malformed one is the same mistake there. Links in emails are for every client.
  const sentKey = route.method === 'GET' || (route.scope === 'public' && !route.action) ? null : readIdempotencyKey(request)
  if (sentKey !== null && route.action && !route.write) throw refuseKey()
  const idempotencyKey = route.write ? (approvedKey() ?? sentKey) : null
  const ifMatch = route.ifMatch ? readIfMatch(request) : null
  const sent = route.ignoresBody || request.body === undefined ? {} : request.body
  if (sent instanceof AppError) throw sent
  if (checkBody && !(sent instanceof BulkBody) && !(sent instanceof StreamedBody)) checkBody(sent)
  return {
    ctx,
    requestId: request.id,
    method: request.method as Method,
    action: route.action ?? null,
    cost: route.cost ?? null,
    path: pathOf(route, params),
    url: request.url.replace(NEVER_IN_URLS, encodeURIComponent),
    host: hostOf(request),
    params,
    query,
    body: sent instanceof BulkBody ? sent.head : sent,
    stream: sent instanceof StreamedBody ? sent.pieces : null,
    bodyDigest: sent instanceof BulkBody ? sent.digest : null,
    bulk: sent instanceof BulkBody ? bulkOf(request, sent) : null,
    caller: request.caller,
    idempotencyKey,
    ifMatch,
    waitSeconds: route.write === 'accepted' ? readWait(request) : null,
    lastEventId: route.resumes ? readLastEventId(request) : null,
    authorization: request.headers.authorization ?? null,
    userAgent: request.headers['user-agent'] ?? null,
    accept: request.headers.accept ?? null,
    acceptLanguage: request.headers['accept-language'] ?? null,
    cookies: request.headers.cookie,
  }
}

/** It would promise that the request is safe to repeat. */
const refuseKey = (): AppError =>
  new AppError(
    'invalid_idempotency_key',
    'Send this request without an idempotency-key. Its response contains a secret or depends on a browser, so Overture does not store it.',
  )

function bulkOf(request: FastifyRequest, body: BulkBody): Bulk | null {
  if (!body.isCut) return null
  return { chunks: body.chunks(), count: body.count, release: () => dropBody(request, body) }
}

/** One spelling for one path: ids in upper case or escaped letters make no other request of it. */
const pathOf = (route: Route, params: Record<string, string>): string => route.path.replace(/:(\w+)/g, (_, name) => params[name]!)

function lowerCaseIds(params: Record<string, string>): Record<string, string> {
  const names = Object.keys(params).filter(name => name.endsWith('Id'))
  if (names.every(name => params[name] === params[name]!.toLowerCase())) return params
  return { ...params, ...Object.fromEntries(names.map(name => [name, params[name]!.toLowerCase()])) }
}

const JSON_TYPE = 'application/json; charset=utf-8'

function respond(reply: FastifyReply, { status, headers, body }: ApiReply): FastifyReply {
  reply.code(status)
  if (headers) reply.headers(headers)
  if (body === undefined) return reply.send()
  if (!reply.hasHeader('content-type')) reply.header('content-type', JSON_TYPE)
  const isWritten = reply.getHeader('content-type') !== JSON_TYPE || Buffer.isBuffer(body)
  return reply.send(isWritten ? body : JSON.stringify(body))
}
