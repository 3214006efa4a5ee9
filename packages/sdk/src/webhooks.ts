import type { WebhookEvent } from './calls.ts'
import { OvertureError } from './errors.ts'

type HeaderSource = Headers | Record<string, string | string[] | undefined>

export interface VerifyOptions {
  /** How old or early a delivery may be; five minutes unless given. */
  toleranceSeconds?: number
  now?: Date
}

const invalid = (why: string): OvertureError => new OvertureError(`The webhook is not to be trusted: ${why}`, { code: 'invalid_signature' })

function headerOf(headers: HeaderSource, name: string): string {
  const value =
    headers instanceof Headers ? headers.get(name) : Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw invalid(`${name} is missing.`)
  return value
}

/** Undefined when it is no base64. */
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
  throw invalid('the body is neither text nor bytes. Pass it exactly as it arrived, and not parsed.')
}

/** The id and the time, and behind them the bytes as they arrived: decoded and encoded again, different bodies would be the same. */
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
  if (typeof event !== 'object' || event === null) throw invalid('the body is no event.')
  return event as WebhookEvent
}

/**
 * The event of a delivery, if it is from us and of now (standardwebhooks.com); otherwise throws `invalid_signature`, and for
 * a secret that cannot be one `invalid_argument`. `payload` is the body exactly as it arrived: one that was parsed and written
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
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('webhook-timestamp is no time.')
  // Not `>`: a time or tolerance that is no number tolerates nothing.
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds)) throw invalid('webhook-timestamp is too far from now.')
  const signed = signedBytes(`${id}.${timestamp}.`, body)
  // While a secret is replaced, there is a signature by the old one and one by the new one.
  for (const entry of signatures.split(' ')) {
    const [version, text = ''] = entry.split(',')
    const signature = version === 'v1' ? readBase64(text) : undefined
    // `verify` compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return readEvent(body)
  }
  throw invalid('no signature fits.')
}
