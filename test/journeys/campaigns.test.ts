import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { makeCampaign, makeProvider, makeReadyCampaign, SCHEDULE, STEPS } from '../factories.ts'
import { startOverture } from '../harness.ts'

const overture = await startOverture()
const { client, home } = overture

describe('campaigns', () => {
  const read = async (id: string) => (await client.get(`${home}/campaigns/${id}`)).body.data

  describe('create and get', () => {
    it('a new campaign is a draft with every key present, and null for everything that was left out', async () => {
      const created = await client.post(`${home}/campaigns`, { name: '  Spring  ' })
      assert.equal(created.status, 201)
      const campaign = created.body.data
      assert.equal(campaign.name, 'Spring')
      assert.equal(campaign.status, 'draft')
      assert.equal(campaign.displayStatus, 'active')
      assert.equal(campaign.totalLeads, 0)
      assert.equal(campaign.providerId, null)
      assert.equal(campaign.metrics.emailsSentCount, 0)
      assert.equal(campaign.metrics.openRate, 0)
      assert.equal(campaign.links.self, `${overture.baseUrl}${home}/campaigns/${campaign.id}`)
      assert.deepEqual({ ...(await read(campaign.id)), metrics: null }, { ...campaign, metrics: null })
    })

    it('a campaign that does not exist returns 404', async () => {
      assert.equal((await client.get(`${home}/campaigns/${randomUUID()}`)).status, 404)
    })

    it('a name that is blank, too long or not a string returns 422', async () => {
      for (const name of ['   ', '\u200b \u2060', 'x'.repeat(201), 5, null])
        assert.equal((await client.post(`${home}/campaigns`, { name })).status, 422)
    })

    it('the same create with the same key creates one campaign, and returns 200 the second time', async () => {
      const key = { headers: { 'idempotency-key': randomUUID() } }
      const first = await client.post(`${home}/campaigns`, { name: 'Once', niche: null }, key)
      const again = await client.post(`${home}/campaigns`, { niche: null, name: 'Once' }, key)
      assert.equal(first.status, 201)
      assert.equal(again.status, 200)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(again.body.data.id, first.body.data.id)
      const other = await client.post(`${home}/campaigns`, { name: 'Twice' }, key)
      assert.equal(other.status, 409)
      assert.equal(other.body.error.code, 'idempotency_key_reused')
    })
  })

  describe('update a draft', () => {
    it('changes only the sent fields', async () => {
      const campaign = await makeCampaign(overture, { name: 'Before', niche: 'bakeries', location: 'Berlin' })
      const operation = await client.operate(
        'PATCH',
        `${home}/campaigns/${campaign.id}`,
        { niche: null, jobTitle: 'baker' },
        { 'if-match': campaign.updatedAt },
      )
      assert.equal(operation.status, 'succeeded')
      assert.equal(operation.action, 'campaign.update')
      const after = await read(campaign.id)
      assert.deepEqual([after.name, after.niche, after.location, after.jobTitle], ['Before', null, 'Berlin', 'baker'])
      assert.ok(after.updatedAt > campaign.updatedAt)
      assert.equal(operation.result.campaign.updatedAt, after.updatedAt)
    })

    it('records campaign.updated with the changed fields, once, and nothing when nothing changes', async () => {
      const campaign = await makeCampaign(overture, { name: 'Recorded', niche: 'bakeries' })
      const patch = async (body: object) =>
        client.operate('PATCH', `${home}/campaigns/${campaign.id}`, body, { 'if-match': (await read(campaign.id)).updatedAt })
      await patch({ niche: 'mills', jobTitle: 'miller' })
      await patch({ niche: 'mills' })
      const events = (await client.get(`${home}/events?campaignId=${campaign.id}&type=campaign.updated`)).body.data
      assert.deepEqual(
        events.map((event: { data: object }) => event.data),
        [{ campaignId: campaign.id, name: 'Recorded', changed: ['niche', 'jobTitle'], actorId: overture.userId }],
      )
    })

    it('removes the main mailbox from the rotation, as in a running campaign', async () => {
      const campaign = await makeCampaign(overture, { name: 'Rotating' })
      const [{ id: main }, { id: other }] = [await makeProvider(overture), await makeProvider(overture)]
      const match = { 'if-match': campaign.updatedAt }
      const body = { providerId: main, rotationProviderIds: [main, other] }
      const operation = await client.operate('PATCH', `${home}/campaigns/${campaign.id}`, body, match)
      assert.deepEqual(operation.result.campaign.rotationProviderIds, [other])
    })

    it('a body without changes succeeds and keeps updatedAt', async () => {
      const campaign = await makeCampaign(overture, { name: 'Same' })
      for (const body of [{}, { name: 'Same' }]) {
        const operation = await client.operate('PATCH', `${home}/campaigns/${campaign.id}`, body, { 'if-match': `"${campaign.updatedAt}"` })
        assert.equal(operation.status, 'succeeded')
      }
      assert.equal((await read(campaign.id)).updatedAt, campaign.updatedAt)
    })

    it('a stale if-match fails the operation with precondition_failed and saves nothing', async () => {
      const campaign = await makeCampaign(overture, { name: 'Stale' })
      await client.operate('PATCH', `${home}/campaigns/${campaign.id}`, { niche: 'first' }, { 'if-match': campaign.updatedAt })
      const late = await client.operate(
        'PATCH',
        `${home}/campaigns/${campaign.id}`,
        { niche: 'second' },
        { 'if-match': campaign.updatedAt },
      )
      assert.equal(late.status, 'failed')
      assert.equal(late.error.code, 'precondition_failed')
      assert.equal(late.error.retryable, false)
      assert.equal(late.result, null)
      assert.equal((await read(campaign.id)).niche, 'first')
    })

    it('if-match is compared as an instant, whatever the offset', async () => {
      const campaign = await makeCampaign(overture, { name: 'Offset' })
      const shifted = new Date(new Date(campaign.updatedAt).getTime() + 2 * 3600_000).toISOString().replace('Z', '+02:00')
      const operation = await client.operate('PATCH', `${home}/campaigns/${campaign.id}`, { niche: 'x' }, { 'if-match': shifted })
      assert.equal(operation.status, 'succeeded')
    })

    it('if-match is required: 428 without it, 400 if it is not a date-time', async () => {
      const campaign = await makeCampaign(overture, { name: 'Match' })
      const missing = await client.patch(`${home}/campaigns/${campaign.id}`, {})
      assert.deepEqual([missing.status, missing.body.error.code], [428, 'precondition_required'])
      const broken = await client.patch(`${home}/campaigns/${campaign.id}`, {}, { headers: { 'if-match': 'yesterday' } })
      assert.deepEqual([broken.status, broken.body.error.code], [400, 'invalid_if_match'])
    })

    it('sequences and leads cannot be edited here', async () => {
      const campaign = await makeCampaign(overture, { name: 'Closed' })
      for (const body of [{ sequence: [] }, { leads: [] }, { status: 'active' }, { totalLeads: 5 }, { id: randomUUID() }]) {
        const reply = await client.patch(`${home}/campaigns/${campaign.id}`, body, { headers: { 'if-match': campaign.updatedAt } })
        assert.equal(reply.status, 422, JSON.stringify(body))
      }
    })

    it('a campaign that is not a draft returns 409 at once', async () => {
      const campaign = await makeReadyCampaign(overture, 'Running')
      await client.operate('POST', `${home}/campaigns/${campaign.id}/activate`)
      const reply = await client.patch(`${home}/campaigns/${campaign.id}`, { niche: 'x' }, { headers: { 'if-match': campaign.updatedAt } })
      assert.equal(reply.status, 409)
      assert.deepEqual(reply.body.error.details, { currentStatus: 'active', allowedStatuses: ['draft'] })
    })

    it('a provider of another workspace returns 422 invalid_reference', async () => {
      const campaign = await makeCampaign(overture, { name: 'Foreign' })
      const reply = await client.patch(
        `${home}/campaigns/${campaign.id}`,
        { providerId: randomUUID() },
        { headers: { 'if-match': campaign.updatedAt } },
      )
      assert.deepEqual([reply.status, reply.body.error.code], [422, 'invalid_reference'])
    })
  })

  describe('schedule', () => {
    const patch = async (id: string, body: object) =>
      client.operate('PATCH', `${home}/campaigns/${id}`, body, { 'if-match': (await read(id)).updatedAt })

    it('the window is replaced as a whole, and dates that are not sent stay', async () => {
      const campaign = await makeCampaign(overture, { name: 'Window' })
      const dates = { startDate: '2030-01-01T00:00:00.000Z', endDate: '2030-02-01T00:00:00.000Z' }
      await patch(campaign.id, { schedule: { ...SCHEDULE, ...dates } })
      await patch(campaign.id, {
        schedule: { daysOfWeek: ['sunday'], timeWindow: { start: '10:00', end: '11:00' }, timezone: 'America/New_York' },
      })
      const schedule = (await client.get(`${home}/campaigns/${campaign.id}/schedule`)).body.data
      assert.deepEqual(schedule.daysOfWeek, ['sunday'])
      assert.deepEqual(schedule.timeWindow, { start: '10:00', end: '11:00' })
      assert.equal(schedule.timezone, 'America/New_York')
      assert.equal(schedule.startDate, dates.startDate)
      assert.equal(schedule.endDate, dates.endDate)
      await patch(campaign.id, { schedule: { endDate: null } })
      const after = await read(campaign.id)
      assert.deepEqual([after.startDate, after.endDate], [dates.startDate, null])
    })

    it('half a window, a window that ends before it starts, and an unknown zone return 422', async () => {
      const campaign = await makeCampaign(overture, { name: 'Bad window' })
      const bad = [
        { timezone: 'Europe/Berlin' },
        { ...SCHEDULE, timeWindow: { start: '17:00', end: '09:00' } },
        { ...SCHEDULE, timezone: 'Mars/Olympus' },
        { ...SCHEDULE, timezone: '+01:00' },
        { ...SCHEDULE, daysOfWeek: [] },
        { ...SCHEDULE, daysOfWeek: ['monday', 'monday'] },
        { ...SCHEDULE, timeWindow: { start: '9:00', end: '17:00' } },
        { startDate: '2030-02-01T00:00:00Z', endDate: '2030-01-01T00:00:00Z' },
        { startDate: '2030-02-30T00:00:00Z' },
      ]
      for (const schedule of bad) {
        const reply = await client.patch(`${home}/campaigns/${campaign.id}`, { schedule }, { headers: { 'if-match': campaign.updatedAt } })
        assert.equal(reply.status, 422, JSON.stringify(schedule))
      }
    })

    it('an end date before the stored start date fails the operation', async () => {
      const campaign = await makeCampaign(overture, { name: 'Order', startDate: '2030-05-01T00:00:00Z' })
      const operation = await patch(campaign.id, { endDate: '2030-04-01T00:00:00Z' })
      assert.deepEqual([operation.status, operation.error.code], ['failed', 'validation_failed'])
    })
  })

  describe('duplicate', () => {
    it('copies configuration, sequence and window; no leads, metrics or dates', async () => {
      const source = await makeReadyCampaign(overture, 'Original', { niche: 'x', endDate: '2031-01-01T00:00:00.000Z' })
      const operation = await client.operate('POST', `${home}/campaigns/${source.id}/duplicate`, { name: 'Copy' })
      assert.equal(operation.result.sourceCampaignId, source.id)
      const copy = await read(operation.result.campaign.id)
      assert.deepEqual(
        [copy.name, copy.status, copy.niche, copy.endDate, copy.totalLeads, copy.providerId],
        ['Copy', 'draft', 'x', null, 0, source.providerId],
      )
      const sequence = (await client.get(`${home}/campaigns/${copy.id}/sequence`)).body.data
      assert.equal(sequence.steps.length, STEPS.steps.length)
      const schedule = (await client.get(`${home}/campaigns/${copy.id}/schedule`)).body.data
      assert.equal(schedule.timezone, SCHEDULE.timezone)
    })

    it('of a missing campaign returns 404, without a name 422', async () => {
      assert.equal((await client.post(`${home}/campaigns/${randomUUID()}/duplicate`, { name: 'x' })).status, 404)
      const campaign = await makeCampaign(overture, { name: 'Nameless' })
      assert.equal((await client.post(`${home}/campaigns/${campaign.id}/duplicate`, {})).status, 422)
    })
  })

  describe('life', () => {
    const move = (id: string, name: string) => client.operate('POST', `${home}/campaigns/${id}/${name}`)

    it('goes from draft through active, paused and active to archived and back', async () => {
      const { id } = await makeReadyCampaign(overture, 'Life')
      for (const [name, status] of [
        ['activate', 'active'],
        ['pause', 'paused'],
        ['resume', 'active'],
        ['pause', 'paused'],
        ['archive', 'archived'],
        ['unarchive', 'paused'],
      ] as const) {
        const operation = await move(id, name)
        assert.equal(operation.status, 'succeeded', name)
        assert.equal(operation.result.campaign.status, status)
        const campaign = await read(id)
        assert.equal(campaign.status, status)
        assert.equal(campaign.displayStatus, status === 'archived' ? 'archived' : 'active')
      }
    })

    it('requesting the current status succeeds at once with 200 and records an operation', async () => {
      const { id } = await makeReadyCampaign(overture, 'Already')
      await move(id, 'activate')
      await move(id, 'pause')
      const before = (await read(id)).updatedAt
      const again = await client.post(`${home}/campaigns/${id}/pause`, {})
      assert.equal(again.status, 200)
      assert.equal(again.body.status, 'succeeded')
      const operation = (await client.get(again.body.links.self)).body
      assert.deepEqual([operation.action, operation.status, operation.result.campaign.id], ['campaign.pause', 'succeeded', id])
      assert.equal((await read(id)).updatedAt, before)
    })

    it('a forbidden transition returns 409 with the required status', async () => {
      const draft = await makeCampaign(overture, { name: 'Draft' })
      const pause = await client.post(`${home}/campaigns/${draft.id}/pause`, {})
      assert.equal(pause.status, 409)
      assert.deepEqual(pause.body.error.details, { currentStatus: 'draft', allowedStatuses: ['active', 'attention_needed'] })
      const words = 'The campaign is a draft. This is possible only if it is active or stopped because it needs attention.'
      assert.equal(pause.body.error.message, words)
      const ready = await makeReadyCampaign(overture, 'Active')
      await move(ready.id, 'activate')
      const archive = await client.post(`${home}/campaigns/${ready.id}/archive`, {})
      assert.equal(archive.status, 409)
      assert.match(archive.body.error.message, /only if it is a draft, paused, completed, or stopped because/)
    })

    it('a campaign that is not ready cannot be activated, and the response lists every reason in order', async () => {
      const { id } = await makeCampaign(overture, { name: 'Unready' })
      const reply = await client.post(`${home}/campaigns/${id}/activate`, {})
      assert.deepEqual([reply.status, reply.body.error.code], [409, 'campaign_not_ready'])
      const rules = ['leads_missing', 'sequence_missing', 'schedule_missing', 'provider_missing']
      assert.deepEqual(
        reply.body.error.details.failures.map((failure: { rule: string }) => failure.rule),
        rules,
      )
      const validation = (await client.get(`${home}/campaigns/${id}/validate`)).body.data
      assert.equal(validation.ready, false)
      assert.deepEqual(
        validation.failures.map((failure: { rule: string }) => failure.rule),
        rules,
      )
      assert.equal(validation.links.campaign, `${overture.baseUrl}${home}/campaigns/${id}`)
    })

    it('a ready campaign validates as ready', async () => {
      const { id } = await makeReadyCampaign(overture, 'Valid')
      assert.deepEqual((await client.get(`${home}/campaigns/${id}/validate`)).body.data.failures, [])
    })

    it('an active campaign without problems validates as ready, and an archived one names its status', async () => {
      const { id } = await makeReadyCampaign(overture, 'Running')
      await move(id, 'activate')
      const running = (await client.get(`${home}/campaigns/${id}/validate`)).body.data
      assert.deepEqual([running.ready, running.failures], [true, []])
      await move(id, 'pause')
      await move(id, 'archive')
      const archived = (await client.get(`${home}/campaigns/${id}/validate`)).body.data
      assert.deepEqual([archived.ready, archived.failures[0].rule], [false, 'status_not_activatable'])
    })

    it('readiness names suppressed leads, an expired schedule and a missing identity', async () => {
      const { id, updatedAt } = await makeReadyCampaign(overture, 'Almost', { endDate: '2020-01-01T00:00:00Z' }, { postalAddress: null })
      await client.post(`${home}/suppressions`, { kind: 'domain', value: 'almost.example' })
      const rules = (await client.get(`${home}/campaigns/${id}/validate`)).body.data.failures.map(
        (failure: { rule: string }) => failure.rule,
      )
      assert.deepEqual(rules, ['leads_all_suppressed', 'schedule_expired', 'sender_identity_missing'])
      assert.ok(updatedAt)
    })

    it('pause with an empty body and the same key replays the original operation', async () => {
      const { id } = await makeReadyCampaign(overture, 'Replay')
      await move(id, 'activate')
      const headers = { 'idempotency-key': randomUUID() }
      const first = await client.post(`${home}/campaigns/${id}/pause`, {}, { headers: { ...headers, prefer: 'wait=20' } })
      const again = await client.post(`${home}/campaigns/${id}/pause`, undefined, { headers })
      assert.deepEqual([again.status, again.body.id, again.body.status], [200, first.body.id, 'succeeded'])
      assert.equal(again.headers['idempotent-replayed'], 'true')
    })
  })
})
