import type { ImapFlow } from 'imapflow'
import {
  connectImap,
  type FetchedBatch,
  type FetchOptions,
  type FolderCursor,
  IMAP_TIMEOUTS,
  type ImapCursor,
  type ImapSettings,
  type ImapTimeouts,
  leave,
  openFolder,
  withinOrClose,
} from './imap.ts'
import { fetchBatch } from './imap-fetch.ts'
import { listFolders, type WatchedFolder } from './imap-folders.ts'
import { ImapSignInRefused, ImapTokenRefused } from './imap-refusal.ts'

const MAX_RETRY_MS = 5 * 60_000

interface WatchOptions extends FetchOptions {
  /** Runs the fetching and storing of a batch when there is memory for it. */
  gate?: <T>(work: () => Promise<T>) => Promise<T>
  /** The maximum number of messages in a batch. */
  limit?: number
  /** A failure that will be retried by itself. */
  onProblem?: (error: Error) => void
  /** Signed in and watching. */
  onReady?: () => void
}

/**
 * Follows a folder until the signal is raised: IDLE, and polling besides. `onMessages` must store the batch together
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
      await followConnection(current, timeouts, () => cursor, store, signal, { ...options, onReady })
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ImapSignInRefused) throw error
      // A second refusal is final, also when another part of the service has renewed the token in between.
      if (error instanceof ImapTokenRefused && isTokenRefused) throw error.refusal
      if (error instanceof ImapTokenRefused) isTokenRefused = true
      options.onProblem?.(error as Error)
      const pause = Math.min(MAX_RETRY_MS, timeouts.retryMs * 2 ** Math.min(failures, 10))
      failures += 1
      await pauseUntil(pause, signal)
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

async function followConnection(
  settings: ImapSettings,
  timeouts: ImapTimeouts,
  cursor: Following['cursor'],
  store: Following['store'],
  signal: AbortSignal,
  options: WatchOptions,
): Promise<void> {
  const client = await connectImap(settings)
  const following: Following = { client, settings, timeouts, cursor, store, options }
  const bell = new Bell()
  let lost: Error | null = null
  client.on('exists', () => bell.ring())
  client.on('error', (error: Error) => {
    lost = error
    bell.ring()
  })
  client.on('close', () => {
    lost ??= new Error('The server closed the connection')
    bell.ring()
  })
  const onAbort = () => bell.ring()
  signal.addEventListener('abort', onAbort)
  try {
    await withinOrClose(timeouts.silenceMs, client, openFolder(client, settings))
    let ready = false
    let foldersAt = Number.NEGATIVE_INFINITY
    let foldersEveryMs = timeouts.folderPollMs
    while (!signal.aborted) {
      if (lost) throw lost
      // Reset before looking, so that a message that arrives while we fetch rings again.
      bell.silence()
      if (await readInbox(following)) continue
      if (signal.aborted) break
      if (performance.now() - foldersAt >= foldersEveryMs) {
        const { count, visited, isMore } = await readFolders(following, signal)
        foldersAt = isMore ? Number.NEGATIVE_INFINITY : performance.now()
        foldersEveryMs = timeouts.folderPollMs * Math.max(1, count / FOLDERS_AT_A_TIME)
        if (visited > 0) {
          // Messages that arrived in the INBOX meanwhile were not announced.
          await withinOrClose(timeouts.silenceMs, client, openFolder(client, settings))
          continue
        }
      }
      if (!ready) options.onReady?.()
      ready = true
      // Any later command ends IDLE; when the server refuses IDLE, we only poll.
      client.idle().catch(() => {})
      await bell.wait(Math.min(timeouts.pollMs, foldersEveryMs))
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
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

/** Remembers a ring until it is awaited, so that no ring is missed between looking and waiting. */
class Bell {
  #rung = false
  #wake: (() => void) | null = null

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  silence(): void {
    this.#rung = false
  }

  async wait(limitMs: number): Promise<void> {
    if (this.#rung) return
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      timer = setTimeout(resolve, limitMs)
      this.#wake = resolve
    })
    clearTimeout(timer)
    this.#wake = null
  }
}

async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
