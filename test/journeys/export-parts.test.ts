import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { erasePerson } from '../../src/app/erase-person.ts'
import { sql } from '../../src/db/sql.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { beginChoice, endChoice } from '../../src/modules/exports/exports.ts'
import { insertRows } from '../../src/modules/exports/queries.ts'
import { choosePeople } from '../../src/modules/lead-searches/selection.ts'
import { leadSearchTasks } from '../../src/modules/lead-searches/tasks.ts'
import { claimOperations } from '../../src/operations/claim-queries.ts'
import type { OperationRow } from '../../src/operations/queries.ts'
import type { OutsideTask } from '../../src/operations/tasks.ts'
import { eventually } from '../faults/eventually.ts'
import { type Overture, startOverture } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'

const ACME = { companies: { include: ['Acme'] } }
const WORKER = 4711
const task = leadSearchTasks['lead_search.export'] as OutsideTask

interface Delivery {
  exportedCount: number
  creditsCharged: number
  downloadUrl: string
}

async function open(people: number): Promise<Overture> {
  const overture = await startOverture({ worker: false })
  after(() => overture.end())
  await addPeople(overture, staffOf('Acme', people))
  await overture.ctx.db.inTransaction(tx => grantCredits(tx, overture.workspaceId, 100_000, new Date()))
  return overture
}

async function claim(overture: Overture, leadCount: number): Promise<OperationRow> {
  await overture.client.post(`${overture.home}/leads/search`, { filters: ACME, leadCount })
  return (await claimOperations(overture.ctx.db, WORKER, 1))[0]!
}

const run = ({ ctx }: Overture, operation: OperationRow, report: (progress: unknown) => void = () => {}) =>
  task.run(ctx, operation, AbortSignal.timeout(20_000), report)

async function buy(overture: Overture, operation: OperationRow): Promise<Delivery> {
  const finish = await run(overture, operation)
  return overture.ctx.db.inTransaction(finish) as Promise<Delivery>
}

async function emailsOf(overture: Overture, { downloadUrl }: Delivery): Promise<string[]> {
  const { body } = await overture.client.get(downloadUrl, { token: null })
  return parse(body, { columns: true }).map((row: unknown) => (row as { email: string }).email)
}

const staff = (count: number): string[] => staffOf('Acme', count).map(row => String(row.email))

describe('an export that is stored in parts', () => {
  it('contains nothing of an interrupted attempt', async () => {
    const overture = await open(5000)
    const operation = await claim(overture, 4500)
    const crash = (progress: unknown) => assert.equal((progress as { writtenCount: number }).writtenCount, 0, 'a part is stored')
    await assert.rejects(run(overture, operation, crash), /a part is stored/)
    await addPeople(overture, [{ email: 'p7@acme.example', emailStatus: 'unverified' }])
    const delivery = await buy(overture, operation)
    assert.deepEqual([delivery.exportedCount, delivery.creditsCharged], [4500, 4500])
    assert.deepEqual(
      await emailsOf(overture, delivery),
      staff(4501).filter(email => email !== 'p7@acme.example'),
    )
  })

  it('is not completed by a worker that was considered dead', async () => {
    const overture = await open(5000)
    const operation = await claim(overture, 4500)
    let next: Promise<OperationRow[]> | undefined
    const takeOver = async (): Promise<OperationRow[]> => {
      await overture.ctx.db.pool.query('update operations set worker_id = null')
      return claimOperations(overture.ctx.db, WORKER + 1, 1)
    }
    const dead = run(overture, operation, () => {
      next ??= takeOver()
    })
    await assert.rejects(dead, /has taken over operation/)
    const delivery = await buy(overture, (await next!)[0]!)
    assert.deepEqual(await emailsOf(overture, delivery), staff(4500))
  })

  it('selects again when a person is erased during the selection', async () => {
    const overture = await open(10)
    const { ctx, workspaceId } = overture
    const operation = await claim(overture, 3)
    const { people, version } = await choosePeople(ctx, workspaceId, ACME, 3)
    const order = { id: operation.id, workspaceId, requestedCount: 3 }
    const choice = await ctx.db.inTransaction(tx => beginChoice(tx, order, new Date()))
    choice.rowCount = await ctx.db.inTransaction(tx => insertRows(tx, choice.exported, people, 0))
    assert.equal(choice.rowCount, 3)
    await erasePerson(ctx, workspaceId, 'p2@acme.example', new AbortController().signal)
    assert.equal(await ctx.db.inTransaction(tx => endChoice(tx, choice, version)), false)
    assert.deepEqual(await emailsOf(overture, await buy(overture, operation)), ['p1@acme.example', 'p3@acme.example', 'p4@acme.example'])
  })

  it('replaces a refused person of a later part, and keeps the order', async () => {
    const overture = await open(5000)
    const { ctx, workspaceId } = overture
    // Only the hash of the address is kept, so the search finds the person.
    await erasePerson(ctx, workspaceId, 'p3210@acme.example', new AbortController().signal)
    const delivery = await buy(overture, await claim(overture, 4500))
    assert.deepEqual(
      await emailsOf(overture, delivery),
      staff(4501).filter(email => email !== 'p3210@acme.example'),
    )
  })
})

describe('a purchase of people that another purchase is buying', () => {
  it('waits for it, and pays only for the other people', async () => {
    const overture = await open(6)
    const { db } = overture.ctx
    const first = await run(overture, await claim(overture, 4))
    const second = await run(overture, await claim(overture, 6))
    const isWaiting = async () =>
      (await db.pool.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).rowCount
    let later: Promise<unknown> | undefined
    const before = await db.inTransaction(async tx => {
      const bought = await first(tx)
      later = db.inTransaction(second)
      await eventually('the second one waits', async () => (await isWaiting()) === 1)
      return bought
    })
    assert.deepEqual(
      [before, await later].map(delivery => (delivery as Delivery).creditsCharged),
      [4, 2],
    )
  })

  it('is stored only by the worker that holds it, even when a database crash gave two attempts the same number', async () => {
    const overture = await open(10)
    const lost = await claim(overture, 10)
    // A claim does not wait for the disk: after a crash it was never made, and the next one counts the same.
    await overture.ctx.db.inTransaction(tx => tx.run(sql('update operations set worker_id = $2 where id = $1'), [lost.id, WORKER + 1]))
    await assert.rejects(run(overture, lost), /another worker has taken over/)
    const { exportedCount } = await buy(overture, { ...lost, workerId: WORKER + 1 })
    assert.equal(exportedCount, 10)
  })
})
