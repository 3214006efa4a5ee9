import { setTimeout as sleep } from 'node:timers/promises'
import type { ImapFlow, ListResponse } from 'imapflow'
import { DAY_MS } from '../../lib/time.ts'
import {
  connectImap,
  type FetchedBatch,
  type FetchedMessage,
  type FetchOptions,
  type FolderCursor,
  IMAP_TIMEOUTS,
  type ImapCursor,
  type ImapFailure,
  type ImapSettings,
  ImapSignInRefused,
  type ImapTimeouts,
  ImapTokenRefused,
  leave,
  messageRefusalOf,
  withinOrClose,
} from './imap.ts'

const MAX_RETRY_MS = 5 * 60_000

interface WatchOptions extends FetchOptions {
  /** Runs the fetching and storing of a batch when there is memory for it. */
  gate?: <T>(work: () => Promise<T>) => Promise<T>
  /** The maximum number of messages in a batch. */
  limit?: number
  /** A failure that will be retried automatically. */
  onProblem?: (error: Error) => void
  /** Signed in and watching. */
  onReady?: () => void
}

/**
 * Follows a folder until the signal is raised: IDLE, and polling. `onMessages` must store the batch together
 * with its cursor before it returns; when it throws, the same messages come again. A fresh access token may be needed
 * for every connection, so the settings may be a function.
 *
 * Network failures are retried for ever. A refused sign-in throws ImapSignInRefused.
 */
export async function watchMailbox(
  settings: ImapSettings | (() => Promise<ImapSettings>),
  start: ImapCursor | null,
  onMessages: (batch: FetchedBatch<ImapCursor>) => Promise<void>,
  signal: AbortSignal,
  options: WatchOptions = {},
): Promise<void> {
  let cursor = start
  let failures = 0
  let isTokenRefused = false
  const onReady = (): void => {
    isTokenRefused = false
    options.onReady?.()
  }
  while (!signal.aborted) {
    let timeouts = IMAP_TIMEOUTS
    try {
      const current = typeof settings === 'function' ? await settings() : settings
      timeouts = { ...IMAP_TIMEOUTS, ...current.timeouts }
      await followConnection({ settings: current, timeouts, cursor: () => cursor, store, options: { ...options, onReady } }, signal)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ImapSignInRefused) throw error
      // A second refusal is final, even if another part of the service has renewed the token in between.
      if (error instanceof ImapTokenRefused && isTokenRefused) throw error.refusal
      if (error instanceof ImapTokenRefused) isTokenRefused = true
      options.onProblem?.(error as Error)
      const pause = Math.min(MAX_RETRY_MS, timeouts.retryMs * 2 ** Math.min(failures, 10))
      failures += 1
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  async function store(batch: FetchedBatch<ImapCursor>): Promise<void> {
    await onMessages(batch)
    cursor = batch.cursor
    failures = 0
  }
}

interface Following {
  client: ImapFlow
  settings: ImapSettings
  timeouts: ImapTimeouts
  cursor: () => ImapCursor | null
  store: (batch: FetchedBatch<ImapCursor>) => Promise<void>
  options: WatchOptions
}

async function followConnection(given: Omit<Following, 'client'>, signal: AbortSignal): Promise<void> {
  const { settings, timeouts, options } = given
  const client = await connectImap(settings)
  const following: Following = { ...given, client }
  const openInbox = () => withinOrClose(timeouts.silenceMs, client, client.mailboxOpen('INBOX', { readOnly: true }))
  let bell = new AbortController()
  const ring = (): void => bell.abort()
  let lost: Error | null = null
  client.on('exists', ring)
  client.on('error', (error: Error) => {
    lost = error
    ring()
  })
  client.on('close', () => {
    lost ??= new Error('The server closed the connection')
    ring()
  })
  signal.addEventListener('abort', ring)
  try {
    await openInbox()
    let ready = false
    let foldersAt = Number.NEGATIVE_INFINITY
    let foldersEveryMs = timeouts.folderPollMs
    while (!signal.aborted) {
      if (lost) throw lost
      // Reset before looking, so that a message that arrives while we fetch rings again.
      bell = new AbortController()
      if (await readInbox(following)) continue
      if (signal.aborted) break
      if (performance.now() - foldersAt >= foldersEveryMs) {
        const { count, visited, isMore } = await readFolders(following, signal)
        foldersAt = isMore ? Number.NEGATIVE_INFINITY : performance.now()
        foldersEveryMs = timeouts.folderPollMs * Math.max(1, count / FOLDERS_AT_A_TIME)
        if (visited > 0) {
          // Messages that arrived in the INBOX meanwhile were not announced.
          await openInbox()
          continue
        }
      }
      if (!ready) options.onReady?.()
      ready = true
      // Any later command ends IDLE; when the server refuses IDLE, we only poll.
      client.idle().catch(() => {})
      await sleep(Math.min(timeouts.pollMs, foldersEveryMs), undefined, { signal: bell.signal }).catch(() => {})
    }
  } finally {
    signal.removeEventListener('abort', ring)
    await leave(client)
  }
}

/** Up to this many folders are polled at the normal interval; with twice as many, half as often. */
const FOLDERS_AT_A_TIME = 10

/** One batch of the INBOX. True when there is more. */
function readInbox(following: Following): Promise<boolean> {
  const { client, timeouts, cursor, store, options } = following
  return gated(options, async () => {
    const known = cursor()
    const batch = await withinOrClose(timeouts.silenceMs, client, fetchBatch(client, known, options.limit ?? LIMIT, options))
    const folders = known?.folders
    const merge = (inbox: FolderCursor): ImapCursor => ({ ...inbox, ...(folders ? { folders } : {}) })
    if (known === null || batch.renumbered || batch.cursor.lastUid > known.lastUid) await store(merged(following, batch, merge))
    return batch.more
  })
}

/**
 * Fetches a batch from each of the other folders, with the INBOX in between. On the first read of a mailbox, reading starts at the
 * end of each folder, or at `since`. A folder that appears later is read from its beginning, because messages may have been
 * moved there before we saw it.
 */
async function readFolders(following: Following, signal: AbortSignal): Promise<{ count: number; visited: number; isMore: boolean }> {
  const { client, settings, timeouts, cursor, store, options } = following
  const folders = await withinOrClose(timeouts.silenceMs, client, listFolders(client, settings.folders))
  if (cursor()?.folders === undefined) await store(firstLook(cursor()!, folders, await options.since?.()))
  let visited = 0
  let isMore = false
  for (const { path, uidValidity, uidNext } of folders) {
    if (signal.aborted) break
    const known = () => cursor()?.folders?.[path] ?? UNSEEN
    const before = known()
    if (before.uidValidity === uidValidity && uidNext <= before.lastUid + 1) continue
    await withinOrClose(timeouts.silenceMs, client, client.mailboxOpen(path, { readOnly: true }))
    visited += 1
    const more = await gated(options, async () => {
      const batch = await withinOrClose(timeouts.silenceMs, client, fetchBatch(client, known(), options.limit ?? LIMIT, options))
      const inbox = cursor()!
      await store(merged(following, batch, folder => ({ ...inbox, folders: { ...inbox.folders, [path]: folder } })))
      return batch.more
    })
    isMore ||= more
  }
  return { count: folders.length, visited, isMore }
}

/** The start of each folder. It is stored before the first folder is read, so that it also holds after a lost connection. */
function firstLook(inbox: ImapCursor, folders: WatchedFolder[], since: Date | undefined): FetchedBatch<ImapCursor> {
  const startOf = ({ uidValidity, uidNext }: WatchedFolder): FolderCursor => {
    const lastUid = Math.max(0, uidNext - 1)
    return since ? { uidValidity, lastUid: 0, first: { since: since.toISOString(), lastUid } } : { uidValidity, lastUid }
  }
  const cursor: ImapCursor = { ...inbox, folders: Object.fromEntries(folders.map(folder => [folder.path, startOf(folder)])) }
  const { uidValidity } = inbox
  const nothing = { messages: [], renumbered: false, more: false, fetchMore: () => Promise.resolve(undefined) }
  return { ...nothing, folder: 'INBOX', isJunk: false, uidValidity, cursor, cursorAt: () => cursor }
}

/** Matches no real UIDVALIDITY, so that the folder counts as renumbered and only recent messages are read. */
const UNSEEN: FolderCursor = { uidValidity: '', lastUid: 0 }
const LIMIT = 50
const LARGE_MESSAGE_SILENCES = 10

const gated = <T>(options: WatchOptions, work: () => Promise<T>): Promise<T> => (options.gate ? options.gate(work) : work())

function merged(
  { client, timeouts }: Following,
  batch: FetchedBatch,
  merge: (cursor: FolderCursor) => ImapCursor,
): FetchedBatch<ImapCursor> {
  // A large message takes long on a slow line. After this time we use the part that has arrived, so that the next messages do not wait.
  const fetchMore = (uid: number) =>
    withinOrClose(LARGE_MESSAGE_SILENCES * timeouts.silenceMs, client, batch.fetchMore(uid)).catch(() => undefined)
  return { ...batch, cursor: merge(batch.cursor), cursorAt: uid => merge(batch.cursorAt(uid)), fetchMore }
}

const REFUSED_SEARCH = 'The server refuses to search the folder'
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024
const MAX_BATCH_BYTES = 4 * MAX_MESSAGE_BYTES
/** The maximum that is read of a relevant message: enough for 10 MB of attachments in base64. */
const MAX_WHOLE_BYTES = 16 * 1024 * 1024

/**
 * The messages after the cursor, oldest first, at most `limit`, on a connection that has the folder open. Without a cursor,
 * only messages since `since` are fetched, in several batches if needed, or none, and the cursor is set to the end of
 * the folder: the old mail of a mailbox that is connected today does not matter.
 */
export async function fetchBatch(
  client: ImapFlow,
  known: FolderCursor | null,
  limit: number,
  options: FetchOptions,
): Promise<FetchedBatch> {
  const mailbox = client.mailbox
  if (!mailbox) throw new Error('The folder is not open')
  const uidValidity = String(mailbox.uidValidity)
  const fetchMore = async (uid: number) => (await fetchMessages(client, [uid], MAX_WHOLE_BYTES)).find(({ refusal }) => refusal === null)
  const renumbered = known !== null && known.uidValidity !== uidValidity
  // Read before the search: the search does not find a message that arrives after it, so the cursor must not pass that one.
  const isNew = known === null || renumbered
  const end = isNew ? await lastUidOf(client) : 0
  const start = known === null ? (await options.since?.())?.toISOString() : known.first?.since
  const first = start === undefined ? undefined : { since: start, lastUid: isNew ? end : known.first!.lastUid }
  const cursorAt = (lastUid: number): FolderCursor => ({ uidValidity, lastUid, ...(first && lastUid < first.lastUid ? { first } : {}) })
  const place = { folder: mailbox.path, isJunk: mailbox.specialUse === '\\Junk', uidValidity, cursorAt, fetchMore }
  if (known === null && !first) return { ...place, messages: [], cursor: cursorAt(end), renumbered, more: false }
  const lastUid = isNew ? 0 : known.lastUid
  const since = first ? dayBefore(new Date(first.since)) : renumbered ? options.rescanSince : undefined
  // The server's own numbers are compared again: "n:*" with nothing after n means the last message there is.
  const query = since ? { since } : { uid: `${lastUid + 1}:*` }
  const answer = await client.search(query, { uid: true })
  // A refused search is not an empty result: the cursor must not pass messages that were not searched.
  if (!answer) throw new Error(REFUSED_SEARCH)
  const found = answer.filter(uid => uid > lastUid).sort((a, b) => a - b)
  const wanted = await withinBytes(client, found.slice(0, limit), options.maxBytes ?? MAX_BATCH_BYTES)
  const more = found.length > wanted.length
  // A search by date leaves out older messages, even after the last one that it finds.
  const reached = Math.max(wanted.at(-1) ?? lastUid, more ? 0 : (first?.lastUid ?? end))
  const fetched = await fetchMessages(client, wanted)
  const isOld = ({ uid, receivedAt }: FetchedMessage): boolean =>
    first !== undefined && uid <= first.lastUid && receivedAt !== null && receivedAt < new Date(first.since)
  const messages = fetched.filter(message => !isOld(message))
  return { ...place, messages, cursor: cursorAt(reached), renumbered, more }
}

/** Servers search by days of their own time zone. */
const dayBefore = (date: Date): Date => new Date(date.getTime() - DAY_MS)

/** The UID of the last message. A server need not state UIDNEXT when a folder is opened; then we ask for the last message. */
async function lastUidOf(client: ImapFlow): Promise<number> {
  const { uidNext, exists } = client.mailbox as { uidNext?: number; exists: number }
  if (uidNext) return uidNext - 1
  if (exists === 0) return 0
  const found = await client.search({ uid: '*' }, { uid: true })
  if (!found) throw new Error(REFUSED_SEARCH)
  return Math.max(0, ...found)
}

/** The first messages that together fit into memory. */
async function withinBytes(client: ImapFlow, uids: number[], maxBytes: number): Promise<number[]> {
  if (uids.length < 2) return uids
  const sizes = new Map<number, number>()
  for await (const { uid, size } of client.fetch(uids.join(','), { uid: true, size: true }, { uid: true })) sizes.set(uid, size ?? 0)
  let total = 0
  const tooMany = uids.findIndex((uid, index) => {
    total += Math.min(sizes.get(uid) ?? 0, MAX_MESSAGE_BYTES)
    return index > 0 && total > maxBytes
  })
  return tooMany < 0 ? uids : uids.slice(0, tooMany)
}

async function fetchMessages(client: ImapFlow, uids: number[], maxLength = MAX_MESSAGE_BYTES): Promise<FetchedMessage[]> {
  if (uids.length === 0) return []
  // By UID: some servers send a message twice, or one that was not requested.
  const messages = new Map<number, FetchedMessage>()
  const items = { uid: true, internalDate: true, size: true, source: { start: 0, maxLength } }
  try {
    for await (const message of client.fetch(uids.join(','), items, { uid: true })) {
      if (!message.source || !uids.includes(message.uid)) continue
      messages.set(message.uid, {
        uid: message.uid,
        raw: message.source,
        // Some servers report a wrong size, so a message that fills the limit counts as cut.
        isCut: message.source.length >= maxLength && (message.size ?? Number.POSITIVE_INFINITY) > message.source.length,
        receivedAt: dateOf(message.internalDate),
        refusal: null,
      })
    }
  } catch (error) {
    const refusal = messageRefusalOf(error as ImapFailure)
    if (refusal === null || !client.usable) throw error
    // One message that the server cannot return must not hide the others, so each is requested alone.
    const left = uids.filter(uid => !messages.has(uid))
    if (left.length === 1) messages.set(left[0]!, refusedMessage(client, left[0]!, refusal))
    else for (const uid of left) for (const message of await fetchMessages(client, [uid], maxLength)) messages.set(uid, message)
    // When the server returns none of several messages, the server has a problem: we request them again later.
    if (left.length > 1 && [...messages.values()].every(message => message.refusal !== null)) throw error
  }
  return [...messages.values()].sort((a, b) => a.uid - b.uid)
}

/** Null for a date that cannot be read: no message with it could be stored, and none behind it would be read. */
function dateOf(internalDate: Date | string | undefined): Date | null {
  const date = new Date(internalDate ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}

function refusedMessage({ mailbox }: ImapFlow, uid: number, refusal: string): FetchedMessage {
  const place = mailbox ? `${mailbox.path} ${mailbox.uidValidity} ${uid}` : `${uid}`
  return { uid, raw: Buffer.from(place), isCut: false, receivedAt: null, refusal }
}

interface WatchedFolder {
  path: string
  uidValidity: string
  uidNext: number
}

/** Folders with the user's own messages, deleted ones and duplicates. The spam folder is not here: it may contain replies. */
const WITHOUT_REPLIES = new Set(['\\Sent', '\\Drafts', '\\Trash', '\\Flagged', '\\Important'])
const MAX_FOLDERS = 200

/**
 * The folders other than the INBOX in which a reply can arrive, because a rule of the server or of the mail program sorts it
 * there. A server that keeps everything in one more folder (`\All`) needs only that one, and the one for spam.
 */
async function listFolders(client: ImapFlow, chosen: string[] | undefined): Promise<WatchedFolder[]> {
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
  if (missing !== undefined) throw new Error(`There is no folder ${missing}. The folders are ${paths.slice(0, 20).join(', ')}`)
  const open = async () => `${(await client.mailboxOpen('INBOX', { readOnly: true })).exists} messages in INBOX`
  const openingMs = Math.max(0, leftMs - (performance.now() - startedMs))
  const late = `The server did not open INBOX within ${Math.round(openingMs / 1000)} seconds, so the folder could not be checked`
  const opened = await Promise.race([open(), sleep(openingMs, late, { ref: false })])
  const sent = folders.find(folder => folder.specialUse === '\\Sent')
  const copies = sent ? `sent messages are in ${sent.path}` : 'no folder is marked for sent messages'
  return `${opened}, ${paths.length} folders, ${copies}`
}
