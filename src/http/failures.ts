import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { isConflict, isDatabaseDown, isTooLate, isUnwritable, PoolSaturated } from '../db/errors.ts'
import { AppError, unavailable } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { tooLarge } from './body.ts'
import type { Route } from './route.ts'

// Not imported: importing `node:http` loads Node's own fetch, which we do not use.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

export const nothingHere = (): AppError => new AppError('not_found', 'There is no endpoint at this path. /docs lists all endpoints.')

/** The shape of every error response. */
export const envelope = (failure: AppError, requestId: string) => ({
  error: { code: failure.code, message: failure.message, requestId, details: failure.details ?? null },
})

/** The response of /readyz while the database is not available. */
export const notReady = (trouble: string, message = 'The database is not ready. Try again.'): AppError =>
  new AppError('service_unavailable', message, { database: trouble }, { 'retry-after': '1' })

/** The body has a type that the route does not take. */
export const wrongType = (taken = 'application/json'): AppError => new AppError('unsupported_media_type', `Send the body as ${taken}.`)

/**
 * Turns any error into the error envelope. Only the message of an AppError reaches the caller; other messages stay in the log. `taken` is
 * the media type that the route takes, when it is not JSON.
 */
export function toAppError(error: unknown, taken?: string): AppError {
  if (error instanceof AppError) return error
  if (isUnwritable(error)) return unavailable('The database cannot store anything at the moment. Nothing was changed. Try again.', 5)
  if (error instanceof PoolSaturated) return unavailable('All connections to the database are in use. Nothing was changed. Try again.')
  if (isDatabaseDown(error)) return unavailable('The database does not respond. Try again, with the same idempotency-key if there was one.')
  if (isTooLate(error)) return unavailable('The database took too long. Nothing was changed. Try again.', 2)
  if (isConflict(error)) return unavailable('Other requests changed the same data at the same time. Nothing was changed. Try again.')
  switch ((error as { code?: string }).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge()
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return wrongType(taken)
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_request', 'content-length does not match the body.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return nothingHere()
    case 'FST_ERR_BAD_URL':
      return new AppError('invalid_request', 'The URL cannot be decoded.')
    // PostgreSQL refused a value that passed our checks: the input of the caller is the cause.
    case '22021':
    case '22P05':
      return new AppError('validation_failed', 'The body contains text that cannot be stored.')
    default:
      return new AppError('internal_error', 'An internal error occurred. Search the log for the request id.')
  }
}

/** Errors before a request exists: its first lines could not be parsed, or did not arrive in time. */
function toEarlyFailure(error: { code?: string; rawPacket?: Buffer }): AppError {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request did not arrive in time.')
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'The headers are larger than 16 KiB.')
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('payload_too_large', 'The chunk extensions are larger than the server accepts.')
    case 'HPE_INVALID_METHOD':
      return REQUEST_LINE.test(error.rawPacket?.toString('latin1') ?? '') ? methodUnknown() : unreadable()
    default:
      return unreadable()
  }
}

const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]+ \S+ HTTP\/\d/
const unreadable = (): AppError => new AppError('invalid_request', 'The request is not valid HTTP/1.1.')

const EVERY_METHOD = 'DELETE, GET, HEAD, PATCH, POST, PUT'
const methodUnknown = (): AppError =>
  new AppError('method_not_allowed', `No path supports this method. The supported methods are ${EVERY_METHOD}.`, null, {
    allow: EVERY_METHOD,
  })

/** For connections that have no response object. */
function writeEarly(socket: Duplex, failure: AppError): void {
  const requestId = newId()
  const body = JSON.stringify(envelope(failure, requestId))
  const headers = {
    ...failure.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

interface Answering {
  _httpMessage?: { headersSent?: boolean } | null
}

/** Fastify's option of this name. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  // A second response in the middle of a response would corrupt it.
  const isAnswering = (socket as Duplex & Answering)._httpMessage?.headersSent === true
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy()
  else writeEarly(socket, toEarlyFailure(error))
}

/** Responds to requests that Node would respond to itself, or leave without a response. */
export function answerBeforeRouting(server: Server): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => writeEarly(socket, methodUnknown()))
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The path that matches with another method, when the router found no route. */
    knownPath?: KnownPath | undefined
  }
}

interface KnownPath {
  /** As Fastify writes it: `/v1/workspaces/:workspaceId`. */
  path: string
  /** The value of its `Allow` header. */
  allow: string
}

/**
 * All paths with their methods. Used only when the router found nothing, to distinguish a wrong method from a wrong path: registering a
 * route for every unsupported method would mean thousands of routes at every start.
 */
export class KnownPaths {
  readonly #methods = new Map<string, Set<string>>()
  #patterns: [pattern: RegExp, known: KnownPath][] | undefined

  add(routes: readonly Pick<Route, 'method' | 'path'>[]): void {
    this.#patterns = undefined
    for (const { method, path } of routes) {
      const methods = this.#methods.get(path) ?? new Set<string>()
      this.#methods.set(path, methods.add(method))
      if (method === 'GET') methods.add('HEAD')
    }
  }

  /**
   * Literal paths that also match a path with a parameter, with the methods that only the other path supports: a GET of `/plans/apply` must
   * not count as a GET of `/plans/:planId`.
   */
  *shadows(): Generator<KnownPath & { methods: string[] }> {
    const open = [...this.#methods]
      .filter(([path]) => path.includes(':'))
      .map(([path, methods]) => ({ path, methods, rank: rankOf(path), pattern: patternOf(path) }))
    for (const [path, own] of this.#methods) {
      const rank = rankOf(path)
      const covering = open.filter(other => other.path !== path && rank < other.rank && other.pattern.test(path))
      const methods = [...new Set(covering.flatMap(other => [...other.methods]))].filter(method => !own.has(method))
      if (methods.length > 0) yield { path, methods, allow: allowOf(own) }
    }
  }

  find(url: string): KnownPath | undefined {
    this.#patterns ??= [...this.#methods]
      .sort(([one], [other]) => (rankOf(one) < rankOf(other) ? -1 : 1))
      .map(([path, methods]) => [patternOf(path), { path, allow: allowOf(methods) }])
    const asked = decoded(url.split(/[?#]/, 1)[0]!)
    return this.#patterns.find(([pattern]) => pattern.test(asked))?.[1]
  }
}

const allowOf = (methods: ReadonlySet<string>): string => [...methods].sort().join(', ')

/** The order of the router: literal segments before parameters, and parameters before wildcards. */
const rankOf = (path: string): string => path.replace(/:\w+/g, '\uFFFE').replace(/\*$/, '\uFFFF')

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+]/g, '\\$&').replace(/:\w+/g, '[^/]{1,512}').replace(/\*$/, '.*')}$`)

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

export const wrongMethod = ({ allow }: KnownPath): AppError =>
  new AppError('method_not_allowed', `This path supports ${allow}.`, null, { allow })
