import { isRecord, parsedJson } from '../../lib/canonical-json.ts'
import { isEmail } from '../../lib/email.ts'
import { PostFailed, type SafeClient, TargetRefused } from '../../lib/safe-fetch.ts'
import { type MailAuth, oneLineOf } from './dial.ts'
import { hosterOfSmtpServer } from './hosters.ts'

/** Renewing the access token of a mailbox that signs in with OAuth 2.0. */

interface OAuthClient {
  tokenUrl: string
  clientId: string
  clientSecret?: string | undefined
  refreshToken: string
}

export interface AccessToken {
  accessToken: string
  expiresAt: Date
  /** Some issuers give a new refresh token each time and revoke the old one, so it must be stored. */
  refreshToken: string | null
}

/** The provider would not renew. `permanent` means the user has to connect the mailbox again. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused'
  readonly permanent: boolean
  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

interface Outside {
  /** The user chose the address, so it is checked like that of a webhook. */
  client: Pick<SafeClient, 'ask'>
}

const TIMEOUT_MS = 15_000

/** A token counts as expired this long before it expires, so that it is valid for the whole connection. */
const EXPIRY_MARGIN_S = 60

/** Only a new consent of the person helps. */
export const CONSENT_WITHDRAWN = 'consent was withdrawn'

export async function refreshAccessToken(grant: OAuthClient, { client, now }: Outside & { now: Date }): Promise<AccessToken> {
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: grant.refreshToken, client_id: grant.clientId })
  if (grant.clientSecret) form.set('client_secret', grant.clientSecret)
  const { status, body } = await postForm(grant.tokenUrl, form.toString(), { client })
  if (status !== 200) {
    const code = typeof body.error === 'string' ? body.error : `status ${status}`
    // RFC 6749 5.2: these name the credentials themselves; anything else may pass.
    const permanent = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope'].includes(code)
    // RFC 6749 5.2: revoked, expired, or replaced. The person can give consent again.
    const what = code === 'invalid_grant' ? `The token was not renewed: ${CONSENT_WITHDRAWN}` : 'The token was not renewed'
    throw new TokenRefused(`${what} (${code})`, permanent)
  }
  if (typeof body.access_token !== 'string' || body.access_token === '') {
    throw new TokenRefused('The response contains no access token', false)
  }
  const lifetime = typeof body.expires_in === 'number' && body.expires_in > 0 ? body.expires_in : 3600
  return {
    accessToken: body.access_token,
    expiresAt: new Date(now.getTime() + Math.max(0, lifetime - EXPIRY_MARGIN_S) * 1000),
    refreshToken: typeof body.refresh_token === 'string' ? body.refresh_token : null,
  }
}

/** Throws `TokenRefused` when there is no response. */
async function postForm(url: string, form: string, { client }: Outside) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  try {
    const answer = await client.ask(url, { headers, body: form, timeoutMs: TIMEOUT_MS })
    return { status: answer.status, body: parseObject(answer.body) }
  } catch (error) {
    if (!(error instanceof PostFailed)) throw error
    if (error.cause instanceof TargetRefused) throw new TokenRefused(`The token endpoint must not be called: ${error.cause.message}`, true)
    throw new TokenRefused(`The token endpoint cannot be reached: ${error.reason}`, false)
  }
}

/** Issuers of access tokens: their users give access to a mailbox by consent. */

export type Issuer = 'google' | 'microsoft'

export interface IssuerEndpoints {
  /** As the issuer names itself (RFC 9207); null when it has a name for each of its tenants. */
  issuer: string | null
  authorizationUrl: string
  tokenUrl: string
  /** Null when the issuer allows no consent to mail by a code on another device. */
  deviceUrl: string | null
}

/** The scopes that SMTP and IMAP need. Those of Microsoft Graph look similar, but mail servers refuse them. */
const MAIL_SCOPES: Readonly<Record<Issuer, readonly string[]>> = {
  google: ['https://mail.google.com/'],
  microsoft: ['https://outlook.office.com/SMTP.Send', 'https://outlook.office.com/IMAP.AccessAsUser.All'],
}

/** `openid email` return who gave consent; Microsoft gives no refresh token without `offline_access`. */
const OTHER_SCOPES: Readonly<Record<Issuer, readonly string[]>> = {
  google: ['openid', 'email'],
  microsoft: ['offline_access', 'openid', 'email'],
}

export const scopesOf = (issuer: Issuer): string => [...MAIL_SCOPES[issuer], ...OTHER_SCOPES[issuer]].join(' ')

/** Google gives a refresh token only with these parameters, and only when the consent is shown again. */
const EXTRA: Readonly<Record<Issuer, Record<string, string>>> = {
  google: { access_type: 'offline', prompt: 'consent' },
  microsoft: { prompt: 'select_account' },
}

/** The servers that the tokens are for. They are sent to no other server. */
export const MAIL_HOSTS: Readonly<Record<Issuer, readonly string[]>> = {
  google: ['smtp.gmail.com', 'imap.gmail.com', 'smtp-relay.gmail.com'],
  microsoft: ['smtp.office365.com', 'smtp-mail.outlook.com', 'outlook.office365.com'],
}

export function endpointsOf(issuer: Issuer, tenant: string): IssuerEndpoints {
  if (issuer === 'google') {
    return {
      issuer: 'https://accounts.google.com',
      authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      // Google has device codes, but not for mail.
      deviceUrl: null,
    }
  }
  const base = `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0`
  return { issuer: null, authorizationUrl: `${base}/authorize`, tokenUrl: `${base}/token`, deviceUrl: `${base}/devicecode` }
}

/** The endpoints in a discovery document (OpenID Connect Discovery 1.0); null when it names none. */
export function readDiscovery(text: string): IssuerEndpoints | null {
  const found = parseObject(text)
  const url = (name: string): string | null => {
    const text = found[name]
    // A browser opens some of them.
    return typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
  }
  const [authorizationUrl, tokenUrl] = [url('authorization_endpoint'), url('token_endpoint')]
  if (!authorizationUrl || !tokenUrl) return null
  return { issuer: url('issuer'), authorizationUrl, tokenUrl, deviceUrl: url('device_authorization_endpoint') }
}

interface Asked {
  clientId: string
  redirectUri: string
  state: string
  /** The hash of the verifier (RFC 7636). */
  challenge: string
  /** The address that is to consent, where that is known. */
  loginHint: string | null
}

export function authorizationUrlOf(issuer: Issuer, { authorizationUrl }: IssuerEndpoints, asked: Asked): string {
  const url = new URL(authorizationUrl)
  const parameters = {
    response_type: 'code',
    response_mode: 'query',
    client_id: asked.clientId,
    redirect_uri: asked.redirectUri,
    scope: scopesOf(issuer),
    state: asked.state,
    code_challenge: asked.challenge,
    code_challenge_method: 'S256',
    ...EXTRA[issuer],
    ...(asked.loginHint ? { login_hint: asked.loginHint } : {}),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const parseObject = (text: string): Record<string, unknown> => {
  const value = parsedJson(text)
  return isRecord(value) ? value : {}
}

// Microsoft ends signing in by password for sending (SMTP AUTH with basic authentication), and says so in its refusals.

const OF_MICROSOFT = new Set(['Microsoft 365', 'Outlook.com'])

export const isMicrosoft = (smtpHost: string): boolean => OF_MICROSOFT.has(hosterOfSmtpServer(smtpHost)?.name ?? '')

const BY_CONSENT = 'Connect the mailbox by consent (OAuth) instead: docs/guides/mailboxes.md, section Microsoft.'

/** For a mailbox that still signs in by password. */
export const MICROSOFT_PASSWORD_NOTICE = `Microsoft turns off password sign-in for SMTP at the end of December 2026 unless an administrator turns it on again, and removes it later (announced for 2027). ${BY_CONSENT}`

/** For an inbox that signs in by password. */
export const MICROSOFT_IMAP_CURE = `Microsoft accepts no passwords for IMAP. ${BY_CONSENT}`

const TURNED_OFF = /SmtpClientAuthentication is disabled|basic authentication is (?:disabled|not supported)/i
const TOKEN_REFUSED =
  'Microsoft refuses SMTP for this mailbox even though consent was given: an administrator must turn on Authenticated SMTP for it (docs/guides/mailboxes.md, section Microsoft). It can take an hour to take effect.'

/** The solution for a refused sign-in of Microsoft; null for other refusals. */
export function cureOfMicrosoft(response: string | null, smtpHost: string, auth: MailAuth | null | undefined): string | null {
  const status = /^5[35][05][ -](5\.7\.(?:139|30|3))\b/.exec(response ?? '')?.[1]
  const isTurnedOff = status !== '5.7.3' && TURNED_OFF.test(response ?? '')
  // Others use 5.7.3 and 5.7.30, too. Only Microsoft has 5.7.139.
  if (status === undefined || (status !== '5.7.139' && !isMicrosoft(smtpHost) && !isTurnedOff)) return null
  if (auth?.accessToken) return status === '5.7.139' ? TOKEN_REFUSED : null
  if (isTurnedOff) return `Microsoft has turned off password sign-in for this mailbox or its tenant. ${BY_CONSENT}`
  if (status === '5.7.139' && !/credentials were incorrect/i.test(response!))
    return `A rule of the tenant (security defaults or conditional access) refuses password sign-in. ${BY_CONSENT}`
  return `The password is wrong, or Microsoft has turned off password sign-in for this mailbox. ${BY_CONSENT}`
}

/** Exchanges the consent of a person for a refresh token: given in a browser, or on another device (RFC 8628). */

export interface IssuerClient {
  issuer: Issuer
  clientId: string
  clientSecret: string
}

export interface Grant {
  refreshToken: string
  /** The address of the account that gave consent, in lower case. */
  account: string
}

/** There is no consent. The message states why and can be shown to the person who requested it. */
export class ConsentRefused extends Error {
  override readonly name = 'ConsentRefused'
}

interface Code {
  tokenUrl: string
  code: string
  redirectUri: string
  verifier: string
}

export async function exchangeCode(by: IssuerClient, { tokenUrl, code, redirectUri, verifier }: Code, outside: Outside): Promise<Grant> {
  const form = formOf(by, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })
  const { status, body } = await postForm(tokenUrl, form, outside)
  if (status !== 200) throw new ConsentRefused(`The sign-in provider did not accept the code: ${wordError(body, status)}`)
  return grantOf(by, body)
}

export interface DeviceCode {
  deviceCode: string
  userCode: string
  verificationUri: string
  intervalSeconds: number
  expiresInSeconds: number
}

const LONGEST_DEVICE_S = 15 * 60

export async function beginDevice(by: IssuerClient, deviceUrl: string, outside: Outside): Promise<DeviceCode> {
  const { status, body } = await postForm(deviceUrl, formOf(by, { scope: scopesOf(by.issuer) }), outside)
  if (status !== 200) throw new ConsentRefused(`The sign-in provider did not return a code: ${wordError(body, status)}`)
  const [deviceCode, userCode] = [textOf(body.device_code, 4096), textOf(body.user_code, 100)]
  const verificationUri = textOf(body.verification_uri ?? body.verification_url, 2048)
  if (!deviceCode || !userCode || !verificationUri || !/^https?:\/\//.test(verificationUri)) {
    throw new ConsentRefused('The response of the sign-in provider contains no code')
  }
  return {
    deviceCode,
    userCode,
    verificationUri,
    intervalSeconds: secondsIn(body.interval, 60, 5),
    expiresInSeconds: secondsIn(body.expires_in, LONGEST_DEVICE_S, LONGEST_DEVICE_S),
  }
}

/** Null: no decision yet. `slower`: the issuer was polled too often. */
export async function pollDevice(by: IssuerClient, { tokenUrl, deviceCode }: { tokenUrl: string; deviceCode: string }, outside: Outside) {
  const form = formOf(by, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode })
  const { status, body } = await postForm(tokenUrl, form, outside)
  if (status === 200) return grantOf(by, body)
  if (body.error === 'authorization_pending') return 'pending'
  if (body.error === 'slow_down') return 'slower'
  throw new ConsentRefused(wordError(body, status))
}

/** The issuer's reason why there is no consent, in plain words where we have them. */
export function wordRefusal(code: string, description: string | null): string {
  const known: Record<string, string> = {
    access_denied: 'Consent was not given',
    authorization_declined: 'Consent was not given',
    expired_token: 'The code was not used in time',
    bad_verification_code: 'The code was not used in time',
    consent_required: 'An administrator has to allow this application first',
    invalid_scope: 'The sign-in provider does not know the required permissions: check the permissions of the application',
  }
  const said = oneLineOf(description ? `${code}: ${description}` : code)
  return known[code] ? `${known[code]} (${said})` : said
}

function formOf({ clientId, clientSecret }: IssuerClient, fields: Record<string, string>): string {
  return new URLSearchParams({ ...fields, client_id: clientId, ...(clientSecret ? { client_secret: clientSecret } : {}) }).toString()
}

function grantOf({ issuer, clientId }: IssuerClient, body: Record<string, unknown>): Grant {
  // The person who gives consent may have unticked a requested permission.
  const granted = typeof body.scope === 'string' ? body.scope.split(' ').map(scope => scope.toLowerCase()) : null
  const missing = granted ? MAIL_SCOPES[issuer].filter(scope => !granted.includes(scope.toLowerCase())) : []
  if (missing.length > 0) throw new ConsentRefused(`Access to mail was not allowed: ${missing.join(', ')} is missing`)
  const refreshToken = textOf(body.refresh_token, 4096)
  if (!refreshToken)
    throw new ConsentRefused('The sign-in provider returned no refresh token: remove the access in the account and give consent again')
  const account = accountIn(textOf(body.id_token, 20_000), clientId)
  if (!account) throw new ConsentRefused('The sign-in provider did not return the account that gave consent')
  return { refreshToken, account }
}

/** It comes directly from the issuer over TLS, so its signature need not be checked (OpenID Connect Core, 3.1.3.7). */
function accountIn(idToken: string | null, clientId: string): string | null {
  const claims = parseObject(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8'))
  if (![claims.aud].flat().includes(clientId)) return null
  const address = [claims.email, claims.preferred_username, claims.upn].find(each => typeof each === 'string' && isEmail(each))
  return typeof address === 'string' ? address.toLowerCase() : null
}

const textOf = (value: unknown, maxChars: number): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxChars ? value : null

/** Whole seconds, at least one and at most `most`. */
const secondsIn = (value: unknown, most: number, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(1, Math.ceil(value))) : fallback

const wordError = (body: Record<string, unknown>, status: number): string =>
  wordRefusal(textOf(body.error, 100) ?? `status ${status}`, textOf(body.error_description, 2000))
