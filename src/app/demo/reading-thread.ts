import { answerTasks } from '../../lib/budgeted-thread.ts'
import { type KnownVerdicts, MOST } from '../../mail/reading/classify.ts'
import { readMessage } from '../../mail/reading/read-message.ts'
import type { ReadingTask } from '../../mail/reading/reading-thread.ts'
import type { ReplyKind } from '../../mail/reading/reply-class.ts'
import { PERSONA_ANSWERS } from '../../modules/sandbox/persona-answers.ts'

/** The thread of the demo's reader. A text that is not among the known ones is read as elsewhere, which takes longer. */
const verdicts: KnownVerdicts = new Map(
  Object.entries(PERSONA_ANSWERS).flatMap(([kind, texts]) => texts.map(text => [text, { kind: kind as ReplyKind, confidence: MOST }])),
)

answerTasks(({ raw, receivedAt, isCut }: ReadingTask) => readMessage(raw, receivedAt, isCut, verdicts))
