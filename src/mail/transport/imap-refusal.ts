import { oneLineOf } from './mail-auth.ts'

/** The server refused the sign-in. Trying again without new credentials is useless and may lock the account. */
export class ImapSignInRefused extends Error {
  override readonly name = 'ImapSignInRefused'
}

/** The same for an access token that may have expired early: a new one was requested, and is tried once. */
export class ImapTokenRefused extends Error {
  override readonly name = 'ImapTokenRefused'
  readonly refusal: ImapSignInRefused

  constructor(refusal: ImapSignInRefused) {
    super(`${refusal.message} (a new token is asked for)`)
    this.refusal = refusal
  }
}

/** The credentials are right, but the account has reached its limit of connections. That is temporary. */
export class ImapCrowded extends Error {
  override readonly name = 'ImapCrowded'
}

/** The error of the library when a command was refused or a connection failed. */
export interface ImapFailure extends Error {
  authenticationFailed?: boolean
  responseStatus?: string
  responseText?: string
  serverResponseCode?: string
  code?: string
}

/** Dovecot has a code for it, other servers only a text. */
const CROWDED = /too many\b.{0,40}\bconnections|max(?:imum)?\b.{0,40}\bconnections/i

/** RFC 5530 names the refusals that will pass. Not every server knows it. */
const PASSING_CODES = new Set(['UNAVAILABLE', 'INUSE', 'SERVERBUG'])
const FINAL_CODES = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED', 'PRIVACYREQUIRED', 'CONTACTADMIN'])
const PASSING =
  /\btemporar|try (?:again|later)|again later|come back|(?:server|service|system|internal) (?:is )?(?:error|busy|unavailable|down|overload)|\bunavailable\b|overload|bandwidth|throttl|rate limit|too many (?:login|failed|bad|auth|attempt|request|invalid)/i

/** The reason why the server refused a sign-in; null when the network failed instead. */
export function refusalOf(failure: ImapFailure): Error | null {
  // The library reports every failure during the sign-in as a refusal, even a lost connection. Only a NO is a refusal, and
  // RFC 5530 names the ones that will pass.
  if (failure.authenticationFailed && failure.responseStatus === 'BAD') {
    return new Error(`The server does not understand the sign-in: ${oneLineOf(failure.responseText ?? '') || 'no reason given'}`)
  }
  if (!failure.authenticationFailed || failure.responseStatus !== 'NO') return null
  const code = failure.serverResponseCode ?? ''
  const said = oneLineOf(failure.responseText ?? '')
  if (code === 'LIMIT' || CROWDED.test(said)) return new ImapCrowded(`The server takes no more connections of this account: ${said}`)
  const isPassing = PASSING_CODES.has(code) || (!FINAL_CODES.has(code) && PASSING.test(said))
  if (isPassing) return new Error(`The server takes no sign-in at the moment: ${said || code}`)
  return new ImapSignInRefused(said || 'The server refused the sign-in')
}

/** The server's words when it closed the connection, which explain more than the fact that it did. */
export function farewellOf(client: object): string | null {
  const { byeReason } = client as { byeReason?: string | false }
  return byeReason ? `The server closed the connection: ${oneLineOf(byeReason)}` : null
}

type ParsedAnswer = { attributes?: { section?: { value?: unknown }[] }[] }

/** The library reads the code for some commands only. For others, it leaves the parsed answer. */
function codeOf(failure: ImapFailure): string {
  const { response } = failure as { response?: ParsedAnswer }
  const parsed = response?.attributes?.[0]?.section?.[0]?.value
  return failure.serverResponseCode ?? (typeof parsed === 'string' ? parsed.toUpperCase() : '')
}

const TOO_LARGE_CODES = new Set(['TOOBIG', 'APPENDLIMIT'])
const NO_ROOM = /\bquota\b|\bfull\b|\b(?:disk|storage|space)\b/i

/** `of`: the subject of the refusal. A full mailbox accepts messages later; after a refused message, it may accept the next. */
type AppendRefusal = { of: 'size' | 'message' | 'mailbox'; said: string }

/** Why the server does not store a message; null when the network failed instead. */
export function appendRefusalOf(failure: ImapFailure): AppendRefusal | null {
  const code = codeOf(failure)
  // Dovecot adds the duration, which is different each time.
  const said = oneLineOf(failure.responseText ?? '').replace(/ \([\d.]+(?: \+ [\d.]+)* secs\)\.?$/, '') || code || 'no reason given'
  if (TOO_LARGE_CODES.has(code)) return { of: 'size', said }
  if (failure.responseStatus !== 'NO') return null
  const isOfMailbox = code === 'OVERQUOTA' || code === 'LIMIT' || PASSING_CODES.has(code) || NO_ROOM.test(said) || PASSING.test(said)
  return { of: isOfMailbox ? 'mailbox' : 'message', said }
}

/** Why the server does not return a message; null when the reason is temporary, or something else failed. */
export function messageRefusalOf(failure: ImapFailure): string | null {
  const said = oneLineOf(failure.responseText ?? '')
  if (failure.responseStatus !== 'NO' || ['UNAVAILABLE', 'INUSE', 'LIMIT'].includes(codeOf(failure)) || PASSING.test(said)) return null
  return said || 'no reason given'
}
