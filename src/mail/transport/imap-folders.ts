import type { ImapFlow, ListResponse } from 'imapflow'

export interface WatchedFolder {
  path: string
  uidValidity: string
  uidNext: number
}

/** What the user wrote, throws away or only sees a second time. What the server takes for spam may well be an answer. */
const WITHOUT_REPLIES = new Set(['\\Sent', '\\Drafts', '\\Trash', '\\Flagged', '\\Important'])
const MAX_FOLDERS = 200

/**
 * The folders besides the INBOX in which a reply can arrive, because a rule of the server or of the mail program sorts it
 * there. A server that keeps everything in one more folder (`\All`) needs only that one, and the one for spam.
 */
export async function listFolders(client: ImapFlow, chosen: string[] | undefined): Promise<WatchedFolder[]> {
  const folders = (await client.list()).filter(isReadable)
  const watched = folders.filter(folder => (chosen ? chosen.includes(folder.path) : isWatched(folder, folders)))
  const found: WatchedFolder[] = []
  for (const { path } of watched.slice(0, MAX_FOLDERS)) {
    // A folder may go between the two questions.
    const status = await client.status(path, { uidNext: true, uidValidity: true }).catch(() => null)
    if (status && status.uidNext !== undefined) {
      found.push({ path, uidValidity: String(status.uidValidity), uidNext: Number(status.uidNext) })
    }
  }
  return found
}

function isReadable({ path, flags }: ListResponse): boolean {
  if (path.toUpperCase() === 'INBOX' || flags.has('\\Noselect') || flags.has('\\NonExistent')) return false
  // The path is kept with how far the folder has been read, so it must be something that can be kept.
  return path.isWellFormed() && !path.includes('\0')
}

function isWatched(folder: ListResponse, all: ListResponse[]): boolean {
  if (folder.specialUse === '\\All' || folder.specialUse === '\\Junk') return true
  if (all.some(other => other.specialUse === '\\All')) return false
  return !WITHOUT_REPLIES.has(folder.specialUse ?? '')
}
