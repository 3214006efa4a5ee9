import type { Socket } from 'node:net'
import { explainFailure } from './diagnose.ts'
import { type Destination, oneLineOf, type Trust } from './dial.ts'
import { mayBeOfText, namesSender, type Refusal, refusesToRelay } from './refusal.ts'

/** The commands and answers of SMTP over one connection. */

export interface SmtpExtensions {
  /** Several commands may be sent at once, and are answered in order (RFC 2920). */
  pipelining: boolean
  smtpUtf8: boolean
  size: boolean
}

export type Stage = 'mail_from' | 'rcpt_to' | 'data' | 'message'

/** `isOver`: client and server may no longer agree on the state of the dialogue, so the connection is not used again. */
interface Refused {
  kind: 'refused'
  stage: Stage
  reply: string
  isOver: boolean
}

/** How far a message got. */
type Reached =
  | { kind: 'accepted'; reply: string; isOver: boolean }
  | Refused
  /** There was no valid response. Only a message whose body was sent can have been accepted. */
  | { kind: 'lost'; error: Error; handedOver: boolean }

const OUT_OF_STEP = 'The server sent an unexpected response'

const END = '\r\n.\r\n'
const LONGEST_REPLY = 64 * 1024
/** Larger messages are written in pieces, as fast as the server reads them. */
const PIECE_BYTES = 64 * 1024

export class SmtpDialogue {
  /** The extensions of the server. None is known before EHLO. */
  extensions: SmtpExtensions = { pipelining: false, smtpUtf8: false, size: false }
  readonly #socket: Socket
  readonly #replies: string[] = []
  #waiting: { resolve: (reply: string) => void; reject: (error: Error) => void } | null = null
  /** An unfinished line, and the earlier lines of a multiline reply. */
  #rest = ''
  #lines = ''
  #failure: Error | null = null
  /** A response is expected: to a command, or at first the greeting. */
  #isTalking = true

  /** `silenceMs`: the longest silence of the server while a response is expected. */
  constructor(socket: Socket, silenceMs: number) {
    this.#socket = socket
    socket.setTimeout(silenceMs)
    socket.on('data', this.#onData)
    socket.on('error', this.#onError)
    socket.on('end', this.#onEnd)
    socket.on('close', this.#onEnd)
    socket.on('timeout', this.#onSilence)
  }

  readonly #onData = (chunk: Buffer): void => this.#read(chunk.toString('latin1'))
  readonly #onError = (error: Error): void => this.fail(error)
  readonly #onEnd = (): void => this.fail(new Error('Connection closed unexpectedly'))
  readonly #onSilence = (): void => {
    this.fail(Object.assign(new Error('Timeout'), { code: 'ETIMEDOUT' }))
    this.#socket.destroy()
  }

  get isOver(): boolean {
    return this.#failure !== null
  }

  /** Stops reading, because the connection continues in another form. */
  detach(): void {
    this.#failure = new Error('The connection has been upgraded')
    this.#socket.off('data', this.#onData).off('error', this.#onError).off('end', this.#onEnd).off('close', this.#onEnd)
    this.#socket.off('timeout', this.#onSilence).setTimeout(0)
  }

  greeting(): Promise<string> {
    return this.#next()
  }

  /** One command before the first message, and its response. */
  async ask(command: string): Promise<string> {
    this.#isTalking = true
    this.#ask(`${command}\r\n`)
    return this.#next()
  }

  /** From here on the server speaks only when it is asked. */
  endOpening(): void {
    if (this.#failure || this.#hasMore) throw this.#failure ?? new Error(OUT_OF_STEP)
    this.#isTalking = false
  }

  /** Sends QUIT unless a response is pending. */
  close(): void {
    if (!this.#failure && !this.#isTalking) this.#socket.end('QUIT\r\n')
    else this.#socket.destroy()
    this.fail(new Error('The connection is closed'))
  }

  /** Closes at once, without QUIT. */
  abort(): void {
    this.fail(new Error('The connection is closed'))
    this.#socket.destroy()
  }

  /** No further response will come. A refusal counts even if its last line is not complete. */
  fail(error: Error): void {
    if (this.#failure) return
    this.#failure = error
    const unended = this.#lines + this.#rest.trim()
    const { resolve, reject } = this.#waiting ?? {}
    this.#waiting = null
    if (/^[45]\d\d[ -]/.test(unended)) resolve?.(decoded(unended))
    else reject?.(error)
  }

  /** Whether the server forgot the transaction that failed. */
  async reset(): Promise<boolean> {
    this.#isTalking = true
    try {
      this.#ask('RSET\r\n')
      return (await this.#next()).startsWith('2')
    } catch {
      return false
    } finally {
      this.#isTalking = false
    }
  }

  async transact(envelope: { from: string; to: string }, raw: string): Promise<Reached> {
    this.#isTalking = true
    try {
      return await this.#transact(envelope, raw)
    } finally {
      this.#isTalking = false
    }
  }

  async #transact(envelope: { from: string; to: string }, raw: string): Promise<Reached> {
    let handedOver = false
    try {
      const refused = await this.#announce(envelope, raw.length)
      if (refused) return refused
      if (this.#hasMore) return this.#early(this.#replies[0] ?? '')
      const body = asData(raw)
      const answer = this.#next()
      const early = await this.#handOver(body, answer, () => {
        handedOver = true
      })
      if (early !== undefined) return this.#early(early)
      const reply = await answer
      if (reply.startsWith('2')) return { kind: 'accepted', reply, isOver: this.#hasMore }
      return this.#refused('message', reply)
    } catch (error) {
      return { kind: 'lost', error: error as Error, handedOver }
    }
  }

  /** All commands before the message. When they were sent at once, all responses are awaited, and the first refusal is the reason. */
  async #announce({ from, to }: { from: string; to: string }, size: number): Promise<Refused | null> {
    const { pipelining, smtpUtf8 } = this.extensions
    // Only an address may be between the brackets.
    if (/[\r\n<>]/.test(from) || to === '' || /[\r\n<>]/.test(to)) throw new Error('The address cannot be written in SMTP')
    const utf8 = smtpUtf8 && !isAscii(from + to) ? ' SMTPUTF8' : ''
    const commands: [Stage, string][] = [
      ['mail_from', `MAIL FROM:<${from}>${utf8}${this.extensions.size ? ` SIZE=${size}` : ''}\r\n`],
      ['rcpt_to', `RCPT TO:<${to}>\r\n`],
      ['data', 'DATA\r\n'],
    ]
    if (pipelining) this.#ask(commands.map(([, line]) => line).join(''))
    let refused: Refused | null = null
    for (const [stage, line] of commands) {
      if (!pipelining) this.#ask(line)
      const reply = await this.#next().catch((error: Error) => error)
      if (reply instanceof Error) {
        if (refused) return { ...refused, isOver: true }
        throw reply
      }
      // Some servers respond to DATA with 250.
      const isTaken = reply.startsWith('2') || (stage === 'data' && reply.startsWith('3'))
      // The recipient was refused, but the server waits for the message: nothing of it is sent.
      if (isTaken && refused && stage === 'data') return { ...refused, isOver: true }
      if (!isTaken) refused ??= this.#refused(stage, reply)
      if (refused && reply.startsWith('421')) return { ...refused, isOver: true }
      if (refused && !pipelining) return refused
    }
    return refused
  }

  /** Writes the message. Stops when a response comes before its end. */
  async #handOver(body: string, answer: Promise<string>, begin: () => void): Promise<string | undefined> {
    let at = 0
    for (; body.length - at > PIECE_BYTES + END.length; at += PIECE_BYTES) {
      if (this.#socket.write(body.slice(at, at + PIECE_BYTES), 'latin1')) continue
      const drained = new Promise<undefined>(resolve => this.#socket.once('drain', () => resolve(undefined)))
      const early = await Promise.race([drained, answer])
      if (early !== undefined) return early
    }
    // The whole end of the message is in the last piece: before it no server can have accepted the message.
    begin()
    this.#socket.write(at === 0 ? body : body.slice(at), 'latin1')
  }

  /** Only a refusal may come before the end of the message, and then the rest of the message is not written. */
  #early(reply: string): Refused {
    if (!/^[45]/.test(reply)) throw new Error(OUT_OF_STEP)
    return { ...this.#refused('message', reply), isOver: true }
  }

  #refused(stage: Stage, reply: string): Refused {
    if (!/^[45]\d\d/.test(reply)) throw new Error(`Unexpected response: ${reply}`)
    return { kind: 'refused', stage, reply, isOver: reply.startsWith('421') || this.#failure !== null }
  }

  /** There are unread responses of the server. */
  get #hasMore(): boolean {
    return this.#replies.length > 0 || this.#rest !== '' || this.#lines !== ''
  }

  /** A response that came before the command is not a response to it. */
  #ask(commands: string): void {
    if (this.#failure || this.#hasMore) throw this.#failure ?? new Error(OUT_OF_STEP)
    this.#socket.write(commands)
  }

  #next(): Promise<string> {
    const reply = this.#replies.shift()
    if (reply !== undefined) return Promise.resolve(reply)
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  #read(text: string): void {
    if (this.#failure) return
    if (!this.#isTalking) {
      if (/^[\r\n]*$/.test(text)) return
      // There was no command: the server is about to close, or has lost track.
      this.fail(new Error(OUT_OF_STEP))
      this.#socket.destroy()
      return
    }
    // The line is searched only when it is complete, because a server may send it letter by letter.
    if (text.includes('\n')) this.#split(this.#rest + text)
    else this.#rest += text
    const left = this.#replies.reduce((sum, reply) => sum + reply.length, this.#rest.length + this.#lines.length)
    if (left > LONGEST_REPLY) this.fail(new Error('The response of the server is too long'))
  }

  #split(text: string): void {
    const lines = text.split('\n')
    this.#rest = lines.pop()!
    for (const ended of lines) {
      const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended
      if (/^\d+-/.test(line)) this.#lines += `${line}\n`
      else if (line.trim() !== '' || this.#lines !== '') this.#take(this.#lines + line)
    }
  }

  #take(reply: string): void {
    this.#lines = ''
    const waiting = this.#waiting
    this.#waiting = null
    if (waiting) waiting.resolve(decoded(reply))
    else this.#replies.push(decoded(reply))
  }
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** Responses are decoded as UTF-8 if they are valid. */
function decoded(reply: string): string {
  if (isAscii(reply)) return reply
  const text = Buffer.from(reply, 'latin1').toString('utf8')
  return text.includes('\uFFFD') ? reply : text
}

/**
 * The message as it goes over the line: each line ends with CR LF and none begins with a single dot, because a server that
 * accepts other line ends could find the end of the message, and commands, in its text.
 */
function asData(raw: string): string {
  let text = raw
  if (/\r(?!\n)|(?<!\r)\n/.test(text)) text = text.replace(/\r\n|\r|\n/g, '\r\n')
  if (text.startsWith('.')) text = `.${text}`
  if (text.includes('\n.')) text = text.replaceAll('\n.', '\n..')
  return text.endsWith('\n') ? `${text}.\r\n` : text + END
}

/**
 * The cause of the refusal: this address, our mailbox (every other message would be refused, too), or the text of the message.
 * One response cannot prove the last: a rule that names no cause refused the message after the recipient had been accepted.
 */
type RefusalScope = 'recipient' | 'mailbox' | 'text'

export type SmtpAnswer =
  /** The server took responsibility for the message. */
  | { kind: 'accepted'; response: string }
  | {
      kind: 'rejected'
      permanent: boolean
      code: number
      /** The enhanced status code such as 5.1.1, where the server gives one. */
      enhanced: string | null
      stage: Stage
      scope: RefusalScope
      response: string
    }
  /** The body was not sent: another try cannot make a second copy. */
  | { kind: 'not_sent'; reason: string }
  /** The connection was lost after the body was sent: the server may have it. */
  | { kind: 'unknown'; reason: string }

type ConnectStage = 'dns' | 'tcp' | 'tls' | 'auth'

/** The session could not be opened. No message was sent. */
export class SmtpConnectError extends Error {
  override readonly name = 'SmtpConnectError'
  readonly stage: ConnectStage
  /** False when waiting may help: a timeout, a 4xx answer, a network that is down. */
  readonly permanent: boolean
  readonly response: string | null
  constructor(stage: ConnectStage, permanent: boolean, message: string, response: string | null) {
    super(message)
    this.stage = stage
    this.permanent = permanent
    this.response = response
  }
}

/** A connection that failed, with the response of the server where that gave one. */
export interface SmtpFailure extends Error {
  code?: string
  response?: string
  responseCode?: number
}

export function refusalOf(stage: Stage, reply: string, { from, to }: { from: string; to: string }): SmtpAnswer & { kind: 'rejected' } {
  const code = Number(reply.slice(0, 3))
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? null
  const scope = scopeOf(code, stage, { status: enhanced, text: reply, from, to })
  return { kind: 'rejected', permanent: code >= 500, code, enhanced, stage, scope, response: reply }
}

/** A refusal after MAIL FROM is about this recipient, unless the response is about the session or names the sender. */
function scopeOf(code: number, stage: Stage, refusal: Refusal): RefusalScope {
  if (stage === 'mail_from' || code === 421 || (code >= 530 && code <= 538)) return 'mailbox'
  if (code < 500) return 'recipient'
  if (namesSender(refusal) || refusesToRelay(refusal)) return 'mailbox'
  return stage !== 'rcpt_to' && mayBeOfText(refusal) ? 'text' : 'recipient'
}

export function connectError(error: SmtpFailure, settings: Destination & Trust): SmtpConnectError {
  const system = error.code ?? ''
  const permanent = (error.responseCode ?? 0) >= 500
  const message = explainFailure(error, settings)
  const response = error.response ?? null
  if (/ENOTFOUND|EAI_/.test(system)) {
    return new SmtpConnectError('dns', system === 'ENOTFOUND', message, response)
  }
  if (/CERT|TLS|SSL|EPROTO|UNABLE_TO|SELF_SIGNED|ALTNAME/.test(system)) {
    // A server that is just starting may refuse STARTTLS for the moment.
    return new SmtpConnectError('tls', !(error.responseCode && error.responseCode < 500), message, response)
  }
  return new SmtpConnectError('tcp', permanent, message, response)
}

/** 500 to 504: the server does not support signing in here. */
export function signInError({ message, response, responseCode = 0 }: SmtpFailure): SmtpConnectError {
  if (!response) return new SmtpConnectError('auth', responseCode >= 500, oneLineOf(message), null)
  const said = oneLineOf(response)
  // A 4xx here means that the server is busy or throttles sign-ins; the password may be right.
  if (responseCode < 500) return new SmtpConnectError('auth', false, `The server does not accept sign-ins right now: ${said}`, response)
  const isMissing = responseCode >= 500 && responseCode <= 504
  const why = isMissing
    ? 'The server does not accept sign-ins on this port: use its submission port (587 or 465)'
    : 'The server refused the sign-in'
  return new SmtpConnectError('auth', true, `${why}: ${said}`, response)
}
