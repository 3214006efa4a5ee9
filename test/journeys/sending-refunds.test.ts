import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { startMailServers, startOnServers } from '../correspondence.ts'
import { eventually } from '../faults/eventually.ts'
import { addPeople, staffOf } from '../people.ts'
import { DAY, deliveryReport, HOUR, type LivingOverture, makeCampaign, startLiving } from '../sending.ts'

const STEPS = [{ delayDays: 0, variants: [{ subject: 'Hi {{ firstName }}', body: 'Hello' }] }]

describe('an address that was sold as verified and bounces', () => {
  it('is refunded once within 30 days, whether the server refuses it or reports it later, and not after that', async () => {
    const servers = await startMailServers((point, line) =>
      point === 'RCPT' && line.includes('p1@') ? '550 5.1.1 No such user' : undefined,
    )
    const { imap } = servers
    const overture = await startLiving()
    const { client, home, workspaceId, clock } = overture
    await addPeople(overture, [...staffOf('Lumen', 3), ...staffOf('Kranich', 2)])
    await overture.ctx.db.inTransaction(tx => grantCredits(tx, workspaceId, 10, clock.now()))

    const { base } = await startOnServers(overture, servers, { leads: [{ email: 'own@lead.example', firstName: 'Own' }], steps: STEPS })
    await client.operate('POST', `${base}/pause`)
    const done = async (path: string, body: object) => {
      const operation = await client.operate('POST', path, body)
      assert.equal(operation.status, 'succeeded', JSON.stringify(operation.error))
      return operation
    }
    // Some are bought straight into the campaign, others by way of an export.
    const attached = await done(`${base}/leads/search`, { filters: { companies: { include: ['Lumen'] } }, leadCount: 3 })
    const exported = await done(`${home}/leads/search`, { filters: { companies: { include: ['Kranich'] } }, leadCount: 2 })
    await done(`${base}/leads/import`, { exportId: exported.result.exportId })
    const available = async () => (await client.get(`${home}/credits`)).body.data.available
    const refunds = async () => {
      const entries = (await client.get(`${home}/credits/ledger`)).body.data as { kind: string; amount: number; operationId: string }[]
      const sum = (id: string) =>
        entries.filter(entry => entry.kind === 'refund' && entry.operationId === id).reduce((total, entry) => total + entry.amount, 0)
      return { attached: sum(attached.id), exported: sum(exported.id) }
    }
    assert.equal(await available(), 5)

    await done(`${base}/resume`, {})
    await overture.work.tick()
    assert.deepEqual(await refunds(), { attached: 1, exported: 1 })
    assert.equal(await available(), 7)

    const sends = await overture.ctx.db.many<{ email: string; messageId: string }>(
      sql('select l.email, s.message_id as "messageId" from sends s join leads l on l.id = s.lead_id'),
    )
    const bounced = async () => (await client.get(`${home}/events?type=email.bounced&limit=100`)).body.data.length
    let expected = await bounced()
    assert.equal(expected, 2)
    const comesBack = async (email: string, status: string) => {
      const { messageId } = sends.find(send => send.email === email)!
      imap.append('INBOX', deliveryReport(email, messageId, status))
      expected++
      await eventually(`the report about ${email} has been taken in`, async () => (await bounced()) === expected)
    }
    await overture.work.inboxes.look()
    await imap.idling()

    // Reported after it was accepted; and reported again, as servers do that keep trying.
    await comesBack('p2@lumen.example', '5.1.1')
    assert.deepEqual(await refunds(), { attached: 2, exported: 1 })
    assert.equal(await available(), 8)
    await comesBack('p2@lumen.example', '5.1.1')
    await comesBack('p1@kranich.example', '5.1.1')
    assert.equal(await available(), 8)
    // A full mailbox is not a dead one, and an address of one's own was never paid for.
    await comesBack('p2@kranich.example', '5.2.2')
    await comesBack('own@lead.example', '5.1.1')
    assert.equal(await available(), 8)
    // Too late.
    clock.advance(31 * DAY)
    await comesBack('p3@lumen.example', '5.1.1')
    await comesBack('p2@kranich.example', '5.1.1')
    assert.equal(await available(), 8)
    assert.deepEqual(await refunds(), { attached: 2, exported: 1 })
  })
})

describe('a bounce that only the workspace reports', () => {
  const buy = async (overture: LivingOverture, base: string, leadCount: number) => {
    await overture.ctx.db.inTransaction(tx => grantCredits(tx, overture.workspaceId, leadCount, overture.clock.now()))
    const operation = await overture.client.operate('POST', `${base}/leads/search`, { filters: { companies: ['Lumen'] }, leadCount })
    assert.equal(operation.result.creditsCharged, leadCount)
  }
  const available = async ({ client, home }: LivingOverture) => (await client.get(`${home}/credits`)).body.data.available
  const bounced = async ({ client, home }: LivingOverture) =>
    (await client.get(`${home}/events?type=email.bounced&limit=100`)).body.data.length

  it('is not refunded: in a sandbox mailbox, or as a manually set status', async () => {
    const overture = await startLiving()
    await addPeople(overture, [...staffOf('Lumen', 2).map((row, index) => ({ ...row, email: `bounce+${index}@lumen.example` }))])
    const { base } = await makeCampaign(overture, { leads: [], steps: STEPS, activate: false })
    await buy(overture, base, 2)
    const [lead] = (await overture.client.get(`${base}/leads`)).body.data
    assert.equal((await overture.client.patch(`${base}/leads/${lead.id}`, { status: 'bounced' })).status, 422)
    assert.equal((await overture.client.operate('POST', `${base}/activate`, {})).status, 'succeeded')
    await overture.live(DAY)
    assert.equal(await bounced(overture), 2)
    assert.equal(await available(overture), 0)
  })

  it('is refunded up to three in ten credits when a mailbox bounces everyone', async () => {
    const servers = await startMailServers((point, line) =>
      point === 'RCPT' && line.includes('@lumen.example') ? '550 5.1.1 No such user' : undefined,
    )
    const overture = await startLiving()
    await addPeople(overture, staffOf('Lumen', 40))
    const leads = [{ email: 'own@lead.example', firstName: 'Own' }]
    const { base } = await startOnServers(overture, servers, { leads, steps: STEPS })
    await buy(overture, base, 20)
    await overture.live(2 * HOUR)
    assert.equal(await bounced(overture), 20)
    assert.equal(await available(overture), 6)
    // Many small orders are no way around it.
    for (let order = 0; order < 5; order++) {
      await buy(overture, base, 2)
      await overture.live(HOUR)
    }
    assert.equal(await bounced(overture), 30)
    assert.equal(await available(overture), 9)
  })
})
