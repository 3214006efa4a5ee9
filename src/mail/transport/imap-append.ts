import { findSentFolder, type ImapSettings, visitInbox } from './imap.ts'

export interface SentCopy {
  messageId: string
  raw: Buffer
}

/** Puts copies of messages that were sent into the Sent folder, unless the server has put them there itself. How many were put. */
export function appendToSent(settings: ImapSettings, copies: SentCopy[]): Promise<number> {
  return visitInbox(settings, 1 + copies.length, async client => {
    const sent = await findSentFolder(client)
    if (!sent) return 0
    await client.mailboxOpen(sent, { readOnly: true })
    let count = 0
    for (const { messageId, raw } of copies) {
      const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
      if (!found || found.length > 0) continue
      await client.append(sent, raw, ['\\Seen'])
      count++
    }
    return count
  })
}
