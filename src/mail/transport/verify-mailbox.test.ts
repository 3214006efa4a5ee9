import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { SMTPServer } from 'smtp-server'
import { testCertificate } from '../../../test/mail/certificate.ts'
import { checkMailboxAccess } from '../../../test/mail/check-access.ts'
import { TestImapServer } from '../../../test/mail/imap-server.ts'
import { ScriptedSmtp } from '../../../test/mail/smtp-script.ts'
import { connectImap, ImapSignInRefused } from './imap.ts'
import { SmtpSession } from './smtp.ts'
import { reachServer, verifyMailbox } from './verify-mailbox.ts'

const { key, cert } = testCertificate
/** Long enough for a handshake on a busy machine. */
const timeouts = { connectMs: 5000, silenceMs: 5000, sendMs: 5000 }
/** Shortens the time for which silent servers are waited for. */
const SHORT_MS = 2000
const auth = { user: 'ada', password: 'secret' }

/** For tests whose servers say nothing, so that every limit is waited for. */
function withoutPatience(t: TestContext): void {
  const before = process.env.OVERTURE_TEST_PATIENCE
  process.env.OVERTURE_TEST_PATIENCE = '1'
  t.after(() => {
    if (before === undefined) delete process.env.OVERTURE_TEST_PATIENCE
    else process.env.OVERTURE_TEST_PATIENCE = before
  })
}

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

async function problemsAt(port: number, security: 'tls' | 'starttls', deadlineMs = 30_000, connectMs = timeouts.connectMs) {
  const ca = security === 'tls' ? { ca: cert } : {}
  const server = {
    host: security === 'tls' ? 'localhost' : '127.0.0.1',
    addresses: ['127.0.0.1'],
    port,
    security,
    timeouts: { ...timeouts, connectMs },
    auth,
    ...ca,
  }
  const stages = await verifyMailbox({ smtp: server, imap: server }, deadlineMs)
  const problems = stages.filter(stage => !stage.ok).map(stage => stage.detail)
  for (const problem of problems) assert.doesNotMatch(problem, /error:[0-9A-F]+|routines|ssl/i)
  return problems
}

test('a port with implicit TLS gives another message than a silent one', async t => {
  withoutPatience(t)
  const silentTls = createTlsServer({ key, cert }, socket => void socket.on('error', () => {}))
  silentTls.on('tlsClientError', () => {})
  const hint = 'This port uses TLS from the start: choose TLS'
  const [speaksTls, silent] = await Promise.all(
    [silentTls, createServer()].map(async server => problemsAt(await listen(t, server), 'starttls', 30_000, SHORT_MS)),
  )
  assert.deepEqual(speaksTls, [hint, hint])
  assert.equal(silent!.length, 2)
  for (const problem of silent!) assert.doesNotMatch(problem, /secure/)
})

test('a port without TLS is named when TLS is expected', async t => {
  const plain = createServer(socket => socket.write('220 mail.example ESMTP\r\n'))
  const hint = 'This port does not use TLS from the start: choose STARTTLS'
  const other = 'This is a port for SMTP, not IMAP: use the IMAP port (993 or 143)'
  assert.deepEqual(await problemsAt(await listen(t, plain), 'tls'), [hint, other])
})

test('a port of another protocol is named, encrypted or not, however the ports were swapped', async t => {
  const greetings = { imap: '* OK Dovecot ready.\r\n', smtp: '220 mail.example ESMTP\r\n', pop: '+OK ready\r\n' }
  const smtpHint = /^This is a port for (IMAP|POP3), not SMTP: use the SMTP port \(587 or 465\)$/
  const imapHint = /^This is a port for (SMTP|POP3), not IMAP: use the IMAP port \(993 or 143\)$/
  const cases = [
    [greetings.imap, [smtpHint]],
    [greetings.smtp, [imapHint]],
    [greetings.pop, [smtpHint, imapHint]],
  ] as const
  const expectHints = async ([greeting, hints]: (typeof cases)[number]) => {
    const greet = (socket: Socket) => void socket.on('error', () => {}).write(greeting)
    const ways = await Promise.all([
      problemsAt(await listen(t, createServer(greet)), 'starttls'),
      problemsAt(await listen(t, createServer(greet)), 'tls'),
      problemsAt(await listen(t, createTlsServer({ key, cert }, greet)), 'tls'),
    ])
    for (const hint of hints) {
      for (const problems of ways)
        assert.ok(
          problems.some(problem => hint.test(problem)),
          `${greeting}: ${problems}`,
        )
    }
  }
  // All cases wait at the same time for greetings that do not come.
  await Promise.all(cases.map(expectHints))
})

test('silence, closed ports and disconnects are explained in plain words', async t => {
  withoutPatience(t)
  const words =
    /^The server (?:accepts the connection but|closed the connection)|^The mail server at (?:127\.0\.0\.1|localhost):9 refused the connection$/
  const hangsUp = createServer(socket => socket.destroy())
  const ports = [await listen(t, createServer()), await listen(t, hangsUp), 9]
  const asked = ports.flatMap(port => (['starttls', 'tls'] as const).map(security => problemsAt(port, security, 30_000, SHORT_MS)))
  for (const problems of await Promise.all(asked)) {
    assert.equal(problems.length, 2)
    for (const problem of problems) assert.match(problem, words)
  }
})

test('an account at its connection limit counts as signed in, not refused', async t => {
  const imap = await TestImapServer.start(auth)
  t.after(() => imap.close())
  for (const crowded of [
    '[LIMIT] Maximum number of connections from user+IP exceeded (mail_max_userip_connections=10)',
    '[ALERT] Too many simultaneous connections. (Failure)',
  ]) {
    imap.crowded = crowded
    const server = { host: '127.0.0.1', port: imap.port, timeouts, auth, security: 'opportunistic' as const }
    assert.match(await checkMailboxAccess(server), /accepts no more connections for this account: .*connections/)
    await assert.rejects(connectImap(server), error => !(error instanceof ImapSignInRefused))
  }
})

test('a port without sign-in gives another message than a refused password', async t => {
  for (const [answer, hint] of [
    ['503 5.5.1 Error: authentication not enabled', /does not accept sign-ins on this port: use its submission port/],
    ['535 5.7.8 Error: authentication failed', /refused the sign-in: 535/],
    ['454 4.7.0 Temporary authentication failure', /does not accept sign-ins right now: 454/],
  ] as const) {
    const smtp = await ScriptedSmtp.start(point => (point === 'AUTH' ? answer : undefined))
    t.after(() => smtp.close())
    const server = { host: '127.0.0.1', port: smtp.port, timeouts, auth, security: 'opportunistic' as const }
    const stages = await verifyMailbox({ smtp: server }, 30_000)
    assert.match(stages.at(-1)!.detail, hint)
  }
})

test('a refusal of Microsoft is recognized, and suggests consent', async t => {
  const cureOf = async (answer: string, host = '127.0.0.1', more: { accessToken?: string } = {}) => {
    const smtp = await ScriptedSmtp.start(point => (point === 'AUTH' ? answer : undefined))
    t.after(() => smtp.close())
    const server = { host, addresses: ['127.0.0.1'], port: smtp.port, timeouts, auth: { ...auth, ...more }, security: 'none' as const }
    return (await verifyMailbox({ smtp: server }, 30_000)).at(-1)!.cure
  }
  const off = '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.'
  assert.match((await cureOf(off))!, /^Microsoft has turned off password sign-in.*by consent/)
  assert.match((await cureOf('535 5.7.139 Authentication unsuccessful, basic authentication is disabled.'))!, /^Microsoft has turned off/)
  const removed = '550 5.7.30 Basic authentication is not supported for Client Submission.'
  assert.match((await cureOf(removed))!, /^Microsoft has turned off password sign-in.*by consent/)
  assert.match((await cureOf(off, '127.0.0.1', { accessToken: 'x' }))!, /administrator must turn on Authenticated SMTP/)
  const criteria = '535 5.7.139 Authentication unsuccessful, the request did not meet the criteria to be authenticated successfully.'
  assert.match((await cureOf(criteria))!, /^A rule of the tenant/)
  const wrong = '535 5.7.3 Authentication unsuccessful'
  assert.match((await cureOf(wrong, 'smtp.office365.com'))!, /^The password is wrong, or Microsoft has turned off.*by consent/)
  assert.doesNotMatch((await cureOf(wrong))!, /Microsoft/)
})

test('an inbox at Microsoft that refuses a password suggests consent, and no other password', async t => {
  const imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
  const smtp = await ScriptedSmtp.start()
  t.after(() => Promise.all([imap.close(), smtp.close()]))
  const cureOf = async (host: string) => {
    const near = { addresses: ['127.0.0.1'], timeouts, auth: { user: 'ada', password: 'wrong' }, security: 'none' as const }
    const input = { smtp: { ...near, host: '127.0.0.1', port: smtp.port }, imap: { ...near, host, port: imap.port } }
    return (await verifyMailbox(input, 30_000)).find(({ stage }) => stage === 'imap')!.cure!
  }
  assert.match(await cureOf('outlook.office365.com'), /^Microsoft accepts no passwords for IMAP.*by consent/)
  assert.match(await cureOf('imap.hoster.example'), /^Check the password/)
})

test('a mailbox at Microsoft that signs in by password works, with a notice about the end date', async t => {
  const smtp = await ScriptedSmtp.start()
  t.after(() => smtp.close())
  const detailOf = async (host: string) => {
    const server = { host, addresses: ['127.0.0.1'], port: smtp.port, timeouts, auth, security: 'none' as const }
    return (await verifyMailbox({ smtp: server }, 30_000)).find(({ stage }) => stage === 'auth')!
  }
  const { ok, detail } = await detailOf('smtp.office365.com')
  assert.equal(ok, true)
  assert.match(detail, /^Signed in as ada\. Microsoft turns off password sign-in for SMTP at the end of December 2026.*by consent/)
  assert.equal((await detailOf('127.0.0.1')).detail, 'Signed in as ada')
})

test('a server that cannot encrypt temporarily is reported, without advice to send unencrypted', async t => {
  const smtp = await ScriptedSmtp.start(point => {
    if (point === 'EHLO') return '250-test\r\n250 STARTTLS'
    return point === 'STARTTLS' ? '454 4.7.0 STARTTLS not available, try again later' : undefined
  })
  t.after(() => smtp.close())
  for (const security of ['starttls', 'opportunistic'] as const) {
    const { detail, cure } = (await verifyMailbox({ smtp: { host: '127.0.0.1', port: smtp.port, timeouts, auth, security } }, 30_000)).at(
      -1,
    )!
    assert.equal(detail, 'The server cannot start encryption right now: 454 4.7.0 STARTTLS not available, try again later')
    assert.match(cure!, /try again later/)
  }
})

test('an inbox that takes long to open is not a fault of the settings', async t => {
  const imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
  t.after(() => imap.close())
  imap.endless = 'EXAMINE'
  const server = { host: '127.0.0.1', port: imap.port, auth, security: 'none' as const }
  const folders = (await verifyMailbox({ smtp: server, imap: server }, 2000)).find(({ stage }) => stage === 'folders')
  assert.equal(folders?.ok, true)
  assert.match(
    folders.detail,
    /^The server did not open INBOX within \d seconds?, so the folder could not be checked, 2 folders, sent messages are in Sent$/,
  )
})

test('a server that responds byte by byte does not block', async t => {
  const tarpit = createServer(socket => {
    const drip = setInterval(() => socket.write('2'), 100)
    socket.on('close', () => clearInterval(drip))
  })
  const problems = await problemsAt(await listen(t, tarpit), 'starttls', 1000)
  assert.equal(problems.length, 2)
})

test('a server without encryption gets no password unless allowed, and the setting is named', async t => {
  const imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
  t.after(() => imap.close())
  const server = { host: '127.0.0.1', port: imap.port, timeouts, auth }
  await assert.rejects(checkMailboxAccess({ ...server, security: 'starttls' }), /does not offer encryption.*allowPlaintext/)
  assert.ok(!imap.commands.some(line => /LOGIN|AUTHENTICATE/i.test(line)))
  await checkMailboxAccess({ ...server, security: 'opportunistic' })
})

test('encryption is used if offered, and a certificate can be trusted by its fingerprint', async t => {
  let wasSecure: boolean | undefined
  const smtp = new SMTPServer({
    key,
    cert,
    logger: false,
    onAuth({ username }, session, done) {
      wasSecure = session.secure
      done(null, { user: username })
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>(resolve => smtp.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => smtp.close(() => resolve())))
  const server = { host: '127.0.0.1', port: (smtp.server.address() as AddressInfo).port, auth }
  const session = await SmtpSession.connect({ ...server, security: 'opportunistic' })
  session.close()
  assert.equal(wasSecure, true)
  assert.equal(session.encryption, 'Encrypted, the certificate was not checked')

  const fingerprint256 = new X509Certificate(cert).fingerprint256
  for (const given of [fingerprint256, fingerprint256.replaceAll(':', '').toLowerCase()]) {
    ;(await SmtpSession.connect({ ...server, security: 'starttls', fingerprint256: given })).close()
  }
  wasSecure = undefined
  const other = `00${fingerprint256.slice(2)}`
  await assert.rejects(SmtpSession.connect({ ...server, security: 'starttls', fingerprint256: other }), /different fingerprint/)
  assert.equal(wasSecure, undefined)

  const imap = await TestImapServer.start({ user: 'ada', password: 'secret', tls: { key, cert } })
  t.after(() => imap.close())
  const inbox = { host: '127.0.0.1', port: imap.port, auth, security: 'tls' as const }
  await checkMailboxAccess({ ...inbox, fingerprint256 })
  const signedIn = imap.commands.length
  await assert.rejects(checkMailboxAccess({ ...inbox, fingerprint256: other }), /different fingerprint/)
  assert.ok(!imap.commands.slice(signedIn).some(line => /LOGIN|AUTHENTICATE/i.test(line)))
})

test('a silent server is disconnected at the time limit, encrypted or not', async t => {
  withoutPatience(t)
  for (const security of ['tls', 'none'] as const) {
    const left = Promise.withResolvers<void>()
    const silent = createServer(socket => socket.resume().on('close', () => left.resolve()))
    const to = { host: '127.0.0.1', port: await listen(t, silent), security }
    await assert.rejects(reachServer('imap', to, 200), /sends no greeting|does not respond in time/)
    await left.promise
  }
})

test('a server that delays its greeting on purpose is waited for; a port that expects TLS is not', async t => {
  withoutPatience(t)
  const smtp = await ScriptedSmtp.start(point => (point === 'GREETING' ? 'hold' : undefined))
  t.after(() => smtp.close())
  const late = { connectMs: 200, greetingMs: 60_000, silenceMs: 5000, sendMs: 5000 }
  const server = { host: '127.0.0.1', security: 'none' as const, auth, timeouts: late }
  const timer = setInterval(() => smtp.release('220 mail.example ESMTP'), 1000)
  t.after(() => clearInterval(timer))
  const stages = await verifyMailbox({ smtp: { ...server, port: smtp.port } }, 30_000)
  assert.deepEqual(
    stages.map(({ stage, ok }) => [stage, ok]),
    ['dns', 'tcp', 'tls', 'auth'].map(stage => [stage, true]),
  )
  const silentTls = createTlsServer({ key, cert }, socket => void socket.on('error', () => {}))
  silentTls.on('tlsClientError', () => {})
  const swapped = { ...server, security: 'starttls' as const, port: await listen(t, silentTls) }
  const over = await Promise.race([
    verifyMailbox({ smtp: swapped, imap: swapped }, 60_000),
    new Promise(resolve => setTimeout(resolve, 40_000).unref()),
  ])
  assert.match(JSON.stringify(over), /uses TLS from the start.*uses TLS from the start/)
})
