import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request } from 'undici'
import { INSERT_EVENTS } from './foundation/insert-events.ts'
import { startBareRoute } from './foundation/reads.ts'
import { campaignPaths, SEEDED_AT, type Seed, seed } from './foundation/seed.ts'
import { describeMachine, freePort, generateLoad, type Line, printTable, processorMs, Stage } from './lib.ts'

/**
 * The cost of one unit of work, in processor time of each part. Use it instead of rates to compare two builds: other work on the machine
 * does not change it. `npm run bench -- cost reads updates webhooks accepting` measures the parts that are named, or all.
 */
const READS = 12_000
const UPDATES = 2000
const ROUNDS = 2
const EVENTS = 2000
const ENDPOINTS = 4

const chosen = process.argv.slice(2)
const wanted = (part: string): boolean => chosen.length === 0 || chosen.includes(part)

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'cost'))
  const admin = new pg.Client({ connectionString: seeded.databaseUrl })
  await admin.connect()
  stage.atEnd(() => admin.end())
  const api = await stage.startApi(seeded.databaseUrl)
  const parts: Record<string, number> = { api: api.pid, PostgreSQL: postgres.pid! }
  const lines: Line[] = []
  const load = { origin: api.origin, connections: 32, headers: { authorization: seeded.headers.authorization! } }
  const take = async (what: string, units: number, work: (units: number) => Promise<void>, warmUp = units / 3): Promise<void> => {
    if (!wanted(what)) return
    await work(Math.floor(warmUp))
    const before = await readAll(parts)
    const startedAt = performance.now()
    await work(units)
    const seconds = (performance.now() - startedAt) / 1000
    const after = await readAll(parts)
    const costs = Object.keys(parts).map((name, index) => `${name} ${Math.round(((after[index]! - before[index]!) * 1000) / units)}`)
    lines.push({ what, figure: `${costs.join(' + ')} µs`, limit: `${Math.round(units / seconds)}/s beside other work` })
  }

  const reads = { ...load, method: 'GET', paths: campaignPaths(seeded.workspaceId) } as const
  await take('reads', READS, async requests => {
    await generateLoad({ ...reads, requests })
  })
  if (wanted('reads')) {
    const bare = await startBareRoute(stage, seeded)
    parts.api = bare.pid
    await take('reads', READS, async requests => {
      await generateLoad({ ...reads, origin: bare.origin, requests })
    })
    lines.at(-1)!.what = 'a bare Fastify route with one `pg` select'
    parts.api = api.pid
    await bare.stop()
  }
  await take('accepting', UPDATES * 2, async requests => {
    const { lsn } = (await admin.query('select pg_current_wal_lsn() as lsn')).rows[0]
    const paths = campaignPaths(seeded.workspaceId, '/duplicate')
    const body = JSON.stringify({ name: 'A copy' })
    await generateLoad({ ...load, headers: seeded.headers, method: 'POST', paths, body, withKeys: true, requests })
    const { bytes } = (await admin.query('select pg_wal_lsn_diff(pg_current_wal_lsn(), $1)::int as bytes', [lsn])).rows[0]
    console.error(`accepting: ${Math.round(bytes / requests)} bytes of WAL for each`)
    await admin.query('truncate operations cascade')
  })
  parts.worker = (await stage.startWorker(seeded.databaseUrl)).pid
  await take(
    'updates',
    UPDATES * ROUNDS,
    async units => {
      for (let round = 0; round < units / UPDATES; round++) await updateAll(admin, api.origin, seeded)
    },
    UPDATES,
  )
  if (wanted('webhooks')) await addEndpoints(stage, api.origin, seeded)
  await take('webhooks', EVENTS * ENDPOINTS, units => deliver(admin, seeded.workspaceId, units / ENDPOINTS))
  console.log(describeMachine())
  printTable(lines)
})

function readAll(parts: Record<string, number>): Promise<number[]> {
  return Promise.all(Object.values(parts).map(async pid => (await processorMs([pid])) ?? 0))
}

async function updateAll(admin: pg.Client, origin: string, seeded: Seed): Promise<void> {
  await admin.query('update campaigns set updated_at = $1', [SEEDED_AT])
  await admin.query('vacuum analyze campaigns')
  await generateLoad({
    ...{ origin, connections: 32, method: 'PATCH', paths: campaignPaths(seeded.workspaceId), withKeys: true, requests: UPDATES },
    headers: { ...seeded.headers, 'if-match': SEEDED_AT },
    body: JSON.stringify({ name: `Renamed ${performance.now()}` }),
  })
  while ((await admin.query(`select from operations where status in ('queued', 'running') limit 1`)).rowCount !== 0) await sleep(10)
}

async function addEndpoints(stage: Stage, origin: string, seeded: Seed): Promise<void> {
  const port = await freePort()
  const sink = stage.startNode([`${import.meta.dirname}/foundation/sink.ts`], { PORT: String(port) })
  await sink.untilAnswers(`http://127.0.0.1:${port}/`)
  for (let number = 0; number < ENDPOINTS; number++) {
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}/${number}`, events: ['campaign.paused'] })
    await (
      await request(`${origin}/v1/workspaces/${seeded.workspaceId}/webhooks`, { method: 'POST', headers: seeded.headers, body })
    ).body.dump()
  }
}

async function deliver(admin: pg.Client, workspaceId: string, events: number): Promise<void> {
  await admin.query(INSERT_EVENTS, [workspaceId, Math.floor(events)])
  await admin.query(`select pg_notify('overture_wake', $1)`, [JSON.stringify({ from: 'bench', topics: ['events'] })])
  const behind = `select from webhook_endpoints e join event_streams s using (workspace_id) where s.seq > e.cursor_seq limit 1`
  while ((await admin.query(behind)).rowCount !== 0) await sleep(20)
  // Each by an index, and seldom: a question that read the whole table was a third of what PostgreSQL seemed to take.
  const open = `
    select from deliveries where worker_id is not null
    union all
    select from webhook_endpoints e, lateral (
      select from deliveries d where d.endpoint_id = e.id and d.status = 'pending' and d.worker_id is null limit 1) as waiting
    limit 1`
  while ((await admin.query(open)).rowCount !== 0) await sleep(200)
}
