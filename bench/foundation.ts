import { measureAccepting } from './foundation/accepting.ts'
import { measureLatency, measureOperations } from './foundation/operations.ts'
import { measureReads } from './foundation/reads.ts'
import { seed } from './foundation/seed.ts'
import { describeMachine, type Line, printTable, Stage } from './lib.ts'

const only = process.argv[2]
const wanted = (name: string): boolean => only === undefined || only === name

await Stage.run(async stage => {
  const startedAt = performance.now()
  const lines: Line[] = []
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'overture'))
  const api = await stage.startApi(seeded.databaseUrl)
  if (wanted('reads')) lines.push(...(await measureReads(stage, api.origin, seeded)))
  if (wanted('accepting')) lines.push(...(await measureAccepting(api.origin, seeded)))
  await stage.startWorker(seeded.databaseUrl)
  if (wanted('operations')) lines.push(...(await measureOperations(stage, postgres, api.origin, seeded)))
  if (wanted('latency')) lines.push(...(await measureLatency(api.origin, seeded)))
  printTable(lines)
  console.log(`\n${describeMachine()}; ${Math.round((performance.now() - startedAt) / 1000)} s.`)
})
