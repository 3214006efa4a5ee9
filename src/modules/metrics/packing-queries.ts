import { type Db, type Sql, sql, type Tx } from '../../db/client.ts'

/** What is counted. The order is stored: a new kind goes to the end. */
export const COUNTS = ['sent', 'assumed', 'opened', 'clicked', 'replied', 'positive', 'bounced', 'unsubscribed'] as const
export type Counts = Record<(typeof COUNTS)[number], number>

/** The two ways in which a day is packed. */
export interface PackedDay {
  quarters: Buffer
  hours: Buffer
}

const QUARTER_SECONDS = 900
/** Quarters and days are counted from 1970, in UTC. Of a column that holds where a quarter begins: */
const QUARTER_OF_AT = `(extract(epoch from at)::bigint / ${QUARTER_SECONDS})::int`

const dateOfDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/**
 * Many days of a key as one value, which costs a reader less than a row for each: in SQL, with its number and its length before each day. The length
 * is negative where the day is by the hour, which needs a condition.
 */
export const joinDays = (isByHour: string): string => `string_agg(int4send(day - date '1970-01-01') ||
      case when ${isByHour} then int2send(-length(hours)::int2) || hours
      else int2send(length(quarters)::int2) || quarters end, '')`

/** Whose counts: those of a campaign, or without one those of the whole workspace. */
export interface Owner {
  workspaceId: string
  campaignId: string | null
}

const LOCK_DAYS = sql('select pg_advisory_xact_lock(7265061)')
const KEEP_DAYS = sql('select pg_advisory_xact_lock_shared(7265061)')

/** Who packs does so alone: a packed day is read, added to and written again. */
export const lockDays = (tx: Tx): Promise<number> => tx.run(LOCK_DAYS)

/** Nobody packs until the end of the transaction. */
export const keepDays = (tx: Tx): Promise<number> => tx.run(KEEP_DAYS)

const OLDEST = `
    and dimension = $2
    and at < $3
    order by at, key
    limit $4
    for update`
// In the order in which events lock these rows. One that changes meanwhile is left for the next time.
const TAKE_OF_CAMPAIGN = sql(`
  with oldest as materialized (
    select ctid
    from metric_quarters
    where campaign_id = $1 ${OLDEST}
  )
  delete from metric_quarters
  where ctid = any(array(select ctid from oldest))
  returning ${QUARTER_OF_AT} as quarter, key, ${COUNTS.join(', ')}`)
const TAKE_OF_WORKSPACE = sql(`
  with oldest as materialized (
    select ctid
    from workspace_quarters
    where workspace_id = $1 ${OLDEST}
  )
  delete from workspace_quarters
  where ctid = any(array(select ctid from oldest))
  returning ${QUARTER_OF_AT} as quarter, key, ${COUNTS.join(', ')}`)

interface QuarterRow extends Counts {
  /** Counted from 1970. */
  quarter: number
  key: string | null
}

/** Removes the oldest quarters from before then, and returns them. */
export const takeQuarters = (tx: Tx, { workspaceId, campaignId }: Owner, dimension: string, before: Date, limit: number) =>
  tx.many<QuarterRow>(campaignId === null ? TAKE_OF_WORKSPACE : TAKE_OF_CAMPAIGN, [campaignId ?? workspaceId, dimension, before, limit])

const DAY = `day - date '1970-01-01' as day`
const findOf = (owner: string): Sql =>
  sql(`
  select ${DAY}, key, quarters
  from metric_days
  where ${owner}
    and dimension = $2
    and day = any($3::date[])`)
const FIND_OF_CAMPAIGN = findOf('campaign_id = $1')
const FIND_OF_WORKSPACE = findOf('campaign_id is null and workspace_id = $1')

export interface DayRow {
  /** Counted from 1970. */
  day: number
  key: string | null
  quarters: Buffer
}

export const findDays = (tx: Tx, { workspaceId, campaignId }: Owner, dimension: string, days: Iterable<number>): Promise<DayRow[]> =>
  tx.many<DayRow>(campaignId === null ? FIND_OF_WORKSPACE : FIND_OF_CAMPAIGN, [
    campaignId ?? workspaceId,
    dimension,
    Array.from(days, dateOfDay),
  ])

const PUT_DAYS = sql(`
  insert into metric_days (workspace_id, campaign_id, dimension, day, key, quarters, hours)
  select $1, $2, $3, day, key, quarters, hours
  from unnest($4::date[], $5::text[], $6::bytea[], $7::bytea[]) as packed(day, key, quarters, hours)
  on conflict (campaign_id, workspace_id, dimension, day, key) do update set
    quarters = excluded.quarters,
    hours = excluded.hours`)

export const putDays = (tx: Tx, { workspaceId, campaignId }: Owner, dimension: string, days: (DayRow & PackedDay)[]): Promise<number> =>
  tx.run(PUT_DAYS, [
    ...[workspaceId, campaignId, dimension],
    ...[days.map(({ day }) => dateOfDay(day)), days.map(({ key }) => key)],
    ...[days.map(({ quarters }) => quarters), days.map(({ hours }) => hours)],
  ])

const CLEAR_CAMPAIGN = sql(`
  delete from metric_days
  where campaign_id = $1
    and day >= $2::date
  returning workspace_id as "workspaceId", dimension, ${DAY}, key, quarters`)

/** Removes the days of a campaign from that one on (null: all of them), and returns them. */
export const clearDays = (tx: Tx, campaignId: string, fromDay: number | null) =>
  tx.many<DayRow & { workspaceId: string; dimension: string }>(CLEAR_CAMPAIGN, [
    campaignId,
    fromDay === null ? '-infinity' : dateOfDay(fromDay),
  ])

const CLEAR_WORKSPACE = sql(`
  delete from metric_days
  where campaign_id is null
    and workspace_id = $1
    and day >= $2::date
    and day < $3::date`)
const LIST_OF_CAMPAIGNS = sql(`
  select dimension, ${DAY}, key, quarters
  from metric_days
  where workspace_id = $1
    and day >= $2::date
    and day < $3::date
    and campaign_id is not null
    and dimension <> 'variant'`)

/** Removes the days of a workspace, and returns those of its campaigns. */
export async function replaceDays(tx: Tx, workspaceId: string, fromDay: number, toDay: number) {
  const values = [workspaceId, dateOfDay(fromDay), dateOfDay(toDay)]
  await tx.run(CLEAR_WORKSPACE, values)
  return tx.many<DayRow & { dimension: string }>(LIST_OF_CAMPAIGNS, values)
}

// Every quarter has a row for all. It is packed after the others, so where it is gone they are, too.
const LIST_CAMPAIGNS = sql(`
  select w.id as "workspaceId", oldest.campaign_id as "campaignId"
  from workspaces w
  cross join lateral (
    select campaign_id
    from metric_quarters
    where workspace_id = w.id
      and dimension = 'all'
      and at < $1
    order by at
    limit 1
  ) as oldest`)
const LIST_WORKSPACES = sql(`
  select w.id as "workspaceId", null as "campaignId"
  from workspaces w
  cross join lateral (
    select from workspace_quarters
    where workspace_id = w.id
      and dimension = 'all'
      and at < $1
    limit 1
  ) as oldest`)

/** Workspaces with quarters from before then, and of each workspace one campaign that has some. */
export const listUnpacked = async (db: Db, before: Date): Promise<Owner[]> => [
  ...(await db.many<Owner>(LIST_CAMPAIGNS, [before])),
  ...(await db.many<Owner>(LIST_WORKSPACES, [before])),
]
