import type { WebhookEvent } from './calls.ts'
import { OvertureError } from './errors.ts'

type HeaderSource = Headers | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** The maximum difference between the time of a delivery and now. Default: five minutes. */
  toleranceSeconds?: number
  now?: Date
}

const invalid = (why: string): OvertureError => new OvertureError(`The webhook is not valid: ${why}`, { code: 'invalid_signature' })

function headerOf(headers: HeaderSource, name: string): string {
  const value =
    headers instanceof Headers ? headers.get(name) : Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw invalid(`${name} is missing.`)
  return value
}

/** Undefined if it is not base64. */
function readBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Refuses an empty secret, because anyone could guess it. */
function secretBytes(secret: unknown): Uint8Array<ArrayBuffer> {
  const bytes = typeof secret === 'string' ? readBase64(secret.replace(/^whsec_/, '')) : undefined
  if (!bytes?.length)
    throw new OvertureError('The secret of the webhook endpoint is missing or is not base64. Use it exactly as shown, like `whsec_…`.', {
      code: 'invalid_argument',
    })
  return bytes
}

function payloadBytes(payload: unknown): Uint8Array {
  if (typeof payload === 'string') return new TextEncoder().encode(payload)
  if (ArrayBuffer.isView(payload)) return new Uint8Array(payload.buffer, payload.byteOffset, payload.byteLength)
  throw invalid('the body is neither text nor bytes. Pass it exactly as it arrived, before any parsing.')
}

/** The id, the time, and the bytes as they arrived: after decoding and encoding, different bodies could be equal. */
function signedBytes(prefix: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(prefix)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return signed
}

function readEvent(body: Uint8Array): WebhookEvent {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw invalid('the body is not JSON.')
  }
  if (typeof event !== 'object' || event === null) throw invalid('the body is not an event.')
  return event as WebhookEvent
}

/**
 * Returns the event of a delivery with a valid signature and a current time (standardwebhooks.com). Otherwise throws `invalid_signature`, and for
 * an invalid secret `invalid_argument`. `payload` is the body exactly as it arrived: a body that was parsed and serialized
 * again has another signature.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const key = await crypto.subtle.importKey('raw', secretBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const body = payloadBytes(payload)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('webhook-timestamp is not a time.')
  // Not `>`: NaN as a time or tolerance must be refused.
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw invalid('webhook-timestamp differs too much from the current time.')
  const signed = signedBytes(`${id}.${timestamp}.`, body)
  // During a rotation, there is one signature per secret.
  for (const entry of signatures.split(' ')) {
    const [version, text = ''] = entry.split(',')
    const signature = version === 'v1' ? readBase64(text) : undefined
    // `verify` compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return readEvent(body)
  }
  throw invalid('no signature matches.')
}
