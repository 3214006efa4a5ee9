import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { type Bounce, type CalendarAnswer, readBounce, readCalendar, stripQuotes, textOf } from '#reply-reader'
import { asciiAddress, isEmail } from '../../lib/email.ts'
import { storableText } from '../../lib/storable-text.ts'
import { withoutArmor } from './armor.ts'
import { type InboundAttachment, MOST_ATTACHMENTS, readAttachments } from './attachments.ts'
import { unflow, withoutFlow } from './flowed.ts'
import { htmlToText } from './html.ts'
import { upToMostLines } from './lines.ts'
import { findQuoted, type QuotedToken } from './quoted.ts'
import { answerBelowQuotes, textOfHtml } from './quoted-html.ts'

/** Parses a raw message from a mailbox into the fields that the service needs. */

export interface InboundMessage {
  messageId: string | null
  /** The ids that it answers are in one spelling, lower case and in brackets, whatever the mail program made of them. */
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
  /** The same ids as they are written, for the headers of an answer. */
  referenceIds: string[]
  /** Ids of messages in the body or in an attached message. If one is ours, a person quoted our message. */
  quotedIds: string[]
  /** Texts in the place of the token of our own links. The caller, who has the key, must verify them. */
  quotedTokens: QuotedToken[]
  /** A mail program wrote it, because its user pressed the button to unsubscribe. The tokens include its subject. */
  isOptOutMail: boolean
  from: { name: string; address: string } | null
  /** Where the writer wants answers to go, when that is another address. */
  replyTo: string | null
  to: string[]
  /** The other recipients in its header. */
  cc: string[]
  subject: string
  /** The date in its header; null when it cannot be read. */
  date: Date | null
  /** What the person wrote: without quotes and signature. */
  text: string
  /** The whole text, up to the limit of what is classified. */
  fullText: string
  /** The whole message, to be stored and shown. A stranger wrote the HTML: show it only in a sandbox. */
  whole: { text: string; html: string | null }
  attachments: InboundAttachment[]
  /** Something of it is missing: the message, one of its texts or the number of its attachments was too large. */
  isCut: boolean
  /** The end of the message was not read; it may contain more words of the person. */
  isEndMissing: boolean
  /** Header names in lower case; of repeated ones the first. */
  headers: ReadonlyMap<string, string>
  /** Written by a mail system about another message: its delivery outcome, that it was displayed, or a complaint of its reader (RFC 5965). */
  report: 'delivery' | 'disposition' | 'complaint' | null
  /** Present when this is a report of a failed delivery. */
  bounce: Bounce | null
  /** Present when the calendar of the recipient answers an invitation. */
  calendar: CalendarAnswer | null
}

/** The bytes are not a readable message, or the message is built to exhaust the parser. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage'
}

const MAX_TEXT_CHARS = 100_000
/** The limit for HTML that is classified, when there is no other text. */
const MAX_HTML_CHARS = 500_000
/** The limit for each text that is stored. */
const MAX_WHOLE_CHARS = 256 * 1024

/** The headers of all parts together. Only a message with thousands of attachments, or one that is built to exhaust the parser, has more. */
const MAX_HEADER_BYTES = 256 * 1024

/** `isPart`: these are not all the bytes of the message. */
export async function parseInbound(raw: Buffer | Uint8Array, isPart = false): Promise<InboundMessage> {
  const ofMostLines = upToMostLines(raw)
  const { bytes, isFlowed } = withoutFlow(ofMostLines)
  const { email, isBeginning } = await parseAsFarAsPossible(bytes)
  const isRawCut = isPart || isBeginning || ofMostLines.length < raw.length
  const headers = new Map<string, string>()
  for (const header of email.headers) if (!headers.has(header.key)) headers.set(header.key, header.value)
  const { fullText, text } = textsOf(email, isFlowed)
  const whole = {
    text: storableText(isFlowed ? unflow((email.text ?? '').slice(0, MAX_WHOLE_CHARS)) : (email.text ?? ''), MAX_WHOLE_CHARS) || fullText,
    html: email.html ? storableText(email.html, MAX_WHOLE_CHARS) : null,
  }
  const from = firstMailbox(email.from)
  const { ids, tokens, isOptOutMail } = findQuoted(email)
  return {
    messageId: messageIdOf(email.messageId),
    inReplyTo: idsIn(email.inReplyTo)[0] ?? null,
    references: idsIn(email.references),
    referenceIds: writtenIds(email.references ?? email.inReplyTo),
    quotedIds: ids,
    quotedTokens: tokens,
    isOptOutMail,
    from,
    replyTo: replyToOf(email, headers, from?.address),
    to: (email.to ?? []).flatMap(mailboxes).map(mailbox => mailbox.address),
    cc: ccOf(email),
    subject: (email.subject ?? '').slice(0, 1000),
    date: dateOf(email.date),
    text,
    fullText,
    whole,
    attachments: readAttachments(email.attachments, isRawCut),
    isCut: isRawCut || isLonger(email) || email.attachments.length > MOST_ATTACHMENTS,
    isEndMissing: isRawCut || isJudgedInPart(email),
    headers,
    report: reportOf(headers.get('content-type') ?? '', {
      fromAddress: from?.address ?? '',
      subject: email.subject ?? '',
      attachments: email.attachments,
    }),
    bounce: readBounce({
      fromAddress: from?.address ?? '',
      subject: email.subject ?? '',
      headers,
      text: fullText,
      attachments: email.attachments,
    }),
    calendar: readCalendar(email.attachments, from?.address ?? ''),
  }
}

/** An opt-out may come before the parts that are too expensive to parse, so we read the beginning of such a message. */
async function parseAsFarAsPossible(bytes: Uint8Array): Promise<{ email: Email; isBeginning: boolean }> {
  try {
    return { email: await parseMime(bytes), isBeginning: false }
  } catch (error) {
    const beginning = bytes.subarray(0, MAX_HEADER_BYTES)
    if (beginning.length === bytes.length || !END_OF_HEADERS.test(Buffer.from(beginning).toString('latin1'))) throw error
    return { email: await parseMime(beginning), isBeginning: true }
  }
}

const END_OF_HEADERS = /\n\r?\n/

async function parseMime(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, {
      // A bounce contains our own message, which must not be read as the answer.
      forceRfc822Attachments: true,
      maxNestingDepth: 30,
      maxHeadersSize: MAX_HEADER_BYTES,
    })
  } catch (error) {
    throw new UnreadableMessage((error as Error).message)
  }
}

/**
 * The ids of our own messages that this one may answer, the most reliable first. When none is known, only the
 * sender's address is left to match by.
 */
export function answeredIds(message: InboundMessage): string[] {
  const { bounce, inReplyTo, references } = message
  const ids = [bounce?.originalMessageId?.toLowerCase(), inReplyTo, ...references.toReversed()]
  return [...new Set(ids.filter(id => typeof id === 'string'))]
}

interface ReportSource {
  fromAddress: string
  subject: string
  attachments: Attachment[]
}

const OUTLOOK_COMPLAINT = /^staff@hotmail\.com complaint about message from\b/i

function reportOf(contentType: string, { fromAddress, subject, attachments }: ReportSource): InboundMessage['report'] {
  const type = contentType.slice(0, 1000).toLowerCase()
  const has = (mimeType: string): boolean => attachments.some(part => part.mimeType === mimeType)
  if (type.includes('disposition-notification') || has('message/disposition-notification')) return 'disposition'
  if (attachments.some(part => part.mimeType === 'message/feedback-report' && isComplaint(part))) return 'complaint'
  // Outlook.com forwards complaints without that part.
  if (has('message/rfc822') && OUTLOOK_COMPLAINT.test(`${fromAddress} ${subject.slice(0, 200)}`)) return 'complaint'
  return has('message/delivery-status') ||
    has('message/global-delivery-status') ||
    (type.includes('multipart/report') && type.includes('delivery-status'))
    ? 'delivery'
    : null
}

/** Other feedback than a complaint is for the operator of the server: a failed signature, or a message that was not spam. */
function isComplaint(part: Attachment): boolean {
  const text = textOf(part, MAX_REPORT_BYTES, 'latin1').replace(/\r/g, '')
  return /^feedback-type:[ \t]*(?:abuse|fraud|opt-out|opt-out-list|other)[ \t]*$/im.test(text)
}

const MAX_REPORT_BYTES = 10_000

function textsOf(email: Email, isFlowed: boolean): { fullText: string; text: string } {
  const written = (email.text ?? '').slice(0, MAX_TEXT_CHARS)
  const plain = isFlowed ? unflow(written) : written
  if (plain.trim() !== '') return { fullText: plain, text: stripQuotes(withoutArmor(plain.replace(/\r\n?/g, '\n'))) }
  const html = (email.html ?? '').slice(0, MAX_HTML_CHARS)
  if (html === '') return { fullText: '', text: '' }
  const { fullText, ownHtml } = textOfHtml(html)
  const above = stripQuotes(htmlToText(ownHtml).slice(0, MAX_TEXT_CHARS))
  return { fullText: fullText.slice(0, MAX_TEXT_CHARS), text: above || answerBelowQuotes(html).slice(0, MAX_TEXT_CHARS) }
}

/** The text that is judged is longer than what is read of it. */
function isJudgedInPart({ text = '', html = '' }: Email): boolean {
  return text.trim() === '' ? html.length > MAX_HTML_CHARS : text.length > MAX_TEXT_CHARS
}

const isLonger = ({ text, html }: Email): boolean => (text?.length ?? 0) > MAX_WHOLE_CHARS || (html?.length ?? 0) > MAX_WHOLE_CHARS

function mailboxes(address: Address): { name: string; address: string }[] {
  return address.group ? address.group.flatMap(mailboxes) : [{ name: address.name, address: asciiAddress(address.address).toLowerCase() }]
}

function firstMailbox(address: Address | undefined): { name: string; address: string } | null {
  return address ? (mailboxes(address)[0] ?? null) : null
}

/** Not the address of a mailing list, because everybody on the list would get an answer. */
function replyToOf({ replyTo = [] }: Email, headers: ReadonlyMap<string, string>, from: string | undefined): string | null {
  if (headers.has('list-id') || headers.has('list-post')) return null
  const address = replyTo.flatMap(mailboxes)[0]?.address ?? ''
  return isEmail(address) && address.toLowerCase() !== from?.toLowerCase() ? address : null
}

/** The limit for a long list. */
const MOST_CC = 50

const ccOf = ({ cc = [] }: Email): string[] =>
  [...new Set(cc.flatMap(mailboxes).map(mailbox => mailbox.address))].filter(isEmail).slice(0, MOST_CC)

const MAX_IDS = 100

const messageIdOf = (header: string | undefined): string | null => /<[^<>\s]{1,500}>/.exec(header ?? '')?.[0] ?? null

/** Some mail programs leave the brackets out, and some change the case. Of very many, the latest are kept. */
function idsIn(header: string | undefined): string[] {
  const words = header?.match(/[^\s<>,;"()]{3,500}/g) ?? []
  return words
    .filter(word => word.includes('@'))
    .slice(-MAX_IDS)
    .map(word => `<${word.toLowerCase()}>`)
}

/** Only ids that can be written into a header unchanged. */
const writtenIds = (header: string | undefined): string[] =>
  [...new Set(header?.match(/<[\x21-\x3b\x3d\x3f-\x7e]{1,500}>/g) ?? [])].slice(-MAX_IDS)

function dateOf(date: string | undefined): Date | null {
  const value = date ? new Date(date.slice(0, 100)) : null
  return value && !Number.isNaN(value.getTime()) ? value : null
}
