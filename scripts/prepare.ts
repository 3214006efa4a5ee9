import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The end of every installation (npm's `prepare`): builds the console and fills the cache of compiled code, for which
 * the first start would otherwise wait. A start can still do both itself, so an installation does not fail if this fails.
 */
const root = join(import.meta.dirname, '..')
/** The modules that a start loads. The cache keeps code for the flags that it was compiled with. */
const LOADED = [
  'src/cli/command.ts',
  'src/cli/output.ts',
  'src/app/boot.ts',
  'src/app/server-commands.ts',
  'src/app/build-context.ts',
  'src/app/server.ts',
  'src/app/worker.ts',
  'src/app/demo/demo.ts',
]
/** Outside a thread they are compiled and then fail. A file that a start compiles itself costs each of its threads 8 to 13 MB for the compiler. */
const THREADS = globSync('src/**/*-thread.ts', { cwd: root })
const loading = [
  ...LOADED.map(file => `await import(${JSON.stringify(join(root, file))})`),
  ...THREADS.map(file => `await import(${JSON.stringify(join(root, file))}).catch(() => {})`),
  // The command line, which prints its version and ends the process.
  `await import(${JSON.stringify(join(root, 'src/main.ts'))})`,
].join('\n')
const flags = JSON.parse(readFileSync(join(import.meta.dirname, 'node-flags.json'), 'utf8')) as string[]

function run(args: string[], output: 'inherit' | 'ignore'): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', output, 'inherit'] })
  return new Promise(resolve => child.on('exit', () => resolve()).on('error', () => resolve()))
}

await Promise.all([
  run([join(import.meta.dirname, 'build-console.ts')], 'inherit'),
  run([...flags, '--input-type=module', '--eval', loading, '--', 'src/main.ts', '--version'], 'ignore'),
])
