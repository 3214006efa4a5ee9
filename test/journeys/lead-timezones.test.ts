import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { claimSends } from '../../src/modules/sending/claim.ts'
import { intendSends, prepareSends } from '../../src/modules/sending/intend.ts'
import { nextSendAt } from '../../src/modules/sending/planner-input.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { HOUR, type LivingOverture, makeCampaign, startLiving, TWO_STEPS, WEEKDAYS } from '../sending.ts'

const window = { daysOfWeek: WEEKDAYS, timeWindow: { start: '09:00', end: '17:00' }, timezone: 'Europe/Berlin' }
const schedule = { ...window, useLeadTimezone: true }
const ONE_STEP = [TWO_STEPS[0]!]
const lead = (name: string, timezone?: string) => ({
  email: `silent+${name}@people.example`,
  firstName: name,
  ...(timezone ? { timezone } : {}),
})
const world = [lead('berlin'), lead('mars', 'Mars/Olympus'), lead('tokyo', 'Asia/Tokyo'), lead('york', 'America/New_York')]

/** When each lead was first written to. */
async function sentAt({ ctx }: LivingOverture): Promise<Record<string, string>> {
  const rows = await ctx.db.many<{ name: string; at: Date }>(
    sql(
      `select l.first_name as name, s.sent_at as at from sends s join leads l on l.id = s.lead_id where s.status = 'sent' and s.step = 0`,
    ),
  )
  return Object.fromEntries(rows.map(({ name, at }) => [name, at.toISOString()]))
}

const leadNamed = async ({ client }: LivingOverture, base: string, name: string) =>
  (await client.get(`${base}/leads?email=silent%2B${name}@people.example`)).body.data[0]

async function put({ client }: LivingOverture, base: string, body: object) {
  const { updatedAt } = (await client.get(base)).body.data
  return client.operate('PUT', `${base}/schedule`, body, { 'if-match': updatedAt })
}

describe('a campaign that uses the time zones of its leads', () => {
  it('emails each lead in the window of their own zone, and in its own zone if theirs is unknown', async () => {
    const overture = await startLiving()
    const { client } = overture
    const plain = (await client.post(`${overture.home}/campaigns`, { name: 'Plain', schedule: window })).body.data
    assert.equal((await client.get(`${plain.links.self}/schedule`)).body.data.useLeadTimezone, false, 'unless it is asked for')
    const { base } = await makeCampaign(overture, { leads: world, steps: ONE_STEP, campaign: { schedule } })
    await overture.work.tick()
    assert.deepEqual(Object.keys(await sentAt(overture)).toSorted(), ['berlin', 'mars'])
    const tokyo = await leadNamed(overture, base, 'tokyo')
    const { data } = (await client.get(`${base}/leads/${tokyo.id}/timeline`)).body.data.at(-1)
    assert.deepEqual([data.reason, data.nextAttemptAt], ['waiting_window', '2026-03-03T00:00:00.000Z'])
    assert.match(data.text, /outside the sending window until Tuesday 2026-03-03 09:00 Asia\/Tokyo/)
    const simulation = (await client.post(`${base}/simulate`, {})).body.data
    assert.deepEqual([simulation.startsAt, simulation.endsAt], ['2026-03-02T14:00:00.000Z', '2026-03-03T00:00:00.000Z'])
    await overture.live(8 * HOUR, HOUR)
    const next = await nextSendAt(overture.ctx.db, overture.clock.now())
    assert.equal(next?.toISOString(), '2026-03-03T00:00:00.000Z', 'while the campaign’s own zone sleeps')
    await overture.live(16 * HOUR, HOUR)
    assert.deepEqual(await sentAt(overture), {
      berlin: '2026-03-02T08:00:00.000Z',
      mars: '2026-03-02T08:00:00.000Z',
      york: '2026-03-02T14:00:00.000Z',
      tokyo: '2026-03-03T00:00:00.000Z',
    })
    const decisions = await overture.ctx.db.many(sql(`select from decisions where reason = 'waiting_window'`))
    assert.equal(decisions.length, 2, 'a lead whose window is closed is looked at once, and then when it opens')
  })

  it('counts the delay to a follow-up in the zone of the lead', async () => {
    const overture = await startLiving({ at: new Date('2026-03-05T23:30:00.000Z') })
    // Friday morning in Tokyo, Thursday evening in New York.
    await makeCampaign(overture, {
      leads: [lead('tokyo', 'Asia/Tokyo')],
      campaign: { schedule: { ...schedule, timezone: 'America/New_York' } },
    })
    await overture.live(HOUR, HOUR / 2)
    const due = await overture.ctx.db.first<{ at: Date }>(sql('select due_at as at from leads'))
    assert.equal(due!.at.toISOString(), '2026-03-11T00:00:00.000Z', 'the Wednesday after')
  })

  it('imports a lead with an unknown zone, and reports it on the lead and in the import', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: [lead('berlin')], activate: false })
    const leads = [lead('tokyo', 'Asia/Tokyo'), lead('mars', 'Mars/Olympus')]
    const { result } = await client.operate('POST', `${base}/leads/import`, { leads })
    assert.deepEqual([result.importedCount, result.invalidCount, result.warningCount], [2, 0, 1])
    assert.deepEqual([result.warnings[0].index, /time zone/.test(result.warnings[0].reason)], [1, true])
    const mars = await leadNamed(overture, base, 'mars')
    assert.deepEqual([mars.timezone, mars.warnings[0].field], ['Mars/Olympus', 'timezone'])
    assert.deepEqual((await leadNamed(overture, base, 'tokyo')).warnings, [])
    const worse = [lead('tokyo', 'Mars/Olympus')]
    await client.operate('POST', `${base}/leads/import`, { leads: worse, onDuplicate: 'update' })
    assert.equal((await leadNamed(overture, base, 'tokyo')).timezone, 'Asia/Tokyo', 'what is known is not lost')
    const mended = await client.patch(`${base}/leads/${mars.id}`, { timezone: 'Asia/Tokyo' })
    assert.deepEqual(mended.body.data.warnings, [])
  })

  it('reacts at once when the zone of a lead or the setting of the campaign changes', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: world, steps: ONE_STEP, campaign: { schedule } })
    await overture.work.tick()
    const { id } = await leadNamed(overture, base, 'tokyo')
    await client.patch(`${base}/leads/${id}`, { timezone: 'Africa/Cairo' })
    await overture.work.tick()
    assert.deepEqual(Object.keys(await sentAt(overture)).toSorted(), ['berlin', 'mars', 'tokyo'])
    assert.equal((await put(overture, base, { useLeadTimezone: false })).status, 'succeeded')
    const kept = (await client.get(`${base}/schedule`)).body.data
    assert.deepEqual([kept.useLeadTimezone, kept.timezone], [false, 'Europe/Berlin'])
    await overture.work.tick()
    assert.equal(Object.keys(await sentAt(overture)).length, 4)
  })

  it('sends nothing if the window of the lead closed after the claim', async () => {
    const overture = await startLiving({ at: new Date('2026-03-02T07:59:00.000Z') })
    const { ctx, clock } = overture
    await makeCampaign(overture, { leads: [lead('tokyo', 'Asia/Tokyo')], campaign: { schedule: { ...schedule, timezone: 'UTC' } } })
    const identity = new WorkerIdentity(ctx.db, ctx.log)
    after(() => identity.close())
    const workerId = await identity.id()
    const prepared = await prepareSends(ctx, workerId, await claimSends(ctx, workerId, 10))
    assert.equal(prepared.length, 1)
    clock.advance(2 * 60_000)
    assert.equal((await intendSends(ctx, workerId, prepared)).size, 0)
  })
})
