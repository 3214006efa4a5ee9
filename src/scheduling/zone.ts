import { Temporal } from 'temporal-polyfill'
import { invalid } from '../lib/errors.ts'
import { DAY_MS, HOUR_MS } from '../lib/time.ts'

// Temporal takes 15 to 80 microseconds for one query about a zone, far too slow for a sender that looks at thousands
// of campaigns in every tick. A zone, however, is only a handful of spans with a constant offset (two a year where there
// is daylight saving). We ask Temporal for a span once and use integer arithmetic after that.

type Span = { fromMs: number; untilMs: number; offsetMs: number }

/** Far more than any real use; an attacker's dates in distant years must not fill the memory. */
const MAX_SPANS_PER_ZONE = 512
const MAX_ZONES = 1024

export class Zone {
  readonly name: string
  #spans: Span[] = []
  #latest: Span

  constructor(name: string) {
    this.name = name
    // A name that Temporal does not know throws here, before anything is cached.
    this.#latest = this.#learnSpan(0)
  }

  offsetAt(ms: number): number {
    return this.#spanAt(ms).offsetMs
  }

  /** The local calendar day of an instant, as days since 1970-01-01. */
  dayAt(ms: number): number {
    return Math.floor((ms + this.offsetAt(ms)) / DAY_MS)
  }

  /** The local clock of an instant, as milliseconds since local midnight by the clock on the wall. */
  clockAt(ms: number): number {
    const local = ms + this.offsetAt(ms)
    return local - Math.floor(local / DAY_MS) * DAY_MS
  }

  /**
   * The instant at which the clock on the wall shows `clockMs` on `day`. A time that the zone skips gives the first
   * instant that exists after it; a time that happens twice gives the first or the last of the two, as asked.
   */
  instantOf(day: number, clockMs: number, occurrence: 'first' | 'last' = 'first'): number {
    const local = day * DAY_MS + clockMs
    // Every offset is less than 24 hours, so these two are certainly before and after the instant.
    const before = this.#spanAt(local - DAY_MS)
    const after = this.offsetAt(local + DAY_MS)
    if (before.offsetMs === after) return local - after
    const early = local - before.offsetMs
    const late = local - after
    const earlyExists = this.offsetAt(early) === before.offsetMs
    const lateExists = this.offsetAt(late) === after
    if (earlyExists && lateExists) return occurrence === 'first' ? Math.min(early, late) : Math.max(early, late)
    if (earlyExists) return early
    if (lateExists) return late
    return before.untilMs
  }

  startOfDay(day: number): number {
    return this.instantOf(day, 0, 'first')
  }

  /** Some days never happened: Samoa went from 29 to 31 December 2011. */
  dayExists(day: number): boolean {
    return this.startOfDay(day) < this.startOfDay(day + 1)
  }

  #spanAt(ms: number): Span {
    const latest = this.#latest
    if (ms >= latest.fromMs && ms < latest.untilMs) return latest
    const known = this.#spans.find(span => ms >= span.fromMs && ms < span.untilMs) ?? this.#learnSpan(ms)
    this.#latest = known
    return known
  }

  #learnSpan(ms: number): Span {
    // Temporal takes whole milliseconds only, and a span is wider than that anyway.
    const moment = Temporal.Instant.fromEpochMilliseconds(Math.floor(ms)).toZonedDateTimeISO(this.name)
    const next = moment.getTimeZoneTransition('next')
    // "previous" is strictly before, so ask from just after the moment to find a span that begins exactly on it.
    const previous = moment.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
    const span: Span = {
      fromMs: previous ? previous.epochMilliseconds : Number.NEGATIVE_INFINITY,
      untilMs: next ? next.epochMilliseconds : Number.POSITIVE_INFINITY,
      offsetMs: moment.offsetNanoseconds / 1e6,
    }
    if (this.#spans.length >= MAX_SPANS_PER_ZONE) this.#spans = []
    this.#spans.push(span)
    return span
  }
}

const zones = new Map<string, Zone>()

/** Throws a RangeError for a name that is not in the zone database. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name)
  if (known) return known
  if (name.length > 64 || !/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) throw new RangeError(`Not an IANA time zone: ${name}`)
  const zone = new Zone(name)
  if (zones.size >= MAX_ZONES) zones.clear()
  zones.set(name, zone)
  return zone
}

/** An IANA name such as `Europe/Berlin`; an offset such as `+01:00` has no daylight saving and is refused. */
export function isTimezone(name: string): boolean {
  try {
    zoneOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Refuses the value under `path` of a request unless it is a time zone or was not sent. */
export function checkTimezone(path: string, name: string | undefined): void {
  if (name !== undefined && !isTimezone(name)) throw invalid('body', path, 'timezone', 'must be a time zone, like Europe/Berlin')
}

/** Local midnight of the day that `now` falls into, or the first instant of a day that has no midnight. */
export function startOfDay(timezone: string, now: Date): Date {
  const zone = zoneOf(timezone)
  return new Date(zone.startOfDay(zone.dayAt(now.getTime())))
}

/** `YYYY-MM-DD` of a day counted from 1970-01-01. */
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export function dayOfDate(date: string): number {
  const ms = Date.parse(`${date}T00:00:00.000Z`)
  if (Number.isNaN(ms)) throw new RangeError(`Not a date: ${date}`)
  return ms / DAY_MS
}

/** 0 is Sunday, as in `Date`. 1 January 1970 was a Thursday. */
export const weekdayOfDay = (day: number): number => (((day + 4) % 7) + 7) % 7

export type CalendarUnit = 'hour' | 'day' | 'week'

/**
 * The starts of the hours, days or weeks of a zone: the one that contains `from`, and all later ones before `to`. Weeks begin on
 * Monday. Not computed by PostgreSQL, because it has another list of zones: an unknown name would be an error there.
 */
export function startsOf(unit: CalendarUnit, timezone: string, from: Date, to: Date): Date[] {
  const zone = zoneOf(timezone)
  const starts = unit === 'hour' ? hours(zone, from.getTime(), to.getTime()) : days(zone, unit, from.getTime(), to.getTime())
  return [...starts].map(ms => new Date(ms))
}

const hourAt = (zone: Zone, ms: number): number => ms - (zone.clockAt(ms) % HOUR_MS)

/** When clocks change by half an hour, the hour of the change is longer or shorter. */
function* hours(zone: Zone, fromMs: number, toMs: number): Generator<number> {
  for (let at = hourAt(zone, fromMs); at < toMs; at = hourAt(zone, at) + HOUR_MS) yield at
}

function* days(zone: Zone, unit: 'day' | 'week', fromMs: number, toMs: number): Generator<number> {
  const today = zone.dayAt(fromMs)
  const [first, step] = unit === 'day' ? [today, 1] : [today - ((weekdayOfDay(today) + 6) % 7), 7]
  for (let day = first; zone.startOfDay(day) < toMs; day += step) if (unit === 'week' || zone.dayExists(day)) yield zone.startOfDay(day)
}
