import type { Context } from '../../context/context.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { appendToSent, type SentCopy } from '../../mail/transport/imap-append.ts'
import { ImapCrowded, ImapSignInRefused } from '../../mail/transport/imap-refusal.ts'
import { imapSettingsOf, MailboxUnreachable } from '../mailboxes/mail-access.ts'
import { listMailboxes, type SendingMailbox } from '../mailboxes/mailboxes.ts'
import { listUnerased } from './erase-queries.ts'

/** More than this is not kept in memory for a mailbox whose inbox does not take it: a copy is a kindness, not a promise. */
const MOST_WAITING = 100
const BATCH_SIZE = 20
/** Copies that a server did not take are offered again after this long, and with the next message. */
const RETRY_MS = 5 * MINUTE_MS
/** A copy that no attempt has stored by then is given up. */
const GIVE_UP_MS = HOUR_MS
/** A copy that the server refuses so often, for another reason than a full mailbox, is left out. */
const MOST_REFUSALS = 3
/** A worker that stops begins no further batch after this long. */
const STOP_MS = 10_000

/** Whether the copies in the Sent folder are ours: by the setting, and without one where the server keeps none itself. */
export function keepsOwnCopies({ kind, settings, savesSent, inboxState }: SendingMailbox): boolean {
  const inbox = settings.imap as { appendSent?: boolean } | null | undefined
  if (kind !== 'smtp' || !inbox || inboxState === 'unreadable') return false
  return inbox.appendSent ?? !savesSent
}

/** Stores what the server said about copies: why it refuses them, or null when it takes them. */
type NoteCopies = (mailbox: SendingMailbox, refusal: string | null) => Promise<void>

/** The copy of a message, and the message that it is of. */
interface CopyOfSend extends SentCopy {
  sendId: string
}

interface WaitingCopy extends CopyOfSend {
  since: Date
  /** It was left over before. */
  hasWaited: boolean
  refusals: number
}

/** Copies of what was sent, on their way into the Sent folders of their mailboxes. */
export class SentCopies {
  readonly #ctx: Context
  readonly #noteCopies: NoteCopies
  readonly #retryMs: number
  readonly #waiting = new Map<string, WaitingCopy[]>()
  readonly #running = new Map<string, Promise<void>>()
  /** The mailboxes whose servers took no copies the last time. */
  readonly #refused = new Set<string>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #isStopped = false
  /** It was stopped, and has had its time. */
  #isLate = false

  constructor(ctx: Context, noteCopies: NoteCopies, retryMs = RETRY_MS) {
    this.#ctx = ctx
    this.#noteCopies = noteCopies
    this.#retryMs = retryMs
  }

  add(mailbox: SendingMailbox, copy: CopyOfSend): void {
    const waiting = this.#waiting.get(mailbox.id) ?? []
    if (waiting.length >= MOST_WAITING) waiting.shift()
    waiting.push({ ...copy, since: this.#ctx.clock.now(), hasWaited: false, refusals: 0 })
    this.#waiting.set(mailbox.id, waiting)
    this.#begin(mailbox.id, mailbox)
  }

  /** What waits is still stored where the server takes it, for a while: nobody has these copies but this process. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#retries.values()) clearTimeout(timer)
    const late = setTimeout(() => (this.#isLate = true), STOP_MS)
    await Promise.all(this.#running.values())
    clearTimeout(late)
  }

  #begin(mailboxId: string, known: SendingMailbox | null): void {
    if (this.#isStopped || this.#running.has(mailboxId)) return
    clearTimeout(this.#retries.get(mailboxId))
    this.#retries.delete(mailboxId)
    const run = this.#run(mailboxId, known).finally(() => {
      this.#running.delete(mailboxId)
      if (this.#waiting.get(mailboxId)?.length) this.#beginLater(mailboxId)
      else this.#waiting.delete(mailboxId)
    })
    this.#running.set(mailboxId, run)
  }

  #beginLater(mailboxId: string): void {
    if (this.#isStopped) return
    const timer = setTimeout(() => this.#begin(mailboxId, null), this.#retryMs)
    timer.unref()
    this.#retries.set(mailboxId, timer)
  }

  async #run(mailboxId: string, known: SendingMailbox | null): Promise<void> {
    const waiting = this.#waiting.get(mailboxId)!
    // What was offered and not taken: it goes back into the row after the others had their turn.
    const untaken: WaitingCopy[] = []
    let mailbox = known
    let batch: WaitingCopy[] = []
    let said: string | null | undefined
    try {
      mailbox ??= await this.#find(mailboxId)
      while (waiting.length > 0 && !this.#isLate) {
        const settings = mailbox && (await imapSettingsOf(this.#ctx, mailbox))
        if (!settings) return void waiting.splice(0)
        batch = waiting.splice(0, BATCH_SIZE)
        batch = await this.#withoutErased(batch)
        if (batch.length === 0) continue
        const { refusal, refused, left } = await appendToSent(settings, batch)
        for (const copy of refused) copy.refusals++
        untaken.push(...refused.filter(({ refusals }) => refusals < MOST_REFUSALS), ...left)
        batch = []
        said = refusal ?? said ?? null
        if (left.length > 0) break
      }
      if (said !== undefined) await this.#note(mailbox!, said)
    } catch (error) {
      this.#ctx.log.info({ err: error, providerId: mailboxId }, 'copies of sent messages could not be stored')
      // A sign-in that is refused again and again may lock the account.
      if (isSignInRefused(error)) return void waiting.splice(0)
      // Where an account may have one connection only, the one who reads the inbox has it.
      if (error instanceof ImapCrowded) await this.#note(mailbox!, error.message).catch(() => {})
    }
    // What could not be stored is looked for again before it is stored, so that there is one copy.
    waiting.unshift(...[...untaken, ...batch].slice(0, MOST_WAITING - waiting.length))
    const givenUpMs = this.#ctx.clock.now().getTime() - GIVE_UP_MS
    const kept = waiting.filter(({ since }) => since.getTime() > givenUpMs)
    waiting.splice(0, waiting.length, ...kept)
    for (const copy of kept) copy.hasWaited = true
  }

  /** The mailbox as it is now, because it may have changed since its messages left; null when it wants no copies any more. */
  async #find(mailboxId: string): Promise<SendingMailbox | null> {
    const [mailbox] = await listMailboxes(this.#ctx.db, [mailboxId])
    return mailbox?.status === 'connected' && keepsOwnCopies(mailbox) ? mailbox : null
  }

  /** What was written to a person who has been erased while the copy waited is not stored anywhere any more. */
  async #withoutErased(copies: WaitingCopy[]): Promise<WaitingCopy[]> {
    if (!copies.some(({ hasWaited }) => hasWaited)) return copies
    const unerased = await listUnerased(
      this.#ctx.db,
      copies.map(({ sendId }) => sendId),
    )
    return copies.filter(({ sendId }) => unerased.has(sendId))
  }

  /** A server that cannot be reached is reported where the inbox is read. */
  async #note(mailbox: SendingMailbox, refusal: string | null): Promise<void> {
    const wasRefused = mailbox.copiesReason !== null || this.#refused.delete(mailbox.id)
    if (refusal === null && !wasRefused) return
    if (refusal !== null) this.#refused.add(mailbox.id)
    await this.#noteCopies(mailbox, refusal)
  }
}

const isSignInRefused = (error: unknown): boolean =>
  error instanceof ImapSignInRefused || (error instanceof MailboxUnreachable && error.stage === 'auth' && error.permanent)
