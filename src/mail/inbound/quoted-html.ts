import { stripQuotes } from '#reply-reader'
import { htmlToText } from './html.ts'
import { TagScanner } from './tags.ts'

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
 * The same for a person who answers below what is quoted, or within it: each quotation becomes one quoted line.
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
