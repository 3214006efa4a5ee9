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

/** More than the links of any conversation need. A check takes 16 µs, and a stranger's texts may be nothing but tokens. */
const MOST_CHECKS = 6000
/** A token that was not checked is treated as ours, without a target. */
const UNCHECKED = { sendId: '', index: 0 }

/**
 * Removes our own links from texts that are shown to our users together: sent messages, and replies that quote them.
 * Otherwise a user who reads a thread would count as the lead who opens or clicks, and anyone who may read it could unsubscribe the lead. A
 * tracked link is replaced by its target; `linksOf` returns the links of the messages in the thread. Without it, links have no target.
 */
export class OwnLinkRemover {
  readonly #secrets: SecretBox
  readonly #linksOf: LinksOf
  readonly #opened = new Map<string, ReturnType<typeof openTrackingToken>>()

  constructor(secrets: SecretBox, linksOf: LinksOf = () => undefined) {
    this.#secrets = secrets
    this.#linksOf = linksOf
  }

  /** Elements that load other pages are removed, too. */
  html(html: string): string {
    return withoutLoaders(this.#disarm(html, url => escapeHtml(url).replaceAll("'", '&#39;')))
  }

  /** In plain text, mail programs write the targets of quoted links, and people and agents follow them. */
  text(text: string): string {
    return this.#disarm(text, url => url)
  }

  #disarm(source: string, written: (url: string) => string): string {
    const plain = source.replace(ADDRESS, address => {
      const [, kind = 'u', token] = OWN.exec(address) ?? []
      if (token === undefined) return address
      const purpose = { o: 'open', u: 'unsubscribe', c: 'click' }[kind.toLowerCase()] as TokenPurpose
      const opened = this.#open(purpose, token)
      if (!opened) return address
      const url = purpose === 'click' ? this.#linksOf(opened.sendId)?.[opened.index] : undefined
      return url === undefined ? NOWHERE : written(url)
    })
    return plain.replace(TOKEN, token => (PURPOSES.some(purpose => this.#open(purpose, token)) ? 'removed' : token))
  }

  #open(purpose: TokenPurpose, token: string): ReturnType<typeof openTrackingToken> {
    const key = `${purpose} ${token}`
    const known = this.#opened.get(key)
    if (known !== undefined) return known
    if (this.#opened.size === MOST_CHECKS) return UNCHECKED
    const opened = openTrackingToken(this.#secrets, purpose, token)
    this.#opened.set(key, opened)
    return opened
  }
}
