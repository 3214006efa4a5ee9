import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spanOf, wordSpan } from '../../console/src/screens/campaign/schedule/zones.ts'

test('the picture of a window until 23:59 reaches the end of the day, as the window itself does', () => {
  assert.deepEqual(spanOf({ start: '09:00', end: '17:30' }), { from: 540, to: 1050 })
  assert.deepEqual(spanOf({ start: '20:00', end: '23:59' }), { from: 1200, to: 1440 })
  assert.deepEqual(spanOf({ start: '00:00', end: '23:59' }), { from: 0, to: 1440 })
})

test('the hours of a window are named by the clock of the lead', () => {
  assert.equal(wordSpan(540, 480), '09:00–17:00')
  assert.equal(wordSpan(1200, 240), '20:00–24:00')
  assert.equal(wordSpan(1260, 240), '21:00–01:00')
  assert.equal(wordSpan(360, 1440), 'all day')
})
