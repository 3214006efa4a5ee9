import { explainFailure } from './diagnose.ts'
import type { Destination } from './dial.ts'
import { oneLineOf } from './mail-auth.ts'
import { mayBeOfText, namesSender, type Refusal, refusesToRelay } from './refusal.ts'
import type { Trust } from './trust.ts'

type SendStage = 'mail_from' | 'rcpt_to' | 'data' | 'message'

/**
 * What the problem is: this address, the mailbox we send from (every other message would fare the same), or what the message says.
 * For the text there is no proof in one answer: it was refused by a rule that names nobody, after the recipient had been accepted.
 */
type RefusalScope = 'recipient' | 'mailbox' | 'text'

export type SmtpAnswer =
  /** The server took responsibility for the message. */
  | { kind: 'accepted'; response: string }
  /** The server answered no; the message was not taken. */
  | {
      kind: 'rejected'
      permanent: boolean
      code: number
      /** The enhanced status code such as 5.1.1, where the server gives one. */
      enhanced: string | null
      stage: SendStage
      scope: RefusalScope
      response: string
    }
  /** The body was not handed over: trying again cannot make a second copy. */
  | { kind: 'not_sent'; reason: string }
  /** The connection was lost after the body was handed over: the server may have it. */
  | { kind: 'unknown'; reason: string }

type ConnectStage = 'dns' | 'tcp' | 'tls' | 'auth'

/** The session could not be opened. No message was touched. */
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

export interface LibraryError extends Error {
  code?: string
  originalCode?: string
  response?: string
  responseCode?: number
  command?: string
}

export function answerOf(
  error: LibraryError,
  handedOver: boolean,
  { from, to }: { from: string; to: string },
): (SmtpAnswer & { kind: 'rejected' }) | null {
  if (!error.responseCode && error.code === 'EMESSAGE' && /size larger than allowed/i.test(error.message)) {
    return {
      kind: 'rejected',
      permanent: true,
      code: 552,
      enhanced: '5.3.4',
      stage: 'mail_from',
      scope: 'mailbox',
      response: oneLineOf(error.message),
    }
  }
  if (!error.responseCode || error.responseCode < 400 || !error.response) return null
  const code = error.responseCode
  const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(error.response)?.[1] ?? null
  const stage = stageOf(error, handedOver)
  return {
    kind: 'rejected',
    permanent: code >= 500,
    code,
    enhanced,
    stage,
    scope: scopeOf(code, stage, { status: enhanced, text: error.response, from, to }),
    response: error.response,
  }
}

function stageOf(error: LibraryError, handedOver: boolean): SendStage {
  if (error.code === 'EMESSAGE' || handedOver) return 'message'
  if (error.command === 'MAIL FROM') return 'mail_from'
  if (error.command === 'RCPT TO') return 'rcpt_to'
  // A server that closes with 421 says so instead of answering whatever it was asked.
  return error.command === 'CONN' ? 'mail_from' : 'data'
}

/** What is refused after MAIL FROM is refused to this recipient, unless the answer is about the session or names the sender. */
function scopeOf(code: number, stage: SendStage, refusal: Refusal): RefusalScope {
  if (stage === 'mail_from' || code === 421 || (code >= 530 && code <= 538)) return 'mailbox'
  if (code < 500) return 'recipient'
  if (namesSender(refusal) || refusesToRelay(refusal)) return 'mailbox'
  return stage !== 'rcpt_to' && mayBeOfText(refusal) ? 'text' : 'recipient'
}

export function connectError(error: LibraryError, settings: Destination & Trust): SmtpConnectError {
  const system = error.originalCode ?? error.code ?? ''
  const permanent = (error.responseCode ?? 0) >= 500
  const message = explainFailure(error, settings)
  const response = error.response ?? null
  if (error.code === 'EDNS' || /ENOTFOUND|EAI_/.test(system)) {
    return new SmtpConnectError('dns', system === 'ENOTFOUND', message, response)
  }
  if (error.code === 'ETLS' || /CERT|TLS|SSL|EPROTO|UNABLE_TO|SELF_SIGNED|ALTNAME/.test(system)) {
    // A server that is just starting may refuse STARTTLS for the moment.
    return new SmtpConnectError('tls', !(error.responseCode && error.responseCode < 500), message, response)
  }
  return new SmtpConnectError('tcp', permanent, message, response)
}

/** 500 to 504: the server does not know how to sign anybody in here. */
export function signInError({ message, response, responseCode = 0 }: LibraryError): SmtpConnectError {
  if (!response) return new SmtpConnectError('auth', responseCode >= 500, oneLineOf(message), null)
  const said = oneLineOf(response)
  // A 4xx here is a server that is busy or a sign-in that is throttled, not a wrong password.
  if (responseCode < 500) return new SmtpConnectError('auth', false, `The server takes no sign-in at the moment: ${said}`, response)
  const isMissing = responseCode >= 500 && responseCode <= 504
  const why = isMissing
    ? 'The server takes no sign-in on this port, use its port for submission (587 or 465)'
    : 'The server refused the sign-in'
  return new SmtpConnectError('auth', true, `${why}: ${said}`, response)
}
