import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { paceBodies } from './body-pace.ts'
import { answerClientError } from './failures.ts'

describe('a body that takes its time', () => {
  const app = Fastify({ clientErrorHandler: answerClientError })
  before(async () => {
    paceBodies(app, { windowMs: 200, leastBytes: 1000 })
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.post('/', async ({ body, headers }) => {
      await delay(Number(headers['x-busy-ms'] ?? 0))
      return { bytes: (await text(body as NodeJS.ReadableStream)).length }
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => app.close())

  /** Sends pieces of this size, one every 20 ms. */
  const send = (pieces: number, bytes: number, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; answer: string }>((resolve, reject) => {
      const { port } = app.server.address() as AddressInfo
      const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-type': 'text/csv', ...headers } }, response =>
        resolve(text(response).then(answer => ({ status: response.statusCode!, answer }))),
      )
      sent.on('error', reject)
      const next = (left: number): void => {
        if (sent.destroyed) return
        if (left === 0) return void sent.end()
        sent.write('x'.repeat(bytes))
        setTimeout(next, 20, left - 1)
      }
      next(pieces)
    })

  it('is read to its end while it keeps coming, however long that takes', async () => {
    assert.deepEqual(await send(40, 2000), { status: 200, answer: '{"bytes":80000}' })
  })

  it('is not blamed for the time in which nobody read it', async () => {
    assert.deepEqual(await send(1, 300, { 'x-busy-ms': '700' }), { status: 200, answer: '{"bytes":300}' })
  })

  it('is answered with 408 when it trickles', async () => {
    const { status, answer } = await send(200, 1)
    assert.deepEqual([status, JSON.parse(answer).error.code], [408, 'request_timeout'])
  })
})
