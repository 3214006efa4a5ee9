import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Provider } from 'oidc-provider'
import { SMTPServer } from 'smtp-server'

export const CLIENT = { id: 'overture', secret: randomUUID() }
const SCOPES = ['https://mail.google.com/', 'https://outlook.office.com/SMTP.Send', 'https://outlook.office.com/IMAP.AccessAsUser.All']

/** A real OpenID issuer on loopback that signs in every user, and knows one application: ours. */
export async function startIssuer(redirectUri: string) {
  let answer: RequestListener = () => {}
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      },
    ],
    scopes: ['openid', 'offline_access', ...SCOPES],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, email: id, email_verified: true }) }),
    issueRefreshToken: () => true,
    rotateRefreshToken: false,
    pkce: { required: () => true },
    features: { deviceFlow: { enabled: true }, devInteractions: { enabled: true } },
    cookies: { keys: ['test'] },
  })
  answer = provider.callback()
  const given: { destroy(): Promise<void> }[] = []
  provider.on('grant.success', ({ oidc }) => {
    if (oidc.entities.RefreshToken) given.push(oidc.entities.RefreshToken)
  })
  return {
    url,
    provider,
    /** Every owner of a mailbox takes the consent back. */
    withdraw: async () => void (await Promise.all(given.map(token => token.destroy()))),
  }
}

/** A mail server that accepts clients with an access token of the issuer, and no others. */
export async function startMailServer(provider: Provider) {
  const users: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['XOAUTH2'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, accessToken }, _session, done) {
      void provider.AccessToken.find(String(accessToken)).then(token => {
        if (!token?.scope.includes('mail') && !token?.scope.includes('SMTP.Send')) {
          return done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } } as never)
        }
        users.push(String(username))
        done(null, { user: String(username) })
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return { smtp: { host: '127.0.0.1', port: (server.server.address() as AddressInfo).port, secure: false }, users }
}

/** A person with a browser: follows redirects, keeps cookies, fills in the forms of the issuer. */
export class Person {
  readonly address: string
  readonly #cookies = new Map<string, string>()

  constructor(address: string) {
    this.address = address
  }

  /** Cookies that an application has set, as a browser would keep them. */
  take(origin: string, setCookie: string): void {
    const [pair] = setCookie.split(';')
    const at = pair!.indexOf('=')
    this.#cookies.set(`${origin} ${pair!.slice(0, at)}`, pair!.slice(at + 1))
  }

  /** Goes on until the issuer has led to an address that begins like this, which is not opened; or to a page without a form. */
  async consent(start: string, end: string, filled: Record<string, string> = {}): Promise<string> {
    return this.#walk(start, end, { login: this.address, password: 'any', ...filled })
  }

  /** Signs in and then declines. */
  async decline(start: string, end: string): Promise<string> {
    return this.#walk(start, end, null)
  }

  async open(url: string, method = 'GET'): Promise<string> {
    return (await this.#fetch(url, { method })).text()
  }

  async #walk(start: string, end: string, fields: Record<string, string> | null): Promise<string> {
    let [url, init]: [string, RequestInit] = [start, {}]
    for (let step = 0; step < 30; step++) {
      if (url.startsWith(end)) return url
      const response = await this.#fetch(url, init)
      const location = response.headers.get('location')
      if (location) {
        ;[url, init] = [new URL(location, url).href, {}]
        continue
      }
      const html = await response.text()
      const form = /<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/.exec(html)
      if (!form) return html
      const abort = /href="([^"]*\/abort)"/.exec(html)?.[1]
      if (fields === null && abort) [url, init] = [new URL(abort, url).href, {}]
      else [url, init] = [new URL(form[1]!, url).href, { method: 'POST', body: bodyOf(form[2]!, fields ?? {}) }]
    }
    throw new Error(`the issuer does not come to an end at ${url}`)
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const { origin } = new URL(url)
    const own = [...this.#cookies].filter(([key]) => key.startsWith(`${origin} `))
    const cookie = own.map(([key, value]) => `${key.slice(origin.length + 1)}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const setCookie of response.headers.getSetCookie()) this.take(origin, setCookie)
    return response
  }
}

function bodyOf(form: string, fields: Record<string, string>): URLSearchParams {
  const body = new URLSearchParams()
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const [name, value] = [/name="([^"]*)"/.exec(input)?.[1], /value="([^"]*)"/.exec(input)?.[1]]
    if (name) body.set(name, fields[name] ?? value ?? '')
  }
  return body
}
