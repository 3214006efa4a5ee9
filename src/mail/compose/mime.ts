import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'

/**
 * A small MIME builder for the messages we write ourselves: text, or text with an HTML alternative.
 *
 * Everything that reaches a header may come from a lead's data, so nothing is written there that could end the line:
 * control characters become a space in free text, and are refused in addresses, ids and links.
 */

export interface Mailbox {
  address: string
  name?: string | null
}

/** An empty message with this subject unsubscribes: for mail programs that write instead of calling an address of the web. */
export interface OptOutMail {
  address: string
  subject: string
}

export interface MessageParts {
  from: Mailbox
  to: Mailbox
  replyTo?: Mailbox | null
  subject: string
  date: Date
  /** With its angle brackets, as every id here. */
  messageId: string
  inReplyTo?: string | null
  references?: string[]
  /** With an https address both headers of RFC 8058 are written, so that one POST to it unsubscribes. */
  listUnsubscribe?: { url: string; mailto?: OptOutMail | null } | null
  /** Without its angle brackets. */
  listId?: string | null
  /** Further headers, none of those above. */
  headers?: Record<string, string>
  text: string
  html?: string | null
}

/** Something that cannot be put into a header as it is, with the part it was meant for. */
export class UnsafeHeader extends Error {
  override readonly name = 'UnsafeHeader'
  readonly field: string
  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.field = field
  }
}

const OWN_HEADERS = new Set(
  [
    'from to reply-to subject date message-id in-reply-to references mime-version content-type',
    'content-transfer-encoding list-unsubscribe list-unsubscribe-post list-id bcc cc sender return-path',
  ]
    .join(' ')
    .split(' '),
)
const MAX_REFERENCES = 20

export const buildMessage = (parts: MessageParts): Buffer => Buffer.from(writeMessage(parts), 'latin1')

/** The message as text, in ASCII. */
export function writeMessage(parts: MessageParts): string {
  const lines = [
    mailboxLine('From', parts.from),
    mailboxLine('To', parts.to),
    ...(parts.replyTo ? [mailboxLine('Reply-To', parts.replyTo)] : []),
    `Subject: ${encodeText(parts.subject, 'Subject: '.length)}`,
    `Date: ${formatDate(parts.date)}`,
    `Message-ID: ${checkMessageId(parts.messageId, 'Message-ID')}`,
    ...(parts.inReplyTo ? [`In-Reply-To: ${checkMessageId(parts.inReplyTo, 'In-Reply-To')}`] : []),
    ...referencesLine(parts.references ?? []),
    ...unsubscribeLines(parts.listUnsubscribe),
    ...(parts.listId ? [`List-Id: <${checkListId(parts.listId)}>`] : []),
    ...Object.entries(parts.headers ?? {}).map(([name, value]) => extraHeader(name, value)),
    'MIME-Version: 1.0',
  ]
  const body = parts.html ? alternative(parts.messageId, parts.text, parts.html) : textPart('plain', parts.text)
  return `${lines.join('\r\n')}\r\n${body}`
}

/**
 * The Message-ID is fixed before the message is sent, from the send's id alone, so that we can look for a
 * message when its outcome is unknown. It is keyed, so that a stranger who sees one cannot derive our ids or invent others.
 */
export function messageIdFor(sendId: string, domain: string, sign: (sendId: string) => Buffer): string {
  const digest = sign(sendId).toString('hex', 0, 20)
  const host = validDomain(domain.trim().toLowerCase())
  if (host === '') throw new UnsafeHeader('Message-ID', 'the domain cannot be used')
  return `<${digest}@${host}>`
}

/** The subject of a follow-up in a thread: `Re:` once, however often it is answered. */
export const replySubject = (subject: string): string => (/^\s*re\s*:/i.test(subject) ? subject.trim() : `Re: ${subject.trim()}`)

/** The address in the form that goes into headers and the envelope; throws UnsafeHeader when it cannot be. */
export function checkAddress(address: string, field: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = validDomain(address.slice(at + 1))
  if (at < 1 || address.length > 320 || local.length > 64) throw new UnsafeHeader(field, 'not an email address')
  // The characters of RFC 5322's dot-atom: quoted local parts are legal, but in practice only attackers use them.
  if (!/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local)) {
    throw new UnsafeHeader(field, 'the part before the @ cannot be used')
  }
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(domain)) {
    throw new UnsafeHeader(field, 'the domain cannot be used')
  }
  return `${local}@${domain}`
}

/**
 * The ASCII form of a domain, or an empty string. The platform's function silently drops line breaks and tabs, which
 * would turn one domain into another; such names are refused first.
 */
export function validDomain(domain: string): string {
  // Nearly every domain is in that form already, and the platform's function is slow.
  if (/^(?:[a-z0-9-]+\.)+[a-z]{2,63}$/.test(domain) && !domain.includes('xn--')) return domain
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) ? domainToASCII(domain) : ''
}

/** One line of free text: no control characters, no line or paragraph separators, no lone surrogates. */
export function oneLine(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not get through
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
      .trim()
  )
}

function mailboxLine(field: string, mailbox: Mailbox): string {
  const address = checkAddress(mailbox.address, field)
  const name = oneLine(mailbox.name ?? '')
  if (name === '') return `${field}: ${address}`
  if (/^[\x20-\x7e]*$/.test(name) && name.length < 60 && !name.includes('=?')) {
    const needsQuotes = !/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+$/.test(name)
    return `${field}: ${needsQuotes ? `"${name.replace(/["\\]/g, '\\$&')}"` : name} <${address}>`
  }
  return `${field}: ${encodedWords(name)}\r\n <${address}>`
}

function checkMessageId(id: string, field: string): string {
  if (!/^<[\x21-\x3b\x3d\x3f-\x7e]{1,500}>$/.test(id)) throw new UnsafeHeader(field, 'not a message id')
  return id
}

/** The first id of a thread and its latest ones are enough; one id per line keeps each line short. */
function referencesLine(ids: string[]): string[] {
  if (ids.length === 0) return []
  const kept = ids.length <= MAX_REFERENCES ? ids : [ids[0] as string, ...ids.slice(1 - MAX_REFERENCES)]
  return [`References: ${kept.map(id => checkMessageId(id, 'References')).join('\r\n ')}`]
}

function unsubscribeLines(list: MessageParts['listUnsubscribe']): string[] {
  if (!list) return []
  const url = checkUrl(list.url)
  const targets = [`<${url}>`]
  if (list.mailto) targets.push(`<${mailtoOf(list.mailto)}>`)
  return [
    `List-Unsubscribe: ${targets.join(',\r\n ')}`,
    // RFC 8058: this exact line is what tells a mail program that a POST to the URL is enough. It asks for https.
    ...(url.startsWith('https:') ? ['List-Unsubscribe-Post: List-Unsubscribe=One-Click'] : []),
  ]
}

function mailtoOf({ address, subject }: OptOutMail): string {
  const checked = checkAddress(address, 'List-Unsubscribe')
  const at = checked.lastIndexOf('@')
  return `mailto:${encodeURIComponent(checked.slice(0, at))}${checked.slice(at)}?subject=${encodeURIComponent(subject)}`
}

/** RFC 2919: a name below a domain. */
function checkListId(id: string): string {
  if (id.length > 255 || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(id)) throw new UnsafeHeader('List-Id', 'not a list id')
  return id
}

function checkUrl(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') || parsed.href.length > 900) {
    throw new UnsafeHeader('List-Unsubscribe', 'not a web address')
  }
  return parsed.href.replace(/[<>]/g, encodeURIComponent)
}

function extraHeader(name: string, value: string): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(name) || OWN_HEADERS.has(name.toLowerCase())) {
    throw new UnsafeHeader(name.slice(0, 60), 'this header cannot be set')
  }
  return `${name}: ${encodeText(value, name.length + 2)}`
}

function encodeText(text: string, used: number): string {
  const line = oneLine(text)
  const plain = /^[\x20-\x7e]*$/.test(line) && !line.includes('=?') && !/ {2}/.test(line)
  if (!plain) return encodedWords(line, used)
  const words = line.split(' ')
  if (words.some(word => word.length > 70)) return encodedWords(line, used)
  let out = ''
  let width = used
  for (const word of words) {
    if (out !== '' && width + 1 + word.length > 76) {
      out += `\r\n ${word}`
      width = 1 + word.length
    } else {
      out += out === '' ? word : ` ${word}`
      width += word.length + 1
    }
  }
  return out
}

/** RFC 2047 in base64, cut between characters so that each word can be decoded alone. */
function encodedWords(text: string, used = 12): string {
  const words: string[] = []
  let chunk = ''
  let bytes = 0
  // The first word shares its line with the header's name.
  let limit = Math.max(12, Math.floor(((64 - used) / 4) * 3))
  for (const char of text) {
    const size = Buffer.byteLength(char)
    if (bytes + size > limit) {
      words.push(chunk)
      chunk = ''
      bytes = 0
      limit = 42
    }
    chunk += char
    bytes += size
  }
  words.push(chunk)
  return words.map(word => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** RFC 5322's date in UTC. */
export function formatDate(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${DAYS[date.getUTCDay()]}, ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`
}

/** The parts of a message below its headers, and how they are encoded. */

function alternative(messageId: string, text: string, html: string): string {
  const parts = [textPart('plain', text), textPart('html', html)]
  // "=_" never occurs in quoted-printable. In other encodings, we try boundaries until the content does not contain one.
  let boundary = boundaryOf(messageId)
  while (parts.some(part => part.includes(boundary))) boundary = boundaryOf(boundary)
  const [plain, rich] = parts
  return (
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n\r\n` +
    `--${boundary}\r\n${plain}\r\n--${boundary}\r\n${rich}\r\n--${boundary}--\r\n`
  )
}

const boundaryOf = (seed: string): string => `=_${hash('sha256', seed).slice(0, 32)}`

function textPart(subtype: 'plain' | 'html', content: string): string {
  const whole = content.toWellFormed().replaceAll('\u0000', '')
  const lines = (whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole).split('\n')
  const { encoding, body } = encodeBody(lines)
  return [
    `Content-Type: text/${subtype}; charset=utf-8`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    body,
    ...(body.endsWith('\r\n') ? [] : ['']),
  ].join('\r\n')
}

function encodeBody(lines: string[]): { encoding: string; body: string } {
  if (lines.every(line => line.length <= 76 && /^[\x20-\x7e\t]*$/.test(line) && !/^From |[ \t]$/.test(line))) {
    return { encoding: '7bit', body: lines.join('\r\n') }
  }
  const whole = lines.join('\r\n')
  // Quoted-printable needs three characters for each byte that is not ASCII; base64 needs four for any three bytes.
  const bytes = Buffer.byteLength(whole)
  if (bytes > whole.length && eightBitBytes(whole) > bytes / 4) {
    return {
      encoding: 'base64',
      body: (
        Buffer.from(whole)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\r\n'),
    }
  }
  return { encoding: 'quoted-printable', body: lines.map(quotedPrintable).join('\r\n') }
}

function eightBitBytes(text: string): number {
  const bytes = Buffer.from(text)
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! > 126) count++
  return count
}

const QP_WIDTH = 75

const bytesOf = (run: string): string => (run === '=' ? '=3D' : Buffer.from(run).toString('hex').toUpperCase().replace(/../g, '=$&'))

/** Escapes whole runs and cuts whole lines: a campaign's text goes through here once for every recipient. */
function quotedPrintable(line: string): string {
  let escaped = line.replace(/[^\t\x20-\x3c\x3e-\x7e]+/g, bytesOf)
  // Old mail stores write ">From", which breaks a DKIM signature.
  if (escaped.startsWith('From ')) escaped = bytesOf('F') + escaped.slice(1)
  if (escaped.endsWith(' ') || escaped.endsWith('\t')) escaped = escaped.slice(0, -1) + bytesOf(escaped.slice(-1))
  if (escaped.length <= QP_WIDTH) return escaped
  const cut: string[] = []
  for (let from = 0; from < escaped.length; ) {
    let to = from + QP_WIDTH
    // A line that begins after a cut must not begin with it, either.
    if (escaped.startsWith('From ', to)) to -= 1
    // An escaped byte stays in one piece.
    if (escaped[to - 1] === '=') to -= 1
    else if (escaped[to - 2] === '=') to -= 2
    cut.push(escaped.slice(from, to))
    from = to
  }
  return cut.join('=\r\n')
}
