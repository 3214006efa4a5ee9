import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { recomputeMetrics } from '../../src/modules/metrics/tasks.ts'
import { replyInSandbox } from '../sandbox-reply.ts'
import { HOUR, makeCampaign, startLiving } from '../sending.ts'

const NAMES = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus'] as const
type Name = (typeof NAMES)[number]
const addressOf = (name: string): string => `silent+${name}@people.example`

const TEXTS: Partial<Record<Name, string>> = {
  ann: 'This looks great, could we set up a call next week?',
  bob: 'No thanks, we are not interested.',
  cid: 'I am out of the office until 12 March 2026. This is an automatic reply.',
  dan: 'Please remove me from your list.',
  eve: 'Hm. What is the colour of your purple umbrellas?',
  fay: 'Hm. Who gave you this address?',
}

// Not in a hook, because a hook's cleanups run when the hook ends.
const overture = await startLiving()

describe('the inbox of replies', () => {
  let base: string
  let other: string

  /** A person replies in the sandbox. */
  async function answer(name: string, text: string): Promise<void> {
    await replyInSandbox(overture, addressOf(name), text, name === 'cid' ? ['Auto-Submitted: auto-replied'] : [])
  }

  before(async () => {
    const leads = NAMES.map(name => ({ email: addressOf(name), firstName: name }))
    ;({ base } = await makeCampaign(overture, { leads }))
    await overture.work.tick()
    ;({ base: other } = await makeCampaign(overture, { leads: leads.slice(4, 6), activate: false, campaign: { name: 'Other' } }))
    for (const name of NAMES) {
      overture.clock.advance(60_000)
      if (TEXTS[name]) await answer(name, TEXTS[name])
    }
    overture.clock.advance(HOUR)
  })

  const list = async (query = '') => (await overture.client.get(`${overture.home}/replies${query}`)).body.data
  const of = async (name: Name) => (await list(`?q=${encodeURIComponent(addressOf(name).toUpperCase())}`)).at(-1)
  const patch = (reply: { links: { self: string } }, body: object, headers: Record<string, string> = {}) =>
    overture.client.patch(reply.links.self, body, { headers })
  const statusOf = async (name: Name, at = base) =>
    (await overture.client.get(`${at}/leads?email=${encodeURIComponent(addressOf(name))}`)).body.data[0].status
  const eventsOf = async (type: string, name: Name) =>
    (await overture.client.get(`${overture.home}/events?type=${type}&limit=100`)).body.data.filter(
      (event: { data: { email: string } }) => event.data.email === addressOf(name),
    )
  const suppressed = async (name: Name) =>
    (await overture.client.get(`${overture.home}/suppressions?value=${encodeURIComponent(addressOf(name))}`)).body.data.length === 1
  const metrics = async () => {
    const { snapshotAt: _, ...counts } = (await overture.client.get(`${base}/metrics`)).body.data.metrics
    return counts
  }

  it('lists replies, newest first, by campaign, kind, state and text', async () => {
    const all = await list()
    const names = (replies: { from: string }[]) => replies.map(reply => /\+(\w+)@/.exec(reply.from)![1])
    assert.deepEqual(names(all), ['fay', 'eve', 'dan', 'cid', 'bob', 'ann'])
    assert.deepEqual(
      all.map((reply: { leadName: string }) => reply.leadName),
      names(all),
    )
    assert.deepEqual(
      all.map((reply: { kind: string }) => reply.kind),
      ['neutral', 'neutral', 'opt_out', 'auto_reply', 'negative', 'positive'],
    )
    const campaignId = base.split('/').at(-1)
    assert.equal((await list(`?campaignId=${campaignId}`)).length, 6)
    assert.deepEqual(await list(`?campaignId=${other.split('/').at(-1)}`), [])
    assert.deepEqual(names(await list('?kind=opt_out')), ['dan'])
    assert.deepEqual(names(await list('?q=PURPLE%20umbrellas')), ['eve'])
    assert.deepEqual(await list('?q=%25'), [])
    assert.equal((await list('?handled=false')).length, 6)
    assert.deepEqual(await list('?handled=true'), [])
    assert.equal((await list('?needsLook=true')).length + (await list('?needsLook=false')).length, 6)
    const paged = []
    for (let next: string | null = `${overture.home}/replies?limit=2&campaignId=${campaignId}`; next; ) {
      const { body } = await overture.client.get(next)
      paged.push(...body.data)
      next = body.links.next
    }
    assert.deepEqual(paged, all)
    const [first] = all
    assert.deepEqual((await overture.client.get(first.links.self)).body.data, first)
    const [event] = await eventsOf('email.replied', 'fay')
    assert.equal(event.data.replyId, first.id)
    assert.deepEqual(
      [first.correctedKind, first.correctedBy, first.correctedAt, first.handled, first.judgedKind],
      [null, null, null, false, 'neutral'],
    )
  })

  it('stores that a reply was handled, and records an event', async () => {
    const reply = await of('bob')
    const handled = (await patch(reply, { handled: true })).body.data
    assert.deepEqual([handled.handled, handled.kind, handled.correctedKind], [true, 'negative', null])
    assert.deepEqual((await list('?handled=true')).length, 1)
    await patch(reply, { handled: true })
    assert.equal((await eventsOf('reply.updated', 'bob')).length, 1)
    assert.equal((await patch(reply, { handled: false })).body.data.handledAt, null)
    assert.equal((await eventsOf('reply.updated', 'bob')).length, 2)
    assert.equal(await statusOf('bob'), 'not_interested')
  })

  it('a correction to positive makes the lead interested everywhere, and is recorded once however often it is repeated', async () => {
    const reply = await of('eve')
    const key = { 'idempotency-key': randomUUID() }
    const corrected = (await patch(reply, { kind: 'positive' }, key)).body.data
    assert.deepEqual(
      [corrected.kind, corrected.judgedKind, corrected.correctedKind, corrected.needsLook],
      ['positive', 'neutral', 'positive', false],
    )
    assert.deepEqual([typeof corrected.correctedBy, corrected.correctedAt], ['string', overture.clock.now().toISOString()])
    assert.deepEqual((await patch(reply, { kind: 'positive' }, key)).body.data, corrected)
    assert.equal(await statusOf('eve'), 'interested')
    assert.equal(await statusOf('eve', other), 'skipped')
    const positive = async () => {
      const { totalInterested, totalOpportunities } = await metrics()
      const [series] = (await overture.client.get(`${base}/metrics/series`)).body.data.series
      return [totalInterested, totalOpportunities, series.totals.positive]
    }
    const counted = await positive()
    for (const kind of ['neutral', 'positive', 'negative', 'positive']) {
      await patch(reply, { kind })
      const less = kind === 'positive' ? 0 : 1
      assert.deepEqual(
        await positive(),
        counted.map(count => count - less),
        kind,
      )
    }
    assert.equal((await eventsOf('ai_sdr.positive_reply', 'eve')).length, 1)
    await answer('eve', 'This sounds great, I am very interested. Can we set up a call?')
    assert.equal((await eventsOf('ai_sdr.positive_reply', 'eve')).length, 1)
    const [updated] = await eventsOf('reply.updated', 'eve')
    assert.deepEqual([updated.data.replyId, updated.data.previousKind, updated.data.kind], [reply.id, 'neutral', 'positive'])
  })

  it('a correction to opt_out unsubscribes the lead and suppresses the address, and undoing it removes no suppression', async () => {
    const reply = await of('fay')
    await patch(reply, { kind: 'opt_out' })
    assert.deepEqual([await statusOf('fay'), await statusOf('fay', other), await suppressed('fay')], ['unsubscribed', 'unsubscribed', true])
    assert.equal((await eventsOf('lead.unsubscribed', 'fay')).length, 1)
    await patch(reply, { kind: 'neutral' })
    assert.deepEqual([await statusOf('fay'), await suppressed('fay')], ['replied', true])
    await patch(reply, { kind: 'opt_out' })
    const events = await eventsOf('lead.unsubscribed', 'fay')
    assert.deepEqual(
      events.map((event: { data: { first: boolean } }) => event.data.first),
      [true, false],
    )
  })

  it('an automatic reply that is corrected counts as a reply from then on', async () => {
    const before = await metrics()
    assert.equal(await statusOf('cid'), 'contacted')
    await patch(await of('cid'), { kind: 'negative' })
    assert.equal(await statusOf('cid'), 'not_interested')
    const after = await metrics()
    assert.deepEqual([after.replyCount, after.uniqueReplyCount], [before.replyCount + 1, before.uniqueReplyCount + 1])
  })

  it('a correction does not undo a reported meeting', async () => {
    const [lead] = (await overture.client.get(`${base}/leads?email=${encodeURIComponent(addressOf('ann'))}`)).body.data
    await overture.client.patch(`${base}/leads/${lead.id}`, { status: 'meeting_booked' })
    await patch(await of('ann'), { kind: 'negative' })
    assert.equal(await statusOf('ann'), 'meeting_booked')
  })

  it('the metrics are the same when recomputed', async () => {
    const before = await metrics()
    await recomputeMetrics(overture.ctx.db, null)
    assert.deepEqual(await metrics(), before)
  })

  it('refuses kinds that cannot be corrected to, other workspaces, and tokens without leads:write', async () => {
    const reply = await of('bob')
    for (const body of [{ kind: 'bounce' }, { kind: 'auto_reply' }, { handled: 'yes' }, { text: 'x' }])
      assert.equal((await patch(reply, body)).status, 422, JSON.stringify(body))
    const stranger = await overture.stranger()
    assert.equal((await stranger.client.patch(reply.links.self, { handled: true })).status, 404)
    assert.equal((await stranger.client.get(`${stranger.home}/replies/${reply.id}`)).status, 404)
    const reader = await overture.withScopes(['leads:read'])
    assert.equal((await reader.patch(reply.links.self, { handled: true })).status, 403)
    assert.equal((await reader.get(reply.links.self)).status, 200)
  })

  it('needs people:write to change a lead through its reply', async () => {
    const writer = await overture.withScopes(['leads:read', 'leads:write'])
    const reply = await of('bob')
    const refused = await writer.patch(reply.links.self, { kind: 'opt_out' })
    assert.deepEqual([refused.status, refused.body.error.details.requiredScope], [403, 'people:write'])
    assert.equal((await writer.patch(reply.links.self, { handled: true })).status, 200)
  })

  it('an erasure removes the text, and the reply stays as a count', async () => {
    const reply = await of('eve')
    const done = await overture.client.operate('POST', `${overture.home}/erasures`, { email: addressOf('eve') })
    assert.equal(done.status, 'succeeded')
    const left = (await overture.client.get(reply.links.self)).body.data
    assert.deepEqual([left.from, left.subject, left.text, left.kind], [null, null, null, 'positive'])
    const log = JSON.stringify((await overture.client.get(`${overture.home}/events?type=reply.updated&limit=100`)).body.data)
    assert.ok(!log.includes(addressOf('eve')))
  })
})
