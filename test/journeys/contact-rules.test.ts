import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { claimSends } from '../../src/modules/sending/claim.ts'
import { intendSends, type PreparedSend, prepareSends } from '../../src/modules/sending/intend.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { DAY, HOUR, type LivingOverture, makeCampaign, startLiving, TWO_STEPS } from '../sending.ts'

const person = (email: string) => ({ email, firstName: 'Pat' })
const ann = person('silent@people.example')
const ONE_STEP = [TWO_STEPS[0]!]

async function setForWorkspace({ client, home }: LivingOverture, contactRules: object) {
  const { updatedAt } = (await client.get(`${home}/settings`)).body.data
  const operation = await client.operate('PUT', `${home}/settings`, { contactRules }, { 'if-match': updatedAt })
  assert.equal(operation.status, 'succeeded', JSON.stringify(operation.error))
  return operation.result.settings
}

async function setForCampaign({ client }: LivingOverture, base: string, contactRules: object) {
  const { updatedAt } = (await client.get(base)).body.data
  const operation = await client.operate('PUT', `${base}/settings`, { contactRules }, { 'if-match': updatedAt })
  assert.equal(operation.status, 'succeeded', JSON.stringify(operation.error))
}

const sentCount = async ({ client }: LivingOverture, base: string): Promise<number> =>
  (await client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount

const reasonsOf = async ({ client }: LivingOverture, base: string) => (await client.get(`${base}/sending`)).body.data.reasons

/** The current hold of the only lead of a campaign, from its timeline. */
async function currentReason({ client }: LivingOverture, base: string) {
  const [lead] = (await client.get(`${base}/leads`)).body.data
  return (await client.get(`${base}/leads/${lead.id}/timeline`)).body.data.at(-1).data
}

async function claimAll(overture: LivingOverture): Promise<{ workerId: number; prepared: PreparedSend[] }> {
  const identity = new WorkerIdentity(overture.ctx.db, overture.ctx.log)
  const workerId = await identity.id()
  const claimed = await claimSends(overture.ctx, workerId, 200)
  const prepared: PreparedSend[] = []
  for (const sends of Map.groupBy(claimed, send => send.mailbox.id).values())
    prepared.push(...(await prepareSends(overture.ctx, workerId, sends)))
  after(() => identity.close())
  return { workerId, prepared }
}

describe('the contact rules', () => {
  it('are off by default: two campaigns email the same person', async () => {
    const overture = await startLiving()
    const one = await makeCampaign(overture, { leads: [ann] })
    const two = await makeCampaign(overture, { leads: [ann] })
    await overture.work.tick()
    assert.deepEqual([await sentCount(overture, one.base), await sentCount(overture, two.base)], [1, 1])
    const { contactRules, effectiveContactRules } = (await overture.client.get(one.base)).body.data
    assert.deepEqual(contactRules, {})
    assert.deepEqual(effectiveContactRules, {
      contactedElsewhereWithinDays: null,
      inOtherActiveCampaign: 'allow',
      companyReplied: 'ignore',
      maxPerCompanyAtOnce: null,
    })
  })

  it('of a campaign override those of its workspace, and omitted rules come from the workspace', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const settings = await setForWorkspace(overture, { contactedElsewhereWithinDays: 30, companyReplied: 'stop' })
    assert.equal(settings.contactRules.maxPerCompanyAtOnce, null)
    const created = await client.post(`${home}/campaigns`, { name: 'Own', contactRules: { contactedElsewhereWithinDays: null } })
    assert.equal(created.status, 201)
    const { contactRules, effectiveContactRules } = created.body.data
    assert.deepEqual(contactRules, { contactedElsewhereWithinDays: null })
    assert.equal(effectiveContactRules.contactedElsewhereWithinDays, null)
    assert.equal(effectiveContactRules.companyReplied, 'stop')
    const base = `${home}/campaigns/${created.body.data.id}`
    await setForCampaign(overture, base, { companyReplied: 'pause', maxPerCompanyAtOnce: 3 })
    const updated = (await client.get(base)).body.data
    assert.deepEqual(updated.contactRules, { companyReplied: 'pause', maxPerCompanyAtOnce: 3 })
    assert.equal(updated.effectiveContactRules.contactedElsewhereWithinDays, 30)
    await setForCampaign(overture, base, { maxPerCompanyAtOnce: 3, companyReplied: 'pause' })
    assert.equal((await client.get(base)).body.data.updatedAt, updated.updatedAt, 'the same rules in another order are no change')
    assert.equal((await client.post(`${home}/campaigns`, { name: 'Bad', contactRules: { companyReplied: 'maybe' } })).status, 422)
  })

  it('of a workspace need the scopes for reading and writing', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    assert.equal((await client.put(`${home}/settings`, { contactRules: {} })).status, 428)
    const headers = { 'if-match': '2020-01-01T00:00:00.000Z' }
    const stale = await client.operate('PUT', `${home}/settings`, { contactRules: { companyReplied: 'stop' } }, headers)
    assert.equal(stale.error.code, 'precondition_failed')
    assert.equal((await client.get(`${home}/settings`)).body.data.contactRules.companyReplied, 'ignore')
    const reader = await overture.withScopes(['workspaces:read'])
    const { updatedAt } = (await reader.get(`${home}/settings`)).body.data
    assert.equal((await reader.put(`${home}/settings`, {}, { headers: { 'if-match': updatedAt } })).status, 403)
    const stranger = await overture.stranger()
    assert.equal((await stranger.client.get(`${home}/settings`)).status, 404)
  })
})

describe('a person who was contacted by another campaign', () => {
  it('waits for the days of the rule, and is then emailed', async () => {
    const overture = await startLiving()
    await setForWorkspace(overture, { contactedElsewhereWithinDays: 7 })
    const one = await makeCampaign(overture, { leads: [ann], steps: ONE_STEP })
    await overture.work.tick()
    const two = await makeCampaign(overture, { leads: [ann], steps: ONE_STEP })
    await overture.work.tick()
    assert.deepEqual([await sentCount(overture, one.base), await sentCount(overture, two.base)], [1, 0])
    const current = await currentReason(overture, two.base)
    assert.equal(current.reason, 'contacted_elsewhere')
    assert.equal(current.nextAttemptAt, '2026-03-09T08:00:00.000Z')
    assert.match(current.text, /emailed by another campaign in the last 7 days, next email on Monday 2026-03-09 09:00/)
    assert.deepEqual(current.fix.body, { contactRules: { contactedElsewhereWithinDays: null } })
    await overture.live(6 * DAY, 6 * HOUR)
    assert.equal(await sentCount(overture, two.base), 0)
    const decisions = await overture.ctx.db.many(sql(`select from decisions where reason = 'contacted_elsewhere'`))
    assert.equal(decisions.length, 1, 'a reason that stays is recorded once')
    await overture.live(2 * DAY, 4 * HOUR)
    assert.equal(await sentCount(overture, two.base), 1)
  })

  it('counts as contacted after the lead was moved or removed', async () => {
    const overture = await startLiving()
    const { client } = overture
    await setForWorkspace(overture, { contactedElsewhereWithinDays: 7 })
    const one = await makeCampaign(overture, { leads: [ann] })
    const two = await makeCampaign(overture, { leads: [person('silent@other.example')] })
    await overture.work.tick()
    await client.operate('POST', `${one.base}/leads/bulk`, { action: 'move', filter: {}, targetCampaignId: two.campaignId })
    await overture.live(2 * DAY, 4 * HOUR)
    assert.equal(await sentCount(overture, two.base), 1)
    assert.ok((await reasonsOf(overture, two.base)).some((each: { reason: string }) => each.reason === 'contacted_elsewhere'))
  })

  it('is reported by validate before the start, and only postponed by the simulation', async () => {
    const overture = await startLiving()
    const { client } = overture
    await makeCampaign(overture, { leads: [ann], steps: ONE_STEP })
    await overture.work.tick()
    await setForWorkspace(overture, { contactedElsewhereWithinDays: 7 })
    const two = await makeCampaign(overture, { leads: [ann, person('silent@other.example')], steps: ONE_STEP, activate: false })
    const { ready, warnings } = (await client.get(`${two.base}/validate`)).body.data
    assert.equal(ready, true)
    const warning = warnings.find((each: { rule: string }) => each.rule === 'contacted_elsewhere')
    assert.deepEqual([warning.count, warning.examples[0].email], [1, ann.email])
    const { days } = (await client.post(`${two.base}/simulate`, {})).body.data
    assert.deepEqual(
      days.map(({ date, total }: { date: string; total: number }) => [date, total]),
      [
        ['2026-03-02', 1],
        ['2026-03-09', 1],
      ],
    )
  })
})

describe('a person in two active campaigns', () => {
  it('is emailed by the campaign that started, and by the other when that one has ended', async () => {
    const overture = await startLiving()
    const one = await makeCampaign(overture, { leads: [ann], activate: false })
    const two = await makeCampaign(overture, { leads: [ann], steps: ONE_STEP })
    await setForWorkspace(overture, { inOtherActiveCampaign: 'hold' })
    await overture.work.tick()
    assert.equal(await sentCount(overture, two.base), 1, 'the other campaign is no active one')
    await overture.client.operate('POST', `${one.base}/activate`)
    await overture.work.tick()
    assert.equal(await sentCount(overture, one.base), 0, 'older, but the other one has written already')
    const current = await currentReason(overture, one.base)
    assert.deepEqual([current.reason, current.detail.campaignId], ['in_other_campaign', two.campaignId])
    assert.match((await overture.client.get(`${one.base}/sending`)).body.data.summary, /1 waiting: another active campaign has priority/)
    await overture.live(3 * DAY, 4 * HOUR)
    assert.equal((await overture.client.get(two.base)).body.data.status, 'completed')
    assert.equal(await sentCount(overture, one.base), 1)
  })

  it('is emailed by the campaign with the older lead when neither has started', async () => {
    const overture = await startLiving()
    const one = await makeCampaign(overture, { leads: [ann], activate: false })
    const two = await makeCampaign(overture, { leads: [ann], activate: false })
    await setForWorkspace(overture, { inOtherActiveCampaign: 'hold' })
    await overture.client.operate('POST', `${two.base}/activate`)
    await overture.client.operate('POST', `${one.base}/activate`)
    await overture.live(4 * DAY, 4 * HOUR)
    assert.deepEqual([await sentCount(overture, one.base), await sentCount(overture, two.base)], [2, 0])
    await overture.client.operate('POST', `${one.base}/pause`)
    await overture.live(2 * HOUR, HOUR)
    assert.equal(await sentCount(overture, two.base), 1, 'a campaign that is paused holds nobody back')
  })

  it('continues at once when the rule is turned off for the campaign or the workspace', async () => {
    const overture = await startLiving()
    await setForWorkspace(overture, { inOtherActiveCampaign: 'hold' })
    await makeCampaign(overture, { leads: [ann] })
    const two = await makeCampaign(overture, { leads: [ann] })
    const three = await makeCampaign(overture, { leads: [ann] })
    await overture.work.tick()
    const [{ fix }] = await reasonsOf(overture, two.base)
    const { updatedAt } = (await overture.client.get(two.base)).body.data
    await overture.client.operate(fix.method, fix.path, fix.body, { 'if-match': updatedAt })
    await overture.work.tick()
    assert.deepEqual([await sentCount(overture, two.base), await sentCount(overture, three.base)], [1, 0])
    await setForWorkspace(overture, {})
    await overture.work.tick()
    assert.equal(await sentCount(overture, three.base), 1)
  })
})

describe('a company from which a person replied', () => {
  const leads = [person('interested@acme.example'), person('silent+1@acme.example'), person('silent+2@acme.example')]

  it('gets no more messages from campaigns that pause, after a reply in any campaign', async () => {
    const overture = await startLiving()
    const one = await makeCampaign(overture, { leads: [leads[0]!] })
    await overture.live(2 * DAY, 4 * HOUR)
    const two = await makeCampaign(overture, { leads: [leads[1]!], campaign: { contactRules: { companyReplied: 'pause' } } })
    const three = await makeCampaign(overture, { leads: [leads[2]!] })
    await overture.live(HOUR, HOUR)
    assert.equal((await overture.client.get(`${one.base}/leads`)).body.data[0].status, 'interested')
    assert.deepEqual([await sentCount(overture, two.base), await sentCount(overture, three.base)], [0, 1])
    const current = await currentReason(overture, two.base)
    assert.equal(current.reason, 'company_replied')
    assert.match(current.text, /someone else at acme\.example replied/)
    await setForCampaign(overture, two.base, { companyReplied: 'ignore' })
    await overture.live(HOUR, HOUR)
    assert.equal(await sentCount(overture, two.base), 1)
  })

  it('is skipped in mid-sequence by campaigns that stop', async () => {
    const overture = await startLiving()
    const { base } = await makeCampaign(overture, { leads, campaign: { contactRules: { companyReplied: 'stop' } } })
    await overture.live(8 * DAY, 4 * HOUR)
    assert.equal(await sentCount(overture, base), 3)
    const skipped = (await overture.client.get(`${base}/leads?status=skipped`)).body.data
    assert.equal(skipped.length, 2)
    const [sum] = await reasonsOf(overture, base)
    assert.deepEqual([sum.reason, sum.count], ['company_replied', 2])
  })

  it('does not include people who only share a personal mailbox provider', async () => {
    const overture = await startLiving()
    const strangers = [person('interested@gmail.com'), person('silent@gmail.com')]
    const contactRules = { companyReplied: 'stop', maxPerCompanyAtOnce: 1 }
    const { base } = await makeCampaign(overture, { leads: strangers, campaign: { contactRules } })
    await overture.live(4 * DAY, 4 * HOUR)
    assert.equal(await sentCount(overture, base), 3)
  })
})

describe('a limit for the people of one company at a time', () => {
  it('starts that many, and the next one when one is finished', async () => {
    const overture = await startLiving()
    const leads = [1, 2, 3].map(n => person(`silent+${n}@acme.example`))
    const other = person('silent@other.example')
    const campaign = { contactRules: { maxPerCompanyAtOnce: 2 } }
    const { base } = await makeCampaign(overture, { leads: [...leads, other], steps: ONE_STEP, campaign })
    await overture.work.tick()
    assert.equal(await sentCount(overture, base), 3)
    const limited = (await reasonsOf(overture, base)).find((each: { reason: string }) => each.reason === 'company_limit')
    assert.equal(limited.text, '1 waiting: limit of 2 people at acme.example reached')
    await overture.live(2 * DAY, 4 * HOUR)
    assert.equal(await sentCount(overture, base), 4)
  })
})

describe('another workspace', () => {
  it('does not count and is not shown: both email the same person and company at the same moment', async () => {
    const overture = await startLiving()
    const made = (await overture.client.post('/v1/workspaces', { name: 'Others' })).body.data
    const others = { ...overture, home: `/v1/workspaces/${made.id}` } as LivingOverture
    const leads = [person('silent@acme.example')]
    const campaign = { contactRules: { contactedElsewhereWithinDays: 7, maxPerCompanyAtOnce: 1 } }
    const ours = await makeCampaign(overture, { leads, campaign })
    const theirs = await makeCampaign(others, { leads, campaign })
    await overture.work.tick()
    assert.deepEqual([await sentCount(overture, ours.base), await sentCount(others, theirs.base)], [1, 1])
  })
})

describe('between claim and intent', () => {
  const crowd = Array.from({ length: 24 }, (_, n) => person(`silent@company${n}.example`))

  it('two campaigns that race for the same people email each of them once, in any order', async () => {
    for (const rules of [{ contactedElsewhereWithinDays: 7 }, { inOtherActiveCampaign: 'hold' }]) {
      const overture = await startLiving()
      await makeCampaign(overture, { leads: crowd })
      await makeCampaign(overture, { leads: crowd })
      const { workerId, prepared } = await claimAll(overture)
      assert.equal(prepared.length, 2 * crowd.length)
      await setForWorkspace(overture, rules)
      const allowed = await Promise.all(prepared.map(send => intendSends(overture.ctx, workerId, [send])))
      const ids = new Set(allowed.flatMap(each => [...each]))
      const written = prepared.flatMap(send => (ids.has(send.id) && send.kind === 'step' ? [send.lead.email] : []))
      assert.deepEqual(written.toSorted(), crowd.map(({ email }) => email).toSorted(), JSON.stringify(rules))
    }
  })

  it('a campaign without rules counts for a campaign with rules', async () => {
    const overture = await startLiving()
    await makeCampaign(overture, { leads: crowd })
    const two = await makeCampaign(overture, { leads: crowd })
    const { workerId, prepared } = await claimAll(overture)
    await setForCampaign(overture, two.base, { contactedElsewhereWithinDays: 7 })
    const [ruled, free] = [true, false].map(isRuled => prepared.filter(send => (send.campaignId === two.campaignId) === isRuled))
    assert.equal((await intendSends(overture.ctx, workerId, free!)).size, crowd.length, 'who has no rules is never held back')
    assert.equal((await intendSends(overture.ctx, workerId, ruled!)).size, 0)
  })

  it('no more people of a company start than the rule allows, however many intend at once', async () => {
    const overture = await startLiving()
    const leads = Array.from({ length: 8 }, (_, n) => person(`silent+${n}@acme.example`))
    const { base } = await makeCampaign(overture, { leads })
    const { workerId, prepared } = await claimAll(overture)
    assert.equal(prepared.length, 8)
    await setForWorkspace(overture, { maxPerCompanyAtOnce: 3 })
    const allowed = await Promise.all(prepared.map(send => intendSends(overture.ctx, workerId, [send])))
    assert.equal(
      allowed.reduce((sum, each) => sum + each.size, 0),
      3,
    )
    const limited = (await reasonsOf(overture, base)).find((each: { reason: string }) => each.reason === 'company_limit')
    assert.equal(limited.count, 5)
  })

  it('a person whose colleague has replied is held, and the claimed message is returned', async () => {
    const overture = await startLiving()
    const { client } = overture
    const campaign = { contactRules: { companyReplied: 'pause' } }
    const { base } = await makeCampaign(overture, {
      leads: [person('silent+1@acme.example'), person('silent+2@acme.example')],
      campaign,
    })
    const { workerId, prepared } = await claimAll(overture)
    const [first, second] = prepared as [PreparedSend, PreparedSend]
    await client.patch(`${base}/leads/${first.leadId}`, { status: 'replied' })
    assert.equal((await intendSends(overture.ctx, workerId, [second])).size, 0)
    const timeline = (await client.get(`${base}/leads/${second.leadId}/timeline`)).body.data
    assert.equal(timeline.at(-1).data.reason, 'company_replied')
    const open = await overture.ctx.db.many(sql(`select from sends where status = 'claimed' and lead_id = $1`), [second.leadId])
    assert.equal(open.length, 0)
  })
})
