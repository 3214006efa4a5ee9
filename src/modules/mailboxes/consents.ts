import { hash } from 'node:crypto'
import type { Context, HasLink, HasSecrets } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { type Caller, hasScope, scopesWithin } from '../../http/access.ts'
import { domainOf } from '../../lib/email.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { storableText } from '../../lib/storable-text.ts'
import { hashToken, newSecret } from '../../lib/tokens.ts'
import { type Hoster, hosterOfDomain, hosterOfMailServer } from '../../mail/transport/hosters.ts'
import { type DeviceCode, exchangeCode, type Grant, MAIL_HOSTS, pollDevice } from '../../mail/transport/oauth.ts'
import { recordWithoutKey } from '../../operations/writes.ts'
import { findCallerById } from '../tokens/queries.ts'
import { findWorkingSessions } from '../tokens/session-queries.ts'
import { type ConsentRow, concludeConsent, insertConsent } from './consent-queries.ts'
import { atIssuer, issuerClientOf, requireOwnServers } from './issuer-client.ts'
import { checkMailboxLimit, createProvider, grantConsent, presentProvider } from './mailboxes.ts'
import { lockProvider, type ProviderRow } from './queries.ts'
import type { Issuer, NewConsent } from './schema.ts'

// From the request for consent to a mailbox that signs in with it.

/** The time in which a person reads, signs in and decides. */
const LIFETIME_S = 10 * 60

export const redirectUriOf = (ctx: HasLink): string => ctx.link('/oauth/callback')

export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url')

const placeOf = (id: string): string => `consents/${id}/secret`
const openSecret = ({ secrets }: HasSecrets, { id, secret }: ConsentRow): string => secrets.open('consent', secret, placeOf(id))

interface Beginning {
  workspaceId: string
  caller: Caller
  wish: NewConsent
  /** The code that is typed in on another device; null when a browser is used. */
  device: DeviceCode | null
}

/** Only hashes of the transmitted values are stored, and the verifier, which is sent last, is encrypted. */
export async function beginConsent(tx: Tx, ctx: HasSecrets, { workspaceId, caller, wish, device }: Beginning) {
  const [id, state, verifier] = [newId(), newSecret(), newSecret()]
  // For the cookie of the browser that began; null where a program did.
  const browserSecret = caller.sessionId !== null && device === null ? newSecret() : null
  const consent = await insertConsent(tx, {
    id,
    workspaceId,
    providerId: wish.providerId ?? null,
    tokenId: caller.tokenId,
    sessionId: caller.sessionId,
    issuer: wish.issuer,
    flow: device ? 'device' : 'browser',
    stateHash: device ? null : hashToken(state),
    browserHash: browserSecret === null ? null : hashToken(browserSecret),
    secret: ctx.secrets.seal('consent', device ? device.deviceCode : verifier, placeOf(id)),
    intervalSeconds: device?.intervalSeconds ?? 5,
    lifetimeSeconds: Math.min(LIFETIME_S, device?.expiresInSeconds ?? LIFETIME_S),
  })
  await recordWithoutKey(tx, { workspaceId, action: 'provider.begin_consent', tokenId: caller.tokenId }, { id })
  return { consent, state, verifier, browserSecret }
}

export interface Granted extends Grant {
  tokenUrl: string
}

export const exchange = (ctx: Context, consent: ConsentRow, code: string): Promise<Granted> =>
  atIssuer(ctx, consent.issuer, async ({ tokenUrl }, client) => {
    const verifier = openSecret(ctx, consent)
    const by = issuerClientOf(ctx.config, consent.issuer)
    const grant = await exchangeCode(by, { tokenUrl, code, redirectUri: redirectUriOf(ctx), verifier }, { client })
    return { ...grant, tokenUrl }
  })

/** Asks for the outcome of a code that is typed in on another device. */
export const poll = (ctx: Context, consent: ConsentRow): Promise<Granted | 'pending' | 'slower'> =>
  atIssuer(ctx, consent.issuer, async ({ tokenUrl }, client) => {
    const deviceCode = openSecret(ctx, consent)
    const answer = await pollDevice(issuerClientOf(ctx.config, consent.issuer), { tokenUrl, deviceCode }, { client })
    return typeof answer === 'string' ? answer : { ...answer, tokenUrl }
  })

export async function refuseConsent(tx: Tx, { id }: Pick<ConsentRow, 'id'>, reason: string): Promise<void> {
  await concludeConsent(tx, id, { status: 'refused', reason: storableText(reason, 1000), account: null, providerId: null })
}

/** The caller who started must still have permission: in the minutes since, a token may have been revoked, or a person have got another role. */
async function mayStill(tx: Tx, { tokenId, sessionId, workspaceId }: ConsentRow): Promise<boolean> {
  const caller = await findCallerById(tx, tokenId, workspaceId)
  if (!caller?.reachesWorkspace || caller.limits?.sandboxOnly) return false
  if (!hasScope({ scopes: scopesWithin(caller.scopes, caller.role) }, 'providers:write')) return false
  return sessionId === null || (await findWorkingSessions(tx, [sessionId])).has(sessionId)
}

/** Stores the grant with the mailbox. Null when it can no longer be used: the caller may have lost the permission since. */
export async function storeGrant(tx: Tx, ctx: Context, consent: ConsentRow, grant: Granted): Promise<ProviderRow | null> {
  if (!(await mayStill(tx, consent))) {
    await refuseConsent(tx, consent, 'The person who requested the consent no longer has permission')
    return null
  }
  const found =
    consent.providerId === null
      ? await makeMailbox(tx, ctx, consent, grant)
      : await lockProvider(tx, consent.workspaceId, consent.providerId)
  if (!found) return null
  requireOwnServers(ctx.config, consent.issuer, found.settings)
  const concluded = await concludeConsent(tx, consent.id, { status: 'granted', reason: null, account: grant.account, providerId: found.id })
  if (!concluded) return null
  const { clientId } = issuerClientOf(ctx.config, consent.issuer)
  const provider = await grantConsent(tx, ctx.secrets, found, { issuer: consent.issuer, clientId, ...grant }, ctx.clock.now())
  const { workspaceId, tokenId } = consent
  await recordWithoutKey(tx, { workspaceId, action: 'provider.consent', tokenId }, { provider: presentProvider(provider, ctx) })
  return provider
}

/** A mailbox for the address that consents, with the servers and the limits that its hoster is known for. */
async function makeMailbox(tx: Tx, ctx: Context, consent: ConsentRow, { account }: Grant): Promise<ProviderRow> {
  await checkMailboxLimit(tx, consent.workspaceId, ctx.config.maxMailboxes)
  const { smtp, imap, limits } = hosterOfAccount(consent.issuer, account)
  const { dailyCap, minGapSeconds, ramp } = limits
  const settings = { smtp, imap }
  const mailbox = { kind: 'smtp', name: account, fromEmail: account, settings, dailyCap, minGapSeconds, ramp } as const
  return createProvider(tx, ctx.secrets, consent.workspaceId, mailbox, ctx.clock.now())
}

/** An account may have the address of another hoster as its name, so only those of the issuer count. */
function hosterOfAccount(issuer: Issuer, account: string): Hoster {
  const personal = hosterOfDomain(domainOf(account))
  if (personal && MAIL_HOSTS[issuer].includes(personal.smtp.host)) return personal
  return hosterOfMailServer(issuer === 'google' ? 'google.com' : 'mail.protection.outlook.com')!
}

export function presentConsent(ctx: HasLink, consent: ConsentRow & { isOver?: boolean }) {
  return {
    ...pick(consent, 'id', 'workspaceId', 'providerId', 'issuer', 'flow', 'reason', 'account', 'createdAt', 'expiresAt'),
    status: consent.status === 'open' && consent.isOver ? ('expired' as const) : consent.status,
    authorizationUrl: null as string | null,
    device: null as { userCode: string; verificationUri: string; intervalSeconds: number } | null,
    links: { self: ctx.link(`/v1/workspaces/${consent.workspaceId}/oauth/authorizations/${consent.id}`) },
  }
}
