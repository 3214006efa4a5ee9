import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HOUR, type LivingOverture, makeCampaign, startLiving } from '../sending.ts'

const person = (name: string, more: object = {}) => ({ email: `silent+${name.toLowerCase()}@people.example`, firstName: name, ...more })

const leadOf = async ({ client }: LivingOverture, base: string, email: string) =>
  (await client.get(`${base}/leads?email=${encodeURIComponent(email)}`)).body.data[0]

const countOf = async ({ client }: LivingOverture, base: string, status: string): Promise<number> =>
  (await client.get(`${base}/leads?status=${status}`)).body.data.length

const NAMELESS = { email: 'silent+nameless@people.example' }

describe('a lead that is changed', () => {
  it('is queued again and emailed when it gets its missing variable', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const { base } = await makeCampaign(overture, { leads: [person('Ann'), NAMELESS] })
    await overture.work.tick()
    const lead = await leadOf(overture, base, NAMELESS.email)
    assert.equal(lead.status, 'skipped')
    const other = await client.patch(`${base}/leads/${lead.id}`, { lastName: 'Less' })
    assert.deepEqual([other.body.data.status, other.body.data.fullName], ['not_yet_contacted', 'Less'])
    await overture.work.tick()
    assert.equal((await leadOf(overture, base, NAMELESS.email)).status, 'skipped')
    const patched = await client.patch(`${base}/leads/${lead.id}`, { firstName: ' Name ', variables: { city: 'Rome' } })
    assert.deepEqual([patched.body.data.firstName, patched.body.data.fullName], ['Name', 'Name Less'])
    await overture.work.tick()
    assert.equal((await leadOf(overture, base, NAMELESS.email)).status, 'contacted')
    const events = (await client.get(`${home}/events?type=lead.updated`)).body.data
    assert.deepEqual(events.at(0).data.changed, ['lastName', 'fullName'])
  })

  it('shows the planned step, its time and the hold, also in the response to a change', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: [person('Ann'), NAMELESS] })
    await overture.work.tick()
    const ann = await leadOf(overture, base, person('Ann').email)
    assert.deepEqual([ann.next.step, ann.next.dueAt > ann.updatedAt, ann.hold], [1, true, null])
    const lead = await leadOf(overture, base, NAMELESS.email)
    assert.deepEqual([lead.status, lead.next, lead.hold], ['skipped', null, { reason: 'missing_variable', until: null }])
    const { data } = (await client.patch(`${base}/leads/${lead.id}`, { lastName: 'Less' })).body
    assert.deepEqual([data.next.step, data.hold], [0, null])
    assert.deepEqual((await client.get(`${base}/leads/${lead.id}`)).body.data, data)
  })

  it('changes only the sent fields, removes a variable that is null, and refuses an unknown zone', async () => {
    const overture = await startLiving()
    const { client } = overture
    const leads = [person('Ann', { company: 'Ltd', variables: { city: 'Rome', hobby: 'chess' } })]
    const { base } = await makeCampaign(overture, { leads, activate: false })
    const lead = await leadOf(overture, base, leads[0]!.email)
    const path = `${base}/leads/${lead.id}`
    const { data } = (await client.patch(path, { jobTitle: 'CEO', company: null, variables: { hobby: null, pet: 'cat' } })).body
    assert.deepEqual([data.firstName, data.company, data.jobTitle, data.variables], ['Ann', null, 'CEO', { city: 'Rome', pet: 'cat' }])
    assert.equal((await client.patch(path, { timezone: 'Mars/Base' })).status, 422)
    assert.equal((await client.patch(path, { timezone: 'Asia/Tokyo' })).body.data.timezone, 'Asia/Tokyo')
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`v${n}`, 'x']))
    assert.equal((await client.patch(path, { variables: many })).status, 422)
  })

  it('is requeued when it was skipped, keeps the delay after the previous message, and returns 409 otherwise', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: [person('Ann')] })
    await overture.work.tick()
    const lead = await leadOf(overture, base, person('Ann').email)
    const path = `${base}/leads/${lead.id}`
    const refused = await client.post(`${path}/requeue`, {})
    assert.deepEqual([refused.status, refused.body.error.details.currentStatus], [409, 'contacted'])
    await client.patch(path, { status: 'skipped' })
    await overture.work.tick()
    assert.equal((await client.get(base)).body.data.status, 'completed')
    assert.equal((await client.post(`${path}/requeue`, {})).body.data.status, 'contacted')
    assert.equal((await client.get(base)).body.data.status, 'active')
    const sent = async () => (await client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount
    await overture.live(24 * HOUR, 4 * HOUR)
    assert.equal(await sent(), 1)
    await overture.live(72 * HOUR, 4 * HOUR)
    assert.equal(await sent(), 2)
  })
})

describe('many leads', () => {
  it('that were skipped because of a template are emailed when it is fixed and they are requeued', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: [person('Ann'), NAMELESS] })
    await overture.work.tick()
    await client.operate('POST', `${base}/pause`)
    const { updatedAt } = (await client.get(base)).body.data
    const steps = [{ delayDays: 0, variants: [{ subject: 'Hello', body: 'Hello.' }] }]
    await client.operate('PUT', `${base}/sequence`, { steps }, { 'if-match': updatedAt })
    assert.equal((await client.operate('POST', `${base}/resume`)).status, 'succeeded')
    await client.operate('POST', `${base}/leads/bulk`, { action: 'requeue', filter: { status: 'skipped' } })
    await overture.work.tick()
    assert.equal((await leadOf(overture, base, NAMELESS.email)).status, 'contacted')
    assert.equal((await client.get(base)).body.data.status, 'active')
  })

  it('are requeued, updated and deleted by filter or id, and counted', async () => {
    const overture = await startLiving()
    const { client } = overture
    const nameless = Array.from({ length: 3 }, (_, n) => ({ email: `silent+${n}@people.example` }))
    const { base } = await makeCampaign(overture, { leads: [person('Ann'), ...nameless] })
    await overture.work.tick()
    assert.equal(await countOf(overture, base, 'skipped'), 3)
    const bulk = (body: object) => client.operate('POST', `${base}/leads/bulk`, body)
    const requeued = await bulk({ action: 'requeue', filter: { status: 'skipped' } })
    assert.deepEqual([requeued.result.matchedCount, requeued.result.changedCount], [3, 3])
    assert.equal(await countOf(overture, base, 'not_yet_contacted'), 3)
    const ann = await leadOf(overture, base, person('Ann').email)
    const again = await bulk({ action: 'requeue', ids: [ann.id, crypto.randomUUID()] })
    assert.deepEqual([again.result.matchedCount, again.result.changedCount, again.result.unchangedCount], [1, 0, 1])
    assert.equal((await bulk({ action: 'set_status', status: 'replied', ids: [ann.id] })).result.changedCount, 1)
    assert.equal((await leadOf(overture, base, ann.email)).status, 'replied')
    const gone = await bulk({ action: 'delete', filter: { status: 'not_yet_contacted' } })
    assert.equal(gone.result.changedCount, 3)
    assert.equal((await client.get(base)).body.data.totalLeads, 1)
    for (const bad of [{ action: 'delete' }, { action: 'delete', ids: [ann.id], filter: {} }, { action: 'move', filter: {} }]) {
      assert.equal((await client.post(`${base}/leads/bulk`, bad)).status, 422)
    }
  })

  it('are matched only within the campaign, and once however their id is written', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: [person('Ann'), person('Bob')] })
    const other = await makeCampaign(overture, { leads: [person('Cid')], provider: { fromEmail: 'eve@sender.example' } })
    const [ann, bob, cid] = [
      await leadOf(overture, base, person('Ann').email),
      await leadOf(overture, base, person('Bob').email),
      await leadOf(overture, other.base, person('Cid').email),
    ]
    // More unknown ids than one batch has, so that whole batches match nothing.
    const unknown = Array.from({ length: 450 }, () => crypto.randomUUID())
    const ids = [ann.id, ann.id.toUpperCase(), cid.id, ...unknown, bob.id]
    const { result } = await client.operate('POST', `${base}/leads/bulk`, { action: 'set_status', status: 'replied', ids })
    assert.deepEqual([result.matchedCount, result.changedCount, result.unchangedCount], [2, 2, 0])
    assert.equal((await leadOf(overture, base, bob.email)).status, 'replied')
    assert.notEqual((await leadOf(overture, other.base, cid.email)).status, 'replied')
    const nobody = await client.operate('POST', `${base}/leads/bulk`, { action: 'delete', ids: [cid.id] })
    assert.deepEqual([nobody.result.matchedCount, nobody.result.unchangedCount], [0, 0])
  })

  it('move to another campaign and start again there, except people who replied or are already in it', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const { base, campaignId } = await makeCampaign(overture, { leads: [person('Ann'), person('Bob'), person('Cid')] })
    const target = await makeCampaign(overture, { leads: [person('Cid')], provider: { fromEmail: 'eve@sender.example' } })
    await overture.work.tick()
    const bob = await leadOf(overture, base, person('Bob').email)
    await client.patch(`${base}/leads/${bob.id}`, { status: 'replied' })
    const move = { action: 'move', filter: {}, targetCampaignId: target.campaignId }
    const moved = await client.operate('POST', `${base}/leads/bulk`, move)
    assert.deepEqual([moved.result.matchedCount, moved.result.changedCount, moved.result.unchangedCount], [3, 1, 2])
    assert.equal((await leadOf(overture, target.base, person('Ann').email)).status, 'not_yet_contacted')
    assert.equal(await leadOf(overture, base, person('Ann').email), undefined)
    assert.deepEqual([(await client.get(base)).body.data.totalLeads, (await client.get(target.base)).body.data.totalLeads], [2, 2])
    await overture.work.tick()
    assert.equal((await leadOf(overture, target.base, person('Ann').email)).status, 'contacted')
    for (const id of [campaignId, crypto.randomUUID()]) {
      const refused = await client.post(`${home}/campaigns/${campaignId}/leads/bulk`, { ...move, targetCampaignId: id })
      assert.equal(refused.body.error.code, 'invalid_reference')
    }
  })
})

describe('an import of existing leads', () => {
  it('updates them on request, keeps omitted fields, and queues leads again that got a missing variable', async () => {
    const overture = await startLiving()
    const { client } = overture
    const ann = person('Ann', { lastName: 'Archer', variables: { city: 'Rome' } })
    const { base } = await makeCampaign(overture, { leads: [ann, NAMELESS] })
    await overture.work.tick()
    const leads = [
      { email: ann.email.toUpperCase(), lastName: 'Smith', variables: { pet: 'cat' } },
      { ...NAMELESS, firstName: 'Name' },
      person('New'),
      person('New'),
      { email: 'nobody' },
    ]
    const { result } = await client.operate('POST', `${base}/leads/import`, { leads, onDuplicate: 'update' })
    const { importedCount, updatedCount, duplicateCount, invalidCount } = result
    assert.deepEqual([importedCount, updatedCount, duplicateCount, invalidCount], [1, 3, 0, 1])
    const changed = await leadOf(overture, base, ann.email)
    assert.deepEqual(
      [changed.firstName, changed.fullName, changed.status, changed.variables],
      ['Ann', 'Ann Smith', 'contacted', { city: 'Rome', pet: 'cat' }],
    )
    await overture.work.tick()
    assert.equal((await leadOf(overture, base, NAMELESS.email)).status, 'contacted')
    const skipped = await client.operate('POST', `${base}/leads/import`, { leads: [{ ...ann, lastName: 'Other' }] })
    assert.deepEqual([skipped.result.updatedCount, skipped.result.duplicateCount], [0, 1])
    assert.equal((await leadOf(overture, base, ann.email)).lastName, 'Smith')
  })
})
