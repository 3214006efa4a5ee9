import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { startTestPostgres } from '../test/postgres.ts'

/** `npm test [-- file ...]`: static checks, then every test file, on one PostgreSQL server that is started for them. */
const files = process.argv.slice(2)

async function run(program: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  return new Promise(resolve => child.on('exit', code => resolve(code ?? 1)))
}

if (files.length === 0) {
  for (const [program, ...args] of [
    ['biome', 'check', '--error-on-warnings'],
    ['tsc', '--noEmit'],
    ['tsc', '--noEmit', '-p', 'console'],
  ] as const) {
    console.log(`> ${program} ${args.join(' ')}`)
    const code = await run(program, [...args])
    if (code !== 0) process.exit(code)
  }
}

const postgres = await startTestPostgres()
const chosen = files.length > 0 ? files : globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/*/test/**/*.test.ts'])
let code = 1
try {
  code = await run(process.execPath, ['--test', '--test-concurrency=2', '--test-timeout=180000', ...chosen.sort()], {
    OVERTURE_TEST_POSTGRES: postgres.server.url('postgres'),
  })
} finally {
  await postgres.stop()
}
process.exit(code)
