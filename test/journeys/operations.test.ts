import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { Worker } from '../../src/app/worker.ts'
import { sql } from '../../src/db/sql.ts'
import { announceOperation } from '../../src/modules/operations/operations.ts'
import { OperationRunner } from '../../src/operations/runner.ts'
import type { OperationTask } from '../../src/operations/tasks.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { makeCampaign, makeReadyCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { script } from '../faults/processes.ts'
import { Random } from '../faults/random.ts'
import { seed } from '../full.ts'
import { type Client, type Overture, type Reply, startOverture, TEST_SECRET } from '../harness.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A runner with tasks of the test's own, on the test's database. */
function runTasks(overture: Overture, tasks: Record<string, OperationTask>): { stop(): Promise<void> } {
  const identity = new WorkerIdentity(overture.ctx.db, overture.ctx.log)
  const runner = new OperationRunner(overture.ctx, tasks, announceOperation, identity)
  runner.start()
  return {
    async stop() {
      await runner.stop()
      await identity.close()
    },
  }
}

describe('operations without a worker', () => {
  let overture: Overture
  let client: Client
  let home: string
  let campaign: { id: string; updatedAt: string }

  before(async () => {
    overture = await startOverture({ worker: false })
    ;({ client, home } = overture)
    campaign = await makeCampaign(overture, { name: 'Waiting' })
  })

  const duplicate = (headers: Record<string, string> = {}, body: unknown = { name: 'Copy' }) =>
    client.post(`${home}/campaigns/${campaign.id}/duplicate`, body, { headers })
  const countOf = async (key: string): Promise<number> =>
    (await overture.ctx.db.first<{ count: number }>(sql('select count(*)::int as count from operations where idempotency_key = $1'), [
      key,
    ]))!.count

  it('an accepted write returns 202 with exactly id, status and links.self, and Location names the operation', async () => {
    const reply = await duplicate()
    assert.equal(reply.status, 202)
    assert.match(reply.body.id, UUID)
    const self = `${overture.baseUrl}/v1/operations/${reply.body.id}`
    assert.deepEqual(reply.body, { id: reply.body.id, status: 'queued', links: { self } })
    assert.equal(reply.headers.location, self)
    assert.equal(reply.headers['retry-after'], '1')
    assert.equal(reply.headers['idempotent-replayed'], undefined)
  })

  it('a queued operation has every key, no data wrapper, and Retry-After', async () => {
    const { body: reference } = await duplicate()
    const reply = await client.get(reference.links.self)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['retry-after'], '1')
    assert.deepEqual(reply.body, {
      id: reference.id,
      action: 'campaign.duplicate',
      status: 'queued',
      actor: { type: 'user', id: overture.userId, name: 'me@overture.example' },
      result: null,
      error: null,
      createdAt: reply.body.createdAt,
      startedAt: null,
      completedAt: null,
      links: reference.links,
    })
  })

  it('an unmet preference to wait returns 202', async () => {
    const reply = await duplicate({ prefer: 'wait=1' })
    assert.deepEqual([reply.status, reply.body.status], [202, 'queued'])
    assert.equal(reply.headers['preference-applied'], undefined)
    assert.ok(reply.headers.location)
  })

  it('a replay of an open operation returns 202 with the same reference and Idempotent-Replayed', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await duplicate(headers)
    const again = await duplicate(headers)
    assert.equal(again.status, 202)
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.headers.location, first.headers.location)
    assert.equal(again.headers['retry-after'], '1')
  })

  it('the same key with another body or path returns 409 and starts nothing', async () => {
    const other = await makeCampaign(overture, { name: 'Other' })
    const headers = { 'idempotency-key': randomUUID() }
    await duplicate(headers)
    const replies = [
      await duplicate(headers, { name: 'Another' }),
      await client.post(`${home}/campaigns/${other.id}/duplicate`, { name: 'Copy' }, { headers }),
      await client.post(`${home}/campaigns`, { name: 'Copy' }, { headers }),
      await client.patch(`${home}/campaigns/${campaign.id}`, { name: 'Copy' }, { headers: { ...headers, 'if-match': campaign.updatedAt } }),
    ]
    for (const reply of replies) assert.deepEqual([reply.status, reply.body.error.code], [409, 'idempotency_key_reused'])
    assert.equal(await countOf(headers['idempotency-key']), 1)
  })

  it('the order of keys and white space in the body make no difference, nor do if-match and Prefer', async () => {
    const key = randomUUID()
    const patch = (raw: string, headers: Record<string, string>) =>
      client.patch(`${home}/campaigns/${campaign.id}`, undefined, { raw, headers: { 'idempotency-key': key, ...headers } })
    const first = await patch('{"niche":"x","schedule":{"startDate":null,"endDate":null}}', { 'if-match': campaign.updatedAt })
    const again = await patch('{ "schedule" : { "endDate":null,\n "startDate":null }, "niche":"\\u0078" }', {
      'if-match': '2020-01-01T00:00:00Z',
      prefer: 'respond-async',
    })
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.body.id, first.body.id)
  })

  it('fifty concurrent first requests with one key create one operation', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(Array.from({ length: 50 }, () => duplicate(headers)))
    assert.deepEqual(new Set(replies.map(reply => reply.status)), new Set([202]))
    assert.equal(new Set(replies.map(reply => reply.body.id)).size, 1)
    assert.equal(replies.filter(reply => reply.headers['idempotent-replayed'] === undefined).length, 1)
    assert.equal(await countOf(headers['idempotency-key']), 1)
  })

  it('of concurrent requests with one key and different bodies, one is accepted and the others get 409', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => duplicate(headers, { name: `Copy ${n}` })))
    assert.deepEqual(replies.map(reply => reply.status).sort(), [202, ...new Array(19).fill(409)])
  })

  it('fifty concurrent synchronous creates with one key create one campaign', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const name = randomUUID()
    const replies = await Promise.all(Array.from({ length: 50 }, () => client.post(`${home}/campaigns`, { name }, { headers })))
    assert.equal(new Set(replies.map(reply => reply.body.data.id)).size, 1)
    assert.deepEqual(replies.map(reply => reply.status).sort(), [...new Array(49).fill(200), 201])
    const created = await overture.ctx.db.many(sql('select id from campaigns where name = $1'), [name])
    assert.equal(created.length, 1)
  })

  it('a refused request uses up no key', async () => {
    const key = randomUUID()
    const headers = { 'idempotency-key': key }
    const target = await makeCampaign(overture, { name: 'Refusing' })
    const refused: Reply[] = [
      await client.post(`${home}/campaigns/${randomUUID()}/duplicate`, { name: 'x' }, { headers }),
      await client.post(`${home}/campaigns/${target.id}/duplicate`, { name: 5 }, { headers }),
      await client.post(`${home}/campaigns/${target.id}/duplicate`, { name: '   ' }, { headers }),
      await client.post(`${home}/campaigns/${target.id}/pause`, {}, { headers }),
      await client.post(`${home}/campaigns/${target.id}/activate`, {}, { headers }),
      await client.post(`${home}/campaigns/${target.id}/sequence/copy`, { sourceCampaignId: randomUUID() }, { headers }),
      await client.patch(`${home}/campaigns/${target.id}`, { name: 'x' }, { headers }),
      await client.post(`${home}/campaigns`, { name: 'x', providerId: randomUUID() }, { headers }),
      await client.delete(`${home}/suppressions/${randomUUID()}`, { headers }),
    ]
    assert.deepEqual(
      refused.map(reply => reply.status),
      [404, 422, 422, 409, 409, 422, 428, 422, 404],
    )
    assert.equal(await countOf(key), 0)
    const accepted = await client.post(`${home}/campaigns/${target.id}/duplicate`, { name: 'Now' }, { headers })
    assert.equal(accepted.status, 202)
    assert.equal(accepted.headers['idempotent-replayed'], undefined)
  })

  it('a key belongs to the workspace: each of its tokens gets the replay, and other workspaces have their own keys', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await duplicate(headers)
    const orgKey = await overture.withScopes(['campaigns:write'])
    const again = await orgKey.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'Copy' }, { headers })
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.body.id, first.body.id)

    const stranger = await overture.stranger()
    const theirs = await stranger.client.post(`${stranger.home}/campaigns`, { name: 'Theirs' }, { headers })
    assert.equal(theirs.status, 201)
  })

  it('a key of 1 to 255 characters is accepted, and the header name is case-insensitive', async () => {
    for (const key of ['7', `~ ${randomUUID()}`.padEnd(255, '!')]) {
      const first = await duplicate({ 'IDEMPOTENCY-KEY': key })
      const again = await duplicate({ 'Idempotency-Key': key })
      assert.equal(first.status, 202)
      assert.equal(again.body.id, first.body.id)
    }
  })

  it('a key that is sent twice returns 400, even when both are equal', async () => {
    const key = randomUUID()
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
    const raw = request(`${overture.baseUrl}${home}/campaigns/${campaign.id}/duplicate`, { method: 'POST' }, answer => {
      let body = ''
      answer.setEncoding('utf8').on('data', text => {
        body += text
      })
      answer.on('end', () => resolve({ status: answer.statusCode!, body }))
    })
    raw.on('error', reject)
    raw.setHeader('authorization', `Bearer ${client.token}`)
    raw.setHeader('content-type', 'application/json')
    raw.setHeader('idempotency-key', [key, key])
    raw.end(JSON.stringify({ name: 'Copy' }))
    const reply = await promise
    assert.equal(reply.status, 400)
    assert.equal(JSON.parse(reply.body).error.code, 'invalid_idempotency_key')
    assert.equal(await countOf(key), 0)
  })

  it('hundreds of concurrent keys create as many operations', async () => {
    const keys = Array.from({ length: 300 }, () => randomUUID())
    const replies = await Promise.all(keys.map(key => duplicate({ 'idempotency-key': key })))
    assert.ok(replies.every(reply => reply.status === 202))
    assert.equal(new Set(replies.map(reply => reply.body.id)).size, 300)
  })

  it('an operation is read with operations:read or with the scope of its action, else 403', async () => {
    const { body } = await duplicate()
    for (const [scopes, status] of [
      [['operations:read'], 200],
      [['campaigns:write'], 200],
      [['campaigns:read', 'leads:write', 'webhooks:write'], 403],
    ] as const) {
      const reply = await (await overture.withScopes([...scopes])).get(`/v1/operations/${body.id}`)
      assert.equal(reply.status, status, scopes.join())
      if (status === 403) assert.equal(reply.body.error.code, 'insufficient_scope')
    }
  })

  it('an operation of another workspace returns 404, exactly like a missing one', async () => {
    const { body } = await duplicate()
    const stranger = await overture.stranger()
    const foreign = await stranger.client.get(`/v1/operations/${body.id}`)
    const absent = await stranger.client.get(`/v1/operations/${randomUUID()}`)
    assert.equal(foreign.status, 404)
    assert.deepEqual({ ...foreign.body.error, requestId: '' }, { ...absent.body.error, requestId: '' })
    assert.equal((await client.get('/v1/operations/not-a-uuid')).status, 400)
  })

  it('that leave the campaign unchanged do not let other requests through, so that no response depends on timing', async () => {
    const own = await makeCampaign(overture, { name: 'Accepted' })
    assert.equal((await client.post(`${home}/campaigns/${own.id}/duplicate`, { name: 'Copy' })).status, 202)
    const refused = await client.post(`${home}/campaigns/${own.id}/pause`, {})
    assert.deepEqual([refused.status, refused.body.error?.code], [409, 'invalid_state'])
    assert.equal((await client.post(`${home}/campaigns/${own.id}/archive`, {})).status, 202)
    assert.equal((await client.post(`${home}/campaigns/${own.id}/pause`, {})).status, 202, 'only the worker can tell')
  })
})

describe('operations with a worker', () => {
  let overture: Overture
  let client: Client
  let home: string

  before(async () => {
    overture = await startOverture()
    ;({ client, home } = overture)
  })

  it('with Prefer: wait, the response is 200 with the outcome and Preference-Applied', async () => {
    const campaign = await makeCampaign(overture, { name: 'Quick' })
    const reply = await client.post(
      `${home}/campaigns/${campaign.id}/duplicate`,
      { name: 'Copy' },
      { headers: { prefer: 'respond-async, wait=20' } },
    )
    assert.equal(reply.status, 200)
    assert.equal(reply.headers['preference-applied'], 'wait=20')
    assert.deepEqual(reply.body, {
      id: reply.body.id,
      status: 'succeeded',
      links: { self: `${overture.baseUrl}/v1/operations/${reply.body.id}` },
    })
    const operation = await client.get(reply.body.links.self)
    assert.equal(operation.headers['retry-after'], undefined)
    assert.equal(operation.body.error, null)
    assert.equal(operation.body.result.sourceCampaignId, campaign.id)
    assert.ok(operation.body.createdAt <= operation.body.startedAt && operation.body.startedAt <= operation.body.completedAt)
  })

  it('the changes of an operation are not after its completedAt, for synchronous and concurrent writes', async () => {
    interface Ended {
      action: string
      startedAt: string
      completedAt: string
      result: Record<string, { updatedAt?: string }>
    }
    const made = await Promise.all(Array.from({ length: 8 }, (_, n) => makeReadyCampaign(overture, `Timed ${n}`)))
    const paths = made.map(({ id }) => `${home}/campaigns/${id}`)
    await Promise.all(paths.map(path => client.operate('POST', `${path}/activate`)))
    for (const turn of ['pause', 'resume', 'pause', 'resume']) await Promise.all(paths.map(path => client.post(`${path}/${turn}`, {})))
    await Promise.all(paths.map(path => client.operate('POST', `${path}/pause`)))
    const keyed = await client.post(`${home}/campaigns`, { name: 'Keyed' }, { headers: { 'idempotency-key': randomUUID() } })
    const ended: Ended[] = (await client.get(`${home}/operations?limit=100&status=succeeded`)).body.data
    const changed = ended.flatMap(({ action, startedAt, completedAt, result }) =>
      Object.values(result).flatMap(part => (part?.updatedAt ? [{ action, startedAt, completedAt, updatedAt: part.updatedAt }] : [])),
    )
    assert.ok(changed.some(({ updatedAt }) => updatedAt === keyed.body.data.updatedAt))
    assert.ok(changed.filter(({ action }) => action === 'campaign.pause').length >= 8)
    assert.deepEqual(
      changed.filter(({ startedAt, completedAt, updatedAt }) => completedAt < updatedAt || completedAt < startedAt),
      [],
    )
  })

  it('an invalid preference is ignored', async () => {
    const campaign = await makeCampaign(overture, { name: 'Sensible' })
    for (const prefer of ['wait=0', 'wait=soon', 'await=5', 'wait']) {
      const reply = await client.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'Copy' }, { headers: { prefer } })
      assert.equal(reply.status, 202, prefer)
    }
  })

  it('a replay of a succeeded operation returns 200 with the same id', async () => {
    const campaign = await makeCampaign(overture, { name: 'Twice' })
    const headers = { 'idempotency-key': randomUUID() }
    const first = await client.post(
      `${home}/campaigns/${campaign.id}/duplicate`,
      { name: 'Copy' },
      { headers: { ...headers, prefer: 'wait=20' } },
    )
    const again = await client.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'Copy' }, { headers })
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'])
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers.location, undefined)
    assert.equal(again.headers['preference-applied'], undefined)
  })

  it('a failed operation replays as failed, and returns 200 with code, message and retryable', async () => {
    const campaign = await makeCampaign(overture, { name: 'Failing' })
    const headers = { 'idempotency-key': randomUUID(), 'if-match': '2020-01-01T00:00:00Z' }
    const first = await client.patch(`${home}/campaigns/${campaign.id}`, { niche: 'x' }, { headers: { ...headers, prefer: 'wait=20' } })
    assert.deepEqual([first.status, first.body.status], [200, 'failed'])
    const again = await client.patch(
      `${home}/campaigns/${campaign.id}`,
      { niche: 'x' },
      { headers: { ...headers, 'if-match': campaign.updatedAt } },
    )
    assert.deepEqual([again.status, again.body.id, again.body.status], [200, first.body.id, 'failed'])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const { status, body } = await client.get(first.body.links.self)
    assert.equal(status, 200)
    assert.deepEqual([body.status, body.result, body.error.code, body.error.retryable], ['failed', null, 'precondition_failed', false])
    assert.equal(typeof body.error.message, 'string')
    assert.equal((await client.get(`${home}/campaigns/${campaign.id}`)).body.data.niche, null)
  })

  it('a replay of a request without effect returns the recorded operation', async () => {
    const campaign = await makeReadyCampaign(overture, 'Already so')
    await client.operate('POST', `${home}/campaigns/${campaign.id}/activate`)
    const headers = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => client.post(`${home}/campaigns/${campaign.id}/activate`, {}, { headers })),
    )
    assert.deepEqual(new Set(replies.map(reply => `${reply.status} ${reply.body.status}`)), new Set(['200 succeeded']))
    assert.equal(new Set(replies.map(reply => reply.body.id)).size, 1)
  })

  it('Prefer: wait also applies to replays and to requests without effect', async () => {
    const campaign = await makeCampaign(overture, { name: 'Over' })
    const path = `${home}/campaigns/${campaign.id}/archive`
    const headers = { 'idempotency-key': randomUUID(), prefer: 'wait=20' }
    const replies = [
      await client.post(path, {}, { headers }),
      await client.post(path, {}, { headers }),
      await client.post(path, {}, { headers: { prefer: 'wait=20' } }),
    ]
    for (const reply of replies) assert.deepEqual([reply.status, reply.headers['preference-applied']], [200, 'wait=20'])
  })

  it('the list of operations includes synchronous writes, newest first, with filters', async () => {
    const campaign = await makeCampaign(overture, { name: 'Audited' })
    await client.operate('POST', `${home}/campaigns/${campaign.id}/archive`)
    const actionsOf = async (query: string) =>
      (await client.get(`${home}/operations?${query}`)).body.data.map((operation: { action: string }) => operation.action)
    assert.deepEqual(await actionsOf(`campaignId=${campaign.id}`), ['campaign.archive', 'campaign.create'])
    assert.deepEqual(await actionsOf(`campaignId=${campaign.id}&action=campaign.create`), ['campaign.create'])
    assert.deepEqual(await actionsOf(`campaignId=${campaign.id}&status=failed`), [])
    for (const query of ['action=__nope__', 'status=__nope__']) {
      const { status, body } = await client.get(`${home}/operations?${query}`)
      assert.deepEqual([status, body.error.code, body.error.details.issues[0].rule], [400, 'invalid_request', 'enum'], query)
    }
  })
})

describe('order', () => {
  // The expected result of each request when they are applied one after the other, in the order of acceptance.
  const TRANSITIONS: Record<string, { from: string[]; to: string }> = {
    activate: { from: ['draft'], to: 'active' },
    pause: { from: ['active'], to: 'paused' },
    resume: { from: ['paused'], to: 'active' },
    archive: { from: ['draft', 'paused'], to: 'archived' },
    unarchive: { from: ['archived'], to: 'before' },
  }

  it('operations of one campaign are applied one at a time in the order of acceptance, by any number of workers', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const setup = new Worker(overture.ctx)
    await setup.start()
    const campaigns = [
      await makeReadyCampaign(overture, 'Lane one'),
      await makeReadyCampaign(overture, 'Lane two'),
      await makeReadyCampaign(overture, 'Lane three'),
    ]
    await setup.stop()

    const names = Object.keys(TRANSITIONS)
    const random = new Random(seed)
    const accepted: { campaignId: string; id: string; name: string }[] = []
    // The first keeps the lane open, so that none of the others is checked when it is accepted.
    for (const { id } of campaigns) {
      const reply = await client.post(`${home}/campaigns/${id}/leads/import`, { leads: [{ email: 'first@lane.example' }] })
      accepted.push({ campaignId: id, id: reply.body.id, name: 'import' })
    }
    for (let n = 0; n < 60; n++) {
      const campaignId = campaigns[n % campaigns.length]!.id
      const name = random.pick(names)
      const reply = await client.post(`${home}/campaigns/${campaignId}/${name}`, {})
      assert.equal(reply.status, 202, JSON.stringify(reply.body))
      accepted.push({ campaignId, id: reply.body.id, name })
    }

    const workers = [new Worker(overture.ctx), new Worker(overture.ctx), new Worker(overture.ctx)]
    await Promise.all(workers.map(worker => worker.start()))
    for (const campaign of campaigns) {
      let [status, before] = ['draft', 'draft']
      let completedAt = ''
      const told: string[] = []
      for (const { id, name } of accepted.filter(operation => operation.campaignId === campaign.id)) {
        const operation = await eventually(`${name} is terminal`, async () => {
          const { body } = await client.get(`/v1/operations/${id}`)
          return body.completedAt !== null && body
        })
        assert.ok(operation.startedAt >= completedAt, 'an operation began before the one ahead of it was done')
        completedAt = operation.completedAt
        if (name === 'import') continue
        const { from, to } = TRANSITIONS[name]!
        const goal = to === 'before' ? before : to
        const already = name === 'unarchive' ? status !== 'archived' : status === goal
        if (!already && !from.includes(status)) {
          assert.deepEqual(
            [operation.status, operation.error?.code],
            ['failed', 'invalid_state'],
            `${name} of ${status} after ${told.join(', ')}`,
          )
        } else {
          assert.equal(operation.status, 'succeeded', `${name} of ${status} after ${told.join(', ')}: ${JSON.stringify(operation.error)}`)
          if (!already) [before, status] = [status, goal]
          assert.equal(operation.result.campaign.status, status)
        }
        told.push(name)
      }
      assert.equal((await client.get(`${home}/campaigns/${campaign.id}`)).body.data.status, status)
    }
    await Promise.all(workers.map(worker => worker.stop()))
  })

  it('a long operation delays only its own campaign', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const [slow, quick] = [await makeCampaign(overture, { name: 'Slow' }), await makeCampaign(overture, { name: 'Quick' })]
    const gate = Promise.withResolvers<void>()
    const begun: string[] = []
    const runner = runTasks(overture, {
      'campaign.duplicate': {
        kind: 'outside',
        async run(_ctx, operation) {
          const { name } = operation.input as { name: string }
          begun.push(name)
          if (name === 'slow') await gate.promise
          return async () => null
        },
      },
    })
    const send = async (id: string, name: string) => (await client.post(`${home}/campaigns/${id}/duplicate`, { name })).body.id as string
    const first = await send(slow.id, 'slow')
    const second = await send(slow.id, 'behind')
    const other = await send(quick.id, 'other')
    const statusOf = async (id: string) => (await client.get(`/v1/operations/${id}`)).body.status
    await eventually('the other campaign is served', async () => (await statusOf(other)) === 'succeeded')
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['running', 'queued'])
    assert.ok(!begun.includes('behind'))
    gate.resolve()
    await eventually('the lane moves on', async () => (await statusOf(second)) === 'succeeded')
    await runner.stop()
  })

  it('locked campaigns delay only their own operations, without counting an attempt', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home, ctx } = overture
    const campaigns = await Promise.all(['a', 'b', 'c', 'd', 'free'].map(name => makeCampaign(overture, { name })))
    const rename = async ({ id, updatedAt }: (typeof campaigns)[number]) =>
      (await client.patch(`${home}/campaigns/${id}`, { name: 'New' }, { headers: { 'if-match': updatedAt } })).body.id as string
    const ids = await Promise.all(campaigns.map(rename))
    const statuses = () => Promise.all(ids.map(async id => (await client.get(`/v1/operations/${id}`)).body.status as string))
    const holder = await ctx.db.pool.connect()
    await holder.query('begin')
    await holder.query('select from campaigns where id = any($1) for update', [campaigns.slice(0, 4).map(({ id }) => id)])
    const worker = new Worker(ctx)
    await worker.start()
    await eventually('the free one is done', async () => (await statuses())[4] === 'succeeded', 12_000)
    assert.ok((await statuses()).slice(0, 4).every(status => status === 'queued' || status === 'running'))
    await holder.query('rollback')
    holder.release()
    await eventually('all are done', async () => (await statuses()).every(status => status === 'succeeded'))
    const { rows } = await ctx.db.pool.query('select max(attempts) as most from operations where id = any($1)', [ids])
    assert.equal(rows[0].most, 1)
    await worker.stop()
  })

  it('outside work with a locked row is done once, even with a second worker and at a stop', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home, ctx } = overture
    ctx.config.stopGraceSeconds = 0
    for (const isStopped of [false, true]) {
      const { id } = await makeCampaign(overture, { name: 'Locked' })
      const operationId = (await client.post(`${home}/campaigns/${id}/duplicate`, { name: 'x' })).body.id as string
      const holder = await ctx.db.pool.connect()
      await holder.query('begin')
      await holder.query('select from campaigns where id = $1 for update', [id])
      const count = { runs: 0, ends: 0 }
      const limits: string[] = []
      const tasks: Record<string, OperationTask> = {
        'campaign.duplicate': {
          kind: 'outside',
          async run() {
            count.runs++
            return async tx => {
              count.ends++
              limits.push((await tx.first<{ limit: string }>(sql(`select current_setting('lock_timeout') as limit`)))!.limit)
              await tx.run(sql('select from campaigns where id = $1 for update'), [id])
              return null
            }
          },
        },
      }
      const runners = [runTasks(overture, tasks), runTasks(overture, tasks)]
      const find = async () => (await ctx.db.pool.query('select status, attempts from operations where id = $1', [operationId])).rows[0]
      await eventually('it has waited in vain, and waits again', () => count.ends === 2)
      const stopped = isStopped ? runners.map(runner => runner.stop()) : []
      if (isStopped) await eventually('it waits for the last time', () => count.ends >= 3)
      await holder.query('rollback')
      holder.release()
      await Promise.all(stopped)
      await eventually('it is done', async () => (await find()).status === 'succeeded')
      assert.deepEqual([count.runs, (await find()).attempts], [1, 1])
      assert.equal(limits.at(-1), isStopped ? '14s' : '1s')
      await Promise.all(runners.map(runner => runner.stop()))
    }
  })

  it('a part of outside work with a locked row is repeated, without counting an attempt', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home, ctx } = overture
    const { id } = await makeCampaign(overture, { name: 'Locked' })
    const operationId = (await client.post(`${home}/campaigns/${id}/duplicate`, { name: 'x' })).body.id as string
    const holder = await ctx.db.pool.connect()
    await holder.query('begin')
    await holder.query('select from campaigns where id = $1 for update', [id])
    let runs = 0
    const runner = runTasks(overture, {
      'campaign.duplicate': {
        kind: 'outside',
        async run() {
          runs++
          await ctx.db.inTransaction(tx => tx.run(sql('select from campaigns where id = $1 for update'), [id]))
          return async () => null
        },
      },
    })
    const find = async () => (await ctx.db.pool.query('select status, attempts from operations where id = $1', [operationId])).rows[0]
    await eventually('it is tried again', () => runs === 2, 12_000)
    await holder.query('rollback')
    holder.release()
    await eventually('it is done', async () => (await find()).status === 'succeeded')
    assert.equal((await find()).attempts, 1)
    await runner.stop()
  })

  it('large operations are applied one at a time, in the order of their campaign, without delaying others', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const campaigns = await Promise.all(['One', 'Two', 'Quick'].map(name => makeCampaign(overture, { name })))
    const gate = Promise.withResolvers<void>()
    const begun: string[] = []
    const nameOf = ({ input }: { input: unknown }): string => (input as { name: string }).name
    const send = async (n: number, name: string) =>
      (await client.post(`${home}/campaigns/${campaigns[n]!.id}/duplicate`, { name })).body.id as string
    const [one, behind, two, quick] = [await send(0, 'one'), await send(0, 'behind'), await send(1, 'two'), await send(2, 'quick')]
    await overture.ctx.db.inTransaction(tx => tx.run(sql('update operations set is_large = true where id = any($1::uuid[])'), [[one, two]]))
    const runner = runTasks(overture, {
      'campaign.duplicate': {
        kind: 'transaction',
        async apply(_tx, _ctx, operation) {
          begun.push(nameOf(operation))
          if (nameOf(operation) === 'one') await gate.promise
          return null
        },
      },
    })
    const statusOf = async (id: string) => (await client.get(`/v1/operations/${id}`)).body.status
    await eventually('the quick one is applied', async () => (await statusOf(quick)) === 'succeeded')
    assert.deepEqual(begun.toSorted(), ['one', 'quick'])
    assert.deepEqual([await statusOf(behind), await statusOf(two)], ['queued', 'queued'])
    gate.resolve()
    for (const id of [one, behind, two]) await eventually('all are applied', async () => (await statusOf(id)) === 'succeeded')
    assert.ok(begun.indexOf('behind') > begun.indexOf('one'))
    await runner.stop()
  })
})

describe('a workspace with too many open operations', () => {
  it('gets 429 with Retry-After at its limit, and others do not', async () => {
    const overture = await startOverture({ worker: false, config: { maxOpenOperations: 3 } })
    after(() => overture.end())
    const { client, home } = overture
    const campaign = await makeCampaign(overture, { name: 'Busy' })
    const duplicate = (key: string) =>
      client.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'x' }, { headers: { 'idempotency-key': key } })
    // One after the other, because requests at the same moment may exceed the limit by a few.
    const first = []
    for (const key of 'abcde') first.push(await duplicate(key))
    assert.deepEqual(
      first.map(({ status }) => status),
      [202, 202, 202, 429, 429],
    )
    const refused = first.find(({ status }) => status === 429)!
    assert.deepEqual([refused.body.error.code, refused.headers['retry-after']], ['rate_limited', '5'])
    const accepted = first.findIndex(({ status }) => status === 202)
    assert.equal((await duplicate('abcde'[accepted]!)).status, 202, 'a repeated request is answered as before')
    const stranger = await overture.stranger()
    const { body } = await stranger.client.post(`${stranger.home}/campaigns`, { name: 'Quiet' })
    assert.equal((await stranger.client.post(`${stranger.home}/campaigns/${body.data.id}/duplicate`, { name: 'x' })).status, 202)
  })
})

describe('a person who may only read', () => {
  it('cannot use up the open operations of the workspace: a pause is still accepted', async () => {
    const overture = await startOverture({ worker: false, config: { maxOpenOperations: 4 } })
    after(() => overture.end())
    const { home } = overture
    const { id } = await makeCampaign(overture, { name: 'Running' })
    const viewer = await overture.withScopes(['leads:read'])
    const asked = []
    for (const path of [`${home}/campaigns/${id}/leads/search/preview`, `${home}/leads/search/preview`, `${home}/leads/search/ai`])
      asked.push(await viewer.post(path, path.endsWith('ai') ? { brief: 'heads of sales in Berlin' } : { filters: {} }))
    assert.deepEqual(
      asked.map(({ status }) => status),
      [202, 202, 429],
    )
    assert.equal((await overture.client.post(`${home}/campaigns/${id}/duplicate`, { name: 'x' })).status, 202)
  })
})

describe('accidents', () => {
  it('an operation that runs out of attempts fails as retryable, hides the internal error, and frees its lane', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home, ctx } = overture
    const campaign = await makeCampaign(overture, { name: 'Unlucky' })
    let attempts = 0
    const runner = runTasks(overture, {
      'campaign.duplicate': {
        kind: 'transaction',
        async apply() {
          attempts++
          throw new Error('the disk is on fire at /secret/place')
        },
      },
      'campaign.archive': { kind: 'transaction', apply: async () => null },
    })
    const { body: doomed } = await client.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'x' })
    const { body: behind } = await client.post(`${home}/campaigns/${campaign.id}/archive`, {})
    // Time flies: what waits for its next attempt is made due at once.
    const hurry = 'update operations set run_at = now() where id = $1 and worker_id is null'
    const operation = await eventually('the operation gives up', async () => {
      await ctx.db.pool.query(hurry, [doomed.id])
      ctx.wake.wake(['operations'])
      const { body } = await client.get(`/v1/operations/${doomed.id}`)
      assert.ok(['queued', 'running', 'failed'].includes(body.status))
      return body.status === 'failed' && body
    })
    assert.equal(attempts, 8)
    assert.deepEqual([operation.error.code, operation.error.retryable, operation.result], ['internal_error', true, null])
    assert.doesNotMatch(JSON.stringify(operation), /fire|secret/)
    await eventually('the lane is free', async () => (await client.get(`/v1/operations/${behind.id}`)).body.status === 'succeeded')
    const events = (await client.get(`${home}/events?type=operation.failed`)).body.data
    assert.deepEqual(
      events.map((event: { data: { operationId: string } }) => event.data.operationId),
      [doomed.id],
    )
    await runner.stop()
  })

  it('an operation that fails unexpectedly affects no other, and its changes are undone', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home, ctx } = overture
    const campaigns = await Promise.all(Array.from({ length: 10 }, (_, n) => makeCampaign(overture, { name: `Shared ${n}` })))
    const ids = await Promise.all(
      campaigns.map(async ({ id }) => (await client.post(`${home}/campaigns/${id}/duplicate`, { name: 'x' })).body.id as string),
    )
    const bad = campaigns[4]!.id
    const mark = sql(`update campaigns set niche = 'touched' where id = $1`)
    let failures = 0
    const runner = runTasks(overture, {
      'campaign.duplicate': {
        kind: 'transaction',
        async apply(tx, _ctx, operation) {
          await tx.run(mark, [operation.campaignId])
          if (operation.campaignId === bad && failures++ < 2) throw new Error('by accident')
          return null
        },
      },
    })
    const untouched = sql(`select id from campaigns where niche is distinct from 'touched' and name like 'Shared%'`)
    await eventually('the others are done', async () => {
      const statuses = await Promise.all(ids.map(async id => (await client.get(`/v1/operations/${id}`)).body.status))
      return statuses.filter(status => status === 'succeeded').length >= 9
    })
    await eventually(
      'and the unlucky one after another try',
      async () => (await client.get(`/v1/operations/${ids[4]}`)).body.status === 'succeeded',
    )
    assert.deepEqual(await ctx.db.many(untouched), [])
    assert.equal((await client.get(`${home}/events?type=operation.succeeded`)).body.data.length, 10)
    await runner.stop()
  })

  it('an operation is not stuck with a living worker whose connections are all in use for a while', async t => {
    const { OVERTURE_TEST_PATIENCE } = process.env
    t.after(() => Object.assign(process.env, { OVERTURE_TEST_PATIENCE }))
    // It waits for a connection no longer than in production.
    process.env.OVERTURE_TEST_PATIENCE = '1'
    const overture = await startOverture({ worker: false, config: { poolSize: 2 } })
    after(() => overture.end())
    const { client, home, ctx } = overture
    const campaign = await makeCampaign(overture, { name: 'Exhausted' })
    let attempts = 0
    const runner = runTasks(overture, {
      'campaign.duplicate': {
        kind: 'outside',
        async run() {
          if (attempts++ > 0) return async () => null
          // Nothing that is left of the pool can write down how this attempt ended.
          const held = await Promise.all([ctx.db.pool.connect(), ctx.db.pool.connect()])
          void eventually('the wait for a connection is given up', () => ctx.db.saturatedCount > 0).finally(() => {
            for (const connection of held) connection.release()
          })
          throw new Error('the first time it fails')
        },
      },
    })
    const { body } = await client.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'x' })
    await eventually('it is done', async () => (await client.get(`/v1/operations/${body.id}`)).body.status === 'succeeded')
    assert.equal(attempts, 2)
    await runner.stop()
  })

  it('the claimed work of a worker that is killed with -9 is done by another', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const campaign = await makeCampaign(overture, { name: 'Orphan' })
    const doomed = script('test/faults/hanging-worker.ts', {
      DATABASE_URL: overture.databaseUrl,
      OVERTURE_SECRET_KEY: TEST_SECRET.toString('base64'),
    })
    const { body } = await client.post(`${home}/campaigns/${campaign.id}/duplicate`, { name: 'Rescued' })
    assert.equal((await doomed.says(/took (\S+) as 1/))[1], body.id)
    assert.equal((await client.get(`/v1/operations/${body.id}`)).body.status, 'running')
    const worker = new Worker(overture.ctx)
    await worker.start()
    await doomed.end('SIGKILL')
    const operation = await eventually('the other worker is done', async () => {
      const reply = await client.get(`/v1/operations/${body.id}`)
      return reply.body.status === 'succeeded' && reply.body
    })
    assert.equal(operation.result.campaign.name, 'Rescued')
    await worker.stop()
  })
})
