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

/** When the day that `now` falls into began, by the clocks of the zone. */
export function startOfDay(timezone: string, now: Date): Date {
  const day = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).startOfDay()
  return new Date(day.epochMilliseconds)
}
