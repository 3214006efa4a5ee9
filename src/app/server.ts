import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import pkg from '../../package.json' with { type: 'json' }
import type { Context } from '../context/context.ts'
import { sql } from '../db/client.ts'
import { BodyBudget } from '../http/body-budget.ts'
import { BodyReader } from '../http/body-reader.ts'
import { buildOpenApi } from '../http/openapi.ts'
import { BODY_LIMIT_BYTES, mountRoutes, readJsonStrictly, toAppError } from '../http/pipeline.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import { leaveUnread } from '../http/unread-body.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { authenticate } from '../modules/tokens/tokens.ts'
import { renderDocs } from './docs-page.ts'
import { LANDING_PAGE } from './landing-page.ts'
import { routes } from './routes.ts'
import { Telemetry } from './telemetry.ts'

export const VERSION = pkg.version
const PING = sql('select 1')

export const openApiDocument = (): Record<string, unknown> => buildOpenApi(routes, VERSION)

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
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      const failure = toAppError(error)
      void (reply as FastifyReply).code(failure.status).header('x-request-id', request.id).send(envelope(failure, request.id))
    },
    routerOptions: { maxParamLength: 512 },
  })
  const limiter = new RateLimiter(ctx.config.rateLimitPerMinute, systemClock)
  const telemetry = new Telemetry(ctx)

  const reader = new BodyReader()
  app.addHook('onClose', () => reader.close())
  readJsonStrictly(app, reader)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
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
    if (failure.status === 500) request.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'request failed')
    leaveUnread(request, reply)
    reply
      .code(failure.status)
      .headers(failure.headers)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(envelope(failure, request.id)))
  })
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })

  mountRoutes(app, ctx, routes, { authenticate, limiter, budget: new BodyBudget(ctx.config.bodyMemoryMb * 1024 * 1024) })

  const openApi = JSON.stringify(openApiDocument())
  const docs = renderDocs(JSON.parse(openApi) as Record<string, unknown>)
  app.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(openApi))
  const page = (reply: FastifyReply, html: string) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'").send(html)
  app.get('/docs', (_, reply) => page(reply, docs))
  app.get('/', (_, reply) => page(reply, LANDING_PAGE))
  app.get('/healthz', async () => ({ status: 'ok', version: VERSION, ...(ctx.config.databaseUrl ? {} : { dir: ctx.config.dir }) }))
  app.get('/readyz', async () => {
    await ctx.db.many(PING)
    return { status: 'ready' }
  })
  app.get('/metrics', async (_, reply) => reply.type(telemetry.contentType).send(await telemetry.render()))
  return app
}

const nothingHere = (): AppError => new AppError('not_found', 'There is nothing at this path. /docs lists what there is.')

const envelope = (failure: AppError, requestId: string) => ({
  error: { code: failure.code, message: failure.message, requestId, details: failure.details ?? null },
})
