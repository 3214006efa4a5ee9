import manifest from '../../../package.json' with { type: 'json' }
import { type Connection, findConnection } from '../../cli/connection.ts'
import { failureOf } from '../../cli/failures.ts'
import type { Flags } from '../../cli/flags.ts'
import { clientOf } from '../../cli/service.ts'
import type { Shell } from '../../cli/shell.ts'
import { CommandFailed } from '../../lib/command-failure.ts'
import { DAY_MS } from '../../lib/time.ts'
import { type Finding, fail, ok, warn, wordOf } from './finding.ts'

const LIMIT_MS = 5000

/** The connection, or why there is none; null when no service was named and nobody signed in. */
export async function connectionOf(shell: Shell, flags: Flags): Promise<Connection | Error | null> {
  const found = await findConnection(shell, flags).catch(error => error as Error)
  const isNamed = flags.has('profile') || Boolean(shell.env.OVERTURE_URL)
  return found instanceof CommandFailed && found.code === 'not_signed_in' && !isNamed ? null : found
}

/** The service that commands call from here, as they see it. */
export async function examineService(shell: Shell, flags: Flags, isServer: boolean): Promise<Finding[]> {
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
