import { HEADER } from './print-models.ts'
import { comment, printType } from './print-type.ts'
import { type Document, type OperationObject, parametersOf, resolve, type Schema, successOf } from './schema-types.ts'

interface Endpoint extends OperationObject {
  method: string
  path: string
}

const IN_WORKSPACE = '/v1/workspaces/{workspaceId}/'

/**
 * The methods of the client: their types, and a table from which they are made when the program runs. An entry of the
 * table is the kind of answer, the HTTP method, the path, and what the method takes: `?` a query, `!` a body, `#` a file.
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
  // A word of a comment is no type.
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

/** The body that a method takes; one that can only be empty is not asked for. */
function bodyOf(document: Document, endpoint: Endpoint): Schema | undefined {
  const schema = endpoint.requestBody?.content?.['application/json']?.schema
  const resolved = schema && resolve(document, schema)
  return resolved?.properties && Object.keys(resolved.properties).length === 0 ? undefined : schema
}

/** A body of another kind than JSON is sent as it is. */
const takesFile = ({ requestBody }: Endpoint): boolean => requestBody?.content?.['text/csv'] !== undefined

const pathOf = (endpoint: Endpoint): string => endpoint.path.replace(IN_WORKSPACE, 'w/').replace(/\{(\w+)\}/g, ':$1')

function printEntry(document: Document, endpoint: Endpoint): string {
  const { kind } = kindOf(document, endpoint)
  // A stream takes all its parameters in one object.
  const hasQuery = kind !== 'stream' && parametersOf(document, endpoint).some(parameter => parameter.in === 'query')
  // Where a key would be refused or do nothing, none is sent.
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

/** What an accepted write may answer instead of an operation, because it was only asked what it would do. */
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
