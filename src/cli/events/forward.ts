import manifest from '../../../package.json' with { type: 'json' }
import { sleep } from '../../../packages/sdk/src/http.ts'
import type { Event } from '../../../packages/sdk/src/types.gen.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import { newWebhookSecret, signatureHeaders, signingKey } from '../../lib/webhook-signature.ts'
import type { Flags } from '../flags.ts'

const TIMEOUT_MS = 15_000

/** The body of a webhook: the event without links. */
export type Forwarded = Pick<Event, 'id' | 'type' | 'timestamp' | 'workspaceId' | 'seq'> & { data: unknown }

interface Receiver {
  url: string
  secret: string
}

export function readReceiver(flags: Flags, command: string): Receiver {
  const next = `overture ${command} --forward-to http://127.0.0.1:3000/webhooks`
  const given = flags.text('forward-to')
  const url = given === undefined ? null : URL.parse(given)
  if (given === undefined) throw wrongUsage('Specify the URL that receives the events.', next)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw wrongUsage(`"${given}" is not an http or https URL.`, next)
  const secret = flags.text('secret') ?? newWebhookSecret()
  if (!/^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(secret) || secret === 'whsec_') {
    throw wrongUsage('--secret must be whsec_ followed by base64.', `${next} --secret "$SECRET"`)
  }
  return { url: url.href, secret }
}

interface Attempt {
  attempt: number
  /** Of the response; null when there was none. */
  status: number | null
  error: string | null
  durationMs: number
  isTaken: boolean
}

/** One delivery, signed as the service signs them. It never throws: every error is an outcome. */
async function attemptDelivery({ url, secret }: Receiver, event: Forwarded, attempt: number, signal: AbortSignal): Promise<Attempt> {
  const { id, type, timestamp, workspaceId, seq, data } = event
  const body = JSON.stringify({ id, type, timestamp, workspaceId, seq, data })
  const begunMs = performance.now()
  const outcome = await fetch(url, {
    method: 'POST',
    // As for webhooks: a redirect is not followed; a receiver that has moved gets a new URL.
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'user-agent': `Overture/${manifest.version}`,
      ...signatureHeaders([signingKey(secret)], id, new Date(), body),
    },
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch(error => error as Error)
  const durationMs = Math.round(performance.now() - begunMs)
  if (outcome instanceof Error) return { attempt, status: null, error: reasonOf(outcome), durationMs, isTaken: false }
  await outcome.body?.cancel()
  return { attempt, status: outcome.status, error: null, durationMs, isTaken: outcome.ok }
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `no response in ${TIMEOUT_MS / 1000} s`
  const cause = error.cause as { code?: string; message?: string } | undefined
  return cause?.code ?? cause?.message ?? error.message
}

/** The delays before the next tries; later events wait, so that they arrive in order. */
const DELAYS_MS = [1000, 5000]

export async function forward(
  receiver: Receiver,
  event: Forwarded,
  signal: AbortSignal,
  tell: (attempt: Attempt) => void,
  delaysMs: readonly number[] = DELAYS_MS,
): Promise<Attempt> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptDelivery(receiver, event, attempt, signal)
    signal.throwIfAborted()
    tell(outcome)
    const delayMs = delaysMs[attempt - 1]
    if (outcome.isTaken || outcome.status === 410 || delayMs === undefined) return outcome
    await sleep(delayMs, signal)
  }
}

export const shownAttempt = ({ status, error, durationMs, attempt }: Attempt): string =>
  `${status ?? error}  ${durationMs} ms${attempt > 1 ? `  attempt ${attempt}` : ''}`
