import { BudgetExceeded, BudgetedThreads } from '../lib/budgeted-thread.ts'
import { unavailable } from '../lib/errors.ts'
import { doPlanning, type PlanningAnswers, type PlanningTask } from './planning-work.ts'

const THREADS = 2
const TIMEOUT_MS = 20_000
const MAX_HEAP_MB = 512

/** Work that costs no more than passing it to a thread is done at once. */
const FEW_ENTRIES = 300
const FEW_MESSAGES = 1000

/**
 * Runs the planner for requests of people. Requests for other campaigns are answered while a large campaign is simulated: that happens in a
 * thread, within a budget of time and memory.
 */
export class PlanningDesk {
  readonly #threads = new BudgetedThreads<PlanningTask, PlanningAnswers[PlanningTask['kind']]>(
    new URL('./planning-thread.ts', import.meta.url),
    { threads: THREADS, maxHeapMb: MAX_HEAP_MB },
  )

  async ask<K extends PlanningTask['kind']>(task: Extract<PlanningTask, { kind: K }>): Promise<PlanningAnswers[K]> {
    return (isSmall(task) ? doPlanning(task) : await this.#inThread(task)) as PlanningAnswers[K]
  }

  /** Ends the threads and rejects the callers that still wait. */
  stop(): Promise<void> {
    return this.#threads.stop()
  }

  async #inThread(task: PlanningTask): Promise<unknown> {
    try {
      return await this.#threads.run(task, { timeoutMs: TIMEOUT_MS })
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error
      throw unavailable('The plan of the campaign could not be calculated in time. Try again later.', 30)
    }
  }
}

/** For `ctx.part`: one desk serves the whole process. */
export const makePlanningDesk = (): PlanningDesk => new PlanningDesk()

function isSmall(task: PlanningTask): boolean {
  if (task.kind === 'plan') return task.state.leads.length <= FEW_ENTRIES
  const { leads, steps } = task.input
  return leads.length <= FEW_ENTRIES && leads.reduce((sum, { count = 1 }) => sum + count, 0) * steps.length <= FEW_MESSAGES
}
