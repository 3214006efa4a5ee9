/** The little HTML that mail needs: escaping, text to HTML, HTML to text, and finding the links. */

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

/** Paragraphs, line breaks and links, nothing else: what a person typing an e-mail would have produced. */
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
    const url = match[0].replace(/[.,;:!?)\]'*]+$/, '')
    out += escapeHtml(text.slice(at, match.index))
    out += `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`
    at = match.index + url.length
  }
  return out + escapeHtml(text.slice(at))
}

export function htmlToText(html: string): string {
  const text = html
    .replace(/<(style|script|head|title)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]{0,2000}?\shref\s*=\s*["']?([^"'\s>]{1,2000})[^>]*>(.*?)<\/a\s*>/gi, (_all, href: string, inner) => {
      const label = inner.replace(/<[^>]*>/g, '').trim()
      return label === '' || label === href || !/^https?:/i.test(href) ? label || href : `${label} (${href})`
    })
    .replace(/<br\s*\/?>\s?/gi, '\n')
    .replace(/<li\b[^>]*>/gi, '\n- ')
    .replace(/<\/(p|div|h[1-6]|table|ul|ol|blockquote)\s*>/gi, '\n\n')
    .replace(/<\/tr\s*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
  return decodeEntities(text)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Replaces the target of every link to the web; `link` sees the address as a browser would. */
export function rewriteLinks(html: string, link: (url: string, index: number) => string): string {
  let index = 0
  const attribute = /(<a\b[^>]{0,2000}?\shref\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
  return html.replace(attribute, (whole, before: string, double?: string, single?: string, bare?: string) => {
    const url = decodeEntities(double ?? single ?? bare ?? '').trim()
    if (!/^https?:\/\//i.test(url)) return whole
    return `${before}"${escapeHtml(link(url, index++))}"`
  })
}

/** Puts something at the end of the visible page. */
export function appendToBody(html: string, addition: string): string {
  const at = html.search(/<\/body\s*>/i)
  return at < 0 ? `${html}\n${addition}` : `${html.slice(0, at)}${addition}\n${html.slice(at)}`
}

/** Whether the author of a step wrote HTML: a closing or a well-known tag, not merely a "<". */
export function looksLikeHtml(body: string): boolean {
  return /<\/(p|div|a|b|i|strong|em|span|table|ul|ol|h[1-6]|body|html)\s*>|<(br|p|div|html|!doctype)\b[^>]*>/i.test(body)
}
