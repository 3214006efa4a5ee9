import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { Worker } from '../../src/app/worker.ts'
import { overHttp } from '../agents.ts'
import { makeCampaign, makeProvider, makeReadyCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { Client, type Overture, startOverture } from '../harness.ts'
import { signIn } from '../sessions.ts'

describe('a plan', () => {
  let overture: Overture
  let client: Client
  let home: string
  let key: Client

  before(async () => {
    overture = await startOverture()
    ;({ client, home } = overture)
    key = await overture.withScopes([
      'campaigns:read',
      'campaigns:write',
      'leads:read',
      'leads:write',
      'operations:read',
      'suppressions:write',
    ])
  })

  const statusOf = async (id: string) => (await client.get(`${home}/campaigns/${id}`)).body.data.status
  const planOf = async (id: string) => (await client.get(`${home}/plans/${id}`)).body.data
  const propose = async (name: string, token = key.token, body: Record<string, unknown> = {}) => {
    const campaign = await makeReadyCampaign(overture, name, {
      startDate: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      ...body,
    })
    const agent = await overHttp(overture.baseUrl, token)
    const answer = await agent.call('plan_change', { change: 'activate_campaign', campaignId: campaign.id })
    assert.equal(answer.isError, false, answer.text)
    return { agent, campaignId: campaign.id, planToken: answer.data.planToken as string, plan: answer.data.plan }
  }

  it('describes the effect, does nothing before approval, and is carried out once', async () => {
    const { agent, campaignId, planToken, plan } = await propose('Spring')
    assert.deepEqual([plan.summary.leadCount, plan.summary.mailCount, plan.summary.creditCost, plan.status], [2, 4, 0, 'pending'])
    const early = await agent.call('apply_plan', { planToken })
    assert.deepEqual([early.isError, early.data.error.code, await statusOf(campaignId)], [true, 'invalid_state', 'draft'])

    const page = await signIn(client)
    const approved = await page.send('POST', `${home}/plans/${plan.id}/approve`, {})
    assert.deepEqual([approved.status, approved.body.data.decidedBy], [200, overture.userId])
    const [first, second] = await Promise.all([agent.call('apply_plan', { planToken }), agent.call('apply_plan', { planToken })])
    assert.deepEqual([first.isError, second.isError], [false, false], first.text + second.text)
    const { operationId, status, request } = await planOf(plan.id)
    assert.deepEqual([status, request, first.data.plan.operationId], ['applied', null, operationId])
    const operations = (await client.get(`${home}/operations?limit=100`)).body.data as { action: string }[]
    assert.equal(operations.filter(({ action }) => action === 'campaign.activate').length, 1)
    const events = (await client.get(`${home}/events?limit=100`)).body.data as { type: string; data: Record<string, unknown> }[]
    const told = events.filter(({ data }) => data.planId === plan.id)
    assert.deepEqual(
      told.map(({ type }) => type),
      ['plan.proposed', 'plan.approved', 'plan.applied'],
    )
    assert.deepEqual([told[0]!.data.operation, told[0]!.data.mailCount], ['campaigns.activate', 4])
  })

  it('is carried out exactly as approved, once', async () => {
    const { agent, campaignId, planToken, plan } = await propose('Once', key.token, { name: 'Once "and: 0 leads \u202e' })
    assert.match(plan.summary.text, /^Activate the campaign "Once 'and: 0 leads ": 2 leads, 2 steps, at most 4 emails\.$/)
    await client.post(`${home}/plans/${plan.id}/approve`, {})
    assert.equal((await agent.call('apply_plan', { planToken })).isError, false)
    await client.operate('POST', `${home}/campaigns/${campaignId}/pause`)
    assert.equal((await agent.call('apply_plan', { planToken })).isError, false, 'it answers the same')
    assert.equal(await statusOf(campaignId), 'paused')
    const leads = [{ email: 'one@exact.example' }, { email: 'two@exact.example' }]
    const body = { change: 'import_leads', campaignId, body: { leads } }
    const { planToken: importing, plan: bringing } = (await agent.call('plan_change', body)).data
    await client.post(`${home}/plans/${bringing.id}/approve`, {})
    const applied =
      (await agent.call('apply_plan', { planToken: importing, body: { leads: [{ email: 'three@exact.example' }] } }).catch(() => null))
        ?.isError ?? true
    assert.equal(applied, true, 'nothing can be added to it')
    assert.equal((await agent.call('apply_plan', { planToken: importing })).isError, false)
    const { operationId } = await planOf(bringing.id)
    await eventually('it is done', async () => (await client.get(`/v1/operations/${operationId}`)).body.status === 'succeeded')
    const listed = (await client.get(`${home}/campaigns/${campaignId}/leads?q=exact.example`)).body.data as { email: string }[]
    assert.deepEqual(
      listed.map(({ email }) => email).sort(),
      leads.map(({ email }) => email),
    )
  })

  it('is refused if its own route would refuse the request: missing leads, filter and ids together, everyone', async () => {
    const { campaignId } = await propose('Empty')
    const agent = await overHttp(overture.baseUrl, client.token)
    const id = randomUUID()
    for (const asked of [
      { change: 'import_leads', campaignId },
      { change: 'import_leads', campaignId, body: {} },
      { change: 'import_leads', campaignId, body: { leads: [] } },
      { change: 'import_leads', campaignId, body: { leads: [{ email: 'x@y.example' }], exportId: id } },
      { change: 'change_leads', campaignId, body: { action: 'delete' } },
      { change: 'change_leads', campaignId, body: { action: 'delete', ids: [id], filter: {} } },
      { change: 'change_leads', campaignId, body: { action: 'move', ids: [id] } },
      { change: 'buy_leads', campaignId, body: { filters: {}, leadCount: 5 } },
    ]) {
      const refused = await agent.call('plan_change', asked)
      assert.deepEqual([refused.isError, refused.data.error?.code], [true, 'validation_failed'], JSON.stringify(asked))
    }
  })

  it('states how many emails can follow from moved or filtered leads, an export, and a later end date', async () => {
    const from = await makeReadyCampaign(overture, 'From here', { startDate: new Date(Date.now() + 30 * 86_400_000).toISOString() })
    const to = await makeReadyCampaign(overture, 'To there', { startDate: new Date(Date.now() + 30 * 86_400_000).toISOString() })
    await client.operate('POST', `${home}/campaigns/${to.id}/activate`)
    const summaryOf = async (operation: string, campaignId: string, body: object, more: object = {}) => {
      const reply = await client.post(`${home}/plans`, { operation, params: { campaignId }, body, ...more })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      const { text, leadCount, mailCount } = reply.body.data.plan.summary
      return [text, leadCount, mailCount]
    }
    const skipped = { filter: { status: 'skipped' } }
    assert.deepEqual(await summaryOf('leads.changeMany', from.id, { ...skipped, action: 'move', targetCampaignId: to.id }), [
      'Move the leads that match a filter (at most 2) from the campaign "From here" to the campaign "To there", which is active.',
      2,
      4,
    ])
    assert.deepEqual(await summaryOf('leads.changeMany', to.id, { ...skipped, action: 'requeue' }), [
      'Retry the leads that match a filter (at most 2) in the campaign "To there".',
      2,
      4,
    ])
    const unknown = { operation: 'leads.import', params: { campaignId: to.id }, body: { exportId: randomUUID() } }
    assert.equal((await client.post(`${home}/plans`, unknown)).body.error.code, 'invalid_reference')
    await overture.ctx.db.pool.query(`update campaigns set status = 'completed' where id = $1`, [to.id])
    const { updatedAt } = (await client.get(`${home}/campaigns/${to.id}`)).body.data
    const later = await summaryOf('campaigns.updateSchedule', to.id, { endDate: '2099-01-01T00:00:00Z' }, { ifMatch: updatedAt })
    assert.deepEqual(later.slice(1), [2, 4])
  })

  it('cannot be approved by the proposing token, a token created with it, a key, or without the scope', async () => {
    const mine = (await client.post('/v1/tokens', { name: 'agent' })).body.data.token as string
    const agentClient = new Client(overture.baseUrl, mine)
    const { plan, campaignId } = await propose('Self', mine)
    const approve = (by: Client) => by.post(`${home}/plans/${plan.id}/approve`, {})
    const made = new Client(overture.baseUrl, (await agentClient.post('/v1/tokens', { name: 'second self' })).body.data.token)
    const reader = new Client(
      overture.baseUrl,
      (await client.post('/v1/tokens', { name: 'reader', scopes: ['operations:read'] })).body.data.token,
    )
    for (const by of [agentClient, made, key, reader]) assert.equal((await approve(by)).status, 403)
    // What the body needs counts, too.
    const [body, scopes] = [{ action: 'set_status', filter: {}, status: 'closed' }, ['leads:write', 'operations:read']]
    const asked = { operation: 'leads.changeMany', params: { campaignId }, body }
    const closing = (await agentClient.post(`${home}/plans`, asked)).body.data.plan.id
    const narrow = new Client(overture.baseUrl, (await client.post('/v1/tokens', { name: 'narrow', scopes })).body.data.token)
    for (const refused of [await narrow.post(`${home}/plans/${closing}/approve`, {}), await narrow.post(`${home}/plans`, asked)])
      assert.deepEqual([refused.status, refused.body.error.details], [403, { requiredScope: 'people:write' }])
    assert.equal((await (await signIn(agentClient)).send('POST', `${home}/plans/${plan.id}/approve`, {})).status, 403)
    assert.equal((await planOf(plan.id)).status, 'pending')
    assert.equal((await approve(client)).status, 200)
  })

  it('fails if the campaign changed after the approval', async () => {
    const { agent, campaignId, planToken, plan } = await propose('Changed')
    await client.post(`${home}/plans/${plan.id}/approve`, {})
    await client.operate('POST', `${home}/campaigns/${campaignId}/leads/import`, { leads: [{ email: 'new@changed.example' }] })
    const applied = await agent.call('apply_plan', { planToken })
    assert.deepEqual([applied.isError, await statusOf(campaignId), (await planOf(plan.id)).status], [true, 'draft', 'failed'])
  })

  const approvedPlan = async (operation: string, params: Record<string, string>, body: object, more: object = {}) => {
    const proposed = await key.post(`${home}/plans`, { operation, params, body, ...more })
    assert.equal(proposed.status, 201, JSON.stringify(proposed.body))
    const { plan, planToken } = proposed.body.data
    assert.equal((await client.post(`${home}/plans/${plan.id}/approve`, {})).status, 200)
    return { plan, apply: () => key.post(`${home}/plans/apply`, { planToken }) }
  }

  it('fails, and is not marked as applied, when its target is gone', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'Gone')
    const [{ id: leadId }] = (await client.get(`${home}/campaigns/${campaignId}/leads`)).body.data
    const { plan, apply } = await approvedPlan('leads.delete', { campaignId, leadId }, {})
    assert.equal((await client.delete(`${home}/campaigns/${campaignId}/leads/${leadId}`)).status, 204)
    for (const _ of [1, 2]) assert.deepEqual([(await apply()).status, (await planOf(plan.id)).status], [409, 'failed'])
    assert.equal((await planOf(plan.id)).error.code, 'not_found')
  })

  it('carries nothing out and fails for every concurrent apply when the state has changed', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'All at once', { startDate: '2099-01-01T00:00:00Z' })
    const { plan, apply } = await approvedPlan('campaigns.activate', { campaignId }, {})
    await client.operate('POST', `${home}/campaigns/${campaignId}/leads/import`, { leads: [{ email: 'late@at-once.example' }] })
    const replies = [...(await Promise.all(Array.from({ length: 12 }, apply))), await apply()]
    const message = 'Something that this depends on has changed. Propose it again.'
    for (const { status, body } of replies) {
      assert.deepEqual([status, body.error.code, body.error.message], [409, 'invalid_state', `It has failed: ${message}`])
      assert.deepEqual(body.error.details, { currentStatus: 'failed', code: 'invalid_state' })
    }
    const { status, error, operationId, appliedAt } = await planOf(plan.id)
    assert.deepEqual([status, error.message, operationId, appliedAt], ['failed', message, null, null])
    assert.equal(await statusOf(campaignId), 'draft')
    const made = await overture.ctx.db.pool.query('select from operations where idempotency_key = $1', [`§plan-${plan.id}`])
    const told = await overture.ctx.db.pool.query(
      `select from events where workspace_id = $1 and type = 'plan.failed' and data ->> 'planId' = $2`,
      [plan.workspaceId, plan.id],
    )
    assert.deepEqual([made.rowCount, told.rowCount], [0, 1])
  })

  it('is compared again after a temporary refusal: only the approved state is carried out', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'Refused once', { startDate: '2099-01-01T00:00:00Z' })
    const { plan, apply } = await approvedPlan('campaigns.activate', { campaignId }, {})
    const { config } = overture.ctx
    const { maxOpenOperations } = config
    Object.assign(config, { maxOpenOperations: 0 })
    assert.deepEqual([(await apply()).status, (await planOf(plan.id)).status], [503, 'approved'])
    Object.assign(config, { maxOpenOperations })
    const { updatedAt } = (await client.get(`${home}/campaigns/${campaignId}`)).body.data
    const steps = [{ delayDays: 0, variants: [{ subject: 'Something else', body: 'Not what was approved' }] }]
    const replaced = await client.operate('PUT', `${home}/campaigns/${campaignId}/sequence`, { steps }, { 'if-match': updatedAt })
    assert.equal(replaced.status, 'succeeded')
    assert.deepEqual([(await apply()).status, (await planOf(plan.id)).status, await statusOf(campaignId)], [409, 'failed', 'draft'])
  })

  it('waits for open operations of its campaign, and changes nothing if its mailbox changed while queued', async () => {
    const quiet = await startOverture({ worker: false })
    after(() => quiet.end())
    const preparing = new Worker(quiet.ctx)
    await preparing.start()
    const { id: campaignId, providerId } = await makeReadyCampaign(quiet, 'Queued', { startDate: '2099-01-01T00:00:00Z' })
    await preparing.stop()
    const proposed = await quiet.client.post(`${quiet.home}/plans`, { operation: 'campaigns.activate', params: { campaignId }, body: {} })
    const { plan, planToken } = proposed.body.data
    await quiet.ctx.db.pool.query(`update plans set status = 'approved', decided_by = $2, decided_at = now() where id = $1`, [
      plan.id,
      quiet.userId,
    ])
    const apply = () => quiet.client.post(`${quiet.home}/plans/apply`, { planToken })
    const { updatedAt } = (await quiet.client.get(`${quiet.home}/campaigns/${campaignId}`)).body.data
    const patch = await quiet.client.patch(
      `${quiet.home}/campaigns/${campaignId}`,
      { name: 'First' },
      { headers: { 'if-match': updatedAt } },
    )
    assert.equal(patch.status, 202)
    const early = await apply()
    assert.deepEqual([early.status, early.body.error.code], [409, 'invalid_state'])
    await quiet.ctx.db.pool.query('delete from operations where id = $1', [patch.body.id])
    const { id: otherId } = await makeCampaign(quiet, { name: 'Other' })
    const move = { action: 'move', filter: {}, targetCampaignId: campaignId.toUpperCase() }
    const moving = await quiet.client.post(`${quiet.home}/campaigns/${otherId}/leads/bulk`, move)
    assert.equal(moving.status, 202, JSON.stringify(moving.body))
    assert.equal((await apply()).status, 409, 'leads are being moved into the campaign')
    await quiet.ctx.db.pool.query('delete from operations where id = $1', [moving.body.id])

    const applied = await apply()
    assert.equal(applied.status, 200, JSON.stringify(applied.body))
    const signature = { text: 'Not what was approved' }
    const changed = await quiet.client.patch(`${quiet.home}/providers/${providerId}`, { signature, fromName: 'Mallory' })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    const worker = new Worker(quiet.ctx)
    await worker.start()
    after(() => worker.stop())
    const { operationId } = applied.body.data
    const operation = await eventually('the operation has ended', async () => {
      const { body } = await quiet.client.get(`/v1/operations/${operationId}`)
      return ['succeeded', 'failed'].includes(body.status) && body
    })
    assert.equal(operation.status, 'failed')
    assert.equal((await quiet.client.get(`${quiet.home}/campaigns/${campaignId}`)).body.data.status, 'draft')
  })

  it('is carried out regardless of the idempotency keys of others', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'Own key')
    const { plan, apply } = await approvedPlan('campaigns.archive', { campaignId }, {})
    const taken = await key.post(`${home}/campaigns`, { name: 'Taken' }, { headers: { 'idempotency-key': `plan-${plan.id}` } })
    const refused = await key.post(`${home}/campaigns`, { name: 'Taken' }, { headers: { 'idempotency-key': `§plan-${plan.id}` } })
    assert.deepEqual([taken.status, refused.status, refused.body.error.code], [201, 400, 'invalid_idempotency_key'])
    assert.deepEqual([(await apply()).status, (await planOf(plan.id)).status], [200, 'applied'])
    await eventually('the campaign is archived', async () => (await statusOf(campaignId)) === 'archived')
  })

  it('is reported as failed once, however many apply it when its request is refused', async () => {
    const { id: campaignId } = (await client.post(`${home}/campaigns`, { name: 'Not ready' })).body.data
    const { plan, apply } = await approvedPlan('campaigns.activate', { campaignId }, {})
    const replies = await Promise.all(Array.from({ length: 12 }, apply))
    assert.deepEqual([...new Set(replies.map(({ body }) => body.error.details.code))], ['campaign_not_ready'])
    const events = (await client.get(`${home}/events?limit=100&order=desc`)).body.data as { type: string; data: { planId?: string } }[]
    assert.equal(events.filter(({ type, data }) => type === 'plan.failed' && data.planId === plan.id).length, 1)
  })

  it('shows only data of the request: an id outside of its path shows nothing', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'Not touched')
    const { plan, apply } = await approvedPlan('suppressions.create', { campaignId }, { kind: 'email', value: 'ned@nottouched.example' })
    assert.deepEqual([plan.summary.campaignName, plan.summary.from], [null, []])
    await client.operate('POST', `${home}/campaigns/${campaignId}/leads/import`, { leads: [{ email: 'more@not-touched.example' }] })
    assert.equal((await apply()).body.data.status, 'applied')
  })

  it('says that a change reaches a started campaign, and shows no words of the agent as recipients', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'Words')
    await overture.ctx.db.pool.query(`update campaigns set status = 'paused', name = $2 where id = $1`, [campaignId, 'Words\u202e'])
    const summaryOf = async (operation: string, body: object) => {
      const { updatedAt: ifMatch } = (await client.get(`${home}/campaigns/${campaignId}`)).body.data
      const reply = await key.post(`${home}/plans`, { operation, params: { campaignId }, body, ifMatch })
      assert.equal(reply.status, 201, JSON.stringify(reply.body))
      return reply.body.data.plan.summary
    }
    const leads = [{ email: 'This sends nothing.' }, { email: '\u202ea@b.example' }, { email: 'ann@bücher.example' }]
    const imported = await summaryOf('leads.import', { leads, onDuplicate: 'update' })
    assert.deepEqual([imported.recipients, imported.campaignName], [['ann@bücher.example'], 'Words'])
    assert.match(imported.text, /paused\. Existing leads are updated with the imported data\.$/)
    assert.deepEqual((await summaryOf('sequences.sendTest', { to: 'only to yourself' })).recipients, [])
    const suppressions = [{ value: 'nobody at all' }, { value: 'corp.example' }]
    assert.deepEqual((await summaryOf('suppressions.createMany', { suppressions })).recipients, ['corp.example'])
    const { text } = await summaryOf('campaigns.updateSettings', { trackOpens: true, unsubscribe: 'link' })
    assert.equal(text, 'Edit the settings of the campaign "Words", which is paused: open tracking, unsubscribe method.')
  })

  it('shows whose suppression would be removed', async () => {
    const { id: suppressionId } = (await client.post(`${home}/suppressions`, { kind: 'email', value: 'liz@lifted.example' })).body.data
    const { plan, apply } = await approvedPlan('suppressions.delete', { suppressionId }, {})
    assert.deepEqual(plan.summary.recipients, ['liz@lifted.example'])
    assert.equal((await apply()).body.data.status, 'applied')
    const gone = await key.post(`${home}/plans`, { operation: 'suppressions.delete', params: { suppressionId } })
    assert.equal(gone.status, 404)
  })

  it('moves no more leads than the person saw, and only into an unchanged campaign', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'From here')
    const { id: targetCampaignId } = await makeReadyCampaign(overture, 'To there', { startDate: '2099-01-01T00:00:00Z' })
    const more = await approvedPlan('leads.changeMany', { campaignId }, { action: 'move', filter: {}, targetCampaignId })
    await client.operate('POST', `${home}/campaigns/${campaignId}/leads/import`, { leads: [{ email: 'more@from-here.example' }] })
    assert.deepEqual([(await more.apply()).status, (await planOf(more.plan.id)).status], [409, 'failed'])
    const [{ id }] = (await client.get(`${home}/campaigns/${campaignId}/leads`)).body.data
    const started = await approvedPlan('leads.changeMany', { campaignId }, { action: 'move', ids: [id], targetCampaignId })
    assert.equal(started.plan.summary.mailCount, 0)
    await client.operate('POST', `${home}/campaigns/${targetCampaignId}/activate`)
    assert.deepEqual([(await started.apply()).status, (await planOf(started.plan.id)).status], [409, 'failed'])
  })

  it('binds the leads, the mailboxes and the suppressions that its effect depends on', async () => {
    const { pool } = overture.ctx.db
    const { id: campaignId } = await makeReadyCampaign(overture, 'Bound', { startDate: '2099-01-01T00:00:00Z' })
    const base = `${home}/campaigns/${campaignId}`
    const [first, second] = (await client.get(`${base}/leads`)).body.data
    const ifMatch = async () => ({ ifMatch: (await client.get(base)).body.data.updatedAt })
    const touch = `update leads set status = $2, updated_at = updated_at + interval '1 second' where id = $1`
    const fails = async ({ plan, apply }: Awaited<ReturnType<typeof approvedPlan>>, why: string) =>
      assert.deepEqual([(await apply()).status, (await planOf(plan.id)).status], [409, 'failed'], why)

    const test = await approvedPlan('sequences.sendTest', { campaignId }, { to: 'me@overture.example', leadId: first.id })
    assert.equal((await client.patch(`${base}/leads/${first.id}`, { firstName: 'Mallory' })).status, 200)
    await fails(test, 'the lead of a test message')

    const suppression = await client.post(`${home}/suppressions`, { kind: 'email', value: second.email })
    const start = await approvedPlan('campaigns.activate', { campaignId }, {})
    assert.equal((await client.delete(`${home}/suppressions/${suppression.body.data.id}`)).status, 204)
    await fails(start, 'a suppression of a lead')

    const lifted = await approvedPlan('campaigns.activate', { campaignId }, {})
    const { links } = (await client.post(`${home}/suppressions`, { kind: 'email', value: second.email })).body.data
    assert.equal((await client.delete(links.self)).status, 204)
    await fails(lifted, 'a suppression that was created and lifted after the proposal')

    const other = await makeProvider(overture, { name: 'Another' })
    const mailboxes = await approvedPlan('campaigns.updateMailboxes', { campaignId }, { providerId: other.id }, await ifMatch())
    assert.equal((await client.patch(`${home}/providers/${other.id}`, { fromName: 'Mallory' })).status, 200)
    await fails(mailboxes, 'the mailbox that the request names')

    const server = { smtp: { host: 'smtp.example', port: 587, secure: false } }
    const credentials = { username: 'ann', password: 'a' }
    const real = await makeProvider(overture, { kind: 'smtp', fromEmail: 'ann@smtp.example', settings: server, credentials })
    const signedIn = await approvedPlan('campaigns.updateMailboxes', { campaignId }, { providerId: real.id }, await ifMatch())
    const mallory = { credentials: { username: 'mallory', password: 'b' } }
    assert.equal((await client.patch(`${home}/providers/${real.id}`, mallory)).status, 200)
    await fails(signedIn, 'the account that the mailbox sends with')

    // The person looks at the campaign in between.
    const restored = await approvedPlan('campaigns.activate', { campaignId }, {})
    const { providerId } = (await client.get(base)).body.data
    for (const replyTo of ['ann@reply.example', null]) await client.patch(`${home}/providers/${providerId}`, { replyTo })
    await fails(restored, 'a mailbox that was changed and changed back')
    const paced = await approvedPlan('campaigns.activate', { campaignId }, {})
    await client.patch(`${home}/providers/${providerId}`, { maxPerDomainPerHour: 900 })
    await fails(paced, 'the pace of a mailbox')
    const linked = await approvedPlan('campaigns.activate', { campaignId }, {})
    const host = `insert into tracking_hosts (host, workspace_id, status, origin, created_at, check_at) values ($1, $2, 'verified', $3, now(), 'infinity')`
    await pool.query(host, ['go.mallory.example', overture.workspaceId, 'https://go.mallory.example'])
    await fails(linked, 'the host of links')
    await pool.query('delete from tracking_hosts where workspace_id = $1', [overture.workspaceId])
    const toggled = await approvedPlan('campaigns.activate', { campaignId }, {})
    for (const trackOpens of [true, false])
      await client.operate('PUT', `${base}/settings`, { trackOpens }, { 'if-match': (await ifMatch()).ifMatch })
    await fails(toggled, 'settings that were changed and changed back')

    await pool.query(`update campaigns set status = 'active' where id = $1`, [campaignId])
    await pool.query(touch, [first.id, 'skipped'])
    const filtered = await approvedPlan('leads.changeMany', { campaignId }, { action: 'requeue', filter: { status: 'skipped' } })
    await pool.query(touch, [second.id, 'skipped'])
    await fails(filtered, 'the leads that a filter finds in a running campaign')

    await pool.query(`update campaigns set status = 'completed' where id = $1`, [campaignId])
    const schedule = await approvedPlan('campaigns.updateSchedule', { campaignId }, { endDate: '2099-02-01T00:00:00Z' }, await ifMatch())
    await pool.query(touch, [second.id, 'not_yet_contacted'])
    await fails(schedule, 'the leads of a completed campaign that goes on')
  })

  it('is carried out although its campaign got another name or more leads, and not if it was read before a change', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'Renamed', { startDate: '2099-01-01T00:00:00Z' })
    const base = `${home}/campaigns/${campaignId}`
    const ifMatch = async () => ({ ifMatch: (await client.get(base)).body.data.updatedAt as string })
    const read = await ifMatch()
    const steps = [{ delayDays: 0, variants: [{ subject: 'Approved', body: 'Approved' }] }]
    const other = await makeProvider(overture, { name: 'Other' })
    const approved = [
      await approvedPlan('campaigns.updateSettings', { campaignId }, { niche: 'Approved' }, read),
      await approvedPlan('campaigns.updateSchedule', { campaignId }, { endDate: '2099-02-01T00:00:00Z' }, read),
      await approvedPlan('sequences.replace', { campaignId }, { steps }, read),
      await approvedPlan('campaigns.updateMailboxes', { campaignId }, { providerId: other.id }, read),
    ]
    const now = await ifMatch()
    await client.operate('PUT', `${base}/settings`, { name: 'Another name' }, { 'if-match': now.ifMatch })
    await client.operate('POST', `${base}/leads/import`, { leads: [{ email: 'more@renamed.example' }] })
    const stale = { operation: 'campaigns.updateSettings', params: { campaignId }, body: { niche: 'Old' }, ...read }
    const refused = await key.post(`${home}/plans`, stale)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_state'])
    const outcomeOf = async ({ apply, plan }: (typeof approved)[number]) => {
      assert.equal((await apply()).body.data?.status, 'applied')
      const { operationId } = await planOf(plan.id)
      return eventually('it has ended', async () => {
        const { body } = await client.get(`/v1/operations/${operationId}`)
        return ['succeeded', 'failed'].includes(body.status) && body.status
      })
    }
    assert.equal(await outcomeOf(approved[0]!), 'succeeded')
    assert.equal(await outcomeOf(approved[1]!), 'succeeded')
    // The end date is part of what is sent, so the others are based on another state.
    for (const { apply } of approved.slice(2)) assert.equal((await apply()).status, 409)
    const { name, niche, endDate } = (await client.get(base)).body.data
    assert.deepEqual([name, niche, endDate], ['Another name', 'Approved', '2099-02-01T00:00:00.000Z'])
    for (const [operation, body] of [
      ['sequences.replace', { steps }],
      ['campaigns.updateMailboxes', { providerId: other.id }],
    ] as const) {
      const plan = await approvedPlan(operation, { campaignId }, body, await ifMatch())
      await client.operate('PUT', `${base}/settings`, { name: operation }, { 'if-match': (await ifMatch()).ifMatch })
      assert.equal(await outcomeOf(plan), 'succeeded', operation)
    }
  })

  it('adds nobody who was kept out when it was proposed: suppressed people, and leads of the campaign', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'Kept out', { startDate: '2099-01-01T00:00:00Z' })
    await client.operate('POST', `${home}/campaigns/${campaignId}/activate`)
    await client.post(`${home}/credits/grants`, { amount: 50 })
    const buyer = await overture.withScopes(['leads:export', 'leads:write', 'operations:read'])
    const propose = async () => {
      const requests = [
        { operation: 'leads.import', body: { leads: [{ email: 'new@kept-out.example' }, { email: 'barred@kept-out.example' }] } },
        { operation: 'leadSearches.attach', body: { filters: { jobTitles: ['CTO'] }, leadCount: 5 } },
      ]
      return Promise.all(
        requests.map(async ({ operation, body }) => {
          const { plan, planToken } = (await buyer.post(`${home}/plans`, { operation, params: { campaignId }, body })).body.data
          assert.equal((await client.post(`${home}/plans/${plan.id}/approve`, {})).status, 200)
          return () => buyer.post(`${home}/plans/apply`, { planToken })
        }),
      )
    }
    const fail = async (applies: Awaited<ReturnType<typeof propose>>, why: string) => {
      for (const apply of applies) assert.deepEqual([(await apply()).body.error?.details?.currentStatus], ['failed'], why)
    }
    const barred = (await client.post(`${home}/suppressions`, { kind: 'email', value: 'barred@kept-out.example' })).body.data
    const lifting = await propose()
    assert.equal((await client.delete(barred.links.self)).status, 204)
    await fail(lifting, 'a lifted suppression')

    const [lead, second] = (await client.get(`${home}/campaigns/${campaignId}/leads`)).body.data
    const removing = await propose()
    assert.equal((await client.delete(lead.links.self)).status, 204)
    await fail(removing, 'a removed lead')
    const many = await propose()
    await client.operate('POST', `${home}/campaigns/${campaignId}/leads/bulk`, { action: 'delete', ids: [second.id] })
    await fail(many, 'leads that were removed together')
    assert.equal((await client.get(`${home}/campaigns/${campaignId}`)).body.data.totalLeads, 0)

    const [importing] = await propose()
    await client.post(`${home}/suppressions`, { kind: 'email', value: 'barred@kept-out.example' })
    assert.equal((await importing!()).body.data?.status, 'applied', 'a new suppression keeps out more')
    await eventually('it is done', async () => (await client.get(`${home}/campaigns/${campaignId}`)).body.data.totalLeads === 1)
  })

  it('buys nobody who could not be bought when it was compared last, and moves no lead that came or changed since', async () => {
    const quiet = await startOverture({ worker: false })
    after(() => quiet.end())
    const { pool } = quiet.ctx.db
    const preparing = new Worker(quiet.ctx)
    await preparing.start()
    const { id: fromId } = await makeReadyCampaign(quiet, 'Moved')
    const { id: heldId } = await makeReadyCampaign(quiet, 'Held')
    await preparing.stop()
    const { id: campaignId } = await makeCampaign(quiet, { name: 'Bought' })
    await quiet.client.post(`${quiet.home}/credits/grants`, { amount: 5 })
    const barred = (await quiet.client.post(`${quiet.home}/suppressions`, { kind: 'email', value: 'eve@wombats.example' })).body.data
    const carryOut = async (asked: object) => {
      const { plan, planToken } = (await quiet.client.post(`${quiet.home}/plans`, asked)).body.data
      await pool.query(`update plans set status = 'approved', decided_by = $2, decided_at = now() where id = $1`, [plan.id, quiet.userId])
      const { operationId } = (await quiet.client.post(`${quiet.home}/plans/apply`, { planToken })).body.data
      // As if a worker had compared the state, and died before it chose the people.
      await pool.query('update plans set executed_at = now() where id = $1', [plan.id])
      return () =>
        eventually('it has ended', async () => {
          const { body: operation } = await quiet.client.get(`/v1/operations/${operationId}`)
          return ['succeeded', 'failed'].includes(operation.status) && operation
        })
    }
    const body = { filters: { jobTitles: { include: ['Chief Wombat Officer'] } }, leadCount: 5 }
    const bought = await carryOut({ operation: 'leadSearches.attach', params: { campaignId }, body })
    const moveTo = async (name: string) => ({ action: 'move', filter: {}, targetCampaignId: (await makeCampaign(quiet, { name })).id })
    const held = await carryOut({ operation: 'leads.changeMany', params: { campaignId: heldId }, body: await moveTo('Other') })
    assert.equal((await quiet.client.delete(barred.links.self)).status, 204)
    const moved = await carryOut({ operation: 'leads.changeMany', params: { campaignId: fromId }, body: await moveTo('Target') })
    const [changed] = (await quiet.client.get(`${quiet.home}/campaigns/${fromId}/leads`)).body.data
    assert.equal((await quiet.client.patch(changed.links.self, { firstName: 'Mallory' })).status, 200)
    const worker = new Worker(quiet.ctx)
    await worker.start()
    after(() => worker.stop())
    const { status, error } = await bought()
    assert.deepEqual([status, error?.message], ['failed', 'Other people could be added since the approval. Propose the plan again.'])
    assert.equal((await held()).error?.message, 'A suppression was lifted since the approval. Propose the plan again.')
    assert.equal((await quiet.client.get(`${quiet.home}/campaigns/${heldId}`)).body.data.totalLeads, 2)
    assert.equal((await moved()).result.changedCount, 1)
    const left = (await quiet.client.get(`${quiet.home}/campaigns/${fromId}/leads`)).body.data
    assert.deepEqual([left.length, left[0].id], [1, changed.id])
  })

  it('sends no test message that was written from a campaign that changed after the state was compared', async () => {
    const quiet = await startOverture({ worker: false })
    const preparing = new Worker(quiet.ctx)
    await preparing.start()
    const { id } = await makeReadyCampaign(quiet, 'Tested')
    await preparing.stop()
    const asked = { operation: 'sequences.sendTest', params: { campaignId: id }, body: { to: 'ada@wombats.example' } }
    const { plan, planToken } = (await quiet.client.post(`${quiet.home}/plans`, asked)).body.data
    const { pool } = quiet.ctx.db
    await pool.query(`update plans set status = 'approved', decided_by = $2, decided_at = now() where id = $1`, [plan.id, quiet.userId])
    const { operationId } = (await quiet.client.post(`${quiet.home}/plans/apply`, { planToken })).body.data
    // The comparison does not read suppressions, and the message is written after they were read.
    const holder = await pool.connect()
    await holder.query('begin; lock table suppressions in access exclusive mode')
    const worker = new Worker(quiet.ctx)
    await worker.start()
    after(() => worker.stop())
    const waits = `
      select from pg_locks
      where relation = 'suppressions'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`
    await eventually('the state was compared', async () => (await pool.query(waits)).rowCount! > 0)
    await pool.query('update campaigns set content_version = content_version + 1 where id = $1', [id])
    await holder.query('rollback')
    holder.release()
    const failed = await eventually('it has ended', async () => {
      const { body: operation } = await quiet.client.get(`/v1/operations/${operationId}`)
      return ['succeeded', 'failed'].includes(operation.status) && operation
    })
    assert.match(failed.error?.message, /^It has failed: Something that this depends on has changed/)
  })

  it('is refused when its token has too many open ones, so that none is buried', async () => {
    // A person has tokens, and a workspace key makes others.
    for (const tokens of ['/v1/tokens', `${home}/api-keys`]) {
      const scopes = ['tokens:write', 'operations:read', 'suppressions:write']
      const make = async (by: Client) => (await by.post(tokens, { name: 'eager', scopes })).body.data
      const { token, id: tokenId } = await make(client)
      const eager = new Client(overture.baseUrl, token)
      const propose = (by: Client) =>
        by.post(`${home}/plans`, { operation: 'suppressions.create', body: { kind: 'email', value: 'a@b.example' } })
      assert.equal((await propose(eager)).status, 201)
      await overture.ctx.db.pool.query(
        `insert into plans (id, workspace_id, token_id, operation, request, request_hash, basis, summary, expires_at)
        select gen_random_uuid(), workspace_id, token_id, operation, request, request_hash, basis, summary, expires_at
        from plans, generate_series(1, 99)
        where token_id = $1`,
        [tokenId],
      )
      const another = new Client(overture.baseUrl, (await make(eager)).token)
      for (const by of [eager, another]) {
        const { status, body } = await propose(by)
        assert.deepEqual([status, body.error.code, body.error.details.limit], [409, 'limit_exceeded', 100])
      }
      const foreign = new Client(overture.baseUrl, (await client.post(`${home}/api-keys`, { name: 'calm', scopes })).body.data.token)
      assert.equal((await propose(foreign)).status, 201)
      await overture.ctx.db.pool.query(`update plans set status = 'rejected', request = null where token_id = $1`, [tokenId])
      assert.equal((await propose(another)).status, 201)
    }
  })

  it('fails if the approver has left or lost the permission', async () => {
    const { pool } = overture.ctx.db
    const { id: campaignId } = await makeReadyCampaign(overture, 'Approver', { startDate: '2099-01-01T00:00:00Z' })
    const demoted = await approvedPlan('campaigns.activate', { campaignId }, {})
    const setRole = `update memberships set role = $2 where user_id = $1`
    await pool.query(setRole, [overture.userId, 'viewer'])
    const refused = await demoted.apply()
    await pool.query(setRole, [overture.userId, 'owner'])
    assert.deepEqual([refused.status, refused.body.error.details.code], [409, 'forbidden'])
    const left = await approvedPlan('campaigns.activate', { campaignId }, {})
    await pool.query('update plans set decided_by = null where id = $1', [left.plan.id])
    assert.equal((await left.apply()).body.error.details.code, 'forbidden')
    assert.deepEqual([(await planOf(demoted.plan.id)).status, await statusOf(campaignId)], ['failed', 'draft'])
  })

  it('is not carried out if it was rejected, has expired, or is applied by another token', async () => {
    const rejected = await propose('Rejected')
    assert.equal((await client.post(`${home}/plans/${rejected.plan.id}/approve`, {})).status, 200)
    assert.equal((await client.post(`${home}/plans/${rejected.plan.id}/reject`, {})).status, 200)
    assert.equal((await rejected.agent.call('apply_plan', { planToken: rejected.planToken })).isError, true)

    const expired = await propose('Expired')
    await client.post(`${home}/plans/${expired.plan.id}/approve`, {})
    const other = await overHttp(overture.baseUrl, client.token)
    assert.equal((await other.call('apply_plan', { planToken: expired.planToken })).data.error.code, 'forbidden')
    assert.equal((await expired.agent.call('apply_plan', { planToken: `${expired.planToken}x` })).data.error.code, 'forbidden')
    await overture.ctx.db.pool.query("update plans set expires_at = now() - interval '1 second' where id = $1", [expired.plan.id])
    assert.equal((await expired.agent.call('apply_plan', { planToken: expired.planToken })).isError, true)
    assert.deepEqual([await statusOf(rejected.campaignId), await statusOf(expired.campaignId)], ['draft', 'draft'])
  })

  it('contains nothing about an erased person, and is not carried out', async () => {
    const agent = await overHttp(overture.baseUrl, key.token)
    const email = 'zeldana@quince.example'
    const { plan, planToken } = (await agent.call('plan_change', { change: 'suppress', body: { suppressions: [{ value: email }] } })).data
    assert.equal((await client.operate('POST', `${home}/erasures`, { email })).status, 'succeeded')
    const { rows } = await overture.ctx.db.pool.query('select p::text as row, status from plans p where id = $1', [plan.id])
    assert.deepEqual([rows[0].row.includes('zeldana'), rows[0].status], [false, 'expired'])
    assert.equal((await agent.call('apply_plan', { planToken })).isError, true)
  })
})
