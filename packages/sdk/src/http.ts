import { OvertureError } from './errors.ts'

export interface Options {
  /** The URL of the service, like `https://overture.example`. In a page that the service serves: ''. */
  baseUrl: string
  /** A personal access token or a workspace key. */
  token?: string | undefined
  /** The workspace of all calls. Default: the only workspace of the token. */
  workspaceId?: string | undefined
  fetch?: typeof fetch | undefined
  /** Sent with every request. */
  headers?: Record<string, string> | undefined
  /** For a page that is authenticated by its cookie: `same-origin`. */
  credentials?: 'omit' | 'same-origin' | 'include' | undefined
  /** The time limit of one attempt. Default: 60 seconds. */
  timeoutMs?: number | undefined
  /** How often a request is repeated after 429, 503 or no response. Default: 4; 0: never. */
  retries?: number | undefined
  /** No attempt starts later than this after the first. Default: one minute. */
  retryForMs?: number | undefined
  /** Aborts every call of this client, like the `signal` of a call. */
  signal?: AbortSignal | undefined
}

export type BodyFile = string | Uint8Array<ArrayBuffer> | Blob

export interface Sending {
  method: string
  path: string
  headers?: Record<string, string> | undefined
  body?: unknown
  /** Instead of `body`: sent unchanged. */
  file?: BodyFile | undefined
  signal?: AbortSignal | undefined
}

const TIMEOUT_MS = 60_000
/** The time that a response may take beyond the time that the service was asked to wait. */
const ANSWER_MS = 1000
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 10_000

/** Doubles with every attempt, with random jitter, so that clients do not retry at the same time. */
export const backoffMs = (attempt: number): number => Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt) * (0.5 + Math.random() / 2)

/** A timer with a longer delay would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      },
      Math.min(ms, LONGEST_TIMER_MS),
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

/** Stops the waiting when the signal is aborted; the work itself continues. */
export function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return awaited
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Seconds or a date (RFC 9110); undefined if the header is neither. */
export function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (!text) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

const invalid = (message: string): OvertureError => new OvertureError(message, { code: 'invalid_argument' })

/** "fetch failed" says nothing; the cause contains the reason. */
function reasonOf(error: unknown): string {
  const inner = (error as { cause?: { message?: string; code?: string } } | null)?.cause
  return inner?.message || inner?.code || String(error)
}

export class Http {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** The response with its text, after as many attempts as needed and allowed. */
  async json<T>(sending: Sending): Promise<T> {
    return this.#again(sending.signal, async signal => {
      const response = await this.fetch({ ...sending, signal })
      const text = await response.text()
      if (!response.ok) throw errorOf(response, text)
      try {
        return (text ? JSON.parse(text) : undefined) as T
      } catch (cause) {
        throw new OvertureError('The response is not JSON.', { ...factsOf(response), code: 'unexpected_answer', cause })
      }
    })
  }

  /** The response with an unread body. The time limit applies until its headers. */
  raw(sending: Sending): Promise<Response> {
    return this.#again(sending.signal, async signal => {
      const response = await this.fetch({ ...sending, signal })
      if (!response.ok) throw errorOf(response, await response.text())
      return response
    })
  }

  fetch({ method, path, headers, body, file, signal }: Sending): Promise<Response> {
    const { baseUrl, token, credentials, headers: usual, fetch: send = globalThis.fetch } = this.#options
    // The platform's own errors would contain them.
    if (/[^\x20-\x7e]/.test(token?.trim() ?? '')) throw invalid('The token contains characters that no token has.')
    if (/^\w+:\/\/[^/?#]*@/.test(baseUrl)) throw invalid('The baseUrl must not contain a user name or password.')
    return send(baseUrl.replace(/\/+$/, '') + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(file !== undefined ? { 'content-type': 'text/csv' } : body === undefined ? {} : { 'content-type': 'application/json' }),
        ...usual,
        ...headers,
      },
      ...(file !== undefined ? { body: file } : body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(credentials === undefined ? {} : { credentials }),
      ...(signal === undefined ? {} : { signal }),
      // A redirect would take the body and the headers to another host, or turn a write into a read.
      redirect: 'manual',
    })
  }

  /** The signal of one call, combined with that of the client. */
  until(own: AbortSignal | undefined): AbortSignal | undefined {
    const { signal } = this.#options
    return own && signal ? AbortSignal.any([own, signal]) : (own ?? signal)
  }

  /** How long the service may be asked to wait, so that its response arrives before the attempt times out. */
  get longestWaitMs(): number {
    return (this.#options.timeoutMs ?? TIMEOUT_MS) - ANSWER_MS
  }

  async #again<T>(own: AbortSignal | undefined, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { retries = 4, retryForMs = 60_000, timeoutMs = TIMEOUT_MS } = this.#options
    const signal = this.until(own)
    const begunAt = Date.now()
    for (let count = 0; ; count++) {
      signal?.throwIfAborted()
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(new OvertureError('No response in time.', { code: 'network_error' })), timeoutMs)
      try {
        return await attempt(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal)
      } catch (cause) {
        signal?.throwIfAborted()
        const error =
          cause instanceof OvertureError ? cause : new OvertureError(`No response: ${reasonOf(cause)}.`, { code: 'network_error', cause })
        const delayMs = delays.get(error) ?? backoffMs(count)
        const isWorthIt = error.status === 429 || error.status === 503 || error.code === 'network_error'
        if (!isWorthIt || count >= retries || Date.now() - begunAt + delayMs > retryForMs) throw error
        await sleep(delayMs, signal)
      } finally {
        clearTimeout(timer)
      }
    }
  }
}

/** The time that the service asked to wait. */
const delays = new WeakMap<OvertureError, number>()

const factsOf = (response: Response) => ({ status: response.status, requestId: response.headers.get('x-request-id') })

interface Envelope {
  error?: { code?: string; message?: string; requestId?: string; details?: unknown }
}

export function errorOf(response: Response, text: string): OvertureError {
  let said: Envelope['error']
  try {
    said = (JSON.parse(text) as Envelope).error
  } catch {
    // A proxy in between may return anything.
  }
  const facts = factsOf(response)
  const isRedirect = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)
  const what = isRedirect ? 'is a redirect, which is not followed. Check the baseUrl' : `has the status ${response.status}`
  const error = new OvertureError(said?.message ?? `The response ${what}.`, {
    ...facts,
    code: said?.code ?? 'unexpected_answer',
    requestId: said?.requestId ?? facts.requestId,
    details: said?.details ?? null,
  })
  const delayMs = retryAfterMs(response.headers)
  if (delayMs !== undefined) delays.set(error, delayMs)
  return error
}
