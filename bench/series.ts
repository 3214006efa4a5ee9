import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { Database } from '../src/db/client.ts'
import { DAY_MS } from '../src/lib/time.ts'
import { newTally, packFortnight, QUARTERS, type Tally } from '../src/modules/metrics/packed-fortnight.ts'
import { COUNTS, FORTNIGHT_DAYS, putFortnights } from '../src/modules/metrics/packing-queries.ts'
import { campaignId, type Seed, seed } from './foundation/seed.ts'
import { describeMachine, type Line, printTable, processorMs, Stage } from './lib.ts'

/**
 * What a question for results over time costs beside a year of two and a half million events, at all hours of all days, in processor time of the
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
const GOAL_MS = 50

const today = Math.floor(Date.now() / DAY_MS)
const only = process.argv[2] ?? ''

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'series'))
  const client = new pg.Client({ connectionString: seeded.databaseUrl })
  await client.connect()
  stage.atEnd(() => client.end())
  const rows = await fill(client, seeded)
  const api = await stage.startApi(seeded.databaseUrl)
  console.log(`${describeMachine()}: ${DAYS * EVENTS_A_DAY} events, ${rows} packed days`)
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
      lines.push({ what, figure: `${all.toFixed(0)} ms`, limit: parts, ratio: (all / GOAL_MS).toFixed(2), goal: `${GOAL_MS} ms` })
    }
  }
  printTable(lines)
})

/** Packed days, as the background leaves them behind. Returns how many they are. */
async function fill(client: pg.Client, { workspaceId, databaseUrl }: Seed): Promise<number> {
  const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID())
  const mailboxes = ids(MAILBOXES)
  const variants = Array.from({ length: CAMPAIGNS }, () => ids(VARIANTS))
  const pick = (count: number): number => Math.floor(Math.random() * count)
  const db = new Database({ url: databaseUrl, poolSize: 1, onWake: () => {} })
  const firstDay = today - DAYS
  let stored = 0
  for (let fortnight = Math.floor(firstDay / FORTNIGHT_DAYS); fortnight * FORTNIGHT_DAYS < today - 1; fortnight++) {
    /** By owner and dimension, then by key, then by day. */
    const open = new Map<string, Map<string, Map<number, Tally>>>()
    const add = (owner: string, dimension: string, key: string, day: number, place: number): void => {
      const keys = getOrMake(open, `${owner} ${dimension}`, () => new Map<string, Map<number, Tally>>())
      const days = getOrMake(keys, key, () => new Map<number, Tally>())
      getOrMake(days, day, () => newTally(QUARTERS))[place]!++
    }
    const begin = Math.max(firstDay, fortnight * FORTNIGHT_DAYS)
    const end = Math.min(today - 1, (fortnight + 1) * FORTNIGHT_DAYS)
    for (let event = 0; event < (end - begin) * EVENTS_A_DAY; event++) {
      const day = begin + Math.floor(event / EVENTS_A_DAY)
      const chance = Math.random()
      const kind = chance < 0.7 ? 0 : chance < 0.9 ? 2 : chance < 0.95 ? 3 : chance < 0.98 ? 4 : 6
      const place = pick(QUARTERS) * COUNTS.length + kind
      const campaign = pick(CAMPAIGNS)
      const [mailbox, step, variant] = [mailboxes[pick(MAILBOXES)]!, String(pick(STEPS)), variants[campaign]![pick(VARIANTS)]!]
      for (const owner of ['', campaignId(campaign + 1)]) {
        add(owner, 'all', '', day, place)
        add(owner, 'mailbox', mailbox, day, place)
        add(owner, 'step', step, day, place)
        if (owner !== '') add(owner, 'variant', variant, day, place)
      }
    }
    await db.inTransaction(async tx => {
      for (const [name, keys] of open) {
        const [campaign, dimension] = name.split(' ') as [string, string]
        const packed = [...keys].map(([key, days]) => ({ key: key || null, fortnight, ...packFortnight(days)! }))
        await putFortnights(tx, { workspaceId, campaignId: campaign || null }, dimension, packed)
        for (const days of keys.values()) stored += days.size
      }
    })
  }
  await db.close()
  await client.query('insert into campaign_metrics (campaign_id, emails_sent_count) select id, 1 from campaigns order by id limit $1', [
    CAMPAIGNS,
  ])
  await client.query('vacuum analyze')
  return stored
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
