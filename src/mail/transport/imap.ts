import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ImapFlow } from 'imapflow'
import { MINUTE_MS, within } from '../../lib/time.ts'
import { explainFailure } from './diagnose.ts'
import { checkFingerprint, type Destination, dialOptions, type MailAuth, oneLineOf, type Trust, tlsOptionsOf } from './dial.ts'

/**
 * Reads the user's mailbox: the new messages, and whether a message of ours is in the Sent folder.
 *
 * The folder is only ever opened read-only and bodies are fetched with PEEK: the user's unread mail stays unread.
 */

export interface ImapTimeouts {
  connectMs: number
  /** The longest wait for the greeting. By default as long as for the connection. */
  greetingMs?: number
  /** The longest silence of the server outside IDLE. */
  silenceMs: number
  /** IDLE is renewed after this time, because routers drop quiet connections. */
  idleMs: number
  /** Looks for new messages this often even when the server announces none. */
  pollMs: number
  /** Looks into the folders other than the INBOX this often, and less often where there are many. */
  folderPollMs: number
  /** The first pause after a failure; it doubles up to five minutes. */
  retryMs: number
}

export interface ImapSettings extends Destination, Trust {
  auth: MailAuth
  /** The folders that are watched in addition to the INBOX. Default: all in which a reply can arrive. */
  folders?: string[] | undefined
  timeouts?: Partial<ImapTimeouts> | undefined
}

/** The position at which reading a folder stopped. UIDs mean something only together with the folder's UIDVALIDITY. */
export interface FolderCursor {
  uidValidity: string
  lastUid: number
  /** During the first read of a folder: up to `lastUid`, only messages since this time matter. */
  first?: { since: string; lastUid: number }
}

/** The position at which reading a mailbox stopped: in its INBOX, and in its other folders by their path. */
export interface ImapCursor extends FolderCursor {
  folders?: Record<string, FolderCursor>
}

export interface FetchedMessage {
  uid: number
  /** At most `MAX_MESSAGE_BYTES`: what is cut off is attachments. */
  raw: Buffer
  isCut: boolean
  receivedAt: Date | null
  /** Why the server does not return the message. `raw` then contains only its place, which identifies it. */
  refusal: string | null
}

export interface FetchedBatch<Cursor = FolderCursor> {
  folder: string
  /** The folder of messages that the server considers spam. */
  isJunk: boolean
  uidValidity: string
  messages: FetchedMessage[]
  /** Store this in the transaction that stores the messages. */
  cursor: Cursor
  /** The cursor to store if the batch was stored only up to this message. */
  cursorAt(uid: number): Cursor
  /** Reads more of a message that was cut; works only while the batch is being stored. */
  fetchMore(uid: number): Promise<FetchedMessage | undefined>
  /** The server gave the folder new UIDs: messages may come a second time, and can be recognized by their Message-ID. */
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
/** More than one request ever reads of a message. */
const MAX_LITERAL_BYTES = 32 * 1024 * 1024
/** The numbers of 60,000 new messages. A line is parsed at once, and this takes half a second. */
const MAX_LINE_BYTES = 512 * 1024
/** The most that a server may send for one piece of work. A response costs its bytes and more, because it becomes an object. */
const MAX_WORK_BYTES = 48 * 1024 * 1024
const RESPONSE_COST_BYTES = 1000
/** After a response, reading pauses for this many times as long as the response took, so that other work of the thread continues. */
const PAUSE_FACTOR = 2
const MAX_PAUSE_MS = 1000
/** The first responses do not wait. */
const FREE_MS = 20

export interface FetchOptions {
  /** How many bytes of messages are held at once. A single message is fetched even if it is larger. */
  maxBytes?: number
  /** After a renumbering only messages since this day are read again. Without it: all. */
  rescanSince?: Date
  /** The time from which a new mailbox is read. Called when the end of the folder is known. Without a time, reading starts at that end. */
  since?: () => Promise<Date | undefined>
}

/**
 * The messages that are in the Sent folder. `unavailable` when there is no such folder or no connection, and when the mailbox is full. A
 * missing message was not sent only if the messages sent just before and after it are there.
 */
export async function findInSent(settings: ImapSettings, messageIds: string[]): Promise<Set<string> | 'unavailable'> {
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

/** A mailbox with a little less free space may accept one message and refuse the next. */
const LEAST_ROOM_BYTES = 1024 * 1024

/** False when the server reports that there is hardly room for another message. Most servers without a limit report nothing. */
async function hasRoom(client: ImapFlow, path: string): Promise<boolean> {
  const quota = await client.getQuota(path).catch(() => false as const)
  if (!quota) return true
  const isBytesLeft = !quota.storage?.limit || quota.storage.limit - (quota.storage.usage ?? 0) >= LEAST_ROOM_BYTES
  const isCountLeft = !quota.message?.limit || quota.message.limit > (quota.message.usage ?? 0)
  return isBytesLeft && isCountLeft
}

async function findSentFolder(client: ImapFlow): Promise<string | undefined> {
  return (await client.list()).find(folder => folder.specialUse === '\\Sent')?.path
}

async function visitInbox<T>(settings: ImapSettings, questions: number, work: (client: ImapFlow) => Promise<T>): Promise<T> {
  const client = await connectImap(settings)
  try {
    return await withinOrClose(questions * { ...IMAP_TIMEOUTS, ...settings.timeouts }.silenceMs, client, work(client))
  } finally {
    await leave(client)
  }
}

/**
 * The library's timeouts measure silence. A server that sends keep-alives is never silent, and during IDLE silence is
 * normal, so each command has its own time limit.
 */
export async function withinOrClose<T>(limitMs: number, client: ImapFlow, work: Promise<T>): Promise<T> {
  leftBytes.set(client, MAX_WORK_BYTES)
  try {
    return await within(limitMs, work, () => {
      client.close()
      return new Error('The server stopped responding')
    })
  } catch (error) {
    if (leftBytes.get(client)! < 0) throw new Error(TOO_MUCH, { cause: error })
    // The library's own timeout may be faster, and only says that there is no connection.
    if ((error as ImapFailure).code !== 'NoConnection') throw error
    throw new Error('The server stopped responding or closed the connection', { cause: error })
  }
}

const TOO_MUCH = 'The server sends more than Overture reads at once'
const leftBytes = new WeakMap<ImapFlow, number>()
/** Shared by all connections, because they share the thread. */
let pausedUntilMs = 0

interface Response {
  payload: Buffer
  literals: Buffer[]
  /** Called when the response was read: the next one may come. */
  next(): void
}

/**
 * The library limits each response, but not their number: a server that lists folders without end would fill the memory, and the thread would do
 * nothing else.
 */
function limitInflow(client: ImapFlow): void {
  const { streamer } = client as unknown as { streamer: { push(response: Response | null): boolean; destroy(error: Error): void } }
  const push = streamer.push.bind(streamer)
  leftBytes.set(client, MAX_WORK_BYTES)
  streamer.push = response => {
    if (!response) return push(response)
    const { payload, literals, next } = response
    const left = leftBytes.get(client)! - literals.reduce((sum, { length }) => sum + length, payload.length + RESPONSE_COST_BYTES)
    leftBytes.set(client, left)
    if (left < 0) {
      streamer.destroy(new Error(TOO_MUCH))
      return false
    }
    const begunAtMs = performance.now()
    const pauseAndGoOn = (): void => {
      const nowMs = performance.now()
      pausedUntilMs = Math.max(nowMs - FREE_MS, pausedUntilMs) + Math.min(MAX_PAUSE_MS, (nowMs - begunAtMs) * PAUSE_FACTOR)
      if (pausedUntilMs > nowMs) setTimeout(next, pausedUntilMs - nowMs)
      else next()
    }
    return push({ ...response, next: pauseAndGoOn })
  }
}

export interface InboxAccess {
  /** A sentence for a report. */
  said: string
  /** Null when the account has reached its limit of connections. */
  client: ImapFlow | null
}

/** The first half of the check: up to the end of the sign-in. Throws on failure. */
export async function signInToInbox(settings: ImapSettings): Promise<InboxAccess> {
  const { user } = settings.auth
  try {
    return { said: `Signed in as ${user}`, client: await connectImap(settings) }
  } catch (error) {
    // The other connections may be our own.
    if (error instanceof ImapCrowded) return { said: `Signed in as ${user}. ${error.message}`, client: null }
    throw error instanceof ImapTokenRefused ? error.refusal : error
  }
}

export async function connectImap(settings: ImapSettings): Promise<ImapFlow> {
  const timeouts = { ...IMAP_TIMEOUTS, ...settings.timeouts }
  const { user, password, accessToken } = settings.auth
  let isSigningIn = false
  // The library signs in as soon as it can, so it gets the password only after the certificate was checked.
  const handOut = (secret: string | undefined): string | undefined => {
    const { socket } = client as unknown as { socket?: Socket }
    checkFingerprint(socket, settings)
    // Plain text is allowed when the server offers no encryption, but not when the server, or an attacker, offers it and then refuses.
    if (settings.security === 'opportunistic' && client.capabilities.has('STARTTLS') && !(socket instanceof TLSSocket))
      throw new Error('The server offers encryption but refuses to start it')
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
  // Loaded for the first inbox, so that a start without one is faster.
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
  // The failing call reports the error; without a listener, the event would end the process.
  client.on('error', () => {})
  limitInflow(client)
  // The library's timeouts measure silence; a server that trickles must end too.
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
    // After wrong passwords, Dovecot delays every sign-in from the same address by up to 15 seconds.
    if (isSigningIn && (isLate || failure.code === 'ETIMEOUT'))
      throw new Error('The server sends a greeting but does not respond to the sign-in in time')
    const refusal = refusalOf(failure)
    if (refusal instanceof ImapSignInRefused && accessToken && settings.auth.renew?.()) throw new ImapTokenRefused(refusal)
    if (refusal) throw refusal
    failure.message = farewellOf(client) ?? explainFailure(failure, settings)
    throw failure
  } finally {
    clearTimeout(limit)
  }
}

/** Logs out, but does not wait for a server that has stopped answering. */
export async function leave(client: ImapFlow): Promise<void> {
  if (client.usable) await within(2_000, client.logout(), () => new Error('The server stopped responding')).catch(() => {})
  client.close()
}

export interface SentCopy {
  messageId: string
  raw: Buffer
}

/** After this many refused copies, the rest waits for the next attempt. */
const MOST_REFUSED = 3

interface Appended<T> {
  /** The response of the server when it last refused to store a copy. */
  refusal: string | null
  /** The copies that were refused because of the message itself. */
  refused: T[]
  /** The other copies that are not stored, and may be later. */
  left: T[]
}

/**
 * Stores copies of sent messages in the Sent folder, unless the server did so itself. A full mailbox gets them later; a message
 * that is too large is never stored. A refused message does not delay the others.
 */
export function appendToSent<T extends SentCopy>(settings: ImapSettings, copies: T[]): Promise<Appended<T>> {
  return visitInbox(settings, 1 + copies.length, async client => {
    const appended: Appended<T> = { refusal: null, refused: [], left: [] }
    const sent = await findSentFolder(client)
    if (!sent) return appended
    await client.mailboxOpen(sent, { readOnly: true })
    for (const [n, copy] of copies.entries()) {
      const found = await client.search({ header: { 'message-id': copy.messageId } }, { uid: true })
      if (!found || found.length > 0) continue
      try {
        await client.append(sent, copy.raw, ['\\Seen'])
      } catch (error) {
        const refusal = appendRefusalOf(error as ImapFailure)
        if (refusal === null) throw error
        if (refusal.of === 'size') continue
        appended.refusal = refusal.said
        if (refusal.of === 'mailbox') return { ...appended, left: copies.slice(n) }
        appended.refused.push(copy)
        if (appended.refused.length >= MOST_REFUSED) return { ...appended, left: copies.slice(n + 1) }
      }
    }
    return appended
  })
}

/** The server refused the sign-in. Trying again without new credentials is useless and may lock the account. */
export class ImapSignInRefused extends Error {
  override readonly name = 'ImapSignInRefused'
}

/** The same for an access token that may have expired early: a new one was requested, and is tried once. */
export class ImapTokenRefused extends Error {
  override readonly name = 'ImapTokenRefused'
  readonly refusal: ImapSignInRefused

  constructor(refusal: ImapSignInRefused) {
    super(`${refusal.message} (requesting a new token)`)
    this.refusal = refusal
  }
}

/** The credentials are right, but the account has reached its limit of connections. That is temporary. */
export class ImapCrowded extends Error {
  override readonly name = 'ImapCrowded'
}

/** The error of the library when a command was refused or a connection failed. */
export interface ImapFailure extends Error {
  authenticationFailed?: boolean
  responseStatus?: string
  responseText?: string
  serverResponseCode?: string
  code?: string
}

/** Dovecot has a code for it, other servers only a text. */
const CROWDED = /too many\b.{0,40}\bconnections|max(?:imum)?\b.{0,40}\bconnections/i

/** RFC 5530 names the refusals that will pass. Not every server knows it. */
const PASSING_CODES = new Set(['UNAVAILABLE', 'INUSE', 'SERVERBUG'])
const FINAL_CODES = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED', 'PRIVACYREQUIRED', 'CONTACTADMIN'])
const PASSING =
  /\btemporar|try (?:again|later)|again later|come back|(?:server|service|system|internal) (?:is )?(?:error|busy|unavailable|down|overload)|\bunavailable\b|overload|bandwidth|throttl|rate limit|too many (?:login|failed|bad|auth|attempt|request|invalid)/i

/** The reason why the server refused a sign-in; null when the network failed instead. */
function refusalOf(failure: ImapFailure): Error | null {
  // The library reports every failure during the sign-in as a refusal, even a lost connection. Only a NO is a refusal, and
  // RFC 5530 names the ones that will pass.
  if (failure.authenticationFailed && failure.responseStatus === 'BAD') {
    return new Error(`The server rejected the sign-in command: ${oneLineOf(failure.responseText ?? '') || 'no reason given'}`)
  }
  if (!failure.authenticationFailed || failure.responseStatus !== 'NO') return null
  const code = failure.serverResponseCode ?? ''
  const said = oneLineOf(failure.responseText ?? '')
  if (code === 'LIMIT' || CROWDED.test(said)) return new ImapCrowded(`The server accepts no more connections for this account: ${said}`)
  const isPassing = PASSING_CODES.has(code) || (!FINAL_CODES.has(code) && PASSING.test(said))
  if (isPassing) return new Error(`The server does not accept sign-ins right now: ${said || code}`)
  return new ImapSignInRefused(said || 'The server refused the sign-in')
}

/** The server's words when it closed the connection, which explain more than the fact that it did. */
function farewellOf(client: object): string | null {
  const { byeReason } = client as { byeReason?: string | false }
  return byeReason ? `The server closed the connection: ${oneLineOf(byeReason)}` : null
}

interface ParsedAnswer {
  attributes?: { section?: { value?: unknown }[] }[]
}

/** The library reads the code for some commands only. For others, it leaves the parsed response. */
function codeOf(failure: ImapFailure): string {
  const { response } = failure as { response?: ParsedAnswer }
  const parsed = response?.attributes?.[0]?.section?.[0]?.value
  return failure.serverResponseCode ?? (typeof parsed === 'string' ? parsed.toUpperCase() : '')
}

const TOO_LARGE_CODES = new Set(['TOOBIG', 'APPENDLIMIT'])
const NO_ROOM = /\bquota\b|\bfull\b|\b(?:disk|storage|space)\b/i

/** `of`: the subject of the refusal. A full mailbox accepts messages later; after a refused message, it may accept the next. */
interface AppendRefusal {
  of: 'size' | 'message' | 'mailbox'
  said: string
}

/** Why the server does not store a message; null when the network failed instead. */
function appendRefusalOf(failure: ImapFailure): AppendRefusal | null {
  const code = codeOf(failure)
  // Dovecot adds the duration, which is different each time.
  const said = oneLineOf(failure.responseText ?? '').replace(/ \([\d.]+(?: \+ [\d.]+)* secs\)\.?$/, '') || code || 'no reason given'
  if (TOO_LARGE_CODES.has(code)) return { of: 'size', said }
  if (failure.responseStatus !== 'NO') return null
  const isOfMailbox = code === 'OVERQUOTA' || code === 'LIMIT' || PASSING_CODES.has(code) || NO_ROOM.test(said) || PASSING.test(said)
  return { of: isOfMailbox ? 'mailbox' : 'message', said }
}

/** Why the server does not return a message; null when the reason is temporary, or something else failed. */
export function messageRefusalOf(failure: ImapFailure): string | null {
  const said = oneLineOf(failure.responseText ?? '')
  if (failure.responseStatus !== 'NO' || ['UNAVAILABLE', 'INUSE', 'LIMIT'].includes(codeOf(failure)) || PASSING.test(said)) return null
  return said || 'no reason given'
}
