import type { Context } from '../context/context.ts'
import type { ErrorCode } from '../lib/errors.ts'
import type { Static, TSchema } from '../lib/type.ts'
import type { Caller, CostOf, Scope } from './access.ts'
import { strict, Uuid } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ApiRequest<P = unknown, Q = unknown, B = unknown> {
  ctx: Context
  requestId: string
  /** A HEAD request is handled as a GET; its response has no body. */
  method: Method | 'HEAD'
  /** The action that the route declares: a write stores its operation under it. */
  action: string | null
  /** The cost that the route declares for tokens with limits. */
  cost: CostOf<never, never> | null
  /** The requested path without the query: part of the idempotency fingerprint. */
  path: string
  url: string
  /** The host that the request was sent to, in lower case and without the usual port. */
  host: string
  params: P
  query: Q
  body: B
  caller: Caller
  idempotencyKey: string | null
  ifMatch: Date | null
  waitSeconds: number | null
  /** The event number after which a stream continues, see `resumes` of the route. */
  lastEventId: number | null
  /** The header, for a handler that sends another request. */
  authorization: string | null
  userAgent: string | null
  /** The wanted formats and languages, for pages that people read. */
  accept: string | null
  acceptLanguage: string | null
  /** The `Cookie` header, for pages to which another site returns the browser. */
  cookies: string | undefined
  /** The long list of a large body, see `bulk` of the route; null when the body is small and includes it. */
  bulk: Bulk | null
  /** The pieces of a body that is a file, see `streams` of the route; null when there is none. */
  stream: AsyncIterable<Buffer> | null
  /** The digest of the body for the idempotency fingerprint, if it has been computed already. */
  bodyDigest: string | null
}

export interface Bulk {
  /** Each is a JSON array of consecutive items, in UTF-8. They come a few at a time and once, and their memory is gone when the next are taken. */
  chunks: Iterable<readonly Uint8Array[]>
  count: number
  /** Frees the memory of the chunks after they were stored, although the request may still wait. */
  release(): void
}

export interface ApiReply {
  status: number
  /** A value that becomes JSON, or a buffer of JSON. */
  body?: unknown
  headers?: Record<string, string>
}

interface ReplySpec {
  about: string
  schema?: TSchema
  /** The media type, when it is not JSON. */
  contentType?: string
  /** A page for people; with a schema, programs that ask for JSON get that instead. */
  page?: true
  headers?: string[]
}

type WithoutEnding<Name extends string> = Name extends `${infer Word}.${string}` ? Word : Name
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? WithoutEnding<Name>
    : never

/** The parameters of a path as Fastify writes it: `/v1/workspaces/:workspaceId`. */
export type PathParams<Path extends string> = { [Name in NamesIn<Path>]: string }

/**
 * The effect of an action on its campaign, and how long its operation is kept:
 *
 * - `changesStatus`: it can change the status of the campaign. While it is open, the future status is unknown.
 * - `startsSending`: the campaign may start to send.
 * - `addsMessages`: the campaign sends more, or from another mailbox.
 * - `changesSteps`: the sequence of the campaign gets another number of steps.
 * - `changesNothing`: it does not change the campaign, so its end makes no difference to other requests.
 * - `onlyReads`: anyone who may read can request it. Later operations of the campaign do not wait for it, and it gets only half of the open
 *   operations of a workspace: a reader must not delay what others change, like a pause.
 * - `spendsCredits`: its operation is never deleted.
 */
export type Effect = 'changesStatus' | 'startsSending' | 'addsMessages' | 'changesSteps' | 'changesNothing' | 'onlyReads' | 'spendsCredits'

export interface RouteSpec<Path extends string, Q extends TSchema, B extends TSchema> {
  /** The operationId of the OpenAPI document, and the name in SDKs. */
  id: string
  summary: string
  about?: string
  /** The group in the reference, where it is not the one of the list: see `tagged`. */
  tag?: string
  /** The scope that a token needs. `token`: any valid token. `public`: no token. */
  scope: Scope | 'token' | 'public'
  /** Scopes that are accepted instead. */
  orScopes?: readonly Scope[]
  /** A signed link: a client that has one needs no token. */
  signedLink?: (ctx: Context, params: Record<string, string>, query: Record<string, unknown>) => boolean
  /** Signs in, with a token or with the body: a token is checked if there is one, and failures are counted. */
  signsIn?: boolean
  /** The scopes that a body needs besides. Whoever approves a plan needs them, too. */
  alsoNeeds?: (body: Static<B>) => readonly Scope[]
  /** The handler of a read checks the scope, because it depends on the resource. The route must still declare the usual scope. */
  judgesScope?: boolean
  /** Callers who may send it without the scope. */
  exempts?: (caller: Caller, params: Record<string, string>) => boolean
  /** It can take seconds of the database or the processor: a person has at most two such requests at work, and further ones wait. */
  isHeavy?: true
  /** The parameters of the path that are not ids. */
  params?: Record<string, TSchema>
  query?: Q
  body?: B
  /** Throws for what the schema cannot express about a body. A plan is also checked when it is proposed. */
  checkBody?: (body: Static<B>, bulk: Bulk | null) => void
  /** Writes take `idempotency-key`; accepted ones return an operation and take `Prefer: wait`. */
  write?: 'sync' | 'accepted'
  /** The action of the operation that a write stores. Routes with the same action declare the same about it. */
  action?: string
  /** The cost of the action for a token with limits. Each route with an action declares it. */
  cost?: CostOf<PathParams<Path>, Static<B>>
  /** The effect that other requests must know while the operation is open, and after it. */
  effects?: readonly Effect[]
  /** The scope that reads the operation, where it is not the scope of the route. */
  operationScope?: Scope
  /** The result of the operation. For an accepted write, its task declares it. */
  result?: TSchema
  ifMatch?: boolean
  /** A stream of server-sent events that takes `Last-Event-ID`. */
  resumes?: boolean
  bodyLimitBytes?: number
  /** The field with the long list. In a large body it is left out, and comes as `request.bulk` instead. */
  bulk?: string
  /** The body is a file of this media type, which the handler reads piece by piece as it comes in; see `stream` of the request. */
  streams?: 'text/csv'
  /** A body of any media type is accepted and ignored: one-click unsubscribing posts a form (RFC 8058). */
  ignoresBody?: boolean
  replies: Record<number, ReplySpec>
  errors?: ErrorCode[]
  handle(request: ApiRequest<PathParams<Path>, Static<Q>, Static<B>>): Promise<ApiReply>
}

/** A route without the types of its parameters, as the router, the OpenAPI document and the tests use it. */
export type Route = Omit<RouteSpec<string, TSchema, TSchema>, 'tag' | 'params' | 'alsoNeeds' | 'checkBody' | 'cost' | 'handle'> & {
  method: Method
  path: string
  tag: string
  params: TSchema
  alsoNeeds?(body: unknown): readonly Scope[]
  checkBody?(body: unknown, bulk: Bulk | null): void
  cost?: CostOf<never, never>
  handle(request: ApiRequest<never, never, never>): Promise<ApiReply>
}

type UntaggedRoute = Omit<Route, 'tag'> & { tag?: string }

export function route<const Path extends string, Q extends TSchema, B extends TSchema>(
  method: Method,
  path: Path,
  spec: RouteSpec<Path, Q, B>,
): UntaggedRoute {
  const ids = [...path.matchAll(/:(\w+Id)\b/g)].map(([, name]) => [name, Uuid])
  return { ...spec, method, path, params: strict({ ...Object.fromEntries(ids), ...spec.params }) } as unknown as UntaggedRoute
}

/** The routes of one group of the reference. */
export const tagged = (tag: string, routes: readonly UntaggedRoute[]): Route[] => routes.map(route => ({ tag, ...route }))

/** The replies of a write that creates something. */
export const createdReplies = (about: string, schema: TSchema): Route['replies'] => ({
  201: { about, schema },
  200: { about: 'A replay: the request was made before with this key.', schema },
})

export const ok = (body: unknown): ApiReply => ({ status: 200, body })
/** The response to a write that has created this. */
export const created = <Data extends { links: { self: string } }>(data: Data): ApiReply => ({
  status: 201,
  body: { data },
  headers: { location: data.links.self },
})
export const noContent: ApiReply = { status: 204 }
