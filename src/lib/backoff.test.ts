import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backoffMs, jittered, patientMs } from './backoff.ts'

test('the delay doubles with each attempt up to the limit, half of it random', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(attempt => backoffMs(attempt, 100, 1000, () => 1)),
    [100, 200, 400, 800, 1000],
  )
  assert.deepEqual(
    [1, 2, 3, 4, 5].map(attempt => backoffMs(attempt, 100, 1000, () => 0)),
    [50, 100, 200, 400, 500],
  )
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const delay = backoffMs(attempt, 250, 30_000, () => random)
      assert.ok(Number.isInteger(delay) && delay >= 125 && delay <= 30_000)
    }),
  )
})

test('work that waits without counting attempts is polled less and less often, up to the limit', () => {
  assert.deepEqual(
    [-5000, 0, 4000, 20_001, 60_000, 1e9].map(waitedMs => patientMs(waitedMs, 2000, 30_000)),
    [2000, 2000, 2000, 10_001, 30_000, 30_000],
  )
})

test('a jittered delay differs by at most 10%', () => {
  assert.deepEqual([jittered(1000, () => 0), jittered(1000, () => 0.5), jittered(1000, () => 1)], [900, 1000, 1100])
})
