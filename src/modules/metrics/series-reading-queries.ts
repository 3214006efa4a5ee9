import { type Db, sql } from '../../db/client.ts'
import { COUNTS, type Counts, joinDays } from './packing-queries.ts'

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

export interface Period {
  from: Date
  to: Date
  /** Where each hour, day or week begins that the period touches. */
  starts: Date[]
  /** A byte for each day of UTC from the first to the last: 1 where the hours are enough, 0 where something begins or ends within an hour. Null: all by the hour. */
  hourly: Buffer | null
}

/**
 * What was counted under a key: either all its packed days, joined, or the sums of quarters that are not packed, for one of the hours, days or
 * weeks, which is named by its place in the period.
 */
export type Counted = { key: string | null } & ({ days: Buffer } | ({ days: null; row: number } & Counts))

const SUMS = COUNTS.map(name => `sum(${name}) as ${name}`).join(', ')
const NOTHING = COUNTS.map(name => `null::numeric as ${name}`).join(', ')
const UNPACKED = (key: string): string =>
  `null::bytea as days, (${key})::text as key, width_bucket(at, $4::timestamptz[]) - 1 as row, ${SUMS}`
const BY_HOUR = '$7::bytea is null or get_byte($7, day - $5::date) = 1'
const PACKED = (key: string): string => `${joinDays(BY_HOUR)} as days, (${key})::text as key, null::int as row, ${NOTHING}`
const inPeriod = (dimension: string): string => `dimension = '${dimension}' and at >= $2 and at < $3`
const inDays = (dimension: string): string => `dimension = '${dimension}' and day >= $5::date and day <= $6::date`

// Both in one statement: a day that is packed between two would be in none of their answers, or in both.
const ofWorkspace = ({ dimension, key }: (typeof GROUPS)[Group]) =>
  sql(`
  select ${PACKED(key)}
  from metric_days
  where campaign_id is null and workspace_id = $1 and ${inDays(dimension)}
  group by 2
  union all
  select ${UNPACKED(key)}
  from workspace_quarters
  where workspace_id = $1 and ${inPeriod(dimension)}
  group by 2, 3`)

// Each campaign is looked up by itself: PostgreSQL would rather read the whole period of all.
const ofCampaigns = ({ dimension, key }: (typeof GROUPS)[Group]) =>
  sql(`
  select ${PACKED(key)}
  from unnest($1::uuid[]) as chosen(id)
  cross join lateral (
    select *
    from metric_days
    where campaign_id = chosen.id and ${inDays(dimension)}
    offset 0
  ) as days
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

/** Of the workspace, or of these campaigns. */
export function listCounted(
  db: Db,
  of: string | string[],
  groupBy: GroupBy | null,
  { from, to, starts, hourly }: Period,
): Promise<Counted[]> {
  const statement = (Array.isArray(of) ? OF_CAMPAIGNS : OF_WORKSPACE).get(groupBy ?? 'none')!
  return db.many<Counted>(statement, [of, from, to, starts, from.toISOString(), to.toISOString(), hourly])
}

// The limits of 1 make PostgreSQL look for one row of each campaign, instead of reading the whole period of all; the order, in its own index.
const LIST_ACTIVE = sql(`
  select c.id
  from campaigns c
  cross join lateral (
    (
      select from metric_quarters
      where campaign_id = c.id and dimension = 'all' and at >= $2 and at < $3
      order by at
      limit 1
    )
    union all
    (
      select from metric_days
      where campaign_id = c.id and ${inDays('all')}
      order by day
      limit 1
    )
    limit 1
  ) as active
  left join campaign_metrics m on m.campaign_id = c.id
  where c.workspace_id = $1
  order by m.emails_sent_count desc nulls last, c.id
  limit $4`)

/** The campaigns in which anything happened, those first that have sent most. */
export const listActive = async (db: Db, workspaceId: string, { from, to }: Period, limit: number): Promise<string[]> =>
  (await db.many<{ id: string }>(LIST_ACTIVE, [workspaceId, from, to, limit, from.toISOString(), to.toISOString()])).map(({ id }) => id)
