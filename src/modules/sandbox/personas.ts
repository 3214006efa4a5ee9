import PostalMime from 'postal-mime'
import { hash32 } from '../../lib/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { buildMessage, formatDate, replySubject } from '../../mail/compose/mime.ts'
import { decodeEntities } from '../../mail/inbound/html.ts'
import { parseInbound } from '../../mail/inbound/inbound.ts'
import type { SandboxMail, SandboxReaction } from '../sending/deliver.ts'

/** The texts of simulated recipients, by the kind of reply. The texts are so clear that the classification is certain. */
const PERSONA_ANSWERS = {
  positive: [
    'Hi,\n\nthis looks interesting. Could we set up a call next week?',
    'Thanks for writing. Please send me more information and your pricing.',
    "Good timing, we are looking at this right now. Let's talk on Thursday at 10.",
    'Happy to chat. Send me your calendar link.',
  ],
  negative: [
    'Thank you, but we are not interested.',
    'No thanks, we already have a solution for this.',
    "Thanks for reaching out. This isn't a fit for us.",
  ],
  neutral: [
    'Not now, maybe next quarter. Try me again in three months.',
    "I'm not the right person for this. I have forwarded your message to my colleague.",
  ],
  opt_out: ['Please remove me from your list.', 'Stop emailing me.', 'unsubscribe'],
}

/**
 * The sandbox mailbox: nothing leaves the machine, and the recipients are personas who open, click, reply, bounce, are away or stay silent.
 * Their replies are real messages that are read like the replies of real people. Everything is derived from addresses and ids, so the same
 * campaign always has the same result.
 */

/** A message as it arrives; `at` is the virtual time. */
type Delivery = Parameters<SandboxMail['react']>[0]

export type Persona =
  | 'interested'
  | 'not_interested'
  | 'later'
  | 'opt_out'
  | 'away'
  | 'bounce'
  | 'bounce_soft'
  | 'unsubscribe'
  | 'opens'
  | 'clicks'
  | 'scanner'
  | 'silent'

/** Addresses that choose a persona: `interested+anything@…`, `away-until-2026-03-12@…`. `noreply` and similar names are silent. */
const BY_NAME: [RegExp, Persona][] = [
  [/^interested$/, 'interested'],
  [/^not-?interested$/, 'not_interested'],
  [/^later$/, 'later'],
  [/^(opt-?out|stop)$/, 'opt_out'],
  [/^away(-until-?.*)?$/, 'away'],
  [/^bounce(-hard)?$/, 'bounce'],
  [/^bounce-soft$/, 'bounce_soft'],
  [/^unsubscribes?$/, 'unsubscribe'],
  [/^opens?$/, 'opens'],
  [/^clicks?$/, 'clicks'],
  [/^scanner$/, 'scanner'],
  [/^silent$/, 'silent'],
]

/** The personas of other recipients, out of a hundred; friendlier than reality, so that a first try shows something. */
const MIX: [Persona, number][] = [
  ['silent', 38],
  ['opens', 22],
  ['clicks', 8],
  ['interested', 9],
  ['not_interested', 6],
  ['away', 5],
  ['later', 3],
  ['scanner', 3],
  ['unsubscribe', 2],
  ['bounce', 2],
  ['opt_out', 1],
  ['bounce_soft', 1],
]

export function personaOf(address: string): { persona: Persona; named: boolean } {
  const local = localPart(address)
  const named = BY_NAME.find(([pattern]) => pattern.test(local))
  if (named) return { persona: named[1], named: true }
  let at = hash32(`persona:${address.toLowerCase()}`) % MIX.reduce((sum, [, share]) => sum + share, 0)
  for (const [persona, share] of MIX) {
    if (at < share) return { persona, named: false }
    at -= share
  }
  return { persona: 'silent', named: false }
}

const PERSON = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15'
const SCANNER = 'Mozilla/5.0 (compatible; LinkScanner/2.1)'

/** The reactions of the recipient to this message, in order of time; empty for a silent one. */
export async function reactTo(delivery: Delivery): Promise<SandboxReaction[]> {
  const message = await parseInbound(delivery.raw)
  const { html = '' } = await PostalMime.parse(delivery.raw)
  const { persona, named } = personaOf(delivery.envelope.to)
  const scene: Scene = {
    delivery,
    messageId: message.messageId ?? '<unknown@sandbox.invalid>',
    references: [...message.references, ...(message.messageId ? [message.messageId] : [])],
    subject: message.subject,
    quoted: message.fullText,
    position: message.references.length,
    // Chosen by name, they reply at once; others may need a reminder first.
    answersAt: named ? 0 : hash32(`when:${delivery.envelope.to}`) % 3,
    random: seeded(`${delivery.envelope.to}:${message.messageId}`),
    pixel: pixelIn(html),
    links: linksIn(html),
    unsubscribeUrl: /<(https?:[^>]+)>/.exec(message.headers.get('list-unsubscribe') ?? '')?.[1] ?? null,
  }
  return PLAYS[persona](scene).sort((a, b) => a.at.getTime() - b.at.getTime())
}

interface Scene {
  delivery: Delivery
  messageId: string
  references: string[]
  subject: string
  quoted: string
  /** How many messages of the thread came before. */
  position: number
  answersAt: number
  random: (from: number, to: number) => number
  pixel: string | null
  links: string[]
  unsubscribeUrl: string | null
}

const PLAYS: Record<Persona, (scene: Scene) => SandboxReaction[]> = {
  silent: () => [],
  opens: scene => opened(scene, scene.random(5 * MINUTE_MS, 20 * HOUR_MS)),
  clicks: scene => clicked(scene, scene.random(5 * MINUTE_MS, 20 * HOUR_MS)),
  interested: scene => answered(scene, PERSONA_ANSWERS.positive),
  not_interested: scene => answered(scene, PERSONA_ANSWERS.negative),
  later: scene => answered(scene, PERSONA_ANSWERS.neutral),
  opt_out: scene => answered(scene, PERSONA_ANSWERS.opt_out),
  away: awayReply,
  bounce: scene => [bounced(scene, '5.1.1', '550 5.1.1 The mailbox does not exist')],
  bounce_soft: scene => [bounced(scene, '5.2.2', '552 5.2.2 The mailbox is full')],
  unsubscribe(scene) {
    const after = scene.random(10 * MINUTE_MS, 10 * HOUR_MS)
    if (!scene.unsubscribeUrl) return answered(scene, PERSONA_ANSWERS.opt_out)
    return [
      ...opened(scene, after),
      { at: later(scene, after + MINUTE_MS), kind: 'unsubscribe', url: scene.unsubscribeUrl, userAgent: PERSON },
    ]
  },
  scanner: scene => [
    ...(scene.pixel ? [{ at: later(scene, 900), kind: 'open' as const, url: scene.pixel, userAgent: SCANNER }] : []),
    ...scene.links.map((url, i) => ({ at: later(scene, 1000 + i * 100), kind: 'click' as const, url, userAgent: SCANNER })),
  ],
}

function answered(scene: Scene, texts: string[]): SandboxReaction[] {
  const readAfter = scene.random(10 * MINUTE_MS, 8 * HOUR_MS)
  const reactions = opened(scene, readAfter)
  if (scene.position !== scene.answersAt) return reactions
  const text = texts[scene.random(0, texts.length)] as string
  const at = later(scene, readAfter + scene.random(2 * MINUTE_MS, 3 * HOUR_MS))
  const quote = scene.quoted.trimEnd().replace(/^/gm, '> ')
  const body = `${text}\n\nOn ${formatDate(scene.delivery.at)}, <${scene.delivery.envelope.from}> wrote:\n${quote}\n`
  return [...reactions, { at, kind: 'reply', raw: reply(scene, at, body, replySubject(scene.subject), {}) }]
}

/** Away until the date in the name, or for some days after the first message; then back and reading. */
function awayReply(scene: Scene): SandboxReaction[] {
  const named = /^away-until-?(\d{4}-\d{2}-\d{2})$/.exec(localPart(scene.delivery.envelope.to))?.[1]
  const until = named
    ? new Date(`${named}T00:00:00Z`)
    : new Date(scene.delivery.at.getTime() + (5 + (hash32(scene.delivery.envelope.to) % 10)) * DAY_MS)
  if (Number.isNaN(until.getTime()) || until <= scene.delivery.at || (!named && scene.position > 0)) {
    return opened(scene, scene.random(HOUR_MS, 10 * HOUR_MS))
  }
  const at = later(scene, scene.random(5_000, 60_000))
  const day = until.toLocaleDateString('en-US', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  const body = `Thank you for your message. I am out of the office until ${day} and will reply when I am back.\n`
  const headers = { 'Auto-Submitted': 'auto-replied' }
  return [{ at, kind: 'auto_reply', raw: reply(scene, at, body, `Automatic reply: ${scene.subject}`, headers) }]
}

function opened(scene: Scene, afterMs: number): SandboxReaction[] {
  return scene.pixel ? [{ at: later(scene, afterMs), kind: 'open', url: scene.pixel, userAgent: PERSON }] : []
}

function clicked(scene: Scene, afterMs: number): SandboxReaction[] {
  const url = scene.links[scene.random(0, Math.max(1, scene.links.length))]
  const click = url ? [{ at: later(scene, afterMs + MINUTE_MS), kind: 'click' as const, url, userAgent: PERSON }] : []
  return [...opened(scene, afterMs), ...click]
}

function reply(scene: Scene, at: Date, text: string, subject: string, headers: Record<string, string>): Buffer {
  return buildMessage({
    from: { address: scene.delivery.envelope.to },
    to: { address: scene.delivery.envelope.from },
    subject,
    date: at,
    messageId: `<${hash32(scene.messageId)}.${hash32(subject + text)}@sandbox.invalid>`,
    inReplyTo: scene.messageId,
    references: scene.references,
    headers,
    text,
  })
}

function bounced(scene: Scene, status: string, diagnostic: string): SandboxReaction {
  const at = later(scene, scene.random(2_000, 5 * MINUTE_MS))
  const boundary = `=_report${hash32(scene.messageId)}`
  const headerEnd = scene.delivery.raw.indexOf('\r\n\r\n')
  const part = (type: string, ...lines: string[]) => [`--${boundary}`, `Content-Type: ${type}`, '', ...lines]
  const lines = [
    'From: Mail Delivery System <mailer-daemon@sandbox.invalid>',
    `To: ${scene.delivery.envelope.from}`,
    'Subject: Undelivered Mail Returned to Sender',
    `Date: ${formatDate(at)}`,
    `Message-ID: <report.${hash32(scene.messageId)}@sandbox.invalid>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    ...part('text/plain; charset=utf-8', 'Your message could not be delivered.', '', diagnostic),
    ...part(
      'message/delivery-status',
      'Reporting-MTA: dns; sandbox.invalid',
      '',
      `Final-Recipient: rfc822; ${scene.delivery.envelope.to}`,
      'Action: failed',
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${diagnostic}`,
      '',
    ),
    ...part('text/rfc822-headers', scene.delivery.raw.subarray(0, Math.max(0, headerEnd)).toString('latin1'), ''),
    `--${boundary}--`,
    '',
  ]
  return { at, kind: 'bounce', raw: Buffer.from(lines.join('\r\n'), 'latin1') }
}

const later = (scene: Scene, ms: number): Date => new Date(scene.delivery.at.getTime() + ms)
const localPart = (address: string): string => (address.split('@')[0] ?? '').toLowerCase().replace(/\+.*$/, '')

function pixelIn(html: string): string | null {
  const image = [...html.matchAll(/<img\b[^>]*\bsrc="(https?:[^"]+)"[^>]*\bwidth="1"[^>]*>/gi)].at(-1)
  return image ? decodeEntities(image[1] as string) : null
}

/** The links of the text itself: the one in the footer is for unsubscribing. */
function linksIn(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="(https?:[^"]+)"[^>]*>(.*?)<\/a>/gis)]
    .map(match => decodeEntities(match[1] as string))
    .filter(url => !/\/u\/[\w-]+$/.test(url))
}

/** Whole numbers from `from` up to but not including `to`, the same row for the same seed. */
function seeded(seed: string): (from: number, to: number) => number {
  let turn = 0
  return (from, to) => from + (to > from ? hash32(`${seed}#${turn++}`) % (to - from) : 0)
}
