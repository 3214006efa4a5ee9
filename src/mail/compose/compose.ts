import { LANGUAGES, type Language, languageOfTag } from '../../lib/accept.ts'
import { appendToBody, decodeEntities, escapeHtml, hrefOf, htmlToText, TagScanner, textToHtml } from '../inbound/html.ts'
import languages from './languages.data.json' with { type: 'json' }
import { checkAddress, type Mailbox, type MessageParts, type OptOutMail, oneLine, replySubject, writeMessage } from './mime.ts'

/** Builds the message from a rendered step: adds the thread, the footer, one-click unsubscribe and tracking. */

/** The mailbox adds this below every message. */
export interface Signature {
  text: string | null
  html: string | null
}

/** The sentence before the link, and the one that asks for a reply, in each language. */
type OptOutLines = { [language in Language]?: { link?: string; reply?: string } }

export interface ComposeInput extends Pick<MessageParts, 'from' | 'to' | 'replyTo' | 'date' | 'messageId' | 'listId'> {
  /** The rendered subject; null or empty continues the thread. */
  subject: string | null
  /** The thread so far, oldest first; absent for the first message to a lead. */
  thread?: { subject: string; messageIds: string[] } | null
  /** The rendered body. HTML must have been rendered with escaping. */
  body: string
  format: 'text' | 'html'
  /** The language of the texts that we add. If it is not known, the language of the body is used. */
  language?: string | null
  /** The body as it was written: the values of its variables do not decide its language. */
  template?: string | null
  /** Appended to the body, above the footer. */
  signature?: Signature | null
  postalAddress?: string | null
  tracking?: {
    pixelUrl?: string | null
    /** Returns the address that replaces a link; called once per link, in order. */
    link?: ((url: string, index: number) => string) | null
  } | null
  unsubscribe?: {
    url: string
    mailto?: OptOutMail | null
    /** `header`: the headers and a link; `link`: only the link; `reply-line`: neither, the recipient is asked to reply. */
    way?: UnsubscribeWay
    /** The sentence before the link, or the one that asks for a reply. */
    line?: string | null
    /** By language; used when there is no `line`. */
    lines?: OptOutLines
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

export type UnsubscribeWay = 'header' | 'link' | 'reply-line'

export function composeMessage(asked: ComposeInput): ComposedMessage {
  const input = withSignature(asked)
  const own = oneLine(input.subject ?? '')
  const continued = own === '' && input.thread ? input.thread : null
  const subject = continued ? replySubject(continued.subject) : own
  const tracked = Boolean(input.tracking?.pixelUrl || input.tracking?.link)
  const plain = input.format === 'html' ? htmlToText(input.body, { keepsAddresses: true }) : input.body.replace(/\r\n?/g, '\n').trimEnd()
  const language = languageOf(input.language, input.template?.slice(0, 4 * MOST_CHARS).replace(NOT_WRITTEN, ' ') ?? '', plain)
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
  // Mail programs recognize a signature by a line that is only "-- ", and hide it in replies.
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

interface AnswerInput extends Pick<MessageParts, 'from' | 'to' | 'subject' | 'date' | 'messageId' | 'text'> {
  replyTo: Mailbox | null
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
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

interface Phrases {
  /** Before the link. */
  unsubscribeLine: string
  unsubscribe: string
  replyLine: string
  /** The text of a link whose address must not be shown. */
  link: string
}

const PHRASES: Record<Language, Phrases> = languages.phrases

/** Words that are frequent in one language and do not exist in the others. */
const WORDS: Record<Language, string> = languages.words
const LANGUAGE_OF = new Map(LANGUAGES.flatMap(language => WORDS[language].split(' ').map(word => [word, language] as const)))

/** The content of these is not text in any language. */
const MAIL_ADDRESSES = /(?<!\S)\S+@\S+/g
const WEB_ADDRESSES = /\b(?:https?:\/\/|www\.)\S+/gi

const MOST_CHARS = 1000

/** Variables with their fallbacks, tags of the template, and HTML. */
const NOT_WRITTEN = /\{\{[^{}]*\}\}|\{%[^{}]*%\}|<[^<>]*>/g

/** The language in the data of the lead (`de`, `de-AT`), otherwise that of the first text that has one, otherwise English. */
export function languageOf(asked: unknown, ...texts: string[]): Language {
  return languageOfTag(asked) ?? texts.map(languageOfText).find(language => language !== null) ?? 'en'
}

function languageOfText(text: string): Language | null {
  const start = text.slice(0, MOST_CHARS)
  // Few texts have one, and to look for one takes as long as all the rest.
  const withoutMail = start.includes('@') ? start.replace(MAIL_ADDRESSES, ' ') : start
  const words =
    withoutMail
      .replace(WEB_ADDRESSES, ' ')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const counts = { en: 0, de: 0, fr: 0, es: 0 }
  for (const word of words) {
    const language = LANGUAGE_OF.get(word)
    if (language) counts[language]++
  }
  let best: Language = 'en'
  for (const language of LANGUAGES) if (counts[language] > counts[best]) best = language
  return counts[best] > 0 ? best : null
}

/** The links of a message that we write: which ones are tracked, and what the reader sees of them. */

const MAX_URL_CHARS = 4000

/**
 * The address as it may be written in a header: percent-encoded, with its host in punycode. Null when it is not a web address, or
 * not one that a browser could open.
 */
export function webAddress(text: string): string | null {
  const url = URL.parse(text.trim())
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') return null
  return url.href.length <= MAX_URL_CHARS ? url.href : null
}

/** Whether a reader, or a filter, would take it for an address: "https://x.example/y", "www.x.example", "x.example". */
const looksLikeAddress = (text: string): boolean => /:\/\/|www\.|[\p{L}\p{N}-]\.\p{L}{2}/iu.test(text)

interface WebLink {
  /** The address in its valid form. */
  url: string
  /** The position of the address in the HTML, quotes included. */
  href: { start: number; end: number }
  /** The start and the end of the content of the link. */
  from: number
  to: number
  shown: string
}

/** The links to the web, in order. A link without an end continues to the next link, or to the end of the message. */
function* webLinksOf(html: string): Generator<WebLink> {
  const scanner = new TagScanner(html)
  let open: Pick<WebLink, 'url' | 'href' | 'from'> | null = null
  for (let tag = scanner.next(); ; tag = scanner.next()) {
    if (tag && tag.name !== 'a') continue
    const to = tag?.start ?? html.length
    if (open) yield { ...open, to, shown: htmlToText(html.slice(open.from, to)) }
    if (!tag) return
    const href = tag.isClosing ? null : hrefOf(html, tag)
    const url = href && webAddress(decodeEntities(href.value))
    open = href && url ? { url, href, from: tag.end } : null
  }
}

/**
 * Replaces the target of links to the web; `link` is given the address in its valid form. A link that shows
 * one address and leads to another looks like fraud: it shows `label` instead, or stays unchanged when there is no label.
 */
export function rewriteLinks(html: string, link: (url: string, index: number) => string, label: string | null = null): string {
  const pieces: string[] = []
  let at = 0
  let index = 0
  for (const { url, href, from, to, shown } of webLinksOf(html)) {
    const showsAddress = looksLikeAddress(shown)
    if (showsAddress && label === null) continue
    pieces.push(html.slice(at, href.start), `"${escapeHtml(link(url, index++))}"`, html.slice(href.end, from))
    if (showsAddress) pieces.push(escapeHtml(label!))
    at = showsAddress ? to : from
  }
  return pieces.join('') + html.slice(at)
}

export const findDifferingLinks = (html: string): string[] =>
  [...webLinksOf(html)].flatMap(({ url, shown }) => (looksLikeAddress(shown) && hostShown(shown) !== new URL(url).hostname ? [shown] : []))

function hostShown(text: string): string | null {
  const address = text.trim().split(/\s/, 1)[0]!
  return URL.parse(address.includes('://') ? address : `http://${address}`)?.hostname ?? null
}
