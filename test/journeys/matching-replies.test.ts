import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CampaignWork } from '../../src/app/worker.ts'
import { sql } from '../../src/db/sql.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { letter, startCorrespondence } from '../correspondence.ts'
import { eventually } from '../faults/eventually.ts'
import { DAY, deliveryReport, HOUR } from '../sending.ts'

const YES = 'This looks great, could we set up a call next week?'
const NO = 'No thanks, we are not interested.'
const STOP = 'Please remove me from your list.'

type Correspondence = Awaited<ReturnType<typeof startCorrespondence>>

/** The leads of step 0 that get a second message after two weeks. */
async function followedUp({ overture }: Correspondence): Promise<string[]> {
  await overture.live(14 * DAY, 12 * HOUR)
  const rows = await overture.ctx.db.many<{ email: string }>(
    sql('select l.email from sends s join leads l on l.id = s.lead_id where s.step = 1 order by l.email'),
  )
  return rows.map(row => row.email.split('@')[0]!)
}

describe('a report that a message was not delivered', () => {
  it('changes nothing without the id of one of our messages, and is listed', async () => {
    const started = await startCorrespondence({ names: ['ann', 'bob', 'cid'] })
    const { imap, overture, begin, messageIds, statuses, events, unread, readUpTo } = started
    await begin()
    const sent = await messageIds()
    imap.append('INBOX', deliveryReport('ann@people.example', '<forged@people.example>', '5.1.1'))
    imap.append('INBOX', deliveryReport('bob@people.example', sent.bob!, '4.4.1').replace('Action: failed', 'Action: delayed'))
    imap.append('INBOX', deliveryReport('nobody@people.example', '<forged@people.example>', '5.1.1'))
    imap.append('INBOX', deliveryReport('cid@people.example', sent.cid!, '5.1.1'))
    // Written by a person, and about an address to which Bob forwards his mail.
    imap.append('INBOX', `Return-Path: <ann@people.example>\r\n${deliveryReport('ann@people.example', sent.ann!, '5.1.1')}`)
    imap.append('INBOX', `Return-Path: <>\r\n${deliveryReport('bob@home.example', sent.bob!, '5.1.1')}`)
    await readUpTo(6)
    assert.deepEqual(await statuses(), { ann: 'contacted', bob: 'contacted', cid: 'bounced' })
    assert.deepEqual((await events('email.bounced')).map(event => [event.data.email, event.data.kind]).sort(), [
      ['bob@people.example', 'soft'],
      ['cid@people.example', 'hard'],
    ])
    const suppressions = (await overture.client.get(`${overture.home}/suppressions`)).body.data as { value: string }[]
    assert.deepEqual(
      suppressions.map(({ value }) => value),
      ['cid@people.example'],
    )
    assert.deepEqual((await unread()).map(({ reason, uid }) => `${reason} ${uid}`).sort(), ['unproven_bounce 1', 'unproven_bounce 5'])
    assert.deepEqual(await followedUp(started), ['ann', 'bob'])
  })
})

describe('an uncertain reply', () => {
  it('stops the lead, does not mark it as interested, and needs review', async () => {
    const started = await startCorrespondence({ names: ['ann', 'bob', 'cid', 'dan'] })
    const { imap, begin, messageIds, statuses, events, readUpTo, overture } = started
    await begin()
    const sent = await messageIds()
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: 'Nie jestem zainteresowany.' }))
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, text: 'FYI' }))
    imap.append('INBOX', letter({ from: 'cid@people.example', inReplyTo: sent.cid!, text: YES }))
    const headers = ['Content-Type: multipart/report; report-type=disposition-notification; boundary=b']
    imap.append('INBOX', letter({ from: 'dan@people.example', inReplyTo: sent.dan!, headers, text: '--b\r\n\r\nSounds great!\r\n--b--' }))
    await readUpTo(4)
    assert.deepEqual(await statuses(), { ann: 'not_interested', bob: 'replied', cid: 'interested', dan: 'contacted' })
    const said = (await events('email.replied')).map(({ data }) => [data.email, data.kind, data.needsLook])
    assert.deepEqual(said, [
      ['ann@people.example', 'negative', true],
      ['bob@people.example', 'neutral', true],
      ['cid@people.example', 'positive', false],
    ])
    assert.equal((await events('ai_sdr.positive_reply')).length, 1)
    const stored = await overture.ctx.db.many<{ kind: string; needsLook: boolean }>(
      sql(`select kind, needs_look as "needsLook" from inbound_messages order by id`),
    )
    assert.deepEqual(
      stored.map(row => row.needsLook),
      [true, true, false, false],
    )
    assert.deepEqual(await followedUp(started), ['dan'])
  })
})

describe('a reply that arrives in an unusual way', () => {
  it('counts once in two mailboxes with the same inbox', async () => {
    const { imap, overture, begin, messageIds, events, startCampaign, readUpTo } = await startCorrespondence({ names: ['ann', 'bob'] })
    const alias = await startCampaign(['eve'], { provider: { fromEmail: 'sales@sender.example', name: 'Alias' } })
    await begin()
    const connected = () => [...imap.commands].filter(line => / IDLE$/.test(line)).length >= 2
    await eventually('both mailboxes are watched', connected)
    const sent = await messageIds()
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: NO }))
    imap.append('INBOX', letter({ from: 'bob@people.example', text: NO }).replace(/^Message-ID.*\r\n/m, ''))
    await readUpTo(2)
    await readUpTo(2, alias.providerId)
    assert.equal((await events('email.replied')).length, 2)
    imap.renumber('INBOX')
    imap.drop()
    await eventually('the inbox has been read again', async () => {
      const rows = await overture.ctx.db.many<{ cursor: { uidValidity: string; lastUid: number } }>(
        sql('select inbox_cursor as cursor from providers'),
      )
      return rows.every(({ cursor }) => cursor.uidValidity === '2' && cursor.lastUid === 2)
    })
    assert.equal((await events('email.replied')).length, 2)
  })

  it('counts once with two workers: one reads the inbox, and the other takes over when it stops', async () => {
    const { imap, overture, begin, messageIds, events, readUpTo } = await startCorrespondence({ names: ['ann', 'bob'] })
    const { ctx } = overture
    await begin()
    const sent = await messageIds()
    const identity = new WorkerIdentity(ctx.db, ctx.log)
    const other = new CampaignWork(ctx, identity)
    const signIns = () => imap.commands.filter(line => / (?:LOGIN|AUTHENTICATE) /.test(line)).length
    const before = signIns()
    await other.inboxes.look()
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: NO }))
    await readUpTo(1)
    assert.equal(signIns(), before)
    await overture.work.inboxes.stop()
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, text: NO }))
    await other.inboxes.look()
    await readUpTo(2)
    const answered = (await events('email.replied')).map(({ data }) => data.email)
    assert.deepEqual(answered, ['ann@people.example', 'bob@people.example'])
    // Before the database goes, which is the first that the end of the test takes away.
    await other.stop()
    await identity.close()
  })

  it('is an opt-out when a mail program sends it for the unsubscribe button, from any address and with any text', async () => {
    const started = await startCorrespondence({ names: ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gus', 'hal'] })
    const { imap, smtp, begin, messageIds, statuses, readUpTo } = started
    await begin()
    const subjectFor = (name: string) => {
      const message = smtp.received.find(raw => raw.includes(`${name}@people.example`))!
      const header = /^List-Unsubscribe: <https?:[^>]+>,\r\n <mailto:ada@sender\.example\?subject=([^>]+)>/m.exec(message)
      return decodeURIComponent(header![1]!)
    }
    const headers = ['Auto-Submitted: auto-generated']
    const text = 'This message was automatically generated. Sounds great!'
    imap.append('INBOX', letter({ from: 'private@elsewhere.example', subject: subjectFor('ann'), headers, text }))
    const forged = subjectFor('dan').replace(/.$/, last => (last === 'A' ? 'B' : 'A'))
    imap.append('INBOX', letter({ from: 'stranger@elsewhere.example', subject: forged, text: '' }))
    // The message to one lead was passed on to another.
    imap.append('INBOX', letter({ from: 'cid@people.example', subject: subjectFor('bob'), text: '' }))
    // Servers mark it, people forward it, and the quote may be a message to another person.
    const from = 'private@elsewhere.example'
    imap.append('INBOX', letter({ from, subject: `[EXTERNAL] ${subjectFor('eve')}`, headers, text }))
    imap.append('INBOX', letter({ from, subject: `***SPAM*** ${subjectFor('fay')} [EXT]`, headers, text }))
    const quoted = `> Message-ID: ${(await messageIds()).hal}`
    imap.append('INBOX', letter({ from, subject: `Fwd:${subjectFor('gus')}`, headers, text: `${text}\r\n\r\n${quoted}` }))
    await readUpTo(6)
    const left = ['ann', 'bob', 'cid', 'eve', 'fay', 'gus'].map(name => [name, 'unsubscribed'])
    assert.deepEqual(await statuses(), { ...Object.fromEntries(left), dan: 'contacted', hal: 'contacted' })
  })

  it('is matched by its quote, by a plain address, by ids in any spelling, and in the thread of a colleague', async () => {
    const names = ['ann', 'bob', 'cid+news', 'dan', 'eve', 'fay', 'gus', 'hal']
    const started = await startCorrespondence({ names })
    const { imap, smtp, begin, messageIds, statuses, readUpTo } = started
    await begin()
    const sent = await messageIds()
    const linkTo = (name: string) => {
      const message = smtp.received.find(raw => raw.includes(`${name}@people.example`))!
      return /https?:\/\/\S+?\/u\/[\w-]{46}/.exec(message.replaceAll('=\r\n', ''))![0]
    }
    const elsewhere = 'private@elsewhere.example'
    imap.append('INBOX', letter({ from: elsewhere, subject: 'your mail', text: `${NO}\r\n\r\n> stop: ${linkTo('ann')}` }))
    imap.append('INBOX', letter({ from: elsewhere, subject: 'Fwd: mail', text: `${NO}\r\n\r\n> Message-ID: ${sent.bob}` }))
    imap.append('INBOX', letter({ from: 'cid@people.example', subject: 'hello', text: NO }))
    imap.append('INBOX', letter({ from: elsewhere, inReplyTo: sent.dan!.slice(1, -1), text: NO }))
    imap.append('INBOX', letter({ from: elsewhere, inReplyTo: sent.eve!.toUpperCase(), text: NO }))
    imap.append('INBOX', letter({ from: 'boss@people.example', subject: 'AW: A question for fay', text: NO }))
    imap.append('INBOX', letter({ from: 'gus+work@people.example', subject: 'hello', text: NO }))
    imap.append('INBOX', letter({ from: 'boss@people.example', subject: 'Re: something else', text: NO }))
    await readUpTo(8)
    const all = Object.fromEntries(names.map(name => [name, name === 'hal' ? 'contacted' : 'not_interested']))
    assert.deepEqual(await statuses(), all)
    assert.deepEqual(await followedUp(started), ['hal'])
  })

  it('also stops the sequence of its author when they reply in the thread of another lead', async () => {
    const started = await startCorrespondence({ names: ['ann', 'bob', 'cid', 'dan', 'eve'] })
    const { imap, begin, messageIds, statuses, overture, readUpTo } = started
    await begin()
    const sent = await messageIds()
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.ann!, text: NO }))
    imap.append('INBOX', letter({ from: 'dan@people.example', inReplyTo: sent.cid!, text: STOP }))
    await readUpTo(2)
    const expected = { ann: 'not_interested', bob: 'replied', cid: 'unsubscribed', dan: 'unsubscribed', eve: 'contacted' }
    assert.deepEqual(await statuses(), expected)
    const suppressed = (await overture.client.get(`${overture.home}/suppressions`)).body.data as { value: string }[]
    assert.deepEqual(suppressed.map(({ value }) => value).sort(), ['cid@people.example', 'dan@people.example'])
    assert.deepEqual(await followedUp(started), ['eve'])
  })

  it('is found in the folder that a rule moves it to; in the spam folder only if it names our message', async () => {
    const started = await startCorrespondence({ names: ['ann', 'bob', 'cid', 'dan', 'eve', 'fay'] })
    const { imap, overture, begin, messageIds, statuses } = started
    imap.addFolder('Campaigns')
    imap.addFolder('Junk', '\\Junk')
    imap.addFolder('Trash', '\\Trash')
    await begin()
    const sent = await messageIds()
    imap.append('Trash', letter({ from: 'dan@people.example', inReplyTo: sent.dan!, text: NO }))
    imap.append('Junk', letter({ from: 'cid@people.example', text: NO }))
    // A recipient who writes in the name of another one stops nobody but themselves.
    imap.append('Junk', letter({ from: 'fay@people.example', inReplyTo: sent.eve!, text: STOP }))
    imap.append('Junk', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, text: NO }))
    imap.append('Campaigns', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: NO }))
    // A new connection looks into all folders at once, instead of after some seconds.
    imap.drop()
    const stopped = { ann: 'not_interested', bob: 'not_interested', eve: 'unsubscribed' }
    await eventually('the folders have been read', async () => {
      assert.deepEqual(await statuses(), { ...stopped, cid: 'contacted', dan: 'contacted', fay: 'contacted' })
      return true
    })
    const suppressed = (await overture.client.get(`${overture.home}/suppressions`)).body.data as { value: string }[]
    assert.deepEqual(
      suppressed.map(({ value }) => value),
      ['eve@people.example'],
    )
  })

  it('is not counted when it is a copy of our own message, or was written by the user', async () => {
    const started = await startCorrespondence({ names: ['ann', 'bob'] })
    const { imap, smtp, begin, messageIds, statuses, events, readUpTo } = started
    await begin()
    const sent = await messageIds()
    for (const raw of smtp.received) imap.append('INBOX', raw)
    const copies = smtp.received.length
    imap.append('INBOX', letter({ from: 'Ada <ada@sender.example>', to: 'ann@people.example', inReplyTo: sent.ann!, text: YES }))
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, text: NO }))
    await readUpTo(copies + 2)
    assert.deepEqual(await statuses(), { ann: 'contacted', bob: 'not_interested' })
    assert.equal((await events('email.replied')).length, 1)
  })
})

describe('a person in several campaigns', () => {
  it('is not emailed by any of them after a positive reply, an opt-out or a bounce in one', async () => {
    const names = ['ann', 'bob', 'cid', 'dan']
    const started = await startCorrespondence({ names })
    const { imap, begin, messageIds, startCampaign, leadsOf, events, readUpTo } = started
    const other = await startCampaign(names, { provider: { fromEmail: 'sales@sender.example', name: 'Other' } })
    await begin()
    const sent = await messageIds()
    imap.append('INBOX', letter({ from: 'ann@people.example', inReplyTo: sent.ann!, text: YES }))
    imap.append('INBOX', letter({ from: 'bob@people.example', inReplyTo: sent.bob!, text: STOP }))
    imap.append('INBOX', deliveryReport('cid@people.example', sent.cid!, '5.1.1'))
    imap.append('INBOX', letter({ from: 'dan@people.example', inReplyTo: sent.dan!, text: NO }))
    await readUpTo(4)
    assert.deepEqual(await leadsOf(other.base), { ann: 'skipped', bob: 'unsubscribed', cid: 'bounced', dan: 'contacted' })
    const told = (await events('lead.status_changed')).map(({ data }) => data).filter(data => /_in_other_campaign$/.test(String(data.by)))
    assert.deepEqual(
      told.map(({ email, campaignId, by }) => [email, campaignId, by]),
      [
        ['ann@people.example', other.campaignId, 'positive_reply_in_other_campaign'],
        ['bob@people.example', other.campaignId, 'opt_out_in_other_campaign'],
        ['cid@people.example', other.campaignId, 'bounce_in_other_campaign'],
      ],
    )
    // A lead who declined in one campaign may still get messages of the other.
    assert.deepEqual(await followedUp(started), ['dan'])
  })
})
