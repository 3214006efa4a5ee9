import type { Context } from '../../context/context.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { appendToSent, ImapCrowded, ImapSignInRefused, type SentCopy } from '../../mail/transport/imap.ts'
import { imapSettingsOf, MailboxUnreachable } from '../mailboxes/mail-access.ts'
import { listMailboxes, type SendingMailbox } from '../mailboxes/queries.ts'
import { listUnerased } from './queries.ts'

/** The memory limit for the copies of a mailbox whose server refuses them: copies are not guaranteed. */
const MOST_WAITING = 100
const BATCH_SIZE = 20
/** Refused copies are tried again after this time, and with the next message. */
const RETRY_MS = 5 * MINUTE_MS
/** A copy that no attempt has stored by then is given up. */
const GIVE_UP_MS = HOUR_MS
/** After this many refusals for another reason than a full mailbox, a copy is given up. */
const MOST_REFUSALS = 3
/** A worker that stops begins no further batch after this time. */
const STOP_MS = 10_000

/** Whether we store the copies in the Sent folder: by the setting, and without one when the server does not store them. */
export function keepsOwnCopies({ kind, settings, savesSent, inboxState }: SendingMailbox): boolean {
  const inbox = settings.imap as { appendSent?: boolean } | null | undefined
  if (kind !== 'smtp' || !inbox || inboxState === 'unreadable') return false
  return inbox.appendSent ?? !savesSent
}

/** Stores why the server refuses copies; null when it accepts them. */
type NoteCopies = (mailbox: SendingMailbox, refusal: string | null) => Promise<void>

interface CopyOfSend extends SentCopy {
  sendId: string
}

interface WaitingCopy extends CopyOfSend {
  since: Date
  /** An earlier attempt did not store it. */
  hasWaited: boolean
  refusals: number
}

/** Stores copies of sent messages in the Sent folders of their mailboxes. */
export class SentCopies {
  readonly #ctx: Context
  readonly #noteCopies: NoteCopies
  readonly #retryMs: number
  readonly #waiting = new Map<string, WaitingCopy[]>()
  readonly #running = new Map<string, Promise<void>>()
  /** The mailboxes whose servers refused copies the last time. */
  readonly #refused = new Set<string>()
  readonly #retries = new Map<string, NodeJS.Timeout>()
  #isStopped = false
  /** It was stopped, and its time is over. */
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

  /** For a while, waiting copies are still stored, because only this process has them. */
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
    // Refused copies go to the end of the queue, after the others had their turn.
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
      // If an account allows only one connection, the reader of the inbox uses it.
      if (error instanceof ImapCrowded) await this.#note(mailbox!, error.message).catch(() => {})
    }
    // A copy that could not be stored is searched for before the next try, so that there is only one.
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

  /** Messages to a person who was erased while the copy waited are not stored. */
  async #withoutErased(copies: WaitingCopy[]): Promise<WaitingCopy[]> {
    if (!copies.some(({ hasWaited }) => hasWaited)) return copies
    const unerased = await listUnerased(
      this.#ctx.db,
      copies.map(({ sendId }) => sendId),
    )
    return copies.filter(({ sendId }) => unerased.has(sendId))
  }

  /** The reader of the inbox reports a server that cannot be reached. */
  async #note(mailbox: SendingMailbox, refusal: string | null): Promise<void> {
    const wasRefused = mailbox.copiesReason !== null || this.#refused.delete(mailbox.id)
    if (refusal === null && !wasRefused) return
    if (refusal !== null) this.#refused.add(mailbox.id)
    await this.#noteCopies(mailbox, refusal)
  }
}

const isSignInRefused = (error: unknown): boolean =>
  error instanceof ImapSignInRefused || (error instanceof MailboxUnreachable && error.stage === 'auth' && error.permanent)
