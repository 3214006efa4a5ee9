import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { pino } from 'pino'
import type { Context } from '../context/context.ts'
import type { Tx } from '../db/sql.ts'
import { WakeBus } from '../queue/wake-bus.ts'
import type { EndedOperation } from './queries.ts'
import { operationWaiter, wakeWaiting } from './waiting.ts'

let stop = async (): Promise<void> => {}
afterEach(() => stop())

/** Operations in a list in memory; ending some of them wakes as a committed transaction does. */
function makeWaiter(stored: EndedOperation[] = []) {
  const wake = new WakeBus()
  const many = async (_: unknown, [ids]: [string[]]) => stored.filter(({ id }) => ids.includes(id))
  const waiter = operationWaiter({ db: { many }, wake, log: pino({ level: 'silent' }) } as unknown as Context)
  stop = () => waiter.stop()
  const end = (ended: EndedOperation[], isHeard = true): void => {
    stored.push(...ended)
    wakeWaiting({ wake: topic => isHeard && wake.wake([topic]) } as Pick<Tx, 'wake'>)
  }
  return { waiter, end }
}

const succeeded = (id: string): EndedOperation => ({ id, status: 'succeeded' })

describe('a request that waits for its operation', () => {
  it('learns the outcome, also of an operation that ended before', async () => {
    const { waiter, end } = makeWaiter([succeeded('early')])
    const all = Promise.all([waiter.wait('early', 5), waiter.wait('a', 5), waiter.wait('b', 5)])
    end([{ id: 'a', status: 'failed' }, succeeded('b'), succeeded('other')])
    assert.deepEqual(await all, [succeeded('early'), { id: 'a', status: 'failed' }, succeeded('b')])
  })

  it('learns the outcome of an operation that ends during the query of another', async () => {
    const { waiter, end } = makeWaiter()
    const both = Promise.all([waiter.wait('a', 5), waiter.wait('b', 5)])
    end([succeeded('a')])
    end([succeeded('b')])
    assert.deepEqual(await both, [succeeded('a'), succeeded('b')])
  })

  it('polls in case the wake-up was lost, and gives up at its time limit', async () => {
    const { waiter, end } = makeWaiter()
    const lost = waiter.wait('a', 5)
    end([succeeded('a')], false)
    assert.deepEqual([await lost, await waiter.wait('never', 0)], [succeeded('a'), undefined])
  })
})
