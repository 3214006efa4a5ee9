import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'

/** `npm run bench`: the foundation. `npm run bench -- NAME [--option value]`: NAME.ts in bench/ or in a package's bench/, with the options that follow. */
const [name = 'foundation', ...options] = process.argv.slice(2)
const ROOT = join(import.meta.dirname, '..')
const INTERNAL = ['run', 'lib', 'load-generator', 'scoring', 'smtp-sink']
const benches = new Map(globSync(['bench/*.ts', 'packages/*/bench/*.ts'], { cwd: ROOT }).map(file => [basename(file, '.ts'), file]))
for (const internal of INTERNAL) benches.delete(internal)
const file = benches.get(name)

if (!file) {
  console.error(`There is no bench "${name}". There is: ${[...benches.keys()].sort().join(', ')}.`)
  process.exit(2)
}

// A process of its own, so that nothing of one bench (compiled code, a heap, a pool) is there when another starts.
const child = spawn(process.execPath, [join(ROOT, file), ...options], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', code => process.exit(code ?? 1))
