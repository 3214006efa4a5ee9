import type { TSchema } from 'typebox'
import Type from 'typebox'
import { ERROR_STATUS, type ErrorCode } from '../lib/errors.ts'
import type { Route } from './route.ts'
import { nullable, strict } from './schema.ts'

type Json = Record<string, unknown>

const ErrorEnvelope = Object.assign(
  strict({
    error: strict({
      code: Type.String(),
      message: Type.String(),
      requestId: Type.String(),
      details: nullable(Type.Unknown()),
    }),
  }),
  { title: 'Error' },
)

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

const text = (description: string): Json => ({ description, schema: { type: 'string' } })

/** Every header that means something to a client. */
const HEADERS: Record<string, Json> = {
  'x-request-id': { description: 'Names the request in the log; an error has it as `requestId`, too.', schema: { type: 'string' } },
  ratelimit: text('What is left of the window, and the seconds until it ends: `"token";r=5999;t=60`.'),
  'ratelimit-policy': text('How many requests a token may make in how many seconds: `"token";q=6000;w=60`.'),
  location: text('The operation that was accepted, the resource that was created, or where a link leads.'),
  'retry-after': { description: 'Seconds after which to ask again.', schema: { type: 'integer', minimum: 1 } },
  'idempotent-replayed': { description: 'The request was made before with this key: this is its answer.', schema: { const: 'true' } },
  'preference-applied': text('`wait=N`: the answer waited for the operation.'),
  allow: text('The methods that the path takes.'),
  'www-authenticate': text('What the token lacks (RFC 6750).'),
  'set-cookie': text('The session that begins, or the end of one.'),
}

const headersOf = (...names: string[]): Json => Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

const usualHeaders = (route: Route): string[] => [
  'x-request-id',
  ...(route.scope === 'public' && !route.signsIn ? [] : ['ratelimit', 'ratelimit-policy']),
]

function replyHeaders(route: Route, status: number): Json {
  const names = usualHeaders(route)
  if (route.write) names.push('idempotent-replayed')
  if (status === 202) names.push('retry-after')
  if (status === 202 || status === 201 || status === 302 || (route.write === 'sync' && 201 in route.replies)) names.push('location')
  if (route.write === 'accepted' && status === 200) names.push('preference-applied')
  for (const name of route.replies[status]?.headers ?? []) names.push(name)
  return headersOf(...names)
}

function errorHeaders(route: Route, status: number): Json {
  const names = status === 401 && !route.signsIn ? ['x-request-id'] : usualHeaders(route)
  if (status === 401 || status === 403) names.push('www-authenticate')
  // A cookie whose session is over is taken back.
  if (status === 401) names.push('set-cookie')
  if (status === 429 || status === 503) names.push('retry-after')
  return headersOf(...names)
}

/** What any request can meet, besides what its route names. */
function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(['invalid_request', 'internal_error', 'service_unavailable', ...(route.errors ?? [])])
  if (route.scope !== 'public' || route.signsIn)
    for (const code of ['unauthenticated', 'invalid_token', 'rate_limited', 'forbidden'] as const) codes.add(code)
  if (route.scope !== 'public' && route.scope !== 'token') codes.add('insufficient_scope')
  if (route.path.includes(':')) codes.add('not_found')
  if (route.method !== 'GET')
    for (const code of ['invalid_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed'] as const) codes.add(code)
  if (route.write) codes.add('invalid_idempotency_key')
  if (route.write) codes.add('idempotency_key_reused')
  return [...codes]
}

/** The document is made from the routes that the server mounts: there is nothing to keep in step by hand. */
export function buildOpenApi(routes: readonly Route[], version: string): Json {
  const components: Record<string, Json> = {}
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...(paths[path] ?? {}), [route.method.toLowerCase()]: describeRoute(route, components) }
  }
  hoist(ErrorEnvelope, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Overture',
      version,
      description: 'Outbound campaigns over an API: leads, sequences, schedules, and what became of every e-mail.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      headers: HEADERS,
      responses: {
        MethodNotAllowed: {
          description: 'The path exists, but it does not accept this method: `method_not_allowed`.',
          headers: headersOf('x-request-id', 'allow'),
          content: ERROR_CONTENT,
        },
        RequestTimeout: {
          description: 'The request did not arrive in time: `request_timeout`. The connection is closed.',
          headers: headersOf('x-request-id'),
          content: ERROR_CONTENT,
        },
        HeadersTooLarge: {
          description: 'The headers are larger than 16 KiB: `headers_too_large`. The connection is closed.',
          headers: headersOf('x-request-id'),
          content: ERROR_CONTENT,
        },
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token or an organization API key.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'overture_session',
          description:
            'For pages of the installation itself: the cookie that `POST /v1/sessions` sets, together with the header `x-overture-console: 1`. Its name begins with `__Host-` when the base URL is https.',
        },
      },
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

function describeRoute(route: Route, components: Record<string, Json>): Json {
  const scopes = [route.scope, ...(route.orScopes ?? [])].map(scope => `\`${scope}\``).join(' or ')
  const scope =
    route.scope === 'public'
      ? route.signsIn
        ? 'A token or a code.'
        : 'No token needed.'
      : route.scope === 'token'
        ? 'Any valid token.'
        : `Scope: ${scopes}.`
  return {
    operationId: route.id,
    summary: route.summary,
    description: [route.about, scope].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    ...securityOf(route),
    ...(route.scope === 'public' || route.scope === 'token' ? {} : { 'x-scope': route.scope }),
    ...(route.action ? { 'x-action': route.action } : {}),
    parameters: parametersOf(route, components),
    ...(route.method !== 'GET' && route.body
      ? { requestBody: { required: requiresBody(route.body), content: { 'application/json': { schema: hoist(route.body, components) } } } }
      : {}),
    ...(route.streams ? { requestBody: { required: true, content: { [route.streams]: { schema: { type: 'string' } } } } } : {}),
    responses: { ...repliesOf(route, components), ...errorRepliesOf(route) },
  }
}

function securityOf(route: Route): Json {
  if (route.signsIn) return { security: [{ bearer: [] }, {}] }
  if (route.scope === 'public') return { security: [] }
  return route.signedLink ? { security: [{ bearer: [] }, { session: [] }, {}] } : {}
}

const requiresBody = (schema: TSchema): boolean => ((schema as { required?: string[] }).required ?? []).length > 0

function parametersOf(route: Route, components: Record<string, Json>): Json[] {
  const from = (schema: TSchema | undefined, where: string): Json[] => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Record<string, TSchema>; required?: string[] }
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: hoist(property, components),
    }))
  }
  const header = (name: string, required: boolean, description: string, schema: Json): Json => ({
    name,
    in: 'header',
    required,
    description,
    schema,
  })
  return [
    ...from(route.params, 'path'),
    ...from(route.query, 'query'),
    ...(route.ifMatch ? [header('if-match', true, 'The `updatedAt` of your latest read.', { type: 'string', format: 'date-time' })] : []),
    ...(route.write
      ? [
          header('idempotency-key', false, 'Makes a repeated request safe. A v4 UUID is recommended.', {
            type: 'string',
            minLength: 1,
            maxLength: 255,
          }),
        ]
      : []),
    ...(route.resumes
      ? [header('last-event-id', false, 'The `seq` after which to go on; it counts more than `after`.', { type: 'integer', minimum: 0 })]
      : []),
    ...(route.write === 'accepted'
      ? [header('prefer', false, '`wait=N` (1 to 30 seconds): answer when the operation is terminal.', { type: 'string' })]
      : []),
  ]
}

function repliesOf(route: Route, components: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(route.replies).map(([status, reply]) => {
      const content = reply.schema
        ? { [reply.contentType ?? 'application/json']: { schema: hoist(reply.schema, components) } }
        : reply.contentType
          ? { [reply.contentType]: { schema: { type: 'string' } } }
          : undefined
      return [status, { description: reply.about, headers: replyHeaders(route, Number(status)), ...(content ? { content } : {}) }]
    }),
  )
}

function errorRepliesOf(route: Route): Json {
  const byStatus = Map.groupBy(errorsOf(route), code => ERROR_STATUS[code])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.map(code => `\`${code}\``).join(', '),
          headers: errorHeaders(route, status),
          content: ERROR_CONTENT,
        },
      ]),
  )
}

/** Moves schemas with a name to `components` and leaves a reference. */
function hoist(schema: unknown, components: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map(item => hoist(item, components))
  if (schema === null || typeof schema !== 'object') return schema
  const { title, ...rest } = schema as Json
  const walked = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoist(value, components)]))
  if (typeof title !== 'string' || rest.type === 'string') return walked
  components[title] = walked
  return { $ref: `#/components/schemas/${title}` }
}
