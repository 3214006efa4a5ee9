import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { EventType } from '../../src/modules/events/data-schema.ts'
import { recordEvent } from '../../src/modules/events/events.ts'
import { COUNTS } from '../../src/modules/metrics/schema.ts'
import { mergeOldRollups, recomputeMetrics } from '../../src/modules/metrics/tasks.ts'
import { madeUpData } from '../made-up-events.ts'
import { DAY, HOUR, MINUTE, makeCampaign, startLiving, TWO_STEPS } from '../sending.ts'

const ZERO = { sent: 0, assumed: 0, opened: 0, clicked: 0, replied: 0, positive: 0, bounced: 0, unsubscribed: 0 }

interface Series {
  key: string | null
  totals: typeof ZERO
  points: (typeof ZERO & { at: string })[]
}

// Not in a hook, because a hook's cleanups run when the hook ends.
const overture = await startLiving()

describe('results over time', () => {
  const newCampaign = async () => {
    const { body } = await overture.client.post(`${overture.home}/campaigns`, { name: randomUUID() })
    return { id: body.data.id as string, base: `${overture.home}/campaigns/${body.data.id}` }
  }
  const read = async (base: string, query: string): Promise<Series[]> => {
    const { status, body } = await overture.client.get(`${base}/metrics/series?${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.series
  }
  const record = (campaignId: string, events: { type: EventType; at: Date; data?: object }[]) =>
    overture.ctx.db.inTransaction(async tx => {
      for (const { type, at, data } of events)
        recordEvent(tx, { workspaceId: overture.workspaceId, type, timestamp: at, campaignId, data: madeUpData(type, data) })
    })
  const query = async (text: string, values: unknown[] = []) => (await overture.ctx.db.pool.query(text, values)).rows
  /** The rollups of a campaign or a workspace, as one line each. */
  const rollupsOf = async (table: string, owner: string, id: string): Promise<string[]> => {
    const rows = await query(`select *, extract(epoch from at)::int / 900 as quarter from ${table} where ${owner} = $1`, [id])
    const lines = rows.map(row => `${row.dimension} ${row.key} ${row.quarter}: ${COUNTS.map(name => row[name])}`)
    return lines.filter(line => !/: [0,]+$/.test(line)).sort()
  }
  const allRows = (campaignId: string) => rollupsOf('campaign_rollups', 'campaign_id', campaignId)
  const workspaceRows = () => rollupsOf('workspace_rollups', 'workspace_id', overture.workspaceId)
  /** As if all rollups were older than sixty days, also those of the next weeks. */
  const mergeAll = () => mergeOldRollups(overture.ctx.db, new Date(overture.clock.now().getTime() + 200 * DAY))

  it('are all zero in a campaign without activity', async () => {
    const { base } = await newCampaign()
    assert.deepEqual(await read(base, ''), [{ key: null, totals: ZERO, points: [] }])
    assert.deepEqual(await read(base, 'groupBy=step'), [])
  })

  it('are counted by the days and weeks of a time zone, even with a half-hour offset', async () => {
    const { id, base } = await newCampaign()
    const at = (text: string) => ({ type: 'email.sent' as const, at: new Date(text) })
    // Midnight in Kolkata is half past six in the evening in London; on 29 March clocks go forward in Berlin.
    await record(id, [at('2026-02-20T18:29:00Z'), at('2026-02-20T18:31:00Z'), at('2026-02-21T18:29:59Z')])
    const days = async (query: string) => (await read(base, query))[0]!.points.map(point => [point.at, point.sent])
    assert.deepEqual(await days('timezone=Asia/Kolkata&from=2026-02-01T00:00:00Z'), [
      ['2026-02-19T18:30:00.000Z', 1],
      ['2026-02-20T18:30:00.000Z', 2],
    ])
    assert.deepEqual(await days('from=2026-02-01T00:00:00Z'), [
      ['2026-02-20T00:00:00.000Z', 2],
      ['2026-02-21T00:00:00.000Z', 1],
    ])
    assert.deepEqual(await days('interval=week&from=2026-02-01T00:00:00Z'), [['2026-02-16T00:00:00.000Z', 3]])
    assert.deepEqual(await days('interval=hour&from=2026-02-20T00:00:00Z&to=2026-02-21T00:00:00Z'), [['2026-02-20T18:00:00.000Z', 2]])
    await record(id, [at('2026-03-28T22:59:00Z'), at('2026-03-28T23:01:00Z'), at('2026-03-29T21:59:00Z'), at('2026-03-29T22:01:00Z')])
    assert.deepEqual(await days('timezone=Europe/Berlin&from=2026-03-20T00:00:00Z&to=2026-04-02T00:00:00Z'), [
      ['2026-03-27T23:00:00.000Z', 1],
      ['2026-03-28T23:00:00.000Z', 2],
      ['2026-03-29T22:00:00.000Z', 1],
    ])
    // The hour that happens twice is two hours. Weeks begin on Monday, also where that is Sunday in London.
    await record(id, [at('2026-10-25T00:30:00Z'), at('2026-10-25T01:30:00Z')])
    assert.deepEqual(await days('interval=hour&timezone=Europe/Berlin&from=2026-10-25T00:00:00Z&to=2026-10-25T04:00:00Z'), [
      ['2026-10-25T00:00:00.000Z', 1],
      ['2026-10-25T01:00:00.000Z', 1],
    ])
    assert.deepEqual(await days('interval=week&timezone=Asia/Kolkata&from=2026-10-20T00:00:00Z&to=2026-10-30T00:00:00Z'), [
      ['2026-10-18T18:30:00.000Z', 2],
    ])
    // A name that the service knows and PostgreSQL does not: their lists of time zones are never the same.
    assert.deepEqual(await days('timezone=US/Pacific-New&from=2026-10-20T00:00:00Z&to=2026-10-30T00:00:00Z'), [
      ['2026-10-24T07:00:00.000Z', 2],
    ])
  })

  it('add up to the metrics, after any history, even when recomputed', async () => {
    const types = ['email.sent', 'email.opened', 'email.clicked', 'email.replied', 'email.bounced', 'lead.unsubscribed'] as const
    const event = fc.record({
      type: fc.constantFrom(...types, 'reply.updated' as const),
      kind: fc.constantFrom('positive', 'negative'),
      /** The earlier reply that a correction is about; null: an automatic reply, which is not counted. */
      corrects: fc.option(fc.nat()),
      minutes: fc.nat(3 * 24 * 60),
      step: fc.nat(2),
      variantId: fc.constantFrom(randomUUID(), randomUUID()),
      first: fc.boolean(),
      machine: fc.boolean(),
      // Whether hours are merged next: what is recorded for one of them later is late.
      merges: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 40 }), async events => {
        const { id, base } = await newCampaign()
        const start = overture.clock.now().getTime() - 4 * DAY
        const replies: { at: Date; kind: string; step: number; variantId: string }[] = []
        const history = events.flatMap<{ type: EventType; at: Date; data: object }>(
          ({ type, minutes, merges: _, kind, corrects, ...said }) => {
            const at = new Date(start + minutes * MINUTE)
            if (type === 'email.replied') replies.push({ at, kind, step: said.step, variantId: said.variantId })
            if (type !== 'reply.updated') return [{ type, at, data: type === 'email.bounced' ? said : { ...said, kind } }]
            if (corrects === null) return [{ type, at, data: { ...said, kind, previousKind: 'auto_reply', repliedAt: at.toISOString() } }]
            const reply = replies[corrects % replies.length]
            if (!reply) return []
            // A correction counts when the reply was recorded.
            const { at: repliedAt, kind: previousKind, step, variantId } = reply
            reply.kind = kind
            return [{ type, at, data: { ...said, kind, previousKind, step, variantId, repliedAt: repliedAt.toISOString() } }]
          },
        )
        for (let n = 0; n < history.length; n += 7) {
          await record(id, history.slice(n, n + 7))
          if (events[n]!.merges) await mergeAll()
        }
        const [all] = await read(base, 'interval=hour')
        const { metrics } = (await overture.client.get(`${base}/metrics`)).body.data
        const long = `from=${new Date(start - DAY).toISOString()}`
        const [whole] = await read(base, `interval=hour&${long}`)
        assert.deepEqual(
          [whole!.totals.sent, whole!.totals.opened, whole!.totals.clicked, whole!.totals.replied],
          [metrics.emailsSentCount, metrics.openCount, metrics.linkClickCount, metrics.replyCount],
        )
        assert.deepEqual([whole!.totals.bounced, whole!.totals.unsubscribed], [metrics.bouncedCount, metrics.unsubscribedCount])
        assert.equal(whole!.totals.positive, replies.filter(({ kind }) => kind === 'positive').length)
        assert.ok(all!.totals.sent <= whole!.totals.sent)
        for (const groupBy of ['step', 'variant', 'mailbox', 'campaign']) {
          const groups = await read(base, `groupBy=${groupBy}&${long}`)
          for (const name of Object.keys(ZERO) as (keyof typeof ZERO)[])
            assert.equal(
              groups.reduce((sum, group) => sum + group.totals[name], 0),
              whole!.totals[name],
            )
        }
        // The workspace has the sums of its campaigns, in each way to group them.
        const ofWorkspace = await read(overture.home, `interval=hour&${long}`)
        const byCampaign = await read(overture.home, `interval=hour&groupBy=campaign&${long}`)
        assert.equal(
          ofWorkspace[0]!.totals.sent,
          byCampaign.reduce((sum, group) => sum + group.totals.sent, 0),
        )
        await mergeAll()
        const rows = [await allRows(id), await workspaceRows()]
        await overture.ctx.db.pool.query('update campaign_rollups set sent = sent + 5 where campaign_id = $1', [id])
        await overture.ctx.db.pool.query('update workspace_rollups set sent = sent + 7')
        await recomputeMetrics(overture.ctx.db, id)
        assert.deepEqual(await read(base, `interval=hour&${long}`), [whole])
        await mergeAll()
        assert.deepEqual([await allRows(id), await workspaceRows()], rows)
        assert.deepEqual(await read(base, `interval=hour&${long}`), [whole])
      }),
      { numRuns: 10 },
    )
  })

  it('are the same by hour, day and week and in each group after old quarters are merged into hours', async () => {
    const { id, base } = await newCampaign()
    const from = new Date('2026-03-01T00:00:00Z').getTime()
    const [variantId, providerId] = [randomUUID(), randomUUID()]
    const events = Array.from({ length: 400 }, (_, n) => ({
      type: n % 3 ? ('email.sent' as const) : ('email.opened' as const),
      at: new Date(from + ((n * 7919) % (45 * 24 * 60)) * MINUTE),
      data: { step: n % 3, ...(n % 2 ? { variantId, providerId } : {}) },
    }))
    await record(id, events)
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York']
    const questions = zones.flatMap(timezone =>
      ['hour', 'day', 'week'].flatMap(interval =>
        [null, 'step', 'variant', 'mailbox', 'campaign'].map(
          groupBy =>
            `timezone=${timezone}&interval=${interval}&from=2026-03-07T10:00:00Z&to=2026-04-06T05:00:00Z${groupBy ? `&groupBy=${groupBy}` : ''}`,
        ),
      ),
    )
    const ask = async () => {
      const answers: unknown[] = [(await overture.client.get(`${base}/variants`)).body]
      for (const each of questions) answers.push(await read(base, each))
      for (const each of questions.slice(0, 15)) answers.push(await read(overture.home, each))
      return answers
    }
    const before = await ask()
    await mergeOldRollups(overture.ctx.db, new Date(from + 80 * DAY))
    const quartersLeft = async (): Promise<number[]> => {
      const left = await query(
        `select count(*) filter (where at < $2)::int as old, count(*) filter (where at >= $2)::int as recent
         from campaign_rollups where campaign_id = $1 and extract(minute from at) <> 0`,
        [id, new Date(from + 20 * DAY)],
      )
      return [left[0]!.old, left[0]!.recent]
    }
    const [old, recent] = await quartersLeft()
    assert.ok(old === 0 && recent! > 10, 'only quarters older than sixty days are merged')
    assert.deepEqual(await ask(), before)
    await mergeOldRollups(overture.ctx.db, new Date(from + 120 * DAY))
    assert.deepEqual(await quartersLeft(), [0, 0])
    assert.deepEqual(await ask(), before)
  })

  it('lose and repeat nothing when events arrive during merging and recounting', async () => {
    const { id, base } = await newCampaign()
    const at = new Date(overture.clock.now().getTime() - 9 * DAY)
    await Promise.all([
      ...Array.from({ length: 3 }, async () => {
        for (let n = 0; n < 10; n++) await record(id, [{ type: 'email.sent', at, data: { step: n % 2 } }])
      }),
      ...Array.from({ length: 2 }, async () => {
        for (let n = 0; n < 4; n++) await mergeAll()
      }),
      recomputeMetrics(overture.ctx.db, id),
    ])
    assert.equal((await read(base, ''))[0]!.totals.sent, 30)
    await mergeAll()
    const rows = [await allRows(id), await workspaceRows()]
    await recomputeMetrics(overture.ctx.db, null)
    await mergeAll()
    assert.deepEqual([await allRows(id), await workspaceRows()], rows)
  })

  it('show the campaigns that have sent most, and all others as one group, so that neither work nor response grows with their number', async () => {
    const at = new Date('2025-06-02T10:00:00Z')
    const campaigns: Awaited<ReturnType<typeof newCampaign>>[] = []
    for (let n = 0; n < 125; n += 5) campaigns.push(...(await Promise.all(Array.from({ length: 5 }, newCampaign))))
    for (const [n, { id }] of campaigns.entries()) {
      const variantId = randomUUID()
      await record(
        id,
        Array.from({ length: n === 77 ? 3 : 1 }, () => ({ type: 'email.sent' as const, at, data: { variantId } })),
      )
    }
    const period = 'from=2025-06-01T00:00:00Z&to=2025-06-30T00:00:00Z'
    for (const groupBy of ['campaign', 'variant']) {
      const groups = await read(overture.home, `${period}&groupBy=${groupBy}`)
      const sent = groups.map(({ totals }) => totals.sent)
      assert.deepEqual([groups.length, groups.at(-1)!.key, sent.at(-1), Math.max(...sent.slice(0, -1))], [101, null, 25, 3], groupBy)
      assert.equal(
        sent.reduce((sum, count) => sum + count),
        (await read(overture.home, period))[0]!.totals.sent,
      )
    }
    const hours = await read(overture.home, 'interval=hour&groupBy=campaign&from=2025-05-31T00:00:00Z&to=2025-06-30T00:00:00Z')
    assert.ok(hours.length < 30, `${hours.length} groups of ${30 * 24} hours`)
  })

  it('are grouped by step, variant and mailbox, including replies, and the workspace has those of all campaigns', async () => {
    const leads = ['interested', 'not-interested', 'silent', 'silent'].map((name, n) => ({
      email: `${name}+${n}@people.example`,
      firstName: name,
    }))
    const one = await makeCampaign(overture, { leads, steps: TWO_STEPS })
    const two = await makeCampaign(overture, {
      leads: leads.map(lead => ({ ...lead, email: `b${lead.email}` })),
      campaign: { name: 'Two' },
    })
    const from = overture.clock.now().toISOString()
    await overture.live(6 * DAY, 4 * HOUR)
    const period = `from=${from}`
    const [totals] = await read(one.base, period)
    assert.ok(totals!.totals.sent > 4 && totals!.totals.replied > 0, JSON.stringify(totals!.totals))
    const steps = await read(one.base, `${period}&groupBy=step`)
    assert.deepEqual(
      steps.filter(({ key }) => key !== null).map(({ key }) => key),
      ['0', '1'],
    )
    assert.equal(steps[0]!.totals.sent, 4)
    const mailboxes = await read(one.base, `${period}&groupBy=mailbox`)
    const own = mailboxes.find(({ key }) => key === one.providerId)!
    assert.deepEqual({ ...own.totals, unsubscribed: 0 }, { ...totals!.totals, unsubscribed: 0 })
    const variants = await read(one.base, `${period}&groupBy=variant`)
    assert.equal(variants.filter(({ key }) => key !== null).length, 2)
    const campaigns = await read(overture.home, `${period}&groupBy=campaign`)
    const byId = new Map(campaigns.map(({ key, totals: sums }) => [key, sums]))
    assert.deepEqual(byId.get(one.campaignId), totals!.totals)
    assert.deepEqual(byId.get(two.campaignId), (await read(two.base, period))[0]!.totals)
    for (const groupBy of ['step', 'mailbox', 'variant']) {
      const groups = await read(overture.home, `${period}&groupBy=${groupBy}`)
      const sent = groups.reduce((sum, group) => sum + group.totals.sent, 0)
      assert.equal(sent, (await read(overture.home, period))[0]!.totals.sent, groupBy)
    }
    await mergeAll()
    const before = [await allRows(one.campaignId), await workspaceRows()]
    await recomputeMetrics(overture.ctx.db, null)
    await mergeAll()
    assert.deepEqual([await allRows(one.campaignId), await workspaceRows()], before)
  })

  it('refuse invalid periods and time zones, and campaigns of other workspaces', async () => {
    const { base } = await newCampaign()
    const bad = [
      'timezone=Mars/Olympus',
      'interval=minute',
      'groupBy=lead',
      'from=yesterday',
      'to=0001-01-01T00:00:00Z',
      'to=9999-12-31T23:59:59.999Z&timezone=Pacific/Kiritimati&interval=week',
      'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z',
      'interval=hour&from=2025-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    ]
    for (const query of bad) assert.equal((await overture.client.get(`${base}/metrics/series?${query}`)).status, 400, query)
    const stranger = await overture.stranger()
    assert.equal((await stranger.client.get(`${base}/metrics/series`)).status, 404)
    const foreign = base.replace(overture.home, stranger.home)
    assert.equal((await stranger.client.get(`${foreign}/metrics/series`)).status, 404)
    assert.deepEqual((await stranger.client.get(`${stranger.home}/metrics/series`)).body.data.series, [
      { key: null, totals: ZERO, points: [] },
    ])
  })
})
