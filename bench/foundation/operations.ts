import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request } from 'undici'
import type { EmbeddedPostgres } from '../../src/db/embedded.ts'
import { alternate, freePort, generateLoad, type Line, ms, percentile, rate, type Stage } from '../lib.ts'
import { CAMPAIGNS, campaignPaths, SEEDED_AT, type Seed, seed as seedDatabase } from './seed.ts'

const CONNECTIONS = 32

/** From the request to the change: accepted over HTTP in one process, carried out in another, all of it committed. */
export async function measureOperations(stage: Stage, postgres: EmbeddedPostgres, origin: string, seed: Seed): Promise<Line[]> {
  const rivals = { plain: await startRival(stage, postgres, 'plain'), graphile: await startRival(stage, postgres, 'graphile') }
  const figures = await alternate(3, {
    ours: () => updateAll(origin, seed),
    plain: () => updateAll(rivals.plain.origin, rivals.plain.seed),
    graphile: () => updateAll(rivals.graphile.origin, rivals.graphile.seed),
  })
  await Promise.all([...rivals.plain.processes, ...rivals.graphile.processes].map(child => child.stop()))
  const figure = rate(figures.ours)
  return [
    {
      what: `accepted and succeeded, ${CAMPAIGNS} updates, ${CONNECTIONS} connections`,
      figure,
      limit: `${rate(figures.plain)} plain: a transaction to accept, a worker that takes one at a time`,
      ratio: (figures.ours / figures.plain).toFixed(1),
      goal: '2.5',
    },
    {
      what: 'the same',
      figure,
      limit: `${rate(figures.graphile)} the same with graphile-worker, ten jobs at once`,
      ratio: (figures.ours / figures.graphile).toFixed(1),
      goal: '3',
    },
  ]
}

async function startRival(stage: Stage, postgres: EmbeddedPostgres, kind: 'plain' | 'graphile') {
  const seed = await seedDatabase(await stage.newDatabase(postgres, kind))
  const port = await freePort()
  const env = { KIND: kind, DATABASE_URL: seed.databaseUrl, PORT: String(port) }
  const script = (role: string): string[] => [join(import.meta.dirname, `rival-${role}.ts`)]
  const worker = stage.startNode(script('worker'), env)
  await worker.untilSays('ready')
  const api = stage.startNode(script('api'), env)
  const origin = `http://127.0.0.1:${port}`
  await api.untilAnswers(`${origin}/healthz`)
  return { origin, seed, processes: [api, worker] }
}

/** One update of every campaign, until the last has succeeded. */
async function updateAll(origin: string, seed: Seed): Promise<number> {
  const admin = new pg.Client({ connectionString: seed.databaseUrl })
  await admin.connect()
  await admin.query('truncate operations, events, event_streams cascade')
  await admin.query('update campaigns set updated_at = $1', [SEEDED_AT])
  await admin.query('vacuum analyze campaigns')
  await generateLoad({
    origin,
    connections: CONNECTIONS,
    method: 'PATCH',
    paths: campaignPaths(seed.workspaceId),
    headers: { ...seed.headers, 'if-match': SEEDED_AT },
    body: JSON.stringify({ name: `Renamed ${performance.now()}` }),
    withKeys: true,
    requests: CAMPAIGNS,
  })
  for (;;) {
    const open = await admin.query(`select from operations where status in ('queued', 'running') limit 1`)
    if (open.rowCount === 0) break
    await sleep(5)
  }
  // By the operations' own times: ours would include the start of the load generator.
  const done = await admin.query(`
    select count(*)::int as count, extract(epoch from max(completed_at) - min(created_at))::float8 as seconds
    from operations
    where status = 'succeeded'`)
  const { count, seconds } = done.rows[0]
  if (count !== CAMPAIGNS) throw new Error(`only ${count} of ${CAMPAIGNS} updates succeeded at ${origin}`)
  await admin.end()
  return CAMPAIGNS / seconds
}

const SAMPLES = 150

/** One operation at a time on a service that has nothing else to do. */
export async function measureLatency(origin: string, seed: Seed): Promise<Line[]> {
  const paths = campaignPaths(seed.workspaceId, '/duplicate')
  const toStart: number[] = []
  const toEnd: number[] = []
  for (let sample = -20; sample < SAMPLES; sample++) {
    const startedAt = performance.now()
    const headers = { ...seed.headers, prefer: 'wait=5' }
    const reply = await request(origin + paths[sample + 20], { method: 'POST', headers, body: JSON.stringify({ name: 'A copy' }) })
    const { id, status } = (await reply.body.json()) as { id: string; status: string }
    if (status !== 'succeeded') throw new Error(`operation ${id} is ${status}`)
    const elapsed = performance.now() - startedAt
    const operation = (await (await request(`${origin}/v1/operations/${id}`, { headers: seed.headers })).body.json()) as Record<
      string,
      string
    >
    if (sample >= 0) {
      toEnd.push(elapsed)
      toStart.push(Date.parse(operation.startedAt!) - Date.parse(operation.createdAt!))
    }
    await sleep(15)
  }
  const both = (values: number[]): string => `${ms(percentile(values, 50))} / ${ms(percentile(values, 99))}`
  return [
    { what: 'idle: accepted to started, p50 / p99', figure: both(toStart), limit: 'by the operation’s own times', goal: 'p50 < 5 ms' },
    {
      what: 'idle: request sent to operation succeeded (`Prefer: wait`), p50 / p99',
      figure: both(toEnd),
      limit: 'as a client over HTTP sees it',
      goal: 'p50 < 30 ms',
    },
  ]
}
