import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../src/db/sql.ts'
import { readMessage } from '../../src/mail/inbound/inbound.ts'
import { receiveMessage } from '../../src/modules/replies/replies.ts'
import { letter } from '../correspondence.ts'
import type { Client } from '../harness.ts'
import { makeCampaign } from '../sending.ts'
import { eventually } from './eventually.ts'
import { tryKill } from './processes.ts'
import { Random } from './random.ts'
import { Sink } from './sending.ts'
import { onStage, openAllDay, type Stage } from './stage.ts'

interface AnswerFaultOptions {
  kills: number
  workers?: number
  seed?: number
  log?: (line: string) => void
}

interface AnswerFaultReport {
  answers: number
  received: number
  kills: number
  /** Answers with an unknown outcome, and those of them that were not sent. */
  unknown: number
  missing: number
}

/** Answers for each kill: enough for it to come in the middle of them. */
const ANSWERS_PER_KILL = 15

/**
 * Replies are answered while the workers that send the answers are killed with -9, again and again, between the moment at
 * which a message is marked as sending and that at which it is recorded. Whenever a worker dies, no answer arrives twice,
 * and every request learns its outcome.
 */
export async function runAnswerFaults(options: AnswerFaultOptions): Promise<AnswerFaultReport> {
  const random = new Random(options.seed ?? 1)
  const sink = new Sink(random)
  try {
    return await onStage({ killsPostgres: false }, async stage => {
      for (let n = 0; n < (options.workers ?? 2); n++) stage.startWorker()
      const count = options.kills * ANSWERS_PER_KILL
      const { client, replies } = await prepare(stage, await sink.listen(), count)
      const answers = () => sink.received.filter(({ subject }) => subject.startsWith('Answer '))
      const operations = await Promise.all(
        replies.map(({ links }, n) => client.post(`${links.self}/answer`, { text: `This is answer ${n}.`, subject: `Answer ${n}` })),
      )
      for (let kills = 0; kills < options.kills; kills++) {
        const before = answers().length
        await eventually('answers are arriving', () => answers().length > before || answers().length >= count * 0.9, 60_000)
        await sleep(random.between(0, 20))
        const alive = stage.busyWorkers()
        if (alive.length > 0) tryKill(random.pick(alive).pid, 'SIGKILL')
        stage.startWorker()
        options.log?.(`${kills + 1} kills, ${answers().length} answers`)
      }
      const ended = await Promise.all(operations.map(({ body }) => endOf(client, body.id)))
      return judge(ended, answers(), options.kills)
    })
  } finally {
    await sink.close()
  }
}

interface Ended {
  status: string
  error: unknown
  result: { messageId: string; reconciled: string | null }
}

const endOf = (client: Client, id: string): Promise<Ended> =>
  eventually(
    'the request learns the outcome of the answer',
    async () => {
      const { body } = await client.get(`/v1/operations/${id}`)
      return body.status === 'succeeded' || body.status === 'failed' ? (body as Ended) : null
    },
    120_000,
  )

function judge(ended: Ended[], received: { subject: string; messageId: string }[], kills: number): AnswerFaultReport {
  const seen = Map.groupBy(received, ({ subject }) => subject)
  const doubled = [...seen].filter(([, messages]) => messages.length > 1).map(([subject]) => subject)
  assert.deepEqual(doubled, [], 'nobody gets an answer twice')
  for (const { status, error } of ended) assert.equal(status, 'succeeded', JSON.stringify(error))
  const arrived = new Set(received.map(({ messageId }) => messageId))
  const missing = ended.filter(({ result }) => !arrived.has(result.messageId))
  assert.ok(
    missing.every(({ result }) => result.reconciled !== null),
    'what counts as sent has arrived, unless it is flagged',
  )
  const unknown = ended.filter(({ result }) => result.reconciled !== null).length
  return { answers: ended.length, received: received.length, kills, unknown, missing: missing.length }
}

interface Listed {
  links: { self: string }
}

/** Every lead was emailed and has replied. */
async function prepare(stage: Stage, port: number, count: number): Promise<{ client: Client; replies: Listed[] }> {
  const { ctx } = stage
  const { client, workspaceId, home } = await stage.signUp()
  const settings = { smtp: { host: '127.0.0.1', port, secure: false } }
  const { base, providerId } = await makeCampaign({ client, home } as Parameters<typeof makeCampaign>[0], {
    leads: Array.from({ length: count }, (_, n) => ({ email: `p${n}@people.example`, firstName: `P${n}` })),
    steps: [{ delayDays: 0, variants: [{ subject: 'Hello {{ firstName }}', body: 'Hello {{ firstName }}' }] }],
    provider: { kind: 'smtp', settings, credentials: { username: 'ada', password: 'secret' }, dailyCap: 100_000 },
    campaign: { schedule: openAllDay() },
    activate: false,
  })
  await eventually('the mailbox is verified', async () => (await client.post(`${home}/providers/${providerId}/verify`, {})).body.data.ok)
  assert.equal((await client.operate('POST', `${base}/activate`)).status, 'succeeded')
  const sent = await eventually(
    'everybody has been written to',
    async () => {
      const rows = await ctx.db.many<{ email: string; messageId: string }>(SENT)
      return rows.length === count ? rows : null
    },
    60_000,
  )
  for (const { email, messageId } of sent) {
    const raw = Buffer.from(letter({ from: email, inReplyTo: messageId, text: 'Hm. Who are you?' }))
    const read = await readMessage({ raw, receivedAt: new Date() })
    const located = {
      workspaceId,
      mailboxId: providerId,
      folder: 'INBOX',
      isJunk: false,
      uidValidity: '1',
      uid: 1,
      raw,
      receivedAt: new Date(),
    }
    await ctx.db.inTransaction(tx => receiveMessage(ctx, tx, { ...located, ...read }, new Date()))
  }
  const replies: Listed[] = []
  for (let next: string | null = `${home}/replies?limit=100`; next; ) {
    const { body } = await client.get(next)
    replies.push(...(body.data as Listed[]))
    next = body.links.next
  }
  assert.equal(replies.length, count)
  return { client, replies }
}

const SENT = sql(`
  select l.email, s.message_id as "messageId"
  from sends s
  join leads l on l.id = s.lead_id
  where s.status = 'sent' and s.step = 0`)
