import type { Socket } from 'node:net'
import { type ConnectionOptions, TLSSocket } from 'node:tls'

/** How a connection is encrypted, and which certificates are trusted. */

export interface Trust {
  /**
   * `tls` from the first byte, `starttls` required before anything else, `opportunistic` where the server offers it, or
   * `none`. Where plain text is allowed, an unknown certificate is allowed, too, because it is no worse.
   */
  security: 'tls' | 'starttls' | 'opportunistic' | 'none'
  /** A certificate, or the authority that signed it, to trust besides the well-known ones, as PEM. */
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
    throw new UntrustedServer(`The certificate of the server has another fingerprint: ${shown || 'none'}`)
  }
}

const plain = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()
