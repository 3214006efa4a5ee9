import assert from 'node:assert/strict'
import { request as forward } from 'node:http'
import { createServer, type Server } from 'node:https'
import { after, describe, it } from 'node:test'
import tls from 'node:tls'
import { request } from 'undici'
import { type Client, startOverture } from '../harness.ts'
import { testCertificate } from '../mail/certificate.ts'
import { DAY, MINUTE, makeCampaign, startLiving } from '../sending.ts'

const usualCertificates = tls.getCACertificates('default')
tls.setDefaultCACertificates([...usualCertificates, testCertificate.cert])
after(() => tls.setDefaultCACertificates(usualCertificates))

/** A proxy with a certificate, as one would put in front of the service. It passes the host on, or does not. */
class TlsProxy {
  passesHost = true
  isDown = false
  asked = 0
  readonly #server: Server

  constructor(baseUrl: string) {
    this.#server = createServer(testCertificate, (incoming, outgoing) => {
      this.asked++
      if (this.isDown) return void outgoing.writeHead(502).end()
      const { host, ...others } = incoming.headers
      const headers = this.passesHost ? { ...others, host } : others
      const inner = forward(
        new URL(incoming.url!, baseUrl),
        { method: incoming.method!, headers: headers as Record<string, string> },
        answer => {
          outgoing.writeHead(answer.statusCode!, answer.headers)
          answer.pipe(outgoing)
        },
      )
      incoming.pipe(inner)
    })
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return `localhost:${(this.#server.address() as { port: number }).port}`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise(resolve => this.#server.close(() => resolve()))
  }
}

interface Shown {
  host: string | null
  status: string
  reason: string | null
  linkOrigin: string
  record: { type: string; name: string; value: string } | null
}

const LEADS = [{ email: 'ann@people.example', firstName: 'Ann' }]
const TRACKED = { trackOpens: true, trackClicks: true }

const overture = await startLiving()
const proxy = new TlsProxy(overture.baseUrl)
const host = await proxy.start()
after(() => proxy.close())

describe('a custom tracking host', () => {
  const set = async (name = host, client: Client = overture.client, home = overture.home): Promise<Shown> => {
    const { status, result, error } = await client.operate('PUT', `${home}/tracking-host`, { host: name })
    assert.equal(status, 'succeeded', JSON.stringify(error))
    return result.trackingHost
  }
  const show = async (): Promise<Shown> => (await overture.client.get(`${overture.home}/tracking-host`)).body.data
  const eventsOf = async (type: string) => (await overture.client.get(`${overture.home}/events?type=${type}`)).body.data.length as number
  const messagesOf = async (providerId: string) =>
    (await overture.client.get(`${overture.home}/providers/${providerId}/sandbox-messages`)).body.data as {
      text: string
      html: string
      raw: string
    }[]
  const statusThrough = async (path: string): Promise<number> => {
    const { statusCode, body } = await request(`https://${host}${path}`)
    await body.dump()
    return statusCode
  }

  it('is not used before it was verified from outside, over TLS and by its own name', async () => {
    assert.deepEqual([(await show()).status, (await show()).host], ['none', null])
    proxy.passesHost = false
    const early = await set()
    assert.deepEqual([early.status, early.linkOrigin], ['pending', overture.baseUrl])
    assert.match(early.reason!, /the Host header/)
    proxy.passesHost = true
    const done = await set()
    assert.deepEqual([done.status, done.reason, done.linkOrigin], ['verified', null, `https://${host}`])
    assert.equal(await eventsOf('tracking_host.verified'), 1)
  })

  it('is used for all links of new messages, which work', async () => {
    const { providerId } = await makeCampaign(overture, { leads: LEADS, campaign: TRACKED })
    await overture.live(MINUTE, MINUTE)
    const [message] = await messagesOf(providerId)
    const links = [...message!.html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url]) => url!)
    assert.equal(links.length, 3)
    assert.ok(
      links.every(url => url.startsWith(`https://${host}/`)),
      links.join(' '),
    )
    assert.match(message!.raw.replace(/\r\n\s+/g, ''), new RegExp(`List-Unsubscribe: ?<https://${host}/u/`))
    for (const url of links) assert.ok([200, 302].includes((await overture.client.get(url)).status), url)
    // The same links at the installation itself: they do not depend on where they are opened.
    for (const url of links)
      assert.ok([200, 302].includes((await overture.client.get(url.replace(`https://${host}`, overture.baseUrl))).status), url)
  })

  it('serves nothing but links', async () => {
    for (const path of ['/', '/docs', '/openapi.json', '/healthz', '/v1/workspaces', '/campaigns', '/nothing']) {
      assert.equal(await statusThrough(path), 404, path)
    }
    assert.equal((await overture.client.get('/healthz')).status, 200)
    const strangers = await overture.client.get(`/.well-known/overture-tracking/abc`)
    assert.equal(strangers.status, 404, 'the installation proves nothing for names that nobody has set')
  })

  it('belongs to one workspace', async () => {
    const other = await overture.stranger()
    const refused = await other.client.put(`${other.home}/tracking-host`, { host })
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_state'])
    for (const name of [
      '127.0.0.1',
      'http://x.example',
      'a b.example',
      overture.baseUrl.slice('http://'.length),
      '-x.example',
      'x..example',
    ]) {
      assert.equal((await other.client.put(`${other.home}/tracking-host`, { host: name })).status, 422, name)
    }
  })

  it('cannot be a name of the installation, and changes nothing before it is verified', async () => {
    const other = await overture.stranger()
    overture.ctx.config.ownHosts = 'app.example.com, api.example.com'
    assert.equal((await other.client.put(`${other.home}/tracking-host`, { host: 'API.example.com' })).status, 422)
    const port = new URL(overture.baseUrl).port
    const claimed = await other.client.operate('PUT', `${other.home}/tracking-host`, { host: `alias.localhost:${port}` })
    assert.equal(claimed.result.trackingHost.status, 'pending')
    const { statusCode, body } = await request(`${overture.baseUrl}/healthz`, { headers: { host: `alias.localhost:${port}` } })
    await body.dump()
    assert.equal(statusCode, 200)
  })

  it('stays in use while another one is not verified yet', async () => {
    const shown = await set('localhost:1')
    assert.deepEqual([shown.host, shown.status, shown.linkOrigin], ['localhost:1', 'pending', `https://${host}`])
    const other = await overture.stranger()
    assert.equal((await other.client.put(`${other.home}/tracking-host`, { host: 'localhost:1' })).status, 409)
    assert.deepEqual([(await set()).status, (await show()).host], ['verified', host])
    assert.equal((await other.client.put(`${other.home}/tracking-host`, { host: 'localhost:1' })).status, 202)
  })

  it('that stops working is noticed within a day, and then only messages with links wait, with the reason', async () => {
    const { client, home } = overture
    proxy.isDown = true
    await overture.live(DAY, DAY)
    assert.equal((await show()).status, 'verified', 'one look is not believed')
    await overture.live(5 * MINUTE, MINUTE)
    const broken = await show()
    assert.equal(broken.status, 'failing')
    assert.match(broken.reason!, /returns 502/)
    assert.equal(await eventsOf('tracking_host.failing'), 1)

    const waiting = await makeCampaign(overture, { leads: LEADS, campaign: TRACKED })
    const plain = await makeCampaign(overture, { leads: LEADS, campaign: { unsubscribe: 'reply-line' } })
    await overture.live(MINUTE, MINUTE)
    assert.deepEqual([(await messagesOf(waiting.providerId)).length, (await messagesOf(plain.providerId)).length], [0, 1])
    const [reason] = (await client.get(`${waiting.base}/sending`)).body.data.reasons
    const fix = { method: 'PUT', path: `${home}/tracking-host`, body: { host } }
    assert.deepEqual([reason.reason, reason.count, reason.fix], ['tracking_host_failing', 1, fix])
    const { warnings } = (await client.get(`${waiting.base}/validate`)).body.data
    assert.ok(warnings.some(({ rule }: { rule: string }) => rule === 'tracking_host_failing'))

    const played = (await client.post(`${waiting.base}/simulate`, {})).body.data
    assert.deepEqual(
      played.notSent.map(({ reason, count }: { reason: string; count: number }) => [reason, count]),
      [['tracking_host_failing', 1]],
    )

    proxy.isDown = false
    await client.operate(fix.method, fix.path, fix.body)
    await overture.live(MINUTE, MINUTE)
    const [sent] = await messagesOf(waiting.providerId)
    assert.ok(sent?.html.includes(`https://${host}/t/c/`))
  })

  it('stays in use until it is removed, and then links use the installation', async () => {
    assert.equal((await overture.client.delete(`${overture.home}/tracking-host`)).status, 204)
    assert.deepEqual([(await show()).status, (await show()).linkOrigin], ['none', overture.baseUrl])
    const { providerId } = await makeCampaign(overture, { leads: LEADS, campaign: TRACKED })
    await overture.live(MINUTE, MINUTE)
    assert.ok((await messagesOf(providerId))[0]!.html.includes(`${overture.baseUrl}/t/c/`))
  })

  it('never leads requests into the private network', async () => {
    const before = proxy.asked
    const overture = await startOverture({ config: { allowLocalTargets: false }, resolve: async () => ['127.0.0.1'] })
    after(() => overture.end())
    const { client, home } = overture
    const { result } = await client.operate('PUT', `${home}/tracking-host`, { host: 'go.evil.example' })
    assert.equal(result.trackingHost.status, 'pending')
    assert.match(result.trackingHost.reason, /not public/)
    assert.equal((await client.put(`${home}/tracking-host`, { host })).status, 422)
    assert.equal(proxy.asked, before)
  })
})
