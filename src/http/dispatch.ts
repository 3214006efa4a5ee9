import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/context.ts'

interface Dispatched {
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
  /**
   * A person has approved exactly this request, so the limits of the token do not apply. The key begins with a character that is refused in
   * keys of network requests.
   */
  approvedAs?: `§${string}`
}

const approved = new AsyncLocalStorage<string | null>()

/** The key of the current request, if a person has approved it. A network request cannot set it. */
export const approvedKey = (): string | null => approved.getStore() ?? null

const servers = (): { app?: FastifyInstance } => ({})

export function serveDispatched(ctx: Pick<Context, 'part'>, app: FastifyInstance): void {
  ctx.part(servers).app = app
}

/** Sends a request to our own API in this process: it passes all steps of a network request, from the token to the handler. */
export async function dispatch(
  ctx: Pick<Context, 'part'>,
  { method, url, headers, body, approvedAs }: Dispatched,
): Promise<{ status: number; body: unknown }> {
  const { app } = ctx.part(servers)
  if (!app) throw new Error('this process does not serve the API')
  const sent = body === undefined ? {} : { payload: JSON.stringify(body) }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  // Set for every request, because an approved request may send another one that was not approved. Awaited within, because the request
  // starts with the await.
  const answer = await approved.run(
    approvedAs ?? null,
    async () => await app.inject({ method: method as 'GET', url, headers: { ...headers, ...type }, ...sent }),
  )
  return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) }
}
