import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { HOUR, makeCampaign, startLiving, TWO_STEPS } from '../sending.ts'

const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
const FORM = 'application/x-www-form-urlencoded'

async function sendOne(
  campaign: Record<string, unknown> = {},
  steps = TWO_STEPS,
  { lead: more = {}, provider = {} }: { lead?: Record<string, unknown>; provider?: Record<string, unknown> } = {},
) {
  const overture = await startLiving()
  const made = await makeCampaign(overture, {
    leads: [{ email: 'silent@people.example', firstName: 'Sam', ...more }],
    provider,
    steps,
    campaign: { trackOpens: true, trackClicks: true, ...campaign },
  })
  await overture.work.tick()
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

describe('the messages of a sandbox', () => {
  it('are shown with leads:read, and their links that unsubscribe only to callers who may suppress people', async () => {
    const { overture, providerId, unsubscribe } = await sendOne()
    const token = unsubscribe.split('/').at(-1)!
    const path = `${overture.home}/providers/${providerId}/sandbox-messages`
    const shownTo = async (...scopes: string[]) => (await (await overture.withScopes(scopes)).get(path)).body.data[0]
    assert.ok((await shownTo('leads:read', 'suppressions:write')).raw.includes(token))
    const message = await shownTo('leads:read')
    assert.ok(!JSON.stringify(message).includes(token), message.raw)
    assert.match(message.raw, /^Subject: .*\r\n\r\n$/ms)
    // They name leads and contain what was written to them.
    const refused = await (await overture.withScopes(['providers:read'])).get(path)
    assert.deepEqual([refused.status, refused.body.error.details.requiredScope], [403, 'leads:read'])
  })
})

describe('the links in an email', () => {
  it('count the opens of people, and store those of machines separately', async () => {
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

  it('redirect to the stored address only', async () => {
    const { visit, link, metrics } = await sendOne()
    const reply = await visit('GET', link)
    assert.equal(reply.status, 302)
    assert.equal(reply.headers.location, 'https://product.example/tour')
    assert.equal((await metrics()).linkClickCount, 1)
    const tampered = link.slice(0, -4) + (link.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    assert.equal((await visit('GET', tampered)).status, 404)
    // Additions of mail programs to a link neither break it nor lead elsewhere.
    const decorated = await visit('GET', `${link}?url=https://evil.example&fbclid=1&fbclid=2`)
    assert.deepEqual([decorated.status, decorated.headers.location], [302, 'https://product.example/tour'])
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

  it('ask for confirmation with the address and the consequence, and then show how to undo it', async () => {
    const provider = { fromName: 'Ada <b>"Lovelace"', replyTo: 'office@sender.example' }
    const { visit, unsubscribe, overture, base, lead, providerId } = await sendOne({}, TWO_STEPS, { provider })
    const browser = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'pt-BR,de-AT;q=0.7,en;q=0.5' }
    const status = async () => (await overture.client.get(`${base}/leads/${lead.id}`)).body.data.status
    const ask = await visit('GET', unsubscribe, browser)
    assert.match(ask.body, /<html lang="de">.*Abmelden\?.*Wenn Sie auf die Schaltfläche klicken.*Bisher wurde nichts geändert/)
    assert.match(ask.body, /<b>Ada &lt;b&gt;&quot;Lovelace&quot;<\/b> \(ada@sender\.example\).*s\*\*\*@people\.example/)
    assert.doesNotMatch(ask.body, /Sie sind abgemeldet|<script|silent@/)
    assert.equal(ask.body.split('<button>').length, 2)
    assert.match(String(ask.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-/)
    await visit('HEAD', unsubscribe, browser)
    await visit('GET', `${unsubscribe}?utm_source=scanner`, browser)
    assert.equal(await status(), 'contacted')

    const done = await visit('POST', `${unsubscribe}?utm_source=scanner`, { ...browser, 'content-type': FORM }, '')
    assert.match(done.body, /Sie sind abgemeldet.*mailto:office@sender\.example/)
    assert.equal(await status(), 'unsubscribed')
    const again = await visit('GET', unsubscribe, browser)
    assert.match(again.body, /Sie haben sich bereits abgemeldet/)
    assert.doesNotMatch(again.body, /<button>/)

    // A user removes it. The person unsubscribes again, and that applies.
    const [suppression] = (await overture.client.get(`${overture.home}/suppressions`)).body.data
    await overture.client.delete(`${overture.home}/suppressions/${suppression.id}`)
    assert.match((await visit('GET', unsubscribe, browser)).body, /<button>/)
    await visit('POST', unsubscribe, { 'content-type': FORM }, 'List-Unsubscribe=One-Click')
    assert.equal((await overture.client.get(`${overture.home}/suppressions`)).body.data.length, 1)

    const program = { accept: 'application/json' }
    const told = { unsubscribed: true, address: 's***@people.example', sender: { name: provider.fromName, email: 'ada@sender.example' } }
    assert.deepEqual((await visit('GET', unsubscribe, program)).body, { data: told })
    // Even if lead and mailbox are gone.
    await overture.ctx.db.inTransaction(async tx => {
      await tx.run(sql('delete from leads where id = $1'), [lead.id])
      await tx.run(sql('delete from providers where id = $1'), [providerId])
    })
    assert.deepEqual((await visit('POST', unsubscribe, program)).body, { data: { unsubscribed: true, address: null, sender: null } })
    assert.match(
      (await visit('GET', unsubscribe, { 'accept-language': 'fr' })).body,
      /désinscription était déjà enregistrée.*répondez au message/,
    )
  })

  it('use the language of the lead, then that of the browser, and that of the browser when they are broken', async () => {
    const { visit, unsubscribe, link, overture } = await sendOne({}, TWO_STEPS, { lead: { variables: { language: 'es-MX' } } })
    const browser = { accept: 'text/html', 'accept-language': 'fr-CH, en;q=0.9' }
    assert.match((await visit('GET', unsubscribe, browser)).body, /<html lang="es">.*¿Darse de baja\?/)
    for (const broken of [
      `${unsubscribe.slice(0, -4)}`,
      link.slice(0, -3),
      `${link}?url=%00`,
      `${overture.baseUrl}/u/${'x'.repeat(600)}`,
    ]) {
      const page = await visit('GET', broken, browser)
      assert.ok([400, 404].includes(page.status), broken)
      assert.match(page.body, /<html lang="fr">.*Ce lien ne fonctionne pas.*«\u00a0stop\u00a0»/, broken)
      const program = await visit('GET', broken, { accept: '*/*' })
      assert.equal(typeof program.body.error.code, 'string', broken)
    }
    assert.match((await visit('POST', unsubscribe.slice(0, -4), browser)).body, /Ce lien ne fonctionne pas/)
  })

  it('are unchanged when tracking is off', async () => {
    const { pixel, link, html } = await sendOne({ trackOpens: false, trackClicks: false })
    assert.deepEqual([pixel, link, html], ['', '', ''])
  })

  it('redirect to addresses in any spelling, in the form that a header allows', async () => {
    const written = 'https://bücher.example/größe?q=ä b&r="x"#ö'
    const href = written.replaceAll('"', '&quot;')
    const { visit, link } = await sendOne({}, [
      { delayDays: 0, variants: [{ subject: 'Hi', body: `<p>See <a href="${href}">our shelf</a></p>` }] },
    ])
    const expected = 'https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe?q=%C3%A4%20b&r=%22x%22#%C3%B6'
    const reply = await visit('GET', link)
    assert.deepEqual([reply.status, reply.headers.location], [302, expected])
  })

  it('are not tracked by default, and the message stays plain text', async () => {
    const { html, overture, base } = await sendOne({ trackOpens: undefined, trackClicks: undefined })
    assert.equal(html, '')
    const { trackOpens, trackClicks } = (await overture.client.get(base)).body.data
    assert.deepEqual([trackOpens, trackClicks], [false, false])
  })

  it('have a token with one spelling', async () => {
    const { visit, unsubscribe } = await sendOne()
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(unsubscribe.at(-1)!)
    const other = unsubscribe.slice(0, -1) + alphabet[last ^ 1]
    assert.deepEqual([(await visit('GET', unsubscribe)).status, (await visit('GET', other)).status], [200, 404])
  })
})
