import { answerTasks } from '../../lib/budgeted-thread.ts'
import { doJobs, type RenderJob } from './render-job.ts'

/** The thread of `RenderDesk`. */
answerTasks((jobs: RenderJob[]) => doJobs(jobs))
