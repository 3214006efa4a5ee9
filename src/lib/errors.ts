import { digits } from './many.ts'

/** Every error code of the API, with its status. The list is closed: a new code is a change of the contract. */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_cursor: 400,
  invalid_idempotency_key: 400,
  invalid_if_match: 400,
  unauthenticated: 401,
  invalid_token: 401,
  insufficient_credits: 402,
  insufficient_scope: 403,
  forbidden: 403,
  token_budget_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_key_reused: 409,
  invalid_state: 409,
  campaign_not_ready: 409,
  limit_exceeded: 409,
  export_expired: 410,
  events_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  invalid_reference: 422,
  url_not_allowed: 422,
  precondition_required: 428,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[]

/** Codes that only a failed operation can have, never an HTTP answer. */
export const OPERATION_ERROR_CODES = [
  ...ERROR_CODES,
  'precondition_failed',
  'filters_not_derivable',
  'upstream_unavailable',
  'timeout',
] as const
export type OperationErrorCode = (typeof OPERATION_ERROR_CODES)[number]

export interface Issue {
  in: 'path' | 'query' | 'header' | 'body'
  path: string
  rule: string
  message: string
}

/**
 * An expected failure: its code and message are for the caller, and a retry would fail again. Any other error is unexpected: it is retried
 * where that is safe, and its text stays in the log.
 */
export class AppError extends Error {
  readonly code: OperationErrorCode
  readonly details: unknown
  readonly headers: Record<string, string>

  constructor(code: OperationErrorCode, message: string, details: unknown = null, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'AppError'
    this.code = code
    this.details = details
    // Whatever is unavailable says when to ask again.
    this.headers = code === 'service_unavailable' ? { 'retry-after': '5', ...headers } : headers
  }

  get status(): number {
    return this.code in ERROR_STATUS ? ERROR_STATUS[this.code as ErrorCode] : 500
  }

  get retryable(): boolean {
    return RETRYABLE.has(this.code)
  }
}

const RETRYABLE: ReadonlySet<string> = new Set(['upstream_unavailable', 'timeout', 'internal_error', 'service_unavailable'])

export function notFound(what: string): AppError {
  return new AppError('not_found', `There is no ${what} with this id that the token can access.`)
}

/** The row that was found by its id. Throws if there is none. */
export function existing<R>(row: R | undefined, what: string): R {
  if (row === undefined) throw notFound(what)
  return row
}

/** Something that works again soon, so the client may repeat the request. */
export const unavailable = (message: string, retryAfterSeconds = 1): AppError =>
  new AppError('service_unavailable', message, null, { 'retry-after': String(retryAfterSeconds) })

/** One style for every problem of a request: its place and the problem. */
export function refusal(code: ErrorCode, issues: readonly [Issue, ...Issue[]]): AppError {
  const { in: where, path, message } = issues[0]
  const place = path.slice(1).replaceAll('/', '.') || where
  return new AppError(code, `${place}: ${message}${message.endsWith('.') ? '' : '.'}`, { issues })
}

export function invalid(where: Issue['in'], path: string, rule: string, message: string): AppError {
  return refusal(where === 'body' ? 'validation_failed' : 'invalid_request', [{ in: where, path, rule, message }])
}

/** A field of the body names something that cannot be used here. */
export function invalidReference(field: string, message: string): AppError {
  return refusal('invalid_reference', [{ in: 'body', path: `/${field}`, rule: 'reference', message }])
}

/** Refuses to create more of something than the operator allows. */
export function checkLimit(what: string, limit: number, current: number): void {
  if (current < limit) return
  throw new AppError('limit_exceeded', `There are ${digits(current)} ${what}, and the limit is ${digits(limit)}. Remove some first.`, {
    limit,
    current,
  })
}

/** Something is not in the state that the request needs. */
const STATUS_WORDS: Readonly<Record<string, string>> = { draft: 'a draft', attention_needed: 'stopped because it needs attention' }
/** A status in a sentence after "is". */
export const statusWords = (status: string): string => STATUS_WORDS[status] ?? status.replaceAll('_', ' ')

export const wrongState = (message: string, currentStatus: string, ...allowedStatuses: readonly string[]): AppError =>
  new AppError('invalid_state', message, { currentStatus, allowedStatuses })

const EITHER = new Intl.ListFormat('en', { type: 'disjunction' })

/** The same for a campaign. */
export const invalidState = (status: string, allowed: readonly string[]): AppError =>
  wrongState(
    `The campaign is ${statusWords(status)}. This is possible only if it is ${EITHER.format(allowed.map(statusWords))}.`,
    status,
    ...allowed,
  )
