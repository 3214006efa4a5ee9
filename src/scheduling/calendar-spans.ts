import { HOUR_MS } from '../lib/time.ts'
import { weekdayOfDay, type Zone, zoneOf } from './zone.ts'

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
