import { connect } from 'node:tls'
import { type Destination, dialOptions } from './dial.ts'
import { oneLineOf } from './mail-auth.ts'
import type { Trust } from './trust.ts'

/** What went wrong on the way to a mail server, in words that name the likely mistake. Never a line of the TLS library. */

interface Failure {
  message: string
  code?: string | undefined
  originalCode?: string | undefined
  responseCode?: number | undefined
}

const NOT_TLS = /wrong version number|packet length too long|unknown protocol|http request|ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH)|EPROTO/i
const UNKNOWN_SIGNER = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|self[- ]signed|unable to (?:verify|get)/i

/** The words for a failure, from what is known without asking the server again. */
export function explainFailure(error: Failure, to: Destination & Pick<Trust, 'security'>): string {
  const all = `${error.originalCode ?? ''} ${error.code ?? ''} ${error.message}`
  const { host, port, security } = to
  if (security === 'tls' && NOT_TLS.test(all)) return 'This port does not speak TLS from the first byte: set secure to false'
  if (UNKNOWN_SIGNER.test(all)) {
    return 'The certificate of the server is not signed by a known authority: give its certificate as tls.ca, or its fingerprint as tls.fingerprint256'
  }
  if (/CERT_HAS_EXPIRED|certificate has expired/i.test(all)) return 'The certificate of the server has expired'
  if (/ALTNAME|altnames/i.test(all))
    return `The certificate of the server is issued for another name than ${host}${altNamesIn(error.message)}`
  if (/ECONNREFUSED/.test(all)) return `Nothing listens on port ${port} of ${host} (ECONNREFUSED)`
  if (/EHOSTUNREACH|ENETUNREACH/.test(all)) return `${host} cannot be reached from here`
  if (security === 'starttls' && /STARTTLS/i.test(all) && !/timed? ?out/i.test(all)) {
    return 'The server offers no encryption on this port: use its TLS port with secure set to true, or set allowPlaintext to true to send without encryption'
  }
  if (/error:[0-9a-f]{6,}:|ssl routines|openssl|ERR_SSL/i.test(all)) return 'The server and Overture could not agree on an encryption'
  return oneLineOf(error.message)
}

const altNamesIn = (message: string): string =>
  ` (altnames: ${oneLineOf(/altnames?:.*?((?:DNS|IP)[^\n]*)$/i.exec(message)?.[1] ?? 'none')})`

const PROBE_MS = 3000

/** The same, and where the server kept silent or hung up, whether it waits for TLS. */
export async function diagnoseFailure(error: Failure, to: Destination & Pick<Trust, 'security'>): Promise<string> {
  const hasAnswered = error.responseCode !== undefined
  const hasListened = !/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND/.test(`${error.code} ${error.originalCode} ${error.message}`)
  if (to.security !== 'tls' && !hasAnswered && hasListened && (await speaksTls(to))) {
    return 'This port speaks TLS from the first byte: set secure to true'
  }
  return explainFailure(error, to)
}

function speaksTls(to: Destination): Promise<boolean> {
  return new Promise(resolve => {
    // Nothing is said over this connection, so it does not matter who is at the other end.
    const socket = connect({ host: to.host, port: to.port, rejectUnauthorized: false, ...dialOptions(to, PROBE_MS) })
    const finish = (answer: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => finish(false), PROBE_MS)
    socket.once('secureConnect', () => finish(true))
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
  })
}
