import type { FastifyRequest } from 'fastify'
import { readCookie } from '../lib/cookies.ts'
import { AppError } from '../lib/errors.ts'
import { type Credentials, SESSION_COOKIE } from './access.ts'

/**
 * Our own header, with the key of the session. A page of another origin cannot send it without a CORS preflight, which we never allow, and
 * does not know the key.
 */
const CONSOLE_HEADER = 'x-overture-console'

/**
 * The credentials of a request. A token takes precedence over a cookie. A browser sends the cookie with requests that another site made,
 * too, and without TLS to every port of the host. The cookie alone is therefore worth nothing: the page adds the key of the session, and
 * the request must come from a page of our own.
 */
export function readCredentials(request: FastifyRequest, baseUrl: string): Credentials {
  const { authorization, cookie } = request.headers
  if (authorization !== undefined) return { authorization, sessions: [], sessionKey: null }
  const sessions = readCookie(cookie, baseUrl, SESSION_COOKIE)
  if (sessions.length === 0) return { authorization, sessions, sessionKey: null }
  const sessionKey = request.headers[CONSOLE_HEADER]
  if (typeof sessionKey !== 'string' || sessionKey === '') {
    throw new AppError(
      'forbidden',
      `A request with a session needs its key in the header ${CONSOLE_HEADER}. Programs send a token instead.`,
    )
  }
  checkOwnPage(request, baseUrl)
  return { authorization, sessions, sessionKey }
}

function checkOwnPage(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // Browsers send no origin with reads from the same site, but this header.
  const isOwn = origin === undefined ? isRead && request.headers['sec-fetch-site'] === 'same-origin' : isOwnOrigin(request, origin, baseUrl)
  if (!isOwn) throw foreignOrigin()
}

const foreignOrigin = (): AppError =>
  new AppError('forbidden', 'A session is only accepted from pages of this installation, at the address in OVERTURE_BASE_URL.')

/** Signing in sets a cookie, so pages of other origins must not be able to do it. */
export function refuseForeignOrigin(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers
  if (origin !== undefined && !isOwnOrigin(request, origin, baseUrl)) throw foreignOrigin()
}

/**
 * Without TLS, as on a local machine, an installation has several names, such as 127.0.0.1 and localhost. Then the host of the request is
 * accepted, too: a browser sends our cookie only to the host that set it.
 */
function isOwnOrigin(request: FastifyRequest, origin: string, baseUrl: string): boolean {
  if (URL.canParse(baseUrl) && origin === new URL(baseUrl).origin) return true
  return !baseUrl.startsWith('https:') && origin === `http://${request.headers.host?.toLowerCase()}`
}
