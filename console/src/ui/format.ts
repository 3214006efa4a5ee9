/** The console is in English and formats numbers accordingly: 12,345.6. Dates and times follow the region of the user. */
const LOCALE = 'en'

/** English with the date format of a region: Mar 2, 2:05 PM for `en-US`, and 2 Mar, 14:05 for `de-DE`. */
export function regionalEnglish(language: string): string {
  try {
    return `en-${new Intl.Locale(language).maximize().region ?? 'US'}`
  } catch {
    // Chromium under the POSIX locale calls its language "en-US@posix", which Intl refuses.
    return 'en-US'
  }
}

/** The time zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** Creating a formatter takes milliseconds, so each is created when it is first used. */
function onDemand<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  return () => (made ??= make())
}

const whole = onDemand(() => new Intl.NumberFormat(LOCALE))
const short = onDemand(() => new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 }))
const percent = onDemand(() => new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 }))
const relative = onDemand(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }))

const DAY = { month: 'short', day: 'numeric' } as const
const TIME = { hour: 'numeric', minute: '2-digit' } as const
const STYLES = {
  time: TIME,
  hour: { hour: 'numeric' },
  day: DAY,
  dayOfYear: { ...DAY, year: 'numeric' },
  weekday: { weekday: 'short', ...DAY },
  today: { weekday: 'long', month: 'long', day: 'numeric' },
  moment: { weekday: 'short', ...DAY, ...TIME },
  exact: { ...DAY, ...TIME, year: 'numeric', second: '2-digit', timeZoneName: 'short' },
} as const
const made = new Map<string, Intl.DateTimeFormat>()

/** A date or a time, in the time zone of the user or in the one that is given. */
function formatDate(at: Date | number | string, style: keyof typeof STYLES, timeZone?: string | null): string {
  const key = `${style} ${timeZone ?? ''}`
  const format =
    made.get(key) ?? new Intl.DateTimeFormat(regionalEnglish(navigator.language), { ...STYLES[style], ...(timeZone ? { timeZone } : {}) })
  made.set(key, format)
  return format.format(new Date(at))
}

/** 1,234 */
export const formatCount = (value: number): string => whole().format(value)
/** 1.2K, for places where space is short */
export const formatShort = (value: number): string => (value < 10_000 ? whole().format(value) : short().format(value))
/** From a fraction: 0.034 is 3.4% */
export const formatPercent = (fraction: number): string => percent().format(fraction)
/** 1.5 MB, 12 kB, 53 bytes */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1e3) return formatNoun(bytes, 'byte')
  const [unit, size] = bytes >= 1e6 ? (['megabyte', 1e6] as const) : (['kilobyte', 1e3] as const)
  return new Intl.NumberFormat(LOCALE, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / size)
}
/** "1 lead", "2 leads" */
export const formatNoun = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`
/** Mar 2, 2026, 2:05:09 PM GMT+1 */
export const formatExact = (at: Date | string): string => formatDate(at, 'exact')
/** 2:05 PM */
export const formatTime = (at: Date | number | string): string => formatDate(at, 'time')
/** Mar 2 */
export const formatDay = (at: Date | number | string, timeZone?: string): string => formatDate(at, 'day', timeZone)
/** Mon, Mar 2 */
export const formatWeekday = (at: Date | number | string, timeZone?: string): string => formatDate(at, 'weekday', timeZone)
/** Monday, March 2 */
export const formatToday = (at: Date): string => formatDate(at, 'today')
/** The name of a time zone for people: America/New York. */
export const zoneWords = (zone: string): string => zone.replaceAll('_', ' ')
const ZONE = /\b(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[\w/+-]+/g
/** Mon, Mar 2, 9:00 AM Europe/Berlin: without a time zone, the one of the user, which is not named. */
export const formatMoment = (at: string, timeZone: string | null | undefined): string =>
  `${formatDate(at, 'moment', timeZone)}${timeZone ? ` ${zoneWords(timeZone)}` : ''}`
/** 545 minutes are 9:05 AM. */
export const formatClock = (minutes: number): string => formatDate(minutes * 60_000, 'time', 'UTC')
/** 14 is 2 PM: for scales, where space is short. */
export const formatHour = (hour: number): string => formatDate(hour * 3_600_000, 'hour', 'UTC')

/** An error of the service with times as all others. Those of later years have their year. */
export const withTimes = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g, at => {
    if (Number.isNaN(Date.parse(at))) return at
    return formatDate(at, new Date(at).getFullYear() > new Date().getFullYear() ? 'exact' : 'moment')
  })

/** A sentence of the service with times as all others: `Monday 2026-03-02 14:05` is Mon, Mar 2, 2:05 PM. Fields of leads are named in words. */
export const readable = (text: string): string =>
  withTimes(text)
    .replace(/(?:[A-Z]\w+day )?(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?/g, (written, day: string, time?: string) => {
      const at = Date.parse(`${day}T${time ?? '00:00'}Z`)
      return Number.isNaN(at) ? written : formatDate(at, time ? 'moment' : 'weekday', 'UTC')
    })
    .replace(/(?<![\w:.])(?:[01]\d|2[0-3]):[0-5]\d(?![\w:]|\.\d|\s?[AaPp]\.?[Mm])/g, time =>
      formatDate(`2026-01-01T${time}Z`, 'time', 'UTC'),
    )
    .replace(/(?<!\{\{\s*)\b(first|last|full|job)(Name|Title)\b/g, (_, what: string, noun: string) => `${what} ${noun.toLowerCase()}`)
    .replace(ZONE, zoneWords)

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['hour', 3600],
  ['minute', 60],
]

const calendarDay = (at: Date): number => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000

/** "3 hours ago", and the date if it is more than a week away. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  if (Math.abs(seconds) > 7 * 86_400) return formatDate(at, at.getFullYear() === now.getFullYear() ? 'day' : 'dayOfYear')
  // Tomorrow is the next day of the calendar, not the next 24 hours.
  if (Math.abs(seconds) >= 86_400) return relative().format(calendarDay(at) - calendarDay(now), 'day')
  for (const [unit, size] of STEPS) if (Math.abs(seconds) >= size) return relative().format(Math.trunc(seconds / size), unit)
  return seconds > 5 ? 'in a moment' : 'just now'
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** For a name within a sentence: if it is written from right to left, it must not reorder the words around it. */
export const isolate = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name)
