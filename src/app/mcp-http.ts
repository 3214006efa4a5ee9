import type { FastifyInstance, FastifyRequest } from 'fastify'

import pkg from '../../package.json' with { type: 'json' }
import type { Context } from '../context/context.ts'
import { refuseForeignOrigin } from '../http/access.ts'
import { boundsOf, holdBody } from '../http/body-limits.ts'
import { dispatcherOf } from '../http/dispatch.ts'
import type { RequestGuards } from '../http/pipeline.ts'
import { strict } from '../http/schema.ts'
import type { Backend, Send } from '../mcp/api.ts'
import { resultsOf } from './openapi-document.ts'
import { routes } from './routes.ts'

/** The API as the tools see it, the same over HTTP and over standard input. */
export function backendOf(send: Send, workspaceId?: string): Backend {
  const results = resultsOf()
  return { send, routes: new Map(routes.map(route => [route.id, route])), resultOf: action => results[action], workspaceId }
}

/**
 * The Model Context Protocol over HTTP, without sessions. Every tool sends requests to our own API in the same process, with the
 * token of the caller, so that all checks of requests also apply to tools.
 */
export function mountMcp(app: FastifyInstance, ctx: Context, guards: RequestGuards): void {
  let handler: ReturnType<typeof loadHandler> | undefined
  app.addHook('preClose', async () => (await handler)?.close())
  app.route({
    method: 'POST',
    url: '/mcp',
    config: { bounds: boundsOf(strict({})) },
    onRequest: async (request, reply) => {
      await guards.pulse.guard(() => admit(ctx, guards, request))
      holdBody(guards.budget, {}, request, reply)
    },
    handler: async (request, reply) => {
      const authorization = request.headers.authorization!
      const asked = new Request(new URL('/mcp', 'http://localhost'), { method: 'POST', headers: headersOf(request) })
      const authInfo = { token: authorization, clientId: request.caller.tokenId, scopes: [...request.caller.scopes] }
      handler ??= loadHandler(ctx)
      return reply.send(await (await handler).fetch(asked, { authInfo, parsedBody: request.body }))
    },
  })
}

/** The protocol is a large package, so it is loaded for the first agent and not at the start. */
async function loadHandler(ctx: Context) {
  const [{ createMcpHandler }, { buildMcpServer }] = await Promise.all([import('@modelcontextprotocol/server'), import('../mcp/server.ts')])
  const shared = backendOf(() => Promise.reject(new Error('a request without a token')))
  return createMcpHandler(
    ({ authInfo }) => buildMcpServer({ ...shared, send: inProcess(ctx, authInfo!.token) }, pkg.version),
    // Tools never change while the process runs, so there are no notifications.
    { maxSubscriptions: 0, onerror: error => ctx.log.debug({ err: error }, 'an agent was refused') },
  )
}

/** Accepts only a token: cookies and requests from pages of other sites are refused. */
async function admit(ctx: Context, guards: RequestGuards, request: FastifyRequest): Promise<void> {
  refuseForeignOrigin(request, ctx.config.baseUrl)
  const { authorization } = request.headers
  const { caller } = await guards.authenticate(ctx, { authorization, sessions: [], sessionKey: null }, undefined)
  request.caller = caller
  guards.limiter.take(caller.tokenId)
}

const headersOf = (request: FastifyRequest): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  return headers
}

const inProcess =
  (ctx: Context, authorization: string): Send =>
  request =>
    dispatcherOf(ctx).send({ ...request, headers: { ...request.headers, authorization } })
