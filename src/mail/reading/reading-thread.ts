import { answerTasks } from '../../lib/budgeted-thread.ts'
import { warmUpReading } from './classify.ts'
import { readMessage } from './read-message.ts'

/** The thread of `MailReader`. */
export interface ReadingTask {
  raw: Uint8Array
  receivedAt: Date
  isCut: boolean
}

warmUpReading()

answerTasks(({ raw, receivedAt, isCut }: ReadingTask) => readMessage(raw, receivedAt, isCut))
