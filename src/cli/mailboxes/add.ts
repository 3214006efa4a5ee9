import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Verification, VerificationOperation, VerificationProgress } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT, wrongUsage } from '../../lib/command-failure.ts'
import type { Call } from '../command.ts'
import type { Flags } from '../flags.ts'
import { harmless, printJson } from '../output.ts'
import { ask, askUnseen } from '../prompt.ts'
import { openService } from '../service.ts'
import { readInput, type Shell } from '../shell.ts'
import { askForConsent } from './consent.ts'
import { type Found, findServers, type Issuer, issuerOf, readIssuer, shownServers } from './servers.ts'

const USAGE = 'overture mailbox add ada@example.com'
const ATTEMPTS = 3

/** `overture mailbox add ADDRESS`: from the address to a mailbox that works. */
export async function mailbox({ positionals, flags, shell }: Call): Promise<void> {
  const [verb, given] = positionals
  if (verb !== 'add') throw wrongUsage('The only subcommand is add.', USAGE)
  const email = given ?? (shell.input.isTTY ? await ask(shell, 'The address of the mailbox') : '')
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw wrongUsage(email ? `"${email}" is not an email address.` : 'Name the address.', USAGE)
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

/** The hoster's recommended limits for cold email. */
const limitsOf = ({ limits }: Found) =>
  limits ? { dailyCap: limits.dailyCap, minGapSeconds: limits.minGapSeconds, ramp: limits.ramp } : {}

interface Adding {
  email: string
  details: Details
  found: Found
}

async function addByConsent(
  service: Overture,
  order: Omit<Adding, 'found'> & { issuer: Issuer },
  flags: Flags,
  shell: Shell,
): Promise<Verification> {
  const { issuer, email, details } = order
  const id = await askForConsent(service, { issuer, email }, shell)
  await service.providers.update(id, details)
  return verifyAloud(service, id, flags, shell)
}

async function addByPassword(service: Overture, order: Adding & { username: string }, flags: Flags, shell: Shell): Promise<Verification> {
  const { email, details, found, username } = order
  const kind = found.signIn.includes('app_password') ? 'app password' : 'password'
  const askAgain = () => askUnseen(shell, `The ${kind} of ${username}`)
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
  test_message: 'sending a test message',
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
