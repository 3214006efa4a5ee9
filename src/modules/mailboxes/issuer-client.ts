import type { Config } from '../../context/config.ts'
import type { Context } from '../../context/context.ts'
import { AppError, wrongState } from '../../lib/errors.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import { endpointsOf, type IssuerClient, type IssuerEndpoints, MAIL_HOSTS, readDiscovery } from '../../mail/transport/oauth.ts'
import type { Issuer, ProviderSettings } from './schema.ts'

// The operator's own application at Google or Microsoft. Overture itself has none, because it could read the mail of every installation.

const NAMES: Readonly<Record<Issuer, string>> = { google: 'Google', microsoft: 'Microsoft' }
const DISCOVERY_MS = 5000

export function issuerClientOf(config: Config, issuer: Issuer): IssuerClient {
  const { clientId, clientSecret } =
    issuer === 'google'
      ? { clientId: config.googleClientId, clientSecret: config.googleClientSecret }
      : { clientId: config.microsoftClientId, clientSecret: config.microsoftClientSecret }
  if (clientId === '') {
    const setting = `OVERTURE_${issuer.toUpperCase()}_CLIENT_ID`
    throw wrongState(
      `This installation has no application at ${NAMES[issuer]}. Create one and set ${setting}: docs/guides/mailboxes.md shows how. Or use an app password.`,
      'not_set_up',
      'set_up',
    )
  }
  return { issuer, clientId, clientSecret }
}

const replacementOf = (config: Config, issuer: Issuer): string => (issuer === 'google' ? config.googleIssuerUrl : config.microsoftIssuerUrl)

/** Finds the endpoints of the issuer and does the work there. Not within a transaction, because it uses the network. */
export async function atIssuer<T>(
  { config, resolve }: Pick<Context, 'config' | 'resolve'>,
  issuer: Issuer,
  work: (endpoints: IssuerEndpoints, client: SafeClient) => Promise<T>,
): Promise<T> {
  const client = new SafeClient({ allowLocal: config.allowLocalTargets, resolve })
  try {
    return await work(await readEndpoints(config, client, issuer), client)
  } finally {
    await client.close()
  }
}

export const findEndpoints = (ctx: Pick<Context, 'config' | 'resolve'>, issuer: Issuer): Promise<IssuerEndpoints> =>
  atIssuer(ctx, issuer, async endpoints => endpoints)

async function readEndpoints(config: Config, client: SafeClient, issuer: Issuer): Promise<IssuerEndpoints> {
  const replacement = replacementOf(config, issuer)
  if (replacement === '') return endpointsOf(issuer, config.microsoftTenant)
  const url = `${replacement.replace(/\/$/, '')}/.well-known/openid-configuration`
  const found = await client.get(url, { headers: { accept: 'application/json' }, timeoutMs: DISCOVERY_MS }).catch(error => {
    if (!(error instanceof PostFailed)) throw error
    throw new AppError('service_unavailable', `The sign-in provider cannot be reached: ${error.reason.replaceAll('_', ' ')}. Try again.`)
  })
  const endpoints = found.status === 200 ? readDiscovery(found.body) : null
  if (!endpoints) throw new AppError('service_unavailable', 'The sign-in provider publishes no endpoints.')
  return endpoints
}

/** A token of an issuer opens the whole mailbox, so it is shown to the servers of that issuer only. */
export function requireOwnServers(config: Config, issuer: Issuer, settings: ProviderSettings): void {
  if (replacementOf(config, issuer) !== '') return
  for (const kind of ['smtp', 'imap'] as const) {
    const host = settings[kind]?.host.toLowerCase().replace(/\.$/, '')
    if (host === undefined || MAIL_HOSTS[issuer].includes(host)) continue
    const own = MAIL_HOSTS[issuer].join(' or ')
    throw wrongState(`${host} is not a mail server of ${NAMES[issuer]}. Set ${own} first.`, 'other_servers', `servers_of_${issuer}`)
  }
}
