import { join } from 'node:path'
import pg from 'pg'
import { alternate, askScript, generateLoad, type Line, rate } from '../lib.ts'
import { campaignPaths, type Seed } from './seed.ts'

const CONNECTIONS = 32
const DURATION_MS = 3000

/** Accepted writes, with no worker to carry them out, compared with the same statement sent straight to PostgreSQL. */
export async function measureAccepting(origin: string, seed: Seed): Promise<Line[]> {
  const admin = new pg.Client({ connectionString: seed.databaseUrl })
  await admin.connect()
  const paths = campaignPaths(seed.workspaceId, '/duplicate')
  const body = JSON.stringify({ name: 'A copy' })
  const figures = await alternate(3, {
    async ours() {
      await admin.query('truncate operations cascade')
      const load = { origin, connections: CONNECTIONS, method: 'POST', paths, headers: seed.headers, body, withKeys: true } as const
      return (await generateLoad({ ...load, warmUpMs: 1000, durationMs: DURATION_MS })).perSecond
    },
    async bare() {
      await admin.query('truncate operations cascade')
      const task = { databaseUrl: seed.databaseUrl, workspaceId: seed.workspaceId, connections: CONNECTIONS, durationMs: DURATION_MS }
      return (await askScript<{ perSecond: number }>(join(import.meta.dirname, 'bare-accepting.ts'), task)).perSecond
    },
  })
  await admin.query('truncate operations cascade')
  await admin.end()
  return [
    {
      what: `accepted writes (202), ${CONNECTIONS} connections`,
      figure: rate(figures.ours),
      limit: `${rate(figures.bare)} the same statement from bare \`pg\` clients, one write each`,
      ratio: (figures.ours / figures.bare).toFixed(2),
      goal: '0.9',
    },
  ]
}
