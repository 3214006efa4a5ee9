import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { DAY_MS } from '../src/lib/time.ts'
import type { MailboxLoad } from '../src/scheduling/capacity.ts'
import type { PlannedMailbox } from '../src/scheduling/planner.ts'
import { OpenHours, type Schedule, type Weekday } from '../src/scheduling/window.ts'

// Shared by the tests of `src/scheduling`. Expected results come from Temporal directly, never from the code under test.

export const zoneNames = [
  'Africa/Cairo',
  'Africa/Casablanca',
  'America/Asuncion',
  'America/Havana',
  'America/Los_Angeles',
  'America/New_York',
  'America/Nuuk',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Atlantic/Azores',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/Lisbon',
  'Europe/London',
  'Pacific/Apia',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'UTC',
] as const

export const weekdays: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

export const localTime = (ms: number, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone)

export const localDate = (ms: number, timezone: string): string => localTime(ms, timezone).toPlainDate().toString()

/** Milliseconds since midnight by the clock on the wall. */
export function wallClock(ms: number, timezone: string): number {
  const time = localTime(ms, timezone)
  return ((time.hour * 60 + time.minute) * 60 + time.second) * 1000 + time.millisecond
}

const clockOf = (text: string): number => Temporal.PlainTime.from(text).since('00:00').total('milliseconds')

/** The plain reading of a schedule: the wall clock is in the window, on one of its days, between its dates. */
export function clockSaysOpen(schedule: Schedule, ms: number): boolean {
  if (schedule.startDate !== null && ms < schedule.startDate.getTime()) return false
  if (schedule.endDate !== null && ms >= schedule.endDate.getTime()) return false
  const clock = wallClock(ms, schedule.timezone)
  const { start, end } = schedule.timeWindow
  const weekday = weekdays[localTime(ms, schedule.timezone).dayOfWeek - 1]!
  return schedule.daysOfWeek.includes(weekday) && clock >= clockOf(start) && (clock < clockOf(end) || end === '23:59')
}

/** The business day `days` after the date of `ms`, found by walking the calendar. */
export function businessDate(ms: number, days: number, timezone: string): Temporal.PlainDate {
  let date = localTime(ms, timezone).toPlainDate()
  for (let left = days; left > 0; ) {
    date = date.add({ days: 1 })
    if (date.dayOfWeek <= 5) left--
  }
  return date
}

const transitions = new Map<string, number[]>()

/** Every change of the clock from 2019 to 2027, or one ordinary day where the zone has none. */
export function transitionsOf(timezone: string): number[] {
  const known = transitions.get(timezone)
  if (known !== undefined) return known
  const found: number[] = []
  let at = Temporal.Instant.from('2019-01-01T00:00Z').toZonedDateTimeISO(timezone).getTimeZoneTransition('next')
  while (at && at.year < 2028) {
    found.push(at.epochMilliseconds)
    at = at.getTimeZoneTransition('next')
  }
  if (found.length === 0) found.push(Date.parse('2026-03-29T01:00:00Z'))
  transitions.set(timezone, found)
  return found
}

/** A zone and an instant within `daysAround` of one of its clock changes, on a whole `grainMs`. */
export function nearTransition(daysAround: number, grainMs = 1): fc.Arbitrary<{ timezone: string; ms: number }> {
  return fc.constantFrom(...zoneNames).chain(timezone => {
    const steps = Math.floor((daysAround * DAY_MS) / grainMs)
    return fc
      .tuple(fc.constantFrom(...transitionsOf(timezone)), fc.integer({ min: -steps, max: steps }))
      .map(([at, offset]) => ({ timezone, ms: Math.floor(at / grainMs) * grainMs + offset * grainMs }))
  })
}

const hhmm = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Windows anywhere in the day, many of them among the night hours in which clocks are changed or until the end of the day. */
export const anyTimeWindow = fc
  .oneof(
    fc.uniqueArray(fc.integer({ min: 0, max: 48 }), { minLength: 2, maxLength: 2 }).map(ends => ends.map(n => n * 5)),
    fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 2, maxLength: 2 }),
    fc.constantFrom([0, 1439], [1380, 1439], [1410, 1439], [1, 1439]),
  )
  .map(ends => ends.toSorted((a, b) => a - b))
  .map(([start, end]) => ({ start: hhmm(start!), end: hhmm(end!) }))

export const anyDays = fc.subarray([...weekdays], { minLength: 1 })

export function schedule(changes: Partial<Schedule> = {}): Schedule {
  return {
    daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
    timeWindow: { start: '09:00', end: '17:00' },
    timezone: 'Europe/Berlin',
    startDate: null,
    endDate: null,
    ...changes,
  }
}

export const isOpen = (schedule: Schedule, now: Date): boolean => new OpenHours(schedule).isOpen(now.getTime())

export const nextOpening = (schedule: Schedule, now: Date): Date | null => dateOf(new OpenHours(schedule).nextOpening(now.getTime()))

export const closesAt = (schedule: Schedule, now: Date): Date | null => dateOf(new OpenHours(schedule).closesAt(now.getTime()))

export const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

export const emptyLoad: MailboxLoad = { day: null, reserved: 0, nextSlotAt: null }

export function mailbox(changes: Partial<PlannedMailbox> = {}): PlannedMailbox {
  return {
    id: 'anna',
    timezone: 'Europe/Berlin',
    dailyCap: 50,
    rampUp: null,
    connectedAt: new Date('2026-01-01T00:00:00Z'),
    minGapSeconds: 0,
    maxPerDomainPerHour: null,
    connected: true,
    load: emptyLoad,
    ...changes,
  }
}
