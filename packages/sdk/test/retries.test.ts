import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Overture, OvertureError } from '../src/index.ts'
import { answer, type Behaviour, breakOff, hangUp, OddServer, refuse, staySilent } from './odd-server.ts'

const workspaceId = '0197b1c2-4f6a-7000-8000-000000000001'
const done = answer(200, { data: { id: 'x' } })
const clientOf = ({ baseUrl }: OddServer, options = {}) => new Overture({ baseUrl, token: 'secret', workspaceId, ...options })

describe('a failed request', () => {
  const worthIt = {
    '503': refuse(503, 'service_unavailable', { 'retry-after': '0' }),
    '429': refuse(429, 'rate_limited'),
    hangUp,
    breakOff,
  }
  for (const [name, behaviour] of Object.entries(worthIt)) {
    it(`is repeated after ${name}, with the same idempotency key and body`, async () => {
      const server = await OddServer.start(behaviour, behaviour, done)
      const campaign = await clientOf(server).campaigns.create({ name: 'Spring' })
      assert.equal(campaign.id, 'x')
      const [first, ...others] = server.seen
      assert.equal(others.length, 2)
      assert.match(String(first!.headers['idempotency-key']), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
      for (const again of others) {
        assert.equal(again.headers['idempotency-key'], first!.headers['idempotency-key'])
        assert.equal(again.body, '{"name":"Spring"}')
      }
    })
  }

  for (const status of [400, 401, 404, 409, 422, 500, 502, 504]) {
    it(`is not repeated after ${status}`, async () => {
      const server = await OddServer.start(refuse(status, 'some_code'), done)
      await assert.rejects(clientOf(server).campaigns.create({ name: 'Spring' }), { code: 'some_code', status, requestId: 'request-1' })
      assert.equal(server.seen.length, 1)
    })
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`is not sent to another host by a ${status}`, async () => {
      const other = await OddServer.start(done)
      const server = await OddServer.start(answer(status, '', { location: `${other.baseUrl}/` }))
      await assert.rejects(clientOf(server).campaigns.create({ name: 'Spring' }), {
        code: 'unexpected_answer',
        message: /redirect.* baseUrl/,
      })
      assert.deepEqual([server.seen.length, other.seen.length], [1, 0])
    })
  }

  it('does not show the token or the password of a wrong setting', async () => {
    const shown = async (options: object) => {
      const error = await clientOf(await OddServer.start(done), options)
        .campaigns.get('x')
        .catch((thrown: OvertureError) => thrown)
      assert.ok(error instanceof OvertureError)
      assert.equal(error.code, 'invalid_argument')
      assert.doesNotMatch(`${error.message} ${error.cause}`, /hidden/)
    }
    await shown({ token: 'hidden\nhidden' })
    await shown({ token: 'hidden\u2019' })
    await shown({ baseUrl: 'http://user:hidden@127.0.0.1:1' })
  })

  it('ends a list whose next page is the same page', async () => {
    const server = await OddServer.start(
      answer(200, { data: [{ id: 'x' }], meta: { pagination: { nextCursor: 'again', hasMore: true, limit: 1 } } }),
    )
    const readAll = async () => {
      for await (const _ of clientOf(server).campaigns.list());
    }
    await assert.rejects(readAll(), { code: 'unexpected_answer' })
    assert.equal(server.seen.length, 2)
  })

  it('is not repeated if Retry-After exceeds the time limit', async () => {
    for (const when of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
      const server = await OddServer.start(refuse(503, 'service_unavailable', { 'retry-after': when }), done)
      await assert.rejects(clientOf(server).campaigns.get('x'), { code: 'service_unavailable', status: 503 })
      assert.equal(server.seen.length, 1)
    }
  })

  it('fails after the allowed number of attempts', async () => {
    const server = await OddServer.start(hangUp)
    // With the reason, which the platform hides behind "fetch failed".
    const hungUp = { code: 'network_error', status: 0, message: /^No response: (?!.*fetch failed)/ }
    await assert.rejects(clientOf(server, { retries: 2 }).campaigns.get('x'), hungUp)
    assert.equal(server.seen.length, 3)
    const once = await OddServer.start(refuse(429, 'rate_limited'))
    await assert.rejects(clientOf(once, { retries: 0 }).campaigns.get('x'), { code: 'rate_limited' })
    assert.equal(once.seen.length, 1)
  })

  it('is repeated if there is no response in time', async () => {
    const server = await OddServer.start(staySilent, done)
    await clientOf(server, { timeoutMs: 100 }).campaigns.get('x')
    assert.equal(server.seen.length, 2)
  })

  it('ends at once when aborted: during an attempt, between attempts, and before the first', async () => {
    const silent = await OddServer.start(staySilent)
    const underWay = new AbortController()
    const waiting = clientOf(silent).campaigns.get('x', { signal: underWay.signal })
    underWay.abort(new Error('enough'))
    await assert.rejects(waiting, /enough/)

    const between = new AbortController()
    const busy = await OddServer.start((request, response, body) => {
      refuse(503, 'service_unavailable', { 'retry-after': '30' })(request, response, body)
      setTimeout(() => between.abort(new Error('enough')), 50)
    })
    await assert.rejects(clientOf(busy).campaigns.get('x', { signal: between.signal }), /enough/)
    assert.equal(busy.seen.length, 1)

    const never = await OddServer.start(done)
    await assert.rejects(clientOf(never).campaigns.get('x', { signal: AbortSignal.abort(new Error('enough')) }), /enough/)
    assert.equal(never.seen.length, 0)
  })

  it('ends with the signal of the client: a request, a pending operation, and a stream', async () => {
    const running = answer(200, { id: 'x', action: 'campaign.update', status: 'running' })
    const server = await OddServer.start(staySilent)
    const slow = await OddServer.start(running)
    const stop = new AbortController()
    const { signal } = stop
    const [request, operation, stream] = [
      clientOf(server, { signal }).campaigns.get('x'),
      clientOf(slow, { signal }).wait('x'),
      clientOf(server, { signal }).events.stream()[Symbol.asyncIterator]().next(),
    ]
    setTimeout(() => stop.abort(new Error('enough')), 50)
    for (const each of [request, operation, stream]) await assert.rejects(each, /enough/)
    assert.ok(slow.seen.length <= 2)
  })
})

describe('the lookup of the workspace', () => {
  const found = answer(200, { data: [{ id: workspaceId }] })

  it('is shared by calls, and continues for the others when one of them is aborted', async () => {
    let letGo = () => {}
    const looked = new Promise<void>(resolve => {
      letGo = resolve
    })
    const held: (() => void)[] = []
    const server = await OddServer.start((request, response, body) => {
      held.push(() => found(request, response, body))
      letGo()
    }, done)
    const client = clientOf(server, { workspaceId: undefined })
    const stop = new AbortController()
    const aborted = client.campaigns.get('a', { signal: stop.signal })
    const other = client.campaigns.get('b')
    await looked
    stop.abort(new Error('enough'))
    await assert.rejects(aborted, /enough/)
    for (const release of held) release()
    assert.equal((await other).id, 'x')
    assert.deepEqual(
      server.seen.map(({ url }) => url),
      ['/v1/workspaces?limit=2', `/v1/workspaces/${workspaceId}/campaigns/b`],
    )
  })

  it('does not start for an aborted call, and is repeated after a failure', async () => {
    const server = await OddServer.start(refuse(500, 'internal_error'), found, done)
    const client = clientOf(server, { workspaceId: undefined })
    await assert.rejects(client.campaigns.get('a', { signal: AbortSignal.abort(new Error('enough')) }), /enough/)
    assert.equal(server.seen.length, 0)
    const both = await Promise.allSettled([client.campaigns.get('a'), client.campaigns.get('b')])
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal((await client.campaigns.get('a')).id, 'x')
    assert.equal(server.seen.length, 3)
  })
})

describe('a response that is not from the service', () => {
  it('is an error with the status and no code of the service', async () => {
    const server = await OddServer.start(answer(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }))
    await assert.rejects(clientOf(server).campaigns.get('x'), (error: unknown) => {
      assert.ok(error instanceof OvertureError)
      assert.deepEqual([error.code, error.status, error.issues], ['unexpected_answer', 502, []])
      return true
    })
  })

  it('is an error even with status 200', async () => {
    const server = await OddServer.start(answer(200, '<html>Please log in</html>'))
    await assert.rejects(clientOf(server).campaigns.get('x'), { code: 'unexpected_answer', status: 200 })
    assert.equal(server.seen.length, 1)
  })
})

describe('waiting for an operation', () => {
  const reference = (status: string) => ({ id: 'op', status, links: { self: '' } })
  const operation = (status: string, more = {}) => ({ id: 'op', action: 'campaign.pause', status, result: null, error: null, ...more })

  it('asks the service to wait, and polls again if that was not long enough', async () => {
    const server = await OddServer.start(
      answer(202, reference('queued')),
      answer(200, operation('running')),
      answer(200, operation('succeeded', { result: { campaign: { id: 'x' } } })),
    )
    const result = await clientOf(server).campaigns.pause('x').wait()
    assert.equal(result.campaign.id, 'x')
    assert.equal(server.seen[0]!.headers.prefer, 'wait=20')
    assert.deepEqual(
      server.seen.slice(1).map(({ method, url }) => `${method} ${url}`),
      ['GET /v1/operations/op', 'GET /v1/operations/op'],
    )
  })

  it('asks the service to wait no longer than the time limits of the operation and of one attempt', async () => {
    const preferred = async (client: object, call: { wait?: number }, timeoutMs?: number) => {
      const server = await OddServer.start(answer(202, reference('queued')), answer(200, operation('succeeded', { result: {} })))
      await clientOf(server, client).campaigns.pause('x', call).wait({ timeoutMs })
      return server.seen[0]!.headers.prefer
    }
    assert.equal(await preferred({}, {}, 1999), 'wait=1')
    assert.equal(await preferred({}, { wait: 30 }, 5000), 'wait=5')
    assert.equal(await preferred({}, {}, 500), undefined)
    assert.equal(await preferred({ timeoutMs: 3000 }, {}), 'wait=2')
    assert.equal(await preferred({ timeoutMs: 3000 }, { wait: 30 }), 'wait=2')
    assert.equal(await preferred({ timeoutMs: 1000 }, {}), undefined)
    assert.equal(await preferred({}, { wait: 30 }), 'wait=30')
  })

  it('sends the write once, even if the operation takes longer than one attempt', async () => {
    // Answers as late as it was asked to, like the service.
    const patient: Behaviour = (request, response, body) => {
      const seconds = Number(/^wait=(\d+)$/.exec(String(request.headers.prefer))?.[1] ?? 0)
      setTimeout(() => answer(202, reference('running'))(request, response, body), seconds * 1000)
    }
    const server = await OddServer.start(
      patient,
      answer(200, operation('running')),
      answer(200, operation('succeeded', { result: { campaign: { id: 'x' } } })),
    )
    const { campaign } = await clientOf(server, { timeoutMs: 2000 }).campaigns.pause('x').wait()
    assert.equal(campaign.id, 'x')
    assert.deepEqual(
      server.seen.map(({ method }) => method),
      ['POST', 'GET', 'GET'],
    )
    assert.equal(server.seen[0]!.headers.prefer, 'wait=1')

    // The time in which the write was answered counts.
    const slow = await OddServer.start(patient, answer(200, operation('running')))
    await assert.rejects(clientOf(slow).campaigns.pause('x').wait({ timeoutMs: 1000 }), {
      code: 'wait_timeout',
      details: { operationId: 'op' },
    })
    assert.equal(slow.seen.length, 2)
  })

  it('does not ask the service to wait without wait()', async () => {
    const server = await OddServer.start(answer(202, reference('queued')))
    const handle = await clientOf(server).campaigns.pause('x')
    assert.equal(handle.status, 'queued')
    assert.equal(server.seen[0]!.headers.prefer, undefined)
    assert.equal(server.seen.length, 1)
  })

  it('reports each progress, including the first state at once', async () => {
    const running = (doneCount: number) => answer(200, operation('running', { action: 'campaign.import_csv', doneCount }))
    const server = await OddServer.start(
      ...[answer(202, reference('queued')), answer(200, operation('queued')), running(0), running(0), running(500)],
      answer(200, operation('succeeded', { result: { importedCount: 600 } })),
    )
    const told: string[] = []
    const { importedCount } = await clientOf(server)
      .leads.importCsv('x', {}, 'email')
      .wait({ onProgress: ({ status, doneCount }) => told.push(`${status} ${doneCount}`) })
    assert.equal(importedCount, 600)
    assert.deepEqual(told, ['queued undefined', 'running 0', 'running 500'])
    assert.equal(server.seen[0]!.headers.prefer, undefined)
  })

  it('ends at once when its signal is aborted, before the response or between polls, and sends no more requests', async () => {
    const silent = await OddServer.start(staySilent)
    const early = new AbortController()
    const unanswered = clientOf(silent).campaigns.pause('x').wait({ signal: early.signal })
    early.abort(new Error('gone'))
    await assert.rejects(unanswered, /gone/)

    const server = await OddServer.start(answer(202, reference('queued')), answer(200, operation('running')))
    const late = new AbortController()
    const onProgress = () => setImmediate(() => late.abort(new Error('left')))
    await assert.rejects(clientOf(server).campaigns.pause('x').wait({ signal: late.signal, onProgress }), /left/)
    assert.equal(server.seen.length, 2)
  })

  it('ends after its time limit, and names the operation that continues', async () => {
    const server = await OddServer.start(answer(202, reference('queued')), answer(200, operation('running')))
    await assert.rejects(clientOf(server).campaigns.pause('x').wait({ timeoutMs: 100 }), {
      code: 'wait_timeout',
      details: { operationId: 'op' },
    })
  })
})
