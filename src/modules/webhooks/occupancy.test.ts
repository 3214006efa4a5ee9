import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Occupancy } from './occupancy.ts'

function filled(count: number, limit: number): Occupancy {
  const occupancy = new Occupancy()
  const claimed = new Array<string>(count).fill('a')
  for (const id of claimed) occupancy.enter(id, limit)
  occupancy.remember(new Map(), claimed)
  return occupancy
}

test('an endpoint that had room left has nothing that waits, so there is no need to look', () => {
  const occupancy = filled(3, 8)
  assert.deepEqual([...occupancy.counts], [['a', 3]])
  assert.deepEqual(
    ['a', 'a', 'a'].map(id => occupancy.leave(id)),
    ['never', 'never', 'never'],
  )
  assert.equal(occupancy.counts.size, 0)
})

test('an endpoint that was filled is looked at soon, and at once when half of its places are free', () => {
  const occupancy = filled(4, 4)
  assert.deepEqual(
    ['a', 'a', 'a', 'a'].map(id => occupancy.leave(id)),
    ['soon', 'now', 'now', 'now'],
  )
})

test('the last place of an endpoint with one place is looked at at once', () => {
  assert.equal(filled(1, 1).leave('a'), 'now')
})

test('answers that come during a claim do not hide that more is waiting', () => {
  const occupancy = filled(4, 4)
  occupancy.leave('a')
  occupancy.leave('a')
  const before = occupancy.counts
  occupancy.leave('a')
  occupancy.enter('a', 4)
  occupancy.enter('a', 4)
  occupancy.remember(before, ['a', 'a'])
  assert.equal(occupancy.leave('a'), 'now')
})
