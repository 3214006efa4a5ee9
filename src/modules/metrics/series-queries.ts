import { type Db, sql, type Tx } from '../../db/client.ts'
import { COUNTS, FORTNIGHT_DAYS } from './packing-queries.ts'
import { count } from './queries.ts'

/** What each event adds to its quarter of an hour: the same sums as in the metrics of a campaign, kept apart by time. */
const DELTAS = `
  ${count("type = 'email.sent'")} as sent,
  ${count("type = 'email.sent' and reconciled = 'assumed'")} as assumed,
  ${count("type = 'email.opened' and not machine")} as opened,
  ${count("type = 'email.clicked' and not machine")} as clicked,
  ${count("type = 'email.replied'")} as replied,
  ${count("type = 'ai_sdr.positive_reply'")} as positive,
  ${count("type = 'email.bounced' and first")} as bounced,
  ${count("type = 'lead.unsubscribed' and first")} as unsubscribed,
  ${count("type = 'email.sent' and first")} as contacted`

/** Kept beside them, for the metrics: how many people were written to for the first time. */
const COLUMNS = [...COUNTS, 'contacted'] as const

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
      select e.campaign_id, d.dimension, date_bin('15 minutes', e.timestamp, 'epoch') as at, d.key, e.type, e.n,
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
  with ${counted('jsonb_to_recordset($1::jsonb) as e(campaign_id uuid, type text, timestamp timestamptz, data jsonb, n int)')},
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
  with ${counted('(select *, 1 as n from events where campaign_id = $1 and timestamp >= $2) as e')}
  ${TO_CAMPAIGNS}`)

/** The events of the campaign before this time are deleted. Null: no event is. */
export const findEventHorizon = async (tx: Tx, campaignId: string): Promise<Date | null> =>
  (await tx.first<{ goneBefore: Date }>(FIND_HORIZON, [campaignId]))?.goneBefore ?? null

/** Counts the quarters since then again. The campaign must be locked. */
export async function recountQuarters(tx: Tx, campaignId: string, since: Date | null): Promise<void> {
  const values = [campaignId, since ?? '-infinity']
  await tx.run(CLEAR, values)
  await tx.run(ADD_ALL, values)
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

/** No event of the workspace is recorded until the end of the transaction. */
export const holdEvents = (tx: Tx, workspaceId: string): Promise<number> => tx.run(HOLD_EVENTS, [workspaceId])

/** Events must wait, because the counts of an event that is recorded at the same time would be lost. So the period is short. */
export async function sumUpQuarters(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<void> {
  await tx.run(CLEAR_WORKSPACE, [workspaceId, from, to])
  await tx.run(SUM_UP_WORKSPACE, [workspaceId, from, to])
}

// Every quarter has a row for all keys, so the other rows are not read.
const endOf = (which: 'min' | 'max', table: string): string => `
    select ${which}(at) as at
    from ${table}
    where workspace_id = $1 and dimension = 'all'`
const FORTNIGHT_SECONDS = FORTNIGHT_DAYS * 86_400
const FIND_COUNTED_SPAN = sql(`
  select min(at) as first, max(at) as last
  from (${endOf('min', 'metric_quarters')}
    union all ${endOf('max', 'metric_quarters')}
    union all ${endOf('min', 'workspace_quarters')}
    union all ${endOf('max', 'workspace_quarters')}
    union all
    select to_timestamp(unnest(array[min(fortnight), max(fortnight)]) * ${FORTNIGHT_SECONDS}::bigint)
    from metric_fortnights
    where workspace_id = $1
  ) as ends`)

/** The first and the last quarter in which anything of the workspace was counted; null where nothing was. */
export const findCountedSpan = async (db: Db, workspaceId: string): Promise<{ first: Date | null; last: Date | null }> =>
  (await db.first<{ first: Date | null; last: Date | null }>(FIND_COUNTED_SPAN, [workspaceId]))!
