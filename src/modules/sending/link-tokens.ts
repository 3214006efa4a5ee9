import { timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '../../lib/secret-box.ts'

// The tokens of links in e-mails: the send, the number of the link, and a signature. Never the target address, so that
// nobody can make our host redirect to another site.

type TokenPurpose = 'open' | 'click' | 'unsubscribe'

const UUID_BYTES = 16
const SIGNATURE_BYTES = 16

export function trackingToken(secrets: SecretBox, purpose: TokenPurpose, sendId: string, index = 0): string {
  const payload = Buffer.alloc(UUID_BYTES + 2)
  payload.write(sendId.replaceAll('-', ''), 'hex')
  payload.writeUInt16BE(index, UUID_BYTES)
  return Buffer.concat([payload, signatureOf(secrets, purpose, payload)]).toString('base64url')
}

export function openTrackingToken(secrets: SecretBox, purpose: TokenPurpose, token: string): { sendId: string; index: number } | null {
  const bytes = Buffer.from(token, 'base64url')
  // Base64 has unused bits at the end, and Node.js also accepts other alphabets, so we check that the spelling is the only valid one.
  if (bytes.length !== UUID_BYTES + 2 + SIGNATURE_BYTES || bytes.toString('base64url') !== token) return null
  const payload = bytes.subarray(0, UUID_BYTES + 2)
  if (!timingSafeEqual(signatureOf(secrets, purpose, payload), bytes.subarray(UUID_BYTES + 2))) return null
  const hex = payload.toString('hex', 0, UUID_BYTES)
  const sendId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  return { sendId, index: payload.readUInt16BE(UUID_BYTES) }
}

const signatureOf = (secrets: SecretBox, purpose: TokenPurpose, payload: Buffer): Buffer =>
  secrets.sign(`track:${purpose}`, payload.toString('base64url')).subarray(0, SIGNATURE_BYTES)
