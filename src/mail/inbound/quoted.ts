import type { Email } from 'postal-mime'
import { stripQuotes, textOf } from '#reply-reader'
import { htmlToText, TagScanner } from './html.ts'

/**
 * Finds quoted messages of ours when the headers do not name them: a person forwards one, replies from another address, or
 * a mail program drops the headers. Everything that looks like ours is collected; the caller must verify it.
 */

export interface QuotedToken {
  purpose: 'open' | 'click' | 'unsubscribe'
  token: string
}

const PURPOSES = { u: 'unsubscribe', 't/c': 'click', 't/o': 'open' } as const
const MAX_QUOTED = 20
const MAX_CHARS = 300_000

/** The ids that `messageIdFor` makes: forty hexadecimal digits and a domain. */
const OWN_ID = /(?<![0-9a-z])[0-9a-f]{40}@[a-z0-9.-]{1,253}/gi
/** Servers that check links escape the slashes. */
const OWN_LINK = /(?:\/|%2f)(u|t(?:\/|%2f)[co])(?:\/|%2f)([\w-]{46})(?![\w-])/gi

/** The subject that a mail program uses to unsubscribe by mail: this and the token of the link. */
export const OPT_OUT_SUBJECT = 'unsubscribe'
/** Servers put tags around it, and people forward it. The signature of the token shows whether it is ours. */
const OPT_OUT = new RegExp(`(?<![\\w-])${OPT_OUT_SUBJECT}\\s{1,9}([\\w-]{46})(?![\\w-])`, 'i')
const MAX_SUBJECT_CHARS = 1000

/** For a mail that unsubscribes, the token of its subject comes first. */
export function findQuoted(email: Email): { ids: string[]; tokens: QuotedToken[]; isOptOutMail: boolean } {
  const ids = new Set<string>()
  const tokens = new Map<string, QuotedToken>()
  const asked = OPT_OUT.exec((email.subject ?? '').slice(0, MAX_SUBJECT_CHARS))?.[1]
  if (asked) tokens.set(asked, { purpose: 'unsubscribe', token: asked })
  const attached = email.attachments.filter(part => /^(message|text)\//.test(part.mimeType)).map(part => textOf(part, MAX_CHARS, 'latin1'))
  for (const part of [email.text ?? '', email.html ?? '', ...attached]) {
    const text = part.slice(0, MAX_CHARS)
    for (const [id] of text.matchAll(OWN_ID)) {
      if (ids.size === MAX_QUOTED) break
      ids.add(`<${id.toLowerCase()}>`)
    }
    for (const [, path, token] of text.matchAll(OWN_LINK)) {
      if (tokens.size === MAX_QUOTED) break
      const purpose = PURPOSES[(path as string).toLowerCase().replace('%2f', '/') as keyof typeof PURPOSES]
      tokens.set(token as string, { purpose, token: token as string })
    }
  }
  return { ids: [...ids], tokens: [...tokens.values()], isOptOutMail: asked !== undefined }
}

/** The text that a person wrote in a message of HTML, without what mail programs mark as quoted. */

const QUOTE_MARK = /gmail_quote|gmail_extra|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|appendonsend|type=["']?cite/i
const MAX_MARK_CHARS = 300

/** The text of a message that has only HTML, without what mail programs mark as quoted. */
export function textOfHtml(html: string): { fullText: string; ownHtml: string } {
  const scanner = new TagScanner(html)
  const own: string[] = []
  let end = html.length
  let at = 0
  let depth = 0
  let quoteStart = 0
  for (let tag = scanner.next(); tag; tag = scanner.next()) {
    if (tag.name !== 'div' && tag.name !== 'blockquote') continue
    if (!tag.isClosing && QUOTE_MARK.test(html.slice(tag.start, Math.min(tag.end, tag.start + MAX_MARK_CHARS)))) {
      end = tag.start
      break
    }
    if (tag.name === 'div') continue
    if (!tag.isClosing) {
      if (depth === 0) quoteStart = tag.start
      depth += 1
    } else if (depth > 0) {
      depth -= 1
      if (depth > 0) continue
      own.push(html.slice(at, quoteStart))
      at = tag.end
    }
  }
  own.push(html.slice(at, Math.max(at, end)))
  return { fullText: htmlToText(html), ownHtml: own.join('') }
}

/** Here a mail program begins a quotation whose end is not marked. */
const OPEN_QUOTE_MARK = /yahoo_quoted|divRplyFwdMsg|appendonsend/i

/**
 * The same for a person who replies below or within the quotes: each quotation becomes one quoted line.
 * Only for messages without text above the quotation, because gateways add notices below it.
 */
export function answerBelowQuotes(html: string): string {
  const scanner = new TagScanner(html)
  const own: string[] = []
  let at = 0
  let depth = 0
  let end = html.length
  for (let tag = scanner.next(); tag; tag = scanner.next()) {
    if (
      tag.name === 'div' &&
      !tag.isClosing &&
      OPEN_QUOTE_MARK.test(html.slice(tag.start, Math.min(tag.end, tag.start + MAX_MARK_CHARS)))
    ) {
      end = tag.start
      break
    }
    if (tag.name !== 'blockquote') continue
    if (!tag.isClosing) {
      if (depth === 0) own.push(html.slice(at, tag.start), '<p>&gt; quoted</p>')
      depth += 1
    } else if (depth > 0) depth -= 1
    at = tag.end
  }
  // A quotation that is not closed ends with the message.
  if (depth === 0) own.push(html.slice(at, Math.max(at, end)))
  return stripQuotes(htmlToText(own.join('')))
}
