import { about, DateTime, Links, named, namedObject, nullable, OperationError, oneOf, strict, Uuid } from '../../http/schema.ts'
import { type TSchema, Type } from '../../lib/type.ts'
import { Actor } from '../tokens/schema.ts'

export const OPERATION_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const

const DoneCount = Type.Optional(
  Type.Integer({ minimum: 0, description: 'During the import of a CSV file: the number of processed rows. Not included in lists.' }),
)

const operationOf = (actions: readonly string[], result: TSchema, progress?: TSchema) =>
  strict({
    id: Uuid,
    action: oneOf(actions, { description: 'The action that the operation performs.' }),
    status: about(
      oneOf(OPERATION_STATUSES, { examples: ['succeeded'] }),
      'A failed operation is returned with HTTP 200, too: read this field.',
    ),
    actor: Actor,
    result: nullable(result),
    error: { ...nullable(OperationError), examples: [null] },
    createdAt: DateTime,
    startedAt: nullable(DateTime),
    completedAt: nullable({ ...DateTime, description: 'Not before the `updatedAt` of what the operation has changed.' }),
    ...(actions.length === 0 || actions.includes('campaign.import_csv') ? { doneCount: DoneCount } : {}),
    ...(progress ? { progress: Type.Optional(progress) } : {}),
    links: Links,
  })

export const AuditEntry = namedObject('AuditEntry', {
  id: { ...Uuid, description: 'Also the id of the operation.' },
  action: Type.String({ description: 'The action, like `campaign.pause`, `session.create` or `team.invite`.' }),
  status: oneOf(OPERATION_STATUSES),
  actor: Actor,
  campaignId: nullable(Uuid),
  createdAt: DateTime,
  links: Links,
})

/** The shape that routes return. Only the composition of all slices knows which results exist: see `describeOperations`. */
export const Operation = named('Operation', operationOf([], Type.Unknown(), Type.Unknown()))

/** The operation as a union: its action says which result it has, and what it shows while it runs. Actions with the same result share a shape. */
export function describeOperations(results: Record<string, TSchema>, progress: Record<string, TSchema> = {}): TSchema {
  const byResult = Map.groupBy(Object.keys(results), action => (results[action] as { title: string }).title)
  const mapping: Record<string, string> = {}
  const variants = [...byResult].map(([title, actions]) => {
    const name = `${title.replace(/Result$/, '')}Operation`
    for (const action of actions) mapping[action] = `#/components/schemas/${name}`
    return named(name, operationOf(actions, results[actions[0]!]!, progress[actions[0]!]))
  })
  const description =
    'A requested action and its outcome. `result` is null unless the operation has succeeded, `error` is null unless it has failed.'
  return named('Operation', Type.Unsafe({ description, oneOf: variants, discriminator: { propertyName: 'action', mapping } }))
}
