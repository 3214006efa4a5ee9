import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { buildMessage } from '../compose/mime.ts'
import { MailReader, MessageNotRead } from './mail-reader.ts'

const reader = new MailReader()
/** With a tenth of the budget, which is processor time. */
const hasty = new MailReader(500)
after(() => Promise.all([reader.stop(), hasty.stop()]))
const at = new Date('2026-02-10T10:00:00Z')
const honest = buildMessage({
  from: { address: 'mark@brightco.example' },
  to: { address: 'lena@northwind.example' },
  subject: 'Re: Hi',
  date: at,
  messageId: '<r1@brightco.example>',
  text: 'Please remove me from your list.',
})
const notRead = (reason: string) => (error: unknown) => error instanceof MessageNotRead && error.reason === reason

test('a message is read in the thread with the same result as here', async () => {
  const { message, judged } = await reader.read(honest, at)
  assert.deepEqual([message.messageId, message.date, judged.kind], ['<r1@brightco.example>', at, 'opt_out'])
  assert.equal(message.headers.get('subject'), 'Re: Hi')
})

test('a message that takes too long is given up while the process continues, and the next one is read', async t => {
  let turns = 0
  const counter = setInterval(() => turns++, 10)
  t.after(() => clearInterval(counter))
  const hostile = Buffer.from(`From: a@b.example\r\nSubject: x\r\n\r\n${`${'x'.repeat(60)}\n`.repeat(300_000)}`)
  await assert.rejects(hasty.read(hostile, at), notRead('too_expensive'))
  assert.ok(turns > 5, `the process took ${turns} turns`)
  assert.equal((await hasty.read(honest, at)).judged.kind, 'opt_out')
})

test('an invalid message is unreadable, and unstorable text is repaired', async () => {
  const deep = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n'.repeat(60)
  await assert.rejects(reader.read(Buffer.from(deep), at), notRead('unreadable'))
  const { message } = await reader.read(Buffer.from('From: a@b.example\r\nSubject: a\0b\r\n\r\nc\0d\r\n'), at)
  assert.equal(JSON.stringify([message.subject, message.text]).includes('\\u0000'), false)
})
