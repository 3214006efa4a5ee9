/** The parts of the OpenAPI document that the reference shows. This file needs no browser, so tests can use it, too. */

type Limit = 'minimum' | 'maximum' | `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`

export interface Schema extends Partial<Record<Limit, number>> {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  uniqueItems?: boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  items?: Schema
}

export type Schemas = Record<string, Schema>

type Reference = { $ref: string }
type Header = { description: string; example?: unknown }
type Media = { schema: Schema; example?: unknown }

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

interface ResponseObject {
  description: string
  headers?: Record<string, Header | Reference>
  content?: Record<string, Media>
}

interface OperationObject {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  'x-scope'?: string
  'x-action'?: string
  security?: unknown[]
  parameters: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, ResponseObject | Reference>
}

export interface Document {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: OperationObject }>
  components: {
    schemas: Schemas
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, ResponseObject>
  }
}

export type Body = Media & { type: string; isRequired: boolean }

export interface Response {
  status: string
  about: string
  type: string | null
  schema: Schema | null
  headers: { name: string; about: string; example: unknown }[]
  /** The possible values of `error.code`. */
  codes: string[]
}

/** One operation. All references are resolved, except those of schemas. */
export interface Endpoint {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  about: string
  scope: string | null
  action: string | null
  isPublic: boolean
  parameters: Parameter[]
  body: Body | null
  responses: Response[]
}

const nameOf = (ref: string): string => ref.split('/').at(-1)!

const isError = (status: string): boolean => /^[45]/.test(status)

export function endpointsOf(document: Document): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readEndpoint(document, operation, method.toUpperCase(), path)),
  )
}

/** The webhooks that endpoints of users receive: one for each event type. */
export const webhooksOf = (document: Document): Endpoint[] =>
  Object.entries(document.webhooks).map(([type, { post }]) => ({
    ...readEndpoint(document, post, 'POST', 'your endpoint'),
    id: `on.${type}`,
    tag: 'Event types',
  }))

function readEndpoint(document: Document, operation: OperationObject, method: string, path: string): Endpoint {
  const { components } = document
  const scope = operation['x-scope'] ?? null
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  return {
    id: operation.operationId,
    method,
    path,
    tag: operation.tags[0] ?? 'Other',
    summary: operation.summary,
    // The scope is shown separately.
    about: (operation.description ?? '').replace(/\s*Scope: `[^`]+`\.\s*$/, ''),
    scope,
    action: operation['x-action'] ?? null,
    isPublic: operation.security?.length === 0,
    parameters: operation.parameters.map(item => ('$ref' in item ? components.parameters[nameOf(item.$ref)]! : item)),
    body: type && media ? { type, ...media, isRequired: operation.requestBody?.required ?? false } : null,
    responses: Object.entries(operation.responses).map(([status, item]) => readResponse(document, status, item)),
  }
}

function readResponse({ components }: Document, status: string, item: ResponseObject | Reference): Response {
  const response = '$ref' in item ? components.responses[nameOf(item.$ref)]! : item
  const content = response.content ?? {}
  const type = 'application/json' in content ? 'application/json' : (Object.keys(content)[0] ?? null)
  return {
    status,
    about: response.description,
    type,
    schema: type === null ? null : content[type]!.schema,
    headers: Object.entries(response.headers ?? {}).map(([name, header]) => {
      const { description, example } = '$ref' in header ? components.headers[nameOf(header.$ref)]! : header
      return { name, about: description, example }
    }),
    codes: isError(status) ? [...response.description.matchAll(/`([a-z_]+)`/g)].map(match => match[1]!) : [],
  }
}

export const successesOf = (endpoint: Endpoint): Response[] => endpoint.responses.filter(response => !isError(response.status))
export const errorsOf = (endpoint: Endpoint): Response[] => endpoint.responses.filter(response => isError(response.status))

/** Follows references to a schema. The name is that of the last reference. */
export function resolve(schema: Schema, schemas: Schemas): { schema: Schema; name: string | null } {
  let [current, name]: [Schema, string | null] = [schema, null]
  while (current.$ref) {
    name = nameOf(current.$ref)
    // Fields next to the reference override those of the schema.
    const { $ref, ...beside } = current
    current = { ...schemas[nameOf($ref!)], ...beside }
  }
  return { schema: current, name }
}

/** The result of an accepted write after it has succeeded. It depends on its action. */
export function resultOf({ action, responses }: Endpoint, schemas: Schemas): Schema | null {
  if (action === null || !responses.some(response => response.status === '202')) return null
  const reference = schemas.Operation?.discriminator?.mapping?.[action]
  return (reference && resolve({ $ref: reference }, schemas).schema.properties?.result) || null
}
