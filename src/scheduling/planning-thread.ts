import { answerTasks } from '../lib/budgeted-thread.ts'
import { doPlanning, type PlanningTask } from './planning.ts'

answerTasks((task: PlanningTask) => doPlanning(task))
