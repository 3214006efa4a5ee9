import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { issueCode } from '../../src/modules/tokens/sessions.ts'
import { makeCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { Client, startOverture } from '../harness.ts'
import { Browser, signIn } from '../sessions.ts'

const overture = await startOverture({ worker: false })
const { client, home } = overture

describe('sessions', () => {
  const as = (token: string) => new Client(overture.baseUrl, token)
  const change = (what: string, values: unknown[]) => overture.ctx.db.pool.query(what, values)
  const newToken = async (body: object = {}) => (await client.post('/v1/tokens', { name: 'browser', ...body })).body.data
  const newCode = async (tokenId?: string) => {
    const id = tokenId ?? (await client.get('/v1/tokens/current')).body.data.id
    return overture.ctx.db.inTransaction(tx => issueCode(tx, id))
  }
  const redeem = (code: unknown, headers: Record<string, string> = {}) => client.post('/v1/sessions', { code }, { token: null, headers })

  describe('signing in', () => {
    it('sets a cookie that scripts cannot read and other sites do not send, and stores only the hash of its secret', async () => {
      const reply = await client.post('/v1/sessions', {}, { headers: { 'user-agent': 'Browser 1.0' } })
      assert.equal(reply.status, 201)
      const cookie = String(reply.headers['set-cookie'])
      assert.match(cookie, /^overture_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
      const secret = /=([\w-]+)/.exec(cookie)![1]!
      assert.ok(!JSON.stringify(reply.body).includes(secret))
      const { rows } = await change('select hash, user_agent from sessions where id = $1', [reply.body.data.session.id])
      assert.deepEqual(rows[0].hash, createHash('sha256').update(secret).digest())
      assert.equal(rows[0].user_agent, 'Browser 1.0')
      for (const table of ['sessions', 'operations', 'events', 'sign_in_codes']) {
        const { rows } = await change(`select row_to_json(t)::text as row from ${table} t`, [])
        assert.ok(!JSON.stringify(rows).includes(secret), table)
      }
    })

    it('over https, the cookie is Secure with the __Host- prefix, and one without it does not count', async () => {
      const secure = await startOverture({ worker: false })
      after(() => secure.end())
      secure.ctx.config.baseUrl = 'https://outreach.example'
      const reply = await secure.client.post('/v1/sessions', {})
      const cookie = String(reply.headers['set-cookie'])
      assert.match(cookie, /^__Host-overture_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/)
      const pair = cookie.split(';')[0]!
      const from = (headers: Record<string, string>) =>
        secure.client.get(secure.home, {
          token: null,
          headers: { 'x-overture-console': reply.body.data.sessionKey, cookie: pair, ...headers },
        })
      assert.equal((await from({ origin: 'https://outreach.example' })).status, 200)
      assert.equal((await from({ origin: secure.baseUrl })).status, 403)
      assert.equal((await from({ origin: 'http://outreach.example', host: 'outreach.example' })).status, 403)
      assert.equal((await from({ origin: 'https://outreach.example', cookie: pair.replace('__Host-', '') })).status, 401)
    })

    it('needs a valid token or a code', async () => {
      const { id, token } = await newToken()
      await client.delete(`/v1/tokens/${id}`)
      for (const [reply, code] of [
        [await as(token).post('/v1/sessions', {}), 'invalid_token'],
        [await as('ovr_pat_x').post('/v1/sessions', {}), 'invalid_token'],
        [await client.post('/v1/sessions', {}, { token: null }), 'unauthenticated'],
        [await redeem('guessed'), 'invalid_token'],
        [await redeem('x'.repeat(43)), 'invalid_token'],
      ] as const) {
        assert.deepEqual([reply.status, reply.body.error.code], [401, code])
        assert.equal(reply.headers['set-cookie'], undefined)
      }
      const browser = await signIn(client)
      assert.equal((await browser.send('POST', '/v1/sessions', {})).status, 401, 'a session makes no other')
    })

    it('is refused to a page of another origin, which could switch the account of a user', async () => {
      const code = await newCode()
      assert.equal((await redeem(code, { origin: 'https://evil.example' })).status, 403)
      assert.equal((await client.post('/v1/sessions', {}, { headers: { origin: 'https://evil.example' } })).status, 403)
      assert.equal((await redeem(code, { 'content-type': 'text/plain' })).status, 415)
      assert.equal((await redeem(code, { origin: overture.baseUrl })).status, 201)
    })

    it('with a code works once, even for twenty concurrent requests', async () => {
      const code = await newCode()
      const replies = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))
      assert.deepEqual(replies.map(reply => reply.status).toSorted(), [201, ...Array(19).fill(401)])
      assert.equal((await redeem(code)).status, 401)
      const won = replies.find(reply => reply.status === 201)!
      assert.equal((await new Browser(client, won).get(home)).status, 200)
    })

    it('a code ends after a day, and with its token', async () => {
      const late = await newCode()
      await change("update sign_in_codes set expires_at = now() where hash = $1 and expires_at > now() + interval '23 hours'", [
        createHash('sha256').update(late).digest(),
      ])
      assert.equal((await redeem(late)).status, 401)
      const { id } = await newToken()
      const orphan = await newCode(id)
      await client.delete(`/v1/tokens/${id}`)
      assert.equal((await redeem(orphan)).status, 401)
    })

    it('that fails too often from one address returns 429, and other requests are not affected', async () => {
      const limited = await startOverture({ worker: false, config: { rateLimitPerMinute: 5 } })
      after(() => limited.end())
      const wrong = () => limited.client.post('/v1/sessions', { code: 'guessed' }, { token: null })
      const statuses = []
      for (let n = 0; n < 7; n++) statuses.push((await wrong()).status)
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
      assert.ok(Number((await wrong()).headers['retry-after']) >= 1)
      assert.equal((await limited.client.get(limited.home)).status, 200)
    })

    it('is counted by the address that the trusted proxy saw, not by one that a client sends', async () => {
      const limited = await startOverture({ worker: false, config: { rateLimitPerMinute: 2, trustedProxies: 1 } })
      after(() => limited.end())
      const from = async (address: string) =>
        (await limited.client.post('/v1/sessions', { code: 'guessed' }, { token: null, headers: { 'x-forwarded-for': address } })).status
      assert.deepEqual([await from('1.1.1.1, 203.0.113.9'), await from('2.2.2.2, 203.0.113.9')], [401, 401])
      assert.equal(await from('3.3.3.3, 203.0.113.9'), 429)
      assert.equal(await from('203.0.113.9, 203.0.113.10'), 401, 'another client')
      const direct = await startOverture({ worker: false, config: { rateLimitPerMinute: 1 } })
      after(() => direct.end())
      const guess = async (address: string) =>
        (await direct.client.post('/v1/sessions', { code: 'guessed' }, { token: null, headers: { 'x-forwarded-for': address } })).status
      assert.deepEqual([await guess('1.1.1.1'), await guess('2.2.2.2')], [401, 429], 'without a proxy the header says nothing')
    })
  })

  describe('a request with a session', () => {
    it('can do what its token can, and nothing else', async () => {
      const browser = await signIn(client)
      const campaign = await makeCampaign(overture, { name: 'Seen' })
      assert.equal((await browser.get(`${home}/campaigns/${campaign.id}`)).body.data.name, 'Seen')
      assert.equal((await browser.send('PATCH', home, { name: 'Renamed' })).status, 200)
      const stranger = await overture.stranger()
      assert.equal((await browser.get(`${stranger.home}/campaigns`)).status, 404)
      const reader = await signIn(await overture.withScopes(['campaigns:read']))
      assert.equal((await reader.get(`${home}/campaigns`)).status, 200)
      const refused = await reader.send('POST', `${home}/campaigns`, { name: 'x' })
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'insufficient_scope'])
    })

    it('needs the console header and origin; a read may be same-origin instead', async () => {
      const { cookie, key } = await signIn(client)
      const header = { 'x-overture-console': key }
      const own = { origin: overture.baseUrl }
      const sameOrigin = { 'sec-fetch-site': 'same-origin' }
      const ask = async (method: string, headers: Record<string, string>) =>
        (await client.send(method, home, method === 'GET' ? undefined : { name: 'Same' }, { token: null, headers: { cookie, ...headers } }))
          .status
      assert.deepEqual([await ask('GET', { ...header, ...own }), await ask('PATCH', { ...header, ...own })], [200, 200])
      assert.deepEqual([await ask('GET', { ...header, ...sameOrigin }), await ask('PATCH', { ...header, ...sameOrigin })], [200, 403])
      for (const headers of [
        own,
        sameOrigin,
        header,
        { ...header, 'sec-fetch-site': 'cross-site' },
        { ...header, 'sec-fetch-site': 'none' },
      ]) {
        assert.deepEqual([await ask('GET', headers), await ask('PATCH', headers)], [403, 403], JSON.stringify(headers))
      }
      for (const origin of [
        'https://evil.example',
        'null',
        '',
        `${overture.baseUrl}.evil.example`,
        overture.baseUrl.replace('http', 'https'),
      ]) {
        assert.equal(await ask('GET', { ...header, ...sameOrigin, origin }), 403, origin)
      }
      const { host } = new URL(overture.baseUrl)
      const local = host.replace('127.0.0.1', 'localhost')
      assert.equal(await ask('GET', { ...header, host: local, origin: `http://${local}` }), 200, 'another name of this machine')
    })

    it('needs its key in addition to the cookie, which a browser sends to every port of the host', async () => {
      const [mine, other] = [await signIn(client), await signIn(client)]
      const seenElsewhere = { cookie: mine.cookie, origin: overture.baseUrl }
      for (const key of ['1', 'none', other.key, mine.key.slice(1), mine.key.toUpperCase(), mine.cookie.split('=')[1]!]) {
        const refused = await client.get(home, { token: null, headers: { ...seenElsewhere, 'x-overture-console': key } })
        assert.deepEqual([refused.status, refused.body.error.code, refused.headers['set-cookie']], [401, 'invalid_token', undefined], key)
      }
      assert.equal((await mine.get(home)).status, 200)
      const [row] = (await change('select row_to_json(s)::text as row from sessions s where id = $1', [mine.id])).rows
      assert.ok(!row.row.includes(mine.key))
      assert.ok(!JSON.stringify((await mine.get('/v1/session')).body).includes(mine.key), 'and it is shown only once')
    })

    it('prefers a token over the cookie', async () => {
      const { cookie, key } = await signIn(client)
      const limited = await overture.withScopes(['campaigns:read'])
      const both = { cookie, origin: overture.baseUrl, 'x-overture-console': key }
      assert.equal((await limited.get(home, { headers: both })).status, 403)
      assert.equal((await limited.get(`${home}/campaigns`, { headers: { cookie } })).status, 200, 'and needs no header of ours')
      assert.equal((await client.get(home, { token: 'ovr_pat_wrong', headers: both })).status, 401)
    })

    it('accepts no cookie if there are two of the same name, because one was planted', async () => {
      const [mine, planted] = [await signIn(client), await signIn((await overture.stranger()).client)]
      for (const cookie of [`${mine.cookie}; ${planted.cookie}`, `${planted.cookie}; ${mine.cookie}`]) {
        assert.equal((await mine.get(home, { cookie })).status, 401)
      }
      assert.equal((await mine.get(home, { cookie: `other=1; ${mine.cookie}; not_overture_session=x` })).status, 200)
    })

    it('can create tokens that outlive the session, but not its token', async () => {
      const browser = await signIn(client)
      const made = await browser.send('POST', `${home}/api-keys`, { name: 'key', scopes: ['campaigns:read'] })
      assert.equal(made.status, 201)
      assert.ok(Date.parse(made.body.data.expiresAt) > Date.now() + 80 * 24 * 3600_000)
    })
  })

  describe('life', () => {
    const age = (id: string, interval: string) =>
      change(
        `update sessions set created_at = created_at - $2::interval, last_used_at = last_used_at - $2::interval,
           expires_at = expires_at - $2::interval where id = $1`,
        [id, interval],
      )
    const lifetimeHours = async (browser: Browser) =>
      (Date.parse((await browser.get('/v1/session')).body.data.expiresAt) - Date.now()) / 3600_000

    it('ends twelve hours after the last use, is renewed by each use, and ends after thirty days at most', async () => {
      const browser = await signIn(client)
      assert.ok(Math.abs((await lifetimeHours(browser)) - 12) < 0.1)
      await age(browser.id, '11 hours 50 minutes')
      assert.equal((await browser.get(home)).status, 200)
      assert.ok(Math.abs((await lifetimeHours(browser)) - 12) < 0.1, 'renewed')
      await change(
        "update sessions set created_at = now() - interval '29 days 22 hours', last_used_at = now() - interval '1 hour' where id = $1",
        [browser.id],
      )
      assert.ok(Math.abs((await lifetimeHours(browser)) - 2) < 0.1, 'cut')
      await age(browser.id, '2 hours 1 minute')
      const over = await browser.get(home)
      assert.deepEqual([over.status, over.body.error.code], [401, 'invalid_token'])
      assert.match(String(over.headers['set-cookie']), /^overture_session=; Path=\/; Max-Age=0;/)
      const idle = await signIn(client)
      await age(idle.id, '12 hours 1 minute')
      assert.equal((await idle.get(home)).status, 401)
    })

    it('ends with its token, at once', async () => {
      const revoked = await newToken()
      const first = await signIn(as(revoked.token))
      assert.equal((await first.get(home)).status, 200)
      await client.delete(`/v1/tokens/${revoked.id}`)
      assert.equal((await first.get(home)).status, 401)
      const expiring = await newToken()
      const second = await signIn(as(expiring.token))
      await change("update tokens set expires_at = now() + interval '1 hour' where id = $1", [expiring.id])
      assert.ok((await lifetimeHours(second)) <= 1)
      await change('update tokens set expires_at = now() where id = $1', [expiring.id])
      assert.equal((await second.get(home)).status, 401)
    })

    it('ends for good with a revoked token, and keeps its lifetime when the clock is set back', async () => {
      const setBack = (table: string, column: string, id: string) =>
        change(`update ${table} set ${column} = ${column} + interval '3 hours' where id = $1`, [id])
      const revoked = await newToken()
      const [holder, browser] = [as(revoked.token), await signIn(as(revoked.token))]
      await client.delete(`/v1/tokens/${revoked.id}`)
      await setBack('tokens', 'revoked_at', revoked.id)
      assert.deepEqual([(await holder.get(home)).status, (await browser.get(home)).status], [401, 401])
      const early = await signIn(client)
      for (const column of ['last_used_at', 'expires_at']) await setBack('sessions', column, early.id)
      assert.equal((await early.get(home)).status, 200)
      assert.ok(Math.abs((await lifetimeHours(early)) - 12) < 0.1)
    })

    it('ends on sign-out, which deletes the cookie; its token and other sessions stay', async () => {
      const [one, other] = [await signIn(client), await signIn(client)]
      const reply = await one.send('DELETE', '/v1/sessions/current')
      assert.equal(reply.status, 204)
      assert.match(String(reply.headers['set-cookie']), /^overture_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/)
      assert.deepEqual([(await one.get(home)).status, (await other.get(home)).status], [401, 200])
      assert.equal((await client.delete('/v1/sessions/current')).status, 404)
      assert.equal((await client.get(home)).status, 200)
    })

    it('is listed only to its user, who can end it from anywhere', async () => {
      const browser = await signIn(client, { 'user-agent': 'Phone' })
      const listed = (await client.get('/v1/sessions?limit=1')).body.data[0]
      assert.deepEqual([listed.id, listed.userAgent, listed.isCurrent, listed.tokenName], [browser.id, 'Phone', false, 'test'])
      assert.deepEqual((await browser.get(`/v1/sessions/${browser.id}`)).body.data.isCurrent, true)
      const stranger = await overture.stranger()
      const key = await overture.withScopes(['*'])
      for (const other of [stranger.client, key]) {
        assert.deepEqual((await other.get('/v1/sessions')).body.data, [])
        assert.equal((await other.get(`/v1/sessions/${browser.id}`)).status, 404)
        assert.equal((await other.delete(`/v1/sessions/${browser.id}`)).status, 404)
      }
      assert.equal((await browser.get(home)).status, 200)
      const headers = { 'idempotency-key': randomUUID() }
      assert.equal((await client.delete(`/v1/sessions/${browser.id}`, { headers })).status, 204)
      assert.equal((await client.delete(`/v1/sessions/${browser.id}`, { headers })).status, 204, 'the same request again')
      assert.equal((await client.delete(`/v1/sessions/${browser.id}`)).status, 404)
      assert.equal((await browser.get(home)).status, 401)
      const ofKey = await signIn(key)
      assert.deepEqual(
        (await key.get('/v1/sessions')).body.data.map((row: { id: string }) => row.id),
        [ofKey.id],
      )
    })

    it('an event stream ends with the session that opened it', async () => {
      const browser = await signIn(client)
      const reply = await fetch(`${overture.baseUrl}${home}/events/stream`, {
        headers: { cookie: browser.cookie, origin: overture.baseUrl, 'x-overture-console': browser.key },
      })
      assert.equal(reply.status, 200)
      const over = reply.text()
      await client.delete(`/v1/sessions/${browser.id}`)
      await eventually('the stream ends', async () => (await Promise.race([over, null])) !== null)
    })
  })

  it('the identity of the caller is returned to sessions, personal tokens and workspace keys', async () => {
    const browser = await signIn(client)
    const mine = (await browser.get('/v1/session')).body.data
    assert.deepEqual(
      [mine.user.email, mine.token.kind, mine.token.name, mine.scopes],
      ['me@overture.example', 'personal', 'test', ['*', 'credits:write']],
    )
    assert.ok(mine.workspaces.some((workspace: { id: string }) => workspace.id === overture.workspaceId))
    assert.deepEqual([mine.session.id, mine.expiresAt], [browser.id, mine.session.expiresAt])
    const withToken = (await client.get('/v1/session')).body.data
    assert.deepEqual(withToken, { ...mine, session: null, expiresAt: null })
    const key = (await (await overture.withScopes(['campaigns:read'])).get('/v1/session')).body.data
    assert.deepEqual(
      [key.user, key.scopes, key.workspaces.map((row: { id: string }) => row.id)],
      [null, ['campaigns:read'], [overture.workspaceId]],
    )
  })
})
