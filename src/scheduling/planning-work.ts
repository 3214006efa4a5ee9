import { findLifts, type Lift, type WaitingGroup } from './if-lifted.ts'
import { type Plan, type PlanState, planTick } from './plan.ts'
import type { SimulationInput } from './play.ts'
import { type Simulation, simulate } from './simulate.ts'

/** The questions that people can ask the planner. Plain data, so that they can be sent to a thread. */
export type PlanningTask =
  | { kind: 'plan'; state: PlanState; now: Date }
  | { kind: 'simulate'; input: SimulationInput }
  | { kind: 'lift'; input: SimulationInput; groups: readonly WaitingGroup[] }

export type PlanningAnswers = { plan: Plan; simulate: Simulation; lift: (Lift | null)[] }

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
