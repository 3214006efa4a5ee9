import { connect as connectPlain, isIP } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import { patient, within } from '../../lib/time.ts'
import { type Destination, dialOptions, oneLineOf, type Trust } from './dial.ts'

/** Explains a failed connection to a mail server in words that name the likely mistake, never in those of the TLS library. */

interface Failure {
  message: string
  code?: string | undefined
  responseCode?: number | undefined
  response?: string | null | undefined
}

const NOT_TLS =
  /wrong version number|packet length too long|unknown protocol|http request|ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH)|\bEPROTO\b/i
const PLAIN_PORT = 'This port does not use TLS from the start: choose STARTTLS'
const SILENT = /greeting never received|failed to (?:receive greeting|establish connection)|handshake timed out/i
const CLOSED = /closed unexpectedly|unexpected close|ECONNRESET|EPIPE|disconnected before secure/i
const UNKNOWN_SIGNER = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|self[- ]signed|unable to (?:verify|get)/i

/** The words of the operating system, which mean nothing to the owner of a mailbox: `connect ETIMEDOUT 192.0.2.1:587`. */
const SYSTEM_CALL = /^\w+ E[A-Z]{3,}\b/

const wordsOf = (error: Failure): string => `${error.code ?? ''} ${error.message}`

/** The words for a failure, without another connection to the server. */
export function explainFailure(error: Failure, to: Destination & Pick<Trust, 'security'>): string {
  const all = wordsOf(error)
  const { host, port, security } = to
  if (/invalid greeting/i.test(all)) return explainGreeting(error.response ?? '', 'SMTP')
  if (security === 'tls' && NOT_TLS.test(all)) return PLAIN_PORT
  if (UNKNOWN_SIGNER.test(all)) {
    return 'The server certificate is not signed by a known authority'
  }
  if (/CERT_HAS_EXPIRED|certificate has expired/i.test(all)) return 'The server certificate has expired'
  if (/CERT_NOT_YET_VALID|not yet valid/i.test(all)) return 'The server certificate is not valid yet: check the clock of this machine'
  if (/ALTNAME|altnames/i.test(all)) return `The server certificate is not issued for ${host}${altNamesIn(error.message)}`
  const server = `The mail server at ${host}:${port}`
  if (/ECONNREFUSED/.test(all)) return `${server} refused the connection`
  if (/EHOSTUNREACH|ENETUNREACH/.test(all)) return `${server} cannot be reached from here`
  if (/ENOTFOUND|EAI_|ENODATA/.test(all)) return `The server name ${host} was not found`
  // Only a server that supports STARTTLS answers this (RFC 3207), so the failure is temporary.
  if (/STARTTLS/i.test(all) && isPassing(error)) return `The server cannot start encryption right now: ${oneLineOf(error.response ?? '')}`
  if (security === 'starttls' && /STARTTLS/i.test(all) && !/timed? ?out/i.test(all)) {
    return 'This port does not offer encryption. Choose TLS and port 465 (SMTP) or 993 (IMAP). Over the API, allowPlaintext permits mail without encryption'
  }
  if (SILENT.test(all) || /^(?:socket )?timeout$/i.test(error.message))
    return 'The server accepts the connection but sends no greeting: check the port'
  if (CLOSED.test(all)) return 'The server closed the connection'
  if (/invalid helo/i.test(all)) return 'The server does not accept mail from clients on this port: use its submission port (587 or 465)'
  if (/error:[0-9a-f]{6,}:|ssl routines|openssl|ERR_SSL/i.test(all))
    return 'The server and Overture could not agree on an encryption method'
  if (SYSTEM_CALL.test(error.message)) return `${server} ${/ETIMEDOUT/.test(error.message) ? 'does not respond' : 'cannot be reached'}`
  return oneLineOf(error.message)
}

const isPassing = ({ responseCode = 0 }: Failure): boolean => responseCode >= 400 && responseCode < 500

const altNamesIn = (message: string): string =>
  ` (names in the certificate: ${oneLineOf(/(?:altnames?|names in the certificate):.*?((?:DNS|IP)[^\n)]*)\)?$/i.exec(message)?.[1] ?? 'none')})`

type Protocol = 'SMTP' | 'IMAP'

/** How servers greet. A web server sends no greeting: its client must speak first. */
const GREETINGS: readonly (readonly [RegExp, string])[] = [
  [/^220[ -]/, 'SMTP'],
  [/^\* (?:OK|PREAUTH|BYE)/i, 'IMAP'],
  [/^\+OK/, 'POP3'],
  [/^SSH-/, 'SSH'],
]

function explainGreeting(greeting: string, wanted: Protocol): string {
  // It speaks the protocol, and states why it refuses us.
  if (/^[45]\d\d[ -]/.test(greeting)) return `The server refuses the connection: ${oneLineOf(greeting)}`
  const spoken = GREETINGS.find(([pattern]) => pattern.test(greeting))?.[1]
  if (spoken === undefined || spoken === wanted) return `The server on this port did not send an ${wanted} greeting`
  const usual = wanted === 'SMTP' ? '587 or 465' : '993 or 143'
  return `This is a port for ${spoken}, not ${wanted}: use the ${wanted} port (${usual})`
}

const PROBE_MS = 2000

/** Whether a port that has not greeted waits for TLS. */
export const speaksTls = async (to: Destination): Promise<boolean> => (await listenTo(to, true)) !== null

/** The same. When the server was silent or closed the connection, connects again to find out which protocol it speaks. */
export async function diagnoseFailure(error: Failure, to: Destination & Pick<Trust, 'security'>, wanted: Protocol): Promise<string> {
  const hasAnswered = error.responseCode !== undefined
  const hasListened = !/ECONNREFUSED|refused the connection|EHOSTUNREACH|ENETUNREACH|cannot be reached|ENOTFOUND/.test(wordsOf(error))
  if (hasAnswered || !hasListened) return explainFailure(error, to)
  const isPlain = to.security !== 'tls' || NOT_TLS.test(wordsOf(error)) || error.message === PLAIN_PORT
  const isAskedForTls = to.security !== 'tls' || !isPlain
  const [plain, encrypted] = await Promise.all([isPlain ? listenTo(to, false) : null, isAskedForTls ? listenTo(to, true) : null])
  const greeting = plain ?? encrypted
  if (greeting === null) return explainFailure(error, to)
  if (greeting.isTls && to.security !== 'tls') return 'This port uses TLS from the start: choose TLS'
  const isOther = GREETINGS.some(([pattern, protocol]) => protocol !== wanted && pattern.test(greeting.text))
  return isOther ? explainGreeting(greeting.text, wanted) : explainFailure(error, to)
}

/** The greeting of a server to a client that only listens; null if it is silent. Over TLS, a completed handshake counts, too. */
async function listenTo(to: Destination, isTls: boolean): Promise<{ isTls: boolean; text: string } | null> {
  let isSecure = false
  const text = await greetingOf(to, isTls ? { rejectUnauthorized: false } : null, patient(PROBE_MS), () => {
    isSecure = true
  }).catch(() => (isSecure ? '' : null))
  return text === null ? null : { isTls, text: text.slice(0, 200) }
}

/** The first bytes that a server sends. Nothing is sent to it, so it does not matter who answers. */
export async function greetingOf(to: Destination, tls: ConnectionOptions | null, limitMs: number, onSecure: () => void = () => {}) {
  const { host, port } = to
  const servername = isIP(host) ? {} : { servername: host }
  const place = { host, port, ...dialOptions(to, limitMs) }
  const socket = tls ? connect({ ...place, ...servername, ...tls }) : connectPlain(place)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  socket.once('secureConnect', onSecure)
  socket.once('data', chunk => resolve(chunk.toString('latin1')))
  // When several addresses were tried, the error is an AggregateError without a message.
  socket.on('error', error => reject(error instanceof AggregateError ? error.errors.at(-1) : error))
  socket.once('close', () => reject(new Error('Connection closed unexpectedly')))
  return within(limitMs, promise, () => new Error('Greeting never received')).finally(() => socket.destroy())
}
