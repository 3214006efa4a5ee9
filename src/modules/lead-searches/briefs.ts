import type { BriefReading } from '#brief-reader'
import { BudgetExceeded, BudgetedThreads } from '../../lib/budgeted-thread.ts'
import { AppError } from '../../lib/errors.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { Turns } from '../../lib/turns.ts'

/** The longest brief takes a hundredth of it. */
const READ_MS = 10_000
const MAX_HEAP_MB = 512

/** Wakes the readers before a brief is written. */
export const BRIEFS = 'briefs'

/**
 * Reads briefs in a thread, so that a worker with many of them still does everything else. Workspaces take turns: one with hundreds of
 * briefs delays another by one brief.
 */
export class BriefReaders {
  readonly #threads = new BudgetedThreads<{ brief: string; year: number }, BriefReading>(new URL('./brief-thread.ts', import.meta.url), {
    maxHeapMb: MAX_HEAP_MB,
    // Loading the vocabulary takes longer than the author of a brief should wait, but it takes 55 MB.
    idleMs: 10 * MINUTE_MS,
  })
  readonly #turns = new Turns(1)

  async read(workspaceId: string, brief: string, year: number): Promise<BriefReading> {
    try {
      return await this.#turns.run(workspaceId, () => this.#threads.run({ brief, year }, { timeoutMs: READ_MS }))
    } catch (error) {
      if (!(error instanceof BudgetExceeded) || error.reason === 'stopped' || error.reason === 'start') throw error
      throw new AppError('filters_not_derivable', 'Reading the brief took too long. Shorten it.')
    }
  }

  /** Starts the thread, so that the first brief does not wait for it. */
  warmUp(): void {
    this.#threads.warmUp()
  }

  stop(): Promise<void> {
    return this.#threads.stop()
  }
}

/** For `ctx.part`: one thread for a process, started with the first brief. */
export const makeBriefReaders = (): BriefReaders => new BriefReaders()
