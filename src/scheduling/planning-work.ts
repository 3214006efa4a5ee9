import { findLifts, type Lift, type WaitingGroup } from './if-lifted.ts'
import { type Plan, type PlanState, planTick } from './plan.ts'
import type { SimulationInput } from './play.ts'
import { type Simulation, simulate } from './simulate.ts'

/** What the planner is asked on behalf of people who want to know. Plain data, so that a thread can be asked the same. */
export type PlanningTask =
  | { kind: 'plan'; state: PlanState; now: Date }
  | { kind: 'simulate'; input: SimulationInput }
  | { kind: 'lift'; input: SimulationInput; groups: readonly WaitingGroup[] }

export interface PlanningAnswers {
  plan: Plan
  simulate: Simulation
  lift: (Lift | null)[]
}

export function doPlanning(task: PlanningTask): PlanningAnswers[PlanningTask['kind']] {
  switch (task.kind) {
    case 'plan':
      return planTick(task.state, task.now)
    case 'simulate':
      return simulate(task.input)
    case 'lift':
      return findLifts(task.input, task.groups)
  }
}
