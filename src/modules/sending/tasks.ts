import type { Context } from '../../context/context.ts'
import { Batcher, type BatcherOptions } from '../../lib/batcher.ts'
import { Tally } from '../../lib/tally.ts'
import type { WorkerIdentity } from '../../queue/identity.ts'
import { LeasedQueue } from '../../queue/leased-queue.ts'
import { needsAttention } from '../campaigns/campaigns.ts'
import { type MailboxFailure, noteCopies, noteMailboxFailure } from '../mailboxes/connection.ts'
import { smtpSettingsOf } from '../mailboxes/mail-access.ts'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import { claimAnswers } from './answers.ts'
import { type ClaimedSend, claimSends, releaseClaims, releaseClaimsExcept } from './claim.ts'
import { type DeliveredSend, deliverSend, MailboxConnections, type SandboxMail } from './deliver.ts'
import { ALONE_LOCK_WAIT_MS, intendSends, type PreparedSend, prepareSends } from './intend.ts'
import { findSenderFault } from './outcomes.ts'
import { hasOwnCopy, storeOutcomes } from './record.ts'
import { SentCopies } from './sent-copies.ts'

const BATCH_SIZE = 200
const CAPACITY = 4 * BATCH_SIZE
/** A workspace with so many in hand gets no more, so that there is always room for a batch of the others. */
const CROWDED_FROM = CAPACITY - 2 * BATCH_SIZE
/** Additional room for answers that people wrote, so that they do not wait for the messages of campaigns. */
const FOR_ANSWERS = 50
const POLL_MS = 1000
/** A group waits this long for messages of other mailboxes: a transaction for a few messages costs nearly as much as one for many. */
const TOGETHER_MS = 10
/** Short, because the mailboxes of a group that fails continue separately. */
const GROUP_LOCK_WAIT_MS = 250
/** When the worker stops, it waits this long for a slow mail server; then the outcome of the message is unknown. */
const GRACE_MS = 60_000

/**
 * The sender: claim, intend, deliver, record. Each message is claimed in one transaction and marked as leaving in another
 * before its first byte is sent, so that after any crash it is known which messages may have left.
 */
export class Sender {
  readonly #ctx: Context
  readonly #sandbox: SandboxMail
  readonly #queue: LeasedQueue<ClaimedSend>
  readonly #copies: SentCopies
  readonly #mailboxes = new Map<string, MailboxSends>()
  readonly #running = new Set<MailboxSends>()
  readonly #intents: Batcher<PreparedSend[], Set<string>>
  readonly #records: Batcher<DeliveredSend[], void>
  /** How many are in hand, by workspace. */
  readonly #inHandOf = new Tally()
  #askedForAnswersMs = -Infinity

  constructor(ctx: Context, identity: Pick<WorkerIdentity, 'id'>, sandbox: SandboxMail) {
    this.#ctx = ctx
    this.#sandbox = sandbox
    this.#copies = new SentCopies(ctx, (mailbox, refusal) => ctx.db.inTransaction(tx => noteCopies(tx, mailbox, refusal, ctx.clock.now())))
    // Requests of several mailboxes during one transaction share the next transaction.
    const grouping: BatcherOptions = { maxSize: 50, start: (begin, waiting) => this.#startGroup(begin, waiting) }
    const lockWaitMs = (chunks: unknown[]): number => (chunks.length > 1 ? GROUP_LOCK_WAIT_MS : ALONE_LOCK_WAIT_MS)
    this.#intents = new Batcher(async chunks => {
      const allowed = await intendSends(ctx, chunks[0]![0]!.workerId, chunks.flat(), lockWaitMs(chunks))
      return chunks.map(() => allowed)
    }, grouping)
    this.#records = new Batcher(chunks => this.#record(chunks.flat(), lockWaitMs(chunks)).then(() => chunks.map(() => undefined)), grouping)
    this.#queue = new LeasedQueue(ctx, identity, {
      name: 'sends',
      topics: ['sends'],
      pollMs: POLL_MS,
      room: inHand => CAPACITY + FOR_ANSWERS - inHand,
      claim: (workerId, limit) => this.#claim(workerId, limit),
      begin: sends => sends.map(send => ({ rows: [send], done: this.#begin(send) })),
      giveBackExcept: (workerId, ids) => ctx.db.inTransaction(tx => releaseClaimsExcept(tx, workerId, ids)),
      graceMs: GRACE_MS,
    })
  }

  start(): void {
    this.#queue.start()
  }

  /** Sends everything that may be sent at this instant, and returns the number of messages. */
  tick(): Promise<number> {
    return this.#queue.workAll()
  }

  async stop(): Promise<void> {
    await this.#queue.stop()
    for (const { connections } of this.#mailboxes.values()) connections.close()
    await this.#copies.stop()
  }

  /**
   * Answers that people wrote are claimed first. Messages of campaigns are claimed in whole batches: a claim of a few costs nearly as much as one of
   * two hundred, and the worker has enough messages meanwhile.
   */
  async #claim(workerId: number, room: number): Promise<ClaimedSend[]> {
    const hasRoom = room >= BATCH_SIZE + FOR_ANSWERS
    // This runs after every message, and answers are rare.
    if (!hasRoom && performance.now() - this.#askedForAnswersMs < POLL_MS / 2) return []
    this.#askedForAnswersMs = performance.now()
    const answers = await claimAnswers(this.#ctx, workerId, Math.min(room, FOR_ANSWERS))
    if (!hasRoom) return answers
    const crowded = new Set([...this.#inHandOf.counts].flatMap(([workspaceId, count]) => (count >= CROWDED_FROM ? [workspaceId] : [])))
    return [...answers, ...(await claimSends(this.#ctx, workerId, BATCH_SIZE, crowded))]
  }

  async #begin(send: ClaimedSend): Promise<void> {
    const { workspaceId } = send
    this.#inHandOf.add(workspaceId, 1)
    try {
      await this.#sendsOf(send.mailbox).add(send)
    } finally {
      this.#inHandOf.add(workspaceId, -1)
    }
  }

  #sendsOf(mailbox: SendingMailbox): MailboxSends {
    const known = this.#mailboxes.get(mailbox.id)
    if (known?.updatedAt === mailbox.updatedAt.getTime()) return known
    known?.connections.close()
    const sends = new MailboxSends(
      mailbox,
      this.#running,
      width => new MailboxConnections(() => smtpSettingsOf(this.#ctx, mailbox), width),
      {
        intend: sends => this.#prepareAndIntend(sends),
        deliver: (connections, send) => deliverSend(this.#ctx, connections, this.#sandbox, send),
        record: delivered => this.#queue.record(() => this.#records.submit(delivered)),
      },
    )
    this.#mailboxes.set(mailbox.id, sends)
    return sends
  }

  /** At once when no other mailbox sends, or as soon as all that send are waiting. */
  #startGroup(begin: () => void, waiting: number): void {
    if (waiting >= this.#running.size) setImmediate(begin)
    else setTimeout(begin, TOGETHER_MS)
  }

  async #prepareAndIntend(sends: ClaimedSend[]): Promise<PreparedSend[]> {
    try {
      // Rendered only now: hundreds of waiting messages would leave the young generation and make garbage collection expensive.
      const prepared = await prepareSends(this.#ctx, sends[0]!.workerId, sends)
      if (prepared.length === 0) return []
      const allowed = await this.#intents.submit(prepared)
      return prepared.filter(send => allowed.has(send.id))
    } catch (error) {
      // Nothing was sent yet.
      this.#ctx.log.warn({ err: error }, 'messages could not be started')
      const ids = sends.map(send => send.id)
      await this.#queue.record(() => this.#ctx.db.inTransaction(async tx => void (await releaseClaims(tx, sends[0]!.workerId, ids))))
      return []
    }
  }

  async #record(delivered: DeliveredSend[], lockWaitMs: number): Promise<void> {
    const ctx = this.#ctx
    const { workerId } = delivered[0]!
    const now = ctx.clock.now()
    const mailboxes = new Map<string, { mailbox: SendingMailbox; works: boolean; failure: MailboxFailure | null }>()
    for (const { mailbox, judged } of delivered) {
      const seen = mailboxes.get(mailbox.id) ?? { mailbox, works: false, failure: null }
      if (judged.mailbox === 'works') seen.works = true
      // An earlier message may know an older version of the mailbox.
      else if (judged.mailbox) Object.assign(seen, { mailbox, failure: judged.mailbox })
      mailboxes.set(mailbox.id, seen)
    }
    const fresh = delivered.filter(send => !send.isRecorded)
    if (fresh.length > 0) await this.#store(fresh, workerId, now, lockWaitMs)
    await this.#judgeRefusals(delivered, now)
    // In transactions of their own, because of the order of locks (docs/internals/sending.md).
    for (const { mailbox, works, failure } of mailboxes.values()) {
      if (failure && !works) await ctx.db.inTransaction(tx => noteMailboxFailure(tx, mailbox, failure, now))
    }
  }

  /** Stores the outcomes once: if a later part fails, everything is tried again, and nothing may count twice. */
  async #store(delivered: DeliveredSend[], workerId: number, now: Date, lockWaitMs: number): Promise<void> {
    const ctx = this.#ctx
    const stored = await ctx.db.withLockTimeout(lockWaitMs, tx => storeOutcomes(ctx, tx, this.#sandbox, workerId, delivered, now))
    for (const [n, send] of delivered.entries()) Object.assign(send, { judged: stored[n]!.judged, isRecorded: true })
    for (const { id, mailbox, messageId, composed } of delivered.filter(hasOwnCopy)) {
      this.#copies.add(mailbox, { sendId: id, messageId, raw: Buffer.from(composed.raw, 'latin1') })
    }
  }

  /** Reports problems that need attention: several servers refuse the mailbox, or no message of a campaign can be sent. */
  async #judgeRefusals(delivered: DeliveredSend[], now: Date): Promise<void> {
    for (const { mailbox, workspaceId, campaignId, judged } of delivered) {
      const isByPolicy = judged.outcome.kind === 'refused' && judged.outcome.byPolicy
      const said = judged.outcome.kind === 'refused' ? judged.outcome.response : ''
      const fault = judged.attention ?? (isByPolicy ? await findSenderFault(this.#ctx.db, mailbox.id, said, now) : null)
      if (fault) await this.#ctx.db.inTransaction(tx => needsAttention(tx, workspaceId, campaignId, fault, this.#ctx.clock.now()))
    }
  }
}

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
