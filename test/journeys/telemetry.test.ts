import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { after, describe, it } from 'node:test'
import { type Overture, startOverture } from '../harness.ts'

const TOKEN = 'a-token-for-the-scraper'

const overture = await startOverture({ config: { metricsToken: TOKEN }, worker: false })

describe('/metrics', () => {
  const scrape = (headers: Record<string, string> = {}, base = overture.baseUrl) => fetch(`${base}/metrics`, { headers })

  it('is available to the machine itself', async () => {
    const reply = await scrape()
    assert.equal(reply.status, 200)
    const text = await reply.text()
    for (const name of [
      'overture_http_requests_total',
      'overture_backlog{queue="operations"} 0',
      'overture_pool_connections{state="waiting"}',
    ])
      assert.ok(text.includes(name), name)
  })

  it('counts requests by route and status, with their duration', async () => {
    for (let n = 0; n < 3; n++) assert.equal((await overture.client.get(`${overture.home}/campaigns`)).status, 200)
    assert.equal((await overture.client.get(`${overture.home}/campaigns?limit=none`)).status, 400)
    const text = await (await scrape()).text()
    const [, route] = /overture_http_requests_total\{route="([^"]*\/campaigns)",method="GET",status="200"\} 3\n/.exec(text)!
    assert.ok(text.includes(`overture_http_requests_total{route="${route}",method="GET",status="400"} 1\n`))
    const buckets = [...text.matchAll(/^overture_http_request_seconds_bucket\{le="([^"]+)",route="([^"]+)"\} (\d+)$/gm)]
      .filter(([, , of]) => of === route)
      .map(([, , , value]) => Number(value))
    assert.equal(buckets.length, 12)
    assert.deepEqual(
      buckets,
      buckets.toSorted((a, b) => a - b),
      'each counts those of the ones before',
    )
    assert.equal(buckets.at(-1), 4)
    assert.ok(text.includes(`overture_http_request_seconds_count{route="${route}"} 4\n`))
    assert.match(text, /# TYPE overture_http_request_seconds histogram/)
  })

  it('is not available through a proxy on the machine, except with its token', async () => {
    for (const header of ['x-forwarded-for', 'X-Forwarded-Proto', 'forwarded', 'via', 'x-real-ip']) {
      const refused = await scrape({ [header]: '203.0.113.9' })
      assert.equal(refused.status, 401, header)
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
      const { error } = (await refused.json()) as { error: { code: string } }
      assert.equal(error.code, 'unauthenticated')
      const wrong = await scrape({ [header]: '203.0.113.9', authorization: 'Bearer guessed' })
      assert.equal(wrong.status, 401)
      assert.equal((await scrape({ [header]: '203.0.113.9', authorization: `Bearer ${TOKEN}` })).status, 200, header)
    }
  })

  it('is not available to a page that reaches the machine by another host name', async () => {
    const { port } = new URL(overture.baseUrl)
    const scrapeAs = async (host: string, headers: Record<string, string> = {}) =>
      (await overture.client.get('/metrics', { token: null, headers: { host, ...headers } })).status
    for (const host of ['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`, '127.0.0.1.evil.example'])
      assert.equal(await scrapeAs(host), 401, host)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) assert.equal(await scrapeAs(host), 200, host)
    assert.equal(await scrapeAs('overture.internal', { authorization: `Bearer ${TOKEN}` }), 200)
  })

  it('is not available with an API token, or with an empty token if none is set', async () => {
    const { client } = overture
    assert.equal((await scrape({ via: '1.1 proxy', authorization: `Bearer ${client.token}` })).status, 401)
    const open = await startOverture({ worker: false })
    after(() => open.end())
    for (const authorization of ['Bearer ', 'Bearer', `Bearer ${TOKEN}`]) {
      assert.equal((await scrape({ via: '1.1 proxy', authorization }, open.baseUrl)).status, 401)
    }
  })

  it('is not available to another machine, whatever address it claims', async t => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find(each => each && !each.internal && each.family === 'IPv4')?.address
    if (!address) return t.skip('this machine has no address but loopback')
    const overture = await startOverture({ config: { trustedProxies: 1, metricsToken: TOKEN }, worker: false })
    after(() => overture.end())
    const { app } = overture
    const beyond = `http://${address}:${await listenEverywhere(app)}`
    assert.equal((await scrape({}, beyond)).status, 401)
    assert.equal((await scrape({ 'x-forwarded-for': '127.0.0.1' }, beyond)).status, 401)
    assert.equal((await scrape({ authorization: `Bearer ${TOKEN}` }, beyond)).status, 200)
  })

  it('counts the queues once for all requests within a few seconds', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { ctx, baseUrl } = overture
    let queries = 0
    ctx.db.pool.on('acquire', () => queries++)
    await Promise.all(Array.from({ length: 20 }, () => scrape({}, baseUrl)))
    assert.equal(queries, 1)
  })
})

/** The harness listens on loopback alone; here the same service responds on every address. */
async function listenEverywhere(app: Overture['app']): Promise<number> {
  const { createServer } = await import('node:http')
  const { after } = await import('node:test')
  const server = createServer((request, response) => app.routing(request, response))
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve))
  after(() => void server.close())
  return (server.address() as { port: number }).port
}
