import type { Db, Tx } from '../../db/sql.ts'
import { invalid } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { DAY_MS } from '../../lib/time.ts'
import { isTimezone, startOfDay, startsOf } from '../../scheduling/zone.ts'
import type { MetricsRow, Period, Point } from './queries.ts'
import * as queries from './queries.ts'
import { COUNTS, type Counts, type GroupBy, type SeriesParameters } from './schema.ts'

const COUNTED: ReadonlySet<string> = new Set(queries.COUNTED_TYPES)
const IN_SERIES: ReadonlySet<string> = new Set(queries.SERIES_TYPES)
const isCounted = (type: string): boolean => COUNTED.has(type) || IN_SERIES.has(type)

interface LoggedEvent {
  type: string
  timestamp: Date
  campaignId: string | null
  data: Record<string, unknown>
}

/** Called with every batch of events, in their transaction. */
export async function projectMetrics(tx: Tx, events: LoggedEvent[]): Promise<void> {
  const rows = events.flatMap(({ campaignId, type, timestamp, data }) =>
    campaignId !== null && isCounted(type) ? [{ campaign_id: campaignId, type, timestamp, data }] : [],
  )
  const counted = rows.filter(({ type }) => COUNTED.has(type))
  const inSeries = rows.filter(({ type }) => IN_SERIES.has(type))
  // Always in this order: a transaction that adds to a campaign first waits for the row of its metrics, so that no two wait for each other.
  if (counted.length > 0) await queries.addEvents(tx, counted)
  if (inSeries.length > 0) await queries.addToRollups(tx, inSeries)
}

/**
 * Called with all events that metrics count and that are about to be deleted, in the same transaction. Their campaigns are locked, so that
 * no other transaction counts them again at the same time.
 */
export async function settleMetrics(tx: Tx, events: (LoggedEvent & { leadId: string | null })[]): Promise<void> {
  const counted = events.flatMap(({ type, campaignId, leadId, data }) =>
    campaignId !== null && isCounted(type) ? [{ campaign_id: campaignId, lead_id: leadId, type, data }] : [],
  )
  if (counted.length > 0) await queries.settleEvents(tx, counted)
}

/**
 * Counts the log of one campaign again, on top of what the events that are gone had added. The rollups of the workspace follow when all its
 * campaigns are counted.
 */
export async function recountMetrics(tx: Tx, campaignId: string): Promise<void> {
  // First, because a worker that merges rollups holds their lock while it waits for the campaign.
  await queries.holdRollups(tx)
  await queries.recountCampaign(tx, campaignId)
  await queries.recountRollups(tx, campaignId)
}

export type Metrics = ReturnType<typeof presentMetrics>

interface Measured {
  id: string
  timezone: string | null
}

export const readMetrics = async (db: Db, { id, timezone }: Measured, now: Date): Promise<Metrics> =>
  presentMetrics(await queries.findMetrics(db, id, startOfDay(timezone ?? 'UTC', now)), now)

/** For a campaign in which nothing has happened, so that nothing has to be read. */
export const newMetrics = (now: Date): Metrics => presentMetrics(queries.NO_METRICS, now)

/** The numerator and the denominator of a rate count contacted leads only, so no rate exceeds 1. */
export function presentMetrics(row: MetricsRow, now: Date) {
  const contacted = row.contactedLeadsCount
  const rate = (part: number): number => (contacted === 0 ? 0 : Math.round((Math.min(part, contacted) / contacted) * 10_000) / 10_000)
  return {
    ...pick(row, 'openCount', 'uniqueOpenCount', 'linkClickCount', 'replyCount', 'uniqueReplyCount', 'bouncedCount', 'unsubscribedCount'),
    ...pick(row, 'emailsSentCount', 'newLeadsContactedCount', 'contactedLeadsCount', 'totalOpportunities', 'totalInterested'),
    ...pick(row, 'totalMeetingBooked', 'totalMeetingCompleted', 'totalClosed', 'totalOpportunityValue'),
    openRate: rate(row.uniqueOpenCount),
    replyRate: rate(row.uniqueReplyCount),
    bounceRate: rate(row.bouncedCount),
    meetingBookingRate: rate(row.contactedMeetingCount),
    snapshotAt: now.toISOString(),
  }
}

/** The maximum period of a request, so that a response stays small. */
const LONGEST_DAYS = { hour: 31, day: 1100, week: 3660 } as const
const USUAL_DAYS = { hour: 2, day: 30, week: 182 } as const

const EARLIEST = new Date(0)
const LATEST = new Date('9999-01-01')

type SeriesPeriod = Period & { interval: 'hour' | 'day' | 'week'; timezone: string }

interface SeriesQuestion extends SeriesPeriod {
  workspaceId: string
  campaignId: string | null
  groupBy: GroupBy | null
}

/** The period of a request, with defaults for omitted values. */
export function readPeriod(parameters: Omit<SeriesParameters, 'groupBy'>, now: Date): SeriesPeriod {
  const { interval = 'day', timezone = 'UTC' } = parameters
  if (!isTimezone(timezone)) throw invalid('query', '/timezone', 'timezone', 'must be a time zone, like Europe/Berlin')
  const to = parameters.to === undefined ? now : new Date(parameters.to)
  const from = parameters.from === undefined ? new Date(to.getTime() - USUAL_DAYS[interval] * DAY_MS) : new Date(parameters.from)
  // At the ends of the calendar the day of a time zone can lie in a year that no database knows.
  if (from < EARLIEST || to > LATEST)
    throw invalid('query', from < EARLIEST ? '/from' : '/to', 'period', 'must be a year from 1970 to 9998')
  if (from >= to) throw invalid('query', '/from', 'order', 'must be before `to`')
  if (to.getTime() - from.getTime() > LONGEST_DAYS[interval] * DAY_MS) {
    throw invalid('query', '/from', 'period', `a request by ${interval} can cover at most ${LONGEST_DAYS[interval]} days`)
  }
  const starts = startsOf(interval, timezone, from, to).map(start => start.toISOString())
  return { interval, timezone, from, to, starts }
}

/** The most points that a response has, where there is a choice, and the most campaigns that it shows separately. */
const MOST_POINTS = 20_000
const MOST_CAMPAIGNS = 100

/** By group: its points, by their place in the period. */
type Groups = Map<string | null, Map<number, Counts>>

export async function readSeries(db: Db, question: SeriesQuestion): Promise<Groups> {
  const { workspaceId, campaignId, groupBy, starts } = question
  if (campaignId !== null) return groupsOf(await queries.listCampaignPoints(db, [campaignId], groupBy, question))
  if (groupBy !== 'campaign' && groupBy !== 'variant')
    return groupsOf(await queries.listWorkspacePoints(db, workspaceId, groupBy, question))
  // A workspace can have thousands of campaigns. So those that have sent most are shown one by one, and all others together:
  // what the workspace has counted, less what is shown.
  const most = Math.min(MOST_CAMPAIGNS, Math.ceil(MOST_POINTS / starts.length))
  const chosen = await queries.listActiveCampaigns(db, workspaceId, question, most)
  const groups = groupsOf(await queries.listCampaignPoints(db, chosen, groupBy, question))
  const all = groupsOf(await queries.listWorkspacePoints(db, workspaceId, null, question)).get(null)
  return all ? groups.set(null, restOf(all, groups)) : groups
}

function groupsOf(points: Point[]): Groups {
  const groups: Groups = new Map()
  for (const { key, place, ...counts } of points) {
    const group = groups.get(key) ?? new Map<number, Counts>()
    groups.set(key, group.set(place, counts))
  }
  return groups
}

/** Counts without a key belong to the rest. */
function restOf(all: Map<number, Counts>, groups: Groups): Map<number, Counts> {
  const rest = new Map([...all].map(([place, counts]) => [place, { ...counts }]))
  for (const [key, group] of groups) {
    if (key === null) continue
    for (const [place, counts] of group) {
      const left = rest.get(place)
      if (left) for (const name of COUNTS) left[name] = Math.max(left[name] - counts[name], 0)
    }
  }
  return rest
}

const isEmpty = (counts: Counts): boolean => COUNTS.every(name => counts[name] === 0)

export function presentSeries({ interval, timezone, from, to, starts, groupBy }: SeriesQuestion, groups: Groups) {
  const series = [...groups].flatMap(([key, group]) => {
    const places = [...group].filter(([, counts]) => !isEmpty(counts)).sort(([a], [b]) => a - b)
    return places.length > 0 ? [{ key, ...presentPoints(places, starts) }] : []
  })
  if (groupBy === null && series.length === 0) series.push({ key: null, ...presentPoints([], starts) })
  series.sort((a, b) => Number(a.key === null) - Number(b.key === null) || (a.key! < b.key! ? -1 : 1))
  return { interval, timezone, from: from.toISOString(), to: to.toISOString(), groupBy, series }
}

function presentPoints(places: [number, Counts][], starts: string[]) {
  const totals = Object.fromEntries(COUNTS.map(name => [name, 0])) as Counts
  for (const [, counts] of places) for (const name of COUNTS) totals[name] += counts[name]
  return { totals, points: places.map(([place, counts]) => ({ at: starts[place]!, ...counts })) }
}
