import type { Client, Reply } from './harness.ts'

/** A page of the console: it has no token, only the cookie of its session. */
export class Browser {
  readonly #client: Client
  readonly cookie: string
  readonly id: string
  /** The second secret, which the page keeps. */
  readonly key: string

  constructor(client: Client, signedIn: Reply) {
    this.#client = client
    this.cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
    this.id = signedIn.body.data.session.id
    this.key = signedIn.body.data.sessionKey
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const own = { cookie: this.cookie, origin: this.#client.baseUrl, 'x-overture-console': this.key }
    return this.#client.send(method, path, body, { token: null, headers: { ...own, ...headers } })
  }

  get = (path: string, headers?: Record<string, string>) => this.send('GET', path, undefined, headers)
}

/** Signs in with the token of this client. */
export async function signIn(client: Client, headers: Record<string, string> = {}): Promise<Browser> {
  const reply = await client.post('/v1/sessions', {}, { headers })
  if (reply.status !== 201) throw new Error(`signing in answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return new Browser(client, reply)
}
