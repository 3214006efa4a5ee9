import type { SecretBox } from '../../lib/secret-box.ts'
import { escapeHtml } from '../../mail/inbound/html.ts'
import { openTrackingToken } from './link-tokens.ts'

/** Anything that begins like an address, up to its end. Servers that check links put our addresses inside their own. */
const ADDRESS = /(?:https?:)?\/\/[^\s"'<>]{1,4000}/gi
const TRACKED = /(?:\/|%2f)t(?:\/|%2f)([co])(?:\/|%2f)([\w-]{46})(?![\w-])/i
const NOWHERE = 'about:blank'

/**
 * Removes our own tracking from HTML that is shown to our users: sent messages, and replies that quote them.
 * Otherwise a user who reads a thread would count as the lead who opens or clicks. A tracked link is replaced by its
 * target; `linksOf` returns the links of the messages in the thread.
 */
export function disarmHtml(secrets: SecretBox, html: string, linksOf: (sendId: string) => readonly string[] | undefined): string {
  return html.replace(ADDRESS, address => {
    const [, kind, token] = TRACKED.exec(address) ?? []
    if (token === undefined) return address
    if (kind!.toLowerCase() === 'o') return openTrackingToken(secrets, 'open', token) ? NOWHERE : address
    const clicked = openTrackingToken(secrets, 'click', token)
    if (!clicked) return address
    const url = linksOf(clicked.sendId)?.[clicked.index]
    return url === undefined ? NOWHERE : escapeHtml(url).replaceAll("'", '&#39;')
  })
}
