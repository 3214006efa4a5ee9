import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../cli/output.ts'
import type { PrivateService } from '../cli/shell.ts'
import { type Config, loadConfig } from '../context/config.ts'
import type { Context } from '../context/context.ts'
import { EmbeddedPostgres, FolderBusy, FolderLock } from '../db/embedded.ts'
import { listMissing, migrate, refuseUnmigrated } from '../db/migrate.ts'
import { refuseTransactionPooling, retryConnecting } from '../db/startup.ts'
import { readOwnFile, writeOwnFile } from '../lib/own-files.ts'
import { HOUR_MS } from '../lib/time.ts'
import { beginFirstBuild, buildConsole, findBuiltConsole } from './console-build.ts'
import { openInstallationKeys, rotateSecretKey, type SecretKeys } from './installation-keys.ts'

// How a process starts, from top to bottom: what it will stop at the end, the early start of PostgreSQL, the database, the secret key, the
// context, the service. This file loads little, and loads the service when PostgreSQL is starting already: that takes a second of this thread.

const SHELL_LOOK_MS = 200

/** Everything that was started, in order; stopped in reverse order. */
export class Lifetime {
  readonly #stops: { name: string; stop: () => Promise<unknown> }[] = []

  add(name: string, stop: () => Promise<unknown>): void {
    this.#stops.unshift({ name, stop })
  }

  async end(): Promise<void> {
    for (const { stop } of this.#stops.splice(0)) await stop().catch(error => console.error(error))
  }

  /** Ctrl-C reaches us from the terminal and from npm; the second signal has no effect. */
  untilSignal(): Promise<void> {
    return new Promise(resolve => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
      // When scripts/run.mjs started us, we end with it, even if it was killed and could not forward a signal.
      process.on('disconnect', () => resolve())
      // npm sends a signal only to its shell, which ends without forwarding it. scripts/run.mjs names the shell.
      const shell = process.env.OVERTURE_SHELL
      if (shell) setInterval(() => `${process.ppid}` !== shell && resolve(), SHELL_LOOK_MS).unref()
    })
  }
}

// ---- who starts ----

interface Parts {
  api: boolean
  worker: boolean
}

interface Asking {
  command: string
  /** The address of the service. A command has none, and joins the server that is running on the folder, if there is one. */
  address: string | null
  isServer: boolean
  migrates: boolean
  /** The database is deleted at the end, so it does not have to survive a power cut. */
  isPassing?: boolean
  onSpawn?: () => void
}

/** A command migrates the database, and uses it exclusively or shares it. */
export const asCommand = (command: string): Asking => ({ command, address: null, isServer: false, migrates: true })

/** The process that serves and works in one folder. */
const asServer = (config: Config, command: string, parts: Parts): Asking => ({
  command: `overture ${command}`,
  address: parts.api && config.port !== 0 ? addressOf(config) : null,
  isServer: true,
  migrates: parts.api && parts.worker,
})

/** The address at which this machine reaches the service. A service that listens at every address has no address of its own, because 0.0.0.0 cannot be opened. */
export function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const near = nearHost(host)
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`
}

export const nearHost = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

// ---- the early start ----

/** A start that has begun, while the service is still being loaded. */
export interface BegunStart {
  config: Config
  lifetime: Lifetime
  signal: Promise<void>
  database: Promise<OpenedDatabase>
  /** The first build of the console; null when there may be one already. */
  console: Promise<unknown> | null
}

/**
 * Loading the service keeps one processor busy for a second. PostgreSQL is a process of its own, and is made and started on another one in the
 * meantime; so is the build of the console. Null when nothing can begin early: for another command, or with a database elsewhere.
 */
export async function beginStart(args: readonly string[], env: NodeJS.ProcessEnv): Promise<BegunStart | null> {
  if (args.length !== 1 || args[0] !== 'start' || env.DATABASE_URL) return null
  const config = loadConfig(env)
  const lifetime = new Lifetime()
  const signal = lifetime.untilSignal()
  const spawned = Promise.withResolvers<void>()
  const database = openDatabase(config, lifetime, { ...asServer(config, 'start', { api: true, worker: true }), onSpawn: spawned.resolve })
  // Loading blocks this thread, so it begins only when PostgreSQL runs as a process of its own.
  const hasFailed = await Promise.race([spawned.promise.then(() => false), database.then(() => false).catch(() => true)])
  // Another process may use the folder, for example. Then neither the service is loaded nor its console built.
  if (hasFailed) {
    await lifetime.end()
    await database
  }
  return { config, lifetime, signal, database, console: beginFirstBuild() }
}

// ---- the database ----

interface OpenedDatabase {
  databaseUrl: string
  /** Only one process works on a folder; null on a database elsewhere. */
  lock: FolderLock | null
}

/** A migrated database: the given one, or our own. A command joins the server that is running on the folder. */
async function openDatabase(config: Config, lifetime: Lifetime, asking: Asking): Promise<OpenedDatabase> {
  if (config.databaseUrl) {
    const { databaseUrl } = config
    const mayMigrate = asking.migrates || config.migrate
    await retryConnecting(() => refuseTransactionPooling(databaseUrl))
    await retryConnecting<unknown>(() => (mayMigrate ? migrate(databaseUrl) : refuseUnmigrated(databaseUrl)))
    return { databaseUrl, lock: null }
  }
  const started = await startOwnDatabase(config, lifetime, asking)
  if (!started) return { databaseUrl: await joinRunning(config), lock: null }
  await migrate(started.databaseUrl)
  return started
}

const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Null for a command when another process works on the folder. */
async function startOwnDatabase(config: Config, lifetime: Lifetime, asking: Asking): Promise<OpenedDatabase | null> {
  const lock = await FolderLock.take(config.dir, asking.command, asking.address).catch(error => {
    if (asking.isServer || !(error instanceof FolderBusy)) throw error
    return null
  })
  if (!lock) return null
  lifetime.add('lock', async () => lock.release())
  // A server of an earlier run that still runs is stopped and started again, so that this process supervises it.
  const postgres = await EmbeddedPostgres.start(config.dir, asking.isPassing ? UNSAFE : {}, asking.onSpawn)
  if (asking.isPassing) lifetime.add('files', () => postgres.remove())
  lifetime.add('postgres', () => postgres.stop())
  await postgres.createDatabase('overture')
  return { databaseUrl: postgres.url('overture'), lock }
}

const JOIN_LIMIT_MS = 30_000

/** The server may still be starting. It updates the database automatically. */
async function joinRunning(config: Config): Promise<string> {
  const deadline = performance.now() + JOIN_LIMIT_MS
  while (performance.now() < deadline) {
    const url = await EmbeddedPostgres.findRunning(config.dir, 'overture')
    if (url && (await listMissing(url)).length === 0) return url
    await sleep(100)
  }
  throw doesNotAnswer(config)
}

const doesNotAnswer = ({ dir }: Config): Error => new Error(`Another process is using ${dir}, but its database does not respond.`)

/** For commands that use the database without migrating it. */
export async function openUnmigrated(config: Config, lifetime: Lifetime, command: string): Promise<OpenedDatabase> {
  if (config.databaseUrl) return { databaseUrl: config.databaseUrl, lock: null }
  const started = await startOwnDatabase(config, lifetime, asCommand(command))
  if (started) return started
  const running = await EmbeddedPostgres.findRunning(config.dir, 'overture')
  if (!running) throw doesNotAnswer(config)
  return { databaseUrl: running, lock: null }
}

// ---- the secret key ----

const KEY = 'secret.key'
const NEXT_KEY = 'secret.key.next'

/** Of the settings. The key of a local start is a file; while it is being replaced there are two, and either may be the one that fits. */
async function secretKeysOf(config: Pick<Config, 'secretKey' | 'previousSecretKey' | 'dir'>): Promise<SecretKeys> {
  if (config.secretKey) {
    return {
      secretKey: Buffer.from(config.secretKey, 'base64'),
      previousSecretKey: config.previousSecretKey ? Buffer.from(config.previousSecretKey, 'base64') : undefined,
    }
  }
  const file = join(config.dir, KEY)
  const known = await readOwnFile(file)
  const key = known ?? randomBytes(32).toString('base64')
  if (known === null) await writeOwnFile(file, key)
  const next = await readOwnFile(join(config.dir, NEXT_KEY))
  if (!next) return { secretKey: keyIn(file, key) }
  return { secretKey: keyIn(join(config.dir, NEXT_KEY), next), previousSecretKey: keyIn(file, key) }
}

function keyIn(file: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length === 32) return key
  throw new Error(`${file} contains no secret key (32 bytes in base64). Put your copy of the key there.`)
}

/** `overture secret rotate` */
export async function rotateSecret(config: Config, lifetime: Lifetime): Promise<string> {
  const { databaseUrl } = await openDatabase(config, lifetime, asCommand('secret rotate'))
  if (!config.secretKey) return rotateOwnKey(config.dir, databaseUrl)
  const { wasRotated, fingerprint } = await rotateSecretKey(databaseUrl, await secretKeysOf(config))
  if (!wasRotated) {
    return `The database already uses OVERTURE_SECRET_KEY (${fingerprint}). To change the key, set OVERTURE_SECRET_KEY to the new key and OVERTURE_PREVIOUS_SECRET_KEY to the old one.`
  }
  return `The database now uses OVERTURE_SECRET_KEY (${fingerprint}). OVERTURE_PREVIOUS_SECRET_KEY is no longer needed.`
}

async function rotateOwnKey(dir: string, databaseUrl: string): Promise<string> {
  const next = join(dir, NEXT_KEY)
  const present = await secretKeysOf({ dir, secretKey: '', previousSecretKey: '' })
  // An interrupted change is finished first; otherwise the key that fits could be overwritten.
  const pending = present.previousSecretKey !== undefined
  const secretKey = pending ? present.secretKey : randomBytes(32)
  const previousSecretKey = pending ? present.previousSecretKey : present.secretKey
  if (!pending) await writeOwnFile(next, secretKey.toString('base64'))
  const { fingerprint } = await rotateSecretKey(databaseUrl, { secretKey, previousSecretKey })
  await rename(next, join(dir, KEY))
  return `The database now uses a new key (${fingerprint}), stored in ${join(dir, KEY)}.`
}

// ---- the context ----

interface Opened {
  ctx: Context
  lock: FolderLock | null
}

/** The database and everything that is built on it. `begun` is a database that is being opened already. */
export async function openContext(config: Config, lifetime: Lifetime, asking: Asking, begun?: Promise<OpenedDatabase>): Promise<Opened> {
  const opening = begun ?? openDatabase(config, lifetime, asking)
  const [{ databaseUrl, lock }, { buildContext, closeContext }] = await Promise.all([opening, import('./build-context.ts')])
  const keys = await secretKeysOf(config)
  const { masterKey, isRotated } = await retryConnecting(() => openInstallationKeys(databaseUrl, keys))
  // Finishes a change of our own key that was interrupted just before its end.
  if (!config.secretKey && keys.previousSecretKey && isRotated) await rename(join(config.dir, NEXT_KEY), join(config.dir, KEY))
  const ctx = buildContext({ config, databaseUrl, secretKey: masterKey })
  lifetime.add('context', () => closeContext(ctx))
  await openClock(ctx, lifetime)
  if (!isRotated) ctx.log.warn('the database still uses the previous secret key; run: overture secret rotate')
  return { ctx, lock }
}

/** A local installation uses its test clock. Other installations have none, and a database whose clock was advanced would send at wrong times. */
async function openClock({ config, db, testClock, wake }: Context, lifetime: Lifetime): Promise<void> {
  await retryConnecting(() => testClock.read(db))
  if (config.databaseUrl && testClock.offsetMs > 0) {
    throw new Error(
      'The test clock of this database is ahead of real time, so the database cannot be used for real mail. Use a new database.',
    )
  }
  if (config.databaseUrl) return
  const stop = testClock.follow(db, wake)
  lifetime.add('clock', async () => stop())
}

// ---- the service ----

/** Runs the API, the worker or both, until a signal ends them. */
export async function startService(config: Config, lifetime: Lifetime, command: string, parts: Parts, begun: BegunStart | null = null) {
  const signal = begun?.signal ?? lifetime.untilSignal()
  const { buildApp, consoleOf, VERSION } = await import('./server.ts')
  const { Worker } = await import('./worker.ts')
  // Nothing waits for this build: a console that cannot be built must not stop the API.
  const built = parts.api ? (parts.worker ? buildConsole(begun?.console) : findBuiltConsole()) : null
  const openServer = () => openContext(config, lifetime, asServer(config, command, parts), begun?.database)
  const { ctx, lock } = await (config.databaseUrl ? openServer() : showProgress(`Starting PostgreSQL in ${config.dir}`, openServer))
  await ctx.wake.listen(ctx.db.url)

  const app = parts.api ? await buildApp(ctx) : null
  if (app) {
    const { level } = app.log
    // A local start prints its address in words, below.
    if (!config.databaseUrl && level === 'info') app.log.level = 'warn'
    await app.listen({ host: config.host, port: config.port }).catch(error => {
      if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
      throw new Error(`Port ${config.port} is in use. Choose another: PORT=8081 npm start`)
    })
    app.log.level = level
    config.port = (app.server.address() as { port: number }).port
  }
  // Links are made by the worker too, so one that runs alone assumes the address that the API would have here.
  config.baseUrl ||= addressOf(config)
  if (parts.api) await lock?.answersAt(addressOf(config))
  if (parts.worker) {
    const worker = new Worker(ctx)
    await worker.start()
    lifetime.add('worker', () => worker.stop())
  }
  if (app) lifetime.add('app', () => app.close())
  const shown = built
    ?.then(folder => consoleOf(ctx).serve(folder))
    .catch(error => ctx.log.error({ err: error }, 'the console is not served'))

  if (!config.databaseUrl) {
    const { ensureDemo } = await import('./demo/demo.ts')
    const local = await ensureDemo(ctx)
    await shown
    console.log(
      `\n  Overture ${VERSION} is running at ${config.baseUrl}\n  Sign in (once): ${local.consoleUrl}\n  API reference: ${config.baseUrl}/docs\n  Tokens and ids: ${local.file}\n\n  Press Ctrl-C to stop.\n`,
    )
  } else {
    ctx.log.info({ api: parts.api, worker: parts.worker, baseUrl: config.baseUrl }, 'started')
  }
  await signal
  console.log('\nStopping ...')
}

const PRIVATE = 'overture-private-'

/** Instances whose process was killed. A folder that is new may be about to be locked. */
async function removeLeftInstances(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PRIVATE)) continue
    const dir = join(tmpdir(), name)
    try {
      if (Date.now() - (await stat(dir)).mtimeMs < HOUR_MS) continue
      const lock = await FolderLock.take(dir, 'overture rehearse', null)
      await EmbeddedPostgres.removeLeft(dir).finally(() => lock.release())
    } catch {
      // It is in use, or belongs to another user.
    }
  }
}

/**
 * A complete Overture for one command, in its own folder and on its own port, deleted afterwards. It reads no settings from the
 * environment, so it uses no external database, language model or object store, and has only sandbox mailboxes.
 */
export async function startPrivateInstance(): Promise<PrivateService> {
  const lifetime = new Lifetime()
  const ended = lifetime.untilSignal()
  const stop = () => lifetime.end()
  try {
    await removeLeftInstances()
    const dir = await mkdtemp(join(tmpdir(), PRIVATE))
    lifetime.add('folder', () => rm(dir, { recursive: true, force: true }))
    // No timer sends anything: the code that moves the test clock runs the work, so that everything happens in order.
    const config = loadConfig({}, { dir, port: 0, logLevel: 'silent', sendsMail: false, demoPeople: 0, rateLimitPerMinute: 1_000_000 })
    const asking = { command: 'overture rehearse', address: null, isServer: true, migrates: true, isPassing: true }
    const { ctx } = await openContext(config, lifetime, asking)
    await ctx.wake.listen(ctx.db.url)
    const { Worker } = await import('./worker.ts')
    const worker = new Worker(ctx)
    await worker.start()
    lifetime.add('worker', () => worker.stop())
    const { buildApp } = await import('./server.ts')
    const app = await buildApp(ctx)
    lifetime.add('app', () => app.close())
    await app.listen({ host: config.host, port: 0 })
    config.baseUrl = `http://${config.host}:${(app.server.address() as { port: number }).port}`
    const { makeRehearsalAccount } = await import('./account-commands.ts')
    const { token, workspaceId } = await makeRehearsalAccount(ctx)
    return { url: config.baseUrl, token, workspaceId, ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
