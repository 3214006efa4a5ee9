/** The address must not be called, because it leads, or could lead, into a private network. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

type PostFailure =
  | 'timeout'
  | 'aborted'
  | 'address_not_allowed'
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_lost'
  | 'unreachable'
  | 'tls_failed'
  | 'invalid_response'
  | 'network_error'

/** There was no answer. The reason is one of a few fixed words that reveal nothing about our network. */
export class PostFailed extends Error {
  override readonly name = 'PostFailed'
  readonly reason: PostFailure

  constructor(reason: PostFailure, cause?: unknown) {
    super(`the request got no answer: ${reason}`, { cause })
    this.reason = reason
  }
}

/** The failure that a caller gets for any error. */
export const asFailure = (error: unknown): PostFailed => (error instanceof PostFailed ? error : new PostFailed(reasonOf(error), error))

const REASONS: [RegExp, PostFailure][] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|ECANCELLED)/, 'dns_failed'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection_lost'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'timeout'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/, 'unreachable'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/, 'invalid_response'],
  [/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/, 'tls_failed'],
]

function reasonOf(error: unknown): PostFailure {
  if (error instanceof TargetRefused) return 'address_not_allowed'
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'network_error'
}
