import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/context.ts'

interface Dispatched {
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
  /** A person has approved exactly this request, so the limits of the token do not hold for it. */
  isApproved?: true
}

const approved = new AsyncLocalStorage<boolean>()

/** Whether the request that is being handled was approved by a person. Nothing that comes over the network can say so. */
export const isApproved = (): boolean => approved.getStore() === true

/** Performs a request against our own API in this process: it goes the whole way of every request, from the token to the handler. */
class Dispatcher {
  #app: FastifyInstance | undefined

  mount(app: FastifyInstance): void {
    this.#app = app
  }

  async send({ method, url, headers, body, isApproved = undefined }: Dispatched): Promise<{ status: number; body: unknown }> {
    const app = this.#app
    if (!app) throw new Error('this process serves no API')
    // Set for every request: an approved request may lead to another that was not approved.
    const answer = await approved.run(
      isApproved === true,
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
