import type { Operation } from './types.gen.ts'

/** One problem of a request. */
export interface Issue {
  in: 'path' | 'query' | 'header' | 'body'
  path: string
  rule: string
  message: string
}

interface Facts {
  code: string
  status?: number
  requestId?: string | null
  details?: unknown
  cause?: unknown
}

/** A failed request. Check the `code`; `status` is 0 if there was no response. */
export class OvertureError extends Error {
  override readonly name: string = 'OvertureError'
  /**
   * A code of the service, or of the client: `network_error`, `unexpected_answer`, `wait_timeout`, `workspace_unknown`,
   * `invalid_signature`, and `invalid_argument` for an invalid call, of which nothing was sent.
   */
  readonly code: string
  readonly status: number
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null
  readonly details: unknown

  constructor(message: string, { code, status = 0, requestId = null, details = null, cause }: Facts) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.requestId = requestId
    this.details = details
  }

  /** The problems of the request, field by field, if it was refused for them. */
  get issues(): Issue[] {
    return (this.details as { issues?: Issue[] } | null)?.issues ?? []
  }
}

/** An accepted operation failed. The HTTP statuses do not show that: they were 202 and 200. */
export class OperationFailed extends OvertureError {
  override readonly name = 'OperationFailed'
  readonly operation: Operation
  /** True: nothing was saved or charged, and the same request may succeed with a new idempotency key. */
  readonly retryable: boolean

  constructor(operation: Operation) {
    const { code, message, retryable } = operation.error ?? { code: 'internal_error', message: 'The operation failed.', retryable: false }
    super(`${operation.action}: ${message}`, { code, status: 200 })
    this.operation = operation
    this.retryable = retryable
  }
}
