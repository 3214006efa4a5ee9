import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { Worker } from '../../src/app/worker.ts'
import { sql } from '../../src/db/sql.ts'
import { eventually } from '../faults/eventually.ts'
import { full } from '../full.ts'
import { type Overture, startOverture, TEST_SECRET } from '../harness.ts'
import { DAY, HOUR, makeCampaign, WEEKDAYS } from '../sending.ts'

const CLOCK = '/v1/sandbox/clock'
const ALWAYS = {
  schedule: {
    daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
    timeWindow: { start: '00:00', end: '23:59' },
    timezone: 'UTC',
  },
}
const STEPS = [0, 3, 4].map((delayDays, at) => ({
  delayDays,
  variants: [{ subject: at === 0 ? 'A question for {{ firstName }}' : null, body: `Message ${at + 1} for {{ firstName }}` }],
}))
const PEOPLE = ['interested', 'silent', 'opens', 'away', 'later', 'not-interested', 'stop', 'bounce']
const leads = (count: number, people = PEOPLE) =>
  Array.from({ length: count }, (_, n) => ({ email: `${people[n % people.length]}+${n}@people.example`, firstName: `P${n}` }))

interface Told {
  type: string
  timestamp: string
  data: { leadId?: string; step?: number }
}

async function listEvents({ client, home }: Overture): Promise<Told[]> {
  const all: Told[] = []
  for (let next: string | null = `${home}/events?limit=100`; next; ) {
    const { body } = await client.get(next)
    all.push(...body.data)
    next = body.links.next
  }
  return all
}

const real = {
  kind: 'smtp',
  name: 'Real',
  fromEmail: 'me@real.example',
  settings: { smtp: { host: '127.0.0.1', port: 2525, secure: false } },
}
const connectReal = ({ client, home }: Overture) =>
  client.post(`${home}/providers`, { ...real, credentials: { username: 'me', password: 'secret' } })

describe('the test clock', () => {
  // test/journeys/sending.test.ts plays fourteen days in every run, and the tests below move the clock.
  it('plays fourteen days of a campaign, with everything in order and on time', full, async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, home } = overture
    const { base } = await makeCampaign(overture, { leads: leads(24), steps: STEPS, campaign: { ...ALWAYS, trackOpens: true } })
    const { status, result, error } = await client.operate('POST', CLOCK, { advance: { days: 14 } })
    assert.equal(status, 'succeeded', JSON.stringify(error))
    assert.equal(result.stoppedBy, 'target')
    assert.ok(Math.abs(Date.parse(result.to) - Date.parse(result.from) - 14 * DAY) < 60_000)
    const events = await listEvents(overture)
    const of = (type: string) => events.filter(event => event.type === type)
    // The first messages may have left before the clock was moved.
    const within = (type: string) => of(type).filter(event => event.timestamp > result.from).length
    assert.equal(result.sentCount, within('email.sent'))
    assert.equal(result.repliedCount, within('email.replied'))
    assert.equal(result.openedCount, within('email.opened'))
    assert.ok(result.sentCount >= 24 && result.repliedCount >= 12 && result.openedCount >= 3, JSON.stringify(result))
    for (const reply of of('email.replied')) {
      const later = of('email.sent').filter(sent => sent.data.leadId === reply.data.leadId && sent.timestamp > reply.timestamp)
      assert.equal(later.length, 0, 'nobody is reminded after an answer')
    }
    for (const second of of('email.sent').filter(sent => sent.data.step === 2)) {
      const first = of('email.sent').find(sent => sent.data.step === 1 && sent.data.leadId === second.data.leadId)!
      const apartMs = Date.parse(second.timestamp) - Date.parse(first.timestamp)
      assert.ok(apartMs >= 3 * DAY - HOUR && apartMs < 8 * DAY, `three business days, not ${apartMs / DAY}`)
    }
    const period = `from=${encodeURIComponent(result.from)}&to=${encodeURIComponent(result.to)}`
    const series = (await client.get(`${base}/metrics/series?interval=day&timezone=UTC&${period}`)).body.data
    assert.ok(series.series[0].points.length >= 5, 'the charts are alive')
    const clock = (await client.get(CLOCK)).body.data
    assert.equal(clock.canAdvance, true)
    assert.ok(clock.offsetMs > 13 * DAY && clock.offsetMs < 15 * DAY)
    assert.ok(Date.parse(clock.now) >= Date.parse(result.to))
    const fresh = await client.post(`${home}/campaigns`, { name: 'Made in the future' })
    assert.ok(fresh.body.data.createdAt >= result.to, 'what is made afterwards is made then')
  })

  it('advances until nothing is planned: every sequence has ended, and the campaign is completed', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { base } = await makeCampaign(overture, {
      leads: leads(6),
      steps: STEPS,
      provider: { minGapSeconds: 300, dailyCap: 4 },
    })
    const { result } = await overture.client.operate('POST', CLOCK, { until: 'idle' })
    assert.equal(result.stoppedBy, 'idle')
    assert.equal((await overture.client.get(base)).body.data.status, 'completed')
    const sends = (await listEvents(overture)).filter(event => event.type === 'email.sent')
    const perDay = Map.groupBy(sends, event => event.timestamp.slice(0, 10))
    for (const [day, messages] of perDay) assert.ok(messages.length <= 4, `${messages.length} messages on ${day}`)
    const times = sends.map(event => Date.parse(event.timestamp))
    for (let at = 1; at < times.length; at++) assert.ok(times[at]! - times[at - 1]! >= 299_000, 'the gap of the mailbox is kept')
    const again = await overture.client.operate('POST', CLOCK, { until: 'idle' })
    assert.deepEqual([again.result.stoppedBy, again.result.sentCount], ['idle', 0])
  })

  it('waits for the window of each lead in a campaign that uses their time zones', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const zones = ['Asia/Tokyo', 'America/Los_Angeles', 'Europe/Berlin', 'Pacific/Auckland']
    const people = zones.map((timezone, n) => ({ email: `silent+zone${n}@people.example`, firstName: timezone, timezone }))
    const { base } = await makeCampaign(overture, {
      leads: people,
      campaign: {
        schedule: { daysOfWeek: WEEKDAYS, timeWindow: { start: '09:00', end: '17:00' }, timezone: 'UTC', useLeadTimezone: true },
      },
    })
    const { result } = await overture.client.operate('POST', CLOCK, { until: 'idle' })
    assert.equal(result.stoppedBy, 'idle')
    const zoneOf = new Map(
      (await overture.client.get(`${base}/leads`)).body.data.map((lead: { id: string; timezone: string }) => [lead.id, lead.timezone]),
    )
    const sends = (await listEvents(overture)).filter(event => event.type === 'email.sent')
    assert.equal(sends.length, 8)
    for (const { timestamp, data } of sends) {
      const timeZone = String(zoneOf.get(data.leadId!))
      const hour = Number(new Date(timestamp).toLocaleString('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }))
      assert.ok(hour >= 9 && hour < 17, `${hour} o'clock in ${timeZone}`)
    }
  })

  it('is refused while a real mailbox exists, and outside of a local installation', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, ctx } = overture
    const connected = await connectReal(overture)
    assert.equal(connected.status, 201, JSON.stringify(connected.body))
    const refused = await client.post(CLOCK, { advance: { hours: 1 } })
    assert.equal(refused.status, 409)
    assert.equal(refused.body.error.details.currentStatus, 'real_mailbox')
    const clock = (await client.get(CLOCK)).body.data
    assert.equal(clock.canAdvance, false)
    assert.match(clock.reason, /real mailbox/)
    await client.delete(`${overture.home}/providers/${connected.body.data.id}`)
    assert.equal((await client.get(CLOCK)).body.data.canAdvance, true)
    ctx.config.databaseUrl = 'postgres://elsewhere/overture'
    const elsewhere = await client.post(CLOCK, { advance: { hours: 1 } })
    assert.equal(elsewhere.status, 409)
    assert.equal(elsewhere.body.error.details.currentStatus, 'not_local')
  })

  it('is reset to real time when any workspace connects a real mailbox', async t => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, ctx } = overture
    t.after(ctx.testClock.follow(ctx.db, ctx.wake))
    const stranger = await overture.stranger()
    for (const world of [overture, { ...overture, ...stranger }]) {
      await client.operate('POST', CLOCK, { advance: { days: 14 } })
      assert.ok((await client.get(CLOCK)).body.data.offsetMs > 13 * DAY)
      const connected = await connectReal(world)
      assert.equal(connected.status, 201, JSON.stringify(connected.body))
      await eventually('the clock is real time again', () => ctx.testClock.offsetMs === 0)
      assert.equal((await client.get(CLOCK)).body.data.canAdvance, false)
      assert.ok(Math.abs(Date.parse(connected.body.data.createdAt) - Date.now()) < 15 * DAY)
      await world.client.delete(`${world.home}/providers/${connected.body.data.id}`)
    }
  })

  it('belongs to the workspace that moved it until that workspace resets it', async t => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, ctx } = overture
    t.after(ctx.testClock.follow(ctx.db, ctx.wake))
    const stranger = await overture.stranger()
    await client.operate('POST', CLOCK, { advance: { days: 3 } })
    for (const reply of [await stranger.client.post(CLOCK, { advance: { days: 1 } }), await stranger.client.delete(CLOCK)])
      assert.deepEqual([reply.status, reply.body.error.details.currentStatus], [409, 'other_workspace'])
    const seen = (await stranger.client.get(CLOCK)).body.data
    assert.equal(seen.canAdvance, false)
    assert.match(seen.reason, /Another workspace/)
    assert.equal((await client.delete(CLOCK)).status, 204)
    await eventually('the clock is real time again', () => ctx.testClock.offsetMs === 0)
    assert.equal((await client.delete(CLOCK)).status, 204, 'also when there is nothing to reset')
    assert.ok(Math.abs(Date.parse((await client.get(CLOCK)).body.data.now) - Date.now()) < HOUR)
    assert.equal((await stranger.client.operate('POST', CLOCK, { advance: { hours: 2 } })).status, 'succeeded')
    assert.equal((await client.get(CLOCK)).body.data.canAdvance, false)
  })

  it('goes back only by a reset, as the error explains', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client } = overture
    await client.operate('POST', CLOCK, { advance: { days: 2 } })
    const back = await client.post(CLOCK, { to: new Date(Date.now() + DAY).toISOString() })
    assert.equal(back.status, 422)
    assert.match(back.body.error.message, /DELETE \/v1\/sandbox\/clock sets the clock back/)
    for (const body of [{}, { advance: {} }, { advance: { days: 1 }, until: 'idle' }, { advance: { days: 400 } }])
      assert.equal((await client.post(CLOCK, body)).status, 422, JSON.stringify(body))
    const to = new Date(Date.now() + 3 * DAY)
    assert.equal((await client.operate('POST', CLOCK, { to: to.toISOString() })).status, 'succeeded')
    assert.ok(Date.parse((await client.get(CLOCK)).body.data.now) >= to.getTime())
  })

  it('is shared by other processes, and survives a restart', async t => {
    const overture = await startOverture()
    after(() => overture.end())
    const options = { config: overture.ctx.config, databaseUrl: overture.databaseUrl, secretKey: TEST_SECRET }
    const other = buildContext(options)
    const stop = other.testClock.follow(other.db, other.wake)
    t.after(async () => {
      stop()
      await closeContext(other)
    })
    await other.wake.listen(overture.databaseUrl)
    await overture.client.operate('POST', CLOCK, { advance: { days: 5 } })
    await eventually('the other process has heard of it', async () => other.testClock.offsetMs === overture.ctx.testClock.offsetMs)
    const restarted = buildContext(options)
    t.after(() => closeContext(restarted))
    await restarted.testClock.read(restarted.db)
    assert.equal(restarted.testClock.offsetMs, overture.ctx.testClock.offsetMs)
  })

  it('is moved by one operation at a time, which another worker continues after a stop', async t => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, ctx } = overture
    await makeCampaign(overture, {
      leads: leads(30, ['silent', 'opens', 'interested']),
      steps: STEPS,
      campaign: ALWAYS,
      provider: { minGapSeconds: 60 },
    })
    const { body: operation } = await client.post(CLOCK, { advance: { days: 7 } })
    await eventually('it has begun', async () => (await client.get(CLOCK)).body.data.advancing !== null)
    const clock = (await client.get(CLOCK)).body.data
    assert.deepEqual([clock.canAdvance, clock.advancing.operationId], [false, operation.id])
    const second = await client.post(CLOCK, { advance: { hours: 1 } })
    assert.equal(second.status, 409)
    assert.equal(second.body.error.details.currentStatus, 'advancing')
    await overture.worker!.stop()
    const left = await client.get(`/v1/operations/${operation.id}`)
    assert.equal(left.body.status, 'running')
    const next = new Worker(ctx)
    t.after(() => next.stop())
    await next.start()
    const settled = await eventually('the next worker goes on', async () => {
      const { body } = await client.get(`/v1/operations/${operation.id}`)
      return body.status === 'succeeded' ? body : undefined
    })
    assert.equal(settled.result.stoppedBy, 'target')
    const sent = await ctx.db.first<{ count: number }>(sql(`select count(*)::int as count from sends where status = 'sent'`))
    assert.ok(sent!.count >= 30)
  })

  it('does not affect tokens and operations, which use real time', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, home } = overture
    const expiresAt = new Date(Date.now() + DAY).toISOString()
    await client.operate('POST', CLOCK, { advance: { days: 200 } })
    const key = await client.post(`${home}/api-keys`, { name: 'Short', scopes: ['campaigns:read'], expiresAt })
    assert.equal(key.status, 201, JSON.stringify(key.body))
    const listed = (await client.get(`${home}/api-keys`)).body.data
    assert.ok(listed.some((token: { id: string }) => token.id === key.body.data.id))
    const [operation] = (await client.get(`${home}/operations?action=sandbox.advance_clock`)).body.data
    assert.ok(Math.abs(Date.parse(operation.completedAt) - Date.now()) < HOUR)
  })
})
