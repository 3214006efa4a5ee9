import { appendToBody, escapeHtml, htmlToText, rewriteLinks, textToHtml } from '../inbound/html.ts'
import { buildMessage, checkAddress, type Mailbox, oneLine, replySubject } from './mime.ts'

/** Puts a rendered step together into the message that is sent: thread, footer, one-click unsubscribe, tracking. */

export interface ComposeInput {
  from: Mailbox
  to: Mailbox
  replyTo?: Mailbox | null
  date: Date
  messageId: string
  /** The rendered subject; null or empty continues the thread. */
  subject: string | null
  /** The thread so far, oldest first; absent for the first message to a lead. */
  thread?: { subject: string; messageIds: string[] } | null
  /** The rendered body. HTML must have been rendered with escaping. */
  body: string
  format: 'text' | 'html'
  unsubscribe?: {
    url: string
    mailto?: string
    /** The sentence before the link. */
    line?: string
  } | null
  postalAddress?: string | null
  tracking?: {
    /** The address of the open pixel. */
    pixelUrl?: string | null
    /** Gives the address a link is replaced with; called once per link, in order. */
    link?: ((url: string, index: number) => string) | null
  } | null
}

export interface ComposedMessage {
  raw: Buffer
  envelope: { from: string; to: string }
  messageId: string
  subject: string
  /** The subject by which later steps continue: without `Re:` in front of it. */
  threadSubject: string
  startsThread: boolean
  text: string
  html: string | null
}

const DEFAULT_LINE = 'If you would rather not hear from me again, you can unsubscribe here:'

export function composeMessage(input: ComposeInput): ComposedMessage {
  const own = oneLine(input.subject ?? '')
  const continued = own === '' && input.thread ? input.thread : null
  const subject = continued ? replySubject(continued.subject) : own
  const tracked = Boolean(input.tracking?.pixelUrl || input.tracking?.link)
  // Plain text stays plain text, which is what a person would send, unless something has to be measured in it.
  const html = input.format === 'html' || tracked ? htmlPart(input) : null
  const text = textPartOf(input)
  const raw = buildMessage({
    from: input.from,
    to: input.to,
    replyTo: input.replyTo ?? null,
    subject,
    date: input.date,
    messageId: input.messageId,
    inReplyTo: continued?.messageIds.at(-1) ?? null,
    references: continued?.messageIds ?? [],
    listUnsubscribe: input.unsubscribe
      ? { url: input.unsubscribe.url, ...(input.unsubscribe.mailto ? { mailto: input.unsubscribe.mailto } : {}) }
      : null,
    text,
    html,
  })
  return {
    raw,
    envelope: { from: checkAddress(input.from.address, 'From'), to: checkAddress(input.to.address, 'To') },
    messageId: input.messageId,
    subject,
    threadSubject: continued ? continued.subject : own,
    startsThread: continued === null,
    text,
    html,
  }
}

function footerLines(input: ComposeInput): { line: string; url: string | null; postal: string } {
  return {
    line: input.unsubscribe ? (input.unsubscribe.line ?? DEFAULT_LINE) : '',
    url: input.unsubscribe?.url ?? null,
    postal: (input.postalAddress ?? '').trim(),
  }
}

function textPartOf(input: ComposeInput): string {
  const body = input.format === 'html' ? htmlToText(input.body) : input.body.replace(/\r\n?/g, '\n').trimEnd()
  const { line, url, postal } = footerLines(input)
  const footer = [url ? `${line}\n${url}` : '', postal].filter(part => part !== '').join('\n\n')
  // "-- " alone on a line is how mail programs know a signature, and fold it away in answers.
  return footer === '' ? `${body}\n` : `${body}\n\n-- \n${footer}\n`
}

function htmlPart(input: ComposeInput): string {
  let html = input.format === 'html' ? input.body : textToHtml(input.body)
  // The links are replaced before the footer is added: unsubscribing must work when tracking does not.
  if (input.tracking?.link) html = rewriteLinks(html, input.tracking.link)
  const { line, url, postal } = footerLines(input)
  const parts: string[] = []
  if (url) parts.push(`${escapeHtml(line)} <a href="${escapeHtml(url)}">unsubscribe</a>`)
  if (postal !== '') parts.push(escapeHtml(postal).replace(/\r?\n/g, '<br>'))
  if (parts.length > 0) {
    html = appendToBody(html, `<p style="color:#777;font-size:12px">${parts.join('<br><br>')}</p>`)
  }
  const pixel = input.tracking?.pixelUrl
  if (pixel) html = appendToBody(html, `<img src="${escapeHtml(pixel)}" width="1" height="1" alt="">`)
  return html
}
