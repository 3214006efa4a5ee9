import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser, serveBrowser } from '../test/browser.ts'
import { startTestPostgres } from '../test/postgres.ts'
import { writeGroups } from './test-groups.ts'

/**
 * `npm test [-- file ...]`: static checks, then every test file, on one PostgreSQL server that is started for them. `npm run test:all` is the complete
 * run: what takes long is tested too, with fresh seeds. All that
 * the tests write to the temporary folder goes into one of their own, which is removed at the end, also after an interruption.
 */
const files = process.argv.slice(2).filter(argument => argument !== '--all')
if (process.argv.includes('--all')) process.env.OVERTURE_TESTS = 'all'
const KILL_AFTER_MS = 5000
/** So many files may fail in a whole run and still get a second one. More than these are no accident. */
const MOST_UNSTEADY = 2

const children = new Set<ChildProcess>()
let interrupted = false

/** Whatever runs is a group of processes of its own, so that all of it can be ended together. */
async function run(program: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  if (interrupted) return 1
  const started = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env }, detached: true })
  children.add(started)
  const code = await new Promise<number>(resolve => {
    started.on('error', () => resolve(1))
    started.on('exit', code => resolve(code ?? 1))
  })
  children.delete(started)
  return code
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // All of them have ended.
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true
    for (const { pid } of children) {
      if (pid === undefined) continue
      endGroup(pid, 'SIGTERM')
      setTimeout(() => endGroup(pid, 'SIGKILL'), KILL_AFTER_MS).unref()
    }
  })
}

/** A test that was cut off may leave programs and servers behind. They have the folder in their environment, or work in it. */
function endThoseWithin(folder: string): void {
  if (!existsSync('/proc/self')) return
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const isOurs =
        readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`) ||
        readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`TMPDIR=${folder}`)
      if (isOurs) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
}

const CHECKS = [
  ['biome', 'check', '--error-on-warnings'],
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'console'],
] as const

/** All at once: each of them leaves a core idle for a part of its time. The console is built beside them, before several tests would each build it. */
async function check(): Promise<number> {
  for (const command of CHECKS) console.log(`> ${command.join(' ')}`)
  const codes = await Promise.all([
    ...CHECKS.map(([program, ...args]) => run(program, args)),
    run(process.execPath, ['scripts/build-console.ts']),
  ])
  return codes.find(code => code !== 0) ?? 0
}

interface Ended {
  code: number
  passed: Set<string>
  failed: string[]
}

async function testFiles(chosen: string[], concurrency: number, env: Record<string, string>): Promise<Ended> {
  const list = join(await mkdtemp(join(tmpdir(), 'ended-')), 'files')
  const reporters = ['spec', 'stdout', './scripts/ended-files.ts', list]
  const code = await run(
    process.execPath,
    [
      '--import=./test/setup.ts',
      '--test',
      `--test-concurrency=${concurrency}`,
      '--test-timeout=180000',
      ...reporters.map((value, at) => (at % 2 === 0 ? `--test-reporter=${value}` : `--test-reporter-destination=${value}`)),
      ...chosen,
    ],
    env,
  )
  const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  const named = (how: string): string[] => lines.filter(line => line.startsWith(`${how} `)).map(line => line.slice(how.length + 1))
  return { code, passed: new Set(named('passed')), failed: named('failed') }
}

async function test(): Promise<number> {
  const postgres = await startTestPostgres()
  const { isFull, seed } = await import('../test/full.ts')
  if (isFull) console.log(`> OVERTURE_TEST_SEED=${seed}`)
  const env: Record<string, string> = { OVERTURE_TEST_POSTGRES: postgres.server.url('postgres'), OVERTURE_TEST_SEED: String(seed) }
  const needsBrowser = files.length === 0 || files.some(file => file.includes('test/console/'))
  const browser = needsBrowser && (await findBrowser()) ? await serveBrowser() : null
  if (browser) env.OVERTURE_TEST_BROWSER = browser.wsEndpoint()
  try {
    if (files.length > 0) return (await testFiles(files, 3, env)).code
    const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts'], { exclude: ['**/node_modules/**'] }).sort()
    const groups = await writeGroups(all)
    // Tests wait for processes and servers for a third of their time: three at once keep two cores busy.
    const { code, passed, failed: named } = await testFiles(groups, 3, env)
    // A file that no line names has failed, too: its process ended before it, maybe without an error.
    const failed = all.filter(file => !passed.has(file))
    if (failed.length === 0) return code
    // A process that ended in the middle is named instead of a file.
    const areFiles = named.every(name => all.includes(name))
    if (failed.length > MOST_UNSTEADY || !areFiles) {
      console.log(`\n> failed, or never run: ${failed.join(', ')}`)
      return code || 1
    }
    console.log(`\n> failed beside others, run once more alone: ${failed.join(', ')}`)
    const again = await testFiles(failed, 1, env)
    if (again.code === 0)
      console.log(`\n> UNSTEADY, passed only alone: ${failed.join(', ')}. That is a defect of the test or of the product: mend it.`)
    return again.code
  } finally {
    await browser?.close()
    await postgres.stop()
  }
}

let code = files.length === 0 ? await check() : 0
if (code === 0) {
  // The name is short: a Unix socket, whose path must not be long, is made in it.
  const folder = await mkdtemp(join(tmpdir(), 'ovt-'))
  await chmod(folder, 0o755) // when root runs the tests, PostgreSQL runs as somebody else
  process.env.TMPDIR = folder
  try {
    code = await test()
  } finally {
    endThoseWithin(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
process.exit(interrupted ? 130 : code)
