import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import pg from 'pg'
import type { Context } from '../../src/context/context.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import type { Client } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'
import { eventually } from './eventually.ts'
import { tryKill } from './processes.ts'
import { onStage, type Stage } from './stage.ts'

interface ExportFaultOptions {
  exports: number
  /** Every third is one of PostgreSQL, the others are of workers. */
  kills: number
  workers?: number
  companies?: number
  log?: (line: string) => void
}

interface ExportFaultReport {
  succeeded: number
  failed: number
  exportedLeads: number
  creditsCharged: number
  workersKilled: number
  databasesKilled: number
  /** How many exports had some of their parts when something was killed, all kills together. */
  storedInPart: number
}

type Killed = Pick<ExportFaultReport, 'workersKilled' | 'databasesKilled' | 'storedInPart'>

const KILLS_PER_POSTGRES = 3
/** Enough for several parts, so that something can die between two of them. */
const STAFF = 4200
const LEADS = 4100

/**
 * Many exports at once, in two workspaces and of overlapping people, while workers and the database are killed again
 * and again. Whatever dies when: the ledger balances, every operation was charged once or not at all, and every file is
 * whole. Each kill waits for an export that has some of its parts.
 */
export function runExportFaults(options: ExportFaultOptions): Promise<ExportFaultReport> {
  const { kills, workers: workerCount = 2, companies = 3 } = options
  return onStage({ killsPostgres: kills >= KILLS_PER_POSTGRES }, async stage => {
    const { server, databaseUrl, workers, startWorker } = stage
    for (let n = 1; n <= companies; n++) await addPeople(stage, staffOf(`Firm ${n}`, STAFF))
    for (let n = 0; n < workerCount; n++) startWorker()

    const run = new Run(stage, { ...options, companies })
    await run.open()
    const accepted = run.orderAll()
    const killed = await run.killAlong({
      worker: async () => {
        const [victim] = workers
        assert.ok(victim, 'a worker is there to be killed')
        await victim.end('SIGKILL')
        startWorker()
      },
      database: async () => {
        const pid = server!.pid!
        tryKill(pid, 'SIGKILL')
        await eventually('the database is back', async () => server!.pid !== pid && (await answers(databaseUrl)), 60_000)
      },
    })
    await accepted
    return { ...(await run.judge()), ...killed }
  })
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

class Run {
  readonly #stage: Stage
  readonly #ctx: Context
  readonly #options: ExportFaultOptions & { companies: number }
  readonly #orders: Order[] = []
  #client!: Client
  #workspaces: string[] = []

  constructor(stage: Stage, options: ExportFaultOptions & { companies: number }) {
    this.#stage = stage
    this.#ctx = stage.ctx
    this.#options = options
  }

  /** As much as all orders together hold. */
  get #grant(): number {
    return this.#options.exports * LEADS
  }

  #log(line: string): void {
    this.#options.log?.(line)
  }

  async open(): Promise<void> {
    const { client, workspaceId: first } = await this.#stage.signUp()
    this.#client = client
    this.#workspaces = [first]
    const second = await this.#client.post('/v1/workspaces', { name: 'Two' })
    assert.equal(second.status, 201)
    this.#workspaces.push(second.body.data.id)
    for (const workspaceId of this.#workspaces)
      await this.#ctx.db.inTransaction(tx => grantCredits(tx, workspaceId, this.#grant, new Date()))
  }

  /** Sends all requests at once, and repeats those without a response with the same key. */
  async orderAll(): Promise<void> {
    for (let n = 0; n < this.#options.exports; n++) {
      this.#orders.push({
        workspaceId: this.#workspaces[n % 2]!,
        company: 1 + (n % this.#options.companies),
        key: randomUUID(),
        operationId: null,
      })
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

  #count(what: string, query: string): Promise<number> {
    return eventually(what, async () => (await this.#ctx.db.pool.query<{ n: number }>(query)).rows[0]!.n, 60_000)
  }

  #settled(): Promise<number> {
    return this.#count(
      'the database answers',
      `select count(*)::int as n from operations where action = 'lead_search.export' and status in ('succeeded', 'failed')`,
    )
  }

  #storedInPart(): Promise<number> {
    return this.#count(
      'the database answers',
      `select count(*)::int as n
      from exports e
      where status = 'building' and not is_fixed and exists (select from export_rows where export_id = e.id)`,
    )
  }

  /** Looks often, because a few exports are done soon. */
  async #waitForParts(): Promise<number> {
    for (;;) {
      const inPart = await this.#storedInPart()
      if (inPart > 0) return inPart
      assert.ok((await this.#settled()) < this.#options.exports, 'an export has some of its parts')
      await sleep(5)
    }
  }

  /** Kills something each time that another share of the work has been done: workers mostly, the database now and then. */
  async killAlong(kill: { worker(): Promise<void>; database(): Promise<void> }): Promise<Killed> {
    const { exports, kills } = this.#options
    const killed = { workersKilled: 0, databasesKilled: 0, storedInPart: 0 }
    for (let n = 1; n <= kills; n++) {
      const due = Math.floor(((n - 1) * exports) / (kills + 1))
      const done = await eventually(
        'the work goes on',
        async () => ((await this.#settled()) >= due ? await this.#settled() : null),
        120_000,
      )
      const inPart = await this.#waitForParts()
      killed.storedInPart += inPart
      const isDatabase = n % KILLS_PER_POSTGRES === 0
      this.#log(`${done} of ${exports} done, ${inPart} in part; killing ${isDatabase ? 'the database' : 'a worker'}`)
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

  /** A busy machine may respond "try again", which is unrelated to exports. */
  #read(path: string, options: Parameters<Client['get']>[1] = {}): Promise<Awaited<ReturnType<Client['get']>>['body']> {
    return eventually('an answer', async () => {
      const { status, body } = await this.#client.get(path, options)
      if (status !== 200) this.#log(`${path.replace(/\?.*/, '')} answered ${status}: ${JSON.stringify(body)}`)
      return status === 200 ? body : null
    })
  }

  async judge(): Promise<Omit<ExportFaultReport, keyof Killed>> {
    const { exports } = this.#options
    await eventually('every operation is terminal', async () => (await this.#settled()) === exports, 300_000)
    assert.equal(new Set(this.#orders.map(order => order.operationId)).size, exports, 'one operation for each key')
    const report = { succeeded: 0, failed: 0, exportedLeads: 0, creditsCharged: 0 }
    for (const order of this.#orders) await this.#judgeOrder(order, report)
    for (const workspaceId of this.#workspaces) await this.#judgeLedger(workspaceId)
    assert.equal(report.succeeded + report.failed, exports)
    return report
  }

  async #judgeOrder(order: Order, report: Omit<ExportFaultReport, keyof Killed>): Promise<void> {
    const operation = await this.#read(`/v1/operations/${order.operationId}`)
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
    assert.equal(operation.status, 'succeeded')
    report.succeeded++
    const { exportedCount, creditsCharged, downloadUrl } = operation.result
    assert.deepEqual(of('capture'), creditsCharged === 0 ? [] : [creditsCharged], 'charged once')
    assert.deepEqual(events, [{ type: 'lead_search.completed' }])
    report.exportedLeads += exportedCount
    report.creditsCharged += creditsCharged
    const records = parse(await this.#read(downloadUrl, { token: null }), { columns: true }) as { email: string }[]
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
    assert.deepEqual(account, { available: this.#grant - captured!, held: 0, spent: captured })
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
