import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { appendFile, chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { openInstallationKeys } from '../../src/app/installation-keys.ts'
import { loadConfig } from '../../src/context/config.ts'
import { Database } from '../../src/db/client.ts'
import { EmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { issueToken } from '../../src/modules/tokens/tokens.ts'
import { ensureUser } from '../../src/modules/workspaces/workspaces.ts'
import { WorkerIdentity } from '../../src/queue/identity.ts'
import { eventually } from '../faults/eventually.ts'
import { makeFolder, type Program, ROOT, overture as run, serve } from '../faults/processes.ts'
import { full, isFull } from '../full.ts'
import { Client } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'

// The limits themselves are tested here.
process.env.OVERTURE_TEST_PATIENCE = '1'

const RESERVED = 3

/** A PostgreSQL that gives few connections to the role of the service, and keeps some for its administrator. */
describe('with few connections to PostgreSQL', () => {
  let server: EmbeddedPostgres
  let admin: pg.Client
  let env: Record<string, string>
  let token: string
  let workspaceId: string
  let databaseUrl: string
  const programs: Program[] = []

  before(async () => {
    const folder = await makeFolder()
    await chmod(folder, 0o755)
    server = await EmbeddedPostgres.start(join(folder, 'postgres'), {
      fsync: 'off',
      max_connections: '40',
      superuser_reserved_connections: `${RESERVED}`,
    })
    await server.createDatabase('few')
    databaseUrl = server.url('few')
    await migrate(databaseUrl)
    admin = await connectAsSuperuser(join(folder, 'postgres'))
    const secretKey = randomBytes(32)
    const { masterKey } = await openInstallationKeys(databaseUrl, { secretKey })
    const ctx = buildContext({
      config: loadConfig({}, { logLevel: 'silent', poolSize: 2, dir: folder }),
      databaseUrl,
      secretKey: masterKey,
    })
    await addPeople({ ctx }, staffOf('Acme', 300))
    const now = new Date()
    await ctx.db.inTransaction(async tx => {
      const { userId, workspace } = await ensureUser(tx, { name: 'Few', email: 'few@overture.example', workspaceName: 'Few' }, now)
      const scopes = ['*']
      ;({ token } = await issueToken(tx, { kind: 'personal', userId, workspaceId: null, name: 'few', scopes, expiresAt: null }, now))
      workspaceId = workspace.id
      await grantCredits(tx, workspaceId, 1_000_000, now)
    })
    await closeContext(ctx)
    env = { DATABASE_URL: databaseUrl, OVERTURE_SECRET_KEY: secretKey.toString('base64'), OVERTURE_DIR: folder, OVERTURE_LOG_LEVEL: 'info' }
  })

  // Also after a test that failed: what lives on would hold the connections that the next one needs.
  afterEach(async () => {
    await Promise.all(programs.splice(0).map(program => program.end('SIGKILL')))
  })

  after(async () => {
    await admin?.end()
    await server?.stop()
    await server?.remove()
  })

  /** Only the role of the service can connect, so this opens another connection. */
  const connectAsSuperuser = async (dir: string) => {
    await appendFile(join(dir, 'data', 'pg_hba.conf'), 'local all postgres trust\n')
    process.kill(server.pid!, 'SIGHUP')
    return eventually('the superuser may connect', async () => {
      const client = new pg.Client({ connectionString: server.url('few').replace(/\/\/.*@/, '//postgres@') })
      const isConnected = await client.connect().then(
        () => true,
        () => false,
      )
      return isConnected && client
    })
  }

  const open = async (command: 'api' | 'start', extra: Record<string, string> = {}) => {
    const { program, base } = await serve(command, { ...env, ...extra }, started => programs.push(started))
    return { program, client: new Client(base, token) }
  }

  const limit = (connections: number) => admin.query(`alter role overture connection limit ${connections}`)

  const held = async (): Promise<Record<string, number>> => {
    const { rows } = await admin.query(
      `select application_name as name, count(*)::int as count from pg_stat_activity where usename = 'overture' group by 1`,
    )
    return Object.fromEntries(rows.map(row => [row.name, row.count]))
  }

  const order = (client: Client, key: string) =>
    client.post(
      `/v1/workspaces/${workspaceId}/leads/search`,
      { filters: { companies: { include: ['Acme'] } }, leadCount: 20 },
      { headers: { 'idempotency-key': key } },
    )

  // "Waits for a free connection" is the short one. Here, the worker waits until the idle API returns connections, which takes half a minute.
  for (const usable of [20, 9]) {
    it(`with ${usable} free for an API and a worker, every export succeeds`, full, async () => {
      await limit(usable)
      const { client, program: api } = await open('api')
      const worker = run(['worker'], env)
      programs.push(worker)
      const ids = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const key = randomUUID()
          const accepted = await eventually('an order is accepted', async () => {
            const reply = await order(client, key)
            assert.ok([200, 202, 503].includes(reply.status), JSON.stringify(reply.body))
            return reply.status !== 503 && reply
          })
          return accepted.body.id as string
        }),
      )
      for (const id of ids) {
        const done = await eventually(
          `${id} is done`,
          async () => {
            const { body } = await client.get(`/v1/operations/${id}`)
            return ['succeeded', 'failed'].includes(body.status) && body
          },
          90_000,
        ).catch(error => {
          throw new Error(`${error.message}\napi: ${api.output.slice(-2000)}\nworker: ${worker.output.slice(-4000)}`, { cause: error })
        })
        assert.equal(done.status, 'succeeded', JSON.stringify(done))
      }
      const { rows } = await admin.query('select max(attempts) as most from operations where id = any($1)', [ids])
      assert.ok(rows[0].most <= 2, `an operation took ${rows[0].most} attempts`)
      await Promise.all([api.end(), worker.end()])
    })
  }

  it('a process waits for a free connection when it starts, and uses the number in docs/operate.md, even under load', async () => {
    const text = (await readFile(join(ROOT, 'docs/operate.md'), 'utf8')).replaceAll(/\s+/g, ' ')
    const POOL = 5
    const programsOf = [
      ['api', { 'overture-wake': 1, 'overture-pulse': 1 }, /An API process uses up to `OVERTURE_POOL_SIZE` \+ 2/],
      [
        'start',
        { 'overture-wake': 1, 'overture-pulse': 1, 'overture-leads': 1, 'overture-worker': 1 },
        /An API process uses up to `OVERTURE_POOL_SIZE` \+ 2, a worker \+ 3, and `npm start` \+ 4/,
      ],
    ] as const
    // The connections of `npm start` include those of an API process.
    for (const [command, more, sentence] of isFull ? programsOf : programsOf.slice(1)) {
      assert.match(text, sentence)
      await eventually('nothing is connected', async () => Object.keys(await held()).length === 0)
      await limit(0)
      const opening = open(command, { OVERTURE_POOL_SIZE: `${POOL}`, OVERTURE_TEST_PATIENCE: '10' })
      await eventually('it waits', () => /waiting for a connection/i.test(programs.at(-1)?.output ?? ''))
      await limit(-1)
      const { client, program } = await opening
      const work = Promise.all(
        Array.from({ length: isFull ? 60 : 16 }, (_, n) =>
          n % 2 ? order(client, randomUUID()) : client.get(`/v1/workspaces/${workspaceId}/campaigns`),
        ),
      )
      let isOver = false
      void work.finally(() => {
        isOver = true
      })
      const most: Record<string, number> = {}
      const look = async () => {
        for (const [name, count] of Object.entries(await held())) most[name] = Math.max(most[name] ?? 0, count)
      }
      while (!isOver) await Promise.all([look(), delay(5)])
      if (command === 'start') {
        const ids = (await work).flatMap(reply => (reply.status === 202 ? [reply.body.id] : []))
        for (const id of ids) {
          const done = await eventually(`${id} is done`, async () => {
            await look()
            const { body } = await client.get(`/v1/operations/${id}`)
            return body.completedAt !== null && body
          })
          assert.equal(done.status, 'succeeded', JSON.stringify(done))
        }
      }
      await program.end()
      const { overture: pool, ...others } = most
      assert.deepEqual(others, more, command)
      assert.ok(pool! <= POOL, `${pool} in the pool`)
    }
  })

  it('a pool returns a connection that another part of its process needs, and does not take it back at once', async () => {
    await eventually('nothing is connected', async () => Object.keys(await held()).length === 0)
    await limit(3)
    const db = new Database({ url: databaseUrl, poolSize: 10, onWake: () => {} })
    const busy = () => Promise.all(Array.from({ length: 12 }, () => db.first(sql('select pg_sleep(0.02)'))))
    try {
      await busy()
      assert.deepEqual(await held(), { overture: 3 })
      const other = new pg.Client({ connectionString: databaseUrl })
      await assert.rejects(other.connect(), /too many connections/)
      await Promise.all([busy(), db.makeRoom(), busy()])
      await eventually('it let one go', async () => (await held()).overture === 2)
      await busy()
      assert.deepEqual(await held(), { overture: 2 })
      const late = new pg.Client({ connectionString: databaseUrl })
      await late.connect()
      await late.end()
    } finally {
      await db.close()
    }
  })

  it('a worker gets its number although the busy pool of its process holds every connection', async () => {
    await eventually('nothing is connected', async () => Object.keys(await held()).length === 0)
    await limit(3)
    const db = new Database({ url: databaseUrl, poolSize: 10, onWake: () => {} })
    const identity = new WorkerIdentity(db, pino({ level: 'silent' }))
    let isOver = false
    const keepBusy = async (): Promise<void> => {
      while (!isOver) await db.first(sql('select pg_sleep(0.02)'))
    }
    const busy = Promise.all(Array.from({ length: 3 }, keepBusy))
    try {
      await eventually('the pool holds every connection', async () => (await held()).overture === 3)
      await eventually('the worker has a number', async () => (await identity.id().catch(() => 0)) > 0)
      assert.deepEqual(await held(), { overture: 2, 'overture-worker': 1 })
    } finally {
      isOver = true
      await busy
      await identity.close()
      await db.close()
    }
  })

  it('a saturated pool returns 503 with the reason, in the log, and as a metric', async () => {
    await limit(-1)
    const { client, program } = await open('api', { OVERTURE_POOL_SIZE: '1' })
    const blocker = new pg.Client({ connectionString: server.url('few') })
    await blocker.connect()
    await blocker.query('begin; lock table campaigns in access exclusive mode')
    const blocked = client.get(`/v1/workspaces/${workspaceId}/campaigns`)
    await eventually('it waits for the lock', async () => {
      const { rows } = await admin.query(`select from pg_stat_activity where usename = 'overture' and wait_event_type = 'Lock'`)
      return rows.length > 0
    })
    const refused = await client.get(`/v1/workspaces/${workspaceId}`)
    assert.deepEqual([refused.status, refused.body.error.code], [503, 'service_unavailable'])
    assert.match(refused.body.error.message, /All connections to the database are in use/)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    await program.says(/the pool is saturated: all 1 connections of this process are in use/)
    const metrics = await (await fetch(`${client.baseUrl}/metrics`)).text()
    assert.match(metrics, /^overture_pool_saturated_total [1-9]/m)
    await blocker.query('rollback')
    await blocker.end()
    assert.equal((await blocked).status, 200)
    assert.equal((await client.get(`/v1/workspaces/${workspaceId}`)).status, 200)
    await program.end()
  })
})
