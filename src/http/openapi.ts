import { ERROR_CODES } from '../lib/errors.ts'
import type { TSchema } from '../lib/type.ts'
import { Type } from '../lib/type.ts'
import { SESSION_COOKIE } from './access.ts'
import { hoist, type Json, shareRepeated } from './openapi-components.ts'
import { exampleOf, withExamples } from './openapi-examples.ts'
import { errorRepliesOf, HEADERS, type NamedResponse, OUTER_RESPONSES, repliesOf } from './openapi-replies.ts'
import type { Route } from './route.ts'
import { named, namedObject, nullable, oneOf, strict } from './schema.ts'

type Schemas = Record<string, Json>

const Issue = Type.Object(
  {
    in: Type.String({ description: '`body`, `query`, `path` or `header`.', examples: ['body'] }),
    path: Type.String({ description: 'A JSON pointer to the value.', examples: ['/leads/0/email'] }),
    rule: Type.String({ examples: ['format'] }),
    message: Type.String({ examples: ['must be an e-mail address'] }),
  },
  { additionalProperties: true },
)

const ErrorDetails = named(
  'ErrorDetails',
  Type.Object(
    {
      issues: Type.Optional(Type.Array(Issue, { description: 'What is wrong with the request.' })),
      currentStatus: Type.Optional(Type.String({ description: 'With `invalid_state`: the present state.' })),
      allowedStatuses: Type.Optional(Type.Array(Type.String(), { description: 'With `invalid_state`: the states that would allow it.' })),
      missingScopes: Type.Optional(Type.Array(Type.String(), { description: 'With 403: the scopes that the token lacks.' })),
    },
    { additionalProperties: true, description: 'Further data, depending on the code.' },
  ),
)

const ErrorEnvelope = namedObject('Error', {
  error: strict({
    code: oneOf(ERROR_CODES, { description: 'The machine-readable code. A new code is a change of the contract.' }),
    message: Type.String({ description: 'An explanation for people.' }),
    requestId: Type.String(),
    details: nullable(ErrorDetails),
  }),
})

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A personal access token or an organization API key.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'For the pages of the installation itself: the cookie that `POST /v1/sessions` sets, together with the `sessionKey` of its answer in the header `x-overture-console`. The name of the cookie begins with `__Host-` when the base URL is https.',
  },
}

interface Parts {
  routes: readonly Route[]
  version: string
  /** Schemas that say more than those of the same name in the routes. */
  schemas: readonly TSchema[]
  /** What is posted to webhook endpoints, by the type of the event. */
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
  for (const { operation } of operations) addExamples(operation, schemas)
  const parameters = shareParameters(operations.map(({ operation }) => operation))
  const responses = shareResponses(operations.map(({ operation }) => operation))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Overture',
      version,
      description: 'Outbound e-mail campaigns over an API: leads, sequences, schedules, and the outcome of every e-mail.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    paths,
    webhooks,
    components: {
      headers: HEADERS,
      parameters: { ...parameters, ...WEBHOOK_PARAMETERS },
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
    ...(route.method !== 'GET' && route.body
      ? {
          requestBody: {
            required: requiresBody(route.body),
            content: { 'application/json': { schema: hoist(route.body, schemas) as Json } },
          },
        }
      : {}),
    ...(route.streams
      ? {
          requestBody: {
            required: true,
            content: { [route.streams]: { schema: { type: 'string', examples: ['email,first name\nann@example.com,Ann\n'] } } },
          },
        }
      : {}),
    responses: Object.fromEntries([...repliesOf(route, schemas), ...errorRepliesOf(route)]),
  }
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
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: hoist(property, schemas),
    }))
  }
  const key = { type: 'string', minLength: 1, maxLength: 255, examples: ['0197b1c2-4f6a-7000-8000-000000000011'] }
  return [
    ...from(route.params, 'path'),
    ...from(route.query, 'query'),
    ...(route.ifMatch
      ? [header('if-match', 'The `updatedAt` that you read last.', { type: 'string', format: 'date-time' }, { required: true })]
      : []),
    ...(route.write
      ? [
          header(
            'idempotency-key',
            'Makes it safe to repeat the request. Any unique string; one that is ordered by time (UUID version 7) is cheaper.',
            key,
          ),
        ]
      : []),
    ...(route.resumes
      ? [
          header('last-event-id', 'The `seq` after which the stream continues. It takes precedence over `after`.', {
            type: 'integer',
            minimum: 0,
          }),
        ]
      : []),
    ...(route.write === 'accepted'
      ? [
          header(
            'prefer',
            '`wait=N` (1 to 30 seconds): the server answers when the operation is terminal. A failed operation answers 200, too: read `status`.',
            { type: 'string', examples: ['wait=20'] },
          ),
        ]
      : []),
  ]
}

const header = (name: string, description: string, schema: Json, more: { required?: true; example?: string } = {}): Json => {
  return { name, in: 'header', required: false, description, schema, ...more }
}

const sentHeader = (name: string, description: string, example: string): Json =>
  header(name, description, { type: 'string' }, { required: true, example })

const WEBHOOK_PARAMETERS = {
  'webhook-id': sentHeader('webhook-id', 'The id of the event. It is the same in every attempt.', '0197b1c2-4f6a-7000-8000-000000000001'),
  'webhook-timestamp': sentHeader('webhook-timestamp', 'The time of this attempt, in seconds since 1970-01-01 UTC.', '1772438400'),
  'webhook-signature': sentHeader(
    'webhook-signature',
    'HMAC-SHA256 of `id.timestamp.body` with the secret of the endpoint, as standardwebhooks.com specifies. While the secret is being replaced, there are several signatures, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

function describeWebhook(type: string, body: TSchema, schemas: Schemas): Json {
  return {
    operationId: `on.${type}`,
    summary: `\`${type}\` is delivered to endpoints that subscribe to it`,
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(WEBHOOK_PARAMETERS).map(name => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': { schema: hoist(body, schemas) } } },
    responses: {
      '2XX': { description: 'Accepted.' },
      410: { description: 'The endpoint no longer exists. Overture disables it.' },
      default: { description: 'Failed. Overture tries again for up to three days.' },
    },
  }
}

function addExamples({ parameters, requestBody, responses }: Described, schemas: Schemas): void {
  for (const parameter of parameters) parameter.example = exampleOf(parameter.schema as object, schemas, String(parameter.name))
  for (const media of Object.values(requestBody?.content ?? {})) if (!media.schema.$ref) media.example = exampleOf(media.schema, schemas)
  const answers = Object.values(responses as Record<string, NamedResponse>).map(({ value }) => value.content as Content | undefined)
  for (const media of answers.flatMap(content => content?.['application/json'] ?? []))
    if (!media.schema.$ref) media.example = exampleOf(media.schema, schemas)
}

const shareParameters = (operations: readonly Described[]): Json =>
  shareRepeated(
    'parameters',
    operations.flatMap(({ parameters }) =>
      parameters.map((value, at) => ({
        name: String(value.name),
        value,
        replace: (reference: Json) => {
          parameters[at] = reference
        },
      })),
    ),
  )

function shareResponses(operations: readonly Described[]): Json {
  const uses = operations.flatMap(({ responses }) =>
    Object.entries(responses as Record<string, NamedResponse>).map(([status, { name, value }]) => {
      responses[status] = value
      return {
        name,
        value,
        replace: (reference: Json) => {
          responses[status] = reference
        },
      }
    }),
  )
  return shareRepeated(
    'responses',
    uses.filter(({ name }) => /^\w+$/.test(name)),
  )
}
