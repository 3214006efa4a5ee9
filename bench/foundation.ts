import { measureAccepting } from './foundation/accepting.ts'
import { measureLatency, measureOperations } from './foundation/operations.ts'
import { measureReads } from './foundation/reads.ts'
import { seed } from './foundation/seed.ts'
import { measureWebhooks } from './foundation/webhooks.ts'
import { measureWhole } from './foundation/whole.ts'
import { describeMachine, type Line, printTable, Stage } from './lib.ts'

/**
 * The rates of the foundation, compared with what is possible: each figure is printed next to its limit, measured on the same
 * PostgreSQL in the same minute. `npm run bench -- foundation reads` measures one part alone.
 */
const PARTS = ['reads', 'accepting', 'operations', 'latency', 'webhooks', 'whole']
const chosen = process.argv.slice(2)
const unknown = chosen.filter(part => !PARTS.includes(part))
if (unknown.length > 0) {
  console.error(`There is no part "${unknown[0]}". There is: ${PARTS.join(', ')}.`)
  process.exit(2)
}
const wanted = (part: string): boolean => chosen.length === 0 || chosen.includes(part)

await Stage.run(async stage => {
  const startedAt = performance.now()
  const lines: Line[] = []
  const take = async (part: string, measure: () => Promise<Line[]>): Promise<void> => {
    if (!wanted(part)) return
    console.error(`${part} ...`)
    lines.push(...(await measure()))
  }

  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'overture'))
  const api = await stage.startApi(seeded.databaseUrl)
  await take('reads', () => measureReads(stage, api.origin, seeded))
  await take('accepting', () => measureAccepting(api.origin, seeded))
  const worker = await stage.startWorker(seeded.databaseUrl)
  await take('operations', () => measureOperations(stage, postgres, api.origin, seeded))
  await take('latency', () => measureLatency(api.origin, seeded))
  await take('webhooks', () => measureWebhooks(stage, api.origin, seeded))
  await api.stop()
  await worker.stop()
  await take('whole', () => measureWhole(stage))

  printTable(lines)
  console.log(`\n${describeMachine()}; taken in ${Math.round((performance.now() - startedAt) / 1000)} s.`)
})
