import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { sql } from '../../src/db/sql.ts'
import type { EventType } from '../../src/modules/events/data-schema.ts'
import { recordEvent } from '../../src/modules/events/events.ts'
import { forgetDeliveries, releaseDeliveriesOfDeadWorkers } from '../../src/modules/webhooks/queries.ts'
import { WebhookWorker } from '../../src/modules/webhooks/tasks.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { eventually as eventuallyNamed } from '../faults/eventually.ts'
import { type Overture, type Reply, startOverture, TEST_SECRET } from '../harness.ts'
import { madeUpData } from '../made-up-events.ts'

interface Heard {
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: events of every kind
  event: any
  response: ServerResponse
}

/** A receiver that returns its requests to the test one by one. */
class Receiver {
  url = ''
  readonly heard: Heard[] = []
  answer: (heard: Heard) => void = ({ response }) => response.writeHead(204).end()
  readonly #waiting: (() => void)[] = []
  readonly #server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const heard = { headers: request.headers, body, event: JSON.parse(body), response }
    this.heard.push(heard)
    this.answer(heard)
    for (const wake of this.#waiting.splice(0)) wake()
  })

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    receiver.#server.listen(0, '127.0.0.1')
    await once(receiver.#server, 'listening')
    receiver.url = `http://127.0.0.1:${(receiver.#server.address() as AddressInfo).port}/hook`
    after(() => {
      receiver.#server.close()
      receiver.#server.closeAllConnections()
    })
    return receiver
  }

  answerWith(status: number, headers: Record<string, string> = {}): void {
    this.answer = ({ response }) => response.writeHead(status, headers).end()
  }

  /** Leaves requests without a response until the test answers them. */
  hang(): void {
    this.answer = () => {}
  }

  async hears(count: number): Promise<Heard[]> {
    while (this.heard.length < count) await new Promise<void>(resolve => this.#waiting.push(resolve))
    return this.heard
  }
}

/** The record of a worker appears a moment after the receiver got the request. */
const eventually = <T>(look: () => Promise<T | undefined | false>) => eventuallyNamed('it is in the log', look)

const verified = (secret: string, heard: Heard): unknown => new Webhook(secret).verify(heard.body, heard.headers as Record<string, string>)

describe('webhooks', () => {
  let overture: Overture
  let hooks: string

  before(async () => {
    overture = await startOverture()
    hooks = `${overture.home}/webhooks`
  })

  async function createEndpoint(url: string, events: string[] = ['*']): Promise<Reply['body']> {
    const created = await overture.client.post(hooks, { url, events })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    after(() =>
      overture.ctx.db
        .inTransaction(tx => tx.run(sql('delete from webhook_endpoints where id = $1'), [created.body.data.id]))
        .catch(() => {}),
    )
    return created.body.data
  }

  const read = async (id: string) => (await overture.client.get(`${hooks}/${id}`)).body.data
  const deliveriesOf = async (id: string, query = '') => (await overture.client.get(`${hooks}/${id}/deliveries${query}`)).body.data
  const change = (text: string, values: unknown[] = []) => overture.ctx.db.inTransaction(tx => tx.run(sql(text), values))

  function emit(type: EventType, data: Record<string, unknown> = {}, timestamp = new Date()): Promise<string> {
    return overture.ctx.db.inTransaction(async tx =>
      recordEvent(tx, { workspaceId: overture.workspaceId, type, timestamp, data: madeUpData(type, data) }),
    )
  }

  /** Makes the waiting attempts of an endpoint due, as if their time had come. */
  async function letTimePass(endpointId: string, attempt = 2): Promise<void> {
    await eventually(async () =>
      (await deliveriesOf(endpointId, '?status=pending')).some((waiting: { attempt: number }) => waiting.attempt === attempt),
    )
    await change(`update deliveries set due_at = now() where endpoint_id = $1 and status = 'pending'`, [endpointId])
    overture.ctx.wake.wake(['deliveries'])
  }

  test('a caller who cannot change an endpoint sees only the host of its url', async () => {
    const { client, home } = overture
    const { id } = await createEndpoint('https://hooks.example.com/in/hidden-0?token=hidden-1')
    const url = 'https://ada:hidden-2@hooks.example.com/in/hidden-0?token=hidden-1&hidden-3&a=hidden-4=&b#hidden-5'
    await change('update webhook_endpoints set url = $2 where id = $1', [id, url])
    const reader = await overture.withScopes(['webhooks:read', 'operations:read'])
    const seen = [await reader.get(`${hooks}/${id}`), await reader.get(hooks), await reader.get(`${home}/operations?action=webhook.create`)]
    assert.equal(seen[0]!.body.data.url, 'https://hooks.example.com/***')
    for (const { status, body } of seen) assert.deepEqual([status, /hidden-/.exec(JSON.stringify(body))?.[0]], [200, undefined])
    assert.deepEqual([seen[1]!.body.data[0].url, seen[2]!.body.data[0].result], [seen[0]!.body.data.url, null])
    const plain = await createEndpoint('https://hooks.example.com')
    assert.equal((await reader.get(`${hooks}/${plain.id}`)).body.data.url, 'https://hooks.example.com/')
    assert.equal((await client.get(`${hooks}/${id}`)).body.data.url, url)
    assert.equal(
      (await client.get(`${home}/operations?action=webhook.create`)).body.data[1].result.webhook.url,
      'https://hooks.example.com/in/hidden-0?token=hidden-1',
    )
  })

  test('creating an endpoint returns its secret, which is not shown again', async () => {
    const created = await overture.client.post(hooks, {
      url: 'https://hooks.example.com/in',
      events: ['lead_search.completed', 'ai_sdr.positive_reply'],
    })
    assert.equal(created.status, 201)
    const { secret, ...endpoint } = created.body.data
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(endpoint, {
      id: endpoint.id,
      workspaceId: overture.workspaceId,
      url: 'https://hooks.example.com/in',
      events: ['lead_search.completed', 'ai_sdr.positive_reply'],
      status: 'active',
      description: null,
      disabledReason: null,
      createdAt: endpoint.createdAt,
      updatedAt: endpoint.createdAt,
      links: { self: `${overture.baseUrl}${hooks}/${endpoint.id}` },
    })
    assert.equal(created.headers.location, endpoint.links.self)
    assert.deepEqual((await overture.client.get(`${hooks}/${endpoint.id}`)).body, { data: endpoint })
    assert.deepEqual((await overture.client.get(hooks)).body.data[0], endpoint)
    assert.equal((await overture.client.delete(`${hooks}/${endpoint.id}`)).status, 204)
    assert.equal((await overture.client.get(`${hooks}/${endpoint.id}`)).status, 404)
  })

  test('a repeated creation returns the same endpoint and secret, and the operation does not store the secret', async () => {
    const body = { url: 'https://hooks.example.com/again', events: ['*'], description: 'once' }
    const headers = { 'idempotency-key': 'create-once' }
    const first = await overture.client.post(hooks, body, { headers })
    const second = await overture.client.post(hooks, body, { headers })
    assert.deepEqual([first.status, second.status, second.headers['idempotent-replayed']], [201, 200, 'true'])
    assert.deepEqual(second.body, first.body)
    const kept = await overture.ctx.db.many<{ result: unknown }>(sql(`select result from operations where idempotency_key = 'create-once'`))
    assert.ok(!JSON.stringify(kept).includes('whsec_'))
    assert.equal(
      (await overture.client.post(hooks, { ...body, events: ['email.sent'] }, { headers })).body.error.code,
      'idempotency_key_reused',
    )
    await overture.client.delete(`${hooks}/${first.body.data.id}`)
    assert.equal((await overture.client.post(hooks, body, { headers })).body.data.secret, null)
  })

  test('an invalid endpoint returns 422', async () => {
    const url = 'https://hooks.example.com/'
    const wrong: [unknown, string][] = [
      [{ url }, 'validation_failed'],
      [{ events: ['*'] }, 'validation_failed'],
      [{ url, events: [] }, 'validation_failed'],
      [{ url, events: ['email.sent', 'email.sent'] }, 'validation_failed'],
      [{ url, events: ['*', 'email.sent'] }, 'validation_failed'],
      [{ url, events: ['email.invented'] }, 'validation_failed'],
      [{ url: 'ftp://example.com/', events: ['*'] }, 'validation_failed'],
      [{ url, events: ['*'], secret: 'whsec_mine' }, 'validation_failed'],
      [{ url, events: ['*'], status: 'disabled' }, 'validation_failed'],
      [{ url: 'https://user:pass@example.com/', events: ['*'] }, 'url_not_allowed'],
      [{ url: 'http://169.254.169.254/latest/', events: ['*'] }, 'url_not_allowed'],
    ]
    for (const [body, code] of wrong) {
      const refused = await overture.client.post(hooks, body)
      assert.deepEqual([refused.status, refused.body.error.code], [422, code], JSON.stringify(body))
    }
  })

  test('an event arrives once, signed, and equal to its entry in the log', async () => {
    const receiver = await Receiver.start()
    const endpoint = await createEndpoint(receiver.url, ['email.sent', 'campaign.paused'])
    await emit('email.opened')
    const id = await emit('email.sent', { subject: 'Grüße 🌍', amount: 1.5 })
    const [heard] = await receiver.hears(1)
    assert.equal(heard!.headers['webhook-id'], id)
    assert.equal(heard!.headers['content-type'], 'application/json')
    assert.match(String(heard!.headers['user-agent']), /^Overture\/\d/)
    const event = verified(endpoint.secret, heard!)
    const log = await overture.client.get(`${overture.home}/events?type=email.sent`)
    const { links: _links, ...logged } = log.body.data.at(-1)
    assert.deepEqual(event, logged)
    assert.deepEqual(Object.keys(heard!.event), ['id', 'type', 'timestamp', 'workspaceId', 'seq', 'data'])
    const [delivery] = await eventually(async () => {
      const list = await deliveriesOf(endpoint.id, '?status=succeeded')
      return list.length === 1 && list
    })
    const { durationMs, createdAt, ...rest } = delivery
    assert.ok(durationMs >= 0 && createdAt)
    assert.deepEqual(rest, {
      id: delivery.id,
      workspaceId: overture.workspaceId,
      endpointId: endpoint.id,
      eventId: id,
      eventType: 'email.sent',
      attempt: 1,
      status: 'succeeded',
      responseStatus: 204,
      error: null,
      nextAttemptAt: null,
      links: { self: `${endpoint.links.self}/deliveries/${delivery.id}` },
    })
    assert.deepEqual((await overture.client.get(delivery.links.self)).body.data, delivery)
    assert.equal(receiver.heard.length, 1)
  })

  test('an operation records its event, and events of other workspaces are not delivered', async () => {
    const receiver = await Receiver.start()
    await createEndpoint(receiver.url, ['operation.succeeded'])
    const stranger = await overture.stranger()
    const theirs = (await stranger.client.post(`${stranger.home}/campaigns`, { name: 'Theirs' })).body.data
    await stranger.client.operate('POST', `${stranger.home}/campaigns/${theirs.id}/duplicate`, { name: 'Copy' })
    const mine = (await overture.client.post(`${overture.home}/campaigns`, { name: 'Mine' })).body.data
    const operation = await overture.client.operate('POST', `${overture.home}/campaigns/${mine.id}/duplicate`, { name: 'Copy' })
    const [heard] = await receiver.hears(1)
    assert.equal(heard!.event.data.operationId, operation.id)
    assert.equal(heard!.event.workspaceId, overture.workspaceId)
  })

  test('a failed delivery is retried on schedule, with the same body and a new signature', async () => {
    const receiver = await Receiver.start()
    receiver.answerWith(500)
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    const id = await emit('email.sent', { step: 1 })
    await receiver.hears(1)
    const [second, first] = await eventually(async () => {
      const list = await deliveriesOf(endpoint.id)
      return list.length === 2 && list
    })
    assert.deepEqual([first.attempt, first.status, first.responseStatus, first.error], [1, 'failed', 500, 'status'])
    assert.deepEqual([second.attempt, second.status, second.eventId], [2, 'pending', id])
    assert.equal(first.nextAttemptAt, second.nextAttemptAt)
    const delayMs = Date.parse(first.nextAttemptAt) - Date.parse(second.createdAt)
    assert.ok(delayMs >= 4500 && delayMs <= 5500, `${delayMs} ms`)

    receiver.answerWith(200)
    await letTimePass(endpoint.id)
    const [one, two] = await receiver.hears(2)
    assert.equal(two!.body, one!.body)
    assert.equal(two!.headers['webhook-id'], id)
    verified(endpoint.secret, two!)
    await eventually(async () => (await deliveriesOf(endpoint.id, '?status=succeeded')).length === 1)
  })

  test('Retry-After is honored', async () => {
    const receiver = await Receiver.start()
    receiver.answerWith(429, { 'retry-after': '3600' })
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    await emit('email.sent')
    const [pending] = await eventually(async () => {
      const list = await deliveriesOf(endpoint.id)
      return list.length === 2 && list
    })
    assert.equal(Date.parse(pending.nextAttemptAt) - Date.parse(pending.createdAt), 3_600_000)
  })

  test('there is no attempt after the tenth', async () => {
    const receiver = await Receiver.start()
    receiver.answerWith(500)
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    await emit('email.sent')
    for (let attempt = 2; attempt <= 10; attempt++) await letTimePass(endpoint.id, attempt)
    await receiver.hears(10)
    const log = await eventually(async () => {
      const list = await deliveriesOf(endpoint.id, '?status=failed')
      return list.length === 10 && list
    })
    assert.deepEqual(
      log.map((delivery: { attempt: number }) => delivery.attempt),
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    )
    assert.equal(log[0].nextAttemptAt, null)
    assert.deepEqual(await deliveriesOf(endpoint.id, '?status=pending'), [])
  })

  test('a redirect is a failure and is not followed', async () => {
    const [receiver, elsewhere] = [await Receiver.start(), await Receiver.start()]
    receiver.answerWith(307, { location: elsewhere.url })
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    await emit('email.sent')
    const [failed] = await eventually(async () => {
      const list = await deliveriesOf(endpoint.id, '?status=failed')
      return list.length === 1 && list
    })
    assert.deepEqual([failed.responseStatus, failed.error], [307, 'redirect'])
    assert.equal(elsewhere.heard.length, 0)
  })

  test('a receiver that returns 410 is disabled at once; after reactivation it gets pending and new events', async () => {
    const receiver = await Receiver.start()
    receiver.answerWith(500)
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    const waiting = await emit('email.sent', { step: 1 })
    await eventually(
      async () => (await deliveriesOf(endpoint.id, '?status=pending')).length === 1 && (await deliveriesOf(endpoint.id)).length === 2,
    )
    receiver.answerWith(410)
    await emit('email.sent', { step: 2 })
    const disabled = await eventually(async () => {
      const now = await read(endpoint.id)
      return now.status === 'disabled' && now
    })
    assert.equal(disabled.disabledReason, 'gone')
    await emit('email.sent', { step: 3 })

    receiver.answerWith(200)
    const before = receiver.heard.length
    const active = await overture.client.patch(`${hooks}/${endpoint.id}`, { status: 'active' })
    assert.deepEqual([active.body.data.status, active.body.data.disabledReason], ['active', null])
    const last = await emit('email.sent', { step: 4 })
    await letTimePass(endpoint.id)
    const heard = (await receiver.hears(before + 2)).slice(before)
    assert.deepEqual(new Set(heard.map(({ event }) => event.id)), new Set([waiting, last]))
  })

  test('five days of failures disable an endpoint; one success resets the count', async () => {
    const receiver = await Receiver.start()
    receiver.answerWith(503)
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    const age = () => change(`update webhook_endpoints set failing_since = failing_since - interval '5 days' where id = $1`, [endpoint.id])
    const failures = (count: number) => eventually(async () => (await deliveriesOf(endpoint.id, '?status=failed')).length === count)

    await emit('email.sent', { step: 1 })
    await failures(1)
    await age()
    receiver.answerWith(200)
    await emit('email.sent', { step: 2 })
    await eventually(async () => (await deliveriesOf(endpoint.id, '?status=succeeded')).length === 1)
    receiver.answerWith(503)
    await emit('email.sent', { step: 3 })
    await failures(2)
    assert.equal((await read(endpoint.id)).status, 'active')
    await age()
    await emit('email.sent', { step: 4 })
    await failures(3)
    const { status, disabledReason } = await eventually(async () => {
      const now = await read(endpoint.id)
      return now.status !== 'active' && now
    })
    assert.deepEqual([status, disabledReason], ['disabled', 'failing'])
  })

  test('a hanging receiver does not delay another', async () => {
    const [slow, quick] = [await Receiver.start(), await Receiver.start()]
    slow.hang()
    const endpoint = await createEndpoint(slow.url, ['email.sent'])
    await createEndpoint(quick.url, ['email.sent'])
    for (let n = 0; n < 30; n++) await emit('email.sent', { step: n })
    await quick.hears(30)
    await slow.hears(8)
    assert.equal(slow.heard.length, 8)
    for (let n = 30; n < 40; n++) await emit('email.sent', { step: n })
    await quick.hears(40)
    assert.deepEqual(await deliveriesOf(endpoint.id, '?status=succeeded'), [])
    slow.answerWith(200)
    for (const { response } of slow.heard.slice(0, 8)) response.end()
    await slow.hears(40)
    assert.equal(new Set(slow.heard.map(({ event }) => event.id)).size, 40)
  })

  test('a due attempt is made while events for another endpoint keep arriving', async () => {
    const [failing, quick] = [await Receiver.start(), await Receiver.start()]
    failing.answerWith(500)
    const endpoint = await createEndpoint(failing.url, ['email.clicked'])
    await createEndpoint(quick.url, ['email.sent'])
    await emit('email.clicked')
    await eventually(async () => (await deliveriesOf(endpoint.id, '?status=pending'))[0]?.attempt === 2)
    // Nothing announces it: time alone makes an attempt due.
    await change(`update deliveries set due_at = now() where endpoint_id = $1 and status = 'pending'`, [endpoint.id])
    const endMs = Date.now() + 10_000
    for (let n = 1; failing.heard.length < 2 && Date.now() < endMs; n++) {
      await emit('email.sent', { step: n })
      await quick.hears(n)
    }
    assert.equal(failing.heard.length, 2)
  })

  test('during the overlap of a rotation, the old and the new secret verify; afterwards only the new one', async () => {
    const receiver = await Receiver.start()
    const { id, secret: old } = await createEndpoint(receiver.url, ['email.sent'])
    const rotated = await overture.client.post(`${hooks}/${id}/rotate-secret`, {}, { headers: { 'idempotency-key': 'rotate' } })
    assert.equal(rotated.status, 200)
    const { secret } = rotated.body.data
    assert.notEqual(secret, old)
    const again = await overture.client.post(`${hooks}/${id}/rotate-secret`, {}, { headers: { 'idempotency-key': 'rotate' } })
    assert.equal(again.body.data.secret, secret)

    await emit('email.sent')
    const [during] = await receiver.hears(1)
    verified(secret, during!)
    verified(old, during!)

    await change('update webhook_endpoints set previous_secret_until = now() where id = $1', [id])
    await emit('email.sent')
    const afterwards = (await receiver.hears(2))[1]!
    verified(secret, afterwards)
    assert.throws(() => verified(old, afterwards), WebhookVerificationError)

    const atOnce = await overture.client.post(`${hooks}/${id}/rotate-secret`, { overlapSeconds: 0 })
    await emit('email.sent')
    const third = (await receiver.hears(3))[2]!
    verified(atOnce.body.data.secret, third)
    assert.equal(String(third.headers['webhook-signature']).split(' ').length, 1)
    assert.equal((await overture.client.post(`${hooks}/${id}/rotate-secret`, { overlapSeconds: 604_801 })).status, 422)
  })

  test('a replay sends the subscribed events of a period again', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))
    await emit('email.clicked', {}, at(0))
    const first = await emit('email.bounced', {}, at(1))
    await emit('email.opened', {}, at(2))
    const last = await emit('email.clicked', {}, at(3))
    await emit('email.clicked', {}, at(4))

    const receiver = await Receiver.start()
    const endpoint = await createEndpoint(receiver.url, ['email.bounced', 'email.clicked'])
    const replay = (body: unknown) => overture.client.post(`${hooks}/${endpoint.id}/replay`, body)
    const replayed = await replay({ since: at(1), until: at(3) })
    assert.deepEqual([replayed.status, replayed.body], [200, { data: { replayedCount: 2 } }])
    const heard = await receiver.hears(2)
    assert.deepEqual(new Set(heard.map(({ event }) => event.id)), new Set([first, last]))
    for (const one of heard) verified(endpoint.secret, one)

    assert.deepEqual((await replay({ since: at(5), until: at(6) })).body, { data: { replayedCount: 0 } })
    assert.ok((await replay({ since: at(0) })).body.data.replayedCount >= 4)
    assert.equal((await replay({ since: at(1), until: at(0) })).status, 422)
    assert.equal((await replay({})).status, 422)
  })

  test('a delivery can be sent again: a new attempt after its end, or the pending one at once', async () => {
    const receiver = await Receiver.start()
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    const id = await emit('email.sent', { step: 1 })
    const [done] = await eventually(async () => {
      const list = await deliveriesOf(endpoint.id, '?status=succeeded')
      return list.length === 1 && list
    })
    const again = await overture.client.post(`${hooks}/${endpoint.id}/deliveries/${done.id}/retry`, {})
    assert.deepEqual([again.status, again.body.data.attempt, again.body.data.eventId], [201, 2, id])
    await receiver.hears(2)

    receiver.answerWith(500)
    const failing = await emit('email.sent', { step: 2 })
    const waiting = await eventually(async () => {
      const list = await deliveriesOf(endpoint.id, '?status=pending')
      return list.find((delivery: { eventId: string; attempt: number }) => delivery.eventId === failing && delivery.attempt === 2)
    })
    const failed = (await deliveriesOf(endpoint.id, '?status=failed'))[0]
    receiver.answerWith(200)
    const hastened = await overture.client.post(`${hooks}/${endpoint.id}/deliveries/${failed.id}/retry`, {})
    assert.deepEqual([hastened.status, hastened.body.data.id], [200, waiting.id])
    const announced = (await overture.client.get(failed.links.self)).body.data.nextAttemptAt
    assert.equal(announced, hastened.body.data.nextAttemptAt, 'the failed attempt announces no later one than there is')
    await receiver.hears(4)
    await eventually(async () => (await overture.client.get(waiting.links.self)).body.data.status === 'succeeded')
    assert.equal((await overture.client.post(`${hooks}/${endpoint.id}/deliveries/${overture.workspaceId}/retry`, {})).status, 404)
  })

  test('a test event goes only to its endpoint', async () => {
    const [mine, other] = [await Receiver.start(), await Receiver.start()]
    const endpoint = await createEndpoint(mine.url, ['email.sent'])
    await createEndpoint(other.url, ['*'])
    const tested = await overture.client.post(`${hooks}/${endpoint.id}/test`, {})
    assert.equal(tested.status, 201)
    assert.deepEqual([tested.body.data.eventType, tested.body.data.status], ['webhook.test', 'pending'])
    const [heard] = await mine.hears(1)
    assert.equal(heard!.event.type, 'webhook.test')
    assert.equal(heard!.event.id, tested.body.data.eventId)
    verified(endpoint.secret, heard!)
    const done = await eventually(async () => {
      const { data } = (await overture.client.get(tested.body.data.links.self)).body
      return data.status === 'succeeded' && data
    })
    assert.equal(done.createdAt, tested.body.data.createdAt)
    await emit('email.sent')
    await Promise.all([mine.hears(2), other.hears(1)])
    assert.equal(other.heard[0]!.event.type, 'email.sent')
  })

  test('a paused or disabled endpoint refuses tests, retries and replays, because nothing would be sent', async () => {
    const receiver = await Receiver.start()
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    const path = `${hooks}/${endpoint.id}`
    await emit('email.sent')
    const done = await eventually(async () => (await deliveriesOf(endpoint.id, '?status=succeeded'))[0])
    const requests = [
      () => overture.client.post(`${path}/test`, {}),
      () => overture.client.post(`${path}/deliveries/${done.id}/retry`, {}),
      () => overture.client.post(`${path}/replay`, { since: new Date(0) }),
    ]
    const disable = `update webhook_endpoints set status = 'disabled', disabled_reason = 'gone' where id = $1`
    for (const status of ['paused', 'disabled']) {
      if (status === 'paused') await overture.client.patch(path, { status })
      else await change(disable, [endpoint.id])
      for (const request of requests) {
        const { status: answered, body } = await request()
        assert.deepEqual([answered, body.error.code], [409, 'invalid_state'])
        assert.deepEqual(body.error.details, { currentStatus: status, allowedStatuses: ['active'] })
        assert.match(body.error.message, /Activate it first/)
      }
    }
    assert.equal((await deliveriesOf(endpoint.id)).length, 1)
    await overture.client.patch(path, { status: 'active' })
    assert.equal((await requests[1]!()).status, 201)
    await receiver.hears(2)
  })

  test('a paused endpoint gets no new events, but pending deliveries continue later', async () => {
    const receiver = await Receiver.start()
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    await emit('email.sent', { step: 1 })
    await receiver.hears(1)
    assert.equal((await overture.client.patch(`${hooks}/${endpoint.id}`, { status: 'paused' })).body.data.status, 'paused')
    await emit('email.sent', { step: 2 })
    await overture.client.patch(`${hooks}/${endpoint.id}`, { status: 'active', description: 'back' })
    await emit('email.sent', { step: 3 })
    const changed = await overture.client.patch(`${hooks}/${endpoint.id}`, { events: ['email.opened'] })
    assert.deepEqual([changed.body.data.events, changed.body.data.description], [['email.opened'], 'back'])
    await emit('email.sent', { step: 4 })
    await emit('email.opened', { step: 5 })
    const heard = await receiver.hears(3)
    assert.deepEqual(heard.map(({ event }) => event.data.step).sort(), [1, 3, 5])
  })

  test('events during a pause can be replayed, once', async () => {
    const receiver = await Receiver.start()
    const endpoint = await createEndpoint(receiver.url, ['email.clicked'])
    const paused = (await overture.client.patch(`${hooks}/${endpoint.id}`, { status: 'paused' })).body.data
    const missed = [await emit('email.clicked', { n: 1 }), await emit('email.clicked', { n: 2 })]
    const back = (await overture.client.patch(`${hooks}/${endpoint.id}`, { status: 'active' })).body.data
    const span = { since: paused.updatedAt, until: back.updatedAt }
    const replayed = await overture.client.post(`${hooks}/${endpoint.id}/replay`, span)
    assert.deepEqual(replayed.body, { data: { replayedCount: 2 } })
    assert.deepEqual(new Set((await receiver.hears(2)).map(({ event }) => event.id)), new Set(missed))
    const next = await emit('email.clicked', { n: 3 })
    assert.equal((await receiver.hears(3))[2]!.event.id, next)
  })

  test('a new URL is checked like the first one, and used from the next attempt on', async () => {
    const [old, next] = [await Receiver.start(), await Receiver.start()]
    old.answerWith(500)
    const endpoint = await createEndpoint(old.url, ['email.sent'])
    await emit('email.sent')
    await eventually(async () => (await deliveriesOf(endpoint.id)).length === 2)
    const refused = await overture.client.patch(`${hooks}/${endpoint.id}`, { url: 'http://169.254.169.254/' })
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'url_not_allowed'])
    assert.equal((await overture.client.patch(`${hooks}/${overture.workspaceId}`, { url: 'http://169.254.169.254/' })).status, 404)
    await overture.client.patch(`${hooks}/${endpoint.id}`, { url: next.url })
    await letTimePass(endpoint.id)
    await next.hears(1)
  })

  test('a deleted endpoint deletes its deliveries, even one that fails at that moment', async () => {
    const receiver = await Receiver.start()
    receiver.hang()
    const { id } = await createEndpoint(receiver.url)
    await emit('campaign.paused')
    const [heard] = await receiver.hears(1)
    await overture.client.delete(`${hooks}/${id}`)
    heard!.response.writeHead(500).end()
    // Results are written down one after the other, so this one shows that the other has been.
    const other = await Receiver.start()
    const { id: otherId } = await createEndpoint(other.url)
    await emit('campaign.paused')
    await eventually(async () => (await deliveriesOf(otherId))[0]?.status === 'succeeded')
    const left = await overture.ctx.db.many(sql('select id from deliveries where endpoint_id = $1'), [id])
    assert.deepEqual(left, [])
  })

  test('old finished deliveries are deleted, pending ones are not', async () => {
    const receiver = await Receiver.start()
    receiver.answerWith(500)
    const endpoint = await createEndpoint(receiver.url, ['email.sent'])
    await emit('email.sent')
    await eventually(async () => (await deliveriesOf(endpoint.id)).length === 2)
    const clear = (before: Date) => overture.ctx.db.inTransaction(tx => forgetDeliveries(tx, before, 5000))
    assert.equal(await clear(new Date(Date.now() - 3_600_000)), 0)
    assert.ok((await clear(new Date(Date.now() + 3_600_000))) > 0)
    const left = await deliveriesOf(endpoint.id)
    assert.deepEqual(
      left.map((delivery: { status: string }) => delivery.status),
      ['pending'],
    )
  })

  test('a workspace has at most twenty endpoints, even with concurrent requests', async () => {
    const stranger = await overture.stranger()
    const create = (n: number) =>
      stranger.client.post(`${stranger.home}/webhooks`, { url: `https://hooks.example.com/${n}`, events: ['*'] })
    const replies = await Promise.all(Array.from({ length: 24 }, (_, n) => create(n)))
    const statuses = replies.map(reply => reply.status).sort()
    assert.deepEqual(statuses, [...new Array(20).fill(201), ...new Array(4).fill(409)])
    assert.equal(replies.find(reply => reply.status === 409)!.body.error.code, 'limit_exceeded')
    const page = await stranger.client.get(`${stranger.home}/webhooks?limit=15`)
    assert.equal(page.body.meta.pagination.hasMore, true)
    assert.equal((await stranger.client.get(page.body.links.next)).body.data.length, 5)
    await stranger.client.delete(`${stranger.home}/webhooks/${page.body.data[0].id}`)
    assert.equal((await create(25)).status, 201)
  })
})

describe('webhooks on a public installation', () => {
  test('private, loopback, link-local and metadata targets are refused, and so is plain http', async () => {
    const overture = await startOverture({ config: { allowLocalTargets: false }, worker: false })
    after(() => overture.end())
    const urls = [
      'http://hooks.example.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://10.0.0.1/',
      'https://192.168.0.1/',
      'https://169.254.169.254/',
      'https://[::ffff:169.254.169.254]/',
      'https://localhost/',
      'https://metadata.google.internal/',
      'https://0x7f000001/',
    ]
    for (const url of urls) {
      const refused = await overture.client.post(`${overture.home}/webhooks`, { url, events: ['*'] })
      assert.deepEqual([refused.status, refused.body.error.code], [422, 'url_not_allowed'], url)
    }
    assert.deepEqual((await overture.client.get(`${overture.home}/webhooks`)).body.data, [])
  })

  test('a target that became forbidden after it was accepted is not called', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const receiver = await Receiver.start()
    const { id } = (await overture.client.post(`${overture.home}/webhooks`, { url: receiver.url, events: ['*'] })).body.data
    await overture.client.post(`${overture.home}/webhooks/${id}/test`, {})
    const worker = await startWorker(overture, { allowLocalTargets: false })
    const failed = await eventually(
      async () => (await overture.client.get(`${overture.home}/webhooks/${id}/deliveries?status=failed`)).body.data[0],
    )
    assert.equal(failed.error, 'address_not_allowed')
    assert.equal(receiver.heard.length, 0)
    await worker.stop()
  })
})

describe('webhooks with several workers', () => {
  test('the deliveries of a dead worker are sent by another, and its late results are ignored', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const receiver = await Receiver.start()
    receiver.hang()
    const { id } = (await overture.client.post(`${overture.home}/webhooks`, { url: receiver.url, events: ['*'] })).body.data
    const deliveries = async (query: string) => (await overture.client.get(`${overture.home}/webhooks/${id}/deliveries${query}`)).body.data
    const first = await startWorker(overture)
    await overture.client.post(`${overture.home}/webhooks/${id}/test`, {})
    const [hanging] = await receiver.hears(1)
    assert.equal(await overture.ctx.db.inTransaction(releaseDeliveriesOfDeadWorkers), 0)
    await first.die()
    await eventually(async () => (await overture.ctx.db.inTransaction(releaseDeliveriesOfDeadWorkers)) === 1)

    receiver.answerWith(200)
    const second = await startWorker(overture)
    await receiver.hears(2)
    const [done] = await eventually(async () => {
      const list = await deliveries('?status=succeeded')
      return list.length === 1 && list
    })
    hanging!.response.writeHead(500).end()
    await first.stop()
    assert.deepEqual(await deliveries(''), [done])
    await second.stop()
  })

  test('a stopped worker returns deliveries without a response, without counting an attempt', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const receiver = await Receiver.start()
    receiver.hang()
    const { id } = (await overture.client.post(`${overture.home}/webhooks`, { url: receiver.url, events: ['*'] })).body.data
    const first = await startWorker(overture, { stopGraceSeconds: 0 })
    await overture.client.post(`${overture.home}/webhooks/${id}/test`, {})
    await receiver.hears(1)
    await first.stop()
    receiver.answerWith(200)
    const second = await startWorker(overture)
    await receiver.hears(2)
    const log = await eventually(async () => {
      const { data } = (await overture.client.get(`${overture.home}/webhooks/${id}/deliveries`)).body
      return data[0].status === 'succeeded' && data
    })
    assert.deepEqual([log.length, log[0].attempt], [1, 1])
    await second.stop()
  })

  test('several workers share the work without duplicates', async () => {
    const ROUNDS = 10
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const receivers = await Promise.all([Receiver.start(), Receiver.start(), Receiver.start()])
    for (const { url } of receivers) await overture.client.post(`${overture.home}/webhooks`, { url, events: ['email.sent'] })
    const workers = await Promise.all([startWorker(overture), startWorker(overture), startWorker(overture)])
    const { ctx, workspaceId } = overture
    for (let round = 0; round < ROUNDS; round++) {
      await ctx.db.inTransaction(async tx => {
        for (let n = 0; n < 20; n++)
          recordEvent(tx, {
            workspaceId,
            type: 'email.sent',
            timestamp: ctx.clock.now(),
            data: madeUpData('email.sent', { step: round * 20 + n }),
          })
      })
    }
    await Promise.all(receivers.map(receiver => receiver.hears(20 * ROUNDS)))
    await eventually(
      async () =>
        (await ctx.db.first<{ n: number }>(sql(`select count(*)::int as n from deliveries where status <> 'succeeded'`)))!.n === 0,
    )
    for (const { heard } of receivers) assert.equal(new Set(heard.map(({ event }) => event.seq)).size, 20 * ROUNDS)
    assert.deepEqual(
      receivers.map(({ heard }) => heard.length),
      receivers.map(() => 20 * ROUNDS),
    )
    await Promise.all(workers.map(worker => worker.stop()))
  })
})

// Hooks that are added within a test end with it, so what is started there is remembered here.
const cleanups: (() => Promise<void>)[] = []
after(async () => {
  for (const cleanup of cleanups) await cleanup()
})

/** A worker with connections of its own, like one in another process. */
async function startWorker(overture: Overture, config: Partial<Overture['ctx']['config']> = {}) {
  const ctx = buildContext({
    config: { ...overture.ctx.config, poolSize: 4, ...config },
    databaseUrl: overture.databaseUrl,
    secretKey: TEST_SECRET,
  })
  await ctx.wake.listen(overture.databaseUrl)
  const identity = new WorkerIdentity(ctx.db, ctx.log)
  await identity.id()
  const worker = new WebhookWorker(ctx, identity)
  worker.start()
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= worker
      .stop()
      .then(() => identity.close())
      .then(() => closeContext(ctx))
    return stopped
  }
  // Even if the test fails: a running worker would keep the file from ending.
  cleanups.push(stop)
  return {
    /** The sign of life ends, as it does with the process. */
    die: () => identity.close(),
    stop,
  }
}
