import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import NODE_FLAGS from '../scripts/node-flags.json' with { type: 'json' }
import { EmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Load, LoadResult } from './load-generator.ts'

export { type Load, type LoadResult, NODE_FLAGS }

const ROOT = join(import.meta.dirname, '..')

const END_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 20_000

/** No wait without a limit: what never comes is an error that says what it was. */
export async function within<T>(limitMs: number, what: string, awaited: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${ms(limitMs)} in vain for ${what}.`)), limitMs)
  })
  return Promise.race([awaited, limit]).finally(() => clearTimeout(timer))
}

/** Whatever a bench starts is registered here, so that it ends with the bench, however that ends. */
export class Stage {
  readonly #ends: (() => Promise<unknown> | unknown)[] = []
  readonly #dirs: string[] = []

  static async run(work: (stage: Stage) => Promise<void>): Promise<void> {
    const stage = new Stage()
    const stop = (): void => void stage.end().finally(() => process.exit(130))
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    try {
      await work(stage)
    } catch (error) {
      // Said before the rest is ended, which can take a while.
      console.error(error)
      process.exitCode = 1
    } finally {
      await stage.end()
    }
  }

  atEnd(end: () => Promise<unknown> | unknown): void {
    this.#ends.unshift(end)
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0)) {
      await within(END_LIMIT_MS, 'what the bench had started to end', Promise.resolve(end())).catch(error => console.error(error))
    }
    for (const dir of this.#dirs.splice(0)) await rm(dir, { recursive: true, force: true })
  }

  async newFolder(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'overture-bench-'))
    chmodSync(dir, 0o755) // when root runs this, PostgreSQL runs as another user
    this.#dirs.push(dir)
    return dir
  }

  /** PostgreSQL with the settings of `npm start`: every commit reaches the disk, as it does for users. */
  async startPostgres(): Promise<EmbeddedPostgres> {
    const postgres = await EmbeddedPostgres.start(join(await this.newFolder(), 'postgres'))
    this.atEnd(async () => {
      await postgres.stop()
      await postgres.remove()
    })
    return postgres
  }

  async newDatabase(postgres: EmbeddedPostgres, name: string): Promise<string> {
    await postgres.createDatabase(name)
    await migrate(postgres.url(name))
    return postgres.url(name)
  }

  /** A Node process of its own, ended with SIGTERM and awaited. Its output is shown only when it fails. */
  startNode(args: string[], env: Record<string, string> = {}): Child {
    const child = new Child(
      spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }),
    )
    this.atEnd(() => child.stop())
    return child
  }

  /** The API alone, as `npm run api` has it. */
  async startApi(databaseUrl: string): Promise<Child & { origin: string }> {
    const port = await freePort()
    const api = this.startNode([...NODE_FLAGS, 'src/main.ts', 'api'], { ...settingsOf(databaseUrl), PORT: String(port) })
    const origin = `http://127.0.0.1:${port}`
    await api.untilAnswers(`${origin}/readyz`)
    return Object.assign(api, { origin })
  }

  /** The worker alone, as `npm run worker` has it. */
  async startWorker(databaseUrl: string): Promise<Child> {
    const worker = this.startNode([...NODE_FLAGS, 'src/main.ts', 'worker'], settingsOf(databaseUrl))
    await worker.untilSays('started')
    return worker
  }
}

export const SECRET_KEY = randomBytes(32).toString('base64')

/** No limit on requests: the load generator has one token, and what is measured is not the limiter. */
const settingsOf = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  OVERTURE_SECRET_KEY: SECRET_KEY,
  OVERTURE_RATE_LIMIT: '1000000000',
  OVERTURE_MAX_OPEN_OPERATIONS: '1000000000',
  OVERTURE_ALLOW_LOCAL_TARGETS: 'true',
  NODE_ENV: 'production',
})

export class Child {
  readonly #process: ChildProcess
  #output = ''

  constructor(process: ChildProcess) {
    this.#process = process
    const keep = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk).slice(-20_000)
    }
    process.stdout?.on('data', keep)
    process.stderr?.on('data', keep)
  }

  get pid(): number {
    return this.#process.pid!
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  async untilAnswers(url: string): Promise<void> {
    await this.#until(async () => (await fetch(url).catch(() => null))?.ok === true, url)
  }

  async untilSays(text: string, limitMs?: number): Promise<void> {
    await this.#until(async () => this.#output.includes(text), JSON.stringify(text), limitMs)
  }

  async #until(holds: () => Promise<boolean>, what: string, limitMs = 60_000): Promise<void> {
    for (const giveUpAt = performance.now() + limitMs; performance.now() < giveUpAt; await sleep(5)) {
      if (await holds()) return
      if (this.hasEnded) break
    }
    throw new Error(`Waited in vain for ${what}. The process said:\n${this.#output}`)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return
    const gone = once(this.#process, 'exit')
    this.#process.kill(signal)
    await within(STOP_LIMIT_MS, `process ${this.pid} to end after ${signal}`, gone).catch(error => {
      console.error(`${error.message} It is killed. It said last:\n${this.#output.slice(-1000)}`)
      this.#process.kill('SIGKILL')
      return gone
    })
  }
}

/** A port without a listener, above the range from which outgoing connections take theirs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 61_000 + Math.floor(Math.random() * 4000)
    const server = createServer()
    const free = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

/** Runs a script of ours in a process of its own, hands it its task, and waits for what it sends back. */
export async function askScript<R>(file: string, task: object): Promise<R> {
  const child = fork(file)
  child.send(task)
  const answer = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof answer[0] !== 'object') throw new Error(`${file} ended without an answer`)
  return answer[0] as R
}

/** Makes the requests from a process of its own, each connection asking again as soon as it has its response. */
export async function generateLoad(load: Load): Promise<LoadResult> {
  const result = await askScript<LoadResult>(join(import.meta.dirname, 'load-generator.ts'), load)
  const wrong = Object.keys(result.statuses).filter(status => !/^20[024]$/.test(status))
  if (wrong.length > 0) throw new Error(`${load.method} ${load.paths[0]} answered ${JSON.stringify(result.statuses)}`)
  return result
}

/** Runs all of them in turn, several times over: what disturbs the machine for a while disturbs each of them. */
export async function alternate<K extends string>(rounds: number, sides: Record<K, () => Promise<number>>): Promise<Record<K, number>> {
  const figures = Object.fromEntries(Object.keys(sides).map(name => [name, []])) as unknown as Record<K, number[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(sides) as K[]) figures[name].push(await sides[name]())
  }
  return Object.fromEntries(Object.entries<number[]>(figures).map(([name, values]) => [name, median(values)])) as Record<K, number>
}

export const median = (values: number[]): number => percentile(values, 50)

export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]!
}

/** The memory of a process and its descendants, with what they share counted once. Linux only; null elsewhere. */
export async function proportionalMemoryMb(pids: number[]): Promise<number | null> {
  const family = await familyOf(pids)
  if (family === null) return null
  let megabytes = 0
  for (const pid of family) megabytes += await memoryMbOf(pid)
  return megabytes
}

/** Of one process, with its part of what it shares. Nothing once it has ended. */
export async function memoryMbOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024
}

const CLOCK_TICK_MS = 10

/**
 * The processor time that a process and its descendants have taken, those that have ended included. Unlike the time on the wall it
 * hardly changes when others use the machine. Linux only; null elsewhere.
 */
export async function processorMs(pids: number[]): Promise<number | null> {
  const family = await familyOf(pids)
  if (family === null) return null
  let ticks = 0
  for (const pid of family) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // From the 14th field on: in user mode, in the kernel, and both of children that have ended.
    const times = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
    for (const time of times) ticks += Number(time)
  }
  return ticks * CLOCK_TICK_MS
}

/** The processes and all their descendants. */
export async function familyOf(pids: number[]): Promise<Set<number> | null> {
  const entries = await readdir('/proc').catch(() => null)
  if (entries === null) return null
  const parents = new Map<number, number>()
  for (const entry of entries.filter(name => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    // The name of the program is in brackets and may contain anything; the parent is the second field after it.
    parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const family = new Set(pids)
  for (let grown = -1; grown !== family.size; ) {
    grown = family.size
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid)
  }
  return family
}

export interface Line {
  what: string
  figure: string
  limit?: string
  ratio?: string
  goal?: string
}

export function printTable(lines: Line[]): void {
  console.log('\n| what | Overture | limit | ratio | goal |\n|---|---:|---|---:|---:|')
  for (const { what, figure, limit = '', ratio = '', goal = '' } of lines) {
    console.log(`| ${what} | ${figure} | ${limit} | ${ratio} | ${goal} |`)
  }
}

export const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en').replaceAll(',', ' ')}/s`
export function ms(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
}

export function describeMachine(): string {
  const cores = cpus()
  return `${cores.length} cores (${cores[0]?.model.trim() || process.arch}), ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.version}`
}
