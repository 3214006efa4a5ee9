import Type, { type TSchema } from 'typebox'
import { DateTime, Links, named, nullable, OperationError, oneOf, strict, Uuid } from '../../http/schema.ts'

export const OPERATION_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const

const Actor = strict(
  {
    type: oneOf(['user', 'token', 'system']),
    id: nullable({ ...Uuid, description: 'Of the person, or of the organization key; null for the service itself.' }),
    name: Type.String(),
  },
  { description: 'Who asked for it.' },
)

const DoneCount = Type.Optional(
  Type.Integer({ minimum: 0, description: 'While a CSV file is imported: how many of its rows are done. Not in lists.' }),
)

const operationOf = (actions: readonly string[], result: TSchema) =>
  strict({
    id: Uuid,
    action: oneOf(actions, { description: 'What is being done.' }),
    status: oneOf(OPERATION_STATUSES, { examples: ['succeeded'] }),
    actor: Actor,
    result: nullable(result),
    error: { ...nullable(OperationError), examples: [null] },
    createdAt: DateTime,
    startedAt: nullable(DateTime),
    completedAt: nullable(DateTime),
    ...(actions.length === 0 || actions.includes('campaign.import_csv') ? { doneCount: DoneCount } : {}),
    links: Links,
  })

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

/** What routes show. Which results there are, only the composition of all slices knows: see `describeOperations`. */
export const Operation = named('Operation', operationOf([], Type.Unknown()))

/** The operation as a union: its action says which result it has. Actions with the same result share a shape. */
export function describeOperations(results: Record<string, TSchema>): TSchema {
  const byResult = Map.groupBy(Object.keys(results), action => (results[action] as { title: string }).title)
  const mapping: Record<string, string> = {}
  const variants = [...byResult].map(([title, actions]) => {
    const name = `${title.replace(/Result$/, '')}Operation`
    for (const action of actions) mapping[action] = `#/components/schemas/${name}`
    return named(name, operationOf(actions, results[actions[0]!]!))
  })
  const description = 'What was asked for, and what came of it: `result` is null unless it has succeeded, `error` unless it has failed.'
  return named('Operation', Type.Unsafe({ description, oneOf: variants, discriminator: { propertyName: 'action', mapping } }))
}
