import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { letter, startCorrespondence } from '../correspondence.ts'
import { DAY, HOUR } from '../sending.ts'

const STEPS = [
  {
    delayDays: 0,
    variants: [
      {
        subject: 'A question for {{ firstName }}',
        body: '<p>Hi {{ firstName }}, see <a href="https://product.example/tour?a=1&amp;b=2">the tour</a></p>',
      },
    ],
  },
  { delayDays: 3, variants: [{ subject: null, body: 'Did you see my last mail?' }] },
]
const TRACKED = { trackOpens: true, trackClicks: true }
const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'

interface Part {
  name: string | null
  type?: string
  content: Buffer
}

/** A reply with text, HTML and attachments, as mail programs put them together. Names go in as they are. */
function parcel(from: string, inReplyTo: string, parts: Part[], html = '<p>See attached</p>', plain = 'See attached\n\n> quoted'): string {
  const attached = parts.flatMap(({ name, type, content }) => [
    '--outer',
    `Content-Type: ${type ?? 'application/octet-stream'}`,
    'Content-Transfer-Encoding: base64',
    name === null ? 'Content-Disposition: attachment' : `Content-Disposition: attachment; ${name}`,
    '',
    ...(content.toString('base64').match(/.{1,76}/g) ?? ['']),
  ])
  const text = [
    ...['--outer', 'Content-Type: multipart/alternative; boundary=inner', ''],
    ...['--inner', 'Content-Type: text/plain; charset=utf-8', '', plain.replaceAll('\n', '\r\n'), ''],
    ...['--inner', 'Content-Type: text/html; charset=utf-8', '', html, '--inner--'],
  ]
  const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=outer']
  return letter({ from, inReplyTo, headers, text: [...text, ...attached, '--outer--'].join('\r\n') })
}

const urlsIn = (html: string): string[] => (html.match(/https?:\/\/[^\s"'<>]+/g) ?? []).map(url => url.replaceAll('&amp;', '&'))

describe('the thread of a lead', () => {
  async function start(names: string[]) {
    const world = await startCorrespondence({ names, steps: STEPS, campaign: TRACKED })
    await world.begin()
    const { client } = world.overture
    const leadOf = async (name: string) =>
      (await client.get(`${world.base}/leads?email=${encodeURIComponent(`${name}@people.example`)}`)).body.data[0]
    const threadOf = async (name: string, query = '') => (await client.get(`${(await leadOf(name)).links.self}/thread${query}`)).body
    let uid = 0
    const receive = async (raw: string) => {
      world.imap.append('INBOX', raw, new Date(world.overture.clock.now().getTime() + 60_000))
      await world.readUpTo(++uid)
    }
    return { ...world, client, leadOf, threadOf, receive }
  }

  it('shows messages as they were sent, whatever happened to the template and the lead since', async () => {
    const { overture, client, base, smtp, leadOf, threadOf, messageIds } = await start(['ann'])
    const lead = await leadOf('ann')
    const left = smtp.received.find(raw => raw.includes('To: ann@people.example') || raw.includes('<ann@people.example>'))!
    await client.patch(lead.links.self, { firstName: 'Somebody else' })
    await client.operate('POST', `${base}/pause`)
    const { updatedAt } = (await client.get(base)).body.data
    const changed = [{ delayDays: 0, variants: [{ subject: 'Other', body: 'Other' }] }, STEPS[1]]
    await client.operate('PUT', `${base}/sequence`, { steps: changed }, { 'if-match': updatedAt })
    const [message, ...more] = (await threadOf('ann')).data
    assert.equal(more.length, 0)
    assert.deepEqual(
      [message.direction, message.kind, message.status, message.step, message.from, message.to, message.subject, message.replyId],
      ['out', 'step', 'sent', 0, 'ada@sender.example', 'ann@people.example', 'A question for ann', null],
    )
    assert.equal(message.messageId, (await messageIds()).ann)
    assert.equal(message.at, overture.clock.now().toISOString())
    assert.match(message.text, /^Hi ann, see the tour/)
    assert.match(message.text, /1 Example Street, Berlin/)
    assert.match(left, /Hi ann, see/)
    assert.deepEqual((await client.get(message.links.self)).body.data, message)
  })

  it('is read without counting as an open or a click, and unsubscribes no one, even with tracked messages and quotes', async () => {
    const { client, leadOf, threadOf, receive, smtp, messageIds, overture } = await start(['bob'])
    const html = smtp.received
      .at(-1)!
      .replaceAll('=\r\n', '')
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    const pixel = /https?:[^"]+\/t\/o\/[^"]+/.exec(html)![0]
    const click = /https?:[^"]+\/t\/c\/[^"]+/.exec(html)![0]
    const leave = /https?:[^"]+\/u\/([^"]+)/.exec(html)!
    const rewritten = `https://safe.example/?url=${encodeURIComponent(click)}&amp;x=1`
    const inOtherWords = [
      '<iframe src="https://evil.example/"></iframe>',
      '<link rel="preload" href="//evil.example">',
      `<base href="${client.baseUrl}/">`,
      `<img src="${new URL(pixel).pathname.slice(1)}">`,
      `<a href="${click.replaceAll('/', '&#47;')}">c</a>`,
    ].join('')
    const quoted = `<p>Yes</p><blockquote><a href="${click}">a</a><a href='${rewritten}'>b</a><img src="${pixel}">${inOtherWords}<a href="${leave[0]}">d</a><a href="mailto:a@b.example?subject=stop%20${leave[1]}">e</a></blockquote>`
    await receive(
      parcel(
        'bob@people.example',
        (await messageIds()).bob!,
        [],
        quoted,
        `Yes, I mean <${click}>, not ${leave[0]}\n\n> see the tour <${click}> or leave: ${leave[0]}`,
      ),
    )
    overture.clock.advance(HOUR)
    const { data } = await threadOf('bob')
    assert.equal(data.length, 2)
    const events = await overture.client.get(`${overture.home}/events?type=email.replied`)
    assert.match(events.body.data[0].data.text, /^Yes, I mean <about:blank>, not about:blank/)
    for (const message of data) {
      assert.ok(!/t(\/|%2f|&#47;)[oc](\/|%2f|&#47;)(?!removed)/i.test(message.html), message.html)
      assert.ok(!/\/t\/[oc]\//.test(message.text), message.text)
      assert.ok(!JSON.stringify(message).includes(leave[1]!), 'who reads a thread cannot unsubscribe its lead')
      for (const url of urlsIn(message.html).filter(url => url.startsWith(client.baseUrl)))
        await client.send('GET', url, undefined, { token: null, headers: { 'user-agent': READER } })
    }
    assert.match(data[0].html, /href="https:\/\/product\.example\/tour\?a=1&amp;b=2"/)
    assert.doesNotMatch(data[1].html, /<(?:iframe|link|base)|evil\.example/, 'and nothing is loaded from elsewhere')
    assert.match(data[1].text, /> see the tour <https:\/\/product\.example\/tour\?a=1&b=2>/)
    const [reply] = (await client.get(`${overture.home}/replies`)).body.data
    assert.match(reply.text, /^Yes, I mean <about:blank>/)
    assert.equal((await leadOf('bob')).emailOpenCount, 0)
    const counted = async (type: string) => (await client.get(`${overture.home}/events?type=${type}`)).body.data.length
    assert.deepEqual([await counted('email.opened'), await counted('email.clicked')], [0, 0])
    // The pixel itself lives: the lead's own mail program is counted.
    await client.send('GET', pixel, undefined, { token: null, headers: { 'user-agent': READER } })
    assert.equal(await counted('email.opened'), 1)
  })

  it('contains complete replies, with attachments as downloads', async () => {
    const { client, threadOf, receive, messageIds, events, overture } = await start(['cid'])
    const large = randomBytes(4 * 1024 * 1024)
    const parts: Part[] = [
      { name: 'filename="offer.pdf"', type: 'application/pdf', content: Buffer.from('%PDF') },
      {
        name: "filename*=UTF-8''..%2F..%2Fetc%2Fpa%0D%0ASet-Cookie%3A%20x%00ss%E2%80%AEgpj.exe",
        type: 'text/html',
        content: Buffer.from('<script>'),
      },
      { name: `filename="C:\\\\temp\\\\gr\u00fc\u00dfe 'a' (1)*.txt"`, type: 'text/plain; charset=utf-8', content: Buffer.from('x') },
      { name: null, type: 'nonsense\u0001type', content: Buffer.from('') },
      { name: `filename="${'n'.repeat(300)}.docx"`, content: large },
    ]
    await receive(parcel('cid@people.example', (await messageIds()).cid!, parts, `<p>${'h'.repeat(100_000)}</p><script>alert(1)</script>`))
    const { data } = await threadOf('cid')
    const [, received] = data
    assert.deepEqual([received.direction, received.from, received.isCut, received.step], ['in', 'cid@people.example', false, 0])
    assert.match(received.text, /See attached\s+> quoted/)
    assert.ok(received.html.length > 100_000)
    const [replied] = await events('email.replied')
    assert.deepEqual([replied!.data.replyId, replied!.data.messageId], [received.replyId, received.messageId])
    assert.equal(received.attachments.length, 5)
    const types = received.attachments.map((each: { contentType: string }) => each.contentType)
    assert.deepEqual(types.slice(0, 4), ['application/pdf', 'text/html', 'text/plain', 'application/octet-stream'])
    const names: string[] = received.attachments.map((each: { filename: string }) => each.filename)
    for (const name of names) {
      assert.ok(name.length > 0 && name.length <= 150, name)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
      assert.ok(!/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\\/]/.test(name), JSON.stringify(name))
    }
    assert.deepEqual([names[0], names[3]], ['offer.pdf', 'attachment-4'])
    assert.match(names[4]!, /n\.docx$/)
    for (const [index, attachment] of received.attachments.entries()) {
      assert.deepEqual([attachment.isKept, attachment.sizeBytes], [true, parts[index]!.content.length])
      const reply = await fetch(attachment.links.self, { headers: { authorization: `Bearer ${client.token}` } })
      assert.equal(reply.status, 200)
      assert.equal(reply.headers.get('content-type'), 'application/octet-stream')
      assert.equal(reply.headers.get('x-content-type-options'), 'nosniff')
      assert.match(
        reply.headers.get('content-disposition')!,
        /^attachment; filename="[^"\\%;]+"; filename\*=UTF-8''[A-Za-z0-9!#$&+.^_`|~%-]+$/,
      )
      assert.equal(reply.headers.get('set-cookie'), null)
      assert.ok(Buffer.from(await reply.arrayBuffer()).equals(parts[index]!.content))
    }
    const [listed] = (await client.get(`${overture.home}/replies`)).body.data
    assert.deepEqual(listed.attachments, received.attachments)
    assert.equal(listed.messageId, received.messageId)
    const stranger = await overture.stranger()
    const path = `${stranger.home}/replies/${received.replyId}/attachments/${received.attachments[0].id}`
    assert.equal((await stranger.client.get(path)).status, 404)
    assert.equal((await (await overture.withScopes(['campaigns:read'])).get(received.attachments[0].links.self)).status, 403)
  })

  it('lists a limited number of attachments, and stores ten megabytes of them', async () => {
    const { client, threadOf, receive, messageIds } = await start(['dan', 'eve'])
    const many = Array.from({ length: 1000 }, (_, n) => ({ name: `filename="${n}"`, content: Buffer.from('x') }))
    await receive(parcel('dan@people.example', (await messageIds()).dan!, many))
    const [, crowded] = (await threadOf('dan')).data
    assert.deepEqual([crowded.attachments.length, crowded.isCut], [50, true])
    const megabytes = (n: number, name: string) => ({ name: `filename="${name}"`, content: Buffer.alloc(n * 1024 * 1024, 1) })
    const heavy = [megabytes(4, 'first'), megabytes(7, 'too-much'), megabytes(0.5, 'fits'), megabytes(9, 'beyond')]
    await receive(parcel('eve@people.example', (await messageIds()).eve!, heavy))
    const [, large] = (await threadOf('eve')).data
    const kept = large.attachments.map((each: { filename: string; isKept: boolean }) => [each.filename, each.isKept])
    assert.deepEqual(kept.slice(0, 2), [
      ['first', true],
      ['too-much', false],
    ])
    assert.equal(large.isCut, true)
    const refused = await client.get(large.attachments[1].links.self)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_state'])
  })

  it('is ordered and paged, and hidden from other workspaces', async () => {
    const { overture, client, leadOf, threadOf, receive, messageIds } = await start(['fay'])
    await overture.live(4 * DAY, 4 * HOUR)
    await receive(letter({ from: 'fay@people.example', inReplyTo: (await messageIds()).fay!, text: 'Hm. Who are you?' }))
    const { data } = await threadOf('fay')
    assert.deepEqual(
      data.map((message: { kind: string; step: number }) => [message.kind, message.step]),
      [
        ['step', 0],
        ['step', 1],
        ['neutral', 0],
      ],
    )
    assert.match(data[1].subject, /^Re: A question for fay$/)
    const paged = []
    for (let next: string | null = `${(await leadOf('fay')).links.self}/thread?limit=1`; next; ) {
      const { body } = await client.get(next)
      paged.push(...body.data)
      next = body.links.next
    }
    assert.deepEqual(paged, data)
    // Long texts fill a page before the number of messages does, and none is lost.
    await overture.ctx.db.write(sql.atomic(`update sent_bodies set text = repeat('ä"', 350000)`))
    const pages: string[][] = []
    for (let next: string | null = `${(await leadOf('fay')).links.self}/thread`; next; ) {
      const { body } = await client.get(next)
      pages.push(body.data.map(({ kind }: { kind: string }) => kind))
      next = body.links.next
    }
    assert.deepEqual(pages, [['step'], ['step', 'neutral']])
    const stranger = await overture.stranger()
    const lead = await leadOf('fay')
    assert.equal((await stranger.client.get(`${stranger.home}/campaigns/${lead.campaignId}/leads/${lead.id}/thread`)).status, 404)
    assert.equal((await (await overture.withScopes(['campaigns:read'])).get(`${lead.links.self}/thread`)).status, 403)
    assert.equal((await client.get(`${lead.links.self}/thread?limit=21`)).status, 400)
  })
})
