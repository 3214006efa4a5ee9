import type { Overture } from '../../packages/sdk/src/client.ts'
import { sleep } from '../../packages/sdk/src/http.ts'
import type {
  Consent,
  DiscoveredSettings,
  Verification,
  VerificationOperation,
  VerificationProgress,
} from '../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT, wrongUsage } from '../lib/command-failure.ts'
import type { Call } from './command.ts'
import { openService } from './connection.ts'
import type { Flags } from './flags.ts'
import { harmless, printJson } from './output.ts'
import { ask, askUnseen, readInput, type Shell } from './shell.ts'

const USAGE = 'overture mailbox add ada@example.com'
const ATTEMPTS = 3

/** `overture mailbox add ADDRESS`: from the address to a mailbox that works. */
export async function mailbox({ positionals, flags, shell }: Call): Promise<void> {
  const [verb, given] = positionals
  if (verb !== 'add') throw wrongUsage('The only subcommand is add.', USAGE)
  const email = given ?? (shell.input.isTTY ? await ask(shell, 'The address of the mailbox') : '')
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw wrongUsage(email ? `"${email}" is not an email address.` : 'Specify an email address.', USAGE)
  const asked = readIssuer(flags.text('consent'))
  // A mailbox that signs in by consent uses the servers of the issuer, because its tokens are for no others.
  if (asked && flags.has('smtp'))
    throw wrongUsage('--consent cannot be combined with --smtp: it always uses the servers of the issuer.', `${USAGE} --consent ${asked}`)
  const service = await openService(shell, flags)
  const found = await findServers(service, email, flags, shell)
  shell.warn(harmless(shownServers(found.settings)))
  if (found.note) shell.warn(harmless(found.note))
  const issuer = asked ?? consentByItself(found, shell)
  const details = { ...(await detailsOf(email, flags, shell)), ...limitsOf(found) }
  const verification = issuer
    ? await addByConsent(service, { issuer, email, details }, flags, shell)
    : await addByPassword(service, { email, details, found, username: flags.text('username') ?? email }, flags, shell)
  tell(verification, flags, shell)
}

/** A piped password decides the way to sign in; otherwise the best way of the hoster is used. */
const consentByItself = (found: Found, { input }: Shell) => (input.isTTY && found.signIn[0] === 'oauth' ? issuerOf(found) : null)

interface Details {
  name: string
  fromName?: string
  postalAddress?: string
}

async function detailsOf(email: string, flags: Flags, shell: Shell): Promise<Details> {
  const isAsked = shell.input.isTTY === true && !flags.isOn('yes')
  const fromName = flags.text('from-name') ?? (isAsked ? await ask(shell, 'The name that recipients see') : '')
  const postalAddress =
    flags.text('postal-address') ??
    (isAsked ? await ask(shell, 'The postal address for the footer (required by law in many countries)') : '')
  return { name: flags.text('name') ?? email, ...(fromName && { fromName }), ...(postalAddress && { postalAddress }) }
}

const limitsOf = ({ limits }: Found) =>
  limits ? { dailyCap: limits.dailyCap, minGapSeconds: limits.minGapSeconds, ramp: limits.ramp } : {}

interface Adding {
  email: string
  details: Details
  found: Found
}

async function addByConsent(service: Overture, order: Omit<Adding, 'found'> & { issuer: Issuer }, flags: Flags, shell: Shell) {
  const { issuer, email, details } = order
  const id = await askForConsent(service, { issuer, email }, shell)
  await service.providers.update(id, details)
  return verifyAloud(service, id, flags, shell)
}

async function addByPassword(service: Overture, order: Adding & { username: string }, flags: Flags, shell: Shell): Promise<Verification> {
  const { email, details, found, username } = order
  const kind = found.signIn.includes('app_password') ? 'App password' : 'Password'
  const askAgain = () => askUnseen(shell, `${kind} of ${username}`)
  const password = shell.input.isTTY ? await askAgain() : (await readInput(shell)).replace(/\r?\n$/, '')
  if (password === '') throw wrongUsage('A password is missing.', `echo "$PASSWORD" | overture mailbox add ${email}`)
  const { settings } = found
  const { id } = await service.providers.create({
    kind: 'smtp',
    fromEmail: email,
    ...details,
    settings,
    credentials: { username, password },
  })
  for (let attempt = 1; ; attempt++) {
    const verification = await verifyAloud(service, id, flags, shell)
    const isRefused = verification.stages.some(({ stage, ok }) => stage === 'auth' && !ok)
    if (!isRefused || !shell.input.isTTY || attempt === ATTEMPTS) return verification
    const next = await askAgain()
    if (next === '') return verification
    await service.providers.update(id, { credentials: { username, password: next } })
  }
}

function tell({ ok, stages, provider }: Verification, flags: Flags, shell: Shell): void {
  if (flags.isOn('json')) printJson(shell, { ok, stages, provider })
  else if (ok) shell.print(`${provider.fromEmail} is connected: ${provider.id}`)
  if (ok) return
  const failed = stages.find(stage => !stage.ok)
  const message = `${provider.fromEmail} is stored, but does not work yet${failed ? `: ${failed.detail}` : '.'}`
  const next = `overture api providers.verify --providerId ${provider.id}   # or providers.update, or providers.delete`
  throw new CommandFailed(EXIT.failed, 'mailbox_unverified', message, next)
}

type Stage = Verification['stages'][number]

const DOING: Record<Stage['stage'], string> = {
  dns: 'looking for the server',
  tcp: 'connecting',
  tls: 'encrypting the connection',
  auth: 'signing in',
  test_message: 'sending a test email',
  imap: 'signing in to the inbox',
  folders: 'listing the folders',
}

/** Verifies a mailbox and prints each stage when it ends, with the likely fix of a failed one. */
async function verifyAloud(service: Overture, providerId: string, flags: Flags, shell: Shell): Promise<Verification> {
  const printed = new Map<Stage['stage'], boolean>()
  const show = (stages: Stage[]): void => {
    if (flags.isOn('json')) return
    for (const stage of stages) {
      // If a worker dies, another one starts again; stages with the same result are not printed twice.
      if (printed.get(stage.stage) === stage.ok) continue
      printed.set(stage.stage, stage.ok)
      shell.status?.('')
      printStage(stage, shell)
    }
  }
  const onProgress = ({ progress }: VerificationOperation): void => {
    show(progress?.stages ?? [])
    shell.status?.(`Verifying: ${doing(progress)} ...`)
  }
  try {
    const { verification } = await service.providers.startVerification(providerId).wait({ timeoutMs: Number.POSITIVE_INFINITY, onProgress })
    show(verification.stages)
    return verification
  } finally {
    shell.status?.('')
  }
}

const doing = (progress: VerificationProgress | undefined): string =>
  progress?.running.map(stage => DOING[stage]).join(', ') || 'in the queue'

function printStage({ stage, ok, detail, cure, durationMs }: Stage, shell: Shell): void {
  shell.print(`${ok ? 'ok  ' : 'fail'}  ${stage.padEnd(12)}  ${harmless(detail)}  (${durationMs} ms)`)
  if (cure) shell.print(`${' '.repeat(20)}${harmless(cure)}`)
}

type Servers = DiscoveredSettings['settings']
type Issuer = 'google' | 'microsoft'

interface Found {
  settings: Servers
  limits: DiscoveredSettings['limits'] | null
  signIn: DiscoveredSettings['signIn']
  note: string | null
}

/** The servers of an address: those that were named, or the best of those that the service finds. */
async function findServers(service: Overture, email: string, flags: Flags, shell: Shell): Promise<Found> {
  const smtp = readServer(flags.text('smtp'), 'smtp', 465)
  const imap = readServer(flags.text('imap'), 'imap', 993)
  if (smtp) return { settings: { smtp, imap }, limits: null, signIn: ['password'], note: null }
  if (imap) throw wrongUsage('--imap needs --smtp, too.', 'overture mailbox add --help')
  shell.status?.(`Looking for the mail servers of ${email} ...`)
  const { candidates } = await service.providers.discover({ email }).finally(() => shell.status?.(''))
  const best = candidates.find(({ works }) => works) ?? candidates[0]
  if (!best) {
    const next = `overture mailbox add ${email} --smtp mail.example.com:465 --imap mail.example.com:993`
    throw new CommandFailed(EXIT.notFound, 'servers_not_found', `No mail server of ${email} was found.`, next)
  }
  if (!best.works) shell.warn(`None of the servers found works: ${harmless(best.problem ?? '')}`)
  const { settings, limits, signIn, note } = best
  return { settings, limits, signIn, note }
}

/** `mail.example.com:465`; the ports 465 and 993 speak TLS from the first byte, others begin without. */
function readServer(text: string | undefined, name: string, securePort: number): Servers['smtp'] | null {
  if (text === undefined) return null
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (!host) throw wrongUsage(`--${name} must be HOST:PORT, not "${text}".`, `--${name} mail.example.com:${securePort}`)
  return { host, port: Number(port), secure: Number(port) === securePort }
}

const ISSUERS: Record<Issuer, RegExp> = {
  google: /(^|\.)(gmail|googlemail|google)\.com$/i,
  microsoft: /(^|\.)(office365|outlook|hotmail)\.com$/i,
}

/** The issuer that such a mailbox signs in with, if it needs no password. */
const issuerOf = ({ settings }: Found): Issuer | null =>
  (Object.keys(ISSUERS) as Issuer[]).find(issuer => ISSUERS[issuer].test(settings.smtp.host)) ?? null

function readIssuer(text: string | undefined): Issuer | null {
  if (text === undefined) return null
  if (text === 'google' || text === 'microsoft') return text
  throw wrongUsage(`--consent must be google or microsoft, not "${text}".`, 'overture mailbox add --help')
}

const shownServers = ({ smtp, imap }: Servers): string =>
  `SMTP ${smtp.host}:${smtp.port}, ${imap ? `IMAP ${imap.host}:${imap.port}` : 'no inbox'}`

const LOOK_MS = 2000

interface Wish {
  issuer: Issuer
  email: string
}

/** Lets the owner of the mailbox give consent in a browser on any device, and returns the id of the mailbox. */
async function askForConsent(service: Overture, wish: Wish, shell: Shell): Promise<string> {
  const { issuer, email } = wish
  // Google has no device codes for mail.
  const begun = issuer === 'microsoft' ? await service.consents.createForDevice(wish) : await service.consents.create(wish)
  if (begun.device) shell.warn(`Open ${harmless(begun.device.verificationUri)} and enter the code ${harmless(begun.device.userCode)}`)
  else shell.warn(`Open this in a browser, and sign in as ${email}:\n  ${harmless(begun.authorizationUrl ?? '')}`)
  shell.warn('Waiting for consent ...')
  const ended = await untilEnded(service, begun, shell.signal)
  if (ended.status !== 'granted' || !ended.providerId) {
    const message =
      ended.status === 'expired' ? 'Consent was not given in time.' : `Consent was refused: ${ended.reason ?? 'no reason was given'}`
    throw new CommandFailed(EXIT.denied, 'consent_refused', message, `overture mailbox add ${email}`)
  }
  shell.warn(`${harmless(ended.account ?? email)} gave consent.`)
  return ended.providerId
}

async function untilEnded(service: Overture, { id, device }: Consent, signal: AbortSignal): Promise<Consent> {
  for (;;) {
    await sleep(device ? device.intervalSeconds * 1000 : LOOK_MS, signal)
    const consent = device ? await service.consents.poll(id) : await service.consents.get(id)
    if (consent.status !== 'open') return consent
  }
}
