import { BudgetExceeded, BudgetedThreads, TaskFailed } from '../../lib/budgeted-thread.ts'
import type { ReadingTask, ReadMessage } from './inbound.ts'

/** An ordinary message of the largest size takes less than a third of either limit. */
const READ_MS = 5000
const MAX_HEAP_MB = 512

/** A message that cannot be read, whatever is tried. `reason` is for machines, the text for people. */
export class MessageNotRead extends Error {
  override readonly name = 'MessageNotRead'
  readonly reason: 'too_expensive' | 'unreadable'

  constructor(reason: MessageNotRead['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Reads mail in a thread of its own, so that a message built to keep its reader busy delays no other message. Throws
 * MessageNotRead when it is the message's fault; any other failure will pass, and the message should be tried again.
 */
export class MailReader {
  readonly #threads = new BudgetedThreads<ReadingTask, ReadMessage>(new URL('./reading-thread.ts', import.meta.url), {
    maxHeapMb: MAX_HEAP_MB,
  })
  readonly #readMs: number

  constructor(readMs = READ_MS) {
    this.#readMs = readMs
  }

  /** `isCut`: these are not all the bytes of the message. */
  async read(raw: Uint8Array, receivedAt: Date, isCut = false): Promise<ReadMessage> {
    try {
      return await this.#threads.run({ raw, receivedAt, isCut }, { timeoutMs: this.#readMs })
    } catch (error) {
      if (error instanceof TaskFailed) throw new MessageNotRead('unreadable', 'The message cannot be read')
      if (!(error instanceof BudgetExceeded) || error.reason === 'stopped' || error.reason === 'start') throw error
      const used = { time: `more than ${this.#readMs} ms`, memory: `more than ${MAX_HEAP_MB} MB`, crash: 'more than the reader survives' }
      throw new MessageNotRead('too_expensive', `Reading it takes ${used[error.reason]}`)
    }
  }

  stop(): Promise<void> {
    return this.#threads.stop()
  }
}

/** The reader of a process, for `ctx.part`. */
export const makeMailReader = (): MailReader => new MailReader()
