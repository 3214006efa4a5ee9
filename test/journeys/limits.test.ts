import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeReadyCampaign } from '../factories.ts'
import { Client, type Overture, type Reply, startOverture } from '../harness.ts'
import { madeUpData } from '../made-up-events.ts'
import { signIn } from '../sessions.ts'

const LIMIT = 3

describe('a limit on the number of resources', () => {
  let overture: Overture
  before(async () => {
    const config = { maxTokens: LIMIT, maxWorkspaces: LIMIT, maxMailboxes: LIMIT, maxWebhooks: LIMIT, maxReplayedEvents: 5 }
    overture = await startOverture({ worker: false, config })
  })

  /** Many at once: the limit holds in any order of arrival. */
  async function fill(path: string, body: (n: number) => object, present: number): Promise<Reply> {
    const replies = await Promise.all(Array.from({ length: LIMIT + 3 }, (_, n) => overture.client.post(path, body(n))))
    const made = replies.filter(reply => reply.status === 201)
    const refused = replies.filter(reply => reply.status === 409)
    assert.deepEqual([made.length, refused.length], [LIMIT - present, present + 3])
    assert.equal(refused[0]!.body.error.code, 'limit_exceeded')
    assert.deepEqual(refused[0]!.body.error.details, { limit: LIMIT, current: LIMIT })
    return made[0]!
  }

  it('applies to API keys; a rotation is possible at the limit, and a revoked key makes room', async () => {
    const { client, home } = overture
    const key = (await fill(`${home}/api-keys`, n => ({ name: `Key ${n}`, scopes: ['leads:read'] }), 0)).body.data
    const rotated = await client.post(`${home}/api-keys/${key.id}/rotate`, {})
    assert.equal(rotated.status, 201)
    assert.equal((await client.post(`${home}/api-keys/${key.id}/rotate`, {})).status, 409, 'one key must not become many')
    assert.equal((await client.delete(`${home}/api-keys/${rotated.body.data.id}`)).status, 204)
    assert.equal((await client.post(`${home}/api-keys`, { name: 'Room', scopes: ['leads:read'] })).status, 201)
  })

  it('applies to personal tokens, workspaces, mailboxes and webhook endpoints', async () => {
    const { home } = overture
    await fill('/v1/tokens', n => ({ name: `Token ${n}` }), 1)
    await fill('/v1/workspaces', n => ({ name: `Workspace ${n}` }), 1)
    await fill(`${home}/providers`, n => ({ kind: 'sandbox', name: `Box ${n}`, fromEmail: `a${n}@b.example` }), 0)
    await fill(`${home}/webhooks`, n => ({ url: `http://127.0.0.1:9/${n}`, events: ['*'] }), 0)
  })

  it('applies to pending replays', async () => {
    const { client, home, ctx, workspaceId } = overture
    const [webhook] = (await client.get(`${home}/webhooks`)).body.data
    const insert = sql(`
      insert into events (workspace_id, seq, id, type, timestamp, data)
      select $1, n, gen_random_uuid(), 'email.sent', now(), $2 from generate_series(1001, 1003) as n`)
    await ctx.db.inTransaction(tx => tx.run(insert, [workspaceId, madeUpData('email.sent')]))
    const replay = () => client.post(`${home}/webhooks/${webhook.id}/replay`, { since: '2020-01-01T00:00:00Z' })
    const first = await replay()
    assert.deepEqual([first.status, first.body.data?.replayedCount], [200, 3])
    const second = await replay()
    assert.deepEqual([second.status, second.body.error.code], [409, 'limit_exceeded'])
    assert.deepEqual(second.body.error.details, { limit: 5, current: 3 })
  })
})

describe('a token created by a token', () => {
  let overture: Overture
  let maker: Client
  let endsAt: string
  before(async () => {
    overture = await startOverture({ worker: false })
    endsAt = new Date(Date.now() + 3_600_000).toISOString()
    maker = await make({ name: 'Maker', scopes: ['tokens:write', 'tokens:read', 'leads:read'], expiresAt: endsAt })
  })

  async function make(body: object): Promise<Client> {
    const reply = await overture.client.post(`${overture.home}/api-keys`, body)
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return new Client(overture.baseUrl, reply.body.data.token)
  }

  it('expires no later than its creator', async () => {
    const { home } = overture
    const asked = { name: 'Made', scopes: ['leads:read'] }
    const usual = await maker.post(`${home}/api-keys`, asked)
    assert.equal(usual.body.data.expiresAt, endsAt)
    const sooner = new Date(Date.now() + 60_000).toISOString()
    assert.equal((await maker.post(`${home}/api-keys`, { ...asked, expiresAt: sooner })).body.data.expiresAt, sooner)
    for (const expiresAt of [null, new Date(Date.parse(endsAt) + 1).toISOString()]) {
      const reply = await maker.post(`${home}/api-keys`, { ...asked, expiresAt })
      assert.deepEqual([reply.status, reply.body.error?.details.issues[0].path], [422, '/expiresAt'])
    }
  })

  it('cannot be prolonged by a rotation', async () => {
    const { client, home } = overture
    const self = (await maker.get('/v1/tokens/current')).body.data
    const rotated = await maker.post(`${home}/api-keys/${self.id}/rotate`, {})
    assert.deepEqual([rotated.status, rotated.body.data.expiresAt], [201, endsAt])
    const renewed = await client.post(`${home}/api-keys/${rotated.body.data.id}/rotate`, {})
    assert.ok(renewed.body.data.expiresAt > endsAt, 'a token that never expires renews it')

    const made = await client.post(`${home}/api-keys`, { name: 'Leaked', scopes: ['tokens:write'], expiresAt: null })
    const leaked = `${home}/api-keys/${made.body.data.id}`
    assert.equal((await client.post(`${leaked}/rotate`, { overlapSeconds: 60 })).body.data.expiresAt, null)
    const again = await new Client(overture.baseUrl, made.body.data.token).post(`${leaked}/rotate`, {})
    assert.equal(again.body.data.expiresAt, (await client.get(leaked)).body.data.expiresAt, 'a replaced key lives on in no other')
  })

  it('ends and replaces tokens that can do as much as it can, or less, and itself', async () => {
    const { client, home } = overture
    const keyOf = async (...scopes: string[]) => (await client.post(`${home}/api-keys`, { name: 'Key', scopes })).body.data.id
    const wider = `${home}/api-keys/${await keyOf('leads:read', 'leads:write')}`
    for (const refused of [await maker.delete(wider), await maker.post(`${wider}/rotate`, {})])
      assert.deepEqual([refused.status, refused.body.error.details], [403, { missingScopes: ['leads:write'] }])
    assert.equal((await maker.delete(`${home}/api-keys/${await keyOf('leads:read')}`)).status, 204)

    // The same for what belongs to one person. A role limits all tokens of its person alike.
    const personal = async (...scopes: string[]) => {
      const { token, id } = (await client.post('/v1/tokens', { name: 'Mine', scopes })).body.data
      return { id, client: new Client(overture.baseUrl, token) }
    }
    const [all, narrow, third] = [await personal('*'), await personal('tokens:write', 'tokens:read'), await personal('*')]
    const session = await signIn(all.client)
    for (const path of [`/v1/tokens/${all.id}`, `/v1/sessions/${session.id}`])
      assert.equal((await narrow.client.delete(path)).status, 403, path)
    const role = (to: string) => overture.ctx.db.pool.query('update memberships set role = $2 where user_id = $1', [overture.userId, to])
    await role('viewer')
    const ended = await session.send('DELETE', `/v1/tokens/${narrow.id}`)
    const itself = await third.client.delete(`/v1/tokens/${all.id}`)
    await role('owner')
    assert.deepEqual([ended.status, itself.status], [204, 204])
  })

  it('of a person expires no later than the token that created it', async () => {
    const first = (await overture.client.post('/v1/tokens', { name: 'First', expiresAt: endsAt })).body.data
    const second = await new Client(overture.baseUrl, first.token).post('/v1/tokens', { name: 'Second' })
    assert.equal(second.body.data.expiresAt, endsAt)
  })
})

describe('a preview', () => {
  it('shows leads only with leads:read, and an invented person without', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const campaign = await makeReadyCampaign(overture, 'Private')
    const path = `${overture.home}/campaigns/${campaign.id}`
    const [lead] = (await overture.client.get(`${path}/leads`)).body.data
    const limited = await overture.withScopes(['campaigns:read'])
    const shown = await limited.post(`${path}/preview`, { step: 0 })
    assert.deepEqual([shown.status, shown.body.data.leadId, shown.body.data.to], [200, null, 'alex.sample@example.com'])
    assert.ok(!JSON.stringify(shown.body).includes('private.example'))
    for (const reply of [
      await limited.post(`${path}/preview`, { step: 0, leadId: lead.id }),
      await limited.get(`${path}/preview?leadId=${lead.id}`),
    ]) {
      assert.deepEqual([reply.status, reply.body.error.details.requiredScope], [403, 'leads:read'])
    }
    const full = await overture.withScopes(['campaigns:read', 'leads:read'])
    assert.equal((await full.get(`${path}/preview?step=1&leadId=${lead.id}`)).body.data.to, lead.email)
    assert.equal((await full.get(`${path}/preview?step=9`)).status, 400)
  })
})
