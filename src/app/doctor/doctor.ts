import { existsSync } from 'node:fs'
import manifest from '../../../package.json' with { type: 'json' }
import type { Call } from '../../cli/command.ts'
import { type Connection, findConnection } from '../../cli/connection.ts'
import { failureOf } from '../../cli/failures.ts'
import type { Flags } from '../../cli/flags.ts'
import { harmless, printJson } from '../../cli/output.ts'
import { clientOf } from '../../cli/service.ts'
import type { Shell } from '../../cli/shell.ts'
import { type Config, loadConfig } from '../../context/config.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'
import { DAY_MS } from '../../lib/time.ts'
import { examineDatabase } from './database.ts'
import { type Finding, fail, look, ok, warn, wordOf } from './finding.ts'
import { examineMachine } from './machine.ts'

/** `overture doctor`: lists problems, each with the command that fixes it. It changes nothing. */
export async function doctor({ flags, shell }: Call): Promise<void> {
  const settings = readSettings(shell.env)
  // Without an installation or a service, we assume that the user is about to start one.
  const isCaller = !isInstallation(settings) && (await connectionOf(shell, flags)) !== null
  const findings = 'name' in settings ? [settings] : isCaller ? [] : await examine(settings)
  findings.push(...(await look('service', 'overture login', () => examineService(shell, flags, !isCaller))))
  const failed = findings.filter(({ status }) => status === 'fail').length
  if (flags.isOn('json')) printJson(shell, { ok: failed === 0, findings })
  else for (const finding of findings) shell.print(lineOf(finding))
  if (failed > 0) throw new CommandFailed(EXIT.failed, 'unwell', `${failed} of ${findings.length} checks failed.`, firstMend(findings))
}

function readSettings(env: NodeJS.ProcessEnv): Config | Finding {
  try {
    return loadConfig(env)
  } catch (error) {
    return fail('settings', (error as Error).message, 'overture config')
  }
}

/** The service is installed here; this is not only a client of a service elsewhere. */
const isInstallation = (settings: Config | Finding): boolean =>
  'name' in settings || settings.databaseUrl !== '' || existsSync(settings.dir)

async function examine(config: Config): Promise<Finding[]> {
  const database = look('database', 'overture migrate', () => examineDatabase(config))
  return [...(await examineMachine(config)), ...(await database)]
}

const lineOf = ({ name, status, text, mend }: Finding): string =>
  `${status.padEnd(4)}  ${harmless(`${name}: ${text}`)}${mend === null ? '' : `\n      -> ${mend}`}`

const firstMend = (findings: readonly Finding[]): string | undefined => findings.find(({ status }) => status === 'fail')?.mend ?? undefined

const LIMIT_MS = 5000

/** The connection, or why there is none; null when no service was named and nobody signed in. */
async function connectionOf(shell: Shell, flags: Flags): Promise<Connection | Error | null> {
  const found = await findConnection(shell, flags).catch(error => error as Error)
  const isNamed = flags.has('profile') || Boolean(shell.env.OVERTURE_URL)
  return found instanceof CommandFailed && found.code === 'not_signed_in' && !isNamed ? null : found
}

/** The service that commands call from here, as they see it. */
async function examineService(shell: Shell, flags: Flags, isServer: boolean): Promise<Finding[]> {
  const connection = await connectionOf(shell, flags)
  // No sign-in is needed before the first start or on the machine of the service.
  if (connection === null) return [ok('service', 'not signed in')]
  if (connection instanceof CommandFailed) return [fail('service', connection.message, connection.next ?? 'overture login')]
  if (connection instanceof Error) throw connection
  const { url, source } = connection
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(LIMIT_MS) }).catch(error => error as Error)
  if (answer instanceof Error) {
    return [
      fail(
        'service',
        `${url} (${source}) does not answer: ${wordOf(answer.cause ?? answer)}`,
        'overture start   # or: overture login --url URL',
      ),
    ]
  }
  const said = (await answer.json().catch(() => null)) as { error?: { details?: Record<string, unknown> | null } } | null
  const version = await versionOf(url)
  if (answer.ok) return [ok('service', `${url} (${source}) is ready`), ...version, ...(await tokenOf(shell, connection))]
  // While the service cannot look tokens up, we cannot check ours.
  const mend = isServer ? 'mend what failed above' : 'overture doctor   # on the machine of the service'
  const why = Object.entries(said?.error?.details ?? {}).map(([name, state]) => `${name}: ${state}`)
  const text = `${url} (${source}) answers ${answer.status}: it is not ready${why.length === 0 ? '' : ` (${why.join(', ')})`}`
  return [fail('service', text, mend), ...version]
}

async function versionOf(url: string): Promise<Finding[]> {
  const health = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(LIMIT_MS) })
    .then(response => response.json() as Promise<{ version?: string }>)
    .catch(() => null)
  if (!health?.version) return [fail('version', `${url} is no Overture`, 'overture login --url https://overture.example')]
  const text = `the service is ${health.version}, this command line ${manifest.version}`
  return [health.version === manifest.version ? ok('version', text) : warn('version', text, 'update the older one of them')]
}

async function tokenOf(shell: Shell, connection: Connection): Promise<Finding[]> {
  try {
    const token = await clientOf(shell, connection).tokens.getCurrent()
    const expiresAt = token.expiresAt ? Date.parse(token.expiresAt) : null
    const text = `"${token.name}" is valid${expiresAt === null ? '' : ` until ${token.expiresAt!.slice(0, 10)}`}`
    const isEnding = expiresAt !== null && expiresAt - Date.now() < 7 * DAY_MS
    return [isEnding ? warn('token', text, 'overture token create --email you@example.com, and overture login') : ok('token', text)]
  } catch (error) {
    const { message, next } = failureOf(error)
    return [fail('token', message, next ?? 'overture login')]
  }
}
