#!/usr/bin/env node
// Runs before anything is installed, on whatever Node the machine has: installs what is missing, then hands over to
// the Node that the project pins.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installMissing } from './install.mjs'

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const node = join(root, 'node_modules', 'node', 'bin', 'node')

const read = file => JSON.parse(readFileSync(join(root, file), 'utf8'))

const [command = 'start', ...rest] = process.argv.slice(2)
installMissing(root, command)
// Left to itself, V8 lets rubbish pile up to several times of what is alive before it clears it away: a worker that sends at
// full speed took 290 MB instead of 210, and was no faster for it. A command has the machine to itself for a while.
const flags = ['start', 'api', 'worker'].includes(command) ? read('scripts/node-flags.json') : []
// What is not the service itself, but done with its sources.
const scripts = { test: 'scripts/test.ts', build: 'scripts/build-console.ts', dev: 'scripts/dev.ts' }
const program = Object.hasOwn(scripts, command) ? [scripts[command], ...rest] : [...flags, 'src/main.ts', command, ...rest]
// Files are named from where the user stands. npm has left that folder for the project's, and says which it was.
const isRunByNpm = process.env.npm_lifecycle_script?.includes('scripts/run.mjs') ?? false
const child = spawn(node, program, {
  cwd: root,
  // Over the fourth the child notices when this process is gone, however that came.
  stdio: ['inherit', 'inherit', 'inherit', Object.hasOwn(scripts, command) ? 'ignore' : 'ipc'],
  env: {
    ...process.env,
    OVERTURE_CWD: (isRunByNpm && process.env.INIT_CWD) || process.cwd(),
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'overture'),
  },
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
// npm hands a signal to the shell that it has started us in. The shell dies of it and tells nobody, so we look whether it is there.
const shell = process.ppid
if (isRunByNpm) {
  setInterval(() => process.ppid !== shell && child.kill('SIGTERM'), 200).unref()
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
