import { HOUR_MS } from '../lib/time.ts'
import { weekdayOfDay, type Zone, zoneOf } from './zone.ts'

export type CalendarUnit = 'hour' | 'day' | 'week'

/**
 * Where the hours, days or weeks of a zone begin: the one that `from` lies in, and all that follow before `to`. Weeks begin on Monday.
 * Worked out here and not by PostgreSQL, whose list of zones is another one: a name that it does not know would be an error there.
 */
export function startsOf(unit: CalendarUnit, timezone: string, from: Date, to: Date): Date[] {
  const zone = zoneOf(timezone)
  const starts = unit === 'hour' ? hours(zone, from.getTime(), to.getTime()) : days(zone, unit, from.getTime(), to.getTime())
  return [...starts].map(ms => new Date(ms))
}

const hourAt = (zone: Zone, ms: number): number => ms - (zone.clockAt(ms) % HOUR_MS)

/** Where clocks are changed by half an hour, the hour of the change is longer or shorter. */
function* hours(zone: Zone, fromMs: number, toMs: number): Generator<number> {
  for (let at = hourAt(zone, fromMs); at < toMs; at = hourAt(zone, at) + HOUR_MS) yield at
}

function* days(zone: Zone, unit: 'day' | 'week', fromMs: number, toMs: number): Generator<number> {
  const today = zone.dayAt(fromMs)
  const [first, step] = unit === 'day' ? [today, 1] : [today - ((weekdayOfDay(today) + 6) % 7), 7]
  for (let day = first; zone.startOfDay(day) < toMs; day += step) if (unit === 'week' || zone.dayExists(day)) yield zone.startOfDay(day)
}
