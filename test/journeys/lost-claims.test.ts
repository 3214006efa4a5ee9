import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { Worker } from '../../src/app/worker.ts'
import { CuttingProxy } from '../cutting-proxy.ts'
import { makeCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { Receiver } from '../faults/receiver.ts'
import { type Overture, startOverture, TEST_SECRET } from '../harness.ts'
import { makeCampaign as makeSendingCampaign } from '../sending.ts'

/**
 * A worker whose connection breaks once, after a claim was committed and before its response arrived. The worker lives on under
 * its number, so no other worker would ever free its rows.
 */
async function startCutWorker(overture: Overture, claim: string, until: 'statement' | 'commit') {
  const { proxy, url } = await CuttingProxy.start(overture.databaseUrl, claim, until)
  const ctx = buildContext({ config: { ...overture.ctx.config, poolSize: 4 }, databaseUrl: url, secretKey: TEST_SECRET })
  const worker = new Worker(ctx)
  await worker.start()
  after(async () => {
    await worker.stop()
    await closeContext(ctx)
    await proxy.stop()
  })
  return proxy
}

describe('a claim whose response gets lost', () => {
  it('of an operation is returned by the living worker, and the operation is carried out once', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const campaign = await makeCampaign(overture, { name: 'Lost' })
    const proxy = await startCutWorker(overture, "set status = 'running'", 'commit')
    const { body } = await client.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'Copy' })
    await eventually('the operation is done', async () => (await client.get(`/v1/operations/${body.id}`)).body.status === 'succeeded')
    assert.equal(proxy.cuts, 1)
    const names = ((await client.get(`${home}/campaigns`)).body.data as { name: string }[]).map(({ name }) => name)
    assert.deepEqual(names.sort(), ['Copy', 'Lost'])
  })

  it('of a delivery is returned by the living worker, and the receiver gets the event', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const receiver = await Receiver.start()
    const { client, home } = overture
    after(() => receiver.close())
    const { id, secret } = (await client.post(`${home}/webhooks`, { url: receiver.url, events: ['*'] })).body.data
    receiver.useSecret(secret)
    const proxy = await startCutWorker(overture, 'update deliveries', 'statement')
    await client.post(`${home}/webhooks/${id}/test`, {})
    await eventually('the receiver hears of it', async () => receiver.seen.size > 0)
    assert.deepEqual([proxy.cuts, receiver.problems], [1, []])
  })

  it('of an email is returned by the living worker, and the message is sent once', async () => {
    const overture = await startOverture({ worker: true })
    after(() => overture.end())
    const { client, home } = overture
    const everyDay = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
    const schedule = { daysOfWeek: everyDay, timeWindow: { start: '00:00', end: '23:59' }, timezone: 'UTC' }
    const made = await makeSendingCampaign(overture, {
      leads: [{ email: 'silent@people.example', firstName: 'Sam' }],
      campaign: { schedule },
      // A name that the service knows and PostgreSQL does not: their lists of time zones are never the same.
      provider: { timezone: 'US/Pacific-New' },
      activate: false,
    })
    await overture.worker!.stop()
    const proxy = await startCutWorker(overture, 'insert into sends', 'commit')
    await client.operate('POST', `${made.base}/activate`)
    const sent = async () => (await client.get(`${home}/providers/${made.providerId}/sandbox-messages`)).body.data as unknown[]
    await eventually('the message is sent', async () => (await sent()).length > 0)
    assert.equal(proxy.cuts, 1)
    const { rows } = await overture.ctx.db.pool.query("select status from sends where status <> 'sent'")
    assert.deepEqual([rows, (await sent()).length], [[], 1])
  })
})

describe('interrupted work of many steps', () => {
  it('continues after the last saved step, and counts all steps', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const campaign = await makeCampaign(overture, { name: 'Many' })
    const base = `${home}/campaigns/${campaign.id}`
    const leads = Array.from({ length: 450 }, (_, n) => ({ email: `one.of.many.${n}@people.example` }))
    const imported = await client.post(`${base}/leads/import`, { leads })
    const bulk = await client.post(`${base}/leads/bulk`, { action: 'delete', filter: {} })
    const proxy = await startCutWorker(overture, 'delete from leads', 'commit')
    for (const { body } of [imported, bulk]) {
      await eventually('the operation is over', async () => (await client.get(`/v1/operations/${body.id}`)).body.completedAt !== null)
    }
    assert.equal(proxy.cuts, 1)
    const { matchedCount, changedCount, unchangedCount } = (await client.get(`/v1/operations/${bulk.body.id}`)).body.result
    assert.deepEqual([matchedCount, changedCount, unchangedCount], [450, 450, 0])
    assert.equal((await client.get(base)).body.data.totalLeads, 0)
  })

  it('counts what an erasure had already removed', async () => {
    const overture = await startOverture({ worker: true })
    after(() => overture.end())
    const { client, home } = overture
    for (const name of ['One', 'Two', 'Three']) {
      const { id } = await makeCampaign(overture, { name })
      await client.operate('POST', `${home}/campaigns/${id}/leads/import`, { leads: [{ email: 'ada@people.example' }] })
    }
    await overture.worker!.stop()
    const erasure = (await client.post(`${home}/erasures`, { email: 'ada@people.example' })).body.id
    const proxy = await startCutWorker(overture, 'delete from leads', 'commit')
    await eventually('the erasure is over', async () => (await client.get(`/v1/operations/${erasure}`)).body.completedAt !== null)
    assert.equal(proxy.cuts, 1)
    assert.equal((await client.get(`/v1/operations/${erasure}`)).body.result.leadCount, 3)
  })
})
