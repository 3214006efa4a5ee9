import { connectImap, type ImapSettings, leave } from './imap.ts'

export interface SentCopy {
  messageId: string
  raw: Buffer
}

/** Puts copies of messages that were sent into the Sent folder, unless the server has put them there itself. How many were put. */
export async function appendToSent(settings: ImapSettings, copies: SentCopy[]): Promise<number> {
  const client = await connectImap(settings)
  try {
    const sent = (await client.list()).find(folder => folder.specialUse === '\\Sent')
    if (!sent) return 0
    await client.mailboxOpen(sent.path, { readOnly: true })
    let count = 0
    for (const { messageId, raw } of copies) {
      const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
      if (!found || found.length > 0) continue
      await client.append(sent.path, raw, ['\\Seen'])
      count++
    }
    return count
  } finally {
    await leave(client)
  }
}
