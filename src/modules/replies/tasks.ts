import type { Context } from '../../context/context.ts'
import { isConflict, isDatabaseDown } from '../../db/client.ts'
import { completeJson } from '../../lib/llm.ts'
import { DAY_MS } from '../../lib/time.ts'
import { type InboundMessage, parseInbound } from '../../mail/inbound/inbound.ts'
import { classifyReply, type ReplyClass } from '../../mail/reading/classify.ts'
import { refineReply } from '../../mail/reading/refine.ts'
import { type FetchedBatch, ImapSignInRefused, watchMailbox } from '../../mail/transport/imap.ts'
import type { WorkerIdentity } from '../../queue/identity.ts'
import { Timer } from '../../queue/timer.ts'
import { needsAttention } from '../campaigns/attention.ts'
import { disconnectProvider } from '../mailboxes/connection.ts'
import { type Inbox, returnInboxes, saveCursor, takeInboxes } from '../mailboxes/inboxes.ts'
import { imapSettingsOf, MailboxUnreachable } from '../mailboxes/mail-access.ts'
import { type Aftermath, type Received, receiveMessage } from './replies.ts'

const LOOK_MS = 2000
const MOST_INBOXES = 100
/** After a server has renumbered a folder, so much of it is read again; what is known already is told by its Message-ID. */
const RESCAN_MS = 30 * DAY_MS

interface Watch {
  workerId: number
  updatedAt: number
  stop: AbortController
  over: Promise<void>
}

/**
 * Reads the inboxes of connected mailboxes. Each is read by one worker at a time; how far it has been read is stored in
 * the transaction that stores what was found, so that nothing is missed and nothing taken twice.
 */
export class InboxReader {
  readonly #ctx: Context
  readonly #identity: Pick<WorkerIdentity, 'id'>
  readonly #watches = new Map<string, Watch>()
  readonly #timer: Timer
  #stopListening: (() => void) | undefined

  constructor(ctx: Context, identity: Pick<WorkerIdentity, 'id'>) {
    this.#ctx = ctx
    this.#identity = identity
    this.#timer = new Timer('inboxes', LOOK_MS, () => this.look(), ctx.log)
  }

  start(): void {
    this.#timer.start()
    this.#stopListening = this.#ctx.wake.on('inboxes', () => void this.look().catch(() => {}))
  }

  async stop(): Promise<void> {
    this.#stopListening?.()
    await this.#timer.stop()
    await Promise.all([...this.#watches.keys()].map(id => this.#end(id)))
  }

  #looking: Promise<void> | undefined

  /** Takes inboxes that nobody reads, and lets go of those that are no longer to be read as they were. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    const workerId = await this.#identity.id()
    const taken = await this.#ctx.db.inTransaction(tx => takeInboxes(tx, workerId, MOST_INBOXES - this.#watches.size))
    const leased = new Map(taken.map(inbox => [inbox.id, inbox]))
    for (const [id, watch] of this.#watches) {
      const inbox = leased.get(id)
      if (inbox?.updatedAt.getTime() !== watch.updatedAt || watch.workerId !== workerId) await this.#end(id)
    }
    for (const inbox of leased.values()) if (!this.#watches.has(inbox.id)) this.#begin(inbox, workerId)
  }

  #begin(inbox: Inbox, workerId: number): void {
    const stop = new AbortController()
    const over = this.#watch(inbox, workerId, stop.signal)
      .catch(error => this.#ctx.log.warn({ err: error, providerId: inbox.id }, 'an inbox is no longer read'))
      .finally(() => this.#watches.delete(inbox.id))
    this.#watches.set(inbox.id, { workerId, updatedAt: inbox.updatedAt.getTime(), stop, over })
  }

  async #end(id: string): Promise<void> {
    const watch = this.#watches.get(id)
    if (!watch) return
    watch.stop.abort()
    await watch.over
    await this.#ctx.db.inTransaction(tx => returnInboxes(tx, watch.workerId, [id])).catch(() => {})
  }

  async #watch(inbox: Inbox, workerId: number, signal: AbortSignal): Promise<void> {
    const ctx = this.#ctx
    const settings = async () => {
      const found = await imapSettingsOf(ctx, inbox).catch(error => {
        // A grant that was withdrawn is a refused sign-in, only earlier.
        if (error instanceof MailboxUnreachable && error.stage === 'auth' && error.permanent) throw new ImapSignInRefused(error.message)
        throw error
      })
      if (!found) throw new MailboxUnreachable('dns', 'The mailbox has no inbox any more', true)
      return found
    }
    const store = (batch: FetchedBatch) => this.#store(inbox, workerId, batch)
    const onProblem = (error: Error) => ctx.log.info({ err: error, providerId: inbox.id }, 'an inbox cannot be read; will keep trying')
    const rescanSince = new Date(ctx.clock.now().getTime() - RESCAN_MS)
    try {
      await watchMailbox(settings, inbox.cursor, store, signal, { rescanSince, onProblem })
    } catch (error) {
      if (!(error instanceof ImapSignInRefused)) throw error
      await ctx.db.inTransaction(tx => disconnectProvider(tx, inbox.id, `imap: ${error.message}`, ctx.clock.now()))
    }
  }

  async #store(inbox: Inbox, workerId: number, batch: FetchedBatch): Promise<void> {
    const ctx = this.#ctx
    const now = ctx.clock.now()
    const received: Received[] = []
    for (const { raw, receivedAt } of batch.messages) {
      const message = await parseInbound(raw).catch(() => null)
      if (!message) continue
      const at = receivedAt ?? now
      const judged = await this.#refine(message, classifyReply(message, at))
      received.push({ mailboxId: inbox.id, workspaceId: inbox.workspaceId, raw, message, judged, receivedAt: at })
    }
    const aftermaths: Aftermath[] = []
    await ctx.db.inTransaction(async tx => {
      await saveCursor(tx, inbox.id, workerId, batch.cursor)
      for (const one of received) {
        try {
          const aftermath = await tx.savepoint(() => receiveMessage(ctx, tx, one, now))
          if (aftermath) aftermaths.push(aftermath)
        } catch (error) {
          // One message that cannot be taken in must not keep all later ones out.
          if (isDatabaseDown(error) || isConflict(error)) throw error
          ctx.log.error({ err: error, providerId: inbox.id }, 'a message could not be taken in')
        }
      }
    })
    for (const { workspaceId, campaignId, attention } of aftermaths) await needsAttention(ctx, workspaceId, campaignId, attention)
  }

  /** A language model may refine what the rules say, where one is configured; an opt-out stays one whatever it thinks. */
  #refine(message: InboundMessage, byRules: ReplyClass): Promise<ReplyClass> {
    const { llmKind, llmUrl, llmModel, llmKey, llmTimeoutMs } = this.#ctx.config
    if (llmKind !== 'anthropic' && llmKind !== 'openai') return Promise.resolve(byRules)
    const llm = { kind: llmKind, baseUrl: llmUrl, model: llmModel, apiKey: llmKey, timeoutMs: llmTimeoutMs } as const
    return refineReply(message, byRules, (system, user, schema) => completeJson({ system, user, schema, name: 'reply' }, llm))
  }
}
