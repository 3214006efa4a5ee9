import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Overture as Service, startOverture } from '../../../test/harness.ts'
import { type Event, Overture, type StreamOptions } from '../src/index.ts'
import { answer, type Behaviour, hangUp, OddServer, refuse } from './odd-server.ts'

const workspaceId = '0197b1c2-4f6a-7000-8000-000000000001'
const clientOf = ({ baseUrl }: OddServer) => new Overture({ baseUrl, token: 'secret', workspaceId })

/** Sends these pieces and then ends the connection. */
const pieces =
  (...texts: string[]): Behaviour =>
  async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const text of texts) {
      response.write(text)
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    response.end()
  }

const record = (seq: number, type = 'email.sent'): string => `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ seq, type })}\n\n`

async function take(stream: AsyncIterable<Event>, count: number): Promise<number[]> {
  const seen: number[] = []
  for await (const { seq } of stream) {
    seen.push(seq)
    if (seen.length === count) break
  }
  return seen
}

describe('the event stream', () => {
  it('continues after the last id, even one of a comment, however the connection ended', async () => {
    const server = await OddServer.start(
      pieces(': following\nid: 0\n\n', record(1), record(2)),
      hangUp,
      refuse(503, 'service_unavailable', { 'retry-after': '0' }),
      pieces(record(3), ': still here\nid: 7\n\n'),
      pieces(record(8)),
    )
    assert.deepEqual(await take(clientOf(server).events.stream({ after: 0 }), 4), [1, 2, 3, 8])
    assert.deepEqual(
      server.seen.map(({ headers }) => headers['last-event-id']),
      [undefined, '2', '2', '2', '7'],
    )
    for (const { url } of server.seen) assert.equal(url, `/v1/workspaces/${workspaceId}/events/stream?after=0`)
  })

  it('waits as long as it is asked to, even longer than a timer can', async () => {
    const abort = new AbortController()
    const refused: Behaviour = (request, response, body) => {
      response.on('close', () => setTimeout(() => abort.abort(), 100))
      refuse(429, 'rate_limited', { 'retry-after': '99999999999' })(request, response, body)
    }
    const server = await OddServer.start(refused, refuse(404, 'not_found'))
    await assert.rejects(take(clientOf(server).events.stream({ signal: abort.signal }), 1), { name: 'AbortError' })
    assert.equal(server.seen.length, 1)
  })

  it('ends with an event that does not end', async () => {
    const server = await OddServer.start(pieces(`data: ${'x'.repeat(8_000_001)}`))
    await assert.rejects(take(clientOf(server).events.stream(), 1), { code: 'unexpected_answer', message: 'An event does not end.' })
  })

  it('continues after the errors of a restarting service or proxy', async () => {
    const badGateway = answer(502, '<html>Bad gateway</html>', { 'content-type': 'text/html', 'retry-after': '0' })
    const passing = [429, 500, 503, 504].map(status => refuse(status, 'some_code', { 'retry-after': '0' }))
    const server = await OddServer.start(pieces(record(1)), badGateway, ...passing, pieces(record(2)))
    assert.deepEqual(await take(clientOf(server).events.stream(), 2), [1, 2])
    assert.deepEqual(
      server.seen.slice(1).map(({ headers }) => headers['last-event-id']),
      ['1', '1', '1', '1', '1', '1'],
    )
  })

  it('reads records in pieces, with any line endings, and several at once', async () => {
    const text = `${record(1)}${record(2).replaceAll('\n', '\r\n')}${record(3).replaceAll('\n', '\r')}`
    const server = await OddServer.start(pieces(...text), pieces(text))
    assert.deepEqual(await take(clientOf(server).events.stream(), 6), [1, 2, 3, 1, 2, 3])
  })

  it('keeps characters that are split between two pieces', async () => {
    const bytes = Buffer.from(`id: 1\ndata: ${JSON.stringify({ seq: 1, type: 'email.sent', data: { subject: 'Grüße 🌍' } })}\n\n`)
    const server = await OddServer.start(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const byte of bytes) response.write(Buffer.of(byte))
    })
    for await (const event of clientOf(server).events.stream()) {
      assert.equal((event.data as { subject: string }).subject, 'Grüße 🌍')
      break
    }
  })

  it('filters one type on the service, and several itself', async () => {
    const server = await OddServer.start(pieces(record(1), record(2, 'lead.updated'), record(3, 'email.opened'), record(4)))
    const stream = (options: StreamOptions) => clientOf(server).events.stream(options)
    assert.deepEqual(await take(stream({ types: ['email.sent', 'email.opened'] }), 3), [1, 3, 4])
    await take(stream({ types: ['email.sent'], campaignId: 'c', leadId: 'l' }), 1)
    assert.ok(server.seen.at(-1)!.url.endsWith('/stream?type=email.sent&campaignId=c&leadId=l'))
  })

  it('ends with a permanent error, such as a revoked token', async () => {
    const server = await OddServer.start(pieces(record(1)), refuse(401, 'invalid_token'))
    await assert.rejects(take(clientOf(server).events.stream(), 2), { code: 'invalid_token', status: 401 })
    const missing = await OddServer.start(answer(404, { error: { code: 'not_found' } }))
    await assert.rejects(take(clientOf(missing).events.stream(), 1), { code: 'not_found' })
    for (const odd of [answer(200, '<html>Please log in</html>', { 'content-type': 'text/html' }), pieces('id: 1\ndata: {"seq"\n\n')])
      await assert.rejects(take(clientOf(await OddServer.start(odd)).events.stream(), 1), { code: 'unexpected_answer' })
  })

  it('ends when aborted, and closes the connection when the iteration stops', async () => {
    const closed: string[] = []
    const open =
      (name: string): Behaviour =>
      (request, response) => {
        request.socket.on('close', () => closed.push(name))
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(record(1))
      }
    const server = await OddServer.start(open('aborted'), open('left'))
    const controller = new AbortController()
    const followed = (async () => {
      for await (const _ of clientOf(server).events.stream({ signal: controller.signal })) controller.abort(new Error('enough'))
    })()
    await assert.rejects(followed, /enough/)
    await take(clientOf(server).events.stream(), 1)
    while (closed.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
  })
})

describe('the event stream of the service', () => {
  let service: Service
  before(async () => {
    service = await startOverture()
  })

  it('returns every event once and in order, both past and new ones', async () => {
    const overture = new Overture({ baseUrl: service.baseUrl, token: service.client.token })
    const { id } = await overture.campaigns.create({ name: 'Streamed' })
    await overture.campaigns.duplicate(id, { name: 'Before' }).wait()
    const seen: Event[] = []
    for await (const event of overture.events.stream({ after: 0, types: ['operation.succeeded'] })) {
      seen.push(event)
      if (seen.length === 1) await overture.campaigns.duplicate(id, { name: 'Meanwhile' })
      else break
    }
    assert.deepEqual(
      seen.map(event => event.type === 'operation.succeeded' && event.data.action),
      ['campaign.duplicate', 'campaign.duplicate'],
    )
    assert.ok(seen[0]!.seq < seen[1]!.seq)
  })
})
