import { type Destination, dial } from './dial.ts'
import { type MailAuth, oneLineOf } from './mail-auth.ts'
import { connectError, refusalOf, type SmtpAnswer, type SmtpFailure, signInError } from './smtp-answers.ts'
import { type Opened, openDialogue, signInTo, smtpFailure } from './smtp-opening.ts'
import { type Trust, tlsOptionsOf } from './trust.ts'

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

  /** Whether another message can be sent over this connection. */
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

  /** Says goodbye and closes. */
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
