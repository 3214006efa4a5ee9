import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { DAY, HOUR, type LivingOverture, MINUTE, makeCampaign, startLiving } from '../sending.ts'

const MONDAY_15_BERLIN = new Date('2026-03-02T14:00:00.000Z')

const person = (name: string) => ({ email: `${name}@people.example`, firstName: name })

const sentCount = async ({ ctx }: LivingOverture): Promise<number> =>
  (await ctx.db.first<{ count: number }>(sql(`select count(*)::int as count from sends where status = 'sent'`)))!.count

/** How many messages each person has received. */
const receivedBy = async ({ ctx }: LivingOverture): Promise<Record<string, number>> => {
  const rows = await ctx.db.many<{ to: string; count: number }>(
    sql(`select to_address as to, count(*)::int as count from sandbox_messages where direction = 'out' group by 1 order by 1`),
  )
  return Object.fromEntries(rows.map(({ to, count }) => [to, count]))
}

describe('a clock that is set back by five hours', () => {
  it("sends nothing twice and never exceeds a day's cap, and due work continues when its time comes", async () => {
    const overture = await startLiving({ at: MONDAY_15_BERLIN })
    const { base } = await makeCampaign(overture, {
      leads: ['one', 'two', 'three'].map(person),
      provider: { minGapSeconds: 300, dailyCap: 2 },
    })
    await overture.live(10 * MINUTE, MINUTE)
    assert.equal(await sentCount(overture), 2)
    overture.clock.advance(-5 * HOUR)
    await overture.live(6 * HOUR, 5 * MINUTE)
    assert.equal(await sentCount(overture), 2, 'the cap of the day holds')
    const paused = await overture.client.operate('POST', `${base}/pause`)
    const resumed = await overture.client.operate('POST', `${base}/resume`)
    assert.deepEqual([paused.status, resumed.status], ['succeeded', 'succeeded'])
    await overture.live(14 * DAY, HOUR)
    assert.deepEqual(await receivedBy(overture), { 'one@people.example': 2, 'three@people.example': 2, 'two@people.example': 2 })
  })

  it('and forward again loses no message', async () => {
    const overture = await startLiving({ at: MONDAY_15_BERLIN })
    await makeCampaign(overture, { leads: ['one', 'two'].map(person) })
    await overture.live(MINUTE, MINUTE)
    for (const hours of [-5, 5, -30, 30]) {
      overture.clock.advance(hours * HOUR)
      await overture.live(MINUTE, MINUTE)
      assert.equal(await sentCount(overture), 2, `after ${hours} hours`)
    }
    await overture.live(7 * DAY, HOUR)
    assert.deepEqual(await receivedBy(overture), { 'one@people.example': 2, 'two@people.example': 2 })
  })
})
