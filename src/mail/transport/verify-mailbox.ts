import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Destination, dial } from './dial.ts'
import { checkMailboxAccess, type ImapSettings } from './imap.ts'
import { oneLineOf } from './mail-auth.ts'
import { type Envelope, SmtpSession, type SmtpSettings } from './smtp.ts'

const DEFAULT_CONNECT_MS = 30_000

type VerifyStage = 'dns' | 'tcp' | 'tls' | 'auth' | 'test_message' | 'imap'

export interface StageResult {
  stage: VerifyStage
  ok: boolean
  detail: string
  durationMs: number
}

interface VerifyInput {
  smtp: SmtpSettings
  imap?: ImapSettings | null
  /** A message to ourselves; the stage is left out without it. */
  testMessage?: { envelope: Envelope; raw: Buffer } | null
}

/**
 * Tries a mailbox for real, stage by stage, and stops the SMTP side at the first that fails. IMAP is tried whatever
 * SMTP did, so that one report names everything there is to repair.
 */
export async function verifyMailbox(input: VerifyInput): Promise<StageResult[]> {
  const stages: StageResult[] = []
  const run = async (stage: VerifyStage, action: () => Promise<string>): Promise<boolean> => {
    const start = performance.now()
    const finish = (ok: boolean, detail: string) => {
      stages.push({ stage, ok, detail, durationMs: Math.round(performance.now() - start) })
      return ok
    }
    try {
      return finish(true, await action())
    } catch (error) {
      return finish(false, oneLineOf(error instanceof Error ? error.message : String(error)))
    }
  }
  await verifySmtp(input, run)
  const { imap } = input
  if (imap) await run('imap', () => checkMailboxAccess(imap))
  return stages
}

async function verifySmtp(
  { smtp, testMessage }: VerifyInput,
  run: (stage: VerifyStage, action: () => Promise<string>) => Promise<boolean>,
): Promise<void> {
  const timeoutMs = smtp.timeouts?.connectMs ?? DEFAULT_CONNECT_MS
  if (!(await run('dns', () => resolveHost(smtp)))) return
  if (!(await run('tcp', () => reachPort(smtp, timeoutMs)))) return
  let session: SmtpSession | undefined
  try {
    const encrypted = await run('tls', async () => {
      session = await SmtpSession.open(smtp)
      return smtp.security === 'none' ? 'Connected without encryption' : 'Encrypted, the certificate is trusted'
    })
    if (!encrypted) return
    const signedIn = await run('auth', async () => {
      await session?.signIn()
      return smtp.auth ? `Signed in as ${smtp.auth.user}` : 'No credentials are needed'
    })
    if (!signedIn || !testMessage) return
    await run('test_message', async () => {
      const outcome = await (session as SmtpSession).send(testMessage.envelope, testMessage.raw)
      if (outcome.kind === 'accepted') return outcome.response
      throw new Error(outcome.kind === 'rejected' ? outcome.response : outcome.reason)
    })
  } finally {
    session?.close()
  }
}

async function resolveHost({ host, addresses }: Destination): Promise<string> {
  if (isIP(host)) return host
  const found = addresses ?? (await lookup(host, { all: true })).map(entry => entry.address)
  return found.join(', ')
}

async function reachPort(smtp: Destination, timeoutMs: number): Promise<string> {
  ;(await dial(smtp, timeoutMs)).destroy()
  return `Port ${smtp.port} answers`
}
