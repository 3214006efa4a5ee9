import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { checkFingerprint, type Destination, dial, type MailAuth, oneLineOf, type Trust, tlsOptionsOf, xoauth2 } from './dial.ts'
import {
  connectError,
  refusalOf,
  type SmtpAnswer,
  SmtpDialogue,
  type SmtpExtensions,
  type SmtpFailure,
  signInError,
} from './smtp-dialogue.ts'

/**
 * Sends messages over the user's own mail server, and reports exactly how far each one got.
 *
 * Whether a message may be tried again depends on one thing: could the server have accepted it? The errors of a library do
 * not say (docs/decisions/0012-our-own-smtp.md), so the whole dialogue is ours.
 */

interface SmtpTimeouts {
  /** For connecting, and again for greeting and TLS. */
  connectMs: number
  /** The longest wait for the greeting, which some servers delay against spam. Default: the time limit of the connection. */
  greetingMs?: number
  silenceMs: number
  /** One message, from MAIL FROM to the response. */
  sendMs: number
}

export interface SmtpSettings extends Destination, Trust {
  auth?: MailAuth | null | undefined
  helloName?: string | undefined
  timeouts?: Partial<SmtpTimeouts> | undefined
}

export interface Envelope {
  from: string
  to: string
}

const DEFAULT_TIMEOUTS: SmtpTimeouts = { connectMs: 30_000, silenceMs: 60_000, sendMs: 300_000 }

export class SmtpSession {
  readonly #settings: SmtpSettings
  readonly #timeouts: SmtpTimeouts
  readonly #opened: Opened
  #busy = false
  #mustReset = false
  #carriedCount = 0

  private constructor(settings: SmtpSettings, timeouts: SmtpTimeouts, opened: Opened) {
    this.#settings = settings
    this.#timeouts = timeouts
    this.#opened = opened
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
    const { connectMs, silenceMs } = timeouts
    try {
      const socket = await dial(settings, connectMs)
      const opened = await openDialogue(socket, settings, { silenceMs, setupMs: timeouts.greetingMs ?? connectMs })
      return new SmtpSession(settings, timeouts, opened)
    } catch (error) {
      throw connectError(error as SmtpFailure, settings)
    }
  }

  /** The second half of `connect`. Does nothing when the settings carry no credentials. */
  async signIn(): Promise<void> {
    const { auth } = this.#settings
    if (!auth) return
    const { dialogue, offered } = this.#opened
    const timer = setTimeout(() => dialogue.fail(smtpFailure('The server took too long', 'ETIMEDOUT')), this.#timeouts.silenceMs)
    try {
      await signInTo(dialogue, auth, offered.auth)
      dialogue.endOpening()
    } catch (error) {
      dialogue.abort()
      throw signInError(error as SmtpFailure)
    } finally {
      clearTimeout(timer)
    }
  }

  /** A sentence for a report. */
  get encryption(): string {
    if (!this.#opened.isEncrypted) return 'Connected without encryption'
    return tlsOptionsOf(this.#settings).rejectUnauthorized === false && !this.#settings.fingerprint256
      ? 'Encrypted, the certificate was not checked'
      : 'Encrypted, the certificate is trusted'
  }

  get usable(): boolean {
    return !this.#opened.dialogue.isOver && !this.#busy && this.#carriedCount < this.#opened.offered.maxMessages
  }

  /** Whether this connection has carried messages: a failure now may be due to its age. */
  get hasCarried(): boolean {
    return this.#carriedCount > 0
  }

  /**
   * Sends one message to one recipient. Never throws because of the server or the network. Messages are sent one at a
   * time; a session that is no longer usable returns `not_sent`.
   */
  async send(envelope: Envelope, raw: string): Promise<SmtpAnswer> {
    if (this.#busy) return { kind: 'not_sent', reason: 'The connection is busy with another message' }
    const { dialogue } = this.#opened
    if (dialogue.isOver) return { kind: 'not_sent', reason: 'The connection is closed' }
    this.#busy = true
    const timer = setTimeout(() => dialogue.fail(new Error('The server took too long')), this.#timeouts.sendMs)
    try {
      if (this.#mustReset && !(await dialogue.reset())) {
        this.abort()
        return { kind: 'not_sent', reason: 'The server did not accept RSET' }
      }
      return await this.#transmit(envelope, raw)
    } finally {
      clearTimeout(timer)
      this.#busy = false
    }
  }

  /** Sends QUIT and closes. */
  close(): void {
    this.#opened.dialogue.close()
  }

  /** Closes at once, without QUIT. */
  abort(): void {
    this.#opened.dialogue.abort()
  }

  async #transmit(envelope: Envelope, raw: string): Promise<SmtpAnswer> {
    const { dialogue, offered } = this.#opened
    if (offered.maxBytes > 0 && raw.length > offered.maxBytes)
      return refusalOf('mail_from', `552 5.3.4 Message size larger than allowed ${offered.maxBytes}`, envelope)
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
}

/** From a connected socket to a session that takes messages: greeting, EHLO, encryption (RFC 3207) and sign-in (RFC 4954). */

interface Opening extends Trust {
  host: string
  helloName?: string | undefined
}

interface Offered extends SmtpExtensions {
  /** Largest message in bytes; 0 when the server does not say. */
  maxBytes: number
  /** How many messages the server takes over one connection (RFC 9422). */
  maxMessages: number
  auth: readonly string[]
}

interface Opened {
  dialogue: SmtpDialogue
  offered: Offered
  isEncrypted: boolean
}

const smtpFailure = (message: string, code: string, response?: string): SmtpFailure =>
  Object.assign(new Error(message), { code }, response === undefined ? {} : { response, responseCode: Number.parseInt(response, 10) || 0 })

async function openDialogue(socket: Socket, to: Opening, { silenceMs, setupMs }: { silenceMs: number; setupMs: number }): Promise<Opened> {
  let phase = 'Greeting never received'
  let current = socket
  // Several steps share one limit, so that a server that trickles comes to an end, too.
  const timer = setTimeout(() => current.destroy(smtpFailure(phase, 'ETIMEDOUT')), setupMs)
  const encrypt = async (): Promise<SmtpDialogue> => {
    phase = 'TLS handshake timed out'
    const tls = await encrypted(current, to, socket => {
      current = socket
    })
    phase = 'The server took too long'
    return new SmtpDialogue(tls, silenceMs)
  }
  try {
    let dialogue = to.security === 'tls' ? await encrypt() : new SmtpDialogue(current, silenceMs)
    phase = 'Greeting never received'
    const greeting = await dialogue.greeting()
    if (!greeting.startsWith('220')) throw smtpFailure('Invalid greeting', 'EPROTOCOL', greeting)
    phase = 'The server took too long'
    let answer = await hello(dialogue, to)
    let isEncrypted = to.security === 'tls'
    if (to.security === 'starttls' || (to.security === 'opportunistic' && /^250[ -]STARTTLS\b/im.test(answer))) {
      const reply = await dialogue.ask('STARTTLS')
      if (!reply.startsWith('2')) throw smtpFailure('Error upgrading connection with STARTTLS', 'ETLS', reply)
      // Plain text after this response may come from an attacker in between, so it is not read (RFC 3207, section 6).
      dialogue.detach()
      dialogue = await encrypt()
      isEncrypted = true
      answer = await hello(dialogue, to)
    }
    checkFingerprint(current, to)
    dialogue.endOpening()
    const offered = offeredIn(answer)
    dialogue.extensions = offered
    return { dialogue, offered, isEncrypted }
  } catch (error) {
    current.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function encrypted(socket: Socket, to: Opening, begin: (socket: TLSSocket) => void): Promise<TLSSocket> {
  socket.on('error', () => {})
  const servername = isIP(to.host) ? {} : { servername: to.host }
  const secured = connectTls({ socket, host: to.host, ...servername, ...tlsOptionsOf(to) })
  begin(secured)
  await once(secured, 'secureConnect')
  return secured
}

async function hello(dialogue: SmtpDialogue, { helloName = ownName(), security }: Opening): Promise<string> {
  const answer = await dialogue.ask(`EHLO ${helloName}`)
  if (answer.startsWith('2')) return answer
  if (answer.startsWith('421')) throw smtpFailure('Server terminates connection', 'ECONNECTION', answer)
  if (security === 'starttls') throw smtpFailure('EHLO failed but HELO does not support required STARTTLS', 'ECONNECTION', answer)
  const older = await dialogue.ask(`HELO ${helloName}`)
  if (!older.startsWith('2')) throw smtpFailure('Invalid HELO', 'EPROTOCOL', older)
  // A server of the time before extensions: its lines name none.
  return older.slice(0, 3)
}

/** The name of this machine when it is a whole one, or else the literal that stands for none. */
function ownName(): string {
  const name = hostname()
  return isIP(name) === 4 ? `[${name}]` : name.includes('.') ? name : '[127.0.0.1]'
}

function offeredIn(answer: string): Offered {
  const lines = answer.split('\n').map(line => line.slice(4).trim())
  const parametersOf = (name: string): string | undefined =>
    lines
      .find(line => line.toUpperCase() === name || (/^[ =]$/.test(line[name.length] ?? '') && line.toUpperCase().startsWith(name)))
      ?.slice(name.length + 1)
  const maxMessages = /\bMAILMAX=(\d{1,6})\b/i.exec(parametersOf('LIMITS') ?? '')?.[1]
  return {
    pipelining: parametersOf('PIPELINING') !== undefined,
    smtpUtf8: parametersOf('SMTPUTF8') !== undefined,
    size: parametersOf('SIZE') !== undefined,
    maxBytes: Number.parseInt(parametersOf('SIZE') ?? '', 10) || 0,
    maxMessages: Math.max(1, Number(maxMessages ?? Number.POSITIVE_INFINITY)),
    // Old servers write "AUTH=LOGIN".
    auth: lines.filter(line => /^AUTH[ =]/i.test(line)).flatMap(line => line.slice(5).toUpperCase().split(/[ =]+/)),
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Throws an error with the response of the server when that refuses. */
async function signInTo(dialogue: SmtpDialogue, auth: MailAuth, offered: readonly string[]): Promise<void> {
  const { user, password = '', accessToken } = auth
  const mechanism = accessToken ? 'XOAUTH2' : (['PLAIN', 'LOGIN', 'CRAM-MD5'].find(name => offered.includes(name)) ?? 'PLAIN')
  const challenged = async (line: string): Promise<string> => {
    const reply = await dialogue.ask(line)
    if (!reply.startsWith('334')) throw refusedSignIn(reply)
    return Buffer.from(reply.slice(4), 'base64').toString()
  }
  if (mechanism === 'LOGIN') {
    await challenged('AUTH LOGIN')
    await challenged(base64(user))
    return accept(await dialogue.ask(base64(password)))
  }
  if (mechanism === 'CRAM-MD5') {
    const digest = createHmac('md5', password)
      .update(await challenged('AUTH CRAM-MD5'))
      .digest('hex')
    return accept(await dialogue.ask(base64(`${user} ${digest}`)))
  }
  const initial = accessToken ? xoauth2(user, accessToken) : base64(`\0${user}\0${password}`)
  const reply = await dialogue.ask(`AUTH ${mechanism} ${initial}`)
  // A challenge here holds the reason of a refusal; the refusal follows when it is answered with nothing.
  accept(reply.startsWith('334') ? await dialogue.ask('') : reply)
}

function accept(reply: string): void {
  if (!reply.startsWith('2')) throw refusedSignIn(reply)
}

const refusedSignIn = (reply: string): SmtpFailure => smtpFailure('Invalid login', 'EAUTH', reply)
