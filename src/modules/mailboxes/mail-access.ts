import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context/context.ts'
import { domainOf } from '../../lib/email.ts'
import { AppError } from '../../lib/errors.ts'
import { allowedAddressesOf, SafeClient, TargetRefused } from '../../lib/safe-fetch.ts'
import type { MailAuth } from '../../mail/transport/dial.ts'
import type { ImapSettings } from '../../mail/transport/imap.ts'
import { type AccessToken, refreshAccessToken, TokenRefused } from '../../mail/transport/oauth.ts'
import type { SmtpSettings } from '../../mail/transport/smtp.ts'
import { issuerClientOf } from './issuer-client.ts'
import { openCredentials, sealCredentials } from './mailboxes.ts'
import { findCredentials, type ProviderRow, replaceCredentials } from './queries.ts'
import type { Issuer, MailServer, ServerKind } from './schema.ts'

/** The fields of a mailbox that are needed to sign in. */
type Reachable = Pick<ProviderRow, 'id' | 'settings' | 'credentials' | 'credentialsWithheld' | 'updatedAt'>

/** It is not possible to sign in to the mailbox. `permanent`: until its settings change. */
export class MailboxUnreachable extends Error {
  override readonly name = 'MailboxUnreachable'
  readonly stage: 'dns' | 'auth'
  readonly permanent: boolean

  constructor(stage: 'dns' | 'auth', message: string, permanent: boolean) {
    super(message)
    this.stage = stage
    this.permanent = permanent
  }
}

type AccessContext = Pick<Context, 'config' | 'secrets' | 'clock' | 'db' | 'resolve' | 'part'>

export async function smtpSettingsOf(ctx: AccessContext, mailbox: Reachable & Pick<ProviderRow, 'fromEmail'>): Promise<SmtpSettings> {
  const server = mailbox.settings.smtp
  if (!server) throw new MailboxUnreachable('dns', 'The mailbox has no SMTP server', true)
  return { ...(await locate(ctx, server)), auth: await authOf(ctx, mailbox, 'smtp'), helloName: helloNameOf(ctx, mailbox.fromEmail) }
}

/** Null when the mailbox has no inbox to read. */
export async function imapSettingsOf(ctx: AccessContext, mailbox: Reachable): Promise<ImapSettings | null> {
  const server = mailbox.settings.imap
  if (!server) return null
  const found = await locate(ctx, server)
  const auth = await authOf(ctx, mailbox, 'imap')
  return { ...found, auth, folders: server.folders }
}

/** Servers distrust clients that call themselves localhost, so we use the name of the service, or else the domain of the sender. */
function helloNameOf({ config }: AccessContext, fromEmail: string): string {
  const host = config.baseUrl === '' ? '' : new URL(config.baseUrl).hostname
  const isName = host.includes('.') && !host.startsWith('[') && !isIP(host) && !/\.(?:localhost|local)$/.test(host)
  return isName ? host : domainOf(fromEmail)
}

const rulesOf = ({ config, resolve }: AccessContext) => ({ allowLocal: config.allowLocalTargets, resolve })

/**
 * Checks every address of the host, and connects to a checked one. Without TLS from the first byte, STARTTLS is required. It is optional
 * only when the mailbox allows that, or when the server is on the same machine, where nothing passes through a network.
 */
export async function locate(ctx: AccessContext, { host, port, secure, allowPlaintext, tls }: MailServer) {
  const addresses = await allowedAddressesOf(host, rulesOf(ctx)).catch((error: Error & { code?: string }) => {
    if (error instanceof TargetRefused) throw new MailboxUnreachable('dns', `Overture must not connect to ${host}: ${error.message}`, true)
    const isUnknown = error.code === 'ENOTFOUND' || error.code === 'ENODATA'
    throw new MailboxUnreachable('dns', `The server name ${host} was not found`, isUnknown)
  })
  const mayGoWithout = allowPlaintext || addresses.every(isLoopback)
  const security = secure ? 'tls' : mayGoWithout ? 'opportunistic' : 'starttls'
  return { host, port, addresses, security, ca: tls?.ca, fingerprint256: tls?.fingerprint256 } as const
}

const isLoopback = (address: string): boolean => /^(?:127\.|::ffff:127\.)/.test(address) || address === '::1'

interface KeptToken {
  token: Promise<AccessToken & { user: string }>
  askedAt: Date
  updatedAt: number
  /** The endpoint has answered. */
  isThere: boolean
}

const keptTokens = (): Map<string, KeptToken> => new Map()

async function authOf(ctx: AccessContext, mailbox: Reachable, server: ServerKind): Promise<MailAuth> {
  if (mailbox.credentialsWithheld.includes(server)) {
    throw new MailboxUnreachable(
      'auth',
      'The server was changed, and the stored password is for the previous server: enter the password again',
      true,
    )
  }
  const credentials = mailbox.credentials && openCredentials(ctx.secrets, mailbox)
  if (!credentials) throw new MailboxUnreachable('auth', 'No password is stored for this mailbox: enter it', true)
  if (!credentials.oauth) return { user: credentials.username, password: credentials.password }
  const known = ctx.part(keptTokens).get(mailbox.id)
  // A token that another connection is requesting at this moment is as new as one of our own.
  const wasThere = known?.isThere === true
  const { user, accessToken } = await accessTokenOf(ctx, mailbox)
  const used = ctx.part(keptTokens).get(mailbox.id)
  const renew = (): boolean => {
    if (used && ctx.part(keptTokens).get(mailbox.id) === used) ctx.part(keptTokens).delete(mailbox.id)
    return wasThere && used === known
  }
  return { user, accessToken, renew }
}

/** The next sign-in requests a new access token. A cached token does not show whether the grant is still valid. */
export function forgetToken(ctx: Pick<Context, 'part'>, mailboxId: string): void {
  const kept = ctx.part(keptTokens)
  if (kept.get(mailboxId)?.isThere) kept.delete(mailboxId)
}

/** Connections that need a token at the same time share one renewal: a second renewal could find the grant already replaced. */
async function accessTokenOf(ctx: AccessContext, mailbox: Reachable): Promise<AccessToken & { user: string }> {
  const kept = ctx.part(keptTokens)
  const updatedAt = mailbox.updatedAt.getTime()
  const known = kept.get(mailbox.id)
  if (known?.updatedAt === updatedAt) {
    const token = await known.token
    // A token with a creation time in the future was created before the clock was set back, so its expiry is unknown.
    if (token.expiresAt > ctx.clock.now() && known.askedAt <= ctx.clock.now()) return token
    // The first caller has started to renew it in the meantime.
    if (kept.get(mailbox.id) !== known) return accessTokenOf(ctx, mailbox)
  }
  const renewed: KeptToken = { token: renewToken(ctx, mailbox), askedAt: ctx.clock.now(), updatedAt, isThere: false }
  kept.set(mailbox.id, renewed)
  renewed.token.then(
    () => {
      renewed.isThere = true
    },
    () => {
      if (kept.get(mailbox.id) === renewed) kept.delete(mailbox.id)
    },
  )
  return renewed.token
}

/** Uses the current secret of our own application, because it is replaced from time to time. */
function clientOf<T extends { issuer?: Issuer; clientId: string }>({ config }: AccessContext, oauth: T): T {
  if (!oauth.issuer) return oauth
  try {
    const { clientId, clientSecret } = issuerClientOf(config, oauth.issuer)
    return { ...oauth, clientId, clientSecret }
  } catch (error) {
    throw error instanceof AppError ? new MailboxUnreachable('auth', error.message, true) : error
  }
}

/** Each lost round means that another process has stored a new grant, so there are few. */
const MOST_ROUNDS = 5
/** By this time, another process that exchanged our grant for a new one has stored it. */
const STORED_AFTER_MS = 1000

async function renewToken(ctx: AccessContext, mailbox: Reachable): Promise<AccessToken & { user: string }> {
  for (let round = 1; ; round++) {
    // Reads the stored grant instead of the caller's, because it may have been replaced since.
    const stored = await findCredentials(ctx.db, mailbox.id)
    const credentials = stored && openCredentials(ctx.secrets, { id: mailbox.id, credentials: stored })
    if (!stored || !credentials?.oauth) throw new MailboxUnreachable('auth', 'The mailbox no longer signs in with tokens', true)
    const client = new SafeClient(rulesOf(ctx))
    try {
      const token = await refreshAccessToken(clientOf(ctx, credentials.oauth), { now: ctx.clock.now(), client })
      if (token.refreshToken && token.refreshToken !== credentials.oauth.refreshToken) {
        const renewed = { ...credentials, oauth: { ...credentials.oauth, refreshToken: token.refreshToken } }
        await replaceCredentials(ctx.db, mailbox.id, stored, sealCredentials(ctx.secrets, mailbox.id, renewed))
      }
      return { ...token, user: credentials.username }
    } catch (error) {
      if (!(error instanceof TokenRefused)) throw error
      if (error.permanent) await pause(STORED_AFTER_MS)
      const isOvertaken = error.permanent && !(await findCredentials(ctx.db, mailbox.id))?.equals(stored)
      if (!isOvertaken || round >= MOST_ROUNDS) throw new MailboxUnreachable('auth', error.message, error.permanent)
    } finally {
      await client.close()
    }
  }
}
