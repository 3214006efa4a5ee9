import { readFileSync } from 'node:fs'
import { type ReplyKind, readBounce, readReply, stripQuotes } from '../src/index.ts'
import type { ReplyMessage } from '../src/read-reply.ts'

/** The labeled replies, and lines of text to be read as replies. */

export interface SampleReply {
  id: string
  split: 'tune' | 'held_out'
  /** Samples in other languages than en, de, fr and es must be left to a person. */
  language: string
  kind: ReplyKind
  subject?: string
  text: string
  headers?: Record<string, string>
  /** `WRITTEN_AT` when it is not said. */
  writtenAt?: string
  returnDate?: string
  deferredUntil?: string
  /** The address that the writer names instead of their own. */
  referral?: string
  dsn?: { action: string; status: string; diagnostic: string }
  bouncedRecipient?: string
}

/** The moment all samples were written at: a Tuesday. */
export const WRITTEN_AT = new Date('2026-02-10T10:00:00Z')

/** The message that most of them answer; the file does not repeat it. */
const USUAL_SUBJECT = 'Re: Quick question'
const DAEMON = 'mailer-daemon@mail.brightco.example'

export function readSamples(): SampleReply[] {
  const file = readFileSync(new URL('./replies.data.json', import.meta.url), 'utf8')
  return (JSON.parse(file) as { replies: SampleReply[] }).replies
}

/** The message of a sample as a mail parser returns it. */
export function messageOf({ subject = USUAL_SUBJECT, text, headers = {}, writtenAt, dsn, bouncedRecipient }: SampleReply): ReplyMessage {
  const date = writtenAt ? new Date(writtenAt) : WRITTEN_AT
  if (dsn) return reportOf(subject, dsn)
  const lowered = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  lowered.set('in-reply-to', '<sent@northwind.example>')
  const address = bouncedRecipient ? DAEMON : 'mark@brightco.example'
  const bounce = readBounce({ fromAddress: address, subject, headers: lowered, text, attachments: [] })
  return { subject, text: stripQuotes(text), from: { address }, date, headers: lowered, bounce }
}

/** A report as in RFC 3464. */
function reportOf(subject: string, dsn: { action: string; status: string; diagnostic: string }): ReplyMessage {
  const headers = new Map([
    ['auto-submitted', 'auto-replied'],
    ['content-type', 'multipart/report; report-type=delivery-status; boundary="b"'],
  ])
  const text = 'Your message could not be delivered to one or more recipients.'
  const status = [
    'Reporting-MTA: dns; mail.brightco.example',
    '',
    'Final-Recipient: rfc822; nobody@brightco.example',
    `Action: ${dsn.action}`,
    `Status: ${dsn.status}`,
    `Diagnostic-Code: smtp; ${dsn.diagnostic}`,
    '',
  ]
  const attachments = [
    { mimeType: 'message/delivery-status', content: status.join('\r\n') },
    { mimeType: 'message/rfc822', content: 'Subject: Quick question\r\nMessage-ID: <sent@northwind.example>\r\n\r\nHi\r\n' },
  ]
  const bounce = readBounce({ fromAddress: DAEMON, subject, headers, text, attachments })
  return { subject, text, from: { address: DAEMON }, date: WRITTEN_AT, headers, report: 'delivery', bounce }
}

/** Whether a text of a list is read in this run: each of them in the complete run, `npm run test:all`, one of so many in every other. */
export const isRead = (row: number, oneOf: number): boolean => process.env.OVERTURE_TESTS === 'all' || row % oneOf === 0

/** The texts of a file of this folder, one a line. */
export const linesOf = (file: string): string[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

/** A reply that consists of these words alone, read on a Tuesday. */
export const judge = (text: string, subject = 'Re: Hi') => readReply({ text, subject, date: WRITTEN_AT })

export const kindOf = (text: string) => judge(text).kind
