import type { Db } from '../../db/client.ts'
import { invalid } from '../../lib/errors.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { startsOf } from '../../scheduling/calendar-spans.ts'
import { isTimezone } from '../../scheduling/zone.ts'
import { addDays, newTally, type Tally } from './packed-day.ts'
import { COUNTS, type Counts } from './packing-queries.ts'
import { type Counted, type GroupBy, listActive, listCounted, type Period } from './series-reading-queries.ts'

const QUARTER_MS = 15 * MINUTE_MS

/** The maximum period of a request, so that an answer stays small. */
const LONGEST_DAYS = { hour: 31, day: 1100, week: 3660 } as const
const USUAL_DAYS = { hour: 2, day: 30, week: 182 } as const

const EARLIEST = new Date(0)
const LATEST = new Date('9999-01-01')

interface SeriesQuestion extends Period {
  workspaceId: string
  campaignId: string | null
  interval: 'hour' | 'day' | 'week'
  timezone: string
  groupBy: GroupBy | null
}

interface Asked {
  interval?: 'hour' | 'day' | 'week'
  timezone?: string
  from?: string
  to?: string
}

/** The period of a request, with defaults for omitted values. */
export function readPeriod(asked: Asked, now: Date): Omit<SeriesQuestion, 'workspaceId' | 'campaignId' | 'groupBy'> {
  const { interval = 'day', timezone = 'UTC' } = asked
  if (!isTimezone(timezone)) throw invalid('query', '/timezone', 'timezone', 'must be an IANA time zone, like Europe/Berlin')
  const to = asked.to === undefined ? now : new Date(asked.to)
  const from = asked.from === undefined ? new Date(to.getTime() - USUAL_DAYS[interval] * DAY_MS) : new Date(asked.from)
  // At the ends of the calendar the day of a time zone can lie in a year that no database knows.
  if (from < EARLIEST || to > LATEST)
    throw invalid('query', from < EARLIEST ? '/from' : '/to', 'period', 'must be a year from 1970 to 9998')
  if (from >= to) throw invalid('query', '/from', 'order', 'must be before `to`')
  if (to.getTime() - from.getTime() > LONGEST_DAYS[interval] * DAY_MS) {
    throw invalid('query', '/from', 'period', `a request by ${interval} can cover at most ${LONGEST_DAYS[interval]} days`)
  }
  const starts = startsOf(interval, timezone, from, to)
  return { interval, timezone, from, to, starts, hourly: hourlyDays(from, to, starts) }
}

/** Quarters are four times as many as hours, so they are read only of days in which something begins or ends within an hour. */
function hourlyDays(from: Date, to: Date, starts: Date[]): Buffer {
  const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS)
  const first = dayOf(from)
  const hourly = Buffer.alloc(dayOf(to) - first + 1, 1)
  // The first start may lie on a day before the period, which is not read.
  for (const at of [from, to, ...starts]) if (at.getTime() % HOUR_MS !== 0) hourly[dayOf(at) - first] = 0
  return hourly
}

/** The most points that an answer has, where there is a choice, and the most campaigns that it shows by themselves. */
const MOST_POINTS = 20_000
const MOST_CAMPAIGNS = 100

/** What was counted, by key: a row for each hour, day or week of the period. */
type Groups = Map<string | null, Tally>

export async function readSeries(db: Db, question: SeriesQuestion): Promise<Groups> {
  const { workspaceId, campaignId, groupBy, starts } = question
  if (campaignId !== null) return tallyUp(await listCounted(db, [campaignId], groupBy, question), question)
  if (groupBy !== 'campaign' && groupBy !== 'variant') return tallyUp(await listCounted(db, workspaceId, groupBy, question), question)
  // A workspace can have thousands of campaigns. So those that have sent most are shown by themselves, and all others as one:
  // what the workspace has counted, less what is shown.
  const chosen = await listActive(db, workspaceId, question, Math.min(MOST_CAMPAIGNS, Math.ceil(MOST_POINTS / starts.length)))
  const groups = tallyUp(await listCounted(db, chosen, groupBy, question), question)
  const total = tallyUp(await listCounted(db, workspaceId, null, question), question).get(null)
  const unknown = groups.get(null)
  const others = total?.map((count, index) => {
    let shown = 0
    for (const tally of groups.values()) shown += tally[index]!
    return Math.max(count - shown, 0) + (unknown?.[index] ?? 0)
  })
  return others ? groups.set(null, others) : groups
}

/** How many messages of each variant a campaign has sent, ever. */
export async function countSentOfVariants(db: Db, campaignId: string): Promise<Map<string | null, number>> {
  const always = { from: EARLIEST, to: LATEST, starts: [EARLIEST], hourly: null }
  const groups = tallyUp(await listCounted(db, [campaignId], 'variant', always), always)
  return new Map([...groups].map(([key, tally]) => [key, tally[COUNTS.indexOf('sent')]!]))
}

function tallyUp(counted: Counted[], period: Period): Groups {
  const groups: Groups = new Map()
  const rowsOf = rowsOfDays(period)
  for (const part of counted) {
    const tally = groups.get(part.key) ?? newTally(period.starts.length)
    groups.set(part.key, tally)
    if (part.days !== null) addDays(part.days, rowsOf, tally)
    else for (const [index, name] of COUNTS.entries()) tally[part.row * COUNTS.length + index]! += part[name]
  }
  return groups
}

/**
 * The hour, day or week that each quarter (or hour) of a day lies in, by the place in the period; -1 where it lies in none. Each day is looked at
 * once, though it is packed under many keys.
 */
function rowsOfDays(period: Period): (day: number, isByHour: boolean) => Int16Array {
  const starts = Float64Array.from(period.starts, start => start.getTime())
  const [from, to] = [period.from.getTime(), period.to.getTime()]
  const ofHours = new Map<number, Int16Array>()
  const ofQuarters = new Map<number, Int16Array>()
  return (day, isByHour) => {
    const known = isByHour ? ofHours : ofQuarters
    const found = known.get(day)
    if (found) return found
    const stepMs = isByHour ? HOUR_MS : QUARTER_MS
    const rows = new Int16Array(DAY_MS / stepMs)
    let row = lastAtOrBefore(starts, day * DAY_MS)
    for (let step = 0; step < rows.length; step++) {
      const at = day * DAY_MS + step * stepMs
      while (row + 1 < starts.length && starts[row + 1]! <= at) row++
      rows[step] = at >= from && at < to ? row : -1
    }
    known.set(day, rows)
    return rows
  }
}

/** The place of the last that is not greater; -1 where all are. */
function lastAtOrBefore(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Written as a loop: an answer can have twenty thousand points. */
function nameCounts<T extends object>(into: T, tally: ArrayLike<number>, start: number): T & Counts {
  const named = into as T & Counts
  for (let index = 0; index < COUNTS.length; index++) (named as Counts)[COUNTS[index]!] = tally[start + index]!
  return named
}

function presentGroup(key: string | null, tally: Tally, starts: string[]) {
  const sums = COUNTS.map(() => 0)
  const points: ({ at: string } & Counts)[] = []
  for (let start = 0; start < tally.length; start += COUNTS.length) {
    let all = 0
    for (let index = 0; index < COUNTS.length; index++) {
      const count = tally[start + index]!
      sums[index]! += count
      all += count
    }
    if (all > 0) points.push(nameCounts({ at: starts[start / COUNTS.length]! }, tally, start))
  }
  return { key, totals: nameCounts({}, sums, 0), points }
}

export function presentSeries(question: SeriesQuestion, groups: Groups, self: string) {
  const { interval, timezone, from, to, groupBy } = question
  const starts = question.starts.map(start => start.toISOString())
  const series = [...groups].map(([key, tally]) => presentGroup(key, tally, starts)).filter(({ points }) => points.length > 0)
  if (groupBy === null && series.length === 0) series.push(presentGroup(null, newTally(0), starts))
  series.sort((a, b) => Number(a.key === null) - Number(b.key === null) || (a.key! < b.key! ? -1 : 1))
  return { interval, timezone, from: from.toISOString(), to: to.toISOString(), groupBy, series, links: { self } }
}
