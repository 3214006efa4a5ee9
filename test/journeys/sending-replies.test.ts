import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { erasePerson } from '../../src/app/erase-person.ts'
import { sql } from '../../src/db/sql.ts'
import { listMailboxes } from '../../src/modules/mailboxes/queries.ts'
import { SentCopies } from '../../src/modules/sending/sent-copies.ts'
import { startMailServers, startOnServers } from '../correspondence.ts'
import { eventually } from '../faults/eventually.ts'
import { TestImapServer } from '../mail/imap-server.ts'
import { DAY, deliveryReport, HOUR, MINUTE, startLiving } from '../sending.ts'

const NAMES = ['ann', 'bob', 'cid', 'dan', 'eve']

async function setUp(inbox: Record<string, unknown> = {}) {
  const servers = await startMailServers()
  const { smtp, imap } = servers
  const overture = await startLiving()
  const leads = NAMES.map(name => ({ email: `${name}@people.example`, firstName: name }))
  const made = await startOnServers(overture, servers, { leads }, inbox)
  const ids = async () =>
    Object.fromEntries(
      (
        await overture.ctx.db.many<{ email: string; messageId: string }>(
          sql(`select l.email, s.message_id as "messageId" from sends s join leads l on l.id = s.lead_id where s.step = 0`),
        )
      ).map(row => [row.email.split('@')[0]!, row.messageId]),
    )
  const statuses = async () =>
    Object.fromEntries(
      ((await overture.client.get(`${made.base}/leads`)).body.data as { email: string; status: string }[]).map(lead => [
        lead.email.split('@')[0]!,
        lead.status,
      ]),
    )
  return { smtp, imap, overture, ...made, ids, statuses }
}

const reply = (name: string, inReplyTo: string | null, text: string, extra = '') =>
  [
    `From: ${name} <${name}@people.example>`,
    'To: ada@sender.example',
    `Subject: Re: A question for ${name}`,
    `Message-ID: <${name}.${text.length}@people.example>`,
    ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`] : []),
    ...(extra ? [extra] : []),
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ].join('\r\n')

describe('incoming mail', () => {
  it('is matched to its lead and applied once, however often the inbox is read', async () => {
    const { imap, overture, ids, statuses, base, providerId } = await setUp()
    await overture.work.tick()
    await overture.work.inboxes.look()
    await imap.idling()
    const sent = await ids()
    imap.append('INBOX', reply('ann', sent.ann!, 'This looks great, could we set up a call next week?'))
    imap.append('INBOX', reply('bob', null, 'No thanks, we are not interested.'))
    imap.append('INBOX', reply('cid', sent.cid!, 'I am out of the office until 12 March 2026.', 'Auto-Submitted: auto-replied'))
    imap.append('INBOX', reply('dan', sent.dan!, 'Please remove me from your list.'))
    imap.append('INBOX', deliveryReport('eve@people.example', sent.eve!, '5.1.1'))
    imap.append('INBOX', reply('stranger', null, 'Hello, who are you?'))
    const expected = { ann: 'interested', bob: 'not_interested', cid: 'contacted', dan: 'unsubscribed', eve: 'bounced' }
    await eventually(
      'all has been taken in',
      async () => JSON.stringify(Object.entries(await statuses()).sort()) === JSON.stringify(Object.entries(expected)),
    )
    assert.equal((await overture.client.get(`${overture.home}/events?type=ai_sdr.positive_reply`)).body.data.length, 1)
    const { metrics } = (await overture.client.get(`${base}/metrics`)).body.data
    assert.deepEqual([metrics.uniqueReplyCount, metrics.bouncedCount, metrics.unsubscribedCount, metrics.totalInterested], [3, 1, 1, 1])
    // The server gives the folder new numbers: everything comes again, and nothing happens again.
    imap.renumber('INBOX')
    imap.drop()
    await eventually('the inbox has been read again', async () => {
      const row = await overture.ctx.db.first<{ cursor: { uidValidity: string; lastUid: number } }>(
        sql('select inbox_cursor as cursor from providers where id = $1'),
        [providerId],
      )
      return row!.cursor.uidValidity === '2' && row!.cursor.lastUid === 6
    })
    assert.equal((await overture.client.get(`${overture.home}/events?type=email.replied`)).body.data.length, 3)
    assert.equal((await overture.ctx.db.first<{ count: number }>(sql('select count(*)::int as count from inbound_messages')))!.count, 5)
    assert.equal(imap.folders.get('INBOX')!.messages.filter(message => message.flags.has('\\Seen')).length, 0)

    // The window in Berlin opens at nine, so the step of the lead who is away cannot be sent at midnight.
    const cid = ((await overture.client.get(`${base}/leads?q=cid`)).body.data as { id: string; next: unknown; hold: unknown }[])[0]!
    const opening = '2026-03-13T08:00:00.000Z'
    assert.deepEqual(
      [cid.next, cid.hold],
      [
        { step: 1, dueAt: opening },
        { reason: 'recipient_away', until: opening },
      ],
    )
    const timeline = (await overture.client.get(`${base}/leads/${cid.id}/timeline`)).body.data as { data: Record<string, unknown> }[]
    assert.equal(timeline.find(({ data }) => data.current)?.data.nextAttemptAt, opening)
    // A lead who is away gets a message on the day after the return; a lead who answered gets none.
    await overture.live(14 * DAY, 6 * HOUR)
    const followUps = await overture.ctx.db.many<{ email: string; at: Date }>(
      sql('select l.email, s.sent_at as at from sends s join leads l on l.id = s.lead_id where s.step = 1'),
    )
    assert.deepEqual(
      followUps.map(row => [row.email, row.at.toISOString().slice(0, 10)]),
      [['cid@people.example', '2026-03-13']],
    )
  })

  it('proves that a message with an unknown outcome was sent', async () => {
    const { smtp, imap, overture, ids, statuses, base } = await setUp()
    let hasDropped = false
    smtp.script = point => {
      if (point !== 'DOT' || hasDropped) return undefined
      hasDropped = true
      return 'drop'
    }
    await overture.work.sender.tick()
    const doubtful = await overture.ctx.db.many<{ messageId: string }>(
      sql(`select message_id as "messageId" from sends where status = 'unknown'`),
    )
    assert.equal(doubtful.length, 1)
    const name = Object.entries(await ids()).find(([, id]) => id === doubtful[0]!.messageId)![0]
    await overture.work.inboxes.look()
    await imap.idling()
    imap.append('INBOX', reply(name, doubtful[0]!.messageId, 'Sounds good, please send me more information.'))
    await eventually('the reply has been taken in', async () => (await statuses())[name] === 'interested')
    const [send] = await overture.ctx.db.many<{ status: string; reconciled: string }>(
      sql('select status, reconciled from sends where message_id = $1'),
      [doubtful[0]!.messageId],
    )
    assert.deepEqual(send, { status: 'sent', reconciled: 'named' })
    assert.equal((await overture.client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount, 5)
  })

  /** Two of five messages are in doubt; the test decides what is in the Sent folder. */
  async function inDoubt(inbox: Record<string, unknown> = { appendSent: false }) {
    const set = await setUp(inbox)
    let dropCount = 0
    set.smtp.script = point => (point === 'DOT' && dropCount++ < 2 ? 'drop' : undefined)
    await set.overture.work.sender.tick()
    const listIds = async (status: string): Promise<string[]> =>
      (
        await set.overture.ctx.db.many<{ messageId: string }>(
          sql('select message_id as "messageId" from sends where status = $1 order by message_id'),
          [status],
        )
      ).map(row => row.messageId)
    const [doubtful, sent] = [await listIds('unknown'), await listIds('sent')]
    assert.deepEqual([doubtful.length, sent.length], [2, 3])
    const keepCopy = (id: string) => set.imap.append('Sent', `Message-ID: ${id}\r\nSubject: x\r\n\r\nx\r\n`)
    const fates = async () =>
      (
        await set.overture.ctx.db.many<{ status: string; reconciled: string | null; attempts: number }>(
          sql('select status, reconciled, attempts from sends where message_id = any($1) order by message_id'),
          [doubtful],
        )
      ).map(send => [send.status, send.reconciled, send.attempts])
    return { ...set, doubtful, sent, keepCopy, fates }
  }

  it('resends a message with an unknown outcome only if it is missing from the Sent folder and its neighbors are there', async () => {
    const { overture, doubtful, sent, keepCopy, fates } = await inDoubt()
    for (const id of [doubtful[0]!, ...sent]) keepCopy(id)
    await overture.live(10 * MINUTE, MINUTE)
    assert.deepEqual(await fates(), [
      ['sent', 'found', 1],
      ['sent', null, 2],
    ])
  })

  it('counts a message with an unknown outcome as sent when the mailbox has stopped storing copies, and marks it', async () => {
    const { overture, imap, base, fates, smtp, providerId } = await inDoubt()
    // It kept them when it was verified.
    await overture.ctx.db.inTransaction(tx => tx.run(sql('update providers set saves_sent = true where id = $1'), [providerId]))
    const countBefore = smtp.received.length
    await overture.live(30 * MINUTE, MINUTE)
    assert.equal(smtp.received.length, countBefore)
    assert.equal(imap.folders.get('Sent')!.messages.length, 0)
    assert.deepEqual(await fates(), [
      ['sent', 'assumed', 1],
      ['sent', 'assumed', 1],
    ])
    const events = (await overture.client.get(`${overture.home}/events?type=email.sent`)).body.data as {
      data: { reconciled?: string; leadId: string }
    }[]
    const assumed = events.filter(event => event.data.reconciled === 'assumed')
    assert.equal(assumed.length, 2)
    for (const { data } of assumed) {
      const { data: timeline } = (await overture.client.get(`${base}/leads/${data.leadId}/timeline`)).body
      const sent = timeline.find((entry: { type: string }) => entry.type === 'email.sent')
      assert.equal(sent.data.reconciled, 'assumed')
    }
    assert.equal((await overture.client.get(`${base}/sending`)).body.data.assumedCount, 2)
    assert.equal((await overture.client.get(`${base}/metrics/series`)).body.data.series[0].totals.assumed, 2)
  })

  it('counts a message with an unknown outcome as sent when only earlier messages have copies', async () => {
    const { overture, sent, keepCopy, fates } = await inDoubt()
    await overture.ctx.db.inTransaction(tx =>
      tx.run(sql(`update sends set intended_at = intended_at + interval '1 second' where status = 'unknown'`)),
    )
    for (const id of sent) keepCopy(id)
    await overture.live(30 * MINUTE, MINUTE)
    assert.deepEqual(await fates(), [
      ['sent', 'assumed', 1],
      ['sent', 'assumed', 1],
    ])
  })

  it('does not count copies that Overture stores itself as evidence', async () => {
    // The server kept nothing when it was verified, so copies are ours, and say nothing about the message in doubt.
    const { overture, imap, sent, fates, smtp } = await inDoubt({})
    const countBefore = smtp.received.length
    const copies = () => imap.folders.get('Sent')!.messages.map(message => message.raw.toString('latin1'))
    await eventually('what was sent lies in the Sent folder', async () => sent.every(id => copies().some(raw => raw.includes(id))))
    assert.equal(copies().length, sent.length)
    await overture.live(30 * MINUTE, MINUTE)
    assert.equal(smtp.received.length, countBefore)
    assert.deepEqual(await fates(), [
      ['sent', 'assumed', 1],
      ['sent', 'assumed', 1],
    ])
  })

  it('counts a message as sent when the Sent folder of its neighbors is full', async () => {
    const { overture, imap, sent, keepCopy, fates, smtp } = await inDoubt()
    const countBefore = smtp.received.length
    for (const id of sent) keepCopy(id)
    imap.quota = { used: 102_300, limit: 102_400 }
    await overture.live(30 * MINUTE, MINUTE)
    assert.equal(smtp.received.length, countBefore)
    assert.deepEqual(await fates(), [
      ['sent', 'assumed', 1],
      ['sent', 'assumed', 1],
    ])
  })

  it('reports by events that a full mailbox refuses copies, although it sends, and when that ends', async () => {
    const { overture, imap, base, providerId } = await setUp()
    const mailbox = async () => (await overture.client.get(`${overture.home}/providers/${providerId}`)).body.data
    const reasons = async (type: string) =>
      (await overture.client.get(`${overture.home}/events?type=${type}`)).body.data.map(
        (event: { data: { reason: string | null } }) => event.data.reason,
      )
    const copyCount = () => imap.folders.get('Sent')!.messages.length
    imap.appendRefusal = 'NO [OVERQUOTA] Quota exceeded (mailbox for user is full)'
    await overture.work.tick()
    await eventually('the mailbox says so', async () => (await mailbox()).copiesFailing !== null)
    const said = 'Quota exceeded (mailbox for user is full)'
    assert.deepEqual((await mailbox()).copiesFailing, { reason: said, since: '2026-03-02T08:00:00.000Z' })
    assert.deepEqual([(await mailbox()).status, copyCount()], ['connected', 0])
    assert.deepEqual(await reasons('provider.copies_failing'), [said])

    imap.appendRefusal = null
    const leads = [{ email: 'late@people.example', firstName: 'late' }]
    await overture.client.operate('POST', `${base}/leads/import`, { leads })
    await overture.work.tick()
    await eventually('the mailbox says so', async () => (await mailbox()).copiesFailing === null)
    // Copies that the server had refused are there too, each once.
    assert.equal(copyCount(), (await overture.client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount)
    assert.deepEqual([await reasons('provider.copies_failing'), await reasons('provider.copies_stored')], [[said], [null]])

    // The reader of the inbox has the only connection that the account may have.
    imap.crowded = '[LIMIT] Maximum number of connections exceeded'
    await overture.client.operate('POST', `${base}/leads/import`, { leads: [{ email: 'last@people.example', firstName: 'last' }] })
    await overture.work.tick()
    await eventually('the mailbox says so', async () => /no more connections/.test((await mailbox()).copiesFailing?.reason ?? ''))
  })

  it('stores delayed copies later, except those that the server always refuses, and those to an erased person', async () => {
    const { overture, imap, base } = await setUp()
    const to = (name: string) => `${name}@people.example`
    const copied = () => ['ann', 'bob', 'cid', 'dan', 'eve', 'late'].filter(name => copyOf(name))
    const copyOf = (name: string) => imap.folders.get('Sent')!.messages.find(({ raw }) => raw.toString('latin1').includes(to(name)))
    imap.appendRefusal = 'NO [OVERQUOTA] The mailbox is full'
    await overture.work.tick()
    await eventually('the copies were refused', async () => imap.connectionCount === 0 && imap.commands.some(line => /APPEND/.test(line)))
    await erasePerson(overture.ctx, overture.workspaceId, to('bob'), new AbortController().signal)
    imap.appendRefusal = line => (line.includes(to('cid')) ? 'NO [CANNOT] The message is not liked' : null)
    await overture.client.operate('POST', `${base}/leads/import`, { leads: [{ email: to('late'), firstName: 'late' }] })
    await overture.work.tick()
    await eventually('the last one is stored', async () => copyOf('late') !== undefined)
    assert.deepEqual(copied(), ['ann', 'dan', 'eve', 'late'])
  })

  it('stores delayed copies in the current mailbox, without repeating a refused sign-in', async () => {
    const { overture, imap, providerId } = await setUp()
    const { ctx } = overture
    await overture.work.tick()
    const other = await TestImapServer.start({ user: 'ada', password: 'secret' })
    after(() => other.close())
    const [mailbox] = await listMailboxes(ctx.db, [providerId])
    const copies = new SentCopies(ctx, async () => {}, 20)
    after(() => copies.stop())
    const [send] = await ctx.db.many<{ id: string }>(sql('select id from sends where subject is not null limit 1'))
    const copy = (name: string) => {
      const messageId = `<${name}@sender.example>`
      return { sendId: send!.id, messageId, raw: Buffer.from(`Message-ID: ${messageId}\r\n\r\nHello\r\n`) }
    }
    const isStored = (name: string) => other.folders.get('Sent')!.messages.some(({ raw }) => raw.includes(`<${name}@`))
    imap.refusal = 'NO [UNAVAILABLE] not now'
    copies.add(mailbox!, copy('moved'))
    const move = sql(`
      update providers
      set settings = jsonb_set(settings, '{imap,port}', $2::jsonb)
      where id = $1`)
    await ctx.db.inTransaction(tx => tx.run(move, [providerId, String(other.port)]))
    await eventually('it is in the new mailbox', async () => isStored('moved'))

    const [moved] = await listMailboxes(ctx.db, [providerId])
    other.refusal = 'NO [AUTHENTICATIONFAILED] wrong user or password'
    copies.add(moved!, copy('unwelcome'))
    await eventually('the sign-in was refused', async () => other.refusedSignIns > 0)
    other.refusal = null
    await eventually('the next one is stored', async () => {
      copies.add(moved!, copy('next'))
      return isStored('next')
    })
    assert.ok(!isStored('unwelcome'), 'a sign-in that was refused is not repeated for what waited')
  })

  it('stores every copy except those that the server refuses, which delay no other and are retried, even when the worker stops', async () => {
    const { overture, imap, providerId } = await setUp()
    const [mailbox] = await listMailboxes(overture.ctx.db, [providerId])
    await overture.work.tick()
    const [send] = await overture.ctx.db.many<{ id: string }>(sql('select id from sends where subject is not null limit 1'))
    const said: (string | null)[] = []
    const NEVER_MS = HOUR
    const copies = new SentCopies(overture.ctx, async (_, refusal) => void said.push(refusal), NEVER_MS)
    const add = (n: number) => {
      const messageId = `<copy-${n}@sender.example>`
      copies.add(mailbox!, { sendId: send!.id, messageId, raw: Buffer.from(`Message-ID: ${messageId}\r\n\r\nHello\r\n`) })
    }
    const stored = () =>
      imap.folders
        .get('Sent')!
        .messages.flatMap(({ raw }) => /copy-(\d+)@/.exec(raw.toString())?.[1] ?? [])
        .map(Number)
    const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)
    // One of each of the first two batches.
    imap.appendRefusal = line => (/copy-(?:3|25)@/.test(line) ? 'NO [CANNOT] The message is not liked' : null)
    for (const n of numbers(0, 70)) add(n)
    await eventually('the last one is stored', async () => stored().includes(69))
    await eventually('the refusal is noted', async () => said.length > 0)
    assert.deepEqual(
      stored(),
      numbers(0, 70).filter(n => n !== 3 && n !== 25),
    )
    imap.appendRefusal = null
    for (const n of numbers(70, 120)) add(n)
    await copies.stop()
    assert.deepEqual(
      stored().sort((a, b) => a - b),
      numbers(0, 120),
    )
    assert.deepEqual(said, ['The message is not liked', null])
  })
})
