import {
  connectImap,
  type FetchedBatch,
  type FetchOptions,
  type FolderCursor,
  type ImapSettings,
  leave,
} from '../../src/mail/transport/imap.ts'
import { fetchBatch } from '../../src/mail/transport/imap-watch.ts'

/** Fetches once, on a connection of its own. */
export async function fetchSince(
  settings: ImapSettings,
  cursor: FolderCursor | null,
  limit: number,
  options: FetchOptions = {},
): Promise<FetchedBatch> {
  const client = await connectImap(settings)
  try {
    await client.mailboxOpen('INBOX', { readOnly: true })
    return await fetchBatch(client, cursor, limit, options)
  } finally {
    await leave(client)
  }
}
