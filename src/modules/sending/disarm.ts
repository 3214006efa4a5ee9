import type { SecretBox } from '../../lib/secret-box.ts'
import { escapeHtml } from '../../mail/inbound/html.ts'
import { openTrackingToken } from './link-tokens.ts'

/** Anything that begins like an address, up to where it must end. Servers that check links carry ours inside of theirs. */
const ADDRESS = /(?:https?:)?\/\/[^\s"'<>]{1,4000}/gi
const TRACKED = /(?:\/|%2f)t(?:\/|%2f)([co])(?:\/|%2f)([\w-]{46})(?![\w-])/i
const NOWHERE = 'about:blank'

/**
 * Takes our own tracking out of HTML that is shown to ourselves: what was sent, and what came back with it quoted.
 * Otherwise a user who reads a thread would count as the lead who opens or clicks. A tracked link becomes the one that it
 * stands for; `linksOf` knows the links of the messages of the thread.
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
