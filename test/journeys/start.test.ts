import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { asCommand, Lifetime, openContext } from '../../src/app/boot.ts'
import { loadConfig } from '../../src/context/config.ts'
import { listMissing } from '../../src/db/migrate.ts'
import { eventually } from '../faults/eventually.ts'
import {
  freePort,
  makeFolder,
  npm,
  type Program,
  placesOf,
  postgresProcesses,
  postmasterOf,
  overture as run,
  serve,
  tryKill,
} from '../faults/processes.ts'
import { full, isFull } from '../full.ts'
import { Client, createTestDatabase } from '../harness.ts'
import { startTransactionPooler } from '../transaction-pooler.ts'

interface Local {
  baseUrl: string
  consoleUrl: string
  workspaceId: string
  token: string
  orgKey: string
}

const newKey = (): string => randomBytes(32).toString('base64')

const readLocal = async (folder: string): Promise<Local> => JSON.parse(await readFile(join(folder, 'local.json'), 'utf8'))

describe('npm start', () => {
  let folder: string
  let port: number
  let local: Local
  let client: Client
  let home: string
  let server: Program

  const env = () => ({ OVERTURE_DIR: folder, PORT: String(port), OVERTURE_DEMO_PEOPLE: '300' })
  const start = async (): Promise<Program> => {
    const program = npm(['start'], env())
    await program.says(new RegExp(`is running at http://127\\.0\\.0\\.1:${port}`))
    return program
  }

  before(async () => {
    folder = await makeFolder()
    port = await freePort()
    await killFirstStart()
    server = await start()
    local = await readLocal(folder)
    client = new Client(local.baseUrl, local.token)
    home = `/v1/workspaces/${local.workspaceId}`
  })

  /** While its PostgreSQL is being made. test/faults/start.test.ts does it at any moment. */
  async function killFirstStart(): Promise<void> {
    const program = run(['start'], env())
    const hasBegun = async () => (await placesOf(folder)).some(place => existsSync(join(place, 'data.new')))
    await eventually('PostgreSQL is being made', hasBegun)
    await program.end('SIGKILL')
  }

  it('prints its steps while they take a while', () => {
    const steps = [
      /^Starting Overture \.\.\.$/m,
      /^Starting PostgreSQL in .* \.\.\.$/m,
      /^Creating the demo workspace \(once\) \.\.\.$/m,
      /^Creating a demo directory of 300 people \(once\) \.\.\.$/m,
      /is running at/,
    ]
    const places = steps.map(pattern => server.output.search(pattern))
    assert.ok(
      places.every(place => place >= 0),
      server.output,
    )
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
  })

  it('is one process beside PostgreSQL: none only waits for another', async () => {
    const status = async (pid: number | string) => readFile(`/proc/${pid}/status`, 'utf8')
    const parentOf = async (pid: number | string) => /^PPid:\s(\d+)$/m.exec(await status(pid))![1]!
    const service = await parentOf(await postmasterOf(folder))
    assert.match(await readFile(`/proc/${service}/cmdline`, 'utf8'), /main\.ts/)
    assert.match(await status(await parentOf(service)), /^Name:\s(npm|sh|bash|dash)/)
  })

  it('writes local.json for its owner only, with exactly baseUrl, consoleUrl, workspaceId, token and orgKey, and both tokens work', async () => {
    assert.deepEqual(Object.keys(local).sort(), ['baseUrl', 'consoleUrl', 'orgKey', 'token', 'workspaceId'])
    assert.equal((await stat(join(folder, 'local.json'))).mode & 0o777, 0o600)
    assert.equal(local.baseUrl, `http://127.0.0.1:${port}`)
    assert.match(local.token, /^ovr_pat_/)
    assert.match(local.orgKey, /^ovr_org_/)
    for (const token of [local.token, local.orgKey]) assert.equal((await new Client(local.baseUrl, token).get(home)).status, 200)
    assert.ok(!server.output.includes(local.token) && !server.output.includes(local.orgKey))
  })

  it('prints a link that signs in to the console once, and console-link prints another', async () => {
    assert.ok(server.output.includes(local.consoleUrl), server.output)
    const command = run(['console-link'], env())
    assert.equal(await command.exited, 0, command.output)
    const another = command.output.trim()
    assert.notEqual(another, local.consoleUrl)
    for (const link of [local.consoleUrl, another]) {
      const { origin, pathname, searchParams } = new URL(link)
      assert.deepEqual([origin, pathname], [local.baseUrl, '/sign-in'])
      const signIn = () => client.post('/v1/sessions', { code: searchParams.get('code') }, { token: null })
      const first = await signIn()
      assert.deepEqual([first.status, first.body.data.workspaces[0].id], [201, local.workspaceId])
      assert.equal((await signIn()).status, 401)
    }
  })

  it('serves health, readiness, metrics, documentation and a page without a token', async () => {
    for (const [path, type, text] of [
      ['/healthz', 'application/json', '"ok"'],
      ['/readyz', 'application/json', '"ready"'],
      ['/metrics', 'text/plain', 'overture_http_requests_total'],
      ['/openapi.json', 'application/json', '"openapi":"3.1'],
      ['/docs', 'text/html', '/v1/operations/{operationId}'],
      ['/', 'text/html', 'Overture'],
    ] as const) {
      const reply = await fetch(local.baseUrl + path)
      assert.equal(reply.status, 200, path)
      assert.ok(reply.headers.get('content-type')!.startsWith(type), path)
      assert.ok((await reply.text()).includes(text), path)
    }
    const docs = await (await fetch(`${local.baseUrl}/docs`)).text()
    assert.doesNotMatch(docs, /(?:src|href)="(?:https?:)?\/\//, '/docs needs the network')
  })

  it('has a demo workspace with campaigns in several states, a sandbox mailbox and credits, and a worker', async () => {
    const campaigns = (await client.get(`${home}/campaigns`)).body.data
    const archived = (await client.get(`${home}/campaigns?status=archived`)).body.data
    const statuses = new Set([...campaigns, ...archived].map(campaign => campaign.status))
    for (const status of ['draft', 'active', 'paused', 'archived']) assert.ok(statuses.has(status), status)
    assert.deepEqual(
      (await client.get(`${home}/providers`)).body.data.map((provider: { kind: string; status: string }) => [
        provider.kind,
        provider.status,
      ]),
      [['sandbox', 'connected']],
    )
    assert.ok((await client.get(`${home}/credits`)).body.data.available > 0)
    const filled = campaigns.filter((campaign: { totalLeads: number }) => campaign.totalLeads > 0)
    assert.ok(filled.length > 0)
    for (const campaign of filled) {
      const leads = (await client.get(`${home}/campaigns/${campaign.id}/leads`)).body.data
      // Names that are reserved for examples, so that no real person is reached.
      for (const { email } of leads) assert.match(email, /@(?:.+\.)?(?:example|test|invalid|example\.(?:com|net|org))$/)
    }
    const copy = await client.operate('POST', `${home}/campaigns/${campaigns[0].id}/duplicate`, { name: 'Made by the worker' })
    assert.equal(copy.status, 'succeeded')
  })

  // The next test is the short one of this.
  it('a second start in the same folder is refused and names the first, which continues', full, async () => {
    const second = run(['start'], { ...env(), PORT: '0' })
    assert.equal(await second.exited, 1)
    assert.match(second.output, new RegExp(`already running.*${port}`))
    assert.equal((await client.get(home)).status, 200)
  })

  it('a second start with a public address is also refused, and the first keeps its PostgreSQL', async () => {
    const postmaster = await postmasterOf(folder)
    const second = run(['start'], { ...env(), PORT: '0', OVERTURE_BASE_URL: 'https://outreach.example.com' })
    assert.equal(await second.exited, 1)
    assert.match(second.output, new RegExp(`already running on .*overture start, process \\d+, at http://127.0.0.1:${port}`))
    assert.equal(await postmasterOf(folder), postmaster)
    assert.deepEqual(await readLocal(folder), local)
    assert.equal((await client.get(home)).status, 200)
  })

  // 'console-link' above joins it, too.
  it('a command uses the database of the running server, which continues', full, async () => {
    const command = run(['token', 'create', '--email', 'second@overture.example', '--workspace', 'Second'], env())
    assert.equal(await command.exited, 0, command.output)
    const made = JSON.parse(command.output) as { workspaceId: string; token: string }
    assert.equal((await new Client(local.baseUrl, made.token).get(`/v1/workspaces/${made.workspaceId}`)).status, 200)
    assert.equal((await client.get(home)).status, 200)
  })

  // Every test file runs a service next to others.
  it('another installation runs next to it in its own folder', full, async () => {
    const other = await makeFolder()
    const beside = run(['start'], { OVERTURE_DIR: other, PORT: '0', OVERTURE_DEMO_PEOPLE: '300' })
    await beside.says(/is running at/)
    const theirs = await readLocal(other)
    assert.notEqual(theirs.workspaceId, local.workspaceId)
    assert.equal((await new Client(theirs.baseUrl, theirs.token).get(`/v1/workspaces/${theirs.workspaceId}`)).status, 200)
    assert.equal((await new Client(theirs.baseUrl, local.token).get('/v1/workspaces')).status, 401)
    await beside.end('SIGTERM')
    assert.deepEqual(await postgresProcesses(other), [])
    assert.equal((await client.get(home)).status, 200)
  })

  it('a port in use is reported in words, and the started database is stopped', full, async () => {
    const other = await makeFolder()
    const refused = run(['start'], { OVERTURE_DIR: other, PORT: String(port) })
    assert.equal(await refused.exited, 1)
    assert.match(refused.output, new RegExp(`Port ${port} is in use`))
    assert.deepEqual(await postgresProcesses(other), [])
  })

  it('after kill -9 of everything, PostgreSQL included, the next start finds everything: workspace, tokens, secret and open work', async () => {
    const { id } = (await client.post(`${home}/campaigns`, { name: 'Survivor' })).body.data
    const accepted = await client.post(`${home}/campaigns/${id}/duplicate`, { name: 'Accepted before' })
    assert.equal(accepted.status, 202)
    const postmaster = await postmasterOf(folder)
    const gone = server.end('SIGKILL')
    tryKill(postmaster, 'SIGKILL')
    await gone
    server = await start()
    const now = await readLocal(folder)
    assert.notEqual(now.consoleUrl, local.consoleUrl)
    assert.deepEqual({ ...now, consoleUrl: local.consoleUrl }, local)
    const names = (await client.get(`${home}/campaigns`)).body.data.map((campaign: { name: string }) => campaign.name)
    assert.ok(names.includes('Made by the worker'))
    assert.equal((await client.get('/v1/workspaces')).body.data.length, 1)
    assert.equal((await client.get(`${home}/campaigns/${id}`)).body.data.name, 'Survivor')
    await eventually(
      'the operation is done',
      async () => (await client.get(`/v1/operations/${accepted.body.id}`)).body.status === 'succeeded',
    )
  })

  it('restarts its PostgreSQL when it is killed', async () => {
    const postmaster = await postmasterOf(folder)
    tryKill(postmaster, 'SIGKILL')
    await eventually('another PostgreSQL runs', async () => (await postmasterOf(folder)) !== postmaster)
    await eventually('the API is ready again', async () => (await fetch(`${local.baseUrl}/readyz`)).ok)
    assert.equal((await client.get(home)).status, 200)
  })

  it('Ctrl-C stops it and its PostgreSQL, and no process is left in its folder', async () => {
    assert.ok((await postgresProcesses(folder)).length > 0)
    await server.end('SIGINT')
    assert.match(server.output, /Stopping/)
    assert.deepEqual(await postgresProcesses(folder), [])
    await assert.rejects(fetch(`${local.baseUrl}/healthz`))
  })

  // The start after kill -9 is the short one.
  it('the next start finds the same workspace', full, async () => {
    server = await start()
    const now = await readLocal(folder)
    assert.notEqual(now.consoleUrl, local.consoleUrl)
    assert.deepEqual({ ...now, consoleUrl: local.consoleUrl }, local)
  })

  // The start after kill -9 of everything is the short one.
  it('after kill -9 of the program alone, its leftover PostgreSQL does not prevent the next start', full, async () => {
    const { id } = (await client.post(`${home}/campaigns`, { name: 'Orphaned' })).body.data
    await server.end('SIGKILL')
    assert.ok((await postgresProcesses(folder)).length > 0, 'PostgreSQL was meant to outlive it here')
    server = await start()
    assert.equal((await client.get(`${home}/campaigns/${id}`)).body.data.name, 'Orphaned')
    await server.end('SIGTERM')
    assert.deepEqual(await postgresProcesses(folder), [])
  })
})

describe('npm run api and npm run worker', () => {
  it('work together as separate processes on DATABASE_URL, without demo data', async () => {
    const shared = { DATABASE_URL: await createTestDatabase(), OVERTURE_SECRET_KEY: newKey(), OVERTURE_LOG_LEVEL: 'info' }
    const token = run(['token', 'create', '--email', 'ada@example.com'], shared)
    assert.equal(await token.exited, 0, token.output)
    const made = JSON.parse(token.output.slice(token.output.indexOf('{')))
    const { program: api, base } = await serve('api', shared)
    const client = new Client(base, made.token)
    const home = `/v1/workspaces/${made.workspaceId}`
    assert.deepEqual((await client.get(`${home}/campaigns`)).body.data, [])
    const { id } = (await client.post(`${home}/campaigns`, { name: 'Waiting' })).body.data
    const accepted = await client.post(`${home}/campaigns/${id}/duplicate`, { name: 'Copy' })
    assert.equal((await client.get(`/v1/operations/${accepted.body.id}`)).body.status, 'queued')

    const worker = npm(['run', 'worker'], shared)
    await worker.says(/"msg":"started"/)
    await eventually('the worker does it', async () => (await client.get(`/v1/operations/${accepted.body.id}`)).body.status === 'succeeded')
    const waited = await client.post(`${home}/campaigns/${id}/duplicate`, { name: randomUUID() }, { headers: { prefer: 'wait=20' } })
    assert.deepEqual([waited.status, waited.body.status], [200, 'succeeded'])
    await worker.end('SIGINT')
    await api.end('SIGINT')
    for (const program of [api, worker]) assert.match(program.output, /Stopping/)
  })

  // 'work together' stops both by a signal, too.
  it('stop when only npm is signaled, as by a process manager', full, async () => {
    const shared = { DATABASE_URL: await createTestDatabase(), OVERTURE_SECRET_KEY: newKey(), OVERTURE_LOG_LEVEL: 'info' }
    for (const command of ['api', 'worker']) {
      const program = npm(['run', command], { ...shared, PORT: '0' })
      await program.says(/"msg":"started"/)
      tryKill(program.pid, 'SIGTERM')
      // Its output is closed by the last of them.
      await program.exited
      assert.match(program.output, /Stopping/, command)
    }
  })

  it('refuse an unmigrated database and name the command; if enabled, migrate it themselves', async () => {
    const url = await createTestDatabase({ isEmpty: true })
    const shared = { DATABASE_URL: url, OVERTURE_SECRET_KEY: newKey(), OVERTURE_LOG_LEVEL: 'info', PORT: '0' }
    for (const command of isFull ? ['api', 'worker'] : ['api']) {
      const refused = run([command], shared)
      assert.equal(await refused.exited, 1, command)
      assert.match(refused.output, /not up to date.*0001_schema[\s\S]*npm run migrate[\s\S]*OVERTURE_MIGRATE=true/)
    }
    assert.equal((await listMissing(url))[0], '0001_schema.sql')
    const willing = run(['worker'], { ...shared, OVERTURE_MIGRATE: 'true' })
    await willing.says(/"msg":"started"/)
    await willing.end()
    assert.deepEqual(await listMissing(url), [])
  })

  it('refuse a file without a key, and name it', async () => {
    const dir = await makeFolder()
    await writeFile(join(dir, 'secret.key'), 'cut off', { mode: 0o600 })
    const config = { ...loadConfig({}, { dir }), databaseUrl: await createTestDatabase() }
    await assert.rejects(openContext(config, new Lifetime(), asCommand('overture doctor')), /secret\.key contains no secret key/)
  })

  it('refuse a pooler in transaction mode with the reason', async () => {
    const url = await createTestDatabase()
    const shared = { OVERTURE_SECRET_KEY: newKey(), OVERTURE_LOG_LEVEL: 'info', PORT: '0' }
    for (const [order, commands] of [
      ['last', isFull ? ['api', 'worker'] : ['api']],
      ['in_turn', isFull ? ['start', 'migrate'] : ['migrate']],
    ] as const) {
      const pooler = await startTransactionPooler(url, order)
      for (const command of commands) {
        const refused = run([command], { ...shared, DATABASE_URL: pooler.url })
        assert.equal(await refused.exited, 1, command)
        assert.match(refused.output, /pooler in transaction mode[\s\S]*session mode/)
      }
      await pooler.stop()
    }
  })
})
