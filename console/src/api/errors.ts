import { type Issue, OperationFailed, OvertureError } from '@overture/sdk'

interface Explanation {
  title: string
  message: string
  requestId: string | null
  issues: Issue[]
  /** The scope that is lacking, when that is the reason. */
  scope: string | null
  isPermission: boolean
  /** There is nothing to try again: it does not exist. */
  isMissing: boolean
}

const TITLES: Record<string, string> = {
  network_error: 'The service does not answer',
  unauthenticated: 'Your session has ended',
  invalid_token: 'Your session has ended',
  insufficient_credits: 'Not enough credits',
  insufficient_scope: 'You may not do this',
  forbidden: 'You may not do this',
  not_found: 'This does not exist',
  invalid_state: 'Not possible at the moment',
  campaign_not_ready: 'The campaign is not ready',
  limit_exceeded: 'A limit has been reached',
  export_expired: 'The export has expired',
  events_expired: 'The events are no longer kept',
  payload_too_large: 'Too much at once',
  validation_failed: 'Something is not right yet',
  invalid_request: 'Something is not right yet',
  invalid_reference: 'Something it refers to does not exist',
  precondition_failed: 'Somebody else has changed it',
  rate_limited: 'Too many requests',
  service_unavailable: 'The service is busy',
  internal_error: 'Something went wrong on our side',
  upstream_unavailable: 'Another service does not answer',
  timeout: 'It took too long',
  wait_timeout: 'It is still running',
}

const MESSAGES: Record<string, string> = {
  network_error: 'Check your connection. Nothing is lost; try again.',
  precondition_failed: 'Nothing was saved. Look at what it is like now, and change it again.',
}

/** The problem in words for the user: those of the service, where it has given any. */
export function explainError(error: unknown): Explanation {
  if (!(error instanceof OvertureError)) {
    const message = error instanceof Error ? error.message : String(error)
    return { title: 'Something went wrong', message, requestId: null, issues: [], scope: null, isPermission: false, isMissing: false }
  }
  const { requestId, issues } = error
  if (error.code === 'unexpected_answer' && error.status >= 400)
    return { ...explainError(new Error(proxyWords(error.status))), title: TITLES.network_error!, requestId }
  // An address with something in it that cannot be an id leads nowhere, like one with an id that does not exist.
  const isNowhere =
    error.code === 'validation_failed' || error.code === 'invalid_request' ? issues.some(issue => issue.in === 'path') : false
  const code = isNowhere ? 'not_found' : error.code
  const said = error instanceof OperationFailed ? (error.operation.error?.message ?? error.message) : error.message
  const details = error.details as { requiredScope?: string; scope?: string } | null
  const title = TITLES[code] ?? 'It did not work'
  return {
    title,
    message: isNowhere ? 'The address may be misspelt, or what was here has been removed.' : (MESSAGES[code] ?? withoutTitle(said, title)),
    requestId,
    issues,
    scope: details?.requiredScope ?? details?.scope ?? (/scope `?([\w-]+:[\w-]+)/.exec(said)?.[1] || null),
    isPermission: code === 'insufficient_scope',
    isMissing: code === 'not_found',
  }
}

/** The title stands above it already. */
const withoutTitle = (said: string, title: string): string => (said.startsWith(`${title}: `) ? said.slice(title.length + 2) : said)

/** The answer did not come from the service, so it is not known whether the request has reached it. */
const proxyWords = (status: number): string =>
  `Something in front of it answered with ${status}. Try again: nothing is done or charged twice.`

/** What is wrong with a field of a form: `issueFor(error, 'name')`. */
export function issueFor(error: unknown, field: string): string | null {
  if (!(error instanceof OvertureError)) return null
  return error.issues.find(issue => issue.path === `/${field}` || issue.path.startsWith(`/${field}/`))?.message ?? null
}

/** True when nobody is signed in, or not any more. */
export const isSignedOut = (error: unknown): boolean => error instanceof OvertureError && error.status === 401

/** True if the role or the token does not allow it. */
export const isRefused = (error: unknown): boolean => error instanceof OvertureError && error.status === 403
