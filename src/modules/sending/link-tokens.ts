import { timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '../../lib/secret-box.ts'

// What the links in an e-mail carry: which send it was, which link, and a signature. Never an address to go to, so that
// nobody can make our host redirect to theirs.

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
  // Base64 leaves a few bits over at the end, and Node.js reads other alphabets as well: one token has one spelling.
  if (bytes.length !== UUID_BYTES + 2 + SIGNATURE_BYTES || bytes.toString('base64url') !== token) return null
  const payload = bytes.subarray(0, UUID_BYTES + 2)
  if (!timingSafeEqual(signatureOf(secrets, purpose, payload), bytes.subarray(UUID_BYTES + 2))) return null
  const hex = payload.toString('hex', 0, UUID_BYTES)
  const sendId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  return { sendId, index: payload.readUInt16BE(UUID_BYTES) }
}

const signatureOf = (secrets: SecretBox, purpose: TokenPurpose, payload: Buffer): Buffer =>
  secrets.sign(`track:${purpose}`, payload.toString('base64url')).subarray(0, SIGNATURE_BYTES)
