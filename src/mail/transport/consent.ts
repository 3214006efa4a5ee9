import { isEmail } from '../../lib/email.ts'
import type { SafeClient } from '../../lib/safe-fetch.ts'
import { type Issuer, MAIL_SCOPES, parseObject, scopesOf } from './issuers.ts'
import { oneLineOf } from './mail-auth.ts'
import { postForm } from './oauth.ts'

/** Exchanges the consent of a person for a refresh token: given in a browser, or on another device (RFC 8628). */

export type IssuerClient = { issuer: Issuer; clientId: string; clientSecret: string }

type Outside = { client: Pick<SafeClient, 'ask'> }

export interface Grant {
  refreshToken: string
  /** The address of the account that gave consent, in lower case. */
  account: string
}

/** There is no consent. The message states why and can be shown to the person who requested it. */
export class ConsentRefused extends Error {
  override readonly name = 'ConsentRefused'
}

type Code = { tokenUrl: string; code: string; redirectUri: string; verifier: string }

export async function exchangeCode(by: IssuerClient, { tokenUrl, code, redirectUri, verifier }: Code, outside: Outside): Promise<Grant> {
  const form = formOf(by, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier })
  const { status, body } = await postForm(tokenUrl, form, outside)
  if (status !== 200) throw new ConsentRefused(`The issuer did not accept the code: ${wordError(body, status)}`)
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
  if (status !== 200) throw new ConsentRefused(`The issuer did not return a code: ${wordError(body, status)}`)
  const [deviceCode, userCode] = [textOf(body.device_code, 4096), textOf(body.user_code, 100)]
  const verificationUri = textOf(body.verification_uri ?? body.verification_url, 2048)
  if (!deviceCode || !userCode || !verificationUri || !/^https?:\/\//.test(verificationUri)) {
    throw new ConsentRefused('The answer of the issuer contains no code')
  }
  return {
    deviceCode,
    userCode,
    verificationUri,
    intervalSeconds: within(body.interval, 1, 60, 5),
    expiresInSeconds: within(body.expires_in, 1, LONGEST_DEVICE_S, LONGEST_DEVICE_S),
  }
}

/** Null: nobody has decided yet. `slower`: the issuer was asked too often. */
export async function pollDevice(
  by: IssuerClient,
  { tokenUrl, deviceCode }: { tokenUrl: string; deviceCode: string },
  outside: Outside,
): Promise<Grant | 'pending' | 'slower'> {
  const form = formOf(by, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode })
  const { status, body } = await postForm(tokenUrl, form, outside)
  if (status === 200) return grantOf(by, body)
  if (body.error === 'authorization_pending') return 'pending'
  if (body.error === 'slow_down') return 'slower'
  throw new ConsentRefused(wordRefusal(textOf(body.error, 100) ?? `status ${status}`, textOf(body.error_description, 500)))
}

/** The issuer's reason why there is no consent, in plain words where we have them. */
export function wordRefusal(code: string, description: string | null): string {
  const known: Record<string, string> = {
    access_denied: 'The consent was not given',
    authorization_declined: 'The consent was not given',
    expired_token: 'The code was not used in time',
    bad_verification_code: 'The code was not used in time',
    consent_required: 'An administrator has to allow this application first',
    invalid_scope: 'The issuer does not know the required permissions: check the permissions of the application',
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
    throw new ConsentRefused('The issuer returned no refresh token: remove the access in the account and give consent again')
  const account = accountIn(textOf(body.id_token, 20_000), clientId)
  if (!account) throw new ConsentRefused('The issuer did not return the account that gave consent')
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

const within = (value: unknown, least: number, most: number, fallback: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(most, Math.max(least, Math.ceil(value))) : fallback

const wordError = (body: Record<string, unknown>, status: number): string =>
  wordRefusal(textOf(body.error, 100) ?? `status ${status}`, textOf(body.error_description, 2000))
