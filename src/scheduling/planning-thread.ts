import { answerTasks } from '../lib/budgeted-thread.ts'
import { doPlanning, type PlanningTask } from './planning-work.ts'

/** The thread of `PlanningDesk`. */
answerTasks((task: PlanningTask) => doPlanning(task))
