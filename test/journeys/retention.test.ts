import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { forgetOld } from '../../src/app/retention.ts'
import { loadConfig } from '../../src/context/config.ts'
import { sql } from '../../src/db/sql.ts'
import { newId } from '../../src/lib/ids.ts'
import { mergeOldRollups, recomputeMetrics } from '../../src/modules/metrics/tasks.ts'
import { insertUnread } from '../../src/modules/replies/queries.ts'
import { eventually } from '../faults/eventually.ts'
import { DAY, HOUR, makeCampaign, startLiving, TWO_STEPS } from '../sending.ts'

const DAYS = {
  eventRetentionDays: 30,
  sentBodyRetentionDays: 30,
  replyRetentionDays: 30,
  decisionRetentionDays: 30,
  sandboxRetentionDays: 30,
  sequenceRetentionDays: 30,
  accessRetentionDays: 30,
  operationRetentionDays: 30,
}

// Started here, because what a hook of a suite has started ends with the hook.
const overture = await startLiving({ config: { ...DAYS, sandboxRetentionDays: 55 } })

describe('data after its retention period', () => {
  let base: string
  let campaignId: string
  let providerId: string
  let hook: { id: string; path: string }
  let interested: { id: string; links: { self: string } }
  const told: { before: unknown; after: unknown } = { before: null, after: null }

  const get = async (path: string) => (await overture.client.get(path)).body.data
  const count = async (table: string, where = 'true'): Promise<number> =>
    (await overture.ctx.db.first<{ n: number }>(sql(`select count(*)::int as n from ${table} where ${where}`)))!.n
  const versions = async (): Promise<number[]> =>
    (
      await overture.ctx.db.many<{ version: number }>(
        sql('select version from sequence_versions where campaign_id = $1 order by version'),
        [campaignId],
      )
    ).map(row => row.version)

  /** Everything that is said about results, but for the moment at which it is said. */
  async function readResults() {
    const { snapshotAt: _at, ...metrics } = (await get(`${base}/metrics`)).metrics
    const span = 'from=2026-02-01T00:00:00Z&to=2026-12-31T00:00:00Z'
    const series = await Promise.all(
      ['', '&groupBy=step', '&groupBy=variant', '&groupBy=mailbox'].map(group => get(`${base}/metrics/series?${span}${group}`)),
    )
    return { metrics, series }
  }

  const replaceSequence = async () => {
    const { updatedAt } = await get(base)
    const done = await overture.client.operate('PUT', `${base}/sequence`, { steps: TWO_STEPS }, { 'if-match': updatedAt })
    assert.equal(done.status, 'succeeded', JSON.stringify(done))
  }

  before(async () => {
    const { client, home, clock, ctx } = overture
    // Nothing listens there, so deliveries fail and wait for their next attempt.
    const made = await client.post(`${home}/webhooks`, { url: 'http://127.0.0.1:9/', events: ['email.sent'] })
    hook = { id: made.body.data.id, path: `${home}/webhooks/${made.body.data.id}` }
    const names = ['interested', 'opens', 'silent', 'bounce', 'opt-out', 'later']
    const leads = names.map(name => ({ email: `${name}@people.example`, firstName: name }))
    ;({ base, campaignId, providerId } = await makeCampaign(overture, {
      leads: [...leads, { email: 'nameless@people.example' }],
      campaign: { trackOpens: true, trackClicks: true },
    }))
    await overture.live(6 * DAY, 4 * HOUR)
    ;[interested] = await get(`${base}/leads?email=interested@people.example`)
    assert.equal((await client.patch(interested.links.self, { status: 'meeting_booked' })).status, 200)
    await eventually('a delivery waits', async () => (await count('deliveries', "status = 'pending'")) > 0)
    await client.patch(hook.path, { status: 'paused' })
    await ctx.db.inTransaction(tx =>
      insertUnread(tx, {
        ...{ id: newId(), workspaceId: overture.workspaceId, providerId, folder: 'INBOX', uidValidity: '1', uid: 1, messageId: null },
        ...{ digest: randomBytes(32), reason: 'unreadable', detail: 'it was not mail', receivedAt: clock.now(), createdAt: clock.now() },
      }),
    )

    await ctx.db.inTransaction(tx => tx.run(sql(`update inbound_messages set cc = '{team@people.example}'`)))

    // Fifty days later the sequence is replaced, and another person is emailed with the new version.
    clock.advance(50 * DAY)
    if ((await get(base)).status === 'active') await client.operate('POST', `${base}/pause`)
    await replaceSequence()
    await replaceSequence()
    await client.operate('POST', `${base}/leads/import`, { leads: [{ email: 'silent+late@people.example', firstName: 'Late' }] })
    await client.operate('POST', `${base}/${(await get(base)).status === 'paused' ? 'resume' : 'activate'}`)
    await overture.live(DAY, 4 * HOUR)
    told.before = await readResults()
  })

  it('has settings that refuse less than thirty days of the log', () => {
    assert.throws(() => loadConfig({ OVERTURE_EVENT_RETENTION_DAYS: '29' }), /OVERTURE_EVENT_RETENTION_DAYS must be at least 30/)
    assert.equal(loadConfig({ OVERTURE_EVENT_RETENTION_DAYS: '0' }).eventRetentionDays, 0)
  })

  it('stays if the setting is zero', async () => {
    const { ctx } = overture
    const kept = { ...ctx.config }
    Object.assign(ctx.config, Object.fromEntries(Object.keys(DAYS).map(name => [name, 0])), { operationRetentionDays: 36_500 })
    const before = [await count('events'), await count('sent_bodies'), await count('decisions'), await count('sandbox_messages')]
    assert.equal((await forgetOld(ctx)).size, 0)
    assert.deepEqual([await count('events'), await count('sent_bodies'), await count('decisions'), await count('sandbox_messages')], before)
    Object.assign(ctx.config, kept)
  })

  it('is deleted: events, texts, decisions and unreadable messages', async () => {
    const old = `timestamp < '${overture.clock.now().toISOString()}'::timestamptz - interval '31 days'`
    assert.ok((await count('events', old)) > 30)
    assert.ok((await count('decisions')) > 0)
    // A step that cannot be done now keeps none of the others from being done.
    const holder = await overture.ctx.db.pool.connect()
    await holder.query('begin; lock table plans in share mode')
    const forgotten = await forgetOld(overture.ctx)
    await holder.query('rollback')
    holder.release()
    for (const what of ['events', 'bodies of messages', 'texts of replies', 'unreadable messages', 'decisions', 'sandbox messages']) {
      assert.ok((forgotten.get(what) ?? 0) > 0, `${what}: ${JSON.stringify([...forgotten])}`)
    }
    assert.equal(await count('events', old), 0)
    assert.ok((await count('events')) > 0, 'what happened since is there')
    assert.equal(await count('inbound_attachments'), 0)
    assert.equal(await count('inbound_messages', "is_emptied and cc <> '{}'"), 0)
    assert.equal(await count('unread_messages'), 0)
    assert.ok((await count('sandbox_messages')) > 0, 'each kind has its own time')
    assert.equal((await forgetOld(overture.ctx)).size, 0, 'and a second look finds nothing')
  })

  it('leaves the metrics unchanged, even after a recomputation', async () => {
    assert.deepEqual(await readResults(), told.before)
    const { metrics } = await readResults()
    assert.ok(metrics.emailsSentCount > 8 && metrics.uniqueOpenCount > 0 && metrics.meetingBookingRate > 0, JSON.stringify(metrics))
    await recomputeMetrics(overture.ctx.db, null)
    assert.deepEqual(await readResults(), told.before)
    const muchLater = new Date(overture.clock.now().getTime() + 100 * DAY)
    assert.ok((await mergeOldRollups(overture.ctx.db, muchLater)) > 0)
    assert.deepEqual(await readResults(), told.before)
    await recomputeMetrics(overture.ctx.db, null)
    assert.deepEqual(await readResults(), told.before, 'also after hours were merged')
  })

  it('leaves the thread as a list of messages without old texts', async () => {
    const thread = await get(`${interested.links.self}/thread`)
    assert.deepEqual(
      thread.map(({ direction, text }: { direction: string; text: string | null }) => [direction, text]),
      [
        ['out', null],
        ['in', null],
      ],
    )
    const [late] = await get(`${base}/leads?email=${encodeURIComponent('silent+late@people.example')}`)
    assert.match((await get(`${late.links.self}/thread`))[0].text, /Hi Late/)
  })

  it('does not report interest twice', async () => {
    const [reply] = await get(`${overture.home}/replies?campaignId=${campaignId}&kind=positive`)
    for (const kind of ['neutral', 'positive']) await overture.client.patch(reply.links.self, { kind })
    assert.equal(await count('events', `type = 'ai_sdr.positive_reply' and lead_id = '${interested.id}'`), 0)
  })

  it('returns 410 to a client that follows the log from a deleted number, with the number to continue from', async () => {
    const { client, home } = overture
    const log = `${home}/events`
    const refused = await client.get(`${log}?after=1`)
    assert.deepEqual([refused.status, refused.body.error.code], [410, 'events_expired'])
    const { keptAfter } = refused.body.error.details
    const [first] = await get(`${log}?after=${keptAfter}&limit=1`)
    assert.equal(first.seq, keptAfter + 1)
    assert.deepEqual(await get(`${log}?limit=1`), [first], 'the beginning of the log is where it begins now')
    const stream = await client.get(`${log}/stream?after=1`)
    assert.deepEqual([stream.status, stream.body.error.code], [410, 'events_expired'])
    const resumed = await client.get(`${log}/stream`, { headers: { 'last-event-id': '1' } })
    assert.equal(resumed.status, 410)
  })

  it('returns 410 to a client that requests a delivery, and fails pending deliveries', async () => {
    const { client, ctx } = overture
    const replay = await client.post(`${hook.path}/replay`, { since: '2026-03-02T00:00:00Z' })
    assert.deepEqual([replay.status, replay.body.error.code], [410, 'events_expired'])
    const since = replay.body.error.details.keptSince
    const [failed] = await get(`${hook.path}/deliveries?status=failed`)
    assert.equal((await client.post(`${failed.links.self}/retry`, {})).body.error.code, 'events_expired')
    const waiting = (await get(`${hook.path}/deliveries?status=pending&limit=100`)).at(-1)
    await ctx.db.inTransaction(tx => tx.run(sql('update deliveries set due_at = now() where id = $1'), [waiting.id]))
    await client.patch(hook.path, { status: 'active' })
    assert.equal((await client.post(`${hook.path}/replay`, { since })).body.data.replayedCount, 1)
    await eventually('it has failed', async () => (await get(waiting.links.self)).status === 'failed')
    const over = await get(waiting.links.self)
    assert.deepEqual([over.error, over.nextAttemptAt, over.responseStatus], ['event_expired', null, null])
  })

  it('is deleted: unused versions of a sequence, and no other', async () => {
    assert.deepEqual(await versions(), [1, 2, 3], 'the others were replaced only yesterday')
    overture.clock.advance(31 * DAY)
    await forgetOld(overture.ctx)
    const [late] = await get(`${base}/leads?email=${encodeURIComponent('silent+late@people.example')}`)
    assert.equal(late.status, 'contacted')
    // The first has a lead that was skipped and may be sent on again.
    assert.deepEqual(await versions(), [1, 3])
    await overture.client.delete((await get(`${base}/leads?status=skipped`))[0].links.self)
    assert.equal((await get(`${base}/leads?status=skipped`)).length, 0)
    await forgetOld(overture.ctx)
    assert.deepEqual(await versions(), [3])
  })

  it('is deleted: ended tokens, sessions and so on, but never the creator of a living token', async () => {
    const { client, clock, ctx } = overture
    clock.set(new Date())
    const make = async (token = client.token) => (await client.post('/v1/tokens', { name: 'short', scopes: ['*'] }, { token })).body.data
    const [maker, single] = [await make(), await make()]
    const child = await make(maker.token)
    const ids = [maker.id, single.id, child.id]
    assert.equal((await client.post('/v1/sessions', {}, { token: single.token })).status, 201)
    for (const { id } of [maker, single]) assert.equal((await client.delete(`/v1/tokens/${id}`)).status, 204)
    // As a process leaves it that deletes endpoints without looking for what was added meanwhile.
    const orphan = sql(`
      insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, due_at)
      select $1, workspace_id, $1, event_seq, event_id, event_type, 1, now() from deliveries limit 1`)
    const orphanId = newId()
    assert.equal(await ctx.db.inTransaction(tx => tx.run(orphan, [orphanId])), 1)
    const left = async () => {
      const rows = await ctx.db.many<{ id: string }>(sql('select id from tokens where id = any($1::uuid[])'), [ids])
      return ids.filter(id => rows.some(row => row.id === id))
    }
    await forgetOld(ctx)
    assert.deepEqual(await left(), ids)
    clock.set(new Date(Date.now() + 31 * DAY))
    const forgotten = await forgetOld(ctx)
    assert.deepEqual(await left(), [maker.id, child.id])
    assert.ok((forgotten.get('operations') ?? 0) > 0 && (forgotten.get('deliveries') ?? 0) > 0, JSON.stringify([...forgotten]))
    assert.equal(await count('deliveries', `endpoint_id = '${orphanId}'`), 0, 'nobody will ever deliver it')
    assert.equal(await count('sessions'), 0, 'the session went with its token')
  })
})
