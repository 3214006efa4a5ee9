import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { sql } from '../../src/db/sql.ts'
import { makeCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'

interface RawReply {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

/** Sends bytes as they are and reads the one response. */
async function exchange(overture: Overture, text: string): Promise<RawReply> {
  const { hostname, port } = new URL(overture.baseUrl)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(text)
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    const [head, body] = received.split('\r\n\r\n', 2)
    const length = Number(/content-length: (\d+)/i.exec(head!)?.[1] ?? Number.NaN)
    if (body !== undefined && Buffer.byteLength(body) >= length) break
  }
  socket.destroy()
  const [head = '', body = ''] = received.split('\r\n\r\n', 2)
  const [first, ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map(line => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  return { status: Number(first!.split(' ')[1]), headers, body: body.startsWith('{') ? JSON.parse(body) : body }
}

function assertEnvelope(reply: RawReply, status: number, code: string): void {
  assert.deepEqual([reply.status, reply.body.error?.code], [status, code], JSON.stringify(reply))
  assert.deepEqual(Object.keys(reply.body.error), ['code', 'message', 'requestId', 'details'])
  assert.equal(reply.headers['x-request-id'], reply.body.error.requestId)
  assert.match(reply.headers['content-type']!, /^application\/json/)
}

describe('a request that the router never sees', () => {
  let overture: Overture
  before(async () => {
    overture = await startOverture({ worker: false })
  })

  const cases: [what: string, text: string, status: number, code: string][] = [
    ['headers that are too large', `GET /healthz HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['a URL that is too large', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, 'headers_too_large'],
    ['a length that is no number', 'POST /v1/tokens HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n', 400, 'invalid_request'],
    ['two lengths', 'POST /v1/tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400, 'invalid_request'],
    ['a length below zero', 'POST /v1/tokens HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n', 400, 'invalid_request'],
    [
      'a length and chunks',
      'POST /v1/tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'invalid_request',
    ],
    ['something that is not HTTP', '\u0016\u0003\u0001\u0002\r\n\r\n', 400, 'invalid_request'],
    ['a header without a name', 'GET /healthz HTTP/1.1\r\nhost: x\r\n: a\r\n\r\n', 400, 'invalid_request'],
    ['a version that does not exist', 'GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n', 400, 'invalid_request'],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
    ['two tokens', 'GET /v1/x HTTP/1.1\r\nhost: x\r\nauthorization: a\r\nauthorization: b\r\n\r\n', 400, 'invalid_request'],
    ['two types', 'GET /v1/x HTTP/1.1\r\nhost: x\r\ncontent-type: a\r\ncontent-type: b\r\n\r\n', 400, 'invalid_request'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n', 400, 'invalid_request'],
    ['a method of our own', 'BREW /v1/workspaces HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405, 'method_not_allowed'],
    ['an escape that is none', 'GET /v1/workspaces/%zz HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'invalid_request'],
    ['a segment of 600 characters', `GET /v1/workspaces/${'a'.repeat(600)} HTTP/1.1\r\nhost: x\r\n\r\n`, 404, 'not_found'],
    ['a path with a semicolon', 'GET /v1/workspaces;a=b HTTP/1.1\r\nhost: x\r\n\r\n', 404, 'not_found'],
    ['a link of 6000 characters', `GET /u/${'a'.repeat(6000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 404, 'not_found'],
  ]
  for (const [what, text, status, code] of cases) {
    it(`returns ${status} in the error envelope for ${what}`, async () => {
      assertEnvelope(await exchange(overture, text), status, code)
    })
  }

  for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'MKCOL', 'LOCK', 'SEARCH', 'PURGE', 'OPTIONS']) {
    it(`returns 405 with the allowed methods for ${method}, and 404 for a missing path`, async () => {
      const ask = (path: string) => exchange(overture, `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`)
      const refused = await ask('/v1/workspaces')
      assertEnvelope(refused, 405, 'method_not_allowed')
      assert.equal(refused.headers.allow, 'GET, HEAD, POST')
      assertEnvelope(await ask('/healthz'), 405, 'method_not_allowed')
      assertEnvelope(await ask('/v1/nonsense'), 404, 'not_found')
    })
  }

  it('accepts an unknown expectation, and HTTP/1.0 without a host', async () => {
    assert.equal((await exchange(overture, 'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: miracles\r\n\r\n')).status, 200)
    assert.equal((await exchange(overture, 'GET /healthz HTTP/1.0\r\n\r\n')).status, 200)
  })

  it('returns 400 for a query that cannot be decoded', async () => {
    const ask = (query: string) => overture.client.get(`${overture.home}/campaigns?q=${query}`)
    for (const query of ['%ff', 'a%', '%E0%A4', '%zz']) {
      const { status, body } = await ask(query)
      assert.deepEqual([status, body.error.code], [400, 'invalid_request'], query)
    }
    for (const query of ['a%20b', '100%25', '%E0%A4%85', 'a+b']) assert.equal((await ask(query)).status, 200, query)
  })

  it('treats the absolute form of a URL like the path, in lists and links', async () => {
    for (const n of [1, 2]) await makeCampaign(overture, { name: `Absolute ${n}` })
    const path = `${overture.home}/campaigns?limit=1`
    const ask = (target: string) =>
      exchange(overture, `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${overture.client.token}\r\n\r\n`)
    const absolute = await ask(`http://elsewhere.example:80${path}`)
    assert.equal(absolute.status, 200)
    assert.deepEqual(absolute.body.links, (await ask(path)).body.links)
    assert.equal(absolute.body.links.self, overture.baseUrl + path)
    assert.equal((await overture.client.get(absolute.body.links.next)).status, 200)
    assert.equal((await ask('http://elsewhere.example')).status, 200)
    const unescaped = await ask(`${overture.home}/campaigns?q="<[\\]^\`{|}>"`)
    assert.equal(unescaped.body.links.self, `${overture.baseUrl}${overture.home}/campaigns?q=%22%3C%5B%5C%5D%5E%60%7B%7C%7D%3E%22`)
  })
})

describe('a request that is too slow', () => {
  it('gets 408 in the error envelope', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    overture.app.server.headersTimeout = 50
    assertEnvelope(await exchange(overture, 'GET /healthz HTTP/1.1\r\nhost: x\r\n'), 408, 'request_timeout')
  })
})

describe('an internal error', () => {
  it('is logged with the request id of its 500, and nothing of it is returned', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const lines: { requestId?: string; err?: { message: string }; msg: string }[] = []
    const logged = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    Object.assign(overture.app.log, { error: logged.error.bind(logged) })
    await overture.ctx.db.pool.query('alter table campaigns rename column niche to nische')
    const reply = await overture.client.get(`${overture.home}/campaigns`)
    assert.equal(reply.status, 500)
    assert.ok(!JSON.stringify(reply.body).includes('niche'))
    const line = lines.find(each => each.requestId === reply.body.error.requestId)
    assert.match(line!.err!.message, /niche/)
  })
})

describe('the input of an operation', () => {
  it('is stored until the operation ends, never listed, and deleted with the result', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, home, ctx } = overture
    const campaign = await makeCampaign(overture, { name: 'Given' })
    const path = `${home}/campaigns/${campaign.id}/leads/import`
    const body = { leads: [{ email: 'ann@given.example' }] }
    const headers = { 'idempotency-key': 'given' }
    const operation = await client.operate('POST', path, body, headers)
    assert.equal(operation.status, 'succeeded')
    const archived = await makeCampaign(overture, { name: 'Archived' })
    await client.operate('POST', `${home}/campaigns/${archived.id}/archive`)
    const inputs = await ctx.db.many<{ input: object }>(sql('select input from operations'))
    assert.deepEqual(
      inputs.filter(({ input }) => Object.keys(input).length > 0),
      [],
    )
    const again = await client.post(path, body, { headers })
    assert.deepEqual([again.status, again.body.id, again.headers['idempotent-replayed']], [200, operation.id, 'true'])
    assert.equal((await client.post(path, { leads: [{ email: 'bob@given.example' }] }, { headers })).status, 409)
    // A column that is not there cannot be read: the list and the single read do without what was given.
    await ctx.db.many(sql('alter table operations rename column input to given'))
    assert.equal((await client.get(`${home}/operations`)).body.data.length, inputs.length)
    assert.equal((await client.get(`/v1/operations/${operation.id}`)).body.status, 'succeeded')
  })
})

describe('a request', () => {
  let overture: Overture
  before(async () => {
    overture = await startOverture()
  })

  it('cannot contain unstorable characters in the query', async () => {
    const { client, home } = overture
    for (const query of ['action=%00', 'action=a%00b', 'cursor=%00']) {
      const reply = await client.get(`${home}/operations?${query}`)
      assert.deepEqual([reply.status, reply.body.error.code.startsWith('invalid_')], [400, true], query)
    }
    assert.equal((await client.get(`${home}/suppressions?value=a%00@b.example`)).status, 400)
  })

  it('accepts only times that can be returned: years before 1 and after 9999 are refused', async () => {
    const { client, home } = overture
    for (const expiresAt of [
      '9999-12-31T23:59:59-01:00',
      '9999-12-31T23:59:59.999-23:59',
      '0000-06-01T00:00:00Z',
      '0001-01-01T00:00:00+01:00',
    ]) {
      const key = await client.post(`${home}/api-keys`, { name: 'Late', scopes: ['leads:read'], expiresAt })
      assert.equal(key.status, 422, expiresAt)
      assert.equal((await client.post(`${home}/campaigns`, { name: 'Late', endDate: expiresAt })).status, 422, expiresAt)
      assert.equal((await client.get(`${home}/campaigns?createdFrom=${encodeURIComponent(expiresAt)}`)).status, 400, expiresAt)
    }
  })

  it('starts no campaign whose first window is after the year 9999', async () => {
    const { client, home } = overture
    for (const body of [
      { name: 'Late', startDate: '9999-01-01T00:00:00Z' },
      { name: 'Late', schedule: { startDate: '9999-12-31T23:59:59Z' } },
    ]) {
      const { status, body: answer } = await client.post(`${home}/campaigns`, body)
      assert.deepEqual([status, answer.error.message], [422, 'startDate: must be before the year 9999.'])
    }
    assert.equal((await client.post(`${home}/campaigns`, { name: 'Late', startDate: '9998-12-31T23:59:59Z' })).status, 201)
  })

  it('is an object: every other JSON value returns 422, a missing body is an empty object', async () => {
    const { client, home } = overture
    for (const raw of ['null', '5', '"text"', 'true', '[]', '[{}]', ' null ']) {
      for (const path of [`${home}/campaigns`, `${home}/webhooks`, `${home}/lead-searches/preview`, '/v1/tokens', '/v1/workspaces']) {
        const reply = await client.post(path, undefined, { raw })
        if (reply.status !== 404) assert.equal(reply.status, 422, `${path} ${raw}`)
      }
    }
    assert.equal((await client.post(`${home}/campaigns`)).status, 422)
  })

  it('has every key once: 400 names a repeated key, instead of taking the last', async () => {
    for (const [raw, path] of [
      ['{"name":"First","name":"Second"}', '/name'],
      ['{"name":"First","n\\u0061me":"Second"}', '/name'],
      ['{"name":"A","schedule":{"timezone":"UTC","timezone":"UTC"}}', '/schedule/timezone'],
    ] as const) {
      const { status, body } = await overture.client.post(`${overture.home}/campaigns`, undefined, { raw })
      assert.deepEqual([status, body.error.code, body.error.details.issues[0].path], [400, 'invalid_json', path])
      assert.equal(body.error.message, `${path.slice(1).replace('/', '.')}: was sent more than once.`)
    }
  })

  it('is not compressed: 415, for JSON and for files', async () => {
    const { client, home } = overture
    const { id } = await makeCampaign(overture, { name: 'Compressed' })
    for (const [path, type, text] of [
      [`${home}/campaigns`, 'application/json', '{"name":"Small"}'],
      [`${home}/campaigns/${id}/leads/import/csv`, 'text/csv', 'email\nann@people.example\n'],
    ] as const) {
      const headers = { 'content-type': type, 'content-encoding': 'gzip' }
      const reply = await client.send('POST', path, undefined, { raw: gzipSync(text), headers })
      assert.deepEqual([reply.status, reply.body.error?.code], [415, 'unsupported_media_type'], path)
      const plain = await client.send('POST', path, undefined, { raw: text, headers: { ...headers, 'content-encoding': 'identity' } })
      assert.ok(plain.status < 300, path)
    }
  })

  it('of another type gets 415 with the accepted type, whatever the header says', async () => {
    const { client, home } = overture
    const { id } = await makeCampaign(overture, { name: 'Typed' })
    for (const [path, taken] of [
      [`${home}/campaigns`, 'application/json'],
      [`${home}/campaigns/${id}/leads/import/csv`, 'text/csv'],
      [`${home}/suppressions/import/csv`, 'text/csv'],
    ] as const) {
      for (const type of ['', ';', 'csv', 'image/png', 'text/csv text/csv']) {
        const reply = await client.send('POST', path, undefined, { raw: 'email', headers: { 'content-type': type } })
        assert.deepEqual([reply.status, reply.body.error?.message], [415, `Send the body as ${taken}.`], `${path} ${type}`)
      }
    }
  })

  it('is application/json in UTF-8 only', async () => {
    const { client, home } = overture
    const send = (type: string) =>
      client.send('POST', `${home}/campaigns`, undefined, { raw: '{"name":"Typed"}', headers: { 'content-type': type } })
    for (const subtype of ['json-patch+json', 'merge-patch+json', 'vnd.api+json', 'json; charset=iso-8859-1', 'json;charset="utf-16"']) {
      const reply = await send(`application/${subtype}`)
      assert.deepEqual([reply.status, reply.body.error?.code], [415, 'unsupported_media_type'], subtype)
    }
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])
      assert.equal((await send(type)).status, 201, type)
  })

  it('is a file in an encoding that can be read', async () => {
    const { client, home } = overture
    const send = (charset: string) =>
      client.send('POST', `${home}/suppressions/import/csv`, undefined, {
        raw: 'email\nann@encodings.example\n',
        headers: { 'content-type': `text/csv; header=present; charset=${charset}` },
      })
    for (const charset of ['koi8-r', 'shift_jis', 'utf-32', '"iso-8859-2"']) {
      const reply = await send(charset)
      assert.deepEqual([reply.status, reply.body.error?.message], [415, 'Send the body as text/csv in UTF-8.'], charset)
    }
    for (const charset of ['utf-8', '"UTF-16LE"', 'windows-1252', 'ISO-8859-1']) assert.equal((await send(charset)).status, 200, charset)
  })

  it('has addresses without surrounding blanks', async () => {
    const { client, home } = overture
    for (const url of [
      ' https://a.example/x',
      'https://a.example/x ',
      '\thttps://a.example',
      'https://a.example/\n',
      'https://a.exa\nmple/',
    ]) {
      assert.equal((await client.post(`${home}/webhooks`, { url, events: ['*'] })).status, 422, JSON.stringify(url))
      assert.equal((await client.post(`${home}/campaigns`, { name: 'Blank', sourceUrl: url })).status, 422, JSON.stringify(url))
    }
    for (const host of [' mail.example', 'mail.example ', 'mail .example', 'mail.example\n']) {
      const provider = {
        kind: 'smtp',
        name: 'Mail',
        fromEmail: 'a@mail.example',
        settings: { smtp: { host, port: 587, secure: false } },
        credentials: { username: 'a', password: 'b' },
      }
      assert.equal((await client.post(`${home}/providers`, provider)).status, 422, JSON.stringify(host))
    }
  })

  it('has names of one line; those of leads are cleaned', async () => {
    const { client, home } = overture
    for (const hidden of ['\n', '\r', '\t', '\u001b', '\u007f', '\u0085', '\u2028']) {
      const name = `Ada${hidden}Bcc: eve@x.example`
      for (const [path, body] of [
        ['/v1/workspaces', { name }],
        ['/v1/tokens', { name }],
        [`${home}/campaigns`, { name }],
        [`${home}/campaigns`, { name: 'List', leadListName: name }],
        [`${home}/providers`, { kind: 'sandbox', name: 'Ada', fromName: name, fromEmail: 'ada@x.example' }],
      ] as const) {
        const { status, body: answer } = await client.post(path, body)
        const [issue] = answer.error.details.issues
        assert.deepEqual([status, issue.message], [422, 'must not contain line breaks or other control characters'], path)
      }
    }
    const multiLine = { text: 'Ada\nExample Ltd' }
    const signed = await client.post(`${home}/providers`, {
      kind: 'sandbox',
      name: 'Ada',
      fromEmail: 'ada@x.example',
      signature: multiLine,
    })
    assert.equal(signed.status, 201)
    const { id } = (await client.post(`${home}/campaigns`, { name: 'Cleaned' })).body.data
    const leads = [{ email: 'ann@cleaned.example', firstName: 'Ann\r\nBcc: x', company: '\u0007' }]
    await client.operate('POST', `${home}/campaigns/${id}/leads/import`, { leads })
    const [lead] = (await client.get(`${home}/campaigns/${id}/leads`)).body.data
    assert.deepEqual([lead.firstName, lead.company], ['Ann Bcc: x', null])
    const patched = await client.patch(`${home}/campaigns/${id}/leads/${lead.id}`, { lastName: 'Arch\u0000er\n' }, {})
    assert.ok(patched.status === 422 || patched.body.data.lastName === 'Arch er')
    assert.equal((await client.patch(`${home}/campaigns/${id}/leads/${lead.id}`, { jobTitle: 'CTO\n' })).body.data.jobTitle, 'CTO')
  })

  it('counts code points: 200 emoji are 200 characters', async () => {
    const { client, home } = overture
    const made = await client.post(`${home}/campaigns`, { name: ` ${'🎻'.repeat(200)} ` })
    assert.deepEqual([made.status, made.body.data?.name], [201, '🎻'.repeat(200)])
    assert.equal((await client.post(`${home}/campaigns`, { name: '🎻'.repeat(201) })).status, 422)
    assert.equal((await client.post(`${home}/campaigns`, { name: 'Niche', niche: '🎻'.repeat(255) })).status, 201)
    assert.equal((await client.post(`${home}/campaigns`, { name: 'Niche', niche: '🎻'.repeat(256) })).status, 422)
  })

  it('matches a time exactly: nothing between two milliseconds', async () => {
    const { client, home } = overture
    const campaign = await makeCampaign(overture, { name: 'Exact' })
    const finer = (digits: string) => campaign.updatedAt.replace('Z', `${digits}Z`)
    const patch = (ifMatch: string) =>
      client.operate('PATCH', `${home}/campaigns/${campaign.id}`, { name: 'Exact' }, { 'if-match': ifMatch })
    for (const ifMatch of [finer('1'), finer('000001'), `"${finer('999')}"`]) {
      const operation = await patch(ifMatch)
      assert.deepEqual([operation.status, operation.error?.code], ['failed', 'precondition_failed'], ifMatch)
    }
    for (const ifMatch of [finer('000'), campaign.updatedAt, `"${finer('000000')}"`])
      assert.equal((await patch(ifMatch)).status, 'succeeded')
  })

  it('has no endpoint at a list path with a trailing slash', async () => {
    const { client, workspaceId } = overture
    for (const path of ['/v1/workspaces/', `/v1/workspaces/${workspaceId}/campaigns/`, `/v1/workspaces/${workspaceId}/webhooks/`]) {
      for (const [method, token] of [
        ['GET', client.token],
        ['GET', null],
        ['POST', client.token],
        ['DELETE', null],
      ] as const) {
        const reply = await client.send(method, path, undefined, { token })
        assert.deepEqual([reply.status, reply.body.error?.code], [404, 'not_found'], `${method} ${path}`)
      }
    }
  })

  it('is refused for its size before its type', async () => {
    const { client, home } = overture
    const raw = Buffer.alloc(1024 * 1024 + 1)
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'nonsense' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]) {
      const { status, body } = await client.send('POST', `${home}/campaigns`, undefined, { raw, headers })
      assert.deepEqual([status, body.error.code], [413, 'payload_too_large'], JSON.stringify(headers))
    }
  })

  it('is the same request whatever the case of the ids in its path', async () => {
    const { client, workspaceId } = overture
    const campaign = await makeCampaign(overture, { name: 'Cased' })
    const send = (workspace: string, id: string) =>
      client.post(`/v1/workspaces/${workspace}/campaigns/${id}/duplicate`, { name: 'Copy' }, { headers: { 'idempotency-key': 'cased' } })
    const first = await send(workspaceId, campaign.id)
    const again = await send(workspaceId.toUpperCase(), campaign.id.toUpperCase())
    assert.equal(again.body.id, first.body.id, JSON.stringify(again.body))
    const escaped = await send(workspaceId.replace('-', '%2d'), campaign.id)
    assert.equal(escaped.body.id, first.body.id)
    const rows = await overture.ctx.db.many(sql(`select id from operations where idempotency_key = 'cased'`))
    assert.equal(rows.length, 1)
  })

  it('supports Prefer: wait as RFC 7240 specifies', async () => {
    const { client, home } = overture
    const campaign = await makeCampaign(overture, { name: 'Preferred' })
    const send = (prefer: string) => client.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'Copy' }, { headers: { prefer } })
    for (const prefer of ['wait=20', 'WAIT=20', 'wait="20"', 'respond-async, wait=20', 'wait = 20', 'foo; a="x, wait=1", Wait=20; b=c']) {
      const reply = await send(prefer)
      assert.deepEqual([reply.status, reply.headers['preference-applied']], [200, 'wait=20'], prefer)
    }
    for (const prefer of ['wait=31', 'wait=99999999999999999999', `wait=${'9'.repeat(400)}`]) {
      assert.equal((await send(prefer)).headers['preference-applied'], 'wait=30', prefer)
    }
    for (const prefer of [
      'wait',
      'wait=',
      'wait=soon',
      'wait=-5',
      'wait=0',
      'wait=000',
      'wait=1e9',
      'await=20',
      'respond-async; wait=20',
      'foo="wait=20"',
    ]) {
      assert.equal((await send(prefer)).status, 202, prefer)
    }
  })

  it('continues with a cursor whether a default is explicit or omitted', async () => {
    const { client, home } = overture
    for (const n of [1, 2, 3]) await makeCampaign(overture, { name: `Default ${n}` })
    const cursorOf = async (query: string) => (await client.get(`${home}/campaigns?limit=1${query}`)).body.meta.pagination.nextCursor
    const statusOf = async (query: string, cursor: string) => (await client.get(`${home}/campaigns?cursor=${cursor}${query}`)).status
    assert.equal(await statusOf('&limit=50', await cursorOf('')), 200)
    assert.equal(await statusOf('&displayStatus=active', await cursorOf('')), 200)
    assert.equal(await statusOf('', await cursorOf('&displayStatus=active')), 200)
    assert.equal(await statusOf('&displayStatus=archived', await cursorOf('')), 400)
    const events = (await client.get(`${home}/events?limit=1`)).body.meta.pagination.nextCursor
    assert.equal((await client.get(`${home}/events?after=0&cursor=${events}`)).status, 200)
    assert.equal((await client.get(`${home}/events?after=1&cursor=${events}`)).status, 400)
  })
})

describe('a stop', () => {
  it('does not wait for idle connections', { timeout: 30_000 }, async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { hostname, port } = new URL(overture.baseUrl)
    const silent = connect(Number(port), hostname)
    await once(silent, 'connect')
    // Answered on another connection: the service has seen the silent one by then.
    assert.equal((await fetch(`${overture.baseUrl}/healthz`)).status, 200)
    const closed = once(silent, 'close')
    await overture.stop()
    await closed
  })

  it('ends a request that has begun, and then its connection', { timeout: 30_000 }, async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { hostname, port } = new URL(overture.baseUrl)
    const socket = connect(Number(port), hostname)
    const [authorization, body] = [`authorization: Bearer ${overture.client.token}`, '{"name":"Begun"}']
    const length = `content-type: application/json\r\ncontent-length: ${body.length}`
    const begun = once(overture.app.server, 'request')
    socket.write(`POST ${overture.home}/campaigns HTTP/1.1\r\nhost: x\r\n${authorization}\r\n${length}\r\n\r\n${body.slice(0, 5)}`)
    const [request] = (await begun) as [IncomingMessage]
    while (!request.readableDidRead) await turn()
    const stopped = overture.stop()
    while (overture.app.server.listening) await turn()
    socket.write(body.slice(5))
    assert.match(await text(socket), /^HTTP\/1\.1 201 .*^connection: close\r$/ims)
    await stopped
  })

  it('refuses later requests with the time to ask again', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { server } = overture.app
    const [close, begun, asked] = [server.close.bind(server), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    server.close = done => {
      begun.resolve()
      void asked.promise.then(() => close(done))
      return server
    }
    const stopped = overture.stop()
    await begun.promise
    const { status, headers, body } = await overture.client.get('/healthz')
    asked.resolve()
    assert.deepEqual([status, body.error.code], [503, 'service_unavailable'])
    assert.deepEqual([headers['retry-after'], headers.connection], ['1', 'close'])
    await stopped
  })
})
