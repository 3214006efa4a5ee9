import Type from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

export const OPERATION_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const

export const Operation = named(
  'Operation',
  strict({
    id: Uuid,
    action: Type.String({ description: 'The action, for example `campaign.pause`.' }),
    status: oneOf(OPERATION_STATUSES),
    result: Type.Unknown({ description: 'The result of the action; null unless the operation succeeded.' }),
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
