import { readFileSync } from 'node:fs'
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '../../lib/openapi.ts'

/** One value that an operation takes. */
export interface Field {
  name: string
  in: 'path' | 'query' | 'header' | 'body'
  isRequired: boolean
  description: string
  schema: JsonSchema
}

export interface ApiOperation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  scope: string | undefined
  fields: Field[]
  body: { mediaType: string; schema: JsonSchema } | null
  /** Answers with an operation that can be waited for. */
  isAccepted: boolean
  /** Takes `idempotency-key`. */
  takesKey: boolean
  isList: boolean
  isStream: boolean
  /** The response is a file, not JSON. */
  isRaw: boolean
}

let read: OpenApiDocument | undefined

export function apiDocument(): OpenApiDocument {
  read ??= JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as OpenApiDocument
  return read
}

export function resolved(schema: JsonSchema): JsonSchema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolved(apiDocument().components.schemas[name]!)
}

/** All properties that an object may have, whichever of its shapes it takes. */
export function propertiesOf(schema: JsonSchema): { properties: Record<string, JsonSchema>; required: readonly string[] } {
  const whole = resolved(schema)
  const shapes = [...(whole.anyOf ?? []), ...(whole.oneOf ?? []), ...(whole.allOf ?? [])].map(propertiesOf)
  const properties = Object.assign({}, ...shapes.map(shape => shape.properties), whole.properties) as Record<string, JsonSchema>
  // Only one of several shapes applies, so a property that one shape requires may be optional.
  const shared =
    shapes.length === 0 ? [] : shapes.map(shape => shape.required).reduce((left, right) => left.filter(name => right.includes(name)))
  return { properties, required: [...(whole.required ?? []), ...shared] }
}

export function listOperations(): ApiOperation[] {
  return Object.entries(apiDocument().paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, raw]) => readOperation(path, method.toUpperCase(), raw)))
    .sort((left, right) => left.id.localeCompare(right.id))
}

/** Headers that have their own flags. */
const OWN_HEADERS = ['idempotency-key', 'prefer']

function readOperation(path: string, method: string, raw: OpenApiOperation): ApiOperation {
  const parameters = raw.parameters.map(each => (each.$ref ? apiDocument().components.parameters[each.$ref.split('/').at(-1)!]! : each))
  const [mediaType, content] = Object.entries(raw.requestBody?.content ?? {})[0] ?? []
  const body = mediaType && content ? { mediaType, schema: content.schema } : null
  const shape = body?.mediaType === 'application/json' ? propertiesOf(body.schema) : { properties: {}, required: [] }
  const answers = Object.keys(raw.responses['200']?.content ?? {})
  return {
    id: raw.operationId,
    method,
    path,
    summary: raw.summary,
    description: raw.description.replace(/\s*Scope: `[^`]*`\.\s*$/, ''),
    scope: raw['x-scope'],
    fields: [
      ...parameters
        .filter(({ name }) => !OWN_HEADERS.includes(name))
        .map(({ name, in: place, required = false, description, schema }) => ({
          name,
          in: place,
          isRequired: required,
          description: description ?? resolved(schema).description ?? '',
          schema,
        })),
      ...Object.entries(shape.properties).map(([name, schema]) => ({
        name,
        in: 'body' as const,
        isRequired: shape.required.includes(name),
        description: schema.description ?? resolved(schema).description ?? '',
        schema,
      })),
    ],
    body,
    isAccepted: '202' in raw.responses,
    takesKey: parameters.some(({ name }) => name === 'idempotency-key'),
    isList: parameters.some(({ name }) => name === 'cursor'),
    isStream: answers.includes('text/event-stream'),
    isRaw: answers.length > 0 && !answers.includes('application/json'),
  }
}
