import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { makeCampaign } from '../factories.ts'
import { Client, type Overture, startOverture } from '../harness.ts'
import { CLIENT, Person, startIssuer, startMailServer } from '../issuer.ts'
import { signIn } from '../sessions.ts'

/** A test must not connect to the mail servers of Google. */
const nameless = async () => {
  throw Object.assign(new Error('not there'), { code: 'ENOTFOUND' })
}

async function setUp() {
  const overture = await startOverture({ worker: false, resolve: nameless })
  after(() => overture.end())
  const callback = `${overture.baseUrl}/oauth/callback`
  const issuer = await startIssuer(callback)
  const mail = await startMailServer(issuer.provider)
  Object.assign(overture.ctx.config, {
    ...{ googleClientId: CLIENT.id, googleClientSecret: CLIENT.secret, googleIssuerUrl: issuer.url },
    ...{ microsoftClientId: CLIENT.id, microsoftClientSecret: CLIENT.secret, microsoftIssuerUrl: issuer.url },
  })
  const { client, home } = overture
  const made = await client.post(`${home}/providers`, {
    ...{ kind: 'smtp', name: 'Ada', fromEmail: 'ada@own.example', settings: { smtp: mail.smtp } },
    credentials: { username: 'ada', password: 'old' },
  })
  const mailbox = `${home}/providers/${made.body.data.id}`
  const begin = async (body: object = {}) =>
    (await client.post(`${home}/oauth/authorizations`, { issuer: 'google', providerId: made.body.data.id, ...body })).body.data
  return { overture, callback, issuer, mail, client, home, mailbox, providerId: made.body.data.id as string, begin }
}

/** A consent that a program started is confirmed by a person on the page. */
async function confirm(person: Person, url: string): Promise<string> {
  assert.match(await person.open(url), /Connect this mailbox\?[\s\S]*me@overture\.example/)
  return person.open(url, 'POST')
}

const consentOf = async ({ client, home }: Pick<Overture, 'client' | 'home'>, id: string) =>
  (await client.get(`${home}/oauth/authorizations/${id}`)).body.data

describe('a mailbox that signs in by consent', () => {
  it('is connected by its owner in a browser, stores no password, and does not show the token', async () => {
    const { overture, callback, mail, client, mailbox, providerId, begin } = await setUp()
    const consent = await begin()
    assert.deepEqual([consent.status, consent.flow, consent.device], ['open', 'browser', null])
    const asked = new URL(consent.authorizationUrl).searchParams
    assert.deepEqual(
      [asked.get('code_challenge_method'), asked.get('scope'), asked.get('login_hint'), asked.get('redirect_uri')],
      ['S256', 'https://mail.google.com/ openid email', 'ada@own.example', callback],
    )
    const ada = new Person('ada@own.example')
    const back = await ada.consent(consent.authorizationUrl, callback)
    const page = await confirm(ada, back)
    assert.match(page, /The mailbox is connected/)
    assert.match(page, new RegExp(`url=/mailboxes/${providerId}"`))
    assert.deepEqual(mail.users, ['ada@own.example'])
    const { status, consent: kept, hasCredentials, fix } = (await client.get(mailbox)).body.data
    assert.deepEqual([status, kept, hasCredentials, fix], ['connected', { issuer: 'google', account: 'ada@own.example' }, true, null])
    const { status: end, account, authorizationUrl } = await consentOf(overture, consent.id)
    assert.deepEqual([end, account, authorizationUrl], ['granted', 'ada@own.example', null])
  })

  it('cannot be requested while the issuer is down or returns nonsense: 503 with Retry-After', async () => {
    const { overture, issuer, client, home, providerId } = await setUp()
    const endpoint = { token_endpoint: issuer.url, device_authorization_endpoint: issuer.url }
    // A browser would run it.
    const script = { ...endpoint, authorization_endpoint: 'javascript:alert(1)' }
    const nonsense = createServer(({ url }, response) => response.end(url?.startsWith('/script/') ? JSON.stringify(script) : '<html>'))
    nonsense.listen(0, '127.0.0.1')
    after(() => nonsense.close())
    await once(nonsense, 'listening')
    const place = `http://127.0.0.1:${(nonsense.address() as AddressInfo).port}`
    for (const url of [place, `${place}/script`, issuer.url.replace(/\d+$/, '1')]) {
      Object.assign(overture.ctx.config, { microsoftIssuerUrl: url })
      for (const path of ['authorizations', 'authorizations/device']) {
        const reply = await client.post(`${home}/oauth/${path}`, { issuer: 'microsoft', providerId })
        assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '5'], path)
      }
    }
    const key = (await client.post(`${home}/api-keys`, { name: 'agent', scopes: ['*'], limits: { sandboxOnly: true } })).body.data
    for (const path of ['authorizations', 'authorizations/device']) {
      const refused = await new Client(overture.baseUrl, key.token).post(`${home}/oauth/${path}`, { issuer: 'microsoft' })
      assert.equal(refused.body.error.code, 'token_budget_exceeded', 'the limits of a token are checked before the issuer is asked')
    }
  })

  it('accepts a state once, within ten minutes', async () => {
    const { overture, callback, begin } = await setUp()
    const first = await begin()
    const lifetimeMs = Date.parse(first.expiresAt) - Date.parse(first.createdAt)
    assert.equal(lifetimeMs, 600_000)
    const ada = new Person('ada@own.example')
    const back = await ada.consent(first.authorizationUrl, callback)
    await confirm(ada, back)
    assert.match(await ada.open(back), /no longer works/)
    assert.match(await ada.open(back, 'POST'), /no longer works/)

    const second = await begin()
    await overture.ctx.db.pool.query("update consents set expires_at = now() - interval '1 second' where id = $1", [second.id])
    assert.match(await ada.open(await ada.consent(second.authorizationUrl, callback), 'POST'), /no longer works/)
    assert.equal((await consentOf(overture, second.id)).status, 'expired')
    assert.match(await ada.open(`${callback}?state=${'x'.repeat(43)}&code=y`), /no longer works/)
    assert.match(await ada.open(callback), /no longer works/)
  })

  it('refuses the code of another attempt, because its verifier differs', async () => {
    const { overture, callback, begin } = await setUp()
    const [mine, other] = [await begin(), await begin()]
    const ada = new Person('ada@own.example')
    const code = new URL(await ada.consent(other.authorizationUrl, callback)).searchParams.get('code')!
    const state = new URL(mine.authorizationUrl).searchParams.get('state')!
    assert.match(await ada.open(`${callback}?state=${state}&code=${code}`, 'POST'), /not connected[\s\S]*invalid_grant/)
    const { status, reason } = await consentOf(overture, mine.id)
    assert.equal(status, 'refused')
    assert.match(reason, /invalid_grant/)
  })

  it('is bound to the browser that started it: a link sent to another person transfers nothing', async () => {
    const { overture, callback, client, home, providerId } = await setUp()
    const browser = await signIn(client)
    const reply = await browser.send('POST', `${home}/oauth/authorizations`, { issuer: 'google', providerId })
    const cookie = String(reply.headers['set-cookie'])
    assert.match(cookie, /^overture_consent=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax/)
    const { id, authorizationUrl } = reply.body.data
    const victim = new Person('victim@own.example')
    const back = await victim.consent(authorizationUrl, callback)
    assert.match(await victim.open(back), /no longer works/)
    assert.match(await victim.open(back, 'POST'), /no longer works/)
    assert.equal((await consentOf(overture, id)).status, 'open')

    const ada = new Person('ada@own.example')
    ada.take(overture.baseUrl, cookie)
    // A consent that was started in the same browser needs no confirmation.
    assert.match(await ada.open(await ada.consent(authorizationUrl, callback)), /The mailbox is connected/)
  })

  it('ends with the session and the token that started it', async () => {
    const { overture, callback, client, home, begin, mailbox } = await setUp()
    const consent = await begin()
    const ada = new Person('ada@own.example')
    const back = await ada.consent(consent.authorizationUrl, callback)
    await overture.ctx.db.pool.query('update tokens set revoked_at = now()')
    assert.match(await ada.open(back, 'POST'), /no longer works/)
    await overture.ctx.db.pool.query('update tokens set revoked_at = null')
    const { status, reason } = (await client.get(`${home}/oauth/authorizations/${consent.id}`)).body.data
    assert.deepEqual([status, reason], ['refused', 'The person who requested the consent no longer has permission'])
    assert.equal((await client.get(mailbox)).body.data.consent, null)
  })

  it('ends with the role that allowed it, and cannot be started with a sandbox-only token', async () => {
    const { overture, callback, client, home, providerId, mailbox } = await setUp()
    const invited = (await client.post(`${home}/members`, { email: 'bea@team.example', role: 'member' })).body.data
    const joined = await client.post('/v1/invitations/accept', { code: invited.code, name: 'Bea' }, { token: null })
    const bea = new Client(overture.baseUrl, joined.body.data.token)
    const { id, authorizationUrl } = (await bea.post(`${home}/oauth/authorizations`, { issuer: 'google', providerId })).body.data
    const ada = new Person('ada@own.example')
    const back = await ada.consent(authorizationUrl, callback)
    assert.equal((await client.patch(`${home}/members/${joined.body.data.member.id}`, { role: 'viewer' })).status, 200)
    assert.match(await ada.open(back, 'POST'), /no longer works/)
    assert.equal((await consentOf(overture, id)).status, 'refused')
    assert.equal((await client.get(mailbox)).body.data.consent, null)

    const key = (await client.post(`${home}/api-keys`, { name: 'agent', scopes: ['*'], limits: { sandboxOnly: true } })).body.data
    const refused = await new Client(overture.baseUrl, key.token).post(`${home}/oauth/authorizations`, { issuer: 'google' })
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'token_budget_exceeded'])

    // Other credentials are a change of the mailbox: they cost what its campaigns send.
    const { id: campaignId } = await makeCampaign(overture, { name: 'Consented', providerId })
    await overture.ctx.db.pool.query(`update campaigns set status = 'paused' where id = $1`, [campaignId])
    const poor = (await client.post(`${home}/api-keys`, { name: 'agent', scopes: ['*'], limits: { mailsPerDay: 0 } })).body.data
    const agent = new Client(overture.baseUrl, poor.token)
    for (const path of ['', '/device']) {
      const { body } = await agent.post(`${home}/oauth/authorizations${path}`, { issuer: path ? 'microsoft' : 'google', providerId })
      assert.deepEqual([body.error?.code, body.error?.details?.asked], ['token_budget_exceeded', 1], JSON.stringify(body))
    }
    assert.equal((await agent.post(`${home}/oauth/authorizations`, { issuer: 'google' })).status, 201)
  })

  it('is invisible to another workspace, which cannot poll it or name the mailbox', async () => {
    const { overture, begin, providerId } = await setUp()
    const { id } = await begin()
    const stranger = await overture.stranger()
    const theirs = `${stranger.home}/oauth/authorizations`
    assert.equal((await stranger.client.get(`${theirs}/${id}`)).status, 404)
    assert.equal((await stranger.client.post(`${theirs}/${id}/poll`, {})).status, 404)
    for (const path of [theirs, `${theirs}/device`]) {
      assert.equal((await stranger.client.post(path, { issuer: 'microsoft', providerId })).status, 404)
    }
  })

  it('shows the reason of the issuer as text when consent is refused', async () => {
    const { overture, callback, begin } = await setUp()
    const declined = await begin()
    const ada = new Person('ada@own.example')
    const back = await ada.decline(declined.authorizationUrl, callback)
    assert.match(await ada.open(back), /not connected[\s\S]*Consent was not given \(access_denied/)
    assert.match((await consentOf(overture, declined.id)).reason, /access_denied/)

    const hostile = await begin()
    const state = new URL(hostile.authorizationUrl).searchParams.get('state')!
    const error = encodeURIComponent('<script>alert(1)</script>\u0000')
    const page = await ada.open(`${callback}?state=${state}&error=server_error&error_description=${error.replace('%00', '')}`)
    assert.ok(page.includes('&lt;script&gt;') && !page.includes('<script>'))
  })

  it('creates the mailbox if there is none, with the servers of the issuer and the limits of its hosting provider', async () => {
    const { overture, callback, client, home, begin } = await setUp()
    const consent = await begin({ providerId: undefined })
    const eve = new Person('eve@workspace.example')
    const page = await confirm(eve, await eve.consent(consent.authorizationUrl, callback))
    assert.match(page, /Consent stored, but it does not work yet/)
    const { providerId } = await consentOf(overture, consent.id)
    const made = (await client.get(`${home}/providers/${providerId}`)).body.data
    assert.deepEqual([made.fromEmail, made.settings.smtp.host, made.dailyCap], ['eve@workspace.example', 'smtp.gmail.com', 50])
    assert.deepEqual(made.consent, { issuer: 'google', account: 'eve@workspace.example' })
  })

  it('shows when another account than the mailbox gives consent', async () => {
    const { callback, mail, client, mailbox, begin } = await setUp()
    const boss = new Person('boss@own.example')
    const page = await confirm(boss, await boss.consent((await begin()).authorizationUrl, callback))
    assert.match(page, /ada@own\.example<\/b> signs in with the consent of <b>boss@own\.example/)
    assert.deepEqual(mail.users, ['boss@own.example'])
    assert.equal((await client.get(mailbox)).body.data.consent.account, 'boss@own.example')
  })

  it('reports that consent was withdrawn, with the request to give it again', async () => {
    const { callback, issuer, client, home, mailbox, providerId, begin } = await setUp()
    const ada = new Person('ada@own.example')
    await confirm(ada, await ada.consent((await begin()).authorizationUrl, callback))
    await issuer.withdraw()
    await client.patch(mailbox, { name: 'Ada, again' })
    assert.equal((await client.post(`${mailbox}/verify`, {})).body.data.ok, false)
    const { status, statusReason, fix } = (await client.get(mailbox)).body.data
    assert.equal(status, 'disconnected')
    assert.match(statusReason, /consent was withdrawn/)
    assert.deepEqual(fix, { method: 'POST', path: `${home}/oauth/authorizations`, body: { issuer: 'google', providerId } })

    const again = (await client.post(fix.path, fix.body)).body.data
    await confirm(ada, await ada.consent(again.authorizationUrl, callback))
    const mended = (await client.get(mailbox)).body.data
    assert.deepEqual([mended.status, mended.fix], ['connected', null])
  })

  it('works with a code on another device, and polls no more often than the issuer allows', async () => {
    const { overture, issuer, mail, client, home, mailbox, providerId } = await setUp()
    const asked = await client.post(`${home}/oauth/authorizations/device`, { issuer: 'microsoft', providerId })
    assert.equal(asked.status, 201, JSON.stringify(asked.body))
    const { id, device } = asked.body.data
    const poll = async () => (await client.post(`${home}/oauth/authorizations/${id}/poll`, {})).body.data
    const nextTurn = () => overture.ctx.db.pool.query('update consents set next_poll_at = now() where id = $1', [id])
    await nextTurn()
    assert.equal((await poll()).status, 'open')
    const ada = new Person('ada@own.example')
    await ada.consent(device.verificationUri, 'nowhere', { user_code: device.userCode })
    // Too early: the issuer is not asked.
    assert.equal((await poll()).status, 'open')
    await nextTurn()
    const done = await poll()
    assert.deepEqual([done.status, done.account], ['granted', 'ada@own.example'], JSON.stringify(done))
    assert.deepEqual(mail.users, ['ada@own.example'])
    assert.equal((await client.get(mailbox)).body.data.status, 'connected')
    assert.ok(device.verificationUri.startsWith(issuer.url))

    const google = await client.post(`${home}/oauth/authorizations/device`, { issuer: 'google', providerId })
    assert.deepEqual([google.status, google.body.error.code], [409, 'invalid_state'])
  })

  it("needs the installation's own application, and servers of the issuer", async () => {
    const { overture, client, home, providerId } = await setUp()
    overture.ctx.config.googleIssuerUrl = ''
    const elsewhere = await client.post(`${home}/oauth/authorizations`, { issuer: 'google', providerId })
    assert.equal(elsewhere.status, 409)
    assert.match(elsewhere.body.error.message, /127\.0\.0\.1 is not a mail server of Google/)
    overture.ctx.config.googleClientId = ''
    const none = await client.post(`${home}/oauth/authorizations`, { issuer: 'google' })
    assert.equal(none.status, 409)
    assert.match(none.body.error.message, /OVERTURE_GOOGLE_CLIENT_ID/)
  })
})
