import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { testCertificate } from '../../../test/mail/certificate.ts'
import { fetchSince } from '../../../test/mail/fetch-since.ts'
import { TestImapServer } from '../../../test/mail/imap-server.ts'
import { ScriptedSmtp } from '../../../test/mail/smtp-script.ts'
import { dial } from './dial.ts'
import type { ImapSettings } from './imap.ts'
import { SmtpSession, type SmtpSettings } from './smtp.ts'
import type { SmtpConnectError } from './smtp-dialogue.ts'
import { type MailDns, probeRecipient, verifyAddress } from './verify-address.ts'
import { verifyMailbox } from './verify-mailbox.ts'

/** A name that no name server knows: a second lookup would fail. */
const NOWHERE = 'mail.invalid'
/** Nothing listens at the first of these, whether or not the machine has IPv6. */
const SECOND_ANSWERS = ['::1', '127.0.0.1']

async function tlsServer(t: TestContext, secure: boolean): Promise<{ port: number; names: (string | undefined)[] }> {
  const names: (string | undefined)[] = []
  const server = new SMTPServer({
    ...testCertificate,
    secure,
    authOptional: true,
    logger: false,
    onConnect(session, done) {
      names.push(session.servername || undefined)
      done()
    },
    onSecure(_socket, session, done) {
      names.push(session.servername || undefined)
      done()
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, names }
}

test('a connection uses the checked addresses without resolving the name again', async t => {
  const server = await ScriptedSmtp.start()
  const inbox = await TestImapServer.start()
  t.after(() => server.close())
  t.after(() => inbox.close())
  const auth = { user: 'lena', password: 'secret' }
  const smtp: SmtpSettings = { host: NOWHERE, port: server.port, addresses: ['127.0.0.1'], security: 'none' }
  const imap: ImapSettings = { host: NOWHERE, port: inbox.port, addresses: ['127.0.0.1'], security: 'none', auth }
  const stages = await verifyMailbox({ smtp, imap }, 11_000)
  assert.deepEqual([...new Set(stages.map(stage => stage.ok))], [true], JSON.stringify(stages))
  assert.equal(stages[0]!.detail, '127.0.0.1')
  assert.equal((await fetchSince(imap, null, 1)).cursor.lastUid, 0)
  await assert.rejects(SmtpSession.open({ ...smtp, addresses: undefined }), (error: SmtpConnectError) => error.stage === 'dns')
  await assert.rejects(fetchSince({ ...imap, addresses: undefined }, null, 1))
})

test('a silent address is skipped for the next; if all are silent, the error says so', async t => {
  const server = await ScriptedSmtp.start()
  const inbox = await TestImapServer.start()
  t.after(() => server.close())
  t.after(() => inbox.close())
  const session = await SmtpSession.open({ host: NOWHERE, port: server.port, addresses: SECOND_ANSWERS, security: 'none' })
  session.close()
  const auth = { user: 'lena', password: 'secret' }
  await fetchSince({ host: NOWHERE, port: inbox.port, addresses: SECOND_ANSWERS, security: 'none', auth }, null, 1)
  await assert.rejects(
    SmtpSession.open({ host: NOWHERE, port: 1, addresses: SECOND_ANSWERS, security: 'none' }),
    (error: SmtpConnectError) =>
      error.stage === 'tcp' && !error.permanent && /^The mail server at \S+:1 refused the connection$/.test(error.message),
  )
  await assert.rejects(SmtpSession.open({ host: NOWHERE, port: 1, addresses: [], security: 'none' }), /was not found/)
})

test('the certificate must be valid for the name, whichever address is used', async t => {
  for (const security of ['tls', 'starttls'] as const) {
    const { port, names } = await tlsServer(t, security === 'tls')
    const settings: SmtpSettings = { host: 'localhost', port, addresses: SECOND_ANSWERS, security, ca: testCertificate.cert }
    const session = await SmtpSession.open(settings)
    session.close()
    assert.ok(names.includes('localhost'), `${security}: the client sends the name to the server: ${names}`)
    await assert.rejects(
      SmtpSession.open({ ...settings, host: NOWHERE }),
      (error: SmtpConnectError) => error.stage === 'tls' && /names in the certificate/.test(error.message),
    )
  }
  const inbox = await TestImapServer.start({ tls: testCertificate })
  t.after(() => inbox.close())
  const auth = { user: 'lena', password: 'secret' }
  const imap: ImapSettings = {
    host: 'localhost',
    port: inbox.port,
    addresses: SECOND_ANSWERS,
    security: 'tls',
    ca: testCertificate.cert,
    auth,
  }
  await fetchSince(imap, null, 1)
  await assert.rejects(fetchSince({ ...imap, host: NOWHERE }, null, 1), /names in the certificate/)
})

test('an early greeting is not lost', async t => {
  const server = createServer(socket => socket.end('220 hello\r\n'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const socket = await dial({ host: NOWHERE, port: (server.address() as AddressInfo).port, addresses: ['127.0.0.1'] }, 5000)
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(String((await once(socket, 'data'))[0]), '220 hello\r\n')
})

test('a probe uses the checked addresses, once, and never the private network', async t => {
  const server = await ScriptedSmtp.start()
  t.after(() => server.close())
  const probe = { helloName: 'overture.example', from: 'check@northwind.example', port: server.port }
  const input = { ...probe, host: NOWHERE, address: 'jane@acme.com' }
  assert.equal(await probeRecipient({ ...input, addresses: SECOND_ANSWERS }), 'accepts_everything')
  assert.equal(await probeRecipient({ ...input, addresses: [] }), 'no_answer')
  assert.equal(server.connectionCount, 1)

  let answers = [['127.0.0.1'], ['169.254.169.254']]
  const dns: MailDns = {
    mailServers: async () => ['mx.acme.com'],
    refusesMail: async () => false,
    addresses: async () => answers.shift() ?? assert.fail('the name was looked up once more'),
  }
  const verdict = async (allowLocal: boolean) => (await verifyAddress('jane@acme.com', { dns, probe: { ...probe, allowLocal } })).status
  assert.equal(await verdict(true), 'accept_all')
  assert.equal(server.connectionCount, 2)
  assert.equal(await verdict(true), 'unknown')
  answers = [['127.0.0.1']]
  assert.equal(await verdict(false), 'unknown')
  assert.equal(server.connectionCount, 2)
})
