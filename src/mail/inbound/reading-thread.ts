import { loadReader } from '#reply-reader'
import { answerTasks } from '../../lib/budgeted-thread.ts'
import { readMessage } from './inbound.ts'

// The thread of `MailReader`.
loadReader()

answerTasks(readMessage)
