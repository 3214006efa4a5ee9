import assert from 'node:assert/strict'
import { test } from 'node:test'
import PostalMime from 'postal-mime'
import { htmlToText, looksLikeHtml, textToHtml } from '../inbound/html.ts'
import { type ComposeInput, composeMessage, languageOf, rewriteLinks } from './compose.ts'

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
  const link = (url: string) => {
    seen.push(url)
    return `https://t.example/c/${seen.length - 1}`
  }
  const body = 'See https://a.example/x?a=1&b=2, or <script>alert(1)</script> https://b.example.'
  const { raw, html } = composeMessage({
    ...base,
    body,
    unsubscribe,
    tracking: { pixelUrl: 'https://t.example/o/1.gif', link },
  })
  const mail = await PostalMime.parse(raw)
  assert.deepEqual(seen, ['https://a.example/x?a=1&b=2', 'https://b.example/'])
  assert.match(mail.html ?? '', /<a href="https:\/\/t\.example\/c\/0">link<\/a>,/)
  assert.match(mail.html ?? '', /&lt;script&gt;/)
  assert.match(mail.html ?? '', /<a href="https:\/\/t\.example\/u\/1">unsubscribe<\/a>/)
  assert.match(mail.html ?? '', /<img src="https:\/\/t\.example\/o\/1\.gif"/)
  // SpamAssassin treats shorter HTML that contains any image as a message that consists of an image.
  assert.ok((mail.html ?? '').length > 3200)
  // The stored text is the same page without those blanks.
  assert.equal(html?.trim(), (mail.html ?? '').replace(/ {100,}/, '').trim())
  assert.match(mail.text ?? '', /https:\/\/a\.example\/x\?a=1&b=2/)
})

test('a follow-up without a subject continues the thread, one with a subject starts a new one', async () => {
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

test('an HTML step has a readable text part and keeps its footer inside the body', () => {
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

test('links are found in every kind of quotes, and only web links', () => {
  const html = `<a href='https://a.example/?x=1&amp;y=2'>1</a><a class=x href=https://b.example>2</a><a href="mailto:x@y.example">3</a><a href="#top">4</a>`
  const urls: string[] = []
  const out = rewriteLinks(html, url => `https://t.example/?${urls.push(url)}&z`)
  assert.deepEqual(urls, ['https://a.example/?x=1&y=2', 'https://b.example/'])
  assert.match(out, /href="https:\/\/t\.example\/\?1&amp;z"/)
  assert.match(out, /mailto:x@y\.example/)
})

test('text and HTML are distinguished and converted into each other', () => {
  assert.equal(looksLikeHtml('if a < b then'), false)
  assert.equal(looksLikeHtml('<p>Hi</p>'), true)
  assert.equal(htmlToText(textToHtml('a & b\n\nc\nd')), 'a & b\n\nc\nd')
})

test('a tracked link is a valid address, whatever was written', () => {
  const seen: string[] = []
  const written = [
    'https://bücher.example/größe?q=a b&ü=“x”#ä',
    "https://a.example/it's fine",
    'https://a.example/%zz',
    'https://exa mple/',
    'http://',
  ]
  const html = written.map(url => `<a href="${url.replaceAll('"', '&quot;')}">here</a>`).join(' ')
  const out = rewriteLinks(html, url => `https://t.example/${seen.push(url)}`)
  assert.deepEqual(seen, [
    'https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe?q=a%20b&%C3%BC=%E2%80%9Cx%E2%80%9D#%C3%A4',
    "https://a.example/it's%20fine",
    'https://a.example/%zz',
  ])
  assert.match(out, /href="https:\/\/exa mple\/"/)
})

test('a link never shows one address and leads to another: in HTML it stays unchanged, in text it gets a label', () => {
  const html =
    '<a href="https://a.example/x">https://a.example/x</a> <a href="https://b.example"><b>b.example</b></a> <a href="https://c.example">here</a>'
  const out = rewriteLinks(html, () => 'https://t.example/c')
  assert.equal(out, html.replace('"https://c.example"', '"https://t.example/c"'))
  const { html: made } = composeMessage({ ...base, tracking: { link: () => 'https://t.example/c' } })
  assert.match(made ?? '', /see <a href="https:\/\/t\.example\/c">link<\/a>\./)
  assert.doesNotMatch(made ?? '', /northwind\.example\/a/)
})

test('the text part of HTML keeps the addresses of mail links', () => {
  const body =
    '<p><a href="mailto:lena%2Bx@northwind.example?subject=Hi">Write to me</a> or <a href="mailto:a@b.example">a@b.example</a></p>'
  const { text } = composeMessage({ ...base, format: 'html', body })
  assert.equal(text, 'Write to me (lena+x@northwind.example) or a@b.example\n')
})

test('the unsubscribe methods: headers and a link, a link alone, or a line that asks for a reply', async () => {
  const listId = 'c1.northwind.example'
  const made = async (way: 'header' | 'link' | 'reply-line', body = base.body) => {
    const { raw, text } = composeMessage({ ...base, body, listId, unsubscribe: { ...unsubscribe, way } })
    const names = (await PostalMime.parse(raw)).headers.map(header => header.key).filter(key => key.startsWith('list-'))
    return { names, text }
  }
  const header = await made('header')
  assert.deepEqual(header.names, ['list-unsubscribe', 'list-unsubscribe-post', 'list-id'])
  assert.match(header.text, /https:\/\/t\.example\/u\/1/)
  const link = await made('link')
  assert.deepEqual(link.names, [])
  assert.match(link.text, /https:\/\/t\.example\/u\/1/)
  const line = await made('reply-line')
  assert.deepEqual(line.names, [])
  assert.doesNotMatch(line.text, /t\.example/)
  assert.match(line.text, /reply with "stop"/)
  assert.match((await made('reply-line', 'Hallo, ich habe eine Frage und hoffe, Sie sind die Richtige.')).text, /„Stop“/)
  assert.match((await made('reply-line', 'Bonjour, je voudrais vous montrer notre produit.')).text, /« stop »/)
  assert.match((await made('reply-line', 'Hola, me gustaría hablar con usted por un momento.')).text, /«stop»/)
})

test('one-click unsubscribe is offered only over https', async () => {
  const { raw } = composeMessage({ ...base, unsubscribe: { url: 'http://t.example/u/1' } })
  const names = (await PostalMime.parse(raw)).headers.map(header => header.key)
  assert.ok(names.includes('list-unsubscribe'))
  assert.equal(names.includes('list-unsubscribe-post'), false)
})

test('a custom line and the signature of the mailbox are in their places', () => {
  const { text } = composeMessage({
    ...base,
    body: 'Hi',
    signature: { text: 'Lena\nNorthwind', html: null },
    unsubscribe: { ...unsubscribe, line: 'Enough? Go here:' },
  })
  assert.equal(text, 'Hi\n\nLena\nNorthwind\n\n-- \nEnough? Go here:\nhttps://t.example/u/1\n')
})

test('inserted variables do not change the language of the footer', () => {
  const template = 'Hallo {{ firstName | default: "there" }}, passt {{ company | default: "your company" }}?'
  const body = 'Hallo there, passt your company?'
  const { text } = composeMessage({ ...base, template, body, unsubscribe })
  assert.match(text, /können Sie sich hier abmelden/)
  assert.match(composeMessage({ ...base, template: '{{ text }}', body: 'Hallo und danke', unsubscribe }).text, /abmelden/)
})

test('the footer is in the language of the text, despite addresses and quoted lines', () => {
  for (const [text, language] of [
    ['Hallo Anna,\n\nwie läuft es bei Bücher GmbH?\n\nhttps://product.example/tour?x=1&y=2', 'de'],
    ['Hallo, passt es Ihnen am Dienstag?', 'de'],
    ['Bonjour, que pensez-vous de cette idée ?', 'fr'],
    ['Hola, ¿qué tal? Me gustaría hablar con usted.', 'es'],
    ['Hi Ann, le mot juste? Would Tuesday suit you?', 'en'],
    ['https://example.com/y/el/los', 'en'],
  ] as const) {
    assert.equal(languageOf(null, text), language, text)
  }
})
