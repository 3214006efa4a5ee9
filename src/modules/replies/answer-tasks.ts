import { strict, Uuid } from '../../http/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { Again, type OperationTasks, transactionTask } from '../../operations/tasks.ts'
import { type AnswerState, findAnswerState } from '../sending/answers.ts'
import { patchReply } from './corrections.ts'
import { AnswerResult } from './schema.ts'

const SENDING_MS = 200
const WAITING_MS = 5000

export const replyTasks: OperationTasks = {
  /** The answer can be sent as soon as it is accepted. The operation ends when the outcome of the answer is known. */
  'reply.answer': transactionTask(
    strict({ replyId: Uuid }),
    AnswerResult,
    async (tx, ctx, { id, workspaceId, input }) => {
      const answer = await findAnswerState(tx, workspaceId, id)
      if (!answer) throw new AppError('not_found', 'The answer was deleted, because the person was erased before it was sent.')
      const { sendId, replyId, messageId, status, sentAt, reconciled } = answer
      if (status === 'failed') throw new AppError('invalid_state', whyNot(answer))
      if (status !== 'sent') return new Again(answer.holdReason === null ? SENDING_MS : WAITING_MS)
      await patchReply(ctx, tx, { workspaceId, replyId: input.replyId }, { handled: true }, id, ctx.clock.now())
      return { replyId, sendId, messageId, sentAt: sentAt?.toISOString() ?? null, reconciled }
    },
    { isStoredWhenAccepted: true },
  ),
}

const REASONS: Record<string, string> = {
  suppressed: 'The person was suppressed before the answer was sent. Nothing was sent.',
  lead_removed: 'The lead was removed before the answer was sent. Nothing was sent.',
  waited_too_long: 'The mailbox could not send for three days. Nothing was sent; answer again when the mailbox works.',
}

const whyNot = ({ response, holdReason }: AnswerState): string =>
  REASONS[holdReason ?? ''] ?? `The mail server refused the answer: ${response ?? 'no reason given'}`
