import { decodeEntities, escapeHtml, hrefOf, htmlToText } from '../inbound/html.ts'
import { type Tag, TagScanner } from '../inbound/tags.ts'

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

type OpenLink = { tag: Tag; href: { value: string; start: number; end: number } }

/**
 * Replaces the target of links to the web; `link` is given the address in its valid form. A link that shows
 * one address and leads to another looks like fraud: it shows `label` instead, or stays unchanged when there is no label.
 */
export function rewriteLinks(html: string, link: (url: string, index: number) => string, label: string | null = null): string {
  const scanner = new TagScanner(html)
  const pieces: string[] = []
  let at = 0
  let open: OpenLink | null = null
  let index = 0
  const close = (end: number): void => {
    if (!open) return
    const { tag, href } = open
    open = null
    const url = webAddress(decodeEntities(href.value))
    const showsAddress = looksLikeAddress(htmlToText(html.slice(tag.end, end)))
    if (url === null || (showsAddress && label === null)) return
    pieces.push(html.slice(at, href.start), `"${escapeHtml(link(url, index++))}"`, html.slice(href.end, tag.end))
    at = tag.end
    if (!showsAddress) return
    pieces.push(escapeHtml(label!))
    at = end
  }
  for (let tag = scanner.next(); tag; tag = scanner.next()) {
    if (tag.name !== 'a') continue
    close(tag.start)
    const href = tag.isClosing ? null : hrefOf(html, tag)
    if (href) open = { tag, href }
  }
  close(html.length)
  return pieces.join('') + html.slice(at)
}

/** The links that show one host and lead to another. */
export function findDifferingLinks(html: string): string[] {
  const found: string[] = []
  const scanner = new TagScanner(html)
  let open: { href: string; from: number } | null = null
  for (let tag = scanner.next(); tag; tag = scanner.next()) {
    if (tag.name !== 'a') continue
    if (open) {
      const shown = htmlToText(html.slice(open.from, tag.start))
      const target = URL.parse(open.href)
      if (target && looksLikeAddress(shown) && hostShown(shown) !== target.hostname) found.push(shown)
    }
    const href = tag.isClosing ? null : hrefOf(html, tag)
    open = href && webAddress(decodeEntities(href.value)) ? { href: webAddress(decodeEntities(href.value))!, from: tag.end } : null
  }
  return found
}

function hostShown(text: string): string | null {
  const address = text.trim().split(/\s/, 1)[0]!
  return URL.parse(address.includes('://') ? address : `http://${address}`)?.hostname ?? null
}
