import type { Socket } from 'node:net'

import type SMTPConnection from 'nodemailer/lib/smtp-connection'

import { type Destination, dial } from './dial.ts'
import { type MailAuth, oneLineOf, xoauth2 } from './mail-auth.ts'
import { connectError, type LibraryError, refusalOf, type SmtpAnswer, signInError } from './smtp-answers.ts'
import { OUT_OF_STEP, SmtpDialogue, type SmtpExtensions } from './smtp-dialogue.ts'
import { checkFingerprint, type Trust, tlsOptionsOf } from './trust.ts'

/**
 * Sends messages over the user's own mail server, and reports exactly how far each one got.
 *
 * Whether a message may be tried again depends on one thing: could the server have accepted it? A library opens the
 * connection, encrypts it and signs in. Its errors do not say how far a message got (a lost connection looks the same
 * before the first command and after the final dot), so we speak the dialogue of each message ourselves.
 */

interface SmtpTimeouts {
  /** For connecting, and again for greeting and TLS. */
  connectMs: number
  /** The longest wait for the greeting, which some servers delay against spam. Default: the time limit of the connection. */
  greetingMs?: number
  /** The longest silence of the server. */
  silenceMs: number
  /** One message, from MAIL FROM to the answer. */
  sendMs: number
}

export interface SmtpSettings extends Destination, Trust {
  auth?: MailAuth | null | undefined
  /** The name given in EHLO. */
  helloName?: string | undefined
  timeouts?: Partial<SmtpTimeouts> | undefined
}

export interface Envelope {
  from: string
  to: string
}

const DEFAULT_TIMEOUTS: SmtpTimeouts = { connectMs: 30_000, silenceMs: 60_000, sendMs: 300_000 }

export class SmtpSession {
  readonly #connection: SMTPConnection
  readonly #settings: SmtpSettings
  readonly #timeouts: SmtpTimeouts
  /** From the first message on. */
  #dialogue: SmtpDialogue | null = null
  #open = false
  #busy = false
  #mustReset = false
  #lastError: LibraryError | null = null
  #carriedCount = 0
  /** How many messages the server takes over one connection (RFC 9422). */
  #mostMessages = Number.POSITIVE_INFINITY

  private constructor(Connection: typeof SMTPConnection, settings: SmtpSettings, timeouts: SmtpTimeouts, socket: Socket) {
    this.#settings = settings
    this.#timeouts = timeouts
    this.#connection = new Connection({
      connection: socket,
      // The name that the certificate must be for; the library looks nothing up for a socket that is open.
      host: settings.host,
      port: settings.port,
      secure: settings.security === 'tls',
      requireTLS: settings.security === 'starttls',
      ignoreTLS: settings.security === 'none',
      // The socket is connected already; the library uses this as the time limit for STARTTLS.
      connectionTimeout: this.#timeouts.greetingMs ?? this.#timeouts.connectMs,
      greetingTimeout: this.#timeouts.greetingMs ?? this.#timeouts.connectMs,
      socketTimeout: this.#timeouts.silenceMs,
      maxResponseSize: 64 * 1024,
      ...(settings.helloName ? { name: settings.helloName } : {}),
      tls: tlsOptionsOf(settings),
    })
    this.#connection.on('error', (error: LibraryError) => {
      this.#lastError = error
      this.#open = false
      this.#dialogue?.fail(error)
    })
    this.#connection.on('end', () => {
      this.#open = false
      this.#dialogue?.fail(new Error('Connection closed unexpectedly'))
    })
  }

  /** Connects and, where credentials are given, signs in. Throws SmtpConnectError. */
  static async connect(settings: SmtpSettings): Promise<SmtpSession> {
    const session = await SmtpSession.open(settings)
    await session.signIn()
    return session
  }

  /** The first half of `connect`: up to the end of the TLS handshake and EHLO. */
  static async open(settings: SmtpSettings): Promise<SmtpSession> {
    const timeouts = { ...DEFAULT_TIMEOUTS, ...settings.timeouts }
    // Loaded for the first connection, so that a start without a mail server is faster.
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const socket = await dial(settings, timeouts.connectMs).catch((error: LibraryError) => {
      throw connectError(error, settings)
    })
    const session = new SmtpSession(Connection, settings, timeouts, socket)
    try {
      await session.#until<void>((timeouts.greetingMs ?? timeouts.connectMs) + 1000, (resolve, reject) => {
        session.#connection.once('error', reject)
        session.#connection.once('end', () => reject(new Error('The server closed the connection')))
        session.#connection.connect(error => (error ? reject(error) : resolve()))
      })
      checkFingerprint(session.#inner._socket, settings)
      if (session.#isOutOfStep) throw new Error(OUT_OF_STEP)
      session.#mostMessages = mostMessagesOf(session.#inner)
    } catch (error) {
      session.abort()
      throw connectError(error as LibraryError, settings)
    }
    session.#open = true
    return session
  }

  /** The second half of `connect`. Does nothing when the settings carry no credentials. */
  async signIn(): Promise<void> {
    const { auth } = this.#settings
    if (!auth) return
    try {
      await this.#until<void>(this.#timeouts.silenceMs, (resolve, reject) => {
        this.#connection.once('error', reject)
        this.#connection.once('end', () => reject(this.#lastError ?? new Error('The server closed the connection')))
        this.#connection.login(credentialsFor(auth) as never, error => (error ? reject(error) : resolve()))
      })
      if (this.#isOutOfStep) throw new Error(OUT_OF_STEP)
    } catch (error) {
      this.abort()
      throw signInError(error as LibraryError)
    }
  }

  /** A sentence for a report. */
  get encryption(): string {
    if (!this.#inner.secure) return 'Connected without encryption'
    return tlsOptionsOf(this.#settings).rejectUnauthorized === false && !this.#settings.fingerprint256
      ? 'Encrypted, the certificate was not checked'
      : 'Encrypted, the certificate is trusted'
  }

  /** Whether another message can be sent over this connection. */
  get usable(): boolean {
    return this.#open && !this.#busy && this.#carriedCount < this.#mostMessages
  }

  /** Whether this connection has carried messages: a failure now may be due to its age. */
  get hasCarried(): boolean {
    return this.#carriedCount > 0
  }

  /** The server has sent more answers than there were commands, so the next answer could be mistaken for another one's. */
  get #isOutOfStep(): boolean {
    const { _responseQueue: queue = [], _remainder: rest = '' } = this.#inner
    return `${queue.join('')}${rest}`.trim() !== ''
  }

  get #inner(): Inner {
    return this.#connection as unknown as Inner
  }

  /**
   * Sends one message to one recipient. Never throws because of the server or the network. Messages are sent one at a
   * time; a session that is no longer usable returns `not_sent`.
   */
  async send(envelope: Envelope, raw: string): Promise<SmtpAnswer> {
    if (this.#busy) return { kind: 'not_sent', reason: 'The connection is busy with another message' }
    if (!this.#open) return { kind: 'not_sent', reason: 'The connection is closed' }
    // The library has read an answer, or a part of one, without a command.
    if (!this.#dialogue && this.#isOutOfStep) {
      this.abort()
      return { kind: 'not_sent', reason: OUT_OF_STEP }
    }
    this.#busy = true
    const dialogue = this.#talk()
    const timer = setTimeout(() => dialogue.fail(new Error('The server took too long')), this.#timeouts.sendMs)
    try {
      if (this.#mustReset && !(await dialogue.reset())) {
        this.abort()
        return { kind: 'not_sent', reason: 'The server did not accept RSET' }
      }
      return await this.#transmit(dialogue, envelope, raw)
    } finally {
      clearTimeout(timer)
      this.#busy = false
    }
  }

  /** Says goodbye and closes. */
  close(): void {
    if (this.#open && !this.#busy && !this.#dialogue) this.#connection.quit()
    else {
      if (this.#open && !this.#busy) this.#inner._socket?.write('QUIT\r\n')
      this.#connection.close()
    }
    this.#open = false
  }

  /** Closes at once, without QUIT. */
  abort(): void {
    this.#open = false
    this.#connection.close()
  }

  /** The library still handles errors, time-outs and the end of the connection, but no longer reads the answers of the server. */
  #talk(): SmtpDialogue {
    if (this.#dialogue) return this.#dialogue
    const socket = this.#inner._socket!
    socket.removeAllListeners('data')
    this.#dialogue = new SmtpDialogue(socket, extensionsOf(this.#inner))
    return this.#dialogue
  }

  async #transmit(dialogue: SmtpDialogue, envelope: Envelope, raw: string): Promise<SmtpAnswer> {
    const { _maxAllowedSize: largest = 0 } = this.#inner
    if (largest > 0 && raw.length > largest)
      return refusalOf('mail_from', `552 5.3.4 Message size larger than allowed ${largest}`, envelope)
    // RFC 9422 counts transactions, those that were refused included.
    this.#carriedCount++
    const reached = await dialogue.transact(envelope, raw)
    this.#mustReset = reached.kind !== 'accepted'
    // When the two sides may disagree on the state of the dialogue, the connection is not used again.
    if (reached.kind === 'lost' || reached.isOver) this.abort()
    if (reached.kind === 'accepted') return { kind: 'accepted', response: reached.reply }
    if (reached.kind === 'refused') return refusalOf(reached.stage, reached.reply, envelope)
    return { kind: reached.handedOver ? 'unknown' : 'not_sent', reason: oneLineOf(reached.error.message) }
  }

  /** The library's time-outs measure silence; a server that trickles must end too. */
  async #until<T>(limitMs: number, start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const before = this.#connection.listeners('error')
    const beforeEnd = this.#connection.listeners('end')
    try {
      return await new Promise<T>((resolve, reject) => {
        timer = setTimeout(() => {
          const error: LibraryError = new Error('The server took too long')
          error.code = 'ETIMEDOUT'
          reject(error)
        }, limitMs)
        start(resolve, reject)
      })
    } finally {
      clearTimeout(timer)
      for (const listener of this.#connection.listeners('error')) {
        if (!before.includes(listener)) this.#connection.removeListener('error', listener as () => void)
      }
      for (const listener of this.#connection.listeners('end')) {
        if (!beforeEnd.includes(listener)) this.#connection.removeListener('end', listener as () => void)
      }
    }
  }
}

/** Private members of the library that we need. */
interface Inner {
  _socket?: Socket
  _responseQueue?: string[]
  _remainder?: string
  _supportedExtensions: string[]
  _maxAllowedSize?: number
  secure: boolean
  /** The answer to EHLO when a connection has just been opened. */
  lastServerResponse?: string | false
}

function extensionsOf({ _supportedExtensions: offered }: Inner): SmtpExtensions {
  return { pipelining: offered.includes('PIPELINING'), smtpUtf8: offered.includes('SMTPUTF8'), size: offered.includes('SIZE') }
}

function mostMessagesOf({ lastServerResponse }: Inner): number {
  const limit = /^250[ -]LIMITS\b.*\bMAILMAX=(\d{1,6})\b/im.exec(lastServerResponse || '')?.[1]
  return Math.max(1, Number(limit ?? Number.POSITIVE_INFINITY))
}

function credentialsFor(auth: MailAuth): object {
  const { user, accessToken } = auth
  if (!accessToken) return { user, pass: auth.password ?? '', credentials: { user, pass: auth.password ?? '' } }
  return {
    user,
    oauth2: {
      // The library wants to renew a refused token; the caller does that, so we refuse here.
      getToken: (renew: boolean, done: (error: Error | null, token?: string) => void) =>
        renew ? done(new Error('The access token was refused')) : done(null, accessToken),
      buildXOAuth2Token: (token: string) => xoauth2(user, token),
    },
  }
}
