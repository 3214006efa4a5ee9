import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { cureOf, type VerifyStage } from './cures.ts'
import { diagnoseFailure, explainFailure, speaksTls } from './diagnose.ts'
import { type Destination, dial } from './dial.ts'
import { type ImapSettings, type InboxAccess, leave, signInToInbox } from './imap.ts'
import { lookIntoFolders } from './imap-folders.ts'
import { ImapSignInRefused } from './imap-refusal.ts'
import { oneLineOf } from './mail-auth.ts'
import { isMicrosoft, MICROSOFT_PASSWORD_NOTICE } from './microsoft.ts'
import { type Envelope, SmtpSession, type SmtpSettings } from './smtp.ts'
import { type Trust, tlsOptionsOf } from './trust.ts'

const DEFAULT_CONNECT_MS = 30_000

export interface StageResult {
  stage: VerifyStage
  ok: boolean
  detail: string
  /** The most frequent fix; null when the stage passed, or when the detail is enough. */
  cure: string | null
  durationMs: number
}

/** The progress of a verification: the stages that have ended, and those that run now. */
export interface VerifyProgress {
  stages: StageResult[]
  running: VerifyStage[]
}

interface VerifyInput {
  smtp: SmtpSettings
  imap?: ImapSettings | null
  /** A message to ourselves; the stage is left out without it. */
  testMessage?: { envelope: Envelope; raw: string } | null
  /** Called whenever a stage begins or ends. */
  onProgress?: (progress: VerifyProgress) => void
}

/**
 * Tries a mailbox stage by stage, and stops the SMTP side at the first stage that fails. IMAP is tried at the same time,
 * whatever the result of SMTP, so that one report names all problems. However slowly a server answers, the report ends
 * soon after the deadline.
 */
export async function verifyMailbox(input: VerifyInput, deadlineMs: number): Promise<StageResult[]> {
  const { smtp, imap, onProgress } = input
  const endsAt = performance.now() + deadlineMs
  const [smtpStages, imapStages]: [StageResult[], StageResult[]] = [[], []]
  const running: VerifyStage[] = []
  const tell = (): void => onProgress?.({ stages: [...smtpStages, ...imapStages], running: [...running] })
  const runInto =
    (stages: StageResult[], to: SmtpSettings | ImapSettings): Run =>
    async (stage, action) => {
      const start = performance.now()
      const finish = (ok: boolean, detail: string, cure: string | null) => {
        stages.push({ stage, ok, detail: oneLineOf(detail), cure, durationMs: Math.round(performance.now() - start) })
        running.splice(running.indexOf(stage), 1)
        tell()
        return ok
      }
      running.push(stage)
      tell()
      try {
        return finish(true, await within(endsAt - start, action(endsAt - start)), null)
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error))
        return finish(false, await explain(stage, failure, to), cureOf(stage, failure, to))
      }
    }
  await Promise.all([verifySmtp(input, runInto(smtpStages, smtp)), imap ? verifyImap(imap, runInto(imapStages, imap)) : null])
  return [...smtpStages, ...imapStages]
}

type Run = (stage: VerifyStage, action: (leftMs: number) => Promise<string>) => Promise<boolean>

async function explain(stage: VerifyStage, failure: Error, to: SmtpSettings | ImapSettings): Promise<string> {
  if (stage === 'tcp') return explainFailure(failure, to)
  if (stage === 'tls') return diagnoseFailure(failureOf(failure), to, 'SMTP')
  return stage === 'imap' ? diagnoseFailure(failureOf(failure), to, 'IMAP') : failure.message
}

/** A refused sign-in is a clear answer, so the port needs no diagnosis. */
function failureOf(error: Error & { response?: string | null; code?: string }) {
  const { message, code, response } = error
  const hasAnswered = Boolean(response) || error instanceof ImapSignInRefused
  return { message, code, response, responseCode: hasAnswered ? Number.parseInt(response ?? '', 10) || 1 : undefined }
}

/** The share of the remaining time for opening the inbox; the rest is for writing the report. */
const OPENING_SHARE = 0.8

const SILENT = 'The server accepts the connection but does not answer in time'

/** Rejects when the work takes longer. Does not stop the work. */
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

/**
 * Some servers send their greeting only after ten seconds, and we wait for it. A port that expects TLS never sends one, so we detect
 * that earlier.
 */
async function unlessTls<T>(to: SmtpSettings | ImapSettings, greeted: Promise<T>): Promise<T> {
  if (to.security === 'tls') return greeted
  let timer: NodeJS.Timeout | undefined
  const never = new Promise<never>((_resolve, reject) => {
    const look = async () => (await speaksTls(to)) && reject(new Error('Greeting never received'))
    timer = setTimeout(() => void look(), to.timeouts?.connectMs ?? DEFAULT_CONNECT_MS)
  })
  try {
    return await Promise.race([greeted, never])
  } finally {
    clearTimeout(timer)
    greeted.catch(() => {})
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
      session = await unlessTls(smtp, SmtpSession.open(smtp))
      if (isOver) session.abort()
      return session.encryption
    })
    if (!encrypted) return
    const signedIn = await run('auth', async () => {
      await session?.signIn()
      if (!smtp.auth) return 'No credentials are needed'
      const notice = !smtp.auth.accessToken && isMicrosoft(smtp.host) ? `. ${MICROSOFT_PASSWORD_NOTICE}` : ''
      return `Signed in as ${smtp.auth.user}${notice}`
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

async function verifyImap(imap: ImapSettings, run: Run): Promise<void> {
  let access: InboxAccess | undefined
  let isOver = false
  try {
    const signedIn = await run('imap', async () => {
      access = await unlessTls(imap, signInToInbox(imap))
      if (isOver) access.client?.close()
      return access.said
    })
    const client = access?.client
    if (signedIn && client) await run('folders', leftMs => lookIntoFolders(client, imap, leftMs * OPENING_SHARE))
  } finally {
    isOver = true
    if (access?.client) await leave(access.client)
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

/** Whether a mail server answers and encrypts as it should, without signing in. Throws an error that explains the problem. */
export async function reachServer(protocol: 'smtp' | 'imap', to: Destination & Trust, timeoutMs: number): Promise<void> {
  if (protocol === 'imap') return within(timeoutMs, greetImap(to, timeoutMs))
  const timeouts = { connectMs: timeoutMs, silenceMs: timeoutMs, sendMs: timeoutMs }
  const session = await within(timeoutMs, SmtpSession.open({ ...to, timeouts }))
  session.close()
}

async function greetImap(to: Destination & Trust, timeoutMs: number): Promise<void> {
  let socket: Socket | undefined
  let timer: NodeJS.Timeout | undefined
  try {
    socket = await dial(to, timeoutMs)
    // One time limit for the handshake and the greeting together.
    timer = setTimeout(() => socket?.destroy(new Error('The server accepts the connection but sends no greeting')), timeoutMs)
    if (to.security === 'tls') {
      socket = connectTls({ socket, servername: to.host, ...tlsOptionsOf(to) })
      await once(socket, 'secureConnect')
    }
    const [greeting] = (await once(socket, 'data')) as [Buffer]
    if (!greeting.toString('latin1').startsWith('* ')) throw new Error('The server on this port does not speak IMAP')
  } catch (error) {
    throw new Error(explainFailure(error as Error, to))
  } finally {
    clearTimeout(timer)
    socket?.on('error', () => {}).destroy()
  }
}
