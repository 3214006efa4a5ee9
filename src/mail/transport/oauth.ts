import { PostFailed, type SafeClient, TargetRefused } from '../../lib/safe-fetch.ts'
import { parseObject } from './issuers.ts'

/** Renewing the access token of a mailbox that signs in with OAuth 2.0. */

interface OAuthClient {
  tokenUrl: string
  clientId: string
  clientSecret?: string | undefined
  refreshToken: string
  scope?: string | undefined
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

interface RefreshOptions {
  now: Date
  /** The user chose the address, so it is checked like that of a webhook. */
  client: Pick<SafeClient, 'ask'>
  timeoutMs?: number
}

/** A token counts as expired this long before it expires, so that it is valid for the whole connection. */
const EXPIRY_MARGIN_S = 60

/** Only a new consent of the person helps. */
export const CONSENT_WITHDRAWN = 'consent was withdrawn'

export async function refreshAccessToken(grant: OAuthClient, options: RefreshOptions): Promise<AccessToken> {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: grant.refreshToken,
    client_id: grant.clientId,
  })
  if (grant.clientSecret) form.set('client_secret', grant.clientSecret)
  if (grant.scope) form.set('scope', grant.scope)
  const { status, body } = await postForm(grant.tokenUrl, form.toString(), options)
  if (status !== 200) {
    const code = typeof body.error === 'string' ? body.error : `status ${status}`
    // RFC 6749 5.2: these name the credentials themselves; anything else may pass.
    const permanent = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope'].includes(code)
    // RFC 6749 5.2: revoked, expired, or replaced. The person can give consent again.
    const what = code === 'invalid_grant' ? `The token was not renewed: ${CONSENT_WITHDRAWN}` : 'The token was not renewed'
    throw new TokenRefused(`${what} (${code})`, permanent)
  }
  if (typeof body.access_token !== 'string' || body.access_token === '') {
    throw new TokenRefused('The answer contains no access token', false)
  }
  const lifetime = typeof body.expires_in === 'number' && body.expires_in > 0 ? body.expires_in : 3600
  return {
    accessToken: body.access_token,
    expiresAt: new Date(options.now.getTime() + Math.max(0, lifetime - EXPIRY_MARGIN_S) * 1000),
    refreshToken: typeof body.refresh_token === 'string' ? body.refresh_token : null,
  }
}

/** Throws `TokenRefused` when there is no answer. */
export async function postForm(
  url: string,
  form: string,
  { client, timeoutMs = 15_000 }: Pick<RefreshOptions, 'client' | 'timeoutMs'>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  try {
    const answer = await client.ask(url, { headers, body: form, timeoutMs })
    return { status: answer.status, body: parseObject(answer.body) }
  } catch (error) {
    if (!(error instanceof PostFailed)) throw error
    if (error.cause instanceof TargetRefused) throw new TokenRefused(`The token endpoint must not be called: ${error.cause.message}`, true)
    throw new TokenRefused(`The token endpoint cannot be reached: ${error.reason}`, false)
  }
}
