import { ImapFlow } from 'imapflow'
import { type Destination, dialOptions } from './dial.ts'
import { type MailAuth, oneLineOf } from './mail-auth.ts'

/**
 * Reading the user's mailbox: what came in since last time, and whether a message of ours is among the sent ones.
 *
 * The folder is only ever opened read-only and bodies are fetched with PEEK: the user's unread mail stays unread.
 */

export interface ImapTimeouts {
  connectMs: number
  /** The longest silence of the server outside IDLE. */
  silenceMs: number
  /** IDLE is ended and begun again after this long, because routers forget quiet connections. */
  idleMs: number
  /** Looks for new messages this often even when the server announces none. */
  pollMs: number
  /** The first pause after a failure; it doubles up to five minutes. */
  retryMs: number
}

export interface ImapSettings extends Destination {
  security: 'tls' | 'starttls' | 'none'
  auth: MailAuth
  ca?: string | undefined
  /** Default: INBOX. */
  folder?: string | undefined
  timeouts?: Partial<ImapTimeouts> | undefined
}

/** Where reading stopped. UIDs mean something only together with the folder's UIDVALIDITY. */
export interface ImapCursor {
  uidValidity: string
  lastUid: number
}

export interface FetchedMessage {
  uid: number
  /** At most `MAX_MESSAGE_BYTES` of it: what is cut off is attachments. */
  raw: Buffer
  flags: string[]
  receivedAt: Date | null
}

export interface FetchedBatch {
  folder: string
  uidValidity: string
  messages: FetchedMessage[]
  /** Store this in the transaction that stores the messages. */
  cursor: ImapCursor
  /** What to store when the batch has been stored up to this message only. */
  cursorAt(uid: number): ImapCursor
  /** The server gave the folder new UIDs: messages seen before may come again, so tell them apart by Message-ID. */
  renumbered: boolean
  /** There are more messages than the limit. */
  more: boolean
}

/** The server refused the sign-in. Trying again without new credentials is useless and may lock the account. */
export class ImapSignInRefused extends Error {
  override readonly name = 'ImapSignInRefused'
}

const DEFAULTS: ImapTimeouts = {
  connectMs: 30_000,
  silenceMs: 90_000,
  idleMs: 5 * 60_000,
  pollMs: 2 * 60_000,
  retryMs: 2_000,
}
const MAX_RETRY_MS = 5 * 60_000
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024

export interface FetchOptions {
  /** After a renumbering only messages since this day are read again. Without it: all. */
  rescanSince?: Date
}

/**
 * The messages after the cursor, oldest first, at most `limit`. Without a cursor nothing is fetched and the cursor is
 * set to the end of the folder: a mailbox that is connected today does not answer for the mail of past years.
 */
export async function fetchSince(
  settings: ImapSettings,
  cursor: ImapCursor | null,
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

export interface WatchOptions extends FetchOptions {
  /** How many messages are handed over at once. */
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
  onMessages: (batch: FetchedBatch) => Promise<void>,
  signal: AbortSignal,
  options: WatchOptions = {},
): Promise<void> {
  let cursor = start
  let failures = 0
  while (!signal.aborted) {
    let timeouts = DEFAULTS
    try {
      const current = typeof settings === 'function' ? await settings() : settings
      timeouts = { ...DEFAULTS, ...current.timeouts }
      await followConnection(current, timeouts, () => cursor, store, signal, options)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ImapSignInRefused) throw error
      options.onProblem?.(error as Error)
      const pause = Math.min(MAX_RETRY_MS, timeouts.retryMs * 2 ** Math.min(failures, 10))
      failures += 1
      await pauseUntil(pause, signal)
    }
  }

  async function store(batch: FetchedBatch): Promise<void> {
    await onMessages(batch)
    cursor = batch.cursor
    failures = 0
  }
}

async function followConnection(
  settings: ImapSettings,
  timeouts: ImapTimeouts,
  cursor: () => ImapCursor | null,
  store: (batch: FetchedBatch) => Promise<void>,
  signal: AbortSignal,
  options: WatchOptions,
): Promise<void> {
  const client = await connectImap(settings)
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
    await openFolder(client, settings)
    let ready = false
    while (!signal.aborted) {
      if (lost) throw lost
      // Silenced before looking: a message that arrives while we fetch rings again.
      bell.silence()
      const known = cursor()
      const batch = await within(timeouts.silenceMs, client, fetchBatch(client, known, options.limit ?? 50, options))
      if (batch.messages.length > 0 || known === null || batch.renumbered) await store(batch)
      if (batch.more) continue
      if (!ready) options.onReady?.()
      ready = true
      // Any later command ends IDLE by itself; a refusal to idle leaves polling.
      client.idle().catch(() => {})
      await bell.wait(timeouts.pollMs)
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    await leave(client)
  }
}

async function fetchBatch(client: ImapFlow, known: ImapCursor | null, limit: number, options: FetchOptions): Promise<FetchedBatch> {
  const mailbox = client.mailbox
  if (!mailbox) throw new Error('The folder is not open')
  const uidValidity = String(mailbox.uidValidity)
  const cursorAt = (lastUid: number): ImapCursor => ({ uidValidity, lastUid })
  if (known === null) {
    const lastUid = Math.max(0, mailbox.uidNext - 1)
    return { folder: mailbox.path, uidValidity, messages: [], cursor: cursorAt(lastUid), cursorAt, renumbered: false, more: false }
  }
  const renumbered = known.uidValidity !== uidValidity
  const lastUid = renumbered ? 0 : known.lastUid
  // The server's own numbers are compared again: "n:*" with nothing after n means the last message there is.
  const query = renumbered && options.rescanSince ? { since: options.rescanSince } : { uid: `${lastUid + 1}:*` }
  const found = ((await client.search(query, { uid: true })) || []).filter(uid => uid > lastUid).sort((a, b) => a - b)
  const wanted = found.slice(0, limit)
  const messages: FetchedMessage[] = []
  if (wanted.length > 0) {
    const items = { uid: true, flags: true, internalDate: true, source: { start: 0, maxLength: MAX_MESSAGE_BYTES } }
    for await (const message of client.fetch(wanted.join(','), items, { uid: true })) {
      if (!message.source) continue
      messages.push({
        uid: message.uid,
        raw: message.source,
        flags: [...(message.flags ?? [])],
        receivedAt: message.internalDate ? new Date(message.internalDate) : null,
      })
    }
    messages.sort((a, b) => a.uid - b.uid)
  }
  const reached = wanted.at(-1) ?? (renumbered ? Math.max(0, mailbox.uidNext - 1) : lastUid)
  return {
    folder: mailbox.path,
    uidValidity,
    messages,
    cursor: cursorAt(reached),
    cursorAt,
    renumbered,
    more: found.length > wanted.length,
  }
}

/**
 * Whether a message with this id lies in the Sent folder. `unavailable` when that cannot be known: no such folder, or no
 * connection. Only `false` from a mailbox that is known to keep copies means that a message was not sent.
 */
export async function findInSent(settings: ImapSettings, messageId: string): Promise<boolean | 'unavailable'> {
  let client: ImapFlow | undefined
  try {
    client = await connectImap(settings)
    const folders = await client.list()
    const sent = folders.find(folder => folder.specialUse === '\\Sent')
    if (!sent) return 'unavailable'
    await client.mailboxOpen(sent.path, { readOnly: true })
    const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
    return found ? found.length > 0 : 'unavailable'
  } catch {
    return 'unavailable'
  } finally {
    if (client) await leave(client)
  }
}

/** Signs in and opens the folder; the answer is a sentence for a report. Throws what went wrong. */
export async function checkMailboxAccess(settings: ImapSettings): Promise<string> {
  const client = await connectImap(settings)
  try {
    await openFolder(client, settings)
    const count = client.mailbox ? client.mailbox.exists : 0
    return `Signed in as ${settings.auth.user}, ${count} messages in ${settings.folder ?? 'INBOX'}`
  } finally {
    await leave(client)
  }
}

async function connectImap(settings: ImapSettings): Promise<ImapFlow> {
  const timeouts = { ...DEFAULTS, ...settings.timeouts }
  const { user, password, accessToken } = settings.auth
  const client = new ImapFlow({
    host: settings.host,
    port: settings.port,
    secure: settings.security === 'tls',
    ...(settings.security === 'tls' ? {} : { doSTARTTLS: settings.security === 'starttls' }),
    auth: accessToken ? { user, accessToken } : { user, pass: password ?? '' },
    // The library hands these to `connect` whether or not the connection begins with TLS.
    tls: { ...dialOptions(settings, timeouts.connectMs), minVersion: 'TLSv1.2', ...(settings.ca ? { ca: settings.ca } : {}) },
    logger: false,
    disableAutoIdle: true,
    maxIdleTime: timeouts.idleMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    maxLiteralSize: 2 * MAX_MESSAGE_BYTES,
    maxLineLength: MAX_MESSAGE_BYTES,
    maxResponseSize: 4 * MAX_MESSAGE_BYTES,
  })
  // Failures are reported by the call that meets them; without a listener the event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    const failure = error as Error & {
      authenticationFailed?: boolean
      responseStatus?: string
      responseText?: string
      serverResponseCode?: string
    }
    // The library calls every failure during the sign-in a failed one, a cut cable included. Only a NO is a refusal,
    // and RFC 5530 names the ones that will pass.
    const refused = failure.authenticationFailed && failure.responseStatus === 'NO'
    if (refused && !['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG'].includes(failure.serverResponseCode ?? '')) {
      throw new ImapSignInRefused(oneLineOf(failure.responseText ?? 'The server refused the sign-in'))
    }
    throw failure
  }
}

async function openFolder(client: ImapFlow, settings: ImapSettings): Promise<void> {
  await client.mailboxOpen(settings.folder ?? 'INBOX', { readOnly: true })
}

/**
 * While a connection idles the library takes silence for granted, so a server that died without a word is noticed only
 * here, by the next look that does not come back.
 */
async function within<T>(limitMs: number, client: ImapFlow, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('The server has stopped answering'))
      client.close()
    }, limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

/** A polite goodbye, but never a wait for a server that has stopped answering. */
async function leave(client: ImapFlow): Promise<void> {
  if (!client.usable) {
    client.close()
    return
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, 2_000)
  })
  await Promise.race([client.logout().catch(() => {}), late])
  clearTimeout(timer)
  client.close()
}

/** Remembers a ring until somebody waits for it, so that nothing is missed between looking and waiting. */
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
