import { findSentFolder, type ImapSettings, visitInbox } from './imap.ts'
import { appendRefusalOf, type ImapFailure } from './imap-refusal.ts'

export type SentCopy = { messageId: string; raw: Buffer }

/** After this many refused copies, the rest waits for the next attempt. */
const MOST_REFUSED = 3

export interface Appended<T> {
  /** What the server said when it last refused to store a copy. */
  refusal: string | null
  /** The copies that were refused because of the message itself. */
  refused: T[]
  /** The other copies that are not stored, and may be later. */
  left: T[]
}

/**
 * Stores copies of sent messages in the Sent folder, unless the server did so itself. A full mailbox gets them later; a message
 * that is too large is never stored. A refused message does not delay the others.
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
