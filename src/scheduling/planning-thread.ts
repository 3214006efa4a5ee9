import { answerTasks } from '../lib/budgeted-thread.ts'
import { doPlanning, type PlanningTask } from './planning.ts'

/** The thread of `PlanningThreads`. */
answerTasks((task: PlanningTask) => doPlanning(task))
