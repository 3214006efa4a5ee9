import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ReplyKind, settleKind } from '#reply-reader'
import { examples } from '../../../test/full.ts'
import { buildMessage } from '../compose/mime.ts'
import { answeredIds, judgeMessage, parseInbound, UnreadableMessage } from './inbound.ts'

const now = new Date('2026-02-10T10:00:00Z')
const reply = (text: string, more: { subject?: string; headers?: Record<string, string>; html?: string } = {}) =>
  buildMessage({
    from: { address: 'mark@brightco.example', name: 'Mark' },
    to: { address: 'lena@northwind.example' },
    subject: more.subject ?? 'Re: Quick question',
    date: now,
    messageId: '<r1@brightco.example>',
    inReplyTo: '<s2@northwind.example>',
    references: ['<s1@northwind.example>', '<s2@northwind.example>'],
    ...(more.headers ? { headers: more.headers } : {}),
    text,
    html: more.html ?? null,
  })
const kindOf = async (text: string, more: Parameters<typeof reply>[1] = {}) => judgeMessage(await parseInbound(reply(text, more)), now).kind

/** A report as in RFC 3464, about a message of ours to nobody@brightco.example. */
function rawReport(subject: string, dsn: { action: string; status: string; diagnostic: string }): Buffer {
  const lines = [
    'From: Mail Delivery System <MAILER-DAEMON@mail.brightco.example>',
    'To: lena@northwind.example',
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    'Date: Tue, 10 Feb 2026 10:00:00 +0000',
    'Message-ID: <report@mail.brightco.example>',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Your message could not be delivered to one or more recipients.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.brightco.example',
    '',
    'Final-Recipient: rfc822; nobody@brightco.example',
    `Action: ${dsn.action}`,
    `Status: ${dsn.status}`,
    `Diagnostic-Code: smtp; ${dsn.diagnostic}`,
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'From: lena@northwind.example',
    'To: nobody@brightco.example',
    'Subject: Quick question',
    'Message-ID: <sent@northwind.example>',
    '',
    'Hi, would you be interested? unsubscribe: https://t.example/u/1',
    '--b--',
    '',
  ]
  return Buffer.from(lines.join('\r\n'))
}

/** Refusals, opt-outs and empty words in languages that the rules do not know. */
const FOREIGN = [
  ...['FYI', 'fyi see below', 'FYI - forwarding to the team', 'Noted.', 'See attached', 'Hmm', '??'],
  // Italian
  ...[
    'Non sono interessato, grazie.',
    'No grazie, non ci interessa.',
    'Per favore non scrivetemi più.',
    'Cancellatemi dalla vostra lista.',
  ],
  ...['Vi prego di rimuovere il mio indirizzo', 'Non abbiamo bisogno di una demo, grazie mille'],
  // Portuguese
  ...[
    'Não tenho interesse, obrigado.',
    'Por favor, não me envie mais e-mails.',
    'Remova-me da sua lista.',
    'Não estamos interessados, perfeito assim',
  ],
  // Dutch
  ...[
    'Geen interesse, bedankt.',
    'Wij hebben hier geen behoefte aan.',
    'Stuur mij geen mails meer aub',
    'Haal mij van de lijst',
    'Nee dank u, wij zijn tevreden',
  ],
  // Polish, Czech, Swedish, Danish, Norwegian, Finnish
  ...[
    'Nie jestem zainteresowany.',
    'Proszę nie pisać więcej.',
    'Nemám zájem, děkuji.',
    'Neposílejte mi další e-maily',
    'Inte intresserad, tack.',
  ],
  ...['Sluta mejla mig', 'Ikke interesseret, tak', 'Nei takk, ikke interessant', 'En ole kiinnostunut, kiitos', 'Poistakaa minut listalta'],
  // Turkish, Romanian, Hungarian, Russian, Greek, Chinese, Japanese, Korean, Arabic, Hebrew
  ...[
    'İlgilenmiyorum, teşekkürler',
    'Lütfen bana bir daha yazmayın',
    'Nu sunt interesat',
    'Vă rog să nu mă mai contactați',
    'Nem érdekel, köszönöm',
  ],
  ...[
    'Не интересно, спасибо',
    'Удалите меня из рассылки',
    'Δεν ενδιαφέρομαι',
    '不感兴趣',
    '请不要再给我发邮件',
    '興味ありません',
    '配信停止してください',
  ],
  ...['관심 없습니다', 'لست مهتما', 'לא מעוניין, תודה', 'Nimam interesa', 'Nisam zainteresiran, hvala', 'Ez zait interesatzen'],
]

test('a reply is read with its ids, sender and own words', async () => {
  const message = await parseInbound(reply('Sounds good\n\nOn Mon, 9 Feb 2026, Lena wrote:\n> Hi\n> unsubscribe'))
  assert.equal(message.messageId, '<r1@brightco.example>')
  assert.deepEqual(message.from, { name: 'Mark', address: 'mark@brightco.example' })
  assert.equal(message.text, 'Sounds good')
  assert.match(message.fullText, /unsubscribe/)
  assert.deepEqual(message.date, now)
  assert.deepEqual(answeredIds(message), ['<s2@northwind.example>', '<s1@northwind.example>'])
})

test('the unsubscribe line of our own footer never counts as the reply', async () => {
  const quoted = [
    'Yes, call me.\n\nOn Mon, 9 Feb 2026 at 09:14, Lena Vogt <lena@northwind.example>\nwrote:\n\n> unsubscribe here',
    'Yes, call me.\n\n-----Original Message-----\nFrom: Lena\nunsubscribe',
    'Yes, call me.\n\nVon: Lena\nGesendet: Montag\nAn: Mark\nBetreff: Hi\n\nBitte abmelden',
    'Yes, call me.\n\nDe : Lena\nEnvoyé : lundi\nÀ : Mark\nObjet : Hi\n\nse désinscrire',
    'Yes, call me.\n\nDe: Lena\nEnviado el: lunes\nPara: Mark\nAsunto: Hi\n\ndarse de baja',
    'Yes, call me.\n\n________________________________\nFrom: Lena\nunsubscribe me',
    'Yes, call me.\n\n-- \nMark\nunsubscribe me from this list',
    'Yes, call me.\n\nBest regards,\nMark\nremove me from your list',
  ]
  for (const text of quoted) assert.equal(await kindOf(text), 'positive', text)
})

test('an HTML-only reply is read without its quotes', async () => {
  const raw = Buffer.from(
    [
      'From: mark@brightco.example',
      'To: lena@northwind.example',
      'Subject: Re: x',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<div>Please call me &amp; send pricing</div><div class="gmail_quote">On x wrote:<blockquote>unsubscribe me</blockquote></div>',
    ].join('\r\n'),
  )
  const message = await parseInbound(raw)
  assert.equal(message.text, 'Please call me & send pricing')
  assert.equal(message.date, null)
  assert.equal(judgeMessage(message, now).kind, 'positive')
})

test('a delivery report returns the status, the recipient and the message', async () => {
  const expectations: [string, string, string, string][] = [
    ['failed', '5.1.1', '550 5.1.1 no such user', 'hard'],
    ['failed', '5.0.0', '550 5.1.10 recipient not found', 'hard'],
    ['failed', '5.2.2', '552 5.2.2 over quota', 'soft'],
    ['failed', '5.4.4', 'host not found', 'hard'],
    ['failed', '5.0.0', '550 mailbox is full', 'soft'],
    ['failed', '5.7.1', '550 5.7.1 blocked', 'sender_fault'],
    ['failed', '5.0.0', '550 rejected because of spam policy', 'sender_fault'],
    ['failed', '4.4.7', 'gave up after five days', 'soft'],
  ]
  for (const [action, status, diagnostic, type] of expectations) {
    const message = await parseInbound(rawReport('Undelivered', { action, status, diagnostic }))
    const { kind, bounce } = judgeMessage(message, now)
    assert.equal(kind, 'bounce')
    assert.equal(bounce?.type, type, `${status} ${diagnostic}`)
    assert.equal(bounce?.recipient, 'nobody@brightco.example')
    assert.equal(bounce?.originalMessageId, '<sent@northwind.example>')
    assert.equal(answeredIds(message)[0], '<sent@northwind.example>')
  }
})

test('a report of a successful delivery is not a bounce', async () => {
  const message = await parseInbound(rawReport('Delivered', { action: 'delivered', status: '2.0.0', diagnostic: 'ok' }))
  assert.equal(message.bounce, null)
  assert.equal(judgeMessage(message, now).kind, 'auto_reply')
})

test('a forwarded complaint is an opt-out, and other feedback is not', async () => {
  const feedback = (type: string) =>
    [
      'From: feedback@isp.example',
      'Subject: Rapport',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Voir la partie suivante.',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      `Feedback-Type: ${type}`,
      'User-Agent: Feedback/1.0',
      'Version: 1',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: <${'ab'.repeat(20)}@northwind.example>`,
      'Subject: Undelivered Mail Returned to Sender',
      '',
      'Hello',
      '--b--',
      '',
    ].join('\r\n')
  const complaint = await parseInbound(Buffer.from(feedback('abuse')))
  assert.equal(complaint.report, 'complaint')
  assert.deepEqual(complaint.quotedIds, [`<${'ab'.repeat(20)}@northwind.example>`])
  assert.equal(judgeMessage(complaint, now).kind, 'opt_out')
  assert.notEqual(judgeMessage(await parseInbound(Buffer.from(feedback('not-spam'))), now).kind, 'opt_out')
})

test('a report of a delay is not a bounce, in fields or prose', async () => {
  for (const dsn of [
    { action: 'delayed', status: '4.4.1', diagnostic: 'timed out until 12 March' },
    { action: 'Delayed', status: '5.0.0', diagnostic: '' },
  ]) {
    const message = await parseInbound(rawReport('Delayed', dsn))
    assert.deepEqual(judgeMessage(message, now), { kind: 'auto_reply', confidence: 0.99 })
  }
  const prose = (text: string, subject: string) =>
    parseInbound(Buffer.from(`From: MAILER-DAEMON@mx.example\r\nSubject: ${subject}\r\nAuto-Submitted: auto-replied\r\n\r\n${text}\r\n`))
  for (const [text, subject] of [
    ['Message to <a@b.example> could not be delivered: 421 4.7.0 try later. We will keep trying.', 'Delivery Status Notification (Delay)'],
    ['This is a warning message only. Your message to <a@b.example> will be retried.', 'Undeliverable so far'],
  ] as const) {
    assert.equal(judgeMessage(await prose(text, subject), now).kind, 'auto_reply', text)
  }
  const final = await prose('Delivery to <a@b.example> failed permanently. 4.4.7 gave up after five days.', 'Undeliverable')
  assert.equal(final.bounce?.recipient, 'a@b.example')
})

test('a read receipt is automatic, whatever it says', async () => {
  const lines = [
    'From: Mark <mark@brightco.example>',
    'To: lena@northwind.example',
    'Subject: Read: Quick question',
    'Content-Type: multipart/report; report-type=disposition-notification; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Your message was displayed. Sounds great, call me on Monday at 10.',
    '--b',
    'Content-Type: message/disposition-notification',
    '',
    'Final-Recipient: rfc822; mark@brightco.example',
    'Disposition: manual-action/MDN-sent-manually; displayed',
    '--b--',
    '',
  ]
  const message = await parseInbound(Buffer.from(lines.join('\r\n')))
  assert.equal(message.report, 'disposition')
  assert.equal(judgeMessage(message, now).kind, 'auto_reply')
})

test('an automatic reply is recognized in several ways', async () => {
  const text = 'Dank voor uw bericht. Wir melden uns. Let us talk on Monday.'
  for (const headers of [{ 'X-Autogenerated': 'Reply' }, { Precedence: 'auto_reply' }, { 'X-Vacation': 'yes' }]) {
    assert.equal(await kindOf(text, { headers: headers as unknown as Record<string, string> }), 'auto_reply')
  }
  for (const subject of ['Automatisch antwoord: Quick question', 'Risposta automatica: x', 'Автоответ: x', '自动回复: x', 'Autosvar: x']) {
    assert.equal(await kindOf(text, { subject }), 'auto_reply', subject)
  }
  const raw = Buffer.from(`Return-Path: <>\r\nFrom: mark@brightco.example\r\nSubject: Re: x\r\n\r\n${text}\r\n`)
  assert.equal(judgeMessage(await parseInbound(raw), now).kind, 'auto_reply')
})

test('referenced messages are found without brackets, in another case, and when only quoted', async () => {
  const id = 'abcdef0123456789abcdef0123456789abcdef01@northwind.example'
  const token = 'x'.repeat(46)
  const headers = (lines: string[], body = 'Hi') => parseInbound(Buffer.from([...lines, '', body, ''].join('\r\n')))
  for (const lines of [
    [`In-Reply-To: ${id}`],
    [`In-Reply-To: <${id.toUpperCase()}>`],
    [`References: <other@x.example>,\r\n <${id}>`],
    [`In-Reply-To: Your message of Monday <${id}>`],
  ]) {
    assert.equal(answeredIds(await headers(lines)).includes(`<${id}>`), true, lines[0])
  }
  const quoted = await headers(
    ['From: a@b.example'],
    `> Message-ID: <${id}>\r\n> stop: https://t.example/u/${token}\r\nhttps://safe.example/?url=https%3A%2F%2Ft.example%2Ft%2Fc%2F${token}y`,
  )
  assert.deepEqual([answeredIds(quoted), quoted.quotedIds], [[], [`<${id}>`]])
  assert.deepEqual(quoted.quotedTokens, [{ purpose: 'unsubscribe', token }])
})

test('a reply below quoted flowed text is read, however empty lines are quoted', async () => {
  const flowed = (text: string) =>
    parseInbound(
      Buffer.from(
        `From: a@b.example\r\nContent-Type: text/plain; charset=utf-8;\r\n format=flowed; delsp=no\r\n\r\n${text.replaceAll('\n', '\r\n')}`,
      ),
    )
  const quote = 'On Mon, 9 Feb 2026, Lena wrote:\n> Hi Mark, \n> \n> this is a long paragraph that goes \n> on here \n> \n'
  const message = await flowed(`${quote}Please remove me \nfrom your list.\n`)
  assert.equal(message.text, 'Please remove me from your list.')
  assert.equal(judgeMessage(message, now).kind, 'opt_out')
  assert.equal((await flowed(`${quote}\n-- \nMark\n`)).text, '')
})

test('below the documented confidence, no reply counts as interested, and it needs review', async () => {
  assert.deepEqual(settleKind({ kind: 'positive', confidence: 0.79 }), { kind: 'neutral', needsLook: true })
  assert.deepEqual(settleKind({ kind: 'positive', confidence: 0.8 }), { kind: 'positive', needsLook: false })
  assert.deepEqual(settleKind({ kind: 'opt_out', confidence: 0.3 }), { kind: 'opt_out', needsLook: false })
  assert.deepEqual(settleKind({ kind: 'negative', confidence: 0.3 }), { kind: 'negative', needsLook: true })
  for (const text of FOREIGN) {
    const judged = judgeMessage(await parseInbound(reply(text)), now)
    assert.notEqual(settleKind(judged).kind, 'positive', `${text}: ${judged.kind} ${judged.confidence}`)
  }
})

test('a person who mentions an undelivered message is not a bounce', async () => {
  assert.equal(await kindOf('My last mail came back as undeliverable, user unknown. Can we talk on Friday?'), 'positive')
})

test('an automatic reply is recognized by its headers, even if it mentions unsubscribing', async () => {
  const text = 'I left. To stop receiving our newsletter, unsubscribe me from your list.'
  assert.equal(await kindOf(text, { headers: { 'Auto-Submitted': 'auto-replied' } }), 'auto_reply')
  assert.equal(await kindOf(text, { headers: { 'X-Autoreply': 'yes' } }), 'auto_reply')
  assert.equal(await kindOf(text, { headers: { 'Auto-Submitted': 'no' } }), 'opt_out')
})

test('an absent person who is interested is interested', async () => {
  const { kind, returnDate } = judgeMessage(await parseInbound(reply("I'm interested but away till Monday, let's talk then.")), now)
  assert.deepEqual([kind, returnDate], ['positive', '2026-02-16'])
})

test('the tricky ones', async () => {
  const expectations: [string, ReplyKind][] = [
    ['Please stop by our booth in hall 4!', 'positive'],
    ['stop', 'opt_out'],
    ['Not interested, and please stop emailing me.', 'opt_out'],
    ['Not now, maybe Q3', 'neutral'],
    ['I forwarded this to my colleague.', 'neutral'],
    ['', 'neutral'],
    ['👍', 'neutral'],
  ]
  for (const [text, kind] of expectations) assert.equal(await kindOf(text), kind, text)
  assert.equal(await kindOf('', { subject: 'Unsubscribe' }), 'opt_out')
})

test('a message with thousands of attachments is read, and marked as incomplete', async () => {
  const part = (n: number) =>
    `--b\r\nContent-Type: image/png; name="${'x'.repeat(60)}${n}.png"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n`
  const message = (count: number, headers = '') =>
    Buffer.from(
      `From: ann@people.example\r\nIn-Reply-To: <1@me.example>\r\n${headers}Content-Type: multipart/mixed; boundary=b\r\n\r\n` +
        `--b\r\nContent-Type: text/plain\r\n\r\nPlease remove me from your list.\r\n` +
        Array.from({ length: count }, (_, n) => part(n)).join('') +
        '--b--\r\n',
    )
  const read = await parseInbound(message(10_000))
  assert.equal(read.text.trim(), 'Please remove me from your list.')
  assert.equal(read.isCut, true)
  assert.deepEqual([read.from?.address, read.inReplyTo], ['ann@people.example', '<1@me.example>'])
  assert.equal(judgeMessage(read, now).kind, 'opt_out')
  assert.equal((await parseInbound(message(10))).isCut, false)
  // A message whose own headers do not end gives nothing.
  await assert.rejects(parseInbound(message(1, 'X-Long: y\r\n'.repeat(40_000))), UnreadableMessage)
})

test('a reply that was not read to its end never counts as interested, and needs review', async () => {
  const hello = 'Sounds great, let us talk tomorrow.'
  const pictures = Array.from(
    { length: 4000 },
    (_, n) => `--b\r\nContent-Type: image/png; name="${'x'.repeat(60)}${n}.png"\r\n\r\nAAAA\r\n`,
  )
  const words = 'Here is what we wrote about it.\r\n'.repeat(4000)
  const left = 'Please remove me from your list.'
  const multipart = `From: ann@people.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${hello}\r\n`
  const html = `From: ann@people.example\r\nContent-Type: text/html\r\n\r\n<p>${hello}</p>`
  for (const [what, raw] of Object.entries({
    'behind thousands of attachments': `${multipart}${pictures.join('')}--b\r\n\r\n${left}\r\n--b--\r\n`,
    'behind a hundred pages': `From: ann@people.example\r\n\r\n${hello}\r\n${words}${left}\r\n`,
    'behind a picture in the HTML': `${html}<img src="data:image/png;base64,${'A'.repeat(600_000)}"><p>${left}</p>`,
  })) {
    const judged = judgeMessage(await parseInbound(Buffer.from(raw)), now)
    assert.deepEqual(settleKind(judged), { kind: 'neutral', needsLook: true }, what)
  }
  const whole = judgeMessage(await parseInbound(Buffer.from(`From: ann@people.example\r\n\r\n${hello}\r\n`)), now)
  assert.deepEqual(settleKind(whole), { kind: 'positive', needsLook: false })
})

test('every message is either classified or reported as unreadable', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'From: a@b.example\r\n',
      'Content-Type: multipart/mixed; boundary=b\r\n',
      'Content-Type: message/delivery-status\r\n',
      '--b\r\n',
      '\r\n\r\n',
      'Subject: =?utf-8?B?////?=\r\n',
      'Date: yesterday\r\n',
      '<div class="gmail_quote">',
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece), async pieces => {
      try {
        judgeMessage(await parseInbound(Buffer.from(pieces.join(''))), now)
      } catch (error) {
        assert.ok(error instanceof UnreadableMessage, String(error))
      }
    }),
    { numRuns: examples(200) },
  )
})

test('a plain text beyond the limit is marked as incomplete', async () => {
  const message = (lines: number) => Buffer.from(`From: ann@people.example\r\n\r\n${'Some words of a long letter.\r\n'.repeat(lines)}`)
  assert.equal((await parseInbound(message(10_000))).isEndMissing, true)
  assert.equal((await parseInbound(message(10))).isEndMissing, false)
})

test('a message with an extreme number of lines is read from its beginning', async () => {
  const message = (lines: number) =>
    Buffer.from(`From: a@b.example\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nPlease unsubscribe me.${'\n'.repeat(lines)}`)
  const cut = await parseInbound(message(150_000))
  assert.equal(cut.isCut, true)
  assert.equal(judgeMessage(cut, now).kind, 'opt_out')
  assert.equal((await parseInbound(message(1_000))).isCut, false)
})
