import { ERROR_STATUS, type ErrorCode } from '../lib/errors.ts'
import type { TObject } from '../lib/type.ts'
import { hoist, type Json } from './openapi-components.ts'
import { TEXT_EXAMPLES } from './openapi-examples.ts'
import type { Route } from './route.ts'

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example })

/** Every header that means something to a client. */
export const HEADERS: Record<string, Json> = {
  'x-request-id': text('The id of the request in the log. An error contains it as `requestId`.', '0197b1c2-4f6a-7000-8000-000000000002'),
  ratelimit: text('The requests left in the window, and the seconds until it ends.', '"token";r=5999;t=60'),
  'ratelimit-policy': text('The number of requests that a token may make, and the length of the window in seconds.', '"token";q=6000;w=60'),
  location: text(
    'The URL of the accepted operation, of the created resource, or of the target of a link.',
    'https://overture.example/v1/operations/0197b1c2-4f6a-7000-8000-000000000001',
  ),
  'retry-after': {
    description: 'The number of seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  'idempotent-replayed': {
    description: 'The request was made before with this key, and this is its stored answer.',
    schema: { const: 'true' },
    example: 'true',
  },
  'preference-applied': text('The server waited for the operation, as requested.', 'wait=20'),
  allow: text('The methods that the path supports.', 'GET, HEAD, POST'),
  'set-cookie': text(
    'The cookie of the new session, or the deletion of the cookie.',
    'overture_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict',
  ),
  'content-disposition': text('The suggested file name.', 'attachment; filename="leads.csv"'),
  'www-authenticate': text('What the token lacks (RFC 6750).', 'Bearer error="insufficient_scope", scope="leads:write"'),
}

function headersOf(...names: string[]): Json {
  const unknown = names.find(name => !(name in HEADERS))
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
  return {
    schema: { type: 'string', ...(example === undefined ? { format: 'binary' } : {}) },
    ...(example === undefined ? {} : { example }),
  }
}

const ERROR_CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

/** Answers that are sent before a route is found. */
export const OUTER_RESPONSES: Record<string, Json> = {
  MethodNotAllowed: {
    description: 'The path does not support the method: `method_not_allowed`.',
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

/** The name that an answer has when others are the same, and the answer. */
export interface NamedResponse {
  name: string
  value: Json
}

export function repliesOf(route: Route, schemas: Record<string, Json>): [string, NamedResponse][] {
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

export function errorRepliesOf(route: Route): [string, NamedResponse][] {
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
