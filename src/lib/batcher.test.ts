import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Batcher, type BatcherOptions } from './batcher.ts'

/** Batches that are answered when the test says so. */
function controlled(options: BatcherOptions) {
  const batches: { items: number[]; answer: () => void; fail: (error: Error) => void }[] = []
  const batcher = new Batcher<number, string>(items => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    batches.push({ items, answer: () => resolve(items.map(String)), fail: reject })
    return promise
  }, options)
  return { batches, batcher, seen: () => batches.map(batch => batch.items) }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('a single request does not wait, and requests that arrive in the meantime share the next batch', async () => {
  const { batches, batcher, seen } = controlled({ maxSize: 10 })
  const first = batcher.submit(1)
  await turn()
  const others = [batcher.submit(2), batcher.submit(3), batcher.submit(4)]
  await turn()
  assert.deepEqual(seen(), [[1]])
  batches[0]!.answer()
  assert.equal(await first, '1')
  await turn()
  assert.deepEqual(seen(), [[1], [2, 3, 4]])
  batches[1]!.answer()
  assert.deepEqual(await Promise.all(others), ['2', '3', '4'])
})

test('a batch has at most maxSize, and no more run at once than there are lanes', async () => {
  const { batches, batcher, seen } = controlled({ maxSize: 2, batchesAtOnce: 2 })
  const all = [1, 2, 3, 4, 5, 6, 7].map(n => batcher.submit(n))
  await turn()
  assert.deepEqual(seen(), [
    [1, 2],
    [3, 4],
  ])
  batches[1]!.answer()
  await turn()
  assert.deepEqual(seen(), [
    [1, 2],
    [3, 4],
    [5, 6],
  ])
  for (let n = 0; n < 4; n++) {
    batches[n]?.answer()
    await turn()
  }
  assert.deepEqual(seen().at(-1), [7])
  assert.deepEqual(await Promise.all(all), ['1', '2', '3', '4', '5', '6', '7'])
})

test('when a batch fails, each item is tried alone, so that a bad one affects no other', async () => {
  const tried: number[][] = []
  const batcher = new Batcher<number, number>(
    async items => {
      tried.push(items)
      await turn()
      if (items.includes(3)) throw new Error('3 is bad')
      return items.map(n => n * 10)
    },
    { maxSize: 10 },
  )
  const results = await Promise.allSettled([1, 2, 3, 4].map(n => batcher.submit(n)))
  const outcomes = results.map(result => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message))
  assert.deepEqual(outcomes, [10, 20, '3 is bad', 40])
  assert.deepEqual(tried, [[1, 2, 3, 4], [1], [2], [3], [4]])
})

test('an error that concerns all callers rejects all of them, including waiting ones, without retries', async () => {
  const { batches, batcher, seen } = controlled({ maxSize: 2, concernsAll: error => (error as Error).message === 'away' })
  const all = [1, 2, 3, 4, 5].map(n => batcher.submit(n))
  await turn()
  batches[0]!.fail(new Error('away'))
  for (const result of await Promise.allSettled(all)) assert.equal(result.status, 'rejected')
  assert.deepEqual(seen(), [[1, 2]])
  const next = batcher.submit(6)
  await turn()
  batches[1]!.answer()
  assert.equal(await next, '6')
})

test('it continues after a failure', async () => {
  const { batches, batcher } = controlled({ maxSize: 10 })
  const bad = batcher.submit(1)
  await turn()
  batches[0]!.fail(new Error('once'))
  await assert.rejects(bad, /once/)
  const good = batcher.submit(2)
  await turn()
  batches[1]!.answer()
  assert.equal(await good, '2')
})
