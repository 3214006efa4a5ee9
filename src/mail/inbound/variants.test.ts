import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settleKind } from '#reply-reader'
import { judgeMessage, parseInbound } from './inbound.ts'

/** Messages as different programs and servers write them; `inbound.test.ts` has the rules. */

const now = new Date('2026-11-16T10:00:00Z')
const bytes = (text: string): Buffer => Buffer.from(text.replace(/\r?\n/g, '\r\n'))
const ID = '<s1@ours.example>'

async function judge(raw: Buffer) {
  const message = await parseInbound(raw)
  const judged = judgeMessage(message, now)
  return { message, judged, ...settleKind(judged) }
}

const answer = (headers: string, body: string): Buffer =>
  bytes(`From: Bob <bob@lead.example>
To: ada@ours.example
Message-ID: <x@lead.example>
In-Reply-To: ${ID}
MIME-Version: 1.0
${headers}

${body}`)

const report = (fields: string, { type = 'delivery-status', enclosed = `Message-ID: ${ID}\nSubject: Hello\n\nHello` } = {}): Buffer =>
  bytes(`From: Mail Delivery System <MAILER-DAEMON@mx.example>
To: ada@ours.example
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${type}; boundary="B"

--B
Content-Type: text/plain

It was not delivered.
--B
Content-Type: message/${type}

${fields}
--B
${enclosed === '' ? '' : `Content-Type: message/rfc822\n\n${enclosed}\n--B`}--
`)

const failed = 'Final-Recipient: rfc822; bob@lead.example\nAction: failed'

test('a delivery report returns type, recipient and message, whichever server wrote it', async () => {
  const reports: [string, Buffer, string][] = [
    ['in UTF-8', report(`Reporting-MTA: dns; mx\n\n${failed}\nStatus: 5.1.1`, { type: 'global-delivery-status' }), 'hard'],
    ['of Gmail, nothing enclosed', report(`X-Original-Message-ID: ${ID}\n\n${failed}\nStatus: 5.1.1`, { enclosed: '' }), 'hard'],
    ['of Exchange, not found', report(`Reporting-MTA: dns;EX\n\n${failed}\nStatus: 5.1.10`), 'hard'],
    ['of Exchange, denied at the edge', report(`Reporting-MTA: dns;EX\n\n${failed}\nStatus: 5.4.1`), 'hard'],
    ['of Exchange, full', report(`Reporting-MTA: dns;EX\n\n${failed}\nStatus: 5.2.2`), 'soft'],
    ['of Exchange, a loop', report(`Reporting-MTA: dns;EX\n\n${failed}\nStatus: 5.4.14`), 'soft'],
    ['of Postfix, given up', report(`Reporting-MTA: dns; mx\n\n${failed}\nStatus: 4.4.1`), 'soft'],
    ['of Exim', report(`Reporting-MTA: dns; mx\n\n${failed}\nStatus: 5.0.0\nDiagnostic-Code: smtp; 550 No such user here`), 'hard'],
    [
      'of Outlook.com',
      report(
        `Reporting-MTA: dns; mx\n\n${failed}\nStatus: 5.5.0\nDiagnostic-Code: smtp;550 5.5.0 Requested action not taken: mailbox unavailable`,
      ),
      'hard',
    ],
    [
      'with comments, about two recipients',
      report(`Reporting-MTA: dns; mx

Final-Recipient: rfc822; eve@lead.example
Action: relayed (to a server that sends no reports)
Status: 2.0.0

Final-Recipient: rfc822; bob@lead.example (Bob)
Action: (permanently) failed (no mailbox)
Status: 5.1.1 (bad destination mailbox address)`),
      'hard',
    ],
    ['by a rule', report(`Reporting-MTA: dns; mx\n\n${failed}\nStatus: 5.7.1`), 'sender_fault'],
    [
      'of qmail',
      bytes(`From: MAILER-DAEMON@mx.example
To: ada@ours.example
Subject: failure notice

Hi. This is the qmail-send program at mx.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<bob@lead.example>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Message-ID: ${ID}

Hello`),
      'hard',
    ],
  ]
  for (const [what, raw, type] of reports) {
    const { bounce } = (await judge(raw)).judged
    assert.deepEqual([bounce?.type, bounce?.recipient, bounce?.originalMessageId], [type, 'bob@lead.example', ID], what)
  }
  for (const action of ['delayed', 'relayed', 'expanded', 'delayed (retried (for 4 hours))', 'relayed (to non-DSN-aware mailer)']) {
    const raw = report(`Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; bob@lead.example\nAction: ${action}\nStatus: 4.4.1`)
    assert.equal((await judge(raw)).kind, 'auto_reply', action)
  }
})

const calendar = (status: string, { method = 'REPLY', text = '', headers = '' } = {}): Buffer =>
  answer(
    `Subject: Call with Ada\n${headers}Content-Type: multipart/alternative; boundary="B"`,
    `--B
Content-Type: text/plain

${text}
--B
Content-Type: text/calendar; method=${method}; charset=utf-8

BEGIN:VCALENDAR
METHOD:${method}
BEGIN:VEVENT
ORGANIZER:mailto:ada@ours.example
ATTENDEE;PARTSTAT=ACCEPTED;CN=Ada:mailto:ada@ours.example
ATTENDEE;CN=Bob;PART
 STAT=${status}:mailto:bob@lead.example
END:VEVENT
END:VCALENDAR
--B--
`,
  )

test('an accepted or declined calendar invitation is a reply, unless its text says more', async () => {
  const cases: [string, Buffer, string, boolean][] = [
    ['accepted', calendar('ACCEPTED'), 'positive', false],
    [
      'accepted by a calendar that calls itself automatic',
      calendar('ACCEPTED', { headers: 'Auto-Submitted: auto-generated\n' }),
      'positive',
      false,
    ],
    ['declined', calendar('DECLINED'), 'negative', false],
    ['declined with the words of the program', calendar('DECLINED', { text: 'Bob has declined this invitation.' }), 'negative', false],
    ['declined, and no more mail', calendar('DECLINED', { text: 'Please remove me from your list.' }), 'opt_out', false],
    ['tentative', calendar('TENTATIVE'), 'neutral', true],
    ['another time', calendar('TENTATIVE', { method: 'COUNTER' }), 'neutral', true],
    ['not answered yet', calendar('NEEDS-ACTION'), 'neutral', true],
    ['cancelled', calendar('DECLINED', { method: 'CANCEL' }), 'neutral', true],
  ]
  for (const [what, raw, kind, needsLook] of cases) {
    const judged = await judge(raw)
    assert.deepEqual([judged.kind, judged.needsLook], [kind, needsLook], what)
  }
})

test('an encrypted or empty reply needs review, and a signed one is read', async () => {
  const plain = 'Subject: Re: Hello\nContent-Type: text/plain'
  const smime = 'Subject: Re: Hello\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\nContent-Transfer-Encoding: base64'
  const armor = '-----BEGIN PGP MESSAGE-----\nVersion: GnuPG v2\n\nhQEMA0vXyesYesInterestedGreat\n=abcd\n-----END PGP MESSAGE-----\n'
  for (const raw of [answer(plain, armor), answer(smime, 'MIAGCSqGSIb3DQEHA6CAMIACAQAxggFH'), answer(plain, '')]) {
    const judged = await judge(raw)
    assert.deepEqual([judged.kind, judged.needsLook], ['neutral', true])
  }
  const signed =
    '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nNot interested, thanks.\n- - Bob\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n'
  const { kind, message } = await judge(answer(plain, signed))
  assert.deepEqual([kind, message.text], ['negative', 'Not interested, thanks.\n- Bob'])
})

test("a reply through a mailing list is from a person, and the list's own messages are automatic", async () => {
  const list = 'Subject: [team] Re: Hello\nList-Id: <team.lead.example>\nPrecedence: list\nContent-Type: text/plain'
  assert.equal((await judge(answer(list, 'Please take us off your list.'))).kind, 'opt_out')
  const footer = '_______________________________________________\nteam mailing list\nhttps://lists.lead.example/unsubscribe\n'
  assert.equal(
    (await judge(answer(list, `Sounds good, can we talk on Thursday at 3pm? Please send an invite.\n${footer}`))).kind,
    'positive',
  )
  const digest = bytes(`From: team@lead.example\nTo: ada@ours.example\nSubject: team digest\nPrecedence: list\n\nSounds good, let us talk.`)
  assert.equal((await judge(digest)).kind, 'auto_reply')
})

test('a question quoted on its attribution line is not the reply, however long it is', async () => {
  const plain = 'Subject: Re: Hello\nContent-Type: text/plain'
  const question = 'Would you like a demo? Yes, it sounds great and I am interested, please send an invite.'
  for (const attribution of [
    'On Mon, Nov 16, 2026 at 9:00, Ada<ada@ours.example> wrote:',
    'Am Mo., 16. Nov. 2026 um 09:00 Uhr schrieb Ada <ada@ours.example>:',
    'Le lun. 16 nov. 2026 à 09:00, Ada <ada@ours.example> a écrit :',
    'El lun, 16 nov 2026 a las 9:00, Ada <ada@ours.example> escribió:',
  ]) {
    for (const quoted of [question, `${question} `.repeat(20)]) {
      const { message } = await judge(answer(plain, `Not for us\n\nSent from Yahoo Mail on Android\n\n  ${attribution}   ${quoted}`))
      assert.equal(message.text, 'Not for us', attribution)
    }
  }
  const own = 'On your website you wrote: unlimited seats. Is that right?'
  assert.equal((await judge(answer(plain, own))).message.text, own)
})

test('a polite refusal is negative, and not an opt-out unless it asks for one', async () => {
  const plain = 'Subject: Re: Hello\nContent-Type: text/plain'
  for (const text of ['Not interested thank you', 'Hi Ada,\n\nNot interested, thank you.', 'I am not interested thank you'])
    assert.equal((await judge(answer(plain, text))).kind, 'negative', text)
  assert.equal((await judge(answer(plain, 'Not interested, thank you. Do not contact me again.'))).kind, 'opt_out')
})

const daemon = (subject: string, body: string): Buffer =>
  bytes(`From: Mail System <MAILER-DAEMON@mx.example>
To: ada@ours.example
Subject: ${subject}
Message-ID: <d@mx.example>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

${body}`)

test('a bounce in prose is recognized by its code in any language, with the recipient', async () => {
  for (const [subject, body] of [
    ['Mancato recapito del messaggio', 'Il messaggio non è stato recapitato:\n<bob@lead.example>: 550 5.1.1 Utente sconosciuto'],
    ['Não foi possível entregar', 'A mensagem não pôde ser entregue a <bob@lead.example>.\n550 5.1.1 usuário desconhecido'],
    ['Onbestelbaar: Hello', 'Uw bericht kon niet worden bezorgd bij <bob@lead.example>.\n550-5.1.1 onbekende gebruiker'],
    ['Mail delivery failed', 'Folgende Adresse(n) sind betroffen:\n\nbob@lead.example:\nreason: 550 5.1.1 unknown'],
  ] as const) {
    const { kind, judged } = await judge(daemon(subject, `${body}\n\nMessage-ID: ${ID}\n`))
    assert.deepEqual(
      [kind, judged.bounce?.type, judged.bounce?.recipient, judged.bounce?.originalMessageId],
      ['bounce', 'hard', 'bob@lead.example', ID],
    )
  }
})

test('a message from a mail system is never a reply from a person, even if it is not a bounce', async () => {
  const late = "Votre message n'a pas encore pu être remis à <bob@lead.example>. De nouvelles tentatives seront effectuées."
  assert.equal((await judge(daemon('Remise retardée : Hello', late))).kind, 'auto_reply')
})

test('a complaint forwarded by Outlook.com is an opt-out', async () => {
  const { kind } = await judge(
    bytes(`From: staff@hotmail.com
To: ada@ours.example
Subject: complaint about message from 192.0.2.1
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=B

--B
Content-Type: message/rfc822
Content-Disposition: inline

X-HmXmrOriginalRecipient: bob@lead.example
Message-ID: ${ID}
Subject: Hello

Hello
--B--
`),
  )
  assert.equal(kind, 'opt_out')
})

test('an HTML reply below or within quotes is read without the quotes', async () => {
  const quoted = 'Would a call suit you? <a href="https://x.example/u">unsubscribe</a>'
  for (const body of [
    `<blockquote type="cite">On Monday, Ada wrote:<br>${quoted}</blockquote><p>Not interested, thank you.</p>`,
    `<div class="moz-cite-prefix">On 11/16/26 10:00, Ada wrote:<br></div><blockquote type="cite">${quoted}</blockquote>Not interested, thank you.`,
    `<div class="gmail_quote"><div class="gmail_attr">On Mon, Nov 16, 2026 Ada wrote:<br></div><blockquote class="gmail_quote">${quoted}</blockquote><div>Not interested, thank you.</div></div>`,
  ]) {
    const { message, kind } = await judge(answer('Content-Type: text/html; charset=utf-8', body))
    assert.deepEqual([message.text, kind], ['Not interested, thank you.', 'negative'])
  }
  // Gateways add notices below a reply.
  const both = `<p>Not interested, thank you.</p><blockquote type="cite">${quoted}</blockquote><p>Unsubscribe me from all lists of the office.</p>`
  assert.equal((await judge(answer('Content-Type: text/html', both))).kind, 'negative')
  const forwarded = `<div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Ada</div>${quoted}</div>`
  assert.equal((await judge(answer('Content-Type: text/html', forwarded))).message.text, '')
})
