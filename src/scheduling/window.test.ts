import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closesAt, isOpen, nextOpening, schedule } from '../../test/schedules.ts'
import { addBusinessDays, type Weekday } from './window.ts'

const at = (text: string): Date => new Date(text)
const everyDay: Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

test('the start of the window is inside it and the end is not', () => {
  const berlin = schedule()
  assert.equal(isOpen(berlin, at('2026-03-02T07:59:59.999Z')), false)
  assert.equal(isOpen(berlin, at('2026-03-02T08:00:00.000Z')), true)
  assert.equal(isOpen(berlin, at('2026-03-02T15:59:59.999Z')), true)
  assert.equal(isOpen(berlin, at('2026-03-02T16:00:00.000Z')), false)
})

test('a window until 23:59 ends with the day, and the next day is closed unless it is listed', () => {
  const evening = schedule({ daysOfWeek: ['monday'], timeWindow: { start: '20:00', end: '23:59' } })
  assert.equal(isOpen(evening, at('2026-03-02T22:59:59.999Z')), true)
  assert.equal(isOpen(evening, at('2026-03-02T23:00:00.000Z')), false)
  assert.deepEqual(closesAt(evening, at('2026-03-02T22:59:30Z')), at('2026-03-02T23:00:00Z'))
})

test('a window until 23:59 ends with the day when the clock changes at midnight', () => {
  const whole = { daysOfWeek: everyDay, timeWindow: { start: '00:00', end: '23:59' } }
  // Cairo sets the clock back from 24:00 to 23:00 on Thursday 29 October, and forward from 00:00 to 01:00 on Friday 24 April.
  const cairo = schedule({ ...whole, timezone: 'Africa/Cairo' })
  assert.deepEqual(closesAt(cairo, at('2026-10-29T12:00:00Z')), at('2026-10-29T22:00:00Z'))
  assert.deepEqual(closesAt(cairo, at('2026-04-23T12:00:00Z')), at('2026-04-23T22:00:00Z'))
  assert.equal(isOpen(cairo, at('2026-04-23T22:00:00Z')), true)
  // Havana sets it back from 01:00 to 00:00 on Sunday 1 November: the day has two midnights and begins with the first.
  const havana = schedule({ ...whole, timezone: 'America/Havana', daysOfWeek: ['sunday'] })
  assert.deepEqual(nextOpening(havana, at('2026-10-31T12:00:00Z')), at('2026-11-01T04:00:00Z'))
  assert.deepEqual(closesAt(havana, at('2026-11-01T04:30:00Z')), at('2026-11-02T05:00:00Z'))
})

test('a day that is not listed stays closed and the next listed day opens', () => {
  const saturday = at('2026-03-07T12:00:00Z')
  assert.equal(isOpen(schedule(), saturday), false)
  assert.deepEqual(nextOpening(schedule(), saturday), at('2026-03-09T08:00:00Z'))
})

test('the weekday is that of the zone, not of UTC', () => {
  const kiritimati = schedule({ timezone: 'Pacific/Kiritimati', daysOfWeek: ['monday'] })
  assert.equal(isOpen(kiritimati, at('2026-03-01T20:00:00Z')), true)
})

test('while open the next opening is now and the closing is the end of the window', () => {
  const now = at('2026-03-02T10:30:00Z')
  assert.deepEqual(nextOpening(schedule(), now), now)
  assert.deepEqual(closesAt(schedule(), now), at('2026-03-02T16:00:00Z'))
  assert.equal(closesAt(schedule(), at('2026-03-02T17:00:00Z')), null)
})

test('the start date is inclusive and opens in the middle of a window', () => {
  const later = schedule({ startDate: at('2026-03-04T11:00:00Z') })
  assert.equal(isOpen(later, at('2026-03-04T10:59:59.999Z')), false)
  assert.equal(isOpen(later, at('2026-03-04T11:00:00Z')), true)
  assert.deepEqual(nextOpening(later, at('2026-03-02T00:00:00Z')), at('2026-03-04T11:00:00Z'))
})

test('the end date is exclusive, closes a window early and is the end', () => {
  const ending = schedule({ endDate: at('2026-03-04T11:00:00Z') })
  assert.deepEqual(closesAt(ending, at('2026-03-04T10:00:00Z')), at('2026-03-04T11:00:00Z'))
  assert.equal(isOpen(ending, at('2026-03-04T11:00:00Z')), false)
  assert.equal(nextOpening(ending, at('2026-03-04T11:00:00Z')), null)
})

test('a schedule with no window left before its end date has no next opening', () => {
  const endsOnSunday = schedule({ endDate: at('2026-03-08T12:00:00Z') })
  assert.equal(nextOpening(endsOnSunday, at('2026-03-07T12:00:00Z')), null)
})

test('a window that starts in the skipped hour opens at the first instant that exists', () => {
  const night = schedule({ daysOfWeek: everyDay, timeWindow: { start: '02:30', end: '05:00' } })
  assert.deepEqual(nextOpening(night, at('2026-03-28T23:30:00Z')), at('2026-03-29T01:00:00Z'))
  assert.deepEqual(closesAt(night, at('2026-03-29T01:00:00Z')), at('2026-03-29T03:00:00Z'))
})

test('a window that ends in the skipped hour closes when the clock jumps', () => {
  const night = schedule({ daysOfWeek: everyDay, timeWindow: { start: '01:00', end: '02:30' } })
  assert.deepEqual(closesAt(night, at('2026-03-29T00:30:00Z')), at('2026-03-29T01:00:00Z'))
})

test('a window wholly inside the skipped hour does not happen that day', () => {
  const night = schedule({ daysOfWeek: everyDay, timeWindow: { start: '02:10', end: '02:50' } })
  assert.deepEqual(nextOpening(night, at('2026-03-28T12:00:00Z')), at('2026-03-30T00:10:00Z'))
})

test('a window inside the repeated hour opens once', () => {
  const night = schedule({ daysOfWeek: everyDay, timeWindow: { start: '02:10', end: '02:50' } })
  assert.deepEqual(nextOpening(night, at('2026-10-24T12:00:00Z')), at('2026-10-25T00:10:00Z'))
  assert.equal(isOpen(night, at('2026-10-25T00:30:00Z')), true)
  assert.equal(isOpen(night, at('2026-10-25T01:30:00Z')), false, 'the second 02:30')
  assert.deepEqual(nextOpening(night, at('2026-10-25T00:50:00Z')), at('2026-10-26T01:10:00Z'))
})

test('a window that starts in the repeated hour opens at its second pass, so that the clock never leaves the window', () => {
  const night = schedule({ daysOfWeek: everyDay, timeWindow: { start: '02:30', end: '05:00' } })
  assert.deepEqual(nextOpening(night, at('2026-10-24T12:00:00Z')), at('2026-10-25T01:30:00Z'))
})

test('a window that ends in the repeated hour closes at its first pass', () => {
  const night = schedule({ daysOfWeek: everyDay, timeWindow: { start: '01:00', end: '02:30' } })
  assert.deepEqual(closesAt(night, at('2026-10-24T23:30:00Z')), at('2026-10-25T00:30:00Z'))
})

test('Lord Howe moves its clock by half an hour and the window follows', () => {
  const island = schedule({ timezone: 'Australia/Lord_Howe', daysOfWeek: everyDay })
  assert.deepEqual(nextOpening(island, at('2026-04-03T12:00:00Z')), at('2026-04-03T22:00:00Z'))
  assert.deepEqual(nextOpening(island, at('2026-04-05T12:00:00Z')), at('2026-04-05T22:30:00Z'))
})

test('a follow-up keeps the clock time and skips the weekend', () => {
  const friday = at('2026-03-06T09:23:45.678Z')
  assert.deepEqual(addBusinessDays(friday, 1, 'Europe/Berlin'), at('2026-03-09T09:23:45.678Z'))
  assert.deepEqual(addBusinessDays(friday, 5, 'Europe/Berlin'), at('2026-03-13T09:23:45.678Z'))
  assert.deepEqual(addBusinessDays(friday, 0, 'Europe/Berlin'), friday)
})

test('one business day after a Saturday or Sunday is the Monday', () => {
  for (const day of ['2026-03-07', '2026-03-08']) {
    assert.deepEqual(addBusinessDays(at(`${day}T12:00:00Z`), 1, 'Europe/Berlin'), at('2026-03-09T12:00:00Z'))
  }
})

test('business days are those of the zone: Friday in UTC can be Saturday in Auckland', () => {
  const auckland = addBusinessDays(at('2026-03-06T20:00:00Z'), 1, 'Pacific/Auckland')
  assert.deepEqual(auckland, at('2026-03-08T20:00:00Z'), 'Monday 09:00 in Auckland')
})

test('a delay across a clock change keeps the local time', () => {
  assert.deepEqual(addBusinessDays(at('2026-03-27T09:00:00Z'), 1, 'Europe/Berlin'), at('2026-03-30T08:00:00Z'))
})

test('a delay into a skipped time takes the first instant after it', () => {
  const thursday = at('2026-04-22T22:30:00Z')
  assert.deepEqual(addBusinessDays(thursday, 1, 'Africa/Cairo'), at('2026-04-23T22:00:00Z'), 'Friday 01:00: there was no 00:30')
})

test('the Friday that Samoa skipped is not a business day', () => {
  const thursday = at('2011-12-29T20:00:00Z')
  assert.deepEqual(addBusinessDays(thursday, 1, 'Pacific/Apia'), at('2012-01-01T20:00:00Z'), 'Monday 2 January 10:00')
})

test('an invalid schedule is an error, not a closed window', () => {
  const now = at('2026-03-02T10:00:00Z')
  assert.throws(() => isOpen(schedule({ timezone: 'Mars/Olympus' }), now), RangeError)
  assert.throws(() => isOpen(schedule({ timeWindow: { start: '9:00', end: '17:00' } }), now), RangeError)
  assert.throws(() => isOpen(schedule({ timeWindow: { start: '09:00', end: '24:00' } }), now), RangeError)
  assert.throws(() => isOpen(schedule({ timeWindow: { start: '17:00', end: '09:00' } }), now), RangeError)
  assert.throws(() => addBusinessDays(now, -1, 'UTC'), RangeError)
})
