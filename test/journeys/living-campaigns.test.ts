import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { claimSends, releaseClaims } from '../../src/modules/sending/claim.ts'
import { intendSends, prepareSends } from '../../src/modules/sending/intend.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { DAY, HOUR, type LivingOverture, MINUTE, makeCampaign, startLiving, WEEKDAYS } from '../sending.ts'

const people = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `silent+${n}@people.example`, firstName: `P${n}` }))

const window = (start: string, end: string, daysOfWeek = WEEKDAYS) => ({
  daysOfWeek,
  timeWindow: { start, end },
  timezone: 'Europe/Berlin',
})

const SANDBOX = { kind: 'sandbox', dailyCap: 1000, minGapSeconds: 0, fromName: 'Ada', postalAddress: '1 Example Street, Berlin' }

/** Changes a part of a campaign: reads, then writes with the updatedAt that was read. */
async function put({ client }: LivingOverture, base: string, part: string, body: object) {
  const { updatedAt } = (await client.get(base)).body.data
  return client.operate('PUT', `${base}/${part}`, body, { 'if-match': updatedAt })
}

async function addMailbox({ client, home }: LivingOverture, name: string): Promise<string> {
  const reply = await client.post(`${home}/providers`, { ...SANDBOX, name, fromEmail: `${name.toLowerCase()}@sender.example` })
  assert.equal(reply.status, 201)
  return reply.body.data.id
}

const sentBy = async ({ client, home }: LivingOverture, providerId: string): Promise<{ subject: string }[]> =>
  (await client.get(`${home}/providers/${providerId}/sandbox-messages`)).body.data.filter(
    (message: { direction: string }) => message.direction === 'out',
  )

const sentCount = async ({ client }: LivingOverture, base: string): Promise<number> =>
  (await client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount

describe('a campaign that runs', () => {
  it('uses its new window at once', async () => {
    const overture = await startLiving()
    const { base } = await makeCampaign(overture, { leads: people(3), provider: { minGapSeconds: 600 } })
    await overture.work.tick()
    assert.equal(await sentCount(overture, base), 1)
    const closed = await put(overture, base, 'schedule', window('20:00', '22:00'))
    assert.equal(closed.status, 'succeeded')
    await overture.live(8 * HOUR, HOUR)
    assert.equal(await sentCount(overture, base), 1)
    await put(overture, base, 'schedule', window('09:00', '23:30'))
    await overture.live(HOUR, 10 * MINUTE)
    assert.equal(await sentCount(overture, base), 3)
    const schedule = (await overture.client.get(`${base}/schedule`)).body.data
    assert.deepEqual(schedule.timeWindow, { start: '09:00', end: '23:30' })
  })

  it('sends no message under the old settings that was only claimed before the change', async () => {
    const overture = await startLiving()
    const { ctx, client } = overture
    const { base } = await makeCampaign(overture, { leads: people(3) })
    const identity = new WorkerIdentity(overture.ctx.db, ctx.log)
    const workerId = await identity.id()
    for (const [part, body] of [
      ['schedule', window('20:00', '22:00')],
      ['settings', { trackOpens: true }],
      ['mailboxes', { providerId: await addMailbox(overture, 'Other') }],
    ] as const) {
      await put(overture, base, 'schedule', window('09:00', '17:00'))
      const claimed = await claimSends(ctx, workerId, 10)
      assert.equal(claimed.length, 3, part)
      assert.equal((await put(overture, base, part, body)).status, 'succeeded')
      const allowed = await intendSends(ctx, workerId, await prepareSends(ctx, workerId, claimed))
      assert.equal(allowed.size, 0, part)
    }
    await identity.close()
    await overture.work.tick()
    assert.equal(await sentCount(overture, base), 3)
    const { providerId, trackOpens } = (await client.get(base)).body.data
    assert.equal((await sentBy(overture, providerId)).length, 3)
    assert.equal(trackOpens, true)
  })

  it('completes the change when the last message under the old settings has an outcome', async () => {
    const overture = await startLiving()
    const { ctx, client } = overture
    const { base } = await makeCampaign(overture, { leads: people(1) })
    const identity = new WorkerIdentity(overture.ctx.db, ctx.log)
    const workerId = await identity.id()
    const claimed = await claimSends(ctx, workerId, 10)
    const leaving = await intendSends(ctx, workerId, await prepareSends(ctx, workerId, claimed))
    assert.equal(leaving.size, 1)
    const { updatedAt } = (await client.get(base)).body.data
    const ask = (wait: number) =>
      client.put(`${base}/schedule`, window('20:00', '22:00'), {
        headers: { 'if-match': updatedAt, 'idempotency-key': 'once', prefer: `wait=${wait}` },
      })
    assert.equal((await ask(1)).status, 202)
    assert.equal((await client.get(`${base}/schedule`)).body.data.timeWindow.start, '20:00')
    await ctx.db.inTransaction(tx => releaseClaims(tx, workerId, [...leaving]))
    const done = await ask(20)
    assert.deepEqual([done.status, done.body.status], [200, 'succeeded'])
    await identity.close()
  })

  it('continues when it was completed by its end date and gets a later one', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const endDate = new Date(overture.clock.now().getTime() + DAY).toISOString()
    const { base } = await makeCampaign(overture, { leads: people(2), campaign: { endDate } })
    await overture.live(3 * DAY, 4 * HOUR)
    assert.equal((await client.get(base)).body.data.status, 'completed')
    const later = new Date(overture.clock.now().getTime() + 30 * DAY).toISOString()
    const changed = await put(overture, base, 'schedule', { endDate: later })
    assert.equal(changed.result.campaign.status, 'active')
    await overture.live(3 * DAY, 4 * HOUR)
    assert.equal(await sentCount(overture, base), 4)
    const events = (await client.get(`${home}/events?type=campaign.updated`)).body.data
    assert.deepEqual(events[0].data.changed, ['endDate'])
  })

  it('keeps a lead on its mailbox when the mailbox is removed from the campaign, and sends first messages from the new one', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base, providerId } = await makeCampaign(overture, { leads: people(1) })
    await overture.work.tick()
    const other = await addMailbox(overture, 'Other')
    await put(overture, base, 'mailboxes', { providerId: other })
    await client.operate('POST', `${base}/leads/import`, { leads: [{ email: 'silent+new@people.example', firstName: 'New' }] })
    const simulation = (await client.post(`${base}/simulate`, {})).body.data
    assert.deepEqual([simulation.sends, simulation.notSent], [3, []])
    await overture.live(4 * DAY, 4 * HOUR)
    assert.equal((await sentBy(overture, providerId)).length, 2)
    assert.equal((await sentBy(overture, other)).length, 2)
  })

  it('moves threads to the new mailboxes on request, without advancing the follow-up', async () => {
    const overture = await startLiving()
    const { base, providerId } = await makeCampaign(overture, { leads: people(1) })
    await overture.work.tick()
    const [first, second] = [await addMailbox(overture, 'First'), await addMailbox(overture, 'Second')]
    const changed = await put(overture, base, 'mailboxes', { providerId: first, rotationProviderIds: [second], moveThreads: true })
    assert.deepEqual(changed.result.campaign.rotationProviderIds, [second])
    await overture.live(DAY, 4 * HOUR)
    assert.equal(await sentCount(overture, base), 1)
    await overture.live(3 * DAY, 4 * HOUR)
    assert.equal(await sentCount(overture, base), 2)
    assert.equal((await sentBy(overture, providerId)).length, 1)
  })

  it('continues leads from another mailbox when theirs is deleted', async () => {
    const overture = await startLiving()
    const { base, providerId } = await makeCampaign(overture, { leads: people(1) })
    await overture.work.tick()
    const other = await addMailbox(overture, 'Other')
    await put(overture, base, 'mailboxes', { providerId: other })
    assert.equal((await overture.client.delete(`${overture.home}/providers/${providerId}`)).status, 204)
    await overture.live(4 * DAY, 4 * HOUR)
    assert.equal((await sentBy(overture, other)).length, 1)
  })

  it('refuses a stale if-match, an archived campaign, an unknown mailbox and an incomplete window', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: people(1), activate: false })
    const { updatedAt } = (await client.get(base)).body.data
    const headers = { 'if-match': updatedAt }
    assert.equal((await put(overture, base, 'settings', { name: ' Renamed ' })).result.campaign.name, 'Renamed')
    const stale = await client.operate('PUT', `${base}/settings`, { name: 'Again' }, headers)
    assert.equal(stale.error.code, 'precondition_failed')
    assert.equal((await client.put(`${base}/schedule`, { timezone: 'Europe/Berlin' }, { headers })).status, 422)
    const zone = await client.put(`${base}/schedule`, { ...window('09:00', '17:00'), timezone: 'Mars/Base' }, { headers })
    assert.equal(zone.body.error.details.issues[0].path, '/timezone')
    const nobody = await client.put(`${base}/mailboxes`, { providerId: crypto.randomUUID() }, { headers })
    assert.equal(nobody.body.error.code, 'invalid_reference')
    await client.operate('POST', `${base}/archive`)
    for (const part of ['schedule', 'mailboxes', 'settings']) {
      const refused = await client.put(`${base}/${part}`, {}, { headers })
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_state'])
    }
  })
})
