import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClockWatch } from '../../src/app/clock-watch.ts'
import { sql } from '../../src/db/client.ts'
import { eventually } from '../faults/eventually.ts'
import { HOUR, type LivingOverture, MINUTE, makeCampaign, startLiving } from '../sending.ts'

const MONDAY_15_BERLIN = new Date('2026-03-02T14:00:00.000Z')

const person = (name: string) => ({ email: `${name}@people.example`, firstName: name })

const sentCount = async ({ ctx }: LivingOverture): Promise<number> =>
  (await ctx.db.first<{ count: number }>(sql(`select count(*)::int as count from sends where status = 'sent'`)))!.count

/** The worker looks at the clock by itself; how long that takes is of no interest here. */
const noticed = (overture: LivingOverture) =>
  eventually('the worker has noticed', async () => {
    const mark = await overture.ctx.db.first<{ latest: Date }>(sql('select latest from clock_marks'))
    return mark !== undefined && mark.latest.getTime() <= overture.clock.now().getTime()
  })

const marked = (overture: LivingOverture) =>
  eventually('the worker has looked at the clock', async () => {
    const mark = await overture.ctx.db.first<{ latest: Date }>(sql('select latest from clock_marks'))
    return mark !== undefined && overture.clock.now().getTime() - mark.latest.getTime() < 2 * MINUTE
  })

describe('a clock that is set back by five hours', () => {
  it('keeps no mailbox from sending: its gap is as long as it was', async () => {
    const overture = await startLiving({ at: MONDAY_15_BERLIN })
    const leads = ['one', 'two', 'three'].map(person)
    await makeCampaign(overture, { leads, provider: { minGapSeconds: 300 } })
    await overture.live(2 * MINUTE, MINUTE)
    assert.equal(await sentCount(overture), 1)
    await marked(overture)
    overture.clock.advance(-5 * HOUR)
    await noticed(overture)
    await overture.live(20 * MINUTE, MINUTE)
    assert.equal(await sentCount(overture), 3)
  })

  it('keeps no lead waiting that was imported before, nor one whose domain was busy', async () => {
    const overture = await startLiving({ at: MONDAY_15_BERLIN })
    const leads = ['one', 'two'].map(person)
    await makeCampaign(overture, { leads, provider: { maxPerDomainPerHour: 1 } })
    await overture.live(2 * MINUTE, MINUTE)
    assert.equal(await sentCount(overture), 1)
    await makeCampaign(overture, { leads: [person('fresh')], provider: { fromEmail: 'bob@sender.example' } })
    await marked(overture)
    overture.clock.advance(-5 * HOUR)
    await noticed(overture)
    await overture.live(MINUTE, MINUTE)
    assert.ok((await sentCount(overture)) >= 2)
    await overture.live(70 * MINUTE, 5 * MINUTE)
    assert.equal(await sentCount(overture), 3)
  })

  it('brings the next step neither hours later nor days earlier', async () => {
    const overture = await startLiving({ at: MONDAY_15_BERLIN })
    await makeCampaign(overture, { leads: [person('one')] })
    await overture.live(2 * MINUTE, MINUTE)
    assert.equal(await sentCount(overture), 1)
    const dueAt = async () => (await overture.ctx.db.first<{ at: Date }>(sql('select due_at as at from leads')))!.at.getTime()
    const before = await dueAt()
    await marked(overture)
    overture.clock.advance(-5 * HOUR)
    await noticed(overture)
    assert.ok(Math.abs((await dueAt()) - (before - 5 * HOUR)) < 5 * MINUTE)
  })

  it('is noticed by a process that was started only then', async () => {
    const overture = await startLiving({ at: MONDAY_15_BERLIN })
    await makeCampaign(overture, { leads: ['one', 'two'].map(person), provider: { minGapSeconds: 300 } })
    await overture.client.put(`${overture.home}/tracking-host`, { host: 'links.customer.example' })
    await overture.live(2 * MINUTE, MINUTE)
    await new ClockWatch(overture.ctx).look()
    const { ctx, clock } = overture
    const restarted = { ...ctx, clock: { now: () => new Date(clock.now().getTime() - 5 * HOUR) } }
    await new ClockWatch(restarted).look()
    const slot = await ctx.db.first<{ at: Date }>(sql('select next_slot_at as at from providers'))
    assert.ok(slot!.at.getTime() < restarted.clock.now().getTime() + 10 * MINUTE)
    const host = await ctx.db.first<{ at: Date }>(sql('select check_at as at from tracking_hosts'))
    assert.ok(host!.at.getTime() < restarted.clock.now().getTime() + 2 * HOUR)
  })

  it('keeps neither an operation nor a webhook waiting that was accepted before', async () => {
    const overture = await startLiving()
    const { ctx, client, home } = overture
    const { id } = (await client.post(`${home}/campaigns`, { name: 'Waiting' })).body.data
    // As they look when the clock of the database was five hours ahead.
    const held = await client.post(`${home}/campaigns/${id}/archive`, {})
    await ctx.db.inTransaction(tx =>
      tx.run(
        sql(
          `update operations set run_at = now() + interval '5 hours', status = 'queued', worker_id = null, completed_at = null where id = $1`,
        ),
        [held.body.id],
      ),
    )
    await client.post(`${home}/webhooks`, { url: 'http://127.0.0.1:9/nobody', events: ['*'] })
    await client.post(`${home}/campaigns`, { name: 'Told' })
    const delivery = await eventually('a delivery waits for its second attempt', () =>
      ctx.db.first<{ id: string }>(sql(`select id from deliveries where status = 'pending' and worker_id is null and attempt = 2`)),
    )
    await ctx.db.inTransaction(tx =>
      tx.run(sql(`update deliveries set due_at = now() + interval '5 hours', created_at = now() + interval '5 hours' where id = $1`), [
        delivery.id,
      ]),
    )
    await new ClockWatch(ctx).look()
    await eventually('it is tried', async () => {
      const row = await ctx.db.first<{ status: string }>(sql('select status from deliveries where id = $1'), [delivery.id])
      return row?.status === 'failed'
    })
    await eventually('it is done', async () => {
      const { body } = await client.get(`/v1/operations/${held.body.id}`)
      return body.status === 'succeeded'
    })
  })
})
