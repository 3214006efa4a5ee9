import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { Context } from '../../src/context/context.ts'
import { sql } from '../../src/db/sql.ts'
import type { Client } from '../harness.ts'
import { eventually } from './eventually.ts'
import { tryKill } from './processes.ts'
import { Random } from './random.ts'
import { onStage, openAllDay, type Stage } from './stage.ts'

interface SendingFaultOptions {
  kills: number
  workers?: number
  /** How many emails there are to send; by default enough to last as long as the kills. */
  messages?: number
  seed?: number
  log?: (line: string) => void
}

interface SendingFaultReport {
  received: number
  kills: number
  /** Messages whose fate was unknown because a worker died, or the server hung up, at the wrong moment. */
  unknown: number
  /** Of those, how many had not left after all: the price of never sending twice. */
  missing: number
  dropped: number
  /** Decisions to wait, by reason. */
  waits: Record<string, number>
}

const MAILBOXES = 3
const MESSAGES_PER_KILL = 120
const SUPPRESSED = 20

interface Received {
  to: string
  subject: string
  messageId: string
  at: number
}

/** A real SMTP server that takes its time, so that workers die in the middle of things, and now and then hangs up after the final dot. */
export class Sink {
  readonly received: Received[] = []
  readonly #server: SMTPServer
  dropped = 0

  constructor(random: Random) {
    this.#server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (auth, _session, done) => done(null, { user: auth.username ?? '' }),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', chunk => chunks.push(chunk))
        stream.on('end', async () => {
          const raw = Buffer.concat(chunks).toString('latin1')
          const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(raw.replaceAll('\r', ''))?.[1] ?? ''
          const to = session.envelope.rcptTo[0]?.address ?? ''
          await sleep(random.between(5, 40))
          this.received.push({ to, subject: field('Subject'), messageId: field('Message-ID'), at: performance.now() })
          if (random.chance(0.01)) {
            this.dropped++
            // The message is here; its sender will never hear of it.
            return this.#hangUp(session.id)
          }
          await sleep(random.between(0, 20))
          done()
        })
      },
    })
    this.#server.on('error', () => {})
  }

  #hangUp(id: string): void {
    const { connections } = this.#server as unknown as { connections: Set<{ id: string; _socket: { destroy(): void } }> }
    for (const connection of connections) if (connection.id === id) connection._socket.destroy()
  }

  async listen(): Promise<number> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', () => resolve()))
    return (this.#server.server.address() as AddressInfo).port
  }

  close(): Promise<void> {
    return new Promise(resolve => this.#server.close(() => resolve()))
  }
}

/**
 * Two campaigns are sent by workers that are killed with -9 again and again, to a real SMTP server. Whatever dies
 * when: at most one message per lead and step, none to a suppressed person, none after a pause has succeeded.
 */
export async function runSendingFaults(options: SendingFaultOptions): Promise<SendingFaultReport> {
  const random = new Random(options.seed ?? 1)
  const log = options.log ?? (() => {})
  const sink = new Sink(random)
  try {
    return await onStage({ killsPostgres: false }, async stage => {
      for (let n = 0; n < (options.workers ?? 3); n++) stage.startWorker()
      const people = Math.ceil((options.messages ?? options.kills * MESSAGES_PER_KILL) / 3)
      const setting = await prepare(stage, await sink.listen(), people)
      const pausing = pauseHalfway(setting, sink, people)
      let kills = 0
      while (kills < options.kills) {
        const before = sink.received.length
        const isBusy = () => sink.received.length >= before + 10 || sink.received.length >= people * 2
        await eventually('messages are arriving', isBusy, 120_000)
        await sleep(random.between(20, 200))
        const alive = stage.busyWorkers()
        if (alive.length === 0) continue
        tryKill(random.pick(alive).pid, 'SIGKILL')
        kills++
        stage.startWorker()
        log(`${kills} kills, ${sink.received.length} messages`)
      }
      const pausedAt = await pausing
      log('paused')
      await settle(stage.ctx, setting)
      return await judge(stage.ctx, setting, sink, { kills, pausedAt })
    })
  } finally {
    await sink.close()
  }
}

interface Setting {
  client: Client
  long: string
  paused: string
  longId: string
  suppressed: string[]
}

const steps = [1, 2].map(n => ({ delayDays: 0, variants: [{ subject: `Step ${n} for {{ firstName }}`, body: 'Hello {{ firstName }}' }] }))

async function prepare(stage: Stage, port: number, people: number): Promise<Setting> {
  const { client, home } = await stage.signUp()
  const mailboxes: string[] = []
  for (let n = 0; n < MAILBOXES; n++) {
    const made = await client.post(`${home}/providers`, {
      ...{ kind: 'smtp', name: `Mailbox ${n}`, fromName: 'Ada', fromEmail: `ada${n}@sender.example`, postalAddress: '1 Example Street' },
      ...{ dailyCap: 100_000, minGapSeconds: 0, credentials: { username: 'ada', password: 'secret' } },
      settings: { smtp: { host: '127.0.0.1', port, secure: false } },
    })
    mailboxes.push(made.body.data.id)
    // The sink drops connections now and then, also that of a test message.
    await eventually(
      'the mailbox is verified',
      async () => (await client.post(`${home}/providers/${made.body.data.id}/verify`, {})).body.data.ok,
    )
  }
  const schedule = openAllDay()
  const make = async (name: string, count: number): Promise<string> => {
    const created = await client.post(`${home}/campaigns`, {
      name,
      providerId: mailboxes[0],
      rotationProviderIds: mailboxes.slice(1),
      schedule,
    })
    const base = `${home}/campaigns/${created.body.data.id}`
    const leads = Array.from({ length: count }, (_, n) => ({ email: `${name}-${n}@people.example`, firstName: `${name}-${n}` }))
    const operations = [
      await client.operate('PUT', `${base}/sequence`, { steps }, { 'if-match': created.body.data.updatedAt }),
      ...(await Promise.all(chunks(leads, 2000).map(part => client.operate('POST', `${base}/leads/import`, { leads: part })))),
    ]
    for (const operation of operations) assert.equal(operation.status, 'succeeded', JSON.stringify(operation.error))
    return base
  }
  const long = await make('long', people)
  const paused = await make('paused', people)
  const suppressed = Array.from({ length: SUPPRESSED }, (_, n) => `long-${n * 3}@people.example`)
  for (const value of suppressed) await client.post(`${home}/suppressions`, { kind: 'email', value })
  for (const base of [long, paused]) assert.equal((await client.operate('POST', `${base}/activate`)).status, 'succeeded')
  return { client, long, paused, longId: long.split('/').at(-1)!, suppressed }
}

function chunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** Pauses the second campaign in the middle of it; the moment at which that had succeeded. */
async function pauseHalfway({ client, paused }: Setting, sink: Sink, people: number): Promise<number> {
  const isHalfway = () => sink.received.filter(message => message.to.startsWith('paused')).length > people / 3
  await eventually('half of the campaign has been sent', isHalfway, 300_000)
  const accepted = await client.post(`${paused}/pause`, {})
  await eventually(
    'the pause has succeeded',
    async () => {
      const operation = (await client.get(`/v1/operations/${accepted.body.id}`)).body
      assert.notEqual(operation.status, 'failed')
      return operation.status === 'succeeded'
    },
    120_000,
  )
  return performance.now()
}

const OPEN = sql(`
  select (select count(*) from sends where status in ('claimed', 'sending', 'unknown'))::int
    + (select count(*) from leads where campaign_id = $1 and due_at <= now())::int as count`)

async function settle(ctx: Context, { longId }: Setting): Promise<void> {
  await eventually('nothing is left to send', async () => (await ctx.db.first<{ count: number }>(OPEN, [longId]))!.count === 0, 180_000)
}

const COUNTS = sql(`
  select count(*) filter (where reconciled is not null)::int as unknown, count(*) filter (where status = 'sent')::int as sent,
    coalesce(array_agg(message_id) filter (where status = 'sent'), '{}') as ids, coalesce(array_agg(message_id) filter (where reconciled is not null), '{}') as doubtful
  from sends`)
const WAITS = sql('select reason, count(*)::int as count from decisions group by 1')
const EVENTS = sql(`select count(*)::int as count, count(distinct data->>'sendId')::int as sends from events where type = 'email.sent'`)

async function judge(ctx: Context, setting: Setting, sink: Sink, run: { kills: number; pausedAt: number }): Promise<SendingFaultReport> {
  const messages = sink.received.filter(message => message.to.endsWith('@people.example'))
  const seen = new Map<string, number>()
  for (const { to, subject } of messages) seen.set(`${to} ${subject}`, (seen.get(`${to} ${subject}`) ?? 0) + 1)
  const doubled = [...seen].filter(([, count]) => count > 1)
  assert.deepEqual(doubled, [], 'nobody gets a step twice')
  assert.deepEqual(
    messages.filter(message => setting.suppressed.includes(message.to)),
    [],
    'nobody who is suppressed is written to',
  )
  const late = messages.filter(message => message.to.startsWith('paused') && message.at > run.pausedAt)
  assert.deepEqual(late, [], 'nothing leaves after a pause has succeeded')

  const counts = (await ctx.db.first<{ unknown: number; sent: number; ids: string[]; doubtful: string[] }>(COUNTS))!
  const arrived = new Set(messages.map(message => message.messageId))
  const missing = counts.ids.filter(id => !arrived.has(id))
  const doubtful = new Set(counts.doubtful)
  assert.deepEqual(
    missing.filter(id => !doubtful.has(id)),
    [],
    'what counts as sent has arrived, unless it is flagged',
  )
  assert.equal(arrived.size, counts.sent - missing.length, 'what has arrived counts as sent')
  const events = (await ctx.db.first<{ count: number; sends: number }>(EVENTS))!
  assert.deepEqual([events.count, events.sends], [counts.sent, counts.sent], 'each message has one event')
  const waits = await ctx.db.many<{ reason: string; count: number }>(WAITS)
  return {
    ...{ received: messages.length, kills: run.kills, unknown: counts.unknown, missing: missing.length, dropped: sink.dropped },
    waits: Object.fromEntries(waits.map(({ reason, count }) => [reason, count])),
  }
}
