import type { FastifyRequest } from 'fastify'
import { AppError, invalid } from '../lib/errors.ts'
import { isBetweenMs, parseDateTime } from '../lib/time.ts'

/** How often a header was sent. Node shows only one of several. */
function timesSent(request: FastifyRequest, name: string): number {
  const { rawHeaders } = request.raw
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]!
    if (sent.length === name.length && sent.toLowerCase() === name) times++
  }
  return times
}

/** A proxy in front of the service may have read the other one. */
const SENT_ONCE = ['authorization', 'content-type']

/** Without a host, or with two, the target of a request is unknown (RFC 9112, 3.2). */
export function checkSingleHeaders(request: FastifyRequest): void {
  for (const name of SENT_ONCE) {
    if (name in request.headers && timesSent(request, name) > 1) throw new AppError('invalid_request', `Send only one ${name} header.`)
  }
  const times = timesSent(request, 'host')
  if (times > 1 || (times === 0 && request.raw.httpVersion !== '1.0')) {
    throw new AppError('invalid_request', 'Send exactly one host header.')
  }
}

/** The host of the request in its one spelling. Behind a trusted proxy, it is the host that the proxy names. */
export const hostOf = (request: FastifyRequest): string =>
  (request.host ?? '')
    .toLowerCase()
    .replace(/:(?:80|443)$/, '')
    .replace(/\.(?=:|$)/, '')

export function readIdempotencyKey(request: FastifyRequest): string | null {
  const value = request.headers['idempotency-key']
  if (value === undefined) return null
  if (timesSent(request, 'idempotency-key') > 1) throw new AppError('invalid_idempotency_key', 'idempotency-key was sent more than once.')
  if (typeof value !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(value)) {
    throw new AppError('invalid_idempotency_key', 'idempotency-key must be 1 to 255 printable ASCII characters.')
  }
  return value
}

/** An instant at which no resource was ever changed. */
const NEVER = new Date(0)

export function readIfMatch(request: FastifyRequest): Date {
  const value = request.headers['if-match']
  if (value === undefined) {
    throw new AppError('precondition_required', 'if-match is required: send the updatedAt that you read last.')
  }
  const text = value.replace(/^"(.*)"$/, '$1')
  const date = parseDateTime(text)
  if (!date) throw new AppError('invalid_if_match', 'if-match must be a date-time: the updatedAt that you read last.')
  return isBetweenMs(text) ? NEVER : date
}

/** The last event that a returning client of server-sent events has seen. An empty value means none. */
export function readLastEventId(request: FastifyRequest): number | null {
  const value = request.headers['last-event-id']
  if (value === undefined || value === '') return null
  if (typeof value !== 'string' || !/^\d{1,15}$/.test(value)) {
    throw invalid('header', '/last-event-id', 'format', 'must be the seq of an event')
  }
  return Number(value)
}

const MAX_WAIT_SECONDS = 30
/** The entries of a list. A quoted string may lack its end, so that nothing can fail here and each sign is read once. */
const ENTRIES = /(?:"(?:[^"\\]|\\[\s\S]|\\$)*(?:"|$)|[^",]+)+/g
const WAIT = /^\s*wait(?![!#$%&'*+.^_`|~\w-])\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/i

/**
 * A preference is optional (RFC 7240): an invalid one is ignored, and one that is too long is reduced. Names ignore case, values may be
 * quoted, and the first of repeated preferences counts.
 */
export function readWait(request: FastifyRequest): number | null {
  for (const [preference] of String(request.headers.prefer ?? '').matchAll(ENTRIES)) {
    const found = WAIT.exec(preference)
    if (!found) continue
    const value = found[1] ?? found[2] ?? ''
    const seconds = /^\d+$/.test(value) ? Number(value) : 0
    return seconds > 0 ? Math.min(seconds, MAX_WAIT_SECONDS) : null
  }
  return null
}
