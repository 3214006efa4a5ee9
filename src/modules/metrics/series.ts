import { invalid } from '../../lib/errors.ts'
import { DAY_MS } from '../../lib/time.ts'
import { startsOf } from '../../scheduling/calendar-spans.ts'
import { isTimezone } from '../../scheduling/zone.ts'
import { COUNTS, type Counts, type SeriesQuestion, type SeriesRow } from './series-queries.ts'

/** The maximum period of a request, so that an answer stays small. */
const LONGEST_DAYS = { hour: 31, day: 1100, week: 3660 } as const
const USUAL_DAYS = { hour: 2, day: 30, week: 182 } as const

interface Asked {
  interval?: 'hour' | 'day' | 'week'
  timezone?: string
  from?: string
  to?: string
}

/** The period of a request, with defaults for omitted values. */
export function readPeriod(asked: Asked, now: Date): Pick<SeriesQuestion, 'interval' | 'timezone' | 'from' | 'to' | 'starts'> {
  const { interval = 'day', timezone = 'UTC' } = asked
  if (!isTimezone(timezone)) throw invalid('query', '/timezone', 'timezone', 'must be an IANA time zone, like Europe/Berlin')
  const to = asked.to === undefined ? now : new Date(asked.to)
  const from = asked.from === undefined ? new Date(to.getTime() - USUAL_DAYS[interval] * DAY_MS) : new Date(asked.from)
  if (from >= to) throw invalid('query', '/from', 'order', 'must be before `to`')
  if (to.getTime() - from.getTime() > LONGEST_DAYS[interval] * DAY_MS) {
    throw invalid('query', '/from', 'period', `a request by ${interval} can cover at most ${LONGEST_DAYS[interval]} days`)
  }
  return { interval, timezone, from, to, starts: startsOf(interval, timezone, from, to) }
}

const countsOf = (row: Counts): Counts => Object.fromEntries(COUNTS.map(name => [name, row[name]])) as Counts

const sumOf = (rows: Counts[]): Counts =>
  Object.fromEntries(COUNTS.map(name => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Counts

export function presentSeries(question: SeriesQuestion, rows: SeriesRow[], self: string) {
  const { interval, timezone, from, to, groupBy } = question
  const groups = Map.groupBy(rows, row => row.key)
  if (groupBy === null && rows.length === 0) groups.set(null, [])
  const series = [...groups].map(([key, ofGroup]) => ({
    key,
    totals: sumOf(ofGroup),
    points: ofGroup.map(row => ({ at: row.at.toISOString(), ...countsOf(row) })),
  }))
  return { interval, timezone, from: from.toISOString(), to: to.toISOString(), groupBy, series, links: { self } }
}
