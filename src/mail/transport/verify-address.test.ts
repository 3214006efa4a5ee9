import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScriptedSmtp } from '../../../test/mail/smtp-script.ts'
import { isFreeMail } from './hosters.ts'
import { type MailDns, probeRecipient, verifyAddress } from './verify-address.ts'

/** A name server with the records of the test; a string is an error. */
function dnsOf(servers: string[] | string, addresses: string[] | string = [], isRefusing = false): MailDns {
  const answer = (value: string[] | string) => async (): Promise<string[]> => {
    if (typeof value === 'string') throw Object.assign(new Error(value), { code: value })
    return value
  }
  return { mailServers: answer(servers), refusesMail: async () => isRefusing, addresses: answer(addresses) }
}
const good = dnsOf(['mx.acme.com'])

test('an address at a domain with a mail server is valid', async () => {
  assert.deepEqual(await verifyAddress('jane.doe@acme.com', { dns: good }), {
    status: 'valid',
    type: 'work',
    reason: 'mail_server_found',
  })
})

test('wrong syntax and unknown suffixes are invalid without DNS', async () => {
  const silent = dnsOf('ESHOULDNOTBEASKED', 'ESHOULDNOTBEASKED')
  for (const address of [
    '',
    'a',
    '@b.com',
    'a@',
    'a b@c.com',
    'a@b',
    'a..b@c.com',
    '.a@b.com',
    'a@-b.com',
    'a@b.com\r\nx',
    '"a b"@c.com',
  ]) {
    assert.equal((await verifyAddress(address, { dns: silent })).reason, 'syntax', address)
  }
  assert.equal((await verifyAddress('a@company.notatld', { dns: silent })).reason, 'unknown_suffix')
  assert.equal((await verifyAddress('a@co.uk', { dns: silent })).reason, 'unknown_suffix')
})

test('a domain that accepts no mail or has no server is invalid', async () => {
  const verdict = async (dns: MailDns) => {
    const { status, reason } = await verifyAddress('a@acme.com', { dns })
    return [status, reason]
  }
  assert.deepEqual(await verdict(dnsOf([], [], true)), ['invalid', 'null_mx'])
  assert.deepEqual(await verdict(dnsOf([])), ['invalid', 'no_mail_server'])
  assert.deepEqual(await verdict(dnsOf([], ['192.0.2.1'])), ['valid', 'mail_server_found'])
})

test('a network failure of any kind gives unknown and never invalid', async () => {
  for (const code of ['ETIMEOUT', 'ESERVFAIL', 'ECONNREFUSED', 'EREFUSED', 'ECANCELLED', 'EAI_AGAIN']) {
    assert.equal((await verifyAddress('a@acme.com', { dns: dnsOf(code) })).status, 'unknown', code)
    assert.equal((await verifyAddress('a@acme.com', { dns: dnsOf([], code) })).status, 'unknown', code)
  }
})

test('disposable domains are invalid, role and personal addresses are distinguished', async () => {
  assert.equal((await verifyAddress('x@mailinator.com', { dns: good })).reason, 'disposable')
  assert.equal((await verifyAddress('info@acme.com', { dns: good })).type, 'role')
  assert.equal((await verifyAddress('Sales+x@acme.com', { dns: good })).type, 'role')
  const personal = await verifyAddress('jane@gmail.com', { dns: good })
  assert.deepEqual([personal.type, personal.status], ['personal', 'valid'])
  assert.equal(isFreeMail('GMX.de'), true)
})

test('reserved domains are valid for demos only', async () => {
  assert.equal((await verifyAddress('a@acme.example', { dns: good })).status, 'invalid')
})

test('a probe distinguishes a mailbox from a server that accepts everything, and sends nothing', async t => {
  const server = await ScriptedSmtp.start()
  t.after(() => server.close())
  const dns = dnsOf(['127.0.0.1'])
  const probe = { helloName: 'overture.example', from: 'check@northwind.example', port: server.port, timeoutMs: 20_000, allowLocal: true }
  const status = async (script: ScriptedSmtp['script']) => {
    server.script = script
    return (await verifyAddress('jane@acme.com', { dns, probe })).status
  }
  assert.equal(await status(() => undefined), 'accept_all')
  assert.equal(await status((at, line) => (at === 'RCPT' && !line.includes('jane') ? '550 no' : undefined)), 'valid')
  assert.equal(await status(at => (at === 'RCPT' ? '550 5.1.1 no' : undefined)), 'invalid')
  assert.equal(await status(at => (at === 'RCPT' ? '451 4.7.1 greylisted' : undefined)), 'unknown')
  for (const about of [
    '550 5.7.1 Client host [192.0.2.7] blocked using Spamhaus',
    '550 Your IP is on our blacklist',
    '553 5.7.1 Not allowed',
  ])
    assert.equal(await status(at => (at === 'RCPT' ? about : undefined)), 'unknown', about)
  assert.equal(await status((at, line) => (at === 'RCPT' && !line.includes('jane') ? '452 4.5.3 too many' : undefined)), 'unknown')
  assert.equal(await status(at => (at === 'MAIL' ? '554 5.7.1 blocked' : undefined)), 'unknown')
  assert.equal(await status(at => (at === 'EHLO' ? 'drop' : undefined)), 'unknown')
  assert.ok(!server.commands.includes('DATA'))
  server.script = at => (at === 'GREETING' ? 'hang' : undefined)
  const answer = await probeRecipient({ ...probe, host: '127.0.0.1', addresses: ['127.0.0.1'], address: 'jane@acme.com', timeoutMs: 50 })
  assert.equal(answer, 'no_answer')
})

test('any text gets a verdict', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.emailAddress()), async address => {
      const { status } = await verifyAddress(address, { dns: good })
      assert.ok(status === 'valid' || status === 'invalid')
    }),
    { numRuns: 50 },
  )
})
