import { DAY_MS, HOUR_MS, LAST_MINUTE, MINUTE_MS } from '../lib/time.ts'
import { isTimezone, weekdayOfDay, type Zone, zoneOf } from './zone.ts'

// When a campaign may send. Four rules hold everywhere:
// - The start of the window and the start date are inclusive, the end of the window and the end date exclusive.
// - A window from 00:00 opens with the day, and a window until 23:59 ends with the day: no request can name 24:00, and without this rule
//   no window could be open all day.
// - A day has at most one window, in one piece, and at every instant of it the clock on the wall is inside the window.
//   If the clock is set forward over the start, the window opens at the first instant that exists; a window that lies
//   wholly in the skipped time does not happen that day. Where the clock is set back, a start that happens twice means
//   the second time and an end that happens twice the first, unless both do: then the first pass counts.
// - The end date is an instant, not a day: at that instant the campaign is over, in every zone.

/** In the order of the numbers that `weekdayOfDay` returns. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

export type Weekday = (typeof WEEKDAYS)[number]

export type Schedule = {
  daysOfWeek: readonly Weekday[]
  timeWindow: { start: string; end: string }
  timezone: string
  startDate: Date | null
  endDate: Date | null
  /** The window is that of the lead's own zone, where the lead has one; the dates stay the same instants for all. */
  useLeadTimezone?: boolean
}

/** The schedule that applies to a lead. When the zone of the lead is unknown, the zone of the campaign applies. */
export function scheduleFor<S extends Pick<Schedule, 'timezone' | 'useLeadTimezone'>>(
  schedule: S,
  leadTimezone: string | null | undefined,
): S {
  if (schedule.useLeadTimezone !== true || !leadTimezone || leadTimezone === schedule.timezone) return schedule
  return isTimezone(leadTimezone) ? { ...schedule, timezone: leadTimezone } : schedule
}

const businessDays = maskOf(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'])

/** A weekly window can vanish because of a clock change, but not five weeks in a row. */
const MAX_DAYS_TO_NEXT_WINDOW = 35

/**
 * A schedule prepared for many calls, in epoch milliseconds. It remembers the last window, so that the frequent question
 * "still open?" needs only two comparisons.
 */
export class OpenHours {
  readonly zone: Zone
  readonly startMs: number
  readonly endMs: number
  readonly #daysMask: number
  readonly #opensClockMs: number
  readonly #closesClockMs: number
  #lastOpensMs = 0
  #lastClosesMs = 0

  constructor(schedule: Schedule) {
    this.zone = zoneOf(schedule.timezone)
    this.#daysMask = maskOf(schedule.daysOfWeek)
    this.#opensClockMs = parseClock(schedule.timeWindow.start)
    this.#closesClockMs = schedule.timeWindow.end === LAST_MINUTE ? DAY_MS : parseClock(schedule.timeWindow.end)
    if (this.#opensClockMs >= this.#closesClockMs) throw new RangeError('The window must start before it ends')
    this.startMs = schedule.startDate === null ? Number.NEGATIVE_INFINITY : schedule.startDate.getTime()
    this.endMs = schedule.endDate === null ? Number.POSITIVE_INFINITY : schedule.endDate.getTime()
  }

  /** The end of the opening that `ms` lies in, or null when closed. */
  closesAt(ms: number): number | null {
    if (ms < this.startMs || ms >= this.endMs) return null
    if (ms >= this.#lastOpensMs && ms < this.#lastClosesMs) return Math.min(this.#lastClosesMs, this.endMs)
    const day = this.zone.dayAt(ms)
    if (!this.#hasDay(day)) return null
    this.#lookAt(day)
    if (ms < this.#lastOpensMs || ms >= this.#lastClosesMs) return null
    return Math.min(this.#lastClosesMs, this.endMs)
  }

  isOpen(ms: number): boolean {
    return this.closesAt(ms) !== null
  }

  /** The first open instant at or after `ms`, or null if there is none. */
  nextOpening(ms: number): number | null {
    const from = Math.max(ms, this.startMs)
    if (from >= this.endMs) return null
    if (from >= this.#lastOpensMs && from < this.#lastClosesMs) return from
    const firstDay = this.zone.dayAt(from)
    for (let day = firstDay; day <= firstDay + MAX_DAYS_TO_NEXT_WINDOW; day++) {
      if (!this.#hasDay(day)) continue
      this.#lookAt(day)
      if (this.#lastClosesMs <= from || this.#lastClosesMs <= this.#lastOpensMs) continue
      const opens = Math.max(from, this.#lastOpensMs)
      return opens < this.endMs ? opens : null
    }
    return null
  }

  #hasDay(day: number): boolean {
    return (this.#daysMask & (1 << weekdayOfDay(day))) !== 0
  }

  #lookAt(day: number): void {
    const closes = this.zone.instantOf(day, this.#closesClockMs, 'first')
    const opens = this.zone.instantOf(day, this.#opensClockMs, 'last')
    this.#lastOpensMs = opens < closes && !this.#opensBefore(day, opens) ? opens : this.zone.instantOf(day, this.#opensClockMs, 'first')
    this.#lastClosesMs = closes
  }

  /** The day began at an earlier midnight already, because the clock was set back to this one. */
  #opensBefore(day: number, midnight: number): boolean {
    return this.#opensClockMs === 0 && this.zone.dayAt(midnight - 1) === day
  }
}

/** The first instant from `at` on at which a lead can be written to; `at` itself if the campaign ends before that. */
export function firstOpening(schedule: Schedule, leadTimezone: string | null, at: Date): Date {
  const opening = new OpenHours(scheduleFor(schedule, leadTimezone)).nextOpening(at.getTime())
  return opening === null ? at : new Date(opening)
}

/**
 * The same clock time, `days` business days later. The day of `from` itself never counts: one business day after a
 * Friday, a Saturday or a Sunday is the Monday. The clock time is kept so that a follow-up does not arrive earlier in the
 * day than the mail it follows; where that time is skipped on the target day it is the first instant after, where it
 * happens twice it is the first. Zero days is `from` itself. Days that the zone never had are not counted.
 */
export function addBusinessDays(from: Date, days: number, timezone: string): Date {
  if (!Number.isInteger(days) || days < 0) throw new RangeError('A delay is a whole number of days, 0 or more')
  if (days === 0) return from
  const zone = zoneOf(timezone)
  const clock = zone.clockAt(from.getTime())
  let day = zone.dayAt(from.getTime())
  for (let left = days; left > 0; ) {
    day++
    if ((businessDays & (1 << weekdayOfDay(day))) !== 0 && zone.dayExists(day)) left--
  }
  return new Date(zone.instantOf(day, clock, 'first'))
}

function maskOf(days: readonly Weekday[]): number {
  let mask = 0
  for (const day of days) mask |= 1 << WEEKDAYS.indexOf(day)
  return mask
}

/** `HH:mm` as milliseconds since midnight by the clock. */
function parseClock(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hours === undefined) throw new RangeError(`Not a time of day (HH:mm): ${text}`)
  return Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
}
