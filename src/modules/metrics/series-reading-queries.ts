import { type Db, sql } from '../../db/client.ts'
import { COUNTS, type Counts, FIRST_HOUR_BYTE, HEAD_BYTES, HOURS_BYTE } from './packing-queries.ts'

const HAS_CAMPAIGN = sql(`
  select from campaigns
  where workspace_id = $1 and id = $2`)

export const hasCampaign = async (db: Db, workspaceId: string, campaignId: string): Promise<boolean> =>
  (await db.many(HAS_CAMPAIGN, [workspaceId, campaignId])).length > 0

const GROUPS = {
  none: { dimension: 'all', key: 'null' },
  step: { dimension: 'step', key: 'key' },
  variant: { dimension: 'variant', key: 'key' },
  mailbox: { dimension: 'mailbox', key: 'key' },
  campaign: { dimension: 'all', key: 'campaign_id' },
} as const
type Group = keyof typeof GROUPS
export type GroupBy = Exclude<Group, 'none'>

/** Where days of a fortnight are cut: at a quarter of one hour, or at the same quarter of every hour. */
export interface Cut {
  fortnight: number
  /** Of the hour, from 0. */
  quarter: number
  hour: number | null
  /** The rows before and after the cut, of each day; of every hour where it has no hour of its own. -1 where there is none. */
  before: Int16Array
  after: Int16Array
}

export interface Period {
  from: Date
  to: Date
  /** Where each hour, day or week begins that the period touches. */
  starts: string[]
  /** The same as quarters, counted from 1970, and where the last one ends. */
  marks: Float64Array
  fortnights: {
    /** Counted from 1970. */
    first: number
    last: number
    /** The days of the period in the first and in the last, one bit each. */
    daysOfFirst: number
    daysOfLast: number
  }
  /** What divides the days of UTC, in the order of the fortnights. */
  cuts: Cut[]
}

/**
 * What was counted under a key: either all that is packed, or the sums of quarters that are not packed, for one of the hours, days or weeks,
 * which is named by its place in the period.
 */
export type Counted = { key: string | null } & ({ row: null; packed: Buffer } | ({ row: number; packed: null } & Counts))

const SUMS = COUNTS.map(name => `sum(${name}) as ${name}`).join(', ')
const NOTHING = COUNTS.map(name => `null::numeric as ${name}`).join(', ')
const UNPACKED = (key: string): string =>
  `null::bytea as packed, (${key})::text as key, width_bucket(at, $4::timestamptz[]) - 1 as row, ${SUMS}`

// The head of the totals says how long the blocks are, and of which hours they are there.
const SIZE = `(length(totals) - ${HEAD_BYTES})`
const FIRST_HOUR = `get_byte(totals, ${FIRST_HOUR_BYTE})`
const HOURS = `get_byte(totals, ${HOURS_BYTE})`
const BLOCKS = `
  case
    when cut.hour < ${FIRST_HOUR} or cut.hour >= ${FIRST_HOUR} + ${HOURS} then ''
    when cut.hour is null then substring(cuts from 1 + ${SIZE} * ${HOURS} * cut.quarter for ${SIZE} * ${HOURS})
    else substring(cuts from 1 + ${SIZE} * (${HOURS} * cut.quarter + cut.hour - ${FIRST_HOUR}) for ${SIZE})
  end`
/** A piece for each cut of a fortnight, or one with the number 0 where there is none. */
const PIECES = `string_agg(int4send(fortnights.fortnight) || int2send(coalesce(cut.number, 0)::int2) || totals || coalesce(${BLOCKS}, ''), '')`
const PACKED = (key: string): string => `${PIECES} as packed, (${key})::text as key, null::int as row, ${NOTHING}`
const CUTS = `left join unnest($7::int[], $8::int[], $9::int[]) with ordinality as cut(fortnight, quarter, hour, number)
    on cut.fortnight = fortnights.fortnight`
const inPeriod = (dimension: string): string => `dimension = '${dimension}' and at >= $2 and at < $3`
const inFortnights = (dimension: string): string => `dimension = '${dimension}' and fortnights.fortnight between $5 and $6`

// One statement for both: a day that is packed between two statements would be in neither answer, or in both.
const ofWorkspace = ({ dimension, key }: (typeof GROUPS)[Group]) =>
  sql(`
  select ${PACKED(key)}
  from metric_fortnights fortnights
  ${CUTS}
  where campaign_id is null and workspace_id = $1 and ${inFortnights(dimension)}
  group by 2
  union all
  select ${UNPACKED(key)}
  from workspace_quarters
  where workspace_id = $1 and ${inPeriod(dimension)}
  group by 2, 3`)

// Each campaign is looked up separately. Otherwise PostgreSQL reads the whole period of all campaigns.
const ofCampaigns = ({ dimension, key }: (typeof GROUPS)[Group]) =>
  sql(`
  select ${PACKED(key)}
  from unnest($1::uuid[]) as chosen(id)
  cross join lateral (
    select *
    from metric_fortnights fortnights
    where campaign_id = chosen.id and ${inFortnights(dimension)}
    offset 0
  ) as fortnights
  ${CUTS}
  group by 2
  union all
  select ${UNPACKED(key)}
  from unnest($1::uuid[]) as chosen(id)
  cross join lateral (
    select *
    from metric_quarters
    where campaign_id = chosen.id and ${inPeriod(dimension)}
    offset 0
  ) as quarters
  group by 2, 3`)

const names = Object.keys(GROUPS) as Group[]
const OF_WORKSPACE = new Map(names.map(name => [name, ofWorkspace(GROUPS[name])]))
const OF_CAMPAIGNS = new Map(names.map(name => [name, ofCampaigns(GROUPS[name])]))

/** The counts of the workspace, or of these campaigns. */
export function listCounted(db: Db, of: string | string[], groupBy: GroupBy | null, period: Period): Promise<Counted[]> {
  const statement = (Array.isArray(of) ? OF_CAMPAIGNS : OF_WORKSPACE).get(groupBy ?? 'none')!
  const { from, to, starts, fortnights, cuts } = period
  const columns = [cuts.map(cut => cut.fortnight), cuts.map(cut => cut.quarter), cuts.map(cut => cut.hour)]
  // As text, because pg takes longer to write an array of dates than PostgreSQL to read it.
  return db.many<Counted>(statement, [of, from, to, `{${starts.join(',')}}`, fortnights.first, fortnights.last, ...columns])
}

// Who was never counted has no metrics. The limits of 1 make PostgreSQL look for one row of each campaign, instead of reading the whole period
// of all; the order, in its own index.
const LIST_ACTIVE = sql(`
  select c.id
  from campaigns c
  join campaign_metrics m on m.campaign_id = c.id
  cross join lateral (
    (
      select from metric_fortnights fortnights
      where campaign_id = c.id and ${inFortnights('all')}
        and (fortnight > $5 or days & $7 > 0)
        and (fortnight < $6 or days & $8 > 0)
      order by fortnight
      limit 1
    )
    union all
    (
      select from metric_quarters
      where campaign_id = c.id and dimension = 'all' and at >= $2 and at < $3
      order by at
      limit 1
    )
    limit 1
  ) as active
  where c.workspace_id = $1
  order by m.emails_sent_count desc, c.id
  limit $4`)

/** The campaigns in which anything happened, those first that have sent most. */
export async function listActive(db: Db, workspaceId: string, { from, to, fortnights }: Period, limit: number): Promise<string[]> {
  const { first, last, daysOfFirst, daysOfLast } = fortnights
  const rows = await db.many<{ id: string }>(LIST_ACTIVE, [workspaceId, from, to, limit, first, last, daysOfFirst, daysOfLast])
  return rows.map(({ id }) => id)
}
