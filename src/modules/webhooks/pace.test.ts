import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from './pace.ts'

test('deliveries are claimed ahead for a receiver that answers quickly, and for nobody who is not known', () => {
  const pace = new Pace()
  assert.equal(pace.aheadOf('a'), 0)
  pace.note('a', 5, true)
  assert.ok(pace.aheadOf('a') > 0)
  assert.equal(pace.aheadOf('b'), 0)
})

test('a slow answer or a failure ends that at once, and some quick answers bring it back', () => {
  for (const spoil of [(pace: Pace) => pace.note('a', 900, true), (pace: Pace) => pace.note('a', 1, false)]) {
    const pace = new Pace()
    for (let n = 0; n < 100; n++) pace.note('a', 2, true)
    spoil(pace)
    assert.equal(pace.aheadOf('a'), 0)
    pace.note('a', 2, true)
    assert.equal(pace.aheadOf('a'), 0)
    for (let n = 0; n < 30; n++) pace.note('a', 2, true)
    assert.ok(pace.aheadOf('a') > 0)
  }
})

test('a receiver is slow once it has proved to be, and not before', () => {
  const pace = new Pace()
  assert.equal(pace.isSlow('a'), false)
  pace.note('a', 900, true)
  assert.equal(pace.isSlow('a'), true)
  pace.note('b', 5, true)
  assert.equal(pace.isSlow('b'), false)
})
