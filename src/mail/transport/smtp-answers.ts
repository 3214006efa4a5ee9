import { explainFailure } from './diagnose.ts'
import type { Destination } from './dial.ts'
import { oneLineOf } from './mail-auth.ts'
import { mayBeOfText, namesSender, type Refusal, refusesToRelay } from './refusal.ts'
import type { Stage } from './smtp-dialogue.ts'
import type { Trust } from './trust.ts'

/**
 * The cause of the refusal: this address, our mailbox (every other message would be refused, too), or the text of the message.
 * One answer cannot prove the last: a rule that names no cause refused the message after the recipient had been accepted.
 */
type RefusalScope = 'recipient' | 'mailbox' | 'text'

export type SmtpAnswer =
  /** The server took responsibility for the message. */
  | { kind: 'accepted'; response: string }
  /** The server refused the message. */
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
  /** False when waiting may help: a time-out, a 4xx answer, a network that is down. */
  readonly permanent: boolean
  readonly response: string | null
  constructor(stage: ConnectStage, permanent: boolean, message: string, response: string | null) {
    super(message)
    this.stage = stage
    this.permanent = permanent
    this.response = response
  }
}

/** A connection that failed, with the answer of the server where that gave one. */
export interface SmtpFailure extends Error {
  code?: string
  response?: string
  responseCode?: number
}

/** What a refusal means for the message. */
export function refusalOf(stage: Stage, reply: string, { from, to }: { from: string; to: string }): SmtpAnswer & { kind: 'rejected' } {
  const code = Number(reply.slice(0, 3))
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? null
  const scope = scopeOf(code, stage, { status: enhanced, text: reply, from, to })
  return { kind: 'rejected', permanent: code >= 500, code, enhanced, stage, scope, response: reply }
}

/** A refusal after MAIL FROM is about this recipient, unless the answer is about the session or names the sender. */
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
  if (responseCode < 500) return new SmtpConnectError('auth', false, `The server takes no sign-in at the moment: ${said}`, response)
  const isMissing = responseCode >= 500 && responseCode <= 504
  const why = isMissing
    ? 'The server takes no sign-in on this port, use its port for submission (587 or 465)'
    : 'The server refused the sign-in'
  return new SmtpConnectError('auth', true, `${why}: ${said}`, response)
}
