import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import { after, before, describe, it } from 'node:test'
import { buildApp } from '../../src/app/server.ts'
import { sql } from '../../src/db/sql.ts'
import type { EventType } from '../../src/modules/events/data-schema.ts'
import { recordEvent } from '../../src/modules/events/events.ts'
import { type Client, type Overture, startOverture } from '../harness.ts'
import { madeUpData } from '../made-up-events.ts'

interface Shown {
  id: string
  event: string
  data: { seq: number; type: string; workspaceId: string; data: Record<string, unknown>; links: { self: string } }
}

const opened = new Set<Stream>()

/** A client of server-sent events that reads as the standard says. */
class Stream {
  readonly #request: http.ClientRequest
  readonly events: Shown[] = []
  readonly comments: string[] = []
  lastId = ''
  isOver = false
  #buffer = ''
  #changed = Promise.withResolvers<void>()

  private constructor(request: http.ClientRequest, response: http.IncomingMessage) {
    this.#request = request
    response.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    for (const name of ['end', 'error', 'aborted']) response.on(name, () => this.#tell(true))
  }

  static open(url: string, token: string, headers: Record<string, string> = {}): Promise<Stream | { status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const request = http.get(url, { agent: false, headers: { authorization: `Bearer ${token}`, ...headers } }, response => {
        if (response.statusCode === 200 && response.headers['content-type']?.startsWith('text/event-stream')) {
          const stream = new Stream(request, response)
          opened.add(stream)
          return resolve(stream)
        }
        let body = ''
        response.setEncoding('utf8').on('data', text => (body += text))
        response.on('end', () => resolve({ status: response.statusCode!, body }))
      })
      request.on('error', reject)
    })
  }

  #tell(isOver = false): void {
    this.isOver ||= isOver
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  #read(text: string): void {
    this.#buffer += text
    for (let end = this.#buffer.indexOf('\n\n'); end >= 0; end = this.#buffer.indexOf('\n\n')) {
      const lines = this.#buffer.slice(0, end).split('\n')
      this.#buffer = this.#buffer.slice(end + 2)
      const field = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
      this.comments.push(...lines.filter(line => line.startsWith(':')))
      this.lastId = field('id') ?? this.lastId
      const data = field('data')
      if (data !== undefined) this.events.push({ id: this.lastId, event: field('event')!, data: JSON.parse(data) })
    }
    this.#tell()
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      assert.ok(!this.isOver || condition(), 'the stream is over')
      await this.#changed.promise
    }
  }

  close(): void {
    this.#request.destroy()
  }
}

describe('the event stream', () => {
  let overture: Overture
  let client: Client

  before(async () => {
    overture = await startOverture({ worker: false, config: { maxStreams: 3 } })
    client = overture.client
  })
  after(() => {
    for (const stream of opened) stream.close()
  })

  const newWorkspace = async (): Promise<string> => (await client.post('/v1/workspaces', { name: randomUUID() })).body.data.id
  const record = (workspaceId: string, events: { type?: EventType; campaignId?: string; leadId?: string; data?: object }[]) =>
    overture.ctx.db.inTransaction(async tx => {
      for (const { type = 'email.opened', data = {}, ...about } of events)
        recordEvent(tx, { workspaceId, type, timestamp: new Date(), ...about, data: madeUpData(type, data) })
    })
  const tryOpen = (workspaceId: string, query = '', headers = {}, token = client.token, baseUrl = overture.baseUrl) =>
    Stream.open(`${baseUrl}/v1/workspaces/${workspaceId}/events/stream${query}`, token, headers)
  const open = async (...args: Parameters<typeof tryOpen>): Promise<Stream> => {
    let stream = await tryOpen(...args)
    // Streams that were closed before count until the server has learnt of it.
    while ('status' in stream && stream.status === 429) stream = await tryOpen(...args)
    assert.ok(stream instanceof Stream, JSON.stringify(stream))
    return stream
  }
  const seqs = (stream: Stream) => stream.events.map(event => Number(event.id))

  it('sends new events at once, in the shape of the list', async () => {
    const workspaceId = await newWorkspace()
    await record(workspaceId, [{}, {}])
    const stream = await open(workspaceId)
    await stream.until(() => stream.comments.length > 0)
    assert.equal(stream.lastId, '2')
    await record(workspaceId, [{ type: 'email.sent', data: { subject: 'two\nlines' } }, {}])
    await stream.until(() => stream.events.length === 2)
    const listed = (await client.get(`/v1/workspaces/${workspaceId}/events?after=2`)).body.data
    assert.deepEqual(
      stream.events.map(event => event.data),
      listed,
    )
    assert.deepEqual(
      stream.events.map(event => [event.id, event.event]),
      [
        ['3', 'email.sent'],
        ['4', 'email.opened'],
      ],
    )
    stream.close()
  })

  it('continues where it stopped, by after and by Last-Event-ID, which takes precedence', async () => {
    const workspaceId = await newWorkspace()
    await record(
      workspaceId,
      Array.from({ length: 450 }, () => ({})),
    )
    const whole = await open(workspaceId, '?after=0')
    await whole.until(() => whole.events.length === 450)
    assert.deepEqual(
      seqs(whole),
      Array.from({ length: 450 }, (_, n) => n + 1),
    )
    whole.close()
    const later = await open(workspaceId, '?after=0', { 'last-event-id': '447' })
    await later.until(() => later.events.length === 3)
    await record(workspaceId, [{}])
    await later.until(() => later.events.length === 4)
    assert.deepEqual(seqs(later), [448, 449, 450, 451])
    later.close()
    assert.equal(((await tryOpen(workspaceId, '', { 'last-event-id': 'x1' })) as { status: number }).status, 400)
  })

  it('misses and repeats nothing during concurrent writes and reconnects', async () => {
    const workspaceId = await newWorkspace()
    const seen: number[] = []
    const total = 20 * 15
    const writing = Promise.all(
      Array.from({ length: 15 }, async () => {
        for (let n = 0; n < 20; n++) await record(workspaceId, [{}])
      }),
    )
    for (let lastId = '0'; seen.length < total; ) {
      const stream = await open(workspaceId, '', { 'last-event-id': lastId })
      const wanted = Math.min(70, total - seen.length)
      await stream.until(() => stream.events.length >= wanted)
      seen.push(...seqs(stream).slice(0, wanted))
      lastId = String(seen.at(-1))
      stream.close()
    }
    await writing
    assert.deepEqual(
      seen,
      Array.from({ length: total }, (_, n) => n + 1),
    )
  })

  it('sends only matching events, and its id advances past the others', async () => {
    const workspaceId = await newWorkspace()
    const [campaignId, leadId] = [randomUUID(), randomUUID()]
    const about = [{ campaignId, leadId }, { campaignId }, {}, { campaignId, leadId, type: 'email.sent' as const }, {}]
    await record(workspaceId, about)
    const ofLead = await open(workspaceId, `?after=0&leadId=${leadId}&campaignId=${campaignId}`)
    const sent = await open(workspaceId, `?after=0&type=email.sent`)
    await record(workspaceId, about)
    await ofLead.until(() => ofLead.events.length === 4)
    await sent.until(() => sent.events.length === 2)
    assert.deepEqual(
      [seqs(ofLead), seqs(sent)],
      [
        [1, 4, 6, 9],
        [4, 9],
      ],
    )
    await ofLead.until(() => ofLead.comments.length > 1)
    assert.equal(ofLead.lastId, '10')
    ofLead.close()
    sent.close()
  })

  it('is filtered by mailbox and variant, like the list, even if an event names only its message', async () => {
    const workspaceId = await newWorkspace()
    const [providerId, variantId, sendId, other] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await overture.ctx.db.inTransaction(async tx => {
      await tx.run(sql(`insert into campaigns (id, workspace_id, name) values ($1, $2, 'c')`), [other, workspaceId])
      await tx.run(
        sql(`insert into sends (id, workspace_id, campaign_id, lead_id, provider_id, step, sequence_version, variant_id, domain, message_id, due_at,
            email_hash, status, claimed_at, created_at)
          values ($1, $2, $3, $3, $4, 0, 1, $5, 'b.example', 'm', now(), '', 'sent', now(), now())`),
        [sendId, workspaceId, other, providerId, variantId],
      )
    })
    const about = [
      { type: 'email.sent' as const, data: { sendId, providerId, variantId } },
      { type: 'email.opened' as const, data: { sendId, variantId } },
      { type: 'email.bounced' as const, data: { sendId } },
      { type: 'email.sent' as const, data: { providerId } },
      { type: 'email.sent' as const, data: { variantId } },
      { type: 'provider.disconnected' as const, data: { providerId } },
      { type: 'email.bounced' as const },
    ]
    await record(workspaceId, about)
    const ofMailbox = await open(workspaceId, `?after=0&providerId=${providerId.toUpperCase()}`)
    const ofVariant = await open(workspaceId, `?after=0&variantId=${variantId}&type=email.sent`)
    await record(workspaceId, about)
    await ofMailbox.until(() => ofMailbox.events.length >= 10)
    await ofVariant.until(() => ofVariant.events.length >= 4)
    assert.deepEqual(seqs(ofMailbox), [1, 2, 3, 4, 6, 8, 9, 10, 11, 13])
    assert.deepEqual(seqs(ofVariant), [1, 5, 8, 12])
    const listed = async (query: string) =>
      (await client.get(`/v1/workspaces/${workspaceId}/events?${query}`)).body.data.map((event: { seq: number }) => event.seq)
    assert.deepEqual(await listed(`providerId=${providerId}`), seqs(ofMailbox))
    assert.deepEqual(await listed(`variantId=${variantId}&order=desc`), [12, 10, 9, 8, 5, 3, 2, 1])
    assert.deepEqual(await listed(`variantId=${variantId}&providerId=${providerId}`), [1, 2, 3, 8, 9, 10])
    ofMailbox.close()
    ofVariant.close()
  })

  it('ends when its token is revoked, and another stream continues', async () => {
    const key = (await client.post(`${overture.home}/api-keys`, { name: 'Short', scopes: ['events:read'] })).body.data
    const stream = await open(overture.workspaceId, '', {}, key.token)
    const other = await open(overture.workspaceId)
    assert.equal((await client.delete(key.links.self)).status, 204)
    await stream.until(() => stream.isOver)
    await record(overture.workspaceId, [{}])
    await other.until(() => other.events.length > 0)
    other.close()
  })

  it('hides links to paid files from a token without the scope', async () => {
    const key = (await client.post(`${overture.home}/api-keys`, { name: 'Events', scopes: ['events:read'] })).body.data
    const [poor, rich] = [await open(overture.workspaceId, '', {}, key.token), await open(overture.workspaceId)]
    await record(overture.workspaceId, [{ type: 'lead_search.completed', data: { downloadUrl: 'https://files.example/1' } }])
    for (const stream of [poor, rich]) await stream.until(() => stream.events.length > 0)
    assert.deepEqual(
      [poor, rich].map(stream => stream.events[0]!.data.data.downloadUrl),
      [null, 'https://files.example/1'],
    )
    poor.close()
    rich.close()
  })

  it('returns 429 beyond the limit of a key until one of its streams is closed; HEAD takes none', async () => {
    const { token } = (await client.post(`${overture.home}/api-keys`, { name: 'Many', scopes: ['events:read'] })).body.data
    const held = [await open(overture.workspaceId, '', {}, token), await open(overture.workspaceId, '', {}, token)]
    for (let n = 0; n < 5; n++) {
      const head = await client.send('HEAD', `${overture.home}/events/stream`, undefined, { token })
      assert.equal(head.status, 200)
    }
    held.push(await open(overture.workspaceId, '', {}, token))
    const refused = (await tryOpen(overture.workspaceId, '', {}, token)) as { status: number; body: string }
    assert.deepEqual([refused.status, JSON.parse(refused.body).error.code], [429, 'rate_limited'])
    held[0]!.close()
    // The server learns of it when the connection ends, which the test cannot observe.
    let again = await tryOpen(overture.workspaceId, '', {}, token)
    while (!(again instanceof Stream)) again = await tryOpen(overture.workspaceId, '', {}, token)
    for (const stream of [...held, again]) stream.close()
  })

  it('counts toward the limit of its person, whichever of their tokens opened it', async () => {
    const { client: person, workspaceId } = await overture.stranger()
    const second = (await person.post('/v1/tokens', { name: 'second' })).body.data.token
    const held = []
    for (const token of [person.token, second, second]) held.push(await open(workspaceId, '', {}, token))
    for (const token of [person.token, second])
      assert.equal(((await tryOpen(workspaceId, '', {}, token)) as { status: number }).status, 429)
    for (const stream of held) stream.close()
  })

  it('ends when the server stops, and continues at another one', async () => {
    const workspaceId = await newWorkspace()
    const second = await buildApp(overture.ctx)
    await second.listen({ host: '127.0.0.1', port: 0 })
    const address = `http://127.0.0.1:${(second.server.address() as { port: number }).port}`
    const stream = await open(workspaceId, '', {}, client.token, address)
    await record(workspaceId, [{}])
    await stream.until(() => stream.events.length === 1)
    await second.close()
    await stream.until(() => stream.isOver)
    await record(workspaceId, [{}, {}])
    const again = await open(workspaceId, '', { 'last-event-id': stream.lastId })
    await again.until(() => again.events.length === 2)
    assert.deepEqual(seqs(again), [2, 3])
    again.close()
  })
})

describe('the event list', () => {
  it('is filtered by campaign and lead, sorted both ways, and its cursors belong to their filters', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home, workspaceId } = overture
    const [campaignId, leadId] = [randomUUID(), randomUUID()]
    await overture.ctx.db.inTransaction(async tx => {
      for (let n = 0; n < 12; n++) {
        const about = n % 3 === 0 ? { campaignId, leadId } : n % 3 === 1 ? { campaignId } : {}
        const type = n % 2 ? 'email.sent' : 'email.opened'
        recordEvent(tx, { workspaceId, type, timestamp: new Date(), ...about, data: madeUpData(type) })
      }
    })
    const collect = async (query: string): Promise<number[]> => {
      const seen: number[] = []
      for (let next: string | null = `${home}/events?${query}`; next; ) {
        const { body } = await client.get(next)
        seen.push(...body.data.map((event: { seq: number }) => event.seq))
        next = body.links.next
      }
      return seen
    }
    const ofCampaign = [1, 2, 4, 5, 7, 8, 10, 11]
    assert.deepEqual(await collect(`campaignId=${campaignId}&limit=3`), ofCampaign)
    assert.deepEqual(await collect(`campaignId=${campaignId}&limit=3&order=desc`), ofCampaign.toReversed())
    assert.deepEqual(await collect(`leadId=${leadId.toUpperCase()}&order=desc&limit=1`), [10, 7, 4, 1])
    assert.deepEqual(await collect(`leadId=${leadId}&campaignId=${campaignId}&type=email.sent`), [4, 10])
    assert.deepEqual(await collect(`leadId=${leadId}&campaignId=${randomUUID()}`), [])
    assert.deepEqual(await collect(`order=desc&after=8&limit=2`), [12, 11, 10, 9])
    assert.deepEqual(await collect(`type=email.sent&after=6`), [8, 10, 12])
    const { nextCursor } = (await client.get(`${home}/events?campaignId=${campaignId}&limit=2`)).body.meta.pagination
    const cursor = `cursor=${encodeURIComponent(nextCursor)}`
    for (const query of [cursor, `${cursor}&leadId=${leadId}`, `${cursor}&campaignId=${campaignId}&order=desc`])
      assert.equal((await client.get(`${home}/events?${query}`)).body.error?.code, 'invalid_cursor', query)
    assert.equal((await client.get(`${home}/events?${cursor}&campaignId=${campaignId}&order=asc`)).status, 200)
    assert.equal((await client.get(`${home}/events?order=sideways`)).status, 400)
  })
})
