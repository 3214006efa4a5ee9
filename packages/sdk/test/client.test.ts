import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Overture as Service, startOverture } from '../../../test/harness.ts'
import { OperationFailed, Overture, OvertureError } from '../src/index.ts'

describe('the client', () => {
  let service: Service
  let overture: Overture

  before(async () => {
    service = await startOverture()
    overture = new Overture({ baseUrl: service.baseUrl, token: service.client.token })
  })

  it('creates, reads and lists in the only workspace of the token', async () => {
    const created = await overture.campaigns.create({ name: 'Spring' })
    assert.equal(created.workspaceId, service.workspaceId)
    assert.equal((await overture.campaigns.get(created.id)).createdAt, created.createdAt)
    const page = await overture.campaigns.list({ q: 'spring', limit: 1 })
    assert.deepEqual(
      page.data.map(campaign => campaign.id),
      [created.id],
    )
  })

  it('iterates over all pages of a list, requesting each when needed', async () => {
    for (let number = 0; number < 5; number++) await overture.suppressions.create({ kind: 'domain', value: `list${number}.example` })
    let requests = 0
    const counting = new Overture({
      baseUrl: service.baseUrl,
      token: service.client.token,
      workspaceId: service.workspaceId,
      fetch: (...args) => {
        requests++
        return fetch(...args)
      },
    })
    const values: (string | null)[] = []
    for await (const { value } of counting.suppressions.list({ limit: 2 })) values.push(value)
    assert.deepEqual(values.sort(), ['list0.example', 'list1.example', 'list2.example', 'list3.example', 'list4.example'])
    assert.equal(requests, 3)
    for await (const _ of counting.suppressions.list({ limit: 2 })) break
    assert.equal(requests, 4)
  })

  it('returns the result of an accepted write, whether it waits at once or later', async () => {
    const { id } = await overture.campaigns.create({ name: 'To copy' })
    const direct = await overture.campaigns.duplicate(id, { name: 'Copy 1' }).wait()
    assert.equal(direct.campaign.name, 'Copy 1')
    const handle = await overture.campaigns.duplicate(id, { name: 'Copy 2' })
    assert.ok(handle.id)
    const later = await handle.wait()
    assert.equal(later.campaign.name, 'Copy 2')
    assert.equal((await overture.wait(handle.id)).status, 'succeeded')
  })

  it('throws OperationFailed for a failed operation, although the response is 200', async () => {
    const { id } = await overture.campaigns.create({ name: 'Changed meanwhile' })
    const outdated = { ifMatch: '2020-01-01T00:00:00.000Z' }
    const failsAs = (error: unknown): boolean => {
      assert.ok(error instanceof OperationFailed)
      assert.equal(error.code, 'precondition_failed')
      assert.equal(error.operation.action, 'campaign.update')
      assert.equal(error.retryable, false)
      return true
    }
    await assert.rejects(overture.campaigns.update(id, { name: 'New' }, outdated).wait(), failsAs)
    await assert.rejects(overture.campaigns.update(id, { name: 'New' }, { ...outdated, wait: 20 }), failsAs)
    const accepted = await overture.campaigns.update(id, { name: 'New' }, outdated)
    await assert.rejects(accepted.wait(), failsAs)
  })

  it('throws errors with code, status, issues and request id', async () => {
    await assert.rejects(overture.campaigns.create({ name: '' }), (error: unknown) => {
      assert.ok(error instanceof OvertureError)
      assert.equal(error.code, 'validation_failed')
      assert.equal(error.status, 422)
      assert.ok(error.requestId)
      assert.equal(error.issues[0]?.path, '/name')
      return true
    })
  })

  it('sends a file unchanged, and returns a dry run of its import', async () => {
    const { id } = await overture.campaigns.create({ name: 'From a file' })
    const file = new Blob(['email,first name\nann@csv.example,Ann\n'])
    const { data } = await overture.leads.importCsv(id, { dryRun: true }, file)
    assert.equal(data?.validCount, 1)
    assert.equal((await overture.leads.importCsv(id, {}, file).wait()).importedCount, 1)
    assert.equal((await overture.leads.list(id)).data[0]?.firstName, 'Ann')
  })

  it('refuses a missing id, or one that would change the path, before sending', async () => {
    let requests = 0
    const counting = (workspaceId: string) =>
      new Overture({
        baseUrl: service.baseUrl,
        token: service.client.token,
        workspaceId,
        fetch: (...args) => {
          requests++
          return fetch(...args)
        },
      })
    const ours = counting(service.workspaceId)
    const refused = (name: string, problem = 'must be an id') => ({
      name: 'OvertureError',
      code: 'invalid_argument',
      message: new RegExp(`^${name} ${problem}`),
    })
    assert.throws(() => ours.campaigns.get(''), refused('campaignId', 'is missing'))
    assert.throws(() => ours.campaigns.get(undefined as unknown as string), refused('campaignId', 'is missing'))
    for (const dots of ['.', '..', '%2e', '%2E%2e', '.%2e', '%2e.', '%252e.']) {
      assert.throws(() => ours.campaigns.updateSettings(dots, {}, { ifMatch: '' }), refused('campaignId'))
      assert.throws(() => ours.leads.get(service.workspaceId, dots), refused('leadId'))
      assert.throws(() => ours.workspaces.get(dots), refused('workspaceId'))
      await assert.rejects(ours.wait(dots), refused('operationId'))
      await assert.rejects(ours.campaigns.list({}, { workspaceId: dots }), refused('workspaceId'))
      await assert.rejects(counting(dots).campaigns.create({ name: 'Astray' }), refused('workspaceId'))
      await assert.rejects(counting(dots).events.stream()[Symbol.asyncIterator]().next(), refused('workspaceId'))
    }
    await assert.rejects(counting('').campaigns.list(), refused('workspaceId', 'is missing'))
    assert.equal(requests, 0)
    for (const odd of ['...', 'a/../b', '..?', '..;'])
      await assert.rejects(ours.campaigns.get(odd), { code: 'invalid_request', message: /^campaignId/ })
  })

  it('asks for a workspace when the token reaches several', async () => {
    const { client } = await service.stranger()
    const other = new Overture({ baseUrl: service.baseUrl, token: client.token })
    await other.workspaces.create({ name: 'Second' })
    await assert.rejects(other.campaigns.list(), { code: 'workspace_unknown' })
    const [first] = (await other.workspaces.list()).data
    assert.deepEqual((await other.campaigns.list({}, { workspaceId: first!.id })).data, [])
  })

  it('sends the headers and credentials of a browser session, and no token', async () => {
    const seen: RequestInit[] = []
    const console = new Overture({
      baseUrl: service.baseUrl,
      workspaceId: service.workspaceId,
      headers: { 'x-overture-console': '1' },
      credentials: 'same-origin',
      fetch: (input, init) => {
        seen.push(init!)
        return fetch(input, init)
      },
    })
    await assert.rejects(console.campaigns.list(), { code: 'unauthenticated' })
    assert.equal(seen[0]?.credentials, 'same-origin')
    assert.deepEqual(seen[0]?.headers, { 'x-overture-console': '1' })
  })
})
