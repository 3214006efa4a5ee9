import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { smtpSettingsOf } from '../../src/modules/mailboxes/mail-access.ts'
import { getProvider } from '../../src/modules/mailboxes/mailboxes.ts'
import { eventually } from '../faults/eventually.ts'
import { startOverture, TEST_SECRET } from '../harness.ts'
import { TestImapServer } from '../mail/imap-server.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { DAY, HOUR, type LivingOverture, MINUTE, makeCampaign, startLiving } from '../sending.ts'

const PUBLIC = '93.184.215.14'
const METADATA = '169.254.169.254'
const people = (...names: string[]) => names.map(name => ({ email: `${name}@people.example`, firstName: name }))
const isToLead = (raw: string): boolean => /^To: .*people\.example/m.test(raw)

async function servers() {
  const smtp = await ScriptedSmtp.start()
  const imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
  after(() => smtp.close())
  after(() => imap.close())
  return { smtp, imap }
}

describe('a mailbox in the private network', () => {
  it('is refused with the reason, without a connection, when local targets are not allowed', async () => {
    const { smtp, imap } = await servers()
    const names: Record<string, string[]> = {
      'mail.public.example.com': [PUBLIC],
      'mail.inside.example.com': ['10.0.0.7'],
      'mail.mixed.example.com': [PUBLIC, '127.0.0.1'],
      'mail.v6.example.com': ['::1'],
    }
    const resolve = async (name: string) => names[name] ?? assert.fail(`${name} was looked up`)
    const overture = await startOverture({ config: { allowLocalTargets: false }, resolve, worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const server = (host: string, port: number) => ({ host, port, secure: false })
    const password = { username: 'ada', password: 'secret' }
    const tokenUrl = `http://127.0.0.1:${smtp.port}/token`
    const oauth = { username: 'ada', oauth: { tokenUrl, clientId: 'x', refreshToken: 'x' } }
    const open = server('mail.public.example.com', smtp.port)
    const cases: [string, object, object, RegExp][] = [
      ...[
        '127.0.0.1',
        METADATA,
        '::1',
        'localhost',
        'mailserver',
        'mail.inside.example.com',
        'mail.mixed.example.com',
        'mail.v6.example.com',
      ].map((host): [string, object, object, RegExp] => [
        host,
        { smtp: server(host, smtp.port) },
        password,
        /^Overture must not connect to /,
      ]),
      ['an inbox', { smtp: open, imap: server('127.0.0.1', imap.port) }, password, /^Overture must not connect to 127\.0\.0\.1: /],
      ['a token endpoint', { smtp: open }, oauth, /^Sign-in failed: The token endpoint must not be called/],
    ]
    for (const [what, settings, credentials, reason] of cases) {
      const mailbox = { kind: 'smtp', name: what, fromEmail: 'ada@sender.example', settings, credentials }
      const { id } = (await client.post(`${home}/providers`, mailbox)).body.data
      const { ok, stages, provider } = (await client.post(`${home}/providers/${id}/verify`, {})).body.data
      assert.deepEqual([ok, stages.length, stages[0].ok, provider.status], [false, 1, false, 'unverified'], what)
      assert.match(provider.statusReason, reason, what)
    }
    assert.deepEqual([smtp.connectionCount, imap.commands.length], [0, 0])
  })

  it('is not reached by a name that resolves there only the second time', async () => {
    const { smtp } = await servers()
    const answers: string[][] = [['127.0.0.1']]
    const overture = await startLiving({ resolve: async () => answers.shift() ?? [METADATA] })
    const settings = { smtp: { host: 'mail.rebinding.example', port: smtp.port, secure: false } }
    const provider = { kind: 'smtp', settings, credentials: { username: 'ada', password: 'secret' } }
    const made = await makeCampaign(overture, { leads: people('ann'), provider, activate: false })
    const verified = (await overture.client.post(`${overture.home}/providers/${made.providerId}/verify`, {})).body.data
    // Every stage connects again, and one lookup was enough for all of them.
    assert.equal(verified.ok, true, JSON.stringify(verified))
    assert.ok(smtp.connectionCount >= 2)
    assert.equal((await overture.client.operate('POST', `${made.base}/activate`)).status, 'succeeded')
    const before = smtp.connectionCount
    await overture.work.tick()
    assert.equal(smtp.connectionCount, before)
    const { status, statusReason } = (await overture.client.get(`${overture.home}/providers/${made.providerId}`)).body.data
    assert.equal(status, 'disconnected')
    assert.match(statusReason, /^Overture must not connect to mail\.rebinding\.example: /)
  })
})

/** A token endpoint whose refresh tokens are good for one time only, as those of some providers are. */
class TokenEndpoint {
  /** The one that is good now. */
  refreshToken = 'r0'
  accessToken = ''
  /** When set, every grant is refused for good. */
  isRevoked = false
  readonly asked: string[] = []
  readonly refused: string[] = []
  /** Runs before a request is judged. */
  hold: (() => Promise<void>) | undefined
  #count = 0
  readonly #server = createServer(async (request, response) => {
    let form = ''
    for await (const chunk of request) form += chunk
    const given = new URLSearchParams(form).get('refresh_token')!
    this.asked.push(given)
    await this.hold?.()
    const isGood = given === this.refreshToken && !this.isRevoked
    if (isGood) {
      this.refreshToken = `r${++this.#count}`
      this.accessToken = `a${this.#count}`
    } else this.refused.push(given)
    const answer = isGood
      ? { access_token: this.accessToken, expires_in: 3600, refresh_token: this.refreshToken, token_type: 'Bearer' }
      : { error: 'invalid_grant' }
    response.writeHead(isGood ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })

  async start(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    after(() => {
      this.#server.close()
      this.#server.closeAllConnections()
    })
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/token`
  }
}

/** A server that accepts only the latest access token. */
async function tokenServer(tokens: TokenEndpoint) {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['XOAUTH2'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ method, username, accessToken }, _session, done) {
      if (method === 'XOAUTH2' && username === 'ada' && accessToken === tokens.accessToken) done(null, { user: 'ada' })
      else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } } as never)
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  after(() => {
    drop()
    server.close()
  })
  return { port: (server.server.address() as AddressInfo).port, received, drop }
}

describe('a mailbox that signs in with OAuth', () => {
  const credentials = (tokens: TokenEndpoint) => ({
    username: 'ada',
    oauth: { tokenUrl: tokens.url, clientId: 'client', clientSecret: 'secret', refreshToken: tokens.refreshToken },
  })

  async function setUp(names: string[]) {
    const tokens = await new TokenEndpoint().start()
    const smtp = await tokenServer(tokens)
    const overture: LivingOverture = await startLiving()
    const settings = { smtp: { host: '127.0.0.1', port: smtp.port, secure: false } }
    const provider = { kind: 'smtp', settings, credentials: credentials(tokens) }
    const made = await makeCampaign(overture, { leads: people(...names), provider, activate: false })
    const mailbox = `${overture.home}/providers/${made.providerId}`
    const verify = async () => (await overture.client.post(`${mailbox}/verify`, {})).body.data
    return { tokens, smtp, overture, ...made, mailbox, verify, sent: () => smtp.received.filter(isToLead).length }
  }

  it('verifies, sends, renews expiring tokens with the latest grant, and reports when consent is withdrawn', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `lead${index}`)
    const { tokens, smtp, overture, base, mailbox, verify, sent } = await setUp(names)
    const verified = await verify()
    assert.equal(verified.ok, true, JSON.stringify(verified.stages))
    assert.deepEqual(
      verified.stages.map((stage: { stage: string }) => stage.stage),
      ['dns', 'tcp', 'tls', 'auth', 'test_message'],
    )
    assert.equal((await overture.client.operate('POST', `${base}/activate`)).status, 'succeeded')

    // Several connections are opened at once; the token is asked for once.
    overture.clock.advance(HOUR)
    smtp.drop()
    await overture.work.tick()
    assert.equal(sent(), 12)
    assert.deepEqual(tokens.asked, ['r0', 'r1'])

    // Days later the token has expired, and the grant is the one that came with it.
    smtp.drop()
    await overture.live(3 * DAY, 4 * HOUR)
    assert.equal(sent(), 24)
    assert.ok(tokens.asked.length > 2)
    assert.deepEqual(tokens.refused, [])

    const campaign = async () => (await overture.client.get(base)).body.data
    const events = async (type: string) => (await overture.client.get(`${overture.home}/events?type=${type}`)).body.data
    assert.equal((await campaign()).status, 'active')
    assert.deepEqual(await events('provider.disconnected'), [])

    // The grant is withdrawn when there is mail to send.
    tokens.isRevoked = true
    smtp.drop()
    overture.clock.advance(2 * HOUR)
    const added = await overture.client.operate('POST', `${base}/leads/import`, { leads: people('late') })
    assert.equal(added.status, 'succeeded')
    overture.clock.advance(DAY)
    await overture.work.tick()
    const broken = (await overture.client.get(mailbox)).body.data
    assert.equal(broken.status, 'disconnected')
    assert.match(broken.statusReason, /invalid_grant/)
    assert.equal((await campaign()).status, 'attention_needed')
    const [event, ...others] = await events('provider.disconnected')
    assert.deepEqual([event.data.providerId, others.length], [broken.id, 0])
    assert.match(event.data.reason, /invalid_grant/)
    assert.equal(sent(), 24)

    // It retries automatically, and nothing changes until the owner signs in again.
    await overture.live(20 * MINUTE, 5 * MINUTE)
    assert.equal((await campaign()).status, 'attention_needed')
    tokens.isRevoked = false
    tokens.refreshToken = 'again'
    const patched = await overture.client.patch(mailbox, { credentials: credentials(tokens) })
    assert.equal(patched.body.data.status, 'unverified')
    assert.equal((await campaign()).status, 'attention_needed')
    const again = await verify()
    assert.deepEqual([again.ok, again.provider.status], [true, 'connected'], JSON.stringify(again.stages))
    assert.equal((await campaign()).status, 'active')
    await overture.work.tick()
    assert.equal(sent(), 25)
  })

  it('continues with a new access token when the servers refuse the current one early', async () => {
    const { tokens, smtp, overture, providerId, verify, sent, base } = await setUp(['ann', 'bob'])
    const imap = await TestImapServer.start({
      user: 'ada',
      get accessToken() {
        return tokens.accessToken
      },
    })
    after(() => imap.close())
    const settings = {
      smtp: { host: '127.0.0.1', port: smtp.port, secure: false },
      imap: { host: '127.0.0.1', port: imap.port, secure: false },
    }
    const credentialsNow = { ...credentials(tokens), username: 'ada' }
    await overture.client.patch(`${overture.home}/providers/${providerId}`, { settings, credentials: credentialsNow })
    assert.equal((await verify()).ok, true)
    await overture.client.operate('POST', `${base}/activate`)
    await overture.work.inboxes.look()
    await imap.idling()
    const state = async () => (await overture.client.get(`${overture.home}/providers/${providerId}`)).body.data

    // The administrator ends all sessions; the grant stays.
    tokens.accessToken = 'another'
    smtp.drop()
    await overture.work.tick()
    assert.deepEqual([sent(), (await state()).status, (await state()).resting], [2, 'connected', null])
    tokens.accessToken = 'yet another'
    imap.drop()
    await eventually('the inbox is read again', async () => (await state()).inbox.status === 'readable' && imap.connectionCount > 0)
    assert.equal((await state()).status, 'connected')

    // The stored token says nothing about the grant, which a verification must check.
    tokens.isRevoked = true
    const verified = await verify()
    assert.deepEqual([verified.ok, verified.provider.status], [false, 'disconnected'])
  })

  it('is disconnected by its inbox when the grant is withdrawn and there is nothing to send', async () => {
    const tokens = await new TokenEndpoint().start()
    const smtp = await tokenServer(tokens)
    const imap = await TestImapServer.start({
      user: 'ada',
      get accessToken() {
        return tokens.accessToken
      },
    })
    after(() => imap.close())
    const overture = await startLiving()
    const server = (port: number) => ({ host: '127.0.0.1', port, secure: false })
    const { body } = await overture.client.post(`${overture.home}/providers`, {
      ...{ kind: 'smtp', name: 'Mailbox', fromEmail: 'ada@sender.example' },
      settings: { smtp: server(smtp.port), imap: server(imap.port) },
      credentials: credentials(tokens),
    })
    const mailbox = `${overture.home}/providers/${body.data.id}`
    const verified = (await overture.client.post(`${mailbox}/verify`, {})).body.data
    assert.equal(verified.ok, true, JSON.stringify(verified.stages))
    await overture.work.inboxes.look()
    await imap.idling()
    tokens.isRevoked = true
    overture.clock.advance(2 * HOUR)
    imap.drop()
    const { statusReason } = await eventually('the mailbox is disconnected', async () => {
      const { data } = (await overture.client.get(mailbox)).body
      return data.status === 'disconnected' && data
    })
    assert.match(statusReason, /^Inbox not readable: .*invalid_grant/)
  })

  it('stays connected when two processes renew at once and the grant works for only one of them', async () => {
    const { tokens, overture, providerId, mailbox } = await setUp(['ann'])
    const row = await getProvider(overture.ctx.db, overture.workspaceId, providerId)
    const { config, clock } = overture.ctx
    const other = buildContext({ config, databaseUrl: overture.databaseUrl, secretKey: TEST_SECRET, clock })
    after(() => closeContext(other))
    // Both have sent the same grant before either gets a response.
    const both = Promise.withResolvers<void>()
    tokens.hold = async () => {
      if (tokens.asked.length === 2) both.resolve()
      await both.promise
    }
    const [mine, theirs] = await Promise.all([smtpSettingsOf(overture.ctx, row), smtpSettingsOf(other, row)])
    assert.deepEqual(tokens.asked.slice(0, 2), ['r0', 'r0'])
    assert.deepEqual(tokens.refused, ['r0'])
    assert.equal(tokens.asked.at(-1), 'r1')
    assert.deepEqual([mine.auth?.accessToken, theirs.auth?.accessToken].sort(), ['a1', 'a2'])
    assert.equal((await overture.client.get(mailbox)).body.data.hasCredentials, true)
  })
})

describe('a mailbox whose servers are changed', () => {
  it('does not send its password to the new server, keeps it for the old one, and accepts a new one', async () => {
    const [old, next] = [await servers(), await servers()]
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const server = (port: number) => ({ host: '127.0.0.1', port, secure: false })
    const settings = { smtp: server(old.smtp.port), imap: server(old.imap.port) }
    const credentials = { username: 'ada', password: 'secret' }
    const mailbox = { kind: 'smtp', name: 'Ada', fromEmail: 'ada@sender.example', settings, credentials }
    const { id } = (await client.post(`${home}/providers`, mailbox)).body.data
    const change = async (body: object) => (await client.patch(`${home}/providers/${id}`, body)).body.data
    const verify = async () => (await client.post(`${home}/providers/${id}/verify`, {})).body.data
    assert.equal((await verify()).ok, true)

    assert.equal((await change({ name: 'Renamed' })).hasCredentials, true)
    assert.equal((await change({ settings: { smtp: server(old.smtp.port) } })).hasCredentials, true)
    const moved = await change({ settings: { imap: server(next.imap.port) } })
    assert.deepEqual([moved.hasCredentials, moved.status], [false, 'unverified'])
    const refused = await verify()
    assert.equal(refused.ok, false)
    assert.match(refused.provider.statusReason, /enter the password again/)
    assert.deepEqual(next.imap.commands, [])
    // The last server that might see it is gone, too.
    assert.equal((await change({ settings: { smtp: server(next.smtp.port) } })).hasCredentials, false)
    assert.equal((await verify()).ok, false)
    assert.equal(next.smtp.commands.filter(line => line.startsWith('AUTH')).length, 0)
    assert.equal((await change({ credentials })).hasCredentials, true)
    assert.equal((await verify()).ok, true)
    const both = await change({ settings: { smtp: server(old.smtp.port) }, credentials })
    assert.deepEqual([both.hasCredentials, (await verify()).ok], [true, true])
  })

  it('changes updatedAt of its campaigns when it is removed', async () => {
    const overture = await startLiving()
    const made = await makeCampaign(overture, { leads: people('ann'), activate: false })
    const before = (await overture.client.get(made.base)).body.data
    assert.equal((await overture.client.delete(`${overture.home}/providers/${made.providerId}`)).status, 204)
    const after = (await overture.client.get(made.base)).body.data
    assert.equal(after.providerId, null)
    assert.ok(after.updatedAt > before.updatedAt)
  })
})
