import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { alternate, freePort, generateLoad, type Line, rate, type Stage } from '../lib.ts'
import { CAMPAIGNS, campaignId, campaignPaths, type Seed } from './seed.ts'

const CONNECTIONS = 32
const SECONDS = 3
const PGBENCH = ['/usr/bin/pgbench', '/usr/local/bin/pgbench', '/opt/homebrew/bin/pgbench'].find(existsSync)

/** GET campaign, compared with the database alone and with code written by hand. */
export async function measureReads(stage: Stage, origin: string, seed: Seed): Promise<Line[]> {
  const paths = campaignPaths(seed.workspaceId)
  const headers = { authorization: seed.headers.authorization! }
  const load = { connections: CONNECTIONS, method: 'GET', paths, headers, warmUpMs: 500, durationMs: SECONDS * 1000 } as const
  const bare = await startBareRoute(stage, seed)
  const script = join(await stage.newFolder(), 'read-campaign.sql')
  await writeFile(
    script,
    `\\set n random(1, ${CAMPAIGNS})\nselect * from campaigns where id = ('00000000-0000-7000-8000-' || lpad((:n)::text, 12, '0'))::uuid;\n`,
  )

  // A server runs for days: what is compared is compiled code, not its first seconds.
  await generateLoad({ ...load, origin, durationMs: 5000 })
  await generateLoad({ ...load, origin: bare.origin, durationMs: 2000 })
  const figures = await alternate(3, {
    ours: async () => (await generateLoad({ ...load, origin })).perSecond,
    database: () => (PGBENCH ? runPgbench(PGBENCH, script, seed.databaseUrl) : readBare(seed.databaseUrl)),
    http: async () => (await generateLoad({ ...load, origin: bare.origin })).perSecond,
  })
  await bare.stop()
  const ours = rate(figures.ours)
  return [
    {
      what: `GET campaign, ${CONNECTIONS} connections`,
      figure: ours,
      limit: `${rate(figures.database)} single rows of the same table with ${PGBENCH ? 'pgbench' : 'a bare `pg` loop'}`,
      ratio: (figures.ours / figures.database).toFixed(2),
    },
    {
      what: 'the same',
      figure: ours,
      limit: `${rate(figures.http)} a bare Fastify route with one \`pg\` select`,
      ratio: (figures.ours / figures.http).toFixed(2),
      goal: '0.7',
    },
  ]
}

export async function startBareRoute(stage: Stage, { databaseUrl }: Seed) {
  const port = await freePort()
  const child = stage.startNode([join(import.meta.dirname, 'bare-route.ts')], { PORT: String(port), DATABASE_URL: databaseUrl })
  const origin = `http://127.0.0.1:${port}`
  await child.untilAnswers(`${origin}/v1/workspaces/w/campaigns/${campaignId(1)}`)
  return Object.assign(child, { origin })
}

function runPgbench(program: string, script: string, databaseUrl: string): Promise<number> {
  const flags = ['-n', '-M', 'prepared', '-c', String(CONNECTIONS), '-j', '2', '-T', String(SECONDS), '-f', script, databaseUrl]
  return new Promise((resolve, reject) => {
    const child = spawn(program, flags)
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      output += chunk
    })
    child.once('error', reject)
    child.once('close', () => {
      const found = /tps = ([\d.]+)/.exec(output)
      if (found) resolve(Number(found[1]))
      else reject(new Error(`pgbench failed:\n${output}`))
    })
  })
}

async function readBare(databaseUrl: string): Promise<number> {
  const endAt = performance.now() + SECONDS * 1000
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      let count = 0
      for (; performance.now() < endAt; count++) {
        const id = campaignId(1 + Math.floor(Math.random() * CAMPAIGNS))
        await client.query({ name: 'read', text: 'select * from campaigns where id = $1', values: [id] })
      }
      await client.end()
      return count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / SECONDS
}
