import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { Database } from '../../src/db/client.ts'
import { EmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { eventually } from '../faults/eventually.ts'
import { makeFolder, type Program, overture as run, serve, tryKill } from '../faults/processes.ts'
import { full } from '../full.ts'
import { Client, type Reply } from '../harness.ts'

// The limits themselves are tested here.
process.env.OVERTURE_TEST_PATIENCE = '1'

function tryRead(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // the process has ended meanwhile
  }
}

/** PostgreSQL as a stranger to the service: on DATABASE_URL, stopped and started by the test. */
describe('when PostgreSQL is unavailable', () => {
  let folder: string
  let server: EmbeddedPostgres
  let api: Program
  let worker: Program
  let client: Client
  let home: string
  let campaignId: string
  let base: string
  let env: Record<string, string>

  const startPostgres = async () => {
    server = await EmbeddedPostgres.start(join(folder, 'postgres'), { max_connections: '60' })
  }

  before(async () => {
    folder = await makeFolder()
    await chmod(folder, 0o755) // when root runs the tests, PostgreSQL runs as somebody else
    await startPostgres()
    await server.createDatabase('loss')
    const url = server.url('loss')
    await migrate(url)
    env = { DATABASE_URL: url, OVERTURE_SECRET_KEY: randomBytes(32).toString('base64') }
    const token = run(['token', 'create', '--email', 'ada@example.com'], env)
    assert.equal(await token.exited, 0, token.output)
    const made = JSON.parse(token.output)
    worker = run(['worker'], env)
    ;({ program: api, base } = await serve('api', env))
    client = new Client(base, made.token)
    home = `/v1/workspaces/${made.workspaceId}`
    campaignId = (await client.post(`${home}/campaigns`, { name: 'Lasting' })).body.data.id
  })

  after(async () => {
    await Promise.all([api?.end(), worker?.end()])
    await server?.stop()
    await server?.remove()
  })

  const duplicate = (name: string, headers: Record<string, string> = {}) =>
    client.post(`${home}/campaigns/${campaignId}/duplicate`, { name }, { headers })
  const isUnavailable = (reply: Reply) => {
    assert.deepEqual([reply.status, reply.body.error.code], [503, 'service_unavailable'], JSON.stringify(reply.body))
    assert.ok(Number(reply.headers['retry-after']) >= 1)
  }
  const settled = (id: string) =>
    eventually(`${id} is done`, async () => {
      const { body } = await client.get(`/v1/operations/${id}`)
      return ['succeeded', 'failed'].includes(body.status) && body
    })

  it('every request returns 503 with Retry-After, health checks work, and everything recovers automatically', async () => {
    const before = (await duplicate('Before')).body
    await settled(before.id)
    await server.stop()
    const requests = [
      () => client.get(`${home}/campaigns`),
      () => client.get(`${home}/campaigns/${campaignId}`),
      () => client.get(`/v1/operations/${before.id}`),
      () => duplicate('During'),
      () => client.post(`${home}/campaigns`, { name: 'During' }),
      () => client.get('/readyz', { token: null }),
    ]
    for (const request of requests) isUnavailable(await request())
    for (const reply of await Promise.all(Array.from({ length: 30 }, () => duplicate('During')))) isUnavailable(reply)
    assert.equal((await fetch(`${base}/healthz`)).status, 200)
    assert.equal((await fetch(`${base}/metrics`)).status, 200)
    assert.deepEqual([api.isOver, worker.isOver], [false, false])

    await startPostgres()
    await eventually('the API is ready', async () => (await fetch(`${base}/readyz`)).ok)
    assert.equal((await client.get(`/v1/operations/${before.id}`)).body.status, 'succeeded')
    const names = (await client.get(`${home}/campaigns?limit=100`)).body.data.map((campaign: { name: string }) => campaign.name)
    assert.deepEqual(names.toSorted(), ['Before', 'Lasting'])
    assert.equal((await settled((await duplicate('After')).body.id)).status, 'succeeded')
  })

  // test/faults/operations.test.ts has the short one of this and of the next.
  it('an operation that was accepted before PostgreSQL was killed is carried out afterwards', full, async () => {
    await worker.end('SIGKILL')
    const accepted = await Promise.all(Array.from({ length: 20 }, (_, n) => duplicate(`Kept ${n}`)))
    for (const reply of accepted) assert.equal(reply.status, 202)
    const postmaster = server.pid!
    tryKill(postmaster, 'SIGKILL')
    await eventually('PostgreSQL is up again', async () => server.pid !== postmaster && (await fetch(`${base}/readyz`)).ok)
    for (const reply of accepted) assert.equal((await client.get(`/v1/operations/${reply.body.id}`)).body.status, 'queued')
    worker = run(['worker'], env)
    for (const reply of accepted) assert.equal((await settled(reply.body.id)).status, 'succeeded')
  })

  it('a client that repeats its requests with their keys gets each carried out once, through several losses', full, async () => {
    const wanted = Array.from({ length: 60 }, (_, n) => ({ name: `Once ${n}`, key: randomUUID() }))
    let done = 0
    const all = Promise.all(
      Array.from({ length: 6 }, async (_, lane) => {
        const ids: string[] = []
        for (const { name, key } of wanted.filter((_each, n) => n % 6 === lane)) {
          const reply = await eventually(`${name} is accepted`, async () => {
            const answer = await duplicate(name, { 'idempotency-key': key })
            if (answer.status === 503) assert.ok(answer.headers['retry-after'])
            else assert.ok([200, 202].includes(answer.status), JSON.stringify(answer.body))
            return answer.status !== 503 && answer
          })
          ids.push(reply.body.id)
          done++
        }
        return ids
      }),
    )
    for (const share of [10, 30]) {
      await eventually('some are accepted', () => done >= share)
      const postmaster = server.pid!
      tryKill(postmaster, 'SIGKILL')
      await eventually('PostgreSQL is up again', () => server.pid !== postmaster)
    }
    const ids = (await all).flat()
    assert.equal(new Set(ids).size, wanted.length)
    for (const id of ids) assert.equal((await settled(id)).status, 'succeeded')
    const names = (await client.get(`${home}/campaigns?limit=100`)).body.data.map((campaign: { name: string }) => campaign.name)
    assert.deepEqual(names.filter((name: string) => name.startsWith('Once')).length, wanted.length)
  })

  /** PostgreSQL and all its children, as the kernel knows them. */
  function family(): number[] {
    const pids = [server.pid!]
    for (const entry of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
      const parent = tryRead(`/proc/${entry}/stat`)?.split(') ')[1]?.split(' ')[1]
      if (Number(parent) === server.pid) pids.push(Number(entry))
    }
    return pids
  }

  it('a frozen server returns 503 with Retry-After, and recovers automatically', async () => {
    const frozen = family()
    for (const pid of frozen) tryKill(pid, 'SIGSTOP')
    try {
      const requests = [
        () => client.get(`${home}/campaigns`),
        () => duplicate('Frozen'),
        () => client.post(`${home}/campaigns`, { name: 'Frozen' }),
        () => client.get('/readyz', { token: null }),
      ]
      for (const reply of await Promise.all(requests.map(request => request()))) isUnavailable(reply)
      for (const request of requests) isUnavailable(await request())
      assert.equal((await fetch(`${base}/healthz`)).status, 200)
    } finally {
      for (const pid of frozen) tryKill(pid, 'SIGCONT')
    }
    await eventually('the API is ready', async () => (await fetch(`${base}/readyz`)).ok)
    assert.equal((await settled((await duplicate('Thawed')).body.id)).status, 'succeeded')
  })

  /** Runs statements as the owner, and lets no pool keep a connection from before. */
  async function asOwner(...texts: string[]): Promise<void> {
    const admin = new pg.Client({ connectionString: server.url('loss') })
    await admin.connect()
    await admin.query('set default_transaction_read_only = off')
    for (const text of texts) await admin.query(text)
    await admin.end()
  }
  const DROP_CONNECTIONS = `
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = 'loss' and application_name like 'overture%' and pid <> pg_backend_pid()`

  it('a read-only server serves reads, returns 503 for writes, and /readyz says so', async () => {
    await asOwner('alter database loss set default_transaction_read_only = on', DROP_CONNECTIONS)
    await eventually('the API has connected again', async () => (await client.get(`${home}/campaigns`)).status === 200)
    isUnavailable(await client.post(`${home}/campaigns`, { name: 'Read only' }))
    isUnavailable(await duplicate('Read only'))
    isUnavailable(await client.get('/readyz', { token: null }))
    await asOwner('alter database loss reset default_transaction_read_only', DROP_CONNECTIONS)
    await eventually('the API is ready', async () => (await fetch(`${base}/readyz`)).ok)
    assert.equal((await client.post(`${home}/campaigns`, { name: 'Read and written' })).status, 201)
  })

  // A full disk stands for all of them in `npm test`.
  for (const [code, what] of [
    ['53100', 'a disk that is full'],
    ['53200', 'memory that has run out'],
    ['57014', 'a statement that took too long'],
  ]) {
    it(`${what} returns 503 with Retry-After`, code === '53100' ? {} : full, async () => {
      await asOwner(
        `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused' using errcode = '${code}'; end $$`,
        'create trigger refuse before insert on campaigns for each row execute function refuse()',
        'create trigger refuse before insert on operations for each row execute function refuse()',
      )
      try {
        isUnavailable(await client.post(`${home}/campaigns`, { name: 'Refused' }))
        for (const reply of await Promise.all(Array.from({ length: 10 }, () => duplicate('Refused')))) isUnavailable(reply)
        const ready = await fetch(`${base}/readyz`)
        assert.equal(ready.status, code === '57014' ? 200 : 503)
      } finally {
        await asOwner('drop function refuse() cascade')
      }
      if (code !== '57014') await eventually('the API is ready', async () => (await fetch(`${base}/readyz`)).ok)
    })
  }

  it('a row that stays locked returns 503 with Retry-After after some seconds, and the request changed nothing', async () => {
    const holder = new pg.Client({ connectionString: server.url('loss') })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from workspaces for update')
    isUnavailable(await client.patch(home, { name: 'Held' }))
    await holder.query('rollback')
    await holder.end()
    assert.notEqual((await client.get(home)).body.data.name, 'Held')
    assert.equal((await client.patch(home, { name: 'Held' })).status, 200)
  })

  it('leaves no operation with a worker that is gone', async () => {
    const database = new Database({ url: server.url('loss'), poolSize: 1, onWake: () => {} })
    await eventually(
      'all rows are free',
      async () => (await database.many(sql('select id from operations where worker_id is not null'))).length === 0,
    )
    assert.deepEqual(await database.many(sql(`select id from operations where status in ('queued', 'running')`)), [])
    await database.close()
  })
})
