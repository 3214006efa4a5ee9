import {
  connectImap,
  type FetchedBatch,
  type FetchOptions,
  type FolderCursor,
  fetchBatch,
  type ImapSettings,
  leave,
  openFolder,
} from '../imap.ts'

/** Fetches once, on a connection of its own. */
export async function fetchSince(
  settings: ImapSettings,
  cursor: FolderCursor | null,
  limit: number,
  options: FetchOptions = {},
): Promise<FetchedBatch> {
  const client = await connectImap(settings)
  try {
    await openFolder(client, settings)
    return await fetchBatch(client, cursor, limit, options)
  } finally {
    await leave(client)
  }
}
