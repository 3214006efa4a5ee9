import assert from 'node:assert/strict'
import { request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type RouteHandlerMethod } from 'fastify'
import { paceBodies, paceBody } from './connections.ts'
import { answerClientError } from './failures.ts'

const PACE = { windowMs: 200, leastBytes: 1000 }

describe('a slow body', () => {
  const app: FastifyInstance = Fastify({
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => {
      paceBody(app.server, request.raw, PACE)
      ;(reply as FastifyReply).code(400).send('')
    },
  })
  before(async () => {
    paceBodies(app, PACE)
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const echo: RouteHandlerMethod = async ({ body, headers }) => {
      await delay(Number(headers['x-busy-ms'] ?? 0))
      return { bytes: (await text(body as NodeJS.ReadableStream)).length }
    }
    app.post('/', { config: { streams: 'text/csv' } }, echo)
    app.post('/kept', echo)
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => app.close())

  /** Sends pieces of this size, one every 20 ms. */
  const send = (pieces: number, bytes: number, headers: Record<string, string> = {}, path = '/') =>
    new Promise<{ status: number; answer: string }>((resolve, reject) => {
      const { port } = app.server.address() as AddressInfo
      const sent = request(
        { port, host: '127.0.0.1', path, method: 'POST', headers: { 'content-type': 'text/csv', ...headers } },
        response => resolve(text(response).then(answer => ({ status: response.statusCode!, answer }))),
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

  it('is read to its end while data keeps arriving, however long it takes', async () => {
    assert.deepEqual(await send(40, 2000), { status: 200, answer: '{"bytes":80000}' })
  })

  it('is not charged for the time in which it was not read', async () => {
    assert.deepEqual(await send(1, 300, { 'x-busy-ms': '700' }), { status: 200, answer: '{"bytes":300}' })
  })

  it('gets 408 when it trickles', async () => {
    const { status, answer } = await send(200, 1)
    assert.deepEqual([status, JSON.parse(answer).error.code], [408, 'request_timeout'])
  })

  it('gets 408 when it would hold its memory for long, and a file does not', async () => {
    const [announced, pieces] = [{ 'content-length': '2000000' }, 100] as const
    const { status, answer } = await send(pieces, 2000, announced, '/kept')
    assert.deepEqual([status, JSON.parse(answer).error.code], [408, 'request_timeout'])
    assert.equal((await send(pieces, 2000, { 'content-length': String(pieces * 2000) })).status, 200)
  })

  it('ends its connection even if the URL was invalid and the response was already sent', async () => {
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.write('POST /%zz HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\nx')
    const trickle = setInterval(() => socket.writable && socket.write('x'), 20)
    assert.match(await text(socket), /^HTTP\/1.1 400/)
    clearInterval(trickle)
  })
})
