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

/** Makes only paragraphs, line breaks and links, like a person who types an email. */
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

/** With `keepsAddresses` the addresses of mail links are kept, too: for mail that we write. */
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

/** The target of a link as it is written, and the position of its value in the HTML, quotes included. */
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

/**
 * Finds the tags of a piece of HTML, one after the other. Strangers write the HTML, so this reads every character a fixed
 * number of times: a search that found nothing is not repeated at a later position.
 */

interface Tag {
  /** The position of its "<", and the position after its ">". */
  start: number
  end: number
  /** In lower case; `!` for a comment, a doctype or a processing instruction. */
  name: string
  isClosing: boolean
}

export class TagScanner {
  readonly #html: string
  /** Of the same length as the HTML, which `toLowerCase` does not promise. */
  readonly #lower: string
  readonly #next = new Map<string, number>()
  #readsQuotes = true
  #at = 0

  constructor(html: string) {
    this.#html = html
    this.#lower = html.replace(/[A-Z]+/g, letters => letters.toLowerCase())
  }

  next(): Tag | null {
    for (;;) {
      const start = this.#html.indexOf('<', this.#at)
      if (start < 0) return null
      const tag = this.#tagAt(start)
      if (tag) {
        this.#at = tag.end
        return tag
      }
      this.#at = start + 1
    }
  }

  /** Moves past the closing tag of this element, and returns the start of that tag; -1 when there is none. */
  skipElement(name: string): number {
    const close = this.#find(`</${name}`, this.#at)
    if (close < 0) return -1
    this.#at = close
    return close
  }

  #tagAt(start: number): Tag | null {
    const html = this.#html
    const first = html.charCodeAt(start + 1)
    if (first === BANG || first === QUESTION) {
      const isComment = html.startsWith('<!--', start)
      const close = isComment ? this.#find('-->', start + 4) : this.#find('>', start)
      if (close >= 0) return { start, end: close + (isComment ? 3 : 1), name: '!', isClosing: false }
      // A comment without an end hides the rest, as in every browser.
      return isComment ? { start, end: html.length, name: '!', isClosing: false } : null
    }
    const isClosing = first === SLASH
    const from = start + (isClosing ? 2 : 1)
    let at = from
    while (isNameCode(this.#lower.charCodeAt(at))) at += 1
    if (at === from || isDigitCode(html.charCodeAt(from))) return null
    const end = this.#endOf(at)
    return end < 0 ? null : { start, end, name: this.#lower.slice(from, at), isClosing }
  }

  /** Behind the ">" that ends the tag; one within a quoted value does not. */
  #endOf(from: number): number {
    if (this.#readsQuotes) {
      let value = false
      for (let at = from; at < this.#html.length; at++) {
        const code = this.#html.charCodeAt(at)
        if (code === GREATER) return at + 1
        if (value && (code === DOUBLE || code === SINGLE)) {
          at = this.#html.indexOf(code === DOUBLE ? '"' : "'", at + 1)
          if (at < 0) break
        }
        value = code === EQUALS || (value && code <= SPACE)
      }
      // Without this, unpaired quotes would make every later tag repeat the same long search.
      this.#readsQuotes = false
    }
    const close = this.#find('>', from)
    return close < 0 ? -1 : close + 1
  }

  /** The next occurrence of a text at or after a position. Positions only grow, so results can be cached. */
  #find(text: string, from: number): number {
    const known = this.#next.get(text)
    if (known !== undefined && (known < 0 || known >= from)) return known
    const found = this.#lower.indexOf(text, from)
    this.#next.set(text, found)
    return found
  }
}

const [BANG, QUESTION, SLASH, GREATER, EQUALS, DOUBLE, SINGLE, SPACE] = [33, 63, 47, 62, 61, 34, 39, 32]
const isDigitCode = (code: number): boolean => code >= 48 && code <= 57
const isNameCode = (code: number): boolean => (code >= 97 && code <= 122) || isDigitCode(code)
