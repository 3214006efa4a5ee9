import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { findCampaign } from '../../src/modules/campaigns/queries.ts'
import { simulateCampaign } from '../../src/modules/explaining/simulation.ts'
import { makeBriefReaders } from '../../src/modules/lead-searches/briefs.ts'
import { claimSends } from '../../src/modules/sending/claim.ts'
import { claimDeliveries } from '../../src/modules/webhooks/queries.ts'
import { startOverture } from '../harness.ts'
import { makeCampaign, startLiving } from '../sending.ts'

const BRIEF = 'CTOs of software companies in Berlin with 50 to 200 employees'
const leads = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `silent+${n}@people.example`, firstName: 'Ann' }))
const FAST = { minGapSeconds: 0, dailyCap: 1000 }

/** The order in which pieces of work end, by their owner. */
async function orderOf(pieces: { owner: string; work: () => Promise<unknown> }[]): Promise<string[]> {
  const ended: string[] = []
  await Promise.all(pieces.map(({ owner, work }) => work().then(() => ended.push(owner))))
  return ended
}

describe('a single request next to a flood from another workspace', () => {
  it('gets its brief read next, not after 150 others', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { ctx } = overture
    const readers = ctx.part(makeBriefReaders)
    const read = (owner: string) => ({ owner, work: () => readers.read(owner, BRIEF, 2026) })
    const order = await orderOf([...Array.from({ length: 150 }, () => read('flood')), read('neighbor')])
    assert.ok(order.indexOf('neighbor') <= 2, `it came after ${order.indexOf('neighbor')}`)
  })

  it('gets its campaign simulated next, not after 30 others', async () => {
    const overture = await startLiving()
    const stranger = await overture.stranger()
    const simulationOf = async (owner: string, world: Pick<typeof overture, 'client' | 'home' | 'workspaceId'>) => {
      const { campaignId: id } = await makeCampaign({ ...overture, ...world }, { leads: leads(5) })
      const campaign = (await findCampaign(overture.ctx.db, world.workspaceId, id))!
      return { owner, work: () => simulateCampaign(overture.ctx, campaign, 30) }
    }
    const flood = await simulationOf('flood', overture)
    const neighbor = await simulationOf('neighbor', stranger)
    // A thread takes longer to start than thirty simulations, so both of them start before: the first may be left from another test.
    await orderOf(Array.from({ length: 10 }, () => [flood, neighbor]).flat())
    const order = await orderOf([...Array.from({ length: 30 }, () => flood), neighbor])
    assert.ok(order.indexOf('neighbor') <= 5, `it came after ${order.indexOf('neighbor')}`)
  })

  it('gets its campaign simulated next to a flood from a colleague', async () => {
    const overture = await startLiving()
    const { base } = await makeCampaign(overture, { leads: leads(5) })
    const reader = await overture.withScopes(['campaigns:read'])
    const simulate = (owner: string, by: typeof reader) => ({
      owner,
      work: async () => assert.equal((await by.post(`${base}/simulate`, {})).status, 200),
    })
    const flood = Array.from({ length: 30 }, () => simulate('flood', reader))
    const order = await orderOf([...flood, simulate('colleague', overture.client)])
    assert.ok(order.indexOf('colleague') <= 5, `it came after ${order.indexOf('colleague')}`)
  })

  it('gets its message into the next batch, not after all earlier messages', async () => {
    const overture = await startLiving()
    const { ctx } = overture
    const flood = await makeCampaign(overture, { leads: leads(60), provider: FAST })
    const stranger = await overture.stranger()
    const single = await makeCampaign({ ...overture, ...stranger }, { leads: leads(1), provider: FAST })
    await ctx.db.pool.query(`update leads set due_at = due_at - interval '1 hour' where campaign_id = $1`, [flood.campaignId])
    const claimed = await claimSends(ctx, 1, 10)
    assert.equal(claimed.length, 10)
    assert.deepEqual(
      claimed.filter(({ campaignId }) => campaignId === single.campaignId).map(({ workspaceId }) => workspaceId),
      [stranger.workspaceId],
    )
    const { rows } = await ctx.db.pool.query('select load_reserved as count from providers where id = $1', [flood.providerId])
    assert.equal(rows[0].count, 9, 'and a mailbox counts only what it sends')
    const crowded = await claimSends(ctx, 1, 10, new Set([overture.workspaceId]))
    assert.deepEqual(crowded, [], 'a workspace with enough in hand gets no more')
  })

  it('gets its delivery sent, however many endpoints and deliveries the other has', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { db } = overture.ctx
    const stranger = await overture.stranger()
    const endpoint = async (world: Pick<typeof overture, 'client' | 'home'>): Promise<string> =>
      (await world.client.post(`${world.home}/webhooks`, { url: 'https://hooks.example/in', events: ['*'] })).body.data.id
    const fill = (workspaceId: string, endpointId: string, count: number) =>
      db.pool.query(
        `insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
         select gen_random_uuid(), $1, $2, n, $3, 'campaign.created', 1, now() - interval '1 hour' from generate_series(1, $4) as n`,
        [workspaceId, endpointId, randomUUID(), count],
      )
    for (let n = 0; n < 10; n++) await fill(overture.workspaceId, await endpoint(overture), 1000)
    const quiet = await endpoint(stranger)
    await fill(stranger.workspaceId, quiet, 2)
    const limits = { total: 100, perEndpoint: 32, perFailingEndpoint: 2, perWorkspace: 50 }
    const claim = (busy: number) =>
      claimDeliveries(db, 1, limits, { ofEndpoints: new Map(), ofWorkspaces: new Map([[overture.workspaceId, busy]]) })
    const jobs = await claim(0)
    const floods = jobs.filter(({ workspaceId }) => workspaceId === overture.workspaceId)
    assert.deepEqual([jobs.length, floods.length], [52, 50])
    assert.deepEqual(
      [...new Set([...Map.groupBy(floods, job => job.endpointId).values()].map(({ length }) => length))],
      [5],
      'its endpoints take turns',
    )
    assert.equal((await claim(50)).length, 0, 'a workspace with enough in hand gets no more')
    assert.equal((await claim(45)).length, 5)
  })
})
