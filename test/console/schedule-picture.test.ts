import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSpan, nextOpening, sendingZone, spanOf } from '../../console/src/screens/campaign/schedule/zones.ts'
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

test('a lead that is due outside the sending window is sent at the next opening, in its own time zone if the campaign uses it', () => {
  const daysOfWeek = ['monday', 'friday']
  const timeWindow = { start: '09:00', end: '17:00' }
  const dates = { startDate: null, endDate: null }
  const schedule = { daysOfWeek, timeWindow, timezone: 'Europe/Berlin', useLeadTimezone: true, ...dates }
  const opening = (at: string, zone: string | null = null, more: Partial<Parameters<typeof nextOpening>[0]> = {}) =>
    nextOpening({ ...schedule, ...more }, zone, new Date(at))?.toISOString() ?? null
  assert.equal(opening('2026-03-02T08:30:00Z'), '2026-03-02T08:30:00.000Z')
  assert.equal(opening('2026-03-02T16:00:00Z'), '2026-03-06T08:00:00.000Z')
  assert.equal(opening('2026-03-02T05:00:00Z'), '2026-03-02T08:00:00.000Z')
  assert.equal(opening('2026-03-02T08:30:00Z', 'America/New_York'), '2026-03-02T14:00:00.000Z')
  assert.equal(opening('2026-03-02T08:30:00Z', 'America/New_York', { useLeadTimezone: false }), '2026-03-02T08:30:00.000Z')
  assert.equal(opening('2026-03-02T08:30:00Z', null, { startDate: '2026-03-28T00:00:00Z' }), '2026-03-30T07:00:00.000Z')
  assert.equal(opening('2026-03-02T16:00:00Z', null, { endDate: '2026-03-05T00:00:00Z' }), null)
  assert.equal(opening('2026-03-02T20:00:00Z', null, { timeWindow: { start: '20:00', end: '23:59' } }), '2026-03-02T20:00:00.000Z')
})

test('a time of a lead is shown in the time zone in which the campaign sends', () => {
  const timezone = 'Europe/Berlin'
  assert.equal(sendingZone({ timezone, useLeadTimezone: true }, 'America/New_York'), 'America/New_York')
  assert.equal(sendingZone({ timezone, useLeadTimezone: false }, 'America/New_York'), timezone)
  for (const zone of [null, 'Moon/Crater']) assert.equal(sendingZone({ timezone, useLeadTimezone: true }, zone), timezone)
})

test("dates and times use the format of the user's region", () => {
  assert.deepEqual(['en-US', 'de', 'en-GB', 'en-US@posix'].map(regionalEnglish), ['en-US', 'en-DE', 'en-GB', 'en-US'])
  assert.equal(formatClock(-60), formatClock(1380))
  assert.equal(readable('due Friday 2026-03-13 17:05 Europe/Berlin'), `due ${formatMoment('2026-03-13T16:05:00Z', 'Europe/Berlin')}`)
  assert.equal(readable('away until Friday 2026-03-13'), `away until ${formatWeekday('2026-03-13', 'UTC')}`)
  assert.match(formatMoment('2026-03-02T08:00:00Z', 'Europe/Berlin'), /Mar.*0?9:00.* Europe\/Berlin$/)
})
