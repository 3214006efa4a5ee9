import { findSentFolder, type ImapSettings, visitInbox } from './imap.ts'
import { appendRefusalOf, type ImapFailure } from './imap-refusal.ts'

export interface SentCopy {
  messageId: string
  raw: Buffer
}

/** After so many copies that are refused one by one, the server is left alone for now. */
const MOST_REFUSED = 3

export interface Appended<T> {
  /** What the server said when it last refused to store a copy. */
  refusal: string | null
  /** The copies that were refused for their own sake. */
  refused: T[]
  /** The other copies that are not stored, and may be later. */
  left: T[]
}

/**
 * Puts copies of messages that were sent into the Sent folder, unless the server has put them there itself. A mailbox that is full takes
 * them once there is room again; a message that is too large is left out for good. One that is refused does not hold up the others.
 */
export function appendToSent<T extends SentCopy>(settings: ImapSettings, copies: T[]): Promise<Appended<T>> {
  return visitInbox(settings, 1 + copies.length, async client => {
    const appended: Appended<T> = { refusal: null, refused: [], left: [] }
    const sent = await findSentFolder(client)
    if (!sent) return appended
    await client.mailboxOpen(sent, { readOnly: true })
    for (const [n, copy] of copies.entries()) {
      const found = await client.search({ header: { 'message-id': copy.messageId } }, { uid: true })
      if (!found || found.length > 0) continue
      try {
        await client.append(sent, copy.raw, ['\\Seen'])
      } catch (error) {
        const refusal = appendRefusalOf(error as ImapFailure)
        if (refusal === null) throw error
        if (refusal.of === 'size') continue
        appended.refusal = refusal.said
        if (refusal.of === 'mailbox') return { ...appended, left: copies.slice(n) }
        appended.refused.push(copy)
        if (appended.refused.length >= MOST_REFUSED) return { ...appended, left: copies.slice(n + 1) }
      }
    }
    return appended
  })
}
