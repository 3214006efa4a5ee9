import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { storableData } from '../../lib/storable-text.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import { type Envelope, SmtpSession, type SmtpSettings } from '../../mail/transport/smtp.ts'
import { type SmtpAnswer, SmtpConnectError } from '../../mail/transport/smtp-dialogue.ts'
import { MailboxUnreachable } from '../mailboxes/mail-access.ts'
import type { ClaimedSend } from './claim.ts'
import type { PreparedSend } from './intend.ts'
import { type Judged, judgeAnswer, type NoSession, weighAnswer } from './outcomes.ts'

/** The reaction of a simulated recipient to a message, and its time. */
export interface SandboxReaction {
  at: Date
  kind: 'reply' | 'bounce' | 'auto_reply' | 'open' | 'click' | 'unsubscribe'
  /** The message that arrives in the sandbox's inbox; for replies, automatic replies and bounces. */
  raw?: Buffer
  /** The request of a mail program or browser: GET for opens and clicks, POST for unsubscribing. */
  url?: string
  userAgent?: string
}

export interface SandboxDelivery {
  send: ClaimedSend
  composed: ComposedMessage
  reactions: SandboxReaction[]
}

/** The mail of sandbox mailboxes, which never leaves the machine. The slice that simulates the recipients is passed in. */
export interface SandboxMail {
  react(message: { raw: Buffer; envelope: { from: string; to: string }; at: Date }): Promise<SandboxReaction[]>
  /** Stores messages and reactions, in the transaction that records the messages as sent. */
  store(tx: Tx, deliveries: SandboxDelivery[], now: Date): Promise<void>
}

// The third step: hands the message to a mail server, over the connections of its mailbox, or to the sandbox, and judges the response.

const IDLE_MS = 15_000
const MORE_AFTER_MS = 10 * MINUTE_MS

export type DeliveredSend = PreparedSend & {
  judged: Judged
  reactions?: SandboxReaction[]
  /** Its outcome is stored. The consequences may not be stored yet. */
  isRecorded?: true
}

/** Never throws: after an unexpected error, the outcome of the message is unknown. */
export async function deliverSend(
  ctx: Context,
  connections: MailboxConnections,
  sandbox: SandboxMail,
  send: PreparedSend,
): Promise<DeliveredSend> {
  const { composed, mailbox } = send
  try {
    if (mailbox.kind === 'sandbox') {
      const message = { raw: Buffer.from(composed.raw, 'latin1'), envelope: composed.envelope, at: ctx.clock.now() }
      const reactions = await sandbox.react(message).catch(() => [])
      return { ...send, reactions, judged: { outcome: { kind: 'sent', response: 'sandbox' }, mailbox: null } }
    }
    // Strangers write the responses of mail servers: one bad response must not make the record of the whole batch fail.
    const answer = storableData(await connections.send(composed.envelope, composed.raw))
    const weighed = answer.kind === 'no_session' ? answer : await weigh(ctx, send, answer)
    return { ...send, judged: judgeAnswer(weighed, send.attempts, ctx.clock.now()) }
  } catch (error) {
    ctx.log.error({ err: error, sendId: send.id }, 'a message failed in an unforeseen way')
    return { ...send, judged: { outcome: { kind: 'unknown', reason: String(error), reconcileAt: ctx.clock.now() }, mailbox: null } }
  }
}

/** The response of the server counts even when the earlier responses cannot be read from the database. */
async function weigh(ctx: Context, { id, mailbox }: PreparedSend, answer: SmtpAnswer): Promise<SmtpAnswer> {
  try {
    return await weighAnswer(ctx, { id, mailboxId: mailbox.id }, answer)
  } catch (error) {
    ctx.log.warn({ err: error, sendId: id }, 'an answer could not be compared with those before it')
    return answer
  }
}

/** The open connections of one mailbox, which are reused. */
export class MailboxConnections {
  readonly #settings: () => Promise<SmtpSettings>
  readonly #most: number
  /** The number of connections that the server accepts, as far as it is known. */
  #room: () => number
  readonly #idle: SmtpSession[] = []
  readonly #waiting: ((session: SmtpSession | null) => void)[] = []
  #open = 0
  #timer: NodeJS.Timeout | undefined

  constructor(settings: () => Promise<SmtpSettings>, most: number) {
    this.#settings = settings
    this.#most = most
    this.#room = () => most
  }

  async send(envelope: Envelope, raw: string): Promise<SmtpAnswer | NoSession> {
    // The connections of a mailbox age together: each one that fails because of its age is replaced, until one is new.
    for (let left = this.#most; ; left--) {
      let session: SmtpSession
      try {
        session = await this.#take()
      } catch (error) {
        return toNoSession(error)
      }
      const isAged = session.hasCarried
      try {
        const answer = await session.send(envelope, raw)
        if (left <= 0 || !isAged || !mayBeOfConnection(answer)) return answer
        session.abort()
      } finally {
        this.#giveBack(session)
      }
    }
  }

  async #take(): Promise<SmtpSession> {
    let refusal: unknown = null
    for (;;) {
      const idle = this.#idle.pop()
      if (idle?.usable) return idle
      if (idle) {
        this.#open--
        continue
      }
      if (refusal === null && this.#open < this.#room()) {
        try {
          return await this.#connect()
        } catch (error) {
          if (!isTooMany(error)) throw error
          refusal = error
          if (this.#open > 0) this.#room = fewerFor(this.#open, this.#most)
        }
      }
      // A server that refuses more connections still serves the open ones. When none is open, the error is final.
      if (refusal !== null && this.#open === 0) throw refusal
      const handed = await new Promise<SmtpSession | null>(resolve => this.#waiting.push(resolve))
      if (handed) return handed
    }
  }

  async #connect(): Promise<SmtpSession> {
    this.#open++
    try {
      return await this.#signIn()
    } catch (error) {
      this.#leaveOne()
      throw error
    }
  }

  /** An access token may expire early: it is renewed once before this counts as a refusal. */
  async #signIn(): Promise<SmtpSession> {
    const settings = await this.#settings()
    try {
      return await SmtpSession.connect(settings)
    } catch (error) {
      const isRefused = error instanceof SmtpConnectError && error.stage === 'auth'
      if (!isRefused || !settings.auth?.renew?.()) throw error
      return SmtpSession.connect(await this.#settings())
    }
  }

  /** A connection was closed: waiting callers check again. */
  #leaveOne(): void {
    this.#open--
    for (const resolve of this.#waiting.splice(0)) resolve(null)
  }

  #giveBack(session: SmtpSession): void {
    if (!session.usable) {
      session.abort()
      this.#leaveOne()
      return
    }
    const next = this.#waiting.shift()
    if (next) next(session)
    else {
      this.#idle.push(session)
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.close(), IDLE_MS)
      this.#timer.unref()
    }
  }

  /** Closes the connections that are not in use. */
  close(): void {
    clearTimeout(this.#timer)
    for (const session of this.#idle.splice(0)) {
      this.#open--
      session.close()
    }
  }
}

function toNoSession(error: unknown): NoSession {
  if (error instanceof SmtpConnectError || error instanceof MailboxUnreachable) {
    return { kind: 'no_session', permanent: error.permanent, reason: error.message }
  }
  return { kind: 'no_session', permanent: false, reason: error instanceof Error ? error.message : String(error) }
}

/**
 * Servers end a connection after some messages or minutes, and refuse the next message or just hang up. So the same message is
 * tried over a new connection before it counts as refused. Nothing of it was sent, so there can be no second copy.
 */
const mayBeOfConnection = (answer: SmtpAnswer): boolean =>
  answer.kind === 'not_sent' || (answer.kind === 'rejected' && !answer.permanent && answer.stage === 'mail_from')

const isTooMany = (error: unknown): boolean => error instanceof SmtpConnectError && error.response?.startsWith('421') === true

/** Limits the connections to those that are open, and lifts the limit after a while, because it is usually temporary. */
function fewerFor(open: number, most: number): () => number {
  const sinceMs = performance.now()
  return () => (performance.now() - sinceMs < MORE_AFTER_MS ? open : most)
}
