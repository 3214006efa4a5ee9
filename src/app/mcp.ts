import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import pkg from '../../package.json' with { type: 'json' }
import type { Context } from '../context/context.ts'
import { refuseForeignOrigin } from '../http/access.ts'
import { boundsOf, holdBody } from '../http/body-limits.ts'
import { dispatch } from '../http/dispatch.ts'
import type { RequestGuards } from '../http/pipeline.ts'
import { strict } from '../http/schema.ts'
import { parsedJson } from '../lib/canonical-json.ts'
import { wrongUsage } from '../lib/command-failure.ts'
import type { Backend, Send } from '../mcp/api.ts'
import { readLocalFile } from './account-commands.ts'
import { resultsOf, routes } from './routes.ts'

/** The API as the tools see it, the same over HTTP and over standard input. */
function backendOf(send: Send, workspaceId?: string): Backend {
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
  guards.limiter.take(caller.rateId)
}

const headersOf = (request: FastifyRequest): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value)
  return headers
}

const inProcess =
  (ctx: Context, authorization: string): Send =>
  request =>
    dispatch(ctx, { ...request, headers: { ...request.headers, authorization } })

interface Target {
  url: string
  token: string
  workspaceId: string | undefined
}

/** OVERTURE_URL and OVERTURE_TOKEN, or the local.json of a local start. */
async function findTarget(env: NodeJS.ProcessEnv, dir: string): Promise<Target> {
  const { OVERTURE_URL: url, OVERTURE_TOKEN: token } = env
  if (url && token) return { url: url.replace(/\/+$/, ''), token, workspaceId: undefined }
  const local = url || token ? null : await readLocalFile(dir)
  if (!local) throw wrongUsage('Set OVERTURE_URL and OVERTURE_TOKEN, or start Overture here first.', 'overture start')
  return { url: local.baseUrl, token: local.token, workspaceId: local.workspaceId }
}

/** `overture mcp`: the same tools for agents that start a program. It calls Overture over HTTP, and ends when the agent does. */
export async function serveMcp(env: NodeJS.ProcessEnv, dir: string): Promise<void> {
  const [stdio, { buildMcpServer }] = await Promise.all([import('@modelcontextprotocol/server/stdio'), import('../mcp/server.ts')])
  const { url, token, workspaceId } = await findTarget(env, dir)
  const backend = backendOf(overHttp(url, token), workspaceId)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  // The transport drops what it has read when its input ends, so it gets one that stays open until everything is answered.
  const input = new PassThrough()
  const transport = new stdio.StdioServerTransport(input, process.stdout)
  const handle = stdio.serveStdio(() => buildMcpServer(backend, pkg.version), {
    transport,
    // The output belongs to the protocol.
    onerror: error => console.error(error.message),
  })
  const answered = countOpen(transport)
  process.stdin.pipe(input, { end: false })
  for (const event of ['close', 'end', 'error']) process.stdin.once(event, resolve)
  process.stdout.once('error', resolve)
  await ended
  if (process.stdout.writable) await Promise.race([answered(), sleep(LAST_ANSWERS_MS, undefined, { ref: false })])
  await handle.close()
}

/** A tool waits up to 20 seconds for an operation, and an agent that has gone away should leave no process. */
const LAST_ANSWERS_MS = 25_000

/** Watches requests and responses; the function that it returns resolves when no request is open. */
function countOpen(transport: StdioServerTransport): () => Promise<void> {
  const open = new Set<unknown>()
  let tellEmpty = () => {}
  const close = (id: unknown): void => {
    open.delete(id)
    if (open.size === 0) tellEmpty()
  }
  const { onmessage } = transport
  transport.onmessage = message => {
    // A subscription is never answered, and neither is a request that was canceled.
    if ('method' in message && 'id' in message && message.method !== 'subscriptions/listen') open.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled') close(message.params?.requestId)
    onmessage?.(message)
  }
  const send = transport.send.bind(transport)
  transport.send = async message => {
    await send(message)
    if (!('method' in message)) close(message.id)
  }
  return async () => {
    // The requests in the last piece of the input are read in the next turn.
    await new Promise(setImmediate)
    if (open.size > 0) await new Promise<void>(resolve => (tellEmpty = resolve))
  }
}

const overHttp =
  (baseUrl: string, token: string): Send =>
  async ({ method, url, headers, body }) => {
    const answer = await fetch(baseUrl + url, {
      method,
      // A token is for one address only, so redirects are not followed.
      redirect: 'error',
      headers: { ...headers, authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : parsedJson(text) }
  }
