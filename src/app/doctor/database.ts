import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectSecurely } from 'node:tls'
import pg from 'pg'
import type { Config } from '../../context/config.ts'
import { EmbeddedPostgres } from '../../db/embedded.ts'
import { listMissing, migrationNames } from '../../db/migrate.ts'
import { refuseTransactionPooling } from '../../db/startup.ts'
import { readOwnFile } from '../../lib/own-files.ts'
import { isMicrosoft, MICROSOFT_PASSWORD_NOTICE } from '../../mail/transport/oauth.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import { fingerprintOf } from '../installation-keys.ts'
import { type Finding, fail, look, ok, warn, wordOf } from './finding.ts'

const LIMIT_MS = 5000
/** A process holds a few connections beside its pool. */
const BESIDE_POOL = 4
const SECOND = 1000
const MINUTE = 60 * SECOND

/** Checks the database without changing, migrating or starting it. */
export async function examineDatabase(config: Config): Promise<Finding[]> {
  const url = config.databaseUrl || (await EmbeddedPostgres.findRunning(config.dir, 'overture').catch(() => undefined))
  if (!url) {
    const isThere = ['data', 'secret.key'].some(name => existsSync(join(config.dir, name)))
    if (isThere && (await EmbeddedPostgres.isSilent(config.dir).catch(() => false))) {
      const text = `the embedded server of ${config.dir} runs and does not answer`
      return [fail('database', text, `tail ${join(config.dir, 'postgres.log')}   # then stop overture, and start it again`)]
    }
    const text = isThere ? `the embedded server of ${config.dir} does not run` : `there is no installation in ${config.dir} yet`
    return [warn('database', text, 'overture start')]
  }
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    return [fail('database', `PostgreSQL does not answer: ${wordOf(error)}`, 'check DATABASE_URL, and that PostgreSQL runs')]
  }
  try {
    return await examineConnected(client, url, config)
  } finally {
    await client.end().catch(() => {})
  }
}

async function examineConnected(client: pg.Client, url: string, config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const add = async (name: string, mend: string, check: () => Promise<Finding | Finding[]>): Promise<void> => {
    findings.push(...(await look(name, mend, check)))
  }
  await add('database', 'take PostgreSQL 15 or later', () => version(client))
  await add('clock', 'set the clock of this machine by NTP', () => clock(client))
  await add('connections', 'lower OVERTURE_POOL_SIZE, or raise max_connections', () => connections(client, config.poolSize))
  if (config.databaseUrl) await add('pooler', 'use the address of PostgreSQL itself, or session mode', () => pooler(url))
  await add('migrations', 'use an empty database', async () => migrations(client, await listMissing(url)))
  // The next checks read tables that may not exist yet.
  if (findings.at(-1)!.status === 'fail') return findings
  await add('secret key', 'set OVERTURE_SECRET_KEY to the key of this installation', () => secretKey(client, config))
  await add('search of replies', ADD_PG_TRGM, () => searchOfReplies(client))
  await add('workers', 'overture worker', () => workers(client))
  await add('mail servers', 'overture api providers.list', () => examineMailServers(client))
  await add('sign-in at Microsoft', 'overture mailbox add', () => examineMicrosoft(client))
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
    const mend = 'use the address of the primary server, or set default_transaction_read_only to off'
    return fail('database', `PostgreSQL ${name} can only be read: it is a standby server, or is set to read only`, mend)
  }
  return number >= 150_000 ? ok('database', `PostgreSQL ${name}`) : fail('database', `PostgreSQL ${name}`, 'take PostgreSQL 15 or later')
}

async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const { now } = await one<{ now: Date }>(client, 'select clock_timestamp() as now')
  const middle = (before + Date.now()) / 2
  const apartMs = Math.max(0, Math.abs(now.getTime() - middle) - (Date.now() - before) / 2)
  const text = `differs by ${(apartMs / SECOND).toFixed(1)} s from the clock of the database`
  const mend = 'set the clocks of both machines by NTP'
  if (apartMs > 30 * SECOND) return fail('clock', text, mend)
  return apartMs > 2 * SECOND ? warn('clock', text, mend) : ok('clock', text)
}

async function connections(client: pg.Client, poolSize: number): Promise<Finding> {
  const { most, used } = await one<{ most: number; used: number }>(
    client,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`,
  )
  const text = `${most - used} of ${most} are free; a process uses up to ${poolSize + BESIDE_POOL}`
  const mend = 'lower OVERTURE_POOL_SIZE, or raise max_connections of PostgreSQL'
  return most - used < poolSize + BESIDE_POOL ? warn('connections', text, mend) : ok('connections', text)
}

async function pooler(url: string): Promise<Finding> {
  await refuseTransactionPooling(url)
  return ok('pooler', 'no connection pooler in transaction mode in between')
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

const ADD_PG_TRGM = 'psql "$DATABASE_URL" -c "create extension if not exists pg_trgm" -c "select index_replies_by_words()"'

async function searchOfReplies(client: pg.Client): Promise<Finding> {
  const { isThere } = await one<{ isThere: boolean }>(client, `select to_regclass('replies_by_words') is not null as "isThere"`)
  if (isThere) return ok('search of replies', 'uses the index of pg_trgm')
  return warn('search of replies', 'reads replies one by one: PostgreSQL has no pg_trgm, or it may not be used', ADD_PG_TRGM)
}

async function secretKey(client: pg.Client, config: Config): Promise<Finding> {
  const text = config.secretKey || (await readOwnFile(join(config.dir, 'secret.key')))
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from installation_keys')
  const fingerprint = rows[0]?.fingerprint
  if (!fingerprint) return ok('secret key', 'no service has opened the database yet')
  if (!text) return fail('secret key', `the key ${fingerprint} is missing`, 'set OVERTURE_SECRET_KEY')
  const given = fingerprintOf(Buffer.from(text, 'base64'))
  if (given === fingerprint) return ok('secret key', `matches; its fingerprint is ${fingerprint}`)
  const previous = config.previousSecretKey && fingerprintOf(Buffer.from(config.previousSecretKey, 'base64'))
  if (previous === fingerprint) return warn('secret key', 'the database is still sealed under the previous key', 'overture secret rotate')
  return fail('secret key', `the database needs the key ${fingerprint}, the one given is ${given}`, 'set OVERTURE_SECRET_KEY to that key')
}

async function workers(client: pg.Client): Promise<Finding[]> {
  const { alive, waitingMs } = await one<{ alive: number; waitingMs: number | null }>(
    client,
    `select (select count(*)::int from (${LIVE_WORKERS}) as live) as alive,
       (select extract(epoch from now() - min(run_at)) * 1000
        from operations
        where completed_at is null
          and worker_id is null
          and run_at < now()) as "waitingMs"`,
  )
  const waitedMs = Number(waitingMs ?? 0)
  const queue = `the oldest operation has waited for ${Math.round(waitedMs / SECOND)} s`
  const mend = 'overture worker'
  const living =
    alive > 0
      ? ok('workers', `${alive} alive`)
      : waitedMs > 0
        ? fail('workers', 'no worker is running, and there is work to do', mend)
        : warn('workers', 'no worker is running: nothing is sent, and no operation runs', mend)
  if (waitedMs > 10 * MINUTE) return [living, fail('queue', queue, `${mend}   # and look at the log of those that run`)]
  return [living, waitedMs > MINUTE ? warn('queue', queue, mend) : ok('queue', waitedMs === 0 ? 'nothing waits' : queue)]
}

/** Of the mail servers that are asked. */
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

/** Mailboxes at Microsoft that may sign in by password. */
export async function examineMicrosoft(client: Pick<pg.Client, 'query'>): Promise<Finding[]> {
  const { rows } = await client.query<{ host: string; mailboxes: number }>(BY_PASSWORD)
  const count = rows.reduce((sum, { host, mailboxes }) => sum + (isMicrosoft(host) ? mailboxes : 0), 0)
  if (count === 0) return []
  const whose = `${count} mailbox${count === 1 ? '' : 'es'} at Microsoft without a consent may sign in by password`
  return [warn('sign-in at Microsoft', `${whose}. ${MICROSOFT_PASSWORD_NOTICE}`, 'overture mailbox add')]
}

/** Connects to the mail servers and waits for their greeting. Nobody signs in. */
async function examineMailServers(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Server>(SERVERS, [MOST_SERVERS + 1])
  if (rows.length === 0) return [ok('mail servers', 'no mailbox has a mail server')]
  const findings = await Promise.all(rows.slice(0, MOST_SERVERS).map(examineServer))
  if (rows.length > MOST_SERVERS)
    findings.push(warn('mail servers', `only the ${MOST_SERVERS} that most mailboxes use were asked`, 'overture api providers.list'))
  return findings
}

async function examineServer({ kind, host, port, secure, mailboxes }: Server): Promise<Finding> {
  const name = `mail server ${host}:${port}`
  const whose = `${kind.toUpperCase()} of ${mailboxes} mailbox${mailboxes === 1 ? '' : 'es'}`
  const mend = 'overture api providers.list   # then correct or verify the mailbox'
  const greeting = await greetingOf(host, port, secure).catch(error => error as Error)
  if (greeting instanceof Error) return fail(name, `${whose}: ${greeting.message || (greeting as NodeJS.ErrnoException).code}`, mend)
  const isFriendly = greeting.startsWith(kind === 'smtp' ? '220' : '* OK') || greeting.startsWith('* PREAUTH')
  return isFriendly ? ok(name, `${whose}: it greets`) : fail(name, `${whose}: it says ${JSON.stringify(greeting.slice(0, 80))}`, mend)
}

/** The first line that it sends. */
function greetingOf(host: string, port: number, secure: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    // The verification of the mailbox checks the certificate; this only checks that the server answers.
    const socket = secure ? connectSecurely({ host, port, servername: host, rejectUnauthorized: false }) : connect({ host, port })
    let text = ''
    const timer = setTimeout(() => end(new Error(`no greeting in ${LIMIT_MS / 1000} s`)), LIMIT_MS)
    const end = (outcome: string | Error): void => {
      clearTimeout(timer)
      socket.destroy()
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    socket.on('data', piece => {
      text += piece.toString('latin1')
      if (text.includes('\n') || text.length > 1000) end(text.split('\r\n')[0]!)
    })
    socket.on('error', end)
    socket.on('close', () => end(new Error('it closed the connection without a greeting')))
  })
}
