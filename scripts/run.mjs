#!/usr/bin/env node
// Runs before anything is installed, on whatever Node the machine has: installs what is missing, then hands over to
// the Node that the project pins.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { installMissing } from './install.mjs'

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
// Somebody else's project has us among its packages, as `npx overture` does: npm has installed what we need.
const isPackage = /[\\/]node_modules[\\/]/.test(root)

const read = file => JSON.parse(readFileSync(join(root, file), 'utf8'))

const [command = 'start', ...rest] = process.argv.slice(2)
// Commands that work with the sources and are not part of the service.
const scripts = {
  test: 'scripts/test.ts',
  check: 'scripts/check.ts',
  build: 'scripts/build-console.ts',
  dev: 'scripts/dev.ts',
  prepare: 'scripts/prepare.ts',
}
// npm runs it at the end of an installation. Where there is nothing to build, or nothing to build it with, a start manages without.
if (command === 'prepare' && !(existsSync(join(root, scripts.prepare)) && existsSync(join(root, 'node_modules/node/bin/node'))))
  process.exit(0)
if (Object.hasOwn(scripts, command) && !existsSync(join(root, scripts[command]))) {
  console.error(
    `\`${command}\` works with the sources of Overture, and this is a release without them. \`overture help\` lists what it can do.`,
  )
  process.exit(2)
}
if (!isPackage && command !== 'prepare') installMissing(root, command)
const cache = isPackage ? join(homedir(), '.cache', 'overture') : join(root, 'node_modules', '.cache', 'overture')
const env = {
  ...process.env,
  OVERTURE_CWD: userFolder(),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? cache,
}
const isService = !rest.includes('--help') && (command === 'start' || command === 'worker' || (command === 'api' && rest.length === 0))

// A command that is over soon does not wait for a second process, where this one is of the version that the project pins.
if (isService || Object.hasOwn(scripts, command) || process.versions.node.split('.')[0] !== pinnedVersion()) runApart()
else await runHere()

/** Files are named from where the user stands. npm has left that folder for the project's, and says which it was. */
function userFolder() {
  return (isRunByNpm() && process.env.INIT_CWD) || process.cwd()
}

function isRunByNpm() {
  return process.env.npm_lifecycle_script?.includes('scripts/run.mjs') ?? false
}

function pinnedVersion() {
  return read('package.json').dependencies.node.split('.')[0]
}

async function runHere() {
  module.enableCompileCache?.(env.NODE_COMPILE_CACHE)
  Object.assign(process.env, { OVERTURE_CWD: env.OVERTURE_CWD, NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE })
  if (isPackage) {
    const warn = process.emitWarning
    process.emitWarning = (warning, ...more) => (more[0] === 'ExperimentalWarning' ? undefined : warn.call(process, warning, ...more))
    await import('./strip-types.mjs')
  } else process.chdir(root)
  endWithNpm(() => process.kill(process.pid, 'SIGTERM'))
  process.argv = [process.argv[0], join(root, 'src/main.ts'), command, ...rest]
  await import('../src/main.ts')
}

/** npm hands a signal to the shell that it has started us in. The shell dies of it and tells nobody, so we look whether it is there. */
function endWithNpm(end) {
  const shell = process.ppid
  if (isRunByNpm()) setInterval(() => process.ppid !== shell && end(), 200).unref()
}

function runApart() {
  const node = isPackage
    ? join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
    : join(root, 'node_modules', 'node', 'bin', 'node')
  // Left to itself, V8 lets rubbish pile up to several times of what is alive before it clears it away: a worker that sends at
  // full speed took 290 MB instead of 210, and was no faster for it. A command has the machine to itself for a while.
  const flags = isService ? read('scripts/node-flags.json') : []
  const stripping = isPackage ? ['--disable-warning=ExperimentalWarning', '--import', join(root, 'scripts/strip-types.mjs')] : []
  const program = Object.hasOwn(scripts, command)
    ? [join(root, scripts[command]), ...rest]
    : [...flags, ...stripping, join(root, 'src/main.ts'), command, ...rest]
  const child = spawn(node, program, {
    cwd: isPackage ? process.cwd() : root,
    // Over the fourth the child notices when this process is gone, however that came.
    stdio: ['inherit', 'inherit', 'inherit', Object.hasOwn(scripts, command) ? 'ignore' : 'ipc'],
    // glibc gives each thread an area of its own to allocate from, and keeps what it frees: with two areas, a service takes 25 MB less.
    env: { ...(isService ? { MALLOC_ARENA_MAX: '2' } : {}), ...env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
  })
  // Before anything is in the cache of compiled code, loading the service takes seconds in which it cannot say so itself.
  if (command === 'start') {
    console.log('Starting Overture ...')
    const startedMs = Date.now()
    const timer = setInterval(() => console.log(`  loading: ${Math.round((Date.now() - startedMs) / 1000)} s`), 1500)
    child.once('message', () => clearInterval(timer))
    child.once('exit', () => clearInterval(timer))
  }
  // At a terminal the child gets Ctrl-C by itself; sent to this process alone, a signal is handed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  endWithNpm(() => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
}
