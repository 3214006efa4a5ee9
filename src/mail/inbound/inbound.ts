import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import {
  type Bounce,
  bytesOf,
  type CalendarAnswer,
  type ReplyClass,
  readBounce,
  readCalendar,
  readReply,
  stripQuotes,
  textOf,
} from '#reply-reader'
import { asciiAddress, isEmail } from '../../lib/email.ts'
import { storableData, storableText } from '../../lib/storable-text.ts'
import { htmlToText } from './html.ts'
import { answerBelowQuotes, findQuoted, type QuotedToken, textOfHtml } from './quoted.ts'

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
  /** The address to which the writer wants answers, when that is another address. */
  replyTo: string | null
  to: string[]
  /** The other recipients in its header. */
  cc: string[]
  subject: string
  /** The date in its header; null when it cannot be read. */
  date: Date | null
  /** The person's own text, without quotes and signature. */
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

/** Not the address of a mailing list, because all members of the list would get an answer. */
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

/**
 * Removes the wrapping of OpenPGP. The words of a signed text remain. Of an encrypted text nothing remains, because its letters
 * mean nothing without the key.
 */
export function withoutArmor(text: string): string {
  if (!text.includes('-----BEGIN PGP ')) return text
  const kept: string[] = []
  let state: 'text' | 'header' | 'block' = 'text'
  for (const line of text.split('\n')) {
    const head = line.trim()
    if (head === '-----BEGIN PGP SIGNED MESSAGE-----') state = 'header'
    else if (head.startsWith('-----BEGIN PGP ')) state = 'block'
    else if (head.startsWith('-----END PGP ')) state = 'text'
    else if (state === 'header' && head === '') state = 'text'
    // In a signed text, lines that begin with a dash are escaped with another one.
    else if (state === 'text') kept.push(line.startsWith('- ') ? line.slice(2) : line)
  }
  return kept.join('\n')
}

/**
 * The parser keeps every line of a text as a piece of its own, which takes 12 µs and 2 KB: a megabyte of empty lines would cost more than
 * the whole budget of a message. Encoded attachments have many lines, too, but long ones, and those are decoded as they come.
 */
const MAX_SHORT_LINES = 100_000
const SHORT_BYTES = 60
const NEW_LINE = 10

/** The message, or its beginning where it has more short lines than any person writes. */
function upToMostLines(raw: Uint8Array): Uint8Array {
  let short = 0
  let start = 0
  for (let end = raw.indexOf(NEW_LINE); end >= 0; end = raw.indexOf(NEW_LINE, start)) {
    if (end - start < SHORT_BYTES && ++short > MAX_SHORT_LINES) return raw.subarray(0, start)
    start = end + 1
  }
  return raw
}

/**
 * Flowed text (RFC 3676): a line that ends in a space continues in the next one. The parser joins them without looking at
 * the quote marks, so that an answer below a quoted line becomes a part of it. So the parser must not see that the text is
 * flowed, and we join the lines here as the RFC says: only lines of the same depth.
 */

const FLOWED = /;(\s{0,10})format(\s?)=(\s?)("?)flowed/gi

/** Changes the word by which the parser recognizes flowed text. All positions in the message stay the same. */
export function withoutFlow(raw: Uint8Array): { bytes: Uint8Array; isFlowed: boolean } {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')
  const fixed = text.replace(FLOWED, ';$1format$2=$3$4asitis')
  return fixed === text ? { bytes: raw, isFlowed: false } : { bytes: Buffer.from(fixed, 'latin1'), isFlowed: true }
}

export function unflow(text: string): string {
  const joined: { depth: number; words: string[]; goesOn: boolean }[] = []
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const marks = /^>*/.exec(line)?.[0] ?? ''
    // A space was added before text that would otherwise look like a quote mark.
    const words = line.slice(marks.length).replace(/^ /, '')
    const goesOn = words.endsWith(' ') && words !== '-- ' && words.trim() !== ''
    const last = joined.at(-1)
    if (last?.goesOn && last.depth === marks.length && words !== '-- ') {
      last.words.push(words)
      last.goesOn = goesOn
    } else joined.push({ depth: marks.length, words: [words], goesOn })
  }
  return joined.map(({ depth, words }) => `${'>'.repeat(depth)}${depth > 0 ? ' ' : ''}${words.join('')}`).join('\n')
}

/** An attachment. Name and type come from the sender, made harmless; the content was not checked. */
interface InboundAttachment {
  filename: string
  contentType: string
  sizeBytes: number
  /** Null when it would exceed the limit per message. */
  content: Uint8Array | null
}

/** More than these are not listed: a message with thousands of attachments is an attack. */
const MOST_ATTACHMENTS = 50
/** The maximum number of attachment bytes that are kept per message; the first attachments are kept first. */
const MAX_KEPT_BYTES = 10 * 1024 * 1024

/** `isCut`: the end of the message is missing, so its last attachment is not complete and is dropped. */
export function readAttachments(parts: Attachment[], isCut: boolean): InboundAttachment[] {
  let room = MAX_KEPT_BYTES
  return parts.slice(0, MOST_ATTACHMENTS).map((part, index) => {
    const bytes = bytesOf(part)
    const isKept = bytes.length <= room && !(isCut && index === parts.length - 1)
    if (isKept) room -= bytes.length
    return {
      filename: harmlessName(part.filename ?? '') || `attachment-${index + 1}`,
      contentType: harmlessType(part.mimeType),
      sizeBytes: bytes.length,
      content: isKept ? bytes : null,
    }
  })
}

const MAX_NAME_CHARS = 150
const MAX_EXTENSION_CHARS = 20
/** Control characters, and invisible ones that change what is displayed: "exe.gpj" can be shown as "jpg.exe". */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get through
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]+/g

/** A name for one file, never a path: without folders, hidden or reserved characters, and of a length that every disk takes. */
function harmlessName(name: string): string {
  const [last = ''] = storableText(name, 2000).split(/[\\/]/).slice(-1)
  const plain = last.replace(UNSEEN, ' ').replace(/[<>:"|?*]/g, '_')
  const trimmed = plain
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .trim()
  if (trimmed.length <= MAX_NAME_CHARS) return trimmed
  const dot = trimmed.lastIndexOf('.')
  const extension = dot > 0 && trimmed.length - dot <= MAX_EXTENSION_CHARS ? trimmed.slice(dot) : ''
  return storableText(trimmed.slice(0, MAX_NAME_CHARS - extension.length)).trim() + extension
}

const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/

function harmlessType(type: string | undefined): string {
  const plain = (type ?? '').slice(0, 200).trim().toLowerCase()
  return TYPE.test(plain) ? plain : 'application/octet-stream'
}

export interface ReadingTask {
  raw: Uint8Array
  /** Stands in for a message that carries no readable date. */
  receivedAt: Date
  /** These are not all the bytes of the message. */
  isCut?: boolean
}

export interface ReadMessage {
  message: InboundMessage
  judged: ReplyClass
}

/** A raw message, parsed and judged, with nothing in it that the database would refuse. */
export async function readMessage({ raw, receivedAt, isCut }: ReadingTask): Promise<ReadMessage> {
  const message = storableData(await parseInbound(raw, isCut))
  return { message, judged: judgeMessage(message, receivedAt) }
}

export const judgeMessage = (message: InboundMessage, receivedAt: Date): ReplyClass =>
  storableData(readReply({ ...message, date: message.date ?? receivedAt }))
