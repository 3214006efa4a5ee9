import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ScriptedAnswer, ScriptedSmtp } from '../../../test/mail/smtp-script.ts'
import { MailboxConnections } from './deliver.ts'

const envelope = { from: 'ada@sender.example', to: 'bob@people.example' }
const raw = 'Subject: hello\r\n\r\nHello\r\n'

for (const end of ['421 4.7.0 Too many messages', '451 4.5.3 Too many messages', 'drop'] satisfies ScriptedAnswer[]) {
  test(`a connection that a server closes after some messages (${end}) is replaced, and the message is sent over the next one`, async t => {
    const carried = new Map<number, number>()
    const smtp: ScriptedSmtp = await ScriptedSmtp.start(point => {
      if (point !== 'MAIL') return undefined
      const count = (carried.get(smtp.connectionCount) ?? 0) + 1
      carried.set(smtp.connectionCount, count)
      return count > 2 ? end : undefined
    })
    const settings = { host: '127.0.0.1', port: smtp.port, security: 'none' as const, auth: { user: 'ada', password: 'secret' } }
    const connections = new MailboxConnections(async () => settings, 1)
    t.after(async () => {
      connections.close()
      await smtp.close()
    })
    for (let count = 1; count <= 5; count++) assert.equal((await connections.send(envelope, raw)).kind, 'accepted')
    assert.deepEqual([smtp.received.length, smtp.connectionCount], [5, 3])
  })
}

test('a server that refuses every message is not tried twice for one', async t => {
  const smtp = await ScriptedSmtp.start(point => (point === 'MAIL' ? '451 4.3.0 Not now' : undefined))
  const settings = { host: '127.0.0.1', port: smtp.port, security: 'none' as const, auth: { user: 'ada', password: 'secret' } }
  const connections = new MailboxConnections(async () => settings, 1)
  t.after(async () => {
    connections.close()
    await smtp.close()
  })
  assert.equal((await connections.send(envelope, raw)).kind, 'rejected')
  assert.equal(smtp.commands.filter(line => line.startsWith('MAIL')).length, 1)
})

test('a second access token that is refused is a refused sign-in, also when others keep asking for new ones', async t => {
  const smtp = await ScriptedSmtp.start(point => (point === 'AUTH' ? '535 5.7.139 Authentication unsuccessful' : undefined))
  let asked = 0
  const auth = () => ({ user: 'ada', accessToken: `another ${++asked}`, renew: () => true })
  const connections = new MailboxConnections(async () => ({ host: '127.0.0.1', port: smtp.port, security: 'none', auth: auth() }), 1)
  t.after(async () => {
    connections.close()
    await smtp.close()
  })
  const answer = await connections.send(envelope, raw)
  assert.deepEqual([answer.kind, 'permanent' in answer && answer.permanent, asked], ['no_session', true, 2])
})
