import { type Db, sql, type Tx } from '../../db/client.ts'

/** What each event adds to its quarter of an hour: the same sums as in the metrics of a campaign, kept apart by time. */
const DELTAS = `
  count(*) filter (where type = 'email.sent') as sent,
  count(*) filter (where type = 'email.opened' and not machine) as opened,
  count(*) filter (where type = 'email.clicked' and not machine) as clicked,
  count(*) filter (where type = 'email.replied') as replied,
  count(*) filter (where type = 'ai_sdr.positive_reply') as positive,
  count(*) filter (where type = 'email.bounced' and first) as bounced,
  count(*) filter (where type = 'lead.unsubscribed' and first) as unsubscribed`

export const COUNTS = ['sent', 'opened', 'clicked', 'replied', 'positive', 'bounced', 'unsubscribed'] as const
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
  insert into metric_quarters (workspace_id, campaign_id, at, step, variant_id, provider_id, ${COUNTS.join(', ')})
  select c.workspace_id, counted.*
  from (
    select campaign_id, at, step, variant_id, provider_id, ${DELTAS}
    from (
      select e.campaign_id, date_bin('15 minutes', e.timestamp, 'epoch') as at, e.type,
        coalesce((e.data->>'step')::int, s.step) as step,
        coalesce((e.data->>'variantId')::uuid, s.variant_id) as variant_id,
        coalesce((e.data->>'providerId')::uuid, s.provider_id) as provider_id,
        coalesce((e.data->>'machine')::boolean, false) as machine,
        coalesce((e.data->>'first')::boolean, false) as first
      from ${events}
      left join sends s on s.id = case when e.data->>'providerId' is null then (e.data->>'sendId')::uuid end
      where e.type in (${SERIES_TYPES.map(type => `'${type}'`).join(', ')})
    ) as event
    group by campaign_id, at, step, variant_id, provider_id
  ) as counted
  join campaigns c on c.id = counted.campaign_id
  order by counted.campaign_id, counted.at, counted.step, counted.variant_id, counted.provider_id
  on conflict (campaign_id, at, step, variant_id, provider_id) do update set
    ${COUNTS.map(name => `${name} = metric_quarters.${name} + excluded.${name}`).join(', ')}`

const ADD = sql(fold('jsonb_to_recordset($1::jsonb) as e(campaign_id uuid, type text, timestamp timestamptz, data jsonb)'))

export const addToQuarters = (tx: Tx, events: object[]): Promise<number> => tx.run(ADD, [JSON.stringify(events)])

const CLEAR = sql('delete from metric_quarters where campaign_id = $1')
const ADD_ALL = sql(fold('(select * from events where campaign_id = $1) as e'))

/** The campaign must be locked. */
export async function recountQuarters(tx: Tx, campaignId: string): Promise<void> {
  await tx.run(CLEAR, [campaignId])
  await tx.run(ADD_ALL, [campaignId])
}

const HAS_CAMPAIGN = sql('select from campaigns where workspace_id = $1 and id = $2')

export const hasCampaign = async (db: Db, workspaceId: string, campaignId: string): Promise<boolean> =>
  (await db.many(HAS_CAMPAIGN, [workspaceId, campaignId])).length > 0

const KEYS = { none: 'null', step: 'step', variant: 'variant_id', mailbox: 'provider_id', campaign: 'campaign_id' } as const
export type GroupBy = Exclude<keyof typeof KEYS, 'none'>

export interface SeriesRow extends Counts {
  at: Date
  key: string | null
}

const statementFor = (owner: 'workspace_id' | 'campaign_id', key: string) =>
  sql(`
  select date_trunc($4, at, $5) as at, (${key})::text as key, ${COUNTS.map(name => `sum(${name}) as ${name}`).join(', ')}
  from metric_quarters
  where ${owner} = $1
    and at >= $2
    and at < $3
  group by 1, ${key === 'null' ? '2' : key}
  order by ${key === 'null' ? '1' : `${key} nulls last, 1`}`)

const names = Object.keys(KEYS) as (keyof typeof KEYS)[]
const OF_WORKSPACE = new Map(names.map(name => [name, statementFor('workspace_id', KEYS[name])]))
const OF_CAMPAIGN = new Map(names.map(name => [name, statementFor('campaign_id', KEYS[name])]))

export interface SeriesQuestion {
  workspaceId: string
  campaignId: string | null
  interval: 'hour' | 'day' | 'week'
  timezone: string
  from: Date
  to: Date
  groupBy: GroupBy | null
}

export function listSeries(db: Db, { workspaceId, campaignId, ...question }: SeriesQuestion): Promise<SeriesRow[]> {
  const statement = (campaignId === null ? OF_WORKSPACE : OF_CAMPAIGN).get(question.groupBy ?? 'none')!
  return db.many<SeriesRow>(statement, [campaignId ?? workspaceId, question.from, question.to, question.interval, question.timezone])
}
