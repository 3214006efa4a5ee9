import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { HOUR, MINUTE, makeCampaign, startLiving } from '../sending.ts'

const SECOND = 1000

async function setUp(leadCount: number) {
  const smtp = await ScriptedSmtp.start()
  after(() => smtp.close())
  const overture = await startLiving()
  const made = await makeCampaign(overture, {
    leads: Array.from({ length: leadCount }, (_, n) => ({ email: `lead${n}@people.example`, firstName: `Lead ${n}` })),
    provider: {
      kind: 'smtp',
      settings: { smtp: { host: '127.0.0.1', port: smtp.port, secure: false } },
      credentials: { username: 'ada', password: 'secret' },
    },
    activate: false,
  })
  const verified = await overture.client.post(`${overture.home}/providers/${made.providerId}/verify`, {})
  assert.equal(verified.body.data.ok, true, JSON.stringify(verified.body))
  assert.equal((await overture.client.operate('POST', `${made.base}/activate`)).status, 'succeeded')
  const provider = async () => (await overture.client.get(`${overture.home}/providers/${made.providerId}`)).body.data
  const countArrived = (): number => new Set(smtp.received.flatMap(raw => /^To: .*(lead\d+)@/m.exec(raw)?.[1] ?? [])).size
  const countAlarms = async (): Promise<number> =>
    (await overture.client.get(`${overture.home}/events?type=provider.disconnected`)).body.data.length
  return { smtp, overture, ...made, provider, countArrived, countAlarms }
}

describe('an unavailable mail server', () => {
  it('for a moment makes the mailbox rest until a shown time, without an alarm or a delay of minutes', async () => {
    const { smtp, overture, base, provider, countArrived, countAlarms } = await setUp(30)
    smtp.script = point => (point === 'GREETING' ? '421 4.3.2 Service shutting down' : undefined)
    const connectionsBefore = smtp.connectionCount
    await overture.work.sender.tick()
    const { status, resting } = await provider()
    assert.equal(status, 'connected')
    assert.match(resting.reason, /shutting down/)
    assert.ok(Date.parse(resting.until) > overture.clock.now().getTime())
    // Claimed messages were returned without an attempt.
    assert.ok(smtp.connectionCount - connectionsBefore < 30, `${smtp.connectionCount - connectionsBefore} connections`)
    const { reasons } = (await overture.client.get(`${base}/sending`)).body.data
    assert.ok(reasons.some((reason: { reason: string }) => reason.reason === 'mailbox_resting'))
    smtp.script = () => undefined
    await overture.live(30 * SECOND, 5 * SECOND)
    assert.equal(countArrived(), 30)
    assert.equal((await provider()).resting, null)
    assert.equal(await countAlarms(), 0)
    // No server of a recipient was tried while ours was unavailable, so no attempt was used up.
    assert.deepEqual(await overture.ctx.db.many(sql('select distinct attempts from sends')), [{ attempts: 1 }])
  })

  it('does not use up the daily cap: unsent messages are not counted', async () => {
    const { smtp, overture, providerId, provider, countArrived } = await setUp(10)
    const { load } = await provider()
    const capped = await overture.client.patch(`${overture.home}/providers/${providerId}`, { dailyCap: load.sentToday + 10 })
    assert.equal(capped.status, 200)
    for (const answer of ['GREETING', 'MAIL'] as const) {
      smtp.script = point => (point === answer ? '450 4.7.1 Error: too much mail' : undefined)
      await overture.live(MINUTE, 10 * SECOND)
      assert.equal((await provider()).load.sentToday, load.sentToday)
    }
    smtp.script = () => undefined
    await overture.live(5 * MINUTE, 30 * SECOND)
    assert.equal(countArrived(), 10)
    assert.equal((await provider()).load.sentToday, load.sentToday + 10)
  })

  it('disconnects the mailbox only after 15 minutes of failures', async () => {
    const { smtp, overture, provider, countAlarms } = await setUp(3)
    smtp.script = point => (point === 'GREETING' ? 'drop' : undefined)
    await overture.live(14 * MINUTE, 20 * SECOND)
    assert.deepEqual([(await provider()).status, await countAlarms()], ['connected', 0])
    await overture.live(5 * MINUTE, 20 * SECOND)
    assert.deepEqual([(await provider()).status, await countAlarms()], ['disconnected', 1])
  })

  it('that refuses more connections gets everything over the first one', async () => {
    const { smtp, overture, provider, countArrived } = await setUp(20)
    let greetings = 0
    smtp.script = point => (point === 'GREETING' && greetings++ > 0 ? '421 4.7.0 Too many connections' : undefined)
    await overture.work.sender.tick()
    assert.equal(countArrived(), 20)
    assert.equal((await provider()).resting, null)
    assert.ok(greetings < 10, `${greetings} connections were tried`)
    await overture.live(HOUR, 30 * MINUTE)
    assert.equal(smtp.received.filter(raw => raw.includes('people.example')).length, 20)
  })
})
