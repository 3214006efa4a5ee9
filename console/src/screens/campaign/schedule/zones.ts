import { formatClock } from '../../../ui/format.ts'

const MINUTE_MS = 60_000
export const DAY_MINUTES = 1440

/** The minutes that a time zone is ahead of UTC at this moment. Null for a time zone that the browser does not know. */
export function offsetOf(zone: string, at: Date): number | null {
  try {
    const parts = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }).formatToParts(at)
    const of = (type: string): number => Number(parts.find(part => part.type === type)?.value)
    const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
    return Math.round((wall - Math.floor(at.getTime() / 1000) * 1000) / MINUTE_MS)
  } catch {
    return null
  }
}

/** An instant in local time of the zone, for a field of the browser: `2026-11-16T09:00`. */
export function toWall(at: string, zone: string): string {
  const date = new Date(at)
  return new Date(date.getTime() + (offsetOf(zone, date) ?? 0) * MINUTE_MS).toISOString().slice(0, 16)
}

/** The reverse. When clocks change, an hour may not exist or exist twice. The service decides those cases. */
export function fromWall(wall: string, zone: string): string {
  const asUtc = new Date(`${wall}:00Z`)
  const guess = new Date(asUtc.getTime() - (offsetOf(zone, asUtc) ?? 0) * MINUTE_MS)
  return new Date(asUtc.getTime() - (offsetOf(zone, guess) ?? 0) * MINUTE_MS).toISOString()
}

export const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** The minutes of a sending window. A window until 23:59 ends with the day, because no request can name 24:00. */
export const spanOf = ({ start, end }: { start: string; end: string }): Piece => ({
  from: minutesOf(start),
  to: end === '23:59' ? DAY_MINUTES : minutesOf(end),
})

/** "9:00 AM–5:00 PM", "all day". */
export const formatSpan = (start: number, length: number): string =>
  length === DAY_MINUTES ? 'all day' : `${formatClock(start)}–${formatClock(start + length)}`

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

/** The parts of a schedule that decide when the window is open. */
interface Opening {
  daysOfWeek: readonly string[] | null
  timeWindow: { start: string; end: string } | null
  timezone: string | null
  useLeadTimezone: boolean
  startDate: string | null
  endDate: string | null
}

/** The time zone in which a campaign sends to a lead, as the service chooses it. */
export const sendingZone = ({ timezone, useLeadTimezone }: Pick<Opening, 'timezone' | 'useLeadTimezone'>, leadZone: string | null) =>
  useLeadTimezone && leadZone && offsetOf(leadZone, new Date(0)) !== null ? leadZone : timezone

/** The first moment from `at` on at which the sending window of a lead is open. Null if there is none before the end date. */
export function nextOpening(schedule: Opening, leadZone: string | null, at: Date): Date | null {
  const { daysOfWeek, timeWindow, startDate, endDate } = schedule
  const zone = sendingZone(schedule, leadZone)
  if (!daysOfWeek || !timeWindow || !zone) return null
  const from = new Date(Math.max(at.getTime(), startDate ? Date.parse(startDate) : 0))
  const [today = '', time = ''] = toWall(from.toISOString(), zone).split('T')
  const span = spanOf(timeWindow)
  for (let day = 0; day <= 7; day++) {
    const date = new Date(Date.parse(today) + day * DAY_MINUTES * MINUTE_MS)
    const isMissed = day === 0 && minutesOf(time) >= span.to
    if (isMissed || !daysOfWeek.includes(WEEKDAYS[date.getUTCDay()]!)) continue
    const isOpen = day === 0 && minutesOf(time) >= span.from
    const opening = isOpen ? from : new Date(fromWall(`${date.toISOString().slice(0, 10)}T${timeWindow.start}`, zone))
    return endDate && opening >= new Date(endDate) ? null : opening
  }
  return null
}

type Piece = { from: number; to: number }

/** The pieces of a span on a line of one day: two if it continues after midnight. */
export function piecesOf(start: number, length: number): Piece[] {
  const from = ((start % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  const to = from + length
  return to <= DAY_MINUTES
    ? [{ from, to }]
    : [
        { from, to: DAY_MINUTES },
        { from: 0, to: to - DAY_MINUTES },
      ]
}

/** The intersection of two lists of pieces. */
export const commonOf = (some: readonly Piece[], others: readonly Piece[]): Piece[] =>
  some.flatMap(a =>
    others.flatMap(b => {
      const [from, to] = [Math.max(a.from, b.from), Math.min(a.to, b.to)]
      return to > from ? [{ from, to }] : []
    }),
  )
