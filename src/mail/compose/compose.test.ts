import assert from 'node:assert/strict'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { htmlToText, looksLikeHtml, rewriteLinks, textToHtml } from '../inbound/html.ts'
import { type ComposeInput, composeMessage } from './compose.ts'

const base: ComposeInput = {
  from: { address: 'lena@northwind.example', name: 'Lena' },
  to: { address: 'mark@brightco.example' },
  date: new Date('2026-02-10T10:00:00Z'),
  messageId: '<s1@northwind.example>',
  subject: 'Quick question',
  body: 'Hi Mark,\n\nsee https://northwind.example/a?b=1&c=2.\n\nLena',
  format: 'text',
}
const unsubscribe = { url: 'https://t.example/u/1' }

test('a plain step without tracking is a plain text message', async () => {
  const { raw, html, startsThread } = composeMessage({ ...base, unsubscribe, postalAddress: '1 Main St\nTown' })
  const mail = await PostalMime.parse(raw)
  assert.equal(html, null)
  assert.equal(mail.html, undefined)
  assert.equal(startsThread, true)
  assert.match(mail.text ?? '', /unsubscribe here:\nhttps:\/\/t\.example\/u\/1\n\n1 Main St\nTown/)
})

test('tracking adds a safe HTML part, replaces each link once and leaves the unsubscribe link alone', async () => {
  const seen: string[] = []
  const link = (url: string, index: number) => {
    seen.push(`${index}:${url}`)
    return `https://t.example/c/${index}`
  }
  const body = 'See https://a.example/x?a=1&b=2, or <script>alert(1)</script> https://b.example.'
  const { raw } = composeMessage({
    ...base,
    body,
    unsubscribe,
    tracking: { pixelUrl: 'https://t.example/o/1.gif', link },
  })
  const mail = await PostalMime.parse(raw)
  assert.deepEqual(seen, ['0:https://a.example/x?a=1&b=2', '1:https://b.example'])
  assert.match(mail.html ?? '', /<a href="https:\/\/t\.example\/c\/0">https:\/\/a\.example\/x\?a=1&amp;b=2<\/a>,/)
  assert.match(mail.html ?? '', /&lt;script&gt;/)
  assert.match(mail.html ?? '', /<a href="https:\/\/t\.example\/u\/1">unsubscribe<\/a>/)
  assert.match(mail.html ?? '', /<img src="https:\/\/t\.example\/o\/1\.gif"/)
  assert.match(mail.text ?? '', /https:\/\/a\.example\/x\?a=1&b=2/)
})

test('a follow-up without a subject answers in the thread, one with a subject starts a new one', async () => {
  const thread = { subject: 'Quick question', messageIds: ['<a@x.example>', '<b@x.example>'] }
  const followUp = composeMessage({ ...base, subject: ' ', thread })
  const mail = await PostalMime.parse(followUp.raw)
  assert.equal(mail.subject, 'Re: Quick question')
  assert.equal(mail.inReplyTo, '<b@x.example>')
  assert.equal(mail.references, '<a@x.example> <b@x.example>')
  assert.equal(followUp.startsThread, false)
  assert.equal(followUp.threadSubject, 'Quick question')
  const fresh = composeMessage({ ...base, subject: 'Another idea', thread })
  assert.equal((await PostalMime.parse(fresh.raw)).inReplyTo, undefined)
  assert.equal(fresh.startsThread, true)
})

test('an HTML step carries a readable text part and keeps its footer inside the body', () => {
  const { text, html } = composeMessage({
    ...base,
    format: 'html',
    body: '<html><head><style>p{}</style></head><body><p>Hi &amp; hello</p><p><a href="https://a.example">our site</a></p></body></html>',
    unsubscribe,
    postalAddress: 'Main <St>',
  })
  assert.match(text, /^Hi & hello\n\nour site \(https:\/\/a\.example\)\n\n-- \n/)
  assert.match(html ?? '', /Main &lt;St&gt;<\/p>\n<\/body>/)
})

test('links are found in every way of quoting, and only links to the web', () => {
  const html = `<a href='https://a.example/?x=1&amp;y=2'>1</a><a class=x href=https://b.example>2</a><a href="mailto:x@y.example">3</a><a href="#top">4</a>`
  const urls: string[] = []
  const out = rewriteLinks(html, url => `https://t.example/?${urls.push(url)}&z`)
  assert.deepEqual(urls, ['https://a.example/?x=1&y=2', 'https://b.example'])
  assert.match(out, /href="https:\/\/t\.example\/\?1&amp;z"/)
  assert.match(out, /mailto:x@y\.example/)
})

test('text and HTML are told apart and turned into each other', () => {
  assert.equal(looksLikeHtml('if a < b then'), false)
  assert.equal(looksLikeHtml('<p>Hi</p>'), true)
  assert.equal(htmlToText(textToHtml('a & b\n\nc\nd')), 'a & b\n\nc\nd')
})
