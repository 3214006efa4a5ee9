import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cleanUp } from '../cleanups.ts'

/** `npm run faults [-- operations|exports|sending|answers ...] [--seed N] [--seconds N]`: the long versions of the kill loops. */
const LOOPS = {
  operations: 'runOperationFaults',
  exports: 'runExportFaults',
  sending: 'runSendingFaults',
  answers: 'runAnswerFaults',
} as const
type Name = keyof typeof LOOPS

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, seconds: { type: 'string', default: '120' } },
})
const asked = (positionals.length > 0 ? positionals : Object.keys(LOOPS)) as Name[]
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const seconds = Number(values.seconds)
const unknown = asked.filter(name => !(name in LOOPS))
if (unknown.length > 0 || !Number.isSafeInteger(seed) || !(seconds > 0)) {
  console.error(`usage: npm run faults [-- ${Object.keys(LOOPS).join('|')}] [--seed N] [--seconds N]`)
  process.exit(2)
}

/** One line that is written over at a terminal; elsewhere, one from time to time. */
let lastLineAt = 0
function progress(name: string, line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${name}: ${line}`)
  else if (performance.now() - lastLineAt > 10_000) {
    lastLineAt = performance.now()
    console.log(`${name}: ${line}`)
  }
}

let failures = 0
for (const name of asked) {
  const file = join(import.meta.dirname, `${name}.ts`)
  if (!existsSync(file)) {
    console.log(`${name}: there is no such loop yet`)
    continue
  }
  console.log(`${name}: seed ${seed}`)
  const log = (line: string): void => progress(name, line)
  try {
    const module = (await import(file)) as Record<string, (options: object) => Promise<unknown>>
    // Each uses the options that it knows: a time, or a number of requests and of processes to kill.
    const amount = {
      exports: Math.ceil(seconds * 2),
      kills: name === 'sending' ? Math.max(100, Math.ceil(seconds / 3)) : Math.ceil(seconds / 3),
    }
    const outcome = await module[LOOPS[name]]!({ seconds, seed, onProgress: log, log, ...amount })
    console.log(`${process.stdout.isTTY ? '\n' : ''}${name}: held. ${JSON.stringify(outcome)}`)
  } catch (error) {
    failures++
    console.error(`\n${name}: FAILED`, error)
  } finally {
    await cleanUp()
  }
}
process.exit(failures > 0 ? 1 : 0)
