import { SESSION_COOKIE } from '../src/http/access.ts'
import type { Route } from '../src/http/route.ts'
import { about, NOT_BLANK, named, namedObject, nullable, oneOf, strict } from '../src/http/schema.ts'
import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../src/lib/errors.ts'
import { type TObject, type TSchema, Type } from '../src/lib/type.ts'
import texts from './openapi-texts.data.json' with { type: 'json' }
import { describeFields, describeParameter, exampleOf, TEXT_EXAMPLES, withExamples } from './openapi-texts.ts'

type Schemas = Record<string, Json>

const Issue = Type.Object(
  {
    in: Type.String({ description: '`body`, `query`, `path` or `header`.', examples: ['body'] }),
    path: Type.String({ description: 'A JSON pointer to the value.', examples: ['/leads/0/email'] }),
    rule: about(Type.String({ examples: ['format'] }), 'The broken rule, such as `format` or `minLength`.'),
    message: Type.String({ examples: ['must be an email address'] }),
  },
  { additionalProperties: true },
)

const ErrorDetails = named(
  'ErrorDetails',
  Type.Object(
    {
      issues: Type.Optional(Type.Array(Issue, { description: 'The problems of the request.' })),
      currentStatus: Type.Optional(Type.String({ description: 'With `invalid_state`: the present state.' })),
      allowedStatuses: Type.Optional(Type.Array(Type.String(), { description: 'With `invalid_state`: the states that would allow it.' })),
      missingScopes: Type.Optional(Type.Array(Type.String(), { description: 'With 403: the scopes that the token lacks.' })),
    },
    { additionalProperties: true, description: 'Further data, depending on the code.' },
  ),
)

const ErrorEnvelope = namedObject('Error', {
  error: strict(
    {
      code: oneOf(ERROR_CODES, { description: 'The machine-readable code. A new code is a change of the contract.' }),
      message: Type.String({ description: 'An explanation for people.' }),
      requestId: about(Type.String(), 'The id of the request in the log.'),
      details: nullable(ErrorDetails),
    },
    { description: 'Why the request was refused, or failed.' },
  ),
})

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token or a workspace key.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'For the pages of the installation itself: the cookie that `POST /v1/sessions` sets, together with the `sessionKey` of its response in the header `x-overture-console`. The name of the cookie begins with `__Host-` when the base URL is https.',
  },
}

interface Parts {
  routes: readonly Route[]
  version: string
  /** Schemas that say more than those of the same name in the routes. */
  schemas: readonly TSchema[]
  /** The bodies that are posted to webhook endpoints, by the type of the event. */
  webhookBodies: ReadonlyMap<string, TSchema>
}

/** The document is generated from the routes that the server mounts, so both are always the same. */
export function buildOpenApi({ routes, version, schemas: more, webhookBodies }: Parts): Json {
  const schemas: Schemas = {}
  const operations = routes.map(route => ({ route, operation: describeRoute(route, schemas) }))
  const webhooks = Object.fromEntries([...webhookBodies].map(([type, body]) => [type, { post: describeWebhook(type, body, schemas) }]))
  for (const schema of [ErrorEnvelope, ...more]) hoist(schema, schemas)

  const paths: Record<string, Json> = {}
  for (const { route, operation } of operations) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  for (const [name, schema] of Object.entries(schemas)) describeFields(schema, schemas, name)
  for (const { operation } of operations) complete(operation, schemas)
  const parameters = shareParameters(operations.map(({ operation }) => operation))
  const responses = shareResponses(operations.map(({ operation }) => operation))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Overture',
      version,
      description: 'Self-hosted cold email over an API: leads, sequences, schedules, and the outcome of every message.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    paths,
    webhooks,
    components: {
      headers: texts.headers,
      parameters: { ...parameters, ...texts.webhookParameters },
      responses: { ...responses, ...OUTER_RESPONSES },
      securitySchemes: SECURITY_SCHEMES,
      schemas: withExamples(Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))),
    },
  }
}

type Content = Record<string, { schema: Json; example?: unknown }>

interface Described extends Json {
  parameters: Json[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Json | NamedResponse>
}

function describeRoute(route: Route, schemas: Schemas): Described {
  return {
    operationId: route.id,
    summary: route.summary,
    description: [route.about, wordScope(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    ...securityOf(route),
    ...(route.scope === 'public' || route.scope === 'token' ? {} : { 'x-scope': route.scope }),
    ...(route.action ? { 'x-action': route.action } : {}),
    parameters: parametersOf(route, schemas),
    ...bodyOf(route, schemas),
    responses: Object.fromEntries([...repliesOf(route, schemas), ...errorRepliesOf(route)]),
  }
}

function bodyOf({ method, body, streams }: Route, schemas: Schemas): Pick<Described, 'requestBody'> {
  if (streams) {
    const schema = { type: 'string', examples: ['email,first name\nann@example.com,Ann\n'] }
    return { requestBody: { required: true, content: { [streams]: { schema } } } }
  }
  if (method === 'GET' || !body) return {}
  return { requestBody: { required: requiresBody(body), content: { 'application/json': { schema: hoist(body, schemas) as Json } } } }
}

function wordScope({ scope, orScopes = [], signsIn }: Route): string {
  if (signsIn) return 'A token or a code.'
  if (scope === 'public') return 'No token needed.'
  if (scope === 'token') return 'Any valid token.'
  return `Scope: ${[scope, ...orScopes].map(name => `\`${name}\``).join(' or ')}.`
}

function securityOf(route: Route): Json {
  if (route.signsIn) return { security: [{ bearer: [] }, {}] }
  if (route.scope === 'public') return { security: [] }
  return route.signedLink ? { security: [{ bearer: [] }, { session: [] }, {}] } : {}
}

const requiresBody = (schema: TSchema): boolean => 'x-shown' in schema || ((schema as { required?: string[] }).required ?? []).length > 0

function parametersOf(route: Route, schemas: Schemas): Json[] {
  const from = (schema: TSchema | undefined, where: string): Json[] => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Record<string, TSchema>; required?: string[] }
    return Object.entries(properties).map(([name, property]) => {
      const description = 'description' in property ? undefined : describeParameter(name, where)
      return {
        name,
        in: where,
        required: where === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: hoist(property, schemas),
      }
    })
  }
  return [
    ...from(route.params, 'path'),
    ...from(route.query, 'query'),
    ...(route.ifMatch ? [{ ...texts.headerParameters.ifMatch }] : []),
    ...(route.write ? [{ ...texts.headerParameters.idempotencyKey }] : []),
    ...(route.resumes ? [{ ...texts.headerParameters.lastEventId }] : []),
    ...(route.write === 'accepted' ? [{ ...texts.headerParameters.prefer }] : []),
  ]
}

function describeWebhook(type: string, body: TSchema, schemas: Schemas): Json {
  return {
    operationId: `on.${type}`,
    summary: `\`${type}\` is delivered to endpoints that subscribe to it`,
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(texts.webhookParameters).map(name => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': { schema: hoist(body, schemas) } } },
    responses: {
      '2XX': { description: 'Accepted.' },
      410: { description: 'The endpoint no longer exists. Overture disables it.' },
      default: { description: 'Failed. Overture tries again, up to ten times within about three days.' },
    },
  }
}

const contentsOf = (responses: Described['responses']): Content[] =>
  Object.values(responses as Record<string, NamedResponse>).map(({ value }) => (value.content ?? {}) as Content)

/** Describes the fields of the shapes that have no name, and gives each parameter and body an example. */
function complete({ parameters, requestBody, responses }: Described, schemas: Schemas): void {
  const answers = contentsOf(responses)
  for (const content of [requestBody?.content ?? {}, ...answers]) {
    for (const { schema } of Object.values(content)) describeFields(schema, schemas)
  }
  for (const parameter of parameters) parameter.example = exampleOf(parameter.schema as object, schemas, String(parameter.name))
  for (const media of [...Object.values(requestBody?.content ?? {}), ...answers.flatMap(content => content['application/json'] ?? [])])
    if (!media.schema.$ref) media.example = exampleOf(media.schema, schemas)
}

const shareParameters = (operations: readonly Described[]): Json =>
  shareRepeated(
    'parameters',
    operations.flatMap(({ parameters }) => parameters.map((value, at) => ({ name: String(value.name), value, within: parameters, at }))),
  )

function shareResponses(operations: readonly Described[]): Json {
  const uses = operations.flatMap(({ responses }) =>
    Object.entries(responses as Record<string, NamedResponse>).map(([status, { name, value }]): Use => {
      responses[status] = value
      return { name, value, within: responses, at: status }
    }),
  )
  return shareRepeated(
    'responses',
    uses.filter(({ name }) => /^\w+$/.test(name)),
  )
}

function headersOf(...names: string[]): Json {
  const unknown = names.find(name => !(name in texts.headers))
  if (unknown) throw new Error(`the header ${unknown} has no description`)
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}

const usualHeaders = (route: Route): string[] => [
  'x-request-id',
  ...(route.scope === 'public' && !route.signsIn ? [] : ['ratelimit', 'ratelimit-policy']),
]

/** Routes outside the API are for people: a browser gets a page. */
const isForPeople = (route: Route): boolean => !route.path.startsWith('/v1/')

function textContent(type = 'text/html'): Json {
  const example = TEXT_EXAMPLES[type]
  return example === undefined ? { schema: { type: 'string', format: 'binary' } } : { schema: { type: 'string' }, example }
}

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

const outer = (description: string, ...headers: string[]): Json => ({
  description,
  headers: headersOf('x-request-id', ...headers),
  content: ERROR_CONTENT,
})

/** Answers that are sent before a route is found. */
const OUTER_RESPONSES: Record<string, Json> = {
  MethodNotAllowed: outer('The path does not support the method: `method_not_allowed`.', 'allow'),
  RequestTimeout: outer('The request did not arrive in time: `request_timeout`. The connection is closed.'),
  HeadersTooLarge: outer('The headers are larger than 16 KiB: `headers_too_large`. The connection is closed.'),
}

function replyHeaders(route: Route, status: number): Json {
  const names = usualHeaders(route)
  if (route.write) names.push('idempotent-replayed')
  if (status === 202) names.push('retry-after')
  if (status === 202 || status === 201 || status === 302) names.push('location')
  if (route.write === 'accepted' && status === 200) names.push('preference-applied')
  for (const name of route.replies[status]?.headers ?? []) names.push(name)
  return headersOf(...names)
}

function errorHeaders(route: Route, status: number): Json {
  const names = status === 401 && !route.signsIn ? ['x-request-id'] : usualHeaders(route)
  if (status === 401 || status === 403) names.push('www-authenticate')
  // The cookie of a session that has ended is deleted.
  if (status === 401) names.push('set-cookie')
  if (status === 429 || status === 503) names.push('retry-after')
  return headersOf(...names)
}

/** The errors that any request can get, and those of the route. */
function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(['invalid_request', 'internal_error', 'service_unavailable', ...(route.errors ?? [])])
  if (route.scope !== 'public' || route.signsIn)
    for (const code of ['unauthenticated', 'invalid_token', 'rate_limited', 'forbidden'] as const) codes.add(code)
  if (route.scope !== 'public' && route.scope !== 'token') codes.add('insufficient_scope')
  if (route.path.includes(':')) codes.add('not_found')
  if (route.method !== 'GET')
    for (const code of ['invalid_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed'] as const) codes.add(code)
  if (route.method !== 'GET' && (route.scope !== 'public' || route.action)) codes.add('invalid_idempotency_key')
  if (route.write) codes.add('idempotency_key_reused')
  if (route.ifMatch) for (const code of ['precondition_required', 'invalid_if_match'] as const) codes.add(code)
  if (Object.hasOwn((route.query as TObject | undefined)?.properties ?? {}, 'cursor')) codes.add('invalid_cursor')
  return [...codes]
}

/** The name that a response has when others are the same, and the response. */
interface NamedResponse {
  name: string
  value: Json
}

function repliesOf(route: Route, schemas: Record<string, Json>): [string, NamedResponse][] {
  return Object.entries(route.replies).map(([status, reply]) => {
    const content: Json = {}
    if (reply.page || (reply.contentType && !reply.schema)) content[reply.contentType ?? 'text/html'] = textContent(reply.contentType)
    if (reply.schema) content[reply.contentType ?? 'application/json'] = { schema: hoist(reply.schema, schemas) }
    const value = {
      description: reply.about,
      headers: replyHeaders(route, Number(status)),
      ...(Object.keys(content).length > 0 ? { content } : {}),
    }
    return [status, { name: route.write === 'accepted' ? (status === '202' ? 'Accepted' : 'Terminal') : `${reply.about}`, value }]
  })
}

const wordOf = (code: string): string => code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())

function errorRepliesOf(route: Route): [string, NamedResponse][] {
  const byStatus = Map.groupBy(errorsOf(route).sort(), code => ERROR_STATUS[code])
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [
      String(status),
      {
        name: codes.map(wordOf).join('Or'),
        value: {
          description: codes.map(code => `\`${code}\``).join(', '),
          headers: errorHeaders(route, status),
          content: isForPeople(route) ? { ...ERROR_CONTENT, 'text/html': textContent() } : ERROR_CONTENT,
        },
      },
    ])
}

type Json = Record<string, unknown>

/** Moves schemas with a name to `schemas` and leaves a reference, with a description where this place describes the schema in its own words. */
function hoist(schema: unknown, schemas: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map(item => hoist(item, schemas))
  if (schema === null || typeof schema !== 'object') return schema
  const { title, 'x-shown': shown, ...own } = schema as Json
  // An `$id` would give the schema a second address, which tools that resolve references stumble over.
  const { title: _, $id: __, ...rest } = (shown ?? own) as Json
  if (rest.format === NOT_BLANK)
    Object.assign(rest, { format: undefined, pattern: rest.pattern ? `^(?=.*\\S)${String(rest.pattern).slice(1)}` : '\\S' })
  const walked = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : hoist(value, schemas)]))
  if (Array.isArray(walked.enum) && walked.enum.includes(null)) return orNull(walked)
  if (typeof title !== 'string' || !/^\w+$/.test(title) || rest.type === 'string') return walked
  const reference = { $ref: `#/components/schemas/${title}` }
  const { description } = walked
  const described = schemas[title]?.description ?? description
  schemas[title] = described === undefined ? walked : { ...walked, description: described }
  return description === undefined || description === described ? reference : { ...reference, description }
}

/** Code generators do not support an enum with null in it. */
function orNull({ type: _, enum: values, ...rest }: Json): Json {
  return { ...rest, anyOf: [{ type: 'string', enum: (values as unknown[]).filter(value => value !== null) }, { type: 'null' }] }
}

/** One use of a component. */
interface Use {
  name: string
  value: Json
  /** The name, if a reference replaces the schema. */
  within: object
  at: string | number
}

/**
 * Components that are used more than once get a name under `components`. When different ones have the same name, the most frequent one gets
 * it, and the others stay inline.
 */
function shareRepeated(kind: string, uses: readonly Use[]): Record<string, Json> {
  const shared: Record<string, Json> = {}
  for (const [name, ofName] of Map.groupBy(uses, use => use.name)) {
    const alike = [...Map.groupBy(ofName, use => JSON.stringify(use.value)).values()].sort((a, b) => b.length - a.length)[0]!
    if (alike.length < 2) continue
    shared[name] = alike[0]!.value
    for (const { within, at } of alike) Reflect.set(within, at, { $ref: `#/components/${kind}/${name}` })
  }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)))
}
