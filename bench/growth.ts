import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { request } from 'undici'
import { Database } from '../src/db/client.ts'
import { campaignId, type Seed, seed } from './foundation/seed.ts'
import { CAMPAIGN, fill } from './growth/fill.ts'
import { questions } from './growth/questions.ts'
import { statements } from './growth/statements.ts'
import { describeMachine, type Line, median, ms, printTable, processorMs, Stage } from './lib.ts'

/**
 * The cost of requests when more is stored: the same request at two sizes, on one server, as a ratio. It should stay about
 * one, except if more is returned. It is measured in processor time of the API, the worker and PostgreSQL: a busy machine
 * changes that less than the clock.
 */
const QUEUES = [500, 4_000] as const
const LEAST_ROUNDS = 5
const MOST_ROUNDS = 40
const LEAST_MS = 400
/** `--only PATTERN`: what fits the pattern, and no queue. `--sizes SMALL,LARGE`: other than the usual. */
const { only, sizes } = parseArgs({ options: { only: { type: 'string' }, sizes: { type: 'string', default: '5000,40000' } } }).values
const SIZES = sizes.split(',').map(Number) as [small: number, large: number]

interface Figure {
  cpu: number | null
  wall: number
}

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const figures = new Map<string, Figure[]>()
  const note = async (what: string, pids: number[], work: () => Promise<unknown>): Promise<void> => {
    if (only !== undefined && !new RegExp(only).test(what)) return
    figures.set(what, [...(figures.get(what) ?? []), await measure(pids, work)])
  }
  const queueRates: number[] = []

  for (const [index, size] of SIZES.entries()) {
    const seeded = await seed(await stage.newDatabase(postgres, `growth${size}`))
    // Started first: the hashes that are made up below would not fit any key, and a start looks at that.
    const api = await stage.startApi(seeded.databaseUrl)
    await fill(seeded, size)
    const client = new pg.Client({ connectionString: seeded.databaseUrl })
    await client.connect()
    stage.atEnd(() => client.end())
    const pids = [api.pid, postgres.pid!]

    const { rows } = await client.query('select id from leads where campaign_id = $1 order by id limit 1', [CAMPAIGN])
    for (const [what, path] of questions(seeded, rows[0].id)) await note(what, pids, () => read(api.origin + path, seeded))

    const db = new Database({ url: seeded.databaseUrl, poolSize: 1, onWake: () => {} })
    const own = [process.pid, postgres.pid!]
    for (const [what, ask] of statements(db)) await note(what, own, ask)
    await db.close()

    const duplicate = `${api.origin}/v1/workspaces/${seeded.workspaceId}/campaigns/${campaignId(5)}/duplicate`
    await note('accepting an operation', pids, () => write(duplicate, { name: 'A copy' }, seeded))
    await client.query("delete from operations where status = 'queued'")

    const worker = await stage.startWorker(seeded.databaseUrl)
    const preview = `${api.origin}/v1/workspaces/${seeded.workspaceId}/leads/search/preview`
    const filters = { seniorities: { include: ['director'] }, suppress: ['contacted', 'in_campaign', 'owned', 'replied'] }
    await note('preview of a search', [...pids, worker.pid], () => write(preview, { filters }, seeded))
    await worker.stop()

    if (only !== undefined) {
      await api.stop()
      continue
    }
    const waiting = QUEUES[index]!
    await queueUp(client, seeded.workspaceId, waiting)
    const second = await stage.startWorker(seeded.databaseUrl)
    const startedMs = performance.now()
    for (;;) {
      const { rows } = await client.query("select from operations where status in ('queued', 'running') limit 1")
      if (rows.length === 0) break
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    queueRates.push(waiting / ((performance.now() - startedMs) / 1000))
    await second.stop()
    await api.stop()
  }

  const lines: Line[] = [...figures].map(([what, [small, large]]) => toLine(what, small!, large!))
  const [few, many] = queueRates
  if (few !== undefined && many !== undefined)
    lines.push({
      what: `operations of one campaign, ${QUEUES[1]} waiting`,
      figure: `${Math.round(many)}/s`,
      limit: `${Math.round(few)}/s with ${QUEUES[0]} waiting`,
      ratio: (few / many).toFixed(2),
      goal: 'at most 1.5',
    })
  console.log(`${describeMachine()}; ${SIZES[1]} of everything beside ${SIZES[0]}; processor time, elapsed time in brackets`)
  printTable(lines)
})

function describe({ cpu, wall }: Figure): string {
  return cpu === null ? ms(wall) : `${ms(cpu)} (${ms(wall)})`
}

function toLine(what: string, small: Figure, large: Figure): Line {
  const ratio = small.cpu === null || large.cpu === null ? large.wall / small.wall : large.cpu / Math.max(small.cpu, 0.1)
  return { what, figure: describe(large), limit: `${describe(small)} at ${SIZES[0]}`, ratio: ratio.toFixed(2), goal: 'at most 1.5' }
}

/** Per time that it is asked, once everything is warm. */
async function measure(pids: number[], work: () => Promise<unknown>): Promise<Figure> {
  for (let n = 0; n < 3; n++) await work()
  const times: number[] = []
  const before = await processorMs(pids)
  const startedMs = performance.now()
  while (times.length < LEAST_ROUNDS || (times.length < MOST_ROUNDS && performance.now() - startedMs < LEAST_MS)) {
    const beganMs = performance.now()
    await work()
    times.push(performance.now() - beganMs)
  }
  const after = await processorMs(pids)
  return { cpu: before === null || after === null ? null : (after - before) / times.length, wall: median(times) }
}

async function read(url: string, { headers }: Seed): Promise<void> {
  const answer = await request(url, { headers: { authorization: headers.authorization! } })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${text}`)
}

async function write(url: string, body: object, { headers }: Seed): Promise<void> {
  const own = { ...headers, 'idempotency-key': randomUUID(), ...(url.endsWith('/preview') ? { prefer: 'wait=20' } : {}) }
  const answer = await request(url, { method: 'POST', headers: own, body: JSON.stringify(body) })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${text}`)
}

async function queueUp(client: pg.Client, workspaceId: string, count: number): Promise<void> {
  await client.query(
    `insert into operations (id, workspace_id, action, status, campaign_id, input)
     select gen_random_uuid(), $1, 'campaign.archive', 'queued', $2, '{}' from generate_series(1, $3)`,
    [workspaceId, campaignId(3), count],
  )
}
