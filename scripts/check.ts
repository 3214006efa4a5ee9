import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { CHECKS } from './commands.ts'

/** `npm run check`: all checks of the sources that need no running service, in parallel. Exits with 1 if one fails. */
const ROOT = join(import.meta.dirname, '..')

async function run([program, ...args]: string[]): Promise<{ isGood: boolean; output: string }> {
  // With this variable of a test runner, the nested runner of the import law would report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  // The TypeScript compiler is written in Go, and would spend a quarter of its time on garbage collection. Threads of Biome wait for each other.
  const child = spawn(program!, args, {
    cwd: ROOT,
    env: { GOGC: '400', RAYON_NUM_THREADS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  }
  return new Promise(resolve => {
    child.once('error', error => resolve({ isGood: false, output: String(error) }))
    child.once('close', code => resolve({ isGood: code === 0, output }))
  })
}

const results = await Promise.all(
  Object.entries(CHECKS).map(async ([name, command]) => {
    const { isGood, output } = await run(command)
    console.log(isGood ? `✔ check: ${name}` : `✖ check: ${name}\n${output}`)
    return isGood
  }),
)
process.exitCode = results.every(isGood => isGood) ? 0 : 1
