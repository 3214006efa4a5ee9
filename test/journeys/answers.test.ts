import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { recomputeMetrics } from '../../src/modules/metrics/tasks.ts'
import { type Letter, letter, startCorrespondence } from '../correspondence.ts'
import { eventually } from '../faults/eventually.ts'
import { serve } from '../faults/processes.ts'
import { Client, TEST_SECRET } from '../harness.ts'
import { DAY, HOUR, MINUTE } from '../sending.ts'

interface Message {
  direction: string
  id: string
  kind: string
  status: string | null
  at: string
  hold: { reason: string; until: string | null } | null
  subject: string
  text: string
  html: string | null
  replyId: string | null
  messageId: string
  to: string
  author: { type: string; id: string; name: string } | null
  cc: string[]
}

async function start(names: string[], provider: Record<string, unknown> = {}) {
  const world = await startCorrespondence({ names, provider, campaign: { trackOpens: true, trackClicks: true } })
  await world.begin()
  const { overture, imap, smtp } = world
  const { client, home, clock } = overture
  let uid = 0
  const leadOf = async (name: string) =>
    (await client.get(`${world.base}/leads?email=${encodeURIComponent(`${name}@people.example`)}`)).body.data[0]
  const threadOf = async (name: string): Promise<Message[]> => (await client.get(`${(await leadOf(name)).links.self}/thread`)).body.data
  const replies = async () => (await client.get(`${home}/replies?limit=100`)).body.data
  /** A person writes; returns the reply as the API shows it. */
  const receive = async (asked: Partial<Letter> & { from: string; text: string }, name = asked.from.split('@')[0]!) => {
    clock.advance(MINUTE)
    const inReplyTo = asked.inReplyTo === undefined ? (await world.messageIds())[name] : asked.inReplyTo
    imap.append('INBOX', letter({ ...asked, inReplyTo: inReplyTo ?? null }), clock.now())
    await world.readUpTo(++uid)
    clock.advance(MINUTE)
    return (await replies())[0]
  }
  const answer = (reply: { links: { self: string } }, body: object, headers: Record<string, string> = {}) =>
    client.post(`${reply.links.self}/answer`, body, { headers })
  const operation = async (id: string) => (await client.get(`/v1/operations/${id}`)).body
  const settled = (id: string) =>
    eventually('the operation is over', async () => {
      const found = await operation(id)
      return found.status === 'succeeded' || found.status === 'failed' ? found : null
    })
  /** The messages that were sent after this many. */
  const leftSince = (count: number): string[] => smtp.received.slice(count)
  return { ...world, client, home, clock, leadOf, threadOf, replies, receive, answer, operation, settled, leftSince }
}

const headerOf = (raw: string, name: string): string | null =>
  new RegExp(`^${name}: ?(.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(raw.split('\r\n\r\n')[0]!)?.[1]?.replace(/\r\n[ \t]+/g, ' ') ?? null

describe('an answer to a reply', () => {
  it('goes to the Reply-To address, but not to a mailing list, to ourselves or to an opted-out person', async () => {
    const { overture, receive, answer, settled, leftSince, smtp, threadOf, client, home } = await start(['ann', 'bob', 'cyd', 'dan'])
    const from = (name: string, replyTo: string, ...headers: string[]) =>
      receive({ from: `${name}@people.example`, text: 'Tell me more.', headers: [`Reply-To: ${replyTo}`, ...headers] })
    const recipients = async (reply: { links: { self: string } }) => {
      const count = smtp.received.length
      const accepted = await answer(reply, { text: 'Gladly.' })
      assert.equal(accepted.status, 202, JSON.stringify(accepted.body))
      await overture.work.tick()
      await settled(accepted.body.id)
      return leftSince(count).map(raw => headerOf(raw, 'To'))
    }
    const ourselves = (await client.get(`${home}/providers`)).body.data[0].fromEmail.toUpperCase()
    const ann = await from(
      'ann',
      'Office <office@people.example>',
      `Cc: Boss <boss@people.example>, ${ourselves}, Team: x@people.example;, nonsense`,
    )
    assert.deepEqual([ann.from, ann.replyTo], ['ann@people.example', 'office@people.example'])
    const proposal = { operation: 'replies.answer', params: { replyId: ann.id }, body: { text: 'Gladly.' } }
    const planned = await client.post(`${home}/plans`, proposal)
    const { plan, planToken } = planned.body.data
    assert.deepEqual(plan.summary.recipients, ['office@people.example'])
    // The approval is compared before the answer is stored: it can be sent from then on, whatever changes afterwards.
    const { pool } = overture.ctx.db
    await pool.query(`
      create function change_mailbox() returns trigger language plpgsql as $$ begin
        update providers set sender_version = sender_version + 1 where id = new.provider_id;
        return new;
      end $$;
      create trigger change_mailbox after insert on answers for each row execute function change_mailbox()`)
    await pool.query(`update plans set status = 'approved', decided_by = $2, decided_at = now() where id = $1`, [plan.id, overture.userId])
    const count = smtp.received.length
    const applied = await client.post(`${home}/plans/apply`, { planToken })
    await overture.work.tick()
    assert.deepEqual([applied.status, (await settled(applied.body.data?.operationId)).status], [200, 'succeeded'])
    assert.deepEqual(
      leftSince(count).map(raw => headerOf(raw, 'To')),
      ['office@people.example'],
    )
    await pool.query('drop trigger change_mailbox on answers')
    // People in Cc are shown, and get no answer.
    const copied = ['boss@people.example', 'x@people.example']
    const thread = await threadOf('ann')
    assert.deepEqual([ann.cc, ...thread.map(({ direction, cc }) => [direction, cc])], [copied, ['out', []], ['in', copied], ['out', []]])
    const bob = await from('bob', 'everybody@lists.example', 'List-Id: <everybody.lists.example>')
    assert.deepEqual([bob.replyTo, await recipients(bob)], [null, ['bob@people.example']])
    const cyd = await from('cyd', 'ADA@sender.example')
    assert.deepEqual(await recipients(cyd), ['cyd@people.example'])

    await client.post(`${home}/suppressions`, { kind: 'email', value: 'gone@people.example' })
    const refused = await answer(await from('dan', 'gone@people.example'), { text: 'Gladly.' })
    assert.deepEqual([refused.status, refused.body.error?.details?.currentStatus], [409, 'suppressed'])
  })

  it('is sent unchanged in the thread from the same mailbox, and reported once', async () => {
    const world = await start(['ann'])
    const { overture, receive, answer, settled, leftSince, smtp, threadOf, events, client, base, messageIds } = world
    const mine = (await messageIds()).ann!
    const reply = await receive({
      from: 'ann@people.example',
      subject: 'AW: A question for ann',
      messageId: '<Hello.Ann@people.example>',
      headers: [`References: <Root@people.example>\r\n ${mine}`],
      text: 'Hm. Who are you? See https://people.example',
    })
    const before = (await client.get(`${base}/metrics`)).body.data.metrics
    const count = smtp.received.length
    const key = { 'idempotency-key': randomUUID() }
    const body = {
      text: 'Hello Ann,\n\nI am Ada: https://sender.example\n',
      html: '<p>Hello Ann, I am <a href="https://sender.example">Ada</a></p>',
    }
    const accepted = await answer(reply, body, key)
    assert.equal(accepted.status, 202)
    const again = await answer(reply, body, key)
    assert.deepEqual([again.body.id, again.headers['idempotent-replayed']], [accepted.body.id, 'true'])
    await overture.work.tick()
    const done = await settled(accepted.body.id)
    assert.equal(done.status, 'succeeded', JSON.stringify(done.error))
    assert.equal(done.action, 'reply.answer')
    assert.equal((await answer(reply, body, key)).status, 200)
    await overture.work.tick()

    const [raw, ...more] = leftSince(count)
    assert.equal(more.length, 0)
    assert.deepEqual(
      ['From', 'To', 'Subject', 'Message-ID', 'In-Reply-To', 'References'].map(name => headerOf(raw!, name)),
      [
        'Ada <ada@sender.example>',
        'ann@people.example',
        'Re: A question for ann',
        done.result.messageId,
        '<Hello.Ann@people.example>',
        `<Root@people.example> ${mine} <Hello.Ann@people.example>`,
      ],
    )
    for (const name of ['List-Unsubscribe', 'List-Unsubscribe-Post', 'List-Id']) assert.equal(headerOf(raw!, name), null)
    assert.ok(!/\/t\/[oc]\/|\/u\/|Example Street/.test(raw!), raw)
    assert.match(raw!, /https:\/\/sender\.example/)

    const [event, ...others] = await events('email.answered')
    assert.equal(others.length, 0)
    const lead = await world.leadOf('ann')
    const told = { leadId: lead.id, replyId: reply.id, sendId: done.result.sendId, messageId: done.result.messageId }
    assert.deepEqual({ ...event!.data, ...told }, event!.data)
    assert.deepEqual([event!.data.email, event!.data.actorId], ['ann@people.example', overture.userId])
    const [shown] = await world.replies()
    assert.deepEqual([shown.handled, (await world.leadOf('ann')).status], [true, 'replied'])
    const thread = await threadOf('ann')
    assert.deepEqual(
      thread.map(({ kind, status }) => [kind, status]),
      [
        ['step', 'sent'],
        ['neutral', null],
        ['answer', 'sent'],
      ],
    )
    const [, , last] = thread
    assert.deepEqual(
      [last!.text, last!.html, last!.replyId, last!.to, last!.hold],
      [body.text, body.html, reply.id, 'ann@people.example', null],
    )

    // It is not a message of the campaign: no metric changes, recomputed or not.
    const { snapshotAt: _1, ...counts } = (await client.get(`${base}/metrics`)).body.data.metrics
    const { snapshotAt: _2, ...same } = before
    assert.deepEqual(counts, same)
    await recomputeMetrics(overture.ctx.db, null)
    const { snapshotAt: _3, ...folded } = (await client.get(`${base}/metrics`)).body.data.metrics
    assert.deepEqual(folded, same)
    assert.equal((await client.get(`${base}/variants`)).body.data.steps[0].variants[0].sentCount, 1)
  })

  it('is sent at night, while the campaign is paused, without waiting for the gap', async () => {
    const { overture, client, base, receive, answer, settled, leftSince, smtp } = await start(['bob'], { minGapSeconds: 3600 })
    const reply = await receive({ from: 'bob@people.example', text: 'Hm. Who are you?' })
    await client.operate('POST', `${base}/pause`)
    overture.clock.advance(14 * HOUR)
    const count = smtp.received.length
    const ids = []
    for (const text of ['First', 'Second']) ids.push((await answer(reply, { text, again: true })).body.id)
    await overture.work.tick()
    for (const id of ids) assert.equal((await settled(id)).status, 'succeeded')
    assert.equal(leftSince(count).length, 2)
  })

  it('shows its author, and a second answer to the same reply must be confirmed', async () => {
    const { overture, client, receive, answer, operation, settled, leftSince, smtp, threadOf, leadOf, events } = await start(['eli'])
    const reply = await receive({ from: 'eli@people.example', text: 'Hm. Who are you?' })
    const count = smtp.received.length
    const key = { 'idempotency-key': randomUUID() }
    const first = await answer(reply, { text: 'First' }, key)
    assert.equal(first.status, 202, JSON.stringify(first.body))
    const other = await overture.withScopes(['*'])
    const path = `${reply.links.self}/answer`
    // Refused while the first one waits, and after it was sent.
    const early = await other.post(path, { text: 'Second' })
    await overture.work.tick()
    await settled(first.body.id)
    const { actor } = await operation(first.body.id)
    assert.deepEqual([actor.type, actor.id], ['user', overture.userId])
    const late = await other.post(path, { text: 'Second', again: false })
    for (const { status, body } of [early, late]) {
      const { currentStatus, answeredBy, answeredAt } = body.error.details
      assert.deepEqual([status, body.error.code, currentStatus], [409, 'invalid_state', 'answered'])
      assert.deepEqual(answeredBy, actor)
      assert.equal(answeredAt, overture.clock.now().toISOString())
    }
    // The same request is not a second answer.
    assert.deepEqual([(await answer(reply, { text: 'First' }, key)).body.id, leftSince(count).length], [first.body.id, 1])
    // The thread is ordered by time.
    overture.clock.advance(MINUTE)
    const second = await other.post(path, { text: 'Second', again: true })
    assert.equal(second.status, 202, JSON.stringify(second.body))
    await overture.work.tick()
    await settled(second.body.id)
    const authors = (await threadOf('eli')).map(({ kind, author }) => [kind, author?.type ?? null, author?.name ?? null])
    assert.deepEqual(
      authors.filter(([kind]) => kind !== 'neutral'),
      [
        ['step', null, null],
        ['answer', 'user', actor.name],
        ['answer', 'token', 'scoped'],
      ],
    )
    // So do changes of the lead.
    await client.patch((await leadOf('eli')).links.self, { status: 'meeting_booked' })
    await other.patch((await leadOf('eli')).links.self, { company: 'Acme' })
    const actorsOf = async (type: string) => (await events(type)).flatMap(({ data }) => data.actorId ?? [])
    const scopedId = (await operation(second.body.id)).actor.id
    assert.deepEqual([await actorsOf('lead.status_changed'), await actorsOf('lead.updated')], [[overture.userId], [scopedId]])
    assert.deepEqual(await actorsOf('campaign.activated'), [overture.userId])
  })

  it('shows to colleagues in every process while it is written, and is forgotten after a while', async () => {
    const { overture, client, clock, receive } = await start(['fay'])
    const reply = await receive({ from: 'fay@people.example', text: 'Hm. Who are you?' })
    const path = `${reply.links.self.slice(reply.links.self.indexOf('/v1'))}/composing`
    const colleague = await overture.withScopes(['leads:read', 'leads:write'])
    const reader = await overture.withScopes(['leads:read'])
    const { base } = await serve('api', { DATABASE_URL: overture.databaseUrl, OVERTURE_SECRET_KEY: TEST_SECRET.toString('base64') })
    const there = new Client(base, reader.token)
    const namesSeenBy = async (who: Client) => (await who.get(path)).body.data.map(({ name }: { name: string }) => name)
    await eventually('the other process listens', async () => (await namesSeenBy(there)).length === 0)
    assert.deepEqual(await namesSeenBy(client), [])
    assert.equal((await colleague.post(path)).status, 204)
    assert.equal((await client.post(path)).status, 204)
    assert.deepEqual((await namesSeenBy(client)).slice(0, 1), ['scoped'])
    assert.equal((await namesSeenBy(reader)).length, 2)
    await eventually('the other process shows both', async () => (await namesSeenBy(there)).length === 2)
    clock.advance(30_000)
    assert.equal((await colleague.post(path)).status, 204)
    clock.advance(15_000)
    assert.deepEqual(await namesSeenBy(client), ['scoped'])
    clock.advance(30_000)
    assert.deepEqual(await namesSeenBy(client), [])
    assert.equal((await colleague.post(path)).status, 204)
    assert.deepEqual(await namesSeenBy(client), ['scoped'])
    assert.equal((await colleague.post(path.replace(/composing$/, 'answer'), { text: 'I am Ada.' })).status, 202)
    assert.deepEqual(await namesSeenBy(client), [], 'the answer is written')
    assert.equal((await reader.post(path)).status, 403)
    const stranger = await overture.stranger()
    for (const foreign of [path, path.replace(overture.workspaceId, stranger.workspaceId)]) {
      const replies = [await stranger.client.get(foreign), await stranger.client.post(foreign)]
      assert.deepEqual(
        replies.map(({ status }) => status),
        [404, 404],
      )
    }
  })

  it('counts toward the daily cap, and waits with a reason when the cap is reached', async () => {
    const { overture, receive, answer, settled, operation, threadOf, leftSince, smtp } = await start(['cid'], { dailyCap: 2 })
    const reply = await receive({ from: 'cid@people.example', text: 'Hm. Who are you?' })
    const count = smtp.received.length
    const first = (await answer(reply, { text: 'One' })).body.id
    await overture.work.tick()
    assert.equal((await settled(first)).status, 'succeeded')
    overture.clock.advance(MINUTE)
    const second = (await answer(reply, { text: 'Two', again: true }, { prefer: 'wait=1' })).body
    await overture.work.tick()
    assert.equal(leftSince(count).length, 1)
    assert.notEqual((await operation(second.id)).status, 'failed')
    const waiting = (await threadOf('cid')).at(-1)!
    assert.deepEqual([waiting.status, waiting.hold], ['queued', { reason: 'mailbox_cap', until: '2026-03-03T00:00:00.000Z' }])
    overture.clock.advance(DAY)
    await overture.work.tick()
    assert.equal((await settled(second.id)).status, 'succeeded')
    assert.equal(leftSince(count).length, 2)
    assert.equal((await threadOf('cid')).at(-1)!.hold, null)
  })

  it('is refused if the person opted out or was suppressed after the reply, and sent if they wrote again', async () => {
    const { overture, client, home, receive, answer, settled, leftSince, smtp } = await start(['dan', 'eve', 'fay'])
    const count = smtp.received.length
    const optOut = await receive({ from: 'dan@people.example', text: 'Please remove me from your list.' })
    assert.equal(optOut.kind, 'opt_out')
    const refused = await answer(optOut, { text: 'Sorry!' })
    assert.deepEqual(
      [refused.status, refused.body.error.code, refused.body.error.details.currentStatus],
      [409, 'invalid_state', 'suppressed'],
    )
    const later = await receive({ from: 'dan@people.example', text: 'Hm. One question after all: who are you?' })
    assert.equal((await answer(later, { text: 'I am Ada' })).status, 202)

    const early = await receive({ from: 'eve@people.example', text: 'Hm. Who are you?' })
    await client.post(`${home}/suppressions`, { kind: 'domain', value: 'people.example' })
    overture.clock.advance(MINUTE)
    assert.equal((await answer(early, { text: 'No' })).status, 409)
    await overture.work.tick()
    const waiting = await receive({ from: 'fay@people.example', text: 'Hm. Who are you?' })
    const { id } = (await answer(waiting, { text: 'Too late' })).body
    overture.clock.advance(MINUTE)
    await client.post(`${home}/suppressions`, { kind: 'email', value: 'fay@people.example' })
    await overture.work.tick()
    const failed = await settled(id)
    assert.deepEqual([failed.status, failed.error.code, failed.error.retryable], ['failed', 'invalid_state', false])
    assert.match(failed.error.message, /suppressed/)
    assert.ok(leftSince(count).every(raw => !/Sorry|Too late|^No$/m.test(raw)))
  })

  it('goes to the colleague who replied, and their next reply joins the same thread', async () => {
    const { overture, receive, answer, settled, leftSince, smtp, threadOf, imap, replies, events } = await start(['gus'])
    const reply = await receive({ from: 'boss@elsewhere.example', text: 'Hm. Who are you?' }, 'gus')
    const count = smtp.received.length
    const { id } = (await answer(reply, { text: 'I am Ada', subject: 'Hello\r\nBcc: x@y.example' })).body
    await overture.work.tick()
    const { result } = await settled(id)
    const [raw] = leftSince(count)
    assert.deepEqual(
      [headerOf(raw!, 'To'), headerOf(raw!, 'Subject'), headerOf(raw!, 'Bcc')],
      ['boss@elsewhere.example', 'Hello Bcc: x@y.example', null],
    )
    // The copy in an all-mail folder, or in the inbox itself, is not a reply.
    const before = (await replies()).length
    await receive({
      from: 'ada@sender.example',
      to: 'boss@elsewhere.example',
      messageId: result.messageId,
      inReplyTo: reply.messageId,
      text: 'I am Ada',
    })
    imap.addFolder('All Mail', '\\All')
    assert.equal((await replies()).length, before)
    const next = await receive({ from: 'boss@elsewhere.example', inReplyTo: result.messageId, text: 'Thanks. What else?' })
    assert.deepEqual([next.sendId, next.step], [result.sendId, null])
    assert.equal((await threadOf('gus')).length, 4)
    assert.equal((await events('email.replied')).at(-1)!.data.step, null)
  })

  it('is never sent again when its outcome is unknown, and a refusal of the server is reported', async () => {
    const { overture, receive, answer, settled, threadOf, smtp, leftSince } = await start(['hal', 'ida'])
    const reply = await receive({ from: 'hal@people.example', text: 'Hm. Who are you?' })
    const other = await receive({ from: 'ida@people.example', text: 'Hm. Who are you?' })
    const count = smtp.received.length
    smtp.script = point => (point === 'DOT' ? 'drop' : undefined)
    const lost = (await answer(reply, { text: 'Lost' })).body.id
    await overture.work.tick()
    assert.equal((await threadOf('hal')).at(-1)!.status, 'unknown')
    smtp.script = () => undefined
    await overture.live(HOUR, MINUTE)
    const done = await settled(lost)
    assert.deepEqual([done.status, done.result.reconciled], ['succeeded', 'assumed'])
    assert.equal(leftSince(count).length, 1)

    smtp.script = point => (point === 'RCPT' ? '550 5.7.1 not today' : undefined)
    const no = (await answer(other, { text: 'No' })).body.id
    await overture.work.tick()
    const failed = await settled(no)
    assert.equal(failed.status, 'failed')
    assert.match(failed.error.message, /not today/)
    assert.equal((await threadOf('ida')).at(-1)!.status, 'failed')
  })

  it('waits for an unavailable server, and is refused if there is no recipient', async () => {
    const { overture, client, home, receive, answer, settled, smtp, leftSince, leadOf } = await start(['joe', 'kim'])
    const reply = await receive({ from: 'joe@people.example', text: 'Hm. Who are you?' })
    const gone = await receive({ from: 'kim@people.example', text: 'Hm. Who are you?' })
    const count = smtp.received.length
    smtp.script = point => (point === 'MAIL' ? '451 4.3.2 later' : undefined)
    const { id } = (await answer(reply, { text: 'Hello' })).body
    await overture.work.tick()
    smtp.script = () => undefined
    await overture.live(10 * MINUTE, MINUTE / 4)
    assert.equal((await settled(id)).status, 'succeeded')
    assert.equal(leftSince(count).length, 1)

    await client.delete((await leadOf('kim')).links.self)
    const refused = await answer(gone, { text: 'Hello?' })
    assert.deepEqual([refused.status, refused.body.error.details.currentStatus], [409, 'lead_removed'])
    assert.equal((await answer({ links: { self: `${home}/replies/${randomUUID()}` } }, { text: 'x' })).status, 404)
    for (const body of [
      {},
      { text: '' },
      { text: ' \n' },
      { text: 'x'.repeat(50_001) },
      { text: 'x', html: 'x'.repeat(100_001) },
      { text: 'x', to: 'y' },
    ])
      assert.equal((await answer(reply, body)).status, 422, JSON.stringify(body).slice(0, 40))
    assert.equal((await (await overture.withScopes(['leads:read'])).post(`${reply.links.self}/answer`, { text: 'x' })).status, 403)
    const open = await overture.ctx.db.first<{ count: number }>(sql('select count(*)::int as count from open_sends'))
    assert.equal(open!.count, 0)
  })
})
