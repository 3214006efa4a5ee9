import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'

import pkg from '../../package.json' with { type: 'json' }
import { apiDocument } from '../cli/api/document.ts'
import type { Context } from '../context/context.ts'
import { isUnwritable } from '../db/errors.ts'
import { migrationNames, tableNames } from '../db/migrate.ts'
import { Pulse } from '../db/pulse.ts'
import { sql } from '../db/sql.ts'
import { BodyReader } from '../http/body.ts'
import { BODY_LIMIT_BYTES, BodyBudget } from '../http/body-limits.ts'
import { endSilentConnections, leaveUnread, paceBodies, paceBody } from '../http/connections.ts'
import { serveDispatched } from '../http/dispatch.ts'
import {
  answerBeforeRouting,
  answerClientError,
  envelope,
  KnownPaths,
  nothingHere,
  notReady,
  toAppError,
  wrongMethod,
} from '../http/failures.ts'
import { checkSingleHeaders, hostOf } from '../http/headers.ts'
import { mountRoutes, readJsonStrictly } from '../http/pipeline.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import { acceptsCoding } from '../lib/accept.ts'
import { systemClock } from '../lib/clock.ts'
import { type AppError, unavailable } from '../lib/errors.ts'
import { HTML_PAGE_HEADERS } from '../lib/html-page.ts'
import { newId } from '../lib/ids.ts'
import { patient } from '../lib/time.ts'
import { endStreams } from '../modules/events/stream.ts'
import { authenticate } from '../modules/tokens/sessions.ts'
import { hostGuardOf } from '../modules/tracking/tracking-hosts.ts'
import { register } from '../operations/registry.ts'
import { CONSOLE_PATHS, Console } from './console.ts'
import { mountMcp } from './mcp.ts'
import { failurePage, mountLlmsText, renderDocs } from './pages.ts'
import { registry, routes } from './routes.ts'
import { checkMayScrape, Telemetry } from './telemetry.ts'

export const VERSION = pkg.version
const RIGHTS = ['select', 'insert', 'update', 'delete'].map(right => `has_table_privilege(c.oid, '${right}')`).join(' and ')
/** One of these tables that our role may not use. */
const findDenied = sql(`
  select case when count(*) = 0 then 'migrations' else min(c.relname) filter (where not (${RIGHTS})) end as denied
  from pg_class m
  join pg_class c on c.relnamespace = m.relnamespace and c.relname = any($1::text[])
  where m.oid = to_regclass('migrations') and c.oid <> m.oid`).value<string | null, [tables: string[]]>()
const JSON_TYPE = 'application/json; charset=utf-8'
/** `GET http://host/path`, the form for proxies, which every server must accept (RFC 9112, 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i

const LINK_PATHS = new Set(routes.filter(route => route.tag === 'Links in emails').map(route => route.path))

function once(make: () => string): () => string {
  let made: string | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Compressed at the first request, because the document is very repetitive. */
function mountDocument(app: FastifyInstance, document: () => string): void {
  let zipped: Buffer | undefined
  app.get('/openapi.json', (request, reply) => {
    reply.type(JSON_TYPE).header('vary', 'accept-encoding')
    if (!acceptsCoding(request.headers['accept-encoding'], 'gzip')) return reply.send(document())
    zipped ??= gzipSync(document())
    return reply.header('content-encoding', 'gzip').send(zipped)
  })
}

/** Every error has the same shape; a person in a browser gets a page. */
function sendFailure(ctx: Context, failure: AppError, request: FastifyRequest, reply: FastifyReply): void {
  const page = failurePage(request, failure, ctx.config.baseUrl)
  reply.code(failure.status).headers(failure.headers)
  if (page === null) reply.header('content-type', JSON_TYPE).send(JSON.stringify(envelope(failure, request.id)))
  else reply.headers({ ...HTML_PAGE_HEADERS, vary: 'accept, accept-language' }).send(page)
}

const makeConsole = (): Console => new Console()
/** The pages for browsers. The caller names the build, because building takes seconds and may fail. */
export const consoleOf = (ctx: Context): Console => ctx.part(makeConsole)

/** A server without routes, with our limits and our errors. */
function makeServer(ctx: Context): FastifyInstance {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    // Log entries about a request name it, so a logger for each request is not needed.
    childLoggerFactory: logger => logger,
    bodyLimit: BODY_LIMIT_BYTES,
    // Counted from the right: everything further left is what a client may have written itself. Fastify takes no number.
    trustProxy: (_address, hop) => hop < ctx.config.trustedProxies,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // We answer a request without a host ourselves, so that the error has the usual shape.
    http: { headersTimeout: patient(10_000), connectionsCheckingInterval: 2_000, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    rewriteUrl: ({ url = '/' }) => url.replace(ABSOLUTE_FORM, '') || '/',
    forceCloseConnections: 'idle',
    // We refuse requests during the stop ourselves, so that the error has the usual shape.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      const failure = toAppError(error)
      if (failure.status === 500) request.log.error({ err: error, requestId: request.id }, 'request failed')
      ;(reply as FastifyReply).headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
      paceBody(app.server, request.raw)
      leaveUnread(request, reply as FastifyReply)
      sendFailure(ctx, failure, request, reply as FastifyReply)
    },
    routerOptions: { maxParamLength: 512 },
  })
  return app
}

const stopping = (): AppError => unavailable('This process is stopping. Send the request again.')

const pathOf = (request: FastifyRequest): string => (request.is404 ? request.knownPath?.path : request.routeOptions.url) ?? ''

/** Refuses what has no route here: unknown paths, wrong methods, and on a tracking host everything except the links in messages. */
function checkAddresses(app: FastifyInstance, ctx: Context, known: KnownPaths, pulse: Pulse): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (request.is404) request.knownPath = known.find(request.url)
    checkSingleHeaders(request)
    // Here and not in the handler of unknown paths, which runs only after the body was read and validated.
    if (request.is404 && !request.knownPath) throw nothingHere()
    done()
  })
  const hosts = hostGuardOf(ctx)
  app.addHook('onRequest', (request, _reply, done) => {
    const host = hostOf(request)
    // An existing path returns 405 with the allowed methods, before the token is checked.
    const judge = (isTracking: boolean): void =>
      done(isTracking ? nothingHere() : request.knownPath ? wrongMethod(request.knownPath) : undefined)
    const recalled = LINK_PATHS.has(pathOf(request)) ? false : hosts.recall(host)
    if (recalled !== undefined) return judge(recalled)
    // While the database is away, this is unknown; the request itself will report the error.
    pulse.guard(() => hosts.lookUp(host)).then(judge, () => judge(false))
  })
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })
}

/** The console, the documents, and what supervisors of the process ask. Returns their paths. */
function mountPages(app: FastifyInstance, ctx: Context, telemetry: Telemetry, pulse: Pulse, tables: string[]): string[] {
  // Made at the first request, because most processes never serve it.
  const openApi = once(() => JSON.stringify(apiDocument()))
  mountDocument(app, openApi)
  const docs = once(() => renderDocs(apiDocument()))
  const readable = mountLlmsText(app, ctx)
  consoleOf(ctx).mount(app, { name: 'overture', version: VERSION, docs: '/docs', openapi: '/openapi.json' }, docs)
  app.get('/healthz', async () => ({ status: 'ok', version: VERSION }))
  app.get('/readyz', async () => {
    const denied = await pulse.guard(() => findDenied(ctx.db, tables))
    if (pulse.trouble) throw notReady(pulse.trouble)
    if (denied) throw notReady('denies_access', `The database role may not read and change the table ${denied}. Grant it the right.`)
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    checkMayScrape(request, ctx.config.metricsToken)
    const { contentType, text } = await telemetry.render()
    return reply.type(contentType).send(text)
  })
  return ['/openapi.json', '/docs', '/docs/plain', '/healthz', '/readyz', '/metrics', ...readable, ...CONSOLE_PATHS]
}

export async function buildApp(ctx: Context): Promise<FastifyInstance> {
  const app = makeServer(ctx)
  const limiter = new RateLimiter(ctx.config.rateLimitPerMinute, systemClock)
  const signIns = new RateLimiter(ctx.config.rateLimitPerMinute, systemClock)
  const telemetry = new Telemetry(ctx)
  const known = new KnownPaths()

  const pulse = new Pulse(ctx.db.url)
  app.addHook('onListen', done => {
    pulse.start()
    done()
  })
  app.addHook('onClose', () => pulse.stop())
  let isStopping = false
  app.addHook('preClose', () => {
    isStopping = true
    // Streams do not end on their own, and closing waits for every response.
    return endStreams(ctx)
  })
  endSilentConnections(app)
  const reader = new BodyReader()
  app.addHook('onClose', () => reader.close())
  paceBodies(app)
  readJsonStrictly(app, reader)
  answerBeforeRouting(app.server)

  checkAddresses(app, ctx, known, pulse)
  app.addHook('onRequest', async () => {
    if (isStopping) throw stopping()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isStopping) reply.header('connection', 'close')
    // A caller who lost the right during the request is told no more than a stranger.
    if (request.caller && reply.statusCode !== 401) reply.headers(limiter.headers(request.caller.rateId))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    telemetry.observe(pathOf(request) || 'unknown', request.method, reply.statusCode, reply.elapsedTime)
    // A response that began before the stop left its connection open, and closing waits for every connection.
    if (isStopping) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    // A request that was being handled made another one in this process.
    const isLate = (error as { code?: string }).code === 'FST_ERR_REOPENED_CLOSE_SERVER'
    const failure = isLate ? stopping() : toAppError(error, request.routeOptions.config.streams)
    if (isUnwritable(error)) pulse.noteRefusedWrite()
    if (failure.status === 500) request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'request failed')
    leaveUnread(request, reply)
    sendFailure(ctx, failure, request, reply)
  })

  const budget = new BodyBudget(ctx.config.bodyMemoryMb * 1024 * 1024)
  const guards = { authenticate, limiter, signIns, budget, pulse }
  mountRoutes(app, ctx, routes, guards)
  serveDispatched(ctx, app)
  register(ctx, registry)
  mountMcp(app, ctx, guards)
  const pages = mountPages(app, ctx, telemetry, pulse, await tableNames(await migrationNames()))
  known.add([...routes, { method: 'POST', path: '/mcp' }, ...pages.map(path => ({ method: 'GET' as const, path }))])
  for (const { path, methods, allow } of known.shadows()) {
    const onRequest = async (): Promise<never> => {
      throw wrongMethod({ path, allow })
    }
    app.route({ method: methods, url: path, exposeHeadRoute: false, onRequest, handler: async () => undefined })
  }
  return app
}
