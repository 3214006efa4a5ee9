import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { examples } from '../../test/full.ts'
import {
  anyDays,
  anyTimeWindow,
  businessDate,
  clockSaysOpen,
  closesAt,
  isOpen,
  localDate,
  localTime,
  nearTransition,
  nextOpening,
  transitionsOf,
  wallClock,
  zoneNames,
} from '../../test/schedules.ts'
import { DAY_MS } from '../lib/time.ts'
import { addBusinessDays, type Schedule } from './window.ts'
import { startOfDay } from './zone.ts'

const runs = { numRuns: examples(400) }

const anyMoment = fc
  .record({
    place: nearTransition(3),
    timeWindow: anyTimeWindow,
    daysOfWeek: anyDays,
    ends: fc.nat(20),
    starts: fc.nat(20),
  })
  .map(({ place, timeWindow, daysOfWeek, ends, starts }) => {
    // One schedule in four begins or ends close to the moment.
    const startDate = starts < 5 ? new Date(place.ms + (starts - 2) * 7_200_000) : null
    const endDate = ends < 5 ? new Date(place.ms + (ends + 3) * 7_200_000) : null
    const schedule: Schedule = { timezone: place.timezone, timeWindow, daysOfWeek, startDate, endDate }
    return { schedule, now: new Date(place.ms) }
  })

test('at every open instant the local time is inside the window, in all zones, around every clock change', () => {
  fc.assert(
    fc.property(anyMoment, ({ schedule, now }) => {
      if (isOpen(schedule, now)) assert.ok(clockSaysOpen(schedule, now.getTime()))
    }),
    { numRuns: examples(2000) },
  )
})

test('a window is closed against local time only in a repeated hour', () => {
  fc.assert(
    fc.property(anyMoment, ({ schedule, now }) => {
      if (isOpen(schedule, now) || !clockSaysOpen(schedule, now.getTime())) return
      const hoursThatDay = localTime(now.getTime(), schedule.timezone).hoursInDay
      assert.ok(hoursThatDay > 24, `${now.toISOString()} in ${schedule.timezone}`)
    }),
    { numRuns: examples(2000) },
  )
})

test('the next opening is open, and nothing before it is', () => {
  fc.assert(
    fc.property(anyMoment, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }), (moment, parts) => {
      const { schedule, now } = moment
      const opening = nextOpening(schedule, now)
      const until = opening?.getTime() ?? now.getTime() + 21 * DAY_MS
      if (opening !== null) assert.ok(isOpen(schedule, opening) && opening >= now)
      for (const part of [...parts, 1]) {
        const between = Math.floor(now.getTime() + part * (until - 1 - now.getTime()))
        if (between < now.getTime() || between >= until) continue
        assert.equal(isOpen(schedule, new Date(between)), false)
      }
    }),
    runs,
  )
})

test('a window is open without a break until it closes', () => {
  fc.assert(
    fc.property(anyMoment, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }), (moment, parts) => {
      const { schedule, now } = moment
      const closes = closesAt(schedule, now)
      assert.equal(closes !== null, isOpen(schedule, now))
      if (closes === null) return
      // A window that ends with the day may be followed by one that begins with the next, also because its start is skipped.
      const { start, end } = schedule.timeWindow
      const beginsWithDay = start === '00:00' || localTime(closes.getTime(), schedule.timezone).hoursInDay < 24
      if (end !== '23:59' || !beginsWithDay) assert.equal(isOpen(schedule, closes), false)
      for (const part of [...parts, 1]) {
        const between = Math.floor(now.getTime() + part * (closes.getTime() - 1 - now.getTime()))
        assert.equal(isOpen(schedule, new Date(between)), true)
      }
    }),
    runs,
  )
})

test('on the days around every clock change of every zone there is at most one opening a day', () => {
  for (const timezone of zoneNames) {
    for (const change of transitionsOf(timezone)) {
      for (const timeWindow of [
        { start: '00:10', end: '00:50' },
        { start: '01:10', end: '02:20' },
        { start: '02:05', end: '02:35' },
        { start: '23:15', end: '23:45' },
        { start: '00:00', end: '23:59' },
      ]) {
        const daysOfWeek = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
        const schedule: Schedule = { timezone, timeWindow, daysOfWeek, startDate: null, endDate: null }
        const openings = new Map<string, number>()
        let ms = change - 1.5 * DAY_MS
        while (ms < change + 1.5 * DAY_MS) {
          const opening = nextOpening(schedule, new Date(ms))!
          const date = localDate(opening.getTime(), timezone)
          openings.set(date, (openings.get(date) ?? 0) + 1)
          ms = closesAt(schedule, opening)!.getTime()
        }
        for (const [date, count] of openings) assert.equal(count, 1, `${timezone} ${date} ${timeWindow.start}`)
      }
    }
  }
})

test('a window from 00:00 to 23:59 on every day is always open, in all zones, through every clock change', () => {
  const daysOfWeek = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
  for (const timezone of zoneNames) {
    const schedule: Schedule = { timezone, timeWindow: { start: '00:00', end: '23:59' }, daysOfWeek, startDate: null, endDate: null }
    for (const change of transitionsOf(timezone)) {
      for (let minute = -2 * 24 * 60; minute <= 2 * 24 * 60; minute += 7.5) {
        const now = new Date(change + minute * 60_000)
        assert.ok(isOpen(schedule, now), `${timezone} ${now.toISOString()}`)
        assert.deepEqual(nextOpening(schedule, now), now)
      }
    }
  }
})

test('the start of a day equals that of Temporal', () => {
  fc.assert(
    fc.property(nearTransition(3), ({ timezone, ms }) => {
      assert.equal(startOfDay(timezone, new Date(ms)).getTime(), localTime(ms, timezone).startOfDay().epochMilliseconds)
    }),
    runs,
  )
})

test('a delay in business days ends on the right date at the same time, or right after a skipped one', () => {
  fc.assert(
    fc.property(nearTransition(12), fc.integer({ min: 1, max: 90 }), ({ timezone, ms }, days) => {
      const due = addBusinessDays(new Date(ms), days, timezone).getTime()
      const expected = businessDate(ms, days, timezone)
      assert.equal(localDate(due, timezone), expected.toString())
      const sameClock = wallClock(due, timezone) === wallClock(ms, timezone)
      if (!sameClock) {
        const time = localTime(ms, timezone).toPlainTime()
        const skipped = expected.toZonedDateTime({ timeZone: timezone, plainTime: time }).toPlainTime()
        assert.notEqual(skipped.toString(), time.toString(), 'only a time that does not exist may be moved')
        assert.ok(wallClock(due, timezone) > wallClock(ms, timezone))
        assert.ok(transitionsOf(timezone).includes(due), 'to the very instant of the change')
      }
      assert.ok(due > ms)
    }),
    { numRuns: examples(1500) },
  )
})
