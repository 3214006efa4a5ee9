const HEADER = '// Generated from openapi.json by `npm run generate`. Do not edit.\n'

/** Every named schema of the document as a type of the same name. The members of a large union share a base type. */
export function printModels({ components: { schemas } }: Document): string {
  const bases = new Map<string, { name: string; shared: Schema }>()
  for (const [name, { discriminator, oneOf = [] }] of Object.entries(schemas)) {
    if (!discriminator) continue
    const members = oneOf.map(({ $ref }) => nameOf($ref!))
    const base = { name: `${name}Base`, shared: sharedBy(members.map(member => schemas[member]!)) }
    for (const member of members) bases.set(member, base)
  }
  const models = Object.entries(schemas).map(([name, schema]) => {
    const base = bases.get(name)
    const isObject = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
    const own = base ? { ...schema, properties: without(schema.properties!, base.shared.properties!) } : schema
    const head = base ? `${name} extends ${base.name}` : name
    const body = isObject ? `interface ${head} ${printObject(own, '')}` : `type ${name} = ${printType(schema)}`
    return `${comment(schema.description, '')}export ${body}\n`
  })
  const printed = [...new Set(bases.values())].map(({ name, shared }) => `export interface ${name} ${printObject(shared, '')}\n`)
  return [HEADER, ...printed, ...models].join('\n')
}

/** The properties that all of these schemas have in common. */
function sharedBy(schemas: Schema[]): Schema {
  const [first, ...others] = schemas.map(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, property]) => ({ name, property, text: JSON.stringify([property, required.includes(name)]) })),
  )
  const shared = first?.filter(({ name, text }) => others.every(other => other.some(one => one.name === name && one.text === text))) ?? []
  return { properties: Object.fromEntries(shared.map(({ name, property }) => [name, property])), required: schemas[0]?.required ?? [] }
}

const without = (all: Record<string, Schema>, some: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !(name in some)))

interface Endpoint extends OperationObject {
  method: string
  path: string
}

const IN_WORKSPACE = '/v1/workspaces/{workspaceId}/'

/**
 * The methods of the client: their types, and a table from which they are created at run time. An entry of the
 * table is the kind of response, the HTTP method, the path, and the parameters of the method: `?` a query, `!` a body, `#` a file.
 */
export function printApi(document: Document): string {
  const endpoints = Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })))
    .filter(({ path }) => path.startsWith('/v1/'))
  const groups = [...Map.groupBy(endpoints, endpoint => endpoint.operationId.split('.')[0]!)]
  const types = groups.map(([group, list]) => `  ${group}: {\n${list.map(item => printMethod(document, item)).join('\n')}\n  }`)
  const table = groups.map(
    ([group, list]) => `  ${group}: {\n${list.map(item => `    ${verbOf(item)}: '${printEntry(document, item)}',`).join('\n')}\n  },`,
  )
  // A word in a comment is not a type.
  const code = types.join('\n').replace(/\/\*[\s\S]*?\*\//g, '')
  const models = Object.keys(document.components.schemas).filter(name => new RegExp(`\\b${name}\\b`).test(code))
  return `${HEADER}
import type { Accepted, AcceptedOptions, List, PageQuery, RequestOptions, ResultOf, StreamOptions, WriteOptions } from './calls.ts'
import type { ${models.join(', ')} } from './types.gen.ts'

export interface Api {
${types.join('\n')}
}

export const TABLE: Record<string, Record<string, string>> = {
${table.join('\n')}
}
`
}

const verbOf = ({ operationId }: Endpoint): string => operationId.split('.')[1]!

type Kind = 'list' | 'data' | 'bare' | 'accepted' | 'nothing' | 'raw' | 'stream'

function kindOf(document: Document, endpoint: Endpoint): { kind: Kind; of: Schema } {
  const success = successOf(document, endpoint)
  if (!success) return { kind: 'nothing', of: {} }
  if (success.type === 'text/event-stream') return { kind: 'stream', of: {} }
  if (success.type !== 'application/json') return { kind: 'raw', of: {} }
  if (endpoint.responses['202']) return { kind: 'accepted', of: success.schema }
  const { properties } = resolve(document, success.schema)
  if (properties?.data && properties.meta) return { kind: 'list', of: properties.data.items! }
  return properties?.data ? { kind: 'data', of: properties.data } : { kind: 'bare', of: success.schema }
}

/** The body of a method; a body that can only be empty is omitted. */
function bodyOf(document: Document, endpoint: Endpoint): Schema | undefined {
  const schema = endpoint.requestBody?.content?.['application/json']?.schema
  const resolved = schema && resolve(document, schema)
  return resolved?.properties && Object.keys(resolved.properties).length === 0 ? undefined : schema
}

/** A body that is not JSON is sent unchanged. */
const takesFile = ({ requestBody }: Endpoint): boolean => requestBody?.content?.['text/csv'] !== undefined

const pathOf = (endpoint: Endpoint): string => endpoint.path.replace(IN_WORKSPACE, 'w/').replace(/\{(\w+)\}/g, ':$1')

function printEntry(document: Document, endpoint: Endpoint): string {
  const { kind } = kindOf(document, endpoint)
  // A stream takes all its parameters in one object.
  const hasQuery = kind !== 'stream' && parametersOf(document, endpoint).some(parameter => parameter.in === 'query')
  // No key is sent if it would be refused or have no effect.
  const takesKey = endpoint.method === 'get' || parametersOf(document, endpoint).some(({ name }) => name === 'idempotency-key')
  const marks = `${hasQuery ? '?' : ''}${bodyOf(document, endpoint) ? '!' : ''}${takesFile(endpoint) ? '#' : ''}${takesKey ? '' : '-'}`
  return `${kind} ${endpoint.method.toUpperCase()} ${pathOf(endpoint)}${marks}`
}

function printMethod(document: Document, endpoint: Endpoint): string {
  const { kind, of } = kindOf(document, endpoint)
  const about = comment(`${endpoint.summary}.\n${endpoint.description}`, '    ')
  if (kind === 'stream') return `${about}    ${verbOf(endpoint)}(options?: StreamOptions): AsyncIterable<Event>`
  const parameters = parametersOf(document, endpoint)
  const args = [...pathOf(endpoint).matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string`)
  const query = parameters.filter(parameter => parameter.in === 'query')
  const body = bodyOf(document, endpoint)
  const isConditional = parameters.some(parameter => parameter.name === 'if-match')
  if (query.length > 0) {
    const properties = Object.fromEntries(
      query.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]),
    )
    const required = query.filter(parameter => parameter.required).map(parameter => parameter.name)
    const mayLack = required.length === 0 && !takesFile(endpoint)
    args.push(`query${mayLack ? '?' : ''}: ${printQuery(properties, required)}`)
  }
  if (body) args.push(`body${endpoint.requestBody!.required || isConditional ? '' : '?'}: ${printType(body, '    ')}`)
  if (takesFile(endpoint)) args.push('file: string | Uint8Array<ArrayBuffer> | Blob')
  const options = kind === 'accepted' ? 'AcceptedOptions' : endpoint.method === 'get' ? 'RequestOptions' : 'WriteOptions'
  args.push(isConditional ? `options: ${options} & { ifMatch: string }` : `options?: ${options}`)
  return `${about}    ${verbOf(endpoint)}(${args.join(', ')}): ${printReturn(kind, of, endpoint)}`
}

/** The two parameters of every list have a type of their own. */
function printQuery(properties: Record<string, Schema>, required: string[]): string {
  const { limit, cursor, ...own } = properties
  if (!limit || !cursor) return printType({ type: 'object', properties, required }, '    ')
  return Object.keys(own).length === 0 ? 'PageQuery' : `PageQuery & ${printType({ type: 'object', properties: own, required }, '    ')}`
}

/** The response of an accepted write to a dry run, instead of an operation. */
function printOther(schema: Schema): string {
  const other = schema.anyOf?.find(option => option.properties?.data)?.properties?.data
  return other ? `, { data?: ${printType(other, '    ')} }` : ''
}

function printReturn(kind: Kind, of: Schema, endpoint: Endpoint): string {
  if (kind === 'accepted') return `Accepted<ResultOf<'${endpoint['x-action']}'>${printOther(of)}>`
  if (kind === 'list') return `List<${printType(of, '    ')}>`
  if (kind === 'nothing') return 'Promise<void>'
  return kind === 'raw' ? 'Promise<Response>' : `Promise<${printType(of, '    ')}>`
}

const PLAIN: Record<string, string> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }

/** The TypeScript type of a schema. */
function printType(schema: Schema, indent = ''): string {
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return unionOf(schema.enum.map(literal))
  const options = schema.oneOf ?? schema.anyOf
  if (options) return unionOf(options.map(option => printType(option, indent)))
  if (schema.allOf) return schema.allOf.map(part => inParentheses(printType(part, indent))).join(' & ')
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return unionOf(types.map(type => printOne(schema, type, indent)))
}

function printOne(schema: Schema, type: string | undefined, indent: string): string {
  if (type === 'array') return `${inParentheses(printType(schema.items ?? {}, indent))}[]`
  if (type === 'object' || (type === undefined && schema.properties)) return printObject(schema, indent)
  return type === undefined ? 'unknown' : (PLAIN[type] ?? 'unknown')
}

/** The braces of an object type, with a comment on each field that has a description. */
function printObject(schema: Schema, indent: string): string {
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = schema.required?.includes(name) ? '' : '?'
    return `${comment(property.description, `${indent}  `)}${indent}  ${fieldName(name)}${mark}: ${printType(property, `${indent}  `)}`
  })
  const other = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
  if (fields.length === 0) return other && other !== true ? `Record<string, ${printType(other, indent)}>` : emptyObject(other)
  return `{\n${fields.join('\n')}\n${indent}}`
}

const emptyObject = (other: unknown): string => (other === false ? 'Record<string, never>' : 'Record<string, unknown>')

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)
const fieldName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name))
const unionOf = (types: string[]): string => [...new Set(types)].join(' | ')
const inParentheses = (type: string): string => (/^[\w.]+$/.test(type) || type.startsWith('{') ? type : `(${type})`)

function comment(text: string | undefined, indent: string): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '* /').split('\n').filter(Boolean)
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map(line => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

/** A JSON Schema, as far as our OpenAPI document uses it. */
interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: object
  allOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
}

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface OperationObject {
  operationId: string
  summary: string
  description: string
  'x-action'?: string
  parameters: (Parameter | { $ref: string })[]
  requestBody?: Content & { required: boolean }
  responses: Record<string, Content | { $ref: string }>
}

export interface Document {
  paths: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, Content>
  }
}

const nameOf = (ref: string): string => ref.split('/').at(-1)!

const parametersOf = (document: Document, operation: OperationObject): Parameter[] =>
  operation.parameters.map(parameter => ('$ref' in parameter ? document.components.parameters![nameOf(parameter.$ref)]! : parameter))

/** The media type and the schema of a successful response. */
function successOf(document: Document, operation: OperationObject): { type: string; schema: Schema } | undefined {
  for (const [status, response] of Object.entries(operation.responses)) {
    if (!status.startsWith('2')) continue
    const { content } = '$ref' in response ? document.components.responses![nameOf(response.$ref)]! : response
    const [type, media] = Object.entries(content ?? {})[0] ?? []
    if (type && media) return { type, schema: media.schema }
  }
  return undefined
}

/** Follows references to an actual schema. */
function resolve(document: Document, schema: Schema): Schema {
  return schema.$ref ? resolve(document, document.components.schemas[nameOf(schema.$ref)]!) : schema
}
