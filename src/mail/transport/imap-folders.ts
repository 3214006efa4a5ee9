import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow, ListResponse } from 'imapflow'
import type { ImapSettings } from './imap.ts'

export type WatchedFolder = { path: string; uidValidity: string; uidNext: number }

/** Folders with the user's own messages, deleted ones and duplicates. The spam folder is not here: it may contain replies. */
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
    // A folder may be deleted between the two commands.
    const status = await client.status(path, { uidNext: true, uidValidity: true }).catch(() => null)
    if (status && status.uidNext !== undefined) {
      found.push({ path, uidValidity: String(status.uidValidity), uidNext: Number(status.uidNext) })
    }
  }
  return found
}

function isReadable({ path, flags }: ListResponse): boolean {
  if (path.toUpperCase() === 'INBOX' || flags.has('\\Noselect') || flags.has('\\NonExistent')) return false
  // The path is stored with the cursor, so it must be a text that PostgreSQL can store.
  return path.isWellFormed() && !path.includes('\0')
}

function isWatched(folder: ListResponse, all: ListResponse[]): boolean {
  if (folder.specialUse === '\\All' || folder.specialUse === '\\Junk') return true
  if (all.some(other => other.specialUse === '\\All')) return false
  return !WITHOUT_REPLIES.has(folder.specialUse ?? '')
}

/** The second half of the check: finds the folders to read and opens the inbox. With very many messages, this takes long. */
export async function lookIntoFolders(client: ImapFlow, settings: ImapSettings, leftMs = 60_000): Promise<string> {
  const startedMs = performance.now()
  const folders = await client.list()
  const paths = folders.map(folder => folder.path)
  const missing = settings.folders?.find(path => !paths.includes(path))
  if (missing !== undefined) throw new Error(`There is no folder ${missing}, but ${paths.slice(0, 20).join(', ')}`)
  const inbox = settings.folder ?? 'INBOX'
  const open = async () => `${(await client.mailboxOpen(inbox, { readOnly: true })).exists} messages in ${inbox}`
  const openingMs = Math.max(0, leftMs - (performance.now() - startedMs))
  const late = `The server has not opened ${inbox} in ${Math.round(openingMs / 1000)} seconds, so whether it can be read is not known`
  const opened = await Promise.race([open(), sleep(openingMs, late, { ref: false })])
  const sent = folders.find(folder => folder.specialUse === '\\Sent')
  const copies = sent ? `sent messages are in ${sent.path}` : 'no folder is marked for sent messages'
  return `${opened}, ${paths.length} folders, ${copies}`
}
