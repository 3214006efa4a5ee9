import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { letter, startCorrespondence } from '../correspondence.ts'
import { eventually } from '../faults/eventually.ts'
import { full } from '../full.ts'
import { deliveryReport } from '../sending.ts'

const OPT_OUT = 'Please remove me from your list.'

describe('an inbox with mail from strangers', () => {
  it('continues after an unreadable message, and lists it', async () => {
    const { imap, overture, home, begin, messageIds, statuses, unread, readUpTo, providerId } = await startOf(['ann', 'bob'])
    await begin()
    const sent = await messageIds()
    const nested = 'Content-Type: multipart/mixed; boundary=b'
    imap.append('INBOX', letter({ from: 'x@strangers.example', headers: [nested], text: `--b\r\n${nested}\r\n\r\n`.repeat(60) }))
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: OPT_OUT }))
    await eventually('the opt-out has been read', async () => (await statuses()).ann === 'unsubscribed')
    assert.deepEqual(
      (await unread()).map(({ reason, folder, uid }) => ({ reason, folder, uid })),
      [{ reason: 'unreadable', folder: 'INBOX', uid: 1 }],
    )
    const page = await overture.client.get(`${home}/providers/${providerId}/unread-messages?limit=1`)
    assert.equal(page.body.meta.pagination.hasMore, false)
    // After a renumbering it is known, and not read again.
    imap.renumber('INBOX')
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, text: OPT_OUT }))
    imap.drop()
    await eventually('the next opt-out has been read', async () => (await statuses()).bob === 'unsubscribed')
    await readUpTo(3)
    assert.equal((await unread()).length, 1)
  })

  // src/mail/inbound/mail-reader.test.ts gives up such a message in every run, and the next test reads on behind one.
  it('continues after a message that is too expensive to read, which is listed and stays in the mailbox', full, async () => {
    const { imap, begin, messageIds, statuses, unread, events, readUpTo } = await startOf(['ann', 'bob', 'cid'])
    await begin()
    const sent = await messageIds()
    // No message costs too much of which no more is handed out than is asked for.
    imap.ignoresLimits = true
    const costly = `${'x'.repeat(57)}€\n`.repeat(520_000)
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: `${costly}${OPT_OUT}` }))
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, text: OPT_OUT }))
    await eventually('the opt-out behind it has been read', async () => (await statuses()).bob === 'unsubscribed', 180_000)
    imap.append('INBOX', letter({ from: 'cid@people.example', inReplyTo: sent.cid!, text: 'Not interested, thanks.' }))
    await readUpTo(3)
    assert.deepEqual(await statuses(), { ann: 'contacted', bob: 'unsubscribed', cid: 'not_interested' })
    assert.deepEqual(
      (await unread()).map(({ reason, folder, uid }) => ({ reason, folder, uid })),
      [{ reason: 'too_expensive', folder: 'INBOX', uid: 1 }],
    )
    assert.equal((await events('email.replied')).length, 2)
    assert.ok(!imap.commands.some(command => /EXPUNGE|STORE|MOVE/i.test(command)))
  })

  it('continues after messages that the database refuses, each of which is read itself', async () => {
    const { imap, begin, messageIds, statuses, unread, events, readUpTo } = await startOf(['ann', 'bob', 'cid', 'dan'])
    await begin()
    const sent = await messageIds()
    const lastOfPage = 'I would love to hear more, '.padEnd(1999, 'x')
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: `${lastOfPage}👍 yes` }))
    imap.append(
      'INBOX',
      letter({ from: 'bob@people.example', inReplyTo: sent.bob!, subject: 'Re: a\0b', text: `No\0 thanks, not interested.` }),
    )
    const lone = Buffer.from('\ud83d', 'utf16le').toString('base64')
    const headers = ['Content-Type: text/plain; charset=utf-16le', 'Content-Transfer-Encoding: base64']
    imap.append('INBOX', letter({ from: 'cid@people.example', inReplyTo: sent.cid!, headers, text: lone }))
    imap.append('INBOX', letter({ from: 'dan@people.example', inReplyTo: sent.dan!, text: OPT_OUT }))
    await readUpTo(4)
    assert.equal((await statuses()).dan, 'unsubscribed')
    assert.equal((await events('email.replied')).length, 4)
    assert.deepEqual(await unread(), [])
  })

  it('lists no message as unreadable because a row is locked, and records it later', async () => {
    const { imap, overture, begin, messageIds, statuses, unread, events, readUpTo } = await startOf(['ann', 'bob'])
    await begin()
    const sent = await messageIds()
    const { pool } = overture.ctx.db
    await pool.query(`
      create sequence tries;
      create function lock_not_available() returns trigger language plpgsql as
      $$ begin
        perform nextval('tries');
        raise exception 'canceling statement due to lock timeout' using errcode = '55P03';
      end $$;
      create trigger locked before insert on events for each row when (new.data->>'subject' = 'locked') execute function lock_not_available()`)
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, subject: 'locked', text: OPT_OUT }))
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, text: OPT_OUT }))
    await eventually('it was tried in vain, twice', async () => (await pool.query('select last_value from tries')).rows[0].last_value >= 2)
    const { inbox_state, inbox_reason } = (await pool.query('select inbox_state, inbox_reason from providers')).rows[0]
    assert.equal(inbox_state, 'unread')
    assert.match(inbox_reason, /^New messages were found, but Overture could not store them yet/)
    await pool.query('drop trigger locked on events')
    await readUpTo(2)
    assert.deepEqual(await statuses(), { ann: 'unsubscribed', bob: 'unsubscribed' })
    assert.deepEqual(await unread(), [])
    assert.deepEqual(await events('provider.inbox_unreadable'), [])
  })

  it('lists a message as unreadable after the database timed out twice, not once', async () => {
    const { imap, overture, begin, messageIds, statuses, unread, readUpTo } = await startOf(['ann', 'bob'])
    await begin()
    const sent = await messageIds()
    // A sequence keeps its count after a rollback.
    await overture.ctx.db.pool.query(`
      create sequence busy;
      create function query_canceled() returns trigger language plpgsql as
      $$ begin
        if new.data->>'subject' = 'slow' or nextval('busy') = 1 then
          raise exception 'canceling statement due to statement timeout' using errcode = '57014';
        end if;
        return new;
      end $$;
      create trigger slow before insert on events for each row when (new.data ? 'subject') execute function query_canceled()`)
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: OPT_OUT }))
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, subject: 'slow', text: 'Hello there' }))
    await readUpTo(2)
    assert.deepEqual(await statuses(), { ann: 'unsubscribed', bob: 'contacted' })
    assert.deepEqual(
      (await unread()).map(({ reason, uid }) => ({ reason, uid })),
      [{ reason: 'not_recorded', uid: 2 }],
    )
  })

  it('stops a campaign because of recorded reports, even when the campaign is locked', async () => {
    const addresses = ['ann@one.example', 'bob@two.example', 'cid@three.example']
    const leads = addresses.map(email => ({ email, firstName: 'Sam' }))
    const { imap, overture, base, begin, messageIds, readUpTo } = await startCorrespondence({ names: [], leads })
    await begin()
    const sent = await messageIds()
    const holder = await overture.ctx.db.pool.connect()
    await holder.query('begin; select from campaigns for no key update')
    for (const address of addresses) {
      const said = '550 5.7.26 This mail is unauthenticated: SPF and DKIM failed'
      imap.append('INBOX', deliveryReport(address, sent[address.split('@')[0]!]!, '5.7.26', said))
    }
    await readUpTo(addresses.length)
    const tries = new Set<number>()
    await eventually('it has waited in vain, and waits again', async () => {
      const { rows } = await overture.ctx.db.pool.query(`
        select extract(epoch from query_start)::float8 as at from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%campaigns%'`)
      for (const { at } of rows) tries.add(at)
      return tries.size >= 2
    })
    await holder.query('rollback')
    holder.release()
    const statusOf = async () => (await overture.client.get(base)).body.data.status
    await eventually('it has stopped', async () => (await statusOf()) === 'attention_needed')
  })

  it('lists only the message that cannot be recorded for an unforeseen reason', async () => {
    const { imap, overture, begin, messageIds, statuses, unread, readUpTo } = await startOf(['ann', 'bob', 'cid'])
    await begin()
    const sent = await messageIds()
    // The event of a reply is written last of all, when the message itself has been taken in.
    await overture.ctx.db.pool.query(`alter table events add check (data->>'subject' is distinct from 'poison')`)
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: 'Not interested, thanks.' }))
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, subject: 'poison', text: 'Hello there' }))
    imap.append('INBOX', letter({ from: 'cid@people.example', inReplyTo: sent.cid!, text: OPT_OUT }))
    await readUpTo(3)
    assert.deepEqual(await statuses(), { ann: 'not_interested', bob: 'contacted', cid: 'unsubscribed' })
    assert.deepEqual(
      (await unread()).map(({ reason, uid }) => ({ reason, uid })),
      [{ reason: 'not_recorded', uid: 2 }],
    )
  })
})

const startOf = async (names: string[]) => {
  const started = await startCorrespondence({ names })
  return { ...started, home: started.overture.home }
}
