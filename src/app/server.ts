import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import pkg from '../../package.json' with { type: 'json' }
import type { Context } from '../context/context.ts'
import { sql } from '../db/client.ts'
import { buildOpenApi } from '../http/openapi.ts'
import { mountRoutes, toAppError } from '../http/pipeline.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import { systemClock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { authenticate } from '../modules/tokens/tokens.ts'
import { renderDocs } from './docs-page.ts'
import { LANDING_PAGE } from './landing-page.ts'
import { routes } from './routes.ts'
import { checkMayScrape, Telemetry } from './telemetry.ts'

export const VERSION = pkg.version
const BODY_LIMIT_BYTES = 1024 * 1024
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

  readJsonStrictly(app)

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
    reply
      .code(failure.status)
      .headers(failure.headers)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(envelope(failure, request.id)))
  })
  app.setNotFoundHandler(() => {
    throw nothingHere()
  })

  mountRoutes(app, ctx, routes, { authenticate, limiter })

  const openApi = JSON.stringify(openApiDocument())
  const docs = renderDocs(JSON.parse(openApi) as Record<string, unknown>)
  app.get('/openapi.json', (_, reply) => reply.type('application/json; charset=utf-8').send(openApi))
  const page = (reply: FastifyReply, html: string) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'").send(html)
  app.get('/docs', (_, reply) => page(reply, docs))
  app.get('/', (_, reply) => page(reply, LANDING_PAGE))
  app.get('/healthz', async () => ({ status: 'ok', version: VERSION }))
  app.get('/readyz', async () => {
    await ctx.db.many(PING)
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    checkMayScrape(request, ctx.config.metricsToken)
    return reply.type(telemetry.contentType).send(await telemetry.render())
  })
  return app
}

const nothingHere = (): AppError => new AppError('not_found', 'There is nothing at this path. /docs lists what there is.')

const envelope = (failure: AppError, requestId: string) => ({
  error: { code: failure.code, message: failure.message, requestId, details: failure.details ?? null },
})

/** JSON only, in UTF-8, and a missing body counts as `{}`. Fastify's own parser would be more forgiving than the contract. */
function readJsonStrictly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  app.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/i, { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) return done(null, {})
    try {
      done(null, JSON.parse(decoder.decode(body)))
    } catch {
      done(new AppError('invalid_json', 'The body is not valid JSON.'))
    }
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0 || request.routeOptions.config.ignoresBody) done(null, {})
    else done(new AppError('unsupported_media_type', 'Send the body as application/json.'))
  })
}
