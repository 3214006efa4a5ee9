import type { Context } from '../../context/context.ts'
import { appendToSent, type SentCopy } from '../../mail/transport/imap-append.ts'
import { imapSettingsOf } from '../mailboxes/mail-access.ts'
import type { SendingMailbox } from '../mailboxes/mailboxes.ts'

/** More than this is not kept in memory for a mailbox whose inbox does not take it: a copy is a kindness, not a promise. */
const MOST_WAITING = 100
const BATCH_SIZE = 20

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
  #isStopped = false

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  add(mailbox: SendingMailbox, copy: SentCopy): void {
    const waiting = this.#waiting.get(mailbox.id) ?? []
    if (waiting.length >= MOST_WAITING) waiting.shift()
    waiting.push(copy)
    this.#waiting.set(mailbox.id, waiting)
    if (this.#isStopped || this.#running.has(mailbox.id)) return
    const run = this.#run(mailbox).finally(() => this.#running.delete(mailbox.id))
    this.#running.set(mailbox.id, run)
  }

  /** Over when what has been begun is done. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running.values())
  }

  async #run(mailbox: SendingMailbox): Promise<void> {
    const waiting = this.#waiting.get(mailbox.id)!
    try {
      while (waiting.length > 0 && !this.#isStopped) {
        const settings = await imapSettingsOf(this.#ctx, mailbox)
        if (!settings) return
        await appendToSent(settings, waiting.splice(0, BATCH_SIZE))
      }
    } catch (error) {
      this.#ctx.log.info({ err: error, providerId: mailbox.id }, 'copies of sent messages could not be stored')
    }
  }
}
