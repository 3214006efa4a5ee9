import { type Tag, TagScanner } from './tags.ts'

/**
 * The little HTML that mail needs: escaping, text to HTML, HTML to text, and finding the links. Every function here
 * takes time in proportion to the length of its input (test/contract/linear-time.test.ts).
 */

export function escapeHtml(text: string): string {
  if (!/[&<>"]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

export function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole
  })
}

/** Makes only paragraphs, line breaks and links, like a person who types an e-mail. */
export function textToHtml(text: string): string {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .trim()
    .split(/\n{2,}/)
  return paragraphs.map(paragraph => `<p>${linkify(paragraph).replaceAll('\n', '<br>\n')}</p>`).join('\n')
}

function linkify(text: string): string {
  let out = ''
  let at = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    // The full stop or bracket after an address ends the sentence, not the address.
    const url = withoutEnding(match[0], ".,;:!?)]'*")
    out += escapeHtml(text.slice(at, match.index))
    out += `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    at = match.index + url.length
  }
  return out + escapeHtml(text.slice(at))
}

/** Does the work of a pattern that ends in "+$", but in linear time. */
function withoutEnding(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] as string)) end -= 1
  return text.slice(0, end)
}

function withoutBlanksAround(line: string): string {
  let start = 0
  while (start < line.length && BLANKS.includes(line[start] as string)) start += 1
  return withoutEnding(line.slice(start), BLANKS)
}

const BLANKS = ' \t'
/** The content of these elements is not shown. */
const UNREAD = new Set(['style', 'script', 'head', 'title'])
const BLOCKS = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol', 'blockquote'])

/** With `keepsAddresses` the addresses behind mail links are kept, too: for mail that we write. */
export function htmlToText(html: string, { keepsAddresses = false } = {}): string {
  const scanner = new TagScanner(html)
  const pieces: string[] = []
  let link: { href: string; from: number } | null = null
  let at = 0
  const read = (end: number): void => {
    if (end > at) pieces.push(decodeEntities(html.slice(at, end).replace(/\s+/g, ' ')))
  }
  for (let tag = scanner.next(); tag; tag = scanner.next()) {
    read(tag.start)
    at = tag.end
    const { name, isClosing } = tag
    if (UNREAD.has(name) && !isClosing) at = Math.max(at, scanner.skipElement(name))
    else if (name === 'a' && isClosing && link) {
      const label = pieces.splice(link.from).join('').trim()
      pieces.push(labelled(label, keepsAddresses ? link.href.replace(/^mailto:([^?]*).*$/is, decodedAddress) : link.href, keepsAddresses))
      link = null
    } else if (name === 'a' && !isClosing) {
      const href = hrefOf(html, tag)
      link = href === null ? null : { href: decodeEntities(href.value), from: pieces.length }
    } else pieces.push(breakAt(tag))
    // White space after a line break in the source is not a second break.
    if (name === 'br' && isSpaceCode(html.charCodeAt(at))) at += 1
  }
  read(html.length)
  const lines = pieces.join('').split('\n').map(withoutBlanksAround)
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function labelled(label: string, href: string, keepsAddresses: boolean): string {
  if (label === '' || label === href) return label || href
  const isKept = /^https?:/i.test(href) || (keepsAddresses && /^[^\s@:/]+@[^\s@:/]+$/.test(href))
  return isKept ? `${label} (${href})` : label
}

function decodedAddress(_whole: string, address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

function breakAt({ name, isClosing }: Tag): string {
  if (name === 'br') return '\n'
  if (name === 'li') return isClosing ? '' : '\n- '
  if (!isClosing) return ''
  return BLOCKS.has(name) ? '\n\n' : name === 'tr' ? '\n' : ''
}

const isSpaceCode = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

const MAX_TAG_CHARS = 4000
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i

/** The target of a link as it is written, and where in the HTML its value stands, quotes included. */
export function hrefOf(html: string, tag: Tag): { value: string; start: number; end: number } | null {
  const match = HREF.exec(html.slice(tag.start, Math.min(tag.end, tag.start + MAX_TAG_CHARS)))
  if (!match) return null
  const value = match[1] ?? match[2] ?? match[3] ?? ''
  const end = tag.start + match.index + match[0].length
  return { value, start: end - value.length - (match[3] === undefined ? 2 : 0), end }
}

// The name of a tag ends at white space, a slash or the end of the tag.
const LOADERS = /<\/?(?:iframe|frame|frameset|object|embed|applet|portal|fencedframe|link|meta|base)(?![^\s/>])[^>]*>?/gi

/**
 * Removes the elements with which a page opens connections before a policy can stop it, or leads elsewhere: frames, plugins, preloads,
 * redirects and a base. A space takes the place of each tag: without one, what is around it could become another tag.
 */
export const withoutLoaders = (html: string): string => html.replace(LOADERS, ' ')

/** Inserts HTML at the end of the visible page. */
export function appendToBody(html: string, addition: string): string {
  const at = html.search(/<\/body\s*>/i)
  return at < 0 ? `${html}\n${addition}` : `${html.slice(0, at)}${addition}\n${html.slice(at)}`
}

/** Whether the author of a step wrote HTML: a closing or a well-known tag, not merely a "<". */
export const looksLikeHtml = (body: string): boolean =>
  /<\/(p|div|a|b|i|strong|em|span|table|ul|ol|h[1-6]|body|html)\s*>|<(br|p|div|html|!doctype)\b[^<>]*>/i.test(body)
