import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { campaignPaths, SEEDED_AT, type Seed, seed } from './foundation/seed.ts'
import { type Child, describeMachine, generateLoad, type Line, printTable, processorMs, rate, Stage } from './lib.ts'

/**
 * Scaling out: the same work by one API process and one worker, and by two of each, on one database. Each rate is printed with
 * the cost of a unit for each part, which shows the bottleneck: while the cost stays the same, only cores are missing; if it grows, the
 * processes hinder each other.
 */
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '2' }, updates: { type: 'string', default: '1000' } },
})
const DURATION_MS = Number(options.seconds) * 1000
const UPDATES = Number(options.updates)
const CONNECTIONS = 32

interface Figure {
  perSecond: number
  /** Microseconds of a processor for one unit. */
  costs: Record<string, number>
}

/** Both by the clock of the work itself: the load generators take a while to start. */
interface Done {
  units: number
  perSecond: number
}

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'scale'))
  const admin = new pg.Client({ connectionString: seeded.databaseUrl })
  await admin.connect()
  stage.atEnd(() => admin.end())
  const apis: (Child & { origin: string })[] = []
  const workers: Child[] = []
  const results: Record<string, Figure>[] = []

  const measure = async (work: () => Promise<Done>): Promise<Figure> => {
    const parts = { api: apis.map(({ pid }) => pid), worker: workers.map(({ pid }) => pid), PostgreSQL: [postgres.pid!] }
    const read = (): Promise<number[]> => Promise.all(Object.values(parts).map(async pids => (await processorMs(pids)) ?? 0))
    const before = await read()
    const { units, perSecond } = await work()
    const after = await read()
    const costs = Object.fromEntries(Object.keys(parts).map((name, index) => [name, ((after[index]! - before[index]!) * 1000) / units]))
    return { perSecond, costs }
  }

  for (const count of [1, 2]) {
    while (apis.length < count) apis.push(await stage.startApi(seeded.databaseUrl))
    while (workers.length < count) workers.push(await stage.startWorker(seeded.databaseUrl))
    const origins = apis.map(({ origin }) => origin)
    await readAll(origins, seeded, DURATION_MS / 2)
    await updateAll(admin, origins, seeded, Math.floor(UPDATES / 2))
    results.push({
      'GET campaign': await measure(() => readAll(origins, seeded, DURATION_MS)),
      'accepted and succeeded': await measure(() => updateAll(admin, origins, seeded, UPDATES)),
    })
  }

  const [one, two] = results as [Record<string, Figure>, Record<string, Figure>]
  const describe = ({ perSecond, costs }: Figure): string =>
    `${rate(perSecond)}; ${Object.entries(costs)
      .map(([name, cost]) => `${name} ${Math.round(cost)}`)
      .join(' + ')} µs`
  const lines: Line[] = Object.keys(one).map(what => ({
    what: `${what}, ${CONNECTIONS} connections`,
    figure: `two of each: ${describe(two[what]!)}`,
    limit: `one of each: ${describe(one[what]!)}`,
    ratio: (two[what]!.perSecond / one[what]!.perSecond).toFixed(2),
  }))
  const sum = ({ costs }: Figure): number => Object.values(costs).reduce((total, cost) => total + cost, 0)
  for (const what of Object.keys(one)) {
    const most = (cpus().length * 1_000_000) / sum(two[what]!)
    lines.push({
      what: `${what}: the most that ${cpus().length} cores could do at that cost, without a load generator`,
      figure: rate(most),
    })
  }
  console.log(describeMachine())
  printTable(lines)
})

/** Each process gets its part of the connections. */
async function readAll(origins: string[], { workspaceId, headers }: Seed, durationMs: number): Promise<Done> {
  const paths = campaignPaths(workspaceId)
  const results = await Promise.all(
    origins.map(origin =>
      generateLoad({
        ...{ origin, connections: CONNECTIONS / origins.length, method: 'GET', paths, durationMs },
        headers: { authorization: headers.authorization! },
      }),
    ),
  )
  return {
    units: results.reduce((sum, { statuses }) => sum + statuses['200']!, 0),
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
  }
}

/** Changes of campaigns, through all processes at once, until the last one is done. */
async function updateAll(admin: pg.Client, origins: string[], { workspaceId, headers }: Seed, count: number): Promise<Done> {
  await admin.query('truncate operations cascade')
  await admin.query('update campaigns set updated_at = $1', [SEEDED_AT])
  const paths = campaignPaths(workspaceId)
  const each = Math.floor(count / origins.length)
  await Promise.all(
    origins.map((origin, index) =>
      generateLoad({
        ...{ origin, connections: CONNECTIONS / origins.length, method: 'PATCH', withKeys: true, requests: each },
        paths: paths.slice(index * each, (index + 1) * each),
        headers: { ...headers, 'if-match': SEEDED_AT },
        body: JSON.stringify({ name: `Renamed ${performance.now()}` }),
      }),
    ),
  )
  while ((await admin.query(`select from operations where status in ('queued', 'running') limit 1`)).rowCount !== 0) await sleep(10)
  const { rows } = await admin.query(`
    select count(*)::int as units, extract(epoch from max(completed_at) - min(created_at))::float8 as seconds
    from operations
    where status = 'succeeded'`)
  return { units: rows[0].units, perSecond: rows[0].units / rows[0].seconds }
}
