import { readFileSync } from 'node:fs'
import { buildMessage } from '../../src/mail/compose/mime.ts'
import type { ReplyKind } from '../../src/mail/reading/reply-class.ts'

/** The labelled replies as raw messages, so that they go the whole way: parsing, quotes, reports, rules. */

export interface SampleReply {
  id: string
  split: 'tune' | 'held_out'
  /** Samples in other languages than en, de, fr and es must be left to a person. */
  language: string
  kind: ReplyKind
  subject: string
  text: string
  headers?: Record<string, string>
  /** `SAMPLES_WRITTEN_AT` when it is not said. */
  writtenAt?: string
  returnDate?: string
  deferredUntil?: string
  /** The address that the writer names instead of their own. */
  referral?: string
  dsn?: { action: string; status: string; diagnostic: string }
  bouncedRecipient?: string
}

/** The moment all samples were written at: a Tuesday. */
export const SAMPLES_WRITTEN_AT = new Date('2026-02-10T10:00:00Z')

/** The message that most of them answer; the file does not repeat it. */
const USUAL_SUBJECT = 'Re: Quick question'

export function loadSampleReplies(): SampleReply[] {
  const file = readFileSync(new URL('../../src/mail/reading/replies.data.json', import.meta.url), 'utf8')
  return (JSON.parse(file) as { replies: SampleReply[] }).replies.map(reply => ({ ...reply, subject: reply.subject ?? USUAL_SUBJECT }))
}

export const writtenAtOf = (sample: SampleReply): Date => (sample.writtenAt ? new Date(sample.writtenAt) : SAMPLES_WRITTEN_AT)

export function rawSample(sample: SampleReply): Buffer {
  if (sample.dsn) return rawReport(sample.subject, sample.dsn)
  return buildMessage({
    from: { address: sample.bouncedRecipient ? 'MAILER-DAEMON@mail.brightco.example' : 'mark@brightco.example' },
    to: { address: 'lena@northwind.example' },
    subject: sample.subject,
    date: writtenAtOf(sample),
    messageId: `<${sample.id}@brightco.example>`,
    inReplyTo: '<sent@northwind.example>',
    ...(sample.headers ? { headers: sample.headers } : {}),
    text: sample.text,
  })
}

/** A report as in RFC 3464, about a message of ours to nobody@brightco.example. */
export function rawReport(subject: string, dsn: { action: string; status: string; diagnostic: string }): Buffer {
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
