import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run bench`: the foundation. `npm run bench -- NAME [--option value]`: bench/NAME.ts with the options that follow. */
const [name = 'foundation', ...options] = process.argv.slice(2)
const file = join(import.meta.dirname, `${name}.ts`)
const INTERNAL = ['run', 'lib', 'load-generator', 'smtp-sink']

if (!/^[a-z-]+$/.test(name) || INTERNAL.includes(name) || !existsSync(file)) {
  const names = readdirSync(import.meta.dirname)
    .filter(entry => entry.endsWith('.ts'))
    .map(entry => entry.slice(0, -3))
    .filter(entry => !INTERNAL.includes(entry))
  console.error(`There is no bench "${name}". There is: ${names.sort().join(', ')}.`)
  process.exit(2)
}

// A process of its own, so that nothing of one bench (compiled code, a heap, a pool) is there when another starts.
const child = spawn(process.execPath, [file, ...options], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', code => process.exit(code ?? 1))
