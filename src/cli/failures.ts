import { OvertureError } from '../../packages/sdk/src/errors.ts'
import type { OperationError } from '../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT, type ExitCode } from '../lib/command-failure.ts'
import { NEXT_OF_SYSTEM, SYSTEM_WORDS } from './standard-output.ts'

type SdkCode = 'invalid_argument' | 'network_error' | 'wait_timeout' | 'workspace_unknown'

/** Contains every code of the service; without a new code it does not compile. */
const EXIT_OF_CODE: Record<OperationError['code'] | SdkCode, ExitCode> = {
  unauthenticated: EXIT.denied,
  invalid_token: EXIT.denied,
  insufficient_scope: EXIT.denied,
  forbidden: EXIT.denied,
  token_budget_exceeded: EXIT.denied,
  not_found: EXIT.notFound,
  export_expired: EXIT.notFound,
  events_expired: EXIT.notFound,
  invalid_state: EXIT.conflict,
  campaign_not_ready: EXIT.conflict,
  limit_exceeded: EXIT.conflict,
  idempotency_key_reused: EXIT.conflict,
  precondition_failed: EXIT.conflict,
  insufficient_credits: EXIT.conflict,
  rate_limited: EXIT.unavailable,
  service_unavailable: EXIT.unavailable,
  upstream_unavailable: EXIT.unavailable,
  request_timeout: EXIT.unavailable,
  timeout: EXIT.unavailable,
  network_error: EXIT.unavailable,
  wait_timeout: EXIT.unavailable,
  workspace_unknown: EXIT.usage,
  invalid_argument: EXIT.usage,
  invalid_json: EXIT.usage,
  invalid_request: EXIT.usage,
  invalid_cursor: EXIT.usage,
  invalid_if_match: EXIT.usage,
  invalid_idempotency_key: EXIT.usage,
  validation_failed: EXIT.usage,
  payload_too_large: EXIT.usage,
  unsupported_media_type: EXIT.usage,
  precondition_required: EXIT.usage,
  invalid_reference: EXIT.usage,
  url_not_allowed: EXIT.usage,
  headers_too_large: EXIT.usage,
  method_not_allowed: EXIT.failed,
  internal_error: EXIT.failed,
  filters_not_derivable: EXIT.failed,
}

interface Failure {
  exitCode: ExitCode
  code: string
  message: string
  /** The command that helps. */
  next: string | undefined
  requestId: string | null
  issues: { in: string; path: string; message: string }[]
}

/** Errors of the operating system about a file. */
const isSystemError = (error: unknown): error is { code: string; path: string } =>
  error instanceof Error && 'syscall' in error && 'path' in error && 'code' in error && typeof error.path === 'string'

/** Turns an error into the message to print and the exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommandFailed) {
    const { exitCode, code, message, next } = error
    return { exitCode, code, message, next, requestId: null, issues: [] }
  }
  if (isSystemError(error)) {
    const { code, path } = error
    const message = `${path}: ${SYSTEM_WORDS[code] ?? code}.`
    return { exitCode: EXIT.failed, code: 'failed', message, next: NEXT_OF_SYSTEM[code], requestId: null, issues: [] }
  }
  if (!(error instanceof OvertureError)) {
    const message = error instanceof Error ? error.message : String(error)
    return { exitCode: EXIT.failed, code: 'failed', message, next: undefined, requestId: null, issues: [] }
  }
  const { code, message, requestId, issues } = error
  return { exitCode: exitOf(code), code, message, next: nextOf(error), requestId, issues }
}

/** A newer service may have codes that are unknown here. */
const exitOf = (code: string): ExitCode =>
  Object.hasOwn(EXIT_OF_CODE, code) ? EXIT_OF_CODE[code as keyof typeof EXIT_OF_CODE] : EXIT.failed

function nextOf({ code, details }: OvertureError): string | undefined {
  const operationId = (details as { operationId?: string } | null)?.operationId
  switch (code) {
    case 'unauthenticated':
    case 'invalid_token':
      return 'overture login'
    case 'insufficient_scope':
    case 'forbidden':
    case 'token_budget_exceeded':
      return 'overture api tokens.getCurrent   # what this token may do'
    case 'workspace_unknown':
      return 'overture api workspaces.list   # then --workspace ID, or OVERTURE_WORKSPACE'
    case 'network_error':
      return 'overture start   # or name the address: overture login --url https://overture.example'
    case 'wait_timeout':
      return operationId ? `overture api operations.get --operationId ${operationId}` : undefined
    case 'precondition_required':
      return 'repeat the command with --if-match and the updatedAt that you read last'
    case 'precondition_failed':
      return 'read it again: it was changed in the meantime'
    case 'campaign_not_ready':
      return 'overture api campaigns.validate --campaignId ID   # what is missing'
    case 'insufficient_credits':
      return 'overture api credits.get'
    default:
      return undefined
  }
}
