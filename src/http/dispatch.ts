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

/** Sends a request to our own API in this process: it passes all steps of a network request, from the token to the handler. */
class Dispatcher {
  #app: FastifyInstance | undefined

  mount(app: FastifyInstance): void {
    this.#app = app
  }

  async send({ method, url, headers, body, approvedAs }: Dispatched): Promise<{ status: number; body: unknown }> {
    const app = this.#app
    if (!app) throw new Error('this process does not serve the API')
    // Set for every request, because an approved request may send another one that was not approved.
    const answer = await approved.run(
      approvedAs ?? null,
      async () =>
        // Awaited here, because the request starts with the await; outside this scope it would not be approved.
        await app.inject({
          method: method as 'GET',
          url,
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
        }),
    )
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) }
  }
}

const makeDispatcher = (): Dispatcher => new Dispatcher()
export const dispatcherOf = (ctx: Pick<Context, 'part'>): Dispatcher => ctx.part(makeDispatcher)
