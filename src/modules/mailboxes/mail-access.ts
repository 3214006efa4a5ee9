import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context/context.ts'
import { domainOf } from '../../lib/email.ts'
import { AppError } from '../../lib/errors.ts'
import { allowedAddressesOf, SafeClient, TargetRefused } from '../../lib/safe-fetch.ts'
import type { ImapSettings } from '../../mail/transport/imap.ts'
import type { MailAuth } from '../../mail/transport/mail-auth.ts'
import { type AccessToken, refreshAccessToken, TokenRefused } from '../../mail/transport/oauth.ts'
import type { SmtpSettings } from '../../mail/transport/smtp.ts'
import type { Issuer } from './consent-schema.ts'
import { issuerClientOf } from './issuer-client.ts'
import { openCredentials, sealCredentials } from './mailboxes.ts'
import { findCredentials, replaceCredentials } from './queries.ts'

/** As much of a mailbox as is needed to sign in to it. */
interface Reachable {
  id: string
  workspaceId: string
  settings: Record<string, unknown>
  credentials: Buffer | null
  /** The servers that the credentials must not be shown to; none without it. */
  credentialsWithheld?: ('smtp' | 'imap')[]
  updatedAt: Date
}

/** The mailbox cannot be signed in to. `permanent`: not until somebody changes it. */
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

interface Server {
  host: string
  port: number
  secure: boolean
  allowPlaintext?: boolean
  tls?: { ca?: string; fingerprint256?: string }
}

type AccessContext = Pick<Context, 'config' | 'secrets' | 'clock' | 'db' | 'resolve' | 'part'>

export async function smtpSettingsOf(ctx: AccessContext, mailbox: Reachable & { fromEmail?: string }): Promise<SmtpSettings> {
  const server = mailbox.settings.smtp as Server | undefined
  if (!server) throw new MailboxUnreachable('dns', 'The mailbox has no SMTP server', true)
  return { ...(await locate(ctx, server)), auth: await authOf(ctx, mailbox, 'smtp'), helloName: helloNameOf(ctx, mailbox.fromEmail) }
}

/** Null when the mailbox has no inbox to read. */
export async function imapSettingsOf(ctx: AccessContext, mailbox: Reachable): Promise<ImapSettings | null> {
  const server = mailbox.settings.imap as (Server & { folders?: string[] }) | null | undefined
  if (!server) return null
  const found = await locate(ctx, server)
  const auth = await authOf(ctx, mailbox, 'imap')
  return { ...found, auth, folders: server.folders }
}

/** Servers distrust those who call themselves localhost: the name that the service is known by, or that of the sender's domain. */
function helloNameOf({ config }: AccessContext, fromEmail: string | undefined): string | undefined {
  const host = config.baseUrl === '' ? '' : new URL(config.baseUrl).hostname
  const isName = host.includes('.') && !host.startsWith('[') && !isIP(host) && !/\.(?:localhost|local)$/.test(host)
  return isName ? host : fromEmail && domainOf(fromEmail)
}

const rulesOf = ({ config, resolve }: AccessContext) => ({ allowLocal: config.allowLocalTargets, ...(resolve ? { resolve } : {}) })

/**
 * Every address of the host is judged, and the connection goes to one that was. Without TLS from the first byte STARTTLS
 * is required. It is only used where offered when the mailbox says so, or when the server is on this very machine: what
 * is said to it travels over no network.
 */
export async function locate(ctx: AccessContext, { host, port, secure, allowPlaintext, tls }: Server) {
  const addresses = await allowedAddressesOf(host, rulesOf(ctx)).catch((error: Error & { code?: string }) => {
    if (error instanceof TargetRefused) throw new MailboxUnreachable('dns', `${host} must not be connected to: ${error.message}`, true)
    const isUnknown = error.code === 'ENOTFOUND' || error.code === 'ENODATA'
    throw new MailboxUnreachable('dns', `The name ${host} cannot be resolved`, isUnknown)
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

async function authOf(ctx: AccessContext, mailbox: Reachable, server: 'smtp' | 'imap'): Promise<MailAuth> {
  if (mailbox.credentialsWithheld?.includes(server)) {
    throw new MailboxUnreachable(
      'auth',
      'The server was changed, and the stored password belongs to the previous server: give the credentials again',
      true,
    )
  }
  const credentials = mailbox.credentials && openCredentials(ctx.secrets, mailbox)
  if (!credentials) throw new MailboxUnreachable('auth', 'The mailbox has no credentials: send them', true)
  if (!credentials.oauth) return { user: credentials.username, password: credentials.password }
  const known = ctx.part(keptTokens).get(mailbox.id)
  // One that somebody else is asking for at this moment is as new as one of our own.
  const wasThere = known?.isThere === true
  const { user, accessToken } = await accessTokenOf(ctx, mailbox)
  const used = ctx.part(keptTokens).get(mailbox.id)
  const renew = (): boolean => {
    if (used && ctx.part(keptTokens).get(mailbox.id) === used) ctx.part(keptTokens).delete(mailbox.id)
    return wasThere && used === known
  }
  return { user, accessToken, renew }
}

/** The next sign-in asks for a new access token. One that was kept says nothing about whether the grant is still good. */
export function forgetToken(ctx: Pick<Context, 'part'>, mailboxId: string): void {
  const kept = ctx.part(keptTokens)
  if (kept.get(mailboxId)?.isThere) kept.delete(mailboxId)
}

/** Several connections that need a token at once share one renewal: a second one might find its grant used up by the first. */
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

/** The secret of our own application is that of today: it is replaced from time to time. */
function clientOf<T extends { issuer?: Issuer; clientId: string }>({ config }: AccessContext, oauth: T): T {
  if (!oauth.issuer) return oauth
  try {
    const { clientId, clientSecret } = issuerClientOf(config, oauth.issuer)
    return { ...oauth, clientId, clientSecret }
  } catch (error) {
    throw error instanceof AppError ? new MailboxUnreachable('auth', error.message, true) : error
  }
}

/** Each round that is lost means that somebody else has stored a new grant, so there are never many. */
const MOST_ROUNDS = 5
/** Another process that was given a new grant in exchange for ours has stored it by then. */
const STORED_AFTER_MS = 1000

async function renewToken(ctx: AccessContext, mailbox: Reachable): Promise<AccessToken & { user: string }> {
  for (let round = 1; ; round++) {
    // Not what the caller holds: the grant may have been replaced since, here or in another process.
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
