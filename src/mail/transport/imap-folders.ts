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
  const all = await client.list({ statusQuery: { uidNext: true, uidValidity: true } })
  const folders = all.filter(folder => folder.path.toUpperCase() !== 'INBOX' && isSelectable(folder))
  return folders
    .filter(folder => (chosen ? chosen.includes(folder.path) : isWatched(folder, folders)))
    .slice(0, MAX_FOLDERS)
    .flatMap(({ path, status }) =>
      status?.uidNext === undefined ? [] : [{ path, uidValidity: String(status.uidValidity), uidNext: Number(status.uidNext) }],
    )
}

const isSelectable = ({ flags }: ListResponse): boolean => !flags.has('\\Noselect') && !flags.has('\\NonExistent')

function isWatched(folder: ListResponse, all: ListResponse[]): boolean {
  if (folder.specialUse === '\\All' || folder.specialUse === '\\Junk') return true
  if (all.some(other => other.specialUse === '\\All')) return false
  return !WITHOUT_REPLIES.has(folder.specialUse ?? '')
}
