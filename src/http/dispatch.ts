import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/context.ts'

interface Dispatched {
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
  /**
   * A person has approved exactly this request, so the limits of the token do not hold for it. It has a key that no request over the
   * network can have: it begins with a letter that their keys are refused for.
   */
  approvedAs?: `§${string}`
}

const approved = new AsyncLocalStorage<string | null>()

/** The key of the request that is being handled, if a person has approved it. Nothing that comes over the network can say so. */
export const approvedKey = (): string | null => approved.getStore() ?? null

/** Performs a request against our own API in this process: it goes the whole way of every request, from the token to the handler. */
class Dispatcher {
  #app: FastifyInstance | undefined

  mount(app: FastifyInstance): void {
    this.#app = app
  }

  async send({ method, url, headers, body, approvedAs }: Dispatched): Promise<{ status: number; body: unknown }> {
    const app = this.#app
    if (!app) throw new Error('this process serves no API')
    // Set for every request: an approved request may lead to another that was not approved.
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
