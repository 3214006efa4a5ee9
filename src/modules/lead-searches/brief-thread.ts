import { type BriefReading, readBrief, warmUp } from '#brief-reader'
import { answerTasks } from '../../lib/budgeted-thread.ts'

// The thread of `BriefReaders`.
warmUp()

answerTasks(({ brief, year }: { brief: string; year: number }): BriefReading => readBrief(brief, { year }))
