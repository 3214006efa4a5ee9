import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createDemoCampaigns } from '../../src/app/demo/demo.ts'
import { recomputeMetrics } from '../../src/modules/metrics/tasks.ts'
import { startOverture } from '../harness.ts'

it('the demo workspace shows an active campaign with a history', async () => {
  const overture = await startOverture({ worker: false })
  await overture.ctx.db.inTransaction(tx => createDemoCampaigns(tx, overture.ctx, overture.workspaceId))
  const { client, home } = overture
  const campaigns = (await client.get(`${home}/campaigns`)).body.data
  const lived = campaigns.find((campaign: { name: string }) => campaign.name === 'Autumn outreach')
  assert.equal(lived.status, 'active')
  const { metrics } = lived
  assert.ok(metrics.emailsSentCount > 100, `${metrics.emailsSentCount} emails`)
  assert.ok(metrics.uniqueReplyCount > 0 && metrics.uniqueOpenCount > 0 && metrics.totalInterested > 0, JSON.stringify(metrics))
  assert.match((await client.get(`${home}/campaigns/${lived.id}/sending`)).body.data.summary, /not due yet|wait/)
  await recomputeMetrics(overture.ctx.db, lived.id)
  const again = (await client.get(`${home}/campaigns/${lived.id}/metrics`)).body.data.metrics
  assert.deepEqual({ ...again, snapshotAt: '' }, { ...metrics, snapshotAt: '' })
})
