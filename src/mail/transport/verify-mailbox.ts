import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { within } from '../../lib/time.ts'
import { diagnoseFailure, explainFailure, greetingOf, speaksTls } from './diagnose.ts'
import { type Destination, dial, oneLineOf, type Trust, tlsOptionsOf } from './dial.ts'
import { type ImapSettings, ImapSignInRefused, type InboxAccess, leave, signInToInbox } from './imap.ts'
import { lookIntoFolders } from './imap-watch.ts'
import { cureOfMicrosoft, isMicrosoft, MAIL_HOSTS, MICROSOFT_IMAP_CURE, MICROSOFT_PASSWORD_NOTICE } from './oauth.ts'
import { type Envelope, SmtpSession, type SmtpSettings } from './smtp.ts'
import { SmtpConnectError } from './smtp-dialogue.ts'

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
 * whatever the result of SMTP, so that one report names all problems. However slowly a server responds, the report ends
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
        return finish(true, await within(endsAt - start, action(endsAt - start), silent), null)
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
  if (stage === 'dns' || stage === 'tcp') return explainFailure(failure, to)
  if (stage === 'tls') return diagnoseFailure(failureOf(failure), to, 'SMTP')
  return stage === 'imap' ? diagnoseFailure(failureOf(failure), to, 'IMAP') : failure.message
}

/** A refused sign-in is a clear response, so the port needs no diagnosis. */
function failureOf(error: Error & { response?: string | null; code?: string }) {
  const { message, code, response } = error
  const hasAnswered = Boolean(response) || error instanceof ImapSignInRefused
  return { message, code, response, responseCode: hasAnswered ? Number.parseInt(response ?? '', 10) || 1 : undefined }
}

/** The share of the remaining time for opening the inbox; the rest is for writing the report. */
const OPENING_SHARE = 0.8

const silent = (): Error => new Error('The server accepts the connection but does not respond in time')

/**
 * Some servers send their greeting only after ten seconds, and we wait for it. A port that expects TLS never sends one, so we detect
 * that earlier.
 */
async function unlessTls<T>(to: SmtpSettings | ImapSettings, greeted: Promise<T>): Promise<T> {
  if (to.security === 'tls') return greeted
  const { promise: never, reject } = Promise.withResolvers<never>()
  const look = async () => (await speaksTls(to)) && reject(new Error('Greeting never received'))
  const timer = setTimeout(() => void look(), to.timeouts?.connectMs ?? DEFAULT_CONNECT_MS)
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
  const isReached = await run('tcp', async () => {
    const socket = await dial(smtp, timeoutMs)
    socket.destroy()
    return `Port ${smtp.port} responds`
  })
  if (!isReached) return
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

/** Whether a mail server responds and encrypts as it should, without signing in. Throws an error that explains the problem. */
export async function reachServer(protocol: 'smtp' | 'imap', to: Destination & Trust, timeoutMs: number): Promise<void> {
  if (protocol === 'imap') return greetImap(to, timeoutMs)
  const timeouts = { connectMs: timeoutMs, silenceMs: timeoutMs, sendMs: timeoutMs }
  const session = await within(timeoutMs, SmtpSession.open({ ...to, timeouts }), silent)
  session.close()
}

async function greetImap(to: Destination & Trust, timeoutMs: number): Promise<void> {
  const greeting = await greetingOf(to, to.security === 'tls' ? tlsOptionsOf(to) : null, timeoutMs).catch(error => {
    throw new Error(explainFailure(error as Error, to))
  })
  if (!greeting.startsWith('* ')) throw new Error('The server on this port does not speak IMAP')
}

type VerifyStage = 'dns' | 'tcp' | 'tls' | 'auth' | 'test_message' | 'imap' | 'folders'

/** The most frequent cause of a failure at each stage of a verification. It is shown next to the words of the server. */
const CURES: Record<VerifyStage, string> = {
  dns: 'Check the spelling of the server name.',
  tcp: 'Check the server name and the port: 465 is for TLS, 587 is for STARTTLS. Most networks block port 25.',
  tls: 'Check that the port matches the encryption: 465 uses TLS, 587 uses STARTTLS.',
  auth: 'Check the password and the user name. Providers with two-step sign-in require an app password. The user name is usually the full email address.',
  test_message: 'Check that the account may use the sender address: it must be the address that signs in, or one of its aliases.',
  imap: 'Check that IMAP is enabled in the settings of the provider. Then check the port: 993 uses TLS, 143 uses STARTTLS.',
  folders: 'A configured folder may have been renamed or removed. Use the folder name of the server, or leave the folders out.',
}

const CERTIFICATE_CURE =
  'Renew the server certificate, or connect with a host name that it is issued for. To trust it anyway, set `tls.ca` or `tls.fingerprint256` over the API.'
const TOKEN_CURE = 'Ask an administrator to enable IMAP and authenticated SMTP for the account. If both are enabled, give consent again.'
const SLOW_CURE =
  'Many servers respond slowly after refused sign-ins. Wait a minute and try again. If the error remains, check the port and the firewall.'
const LATER_CURE = 'The server asks you to try again later. Wait a few minutes.'

function cureOf(stage: VerifyStage, failure: Error, to: Pick<SmtpSettings | ImapSettings, 'auth' | 'host'>): string {
  if ((stage === 'auth' || stage === 'imap') && /does not respond|took too long/.test(failure.message)) return SLOW_CURE
  if ((stage === 'tls' || stage === 'imap') && /certificate/i.test(failure.message)) return CERTIFICATE_CURE
  if (failure instanceof SmtpConnectError && !failure.permanent && /^4\d\d[ -]/.test(failure.response ?? '')) return LATER_CURE
  if (stage === 'test_message' && /^4\d\d[ -]/.test(failure.message)) return LATER_CURE
  if (stage === 'auth' && failure instanceof SmtpConnectError) {
    const ofMicrosoft = cureOfMicrosoft(failure.response, to.host, to.auth)
    if (ofMicrosoft !== null) return ofMicrosoft
  }
  if (stage === 'imap' && failure instanceof ImapSignInRefused && !to.auth?.accessToken && MAIL_HOSTS.microsoft.includes(to.host))
    return MICROSOFT_IMAP_CURE
  if (stage === 'auth' || failure instanceof ImapSignInRefused) return to.auth?.accessToken ? TOKEN_CURE : CURES.auth
  return CURES[stage]
}

/** The likely fix when the name of a server was not found. */
export const UNKNOWN_NAME_CURE = CURES.dns
