import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { request } from 'undici'
import { seedDirectory } from '../src/app/demo/directory.ts'
import { Database } from '../src/db/client.ts'
import { grantCredits } from '../src/modules/credits/credits.ts'
import { seed } from './foundation/seed.ts'
import { describeMachine, type Line, percentile, printTable, processorMs, rate, Stage } from './lib.ts'

/**
 * The cost of a paid export for each lead, from the request to the last byte of its file, in processor time of each part, compared with
 * COPY of the same people. A small and quick version of `npm run bench -- leads`.
 */
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '120000' } } })
const ROWS = Number(options.rows)
/** Each round buys other people, so that all of them are new to the workspace and charged. The first one warms up. */
const BOUGHT = ['entry', 'manager', 'senior'] as const
const NOW = new Date('2026-11-01T00:00:00Z')

const SAME_PEOPLE = (exportId: string): string => `
  select p.email, p.first_name, p.last_name, p.full_name, t.title, p.seniority, p.department, c.name, c.domain, c.industry, c.employees, c.size,
    w.city, w.region, w.country, p.linkedin_url, p.phone, p.last_verified_at
  from people p
  left join titles t on t.id = p.title_id
  left join companies c on c.id = p.company_id
  left join places w on w.id = coalesce(p.place_id, c.place_id)
  where p.id in (select person_id from export_rows where export_id = '${exportId}')`

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'exports'))
  const db = new Database({ url: seeded.databaseUrl, poolSize: 2, onWake: () => {} })
  stage.atEnd(() => db.close())
  await db.inTransaction(async tx => {
    await tx.client.query('set local statement_timeout = 0')
    await seedDirectory(tx, { people: ROWS, now: NOW })
    await grantCredits(tx, seeded.workspaceId, 10_000_000, NOW)
  })
  const admin = new pg.Client({ connectionString: seeded.databaseUrl })
  await admin.connect()
  stage.atEnd(() => admin.end())
  await admin.query('vacuum analyze')
  const api = await stage.startApi(seeded.databaseUrl)
  const worker = await stage.startWorker(seeded.databaseUrl)
  const parts = { worker: worker.pid, PostgreSQL: postgres.pid!, api: api.pid }
  const readAll = (): Promise<number[]> => Promise.all(Object.values(parts).map(async pid => (await processorMs([pid])) ?? 0))

  const sums = [0, 0, 0]
  const rates = { ours: [] as number[], bare: [] as number[] }
  let bareMs = 0
  let leads = 0
  for (const [round, seniority] of BOUGHT.entries()) {
    const before = await readAll()
    const startedAt = performance.now()
    const { exportId, exportedCount, downloadUrl } = await buy(api.origin, seeded, seniority)
    await (await request(api.origin + new URL(downloadUrl).pathname + new URL(downloadUrl).search)).body.dump({ limit: 2 ** 30 })
    const tookMs = performance.now() - startedAt
    const after = await readAll()
    const copiedFrom = performance.now()
    for await (const _chunk of admin.query(copyTo(`copy (${SAME_PEOPLE(exportId)}) to stdout (format csv)`)));
    const copyMs = performance.now() - copiedFrom
    const copied = (await readAll())[1]! - after[1]!
    if (round === 0) continue
    leads += exportedCount
    bareMs += copied
    after.forEach((value, index) => {
      sums[index]! += value - before[index]!
    })
    rates.ours.push(exportedCount / (tookMs / 1000))
    rates.bare.push(exportedCount / (copyMs / 1000))
  }
  const perLead = (milliseconds: number): string => ((milliseconds * 1000) / leads).toFixed(1)
  const [ours, bare] = [percentile(rates.ours, 50), percentile(rates.bare, 50)]
  const lines: Line[] = [
    {
      what: `a lead of a paid export, of ${leads.toLocaleString('en')}`,
      figure: `${Object.keys(parts)
        .map((name, index) => `${name} ${perLead(sums[index]!)}`)
        .join(' + ')} µs`,
      limit: `COPY of the same people: PostgreSQL ${perLead(bareMs)} µs`,
    },
    {
      what: 'the same, as a rate',
      figure: rate(ours),
      limit: rate(bare),
      ratio: (ours / bare).toFixed(2),
      goal: '0.25',
    },
  ]
  console.log(describeMachine())
  printTable(lines)
})

interface Operation {
  status: string
  result: { exportId: string; exportedCount: number; downloadUrl: string }
  links: { self: string }
}

async function buy(
  origin: string,
  { workspaceId, headers }: { workspaceId: string; headers: Record<string, string> },
  seniority: string,
): Promise<Operation['result']> {
  const asked = await request(`${origin}/v1/workspaces/${workspaceId}/leads/search`, {
    method: 'POST',
    // As a client waits that wants to know at once: looking every now and then would measure the time between two looks, too.
    headers: { ...headers, 'idempotency-key': randomUUID(), prefer: 'wait=30' },
    body: JSON.stringify({ filters: { seniorities: { include: [seniority] } }, leadCount: Math.min(50_000, Math.floor(ROWS / 10)) }),
  })
  const { links } = (await asked.body.json()) as Operation
  for (;;) {
    const operation = (await (await request(origin + new URL(links.self).pathname, { headers })).body.json()) as Operation
    if (operation.status === 'failed') throw new Error(`the export failed: ${JSON.stringify(operation)}`)
    if (operation.status === 'succeeded') return operation.result
    await sleep(50)
  }
}
