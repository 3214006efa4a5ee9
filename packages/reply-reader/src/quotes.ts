/**
 * The person's own text: without the quoted message (which contains our own footer with "unsubscribe"),
 * the signature and the device's advertisement.
 */

const ATTRIBUTION = [
  /^\s*on\b.{5,200}\bwrote\s*:\s*$/i,
  /^\s*am\b.{5,200}\bschrieb\b.{0,120}:\s*$/i,
  /^\s*le\b.{5,200}\ba\s+[ée]crit\s*:\s*$/i,
  /^\s*el\b.{5,200}\bescribi[óo]\s*:\s*$/i,
  /^\s*(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}).{3,160}[:>]\s*$/,
]
/** Some mail programs on phones put the whole quotation on the attribution line. Only an address identifies such a line. */
const INLINE_ATTRIBUTION = [
  /^on\b.{5,120}@[^\s@]{3,120}\s*wrote\s*:/i,
  /^am\b.{5,120}@[^\s@]{3,120}\s*(?:wrote|schrieb\b.{0,80}):/i,
  /^am\b.{5,80}\bschrieb\b.{0,80}@[^\s@]{3,120}:/i,
  /^le\b.{5,120}@[^\s@]{3,120}\s*a\s+[ée]crit\s*:/i,
  /^el\b.{5,120}@[^\s@]{3,120}\s*escribi[óo]\s*:/i,
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
  /^\s*(sent from (my|outlook|mail|yahoo|proton|samsung|aol|gmail)|sent with (proton|spark|superhuman|shortwave|missive)|get outlook for|von meinem .{2,30} gesendet|gesendet (mit|von) |envoy[ée] de(puis)? mon |enviado desde (mi|outlook))/i
const CLOSING =
  /^\s*(best|kind|warm|many thanks and best)?\s*(regards|wishes|best|cheers|thanks|thank you|sincerely|all the best|viele gr[üu](ss|ß)e|beste gr[üu](ss|ß)e|liebe gr[üu](ss|ß)e|mit freundlichen gr[üu](ss|ß)en|freundliche gr[üu](ss|ß)e|mfg|vg|lg|gr[üu](ss|ß)|cordialement|bien cordialement|bien [àa] vous|salutations|sinc[èe]res salutations|un saludo|saludos|atentamente|saludos cordiales|un cordial saludo)\s*[,.!]?\s*$/i

/** An attribution line is short; a longer line is text, and is not matched against the patterns. */
const MAX_FURNITURE_CHARS = 400

const isQuoted = (line: string): boolean => /^\s*>/.test(line)
const isOneOf = (patterns: RegExp[], line: string): boolean => patterns.some(pattern => pattern.test(line))

export function stripQuotes(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  // The patterns are matched against trimmed lines; a line that is too long becomes empty.
  const heads = lines.map(line => {
    const head = line.trim()
    return head.length > MAX_FURNITURE_CHARS ? '' : head
  })
  const lastQuoted = lines.findLastIndex(isQuoted)
  const kept: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    const head = heads[i] as string
    if (isQuoted(line)) continue
    if (isOneOf(SEPARATOR, head)) break
    if (HEADER_FROM.test(head) && heads.slice(i + 1, i + 4).some(next => HEADER_NEXT.test(next))) break
    // Long attributions are wrapped, so a line is also read together with the next.
    const attribution = isOneOf(ATTRIBUTION, head) || isOneOf(INLINE_ATTRIBUTION, line.trim().slice(0, MAX_FURNITURE_CHARS))
    const attributionOfTwo = !attribution && head !== '' && isOneOf(ATTRIBUTION, `${head} ${heads[i + 1] ?? ''}`)
    if (attribution || attributionOfTwo) {
      // If quote marks follow, the text between them is new; otherwise the whole rest is quoted.
      if (lastQuoted <= i) break
      if (attributionOfTwo) i += 1
      continue
    }
    if (/^--\s?$/.test(line)) break
    if (DEVICE.test(head)) continue
    kept.push(line)
  }
  return withoutSignature(kept)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/**
 * Finds a closing phrase that has text before it: after it come the name, the job title and the office, up to a
 * postscript. "Thanks" directly after a greeting is not a closing phrase.
 */
function withoutSignature(lines: string[]): string[] {
  let isSaid = false
  const at = lines.findIndex(line => {
    const head = line.trim()
    if (isSaid && head.length <= MAX_FURNITURE_CHARS && CLOSING.test(head)) return true
    isSaid ||= head !== '' && !GREETING.test(head)
    return false
  })
  if (at < 0) return lines
  const postscript = lines.findIndex((line, i) => i > at && POSTSCRIPT.test(line))
  return [...lines.slice(0, at), ...(postscript < 0 ? [] : ['', ...lines.slice(postscript)])]
}

const GREETING = /^[\p{L} .'-]{2,40}[,!]$/u
const POSTSCRIPT = /^\s*(?:p\. ?s\.|ps|pd|p\. ?d\.|nb|n\. ?b\.)\s?[:.,-]?\s/i
