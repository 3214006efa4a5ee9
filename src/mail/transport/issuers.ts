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
export const MAIL_SCOPES: Readonly<Record<Issuer, readonly string[]>> = {
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
  const url = (name: string): string | null => (typeof found[name] === 'string' && URL.canParse(found[name]) ? found[name] : null)
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

export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
