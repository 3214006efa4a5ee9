import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import pg from 'pg'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { openInstallationKeys } from '../../src/app/installation-keys.ts'
import { buildApp } from '../../src/app/server.ts'
import { loadConfig } from '../../src/context/config.ts'
import { EmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { issueToken } from '../../src/modules/tokens/tokens.ts'
import { ensureUser } from '../../src/modules/workspaces/workspaces.ts'
import { Client } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'
import { eventually } from './eventually.ts'
import { overture, type Program, tryKill } from './processes.ts'

export interface ExportFaultOptions {
  exports: number
  kills: number
  log?: (line: string) => void
}

export interface ExportFaultReport {
  succeeded: number
  failed: number
  exportedLeads: number
  creditsCharged: number
  workersKilled: number
  databasesKilled: number
}

const COMPANIES = 4
const STAFF = 600
const LEADS = 500
const GRANT = 1_000_000

/** Nothing that a dying process has said to be done may be lost, so commits wait for the log; only the disk itself is trusted. */
const SETTINGS = { fsync: 'off', max_connections: '200' }

/**
 * Many exports at once, in two workspaces and of overlapping people, while workers and the database are killed again
 * and again. Whatever dies when: the ledger balances, every operation was charged once or not at all, and every file is
 * whole.
 */
export async function runExportFaults(options: ExportFaultOptions): Promise<ExportFaultReport> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-faults-'))
  await chmod(folder, 0o755)
  const server = await EmbeddedPostgres.start(join(folder, 'postgres'), SETTINGS)
  const workers = new Set<Program>()
  try {
    await server.createDatabase('faults')
    const databaseUrl = server.url('faults')
    await migrate(databaseUrl)
    const secretKey = randomBytes(32)
    const config = loadConfig({}, { logLevel: 'silent', rateLimitPerMinute: 1_000_000, poolSize: 10, dir: folder })
    const { masterKey } = await openInstallationKeys(databaseUrl, { secretKey })
    const ctx = buildContext({ config, databaseUrl, secretKey: masterKey })
    const app = await buildApp(ctx)
    await app.listen({ host: '127.0.0.1', port: 0 })
    config.baseUrl = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
    try {
      for (let n = 1; n <= COMPANIES; n++) await addPeople({ ctx }, staffOf(`Firm ${n}`, STAFF))
      const environment = {
        DATABASE_URL: databaseUrl,
        OVERTURE_SECRET_KEY: secretKey.toString('base64'),
        OVERTURE_BASE_URL: config.baseUrl,
        OVERTURE_DIR: folder,
        OVERTURE_LOG_LEVEL: 'silent',
      }
      const startWorker = (): void => void workers.add(overture(['worker'], environment))
      startWorker()
      startWorker()

      const run = new Run(ctx, options)
      await run.open()
      const accepted = run.orderAll()
      const killed = await run.killAlong({
        worker: async () => {
          const [victim] = workers
          workers.delete(victim!)
          await victim!.end('SIGKILL')
          startWorker()
        },
        database: async () => {
          const pid = server.pid!
          tryKill(pid, 'SIGKILL')
          await eventually('the database is back', async () => server.pid !== pid && (await answers(databaseUrl)), 60_000)
        },
      })
      await accepted
      return { ...(await run.judge()), ...killed }
    } finally {
      await Promise.all([...workers].map(worker => worker.end('SIGKILL')))
      await app.close()
      await closeContext(ctx)
    }
  } finally {
    await server.stop()
    await server.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } finally {
    await client.end().catch(() => {})
  }
}

interface Order {
  workspaceId: string
  company: number
  key: string
  operationId: string | null
}

type Ctx = ReturnType<typeof buildContext>

class Run {
  readonly #ctx: Ctx
  readonly #options: ExportFaultOptions
  readonly #orders: Order[] = []
  #client!: Client
  #workspaces: string[] = []

  constructor(ctx: Ctx, options: ExportFaultOptions) {
    this.#ctx = ctx
    this.#options = options
  }

  #log(line: string): void {
    this.#options.log?.(line)
  }

  async open(): Promise<void> {
    const now = new Date()
    await this.#ctx.db.inTransaction(async tx => {
      const first = await ensureUser(tx, { name: 'Faults', email: 'faults@overture.example', workspaceName: 'One' }, now)
      const { token } = await issueToken(
        tx,
        { kind: 'personal', userId: first.userId, workspaceId: null, name: 'faults', scopes: ['*'], expiresAt: null },
        now,
      )
      this.#client = new Client(this.#ctx.config.baseUrl, token)
      this.#workspaces = [first.workspace.id]
    })
    const second = await this.#client.post('/v1/workspaces', { name: 'Two' })
    assert.equal(second.status, 201)
    this.#workspaces.push(second.body.data.id)
    for (const workspaceId of this.#workspaces) await this.#ctx.db.inTransaction(tx => grantCredits(tx, workspaceId, GRANT, now))
  }

  /** Asks for all of them at once and repeats, with the same key, whatever was not answered. */
  async orderAll(): Promise<void> {
    for (let n = 0; n < this.#options.exports; n++) {
      this.#orders.push({ workspaceId: this.#workspaces[n % 2]!, company: 1 + (n % COMPANIES), key: randomUUID(), operationId: null })
    }
    await Promise.all(this.#orders.map(order => this.#order(order)))
  }

  async #order(order: Order): Promise<void> {
    const body = { filters: { companies: { include: [`Firm ${order.company}`] } }, leadCount: LEADS }
    const reply = await eventually(
      'an order is accepted',
      async () => {
        const answer = await this.#client.post(`/v1/workspaces/${order.workspaceId}/leads/search`, body, {
          headers: { 'idempotency-key': order.key },
        })
        return answer.status < 300 ? answer : null
      },
      120_000,
    )
    order.operationId = reply.body.id
  }

  #settled(): Promise<number> {
    return eventually(
      'the database answers',
      async () => {
        const { rows } = await this.#ctx.db.pool.query(
          `select count(*)::int as n from operations where action = 'lead_search.export' and status in ('succeeded', 'failed')`,
        )
        return rows[0].n as number
      },
      60_000,
    )
  }

  /** Kills something each time that another share of the work has been done: workers mostly, the database now and then. */
  async killAlong(kill: {
    worker(): Promise<void>
    database(): Promise<void>
  }): Promise<{ workersKilled: number; databasesKilled: number }> {
    const { exports, kills } = this.#options
    const killed = { workersKilled: 0, databasesKilled: 0 }
    for (let n = 1; n <= kills; n++) {
      const due = Math.floor((n * exports) / (kills + 2))
      const done = await eventually(
        'the work goes on',
        async () => ((await this.#settled()) >= due ? await this.#settled() : null),
        120_000,
      )
      const isDatabase = n % 3 === 0
      this.#log(`${done} of ${exports} done; killing ${isDatabase ? 'the database' : 'a worker'}`)
      if (isDatabase) {
        await kill.database()
        killed.databasesKilled++
      } else {
        await kill.worker()
        killed.workersKilled++
      }
    }
    return killed
  }

  async judge(): Promise<Omit<ExportFaultReport, 'workersKilled' | 'databasesKilled'>> {
    const { exports } = this.#options
    await eventually('every operation is terminal', async () => (await this.#settled()) === exports, 300_000)
    assert.equal(new Set(this.#orders.map(order => order.operationId)).size, exports, 'one operation for each key')
    const report = { succeeded: 0, failed: 0, exportedLeads: 0, creditsCharged: 0 }
    for (const order of this.#orders) await this.#judgeOrder(order, report)
    for (const workspaceId of this.#workspaces) await this.#judgeLedger(workspaceId)
    assert.equal(report.succeeded + report.failed, exports)
    return report
  }

  async #judgeOrder(order: Order, report: Omit<ExportFaultReport, 'workersKilled' | 'databasesKilled'>): Promise<void> {
    const operation = (await this.#client.get(`/v1/operations/${order.operationId}`)).body
    const { rows: entries } = await this.#ctx.db.pool.query('select kind, amount::int from ledger_entries where operation_id = $1', [
      order.operationId,
    ])
    const of = (kind: string): number[] => entries.filter(entry => entry.kind === kind).map(entry => entry.amount)
    const { rows: events } = await this.#ctx.db.pool.query(
      "select type from events where workspace_id = $1 and type like 'lead_search.%' and data->>'operationId' = $2",
      [order.workspaceId, order.operationId],
    )
    assert.deepEqual(of('hold'), [LEADS])
    assert.deepEqual(of('release'), [LEADS])
    if (operation.status === 'failed') {
      report.failed++
      this.#log(`failed: ${JSON.stringify(operation.error)}`)
      assert.deepEqual(of('capture'), [], 'what failed is not charged')
      assert.deepEqual(events, [{ type: 'lead_search.failed' }])
      return
    }
    report.succeeded++
    const { exportedCount, creditsCharged, downloadUrl } = operation.result
    assert.deepEqual(of('capture'), creditsCharged === 0 ? [] : [creditsCharged], 'charged once')
    assert.deepEqual(events, [{ type: 'lead_search.completed' }])
    report.exportedLeads += exportedCount
    report.creditsCharged += creditsCharged
    const file = await this.#client.get(downloadUrl, { token: null })
    const records = parse(file.body, { columns: true }) as { email: string }[]
    assert.equal(exportedCount, LEADS)
    assert.deepEqual(
      records.map(record => record.email),
      staffOf(`Firm ${order.company}`, LEADS).map(row => row.email),
      'the file is whole and in order',
    )
  }

  async #judgeLedger(workspaceId: string): Promise<void> {
    const one = async (text: string): Promise<Record<string, number>> => (await this.#ctx.db.pool.query(text, [workspaceId])).rows[0]
    const account = await one('select available::int, held::int, spent::int from credit_accounts where workspace_id = $1')
    const { owned } = await one('select count(*)::int as owned from workspace_people where workspace_id = $1')
    const { captured } = await one(
      "select coalesce(sum(amount), 0)::int as captured from ledger_entries where workspace_id = $1 and kind = 'capture'",
    )
    assert.deepEqual(account, { available: GRANT - captured!, held: 0, spent: captured })
    assert.equal(captured, owned, 'everybody who is owned was paid for once')
    const sums = await one(`
      select sum(case when credit = 'available' then amount when debit = 'available' then -amount else 0 end)::int as available,
        sum(case when credit = 'held' then amount when debit = 'held' then -amount else 0 end)::int as held,
        sum(case when credit = 'spent' then amount when debit = 'spent' then -amount else 0 end)::int as spent
      from ledger_entries where workspace_id = $1`)
    assert.deepEqual(sums, account, 'the entries add up to the balances')
    const { gaps } = await one('select max(seq)::int - count(*)::int as gaps from events where workspace_id = $1')
    assert.equal(gaps, 0)
  }
}
