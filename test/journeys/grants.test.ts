import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { overture as run } from '../faults/processes.ts'
import { type Client, type Overture, startOverture, TEST_SECRET } from '../harness.ts'

describe('granting credits', () => {
  let overture: Overture
  let client: Client
  let env: Record<string, string>

  before(async () => {
    overture = await startOverture({ worker: false })
    client = overture.client
    env = { DATABASE_URL: overture.databaseUrl, OVERTURE_SECRET_KEY: TEST_SECRET.toString('base64') }
  })

  const newHome = async () => `/v1/workspaces/${(await client.post('/v1/workspaces', { name: randomUUID() })).body.data.id}`
  const command = async (args: string[]) => {
    const program = run(args, env)
    return { code: await program.exited, output: program.output }
  }

  it('adds them to the balance and to the ledger, with the note', async () => {
    const home = await newHome()
    const reply = await client.post(`${home}/credits/grants`, { amount: 500, note: 'Invoice 7' })
    assert.equal(reply.status, 201)
    const { links, ...entry } = reply.body.data
    assert.deepEqual([entry.kind, entry.amount, entry.note, entry.operationId], ['grant', 500, 'Invoice 7', null])
    assert.equal(reply.headers.location, links.self)
    assert.deepEqual((await client.get(links.self)).body.data, reply.body.data)
    assert.deepEqual((await client.get(`${home}/credits/ledger`)).body.data, [reply.body.data])
    assert.equal((await client.get(`${home}/credits`)).body.data.available, 500)
  })

  it('happens once per idempotency-key, even for concurrent requests', async () => {
    const home = await newHome()
    const headers = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(Array.from({ length: 8 }, () => client.post(`${home}/credits/grants`, { amount: 30 }, { headers })))
    assert.deepEqual(replies.map(reply => reply.status).toSorted(), [200, 200, 200, 200, 200, 200, 200, 201])
    assert.equal(new Set(replies.map(reply => reply.body.data.id)).size, 1)
    assert.equal((await client.get(`${home}/credits`)).body.data.balance, 30)
    const other = await client.post(`${home}/credits/grants`, { amount: 31 }, { headers })
    assert.equal(other.body.error.code, 'idempotency_key_reused')
  })

  it('refuses invalid amounts, and tokens without credits:write', async () => {
    const home = await newHome()
    for (const amount of [0, -5, 1.5, '10', 1_000_000_001, null])
      assert.equal((await client.post(`${home}/credits/grants`, { amount })).status, 422, String(amount))
    const reader = await overture.withScopes(['credits:read', 'leads:export', 'workspaces:write'])
    assert.equal((await reader.post(`${overture.home}/credits/grants`, { amount: 5 })).status, 403)
    const granter = await overture.withScopes(['credits:write'])
    assert.equal((await granter.post(`${overture.home}/credits/grants`, { amount: 5 })).status, 201)
  })

  it('works from the command line for an existing workspace', async () => {
    const home = await newHome()
    const id = home.split('/').at(-1)!
    const { code, output } = await command(['credits', 'grant', '--workspace', id, '--amount', '250', '--note', 'By hand'])
    assert.equal(code, 0, output)
    assert.equal(JSON.parse(output).granted, 250)
    const [entry] = (await client.get(`${home}/credits/ledger`)).body.data
    assert.deepEqual([entry.amount, entry.note], [250, 'By hand'])
    // By name, too, as long as the name means one workspace.
    const name = `Grants ${randomUUID()}`
    const named = (await client.post('/v1/workspaces', { name })).body.data.id
    const byName = await command(['credits', 'grant', '--workspace', ` ${name.toUpperCase()} `, '--amount', '7'])
    assert.deepEqual([byName.code, JSON.parse(byName.output).workspaceId], [0, named], byName.output)
    await client.post('/v1/workspaces', { name })
    const either = await command(['credits', 'grant', '--workspace', name, '--amount', '7'])
    assert.deepEqual([either.code, either.output.includes(named)], [2, true], either.output)
    assert.equal((await client.get(`/v1/workspaces/${named}/credits`)).body.data.balance, 7)
    for (const nobody of [randomUUID(), 'Nobody'])
      assert.equal((await command(['credits', 'grant', '--workspace', nobody, '--amount', '1'])).code, 4)
    assert.equal((await command(['credits', 'grant', '--workspace', id, '--amount', '-1'])).code, 2)
  })

  it('a second token for the same workspace name joins that workspace, and another name makes another', async () => {
    const create = async (email: string, workspace: string[]) => {
      const { code, output } = await command(['token', 'create', '--email', email, ...workspace])
      assert.equal(code, 0, output)
      return JSON.parse(output) as { workspaceId: string; token: string }
    }
    const first = await create('ann@acme.example', ['--workspace', 'Acme'])
    const second = await create('Ann@acme.example', ['--workspace', 'acme'])
    assert.equal(second.workspaceId, first.workspaceId)
    const other = await create('ann@acme.example', ['--workspace', 'Beta'])
    assert.notEqual(other.workspaceId, first.workspaceId)
    assert.equal((await create('ann@acme.example', [])).workspaceId, first.workspaceId)
    // Names are not unique: a colleague joins by id, and the same name alone gives no access to another person's workspace.
    assert.equal((await create('bob@acme.example', ['--workspace', first.workspaceId])).workspaceId, first.workspaceId)
    assert.notEqual((await create('eve@else.example', ['--workspace', 'Acme'])).workspaceId, first.workspaceId)
    const names = (await client.get('/v1/workspaces', { token: second.token })).body.data.map((row: { name: string }) => row.name)
    assert.deepEqual(names.toSorted(), ['Acme', 'Beta'])
  })
})
