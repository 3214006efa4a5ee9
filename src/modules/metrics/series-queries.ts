import { type Db, sql, type Tx } from '../../db/client.ts'

/** What each event adds to its quarter of an hour: the same sums as in the metrics of a campaign, kept apart by time. */
const DELTAS = `
  count(*) filter (where type = 'email.sent') as sent,
  count(*) filter (where type = 'email.opened' and not machine) as opened,
  count(*) filter (where type = 'email.clicked' and not machine) as clicked,
  count(*) filter (where type = 'email.replied') as replied,
  count(*) filter (where type = 'ai_sdr.positive_reply') as positive,
  count(*) filter (where type = 'email.bounced' and first) as bounced,
  count(*) filter (where type = 'lead.unsubscribed' and first) as unsubscribed,
  count(*) filter (where type = 'email.sent' and first) as contacted`

export const COUNTS = ['sent', 'opened', 'clicked', 'replied', 'positive', 'bounced', 'unsubscribed'] as const
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

// An event that does not say of which variant or mailbox it is names a message that does. Messages are kept for good, so
// adding the newest events, or all of them again, gives the same rows.
const fold = (events: string): string => `
  insert into metric_quarters (workspace_id, campaign_id, dimension, at, key, ${COLUMNS.join(', ')})
  select c.workspace_id, counted.*
  from (
    select campaign_id, dimension, at, key, ${DELTAS}
    from (
      select e.campaign_id, d.dimension, date_bin('15 minutes', e.timestamp, 'epoch') as at, d.key, e.type,
        coalesce((e.data->>'machine')::boolean, false) as machine,
        coalesce((e.data->>'first')::boolean, false) as first
      from ${events}
      left join sends s on s.id = case when e.data->>'providerId' is null then (e.data->>'sendId')::uuid end
      cross join lateral (values
        ('all', null),
        ('step', coalesce(e.data->>'step', s.step::text)),
        ('variant', coalesce(e.data->>'variantId', s.variant_id::text)),
        ('mailbox', coalesce(e.data->>'providerId', s.provider_id::text))) as d(dimension, key)
      where e.type in (${SERIES_TYPES.map(type => `'${type}'`).join(', ')})
    ) as event
    group by campaign_id, dimension, at, key
  ) as counted
  join campaigns c on c.id = counted.campaign_id
  order by counted.campaign_id, counted.dimension, counted.at, counted.key
  on conflict (campaign_id, dimension, at, key) do update set
    ${COLUMNS.map(name => `${name} = metric_quarters.${name} + excluded.${name}`).join(', ')}`

const ADD = sql(fold('jsonb_to_recordset($1::jsonb) as e(campaign_id uuid, type text, timestamp timestamptz, data jsonb)'))

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
const ADD_ALL = sql(fold('(select * from events where campaign_id = $1 and timestamp >= $2) as e'))

/**
 * The campaign must be locked. Quarters of which events are gone stay as they are; the end of them is read once, because it may
 * move meanwhile.
 */
export async function recountQuarters(tx: Tx, campaignId: string): Promise<void> {
  const { goneBefore } = (await tx.first<{ goneBefore: Date }>(FIND_HORIZON, [campaignId])) ?? { goneBefore: '-infinity' }
  await tx.run(CLEAR, [campaignId, goneBefore])
  await tx.run(ADD_ALL, [campaignId, goneBefore])
}

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

const statementFor = (owner: 'workspace_id' | 'campaign_id', { dimension, key }: (typeof GROUPS)[keyof typeof GROUPS]) =>
  sql(`
  select ($4::timestamptz[])[width_bucket(at, $4::timestamptz[])] as at, (${key})::text as key,
    ${COUNTS.map(name => `sum(${name}) as ${name}`).join(', ')}
  from metric_quarters
  where ${owner} = $1
    and dimension = '${dimension}'
    and at >= $2
    and at < $3
  group by 1, 2
  order by 2 nulls last, 1`)

const names = Object.keys(GROUPS) as (keyof typeof GROUPS)[]
const OF_WORKSPACE = new Map(names.map(name => [name, statementFor('workspace_id', GROUPS[name])]))
const OF_CAMPAIGN = new Map(names.map(name => [name, statementFor('campaign_id', GROUPS[name])]))

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

export function listSeries(db: Db, { workspaceId, campaignId, ...question }: SeriesQuestion): Promise<SeriesRow[]> {
  const statement = (campaignId === null ? OF_WORKSPACE : OF_CAMPAIGN).get(question.groupBy ?? 'none')!
  return db.many<SeriesRow>(statement, [campaignId ?? workspaceId, question.from, question.to, question.starts])
}
