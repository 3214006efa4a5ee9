import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { newId } from '../../src/lib/ids.ts'
import type { SmtpAnswer } from '../../src/mail/transport/smtp-dialogue.ts'
import { lockContentRefusals } from '../../src/modules/mailboxes/queries.ts'
import { judgeAnswer, weighAnswer, weighTexts } from '../../src/modules/sending/outcomes.ts'
import { startMailServers, startOnServers } from '../correspondence.ts'
import { eventually } from '../faults/eventually.ts'
import type { ScriptedSmtp } from '../mail/smtp-script.ts'
import { deliveryReport, HOUR, MINUTE, startLiving } from '../sending.ts'

async function setUp(emails: string[], script?: ScriptedSmtp['script']) {
  const servers = await startMailServers(script)
  const { smtp, imap } = servers
  const overture = await startLiving()
  const leads = emails.map(email => ({ email, firstName: email.split('@')[0] }))
  const made = await startOnServers(overture, servers, { leads })
  const statuses = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await overture.client.get(`${made.base}/leads`)).body.data.map((lead: { email: string; status: string }) => [
        lead.email.split('@')[0],
        lead.status,
      ]),
    )
  const states = async () => ({
    campaign: (await overture.client.get(made.base)).body.data.status,
    mailbox: (await overture.client.get(`${overture.home}/providers/${made.providerId}`)).body.data.status,
  })
  return { smtp, imap, overture, ...made, statuses, states }
}

type Rejection = SmtpAnswer & { kind: 'rejected' }

const REFUSED = '550 5.7.1 Delivery not authorized, message refused'

describe('a refusal by a rule of the recipient', () => {
  it('stops only that recipient at RCPT, and is not retried forever', async () => {
    let refusals = 0
    const set = await setUp(['ann@one.example', 'bob@two.example', 'cid@three.example'], (point, line) => {
      if (point !== 'RCPT' || !line.includes('bob@')) return undefined
      refusals++
      return REFUSED
    })
    await set.overture.live(3 * HOUR, 10 * MINUTE)
    assert.deepEqual(await set.statuses(), { ann: 'contacted', bob: 'bounced', cid: 'contacted' })
    assert.deepEqual(await set.states(), { campaign: 'active', mailbox: 'connected' })
    assert.equal(refusals, 1)
  })

  it('stops only that recipient in a report, and the campaign when the recipients of three domains report', async () => {
    const set = await setUp(['ann@one.example', 'bob@two.example', 'cid@three.example', 'dan@one.example'])
    await set.overture.work.tick()
    await set.overture.work.inboxes.look()
    await set.imap.idling()
    const rows = await set.overture.ctx.db.many<{ email: string; messageId: string }>(
      sql(`select l.email, s.message_id as "messageId" from sends s join leads l on l.id = s.lead_id`),
    )
    const bounces = async () => (await set.overture.client.get(`${set.overture.home}/events?type=email.bounced`)).body.data
    let count = 0
    const report = async (email: string, status: string, said: string) => {
      set.imap.append('INBOX', deliveryReport(email, rows.find(row => row.email === email)!.messageId, status, said))
      count++
      await eventually('the report has been read', async () => (await bounces()).length === count)
      const latest = (await bounces()).find((event: { data: { email: string } }) => event.data.email === email)
      return [latest.data.kind, (await set.states()).campaign]
    }
    assert.deepEqual(await report('bob@two.example', '5.7.1', '550 5.7.1 blocked'), ['soft', 'active'])
    // Whatever it says, it is one recipient's word; and so are two of one domain.
    assert.deepEqual(await report('ann@one.example', '5.4.5', '550 5.4.5 Daily user sending limit exceeded'), ['sender_fault', 'active'])
    assert.deepEqual(await report('dan@one.example', '5.7.26', '550 5.7.26 SPF and DKIM fail'), ['sender_fault', 'active'])
    assert.deepEqual(await set.statuses(), { ann: 'contacted', bob: 'bounced', cid: 'contacted', dan: 'contacted' })
    assert.deepEqual(await set.states(), { campaign: 'active', mailbox: 'connected' })
    assert.equal((await report('cid@three.example', '5.7.1', '550 5.7.1 blocked'))[0], 'sender_fault')
    await eventually('the campaign stands still', async () => (await set.states()).campaign === 'attention_needed')
    assert.equal((await set.statuses()).cid, 'contacted')
  })

  it('is a problem of the mailbox when servers of three different domains refuse', async () => {
    const emails = ['ann@one.example', 'bob@one.example', 'cid@two.example']
    const set = await setUp([...emails, 'dan@three.example'], (point, line) =>
      point === 'RCPT' && line.includes('.example') && !line.includes('sender.example') ? REFUSED : undefined,
    )
    await set.overture.live(MINUTE, MINUTE)
    assert.deepEqual(await set.states(), { campaign: 'attention_needed', mailbox: 'connected' })
    const { attentionReason } = (await set.overture.client.get(`${set.base}/sending`)).body.data
    assert.match(attentionReason, /3 different domains refuse mail from this mailbox: 550 5\.7\.1/)
  })
})

describe('a refusal of the mailbox', () => {
  it('is found when the server does not relay mail: no lead bounces, and the mailbox shows it', async () => {
    const set = await setUp(['ann@one.example', 'bob@one.example'], (point, line) =>
      point === 'RCPT' && !line.includes('sender.example') ? '554 5.7.1 <someone@one.example>: Relay access denied' : undefined,
    )
    // After a quarter of an hour, and what the mailbox rests at that moment.
    for (let minutes = 0; minutes < 20 && (await set.states()).mailbox === 'connected'; minutes++) await set.overture.live(MINUTE, MINUTE)
    assert.deepEqual(await set.states(), { campaign: 'attention_needed', mailbox: 'disconnected' })
    // To sign in would still work, and says nothing.
    await set.overture.live(2 * HOUR, 10 * MINUTE)
    assert.deepEqual(await set.states(), { campaign: 'attention_needed', mailbox: 'disconnected' })
    assert.deepEqual(await set.statuses(), { ann: 'not_yet_contacted', bob: 'not_yet_contacted' })
  })

  it('of one recipient while others are accepted concerns that recipient', async () => {
    const set = await setUp(['ann@ann.example', 'bob@bob.example', 'cid@cid.example'], (point, line) => {
      if (point !== 'RCPT') return undefined
      if (line.includes('bob@')) return '421 4.7.0 Too busy'
      return line.includes('cid@') ? '550 5.7.23 The SPF check of the sender failed' : undefined
    })
    await set.overture.live(MINUTE, MINUTE)
    // Only what is accepted after a refusal proves something, so the others come one after another.
    for (const name of ['dan', 'eve', 'fay', 'gil', 'hal']) {
      const leads = [{ email: `${name}@${name}.example`, firstName: name }]
      await set.overture.client.operate('POST', `${set.base}/leads/import`, { leads })
      await set.overture.live(4 * MINUTE, MINUTE)
    }
    const { bob, cid, ...others } = await set.statuses()
    assert.deepEqual([bob, cid, [...new Set(Object.values(others))]], ['not_yet_contacted', 'bounced', ['contacted']])
    assert.deepEqual(await set.states(), { campaign: 'active', mailbox: 'connected' })
    const { reasons } = (await set.overture.client.get(`${set.base}/sending`)).body.data
    assert.ok(reasons.some((each: { reason: string }) => each.reason === 'recipient_deferred'))
  })

  it('is counted across workers and restarts', async () => {
    const names = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay', 'gil']
    const set = await setUp(
      names.map(name => `${name}@${name}.example`),
      (point, line) => (point === 'RCPT' && line.includes('cid@') ? '550 5.7.23 The SPF check of the sender failed' : undefined),
    )
    const { db } = set.overture.ctx
    const find = (email: string) =>
      db.first<{ id: string; mailboxId: string }>(
        sql(`select s.id, s.provider_id as "mailboxId" from sends s join leads l on l.id = s.lead_id where l.email = $1`),
        [email],
      )
    const sendTo = async (...added: string[]) => {
      const leads = added.map(name => ({ email: `${name}@${name}.example`, firstName: name }))
      if (leads.length > 0) await set.overture.client.operate('POST', `${set.base}/leads/import`, { leads })
      await set.overture.work.tick()
    }
    await sendTo()
    await sendTo('later')
    const cid = (await find('cid@cid.example'))!
    const { clock } = set.overture.ctx
    const answer: Rejection = {
      ...{ kind: 'rejected', permanent: true, code: 550, enhanced: '5.7.23', stage: 'rcpt_to', scope: 'mailbox' },
      response: '550 5.7.23 The SPF check of the sender failed',
    }
    const scopes: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      const weighed = await weighAnswer({ db, clock }, cid, answer)
      scopes.push(weighed.kind === 'rejected' ? weighed.scope : '')
    }
    assert.deepEqual(scopes, ['mailbox', 'recipient', 'recipient'])

    const spam: Rejection = { ...answer, enhanced: '5.7.1', stage: 'message', scope: 'text', response: '550 5.7.1 spam' }
    const deliver = (...answers: (SmtpAnswer & { id?: string; attempts?: number })[]) =>
      db.inTransaction(async tx => {
        const delivered = answers.map(({ id = newId(), attempts = 1, ...each }) => ({
          ...{ id, mailbox: { id: cid.mailboxId } },
          judged: judgeAnswer(each, attempts, clock.now()),
        }))
        const counts = await lockContentRefusals(tx, [cid.mailboxId])
        const weighed = await weighTexts(tx, 0, delivered, counts)
        return weighed.map(({ judged }) => (judged.attention ? 'stops' : judged.outcome.kind))
      })
    assert.deepEqual(await deliver(spam, spam), ['retry', 'retry'])
    // One that is accepted begins a new row, whichever worker has sent it and whatever came back with it.
    assert.deepEqual(await deliver({ kind: 'accepted', response: '250 ok' }, spam), ['sent', 'retry'])
    assert.deepEqual(await deliver(spam), ['retry'])
    // The last try of one of two, with nothing accepted since the first.
    assert.deepEqual(await deliver({ ...spam, attempts: 4 }), ['stops'])
    await sendTo('latest')
    assert.deepEqual(await deliver(spam), ['retry'])
    // A refusal that comes late, of a message that was found to be sent.
    const ann = (await find('ann@ann.example'))!
    assert.deepEqual(await deliver({ ...spam, id: ann.id }), ['retry'])
  })

  it('because of the message size stops the campaign with a reason, and bounces no lead', async () => {
    const set = await setUp(['ann@one.example', 'bob@two.example'])
    set.smtp.script = point => (point === 'DOT' ? '552 5.3.4 Message size exceeds fixed limit' : undefined)
    await set.overture.live(5 * MINUTE, MINUTE)
    assert.deepEqual(await set.statuses(), { ann: 'not_yet_contacted', bob: 'not_yet_contacted' })
    assert.deepEqual(await set.states(), { campaign: 'attention_needed', mailbox: 'connected' })
    const { attentionReason } = (await set.overture.client.get(`${set.base}/sending`)).body.data
    assert.match(attentionReason, /does not accept emails of this size: 552 5\.3\.4/)
  })

  it('because of the content stops the campaign at the third in a row, and bounces no lead once it is fixed', async () => {
    const set = await setUp(['ann', 'bob', 'cid', 'dan', 'eve'].map(name => `${name}@one.example`))
    for (const answer of ['550 5.7.1 Message content rejected as spam', '554 Transaction failed: policy violation']) {
      set.smtp.script = point => (point === 'DOT' ? answer : undefined)
      await set.overture.live(20 * MINUTE, MINUTE)
      assert.deepEqual(new Set(Object.values(await set.statuses())), new Set(['not_yet_contacted']))
      assert.deepEqual(await set.states(), { campaign: 'attention_needed', mailbox: 'connected' })
      const { attentionReason } = (await set.overture.client.get(`${set.base}/sending`)).body.data
      assert.match(attentionReason, new RegExp(`refused the content of the email: ${answer.slice(0, 7)}`))
      await set.overture.client.operate('POST', `${set.base}/resume`, {})
    }
    set.smtp.script = () => undefined
    await set.overture.live(HOUR, 5 * MINUTE)
    assert.deepEqual(new Set(Object.values(await set.statuses())), new Set(['contacted']))
  })

  it('because of the content of one message concerns that lead, which waits, is retried and bounces without being suppressed', async () => {
    const set = await setUp(['ann', 'cid'].map(name => `${name}@one.example`))
    await set.overture.live(MINUTE, MINUTE)
    let refusals = 0
    set.smtp.script = point => {
      if (point !== 'DOT') return undefined
      refusals++
      return '550 Administrative prohibition'
    }
    await set.overture.client.operate('POST', `${set.base}/leads/import`, { leads: [{ email: 'bob@one.example', firstName: 'Bob' }] })
    await set.overture.live(HOUR, 10 * MINUTE)
    assert.deepEqual(await set.statuses(), { ann: 'contacted', bob: 'not_yet_contacted', cid: 'contacted' })
    const { reasons } = (await set.overture.client.get(`${set.base}/sending`)).body.data
    assert.ok(reasons.some((each: { reason: string }) => each.reason === 'content_refused'))
    await set.overture.live(2 * HOUR, 10 * MINUTE)
    assert.deepEqual([(await set.statuses()).bob, refusals], ['bounced', 4])
    assert.deepEqual(await set.states(), { campaign: 'active', mailbox: 'connected' })
    assert.deepEqual((await set.overture.client.get(`${set.overture.home}/suppressions`)).body.data, [])
  })

  it('because of the content has its own attempts, however often the server deferred before', async () => {
    const set = await setUp(['ann', 'cid'].map(name => `${name}@one.example`))
    await set.overture.live(MINUTE, MINUTE)
    const answers = ['later', 'later', 'later', 'no', 'later', 'no', 'no']
    set.smtp.script = point => {
      if (point === 'RCPT' && answers[0] === 'later') return answers.shift() && '450 4.7.1 Greylisted'
      return point === 'DOT' && answers.shift() ? '550 5.7.1 Message content rejected' : undefined
    }
    await set.overture.client.operate('POST', `${set.base}/leads/import`, { leads: [{ email: 'bob@one.example', firstName: 'Bob' }] })
    const bob = () =>
      set.overture.ctx.db.first<{ attempts: number; isRefused: boolean }>(
        sql(`select attempts, refused_by_policy as "isRefused" from sends where status = 'queued'`),
      )
    while (answers.length > 2) await set.overture.live(5 * MINUTE, 5 * MINUTE)
    // It stays known as refused while the server says later, and its tries are counted from the first refusal on.
    assert.deepEqual(await bob(), { attempts: 2, isRefused: true })
    await set.overture.live(2 * HOUR, 10 * MINUTE)
    assert.deepEqual([answers, (await set.statuses()).bob], [[], 'bounced'])
  })
})
