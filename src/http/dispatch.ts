import type { FastifyInstance } from 'fastify'
import type { Context } from '../context/context.ts'

interface Dispatched {
  method: string
  url: string
  headers: Record<string, string>
  body?: unknown
}

/** Performs a request against our own API in this process: it goes the whole way of every request, from the token to the handler. */
class Dispatcher {
  #app: FastifyInstance | undefined

  mount(app: FastifyInstance): void {
    this.#app = app
  }

  async send({ method, url, headers, body }: Dispatched): Promise<{ status: number; body: unknown }> {
    if (!this.#app) throw new Error('this process serves no API')
    const answer = await this.#app.inject({
      method: method as 'GET',
      url,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) }
  }
}

const makeDispatcher = (): Dispatcher => new Dispatcher()
export const dispatcherOf = (ctx: Pick<Context, 'part'>): Dispatcher => ctx.part(makeDispatcher)
