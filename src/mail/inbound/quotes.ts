import { htmlToText } from './html.ts'

/**
 * What the person wrote themselves: without the quoted message (which carries our own footer, "unsubscribe" and all),
 * the signature and the device's advertisement.
 */

const ATTRIBUTION = [
  /^\s*on\b.{5,200}\bwrote\s*:\s*$/i,
  /^\s*am\b.{5,200}\bschrieb\b.{0,120}:\s*$/i,
  /^\s*le\b.{5,200}\ba\s+[ée]crit\s*:\s*$/i,
  /^\s*el\b.{5,200}\bescribi[óo]\s*:\s*$/i,
  /^\s*(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}).{3,160}[:>]\s*$/,
]
const SEPARATOR = [
  /^\s*-{2,}\s*(original message|urspr[üu]ngliche nachricht|message d'origine|mensaje original|forwarded message|weitergeleitete nachricht)/i,
  /^\s*_{10,}\s*$/,
  /^\s*begin forwarded message:/i,
]
const HEADER_FROM = /^\s*\**(from|von|de)\s?\**\s?:\**\s*\S/i
const HEADER_NEXT =
  /^\s*\**(sent|gesendet|datum|date|envoy[ée]|enviado( el)?|fecha|to|an|[àa]|para|cc|subject|betreff|objet|asunto)\s?\**\s?:/i
const DEVICE =
  /^\s*(sent from (my|outlook|mail)|get outlook for|von meinem .{2,30} gesendet|gesendet (mit|von) |envoy[ée] de(puis)? mon |enviado desde (mi|outlook))/i
const CLOSING =
  /^\s*(best|kind|warm|many thanks and best)?\s*(regards|wishes|best|cheers|thanks|thank you|sincerely|all the best|viele gr[üu](ss|ß)e|beste gr[üu](ss|ß)e|liebe gr[üu](ss|ß)e|mit freundlichen gr[üu](ss|ß)en|freundliche gr[üu](ss|ß)e|mfg|vg|lg|gr[üu](ss|ß)|cordialement|bien cordialement|bien [àa] vous|salutations|sinc[èe]res salutations|un saludo|saludos|atentamente|saludos cordiales|un cordial saludo)\s*[,.!]?\s*$/i

export function stripQuotes(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const kept: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    if (SEPARATOR.some(pattern => pattern.test(line))) break
    if (HEADER_FROM.test(line) && lines.slice(i + 1, i + 4).some(next => HEADER_NEXT.test(next))) break
    // Long attributions are wrapped, so a line is also read together with the next.
    const wrapped = `${line} ${lines[i + 1] ?? ''}`
    const attribution = ATTRIBUTION.some(pattern => pattern.test(line))
    const attributionOfTwo = !attribution && /\S/.test(line) && ATTRIBUTION.some(pattern => pattern.test(wrapped))
    if (attribution || attributionOfTwo) {
      // With quote marks below, what stands between them was written by the answerer; without, all of it is quoted.
      if (!lines.slice(i + 1).some(next => /^\s*>/.test(next))) break
      if (attributionOfTwo) i += 1
      continue
    }
    if (/^\s*>/.test(line)) continue
    if (/^--\s?$/.test(line)) break
    if (DEVICE.test(line)) continue
    kept.push(line)
  }
  return withoutSignature(kept)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** A closing formula with something said before it: what follows is the name, the job title and the office. */
function withoutSignature(lines: string[]): string[] {
  const at = lines.findIndex((line, index) => CLOSING.test(line) && lines.slice(0, index).some(l => l.trim() !== ''))
  return at < 0 ? lines : lines.slice(0, at)
}

/** The text of a message that has only HTML, without what mail programs mark as quoted. */
export function textOfHtml(html: string): { fullText: string; ownHtml: string } {
  const marker =
    /<(div|blockquote)[^>]{0,300}(gmail_quote|gmail_extra|yahoo_quoted|moz-cite-prefix|divRplyFwdMsg|appendonsend|type=["']?cite)[\s\S]*$/i
  return {
    fullText: htmlToText(html),
    ownHtml: html.replace(marker, '').replace(/<blockquote[\s\S]*?<\/blockquote>/gi, ''),
  }
}
