import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it, test } from 'node:test'
import pg from 'pg'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { buildApp } from '../../src/app/server.ts'
import { loadConfig } from '../../src/context/config.ts'
import { sql } from '../../src/db/sql.ts'
import { SCOPES } from '../../src/http/access.ts'
import { newToken } from '../../src/lib/tokens.ts'
import { issueToken, type NewToken } from '../../src/modules/tokens/tokens.ts'
import { makeCampaign } from '../factories.ts'
import { overture as run, serve } from '../faults/processes.ts'
import { Client, createTestDatabase, type Overture, startOverture, TEST_SECRET } from '../harness.ts'

const SECRET_ENV = { OVERTURE_SECRET_KEY: TEST_SECRET.toString('base64') }

describe('access', () => {
  let overture: Overture
  let client: Client
  let home: string

  before(async () => {
    overture = await startOverture({ worker: false })
    ;({ client, home } = overture)
  })

  const as = (token: string) => new Client(overture.baseUrl, token)
  const createKey = async (body: object = {}, by = client) => {
    const reply = await by.post(`${home}/api-keys`, { name: 'key', scopes: ['campaigns:read'], ...body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.data
  }
  const statusOf = async (token: string, path = `${home}/campaigns`) => (await as(token).get(path)).status
  const setToken = (id: string, change: string) => overture.ctx.db.pool.query(`update tokens set ${change} where id = $1`, [id])

  describe('tokens', () => {
    it('are ovr_pat_ or ovr_org_ with 32 or more random base62 characters and a checksum, and no two alike', async () => {
      const key = (await createKey()).token
      const personal = (await client.post('/v1/tokens', { name: 'mine' })).body.data.token
      assert.match(key, /^ovr_org_[0-9A-Za-z]{38,}$/)
      assert.match(personal, /^ovr_pat_[0-9A-Za-z]{38,}$/)
      const many = Array.from({ length: 1000 }, () => newToken('organization'))
      assert.equal(new Set(many).size, 1000)
    })

    it('are shown once and stored only as their SHA-256', async () => {
      const { token, id, lastFour } = await createKey()
      assert.equal(token.slice(-4), lastFour)
      const [row] = await overture.ctx.db.many<{ hash: Buffer }>(sql('select * from tokens where id = $1'), [id])
      assert.deepEqual(row!.hash, createHash('sha256').update(token).digest())
      const secret = token.slice(8, -4)
      for (const table of ['tokens', 'operations', 'events']) {
        const dump = JSON.stringify(await overture.ctx.db.many(sql(`select row_to_json(t)::text as row from ${table} t`)))
        assert.ok(!dump.includes(secret), table)
      }
      const listed = (await client.get(`${home}/api-keys`)).body.data.find((key: { id: string }) => key.id === id)
      assert.equal('token' in listed, false)
      assert.deepEqual((await as(token).get('/v1/tokens/current')).body.data, listed)
    })

    it('a repeated creation with the same key creates no second token and does not show the first again', async () => {
      const headers = { 'idempotency-key': randomUUID() }
      const body = { name: 'once', scopes: ['campaigns:read'] }
      const first = await client.post(`${home}/api-keys`, body, { headers })
      const again = await client.post(`${home}/api-keys`, body, { headers })
      assert.deepEqual([first.status, again.status], [201, 200])
      assert.deepEqual(again.body.data, { ...first.body.data, token: null })
    })

    it('a malformed, mistyped or unknown token returns 401 invalid_token, a missing one 401 unauthenticated', async () => {
      const { token } = await createKey()
      const mistyped = token.slice(0, 12) + (token[12] === 'x' ? 'y' : 'x') + token.slice(13)
      const authorizations = [
        'Bearer',
        'Bearer ',
        `Basic ${token}`,
        `Bearer ${token} x`,
        `Bearer ${mistyped}`,
        `Bearer ${newToken('personal')}`,
        `Bearer ${token.replace('org', 'pat')}`,
        'Bearer null',
        `Bearer ${token.toLowerCase()}`,
      ]
      for (const authorization of authorizations) {
        const reply = await client.get(`${home}/campaigns`, { token: null, headers: { authorization } })
        assert.deepEqual([reply.status, reply.body.error.code], [401, 'invalid_token'], authorization)
        assert.match(String(reply.headers['www-authenticate']), /^Bearer error="invalid_token"/)
      }
      const none = await client.get(`${home}/campaigns`, { token: null })
      assert.deepEqual([none.status, none.body.error.code, none.headers['www-authenticate']], [401, 'unauthenticated', 'Bearer'])
      assert.equal((await client.get(`${home}/campaigns`, { token: null, headers: { authorization: `bearer  ${token}` } })).status, 200)
    })

    it('a bad checksum is refused without a query', async () => {
      const config = loadConfig({}, { port: 0, logLevel: 'silent' })
      const ctx = buildContext({ config, databaseUrl: 'postgres://nobody@/nowhere?host=/nonexistent', secretKey: randomBytes(32) })
      const app = await buildApp(ctx)
      await app.listen({ host: '127.0.0.1', port: 0 })
      const alone = new Client(`http://127.0.0.1:${(app.server.address() as { port: number }).port}`, newToken('personal'))
      try {
        const good = await alone.get('/v1/workspaces')
        assert.deepEqual([good.status, good.body.error.code, good.headers['retry-after']], [503, 'service_unavailable', '1'])
        for (const token of [`${alone.token.slice(0, -1)}${alone.token.endsWith('0') ? '1' : '0'}`, 'ovr_pat_short', 'x', null]) {
          assert.equal((await alone.get('/v1/workspaces', { token })).status, 401, String(token))
        }
      } finally {
        await app.close()
        await closeContext(ctx)
      }
    })
  })

  describe('scopes', () => {
    it('a key can do what its scopes allow and nothing else, and the refusal names the missing scope', async () => {
      const { token } = await createKey({ scopes: ['campaigns:read', 'workspaces:read'] })
      const limited = as(token)
      assert.equal((await limited.get(`${home}/campaigns`)).status, 200)
      assert.equal((await limited.get(home)).status, 200)
      const refused = await limited.post(`${home}/campaigns`, { name: 'x' })
      assert.deepEqual(
        [refused.status, refused.body.error.code, refused.body.error.details],
        [403, 'insufficient_scope', { requiredScope: 'campaigns:write' }],
      )
      assert.match(String(refused.headers['www-authenticate']), /insufficient_scope.*campaigns:write/)
    })

    it('a token cannot grant scopes that it does not have, on any route', async () => {
      const { token } = await createKey({ scopes: ['tokens:write', 'tokens:read', 'campaigns:read'] })
      const limited = as(token)
      for (const scopes of [['*'], ['campaigns:write'], ['campaigns:read', 'leads:export'], [...SCOPES]]) {
        const reply = await limited.post(`${home}/api-keys`, { name: 'more', scopes })
        assert.deepEqual([reply.status, reply.body.error.code], [403, 'forbidden'], scopes.join())
      }
      assert.equal((await limited.post(`${home}/api-keys`, { name: 'less', scopes: ['campaigns:read'] })).status, 201)
      const mine = (await client.post('/v1/tokens', { name: 'limited', scopes: ['tokens:write', 'campaigns:read'] })).body.data
      assert.equal((await as(mine.token).post('/v1/tokens', { name: 'more', scopes: ['*'] })).status, 403)
      const inherited = (await as(mine.token).post('/v1/tokens', { name: 'same' })).body.data
      assert.deepEqual(inherited.scopes.toSorted(), ['campaigns:read', 'tokens:write'])
    })

    it('a rotation grants only scopes that the caller has', async () => {
      const strong = await createKey({ scopes: ['*'] })
      const { token } = await createKey({ scopes: ['tokens:write', 'campaigns:read'] })
      const reply = await as(token).post(`${home}/api-keys/${strong.id}/rotate`, {})
      assert.deepEqual([reply.status, reply.body.error?.code], [403, 'forbidden'])
      assert.equal(await statusOf(strong.token), 200)
    })

    it('invalid values return 422', async () => {
      for (const body of [
        { name: 'x' },
        { name: 'x', scopes: [] },
        { name: 'x', scopes: ['campaigns:delete'] },
        { name: 'x', scopes: ['campaigns:read', 'campaigns:read'] },
        { name: '', scopes: ['*'] },
        { name: ' ', scopes: ['*'] },
        { name: 'x', scopes: ['*'], expiresAt: '2020-01-01T00:00:00Z' },
        { name: 'x', scopes: ['*'], token: 'mine' },
      ]) {
        assert.equal((await client.post(`${home}/api-keys`, body)).status, 422, JSON.stringify(body))
      }
    })
  })

  describe('reach', () => {
    it('a personal token reaches every workspace of its user, including new ones', async () => {
      const made = (await client.post('/v1/workspaces', { name: ' Second ' })).body.data
      assert.equal(made.name, 'Second')
      assert.equal((await client.get(`/v1/workspaces/${made.id}/campaigns`)).status, 200)
      const ids = (await client.get('/v1/workspaces')).body.data.map((workspace: { id: string }) => workspace.id)
      assert.ok(ids.includes(made.id) && ids.includes(overture.workspaceId))
      const stranger = await overture.stranger()
      assert.deepEqual(
        (await stranger.client.get('/v1/workspaces')).body.data.map((workspace: { id: string }) => workspace.id),
        [stranger.workspaceId],
      )
    })

    it('a workspace key reaches only its own workspace', async () => {
      const other = (await client.post('/v1/workspaces', { name: 'Other' })).body.data
      const { token } = await createKey({ scopes: ['*'] })
      const key = as(token)
      assert.equal((await key.get(`${home}/campaigns`)).status, 200)
      assert.equal((await key.get(`/v1/workspaces/${other.id}/campaigns`)).status, 404)
      assert.deepEqual(
        (await key.get('/v1/workspaces')).body.data.map((workspace: { id: string }) => workspace.id),
        [overture.workspaceId],
      )
      for (const reply of [
        await key.post('/v1/workspaces', { name: 'x' }),
        await key.get('/v1/tokens'),
        await key.post('/v1/tokens', { name: 'x' }),
        await key.delete(`/v1/tokens/${randomUUID()}`),
      ]) {
        assert.deepEqual([reply.status, reply.body.error.code], [403, 'forbidden'])
      }
    })

    it('keys and tokens of others cannot be seen, revoked or rotated', async () => {
      const { id, token } = await createKey()
      const stranger = await overture.stranger()
      for (const path of [`${home}/api-keys/${id}`, `${stranger.home}/api-keys/${id}`]) {
        assert.equal((await stranger.client.delete(path)).status, 404)
        assert.equal((await stranger.client.post(`${path}/rotate`, {})).status, 404)
      }
      const mine = (await client.get('/v1/tokens/current')).body.data
      assert.equal((await stranger.client.delete(`/v1/tokens/${mine.id}`)).status, 404)
      assert.equal(await statusOf(token), 200)
      assert.equal(
        (await client.get('/v1/tokens')).body.data.some((row: { kind: string }) => row.kind !== 'personal'),
        false,
      )
    })

    it('a workspace can be renamed by its members', async () => {
      const made = (await client.post('/v1/workspaces', { name: 'Before' })).body.data
      const renamed = (await client.patch(`/v1/workspaces/${made.id}`, { name: ' After ' })).body.data
      assert.equal(renamed.name, 'After')
      assert.ok(renamed.updatedAt > made.updatedAt)
      assert.deepEqual((await client.get(`/v1/workspaces/${made.id}`)).body.data, renamed)
      assert.deepEqual((await client.patch(`/v1/workspaces/${made.id}`, {})).body.data, renamed)
      for (const name of ['', '   ', 5, null, 'x'.repeat(201)])
        assert.equal((await client.patch(`/v1/workspaces/${made.id}`, { name })).status, 422)
    })
  })

  describe('life', () => {
    it('tokens expire after 90 days by default, and only workspace keys may never expire', async () => {
      const day = 24 * 3600_000
      const days = (row: { expiresAt: string; createdAt: string }) => (Date.parse(row.expiresAt) - Date.parse(row.createdAt)) / day
      assert.equal(days(await createKey()), 90)
      assert.equal(days((await client.post('/v1/tokens', { name: 'mine' })).body.data), 90)
      assert.equal((await createKey({ expiresAt: null })).expiresAt, null)
      assert.equal((await createKey({ expiresAt: '2040-01-01T00:00:00+01:00' })).expiresAt, '2039-12-31T23:00:00.000Z')
      assert.equal((await client.post('/v1/tokens', { name: 'mine', expiresAt: null })).status, 422)
    })

    it('an expired token is 401', async () => {
      const { id, token } = await createKey({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
      assert.equal(await statusOf(token), 200)
      await setToken(id, 'expires_at = now()')
      assert.equal(await statusOf(token), 401)
    })

    it('after a rotation, both keys work until the overlap ends, and the new one has the same lifetime', async () => {
      const old = await createKey({ name: 'rotating', scopes: ['campaigns:read', 'leads:read'] })
      const next = (await client.post(`${home}/api-keys/${old.id}/rotate`, { overlapSeconds: 3600 })).body.data
      assert.notEqual(next.token, old.token)
      assert.deepEqual([next.name, next.scopes], [old.name, old.scopes])
      assert.deepEqual([await statusOf(old.token), await statusOf(next.token)], [200, 200])
      await setToken(old.id, 'revoked_at = now()')
      assert.deepEqual([await statusOf(old.token), await statusOf(next.token)], [401, 200])
      const at = await client.post(`${home}/api-keys/${next.id}/rotate`, { overlapSeconds: 0 })
      assert.deepEqual([await statusOf(next.token), await statusOf(at.body.data.token)], [401, 200])
      assert.equal((await client.post(`${home}/api-keys/${old.id}/rotate`, {})).status, 404)
    })

    it('a rotated key shows the end of the overlap, or its earlier expiry', async () => {
      const expiryOf = async (id: string) => Date.parse((await client.get(`${home}/api-keys/${id}`)).body.data.expiresAt)
      for (const expiresAt of [undefined, null]) {
        const old = await createKey(expiresAt === null ? { expiresAt } : {})
        await client.post(`${home}/api-keys/${old.id}/rotate`, { overlapSeconds: 3600 })
        const ends = await expiryOf(old.id)
        assert.ok(Math.abs(ends - Date.now() - 3_600_000) < 60_000, new Date(ends).toISOString())
        const listed = (await client.get(`${home}/api-keys?limit=100`)).body.data.find((key: { id: string }) => key.id === old.id)
        const current = (await as(old.token).get('/v1/tokens/current')).body.data
        assert.deepEqual([Date.parse(listed.expiresAt), Date.parse(current.expiresAt)], [ends, ends])
      }
      const short = await createKey({ expiresAt: new Date(Date.now() + 600_000).toISOString() })
      await client.post(`${home}/api-keys/${short.id}/rotate`, { overlapSeconds: 3600 })
      assert.equal(await expiryOf(short.id), Date.parse(short.expiresAt))
    })

    it('a rotation during an overlap does not make the old key live longer', async () => {
      const old = await createKey()
      await client.post(`${home}/api-keys/${old.id}/rotate`, { overlapSeconds: 60 })
      const until = async () =>
        (await overture.ctx.db.many<{ at: Date }>(sql('select revoked_at as at from tokens where id = $1'), [old.id]))[0]!.at
      const before = await until()
      await client.post(`${home}/api-keys/${old.id}/rotate`, { overlapSeconds: 600_000 })
      assert.deepEqual(await until(), before)
    })

    it('a revoked token returns 401 from the next request on, and disappears from the list', async () => {
      const { id, token } = await createKey()
      assert.equal((await client.delete(`${home}/api-keys/${id}`)).status, 204)
      assert.equal(await statusOf(token), 401)
      assert.equal((await client.delete(`${home}/api-keys/${id}`)).status, 404)
      assert.ok(!(await client.get(`${home}/api-keys?limit=100`)).body.data.some((row: { id: string }) => row.id === id))
      const mine = (await client.post('/v1/tokens', { name: 'mine' })).body.data
      assert.equal((await as(mine.token).delete(`/v1/tokens/${mine.id}`)).status, 204)
      assert.equal((await as(mine.token).get('/v1/tokens/current')).status, 401)
    })

    describe('with a second process on the same database', () => {
      let there: string

      before(async () => {
        there = (await serve('api', { DATABASE_URL: overture.databaseUrl, ...SECRET_ENV })).base
      })

      it('a token created in one process works in the other, and a revoked one is refused there at once', async () => {
        for (let n = 0; n < 20; n++) {
          const { id, token } = await createKey()
          const remote = new Client(there, token)
          assert.equal((await remote.get(`${home}/campaigns`)).status, 200)
          await client.delete(`${home}/api-keys/${id}`)
          assert.equal((await remote.get(`${home}/campaigns`)).status, 401)
        }
      })

      it('an idempotency key of one process is replayed in the other, and so is a cursor', async () => {
        const campaign = await makeCampaign(overture, { name: 'Shared' })
        await makeCampaign(overture, { name: 'Shared too' })
        const remote = new Client(there, client.token)
        const headers = { 'idempotency-key': randomUUID() }
        const path = `${home}/campaigns/${campaign.id}/duplicate`
        const [first, again] = [await client.post(path, { name: 'x' }, { headers }), await remote.post(path, { name: 'x' }, { headers })]
        assert.deepEqual([again.body.id, again.headers['idempotent-replayed']], [first.body.id, 'true'])
        const { nextCursor } = (await client.get(`${home}/campaigns?limit=1`)).body.meta.pagination
        assert.equal((await remote.get(`${home}/campaigns?limit=1&cursor=${encodeURIComponent(nextCursor)}`)).status, 200)
      })
    })
  })
})

describe('a request with everything wrong', () => {
  it('gets one error at a time, in a fixed order', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const limited = await overture.withScopes(['campaigns:read'])
    const stranger = await overture.stranger()
    const campaign = await makeCampaign(overture, { name: 'Real' })
    const other = await makeCampaign(overture, { name: 'Other' })
    await overture.ctx.db.pool.query(`update campaigns set status = 'paused' where id = $1`, [other.id])
    const usedKey = randomUUID()
    await client.post(`${home}/campaigns`, { name: 'Used' }, { headers: { 'idempotency-key': usedKey } })

    // Each line fixes the error of the previous line, and keeps all later ones.
    const wrong = {
      url: '/v1/nonsense',
      method: 'PATCH',
      token: null as string | null,
      type: 'text/plain',
      raw: '{"nonsense":',
      key: '',
      ifMatch: 'never',
      query: '?nonsense=1',
    }
    const providerId = randomUUID()
    const lines: [change: Partial<typeof wrong>, status: number, code: string][] = [
      [{}, 404, 'not_found'],
      [{ url: '/v1/workspaces/nonsense/campaigns/nonsense', method: 'PUT' }, 405, 'method_not_allowed'],
      [{ method: 'PATCH' }, 401, 'unauthenticated'],
      [{ token: `ovr_pat_${'x'.repeat(42)}` }, 401, 'invalid_token'],
      [{ token: limited.token }, 400, 'invalid_request'],
      [{ url: `${stranger.home}/campaigns/${randomUUID()}` }, 404, 'not_found'],
      [{ url: `${home}/campaigns/${randomUUID()}` }, 403, 'insufficient_scope'],
      [{ token: client.token }, 415, 'unsupported_media_type'],
      [{ type: 'application/json' }, 400, 'invalid_json'],
      [{ raw: JSON.stringify({ nonsense: 1 }) }, 400, 'invalid_request'],
      [{ query: '' }, 400, 'invalid_idempotency_key'],
      [{ key: usedKey }, 400, 'invalid_if_match'],
      [{ ifMatch: '2020-01-01T00:00:00Z' }, 422, 'validation_failed'],
      [{ raw: JSON.stringify({ providerId }) }, 409, 'idempotency_key_reused'],
      [{ key: randomUUID() }, 404, 'not_found'],
      [{ url: `${home}/campaigns/${other.id}` }, 422, 'invalid_reference'],
      [{ raw: JSON.stringify({ niche: 'x' }) }, 409, 'invalid_state'],
      [{ url: `${home}/campaigns/${campaign.id}` }, 202, 'queued'],
    ]
    for (const [change, status, code] of lines) {
      Object.assign(wrong, change)
      const headers = { 'content-type': wrong.type, 'idempotency-key': wrong.key, 'if-match': wrong.ifMatch }
      const reply = await client.send(wrong.method, wrong.url + wrong.query, undefined, { token: wrong.token, raw: wrong.raw, headers })
      assert.deepEqual([reply.status, reply.body.error?.code ?? reply.body.status], [status, code], JSON.stringify(change))
    }
  })
})

test('/readyz names a table that the role of the database may not use', async () => {
  const overture = await startOverture({ worker: false })
  const ready = async () => (await overture.client.get('/readyz', { token: null })).body
  assert.deepEqual(await ready(), { status: 'ready' })
  // A table of others does not concern the service.
  await overture.ctx.db.pool.query('create table leads_backup (id int); revoke all on leads_backup from current_user')
  assert.deepEqual(await ready(), { status: 'ready' })
  await overture.ctx.db.pool.query('drop table leads_backup')
  // The owner of a table can lose rights on it, too.
  await overture.ctx.db.pool.query('revoke update on leads from current_user')
  const { code, message, details } = (await ready()).error
  assert.deepEqual([code, details], ['service_unavailable', { database: 'denies_access' }])
  assert.match(message, /^The database role may not read and change the table leads\./)
  await overture.ctx.db.pool.query('grant update on leads to current_user; alter table migrations rename to elsewhere')
  assert.match((await ready()).error.message, /the table migrations\./)
})

describe('the rate limit', () => {
  it('is counted per token, shown in headers, and enforced with 429 and Retry-After', async () => {
    const overture = await startOverture({ worker: false, config: { rateLimitPerMinute: 5 } })
    after(() => overture.end())
    const other = await overture.stranger()
    const replies = []
    for (let n = 0; n < 7; n++) replies.push(await overture.client.get(overture.home))
    assert.deepEqual(
      replies.map(reply => reply.status),
      [200, 200, 200, 200, 200, 429, 429],
    )
    assert.match(String(replies[0]!.headers.ratelimit), /r=4;t=\d+/)
    assert.match(String(replies[0]!.headers['ratelimit-policy']), /q=5;w=60/)
    assert.equal(replies[5]!.body.error.code, 'rate_limited')
    assert.ok(Number(replies[5]!.headers['retry-after']) >= 1)
    assert.equal((await other.client.get(other.home)).status, 200)
  })

  it('is shared by a token and the tokens that it creates, but not by the keys of a workspace', async () => {
    const overture = await startOverture({ worker: false, config: { rateLimitPerMinute: 6 } })
    const { home, baseUrl, userId, workspaceId } = overture
    const stored = async (owner: Partial<NewToken>) => {
      const token: NewToken = {
        ...{ kind: 'organization', userId: null, workspaceId: null, name: 'x', scopes: ['*'], expiresAt: null },
        ...owner,
      }
      return new Client(baseUrl, (await overture.ctx.db.inTransaction(tx => issueToken(tx, token, new Date()))).token)
    }
    for (const [path, by] of [
      ['/v1/tokens', await stored({ kind: 'personal', userId })],
      [`${home}/api-keys`, await stored({ workspaceId })],
    ] as const) {
      const child = new Client(baseUrl, (await by.post(path, { name: 'child', scopes: ['*'] })).body.data.token)
      const grandchild = new Client(baseUrl, (await child.post(path, { name: 'grandchild', scopes: ['*'] })).body.data.token)
      const statuses = []
      for (const each of [child, grandchild, by, grandchild, by, child]) statuses.push((await each.get(home)).status)
      assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429])
    }
    const maker = await stored({ kind: 'personal', userId })
    const made = new Client(baseUrl, (await maker.post(`${home}/api-keys`, { name: 'made', scopes: ['workspaces:read'] })).body.data.token)
    for (let n = 0; n < 6; n++) await maker.get(home)
    assert.deepEqual([(await maker.get(home)).status, (await made.get(home)).status], [429, 200])
  })
})

describe('overture token create', () => {
  /** A database with nothing in it at all. */
  async function emptyDatabase(): Promise<string> {
    const url = await createTestDatabase()
    const name = `empty_${randomUUID().replaceAll('-', '')}`
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    return url.replace(/\/test_\w+/, `/${name}`)
  }

  it('migrates an empty database and creates the first user, workspace and token, which work with the API', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), ...SECRET_ENV }
    const create = async (...args: string[]) => {
      const program = run(['token', 'create', ...args], env)
      const code = await program.exited
      return { code, output: program.output }
    }
    const first = await create('--email', 'Ada@example.com', '--name', 'Ada', '--workspace', 'Acme')
    assert.equal(first.code, 0, first.output)
    const made = JSON.parse(first.output) as { workspaceId: string; token: string }
    const again = JSON.parse((await create('--email', 'ada@example.com')).output) as { workspaceId: string; token: string }
    assert.equal(again.workspaceId, made.workspaceId)
    assert.notEqual(again.token, made.token)

    const { program: api, base } = await serve('api', env)
    for (const { token } of [made, again]) {
      const reply = await new Client(base, token).get(`/v1/workspaces/${made.workspaceId}`)
      assert.deepEqual([reply.status, reply.body.data.name], [200, 'Acme'])
    }
    assert.ok(!api.output.includes(made.token))
    await api.end()

    const nobody = await create()
    assert.equal(nobody.code, 2)
    assert.match(nobody.output, /--email/)
  })

  it('reports an invalid configuration instead of starting', async () => {
    for (const [env, problem] of [
      [{ DATABASE_URL: 'postgres://nobody@/nowhere' }, /OVERTURE_SECRET_KEY is required/],
      [{ DATABASE_URL: 'postgres://nobody@/nowhere', OVERTURE_SECRET_KEY: 'c2hvcnQ=' }, /32 bytes/],
      [{ PORT: 'eighty' }, /PORT must be a whole number/],
    ] as const) {
      const program = run(['api'], env)
      assert.equal(await program.exited, 1)
      assert.match(program.output, problem)
    }
  })
})
