import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { domainOf } from '../../lib/email.ts'
import { type AppError, wrongState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import { storableData } from '../../lib/storable-text.ts'
import { within } from '../../lib/time.ts'
import { messageIdFor, writeMessage } from '../../mail/compose/mime.ts'
import { type Proposal, proposeSettings } from '../../mail/transport/discover.ts'
import { findInSent, type ImapSettings } from '../../mail/transport/imap.ts'
import {
  reachServer,
  type StageResult,
  UNKNOWN_NAME_CURE,
  type VerifyProgress,
  verifyMailbox,
} from '../../mail/transport/verify-mailbox.ts'
import { countRecentRequests, tooOften } from '../workspaces/workspaces.ts'
import { forgetToken, imapSettingsOf, locate, MailboxUnreachable, smtpSettingsOf } from './mail-access.ts'
import { presentProvider } from './mailboxes.ts'
import type { ProviderRow } from './queries.ts'

export interface Verification {
  ok: boolean
  stages: StageResult[]
  /** The test message was found in the Sent folder: this mailbox keeps copies. */
  savesSent: boolean
}

/**
 * A person waits for the response, and gets it within 20 seconds: the stages together take at most this long, and then the port that failed
 * or the Sent folder is checked. After a wrong password, servers delay the next sign-in by 8 seconds or more.
 */
const DEADLINE_MS = 15_000
const IMPATIENT = { connectMs: 6000, greetingMs: 11_000, silenceMs: DEADLINE_MS, sendMs: DEADLINE_MS }
const HURRIED = { connectMs: 1000, silenceMs: 1500 }
const FIND_MS = 2500

interface TryOptions {
  testMessage: boolean
  onProgress?: (progress: VerifyProgress) => void
}

/** Each verification signs in, sends a message, and occupies a worker until the servers have answered. */
const MOST_PER_HOUR = 120

export async function requireRoomForVerification(tx: Tx, workspaceId: string): Promise<void> {
  const { hour } = await countRecentRequests(tx, workspaceId, 'provider.verify')
  if (hour > MOST_PER_HOUR) throw tooOften(`A workspace can start ${MOST_PER_HOUR} verifications per hour.`)
}

/** Tries a mailbox for real. Nothing here may be called within a transaction. */
export async function tryMailbox(ctx: Context, provider: ProviderRow, options: TryOptions): Promise<Verification> {
  const onProgress = (progress: VerifyProgress): void => options.onProgress?.(storableData(progress))
  if (provider.kind === 'sandbox') return { ok: true, stages: [stage('auth', true, 'The sandbox is always available')], savesSent: false }
  const startedMs = performance.now()
  try {
    onProgress({ stages: [], running: ['dns'] })
    forgetToken(ctx, provider.id)
    const [server, found] = await settingsOf(ctx, provider)
    const smtp = { ...server, timeouts: IMPATIENT }
    const imap = found && { ...found, timeouts: IMPATIENT }
    const test = options.testMessage ? testMessageOf(ctx, provider) : null
    const stages = await verifyMailbox({ smtp, imap, testMessage: test, onProgress }, DEADLINE_MS - (performance.now() - startedMs))
    const ok = stages.every(result => result.ok)
    const savesSent = ok && imap !== null && test !== null && (await hasCopy(imap, test.messageId))
    // The stages quote what servers said.
    return { ok, stages: storableData(stages), savesSent }
  } catch (error) {
    if (!(error instanceof MailboxUnreachable)) throw error
    const cure = /was not found$/.test(error.message) ? UNKNOWN_NAME_CURE : null
    return { ok: false, stages: storableData([{ ...stage(error.stage, false, error.message), cure }]), savesSent: false }
  }
}

/** Unknown in time counts as no: the service then looks for copies before it stores its own. */
async function hasCopy(imap: ImapSettings, messageId: string): Promise<boolean> {
  const found = await within(FIND_MS, findInSent({ ...imap, timeouts: HURRIED }, [messageId]), lost).catch(() => 'unavailable' as const)
  return found !== 'unavailable' && found.has(messageId)
}

const SETTINGS_MS = 4000

/** Looks up names and renews tokens. These servers can hang, too. */
function settingsOf(ctx: Context, provider: ProviderRow) {
  const both = Promise.all([smtpSettingsOf(ctx, provider), imapSettingsOf(ctx, provider)])
  return within(SETTINGS_MS, both, lost)
}

const lost = (): Error => new MailboxUnreachable('dns', 'The name server or the token endpoint does not respond', false)

export const presentVerification = (provider: ProviderRow, { ok, stages }: Verification, ctx: Pick<Context, 'link' | 'clock'>) => ({
  provider: presentProvider(provider, ctx),
  ok,
  stages,
})

/** The mailbox has other servers or credentials now, so the result says nothing about it. */
export const changedMeanwhile = ({ status }: ProviderRow): AppError =>
  wrongState('The mailbox was changed while it was verified. Verify it again.', status, 'unchanged')

/** What failed, if the detail alone does not say so. */
const FAILED: Partial<Record<StageResult['stage'], string>> = {
  auth: 'Sign-in failed: ',
  test_message: 'Test email failed: ',
  imap: 'Inbox not readable: ',
  folders: 'Inbox not readable: ',
}

/** The problem in a sentence: the first stage that failed. */
export function problemOf({ stages }: Verification): string {
  const failed = stages.find(result => !result.ok)
  return failed ? `${FAILED[failed.stage] ?? ''}${failed.detail}` : 'The mailbox could not be verified'
}

const stage = (name: StageResult['stage'], ok: boolean, detail: string): StageResult => ({
  stage: name,
  ok,
  detail,
  cure: null,
  durationMs: 0,
})

function testMessageOf(ctx: Context, provider: ProviderRow) {
  const messageId = messageIdFor(newId(), domainOf(provider.fromEmail), id => ctx.secrets.sign('message-id', id))
  const self = { address: provider.fromEmail, name: provider.fromName }
  const text = 'This message was sent to check that the mailbox works. You can delete it.\n'
  const raw = writeMessage({ from: self, to: self, subject: 'Overture: the mailbox works', date: ctx.clock.now(), messageId, text })
  return { messageId, raw, envelope: { from: provider.fromEmail, to: provider.fromEmail } }
}

// ---- the servers of an address ----

/** The ports of mail servers. Other ports would make us a scanner of strangers' networks. */
const MAIL_PORTS = new Set([25, 143, 465, 587, 993, 2525])
const FETCH_MS = 3000
const REACH_MS = 4000
/** The ways that are tried: each costs two connections. */
const MOST_TRIED = 4

interface TriedProposal extends Proposal {
  /** Both servers respond and use encryption. Whether they accept the password is found out by verifying. */
  works: boolean
  problem: string | null
}

/** The settings for an address: everything that was tried, what works first. */
export async function discoverSettings(ctx: Context, email: string): Promise<TriedProposal[]> {
  const client = new SafeClient({ allowLocal: ctx.config.allowLocalTargets, resolve: ctx.resolve })
  try {
    const proposals = await proposeSettings(email, { dns: ctx.dns, fetchText: url => fetchText(client, url) })
    const tried = await Promise.all(proposals.slice(0, MOST_TRIED).map(proposal => tryProposal(ctx, proposal)))
    return [...tried.filter(each => each.works), ...tried.filter(each => !each.works)]
  } finally {
    await client.close()
  }
}

async function fetchText(client: SafeClient, url: string): Promise<string | null> {
  try {
    const answer = await client.get(url, { headers: { accept: 'text/xml, application/xml' }, timeoutMs: FETCH_MS })
    return answer.status === 200 ? answer.body : null
  } catch (error) {
    if (error instanceof PostFailed) return null
    throw error
  }
}

async function tryProposal(ctx: Context, proposal: Proposal): Promise<TriedProposal> {
  const servers = [['smtp', proposal.smtp] as const, ...(proposal.imap ? [['imap', proposal.imap] as const] : [])]
  const problems = await Promise.all(
    servers.map(async ([protocol, server]) => {
      if (!MAIL_PORTS.has(server.port) && !ctx.config.allowLocalTargets) return `${server.port} is not a usual port of mail servers`
      try {
        await reachServer(protocol, await locate(ctx, server), REACH_MS)
        return null
      } catch (error) {
        if (error instanceof Error) return `${protocol.toUpperCase()}: ${error.message}`
        throw error
      }
    }),
  )
  const problem = problems.find(each => each !== null) ?? null
  return { ...proposal, works: problem === null, problem }
}
