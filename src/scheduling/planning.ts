import { BudgetExceeded, BudgetedThreads } from '../lib/budgeted-thread.ts'
import { unavailable } from '../lib/errors.ts'
import { findLifts, type Lift, type WaitingGroup } from './lifted-limits.ts'
import { type ChosenSends, chooseSends, type PlannerState } from './planner.ts'
import { type Simulation, type SimulationInput, simulate } from './simulate.ts'

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
export class PlanningThreads {
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

/** For `ctx.part`: the whole process shares these threads. */
export const makePlanningThreads = (): PlanningThreads => new PlanningThreads()

function isSmall(task: PlanningTask): boolean {
  if (task.kind === 'choose') return task.state.leads.length <= FEW_ENTRIES
  const { leads, steps } = task.input
  return leads.length <= FEW_ENTRIES && leads.reduce((sum, { count = 1 }) => sum + count, 0) * steps.length <= FEW_MESSAGES
}

/** The questions that people can ask the planner. Plain data, so that they can be sent to a thread. */
export type PlanningTask =
  | { kind: 'choose'; state: PlannerState; now: Date }
  | { kind: 'simulate'; input: SimulationInput }
  | { kind: 'lift'; input: SimulationInput; groups: readonly WaitingGroup[] }

interface PlanningAnswers {
  choose: ChosenSends
  simulate: Simulation
  lift: (Lift | null)[]
}

export function doPlanning(task: PlanningTask): PlanningAnswers[PlanningTask['kind']] {
  switch (task.kind) {
    case 'choose':
      return chooseSends(task.state, task.now)
    case 'simulate':
      return simulate(task.input)
    case 'lift':
      return findLifts(task.input, task.groups)
  }
}
