export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** A sending window until this minute ends with the day, because no request can name 24:00. */
export const LAST_MINUTE = '23:59'

/**
 * A limit that only ends what hangs. Tests run next to other load, where everything takes longer: for them, such limits are a multiple, except in the
 * tests of the limits themselves.
 */
export const patient = (limit: number): number => limit * Number(process.env.OVERTURE_TEST_PATIENCE ?? 1)

/** Rejects with the error of `late` when the work takes longer. The work itself continues. */
export async function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), Math.max(0, limitMs))
  try {
    return await Promise.race([work, tooLong])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** The instant that an RFC 3339 date-time names, or null: `new Date` alone would accept far more, and February 30th. */
export function parseDateTime(text: string): Date | null {
  const match = RFC3339.exec(text)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  const date = new Date(text.toUpperCase())
  // The offset can move the instant out of the years that RFC 3339 can write, and then no response could contain it.
  return date.getTime() >= FIRST_MS && date.getTime() <= LAST_MS ? date : null
}

/** Our times have milliseconds. A more precise time lies between two of them and is none of them. */
export const isBetweenMs = (text: string): boolean => /\.\d{3}0*[1-9]/.test(text)

/** The first of our times that is not before the given one. */
export const firstFrom = (text: string): Date => new Date(Math.min(parseDateTime(text)!.getTime() + Number(isBetweenMs(text)), LAST_MS))

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}
