import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { VirtualClock } from '../../src/lib/clock.ts'
import type { EventType } from '../../src/modules/events/data-schema.ts'
import { recordEvent } from '../../src/modules/events/events.ts'
import { recomputeMetrics } from '../../src/modules/metrics/tasks.ts'
import { importLeads, makeCampaign, SCHEDULE } from '../factories.ts'
import { overture as run } from '../faults/processes.ts'
import { type Client, type Overture, startOverture, TEST_SECRET } from '../harness.ts'
import { madeUpData } from '../made-up-events.ts'

const ZERO = {
  openCount: 0,
  uniqueOpenCount: 0,
  linkClickCount: 0,
  replyCount: 0,
  uniqueReplyCount: 0,
  bouncedCount: 0,
  unsubscribedCount: 0,
  emailsSentCount: 0,
  newLeadsContactedCount: 0,
  contactedLeadsCount: 0,
  totalOpportunities: 0,
  totalInterested: 0,
  totalMeetingBooked: 0,
  totalMeetingCompleted: 0,
  totalClosed: 0,
  totalOpportunityValue: 0,
  openRate: 0,
  replyRate: 0,
  bounceRate: 0,
  meetingBookingRate: 0,
}

interface Lead {
  id: string
  campaignId: string
}

describe('metrics', () => {
  let overture: Overture
  let client: Client
  let home: string
  const clock = new VirtualClock(new Date('2026-03-10T12:00:00.000Z'))

  before(async () => {
    overture = await startOverture({ clock })
    ;({ client, home } = overture)
  })

  const read = async (id: string) => {
    const { snapshotAt: _snapshotAt, ...metrics } = (await client.get(`${home}/campaigns/${id}/metrics`)).body.data.metrics
    return metrics
  }

  async function makeLeads(name: string, count: number, body: object = {}): Promise<Lead[]> {
    const campaign = await makeCampaign(overture, { name, ...body })
    await importLeads(
      overture,
      campaign.id,
      Array.from({ length: count }, (_, n) => ({ email: `p${n}@${campaign.id}.example` })),
    )
    return (await client.get(`${home}/campaigns/${campaign.id}/leads?limit=100`)).body.data
  }

  /** The events of sending. */
  const record = (lead: Lead, type: EventType, data: Record<string, unknown> = {}, timestamp = clock.now()) =>
    overture.ctx.db.inTransaction(async tx => {
      recordEvent(tx, {
        workspaceId: overture.workspaceId,
        type,
        timestamp,
        campaignId: lead.campaignId,
        leadId: lead.id,
        data: madeUpData(type, { leadId: lead.id, campaignId: lead.campaignId, ...data }),
      })
    })

  const outcome = async (lead: Lead, body: object) => {
    const reply = await client.patch(`${home}/campaigns/${lead.campaignId}/leads/${lead.id}`, body)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
  }

  it('a campaign without activity has every number, and all are 0', async () => {
    const campaign = await makeCampaign(overture, { name: 'Nothing' })
    assert.deepEqual(await read(campaign.id), ZERO)
  })

  it('metrics have campaignId, workspaceId, links to themselves and the campaign, and the time of the snapshot', async () => {
    const { id } = await makeCampaign(overture, { name: 'Shape' })
    const { data } = (await client.get(`${home}/campaigns/${id}/metrics`)).body
    const campaign = `${overture.baseUrl}${home}/campaigns/${id}`
    assert.deepEqual(data, {
      campaignId: id,
      workspaceId: overture.workspaceId,
      metrics: { ...ZERO, snapshotAt: clock.now().toISOString() },
      links: { self: `${campaign}/metrics`, campaign },
    })
    assert.deepEqual((await client.get(`${home}/campaigns/${id}`)).body.data.metrics, data.metrics)
  })

  it('rates are fractions of the leads contacted, with four decimals', async () => {
    const leads = await makeLeads('Rates', 3)
    for (const lead of leads) await record(lead, 'email.sent', { first: true })
    await record(leads[0]!, 'email.opened', { first: true })
    await record(leads[0]!, 'email.opened', { first: false })
    await record(leads[1]!, 'email.opened', { first: true })
    await record(leads[0]!, 'email.replied', { first: true })
    await record(leads[2]!, 'email.bounced', { first: true })
    await outcome(leads[0]!, { status: 'meeting_booked' })
    const metrics = await read(leads[0]!.campaignId)
    assert.deepEqual(
      [metrics.openCount, metrics.uniqueOpenCount, metrics.replyCount, metrics.bouncedCount, metrics.contactedLeadsCount],
      [3, 2, 1, 1, 3],
    )
    assert.deepEqual(
      [metrics.openRate, metrics.replyRate, metrics.bounceRate, metrics.meetingBookingRate],
      [0.6667, 0.3333, 0.3333, 0.3333],
    )
  })

  it('a meeting with a lead that was never emailed is counted, but in no rate, and no rate exceeds 1', async () => {
    const leads = await makeLeads('Met elsewhere', 3)
    await record(leads[0]!, 'email.sent', { first: true })
    for (const lead of leads.slice(1)) await outcome(lead, { status: 'meeting_booked' })
    const before = await read(leads[0]!.campaignId)
    assert.deepEqual([before.totalMeetingBooked, before.contactedLeadsCount, before.meetingBookingRate], [2, 1, 0])
    await outcome(leads[0]!, { status: 'meeting_booked' })
    const metrics = await read(leads[0]!.campaignId)
    assert.deepEqual([metrics.totalMeetingBooked, metrics.meetingBookingRate], [3, 1])
    await recomputeMetrics(overture.ctx.db, leads[0]!.campaignId)
    assert.deepEqual(await read(leads[0]!.campaignId), metrics)
  })

  it('automatic replies and machine opens do not count', async () => {
    const [lead] = (await makeLeads('Machines', 1)) as [Lead]
    await record(lead, 'email.sent', { first: true })
    await record(lead, 'email.opened', { first: true, machine: true })
    await record(lead, 'email.clicked', { first: true, machine: true })
    await record(lead, 'email.auto_replied', { first: true })
    assert.deepEqual(await read(lead.campaignId), { ...ZERO, emailsSentCount: 1, contactedLeadsCount: 1, newLeadsContactedCount: 1 })
  })

  it('the funnel counts each lead once for every stage that it reached', async () => {
    const leads = await makeLeads('Funnel', 4)
    for (const status of ['interested', 'not_interested', 'interested', 'meeting_booked', 'meeting_completed', 'closed', 'interested'])
      await outcome(leads[0]!, { status })
    await outcome(leads[1]!, { status: 'closed' })
    await outcome(leads[2]!, { status: 'replied' })
    await outcome(leads[3]!, { status: 'meeting_booked' })
    const metrics = await read(leads[0]!.campaignId)
    assert.deepEqual(
      [metrics.totalOpportunities, metrics.totalInterested, metrics.totalMeetingBooked, metrics.totalMeetingCompleted, metrics.totalClosed],
      [3, 1, 2, 1, 2],
    )
  })

  it('the value of the campaign is the sum of the values of its leads, to the cent', async () => {
    const leads = await makeLeads('Value', 3)
    for (const [n, value] of [0.1, 0.2, 1e12].entries()) await outcome(leads[n]!, { opportunityValue: value })
    await outcome(leads[0]!, { status: 'closed', opportunityValue: 0.3 })
    assert.equal((await read(leads[0]!.campaignId)).totalOpportunityValue, 1e12 + 0.5)
    await outcome(leads[2]!, { opportunityValue: null })
    assert.equal((await read(leads[0]!.campaignId)).totalOpportunityValue, 0.5)
  })

  it('newly contacted leads are those since midnight in the time zone of the campaign', async () => {
    const leads = await makeLeads('Today', 4, { schedule: { ...SCHEDULE, timezone: 'Asia/Tokyo' } })
    clock.set(new Date('2026-03-10T14:59:59.999Z'))
    const first = { first: true }
    await record(leads[0]!, 'email.sent', first, new Date('2026-03-09T14:59:59.999Z'))
    await record(leads[1]!, 'email.sent', first, new Date('2026-03-09T15:00:00.000Z'))
    await record(leads[2]!, 'email.sent', first)
    await record(leads[2]!, 'email.sent', { first: false })
    assert.equal((await read(leads[0]!.campaignId)).newLeadsContactedCount, 2)
    clock.advance(1)
    assert.equal((await read(leads[0]!.campaignId)).newLeadsContactedCount, 0)
    await record(leads[3]!, 'email.sent', first)
    const metrics = await read(leads[0]!.campaignId)
    assert.deepEqual([metrics.newLeadsContactedCount, metrics.contactedLeadsCount, metrics.emailsSentCount], [1, 4, 5])
  })

  it('each campaign counts from midnight in its own zone, whichever is read first or together with others', async () => {
    clock.set(new Date('2026-03-20T06:00:00.000Z'))
    const zones = { 'Asia/Tokyo': 1, UTC: 0, 'America/Los_Angeles': 1, 'Europe/Berlin': 0 }
    const campaigns: [id: string, count: number][] = []
    for (const [timezone, count] of Object.entries(zones)) {
      const leads = await makeLeads(timezone, 1, { schedule: { ...SCHEDULE, timezone } })
      // In Tokyo today has begun at 15:00 UTC, in Los Angeles yesterday lasts until 07:00.
      await record(leads[0]!, 'email.sent', { first: true }, new Date('2026-03-19T15:00:00.000Z'))
      campaigns.push([leads[0]!.campaignId, count])
    }
    const asked = [...campaigns, ...campaigns.toReversed()]
    for (const [id, count] of asked) assert.equal((await read(id)).newLeadsContactedCount, count)
    const together = await Promise.all(asked.map(([id]) => read(id)))
    assert.deepEqual(
      together.map(metrics => metrics.newLeadsContactedCount),
      asked.map(([, count]) => count),
    )
  })

  it('metrics do not change updatedAt', async () => {
    const [lead] = (await makeLeads('Unmoved', 1)) as [Lead]
    const before = (await client.get(`${home}/campaigns/${lead.campaignId}`)).body.data.updatedAt
    await record(lead, 'email.sent', { first: true })
    await outcome(lead, { status: 'interested' })
    assert.equal((await client.get(`${home}/campaigns/${lead.campaignId}`)).body.data.updatedAt, before)
  })

  describe('recomputed', () => {
    const LEADS = 4
    const stages = [
      'replied',
      'interested',
      'not_interested',
      'meeting_booked',
      'meeting_completed',
      'closed',
      'unsubscribed',
      'skipped',
    ] as const
    const lead = fc.nat(LEADS - 1)
    const step = fc.oneof(
      fc.record({
        kind: fc.constantFrom('email.sent', 'email.opened', 'email.clicked', 'email.replied', 'email.bounced', 'email.auto_replied'),
        lead,
        machine: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant('outcome'),
        lead,
        status: fc.option(fc.constantFrom(...stages), { nil: undefined }),
        cents: fc.option(fc.option(fc.nat(10_000_000), { nil: null }), { nil: undefined }),
      }),
      fc.record({ kind: fc.constant('recompute'), lead }),
    )
    type Step = { kind: string; lead: number; machine?: boolean; status?: (typeof stages)[number]; cents?: number | null }

    /** The numbers by plain counting, with no database. */
    function expected(steps: Step[]) {
      const seen = { sent: new Set(), opened: new Set(), replied: new Set(), bounced: new Set(), prospect: new Set() } as Record<
        string,
        Set<number>
      >
      const reached = new Map<string, Set<number>>(stages.map(stage => [stage, new Set()]))
      const cents: number[] = new Array(LEADS).fill(0)
      const metrics = { ...ZERO }
      for (const { kind, lead: n, machine = false, status, cents: value } of steps) {
        if (kind === 'email.sent') {
          metrics.emailsSentCount++
          seen.sent!.add(n)
        }
        if (kind === 'email.opened' && !machine) {
          metrics.openCount++
          seen.opened!.add(n)
        }
        if (kind === 'email.clicked' && !machine) metrics.linkClickCount++
        if (kind === 'email.replied') {
          metrics.replyCount++
          seen.replied!.add(n)
        }
        if (kind === 'email.bounced') seen.bounced!.add(n)
        if (status) reached.get(status)!.add(n)
        if (status && ['interested', 'meeting_booked', 'meeting_completed', 'closed'].includes(status)) seen.prospect!.add(n)
        if (value !== undefined) cents[n] = value ?? 0
      }
      const size = (stage: string) => reached.get(stage)!.size
      Object.assign(metrics, {
        uniqueOpenCount: seen.opened!.size,
        uniqueReplyCount: seen.replied!.size,
        bouncedCount: seen.bounced!.size,
        unsubscribedCount: size('unsubscribed'),
        contactedLeadsCount: seen.sent!.size,
        newLeadsContactedCount: seen.sent!.size,
        totalOpportunities: seen.prospect!.size,
        totalInterested: size('interested'),
        totalMeetingBooked: size('meeting_booked'),
        totalMeetingCompleted: size('meeting_completed'),
        totalClosed: size('closed'),
        totalOpportunityValue: cents.reduce((sum, each) => sum + each, 0) / 100,
      })
      const rate = (part: number) =>
        seen.sent!.size === 0 ? 0 : Math.round((Math.min(part, seen.sent!.size) / seen.sent!.size) * 10_000) / 10_000
      metrics.openRate = rate(metrics.uniqueOpenCount)
      metrics.replyRate = rate(metrics.uniqueReplyCount)
      metrics.bounceRate = rate(metrics.bouncedCount)
      metrics.meetingBookingRate = rate([...reached.get('meeting_booked')!].filter(n => seen.sent!.has(n)).length)
      return metrics
    }

    it('from the event log give the same numbers, after any history', async () => {
      clock.set(new Date('2026-03-12T09:00:00.000Z'))
      let campaigns = 0
      const property = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async history => {
        const leads = await makeLeads(`History ${campaigns++}`, LEADS)
        const campaignId = leads[0]!.campaignId
        const first = new Set<string>()
        for (const { kind, lead: n, machine, status, cents } of history as Step[]) {
          const target = leads[n]!
          if (kind === 'recompute') {
            const before = await read(campaignId)
            assert.equal(await recomputeMetrics(overture.ctx.db, campaignId), 1)
            assert.deepEqual(await read(campaignId), before)
          } else if (kind === 'outcome') {
            await outcome(target, {
              ...(status ? { status } : {}),
              ...(cents === undefined ? {} : { opportunityValue: cents === null ? null : cents / 100 }),
            })
          } else {
            // "First" is what the sender knows: of a lead's opens, the first that a person made.
            const mark = `${kind} ${n} ${machine && kind === 'email.opened' ? 'machine' : ''}`
            await record(target, kind as EventType, {
              first: !first.has(mark),
              ...(['email.opened', 'email.clicked'].includes(kind) ? { machine } : {}),
            })
            first.add(mark)
          }
        }
        const live = await read(campaignId)
        assert.deepEqual(live, expected(history as Step[]))
        await recomputeMetrics(overture.ctx.db, campaignId)
        assert.deepEqual(await read(campaignId), live)
      })
      await fc.assert(property, { numRuns: 15 })
    })

    it('during new events lose and repeat none', async () => {
      const leads = await makeLeads('Busy', 20)
      const campaignId = leads[0]!.campaignId
      // Fewer at a time than the pool has connections: more would wait for one, and give up after two seconds on a busy machine.
      const inLanes = (lanes: number, times: number, work: (n: number) => Promise<unknown>) =>
        Array.from({ length: lanes }, async (_, lane) => {
          for (let n = lane; n < times; n += lanes) await work(n)
        })
      await Promise.all([
        ...inLanes(4, 100, n => record(leads[n % 20]!, 'email.sent', { first: n < 20 })),
        ...inLanes(2, 10, () => recomputeMetrics(overture.ctx.db, campaignId)),
      ])
      const metrics = await read(campaignId)
      assert.deepEqual([metrics.emailsSentCount, metrics.contactedLeadsCount], [100, 20])
    })

    it('by `overture metrics recompute` replace whatever is in the table', async () => {
      const [one, two] = [await makeLeads('Command one', 2), await makeLeads('Command two', 1)]
      for (const each of [...one, ...two]) await record(each, 'email.sent', { first: true })
      const before = [await read(one[0]!.campaignId), await read(two[0]!.campaignId)]
      await overture.ctx.db.pool.query('update campaign_metrics set emails_sent_count = 999, total_opportunity_value = 5')
      const env = { DATABASE_URL: overture.databaseUrl, OVERTURE_SECRET_KEY: TEST_SECRET.toString('base64') }
      const single = run(['metrics', 'recompute', '--campaign', one[0]!.campaignId], env)
      await single.says(/Recomputed the metrics of 1 campaign\./)
      assert.equal(await single.exited, 0)
      assert.deepEqual(await read(one[0]!.campaignId), before[0])
      assert.equal((await read(two[0]!.campaignId)).emailsSentCount, 999)
      const all = run(['metrics', 'recompute'], env)
      assert.equal(await all.exited, 0, all.output)
      assert.deepEqual([await read(one[0]!.campaignId), await read(two[0]!.campaignId)], before)
    })
  })
})
