import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { DAY, type LivingOverture, MINUTE, makeCampaign, startLiving } from '../sending.ts'

async function smtpServer(script?: ScriptedSmtp['script']): Promise<ScriptedSmtp> {
  const server = await ScriptedSmtp.start(script)
  after(() => server.close())
  return server
}

const mailboxAt = (server: ScriptedSmtp, extra: Record<string, unknown> = {}) => ({
  kind: 'smtp',
  settings: { smtp: { host: '127.0.0.1', port: server.port, secure: false } },
  credentials: { username: 'ada', password: 'secret' },
  ...extra,
})

/** The provider must be verified before the campaign can be activated. */
async function activate(overture: LivingOverture, made: { base: string; providerId: string }): Promise<void> {
  const verified = await overture.client.post(`${overture.home}/providers/${made.providerId}/verify`, {})
  assert.equal(verified.body.data.ok, true, JSON.stringify(verified.body))
  const operation = await overture.client.operate('POST', `${made.base}/activate`)
  assert.equal(operation.status, 'succeeded', JSON.stringify(operation.error))
}

const isToLead = (raw: string): boolean => /^To: .*people\.example/m.test(raw)
const idOf = (raw: string): string => /^Message-ID: (.*)$/m.exec(raw.replaceAll('\r', ''))![1]!
const SENDS = sql(
  'select lead_id, step, status, message_id as "messageId", attempts, reconciled, response from sends order by created_at, step',
)

const ann = { email: 'ann@people.example', firstName: 'Ann' }
const bob = { email: 'bob@people.example', firstName: 'Bob' }

describe('a campaign over SMTP', () => {
  it('sends each step once, the second in the thread of the first', async () => {
    const server = await smtpServer()
    const overture = await startLiving()
    const made = await makeCampaign(overture, { leads: [ann, bob], provider: mailboxAt(server), activate: false })
    await activate(overture, made)
    await overture.live(7 * DAY, 3 * 60 * MINUTE)
    const messages = server.received.filter(isToLead)
    assert.equal(messages.length, 4)
    const toAnn = messages.filter(raw => raw.includes('ann@people.example'))
    const first = idOf(toAnn[0]!)
    assert.match(toAnn[0]!, /^Subject: A question for Ann\r$/m)
    assert.match(toAnn[1]!, /^Subject: Re: A question for Ann\r$/m)
    assert.ok(toAnn[1]!.includes(`In-Reply-To: ${first}`))
    assert.match(toAnn[0]!, /^List-Unsubscribe: <http:/m)
    assert.match(toAnn[0]!, /1 Example Street/)
  })

  it('retries a greylisted message later as the same message', async () => {
    let refusals = 0
    const server = await smtpServer((point, line) => {
      if (point !== 'RCPT' || !line.includes('ann@') || refusals > 1) return undefined
      refusals++
      return '451 4.7.1 Greylisted, come back later'
    })
    const overture = await startLiving()
    const made = await makeCampaign(overture, { leads: [ann], provider: mailboxAt(server), activate: false })
    await activate(overture, made)
    await overture.live(2 * MINUTE, MINUTE)
    assert.equal(server.received.filter(isToLead).length, 0)
    await overture.live(30 * MINUTE, MINUTE)
    assert.equal(server.received.filter(isToLead).length, 1)
    const [send] = await overture.ctx.db.many<{ attempts: number; messageId: string; status: string }>(SENDS)
    assert.equal(send!.attempts, 3)
    assert.equal(send!.messageId, idOf(server.received.filter(isToLead)[0]!))
    const lead = (await overture.client.get(`${made.base}/leads`)).body.data[0]
    const timeline = (await overture.client.get(`${made.base}/leads/${lead.id}/timeline`)).body.data
    assert.ok(
      timeline.some(
        (entry: { type: string; data: { reason: string } }) =>
          entry.type === 'decision.waiting' && entry.data.reason === 'recipient_deferred',
      ),
    )
  })

  it('bounces a dead address and never emails it again', async () => {
    const server = await smtpServer((point, line) => (point === 'RCPT' && line.includes('bob@') ? '550 5.1.1 No such user' : undefined))
    const overture = await startLiving()
    const made = await makeCampaign(overture, { leads: [ann, bob], provider: mailboxAt(server), activate: false })
    await activate(overture, made)
    await overture.work.tick()
    const leads = (await overture.client.get(`${made.base}/leads`)).body.data as { email: string; status: string }[]
    assert.deepEqual(Object.fromEntries(leads.map(lead => [lead.email[0], lead.status])), { a: 'contacted', b: 'bounced' })
    assert.equal((await overture.client.get(`${overture.home}/suppressions`)).body.data[0].value, 'bob@people.example')
    assert.equal((await overture.client.get(`${made.base}/metrics`)).body.data.metrics.bouncedCount, 1)
  })

  it('records the outcome for every response of a mail server', async () => {
    const odd = `${'x'.repeat(480)}\0${'🙂'.repeat(20)}`
    const server = await smtpServer((point, line) => {
      if (point === 'RCPT' && line.includes('bob@')) return `550 5.1.1 ${odd}`
      if (point === 'RCPT' && line.includes('cem@')) return `451 4.3.0 ${odd}`
      return point === 'DOT' ? `250 2.0.0 ${odd}` : undefined
    })
    const overture = await startLiving()
    const leads = [ann, bob, { email: 'cem@people.example', firstName: 'Cem' }]
    const made = await makeCampaign(overture, { leads, provider: mailboxAt(server), activate: false })
    await activate(overture, made)
    await overture.work.tick()
    const sends = await overture.ctx.db.many<{ status: string; response: string }>(SENDS)
    assert.deepEqual(sends.map(send => send.status).sort(), ['failed', 'queued', 'sent'])
    for (const { response } of sends) assert.ok(response.isWellFormed() && !response.includes('\0'), response)
  })

  it('never repeats a message whose connection was lost after the final dot', async () => {
    const server = await smtpServer((point, _line, turn) => (point === 'DOT' && turn === 2 ? 'drop' : undefined))
    const overture = await startLiving()
    const made = await makeCampaign(overture, { leads: [ann], provider: mailboxAt(server), activate: false })
    await activate(overture, made)
    await overture.live(30 * MINUTE, MINUTE)
    assert.equal(server.received.filter(isToLead).length, 1)
    const [send] = await overture.ctx.db.many<{ status: string; reconciled: string }>(SENDS)
    assert.deepEqual([send!.status, send!.reconciled], ['sent', 'assumed'])
    const lead = (await overture.client.get(`${made.base}/leads`)).body.data[0]
    assert.equal(lead.status, 'contacted')
  })

  it('retries when the connection was lost before the body was handed over', async () => {
    const server = await smtpServer((point, _line, turn) => (point === 'DATA' && turn === 2 ? 'drop' : undefined))
    const overture = await startLiving()
    const made = await makeCampaign(overture, { leads: [ann], provider: mailboxAt(server), activate: false })
    await activate(overture, made)
    await overture.work.tick()
    assert.equal(server.received.filter(isToLead).length, 0)
    await overture.live(10 * MINUTE, MINUTE)
    assert.equal(server.received.filter(isToLead).length, 1)
  })

  it('disconnects a refused mailbox, stops its campaigns with the reason, and continues when it works again', async () => {
    let isRefusing = false
    const server = await smtpServer(point => (isRefusing && point === 'AUTH' ? '535 5.7.8 Wrong password' : undefined))
    const overture = await startLiving()
    const made = await makeCampaign(overture, { leads: [ann], provider: mailboxAt(server), activate: false })
    await activate(overture, made)
    isRefusing = true
    await overture.work.tick()
    const provider = (await overture.client.get(`${overture.home}/providers/${made.providerId}`)).body.data
    assert.equal(provider.status, 'disconnected')
    assert.match(provider.statusReason, /Wrong password/)
    assert.equal((await overture.client.get(made.base)).body.data.status, 'attention_needed')
    const events = (await overture.client.get(`${overture.home}/events?type=provider.disconnected`)).body.data
    assert.equal(events.length, 1)

    await overture.live(10 * MINUTE, MINUTE)
    assert.equal((await overture.client.get(made.base)).body.data.status, 'attention_needed')
    isRefusing = false
    await overture.live(60 * MINUTE, 5 * MINUTE)
    assert.equal((await overture.client.get(made.base)).body.data.status, 'active')
    assert.equal(server.received.filter(isToLead).length, 1)
  })

  it('completes a pause only when the message in progress has an outcome, and sends nothing after it', async () => {
    const started = Promise.withResolvers<void>()
    let isHolding = true
    const server = await smtpServer((point, line) => {
      if (point !== 'RCPT' || !line.includes('people.example') || !isHolding) return undefined
      started.resolve()
      return ''
    })
    const overture = await startLiving()
    const made = await makeCampaign(overture, { leads: [ann, bob], provider: mailboxAt(server, { minGapSeconds: 60 }), activate: false })
    await activate(overture, made)
    const ticking = overture.work.tick()
    await started.promise
    const asked = await overture.client.post(`${made.base}/pause`, {}, { headers: { prefer: 'wait=1' } })
    assert.equal(asked.status, 202)
    assert.equal((await overture.client.get(made.base)).body.data.status, 'paused')
    // The silent server hangs up: now it is known that the message did not leave.
    isHolding = false
    await server.close()
    await ticking
    const operation = await overture.client.operate('POST', `${made.base}/pause`)
    assert.equal(operation.status, 'succeeded')
    await overture.live(DAY, 60 * MINUTE)
    assert.equal(server.received.filter(isToLead).length, 0)
  })

  it('emails from and to domains in any script, with a real name, and with a Reply-To', async () => {
    const server = await smtpServer()
    const overture = await startLiving()
    await overture.client.post(`${overture.home}/suppressions`, { kind: 'email', value: 'nobody@xn--bcher-kva.example' })
    const signature = { text: 'Ada Example', html: '<p>Ada Example</p>' }
    const made = await makeCampaign(overture, {
      leads: [
        { email: 'info@bücher.example', firstName: 'Ann' },
        { email: 'nobody@bücher.example', firstName: 'Bob' },
        { email: 'jürgen@bücher.example', firstName: 'Jürgen' },
      ],
      provider: mailboxAt(server, { fromEmail: 'ada@grüße.example', replyTo: 'sales@grüße.example', signature }),
      activate: false,
    })
    await activate(overture, made)
    await overture.work.tick()
    const recipients = server.commands.filter(line => line.startsWith('RCPT TO:') && line.includes('bcher'))
    assert.deepEqual(recipients, ['RCPT TO:<info@xn--bcher-kva.example>'])
    assert.ok(
      server.commands.some(line => line.startsWith('MAIL FROM:<ada@xn--gre-6ka8l.example>')),
      server.commands.join('\n'),
    )
    assert.deepEqual([...new Set(server.commands.filter(line => line.startsWith('EHLO')))], ['EHLO xn--gre-6ka8l.example'])
    assert.match(server.received.at(-1)!, /^Reply-To: sales@xn--gre-6ka8l\.example\r$/m)
    const provider = (await overture.client.get(`${overture.home}/providers/${made.providerId}`)).body.data
    assert.deepEqual([provider.replyTo, provider.signature], ['sales@xn--gre-6ka8l.example', signature])
    const changed = await overture.client.patch(`${overture.home}/providers/${made.providerId}`, { replyTo: null, signature: null })
    assert.deepEqual([changed.body.data.replyTo, changed.body.data.signature, changed.body.data.status], [null, null, 'connected'])
  })
})
