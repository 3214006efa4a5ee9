import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createPlainServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { TLSSocket } from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { testCertificate } from '../../../test/mail/certificate.ts'
import { TestImapServer } from '../../../test/mail/imap-server.ts'
import { ScriptedSmtp } from '../../../test/mail/smtp-script.ts'
import { SafeClient } from '../../lib/safe-fetch.ts'
import { writeMessage } from '../compose/mime.ts'
import { refreshAccessToken, TokenRefused } from './oauth.ts'
import { SmtpSession, type SmtpSettings } from './smtp.ts'
import { type SmtpAnswer, SmtpConnectError } from './smtp-dialogue.ts'
import { verifyMailbox } from './verify-mailbox.ts'

const raw = writeMessage({
  from: { address: 'lena@northwind.example' },
  to: { address: 'mark@brightco.example' },
  subject: 'Hello',
  date: new Date('2026-02-10T10:00:00Z'),
  messageId: '<1@northwind.example>',
  text: 'Hi\n.\n..dots\n',
})
const envelope = { from: 'lena@northwind.example', to: 'mark@brightco.example' }
/** Only the tests of a server that hangs wait for a timeout, so only they use short ones. */
const patient = { connectMs: 20_000, silenceMs: 20_000, sendMs: 20_000 }
const impatient = { ...patient, silenceMs: 400 }

const settingsFor = (port: number, more: Partial<SmtpSettings> = {}): SmtpSettings => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  timeouts: patient,
  ...more,
})

type Scripted = (script: ScriptedSmtp['script'], timeouts?: SmtpSettings['timeouts']) => ReturnType<typeof scripted>

async function scripted(t: TestContext, extension: string, script: ScriptedSmtp['script'], timeouts: SmtpSettings['timeouts'] = patient) {
  const ehlo = `250-test\r\n250-AUTH PLAIN\r\n250 ${extension}`
  const server = await ScriptedSmtp.start((point, line, turn) => script(point, line, turn) ?? (point === 'EHLO' ? ehlo : undefined))
  t.after(() => server.close())
  const session = await SmtpSession.connect(settingsFor(server.port, { timeouts }))
  t.after(() => session.abort())
  return { server, session }
}

/** Command by command, and with a server that accepts all commands of a message at once. */
function inBothWays(name: string, check: (t: TestContext, scripted: Scripted, extension: string) => Promise<void>): void {
  for (const extension of ['ENHANCEDSTATUSCODES', 'PIPELINING']) {
    test(`${name} (${extension})`, t => check(t, (script, timeouts) => scripted(t, extension, script, timeouts), extension))
  }
}

async function realServer(t: TestContext, options: SMTPServerOptions) {
  const messages: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        messages.push(Buffer.concat(chunks).toString())
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, messages }
}

const rejected = (outcome: SmtpAnswer) => {
  assert.equal(outcome.kind, 'rejected', JSON.stringify(outcome))
  return outcome as SmtpAnswer & { kind: 'rejected' }
}

test('a real server receives the message byte for byte, several over one connection', async t => {
  const { port, messages } = await realServer(t, {})
  const session = await SmtpSession.connect(settingsFor(port))
  for (let i = 0; i < 3; i++) assert.equal((await session.send(envelope, raw)).kind, 'accepted')
  session.close()
  assert.deepEqual(messages, [raw.toString(), raw.toString(), raw.toString()])
})

test('a real server over TLS is trusted by its authority and refused without it', async t => {
  for (const security of ['tls', 'starttls'] as const) {
    const { port, messages } = await realServer(t, {
      ...testCertificate,
      secure: security === 'tls',
      disabledCommands: [],
    })
    const settings = settingsFor(port, { host: 'localhost', security })
    const session = await SmtpSession.connect({ ...settings, ca: testCertificate.cert })
    assert.equal((await session.send(envelope, raw)).kind, 'accepted')
    assert.equal(messages.length, 1)
    session.close()
    await assert.rejects(SmtpSession.connect(settings), (error: SmtpConnectError) => error.stage === 'tls')
  }
})

test('a server without STARTTLS gets no password when encryption is demanded', async t => {
  const server = await ScriptedSmtp.start()
  t.after(() => server.close())
  const auth = { user: 'lena', password: 'secret' }
  await assert.rejects(
    SmtpSession.connect(settingsFor(server.port, { security: 'starttls', auth })),
    (error: SmtpConnectError) => error.stage === 'tls',
  )
  assert.ok(!server.commands.some(line => line.startsWith('AUTH')))
})

test('a wrong password is a permanent failure of signing in, a busy server is not', async t => {
  const { port } = await realServer(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) => (auth.password === 'secret' ? done(null, { user: 'lena' }) : done(new Error('wrong'))),
  })
  const sign = (password: string) => SmtpSession.connect(settingsFor(port, { auth: { user: 'lena', password } }))
  const session = await sign('secret')
  assert.equal((await session.send(envelope, raw)).kind, 'accepted')
  session.close()
  await assert.rejects(sign('nope'), (error: SmtpConnectError) => error.stage === 'auth' && error.permanent)

  const busy = await ScriptedSmtp.start(point => (point === 'AUTH' ? '454 4.7.0 try later' : undefined))
  t.after(() => busy.close())
  await assert.rejects(
    SmtpSession.connect(settingsFor(busy.port, { auth: { user: 'lena', password: 'x' } })),
    (error: SmtpConnectError) => error.stage === 'auth' && !error.permanent,
  )
})

test('an access token signs in by XOAUTH2, and an expired one is refused once', async t => {
  let attempts = 0
  const { port } = await realServer(t, {
    authOptional: false,
    allowInsecureAuth: true,
    authMethods: ['XOAUTH2'],
    onAuth: (auth, _session, done) => {
      attempts += 1
      if (auth.accessToken === 'fresh') done(null, { user: 'lena' })
      else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } } as never)
    },
  })
  const sign = (accessToken: string) => SmtpSession.connect(settingsFor(port, { auth: { user: 'lena', accessToken } }))
  ;(await sign('fresh')).close()
  await assert.rejects(sign('stale'), (error: SmtpConnectError) => error.stage === 'auth')
  assert.equal(attempts, 2)
})

test('a password signs in by any offered mechanism', async t => {
  for (const method of ['PLAIN', 'LOGIN', 'CRAM-MD5']) {
    const { port } = await realServer(t, {
      authOptional: false,
      allowInsecureAuth: true,
      authMethods: [method],
      onAuth: (auth, _session, done) => {
        const isRight = auth.method === 'CRAM-MD5' ? auth.validatePassword('secret') : auth.password === 'secret'
        if (auth.method === method && auth.username === 'lena' && isRight) done(null, { user: 'lena' })
        else done(new Error('wrong'))
      },
    })
    const sign = (password: string) => SmtpSession.connect(settingsFor(port, { auth: { user: 'lena', password } }))
    ;(await sign('secret')).close()
    await assert.rejects(sign('nope'), (error: SmtpConnectError) => error.stage === 'auth' && error.permanent, method)
  }
})

test('data injected after the STARTTLS response is ignored', async t => {
  const server = createPlainServer(socket => {
    socket.on('error', () => {}).write('220 test ESMTP\r\n')
    socket.once('data', () => {
      socket.write('250-test\r\n250 STARTTLS\r\n')
      socket.once('data', () => {
        socket.write('220 go ahead\r\n250-slipped in\r\n250 SIZE 1\r\n', () => {
          const secured = new TLSSocket(socket, { isServer: true, ...testCertificate })
          secured.on('error', () => {}).on('data', line => secured.write(`${line}`.startsWith('EHLO') ? '250 test\r\n' : '354 ok\r\n'))
        })
      })
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const settings = settingsFor(port, { host: 'localhost', security: 'starttls', ca: testCertificate.cert })
  const session = await SmtpSession.connect(settings)
  assert.equal(session.usable, true)
  assert.equal(session.encryption, 'Encrypted, the certificate is trusted')
  // Its size is not the one that was slipped in.
  assert.doesNotMatch(JSON.stringify(await session.send(envelope, raw)), /larger than allowed/)
  session.abort()
})

inBothWays('a recipient that does not exist is a permanent rejection of the recipient, and the connection goes on', async (_, scripted) => {
  const { server, session } = await scripted((point, _line, turn) =>
    point === 'RCPT' && turn === 1 ? '550 5.1.1 no such user' : undefined,
  )
  assert.deepEqual(rejected(await session.send(envelope, raw)), {
    kind: 'rejected',
    permanent: true,
    code: 550,
    enhanced: '5.1.1',
    stage: 'rcpt_to',
    scope: 'recipient',
    response: '550 5.1.1 no such user',
  })
  assert.equal(session.usable, true)
  assert.equal((await session.send(envelope, raw)).kind, 'accepted')
  assert.ok(server.commands.includes('RSET'))
  assert.equal(server.connectionCount, 1)
})

inBothWays('greylisting is a temporary rejection of the recipient', async (_, scripted) => {
  const { session } = await scripted((point, _line, turn) =>
    point === 'RCPT' && turn === 1 ? '451 4.7.1 greylisted, come back later' : undefined,
  )
  const first = rejected(await session.send(envelope, raw))
  assert.deepEqual([first.permanent, first.scope, first.enhanced], [false, 'recipient', '4.7.1'])
  assert.equal((await session.send(envelope, raw)).kind, 'accepted')
})

inBothWays('a refused sender is a problem of the mailbox and not of the recipient', async (_, scripted) => {
  const { session } = await scripted(point => (point === 'MAIL' ? '553 5.7.1 not your address' : undefined))
  const outcome = rejected(await session.send(envelope, raw))
  assert.deepEqual([outcome.stage, outcome.scope, outcome.permanent], ['mail_from', 'mailbox', true])
})

inBothWays('a response after the final dot counts: 5xx for spam, 4xx for later', async (_, scripted) => {
  const { session } = await scripted((point, _line, turn) =>
    point === 'DOT' ? (turn === 1 ? '554 5.7.1 looks like spam' : '452 4.3.1 disk full') : undefined,
  )
  const spam = rejected(await session.send(envelope, raw))
  assert.deepEqual([spam.stage, spam.scope, spam.permanent], ['message', 'text', true])
  const full = rejected(await session.send(envelope, raw))
  assert.deepEqual([full.stage, full.permanent, full.code], ['message', false, 452])
})

for (const at of ['MAIL', 'RCPT', 'DATA', 'DOT'] as const) {
  inBothWays(`a server that closes with 421 at ${at} rejects temporarily and is not used again`, async (_, scripted) => {
    const { session } = await scripted(point => (point === at ? '421 4.7.0 too many messages' : undefined))
    const outcome = rejected(await session.send(envelope, raw))
    assert.deepEqual([outcome.code, outcome.scope, outcome.permanent], [421, 'mailbox', false])
    assert.equal(session.usable, false)
    assert.equal((await session.send(envelope, raw)).kind, 'not_sent')
  })
}

inBothWays('a response that arrives before its command never counts for the message', async (_, scripted) => {
  const large = raw + 'x'.repeat(70).concat('\r\n').repeat(2000)
  for (const message of [raw, large]) {
    const { server, session } = await scripted(point => (point === 'DATA' ? '354 go ahead\r\n250 2.0.0 queued' : undefined))
    assert.equal((await session.send(envelope, message)).kind, 'not_sent')
    assert.deepEqual([session.usable, server.received.length], [false, 0])
  }
  const { session } = await scripted(point => (point === 'DOT' ? '250 2.0.0 queued\r\n550 5.7.1 no' : undefined))
  assert.equal((await session.send(envelope, raw)).kind, 'accepted')
  assert.equal(session.usable, false)
  await assert.rejects(
    scripted(point => (point === 'EHLO' ? '250-test\r\nwhat is this\r\n250 ok' : undefined)),
    /sent an unexpected response/,
  )
})

inBothWays('a connection carries at most the number of messages that the server announces', async (_, scripted, extension) => {
  const ehlo = `250-test\r\n250-AUTH PLAIN\r\n250-${extension}\r\n250 LIMITS RCPTMAX=1 MAILMAX=2`
  const { session } = await scripted(point => (point === 'EHLO' ? ehlo : undefined))
  await session.send(envelope, raw)
  assert.equal(session.usable, true)
  await session.send(envelope, raw)
  assert.equal(session.usable, false)
})

for (const point of ['MAIL', 'RCPT', 'DATA'] as const) {
  for (const fate of ['drop', 'hang'] as const) {
    inBothWays(`a ${fate} at ${point} means that the message was not sent`, async (_, scripted) => {
      const { server, session } = await scripted(at => (at === point ? fate : undefined), fate === 'hang' ? impatient : patient)
      assert.equal((await session.send(envelope, raw)).kind, 'not_sent')
      assert.equal(session.usable, false)
      assert.equal(server.received.length, 0)
    })
  }
}

for (const fate of ['drop', 'hang'] as const) {
  inBothWays(`a ${fate} after the final dot leaves the outcome unknown`, async (_, scripted) => {
    const { server, session } = await scripted(at => (at === 'DOT' ? fate : undefined), fate === 'hang' ? impatient : patient)
    assert.equal((await session.send(envelope, raw)).kind, 'unknown')
    assert.equal(session.usable, false)
    assert.equal(server.received.length, 1)
  })
}

inBothWays('a drop in the middle of a large body means that the message was not sent', async (_, scripted) => {
  const large = raw + `${'x'.repeat(70)}\r\n`.repeat(400_000)
  const { server, session } = await scripted(at => (at === 'BODY' ? 'drop' : undefined))
  assert.equal((await session.send(envelope, large)).kind, 'not_sent')
  assert.equal(server.received.length, 0)
})

inBothWays('after a refusal during the body, a new connection is used', async (_, scripted) => {
  const large = raw + `${'x'.repeat(70)}\r\n`.repeat(400_000)
  const { session } = await scripted((at, _line, turn) => (at === 'BODY' && turn === 1 ? '552 5.3.4 too large' : undefined))
  const outcome = rejected(await session.send(envelope, large))
  assert.deepEqual([outcome.stage, outcome.permanent], ['message', true])
  assert.equal(session.usable, false)
})

inBothWays('a trickling server is ended by the time limit of the whole message', async (_, scripted) => {
  const { session } = await scripted(at => (at === 'RCPT' ? '250-slow' : at === 'DATA' ? 'hang' : undefined), { ...patient, sendMs: 200 })
  assert.deepEqual(await session.send(envelope, raw), { kind: 'not_sent', reason: 'The server took too long' })
})

test('pipelined commands are matched to their responses, and the first refusal is the reason', async t => {
  const batches: string[] = []
  const fates: Record<string, string>[] = [
    { MAIL: '550 5.7.1 sender', RCPT: '503 5.5.1 no sender', DATA: '503 5.5.1 no recipient' },
    { RCPT: '550 5.1.1 no such user', DATA: '554 5.5.1 no recipient' },
    { DATA: '451 4.3.0 not now' },
    { RCPT: '550-5.1.1 no\r\n550 5.1.1 such user', DATA: 'drop' },
  ]
  for (const [fate, stage] of fates.map((each, index) => [each, ['mail_from', 'rcpt_to', 'data', 'rcpt_to'][index]] as const)) {
    const { server, session } = await scripted(t, 'PIPELINING', point => fate[point])
    assert.equal(rejected(await session.send(envelope, raw)).stage, stage)
    assert.equal(session.usable, fate.DATA !== 'drop')
    assert.equal(server.received.length, 0)
    batches.push(
      server.commands
        .slice(1)
        .join('|')
        .replace(/ SIZE=\d+/, ''),
    )
  }
  assert.equal(new Set(batches).size, 1, 'each envelope left as a whole')
})

test('a server that accepts no recipient gets no body', async t => {
  const fate: Record<string, string> = { RCPT: '550 5.1.1 no such user', DATA: '354 go ahead' }
  const { server, session } = await scripted(t, 'PIPELINING', point => fate[point])
  assert.equal(rejected(await session.send(envelope, raw)).stage, 'rcpt_to')
  assert.deepEqual([session.usable, server.received.length], [false, 0])
})

test('an unexpected response ends an idle connection', async t => {
  for (const said of ['250 2.0.0 queued', '421 4.4.2 idle for too long', '25']) {
    const { server, session } = await scripted(t, 'PIPELINING', () => undefined)
    assert.equal((await session.send(envelope, raw)).kind, 'accepted')
    await server.say(said)
    assert.equal((await session.send(envelope, raw)).kind, 'not_sent')
    assert.equal(session.usable, false)
    assert.equal(server.received.length, 1)
  }
})

test('no line of a message ends it or starts a command, whatever line ends it has', async t => {
  const { server, session } = await scripted(t, 'PIPELINING', () => undefined)
  const smuggled = '.a\r.\rMAIL FROM:<x@y>\n.\nb\r\n.\r\nc\r'
  assert.equal((await session.send(envelope, smuggled)).kind, 'accepted')
  assert.deepEqual(server.received, ['..a\r\n..\r\nMAIL FROM:<x@y>\r\n..\r\nb\r\n..\r\nc'])
  const inAddress = { ...envelope, to: 'a@b.example>\r\nRCPT TO:<c@d.example' }
  assert.equal((await session.send(inAddress, raw)).kind, 'not_sent')
  assert.equal(server.commands.filter(line => line.startsWith('RCPT')).length, 1)
})

inBothWays('an unfinished refusal counts, and ends the connection', async (_, scripted) => {
  const { session } = await scripted(at => (at === 'DOT' ? '451-4.3.0 later' : undefined), { ...patient, sendMs: 200 })
  assert.deepEqual([rejected(await session.send(envelope, raw)).code, session.usable], [451, false])
})

inBothWays('an endless response is not read forever', async (_, scripted) => {
  const { session } = await scripted(at => (at === 'DOT' ? `250-${'x'.repeat(70_000)}` : undefined))
  assert.deepEqual(await session.send(envelope, raw), { kind: 'unknown', reason: 'The response of the server is too long' })
})

inBothWays('blank lines are ignored, and UTF-8 responses are decoded', async (_, scripted) => {
  const { session } = await scripted(at =>
    at === 'MAIL' ? '\r\n250 2.1.0 ok' : at === 'RCPT' ? '550 5.1.1 Empfänger unbekannt' : undefined,
  )
  assert.equal(rejected(await session.send(envelope, raw)).response, '550 5.1.1 Empfänger unbekannt')
})

inBothWays('a server with SIZE and SMTPUTF8 gets both parameters', async (_, scripted, extension) => {
  const ehlo = `250-test\r\n250-AUTH PLAIN\r\n250-SIZE 100000\r\n250-SMTPUTF8\r\n250 ${extension}`
  const { server, session } = await scripted(at => (at === 'EHLO' ? ehlo : undefined))
  assert.equal((await session.send({ ...envelope, to: 'jörg@b.example' }, raw)).kind, 'accepted')
  const mail = server.commands.find(line => line.startsWith('MAIL'))
  assert.equal(mail, `MAIL FROM:<${envelope.from}> SMTPUTF8 SIZE=${raw.length}`)
})

test('a message larger than the server allows is rejected without being sent', async t => {
  const { port, messages } = await realServer(t, { size: 200 })
  const session = await SmtpSession.connect(settingsFor(port))
  const outcome = rejected(await session.send(envelope, raw))
  session.close()
  assert.deepEqual([outcome.permanent, outcome.enhanced], [true, '5.3.4'])
  assert.equal(messages.length, 0)
})

test('an idle connection that the server closed means "not sent"', async t => {
  const { server, session } = await scripted(t, 'PIPELINING', () => undefined)
  await server.close()
  const outcome = await session.send(envelope, raw)
  assert.equal(outcome.kind, 'not_sent')
})

test('a refused port, a silent server and a rude greeting fail at the connection', async t => {
  const server = await ScriptedSmtp.start(at => (at === 'GREETING' ? '554 5.7.1 go away' : undefined))
  t.after(() => server.close())
  await assert.rejects(
    SmtpSession.connect(settingsFor(server.port)),
    (error: SmtpConnectError) => error instanceof SmtpConnectError && error.permanent,
  )
  server.script = at => (at === 'GREETING' ? 'hang' : undefined)
  await assert.rejects(
    SmtpSession.connect(settingsFor(server.port, { timeouts: { connectMs: 100 } })),
    (error: SmtpConnectError) => error.stage === 'tcp' && !error.permanent,
  )
  server.script = at => (at === 'GREETING' ? 'drop' : undefined)
  await assert.rejects(SmtpSession.connect(settingsFor(server.port)), SmtpConnectError)
  await assert.rejects(SmtpSession.connect(settingsFor(1, {})), (error: SmtpConnectError) => error.stage === 'tcp' && !error.permanent)
})

test('verifying a mailbox reports each stage and stops SMTP at the first that fails', async t => {
  const { port } = await realServer(t, {
    ...testCertificate,
    disabledCommands: [],
    authOptional: false,
    onAuth: (auth, _session, done) => (auth.password === 'secret' ? done(null, { user: 'lena' }) : done(new Error('wrong'))),
  })
  const imapServer = await TestImapServer.start()
  t.after(() => imapServer.close())
  const smtp = settingsFor(port, {
    host: 'localhost',
    security: 'starttls',
    ca: testCertificate.cert,
    auth: { user: 'lena', password: 'secret' },
  })
  const imap = {
    host: '127.0.0.1',
    port: imapServer.port,
    security: 'none' as const,
    auth: { user: 'lena', password: 'secret' },
  }
  const testMessage = { envelope, raw }
  const good = await verifyMailbox({ smtp, imap, testMessage }, 11_000)
  assert.deepEqual(
    good.map(stage => [stage.stage, stage.ok]),
    [
      ['dns', true],
      ['tcp', true],
      ['tls', true],
      ['auth', true],
      ['test_message', true],
      ['imap', true],
      ['folders', true],
    ],
    JSON.stringify(good),
  )
  const wrong = { user: 'lena', password: 'nope' }
  const bad = await verifyMailbox({ smtp: { ...smtp, auth: wrong }, imap: { ...imap, auth: wrong }, testMessage }, 11_000)
  assert.deepEqual(
    bad.map(stage => [stage.stage, stage.ok]),
    [
      ['dns', true],
      ['tcp', true],
      ['tls', true],
      ['auth', false],
      ['imap', false],
    ],
  )
  const untrusted = await verifyMailbox({ smtp: { ...smtp, ca: undefined } }, 11_000)
  assert.deepEqual([untrusted.at(-1)?.stage, untrusted.at(-1)?.ok], ['tls', false])
})

test('an access token is renewed, and a revoked grant gives another error than an unavailable issuer', async t => {
  let answer: { status: number; body: string } = { status: 200, body: '' }
  const forms: string[] = []
  const server = createServer((request, response) => {
    let form = ''
    request.on('data', chunk => {
      form += chunk
    })
    request.on('end', () => {
      forms.push(form)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const client = {
    tokenUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    clientId: 'id',
    clientSecret: 's&cret',
    refreshToken: 'old',
  }
  const now = new Date('2026-02-10T10:00:00Z')
  const http = new SafeClient({ allowLocal: true })
  t.after(() => http.close())
  answer = { status: 200, body: JSON.stringify({ access_token: 'a1', expires_in: 3600, refresh_token: 'new' }) }
  assert.deepEqual(await refreshAccessToken(client, { now, client: http }), {
    accessToken: 'a1',
    expiresAt: new Date('2026-02-10T10:59:00Z'),
    refreshToken: 'new',
  })
  assert.equal(forms[0], 'grant_type=refresh_token&refresh_token=old&client_id=id&client_secret=s%26cret')
  const permanent = async (status: number, body: string) => {
    answer = { status, body }
    const error = await refreshAccessToken(client, { now, client: http }).catch(caught => caught)
    assert.ok(error instanceof TokenRefused)
    return error.permanent
  }
  assert.equal(await permanent(400, '{"error":"invalid_grant"}'), true)
  assert.equal(await permanent(503, '<html>'), false)
  assert.equal(await permanent(200, '{}'), false)
  server.closeAllConnections()
  await new Promise<void>(resolve => server.close(() => resolve()))
  const down = await refreshAccessToken(client, { now, client: http }).catch(caught => caught)
  assert.equal(down instanceof TokenRefused && down.permanent, false)
})
