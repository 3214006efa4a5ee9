import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'

export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64')

// With the bytes themselves, Node.js takes three times as long for a signature.
const keyOf = (secret: string): KeyObject => createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64'))

/**
 * The headers of Standard Webhooks. Several secrets give several signatures: while a rotation overlaps, a receiver can
 * verify with the one it knows.
 */
export function signatureHeaders(secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  const signatures = secrets.map(secret => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
