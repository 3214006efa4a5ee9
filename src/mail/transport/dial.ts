import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, TLSSocket } from 'node:tls'
import { lookupIn } from '../../lib/dns.ts'

/**
 * Connecting to a mail server. Its name has been looked up and every address checked before the connection is made. A
 * second lookup could return another address, so we connect to the addresses that were checked. The name is still
 * needed: the certificate must be for it.
 */

export interface Destination {
  host: string
  port: number
  /** The addresses of the name, looked up and checked beforehand. Without them, the system looks the name up. */
  addresses?: readonly string[] | undefined
}

/** An address that keeps silent gives way to the next one after this long. */
const ATTEMPT_MS = 3000

/** For `connect` of `node:net` or `node:tls`: the addresses are tried one after the other, both families in turn. */
export function dialOptions({ addresses }: Pick<Destination, 'addresses'>, timeoutMs: number) {
  const tried = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs(addresses?.length ?? 2, timeoutMs) }
  return addresses === undefined ? tried : { ...tried, lookup: lookupIn(async () => addresses) }
}

const attemptMs = (count: number, timeoutMs: number): number =>
  Math.max(10, Math.min(ATTEMPT_MS, Math.floor(timeoutMs / Math.max(1, count))))

/** A connected socket, from the first address that answers. The caller must listen for its errors from then on. */
export function dial(to: Destination, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: to.host, port: to.port, noDelay: true, ...dialOptions(to, timeoutMs) })
    const fail = (error: Error): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(Object.assign(new Error(`Port ${to.port} does not respond`), { code: 'ETIMEDOUT' })), timeoutMs)
    // When several addresses were tried, the error is an AggregateError without a message.
    const onError = (error: Error): void => fail(error instanceof AggregateError ? (error.errors.at(-1) as Error) : error)
    socket.once('error', onError)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeListener('error', onError)
      resolve(socket)
    })
  })
}

/** How a connection is encrypted, and which certificates are trusted. */

export interface Trust {
  /**
   * `tls` from the first byte, `starttls` required before anything else, `opportunistic` where the server offers it, or
   * `none`. Where plain text is allowed, an unknown certificate is allowed, too, because it is no worse.
   */
  security: 'tls' | 'starttls' | 'opportunistic' | 'none'
  /** A certificate, or the authority that signed it, to trust in addition to the well-known ones, as PEM. */
  ca?: string | undefined
  /** The SHA-256 of the only certificate that is trusted, with any issuer. */
  fingerprint256?: string | undefined
}

export function tlsOptionsOf({ security, ca, fingerprint256 }: Trust): ConnectionOptions {
  const isPinned = ca !== undefined || fingerprint256 !== undefined
  const isChecked = fingerprint256 === undefined && (security !== 'opportunistic' || isPinned)
  return { minVersion: 'TLSv1.2', ...(ca ? { ca } : {}), ...(isChecked ? {} : { rejectUnauthorized: false }) }
}

class UntrustedServer extends Error {
  override readonly name = 'UntrustedServer'
  readonly code = 'CERT_FINGERPRINT'
}

/** Must be called before the password is sent: with a fingerprint, the TLS library does not check the certificate. */
export function checkFingerprint(socket: Socket | undefined, { fingerprint256 }: Trust): void {
  if (fingerprint256 === undefined) return
  if (!(socket instanceof TLSSocket)) throw new UntrustedServer('The server offers no encryption, so it cannot show its certificate')
  const shown = socket.getPeerCertificate().fingerprint256 ?? ''
  if (plain(shown) !== plain(fingerprint256)) {
    throw new UntrustedServer(`The server certificate has a different fingerprint: ${shown || 'none'}`)
  }
}

const plain = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()

export interface MailAuth {
  user: string
  /** One of the two. The access token is used with XOAUTH2. */
  password?: string | undefined
  accessToken?: string | undefined
  /** Called when the server refuses the access token. True when the token was an old one, and the next settings have a new one. */
  renew?: (() => boolean) | undefined
}

export const xoauth2 = (user: string, accessToken: string): string =>
  Buffer.from(`user=${user}\x01auth=Bearer ${accessToken}\x01\x01`).toString('base64')

/** The words of a server, made safe for a log line or a column. */
export const oneLineOf = (message: string): string => message.replace(/\s+/g, ' ').trim().slice(0, 500)
