import { MINUTE_MS } from '../../lib/time.ts'
import { isPolicyRefusal, namesLimit } from '../../mail/transport/refusal.ts'
import { type Envelope, SmtpSession, type SmtpSettings } from '../../mail/transport/smtp.ts'
import { type SmtpAnswer, SmtpConnectError } from '../../mail/transport/smtp-answers.ts'
import { MailboxUnreachable } from '../mailboxes/mail-access.ts'

/** The session could not be opened: nothing was sent, and the mailbox is the reason. */
export interface NoSession {
  kind: 'no_session'
  permanent: boolean
  reason: string
}

const IDLE_MS = 15_000
/** So often the mailbox is refused at a recipient, while others are accepted, before that is taken for the recipient's own. */
const REFUSALS_ALONE = 3
const MOST_REFUSED = 1000
/** So many messages in a row that are refused for what they say mean that the text is the problem, and not its readers. */
const CONTENT_REFUSALS = 3

/** The open connections to one mailbox: kept while they are of use, a few at a time. */
export class MailboxConnections {
  readonly #settings: () => Promise<SmtpSettings>
  readonly #most: number
  /** The number of connections that the server accepts, as far as it is known. */
  #room: () => number
  readonly #idle: SmtpSession[] = []
  readonly #waiting: ((session: SmtpSession | null) => void)[] = []
  #open = 0
  #acceptedCount = 0
  /** How many messages in a row the server has read and then refused by a rule. */
  #contentRefusals = 0
  #acceptedAtMs = Number.NEGATIVE_INFINITY
  /** Recipients at whom the server refused the mailbox: how often, and how many messages it had accepted before the first time. */
  readonly #refused = new Map<string, { acceptedCount: number; times: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(settings: () => Promise<SmtpSettings>, most: number) {
    this.#settings = settings
    this.#most = most
    this.#room = () => most
  }

  async send(envelope: Envelope, raw: Buffer): Promise<SmtpAnswer | NoSession> {
    for (let isFirst = true; ; isFirst = false) {
      let session: SmtpSession
      try {
        session = await this.#take()
      } catch (error) {
        return toNoSession(error)
      }
      const isAged = session.hasCarried
      try {
        const answer = await session.send(envelope, raw)
        if (!isFirst || !isAged || !mayBeOfConnection(answer)) return this.#weighed(envelope.to, answer)
        session.abort()
      } finally {
        this.#giveBack(session)
      }
    }
  }

  /**
   * An answer that speaks of the mailbox, given to one recipient again and again while others are accepted, is about that
   * recipient after all. Otherwise one address would keep the mailbox resting, and in the end disconnect it.
   */
  #weighed(to: string, answer: SmtpAnswer): SmtpAnswer {
    if (answer.kind === 'accepted') {
      this.#acceptedCount++
      this.#acceptedAtMs = performance.now()
      this.#contentRefusals = 0
    }
    if (answer.kind === 'rejected' && isContentRefusal(answer)) {
      this.#contentRefusals++
      return this.#contentRefusals >= CONTENT_REFUSALS ? { ...answer, isOfContent: true } : answer
    }
    if (answer.kind !== 'rejected' || answer.scope !== 'mailbox' || answer.stage === 'mail_from') return answer
    if (answer.permanent && namesLimit({ text: answer.response })) return answer
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear()
    const refused = this.#refused.get(to) ?? { acceptedCount: this.#acceptedCount, times: 0 }
    this.#refused.set(to, refused)
    refused.times++
    // A refusal for good needs the better proof: others that were accepted after it.
    const areOthersAccepted = answer.permanent
      ? this.#acceptedCount > refused.acceptedCount
      : performance.now() - this.#acceptedAtMs < MORE_AFTER_MS
    return areOthersAccepted && refused.times >= REFUSALS_ALONE ? { ...answer, scope: 'recipient' } : answer
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
      // A server that takes no more connections still serves those that it has. When none has got in, that was all.
      if (refusal !== null && this.#open === 0) throw refusal
      const handed = await new Promise<SmtpSession | null>(resolve => this.#waiting.push(resolve))
      if (handed) return handed
    }
  }

  async #connect(): Promise<SmtpSession> {
    this.#open++
    try {
      return await SmtpSession.connect(await this.#settings())
    } catch (error) {
      this.#leaveOne()
      throw error
    }
  }

  /** One fewer is open: waiting callers check again whether there is room, or nothing left to wait for. */
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

  /** Closes what nobody uses at the moment. */
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

const isContentRefusal = ({ stage, permanent, scope, code, enhanced }: SmtpAnswer & { kind: 'rejected' }): boolean =>
  stage === 'message' && permanent && scope === 'recipient' && isPolicyRefusal(code, enhanced)

/**
 * Servers end a connection after a number of messages, or of minutes, and say so by a refusal of the next message, or not at all. The
 * same message is tried over a new connection before anybody is blamed. Nothing of it was handed over, so there can be no second copy.
 */
const mayBeOfConnection = (answer: SmtpAnswer): boolean =>
  answer.kind === 'not_sent' || (answer.kind === 'rejected' && !answer.permanent && answer.stage === 'mail_from')

const isTooMany = (error: unknown): boolean => error instanceof SmtpConnectError && error.response?.startsWith('421') === true

const MORE_AFTER_MS = 10 * MINUTE_MS

/** As many as are open, and after a while as many as before, because such limits are temporary. */
function fewerFor(open: number, most: number): () => number {
  const sinceMs = performance.now()
  return () => (performance.now() - sinceMs < MORE_AFTER_MS ? open : most)
}
