import { timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '../../lib/secret-box.ts'
import { escapeHtml, withoutLoaders } from '../../mail/inbound/html.ts'

// The tokens of links in emails: the send, the number of the link, and a signature. Never the target address, so that
// strangers cannot make our host redirect to another site.

const PURPOSES = ['open', 'click', 'unsubscribe'] as const
type TokenPurpose = (typeof PURPOSES)[number]

const UUID_BYTES = 16
const SIGNATURE_BYTES = 16

export function trackingToken(secrets: SecretBox, purpose: TokenPurpose, sendId: string, index = 0): string {
  const payload = Buffer.alloc(UUID_BYTES + 2)
  payload.write(sendId.replaceAll('-', ''), 'hex')
  payload.writeUInt16BE(index, UUID_BYTES)
  return Buffer.concat([payload, signatureOf(secrets, purpose, payload)]).toString('base64url')
}

export function openTrackingToken(secrets: SecretBox, purpose: TokenPurpose, token: string): { sendId: string; index: number } | null {
  const bytes = Buffer.from(token, 'base64url')
  // Base64 has unused bits at the end, and Node.js also accepts other alphabets, so we check that the spelling is the only valid one.
  if (bytes.length !== UUID_BYTES + 2 + SIGNATURE_BYTES || bytes.toString('base64url') !== token) return null
  const payload = bytes.subarray(0, UUID_BYTES + 2)
  if (!timingSafeEqual(signatureOf(secrets, purpose, payload), bytes.subarray(UUID_BYTES + 2))) return null
  const hex = payload.toString('hex', 0, UUID_BYTES)
  const sendId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  return { sendId, index: payload.readUInt16BE(UUID_BYTES) }
}

const signatureOf = (secrets: SecretBox, purpose: TokenPurpose, payload: Buffer): Buffer =>
  secrets.sign(`track:${purpose}`, payload.toString('base64url')).subarray(0, SIGNATURE_BYTES)

/** Anything that begins like an address, up to its end. Servers that check links put our addresses inside their own. */
const ADDRESS = /(?:https?:)?\/\/[^\s"'<>]{1,4000}/gi
const OWN = /(?:\/|%2f)(?:t(?:\/|%2f)([co])|u)(?:\/|%2f)([\w-]{46})(?![\w-])/i
/** The same token in another spelling of the address: escaped signs, an address that a base element completes, or the subject of an email. */
const TOKEN = /(?:(?<![\w-])|(?<=%20))[\w-]{46}(?![\w-])/g
const NOWHERE = 'about:blank'

type LinksOf = (sendId: string) => readonly string[] | undefined

/**
 * Removes our own links from HTML that is shown to our users: sent messages, and replies that quote them.
 * Otherwise a user who reads a thread would count as the lead who opens or clicks, and anyone who may read it could unsubscribe the lead. A
 * tracked link is replaced by its target; `linksOf` returns the links of the messages in the thread. Elements that load other pages are
 * removed, too.
 */
export const disarmHtml = (secrets: SecretBox, html: string, linksOf: LinksOf): string =>
  withoutLoaders(disarm(secrets, html, linksOf, url => escapeHtml(url).replaceAll("'", '&#39;')))

/** The same for plain text, in which mail programs write the targets of quoted links, and which people and agents follow. */
export const disarmText = (secrets: SecretBox, text: string, linksOf: LinksOf): string => disarm(secrets, text, linksOf, url => url)

function disarm(secrets: SecretBox, source: string, linksOf: LinksOf, written: (url: string) => string): string {
  const plain = source.replace(ADDRESS, address => {
    const [, kind = 'u', token] = OWN.exec(address) ?? []
    if (token === undefined) return address
    const purpose = { o: 'open', u: 'unsubscribe', c: 'click' }[kind.toLowerCase()] as TokenPurpose
    if (purpose !== 'click') return openTrackingToken(secrets, purpose, token) ? NOWHERE : address
    const clicked = openTrackingToken(secrets, 'click', token)
    if (!clicked) return address
    const url = linksOf(clicked.sendId)?.[clicked.index]
    return url === undefined ? NOWHERE : written(url)
  })
  return plain.replace(TOKEN, token => (PURPOSES.some(purpose => openTrackingToken(secrets, purpose, token)) ? 'removed' : token))
}
