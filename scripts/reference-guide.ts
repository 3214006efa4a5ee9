import { routes } from '../src/app/routes.ts'
import { ROLE_SCOPES, SCOPES } from '../src/http/access.ts'
import { ERROR_STATUS, OPERATION_ERROR_CODES, type OperationErrorCode } from '../src/lib/errors.ts'
import { ROLES } from '../src/lib/roles.ts'
import { fixOf } from '../src/modules/explaining/reasons.ts'
import { HOLD_REASONS, type ReasonCode, reasonCatalogue } from '../src/scheduling/reasons.ts'

// Tables of the docs that are generated from lists in the code. The compiler requires a text for each entry.

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')).join('\n')

const CURES: Record<ReasonCode, string> = {
  waiting_window: 'Wait, or change the schedule.',
  not_due: 'Wait. The delay of the step decides.',
  campaign_not_started: 'Wait, or remove the start date.',
  mailbox_cap: 'Wait for the next day, raise the daily cap, end the ramp, or add a mailbox.',
  mailbox_gap: 'Wait, or lower the minimum gap of the mailbox.',
  mailbox_resting: 'Wait. `resting` of the mailbox says how long and why.',
  inbox_unread: 'Wait, or fix the inbox: `inbox` of the mailbox says what is wrong.',
  domain_throttle: 'Wait up to an hour, or raise `maxPerDomainPerHour` of the mailbox.',
  earlier_step_open: 'Wait. Overture is finding out whether the previous message was sent.',
  contacted_elsewhere: 'Wait, or turn the rule off for this campaign.',
  in_other_campaign: 'Wait until the other campaign is done with the person, or turn the rule off.',
  company_limit: 'Wait until another person at the company is finished, or raise the limit.',
  company_replied: 'Answer that person. To email this one anyway, turn off the rule.',
  tracking_host_failing: 'Fix the DNS record or the certificate of the tracking host.',
  campaign_not_active: 'Activate, resume or unarchive the campaign.',
  no_mailbox: 'Add a mailbox to the campaign, or verify its mailbox.',
  mailbox_disconnected: 'Verify the mailbox, or move its threads to another one.',
  missing_variable: 'Add the value to the lead, or a fallback to the template.',
  campaign_expired: 'Remove or move the end date.',
  due_after_end: 'Remove or move the end date.',
  suppressed: 'Nothing: the person must not be emailed.',
  lead_final: 'Nothing: the sequence has ended for this lead.',
  sequence_completed: 'Nothing: all steps were sent.',
  beyond_horizon: 'Simulate more days.',
  recipient_deferred: 'Wait. Overture tries again automatically.',
  connection_lost: 'Wait. Overture tries again automatically.',
  mailbox_unreachable: 'Wait, or check the mail server.',
  mailbox_refused: 'Read the response of the mail server on the mailbox, and fix the mailbox.',
  message_too_large: 'Shorten the message, then resume the campaign.',
  content_refused: 'Change the text, then resume the campaign if it has stopped.',
  recipient_away: 'Wait until the person is back.',
}

const RESOLVES = { with_time: 'time', by_action: 'you', never: 'nothing' }

/** The request that solves a reason, from the code that proposes it to clients. */
function requestOf(reason: ReasonCode): string {
  const campaign = { workspaceId: 'W', id: 'C', status: 'paused', daysOfWeek: [], timezone: 'UTC', contactRules: {} }
  const mailboxes = [{ id: '{id}', status: 'disconnected', dailyCap: 1 }]
  const detail = { variables: ['company'], mailboxId: '{id}', host: 'go.example.com' }
  const circumstances = { campaign, mailboxes, leadId: '{leadId}', count: 1, now: new Date() } as unknown as Parameters<typeof fixOf>[1]
  const fix = fixOf({ reason, detail }, circumstances)
  if (!fix) return ''
  return `\`${fix.method} ${fix.path.replace('/v1/workspaces/W/campaigns/C', '$C').replace('/v1/workspaces/W', '$W')}\``
}

export const describeReasons = (): string =>
  table(
    ['reason', 'meaning', 'ends with', 'what to do', 'request'],
    HOLD_REASONS.map(reason => {
      const { meaning, resolves } = reasonCatalogue[reason]
      return [`\`${reason}\``, meaning, RESOLVES[resolves], CURES[reason], requestOf(reason)]
    }),
  )

/** Every scope, with the roles that include it and the operations that need it. */
export function describeScopes(): string {
  const rows = SCOPES.map(scope => {
    const roles = ROLES.filter(role => ROLE_SCOPES[role].includes(scope))
    const ids = routes.filter(route => route.scope === scope || route.orScopes?.includes(scope)).map(({ id }) => id)
    const byResource = Object.entries(Object.groupBy(ids, id => id.split('.')[0]!))
    const allows = byResource.map(([resource, names]) => `${resource}: ${names!.map(name => name.slice(resource.length + 1)).join(', ')}`)
    return [
      `\`${scope}\``,
      roles.length === ROLES.length ? 'all' : roles.join(', ') || 'operator',
      allows.join('; ') || NO_OPERATION[scope] || '',
    ]
  })
  return table(['scope', 'roles', 'operations'], rows)
}

/** Scopes that an operation needs only in some cases. */
const NO_OPERATION: Partial<Record<(typeof SCOPES)[number], string>> = {
  'deals:write': 'leads.update with `opportunityValue`',
}

type Part = 'request' | 'caller' | 'state' | 'service'
type ErrorText = [part: Part, meaning: string, cure: string, mayRepeat?: 'yes']

const ERRORS: Record<OperationErrorCode, ErrorText> = {
  invalid_json: ['request', 'The body is not valid JSON, or an object has a key twice.', 'Create it with a JSON library, in UTF-8.'],
  invalid_request: ['request', 'A part of the path, the query or the headers is invalid.', '`details.issues` names it.'],
  invalid_cursor: [
    'request',
    'The `cursor` does not belong to this list and its filters.',
    'Send `meta.pagination.nextCursor` unchanged, or start without a cursor.',
  ],
  invalid_idempotency_key: [
    'request',
    '`idempotency-key` is empty, longer than 255 characters, not printable ASCII, sent twice, or not supported here.',
    'Send any unique string, or none where the message says so.',
  ],
  invalid_if_match: ['request', '`if-match` is not a time.', 'Send the `updatedAt` that you read last.'],
  unauthenticated: ['caller', 'The request has no token.', 'Send `authorization: Bearer …`.'],
  invalid_token: ['caller', 'The token or the session is unknown, expired or revoked.', 'Create a new token, or sign in again.'],
  insufficient_credits: [
    'state',
    'There are not enough credits. Nothing was done.',
    'Ask the operator to grant credits. A preview is free.',
  ],
  insufficient_scope: ['caller', 'The token lacks a scope. `details` names it.', 'Create a token with this scope.'],
  forbidden: [
    'caller',
    'The role of the user, the kind of token, or the origin of the browser does not allow the request.',
    'The message says why. Ask an owner, use a personal token, or use the address in `OVERTURE_BASE_URL`.',
  ],
  token_budget_exceeded: [
    'caller',
    'The request exceeds the limits of the token.',
    'Propose it as a plan, or use a token with a larger budget.',
  ],
  not_found: [
    'caller',
    'There is no resource with this id that the token can access. It may belong to another workspace.',
    'Check the id and the workspace.',
  ],
  method_not_allowed: ['request', 'The path exists, but does not support this method.', 'The `allow` header lists the methods.'],
  request_timeout: ['request', 'The request did not arrive in time.', 'Check the connection.', 'yes'],
  idempotency_key_reused: ['state', 'This key was used for another request.', 'Use a new key for each request.'],
  invalid_state: [
    'state',
    'The status of the resource does not allow the request. `details` names the present and the allowed statuses.',
    'Change the status first: pause, activate, wait.',
  ],
  campaign_not_ready: ['state', 'The campaign cannot be activated yet.', '`GET $C/validate` lists what is missing.'],
  limit_exceeded: ['state', 'The maximum number is reached. `details` has the limit.', 'Delete some, or raise `OVERTURE_MAX_…`.'],
  export_expired: ['state', 'The file of the export is no longer kept.', 'Export again. People that you own are not charged twice.'],
  events_expired: [
    'state',
    'Events of that time are no longer kept.',
    'Start at a later event. `OVERTURE_EVENT_RETENTION_DAYS` sets how long they are kept.',
  ],
  payload_too_large: ['request', 'The body is larger than the endpoint accepts.', 'Send it in parts, or as a CSV file.'],
  unsupported_media_type: [
    'request',
    'The endpoint does not accept this content type.',
    '`content-type: application/json`, or `text/csv` for files.',
  ],
  validation_failed: ['request', 'The body has the wrong structure or an invalid value.', '`details.issues` names each field.'],
  invalid_reference: ['request', 'An id in the body does not exist.', 'Create the resource first, or read its id again.'],
  url_not_allowed: [
    'request',
    'A webhook cannot use this URL: it is not https, or not a public address.',
    'Use a public https URL. For local tests, see `OVERTURE_ALLOW_LOCAL_TARGETS`.',
  ],
  precondition_required: ['state', 'This change needs `if-match`.', 'Send the `updatedAt` that you read last.'],
  rate_limited: ['caller', 'Too many requests, streams, test emails or open operations.', 'Wait for `retry-after`.', 'yes'],
  headers_too_large: ['request', 'The headers are larger than 16 KiB.', 'Send fewer headers. Look for a large cookie.'],
  internal_error: [
    'service',
    'The service has a defect. It is unknown whether a write was done.',
    'Repeat it with the same idempotency key, and report the request id.',
    'yes',
  ],
  service_unavailable: ['service', 'The database or another required service is not ready.', 'Wait for `retry-after`.', 'yes'],
  precondition_failed: [
    'state',
    'The resource was changed after you read it.',
    'Read it again, and repeat the change if it still applies.',
  ],
  filters_not_derivable: [
    'state',
    'No filter could be derived from the brief.',
    'Name roles, places, sizes or industries, or send filters.',
  ],
  upstream_unavailable: [
    'service',
    'A lead source, an object store or a mail server did not respond.',
    'Try again later; `overture doctor` checks them.',
    'yes',
  ],
  timeout: ['service', 'The operation took too long and was stopped.', 'Try again later, or in smaller parts.', 'yes'],
}

const PARTS: Record<Part, string> = { request: 'The request', caller: 'The caller', state: 'The state', service: 'The service' }

export const describeErrors = (): string =>
  Object.entries(PARTS)
    .map(([part, title]) => {
      const codes = OPERATION_ERROR_CODES.filter(code => ERRORS[code][0] === part)
      const rows = codes.map(code => {
        const [, meaning, cure, mayRepeat = 'no'] = ERRORS[code]
        return [`\`${code}\``, String((ERROR_STATUS as Record<string, number>)[code] ?? 'operation'), meaning, cure, mayRepeat]
      })
      return `## ${title}\n\n${table(['code', 'status', 'meaning', 'what to do', 'repeat'], rows)}`
    })
    .join('\n\n')
