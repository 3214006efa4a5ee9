import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignId, campaignPaths, seed } from './foundation/seed.ts'
import type { Senders, Sent } from './import-senders.ts'
import { describeMachine, generateLoad, type Line, ms, printTable, proportionalMemoryMb, Stage, within } from './lib.ts'

/**
 * The effect of ten large imports at once on other requests: the latency of a small read with them and without them, and
 * the memory that they take. The memory is measured separately, because measuring takes processor time, too.
 */
const IMPORTS = 10
const BYTES = 20 * 1024 * 1024 - 1024
const LEADS = 5000
const READERS = 4
const SECONDS = 5

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'imports'))
  const { workspaceId, headers } = seeded
  const api = await stage.startApi(seeded.databaseUrl)
  await stage.startWorker(seeded.databaseUrl)
  const read = {
    origin: api.origin,
    connections: READERS,
    method: 'GET',
    paths: campaignPaths(workspaceId),
    headers: { authorization: headers.authorization! },
    warmUpMs: 500,
    durationMs: SECONDS * 1000,
  } as const
  await generateLoad(read)
  const collections = [await fullCollections(api.origin)]
  const usual = await generateLoad(read)
  collections.push(await fullCollections(api.origin))
  const before = await proportionalMemoryMb([api.pid])

  const paths = Array.from({ length: IMPORTS }, (_, n) => `/v1/workspaces/${workspaceId}/campaigns/${campaignId(n + 1)}/leads/import`)
  const end = await startSenders(stage, { origin: api.origin, paths, headers, bytes: BYTES, leads: LEADS })
  const beside = await generateLoad(read)
  collections.push(await fullCollections(api.origin))

  let isOver = false
  let peakMb = 0
  const watching = (async () => {
    for (; !isOver; await sleep(50)) peakMb = Math.max(peakMb, (await proportionalMemoryMb([api.pid])) ?? 0)
  })()
  await generateLoad(read)
  isOver = true
  const { accepted, refused } = await end()
  await watching

  const lines: Line[] = [
    {
      what: `p99 of GET campaign, ${READERS} connections, beside ${IMPORTS} imports of 20 MiB`,
      figure: ms(beside.p99Ms),
      limit: `${ms(usual.p99Ms)} without them`,
      ratio: (beside.p99Ms / usual.p99Ms).toFixed(1),
      goal: 'at most 3',
    },
    { what: 'the same, p50', figure: ms(beside.p50Ms), limit: ms(usual.p50Ms), ratio: (beside.p50Ms / usual.p50Ms).toFixed(1) },
    {
      what: `collections of the whole heap in ${SECONDS} seconds`,
      figure: String(collections[2]! - collections[1]!),
      limit: String(collections[1]! - collections[0]!),
    },
    { what: 'memory of the API', figure: `${Math.round(peakMb)} MB at most`, limit: `${Math.round(before ?? 0)} MB before` },
    { what: `imports in ${2 * SECONDS} seconds`, figure: `${accepted} accepted, ${refused} told to come back` },
  ]
  console.log(describeMachine())
  printTable(lines)
})

/** Unlike the latency, it does not depend on what else the machine does. */
async function fullCollections(origin: string): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^overture_nodejs_gc_duration_seconds_count\{kind="major"\} (\d+)/m.exec(metrics)?.[1] ?? 0)
}

/** Returns what ends them, once each is sending. */
async function startSenders(stage: Stage, senders: Senders): Promise<() => Promise<Sent>> {
  const child = fork(join(import.meta.dirname, 'import-senders.ts'))
  stage.atEnd(() => child.kill())
  child.send(senders)
  await within(30_000, 'the senders to begin', once(child, 'message'))
  return async () => {
    child.send('over')
    const [sent] = await within(60_000, 'the last imports to be answered', once(child, 'message'))
    return sent as Sent
  }
}
