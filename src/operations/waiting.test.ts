import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Context } from '../context/context.ts'
import type { Tx } from '../db/sql.ts'
import { WakeBus } from '../queue/wake-bus.ts'
import type { EndedOperation } from './queries.ts'
import { operationWaiter, wakeWaiting } from './waiting.ts'

/** Operations in a list in memory; ending some of them wakes as a committed transaction does. */
function makeWaiter(stored: EndedOperation[] = []) {
  const wake = new WakeBus()
  let questions = 0
  const many = async (_: unknown, [ids]: [string[]]) => {
    questions++
    return stored.filter(({ id }) => ids.includes(id))
  }
  const waiter = operationWaiter({ db: { many }, wake } as unknown as Context)
  const end = (ended: EndedOperation[], isHeard = true): void => {
    stored.push(...ended)
    const topics: string[] = []
    wakeWaiting({ wake: topic => topics.push(topic) } as Pick<Tx, 'wake'> as Tx, ended)
    if (isHeard) wake.wake(topics)
  }
  return { waiter, end, questions: () => questions }
}

const succeeded = (id: string): EndedOperation => ({ id, status: 'succeeded' })
const MANY = Array.from({ length: 100 }, (_, index) => succeeded(`other ${index}`))

describe('a request that waits for its operation', () => {
  it('learns the outcome from the wake-up, without a query', async () => {
    const { waiter, end, questions } = makeWaiter()
    const both = Promise.all([waiter.wait('a', 5), waiter.wait('b', 5)])
    end([{ id: 'a', status: 'failed' }, succeeded('b')])
    assert.deepEqual(await both, [{ id: 'a', status: 'failed' }, succeeded('b')])
    assert.equal(questions(), 0)
  })

  it('queries when many ended at once, even during another query', async () => {
    const { waiter, end } = makeWaiter()
    const both = Promise.all([waiter.wait('a', 5), waiter.wait('b', 5)])
    end([...MANY, succeeded('a')])
    end([...MANY, succeeded('b')])
    assert.deepEqual(await both, [succeeded('a'), succeeded('b')])
  })

  it('polls in case the wake-up was lost, and gives up at its time limit', async () => {
    const { waiter, end } = makeWaiter()
    const lost = waiter.wait('a', 5)
    end([succeeded('a')], false)
    assert.deepEqual([await lost, await waiter.wait('never', 0)], [succeeded('a'), undefined])
  })
})
