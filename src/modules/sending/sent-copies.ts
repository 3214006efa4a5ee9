import type { Context } from '../../context/context.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { appendToSent, type SentCopy } from '../../mail/transport/imap-append.ts'
import { noteCopies } from '../mailboxes/connection.ts'
import { imapSettingsOf } from '../mailboxes/mail-access.ts'
import type { SendingMailbox } from '../mailboxes/mailboxes.ts'

/** More than this is not kept in memory for a mailbox whose inbox does not take it: a copy is a kindness, not a promise. */
const MOST_WAITING = 100
const BATCH_SIZE = 20
/** Copies that a server did not take are offered again after this long, and with the next message. */
const RETRY_MS = 5 * MINUTE_MS

/** Whether the copies in the Sent folder are ours: by the setting, and without one where the server keeps none itself. */
export function keepsOwnCopies({ kind, settings, savesSent, inboxState }: SendingMailbox): boolean {
  const inbox = settings.imap as { appendSent?: boolean } | null | undefined
  if (kind !== 'smtp' || !inbox || inboxState === 'unreadable') return false
  return inbox.appendSent ?? !savesSent
}

/** Copies of what was sent, on their way into the Sent folders of their mailboxes. */
export class SentCopies {
  readonly #ctx: Context
  readonly #waiting = new Map<string, SentCopy[]>()
  readonly #running = new Map<string, Promise<void>>()
  /** The mailboxes whose servers took no copies the last time. */
  readonly #refused = new Set<string>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #isStopped = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  add(mailbox: SendingMailbox, copy: SentCopy): void {
    const waiting = this.#waiting.get(mailbox.id) ?? []
    if (waiting.length >= MOST_WAITING) waiting.shift()
    waiting.push(copy)
    this.#waiting.set(mailbox.id, waiting)
    this.#begin(mailbox)
  }

  /** Over when what has been begun is done. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#retries.values()) clearTimeout(timer)
    await Promise.all(this.#running.values())
  }

  #begin(mailbox: SendingMailbox): void {
    if (this.#isStopped || this.#running.has(mailbox.id)) return
    clearTimeout(this.#retries.get(mailbox.id))
    this.#retries.delete(mailbox.id)
    const run = this.#run(mailbox).finally(() => {
      this.#running.delete(mailbox.id)
      if (this.#waiting.get(mailbox.id)?.length) this.#beginLater(mailbox)
      else this.#waiting.delete(mailbox.id)
    })
    this.#running.set(mailbox.id, run)
  }

  #beginLater(mailbox: SendingMailbox): void {
    if (this.#isStopped) return
    const timer = setTimeout(() => this.#begin(mailbox), RETRY_MS)
    timer.unref()
    this.#retries.set(mailbox.id, timer)
  }

  async #run(mailbox: SendingMailbox): Promise<void> {
    const waiting = this.#waiting.get(mailbox.id)!
    let batch: SentCopy[] = []
    try {
      while (waiting.length > 0 && !this.#isStopped) {
        const settings = await imapSettingsOf(this.#ctx, mailbox)
        if (!settings) return void waiting.splice(0)
        batch = waiting.splice(0, BATCH_SIZE)
        const { refusal, left } = await appendToSent(settings, batch)
        batch = left
        await this.#note(mailbox, refusal)
        if (refusal !== null) break
      }
    } catch (error) {
      this.#ctx.log.info({ err: error, providerId: mailbox.id }, 'copies of sent messages could not be stored')
    }
    // What could not be stored is looked for again before it is stored, so that there is one copy.
    waiting.unshift(...batch.slice(0, MOST_WAITING - waiting.length))
  }

  /** A server that cannot be reached is reported where the inbox is read. */
  async #note(mailbox: SendingMailbox, refusal: string | null): Promise<void> {
    const wasRefused = mailbox.copiesReason !== null || this.#refused.delete(mailbox.id)
    if (refusal === null && !wasRefused) return
    if (refusal !== null) this.#refused.add(mailbox.id)
    await this.#ctx.db.inTransaction(tx => noteCopies(tx, mailbox, refusal, this.#ctx.clock.now()))
  }
}
