import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { type Overture, startOverture } from '../harness.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { makeCampaign } from '../sending.ts'

const LEADS = [{ email: 'ann@people.example', firstName: 'Ann' }]
const ME = 'me@mine.example'

const send = ({ client }: Overture, base: string, body: object) => client.operate('POST', `${base}/sequence/test`, body)

describe('a test email', () => {
  it('is a step as a lead would receive it, sent at once, marked as a test, and not counted', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, home, ctx } = overture
    const { base, providerId } = await makeCampaign(overture, {
      leads: LEADS,
      activate: false,
      campaign: { trackOpens: true, trackClicks: true },
    })
    const { status, result, error } = await send(overture, base, { to: ME })
    assert.equal(status, 'succeeded', JSON.stringify(error))
    assert.deepEqual([result.to, result.subject, result.step], [ME, '[Test] A question for Ann', 0])
    assert.equal((await send(overture, base, { to: ME, step: 1 })).result.subject, '[Test] Re: A question for Ann')
    const messages = (await client.get(`${home}/providers/${providerId}/sandbox-messages`)).body.data
    assert.deepEqual(
      messages.map((message: { to: string; leadId: string | null }) => [message.to, message.leadId]),
      [
        [ME, null],
        [ME, null],
      ],
    )
    const first = messages.find((message: { subject: string }) => !message.subject.includes('Re:'))
    assert.match(first.text, /Hi Ann,\n\nsee https:\/\/product\.example\/tour/)
    assert.doesNotMatch(first.raw, /\/t\/[oc]\//, 'nothing is tracked')
    const { metrics } = (await client.get(`${base}/metrics`)).body.data
    assert.equal(metrics.emailsSentCount, 0)
    const [lead] = (await client.get(`${base}/leads`)).body.data
    assert.deepEqual([lead.status, lead.emailSent], ['not_yet_contacted', false])
    const sends = await ctx.db.first<{ count: number }>(sql('select count(*)::int as count from sends'))
    assert.equal(sends!.count, 0)
    const reactions = await ctx.db.first<{ count: number }>(sql('select count(*)::int as count from sandbox_reactions'))
    assert.equal(reactions!.count, 0)
  })

  it('is sent through the mail server of a real mailbox, and reports its refusal', async () => {
    let isRefusing = false
    const server = await ScriptedSmtp.start(point => (isRefusing && point === 'RCPT' ? '550 5.7.1 Not today' : undefined))
    after(() => server.close())
    const overture = await startOverture()
    after(() => overture.end())
    const provider = {
      kind: 'smtp',
      settings: { smtp: { host: '127.0.0.1', port: server.port, secure: false } },
      credentials: { username: 'ada', password: 'secret' },
    }
    const { base, providerId } = await makeCampaign(overture, { leads: LEADS, provider, activate: false })
    const untried = await send(overture, base, { to: ME })
    assert.deepEqual([untried.status, untried.error.code], ['failed', 'invalid_state'])
    await overture.client.post(`${overture.home}/providers/${providerId}/verify`, {})
    assert.equal((await send(overture, base, { to: ME })).status, 'succeeded')
    assert.equal(server.received.filter(raw => /^Subject: \[Test\] A question for Ann\r$/m.test(raw) && raw.includes(ME)).length, 1)
    isRefusing = true
    const refused = await send(overture, base, { to: ME })
    assert.equal(refused.status, 'failed')
    assert.match(refused.error.message, /Not today/)
  })

  it('cannot be used to email people: suppressed addresses are refused, and the rate is limited', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, home } = overture
    const { base } = await makeCampaign(overture, { leads: LEADS, activate: false })
    await client.post(`${home}/suppressions`, { kind: 'domain', value: 'gone.example' })
    const refused = await client.post(`${base}/sequence/test`, { to: 'x@gone.example' })
    assert.deepEqual([refused.status, refused.body.error.details.issues[0].rule], [422, 'suppressed'])
    assert.equal((await client.post(`${base}/sequence/test`, { to: 'nobody' })).status, 422)
    const replies = await Promise.all(Array.from({ length: 25 }, () => client.post(`${base}/sequence/test`, { to: ME })))
    const limited = replies.filter(reply => reply.status === 429)
    assert.equal(limited.length, 5)
    assert.match(limited[0]!.body.error.message, /20 test emails in an hour. Use the preview instead.$/)
    assert.ok(limited[0]!.headers['retry-after'])
  })

  it('uses the data of a lead only with leads:read', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { base } = await makeCampaign(overture, { leads: LEADS, activate: false })
    const [lead] = (await overture.client.get(`${base}/leads`)).body.data
    const limited = await overture.withScopes(['campaigns:write', 'operations:read'])
    assert.equal((await limited.post(`${base}/sequence/test`, { to: ME, leadId: lead.id })).status, 403)
    const { result } = await limited.operate('POST', `${base}/sequence/test`, { to: ME })
    assert.equal(result.subject, '[Test] A question for Alex')
  })
})
