const LOCALE = 'en'
/** The time zone of the browser. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** A formatter takes milliseconds to make, so each is made when it is first used. */
function onDemand<Formatter>(make: () => Formatter): () => Formatter {
  let made: Formatter | undefined
  return () => {
    made ??= make()
    return made
  }
}

const whole = onDemand(() => new Intl.NumberFormat(LOCALE))
const short = onDemand(() => new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 }))
const percent = onDemand(() => new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 }))
const relative = onDemand(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' }))
const exact = onDemand(() => new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' }))
const day = onDemand(() => new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' }))
const hour = onDemand(() => new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }))
const dayOfYear = onDemand(() => new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', year: 'numeric' }))

/** 1,234 */
export const formatCount = (value: number): string => whole().format(value)
/** 1.2K, for places where space is short */
export const formatShort = (value: number): string => (value < 10_000 ? whole().format(value) : short().format(value))
/** From a fraction: 0.034 is 3.4% */
export const formatPercent = (fraction: number): string => percent().format(fraction)
/** 1.5 MB, 12 kB */
export const formatBytes = (bytes: number): string => {
  const [unit, size] = bytes >= 1e6 ? ['megabyte', 1e6] : bytes >= 1e3 ? ['kilobyte', 1e3] : ['byte', 1]
  return new Intl.NumberFormat(LOCALE, { style: 'unit', unit: String(unit), maximumFractionDigits: 1 }).format(bytes / Number(size))
}
/** "1 lead", "2 leads" */
export const formatNoun = (count: number, one: string, many = `${one}s`): string => `${formatCount(count)} ${count === 1 ? one : many}`
export const formatMoney = (value: number, currency: string): string =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency, maximumFractionDigits: value % 1 === 0 ? 0 : 2 }).format(value)
export const formatExact = (at: Date): string => exact().format(at)
/** 14:05 on Mar 2 */
export const formatHour = (at: Date): string => `${hour().format(at)} on ${day().format(at)}`
export const formatDay = (at: Date): string => day().format(at)

const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 hours ago"; beyond a week the date itself says more. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  if (Math.abs(seconds) > 7 * 86_400) return at.getFullYear() === now.getFullYear() ? day().format(at) : dayOfYear().format(at)
  for (const [unit, size] of STEPS) if (Math.abs(seconds) >= size) return relative().format(Math.trunc(seconds / size), unit)
  return seconds > 5 ? 'in a moment' : 'just now'
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** A name within a sentence: written from right to left, it must not turn the words around it. Alone in an element it needs nothing. */
export const isolate = (name: string): string => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name)
