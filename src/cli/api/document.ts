import { readFileSync } from 'node:fs'
import { parsedJson } from '../../lib/canonical-json.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '../../lib/openapi.ts'

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

/** The types that a value may have, whichever of its shapes it takes. */
export function typesOf(schema: JsonSchema): string[] {
  const whole = resolved(schema)
  const own = whole.type === undefined ? [] : [whole.type].flat()
  const others = [...(whole.anyOf ?? []), ...(whole.oneOf ?? [])].flatMap(typesOf)
  return [...new Set([...own, ...others])]
}

const enumOf = (schema: JsonSchema): unknown[] | undefined => {
  const whole = resolved(schema)
  return whole.enum ?? [...(whole.anyOf ?? []), ...(whole.oneOf ?? [])].map(enumOf).find(Boolean)
}

/** How the type is called in the help. */
export function typeName(schema: JsonSchema): string {
  const choices = enumOf(schema)
  if (choices && choices.length <= 8) return choices.join('|')
  const types = typesOf(schema).filter(type => type !== 'null')
  if (types.includes('array')) return `${typeName(resolved(schema).items ?? {})}...`
  if (types.length === 1 && types[0] === 'string') return resolved(schema).format?.toUpperCase() ?? 'TEXT'
  return types.length === 0 ? 'JSON' : types.map(type => (type === 'object' ? 'JSON' : type.toUpperCase())).join('|')
}

/** The schema at `schedule.timezone`; undefined when there is nothing. */
export function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  const [name, ...rest] = path
  if (name === undefined) return schema
  const whole = resolved(schema)
  const { properties } = propertiesOf(whole)
  const next = Object.hasOwn(properties, name) ? properties[name] : undefined
  return next && schemaAt(next, rest)
}

/** Converts the text of a flag to the type of the schema. */
export function readValue(texts: readonly string[], schema: JsonSchema, name: string, command: string): unknown {
  const types = typesOf(schema)
  if (types.includes('array') && !(texts.length === 1 && texts[0]!.startsWith('['))) {
    const items =
      resolved(schema).items ??
      resolved(schema)
        .anyOf?.map(each => resolved(each).items)
        .find(Boolean) ??
      {}
    return texts.map(text => readOne(text, items, name, command))
  }
  return readOne(texts.at(-1)!, schema, name, command)
}

function readOne(text: string, schema: JsonSchema, name: string, command: string): unknown {
  const refuse = (what: string): never => {
    throw wrongUsage(`--${name} must be ${what}, not "${text}".`, `overture ${command} --help`)
  }
  const types = typesOf(schema)
  const choices = enumOf(schema)
  if (text === 'null' && types.includes('null')) return null
  if (choices && types.every(type => type === 'string' || type === 'null')) {
    return choices.includes(text) ? text : refuse(`one of ${choices.join(', ')}`)
  }
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text)) {
    return types.includes('number') || Number.isInteger(Number(text)) ? Number(text) : refuse('a whole number')
  }
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.includes('string')) return text
  if (types.includes('object') || types.includes('array') || types.length === 0) {
    // When every type is allowed, it stays a text.
    const value = parsedJson(text)
    return value === undefined ? (types.length === 0 ? text : refuse('JSON')) : value
  }
  return refuse(types.filter(type => type !== 'null').join(' or '))
}

/** Puts a value at `schedule.timezone`. */
export function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path as [string, ...string[]]
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const inner = Object.hasOwn(target, name) ? target[name] : undefined
  const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  target[name] = next
  put(next, rest, value)
}

export const isSwitch = ({ schema }: Pick<Field, 'schema'>): boolean => {
  const types = typesOf(schema).filter(type => type !== 'null')
  return types.length === 1 && types[0] === 'boolean'
}

export const isUuidSchema = (schema: JsonSchema): boolean => resolved(schema).format === 'uuid'
