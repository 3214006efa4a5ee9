import Type from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

export const OPERATION_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const

const Actor = strict(
  {
    type: oneOf(['user', 'token', 'system']),
    id: nullable({ ...Uuid, description: 'Of the person, or of the organization key; null for the service itself.' }),
    name: Type.String(),
  },
  { description: 'Who asked for it.' },
)

export const Operation = named(
  'Operation',
  strict({
    id: Uuid,
    action: Type.String({ description: 'The action, for example `campaign.pause`.' }),
    status: oneOf(OPERATION_STATUSES),
    actor: Actor,
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

export const AuditEntry = named(
  'AuditEntry',
  strict({
    id: { ...Uuid, description: 'Of the operation, too.' },
    action: Type.String({ description: 'What was done, like `campaign.pause`, `session.create` or `team.invite`.' }),
    status: oneOf(OPERATION_STATUSES),
    actor: Actor,
    campaignId: nullable(Uuid),
    createdAt: DateTime,
    links: Links,
  }),
)
