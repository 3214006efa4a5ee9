import { isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Dispatcher } from 'undici'
import { lookupIn } from './dns.ts'
import { isAllowedAddress, isLocalName, type Resolve, resolverFor } from './public-address.ts'

interface TargetRules {
  /** Allows plain http, loopback and private networks: for a service and receivers on one machine or network. */
  allowLocal: boolean
  resolve?: Resolve | undefined
}

/** The name or address to connect to, as the URL parser has understood it: `0x7f.1` is 127.0.0.1 by then. */
const hostOf = (hostname: string): string =>
  hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()

function checkHost(host: string, allowLocal: boolean): void {
  if (isIP(host) !== 0) {
    if (!isAllowedAddress(host, allowLocal)) throw new TargetRefused('the address is not public')
  } else if (!allowLocal && isLocalName(host)) {
    throw new TargetRefused('the host is a name in a local network')
  }
}

/** The checks of a URL that need no network. */
function parseTarget(text: string, allowLocal: boolean): URL {
  const url = URL.parse(text)
  if (!url) throw new TargetRefused('it is not a URL')
  if (url.protocol !== 'https:' && !(allowLocal && url.protocol === 'http:')) throw new TargetRefused('it must begin with https://')
  if (url.username !== '' || url.password !== '') throw new TargetRefused('it must not contain a user name or a password')
  checkHost(hostOf(url.hostname), allowLocal)
  return url
}

async function resolveAllowed(host: string, rules: TargetRules): Promise<string[]> {
  const addresses = await (rules.resolve ?? resolverFor(rules.allowLocal))(host)
  for (const address of addresses) {
    if (!isAllowedAddress(address, rules.allowLocal)) throw new TargetRefused('the host resolves to an address that is not public')
  }
  return addresses
}

/**
 * The addresses of a host, each of them checked. For callers that connect without this client: connect to
 * one of these and never look the name up again, or it may lead elsewhere the second time.
 */
export async function allowedAddressesOf(hostname: string, rules: TargetRules): Promise<string[]> {
  const host = hostOf(hostname)
  checkHost(host, rules.allowLocal)
  return isIP(host) !== 0 ? [host] : resolveAllowed(host, rules)
}

const CHECK_TIMEOUT_MS = 2000

/**
 * Checks a URL when it is accepted, so that a mistake is reported at once. A name that does not resolve yet is accepted, because
 * every connection is checked again.
 */
export async function checkTarget(text: string, rules: TargetRules): Promise<void> {
  const host = hostOf(parseTarget(text, rules.allowLocal).hostname)
  if (isIP(host) !== 0) return
  const resolved = resolveAllowed(host, rules).catch(error => {
    if (error instanceof TargetRefused) throw error
  })
  await Promise.race([resolved, sleep(CHECK_TIMEOUT_MS, undefined, { ref: false })]).finally(() => resolved.catch(() => {}))
}

export interface PostOptions {
  headers: Record<string, string>
  body?: string
  /** For everything together: name, connection, request and answer. */
  timeoutMs: number
  signal?: AbortSignal
}

interface Answer {
  status: number
  retryAfter: string | null
  /** Empty when only the status was asked for. */
  body: string
}

const MAX_ANSWER_BYTES = 64 * 1024
/** Informational responses (1xx), which could come without end. Usual servers send none. */
const MAX_HINTS = 10
const CONNECT_TIMEOUT_MS = 10_000

/** A response with its head and everything that belongs to neither its head nor its body, such as the extensions of chunks. */
const MAX_RECEIVED_BYTES = 4 * MAX_ANSWER_BYTES

function limitAnswers(socket: Socket): void {
  let [sent, before] = [0, 0]
  socket.on('readable', () => {
    // The next request has begun.
    if (socket.bytesWritten !== sent) [sent, before] = [socket.bytesWritten, socket.bytesRead]
    if (socket.bytesRead - before > MAX_RECEIVED_BYTES) socket.destroy(new PostFailed('invalid_response'))
  })
}

/** Calls addresses that strangers have chosen. Redirects are not followed: they would be a way around every check. */
export class SafeClient {
  readonly #rules: TargetRules & { ca?: string }
  #agent: Agent | undefined
  #isClosed = false
  readonly #connecting = new Set<Socket>()

  constructor(options: TargetRules & { ca?: string }) {
    this.#rules = options
  }

  /** Undici is loaded with the first request: it takes as long as a tenth of a start. */
  async #open(): Promise<Agent> {
    const { Agent, buildConnector } = await import('undici')
    if (this.#isClosed) throw new PostFailed('aborted')
    if (this.#agent) return this.#agent
    const { allowLocal, ca } = this.#rules
    const tls = ca === undefined ? {} : { ca }
    // One request per connection at a time: over a shared HTTP/2 session one receiver could hold up another at the same host.
    // The addresses that are checked are the ones that are connected to, so a name that resolves differently the second time gains nothing.
    const lookup = lookupIn(hostname => resolveAllowed(hostOf(hostname), this.#rules))
    const connect = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS, allowH2: false, ...tls })
    this.#agent = new Agent({
      allowH2: false,
      pipelining: 1,
      connect: (target, callback) => {
        try {
          // A socket looks nothing up for a literal address, so that one has to be judged here.
          checkHost(hostOf(target.hostname), allowLocal)
        } catch (error) {
          return callback(error as Error, null)
        }
        // The connector does return its socket, although its type does not say so.
        const socket = connect(target, (...result) => {
          this.#connecting.delete(socket)
          limitAnswers(socket)
          callback(...result)
        }) as unknown as Socket
        this.#connecting.add(socket)
      },
    })
    return this.#agent
  }

  /** Returns only the status of the response, and does so as well when the rest of it is lost or too long. */
  post(url: string, options: PostOptions): Promise<Answer> {
    return this.#call('POST', url, options, false)
  }

  /** Posts a body and returns the response with its text. */
  ask(url: string, options: PostOptions): Promise<Answer> {
    return this.#call('POST', url, options, true)
  }

  get(url: string, options: Omit<PostOptions, 'body'>): Promise<Answer> {
    return this.#call('GET', url, options, true)
  }

  async #call(method: Call['method'], url: string, options: PostOptions, isRead: boolean): Promise<Answer> {
    const { headers, body = null, timeoutMs, signal } = options
    if (signal?.aborted) throw new PostFailed('aborted')
    let givenUp: Error | undefined
    let giveUp = (reason: Error): void => {
      givenUp = reason
    }
    const abort = (): void => giveUp(new PostFailed('aborted'))
    const timer = setTimeout(() => giveUp(new PostFailed('timeout')), timeoutMs)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const agent = this.#agent ?? (await this.#open())
      if (givenUp) throw givenUp
      const { origin, pathname, search } = parseTarget(url, this.#rules.allowLocal)
      const called = callBare(agent, { method, origin, path: pathname + search, headers, body }, isRead)
      giveUp = called.giveUp
      return await called.answer
    } catch (error) {
      throw asFailure(error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Ends at once, also while a connection or a name is awaited. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const socket of this.#connecting) socket.destroy(new PostFailed('aborted'))
    await this.#agent?.destroy()
  }
}

interface Call {
  method: 'GET' | 'POST'
  origin: string
  path: string
  headers: Record<string, string>
  body: string | null
}

/**
 * Uses the callbacks of undici directly: streams, promises and signals for each request took more than half of its time.
 *
 * `giveUp` ends the request with an error, also while it waits for a connection. Where the text is not read, a status that has
 * already arrived counts.
 */
function callBare(dispatcher: Dispatcher, call: Call, isRead: boolean): { answer: Promise<Answer>; giveUp(reason: Error): void } {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  let controller: Dispatcher.DispatchController | undefined
  let answer: Answer | undefined
  let givenUp: Error | undefined
  const chunks: Buffer[] = []
  let unread = MAX_ANSWER_BYTES
  let hintsLeft = MAX_HINTS

  const end = (error: Error): void => {
    if (answer && !isRead) resolve(answer)
    else reject(error)
  }
  const giveUp = (reason: Error): void => {
    givenUp = reason
    end(reason)
    controller?.abort(reason)
  }
  try {
    dispatcher.dispatch(
      { ...call, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          controller = started
          // A request that waits for a connection cannot be aborted. It is aborted here, before anything is sent.
          if (givenUp) started.abort(givenUp)
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) {
            if (--hintsLeft < 0) giveUp(new PostFailed('invalid_response'))
            return
          }
          const retryAfter = headers['retry-after']
          answer = { status, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, body: '' }
        },
        // Read in any case, so that the connection can be used again, unless it is long.
        onResponseData(_controller, chunk) {
          unread -= chunk.length
          if (unread < 0) giveUp(new PostFailed('invalid_response'))
          else if (isRead) chunks.push(chunk)
        },
        onResponseEnd() {
          resolve({ ...answer!, body: Buffer.concat(chunks).toString() })
        },
        onResponseError(_controller, error) {
          end(error)
        },
      },
    )
  } catch (error) {
    end(error as Error)
  }
  return { answer: promise, giveUp }
}

/** The address must not be called, because it leads, or could lead, into a private network. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

type PostFailure =
  | 'timeout'
  | 'aborted'
  | 'address_not_allowed'
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_lost'
  | 'unreachable'
  | 'tls_failed'
  | 'invalid_response'
  | 'network_error'

/** There was no response. The reason is one of a few fixed words that reveal nothing about our network. */
export class PostFailed extends Error {
  override readonly name = 'PostFailed'
  readonly reason: PostFailure

  constructor(reason: PostFailure, cause?: unknown) {
    super(`there was no response: ${reason}`, { cause })
    this.reason = reason
  }
}

const asFailure = (error: unknown): PostFailed => (error instanceof PostFailed ? error : new PostFailed(reasonOf(error), error))

const REASONS: [RegExp, PostFailure][] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|ETIMEOUT|EBADNAME|ECANCELLED)/, 'dns_failed'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection_lost'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'timeout'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/, 'unreachable'],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/, 'invalid_response'],
  [/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/, 'tls_failed'],
]

function reasonOf(error: unknown): PostFailure {
  if (error instanceof TargetRefused) return 'address_not_allowed'
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  return REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'network_error'
}

/** The text of a body; null when it has more bytes than this. Its rest is not read then, because the loop ends the stream. */
export async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
