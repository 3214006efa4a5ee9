import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { overHttp } from '../agents.ts'
import { makeCampaign, makeReadyCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { Client, type Reply, startOverture } from '../harness.ts'

const SCOPES = ['campaigns:read', 'campaigns:write', 'leads:write', 'leads:export', 'providers:write', 'operations:read']
const LATER = { startDate: new Date(Date.now() + 30 * 86_400_000).toISOString() }

const overture = await startOverture()
const { client, home } = overture
await client.post(`${home}/credits/grants`, { amount: 1000 })

describe('a token with limits that sends twenty concurrent writes', () => {
  const make = async (limits: object) => {
    const { token, id } = (await client.post(`${home}/api-keys`, { name: 'agent', scopes: SCOPES, limits })).body.data
    const spent = async () => (await client.get(`${home}/api-keys/${id}`)).body.data.spentToday
    return { key: new Client(overture.baseUrl, token), spent }
  }
  let made = 0
  const people = (count: number) => Array.from({ length: count }, () => ({ email: `p${++made}@people.example`, firstName: 'Ann' }))

  /** The numbers of the writes that were accepted. All others were beyond the limit. */
  async function twenty(by: Client, path: string, bodyOf: (n: number) => unknown): Promise<number[]> {
    const write = async (body: unknown): Promise<Reply> => {
      const headers = { 'idempotency-key': randomUUID() }
      // A busy database refuses what would wait for too long: it is sent again, as the SDK does it.
      for (;;) {
        const reply = await by.post(`${home}${path}`, body, { headers })
        if (reply.status !== 503) return reply
        await delay(Number(reply.headers['retry-after']) * 1000)
      }
    }
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => write(bodyOf(n))))
    const isBeyond = ({ status, body }: Reply) => status === 403 && body.error.code === 'token_budget_exceeded'
    const others = replies.filter(reply => reply.status >= 300 && !isBeyond(reply))
    assert.deepEqual(
      others.map(({ body }) => body),
      [],
    )
    return replies.flatMap(({ status }, n) => (status < 300 ? [n] : []))
  }
  const sizes = (accepted: number[]) => accepted.reduce((sum, n) => sum + n + 1, 0)

  it('adds the leads that fit, and counts no others', async () => {
    const { key, spent } = await make({ leadsPerDay: 70 })
    const { id } = await makeCampaign(overture, { name: 'Leads' })
    const leads = sizes(await twenty(key, `/campaigns/${id}/leads/import`, n => ({ leads: people(n + 1) })))
    assert.ok(leads <= 70 && leads > 50, String(leads))
    assert.equal((await spent()).leads, leads)
    await client.operate('POST', `${home}/campaigns/${id}/leads/import`, { leads: people(1) })
    assert.equal((await client.get(`${home}/campaigns/${id}`)).body.data.totalLeads, leads + 1)
  })

  it('buys within its credits', async () => {
    const { key, spent } = await make({ creditsPerDay: 30 })
    const ordered = await twenty(key, '/leads/search', n => ({ filters: { jobTitles: ['CTO'] }, leadCount: n + 1 }))
    const { credits } = await spent()
    assert.equal(credits, sizes(ordered))
    assert.ok(credits <= 30 && credits > 10, String(credits))
  })

  it('causes at most its number of emails, touches no real mailbox, and the rest waits as a plan', async () => {
    const { key, spent } = await make({ leadsPerDay: 5, mailsPerDay: 9, sandboxOnly: true })
    const { id: campaignId } = await makeReadyCampaign(overture, 'Mails', LATER)
    const to = 'me@overture.example'
    assert.equal((await twenty(key, `/campaigns/${campaignId}/sequence/test`, () => ({ to }))).length, 9)
    assert.equal((await spent()).mails, 9)
    const real = { kind: 'smtp', name: 'Real', fromEmail: to, settings: { smtp: { host: '127.0.0.1', port: 9, secure: false } } }
    const credentials = { username: 'a', password: 'b' }
    assert.deepEqual(await twenty(key, '/providers', () => ({ ...real, credentials })), [])

    const agent = await overHttp(overture.baseUrl, key.token)
    const proposals = [
      { change: 'send_test', campaignId, body: { to } },
      { change: 'import_leads', campaignId, body: { leads: people(6) } },
      { change: 'activate_campaign', campaignId },
    ]
    for (const proposal of proposals) {
      const { data, text } = await agent.call('plan_change', proposal)
      assert.equal(data.plan?.status, 'pending', text)
      const { planToken } = data
      assert.equal((await agent.call('apply_plan', { planToken })).isError, true, 'nobody has approved it')
      assert.equal((await client.post(`${home}/plans/${data.plan.id}/approve`, {})).status, 200)
      const applied = await Promise.all([1, 2, 3].map(() => agent.call('apply_plan', { planToken })))
      const done = applied.find(each => each.data?.plan?.status === 'applied')
      assert.ok(done, applied.map(each => each.text).join('\n'))
      // The next plan is based on what this one changes.
      await eventually('the operation of the plan ends', async () => {
        const { operationId } = (await client.get(`${home}/plans/${data.plan.id}`)).body.data
        return operationId === null || (await client.get(`/v1/operations/${operationId}`)).body.completedAt !== null
      })
    }
    await client.operate('POST', `${home}/campaigns/${campaignId}/pause`)
    const { totalLeads } = (await client.get(`${home}/campaigns/${campaignId}`)).body.data
    assert.equal(totalLeads, 2 + 6, 'a plan is carried out once')
  })
})
