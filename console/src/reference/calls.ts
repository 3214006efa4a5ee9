import { type Endpoint, resolve, type Schema, type Schemas, successesOf } from './document.ts'

/** The values in the examples. */
export interface Filling {
  origin: string
  /** If null, the examples read it from the environment. */
  token: string | null
  /** Ids that the reader has entered, by the name of the parameter. */
  values: Readonly<Record<string, string>>
}

/** A realistic request, made from the examples of the document. */
export interface Call {
  method: string
  /** Without the origin, with values for all parameters. */
  path: string
  /** The values of the parameters in the path. */
  parts: Record<string, string>
  query: Record<string, unknown>
  ifMatch: string | null
  isWrite: boolean
  /** Returns an operation. The request can wait for its result. */
  isAccepted: boolean
  isPublic: boolean
  returns: 'json' | 'bytes' | 'stream' | 'nothing'
  body: unknown
  file: { type: string; text: string } | null
}

export function callOf(endpoint: Endpoint, schemas: Schemas, { values }: Filling): Call {
  const inPath = endpoint.parameters.filter(parameter => parameter.in === 'path')
  const parts = Object.fromEntries(
    inPath.map(({ name, example, schema }) => [name, values[name] || String(example ?? exampleOf(schema, schemas))]),
  )
  const { body } = endpoint
  const isJson = body?.type.includes('json') ?? false
  const example = body ? (body.example ?? exampleOf(body.schema, schemas)) : undefined
  const queries = endpoint.parameters.filter(parameter => parameter.in === 'query' && parameter.required)
  const ifMatch = endpoint.parameters.find(parameter => parameter.name === 'if-match')
  return {
    method: endpoint.method,
    path: endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? name)),
    parts,
    query: Object.fromEntries(queries.map(({ name, example: given, schema }) => [name, given ?? exampleOf(schema, schemas)])),
    ifMatch: ifMatch ? String(ifMatch.example ?? exampleOf(ifMatch.schema, schemas)) : null,
    isWrite: endpoint.parameters.some(parameter => parameter.name === 'idempotency-key'),
    isAccepted: endpoint.responses.some(({ status }) => status === '202'),
    isPublic: endpoint.isPublic,
    returns: returnsOf(endpoint),
    body: body && isJson && !isEmpty(endpoint, schemas) ? example : undefined,
    file: body && !isJson ? { type: body.type, text: String(example) } : null,
  }
}

function returnsOf(endpoint: Endpoint): Call['returns'] {
  const { type } = successesOf(endpoint).find(({ schema }) => schema) ?? {}
  if (!type) return 'nothing'
  if (type === 'text/event-stream') return 'stream'
  return type === 'application/json' ? 'json' : 'bytes'
}

function isEmpty({ body }: Endpoint, schemas: Schemas): boolean {
  const { properties } = resolve(body!.schema, schemas).schema
  return properties !== undefined && Object.keys(properties).length === 0
}

export function urlOf({ path, query }: Call, origin: string): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return `${origin}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '0197b1c2-4f6a-7000-8000-000000000001',
  'date-time': '2026-03-02T08:00:00.000Z',
  email: 'ann@example.com',
  uri: 'https://example.com/',
}

const MOST_DEPTH = 8

/** A valid value: the example of the schema, or one made from what it allows. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0): unknown {
  const { schema: given } = resolve(schema, schemas)
  if (given.examples) return given.examples[0]
  if (given.const !== undefined) return given.const
  if (given.default !== undefined) return given.default
  if (given.enum) return given.enum[0]
  const option = (given.oneOf ?? given.anyOf)?.[0]
  if (option) return exampleOf(option, schemas, depth)
  const type = Array.isArray(given.type) ? given.type[0] : given.type
  if (type === 'object' || given.properties) {
    const properties = depth > MOST_DEPTH ? [] : Object.entries(given.properties ?? {})
    return Object.fromEntries(properties.map(([name, inner]) => [name, exampleOf(inner, schemas, depth + 1)]))
  }
  if (type === 'array') return given.items && depth <= MOST_DEPTH ? [exampleOf(given.items, schemas, depth + 1)] : []
  if (type === 'string') return BY_FORMAT[given.format ?? ''] ?? 'text'
  if (type === 'boolean') return true
  return type === 'integer' || type === 'number' ? (given.minimum ?? 1) : null
}
