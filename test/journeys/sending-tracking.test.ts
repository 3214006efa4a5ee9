import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/client.ts'
import { HOUR, makeCampaign, startLiving, TWO_STEPS } from '../sending.ts'

const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
const FORM = 'application/x-www-form-urlencoded'

async function sendOne(campaign: Record<string, unknown> = {}, steps = TWO_STEPS) {
  const overture = await startLiving()
  const made = await makeCampaign(overture, {
    leads: [{ email: 'silent@people.example', firstName: 'Sam' }],
    steps,
    campaign: { trackOpens: true, trackClicks: true, ...campaign },
  })
  await overture.sending.tick()
  overture.clock.advance(HOUR)
  const [message] = (await overture.client.get(`${overture.home}/providers/${made.providerId}/sandbox-messages`)).body.data
  const html: string = message.html ?? ''
  const [lead] = (await overture.client.get(`${made.base}/leads`)).body.data
  return {
    overture,
    ...made,
    lead,
    html,
    pixel: /src="([^"]+\/t\/o\/[^"]+)"/.exec(html)?.[1] ?? '',
    link: /href="([^"]+\/t\/c\/[^"]+)"/.exec(html)?.[1] ?? '',
    unsubscribe: /(http\S+\/u\/[\w-]+)/.exec(message.text)![1]!,
    visit: (method: string, url: string, headers: Record<string, string> = { 'user-agent': READER }, raw?: string) =>
      overture.client.send(method, url, undefined, { token: null, headers, ...(raw === undefined ? {} : { raw }) }),
    metrics: async () => (await overture.client.get(`${made.base}/metrics`)).body.data.metrics,
  }
}

describe('the links in an e-mail', () => {
  it('count the opens of people, and keep those of machines apart', async () => {
    const { visit, pixel, metrics, overture, base, lead } = await sendOne()
    const reply = await visit('GET', pixel)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['content-type'], 'image/gif')
    await visit('GET', pixel)
    await visit('GET', pixel, { 'user-agent': 'curl/8.0' })
    await visit('HEAD', pixel)
    const { openCount, uniqueOpenCount } = await metrics()
    assert.deepEqual([openCount, uniqueOpenCount], [2, 1])
    assert.equal((await overture.client.get(`${base}/leads/${lead.id}`)).body.data.emailOpenCount, 2)
    const opens = (await overture.client.get(`${overture.home}/events?type=email.opened`)).body.data
    assert.deepEqual(
      opens.map((event: { data: { machine: boolean } }) => event.data.machine),
      [false, false, true, true],
    )
  })

  it('lead where the link was meant to lead, and nowhere else', async () => {
    const { visit, link, metrics } = await sendOne()
    const reply = await visit('GET', link)
    assert.equal(reply.status, 302)
    assert.equal(reply.headers.location, 'https://product.example/tour')
    assert.equal((await metrics()).linkClickCount, 1)
    const tampered = link.slice(0, -4) + (link.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    assert.equal((await visit('GET', tampered)).status, 404)
    assert.equal((await visit('GET', `${link}?url=https://evil.example`)).status, 400)
  })

  it('unsubscribe by POST only, with one click, for good', async () => {
    const { visit, unsubscribe, overture, base, lead, metrics } = await sendOne()
    const page = await visit('GET', unsubscribe)
    assert.equal(page.status, 200)
    assert.match(page.body, /s\*\*\*@people\.example/)
    assert.equal((await overture.client.get(`${base}/leads/${lead.id}`)).body.data.status, 'contacted')
    const done = await visit('POST', unsubscribe, { 'content-type': FORM }, 'List-Unsubscribe=One-Click')
    assert.equal(done.status, 200)
    assert.equal((await visit('POST', unsubscribe, { 'content-type': FORM }, 'List-Unsubscribe=One-Click')).status, 200)
    assert.equal((await overture.client.get(`${base}/leads/${lead.id}`)).body.data.status, 'unsubscribed')
    assert.equal((await metrics()).unsubscribedCount, 1)
    assert.equal((await overture.client.get(`${overture.home}/suppressions`)).body.data.length, 1)
  })

  it('are left as they are when tracking is switched off', async () => {
    const { pixel, link, html } = await sendOne({ trackOpens: false, trackClicks: false })
    assert.deepEqual([pixel, link, html], ['', '', ''])
  })

  it('lead to addresses of any spelling, in the form that a header can hold', async () => {
    const written = 'https://bücher.example/größe?q=ä b&r="x"#ö'
    const href = written.replaceAll('"', '&quot;')
    const { visit, link, overture, campaignId } = await sendOne({}, [
      { delayDays: 0, variants: [{ subject: 'Hi', body: `<p>See <a href="${href}">our shelf</a></p>` }] },
    ])
    const expected = 'https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe?q=%C3%A4%20b&r=%22x%22#%C3%B6'
    assert.equal((await visit('GET', link)).headers.location, expected)
    // As messages of earlier versions kept them.
    await overture.ctx.db.inTransaction(tx => tx.run(sql('update sends set links = $2 where campaign_id = $1'), [campaignId, [written]]))
    const reply = await visit('GET', link)
    assert.deepEqual([reply.status, reply.headers.location], [302, expected])
  })

  it('are not measured unless that is asked for, and the message stays plain text', async () => {
    const { html, overture, base } = await sendOne({ trackOpens: undefined, trackClicks: undefined })
    assert.equal(html, '')
    const { trackOpens, trackClicks } = (await overture.client.get(base)).body.data
    assert.deepEqual([trackOpens, trackClicks], [false, false])
  })

  it('and the token in them has one spelling', async () => {
    const { visit, unsubscribe } = await sendOne()
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(unsubscribe.at(-1)!)
    const other = unsubscribe.slice(0, -1) + alphabet[last ^ 1]
    assert.deepEqual([(await visit('GET', unsubscribe)).status, (await visit('GET', other)).status], [200, 404])
  })
})
