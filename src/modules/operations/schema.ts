import Type from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

export const OPERATION_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const

export const Operation = named(
  'Operation',
  strict({
    id: Uuid,
    action: Type.String({ description: 'What is being done, like `campaign.pause`.' }),
    status: oneOf(OPERATION_STATUSES),
    result: Type.Unknown({ description: 'What came of it; null unless succeeded.' }),
    error: nullable(
      strict({
        code: Type.String(),
        message: Type.String(),
        retryable: Type.Boolean({ description: 'True: nothing was saved or charged, and the same request with a new key may succeed.' }),
      }),
    ),
    createdAt: DateTime,
    startedAt: nullable(DateTime),
    completedAt: nullable(DateTime),
    links: Links,
  }),
)

export const OperationReference = named(
  'OperationReference',
  strict({ id: Uuid, status: oneOf(['queued', 'succeeded', 'failed']), links: Links }),
)

/** What every asynchronous write answers with. */
export const ACCEPTED_REPLIES = {
  202: { about: 'Enqueued: read the operation at `Location`.', schema: OperationReference },
  200: { about: 'Already terminal: a replay, nothing to do, or done within `Prefer: wait`.', schema: OperationReference },
}
