import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanups } from '../cleanups.ts'

export const ROOT = join(import.meta.dirname, '../..')

/** The folder in which `npm start` keeps compiled code, too: starting takes a fraction of the time. */
export const CACHE = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'overture') }

/** The patience of this process, for one that it starts. */
export const patience = (): Record<string, string> => {
  const { OVERTURE_TEST_PATIENCE } = process.env
  return OVERTURE_TEST_PATIENCE === undefined ? {} : { OVERTURE_TEST_PATIENCE }
}

/** A program that a test started, with everything it has said. */
export class Program {
  readonly #child: ChildProcess
  readonly exited: Promise<number | null>
  output = ''
  #listeners = new Set<() => void>()
  #isOver = false

  /** With a group of its own, signals go to all of it, as from a terminal. */
  readonly #isGroup: boolean

  constructor(command: string, args: string[], env: Record<string, string>, options: { group?: boolean } = {}) {
    this.#isGroup = options.group ?? false
    const inherited = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(OVERTURE_|DATABASE_URL|PORT|HOST|NODE_TEST)/.test(name)),
    )
    this.#child = spawn(command, args, {
      cwd: ROOT,
      env: { ...inherited, ...CACHE, ...patience(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: this.#isGroup,
    })
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', text => {
        this.output += text
        for (const listener of this.#listeners) listener()
      })
    }
    this.exited = new Promise(resolve => {
      this.#child.once('close', code => {
        this.#isOver = true
        resolve(code)
        for (const listener of this.#listeners) listener()
      })
    })
  }

  get pid(): number {
    return this.#child.pid!
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Resolves when it has said this; rejects when it ends without. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
    const look = (): void => {
      const match = pattern.exec(this.output)
      if (match) resolve(match)
      else if (this.#isOver) reject(new Error(`it ended without saying ${pattern}:\n${this.output}`))
    }
    this.#listeners.add(look)
    look()
    try {
      return await promise
    } finally {
      this.#listeners.delete(look)
    }
  }

  /** Sends the signal and waits until the process is gone. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (!this.#isOver) tryKill(this.#isGroup ? -this.pid : this.pid, signal)
    return this.exited
  }
}

/** Ends leftover processes of a program with the test file. */
function remember(program: Program): Program {
  cleanups.push(async () => {
    await program.end('SIGKILL')
  })
  return program
}

/** `overture <command>`, run by the same Node as the test. */
export const overture = (args: string[], env: Record<string, string>): Program =>
  remember(new Program(process.execPath, ['src/main.ts', ...args], { OVERTURE_LOG_LEVEL: 'warn', ...env }))

/** A service that has started on a port that the system chose, with `DATABASE_URL`. */
export async function serve(
  command: 'api' | 'start',
  env: Record<string, string>,
  onSpawn: (program: Program) => void = () => {},
): Promise<{ program: Program; base: string }> {
  const program = overture([command], { OVERTURE_LOG_LEVEL: 'info', ...env, PORT: '0' })
  onSpawn(program)
  const [, base] = await program.says(/"baseUrl":"([^"]+)","msg":"started"/)
  return { program, base: base! }
}

export const npm = (args: string[], env: Record<string, string>): Program =>
  remember(new Program('npm', args, { OVERTURE_LOG_LEVEL: 'warn', ...env }, { group: true }))

export const script = (file: string, env: Record<string, string>): Program => remember(new Program(process.execPath, [file], env))

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-start-'))
  cleanups.push(() => removeFolder(folder))
  return folder
}

async function removeFolder(folder: string): Promise<void> {
  for (const pid of await postgresProcesses(folder)) tryKill(pid, 'SIGKILL')
  for (const place of await placesOf(folder)) await rm(place, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** The folder, and where an embedded server moved to when root may enter the folder and PostgreSQL may not. */
export async function placesOf(folder: string): Promise<string[]> {
  try {
    return [folder, readFileSync(join(folder, 'moved-to'), 'utf8').trim()]
  } catch {
    return [folder]
  }
}

/** Processes of PostgreSQL that work in the data folder of this embedded server. */
export async function postgresProcesses(folder: string): Promise<number[]> {
  const data = (await placesOf(folder)).map(place => join(place, 'data'))
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  return pids.filter(pid => {
    try {
      return data.includes(readlinkSync(`/proc/${pid}/cwd`)) && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    } catch {
      return false
    }
  })
}

/** The postmaster: the one whose children the others are. */
export async function postmasterOf(folder: string): Promise<number> {
  for (const place of await placesOf(folder)) {
    try {
      return Number(readFileSync(join(place, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
    } catch {
      // not there
    }
  }
  throw new Error(`no PostgreSQL runs in ${folder}`)
}

export function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It is gone already.
  }
}

/** The runner gives every process ports that no other one uses. They are above the range from which the system draws ports for outgoing connections. */
const firstPort = Number(process.env.OVERTURE_TEST_PORTS ?? 61_000 + (process.pid % 80) * 50)
let turn = 0

/** A port for a program that is started again on it, or for none. Where any port will do, the system chooses it: see `serve`. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (turn++ % 50)
    const free = await new Promise<boolean>(resolve => {
      const server = createServer()
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (free) return port
  }
}
