import { decodeEntities, escapeHtml, hrefOf, htmlToText } from '../inbound/html.ts'
import { TagScanner } from '../inbound/tags.ts'

/** The links of a message that we write: which ones are tracked, and what the reader sees of them. */

const MAX_URL_CHARS = 4000

/**
 * The address as it may stand in a header: percent-encoded, with its host in punycode. Null when it is not a web address, or
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
  /** Where the HTML has the address, quotes included. */
  href: { start: number; end: number }
  /** Where the content of the link begins and ends. */
  from: number
  to: number
  /** What the reader sees of it. */
  shown: string
}

/** The links to the web, in order. A link without an end goes on to the next link, or to the end of the message. */
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

/** The links that show one host and lead to another. */
export const findDifferingLinks = (html: string): string[] =>
  [...webLinksOf(html)].flatMap(({ url, shown }) => (looksLikeAddress(shown) && hostShown(shown) !== new URL(url).hostname ? [shown] : []))

function hostShown(text: string): string | null {
  const address = text.trim().split(/\s/, 1)[0]!
  return URL.parse(address.includes('://') ? address : `http://${address}`)?.hostname ?? null
}
