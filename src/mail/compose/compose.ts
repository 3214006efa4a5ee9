import type { Language } from '../../lib/languages.ts'
import { appendToBody, escapeHtml, htmlToText, textToHtml } from '../inbound/html.ts'
import { rewriteLinks } from './links.ts'
import { checkAddress, type Mailbox, type OptOutMail, oneLine, replySubject, writeMessage } from './mime.ts'
import { languageOf, PHRASES } from './phrases.ts'

/** Builds the message from a rendered step: adds the thread, the footer, one-click unsubscribe and tracking. */

/** The mailbox adds this below every message. */
export interface Signature {
  text: string | null
  html: string | null
}

/** The sentence before the link, and the one that asks for an answer, in each language. */
type OptOutLines = { [language in Language]?: { link?: string; reply?: string } }

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
    mailto?: OptOutMail | null
    /** `header`: the headers and a link; `link`: only the link; `reply-line`: neither, the recipient is asked to reply. */
    way?: UnsubscribeWay
    /** The sentence before the link, or the one that asks for an answer. */
    line?: string | null
    /** By language; used when there is no `line`. */
    lines?: OptOutLines
  } | null
  /** Names the mailing for filters and mail programs, without angle brackets; left out where there are no list headers. */
  listId?: string | null
  /** The language of the texts that we add. When it is not known, the language of the body is used. */
  language?: string | null
  /** Appended to the body, above the footer. */
  signature?: Signature | null
  postalAddress?: string | null
  tracking?: {
    /** The address of the open pixel. */
    pixelUrl?: string | null
    /** Returns the address that replaces a link; called once per link, in order. */
    link?: ((url: string, index: number) => string) | null
  } | null
}

export interface ComposedMessage {
  /** Each character is a byte. */
  raw: string
  envelope: { from: string; to: string }
  messageId: string
  subject: string
  /** The subject that later steps of the thread use, without `Re:`. */
  threadSubject: string
  startsThread: boolean
  text: string
  /** Without the blanks that make room for the open pixel. */
  html: string | null
  /** The sentence that explains how to unsubscribe, and where it comes from. */
  optOut?: { line: string; language: Language; source: OptOutSource } | null
}

type OptOutSource = 'campaign' | 'workspace' | 'built_in'

const UNSUBSCRIBE_WAYS = ['header', 'link', 'reply-line'] as const
export type UnsubscribeWay = (typeof UNSUBSCRIBE_WAYS)[number]

export function composeMessage(asked: ComposeInput): ComposedMessage {
  const input = withSignature(asked)
  const own = oneLine(input.subject ?? '')
  const continued = own === '' && input.thread ? input.thread : null
  const subject = continued ? replySubject(continued.subject) : own
  const tracked = Boolean(input.tracking?.pixelUrl || input.tracking?.link)
  const plain = input.format === 'html' ? htmlToText(input.body, { keepsAddresses: true }) : input.body.replace(/\r\n?/g, '\n').trimEnd()
  const language = languageOf(input.language, plain)
  const footer = footerOf(input, language)
  // A person would send plain text, so plain text becomes HTML only when tracking needs it.
  const page = input.format === 'html' || tracked ? htmlPart(input, footer, language) : null
  const pixel = input.tracking?.pixelUrl ?? null
  const text = textPart(plain, footer)
  const { unsubscribe } = input
  const isList = unsubscribe && (unsubscribe.way ?? 'header') === 'header'
  const raw = writeMessage({
    from: input.from,
    to: input.to,
    replyTo: input.replyTo ?? null,
    subject,
    date: input.date,
    messageId: input.messageId,
    inReplyTo: continued?.messageIds.at(-1) ?? null,
    references: continued?.messageIds ?? [],
    listUnsubscribe: isList ? { url: unsubscribe.url, mailto: unsubscribe.mailto ?? null } : null,
    listId: isList ? (input.listId ?? null) : null,
    text,
    html: page === null ? null : withPixel(page, pixel, blanksFor(page)),
  })
  return {
    raw,
    envelope: { from: checkAddress(input.from.address, 'From'), to: checkAddress(input.to.address, 'To') },
    messageId: input.messageId,
    subject,
    threadSubject: continued ? continued.subject : own,
    startsThread: continued === null,
    text,
    html: page === null ? null : withPixel(page, pixel),
    optOut: footer.source && { line: footer.line, language, source: footer.source },
  }
}

/** When the body has only one form, makes the other one from it. */
function withSignature(input: ComposeInput): ComposeInput {
  const { text, html } = input.signature ?? { text: null, html: null }
  if (!text && !html) return input
  if (input.format === 'html') return { ...input, body: appendToBody(input.body, html ?? textToHtml(text!.trim())) }
  return { ...input, body: `${input.body.trimEnd()}\n\n${(text ?? htmlToText(html!)).trim()}` }
}

interface Footer {
  line: string
  /** Null when the line asks for a reply. */
  url: string | null
  postal: string
  source: OptOutSource | null
}

function footerOf({ unsubscribe, postalAddress }: ComposeInput, language: Language): Footer {
  const postal = (postalAddress ?? '').trim()
  if (!unsubscribe) return { line: '', url: null, postal, source: null }
  const asksForAnswer = unsubscribe.way === 'reply-line'
  const phrases = PHRASES[language]
  const own = unsubscribe.line?.trim()
  const ofWorkspace = unsubscribe.lines?.[language]?.[asksForAnswer ? 'reply' : 'link']?.trim()
  const line = own || ofWorkspace || (asksForAnswer ? phrases.replyLine : phrases.unsubscribeLine)
  return { line, url: asksForAnswer ? null : unsubscribe.url, postal, source: own ? 'campaign' : ofWorkspace ? 'workspace' : 'built_in' }
}

function textPart(body: string, { line, url, postal }: Footer): string {
  const footer = [url ? `${line}\n${url}` : line, postal].filter(part => part !== '').join('\n\n')
  // Mail programs recognize a signature by a line that is only "-- ", and hide it in answers.
  return footer === '' ? `${body}\n` : `${body}\n\n-- \n${footer}\n`
}

function htmlPart(input: ComposeInput, { line, url, postal }: Footer, language: Language): string {
  let html = input.format === 'html' ? input.body : textToHtml(input.body)
  // The links are replaced before the footer is added: unsubscribing must work when tracking does not.
  // In plain text, a link shows its address, so we may change it; in HTML, the author chose what a link shows.
  const { link, unsubscribe } = PHRASES[language]
  if (input.tracking?.link) html = rewriteLinks(html, input.tracking.link, input.format === 'text' ? link : null)
  const parts: string[] = []
  if (url) parts.push(`${escapeHtml(line)} <a href="${escapeHtml(url)}">${escapeHtml(unsubscribe)}</a>`)
  else if (line !== '') parts.push(escapeHtml(line))
  if (postal !== '') parts.push(escapeHtml(postal).replace(/\r?\n/g, '<br>'))
  if (parts.length > 0) {
    html = appendToBody(html, `<p style="color:#777;font-size:12px">${parts.join('<br><br>')}</p>`)
  }
  return html
}

/** SpamAssassin treats shorter HTML that contains any image as a message that consists of an image. */
const IMAGE_MAIL_CHARS = 3200

/** Invisible blanks make a short message long enough, so that the pixel does not count as an image instead of words. */
const blanksFor = (html: string): string => ' '.repeat(Math.max(0, IMAGE_MAIL_CHARS - html.length))

const withPixel = (html: string, url: string | null, blanks = ''): string =>
  url ? appendToBody(html, `${blanks}<img src="${escapeHtml(url)}" width="1" height="1" alt="">`) : html

interface AnswerInput {
  from: Mailbox
  to: Mailbox
  replyTo: Mailbox | null
  date: Date
  messageId: string
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
  subject: string
  text: string
  html: string | null
}

/** A person writes this message, so it has no tracking, no footer and no unsubscribe link. */
export function composeAnswer(input: AnswerInput): ComposedMessage {
  const { from, to, messageId, subject, text, html } = input
  return {
    raw: writeMessage(input),
    envelope: { from: checkAddress(from.address, 'From'), to: checkAddress(to.address, 'To') },
    messageId,
    subject,
    threadSubject: subject,
    startsThread: false,
    text,
    html,
  }
}
