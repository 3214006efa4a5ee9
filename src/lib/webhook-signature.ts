import { randomBytes } from 'node:crypto'
import { Hmac } from './hmac.ts'

const PREFIX = 'whsec_'

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** The prepared key of a secret. */
export const signerOf = (secret: string): Hmac => new Hmac(Buffer.from(secret.slice(PREFIX.length), 'base64'))

/**
 * The headers of Standard Webhooks. Several secrets give several signatures: while a rotation overlaps, a receiver can
 * verify with the one it knows.
 */
export function signatureHeaders(signers: readonly Hmac[], id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const signatures = signers.map(signer => `v1,${signer.base64(signed)}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
