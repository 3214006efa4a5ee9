import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GROUP_SIZE, GroupPace } from './group-pace.ts'

function paceAfter(size: number): GroupPace {
  const pace = new GroupPace()
  pace.noteClaim(size)
  pace.noteBegin(1000)
  return pace
}

test('operations that come one by one do not wait for others', () => {
  assert.equal(new GroupPace().waitMs(1000), 0)
  assert.equal(paceAfter(1).waitMs(1005), 0)
})

test('while operations come in groups, the next group waits for a moment to grow', () => {
  assert.ok(paceAfter(20).waitMs(1005) > 0)
})

test('operations that a full claim has left behind do not wait', () => {
  assert.equal(paceAfter(GROUP_SIZE).waitMs(1005), 0)
})

test('the first operation after a pause does not wait, whatever came before the pause', () => {
  assert.equal(paceAfter(20).waitMs(1500), 0)
})

test('a second group begins beside the first only when the first is slow', () => {
  const pace = paceAfter(20)
  assert.equal(pace.mayBegin(0, 1005), true)
  assert.equal(pace.mayBegin(1, 1005), false)
  assert.equal(pace.mayBegin(1, 1500), true)
  assert.equal(pace.mayBegin(3, 1500), false)
})
