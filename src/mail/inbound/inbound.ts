import PostalMime, { type Address, type Email } from 'postal-mime'
import { type Bounce, readBounce } from './bounce.ts'
import { htmlToText } from './html.ts'
import { stripQuotes, textOfHtml } from './quotes.ts'

/** A raw message as it came from the mailbox, read into what the rest of the service needs of it. */

export interface InboundMessage {
  messageId: string | null
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
  from: { name: string; address: string } | null
  to: string[]
  subject: string
  /** When the writer says it was sent; null when that cannot be read. */
  date: Date | null
  /** What the person wrote: without quotes and signature. */
  text: string
  /** Everything, as it came. */
  fullText: string
  /** Header names in lower case; of repeated ones the first. */
  headers: ReadonlyMap<string, string>
  /** Present when this is a report of a failed delivery. */
  bounce: Bounce | null
}

/** The bytes are not a message that can be read, or one built to exhaust the reader. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage'
}

const MAX_TEXT_CHARS = 100_000

export async function parseInbound(raw: Buffer | Uint8Array): Promise<InboundMessage> {
  let email: Email
  try {
    email = await PostalMime.parse(raw, {
      // A bounce carries our own message inside: it must not be read as the answer.
      forceRfc822Attachments: true,
      maxNestingDepth: 30,
      maxHeadersSize: 256 * 1024,
    })
  } catch (error) {
    throw new UnreadableMessage((error as Error).message)
  }
  const headers = new Map<string, string>()
  for (const header of email.headers) if (!headers.has(header.key)) headers.set(header.key, header.value)
  const { fullText, text } = textsOf(email)
  const from = firstMailbox(email.from)
  return {
    messageId: idsIn(email.messageId)[0] ?? null,
    inReplyTo: idsIn(email.inReplyTo)[0] ?? null,
    references: idsIn(email.references),
    from,
    to: (email.to ?? []).flatMap(mailboxes).map(mailbox => mailbox.address),
    subject: (email.subject ?? '').slice(0, 1000),
    date: dateOf(email.date),
    text,
    fullText,
    headers,
    bounce: readBounce({
      fromAddress: from?.address ?? '',
      subject: email.subject ?? '',
      headers,
      text: fullText,
      attachments: email.attachments,
    }),
  }
}

/**
 * The ids of our own messages that this one may answer, the surest first. When none is known, the sender's address is
 * what is left to match by.
 */
export function answeredIds(message: InboundMessage): string[] {
  const ids = [message.bounce?.originalMessageId, message.inReplyTo, ...message.references.toReversed()]
  return [...new Set(ids.filter(id => typeof id === 'string'))]
}

function textsOf(email: Email): { fullText: string; text: string } {
  const plain = (email.text ?? '').slice(0, MAX_TEXT_CHARS)
  if (plain.trim() !== '') return { fullText: plain, text: stripQuotes(plain) }
  const html = (email.html ?? '').slice(0, MAX_TEXT_CHARS * 5)
  if (html === '') return { fullText: '', text: '' }
  const { fullText, ownHtml } = textOfHtml(html)
  return {
    fullText: fullText.slice(0, MAX_TEXT_CHARS),
    text: stripQuotes(htmlToText(ownHtml).slice(0, MAX_TEXT_CHARS)),
  }
}

function mailboxes(address: Address): { name: string; address: string }[] {
  return address.group ? address.group.flatMap(mailboxes) : [{ name: address.name, address: address.address.toLowerCase() }]
}

function firstMailbox(address: Address | undefined): { name: string; address: string } | null {
  return address ? (mailboxes(address)[0] ?? null) : null
}

function idsIn(header: string | undefined): string[] {
  return (header?.match(/<[^<>\s]{1,500}>/g) ?? []).slice(0, 100)
}

function dateOf(date: string | undefined): Date | null {
  const value = date ? new Date(date) : null
  return value && !Number.isNaN(value.getTime()) ? value : null
}
