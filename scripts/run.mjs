#!/usr/bin/env node
// Runs before anything is installed, on any Node of the machine: installs missing packages, then hands over to
// the Node that the project pins.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { installMissing } from './install.mjs'

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
// Overture is a package of another project, as with `npx overture`: npm has installed its packages.
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
// npm runs it at the end of an installation. Without sources or build tools, a start works without it.
if (command === 'prepare' && !(existsSync(join(root, scripts.prepare)) && existsSync(join(root, 'node_modules/node/bin/node'))))
  process.exit(0)
if (Object.hasOwn(scripts, command) && !existsSync(join(root, scripts[command]))) {
  console.error(
    `\`${command}\` works with the sources of Overture, and this is a release without them. \`overture help\` lists what it can do.`,
  )
  process.exit(2)
}
if (!isPackage && command !== 'prepare') await installMissing(root, command)
const cache = isPackage ? join(homedir(), '.cache', 'overture') : join(root, 'node_modules', '.cache', 'overture')
const env = {
  ...process.env,
  OVERTURE_CWD: userFolder(),
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? cache,
}
const isService = !rest.includes('--help') && (command === 'start' || command === 'worker' || (command === 'api' && rest.length === 0))

// A short command runs in this process if it already has the pinned version of Node.
if (isService || Object.hasOwn(scripts, command) || process.versions.node.split('.')[0] !== pinnedVersion()) runApart()
else await runHere()

/** Paths are relative to the folder of the user. npm changes to the project's folder, and tells the original one. */
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

/** npm sends a signal only to its shell, which ends without forwarding it, so we check whether the shell still exists. */
function endWithNpm(end) {
  const shell = process.ppid
  if (isRunByNpm()) setInterval(() => process.ppid !== shell && end(), 200).unref()
}

function runApart() {
  const node = isPackage
    ? join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node')
    : join(root, 'node_modules', 'node', 'bin', 'node')
  // By default, V8 collects garbage only when it is several times the live data: a worker that sends at
  // full speed took 290 MB instead of 210, and was not faster. A command has the machine to itself for a while.
  const flags = isService ? read('scripts/node-flags.json') : []
  const stripping = isPackage ? ['--disable-warning=ExperimentalWarning', '--import', join(root, 'scripts/strip-types.mjs')] : []
  const program = Object.hasOwn(scripts, command)
    ? [join(root, scripts[command]), ...rest]
    : [...flags, ...stripping, join(root, 'src/main.ts'), command, ...rest]
  const cwd = isPackage ? process.cwd() : root
  Object.assign(env, { PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` })
  // glibc gives each thread its own arena, and keeps freed memory: with two arenas and a limit, a service takes 25 MB less.
  if (isService) Object.assign(env, { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' })
  if (command === 'start') console.log('Starting Overture ...')
  // The service takes the place of this process, which would take 15 MB only to wait for it. Node 20 cannot do that.
  if (isService && process.execve) {
    process.chdir(cwd)
    process.execve(node, [node, ...program], { ...env, ...(isRunByNpm() ? { OVERTURE_SHELL: `${process.ppid}` } : {}) })
  }
  const child = spawn(node, program, {
    cwd,
    // Over the fourth, the child notices when this process ends for any reason.
    stdio: ['inherit', 'inherit', 'inherit', Object.hasOwn(scripts, command) ? 'ignore' : 'ipc'],
    env,
  })
  // At a terminal, the child gets Ctrl-C directly; a signal to this process alone is forwarded.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  endWithNpm(() => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
}
