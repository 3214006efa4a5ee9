import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Context } from '../../context.ts'
import { checkTarget, isAllowedAddress, TargetRefused } from '../../lib/safe-fetch.ts'
import type { ImapSettings } from '../../mail/imap.ts'
import type { MailAuth } from '../../mail/mail-auth.ts'
import { refreshAccessToken, TokenRefused } from '../../mail/oauth.ts'
import type { SmtpSettings } from '../../mail/smtp.ts'
import { openCredentials, sealCredentials } from './providers.ts'
import { updateCredentials } from './queries.ts'

/** As much of a mailbox as is needed to sign in to it. */
export interface Reachable {
  id: string
  workspaceId: string
  settings: Record<string, unknown>
  credentials: Buffer | null
  updatedAt: Date
}

/** The mailbox cannot be signed in to. `permanent`: not until somebody changes it. */
export class MailboxUnreachable extends Error {
  override readonly name = 'MailboxUnreachable'
  readonly permanent: boolean

  constructor(message: string, permanent: boolean) {
    super(message)
    this.permanent = permanent
  }
}

interface Server {
  host: string
  port: number
  secure: boolean
}

type AccessContext = Pick<Context, 'config' | 'secrets' | 'clock' | 'db'>

export async function smtpSettingsOf(ctx: AccessContext, mailbox: Reachable): Promise<SmtpSettings> {
  const server = mailbox.settings.smtp as Server | undefined
  if (!server) throw new MailboxUnreachable('The mailbox has no SMTP server', true)
  return { host: server.host, port: server.port, security: await securityOf(ctx, server), auth: await authOf(ctx, mailbox) }
}

/** Null when the mailbox has no inbox to read. */
export async function imapSettingsOf(ctx: AccessContext, mailbox: Reachable): Promise<ImapSettings | null> {
  const server = mailbox.settings.imap as Server | null | undefined
  if (!server) return null
  const auth = await authOf(ctx, mailbox)
  if (!auth) throw new MailboxUnreachable('The mailbox has no credentials', true)
  return { host: server.host, port: server.port, security: await securityOf(ctx, server), auth }
}

/**
 * Every address of the host is judged before a connection is made. Without TLS from the first byte STARTTLS is required;
 * only a server on our own machine or network, where those are allowed at all, may go without.
 */
async function securityOf(ctx: AccessContext, server: Server): Promise<'tls' | 'starttls' | 'none'> {
  const addresses = isIP(server.host) ? [server.host] : await resolve(server.host)
  const { allowLocalTargets } = ctx.config
  if (!addresses.every(address => isAllowedAddress(address, allowLocalTargets))) {
    throw new MailboxUnreachable(`The address of ${server.host} is not a public one`, true)
  }
  if (server.secure) return 'tls'
  return addresses.every(address => !isAllowedAddress(address, false)) ? 'none' : 'starttls'
}

async function resolve(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(entry => entry.address)
  } catch (error) {
    throw new MailboxUnreachable(`The name ${host} cannot be resolved`, (error as { code?: string }).code === 'ENOTFOUND')
  }
}

const accessTokens = new WeakMap<Context['db'], Map<string, { accessToken: string; expiresAt: Date; updatedAt: number }>>()

async function authOf(ctx: AccessContext, mailbox: Reachable): Promise<MailAuth | null> {
  const credentials = mailbox.credentials && openCredentials(ctx.secrets, mailbox)
  if (!credentials) return null
  const user = credentials.username
  if (!credentials.oauth) return { user, password: credentials.password }
  const known = accessTokens.get(ctx.db) ?? new Map()
  accessTokens.set(ctx.db, known)
  const now = ctx.clock.now()
  const kept = known.get(mailbox.id)
  if (kept && kept.expiresAt > now && kept.updatedAt === mailbox.updatedAt.getTime()) return { user, accessToken: kept.accessToken }
  try {
    await checkTarget(credentials.oauth.tokenUrl, { allowLocal: ctx.config.allowLocalTargets })
    const token = await refreshAccessToken(credentials.oauth, { now })
    known.set(mailbox.id, { ...token, updatedAt: mailbox.updatedAt.getTime() })
    if (token.refreshToken && token.refreshToken !== credentials.oauth.refreshToken) {
      const renewed = { ...credentials, oauth: { ...credentials.oauth, refreshToken: token.refreshToken } }
      await ctx.db.inTransaction(tx => updateCredentials(tx, mailbox.id, mailbox.credentials!, sealCredentials(ctx.secrets, renewed)))
    }
    return { user, accessToken: token.accessToken }
  } catch (error) {
    if (error instanceof TargetRefused) throw new MailboxUnreachable(`The token endpoint: ${error.message}`, true)
    if (error instanceof TokenRefused) throw new MailboxUnreachable(error.message, error.permanent)
    throw error
  }
}
