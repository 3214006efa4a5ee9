import { isEmail } from './email.ts'
import { type Attachment, textOf } from './parts.ts'

/** Reports that a message was not delivered (RFC 3464), and the older ones that only say so in prose. */

export interface Bounce {
  /** `hard`: the address is dead. `soft`: it may work later. `sender_fault`: a rule of the server, so the mailbox we send from may be the problem. */
  type: 'hard' | 'soft' | 'sender_fault'
  /** The enhanced status code such as 5.1.1, if present. */
  status: string | null
  diagnostic: string
  recipient: string | null
  /** The id of the returned message: the most reliable way to find the send. */
  originalMessageId: string | null
}

interface BounceSource {
  fromAddress: string
  subject: string
  headers: ReadonlyMap<string, string>
  text: string
  attachments: Attachment[]
}

const MAX_PART_BYTES = 100_000

export function readBounce(source: BounceSource): Bounce | null {
  const report = source.attachments.find(part => /^message\/(?:global-)?delivery-status$/.test(part.mimeType))
  const enclosed = source.attachments.find(part =>
    ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers'].includes(part.mimeType),
  )
  const originalMessageId = messageIdIn(enclosed ? textOf(enclosed, MAX_PART_BYTES) : '') ?? null
  if (report) return readReport(textOf(report, MAX_PART_BYTES), originalMessageId)
  return readProse(source, originalMessageId)
}

/** The fields of the report come in groups: one about the message, then one for each recipient. */
function readReport(text: string, originalMessageId: string | null): Bounce | null {
  const groups = groupsOf(text).map(readFields)
  const recipients = groups.filter(group => group.has('final-recipient') || group.has('action') || group.has('status'))
  const failed = recipients.find(group => group.get('action') === 'failed') ?? recipients[0]
  if (!failed) return null
  // Some reports contain the id of the message instead of the message.
  const named = groups.map(group => group.get('x-original-message-id') ?? group.get('original-message-id')).find(id => id !== undefined)
  const action = failed.get('action') ?? (failed.get('status')?.startsWith('4.') ? 'delayed' : 'failed')
  // A delayed message may still be delivered.
  if (['delivered', 'relayed', 'expanded', 'delayed'].includes(action)) return null
  const diagnostic = (failed.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '')
  const status = bestStatus(failed.get('status') ?? null, diagnostic)
  const address = failed.get('final-recipient') ?? failed.get('original-recipient') ?? ''
  const recipient = addressIn(address.slice(address.indexOf(';') + 1))
  return {
    type: bounceType(status, diagnostic),
    status,
    diagnostic: diagnostic.slice(0, 500),
    recipient,
    originalMessageId: originalMessageId ?? /<[^<>\s]{1,500}>/.exec(named ?? '')?.[0] ?? null,
  }
}

/** Empty lines separate the groups. */
function groupsOf(text: string): string[] {
  const groups: string[][] = [[]]
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (line.trim() === '') groups.push([])
    else groups.at(-1)!.push(line)
  }
  return groups.map(lines => lines.join('\n'))
}

/** An address alone on its line, with or without brackets. */
function addressIn(text: string): string | null {
  const address = text.trim().replace(/^<|>$/g, '').toLowerCase()
  return isEmail(address) ? address : null
}

/** The first address that is not in the headers of the returned message. */
function firstAddress(text: string): string | null {
  const report = text.slice(0, /^(?:message-id|return-path|received):/im.exec(text)?.index)
  for (const [, inner, alone] of report.matchAll(/<([^<>\s]{3,254})>|^[ \t]*([^\s<>:;,]{3,254})[ \t]*:?[ \t]*$/gm)) {
    const address = addressIn((inner ?? alone) as string)
    if (address) return address
  }
  return null
}

/** Fields in which a comment in parentheses says nothing (RFC 3464, 2.1.1). Others have the words of a server. */
const COMMENTED = new Set(['action', 'status', 'final-recipient', 'original-recipient'])

/** Comments may be nested. */
function withoutComments(text: string): string {
  let depth = 0
  let kept = ''
  for (const character of text) {
    if (character === '(') depth++
    else if (character === ')' && depth > 0) depth--
    else if (depth === 0) kept += character
  }
  return kept.trim()
}

function readFields(group: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of group.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const match = /^([A-Za-z-]+)\s*:\s*(.*)$/.exec(line.trim())
    if (!match) continue
    const name = (match[1] as string).toLowerCase()
    const written = (match[2] as string).trim()
    const value = COMMENTED.has(name) ? withoutComments(written) : written
    fields.set(name, name === 'action' ? value.toLowerCase() : value)
  }
  return fields
}

const DAEMON = /^(mailer-daemon|postmaster|mail-daemon|mdaemon|bounce[s]?)(\+[^@]*)?@/i
/** Only mail systems use such addresses. */
const ONLY_DAEMON = /^(?:mailer-daemon|mail-daemon|mdaemon)(?:\+[^@]*)?@/i

/** Whether a mail system wrote it. */
export const isOfDaemon = (address: string): boolean => ONLY_DAEMON.test(address)
const SUBJECT =
  /(undeliver|delivery (status notification|has failed|failure)|mail delivery (failed|system)|returned (mail|to sender)|failure notice|unzustellbar|nicht zugestellt|non (remis|distribu)|[ée]chec de (la )?(remise|distribution)|no se (puede|pudo|ha podido) entregar|no entregado)/i
const PROSE =
  /(wasn't able to deliver|could not be delivered|couldn't be delivered|permanent (fatal )?error|delivery to the following recipients? failed|user unknown|no such user|address rejected|konnte nicht zugestellt|n'a pas pu [êe]tre (remis|distribu)|no se ha podido entregar)/i

/** In English even if the rest is in another language. */
const REFUSED = /(?:^|[^\d.])5\d\d[ -]5\.\d{1,3}\.\d{1,3}(?![\d.])|#5\.\d{1,3}\.\d{1,3}(?![\d.])/

const DELAYED =
  /(delivery (?:status notification )?\(?(?:is |has been )?delay|delayed mail|message delayed|will (?:be retried|keep trying|retry|continue to try)|still (?:being )?(?:trying|retried)|not yet been delivered|verz[öo]gert|wird weiterhin versucht|remise (?:diff[ée]r[ée]e|retard[ée]e)|entrega retrasada)/i
const GIVEN_UP =
  /(giv(?:en|ing) up|gave up|permanent|no longer (?:be )?(?:try|retried)|failed permanently|endg[üu]ltig|d[ée]finitive|definitiv)/i

function readProse(source: BounceSource, enclosedId: string | null): Bounce | null {
  const daemon = DAEMON.test(source.fromAddress) || /multipart\/report/i.test(source.headers.get('content-type') ?? '')
  const isNamed = source.headers.has('x-failed-recipients')
  const isSaid = SUBJECT.test(source.subject) || PROSE.test(source.text) || REFUSED.test(source.text)
  if (!isNamed && !(daemon && isSaid)) return null
  const status = bestStatus(null, source.text)
  if ((status?.startsWith('4.') || DELAYED.test(`${source.subject}\n${source.text}`)) && !GIVEN_UP.test(source.text)) return null
  const named = addressIn(source.headers.get('x-failed-recipients')?.split(',')[0] ?? '')
  const recipient = named ?? firstAddress(source.text)
  const reason = source.text.split('\n').find(line => /\b[45]\d\d\b|#?[45]\.\d\.\d|unknown|mailbox|quota/i.test(line))
  return {
    type: bounceType(status, source.text.slice(0, 3000)),
    status,
    diagnostic: (reason ?? source.subject).trim().slice(0, 500),
    recipient,
    originalMessageId: enclosedId ?? messageIdIn(source.text),
  }
}

/** A report often states 5.0.0 although the server's own words are more exact. */
function bestStatus(status: string | null, diagnostic: string): string | null {
  const given = /^([245]\.\d{1,3}\.\d{1,3})/.exec(status ?? '')?.[1] ?? null
  const spoken = /(?:^|[^\d.])([45]\.\d{1,3}\.\d{1,3})(?![\d.])/.exec(diagnostic)?.[1] ?? null
  return given === null || /^[45]\.0\.0$/.test(given) ? (spoken ?? given) : given
}

const DEAD =
  /(user|recipient|mailbox|address|account)[^.\n]{0,40}(unknown|not found|does(n't| not) exist|disabled|inactive|invalid|no longer)|no such (user|recipient|mailbox|address)|no mailbox here|unknown (user|recipient|address)|unrouteable|host not found|domain (name )?(not found|invalid)|invalid (recipient|domain|mailbox|address)/i
const OURS =
  /(spam|block(ed|ing| ?list)|black ?list|reputation|spf|dkim|dmarc|unauthenticated|policy|not authori[sz]ed|relay(ing)? denied)/i
const GONE = /mailbox unavailable|user (?:unknown|not found)|no such user/i
const FULL = /(quota|mailbox( is)? full|over ?limit|storage)/i

function bounceType(status: string | null, diagnostic: string): Bounce['type'] {
  if (status?.startsWith('4.')) return 'soft'
  if (status === null || /^5\.0\.0$/.test(status)) return typeByWords(diagnostic)
  const [, subject, detail] = status.split('.').map(Number) as [number, number, number]
  if (subject === 1) return detail === 7 || detail === 8 ? 'sender_fault' : 'hard'
  if (subject === 2) return detail === 1 ? 'hard' : 'soft'
  if (subject === 4) return detail === 1 || detail === 4 ? 'hard' : 'soft'
  // Outlook.com uses 5.5.0 for a mailbox that does not exist.
  if (subject === 5 && GONE.test(diagnostic)) return 'hard'
  if (subject === 5 || subject === 6 || subject === 7) return 'sender_fault'
  return 'soft'
}

function typeByWords(text: string): Bounce['type'] {
  if (FULL.test(text)) return 'soft'
  if (DEAD.test(text)) return 'hard'
  if (OURS.test(text)) return 'sender_fault'
  return /\b55[0-4]\b|permanent/i.test(text) ? 'hard' : 'soft'
}

function messageIdIn(text: string): string | null {
  return /^message-id:\s*(<[^<>\s]+>)/im.exec(text.replace(/\r?\n[ \t]+/g, ' '))?.[1] ?? null
}
