import type { Db } from '../../db/client.ts'
import { invalid } from '../../lib/errors.ts'
import { DAY_MS } from '../../lib/time.ts'
import { startsOf } from '../../scheduling/calendar-spans.ts'
import { isTimezone } from '../../scheduling/zone.ts'
import { isEmpty, newTally, type Tally } from './packed-fortnight.ts'
import { COUNTS, FORTNIGHT_DAYS } from './packing-queries.ts'
import { cutsOf, marksOf, PieceReader } from './series-cuts.ts'
import { type Counted, type GroupBy, listActive, listCounted, type Period } from './series-reading-queries.ts'
import { writeSeries } from './series-text.ts'

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

type Asked = { interval?: 'hour' | 'day' | 'week'; timezone?: string; from?: string; to?: string }

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
  return { interval, timezone, ...periodOf(from, to, starts) }
}

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS)
const fortnightOf = (day: number): number => Math.floor(day / FORTNIGHT_DAYS)

function periodOf(from: Date, to: Date, starts: Date[]): Period {
  const [firstDay, lastDay] = [dayOf(from), dayOf(to)]
  const [first, last] = [fortnightOf(firstDay), fortnightOf(lastDay)]
  const daysOfFirst = -1 << (firstDay % FORTNIGHT_DAYS)
  const daysOfLast = (2 << (lastDay % FORTNIGHT_DAYS)) - 1
  const marks = marksOf(from, to, starts)
  const fortnights = { first, last, daysOfFirst, daysOfLast }
  return { from, to, starts: starts.map(start => start.toISOString()), marks, fortnights, cuts: cutsOf(marks) }
}

const ALWAYS = periodOf(EARLIEST, LATEST, [EARLIEST])

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
  return total ? groups.set(null, restOf(total, groups)) : groups
}

/** Counts without a key belong to the rest. */
function restOf(total: Tally, groups: Groups): Tally {
  const rest = total.slice()
  for (const [key, tally] of groups) {
    if (key === null) continue
    for (let at = 0; at < rest.length; at++) rest[at] = Math.max(rest[at]! - tally[at]!, 0)
  }
  return rest
}

/** How many messages of each variant a campaign has sent, ever. */
export async function countSentOfVariants(db: Db, campaignId: string): Promise<Map<string | null, number>> {
  const groups = tallyUp(await listCounted(db, [campaignId], 'variant', ALWAYS), ALWAYS)
  return new Map([...groups].map(([key, tally]) => [key, tally[COUNTS.indexOf('sent')]!]))
}

function tallyUp(counted: Counted[], period: Period): Groups {
  const groups: Groups = new Map()
  const pieces = new PieceReader(period)
  for (const part of counted) {
    const tally = groups.get(part.key) ?? newTally(period.starts.length)
    groups.set(part.key, tally)
    if (part.packed) pieces.add(part.packed, tally)
    else for (const [index, name] of COUNTS.entries()) tally[part.row * COUNTS.length + index]! += part[name]
  }
  return groups
}

/** The whole answer, as bytes. */
export function presentSeries(question: SeriesQuestion, groups: Groups, self: string): Buffer {
  const { interval, timezone, from, to, starts, groupBy } = question
  const shown = [...groups].flatMap(([key, tally]) => (isEmpty(tally) ? [] : [{ key, tally }]))
  if (groupBy === null && shown.length === 0) shown.push({ key: null, tally: newTally(starts.length) })
  shown.sort((a, b) => Number(a.key === null) - Number(b.key === null) || (a.key! < b.key! ? -1 : 1))
  return writeSeries({ interval, timezone, from: from.toISOString(), to: to.toISOString(), groupBy }, shown, starts, { links: { self } })
}
