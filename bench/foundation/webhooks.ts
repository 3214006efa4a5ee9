import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request } from 'undici'
import { alternate, askScript, freePort, type Line, rate, type Stage } from '../lib.ts'
import { INSERT_EVENTS } from './insert-events.ts'
import type { Seed } from './seed.ts'

const ENDPOINTS = 4
const EVENTS = 1000
/** As many as the worker sends to one endpoint at a time, for each of them. */
const CONNECTIONS = ENDPOINTS * 8

/** Signed deliveries, each claimed, sent and written down, compared with the same bytes posted without any of that. */
export async function measureWebhooks(stage: Stage, origin: string, seed: Seed): Promise<Line[]> {
  const sink = `http://127.0.0.1:${await startSink(stage)}`
  const admin = new pg.Client({ connectionString: seed.databaseUrl })
  await admin.connect()
  for (let number = 0; number < ENDPOINTS; number++) {
    const body = JSON.stringify({ url: `${sink}/${number}`, events: ['campaign.paused'] })
    const created = await request(`${origin}/v1/workspaces/${seed.workspaceId}/webhooks`, { method: 'POST', headers: seed.headers, body })
    if (created.statusCode !== 201) throw new Error(`the endpoint was not created: ${await created.body.text()}`)
    await created.body.dump()
  }
  const figures = await alternate(3, {
    ours: () => deliverAll(admin, seed.workspaceId),
    bare: async () =>
      (
        await askScript<{ perSecond: number }>(join(import.meta.dirname, 'bare-posting.ts'), {
          sink,
          connections: CONNECTIONS,
          requests: ENDPOINTS * EVENTS,
        })
      ).perSecond,
  })
  await admin.end()
  return [
    {
      what: `webhook deliveries, ${ENDPOINTS} endpoints, ${CONNECTIONS} at once`,
      figure: rate(figures.ours),
      limit: `${rate(figures.bare)} the same bodies to the same receiver with bare undici`,
      ratio: (figures.ours / figures.bare).toFixed(2),
      goal: '0.3',
    },
  ]
}

async function startSink(stage: Stage): Promise<number> {
  const port = await freePort()
  const sink = stage.startNode([join(import.meta.dirname, 'sink.ts')], { PORT: String(port) })
  await sink.untilAnswers(`http://127.0.0.1:${port}/`)
  return port
}

const IS_BEHIND = `
  select from webhook_endpoints e join event_streams s using (workspace_id)
  where s.seq > e.cursor_seq or exists (select from deliveries d where d.endpoint_id = e.id and d.status = 'pending')
  limit 1`
const DELIVERED = `
  select count(*)::int as count,
    extract(epoch from max(completed_at) - (select max(timestamp) from events where workspace_id = $1))::float8 as seconds
  from deliveries
  where status = 'succeeded'`

/** From the moment that the events exist until the last delivery is written down. */
async function deliverAll(admin: pg.Client, workspaceId: string): Promise<number> {
  await admin.query('truncate deliveries')
  await admin.query(INSERT_EVENTS, [workspaceId, EVENTS])
  await admin.query(`select pg_notify('overture_wake', $1)`, [JSON.stringify({ from: 'bench', topics: ['events'] })])
  for (;;) {
    // Asked seldom and cheaply, and the time taken from the deliveries: counting all of them again and again was part of the figure.
    const { rowCount } = await admin.query(IS_BEHIND)
    if (rowCount === 0) break
    await sleep(50)
  }
  const { rows } = await admin.query(DELIVERED, [workspaceId])
  if (rows[0].count !== ENDPOINTS * EVENTS) throw new Error(`only ${rows[0].count} deliveries succeeded`)
  return rows[0].count / rows[0].seconds
}
