import type { SendingMailbox } from '../mailboxes/queries.ts'
import type { ClaimedSend } from './claim.ts'
import type { DeliveredSend, MailboxConnections } from './deliver.ts'
import type { PreparedSend } from './intend.ts'

/** The steps that the messages of a mailbox go through. */
interface SendSteps {
  /** Renders messages and marks them as leaving; returns those that may leave. */
  intend: (sends: ClaimedSend[]) => Promise<PreparedSend[]>
  deliver: (connections: MailboxConnections, send: PreparedSend) => Promise<DeliveredSend>
  /** Ends when their outcome is stored. */
  record: (delivered: DeliveredSend[]) => Promise<void>
}

/** A mailbox with a gap has only one message at a time. */
const CONNECTIONS_PER_MAILBOX = 5
const MOST_PER_CONNECTION = 5
const MOST_IN_SANDBOX = 200
/** Messages are marked as leaving at most this long before they are sent. */
const AHEAD_MS = 25

interface Waiting {
  send: ClaimedSend
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Works through the messages of one mailbox, a few at a time. After a crash, the outcome of messages that are marked as
 * leaving is unknown, so few are marked at a time: only as many as the connections can send in a moment.
 */
export class MailboxSends {
  readonly connections: MailboxConnections
  /** The mailbox as it was at the first message. */
  readonly updatedAt: number
  readonly #steps: SendSteps
  readonly #width: number
  readonly #isSandbox: boolean
  readonly #waiting: Waiting[] = []
  /** All mailboxes that have messages now. */
  readonly #running: Set<MailboxSends>
  /** How long a message takes, smoothed. */
  #sendMs = AHEAD_MS

  constructor(mailbox: SendingMailbox, running: Set<MailboxSends>, connect: (width: number) => MailboxConnections, steps: SendSteps) {
    this.#running = running
    this.#steps = steps
    this.#width = mailbox.minGapSeconds > 0 ? 1 : CONNECTIONS_PER_MAILBOX
    this.#isSandbox = mailbox.kind === 'sandbox'
    this.connections = connect(this.#width)
    this.updatedAt = mailbox.updatedAt.getTime()
  }

  /** Done when the outcome of the message is stored. */
  add(send: ClaimedSend): Promise<void> {
    const done = new Promise<void>((resolve, reject) => this.#waiting.splice(this.#placeOf(send), 0, { send, resolve, reject }))
    // A moment later, so that messages that are added together are sent together.
    if (!this.#running.has(this)) setImmediate(() => void this.#run())
    return done
  }

  /** Answers go before the messages of campaigns, and after earlier answers. */
  #placeOf({ kind }: ClaimedSend): number {
    const at = kind === 'answer' ? this.#waiting.findIndex(({ send }) => send.kind !== 'answer') : -1
    return at < 0 ? this.#waiting.length : at
  }

  async #run(): Promise<void> {
    if (this.#running.has(this)) return
    this.#running.add(this)
    let recording = Promise.resolve()
    while (this.#waiting.length > 0) {
      const chunk = this.#waiting.splice(0, this.#size())
      try {
        const intended = await this.#steps.intend(chunk.map(({ send }) => send))
        const delivered = await this.#deliver(intended)
        // Only one chunk may wait to be recorded while another is sent, because a crash would make its outcome unknown, too.
        await recording
        recording = this.#record(chunk, delivered)
        // Recording can make the mailbox rest: waiting messages must see that, or each of them would fail.
        if (delivered.some(({ judged }) => judged.mailbox !== null && judged.mailbox !== 'works')) await recording
      } catch (error) {
        for (const { reject } of chunk) reject(error)
      }
    }
    this.#running.delete(this)
  }

  #size(): number {
    if (this.#isSandbox) return MOST_IN_SANDBOX
    return this.#width * Math.min(MOST_PER_CONNECTION, Math.max(1, Math.floor(AHEAD_MS / this.#sendMs)))
  }

  async #deliver(intended: PreparedSend[]): Promise<DeliveredSend[]> {
    if (intended.length === 0) return []
    const startedMs = performance.now()
    const delivered = await Promise.all(intended.map(send => this.#steps.deliver(this.connections, send)))
    const rounds = Math.ceil(intended.length / this.#width)
    this.#sendMs += ((performance.now() - startedMs) / rounds - this.#sendMs) / 8
    return delivered
  }

  /** Never rejects: an error goes to the callers that added the messages. */
  async #record(chunk: Waiting[], delivered: DeliveredSend[]): Promise<void> {
    try {
      if (delivered.length > 0) await this.#steps.record(delivered)
      for (const { resolve } of chunk) resolve()
    } catch (error) {
      for (const { reject } of chunk) reject(error)
    }
  }
}
