import { type Dispatcher, request } from 'undici'

/** Renewing the access token of a mailbox that signs in with OAuth 2.0. */

export interface OAuthClient {
  tokenUrl: string
  clientId: string
  clientSecret?: string | undefined
  refreshToken: string
  scope?: string | undefined
}

export interface AccessToken {
  accessToken: string
  expiresAt: Date
  /** Some providers hand out a new refresh token each time and forget the old one: store it. */
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

export interface RefreshOptions {
  now: Date
  timeoutMs?: number
  dispatcher?: Dispatcher
}

const MAX_ANSWER_BYTES = 64 * 1024
/** A token is treated as expired this long before it is, so that it outlives the connection it opens. */
const EXPIRY_MARGIN_S = 60

export async function refreshAccessToken(client: OAuthClient, options: RefreshOptions): Promise<AccessToken> {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: client.refreshToken,
    client_id: client.clientId,
  })
  if (client.clientSecret) form.set('client_secret', client.clientSecret)
  if (client.scope) form.set('scope', client.scope)
  const { status, body } = await post(client.tokenUrl, form.toString(), options)
  if (status !== 200) {
    const code = typeof body.error === 'string' ? body.error : `status ${status}`
    // RFC 6749 5.2: these name the credentials themselves; anything else may pass.
    const permanent = ['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_scope'].includes(code)
    throw new TokenRefused(`The token was not renewed: ${code}`, permanent)
  }
  if (typeof body.access_token !== 'string' || body.access_token === '') {
    throw new TokenRefused('The answer holds no access token', false)
  }
  const lifetime = typeof body.expires_in === 'number' && body.expires_in > 0 ? body.expires_in : 3600
  return {
    accessToken: body.access_token,
    expiresAt: new Date(options.now.getTime() + Math.max(0, lifetime - EXPIRY_MARGIN_S) * 1000),
    refreshToken: typeof body.refresh_token === 'string' ? body.refresh_token : null,
  }
}

async function post(
  url: string,
  form: string,
  { timeoutMs = 15_000, dispatcher }: RefreshOptions,
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form,
      signal: AbortSignal.timeout(timeoutMs),
      ...(dispatcher ? { dispatcher } : {}),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body) {
      size += (chunk as Buffer).length
      if (size > MAX_ANSWER_BYTES) throw new TokenRefused('The answer is too long', false)
      chunks.push(chunk as Buffer)
    }
    return { status: answer.statusCode, body: parseObject(Buffer.concat(chunks).toString('utf8')) }
  } catch (error) {
    if (error instanceof TokenRefused) throw error
    throw new TokenRefused(`The token endpoint cannot be reached: ${(error as Error).message}`, false)
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
