import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { inParallel } from './selection.ts'

it('processes everything once, with the given concurrency', async () => {
  const done: number[] = []
  let [running, most] = [0, 0]
  await inParallel(2, [1, 2, 3, 4, 5], async item => {
    most = Math.max(most, ++running)
    await turn()
    running--
    done.push(item)
  })
  assert.deepEqual([done.sort(), most], [[1, 2, 3, 4, 5], 2])
})

it('after a failure starts nothing more, and throws when running work has ended', async () => {
  const begun: number[] = []
  const done: number[] = []
  const work = async (item: number): Promise<void> => {
    begun.push(item)
    if (item === 1) throw new Error('one')
    for (let turns = 0; turns < 5; turns++) await turn()
    done.push(item)
  }
  await assert.rejects(inParallel(2, [1, 2, 3, 4], work), /one/)
  assert.deepEqual([begun, done], [[1, 2], [2]])
})
