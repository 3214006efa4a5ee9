import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import manifest from '../../package.json' with { type: 'json' }
import type { Call } from '../cli/command.ts'
import { type Connection, clientOf, findConnection } from '../cli/connection.ts'
import { failureOf } from '../cli/failures.ts'
import type { Flags } from '../cli/flags.ts'
import { harmless, printJson } from '../cli/output.ts'
import type { Shell } from '../cli/shell.ts'
import { type Config, loadConfig } from '../context/config.ts'
import { EmbeddedPostgres } from '../db/embedded.ts'
import { listMissing, migrationNames } from '../db/migrate.ts'
import { refuseTransactionPooling } from '../db/startup.ts'
import { CommandFailed, EXIT } from '../lib/command-failure.ts'
import { openDns } from '../lib/dns.ts'
import { many } from '../lib/many.ts'
import { readOwnFile } from '../lib/own-files.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/time.ts'
import { explainFailure, greetingOf } from '../mail/transport/diagnose.ts'
import { dial } from '../mail/transport/dial.ts'
import { isMicrosoft, MICROSOFT_PASSWORD_NOTICE } from '../mail/transport/oauth.ts'
import { LIVE_WORKERS } from '../queue/identity.ts'
import { readLocalFile } from './account-commands.ts'
import { addressOf, nearHost } from './boot.ts'
import { findBuiltConsole } from './console-build.ts'
import { fingerprintOf } from './installation-keys.ts'

/** `overture doctor`: lists problems, each with the command that fixes it. It changes nothing. */
export async function doctor({ flags, shell }: Call): Promise<void> {
  const settings = readSettings(shell.env)
  // Without an installation or a service, we assume that the user is about to start one.
  const isCaller = !isInstallation(settings) && (await connectionOf(shell, flags)) !== null
  const findings = 'name' in settings ? [settings] : isCaller ? [] : await examine(settings, Boolean(shell.env.PORT))
  findings.push(...(await look('service', 'overture login', () => examineService(shell, flags, !isCaller))))
  const failed = findings.filter(({ status }) => status === 'fail').length
  if (flags.isOn('json')) printJson(shell, { ok: failed === 0, findings })
  else for (const finding of findings) shell.print(lineOf(finding))
  if (failed > 0) throw new CommandFailed(EXIT.failed, 'unwell', `${failed} of ${findings.length} checks failed.`, firstFix(findings))
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

async function examine(config: Config, isPortChosen: boolean): Promise<Finding[]> {
  const folder = await look('folder', 'OVERTURE_DIR=/somewhere/else overture start', async () => ownerOf(config))
  const database = folder.length > 0 ? [] : look('database', 'overture migrate', () => examineDatabase(config))
  return [...(await examineMachine(config, isPortChosen)), ...folder, ...(await database)]
}

/** Only its owner can look into the folder of an installation, or start it. */
function ownerOf({ databaseUrl, dir }: Config): Finding[] {
  const owner = databaseUrl ? undefined : statSync(dir, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.getuid?.()) return []
  return [fail('folder', `${dir} belongs to another user (${owner})`, `sudo -u '#${owner}' overture doctor`)]
}

const lineOf = ({ name, status, text, fix }: Finding): string =>
  `${status.padEnd(4)}  ${harmless(`${name}: ${text}`)}${fix === null ? '' : `\n      -> ${fix}`}`

const firstFix = (findings: readonly Finding[]): string | undefined => findings.find(({ status }) => status === 'fail')?.fix ?? undefined

const LIMIT_MS = 5000

/** The connection, or why there is none; null if no service was named and there is no sign-in. */
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
    const text = `${url} (${source}) does not respond: ${wordOf(answer.cause ?? answer)}`
    return [fail('service', text, 'overture start   # or: overture login --url URL')]
  }
  const said = (await answer.json().catch(() => null)) as { error?: { details?: Record<string, unknown> | null } } | null
  const version = await versionOf(url)
  if (answer.ok) return [ok('service', `${url} (${source}) is ready`), ...version, ...(await tokenOf(shell, connection))]
  // While the service cannot look tokens up, we cannot check ours.
  const fix = isServer ? 'fix the failures above' : 'overture doctor   # on the server'
  const why = Object.entries(said?.error?.details ?? {}).map(([name, state]) => `${name}: ${state}`)
  const text = `${url} (${source}) is not ready: status ${answer.status}${why.length === 0 ? '' : ` (${why.join(', ')})`}`
  return [fail('service', text, fix), ...version]
}

/** The status and version that a service reports; null when there is none. */
const healthOf = (url: string): Promise<{ status?: string; version?: string } | null> =>
  fetch(`${url}/healthz`, { signal: AbortSignal.timeout(LIMIT_MS) })
    .then(response => response.json() as Promise<{ status?: string; version?: string }>)
    .catch(() => null)

async function versionOf(url: string): Promise<Finding[]> {
  const health = await healthOf(url)
  if (!health?.version) return [fail('version', `${url} is not an Overture service`, 'overture login --url https://overture.example')]
  const text = `the service is version ${health.version}, this command line ${manifest.version}`
  return [health.version === manifest.version ? ok('version', text) : warn('version', text, 'update the older of the two')]
}

async function tokenOf(shell: Shell, connection: Connection): Promise<Finding[]> {
  try {
    const token = await clientOf(shell, connection).tokens.getCurrent()
    const expiresAt = token.expiresAt ? Date.parse(token.expiresAt) : null
    const text = `"${token.name}" is valid${expiresAt === null ? '' : ` until ${token.expiresAt!.slice(0, 10)}`}`
    const isEnding = expiresAt !== null && expiresAt - Date.now() < 7 * DAY_MS
    return [isEnding ? warn('token', text, 'overture token create --email you@example.com, then overture login') : ok('token', text)]
  } catch (error) {
    const { message, next } = failureOf(error)
    return [fail('token', message, next ?? 'overture login')]
  }
}

const GB = 1024 ** 3
const CONNECT_LIMIT_MS = 3000

async function examineMachine(config: Config, isPortChosen: boolean): Promise<Finding[]> {
  const found = await Promise.all([
    look('node', 'npx overture', async () => nodeVersion()),
    look('disk', 'OVERTURE_DIR=/somewhere/else overture start', () => diskSpace(config.dir)),
    look('port', 'PORT=8081 overture start', () => portOf(config, isPortChosen)),
    nameServers(config),
    look('base url', 'OVERTURE_BASE_URL=https://overture.example', () => baseUrl(config)),
    look('console', 'npm run build', consoleBuild),
  ])
  return found.flat()
}

function nodeVersion(): Finding {
  const wanted = Number(/\d+/.exec(manifest.dependencies.node)![0])
  const major = Number(process.versions.node.split('.')[0])
  const text = `Node ${process.versions.node}, Overture ${manifest.version}`
  return major >= wanted ? ok('node', text) : fail('node', `${text}; Node ${wanted} or later is needed`, 'npx overture   # brings its own')
}

/** When the folder does not exist yet, the disk on which it would be. */
async function diskSpace(dir: string): Promise<Finding> {
  let folder = dir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${free < GB ? `${Math.floor((free / GB) * 1024)} MB` : `${(free / GB).toFixed(1)} GB`} free in ${dir}`
  const fix = 'free some space, or use another folder: OVERTURE_DIR=/somewhere/else'
  if (free < GB / 5) return fail('disk', text, fix)
  return free < 2 * GB ? warn('disk', text, fix) : ok('disk', text)
}

async function portOf({ host, port, dir }: Config, isChosen: boolean): Promise<Finding> {
  // The service of this folder may have been started on another port than this command knows.
  const own = isChosen ? null : await readLocalFile(dir)
  const running = own && (await healthOf(own.baseUrl))
  if (own && running?.version) return ok('port', `Overture ${running.version} is running at ${own.baseUrl}`)
  if (port === 0) return ok('port', 'the service picks a free port when it starts')
  const at = addressOf({ host, port })
  if (await isListening(host, port)) {
    const health = await healthOf(at)
    if (health?.status === 'ok' && health.version) return ok('port', `Overture ${health.version} is running at ${at}`)
    return fail('port', `another program is using ${at}`, `PORT=${port + 1} overture start`)
  }
  await new Promise<void>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
  return ok('port', `${at} is free`)
}

const isListening = (host: string, port: number): Promise<boolean> =>
  dial({ host: nearHost(host), port }, CONNECT_LIMIT_MS).then(
    socket => socket.destroy() !== null,
    () => false,
  )

async function nameServers({ dnsServers }: Config): Promise<Finding> {
  const whose = dnsServers === '' ? 'the system name servers' : dnsServers
  try {
    await openDns(dnsServers === '' ? [] : dnsServers.split(',')).mailServers('example.com')
    return ok('dns', `${whose} respond`)
  } catch (error) {
    return fail('dns', `${whose} do not respond: ${wordOf(error)}`, 'set OVERTURE_DNS_SERVERS, or fix the system name servers')
  }
}

async function baseUrl({ baseUrl: base, databaseUrl }: Config): Promise<Finding[]> {
  const fix = 'OVERTURE_BASE_URL=https://overture.example'
  if (base === '') {
    if (!databaseUrl) return []
    return [warn('base url', 'OVERTURE_BASE_URL is not set: links in emails work only on this machine', fix)]
  }
  const url = new URL(base)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const secure =
    url.protocol === 'https:' || isLocal ? [] : [warn('base url', `${base} is not https: others on the network can read tokens`, fix)]
  const answer = await fetch(`${base}/healthz`, { signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => null)
  if (!answer?.ok) {
    const text = `${base} ${answer ? `returns ${answer.status}` : 'does not respond'} from here`
    return [...secure, warn('base url', text, databaseUrl ? 'overture api' : 'overture start')]
  }
  return secure.length > 0 ? secure : [ok('base url', `${base} responds`)]
}

async function consoleBuild(): Promise<Finding> {
  const folder = await findBuiltConsole()
  return folder ? ok('console', 'built') : warn('console', 'not built: the API runs without it', 'npm run build')
}

/** A process opens a few connections in addition to its pool. */
const OUTSIDE_POOL = 4

/** Checks the database without changing, migrating or starting it. */
async function examineDatabase(config: Config): Promise<Finding[]> {
  const url = config.databaseUrl || (await EmbeddedPostgres.findRunning(config.dir, 'overture').catch(() => undefined))
  if (!url) {
    const isThere = ['data', 'secret.key'].some(name => existsSync(join(config.dir, name)))
    if (isThere && (await EmbeddedPostgres.isSilent(config.dir).catch(() => false))) {
      const text = `the embedded server of ${config.dir} is running but does not respond`
      return [fail('database', text, `tail ${join(config.dir, 'postgres.log')}   # then stop overture, and start it again`)]
    }
    const text = isThere ? `the embedded server of ${config.dir} is not running` : `there is no installation in ${config.dir} yet`
    return [warn('database', text, 'overture start')]
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    return [fail('database', `PostgreSQL does not respond: ${wordOf(error)}`, 'check DATABASE_URL, and that PostgreSQL is running')]
  }
  try {
    return await examineConnected(client, url, config)
  } finally {
    await client.end().catch(() => {})
  }
}

async function examineConnected(client: pg.Client, url: string, config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const add = async (name: string, fix: string, check: () => Promise<Finding | Finding[]>): Promise<void> => {
    findings.push(...(await look(name, fix, check)))
  }
  await add('database', 'use PostgreSQL 15 or later', () => version(client))
  await add('clock', 'synchronize the clock of this machine with NTP', () => clock(client))
  await add('connections', 'lower OVERTURE_POOL_SIZE, or raise max_connections', () => connections(client, config.poolSize))
  if (config.databaseUrl) await add('pooler', 'use the address of PostgreSQL itself, or session mode', () => pooler(url))
  await add('migrations', 'use an empty database', async () => migrations(client, await listMissing(url)))
  // The next checks read tables that may not exist yet.
  if (findings.at(-1)!.status === 'fail') return findings
  await add('secret key', 'set OVERTURE_SECRET_KEY to the key of this installation', () => secretKey(client, config))
  await add('reply search', ADD_PG_TRGM, () => searchOfReplies(client))
  await add('workers', 'overture worker', () => workers(client))
  await add('mail servers', 'overture api providers.list', () => examineMailServers(client))
  await add('Microsoft sign-in', 'overture mailbox add', () => examineMicrosoft(client))
  return findings
}

const one = async <T>(client: pg.Client, text: string): Promise<T> => (await client.query(text)).rows[0] as T

async function version(client: pg.Client): Promise<Finding> {
  const { name, number, isReadOnly } = await one<{ name: string; number: number; isReadOnly: boolean }>(
    client,
    `select current_setting('server_version') as name, current_setting('server_version_num')::int as number,
       current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  )
  if (isReadOnly) {
    const fix = 'use the address of the primary server, or turn default_transaction_read_only off'
    return fail('database', `PostgreSQL ${name} is read-only: it is a standby server, or default_transaction_read_only is on`, fix)
  }
  return number >= 150_000 ? ok('database', `PostgreSQL ${name}`) : fail('database', `PostgreSQL ${name}`, 'use PostgreSQL 15 or later')
}

async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const { now } = await one<{ now: Date }>(client, 'select clock_timestamp() as now')
  const middle = (before + Date.now()) / 2
  const apartMs = Math.max(0, Math.abs(now.getTime() - middle) - (Date.now() - before) / 2)
  const text = `differs from the database clock by ${(apartMs / SECOND_MS).toFixed(1)} s`
  const fix = 'synchronize the clocks of both machines with NTP'
  if (apartMs > 30 * SECOND_MS) return fail('clock', text, fix)
  return apartMs > 2 * SECOND_MS ? warn('clock', text, fix) : ok('clock', text)
}

async function connections(client: pg.Client, poolSize: number): Promise<Finding> {
  const { most, used } = await one<{ most: number; used: number }>(
    client,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
  )
  const text = `${most - used} of ${most} connections are free; a process uses up to ${poolSize + OUTSIDE_POOL}`
  const fix = 'lower OVERTURE_POOL_SIZE, or raise max_connections of PostgreSQL'
  return most - used < poolSize + OUTSIDE_POOL ? warn('connections', text, fix) : ok('connections', text)
}

async function pooler(url: string): Promise<Finding> {
  await refuseTransactionPooling(url)
  return ok('pooler', 'no connection pooler in transaction mode')
}

async function migrations(client: pg.Client, missing: readonly string[]): Promise<Finding> {
  if (missing.length > 0)
    return fail('migrations', `${missing.length} ${missing.length === 1 ? 'is' : 'are'} missing: ${missing.join(', ')}`, 'overture migrate')
  const known = await migrationNames()
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  const foreign = rows.filter(({ name }) => !known.includes(name))
  const last = rows.at(-1)?.name ?? 'none'
  if (foreign.length === 0) return ok('migrations', `up to date with ${last}`)
  return warn('migrations', `the database is newer than this program: ${foreign.map(({ name }) => name).join(', ')}`, 'update Overture')
}

const ADD_PG_TRGM = 'psql "$DATABASE_URL" -c "create extension if not exists pg_trgm" -c "select create_search_indexes()"'

async function searchOfReplies(client: pg.Client): Promise<Finding> {
  const { isThere } = await one<{ isThere: boolean }>(client, `select to_regclass('replies_by_words') is not null as "isThere"`)
  if (isThere) return ok('reply search', 'uses the pg_trgm index')
  return warn('reply search', 'slow without an index: pg_trgm is missing, or the role may not use it', ADD_PG_TRGM)
}

async function secretKey(client: pg.Client, config: Config): Promise<Finding> {
  const stored = config.secretKey || (await readOwnFile(join(config.dir, 'secret.key')))
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from installation_keys')
  const fingerprint = rows[0]?.fingerprint
  if (!fingerprint) return ok('secret key', 'no service has opened the database yet')
  if (!stored) return fail('secret key', `the key ${fingerprint} is missing`, 'set OVERTURE_SECRET_KEY')
  const given = fingerprintOf(Buffer.from(stored, 'base64'))
  if (given === fingerprint) return ok('secret key', `matches (fingerprint ${fingerprint})`)
  const previous = config.previousSecretKey && fingerprintOf(Buffer.from(config.previousSecretKey, 'base64'))
  if (previous === fingerprint) return warn('secret key', 'the database still uses the previous key', 'overture secret rotate')
  const text = `the database needs the key ${fingerprint}, but the configured key is ${given}`
  return fail('secret key', text, 'set OVERTURE_SECRET_KEY to that key')
}

async function workers(client: pg.Client): Promise<Finding[]> {
  const { alive, waitingMs } = await one<{ alive: number; waitingMs: number | null }>(
    client,
    `select (select count(*)::int from (${LIVE_WORKERS}) as live) as alive,
       (select extract(epoch from now() - min(run_at)) * 1000
        from operations
        where completed_at is null and worker_id is null and run_at < now()) as "waitingMs"`,
  )
  const waitedMs = Number(waitingMs ?? 0)
  const queue = `the oldest operation has waited for ${Math.round(waitedMs / SECOND_MS)} s`
  const fix = 'overture worker'
  const living =
    alive > 0
      ? ok('workers', `${alive} running`)
      : waitedMs > 0
        ? fail('workers', 'no worker is running, and operations are waiting', fix)
        : warn('workers', 'no worker is running: nothing is sent, and operations wait', fix)
  if (waitedMs > 10 * MINUTE_MS) return [living, fail('queue', queue, `${fix}   # and read the logs of running workers`)]
  return [living, waitedMs > MINUTE_MS ? warn('queue', queue, fix) : ok('queue', waitedMs === 0 ? 'empty' : queue)]
}

const MOST_SERVERS = 20

interface Server {
  kind: 'smtp' | 'imap'
  host: string
  port: number
  secure: boolean
  mailboxes: number
}

const SERVERS = `
  select of_kind.kind, server ->> 'host' as host, (server ->> 'port')::int as port, coalesce((server ->> 'secure')::boolean, false) as secure,
    count(*)::int as mailboxes
  from providers p
  cross join lateral (values ('smtp', p.settings -> 'smtp'), ('imap', p.settings -> 'imap')) as of_kind (kind, server)
  where p.kind = 'smtp'
    and server ->> 'host' is not null
  group by 1, 2, 3, 4
  order by mailboxes desc
  limit $1`

/** The SMTP servers of mailboxes without a consent. Whether their credentials are a password is encrypted. */
const BY_PASSWORD = `
  select settings -> 'smtp' ->> 'host' as host, count(*)::int as mailboxes
  from providers
  where kind = 'smtp' and consent is null and settings -> 'smtp' ->> 'host' is not null
  group by 1`

export async function examineMicrosoft(client: Pick<pg.Client, 'query'>): Promise<Finding[]> {
  const { rows } = await client.query<{ host: string; mailboxes: number }>(BY_PASSWORD)
  const count = rows.reduce((sum, { host, mailboxes }) => sum + (isMicrosoft(host) ? mailboxes : 0), 0)
  if (count === 0) return []
  const whose = `${many(count, 'mailbox')} at Microsoft may sign in by password, because no consent is stored`
  return [warn('Microsoft sign-in', `${whose}. ${MICROSOFT_PASSWORD_NOTICE}`, 'overture mailbox add')]
}

/** Connects to the mail servers and waits for their greeting. It does not sign in. */
async function examineMailServers(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Server>(SERVERS, [MOST_SERVERS + 1])
  if (rows.length === 0) return [ok('mail servers', 'no mailbox uses a mail server')]
  const findings = await Promise.all(rows.slice(0, MOST_SERVERS).map(examineServer))
  if (rows.length > MOST_SERVERS)
    findings.push(warn('mail servers', `checked only the ${MOST_SERVERS} servers with the most mailboxes`, 'overture api providers.list'))
  return findings
}

async function examineServer({ kind, host, port, secure, mailboxes }: Server): Promise<Finding> {
  const name = `mail server ${host}:${port}`
  const whose = `${kind.toUpperCase()} of ${many(mailboxes, 'mailbox')}`
  const fix = 'overture api providers.list   # then correct or verify the mailbox'
  try {
    // The verification of the mailbox checks the certificate; this check only waits for the greeting.
    const greeting = await greetingOf({ host, port }, secure ? { rejectUnauthorized: false } : null, LIMIT_MS)
    if (/^(?:220|\* OK|\* PREAUTH)/.test(greeting)) return ok(name, `${whose}: ready`)
    return fail(name, `${whose}: unexpected greeting ${JSON.stringify(greeting.split('\r\n')[0]!.slice(0, 80))}`, fix)
  } catch (error) {
    return fail(name, `${whose}: ${explainFailure(error as Error, { host, port, security: secure ? 'tls' : 'none' })}`, fix)
  }
}

/** One line of `overture doctor`. */
interface Finding {
  name: string
  status: 'ok' | 'warn' | 'fail'
  text: string
  /** The command or the setting that fixes it; null when there is nothing to fix. */
  fix: string | null
}

const ok = (name: string, text: string): Finding => ({ name, status: 'ok', text, fix: null })
const warn = (name: string, text: string, fix: string): Finding => ({ name, status: 'warn', text, fix })
const fail = (name: string, text: string, fix: string): Finding => ({ name, status: 'fail', text, fix })

const wordOf = (error: unknown): string => {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: { message: string }[] }
  // When several addresses were tried, the error is an AggregateError without a message.
  return message || errors?.[0]?.message || code || String(error)
}

/** An error of a check is a finding, too: a check that breaks must not hide the others. */
async function look(name: string, fix: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    return [fail(name, wordOf(error), fix)]
  }
}
