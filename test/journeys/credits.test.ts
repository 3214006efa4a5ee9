import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Tx } from '../../src/db/sql.ts'
import { AppError } from '../../src/lib/errors.ts'
import { grantCredits, holdCredits, refundCredit, settleHold } from '../../src/modules/credits/credits.ts'
import { startOverture } from '../harness.ts'

const NOW = new Date()

const overture = await startOverture({ worker: false })
const client = overture.client

describe('credits', () => {
  const newWorkspace = async (): Promise<string> => (await client.post('/v1/workspaces', { name: randomUUID() })).body.data.id
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => overture.ctx.db.inTransaction(work)
  const read = async (workspaceId: string) => {
    const { links: _links, ...credits } = (await client.get(`/v1/workspaces/${workspaceId}/credits`)).body.data
    return credits
  }
  const ledger = async (workspaceId: string) => {
    const entries: { kind: string; amount: number; operationId: string | null }[] = []
    for (let next: string | null = `/v1/workspaces/${workspaceId}/credits/ledger?limit=50`; next; ) {
      const { body } = await client.get(next)
      entries.push(...body.data)
      next = body.links.next
    }
    return entries
  }

  it('a new workspace has none, and an empty ledger', async () => {
    const workspaceId = await newWorkspace()
    assert.deepEqual(await read(workspaceId), { balance: 0, held: 0, available: 0 })
    assert.deepEqual(await ledger(workspaceId), [])
  })

  it('held credits are not available, delivered leads are charged, and the rest is returned', async () => {
    const workspaceId = await newWorkspace()
    const operationId = randomUUID()
    await inTransaction(tx => grantCredits(tx, workspaceId, 100, NOW))
    await inTransaction(tx => holdCredits(tx, workspaceId, operationId, 60, NOW))
    assert.deepEqual(await read(workspaceId), { balance: 100, held: 60, available: 40 })
    await inTransaction(tx => settleHold(tx, workspaceId, operationId, { held: 60, charged: 25 }, NOW))
    assert.deepEqual(await read(workspaceId), { balance: 75, held: 0, available: 75 })
    await inTransaction(tx => refundCredit(tx, workspaceId, operationId, 'lead 1', NOW))
    assert.deepEqual(await read(workspaceId), { balance: 76, held: 0, available: 76 })
    const entries = await ledger(workspaceId)
    assert.deepEqual(entries.map(entry => [entry.kind, entry.amount]).toSorted(), [
      ['capture', -25],
      ['grant', 100],
      ['hold', -60],
      ['refund', 1],
      ['release', 60],
    ])
    assert.ok(entries.filter(entry => entry.kind !== 'grant').every(entry => entry.operationId === operationId))
  })

  it('no more than the balance can be held, even by concurrent requests', async () => {
    const workspaceId = await newWorkspace()
    await inTransaction(tx => grantCredits(tx, workspaceId, 100, NOW))
    const held = await Promise.allSettled(
      Array.from({ length: 8 }, () => inTransaction(tx => holdCredits(tx, workspaceId, randomUUID(), 30, NOW))),
    )
    assert.equal(held.filter(result => result.status === 'fulfilled').length, 3)
    for (const result of held) {
      if (result.status === 'rejected') {
        assert.ok(result.reason instanceof AppError)
        assert.deepEqual([result.reason.code, result.reason.status], ['insufficient_credits', 402])
      }
    }
    assert.deepEqual(await read(workspaceId), { balance: 100, held: 90, available: 10 })
  })

  it('an operation is held, settled and refunded once, however often it is retried', async () => {
    const workspaceId = await newWorkspace()
    const operationId = randomUUID()
    await inTransaction(tx => grantCredits(tx, workspaceId, 100, NOW))
    const often = (work: (tx: Tx) => Promise<unknown>) => Promise.all(Array.from({ length: 5 }, () => inTransaction(work)))
    await often(tx => holdCredits(tx, workspaceId, operationId, 20, NOW))
    await often(tx => settleHold(tx, workspaceId, operationId, { held: 20, charged: 15 }, NOW))
    await often(tx => refundCredit(tx, workspaceId, operationId, 'lead 1', NOW))
    assert.deepEqual(await read(workspaceId), { balance: 86, held: 0, available: 86 })
  })

  it('the ledger adds up to the available credits, after any history', async () => {
    const amount = fc.integer({ min: 0, max: 50 })
    const step = fc.record({ kind: fc.constantFrom('grant', 'hold', 'settle', 'refund'), amount, which: fc.nat(3), charged: fc.nat(60) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
        const workspaceId = await newWorkspace()
        const operations = Array.from({ length: 4 }, () => ({ id: randomUUID(), held: 0 }))
        for (const each of steps) {
          const operation = operations[each.which]!
          await inTransaction(async tx => {
            if (each.kind === 'grant') await grantCredits(tx, workspaceId, each.amount, NOW)
            if (each.kind === 'hold' && operation.held === 0) {
              await holdCredits(tx, workspaceId, operation.id, each.amount, NOW)
              operation.held = each.amount
            }
            if (each.kind === 'settle' && operation.held > 0) {
              const charged = Math.min(each.charged, operation.held)
              await settleHold(tx, workspaceId, operation.id, { held: operation.held, charged }, NOW)
            }
            if (each.kind === 'refund' && operation.held > 0) await refundCredit(tx, workspaceId, operation.id, String(each.amount), NOW)
          }).catch(error => assert.ok(error instanceof AppError || /check constraint/.test(String(error)), String(error)))
        }
        const { available, held, balance } = await read(workspaceId)
        assert.ok(available >= 0 && held >= 0)
        assert.equal(balance, available + held)
        assert.equal(
          (await ledger(workspaceId)).reduce((sum, entry) => sum + entry.amount, 0),
          available,
        )
      }),
      { numRuns: 12 },
    )
  })

  it('need credits:read in a workspace of the token', async () => {
    const stranger = await overture.stranger()
    assert.equal((await stranger.client.get(`${overture.home}/credits`)).status, 404)
    assert.equal((await (await overture.withScopes(['campaigns:read'])).get(`${overture.home}/credits`)).status, 403)
    assert.equal((await (await overture.withScopes(['credits:read'])).get(`${overture.home}/credits/ledger`)).status, 200)
  })
})
