import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { examples } from '../../../test/full.ts'
import { buildMessage, type MessageParts, messageIdFor, oneLine, replySubject, UnsafeHeader } from './mime.ts'

const base: MessageParts = {
  from: { address: 'lena@northwind.example', name: 'Lena Vogt' },
  to: { address: 'mark@brightco.example', name: 'Mark' },
  subject: 'Quick question',
  date: new Date('2026-02-10T10:00:00Z'),
  messageId: '<abc@northwind.example>',
  text: 'Hello\n',
}
const parse = (raw: Buffer) => PostalMime.parse(raw)
const headerBlock = (raw: Buffer) => raw.toString('latin1').split('\r\n\r\n')[0] as string
const unfolded = (raw: Buffer) =>
  headerBlock(raw)
    .replace(/\r\n[ \t]/g, ' ')
    .split('\r\n')

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom('\r', '\n', '\r\n', 'Bcc: x@y.example', ' ', ':', '=?utf-8?B?eA==?=', 'é', '\u2028', '\0', '"', '\\', 'a'.repeat(90)),
    )
    .map(parts => parts.join('')),
)

test('a composed message is parsed back unchanged', async () => {
  const raw = buildMessage({
    ...base,
    replyTo: { address: 'sales@northwind.example' },
    subject: 'Grüße aus Köln, 日本語 🎉',
    inReplyTo: '<1@x.example>',
    references: ['<0@x.example>', '<1@x.example>'],
    listUnsubscribe: { url: 'https://t.example/u/abc', mailto: { address: 'stop+1@northwind.example', subject: 'unsubscribe abc' } },
    text: 'Zeile eins\n.\n..zwei = drei \nFrom here\n',
    html: '<p>Zeile eins</p>',
  })
  const mail = await parse(raw)
  const header = (key: string) => mail.headers.find(h => h.key === key)?.value
  assert.equal(mail.subject, 'Grüße aus Köln, 日本語 🎉')
  assert.deepEqual([mail.from?.name, mail.from?.address], ['Lena Vogt', 'lena@northwind.example'])
  assert.equal(mail.replyTo?.[0]?.address, 'sales@northwind.example')
  assert.equal(mail.messageId, '<abc@northwind.example>')
  assert.equal(mail.inReplyTo, '<1@x.example>')
  assert.equal(mail.references, '<0@x.example> <1@x.example>')
  assert.equal(mail.text?.trimEnd(), 'Zeile eins\n.\n..zwei = drei \nFrom here')
  assert.equal(mail.html?.trimEnd(), '<p>Zeile eins</p>')
  assert.equal(header('date'), 'Tue, 10 Feb 2026 10:00:00 +0000')
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  assert.match(
    header('list-unsubscribe') ?? '',
    /^<https:\/\/t\.example\/u\/abc>,\s*<mailto:stop%2B1@northwind\.example\?subject=unsubscribe%20abc>$/,
  )
})

test('no subject or name, however hostile, adds a header or changes another', async () => {
  const expected = unfolded(buildMessage(base)).map(line => line.split(':')[0])
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (subject, name) => {
      const raw = buildMessage({ ...base, subject, to: { ...base.to, name } })
      assert.deepEqual(
        unfolded(raw).map(line => line.split(':')[0]),
        expected,
      )
      const mail = await parse(raw)
      const squeezed = (text: string) => oneLine(text).replace(/\s+/g, ' ').trim()
      assert.equal(squeezed(mail.subject ?? ''), squeezed(subject))
      assert.equal(mail.to?.[0]?.address, base.to.address)
      assert.equal(mail.to?.length, 1)
      assert.equal(squeezed(mail.to?.[0]?.name ?? ''), squeezed(name))
    }),
    { numRuns: examples(300) },
  )
})

test('any text survives both parts unchanged, and no line is longer than SMTP allows', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (text, html) => {
      fc.pre(html !== '')
      const raw = buildMessage({ ...base, text, html })
      for (const line of raw.toString('latin1').split('\r\n')) {
        assert.ok(line.length <= 200)
        assert.ok(!/[\r\n]/.test(line))
        assert.ok(/^[\t\x20-\x7e]*$/.test(line))
      }
      const mail = await parse(raw)
      const same = (value: string) => value.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n').replace(/\n+$/, '')
      assert.equal(same(mail.text ?? ''), same(text))
      assert.equal(same(mail.html ?? ''), same(html))
    }),
    { numRuns: examples(300) },
  )
})

test('the boundary occurs in neither part', async () => {
  const boundaryOf = (raw: Buffer) => /boundary="(.+)"/.exec(raw.toString())![1]!
  const first = boundaryOf(buildMessage({ ...base, html: '<p>Hello</p>' }))
  const text = `--${first}\n--${first}--\n`
  const raw = buildMessage({ ...base, text, html: '<p>Hello</p>' })
  assert.notEqual(boundaryOf(raw), first)
  assert.equal((await parse(raw)).text?.trimEnd(), text.trimEnd())
})

test('no line of a body starts in a way that mail stores rewrite, which would break a signature', async () => {
  const text =
    'From here on\nFrom: you\nFrom me, with a line that is longer than seventy-six characters, so that it has to be cut\n' +
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxFrom me'
  for (const html of [null, `<pre>From me</pre>\nFrom you\n`]) {
    const raw = buildMessage({ ...base, text, html })
    assert.doesNotMatch(raw.toString(), /^From /m)
    const mail = await parse(raw)
    assert.deepEqual([mail.text?.trim(), mail.html?.trim()], [text, html?.trim()])
  }
})

test('an address, id, link or header name with a line break in it is refused', () => {
  const hostile: Partial<MessageParts>[] = [
    { to: { address: 'a@b.example\r\nBcc: c@d.example' } },
    { to: { address: 'a b@c.example' } },
    { to: { address: '"a\r\nBcc: x"@c.example' } },
    { to: { address: 'a@b.example>, <c@d.example' } },
    { to: { address: 'a@' } },
    { to: { address: 'a@b.example\r\nx' } },
    { to: { address: 'a@b.exa\tmple' } },
    { from: { address: 'a@b.example\0' } },
    { messageId: '<a@b>\r\nX: y' },
    { messageId: 'no-brackets' },
    { inReplyTo: '<a>\n<b>' },
    { references: ['<a@b.example>', '<a\r\nX: y>'] },
    { listUnsubscribe: { url: 'javascript:alert(1)' } },
    { listUnsubscribe: { url: 'https://t.example/u', mailto: { address: 'x@y.example\r\nBcc: z@z.example', subject: '' } } },
    { headers: { 'X-A\r\nBcc': 'x' } },
    { headers: { Bcc: 'x@y.example' } },
  ]
  for (const change of hostile) {
    assert.throws(() => buildMessage({ ...base, ...change }), UnsafeHeader, JSON.stringify(change))
  }
})

test('a domain in another script is written in its ASCII form', async () => {
  const mail = await parse(buildMessage({ ...base, to: { address: 'info@müller.example' } }))
  assert.match(headerBlock(buildMessage({ ...base, to: { address: 'info@müller.example' } })), /info@xn--mller-kva\.example/)
  assert.ok(mail.to?.[0]?.address)
})

test('a message id depends on the send and the key alone', () => {
  const signer = (key: string) => (id: string) => createHmac('sha256', key).update(id).digest()
  const id = messageIdFor('send-1', 'Northwind.example', signer('k1'))
  assert.equal(id, messageIdFor('send-1', 'northwind.example', signer('k1')))
  assert.notEqual(id, messageIdFor('send-2', 'northwind.example', signer('k1')))
  assert.notEqual(id, messageIdFor('send-1', 'northwind.example', signer('k2')))
  assert.match(id, /^<[0-9a-f]{40}@northwind\.example>$/)
  assert.throws(() => messageIdFor('s', 'a b', signer('k')), UnsafeHeader)
})

test('the subject of an answer has one Re:', () => {
  assert.equal(replySubject('Hello'), 'Re: Hello')
  assert.equal(replySubject('RE: Hello'), 'RE: Hello')
})
