import { OvertureError } from '../../packages/sdk/src/errors.ts'
import { CommandFailed, EXIT, type ExitCode, SYSTEM_WORDS } from '../lib/command-failure.ts'
import { ERROR_STATUS } from '../lib/errors.ts'
import { harmless } from './output.ts'
import { NEXT_OF_SYSTEM } from './standard-output.ts'

/** Any other status below 500 means that the request was wrong. */
const EXIT_OF_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.denied,
  402: EXIT.conflict,
  403: EXIT.denied,
  404: EXIT.notFound,
  405: EXIT.failed,
  408: EXIT.unavailable,
  409: EXIT.conflict,
  410: EXIT.notFound,
  429: EXIT.unavailable,
  503: EXIT.unavailable,
}
/** The codes of failed operations and of the client, with the status that means the same. */
const OTHER_CODES = {
  ...{ precondition_failed: 409, workspace_unknown: 400, invalid_argument: 400 },
  ...{ upstream_unavailable: 503, timeout: 503, network_error: 503, wait_timeout: 503 },
}
const STATUS_OF_CODE = new Map<string, number>(Object.entries({ ...ERROR_STATUS, ...OTHER_CODES }))

interface Failure {
  exitCode: ExitCode
  code: string
  message: string
  /** The command that helps. */
  next: string | undefined
  requestId: string | null
  issues: { in: string; path: string; message: string }[]
}

const isSystemError = (error: unknown): error is { code: string; path: string } =>
  error instanceof Error && 'syscall' in error && 'path' in error && 'code' in error && typeof error.path === 'string'

/** Turns an error into the message to print and the exit code. */
export function failureOf(error: unknown): Failure {
  const failed = { exitCode: EXIT.failed, code: 'failed', next: undefined, requestId: null, issues: [] }
  if (error instanceof CommandFailed) {
    const { exitCode, code, message, next } = error
    return { ...failed, exitCode, code, message, next }
  }
  if (isSystemError(error)) {
    const { code, path } = error
    return { ...failed, message: `${path}: ${SYSTEM_WORDS[code] ?? code}.`, next: NEXT_OF_SYSTEM[code] }
  }
  if (!(error instanceof OvertureError)) return { ...failed, message: error instanceof Error ? error.message : String(error) }
  const { code, message, requestId, issues } = error
  // A service could add lines that look like ours.
  const [said, id] = [harmless(message), requestId && harmless(requestId)]
  return { exitCode: exitOf(code), code, message: said, next: nextOf(error), requestId: id, issues }
}

/** A newer service may have codes that are unknown here. */
function exitOf(code: string): ExitCode {
  const status = STATUS_OF_CODE.get(code) ?? 500
  return EXIT_OF_STATUS[status] ?? (status < 500 ? EXIT.usage : EXIT.failed)
}

const TOKEN = 'overture api tokens.getCurrent   # what this token may do'
/** The command that helps, by the code of the error. */
const NEXT = new Map([
  ...['unauthenticated', 'invalid_token'].map(code => [code, 'overture login'] as const),
  ...['insufficient_scope', 'forbidden', 'token_budget_exceeded'].map(code => [code, TOKEN] as const),
  ['workspace_unknown', 'overture api workspaces.list   # then --workspace ID, or OVERTURE_WORKSPACE'],
  ['network_error', 'overture start   # or name the address: overture login --url https://overture.example'],
  ['precondition_required', 'repeat the command with --if-match and the updatedAt that you read last'],
  ['precondition_failed', 'read it again: it was changed in the meantime'],
  ['campaign_not_ready', 'overture api campaigns.validate --campaignId ID   # what is missing'],
  ['insufficient_credits', 'overture api credits.get'],
])

function nextOf({ code, details }: OvertureError): string | undefined {
  const operationId = (details as { operationId?: string } | null)?.operationId
  if (code === 'wait_timeout' && operationId) return `overture api operations.get --operationId ${harmless(operationId)}`
  return NEXT.get(code)
}
