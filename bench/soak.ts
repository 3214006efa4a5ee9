import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import { describeMachine, familyOf, freePort, type Line, median, memoryMbOf, printTable, Stage } from './lib.ts'

/**
 * Whether `npm start` keeps the memory that it needs and no more: mixed traffic on the demo for half an hour, and what each process holds in
 * each fifth of that time. Each round adds a little data, which is a part of the growth of PostgreSQL.
 */
const { minutes } = parseArgs({ options: { minutes: { type: 'string', default: '30' } } }).values
const SOAK_MS = Number(minutes) * 60_000
const FIFTHS = 5
const SAMPLE_MS = 1000
const READERS = 4
/** Nothing here is about time, and the machine may be busy. */
const START_LIMIT_MS = 600_000
/** Between two requests of a reader, so that the machine is not measured. */
const PAUSE_MS = 10
const LEADS = 2000
const MOST_GROWTH = 0.05
const MOST_MB = 400
const ALL_DAY = {
  daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  timeWindow: { start: '00:00', end: '23:59' },
  timezone: 'UTC',
}
const BRIEFS = [
  'CTOs of software companies in Berlin with 50 to 200 people',
  'Marketingleiter im Maschinenbau in München',
  'sales directors, France',
]
const MALFORMED = ['{"name":', '[]', '{"name": 7}', `{"name": "${'x'.repeat(100_000)}"}`, `${'['.repeat(50_000)}`, '\u0000']
/** Two readers have changed the same campaign. */
const LOST = new Set([409, 412])
/** On a busy machine, no connection may become free in time. The request is repeated. */
const BUSY = 503
const BUSY_MS = 1000

interface Answer {
  data: { id: string; updatedAt: string }
  result: { downloadUrl: string } | null
}

/** Requests to the demo as its owner. An unexpected response ends the bench. */
class Caller {
  readonly origin: string
  readonly #base: string
  readonly #token: string
  readonly counts = new Map<number, number>()

  constructor({ baseUrl, workspaceId, token }: { baseUrl: string; workspaceId: string; token: string }) {
    this.origin = baseUrl
    this.#base = `/v1/workspaces/${workspaceId}`
    this.#token = token
  }

  async call(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> {
    const response = await request(this.origin + (path.startsWith('/v1') ? path : this.#base + path), {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID(), prefer: 'wait=30' }),
        ...more,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    }).catch(error => {
      // The connection was idle, and was closed as the request was sent.
      if (error.code !== 'UND_ERR_SOCKET') throw error
      return null
    })
    const statusCode = response?.statusCode ?? BUSY
    const text = (await response?.body.text()) ?? ''
    this.counts.set(statusCode, (this.counts.get(statusCode) ?? 0) + 1)
    if (statusCode === BUSY) {
      await sleep(BUSY_MS)
      return this.call(method, path, body, more)
    }
    if (statusCode >= 500 || (statusCode >= 400 && !LOST.has(statusCode) && !MALFORMED.includes(String(body))))
      throw new Error(`${method} ${path} answered ${statusCode}: ${text.slice(0, 500)}`)
    return statusCode < 300 && text.startsWith('{') ? (JSON.parse(text) as Answer) : ({} as Answer)
  }
}

/** Reads, accepted writes and unreadable bodies. */
async function readOn(caller: Caller, campaign: string, isOver: () => boolean): Promise<void> {
  const reads = ['', '/metrics', '/schedule', '/sequence', '/leads?limit=100', '/variants', '/sending', '/validate']
  const lists = ['/campaigns', '/operations', '/events', '/replies', '/webhooks', '/audit', '/credits/ledger', '/metrics/series']
  for (let turn = 0; !isOver(); turn++) {
    await caller.call('GET', `/campaigns/${campaign}${reads[turn % reads.length]}`)
    await caller.call('GET', lists[turn % lists.length]!)
    if (turn % 5 === 0) await caller.call('POST', '/campaigns', MALFORMED[(turn / 5) % MALFORMED.length])
    if (turn % 7 === 0) {
      const { data } = await caller.call('GET', `/campaigns/${campaign}`)
      await caller.call('PATCH', `/campaigns/${campaign}`, { niche: `Niche ${turn}` }, { 'if-match': data.updatedAt })
    }
    await sleep(PAUSE_MS)
  }
}

/** The same leads each time, about 3 MB of them. */
function leadsOf(round: number): { email: string; firstName: string; variables: Record<string, string> }[] {
  const note = `${round} ${'what they said when we met '.repeat(50)}`
  return Array.from({ length: LEADS }, (_, n) => ({ email: `lead-${n}@people.example`, firstName: 'Grace', variables: { note } }))
}

/** Large and slow requests, one after the other. */
async function workOn(caller: Caller, campaign: string, mailbox: string, isOver: () => boolean): Promise<void> {
  for (let round = 0; !isOver(); round++) {
    const leads = leadsOf(round)
    await caller.call('POST', `/campaigns/${campaign}/leads/import`, { leads, onDuplicate: 'update' })
    const csv = `email,note\n${leads.map(({ email, variables }) => `${email},${variables.note}`).join('\n')}\n`
    await caller.call('POST', `/campaigns/${campaign}/leads/import/csv?onDuplicate=update`, csv, { 'content-type': 'text/csv' })
    for (const brief of BRIEFS) await caller.call('POST', '/leads/search/ai', { brief: `${brief} ${round}` })
    const filters = { seniorities: { include: [['director', 'manager', 'senior', 'entry'][round % 4]] } }
    await caller.call('POST', '/leads/search/preview', { filters })
    const { result } = await caller.call('POST', '/leads/search', { filters, leadCount: 10 })
    if (result) await (await request(result.downloadUrl)).body.dump({ limit: 2 ** 30 })
    await caller.call('POST', `/campaigns/${campaign}/preview`, { step: 0 })
    await caller.call('POST', `/campaigns/${campaign}/simulate`, {})
    await send(caller, mailbox, round)
    await sleep(PAUSE_MS)
  }
}

/** A campaign of its own, whose people answer on the test clock: each of its events is delivered to the webhook. */
async function send(caller: Caller, mailbox: string, round: number): Promise<void> {
  const { data } = await caller.call('POST', '/campaigns', { name: `Round ${round}`, providerId: mailbox, schedule: ALL_DAY })
  const campaign = `/campaigns/${data.id}`
  const leads = ['interested', 'not-interested', 'silent', 'opens'].flatMap(who =>
    Array.from({ length: 5 }, (_, n) => ({ email: `${who}+${round}-${n}@acme.example`, firstName: 'Grace' })),
  )
  await caller.call('POST', `${campaign}/leads/import`, { leads })
  await write(caller, campaign)
  await caller.call('POST', `${campaign}/activate`, {})
  await caller.call('POST', '/v1/sandbox/clock', { advance: { hours: 12 } })
}

async function write(caller: Caller, campaign: string): Promise<void> {
  const { data } = await caller.call('GET', campaign)
  const steps = [{ delayDays: 0, variants: [{ subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }}, how are you?' }] }]
  await caller.call('PUT', `${campaign}/sequence`, { steps }, { 'if-match': data.updatedAt })
}

/** The processes of an installation under the names that people know them by. */
async function memoryByProcess(pid: number): Promise<Record<string, number>> {
  const memory: Record<string, number> = { Overture: 0, PostgreSQL: 0 }
  for (const each of (await familyOf([pid])) ?? []) {
    const command = await readFile(`/proc/${each}/cmdline`, 'utf8').catch(() => '')
    memory[command.includes('postgres') ? 'PostgreSQL' : 'Overture']! += await memoryMbOf(each)
  }
  return { ...memory, together: Object.values(memory).reduce((sum, each) => sum + each) }
}

await Stage.run(async stage => {
  const dir = join(await stage.newFolder(), 'overture')
  const [port, sinkPort] = [await freePort(), await freePort()]
  stage.startNode(['bench/foundation/sink.ts'], { PORT: String(sinkPort) })
  const settings = { OVERTURE_DIR: dir, PORT: String(port), OVERTURE_RATE_LIMIT: '1000000000', OVERTURE_LOG_LEVEL: 'warn' }
  const started = stage.startNode(['scripts/run.mjs', 'start'], settings)
  await started.untilSays('is running at', START_LIMIT_MS)

  const caller = new Caller(JSON.parse(await readFile(join(dir, 'local.json'), 'utf8')))
  const { data: mailboxes } = (await caller.call('GET', '/providers')) as unknown as { data: { id: string }[] }
  const mailbox = mailboxes[0]!.id
  await caller.call('POST', '/credits/grants', { amount: 1_000_000 })
  const events = ['email.sent', 'email.replied', 'campaign.updated', 'campaign.activated']
  await caller.call('POST', '/webhooks', { url: `http://127.0.0.1:${sinkPort}/`, events })
  const { data: campaign } = await caller.call('POST', '/campaigns', { name: 'Soak', providerId: mailbox })
  await write(caller, `/campaigns/${campaign.id}`)

  const fifths = Array.from({ length: FIFTHS }, () => new Map<string, number[]>())
  const startedAt = performance.now()
  const isOver = (): boolean => performance.now() - startedAt >= SOAK_MS || started.hasEnded
  const look = async (): Promise<void> => {
    for (; !isOver(); await sleep(SAMPLE_MS)) {
      const fifth = fifths[Math.floor(((performance.now() - startedAt) / SOAK_MS) * FIFTHS)]
      for (const [name, mb] of Object.entries(await memoryByProcess(started.pid))) fifth?.set(name, [...(fifth.get(name) ?? []), mb])
    }
  }
  const readers = Array.from({ length: READERS }, () => readOn(caller, campaign.id, isOver))
  await Promise.all([look(), workOn(caller, campaign.id, mailbox, isOver), ...readers])

  const lines = [...(fifths[0]?.keys() ?? [])].map((name): Line => {
    const figures = fifths.map(fifth => median(fifth.get(name) ?? []))
    const growth = figures.at(-1)! / figures[1]! - 1
    const most = Math.round(Math.max(...fifths.flatMap(fifth => fifth.get(name) ?? [])))
    return {
      what: `${name}, PSS in each fifth of ${minutes} minutes`,
      figure: `${figures.map(Math.round).join(', ')} MB; at most ${most}`,
      limit: name === 'together' ? `${MOST_MB} MB` : '',
      ratio: `${(growth * 100).toFixed(1)}% since the second`,
      goal: `${MOST_GROWTH * 100}%`,
    }
  })
  console.log(`${describeMachine()}; answers by status: ${JSON.stringify(Object.fromEntries(caller.counts))}`)
  printTable(lines)
})
