import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCampaign, startLiving } from '../sending.ts'

const people = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `silent+${n}@people.example`, firstName: `P${n}` }))

describe('what lifting a limit would change', () => {
  it('is returned for a mailbox at its cap, and is what happens when the cap is raised', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const { base, providerId } = await makeCampaign(overture, { leads: people(14), provider: { dailyCap: 10 } })
    await overture.work.tick()
    const { reasons } = (await client.get(`${base}/sending`)).body.data
    const { ifLifted } = reasons.find((each: { reason: string }) => each.reason === 'mailbox_cap')
    assert.deepEqual(ifLifted, {
      limit: 'daily_cap',
      value: 14,
      leavesAt: '2026-03-02T08:00:00.000Z',
      count: 4,
      text: 'with a daily limit of 14, 4 emails would be sent from Monday 2026-03-02 09:00 Europe/Berlin',
    })
    const [lead] = (await client.get(`${base}/leads?status=not_yet_contacted`)).body.data
    const { data } = (await client.get(`${base}/leads/${lead.id}/timeline`)).body.data.at(-1)
    assert.equal(data.ifLifted.limit, 'daily_cap')
    assert.match(data.ifLifted.text, /^with a daily limit of 1[1-4], the email would be sent on Monday 2026-03-02 09:00 Europe\/Berlin$/)
    await client.patch(`${home}/providers/${providerId}`, { dailyCap: ifLifted.value })
    await overture.work.tick()
    assert.equal((await client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount, 14)
  })

  it('is returned for a closed window and for an expired campaign', async () => {
    const overture = await startLiving({ at: new Date('2026-03-07T12:00:00.000Z') })
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: people(3), campaign: { endDate: '2026-03-08T12:00:00Z' } })
    const [expired] = (await client.get(`${base}/sending`)).body.data.reasons
    assert.deepEqual([expired.reason, expired.ifLifted.limit], ['campaign_expired', 'end_date'])
    assert.equal(expired.ifLifted.leavesAt, '2026-03-09T08:00:00.000Z')
    const other = await makeCampaign(overture, { leads: people(3) })
    const [closed] = (await client.get(`${other.base}/sending`)).body.data.reasons
    assert.deepEqual([closed.reason, closed.ifLifted.limit], ['waiting_window', 'window'])
    assert.match(closed.ifLifted.text, /^with an all-day window, 3 emails would be sent from \w+ [\d-]+ 13:00 Europe\/Berlin$/)
  })

  it('is null if no limit applies', async () => {
    const overture = await startLiving()
    const { base } = await makeCampaign(overture, { leads: people(2) })
    await overture.client.operate('POST', `${base}/pause`)
    const [paused] = (await overture.client.get(`${base}/sending`)).body.data.reasons
    assert.deepEqual([paused.reason, paused.ifLifted], ['campaign_not_active', null])
  })
})
