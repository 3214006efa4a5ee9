import { flagLines } from '../flag-lines.ts'
import type { FlagSet } from '../flags.ts'
import { type ApiOperation, type Field, propertiesOf } from './document.ts'
import { isSwitch, typeName, typesOf } from './values.ts'

export function listAll(operations: readonly ApiOperation[]): string {
  const width = Math.max(...operations.map(({ id }) => id.length))
  return operations.map(({ id, summary }) => `${id.padEnd(width)}  ${summary}`.trimEnd()).join('\n')
}

export function describeOperation(operation: ApiOperation, ownFlags: FlagSet): string {
  const { id, method, path, summary, description, scope, fields, body } = operation
  const sections = (['path', 'query', 'header', 'body'] as const).flatMap(place => {
    const own = fields.filter(field => field.in === place)
    return own.length === 0 ? [] : ['', `In the ${place}:`, ...flagLines(Object.fromEntries(own.flatMap(flagOf)))]
  })
  const fileNote = body && body.mediaType !== 'application/json' ? ['', `The body is a file (${body.mediaType}): --body @file`] : []
  const usable = Object.entries(ownFlags).filter(([name]) => isUsable(operation, name))
  return [
    `overture api ${id}`,
    '',
    `  ${[summary, description].filter(text => text !== '').join('\n  ')}`,
    `  ${method} ${path}${scope ? `, needs the scope ${scope}` : ''}`,
    ...sections,
    ...fileNote,
    '',
    'Other flags:',
    ...flagLines(Object.fromEntries(usable)),
  ].join('\n')
}

const isUsable = ({ body, isAccepted, isList, takesKey }: ApiOperation, flag: string): boolean =>
  flag === 'body' ? body !== null : flag === 'wait' ? isAccepted : flag === 'all' ? isList : flag !== 'idempotency-key' || takesKey

/** A field, and one level of what is in it. */
function flagOf(field: Field): [string, FlagSet[string]][] {
  const isList = typesOf(field.schema).includes('array')
  const needs = field.isRequired && field.name !== 'workspaceId' ? 'required. ' : ''
  const own: [string, FlagSet[string]] = [
    field.name,
    { kind: isSwitch(field) ? 'switch' : isList ? 'list' : 'text', value: typeName(field.schema), text: `${needs}${field.description}` },
  ]
  const { properties } = propertiesOf(field.schema)
  const inner = Object.entries(properties).map(([name, schema]): [string, FlagSet[string]] => [
    `${field.name}.${name}`,
    { kind: isSwitch({ schema }) ? 'switch' : 'text', value: typeName(schema), text: schema.description ?? '' },
  ])
  return [own, ...inner]
}
