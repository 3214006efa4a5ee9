import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { type LivingOverture, makeCampaign, startLiving } from '../sending.ts'

const people = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `silent+${n}@people.example`, firstName: `P${n}` }))

interface Fix {
  method: string
  path: string
  body: Record<string, unknown>
}

async function fixFor({ client }: LivingOverture, base: string, reason: string): Promise<Fix> {
  const { reasons } = (await client.get(`${base}/sending`)).body.data
  const found = reasons.find((candidate: { reason: string }) => candidate.reason === reason)
  assert.ok(found?.fix, `${reason} is not among ${JSON.stringify(reasons)}`)
  return found.fix
}

const sentCount = async ({ client }: LivingOverture, base: string): Promise<number> =>
  (await client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount

describe('the request that fixes a reason', () => {
  it('opens a closed window, and the message is sent', async () => {
    const overture = await startLiving({ at: new Date('2026-03-07T20:00:00.000Z') })
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: people(1) })
    const fix = await fixFor(overture, base, 'waiting_window')
    assert.deepEqual([fix.method, fix.path], ['PUT', `${base}/schedule`])
    assert.ok((fix.body.daysOfWeek as string[]).includes('saturday'))
    const { updatedAt } = (await client.get(base)).body.data
    await client.operate(fix.method, fix.path, fix.body, { 'if-match': updatedAt })
    await overture.work.tick()
    assert.equal(await sentCount(overture, base), 1)
  })

  it('raises a reached cap as far as the waiting leads need', async () => {
    const overture = await startLiving()
    const { base, providerId } = await makeCampaign(overture, { leads: people(5), provider: { dailyCap: 2 } })
    await overture.work.tick()
    const fix = await fixFor(overture, base, 'mailbox_cap')
    assert.deepEqual(fix, { method: 'PATCH', path: `${overture.home}/providers/${providerId}`, body: { dailyCap: 5 } })
    assert.equal((await overture.client.send(fix.method, fix.path, fix.body)).status, 200)
    await overture.work.tick()
    assert.equal(await sentCount(overture, base), 5)
  })

  it('resumes a paused campaign', async () => {
    const overture = await startLiving()
    const { base } = await makeCampaign(overture, { leads: people(1) })
    await overture.client.operate('POST', `${base}/pause`)
    const fix = await fixFor(overture, base, 'campaign_not_active')
    assert.deepEqual(fix, { method: 'POST', path: `${base}/resume`, body: {} })
    assert.equal((await overture.client.operate(fix.method, fix.path, fix.body)).status, 'succeeded')
  })

  it('fills missing variables, in the summary and in the timeline, until they are there', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: [...people(1), { email: 'silent+x@people.example' }] })
    await overture.work.tick()
    const lead = (await client.get(`${base}/leads?status=skipped`)).body.data[0]
    const fix = await fixFor(overture, base, 'missing_variable')
    assert.deepEqual(fix, { method: 'PATCH', path: `${base}/leads/${lead.id}`, body: { firstName: '<firstName>' } })
    const decisions = async () =>
      (await client.get(`${base}/leads/${lead.id}/timeline`)).body.data.filter(
        (entry: { data: { reason?: string } }) => entry.data.reason === 'missing_variable',
      )
    assert.deepEqual((await decisions())[0].data.fix, fix)
    await client.send(fix.method, fix.path, fix.body)
    await overture.work.tick()
    assert.equal(await sentCount(overture, base), 2)
    assert.equal((await decisions())[0].data.fix, null)
  })

  it('verifies a disconnected mailbox', async () => {
    const overture = await startLiving()
    const { base, providerId } = await makeCampaign(overture, { leads: people(1) })
    await overture.ctx.db.inTransaction(tx => tx.run(sql("update providers set status = 'disconnected' where id = $1"), [providerId]))
    const fix = await fixFor(overture, base, 'no_mailbox')
    assert.deepEqual(fix, { method: 'POST', path: `${overture.home}/providers/${providerId}/verify`, body: {} })
    assert.equal((await overture.client.send(fix.method, fix.path, fix.body)).status, 200)
    await overture.work.tick()
    assert.equal(await sentCount(overture, base), 1)
  })
})
