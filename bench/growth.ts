import { createHash } from 'node:crypto'
import pg from 'pg'
import { request } from 'undici'
import { campaignId, type Seed, seed } from './foundation/seed.ts'
import { describeMachine, type Line, ms, printTable, Stage } from './lib.ts'

/**
 * What a thing costs when more is stored: the same question at two sizes, on one server, as a ratio. It should stay about
 * one, except where more is returned.
 */
const SIZES = [2_000, 16_000] as const
const QUEUES = [500, 4_000] as const
const CAMPAIGN = campaignId(1)
const ROUNDS = 7

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const lines: Line[] = []
  const queueRates: number[] = []
  const readTimes = new Map<string, number[]>()

  for (const [index, size] of SIZES.entries()) {
    const seeded = await seed(await stage.newDatabase(postgres, `growth${size}`))
    const client = new pg.Client({ connectionString: seeded.databaseUrl })
    await client.connect()
    stage.atEnd(() => client.end())
    // Started first: the hashes that are made up below would not fit any key, and a start looks at that.
    const api = await stage.startApi(seeded.databaseUrl)
    await fill(client, seeded.workspaceId, size)
    for (const [what, path] of questions(seeded.workspaceId)) {
      const times = readTimes.get(what) ?? []
      times.push(await medianMs(() => ask(api.origin + path, seeded)))
      readTimes.set(what, times)
    }

    const waiting = QUEUES[index]!
    await queueUp(client, seeded.workspaceId, waiting)
    const worker = await stage.startWorker(seeded.databaseUrl)
    const startedMs = performance.now()
    for (;;) {
      const { rows } = await client.query("select from operations where status in ('queued', 'running') limit 1")
      if (rows.length === 0) break
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    queueRates.push(waiting / ((performance.now() - startedMs) / 1000))
    await worker.stop()
    await api.stop()
  }

  const [few, many] = queueRates as [number, number]
  lines.push({
    what: `operations of one campaign, ${QUEUES[1]} waiting`,
    figure: `${Math.round(many)}/s`,
    limit: `${Math.round(few)}/s with ${QUEUES[0]} waiting`,
    ratio: (few / many).toFixed(2),
    goal: 'at most 1.5',
  })
  for (const [what, [small, large]] of readTimes) {
    lines.push({
      what,
      figure: ms(large!),
      limit: `${ms(small!)} at ${SIZES[0]}`,
      ratio: (large! / small!).toFixed(2),
      goal: 'at most 1.5',
    })
  }
  console.log(`${describeMachine()}; ${SIZES[1]} leads, suppressions and finished operations beside ${SIZES[0]}`)
  printTable(lines)
})

function questions(workspaceId: string): [what: string, path: string][] {
  const home = `/v1/workspaces/${workspaceId}`
  const leads = `${home}/campaigns/${CAMPAIGN}/leads`
  return [
    ['leads, first page', `${leads}?limit=50`],
    ['leads of a status that is rare', `${leads}?status=replied&limit=50`],
    ['leads by e-mail', `${leads}?email=p7@people7.example`],
    ['operations, first page', `${home}/operations?limit=50`],
    ['operations that failed', `${home}/operations?status=failed&limit=50`],
    ['operations of an action that is rare', `${home}/operations?action=campaign.pause&limit=50`],
    ['operations of a campaign', `${home}/operations?campaignId=${campaignId(2)}&limit=50`],
    ['events, first page', `${home}/events?limit=50`],
    ['campaign', `${home}/campaigns/${CAMPAIGN}`],
    ['metrics', `${home}/campaigns/${CAMPAIGN}/metrics`],
    ['readiness', `${home}/campaigns/${CAMPAIGN}/validate`],
  ]
}

async function ask(url: string, { headers }: Seed): Promise<void> {
  const answer = await request(url, { headers: { authorization: headers.authorization! } })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${text}`)
}

async function medianMs(work: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now()
    await work()
    times.push(performance.now() - startedMs)
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
}

/** Nobody is suppressed: readiness has to look for every lead in vain until it finds the first that is not. */
async function fill(client: pg.Client, workspaceId: string, size: number): Promise<void> {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  const people = Array.from({ length: size }, (_, n) => [`p${n}@people${n}.example`, hash(`p${n}`), hash(`d${n}`), hash(`s${n}`)] as const)
  await client.query(
    `insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, first_name, variables, source, created_at, updated_at, due_at)
     select gen_random_uuid(), $1, $2, r.email, r.email_hash, r.domain_hash, 'Sam', '{}', 'api_import', now(), now(), now()
     from unnest($3::text[], $4::bytea[], $5::bytea[]) as r(email, email_hash, domain_hash)`,
    [workspaceId, CAMPAIGN, people.map(p => p[0]), people.map(p => p[1]), people.map(p => p[2])],
  )
  await client.query('update campaigns set total_leads = $2 where id = $1', [CAMPAIGN, size])
  await client.query(
    `insert into suppressions (id, workspace_id, kind, hash, reason, created_at)
     select gen_random_uuid(), $1, 'email', r.hash, 'manual', now() from unnest($2::bytea[]) as r(hash)`,
    [workspaceId, people.map(p => p[3])],
  )
  await client.query(
    `insert into operations (id, workspace_id, action, status, campaign_id, result, started_at, completed_at, created_at)
     select gen_random_uuid(), $1, 'campaign.update', 'succeeded', $2, '{}', now(), now(), now() - n * interval '1 second'
     from generate_series(1, $3) as n`,
    [workspaceId, CAMPAIGN, size],
  )
  await client.query('vacuum analyze')
}

async function queueUp(client: pg.Client, workspaceId: string, count: number): Promise<void> {
  await client.query(
    `insert into operations (id, workspace_id, action, status, campaign_id, input)
     select gen_random_uuid(), $1, 'campaign.archive', 'queued', $2, '{}' from generate_series(1, $3)`,
    [workspaceId, campaignId(3), count],
  )
}
