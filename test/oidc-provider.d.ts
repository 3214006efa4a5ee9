/** As much of the library as the tests use; it comes without types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface StoredToken {
    destroy(): Promise<void>
    accountId: string
    scope: string
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
    on(event: string, listener: (ctx: { oidc: { entities: { RefreshToken?: StoredToken } } }) => void): void
    AccessToken: { find(token: string): Promise<StoredToken | undefined> }
  }
}
