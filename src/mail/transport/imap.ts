import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ImapFlow } from 'imapflow'
import { MINUTE_MS } from '../../lib/time.ts'
import { explainFailure } from './diagnose.ts'
import { type Destination, dialOptions } from './dial.ts'
import { farewellOf, ImapCrowded, type ImapFailure, ImapSignInRefused, ImapTokenRefused, refusalOf } from './imap-refusal.ts'
import type { MailAuth } from './mail-auth.ts'
import { checkFingerprint, type Trust, tlsOptionsOf } from './trust.ts'

/**
 * Reading the user's mailbox: what came in since last time, and whether a message of ours is among the sent ones.
 *
 * The folder is only ever opened read-only and bodies are fetched with PEEK: the user's unread mail stays unread.
 */

export interface ImapTimeouts {
  connectMs: number
  /** The longest wait for the greeting. By default as long as for the connection. */
  greetingMs?: number
  /** The longest silence of the server outside IDLE. */
  silenceMs: number
  /** IDLE is ended and begun again after this long, because routers forget quiet connections. */
  idleMs: number
  /** Looks for new messages this often even when the server announces none. */
  pollMs: number
  /** Looks into the folders besides the INBOX this often, and less often where there are many. */
  folderPollMs: number
  /** The first pause after a failure; it doubles up to five minutes. */
  retryMs: number
}

export interface ImapSettings extends Destination, Trust {
  auth: MailAuth
  /** Default: INBOX. */
  folder?: string | undefined
  /** The folders that are watched besides the INBOX. Default: all in which a reply can arrive. */
  folders?: string[] | undefined
  timeouts?: Partial<ImapTimeouts> | undefined
}

/** Where reading a folder stopped. UIDs mean something only together with the folder's UIDVALIDITY. */
export interface FolderCursor {
  uidValidity: string
  lastUid: number
  /** While a folder is read for the first time: up to `lastUid`, only what came in since then is of concern. */
  first?: { since: string; lastUid: number }
}

/** Where reading a mailbox stopped: in its INBOX, and in its other folders by their path. */
export interface ImapCursor extends FolderCursor {
  folders?: Record<string, FolderCursor>
}

export interface FetchedMessage {
  uid: number
  /** At most `MAX_MESSAGE_BYTES` of it: what is cut off is attachments. */
  raw: Buffer
  isCut: boolean
  flags: string[]
  receivedAt: Date | null
  /** Why the server does not hand the message out. `raw` then only names its place, so that it can be told from others. */
  refusal: string | null
}

export interface FetchedBatch<Cursor = FolderCursor> {
  folder: string
  /** The server takes what lies here for spam. */
  isJunk: boolean
  uidValidity: string
  messages: FetchedMessage[]
  /** Store this in the transaction that stores the messages. */
  cursor: Cursor
  /** What to store when the batch has been stored up to this message only. */
  cursorAt(uid: number): Cursor
  /** More of a message that was cut, for as long as the batch is being stored. */
  fetchMore(uid: number): Promise<FetchedMessage | undefined>
  /** The server gave the folder new UIDs: messages seen before may come again, so tell them apart by Message-ID. */
  renumbered: boolean
  /** There are more messages than the limits allow at once. */
  more: boolean
}

export const IMAP_TIMEOUTS: ImapTimeouts = {
  connectMs: 30_000,
  silenceMs: 90_000,
  idleMs: 5 * MINUTE_MS,
  pollMs: 2 * MINUTE_MS,
  folderPollMs: 15_000,
  retryMs: 2_000,
}
/** More than is ever asked for of a message at once, and the longest line of an answer. */
const MAX_LITERAL_BYTES = 32 * 1024 * 1024
const MAX_LINE_BYTES = 2 * 1024 * 1024

export interface FetchOptions {
  /** How many bytes of messages are held at once. A single message is fetched even if it is larger. */
  maxBytes?: number
  /** After a renumbering only messages since this day are read again. Without it: all. */
  rescanSince?: Date
  /** Where a mailbox that is read for the first time is read from. Asked when its end is known. Without an answer: from that end on. */
  since?: () => Promise<Date | undefined>
}

/**
 * Whether a message with this id lies in the Sent folder. `unavailable` when that cannot be known: no such folder, or no
 * connection. `false` means that a message was not sent only where messages that were sent beside it are there.
 */
export async function findInSent(settings: ImapSettings, messageId: string): Promise<boolean | 'unavailable'> {
  const found = await findAllInSent(settings, [messageId])
  return found === 'unavailable' ? found : found.has(messageId)
}

/** Those of the messages that lie in the Sent folder. Where the mailbox is full, a message that is absent may have been sent. */
export async function findAllInSent(settings: ImapSettings, messageIds: string[]): Promise<Set<string> | 'unavailable'> {
  try {
    return await visitInbox(settings, 2 + messageIds.length, async client => {
      const sent = await findSentFolder(client)
      if (!sent) return 'unavailable'
      await client.mailboxOpen(sent, { readOnly: true })
      const present = new Set<string>()
      for (const messageId of messageIds) {
        const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
        if (!found) return 'unavailable'
        if (found.length > 0) present.add(messageId)
      }
      return present.has(messageIds[0]!) || (await hasRoom(client, sent)) ? present : 'unavailable'
    })
  } catch {
    return 'unavailable'
  }
}

/** A little less than this is left where one message fits in and the next one does not. */
const LEAST_ROOM_BYTES = 1024 * 1024

/** False when the server says that there is hardly room for another message. Most servers that have no limit say nothing. */
async function hasRoom(client: ImapFlow, path: string): Promise<boolean> {
  const quota = await client.getQuota(path).catch(() => false as const)
  if (!quota) return true
  const isBytesLeft = !quota.storage?.limit || quota.storage.limit - (quota.storage.usage ?? 0) >= LEAST_ROOM_BYTES
  const isCountLeft = !quota.message?.limit || quota.message.limit > (quota.message.usage ?? 0)
  return isBytesLeft && isCountLeft
}

export async function findSentFolder(client: ImapFlow): Promise<string | undefined> {
  return (await client.list()).find(folder => folder.specialUse === '\\Sent')?.path
}

/** Signs in, does the work and leaves. */
export async function visitInbox<T>(settings: ImapSettings, questions: number, work: (client: ImapFlow) => Promise<T>): Promise<T> {
  const client = await connectImap(settings)
  try {
    return await withinOrClose(questions * { ...IMAP_TIMEOUTS, ...settings.timeouts }.silenceMs, client, work(client))
  } finally {
    await leave(client)
  }
}

/**
 * The library's time-outs measure silence. A server that says "still here" is never silent, and one that dies while the connection idles is
 * expected to be: so whatever is asked of a server has a limit of its own.
 */
export async function withinOrClose<T>(limitMs: number, client: ImapFlow, work: Promise<T>): Promise<T> {
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

export interface InboxAccess {
  /** A sentence for a report. */
  said: string
  /** Null when the account has all the connections that it may have. */
  client: ImapFlow | null
}

/** The first half of trying an inbox: up to the end of the sign-in. Throws what went wrong. */
export async function signInToInbox(settings: ImapSettings): Promise<InboxAccess> {
  const { user } = settings.auth
  try {
    return { said: `Signed in as ${user}`, client: await connectImap(settings) }
  } catch (error) {
    // Who reads the inbox may be we ourselves.
    if (error instanceof ImapCrowded) return { said: `Signed in as ${user}. ${error.message}`, client: null }
    throw error instanceof ImapTokenRefused ? error.refusal : error
  }
}

export async function connectImap(settings: ImapSettings): Promise<ImapFlow> {
  const timeouts = { ...IMAP_TIMEOUTS, ...settings.timeouts }
  const { user, password, accessToken } = settings.auth
  let isSigningIn = false
  // The library signs in as soon as it can, so the password is handed out only after a look at the certificate.
  const handOut = (secret: string | undefined): string | undefined => {
    const { socket } = client as unknown as { socket?: Socket }
    checkFingerprint(socket, settings)
    // Plain text is allowed where there is no encryption. A server, or somebody before it, that offers it and then refuses is another matter.
    if (settings.security === 'opportunistic' && client.capabilities.has('STARTTLS') && !(socket instanceof TLSSocket))
      throw new Error('The server offers encryption, and refuses it when asked for')
    isSigningIn = true
    return secret
  }
  const auth = {
    user,
    get accessToken() {
      return handOut(accessToken)
    },
    get pass() {
      return handOut(accessToken ? undefined : (password ?? ''))
    },
  }
  // Loaded when the first inbox is read: a start without one has no use for it.
  const { ImapFlow: Client } = await import('imapflow')
  const client: ImapFlow = new Client({
    host: settings.host,
    port: settings.port,
    secure: settings.security === 'tls',
    ...(settings.security === 'starttls' ? { doSTARTTLS: true } : settings.security === 'none' ? { doSTARTTLS: false } : {}),
    auth: auth as { user: string },
    // The library hands these to `connect` whether or not the connection begins with TLS.
    tls: { ...dialOptions(settings, timeouts.connectMs), ...tlsOptionsOf(settings) } as never,
    logger: false,
    disableAutoIdle: true,
    maxIdleTime: timeouts.idleMs,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.greetingMs ?? timeouts.connectMs,
    socketTimeout: timeouts.silenceMs,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxLineLength: MAX_LINE_BYTES,
    maxResponseSize: MAX_LITERAL_BYTES,
  })
  // Failures are reported by the call that meets them; without a listener the event would end the process.
  client.on('error', () => {})
  // The library's time-outs measure silence; a server that trickles must end too.
  let isLate = false
  const limit = setTimeout(
    () => {
      isLate = true
      client.close()
    },
    2 * timeouts.connectMs + timeouts.silenceMs,
  )
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    const failure = error as ImapFailure
    // Dovecot makes everybody wait, for up to 15 seconds, who signs in from where wrong passwords came from.
    if (isSigningIn && (isLate || failure.code === 'ETIMEOUT'))
      throw new Error('The server has greeted, but does not answer in time when asked to sign in')
    const refusal = refusalOf(failure)
    if (refusal instanceof ImapSignInRefused && accessToken && settings.auth.renew?.()) throw new ImapTokenRefused(refusal)
    if (refusal) throw refusal
    failure.message = farewellOf(client) ?? explainFailure(failure, settings)
    throw failure
  } finally {
    clearTimeout(limit)
  }
}

export async function openFolder(client: ImapFlow, settings: ImapSettings): Promise<void> {
  await client.mailboxOpen(settings.folder ?? 'INBOX', { readOnly: true })
}

/** A polite goodbye, but never a wait for a server that has stopped answering. */
export async function leave(client: ImapFlow): Promise<void> {
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
