import { type Db, sql, type Tx } from '../../db/client.ts'

/** What each event adds to its quarter of an hour: the same sums as in the metrics of a campaign, kept apart by time. */
const DELTAS = `
  count(*) filter (where type = 'email.sent') as sent,
  count(*) filter (where type = 'email.sent' and reconciled = 'assumed') as assumed,
  count(*) filter (where type = 'email.opened' and not machine) as opened,
  count(*) filter (where type = 'email.clicked' and not machine) as clicked,
  count(*) filter (where type = 'email.replied') as replied,
  count(*) filter (where type = 'ai_sdr.positive_reply') as positive,
  count(*) filter (where type = 'email.bounced' and first) as bounced,
  count(*) filter (where type = 'lead.unsubscribed' and first) as unsubscribed,
  count(*) filter (where type = 'email.sent' and first) as contacted`

export const COUNTS = ['sent', 'assumed', 'opened', 'clicked', 'replied', 'positive', 'bounced', 'unsubscribed'] as const
/** Kept beside them, for the metrics: how many people were written to for the first time. */
const COLUMNS = [...COUNTS, 'contacted'] as const
export type Counts = Record<(typeof COUNTS)[number], number>

export const SERIES_TYPES = [
  'email.sent',
  'email.opened',
  'email.clicked',
  'email.replied',
  'ai_sdr.positive_reply',
  'email.bounced',
  'lead.unsubscribed',
] as const

const addUp = (table: string, columns: readonly string[]): string =>
  columns.map(name => `${name} = ${table}.${name} + excluded.${name}`).join(', ')

// An event that does not say of which variant or mailbox it is names a message that does. Messages are kept for good, so
// adding the newest events, or all of them again, gives the same rows.
const counted = (events: string): string => `
  counted as (
    select c.workspace_id, event.campaign_id, dimension, at, key, ${DELTAS}
    from (
      select e.campaign_id, d.dimension, date_bin('15 minutes', e.timestamp, 'epoch') as at, d.key, e.type,
        coalesce((e.data->>'machine')::boolean, false) as machine,
        coalesce((e.data->>'first')::boolean, false) as first, e.data->>'reconciled' as reconciled
      from ${events}
      left join sends s on s.id = case when e.data->>'providerId' is null then (e.data->>'sendId')::uuid end
      cross join lateral (values
        ('all', null),
        ('step', coalesce(e.data->>'step', s.step::text)),
        ('variant', coalesce(e.data->>'variantId', s.variant_id::text)),
        ('mailbox', coalesce(e.data->>'providerId', s.provider_id::text))) as d(dimension, key)
      where e.type in (${SERIES_TYPES.map(type => `'${type}'`).join(', ')})
    ) as event
    join campaigns c on c.id = event.campaign_id
    group by c.workspace_id, event.campaign_id, dimension, at, key
  )`

const TO_CAMPAIGNS = `
  insert into metric_quarters (workspace_id, campaign_id, dimension, at, key, ${COLUMNS.join(', ')})
  select workspace_id, campaign_id, dimension, at, key, ${COLUMNS.join(', ')}
  from counted
  order by campaign_id, dimension, at, key
  on conflict (campaign_id, dimension, at, key) do update set
    ${addUp('metric_quarters', COLUMNS)}`

const SUMS = COUNTS.map(name => `sum(${name}) as ${name}`).join(', ')

/** The quarters of the workspace, summed up from such rows of its campaigns. Variants are left out: each belongs to one campaign. */
const toWorkspaces = (rows: string): string => `
  insert into workspace_quarters (workspace_id, dimension, at, key, ${COUNTS.join(', ')})
  select workspace_id, dimension, at, key, ${SUMS}
  from ${rows}
  and dimension <> 'variant'
  group by workspace_id, dimension, at, key
  order by workspace_id, dimension, at, key`

const ADD = sql(`
  with ${counted('jsonb_to_recordset($1::jsonb) as e(campaign_id uuid, type text, timestamp timestamptz, data jsonb)')},
  of_campaigns as (${TO_CAMPAIGNS})
  ${toWorkspaces('counted where true')}
  on conflict (workspace_id, dimension, at, key) do update set
    ${addUp('workspace_quarters', COUNTS)}`)

export const addToQuarters = (tx: Tx, events: object[]): Promise<number> => tx.run(ADD, [JSON.stringify(events)])

const FIND_HORIZON = sql(`
  select h.gone_before as "goneBefore"
  from campaigns c
  join event_horizons h on h.workspace_id = c.workspace_id
  where c.id = $1`)
const CLEAR = sql(`
  delete from metric_quarters
  where campaign_id = $1
    and at >= $2`)
const ADD_ALL = sql(`
  with ${counted('(select * from events where campaign_id = $1 and timestamp >= $2) as e')}
  ${TO_CAMPAIGNS}`)

/**
 * The campaign must be locked. Quarters of which events are gone stay as they are; the end of them is read once, because it may
 * move meanwhile. The quarters of the workspace are not touched: `sumUpWorkspace` follows when all its campaigns are counted.
 */
export async function recountQuarters(tx: Tx, campaignId: string): Promise<void> {
  const { goneBefore } = (await tx.first<{ goneBefore: Date }>(FIND_HORIZON, [campaignId])) ?? { goneBefore: '-infinity' }
  await tx.run(CLEAR, [campaignId, goneBefore])
  await tx.run(ADD_ALL, [campaignId, goneBefore])
}

const HOLD_EVENTS = sql(`
  select from event_streams
  where workspace_id = $1
  for update`)
const CLEAR_WORKSPACE = sql(`
  delete from workspace_quarters
  where workspace_id = $1
    and at >= $2
    and at < $3`)
const SUM_UP_WORKSPACE = sql(toWorkspaces('metric_quarters where workspace_id = $1 and at >= $2 and at < $3'))

/** Nobody records an event of the workspace meanwhile, because what it adds would be lost. So the period is short. */
export async function sumUpWorkspace(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<void> {
  await tx.run(HOLD_EVENTS, [workspaceId])
  await tx.run(CLEAR_WORKSPACE, [workspaceId, from, to])
  await tx.run(SUM_UP_WORKSPACE, [workspaceId, from, to])
}

// Every quarter has a row for all, so the others need not be looked at.
const endOf = (which: 'min' | 'max', table: string): string => `
    select ${which}(at) as at
    from ${table}
    where workspace_id = $1 and dimension = 'all'`
const FIND_COUNTED_SPAN = sql(`
  select min(at) as first, max(at) as last
  from (${endOf('min', 'metric_quarters')}
    union all ${endOf('max', 'metric_quarters')}
    union all ${endOf('min', 'workspace_quarters')}
    union all ${endOf('max', 'workspace_quarters')}
  ) as ends`)

/** The first and the last quarter in which anything of the workspace was counted; null where nothing was. */
export const findCountedSpan = async (db: Db, workspaceId: string): Promise<{ first: Date | null; last: Date | null }> =>
  (await db.first<{ first: Date | null; last: Date | null }>(FIND_COUNTED_SPAN, [workspaceId]))!

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
export type GroupBy = Exclude<keyof typeof GROUPS, 'none'>

export interface SeriesRow extends Counts {
  at: Date
  key: string | null
}

const statementFor = (table: string, owner: 'workspace_id' | 'campaign_id', { dimension, key }: (typeof GROUPS)[keyof typeof GROUPS]) =>
  sql(`
  select ($4::timestamptz[])[width_bucket(at, $4::timestamptz[])] as at, (${key})::text as key, ${SUMS}
  from ${table}
  where ${owner} = $1
    and dimension = '${dimension}'
    and at >= $2
    and at < $3
  group by 1, 2
  order by 2 nulls last, 1`)

const BUCKET = '($4::timestamptz[])[width_bucket(at, $4::timestamptz[])]'
const PERIOD = 'at >= $2 and at < $3'
const restOf = (name: string): string => `greatest(total.${name} - coalesce(shown.${name}, 0), 0) as ${name}`

// A workspace can have thousands of campaigns, and a month of each is hundreds of rows. So those that have sent most are shown by
// themselves, each found by its own index, and all others as one: what the workspace has counted, less what is shown. The limit of 1
// makes PostgreSQL look for one row of each campaign, instead of reading the whole period of all.
const statementForMany = ({ dimension, key }: (typeof GROUPS)[keyof typeof GROUPS]) =>
  sql(`
  with chosen as materialized (
    select c.id
    from campaigns c
    cross join lateral (
      select from metric_quarters
      where campaign_id = c.id and dimension = 'all' and ${PERIOD}
      limit 1
    ) as active
    left join campaign_metrics m on m.campaign_id = c.id
    where c.workspace_id = $1
    order by m.emails_sent_count desc nulls last, c.id
    limit $5
  ), shown as materialized (
    select ${BUCKET} as at, (${key})::text as key, ${SUMS}
    from chosen
    cross join lateral (
      select *
      from metric_quarters
      where campaign_id = chosen.id and dimension = '${dimension}' and ${PERIOD}
      offset 0
    ) as quarters
    group by 1, 2
  ), total as (
    select ${BUCKET} as at, ${SUMS}
    from workspace_quarters
    where workspace_id = $1 and dimension = 'all' and ${PERIOD}
    group by 1
  ), rest as (
    select total.at, null as key, ${COUNTS.map(restOf).join(', ')}
    from total
    left join (
      select at, ${SUMS}
      from shown
      group by at
    ) as shown on shown.at = total.at
  )
  select at, key, ${SUMS}
  from (
    select *
    from shown
    union all
    select *
    from rest
    where ${COUNTS.map(name => `rest.${name}`).join(' + ')} > 0
  ) as rows
  group by at, key
  order by key nulls last, at`)

/** A variant and a campaign are looked up in the quarters of the campaigns; the rest of a workspace is summed up already. */
const names = Object.keys(GROUPS) as (keyof typeof GROUPS)[]
const OF_WORKSPACE = new Map(
  names.map(name => [
    name,
    areMany(name) ? statementForMany(GROUPS[name]) : statementFor('workspace_quarters', 'workspace_id', GROUPS[name]),
  ]),
)
const OF_CAMPAIGN = new Map(names.map(name => [name, statementFor('metric_quarters', 'campaign_id', GROUPS[name])]))

function areMany(name: keyof typeof GROUPS): boolean {
  return name === 'variant' || name === 'campaign'
}

export interface SeriesQuestion {
  workspaceId: string
  campaignId: string | null
  interval: 'hour' | 'day' | 'week'
  timezone: string
  from: Date
  to: Date
  /** Where each hour, day or week begins that the period touches. */
  starts: Date[]
  groupBy: GroupBy | null
}

/** The most points that an answer has, where there is a choice, and the most campaigns that it shows by themselves. */
const MOST_POINTS = 20_000
const MOST_CAMPAIGNS = 100

export function listSeries(db: Db, { workspaceId, campaignId, ...question }: SeriesQuestion): Promise<SeriesRow[]> {
  const { from, to, starts, groupBy } = question
  const name = groupBy ?? 'none'
  if (campaignId !== null) return db.many<SeriesRow>(OF_CAMPAIGN.get(name)!, [campaignId, from, to, starts])
  const values = [workspaceId, from, to, starts]
  const campaignCount = Math.min(MOST_CAMPAIGNS, Math.ceil(MOST_POINTS / starts.length))
  return db.many<SeriesRow>(OF_WORKSPACE.get(name)!, areMany(name) ? [...values, campaignCount] : values)
}
