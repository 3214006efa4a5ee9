import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Occupancy } from './occupancy.ts'

function filled(count: number, limit: number, aheadOf = () => 56): Occupancy {
  const occupancy = new Occupancy(8, aheadOf)
  const claimed = new Array<string>(count).fill('a')
  for (const id of claimed) occupancy.enter(id, limit)
  occupancy.remember(new Map(), claimed)
  return occupancy
}

test('an endpoint that had room left has nothing that waits, so there is no need to look', () => {
  const occupancy = filled(3, 8)
  assert.deepEqual([...occupancy.counts], [['a', 3]])
  assert.deepEqual(
    ['a', 'a', 'a'].map(id => occupancy.leave(id).when),
    ['never', 'never', 'never'],
  )
  assert.equal(occupancy.counts.size, 0)
})

test('an endpoint that was filled is looked at soon, and at once when half of its places are free', () => {
  const occupancy = filled(4, 4)
  assert.deepEqual(
    ['a', 'a', 'a', 'a'].map(id => occupancy.leave(id).when),
    ['soon', 'now', 'now', 'now'],
  )
})

test('an endpoint that has some ahead of their turn is looked at when half of its places are free, and not before', () => {
  const occupancy = filled(20, 20)
  const when = Array.from({ length: 10 }, () => occupancy.leave('a').when)
  assert.deepEqual(when, [...new Array<string>(9).fill('never'), 'now'])
})

test('the last place of an endpoint with one place is looked at at once', () => {
  assert.equal(filled(1, 1).leave('a').when, 'now')
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
  assert.equal(occupancy.leave('a').when, 'now')
})

test('more events are looked for where a fan-out left some, or where there was no room to take them', () => {
  const occupancy = filled(2, 4)
  occupancy.rememberBehind([{ reportedId: 'a', isBehind: true }], new Map())
  assert.deepEqual(occupancy.leave('a'), { when: 'now', more: { waiting: false, events: true } })
  occupancy.rememberBehind([{ reportedId: 'a', isBehind: false }], occupancy.counts)
  assert.equal(occupancy.leave('a').when, 'never')

  const full = filled(4, 4)
  full.rememberBehind([], full.counts)
  assert.deepEqual(full.leave('a').more, { waiting: true, events: true })
})

test('an endpoint that has become slow is still looked at, when it has worked off what it was given while it was quick', () => {
  let ahead = 12
  const occupancy = filled(20, 20, () => ahead)
  for (let n = 0; n < 9; n++) occupancy.leave('a')
  ahead = 0
  occupancy.remember(occupancy.counts, [])
  const when = Array.from({ length: 7 }, () => occupancy.leave('a').when)
  assert.deepEqual(when, ['never', 'never', 'never', 'soon', 'soon', 'soon', 'now'])
})
