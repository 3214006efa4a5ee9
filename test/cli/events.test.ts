import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { apiDocument } from '../../src/cli/api/document.ts'
import { recordEvent } from '../../src/modules/events/events.ts'
import { problemsWith } from '../contract/openapi-check.ts'
import { makeCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'
import { InProcess } from './in-process.ts'

interface Taken {
  headers: IncomingHttpHeaders
  body: string
}

/** A receiver with the given statuses, in this order, and then 204. */
async function startReceiver(...answers: number[]) {
  const taken: Taken[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', piece => (body += piece))
    request.on('end', () => {
      taken.push({ headers: request.headers, body })
      response.writeHead(answers.shift() ?? 204, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => void server.close())
  return { taken, url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hook` }
}

describe('events at the command line', () => {
  let overture: Overture
  let line: InProcess
  let campaign: { id: string }
  before(async () => {
    overture = await startOverture()
    line = new InProcess(overture)
    campaign = await makeCampaign(overture, { name: 'Spring' })
  })

  const rename = async (name: string) => {
    const { id, updatedAt } = (await overture.client.get(`${overture.home}/campaigns/${campaign.id}`)).body.data
    await overture.client.operate('PUT', `${overture.home}/campaigns/${id}/settings`, { name }, { 'if-match': updatedAt })
  }
  const lines = (text: string) => text.trim().split('\n')

  it('are printed as they happen, and continue after a lost connection', async () => {
    const tail = line.start(['tail', '--type', 'campaign.updated', '--type', 'operation.succeeded'])
    await tail.until('Following the events after')
    // No request can store such a name, but a terminal must not depend on that.
    const data = { campaignId: campaign.id, name: 'Red \u009b31m', changed: ['name'] }
    const { ctx, workspaceId } = overture
    await ctx.db.inTransaction(async tx => recordEvent(tx, { workspaceId, type: 'campaign.updated', timestamp: new Date(), data }))
    await tail.until('name=Red')
    await rename('Green')
    const seen = await tail.until('campaign.update_settings')
    assert.match(seen, /^\d\d:\d\d:\d\d +\d+ {2}campaign\.updated +name=Red \ufffd31m/m)
    overture.app.server.closeAllConnections()
    // The connection of the test's own client was closed, too.
    await rename('Blue').catch(() => rename('Blue'))
    await tail.until('name=Blue')
    await tail.until('Reconnected')
    const { code } = await tail.stop()
    assert.equal(code, 130)
  })

  it('are printed from the beginning, for one campaign, as lines of JSON', async () => {
    const other = await makeCampaign(overture, { name: 'Other' })
    await overture.client.operate(
      'PUT',
      `${overture.home}/campaigns/${other.id}/settings`,
      { name: 'Others' },
      { 'if-match': '2020-01-01T00:00:00.000Z' },
    )
    const tail = line.start(['tail', '--after', '0', '--campaign', 'Others', '--json'])
    assert.equal((await tail.ended).code, 4)
    const all = line.start(['tail', '--after', '0', '--campaign', other.id, '--json'])
    await all.until('operation.failed')
    const events = lines((await all.stop()).out).map(text => JSON.parse(text))
    assert.ok(events.every(({ data }) => data.campaignId === other.id))
  })

  it('fail at once if there is no service', async () => {
    const { code, err } = await line.run(['tail'], { env: { OVERTURE_URL: 'http://127.0.0.1:9' } })
    assert.equal(code, 6)
    assert.match(err, /Next: overture start/)
    assert.match((await line.run(['tail', '--type', 'email.snet'])).err, /Did you mean email\.sent\?/)
  })

  it('are forwarded in order with the signature of a webhook, and repeated if they are refused', async () => {
    const { taken, url } = await startReceiver(500, 307)
    const listening = line.start(['listen', '--forward-to', url, '--type', 'campaign.updated', '--json'])
    await listening.until('secret')
    await rename('First')
    await rename('Second')
    // A redirect is not followed: the third attempt brings the first event, and the second event comes after it.
    await listening.until('"attempt":3')
    while (taken.length < 4) await new Promise(resolve => setTimeout(resolve, 20))
    await listening.until(`"seq":${JSON.parse(taken[3]!.body).seq},`)
    const { out, err } = await listening.stop()
    const [head, ...attempts] = lines(out).map(text => JSON.parse(text))
    assert.deepEqual(
      attempts.map(({ attempt, status }) => [attempt, status]),
      [
        [1, 500],
        [2, 307],
        [3, 204],
        [1, 204],
      ],
    )
    assert.equal(taken.length, 4)
    assert.equal(new Set(taken.slice(0, 3).map(({ body }) => body)).size, 1)
    for (const { headers, body } of taken) {
      const event = new Webhook(head.secret).verify(body, headers as Record<string, string>) as Record<string, unknown>
      assert.deepEqual(Object.keys(event), ['id', 'type', 'timestamp', 'workspaceId', 'seq', 'data'])
      assert.equal(headers['webhook-id'], event.id)
    }
    assert.match(err, new RegExp(`--after ${JSON.parse(taken[3]!.body).seq}$`, 'm'))
  })

  it('are the same bytes that a webhook endpoint gets', async () => {
    const [hook, forwarded] = [await startReceiver(), await startReceiver()]
    const { body } = await overture.client.post(`${overture.home}/webhooks`, { url: hook.url, events: ['campaign.updated'] })
    const listening = line.start(['listen', '--forward-to', forwarded.url, '--type', 'campaign.updated', '--secret', body.data.secret])
    await listening.until('Secret')
    await rename('Same')
    await listening.until('204')
    await listening.stop()
    while (hook.taken.length === 0) await new Promise(resolve => setTimeout(resolve, 20))
    const [left, right] = [hook.taken[0]!, forwarded.taken[0]!]
    assert.equal(left.body, right.body)
    for (const name of ['webhook-id', 'content-type', 'user-agent']) assert.equal(left.headers[name], right.headers[name])
    new Webhook(body.data.secret).verify(right.body, right.headers as Record<string, string>)
  })

  it('can be generated for every type, as the document describes it', async () => {
    const { taken, url } = await startReceiver()
    const { data: types } = await line.json(['trigger'])
    assert.deepEqual(types, Object.keys(apiDocument().webhooks))
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    for (const type of types) {
      const { code, err } = await line.run(['trigger', type, '--forward-to', url, '--secret', secret])
      assert.equal(code, 0, err)
      const { body, headers } = taken.at(-1)!
      const event = new Webhook(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>
      assert.equal(event.type, type)
      assert.equal(problemsWith('Event', { ...event, links: { self: 'https://example.com/' } }), null, type)
    }
  })

  it('can be generated with custom fields, and fail if the receiver refuses them', async () => {
    const event = await line.json(['trigger', 'email.replied', '--set', 'email=bob@example.com', '--set', 'step=3'])
    assert.deepEqual([event.data.email, event.data.step], ['bob@example.com', 3])
    assert.equal((await line.run(['trigger', 'email.replied', '--set', 'emial=x'])).code, 2)
    for (const wish of ['step=-1', 'step=1.5', 'campaignId=7', 'leadId=null']) {
      const { code, err } = await line.run(['trigger', 'email.replied', '--set', wish])
      assert.equal(code, 2, wish)
      assert.match(err, /No email\.replied can have this: data\.\w+ must |--\w+ must be/, wish)
    }
    assert.match((await line.run(['trigger', 'email.reply'])).err, /Did you mean email\.replied\?/)
    const { url } = await startReceiver(410)
    const refused = await line.run(['trigger', 'email.sent', '--forward-to', url])
    assert.equal(refused.code, 1)
    assert.match(refused.err, /it returned 410/)
    const absent = await line.run(['trigger', 'email.sent', '--forward-to', 'http://127.0.0.1:9/'])
    assert.match(absent.err, /did not accept the event: bad port/)
    assert.equal((await line.run(['trigger', 'email.sent', '--forward-to', 'ftp://127.0.0.1/'])).code, 2)
    assert.equal((await line.run(['listen'])).code, 2)
    assert.equal((await line.run(['listen', '--forward-to', url, '--secret', 'easy'])).code, 2)
  })
})
