import { answerTasks } from '../../lib/budgeted-thread.ts'
import { readMessage } from './read-message.ts'
import { judgeText } from './reply-judge.ts'

/** The thread of `MailReader`. */
export interface ReadingTask {
  raw: Uint8Array
  receivedAt: Date
  isCut: boolean
}

// The judge is trained when it is first used; no message should pay for that out of its own time.
judgeText('')

answerTasks(({ raw, receivedAt, isCut }: ReadingTask) => readMessage(raw, receivedAt, isCut))
