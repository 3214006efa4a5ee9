import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { diagnoseFailure, explainFailure } from './diagnose.ts'
import { type Destination, dial } from './dial.ts'
import { checkMailboxAccess, type ImapSettings } from './imap.ts'
import { ImapSignInRefused } from './imap-refusal.ts'
import { oneLineOf } from './mail-auth.ts'
import { type Envelope, SmtpSession, type SmtpSettings } from './smtp.ts'

const DEFAULT_CONNECT_MS = 30_000
/** However slowly a server answers, the report is there soon after. SMTP and IMAP are tried side by side. */
const DEADLINE_MS = 11_000

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
export async function verifyMailbox(input: VerifyInput, deadlineMs = DEADLINE_MS): Promise<StageResult[]> {
  const endsAt = performance.now() + deadlineMs
  const runInto =
    (stages: StageResult[], to: SmtpSettings | ImapSettings): Run =>
    async (stage, action) => {
      const start = performance.now()
      const finish = (ok: boolean, detail: string) => {
        stages.push({ stage, ok, detail: oneLineOf(detail), durationMs: Math.round(performance.now() - start) })
        return ok
      }
      try {
        return finish(true, await within(endsAt - start, action()))
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error))
        const wanted = stage === 'imap' ? 'IMAP' : 'SMTP'
        if (stage === 'tcp') return finish(false, explainFailure(failure, to))
        return finish(false, stage === 'tls' || stage === 'imap' ? await diagnoseFailure(failureOf(failure), to, wanted) : failure.message)
      }
    }
  const { smtp, imap } = input
  const [smtpStages, imapStages]: [StageResult[], StageResult[]] = [[], []]
  await Promise.all([
    verifySmtp(input, runInto(smtpStages, smtp)),
    imap ? runInto(imapStages, imap)('imap', () => checkMailboxAccess(imap)) : null,
  ])
  return [...smtpStages, ...imapStages]
}

type Run = (stage: VerifyStage, action: () => Promise<string>) => Promise<boolean>

/** A refused sign-in is an answer: there is nothing to find out about the port. */
function failureOf(error: Error & { response?: string | null; code?: string }) {
  const hasAnswered = Boolean(error.response) || error instanceof ImapSignInRefused
  return { message: error.message, code: error.code, responseCode: hasAnswered ? 1 : undefined }
}

const SILENT = 'The server accepts the connection but does not answer in time'

/** Rejects when it takes longer, whatever becomes of the work. */
export async function within<T>(limitMs: number, work: Promise<T>, problem = SILENT): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(problem)), Math.max(0, limitMs))
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

async function verifySmtp({ smtp, testMessage }: VerifyInput, run: Run): Promise<void> {
  const timeoutMs = smtp.timeouts?.connectMs ?? DEFAULT_CONNECT_MS
  if (!(await run('dns', () => resolveHost(smtp)))) return
  if (!(await run('tcp', () => reachPort(smtp, timeoutMs)))) return
  let session: SmtpSession | undefined
  let isOver = false
  try {
    const encrypted = await run('tls', async () => {
      session = await SmtpSession.open(smtp)
      if (isOver) session.abort()
      return session.encryption
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
    isOver = true
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
