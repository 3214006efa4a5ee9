import { type Issue, OperationFailed, OvertureError } from '@overture/sdk'
import { withTimes } from '@/ui/format.ts'
import { issueWords } from './issue-words.ts'

interface Explanation {
  title: string
  message: string
  requestId: string | null
  issues: Issue[]
  /** The missing scope, if that is the reason. */
  scope: string | null
  isPermission: boolean
  /** The object does not exist, so trying again is useless. */
  isMissing: boolean
}

const TITLES: Record<string, string> = {
  network_error: 'Overture is not responding',
  unauthenticated: 'Your session has ended',
  invalid_token: 'Your session has ended',
  insufficient_credits: 'Not enough credits',
  insufficient_scope: 'No permission',
  forbidden: 'No permission',
  not_found: 'Not found',
  filters_not_derivable: 'No filters found',
  token_budget_exceeded: 'Budget exceeded',
  url_not_allowed: 'URL not allowed',
  invalid_state: 'Not possible right now',
  campaign_not_ready: 'Campaign not ready',
  limit_exceeded: 'A limit has been reached',
  export_expired: 'The export has expired',
  events_expired: 'The events have expired',
  payload_too_large: 'Request too large',
  validation_failed: 'Check the highlighted fields',
  invalid_request: 'Check the highlighted fields',
  invalid_reference: 'A selected item no longer exists',
  precondition_failed: 'Changed by someone else',
  rate_limited: 'Too many requests',
  service_unavailable: 'Overture is busy',
  internal_error: 'Internal error',
  upstream_unavailable: 'Another service is not responding',
  timeout: 'Timed out',
  wait_timeout: 'Still running',
}

const MESSAGES: Record<string, string> = {
  network_error: 'Check your connection and try again. Nothing was lost.',
  insufficient_scope: 'Your role or token does not allow this. Ask an admin to change it.',
  precondition_failed: 'Nothing was saved. Review the current version, then make your change again.',
}

/** The problem in words for the user: those of the service, if it has responded. */
export function explainError(error: unknown): Explanation {
  if (!(error instanceof OvertureError)) {
    const message = error instanceof Error ? error.message : String(error)
    return { title: 'Something went wrong', message, requestId: null, issues: [], scope: null, isPermission: false, isMissing: false }
  }
  const { requestId, issues } = error
  if (error.code === 'unexpected_answer' && error.status >= 400)
    return { ...explainError(new Error(proxyWords(error.status))), title: TITLES.network_error!, requestId }
  // A URL with an invalid id is treated like one with an id that does not exist.
  const isOfInput = error.code === 'validation_failed' || error.code === 'invalid_request'
  const hasInvalidPath = isOfInput && issues.some(issue => issue.in === 'path')
  const code = hasInvalidPath ? 'not_found' : error.code
  const words = error instanceof OperationFailed ? (error.operation.error?.message ?? error.message) : error.message
  const details = error.details as { requiredScope?: string; scope?: string } | null
  const title = TITLES[code] ?? 'Request failed'
  const issue = isOfInput && issues.length === 1 ? issues[0] : undefined
  return {
    title,
    message: hasInvalidPath
      ? 'The address may be wrong, or the page was removed.'
      : withTimes(MESSAGES[code] ?? (issue ? issueWords(issue) : withoutTitle(words, title))),
    requestId: FOR_THE_OPERATOR.has(code) || !(code in TITLES) ? requestId : null,
    issues,
    scope: details?.requiredScope ?? details?.scope ?? (/scope `?([\w-]+:[\w-]+)/.exec(words)?.[1] || null),
    isPermission: code === 'insufficient_scope',
    isMissing: code === 'not_found',
  }
}

/** The id of a request helps only an operator who searches the log. The user can solve everything else. */
const FOR_THE_OPERATOR = new Set(['network_error', 'service_unavailable', 'internal_error', 'upstream_unavailable', 'timeout'])

/** The title is already shown above the message, and a user does not know ids or tokens. */
const withoutTitle = (words: string, title: string): string =>
  (words.startsWith(`${title}: `) ? words.slice(title.length + 2) : words.replace(/^The campaign is not ready: /, '')).replace(
    /^There is no (.+) with this id that the token can access\.$/,
    'This $1 does not exist, or you have no access.',
  )

/** The response did not come from the service, so it is unknown whether the request has reached it. */
const proxyWords = (status: number): string =>
  `A proxy in front of Overture returned ${status}. You can retry safely: nothing is done or charged twice.`

/** The error of one field of a form: `issueFor(error, 'name')`. */
export function issueFor(error: unknown, field: string): string | null {
  if (!(error instanceof OvertureError)) return null
  return error.issues.find(issue => issue.path === `/${field}` || issue.path.startsWith(`/${field}/`))?.message ?? null
}

/** True if no user is signed in, or the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof OvertureError && error.status === 401

export const isRefused = (error: unknown): boolean => error instanceof OvertureError && error.status === 403
