import pg from 'pg'
import { DAY_MS } from '../src/lib/time.ts'
import { campaignId, type Seed, seed } from './foundation/seed.ts'
import { describeMachine, type Line, printTable, processorMs, Stage } from './lib.ts'

/**
 * The cost of a request for results over time with a year of two and a half million events, at all hours of all days, in processor time of the
 * API and of PostgreSQL. `npm run bench -- series mailbox` measures the forms whose line contains the word.
 */
const DAYS = 366
const EVENTS_A_DAY = 6900
const CAMPAIGNS = 20
const VARIANTS = 3
const STEPS = 3
const MAILBOXES = 20
const ROUNDS = 20
const WARM_UP = 12
/** The most that thirty days may take, and a year by day or week. */
const LIMITS_MS = { month: 60, year: 250 }

const only = process.argv[2] ?? ''

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'series'))
  const client = new pg.Client({ connectionString: seeded.databaseUrl })
  await client.connect()
  stage.atEnd(() => client.end())
  const rows = await fill(client, seeded)
  const api = await stage.startApi(seeded.databaseUrl)
  console.log(`${describeMachine()}: ${DAYS * EVENTS_A_DAY} events, ${rows} rollups`)
  const since = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString()
  const forms = ['', 'campaign', 'variant', 'mailbox', 'step'].flatMap(group =>
    [
      `interval=hour&from=${since(30)}`,
      ...['UTC', 'Europe/Berlin', 'Asia/Kolkata'].map(zone => `interval=day&from=${since(365)}&timezone=${zone}`),
    ]
      .concat(`interval=day&from=${since(30)}`, `interval=week&from=${since(365)}&timezone=Asia/Kolkata`)
      .map(form => (group === '' ? form : `groupBy=${group}&${form}`)),
  )
  const lines: Line[] = []
  for (const path of ['', `/campaigns/${campaignId(1)}`]) {
    for (const form of forms) {
      const what = `${path === '' ? 'workspace' : 'campaign'} ${form.replace(/from=([^&]+)/, (_, at) => `days=${Math.round((Date.now() - Date.parse(at)) / DAY_MS)}`)}`
      if (!what.includes(only)) continue
      const url = `${api.origin}/v1/workspaces/${seeded.workspaceId}${path}/metrics/series?${form}`
      let points = 0
      const ask = async (): Promise<void> => {
        const answer = await fetch(url, { headers: seeded.headers })
        const text = await answer.text()
        if (!answer.ok) throw new Error(text)
        points = text.split('"at":').length - 1
      }
      for (let round = 0; round < WARM_UP; round++) await ask()
      const before = [await processorMs([api.pid]), await processorMs([postgres.pid!])]
      for (let round = 0; round < ROUNDS; round++) await ask()
      const [ofApi, ofPostgres] = [await processorMs([api.pid]), await processorMs([postgres.pid!])].map(
        (after, index) => (after! - before[index]!) / ROUNDS,
      )
      const all = ofApi! + ofPostgres!
      const parts = `API ${ofApi!.toFixed(0)} + PostgreSQL ${ofPostgres!.toFixed(0)}, ${points} points`
      const limitMs = what.includes('days=30') ? LIMITS_MS.month : LIMITS_MS.year
      lines.push({ what, figure: `${all.toFixed(0)} ms`, limit: parts, ratio: (all / limitMs).toFixed(2), goal: `${limitMs} ms` })
    }
  }
  printTable(lines)
})

/** Rollups as they are after the events of a year: by quarter of an hour for sixty days, by hour before that. Returns how many there are. */
async function fill(client: pg.Client, { workspaceId }: Seed): Promise<number> {
  await client.query(
    `create temp table made as
     select case when at < now() - interval '60 days' then date_bin('1 hour', at, 'epoch') else date_bin('15 minutes', at, 'epoch') end as at,
       campaign, step::text, mailbox::text, campaign || '-' || variant as variant,
       (kind < 0.7)::int as sent, (kind >= 0.7 and kind < 0.9)::int as opened, (kind >= 0.9 and kind < 0.95)::int as clicked,
       (kind >= 0.95 and kind < 0.98)::int as replied, (kind >= 0.98)::int as bounced
     from (
       select now() - random() * $1 * interval '1 day' as at, floor(random() * $3)::int as campaign, floor(random() * $4)::int as step,
         floor(random() * $5)::int as mailbox, floor(random() * $6)::int as variant, random() as kind
       from generate_series(1, $2)
     ) as event`,
    [DAYS, DAYS * EVENTS_A_DAY, CAMPAIGNS, STEPS, MAILBOXES, VARIANTS],
  )
  const sums = ['sent', 'opened', 'clicked', 'replied', 'bounced']
  const columns = sums.join(', ')
  const added = sums.map(name => `sum(${name})`).join(', ')
  let stored = 0
  for (const [dimension, key] of [
    ['all', 'null'],
    ['step', 'step'],
    ['mailbox', 'mailbox'],
    ['variant', 'variant'],
  ] as const) {
    const ofCampaigns = await client.query(
      `insert into campaign_rollups (workspace_id, campaign_id, dimension, at, key, ${columns})
       select $1, ($2::uuid[])[campaign + 1], '${dimension}', at, ${key}, ${added}
       from made
       group by 2, 4, 5`,
      [workspaceId, Array.from({ length: CAMPAIGNS }, (_, index) => campaignId(index + 1))],
    )
    stored += ofCampaigns.rowCount!
    if (dimension === 'variant') continue
    const ofWorkspace = await client.query(
      `insert into workspace_rollups (workspace_id, dimension, at, key, ${columns})
       select $1, '${dimension}', at, ${key}, ${added}
       from made
       group by 3, 4`,
      [workspaceId],
    )
    stored += ofWorkspace.rowCount!
  }
  await client.query('insert into campaign_metrics (campaign_id, emails_sent_count) select id, 1 from campaigns order by id limit $1', [
    CAMPAIGNS,
  ])
  await client.query('vacuum analyze')
  return stored
}
