import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import pkg from '../../package.json' with { type: 'json' }
import type { Context } from '../context/context.ts'
import { isUnwritable, sql } from '../db/client.ts'
import { Pulse } from '../db/pulse.ts'
import { BodyBudget } from '../http/body-budget.ts'
import { BodyReader } from '../http/body-reader.ts'
import { dispatcherOf } from '../http/dispatch.ts'
import { answerBeforeRouting, answerClientError, envelope, nothingHere, notReady, toAppError } from '../http/failures.ts'
import { checkHost } from '../http/headers.ts'
import { BODY_LIMIT_BYTES, mountRoutes, readJsonStrictly, refuseOtherMethods } from '../http/pipeline.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import { leaveUnread } from '../http/unread-body.ts'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { endStreams } from '../modules/events/stream.ts'
import { authenticate } from '../modules/tokens/sessions.ts'
import { CONSOLE_PATHS, Console } from './console.ts'
import { renderDocs } from './docs-page.ts'
import { mountLlmsText } from './llms-text.ts'
import { mountMcp } from './mcp-door.ts'
import { openApiDocument } from './openapi-document.ts'
import { routes } from './routes.ts'
import { checkMayScrape, Telemetry } from './telemetry.ts'

export const VERSION = pkg.version
const PING = sql('select 1')
const JSON_TYPE = 'application/json; charset=utf-8'
/** `GET http://host/path`, as it is written to proxies; every server must take it (RFC 9112, 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i

const makeConsole = (): Console => new Console()
/** What this process shows to browsers. Whoever starts it says which build, because building takes seconds and may fail. */
export const consoleOf = (ctx: Context): Console => ctx.part(makeConsole)

export async function buildApp(ctx: Context): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: ctx.config.trustProxy,
    // A body that trickles in must not hold a connection for ever.
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    // A request without a host is answered by us, in the same shape as any other error.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    rewriteUrl: ({ url = '/' }) => url.replace(ABSOLUTE_FORM, '') || '/',
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      const failure = toAppError(error)
      if (failure.status === 500) request.log.error({ err: error, requestId: request.id }, 'request failed')
      void (reply as FastifyReply)
        .code(failure.status)
        .headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'content-type': JSON_TYPE })
        .send(JSON.stringify(envelope(failure, request.id)))
    },
    routerOptions: { maxParamLength: 512 },
  })
  const limiter = new RateLimiter(ctx.config.rateLimitPerMinute, systemClock)
  const telemetry = new Telemetry(ctx)

  const pulse = new Pulse(ctx.db.url)
  app.addHook('onListen', done => {
    pulse.start()
    done()
  })
  app.addHook('onClose', () => pulse.stop())
  // Streams have no end of their own, and closing waits for every answer.
  app.addHook('preClose', () => endStreams(ctx))
  const reader = new BodyReader()
  app.addHook('onClose', () => reader.close())
  readJsonStrictly(app, reader)
  answerBeforeRouting(app.server)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    checkHost(request)
    // Here and not in the handler below: that one only runs once the body has been read, and judged.
    if (request.is404) throw nothingHere()
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.caller) reply.headers(limiter.headers(request.caller.tokenId))
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    telemetry.observe(request.routeOptions.url ?? 'unknown', request.method, reply.statusCode, reply.elapsedTime)
    done()
  })

  app.setErrorHandler((error, request, reply) => {
    const failure = toAppError(error)
    if (isUnwritable(error)) pulse.noteRefusedWrite()
    if (failure.status === 500) request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'request failed')
    leaveUnread(request, reply)
    reply
      .code(failure.status)
      .headers(failure.headers)
      .header('content-type', JSON_TYPE)
      .send(JSON.stringify(envelope(failure, request.id)))
  })
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })

  const budget = new BodyBudget(ctx.config.bodyMemoryMb * 1024 * 1024)
  const door = { authenticate, limiter, budget, pulse }
  mountRoutes(app, ctx, routes, door)
  dispatcherOf(ctx).mount(app)
  mountMcp(app, ctx, door)
  refuseOtherMethods(app, [{ method: 'POST', path: '/mcp' }])

  const openApi = JSON.stringify(openApiDocument())
  const docs = renderDocs(JSON.parse(openApi) as Record<string, unknown>)
  app.get('/openapi.json', (_, reply) => reply.type(JSON_TYPE).send(openApi))
  const page = (reply: FastifyReply, html: string) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'").send(html)
  app.get('/docs', (_, reply) => page(reply, docs))
  const readable = mountLlmsText(app, ctx)
  consoleOf(ctx).mount(app, { name: 'overture', version: VERSION, docs: '/docs', openapi: '/openapi.json' })
  app.get('/healthz', async () => ({ status: 'ok', version: VERSION }))
  app.get('/readyz', async () => {
    await pulse.guard(() => ctx.db.many(PING))
    if (pulse.trouble) throw notReady(pulse.trouble)
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    checkMayScrape(request, ctx.config.metricsToken)
    return reply.type(telemetry.contentType).send(await telemetry.render())
  })
  refuseOtherMethods(
    app,
    ['/openapi.json', '/docs', '/healthz', '/readyz', '/metrics', ...readable, ...CONSOLE_PATHS].map(path => ({ method: 'GET', path })),
  )
  return app
}
