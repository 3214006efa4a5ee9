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
  const value = headers instanceof Headers ? headers.get(name) : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw invalid(`${name} is missing.`)
  return value
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), character => character.charCodeAt(0))

/** Undefined when it is no base64: a signature like that belongs to nobody. */
function signatureBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return bytesOf(text)
  } catch {
    return undefined
  }
}

/**
 * The event of a delivery, if it is from us and of now (standardwebhooks.com); otherwise throws `invalid_signature`.
 * `payload` is the body exactly as it arrived: one that was parsed and written again has another signature.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: HeaderSource,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('webhook-timestamp is no time.')
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) throw invalid('webhook-timestamp is too far from now.')
  const body = typeof payload === 'string' ? payload : new TextDecoder().decode(payload)
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  // While a secret is replaced, there is a signature by the old one and one by the new one.
  for (const entry of signatures.split(' ')) {
    const [version, text = ''] = entry.split(',')
    const signature = version === 'v1' ? signatureBytes(text) : undefined
    // `verify` compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return JSON.parse(body) as WebhookEvent
  }
  throw invalid('no signature fits.')
}
