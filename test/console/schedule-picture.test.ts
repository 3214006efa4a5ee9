import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSpan, spanOf } from '../../console/src/screens/campaign/schedule/zones.ts'
import { formatClock, formatMoment, formatWeekday, readable, regionalEnglish } from '../../console/src/ui/format.ts'

test('the chart of a window until 23:59 reaches the end of the day, like the window itself', () => {
  assert.deepEqual(spanOf({ start: '09:00', end: '17:30' }), { from: 540, to: 1050 })
  assert.deepEqual(spanOf({ start: '20:00', end: '23:59' }), { from: 1200, to: 1440 })
  assert.deepEqual(spanOf({ start: '00:00', end: '23:59' }), { from: 0, to: 1440 })
})

test('the hours of a window are shown in the time zone of the lead', () => {
  assert.equal(formatSpan(540, 480), `${formatClock(540)}–${formatClock(1020)}`)
  assert.equal(formatSpan(1200, 240), `${formatClock(1200)}–${formatClock(0)}`)
  assert.equal(formatSpan(1260, 240), `${formatClock(1260)}–${formatClock(60)}`)
  assert.equal(formatSpan(360, 1440), 'all day')
})

test("dates and times use the format of the user's region", () => {
  assert.deepEqual(['en-US', 'de', 'en-GB', 'en-US@posix'].map(regionalEnglish), ['en-US', 'en-DE', 'en-GB', 'en-US'])
  assert.equal(formatClock(-60), formatClock(1380))
  assert.equal(readable('due Friday 2026-03-13 17:05 Europe/Berlin'), `due ${formatMoment('2026-03-13T16:05:00Z', 'Europe/Berlin')}`)
  assert.equal(readable('away until Friday 2026-03-13'), `away until ${formatWeekday('2026-03-13', 'UTC')}`)
  assert.match(formatMoment('2026-03-02T08:00:00Z', 'Europe/Berlin'), /Mar.*0?9:00.* Europe\/Berlin$/)
})
