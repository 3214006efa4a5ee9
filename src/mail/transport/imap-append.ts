import { findSentFolder, type ImapSettings, visitInbox } from './imap.ts'
import { appendRefusalOf, type ImapFailure } from './imap-refusal.ts'

export interface SentCopy {
  messageId: string
  raw: Buffer
}

export interface Appended {
  /** What the server said when it refused to store a copy. */
  refusal: string | null
  /** The copies that are not stored, and may be later. */
  left: SentCopy[]
}

/**
 * Puts copies of messages that were sent into the Sent folder, unless the server has put them there itself. A mailbox that is full takes
 * them once there is room again; a message that is too large is left out for good.
 */
export function appendToSent(settings: ImapSettings, copies: SentCopy[]): Promise<Appended> {
  return visitInbox(settings, 1 + copies.length, async client => {
    const sent = await findSentFolder(client)
    if (!sent) return { refusal: null, left: [] }
    await client.mailboxOpen(sent, { readOnly: true })
    for (const [n, { messageId, raw }] of copies.entries()) {
      const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
      if (!found || found.length > 0) continue
      try {
        await client.append(sent, raw, ['\\Seen'])
      } catch (error) {
        const refusal = appendRefusalOf(error as ImapFailure)
        if (refusal === null) throw error
        if (refusal !== 'too_large') return { refusal, left: copies.slice(n) }
      }
    }
    return { refusal: null, left: [] }
  })
}
