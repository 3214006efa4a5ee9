import { Temporal } from 'temporal-polyfill'

const NAME = /^[A-Za-z]+(?:[/_+-][A-Za-z0-9_+-]+)*$/

/** An IANA name, not a bare offset: an offset knows nothing of summer time. */
export function isTimezone(name: string): boolean {
  if (name.length > 64 || !NAME.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const days = new Map<string, { from: number; until: number }>()
const MAX_DAYS = 1000

/** When the day that `now` falls into began, by the clocks of the zone. The last day asked for in each zone is remembered. */
export function startOfDay(timezone: string, now: Date): Date {
  const at = now.getTime()
  let day = days.get(timezone)
  if (!day || at < day.from || at >= day.until) {
    const start = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).startOfDay()
    day = { from: start.epochMilliseconds, until: start.add({ days: 1 }).startOfDay().epochMilliseconds }
    if (days.size >= MAX_DAYS) days.clear()
    days.set(timezone, day)
  }
  return new Date(day.from)
}
