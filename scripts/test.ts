import { type ChildProcess, fork, spawn } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser, serveBrowser } from '../test/browser.ts'
import { databaseFolder, startTestPostgres } from '../test/postgres.ts'
import { KINDS, kindOf, LAWS } from './commands.ts'
import { processorMs, type TestResult } from './test-reporter.ts'
import { summarize } from './test-summary.ts'

/**
 * `npm test [-- file ...]`: every test file, on one PostgreSQL server that is started for them, with `npm run check` next to them. `npm run test:all` is
 * the complete run, with long tests and new seeds. `--kind` runs only some kinds. All temporary files of the tests go into
 * a folder of their own, which is removed at the end, even after an interruption.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, kind: { type: 'string', multiple: true, default: [] } },
})
if (values.all) process.env.OVERTURE_TESTS = 'all'
const { isFull, seed } = await import('../test/full.ts')

const KILL_AFTER_MS = 5000
/** No test fails because of time, but a run must end if a file never does. */
const TEST_TIMEOUT_MS = isFull ? 600_000 : 180_000
const FILE_TIMEOUT_MS = 3 * TEST_TIMEOUT_MS
/** What tests have started must have ended by then: on a busy machine, ending takes a while. */
const END_MS = TEST_TIMEOUT_MS
/** Loading the service again takes seconds. Memory that many files do not free also costs time. */
const FILES_OF_A_PROCESS = 100
/** Tests wait for processes and servers part of the time, so two per core keep it busy. With three, loading costs more than the waiting. */
const SLOTS = Math.max(2, Math.min(8, 2 * availableParallelism()))
/** Above the range from which the system draws ports for outgoing connections, so that a restart finds its port free again. */
const FIRST_PORT = 61_000
const PORTS_OF_A_SLOT = 50
const CHDB = 'node_modules/.cache/chdb'

const children = new Set<ChildProcess>()
let interrupted = false
const problems: string[] = []

/** Each run is a process group of its own, so that all of it can be ended together. */
function run(program: string, args: string[]): Promise<number> {
  if (interrupted) return Promise.resolve(1)
  const child = spawn(program, args, { stdio: 'inherit', detached: true })
  children.add(child)
  return new Promise(resolve => {
    child.once('error', () => resolve(1))
    child.once('exit', code => {
      children.delete(child)
      resolve(code ?? 1)
    })
  })
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // All of them have ended.
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true
    for (const child of children) {
      endGroup(child, 'SIGTERM')
      setTimeout(() => endGroup(child, 'SIGKILL'), KILL_AFTER_MS).unref()
    }
  })
}

/** An interrupted test may leave processes. They have the folder in their environment, or work in it. */
function endThoseWithin(folder: string): void {
  if (!existsSync('/proc/self')) return
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const isOurs =
        readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`) ||
        readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`TMPDIR=${folder}`)
      if (isOurs) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}

/** Ports that no other test run on this machine uses: the first of them is held during this run. */
async function reservePorts(): Promise<{ first: number; server: Server }> {
  const count = PORTS_OF_A_SLOT * SLOTS + 1
  for (let first = FIRST_PORT; first + count < 65_536; first += count) {
    const server = createServer().unref()
    const isOurs = await new Promise<boolean>(resolve => {
      server.once('error', () => resolve(false))
      server.listen(first, '127.0.0.1', () => resolve(true))
    })
    if (isOurs) return { first, server }
  }
  throw new Error('Every block of ports is in use by another run of tests.')
}

const findFiles = (): string[] =>
  globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts'], { exclude: path => path.includes('node_modules') })

/** Tests of limits wait until these are over, however short their text is. */
const WAITS = /^process\.env\.OVERTURE_TEST_PATIENCE = '1'$/m

/** Files that read briefs or replies themselves. */
const READS_WORDS = /(?:brief|reply)-reader/

/** The files that still have to run, the longest first, so that no core is idle at the end. */
class Queue {
  readonly #files: Map<string, string[]>
  readonly #isBuilt: Promise<unknown>
  #mayShowConsole = false

  constructor(files: string[], isBuilt: Promise<unknown>) {
    const textOf = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))
    const lengthOf = new Map(files.map(file => [file, statSync(file).size + (WAITS.test(textOf.get(file)!) ? 1e6 : 0)]))
    this.#files = Map.groupBy(
      files.toSorted((a, b) => lengthOf.get(b)! - lengthOf.get(a)!),
      file => (READS_WORDS.test(textOf.get(file)!) ? 'packages' : kindOf(file)),
    )
    this.#isBuilt = isBuilt.then(() => {
      this.#mayShowConsole = true
    })
  }

  /**
   * While the console is being built, files that do not use it run. The first process begins with the packages and other readers of text: to
   * load their words and to compile their patterns takes seconds in each process.
   */
  async take(slot: number): Promise<string | null> {
    const next = (): string | undefined => {
      const others = this.#mayShowConsole ? KINDS : ['unit']
      const kind = (slot === 0 ? ['packages', ...others] : others).find(kind => this.#files.get(kind)?.length)
      return kind && this.#files.get(kind)!.shift()
    }
    const file = next()
    if (file !== undefined) return file
    await this.#isBuilt
    return next() ?? null
  }
}

/** A process that runs files until there are none, or until it has run enough of them. */
async function runProcess(queue: Queue, slot: number, first: string, env: Record<string, string>, results: string): Promise<void> {
  const flags = ['--import=./test/setup.ts', `--test-timeout=${TEST_TIMEOUT_MS}`, '--test-reporter=./scripts/test-reporter.ts']
  const child = fork('test/worker.ts', {
    execArgv: [...flags, `--test-reporter-destination=${results}`],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  children.add(child)
  let current: string | null = first
  let count = 0
  let timer: NodeJS.Timeout | undefined
  const killLater = (ms: number, why: string): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      problems.push(why)
      endGroup(child, 'SIGKILL')
    }, ms)
  }
  child.on('message', async () => {
    current = count === 0 ? first : count < FILES_OF_A_PROCESS && !interrupted ? await queue.take(slot) : null
    count++
    if (current === null) killLater(END_MS, 'a process did not end after its last file: something that a test had started kept it')
    else killLater(FILE_TIMEOUT_MS, `${current} did not end`)
    if (child.connected) child.send(current ?? 'end')
  })
  const end = await new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
  })
  clearTimeout(timer)
  children.delete(child)
  if (current !== null) problems.push(`${current} ended its process: ${end}`)
}

/** ClickHouse as a library of half a gigabyte, which only the complete run tests against. Without it, those tests are skipped. */
async function findClickHouse(): Promise<Record<string, string>> {
  const packages = ['chdb@3.4.0', '@clickhouse/client@1.23.1']
  const isThere = () => existsSync(join(CHDB, 'node_modules/chdb'))
  if (!isThere()) await run('npm', ['install', '--prefix', CHDB, '--no-save', '--loglevel=error', ...packages])
  return isThere() ? { OVERTURE_CHDB: CHDB, NODE_PATH: join(CHDB, 'node_modules') } : {}
}

/** The shared setup of the tests, and its processor time, which is known when it has ended. */
const shared: Record<string, number> = {}

async function endShared(name: string, end: () => Promise<void>): Promise<void> {
  const before = processorMs()
  await end()
  const after = processorMs()
  if (before !== null && after !== null) shared[name] = after - before
}

/** Everything that a test loads. The first process compiles it, and the others find it in the cache. */
const LOADED = [
  'test/harness.ts',
  'src/app/boot.ts',
  'src/app/server-commands.ts',
  'src/app/worker.ts',
  'src/app/demo/demo.ts',
  'src/cli/commands.ts',
]

function fillCache(): Promise<number> {
  const loading = LOADED.map(file => `await import(${JSON.stringify(resolve(file))})`).join('\n')
  return run(process.execPath, ['--input-type=module', '--eval', `${loading}\nprocess.exit()`])
}

async function test(files: string[], isBuilt: Promise<unknown>): Promise<TestResult[]> {
  const [postgres, ports, browser, clickHouse] = await Promise.all([
    startTestPostgres(databases),
    reservePorts(),
    files.some(file => kindOf(file) === 'console') ? findBrowser().then(found => (found === null ? null : serveBrowser())) : null,
    isFull && files.some(file => file.includes('clickhouse')) ? findClickHouse() : {},
    files.length > SLOTS ? fillCache() : 0,
  ])
  const folder = await mkdtemp(join(tmpdir(), 'results-'))
  const queue = new Queue(files, isBuilt)
  let processes = 0
  try {
    await Promise.all(
      Array.from({ length: Math.min(SLOTS, files.length) }, async (_, slot) => {
        const env: Record<string, string> = {
          OVERTURE_TEST_POSTGRES: postgres.server.url('postgres'),
          OVERTURE_TEST_SEED: String(seed),
          ...clickHouse,
          OVERTURE_TEST_PORTS: String(ports.first + 1 + slot * PORTS_OF_A_SLOT),
          ...(browser && { OVERTURE_TEST_BROWSER: browser.wsEndpoint() }),
          ...(positionals.length > 0 && { OVERTURE_TEST_SHOWS: 'all' }),
        }
        for (let file = await queue.take(slot); file !== null && !interrupted; file = await queue.take(slot))
          await runProcess(queue, slot, file, env, join(folder, String(processes++)))
      }),
    )
  } finally {
    ports.server.close()
    if (browser) await endShared('browser', () => browser.close())
    await endShared('PostgreSQL', () => postgres.stop())
  }
  const lines = readdirSync(folder).flatMap(name => readFileSync(join(folder, name), 'utf8').split('\n'))
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as TestResult)
}

function chooseFiles(): string[] {
  if (positionals.length > 0) {
    const chosen = globSync(positionals).map(file => relative('.', file))
    if (chosen.length === 0) throw new Error(`There is no ${positionals.join(', ')}.`)
    return chosen
  }
  const unknown = values.kind.filter(kind => !KINDS.includes(kind))
  if (unknown.length > 0) throw new Error(`There is no kind ${unknown.join(', ')}: there are ${KINDS.join(', ')}.`)
  return findFiles().filter(file => (isWhole ? !LAWS.includes(file) : values.kind.includes(kindOf(file))))
}

const isWhole = positionals.length === 0 && values.kind.length === 0
const files = chooseFiles()
// The name is short, because the path of a Unix socket in it must not be long.
const folder = await mkdtemp(join(tmpdir(), 'ovt-'))
await chmod(folder, 0o755) // when root runs the tests, PostgreSQL runs as another user
process.env.TMPDIR = folder
const databases = await mkdtemp(join(await databaseFolder(), 'ovt-'))
await chmod(databases, 0o755)
if (isFull) console.log(`> seed ${seed}`)
const started = performance.now()
let code = 1
try {
  const isBuilt = positionals.length > 0 ? Promise.resolve() : run(process.execPath, ['scripts/build-console.ts'])
  const [results, checked] = await Promise.all([test(files, isBuilt), isWhole ? run(process.execPath, ['scripts/check.ts']) : 0])
  if (checked !== 0) problems.push('`npm run check` found something')
  const ended = new Set(results.filter(({ path }) => path.length === 0).map(({ file }) => file))
  if (interrupted) problems.push('the run was interrupted')
  else problems.push(...files.filter(file => !ended.has(file)).map(file => `${file} was not run to its end`))
  console.log(summarize(results, { wallMs: performance.now() - started, problems, shared, seed, isFull }))
  code = problems.length > 0 || results.some(({ outcome }) => outcome === 'failed') ? 1 : 0
} finally {
  endThoseWithin(folder)
  for (const made of [folder, databases]) await rm(made, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(interrupted ? 130 : code)
