import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request } from 'undici'
import { campaignPaths, SEEDED_AT, type Seed, seed } from './foundation/seed.ts'
import { describeMachine, freePort, generateLoad, type Line, printTable, Stage } from './lib.ts'

/**
 * The disk space of each object: its rows, the values stored outside of them, and all indexes, after the service has written them.
 * Packed, like a full table at rest; and after a burst, when the space of old versions of the rows is not used again yet. `npm run bench -- space`.
 */
const UPDATES = 2000
const LEADS = 3000
const BODY =
  'Hi {{ firstName }},\n\nwe help teams like yours at {{ company }} to get more out of their routes. Would a short call next week suit you?\n\nAda'

const THINGS: [what: string, tables: string[], rows: string][] = [
  ['operation (a change of a campaign, finished)', ['operations'], 'operations'],
  ['event', ['events'], 'events'],
  ['webhook delivery', ['deliveries'], 'deliveries'],
  ['lead that was written to once', ['leads'], 'leads'],
  ['message sent, with its text', ['sends', 'sent_bodies', 'open_sends'], 'sends'],
]

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'space'))
  const admin = new pg.Client({ connectionString: seeded.databaseUrl })
  await admin.connect()
  stage.atEnd(() => admin.end())
  const api = await stage.startApi(seeded.databaseUrl)
  await stage.startWorker(seeded.databaseUrl)
  const home = `/v1/workspaces/${seeded.workspaceId}`
  const send = (method: 'POST' | 'PUT', path: string, body: object, headers = {}) => ask(api.origin, seeded, method, path, body, headers)

  await send('POST', `${home}/webhooks`, { url: await startReceiver(stage), events: ['operation.succeeded'] })
  const patch = {
    method: 'PATCH',
    paths: campaignPaths(seeded.workspaceId),
    body: JSON.stringify({ name: 'Renamed' }),
    withKeys: true,
  } as const
  const headers = { ...seeded.headers, 'if-match': SEEDED_AT }
  await generateLoad({ origin: api.origin, connections: 16, ...patch, headers, requests: UPDATES })
  await until(admin, `select from operations where status in ('queued', 'running')`)
  await until(admin, `select from webhook_endpoints e join event_streams s using (workspace_id) where s.seq > e.cursor_seq`)
  await until(admin, `select from deliveries where status = 'pending'`)
  const figures = [await measure(admin, THINGS[0]!), await measure(admin, THINGS[2]!)]

  await writeToLeads(send, home)
  await until(admin, `select from leads where due_at <= now() or status = 'not_yet_contacted'`)
  for (const thing of [THINGS[1]!, THINGS[3]!, THINGS[4]!]) figures.push(await measure(admin, thing))
  console.log(describeMachine())
  printTable(figures)
})

interface Size {
  rows: number
  total: string
  indexes: string
}

async function measure(admin: pg.Client, [what, tables, counted]: (typeof THINGS)[number]): Promise<Line> {
  const read = async (): Promise<Size> => {
    const found = await admin.query<Size>(
      `select (select count(*)::int from ${counted}) as rows, sum(pg_total_relation_size(name::regclass)) as total,
         sum(pg_indexes_size(name::regclass)) as indexes
       from unnest($1::text[]) as name`,
      [tables],
    )
    return found.rows[0]!
  }
  const burst = await read()
  for (const table of tables) await admin.query(`vacuum full ${table}`)
  const packed = await read()
  const each = (bytes: string): string =>
    `${Math.round(Number(bytes) / packed.rows)
      .toLocaleString('en')
      .replace(',', ' ')} bytes`
  const rest = `${each(packed.indexes)} of them in indexes; ${each(burst.total)} after a burst of ${packed.rows}`
  return { what, figure: each(packed.total), limit: rest }
}

/** A campaign that may write at any hour, to people of the sandbox who stay silent, and keeps all of it open for the next step. */
async function writeToLeads(send: (method: 'POST' | 'PUT', path: string, body: object, headers?: object) => Promise<Answer>, home: string) {
  const from = { fromName: 'Ada', fromEmail: 'ada@sender.example', postalAddress: '1 Example Street, Berlin' }
  const mailbox = { kind: 'sandbox', name: 'Mailbox', dailyCap: 100_000, minGapSeconds: 0, ...from }
  const provider = await send('POST', `${home}/providers`, mailbox)
  const daysOfWeek = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  const schedule = { daysOfWeek, timeWindow: { start: '00:00', end: '23:59' }, timezone: 'UTC' }
  const campaign = await send('POST', `${home}/campaigns`, { name: 'Space', providerId: provider.data.id, schedule })
  const base = `${home}/campaigns/${campaign.data.id}`
  const first = { delayDays: 0, variants: [{ subject: 'A question for {{ firstName }}', body: BODY }] }
  const second = { delayDays: 3, variants: [{ subject: null, body: BODY }] }
  const wait = { prefer: 'wait=30' }
  await send('PUT', `${base}/sequence`, { steps: [first, second] }, { ...wait, 'if-match': campaign.data.updatedAt })
  const leads = Array.from({ length: LEADS }, (_, n) => ({
    ...{ email: `silent+${n}@company${n % 700}.example`, firstName: 'Katherine', lastName: `Johnson ${n}`, company: `Company ${n % 700}` },
    ...{ jobTitle: 'Head of Operations', variables: { city: 'Hampton' } },
  }))
  await send('POST', `${base}/leads/import`, { leads }, wait)
  const activated = await send('POST', `${base}/activate`, {}, wait)
  if (activated.status !== 'succeeded') throw new Error(JSON.stringify(activated))
}

interface Answer {
  status: string
  data: { id: string; updatedAt: string }
}

async function ask(origin: string, seeded: Seed, method: 'POST' | 'PUT', path: string, body: object, headers: object): Promise<Answer> {
  const reply = await request(origin + path, { method, headers: { ...seeded.headers, ...headers }, body: JSON.stringify(body) })
  const text = await reply.body.text()
  if (reply.statusCode >= 300) throw new Error(`${method} ${path} answered ${reply.statusCode}: ${text}`)
  return JSON.parse(text) as Answer
}

async function startReceiver(stage: Stage): Promise<string> {
  const port = await freePort()
  const receiver = stage.startNode([`${import.meta.dirname}/foundation/sink.ts`], { PORT: String(port) })
  const url = `http://127.0.0.1:${port}/`
  await receiver.untilAnswers(url)
  return url
}

/** Until nothing of the kind is left. */
async function until(admin: pg.Client, open: string): Promise<void> {
  while ((await admin.query(`${open} limit 1`)).rowCount !== 0) await sleep(50)
}
