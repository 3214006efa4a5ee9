import { fieldOf } from '../../db/fragments.ts'
import { lookup } from '../../db/lookup.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import { COUNTS, type Counts, type GroupBy } from './schema.ts'

/**
 * Events are counted in rollups: a row for each quarter of an hour in which anything happened, for each campaign and for each workspace. In an hour that
 * is long past, the four rows are merged into one. A rollup begins at `at`; those that are merged begin with their hour.
 */

const countWhere = (condition: string): string => `count(*) filter (where ${condition})`

/** The contribution of each event to its rollup: the same sums as in the metrics of a campaign, by time. */
const QUARTER_DELTAS = `
  ${countWhere("type = 'email.sent'")} as sent,
  ${countWhere("type = 'email.sent' and reconciled = 'assumed'")} as assumed,
  ${countWhere("type = 'email.opened' and not machine")} as opened,
  ${countWhere("type = 'email.clicked' and not machine")} as clicked,
  ${countWhere("type = 'email.replied'")} as replied,
  sum(positive) as positive,
  ${countWhere("type = 'email.bounced' and first")} as bounced,
  ${countWhere("type = 'lead.unsubscribed' and first")} as unsubscribed,
  ${countWhere("type = 'email.sent' and first")} as contacted`

/** The metrics of a campaign read how many people were contacted for the first time today, so campaigns keep that, too. */
const CAMPAIGN_COUNTS = [...COUNTS, 'contacted'] as const

export const SERIES_TYPES = [
  'email.sent',
  'email.opened',
  'email.clicked',
  'email.replied',
  'reply.updated',
  'email.bounced',
  'lead.unsubscribed',
] as const

const addUp = (columns: readonly string[]): string => columns.map(name => `${name} = kept.${name} + excluded.${name}`).join(', ')
const sums = (columns: readonly string[]): string => columns.map(name => `sum(${name}) as ${name}`).join(', ')

// A correction counts when the reply was recorded, so that no period has fewer than none. A corrected auto-reply is a new reply.
const COUNTED_AT = `case when type = 'reply.updated' then (data->>'repliedAt')::timestamptz else timestamp end`
const IS_POSITIVE = `(e.data->>'kind' = 'positive')::int`
const POSITIVE = `case
          when e.type = 'email.replied' then ${IS_POSITIVE}
          when e.type = 'reply.updated' and e.data->>'previousKind' <> 'auto_reply' then ${IS_POSITIVE} - (e.data->>'previousKind' = 'positive')::int
          else 0
        end`

// An event that does not say of which variant or mailbox it is names a message that does. Messages are kept for good, so
// adding the newest events, or all of them again, gives the same rows.
const counted = (events: string): string => `
  counted as (
    select c.workspace_id, event.campaign_id, dimension, at, key, ${QUARTER_DELTAS}
    from (
      select e.campaign_id, d.dimension, date_bin('15 minutes', ${COUNTED_AT}, 'epoch') as at, d.key, e.type, ${POSITIVE} as positive,
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
  insert into campaign_rollups as kept (workspace_id, campaign_id, dimension, at, key, ${CAMPAIGN_COUNTS.join(', ')})
  select workspace_id, campaign_id, dimension, at, key, ${CAMPAIGN_COUNTS.join(', ')}
  from counted
  order by campaign_id, dimension, at, key
  on conflict (campaign_id, dimension, at, key) do update set
    ${addUp(CAMPAIGN_COUNTS)}`

/** The rollups of the workspace, summed up from such rows of its campaigns. Variants are left out: each belongs to one campaign. */
const toWorkspaces = (rows: string): string => `
  insert into workspace_rollups as kept (workspace_id, dimension, at, key, ${COUNTS.join(', ')})
  select workspace_id, dimension, at, key, ${sums(COUNTS)}
  from ${rows}
  and dimension <> 'variant'
  group by workspace_id, dimension, at, key
  order by workspace_id, dimension, at, key`

export const addToRollups = sql(`
  with ${counted('jsonb_to_recordset($1::jsonb) as e(campaign_id uuid, type text, timestamp timestamptz, data jsonb)')},
  of_campaigns as (${TO_CAMPAIGNS})
  ${toWorkspaces('counted where true')}
  on conflict (workspace_id, dimension, at, key) do update set
    ${addUp(COUNTS)}`).run((events: object[]) => [JSON.stringify(events)])

// Counting again and merging exclude each other. Merging alone, or several that count, may run side by side.
const LOCK_ROLLUPS = sql('select pg_advisory_xact_lock(7265061)')

/** No rollup is merged until the end of the transaction. */
export const holdRollups = sql('select pg_advisory_xact_lock_shared(7265061)').run()

const HOUR = `date_bin('1 hour', at, 'epoch')`

// A row that an event changes meanwhile has another `ctid`, and is merged the next time.
const mergeHours = (from: string, take: string, put: string, owner: string, counts: readonly string[]) => {
  const statement = sql(`
  with old as materialized (
    select ctid
    ${from}
    where at < $1
      and at <> ${HOUR}
    order by at
    limit $2
    for update
  ), taken as (
    ${take}
    where ctid = any(array(select ctid from old))
    returning *
  )
  ${put} as kept (${owner}, dimension, at, key, ${counts.join(', ')})
  select ${owner}, dimension, ${HOUR}, key, ${sums(counts)}
  from taken
  group by ${owner}, dimension, ${HOUR}, key
  on conflict (${owner.split(', ').at(-1)}, dimension, at, key) do update set
    ${addUp(counts)}`)
  return async (tx: Tx, before: Date, limit: number): Promise<number> => {
    await tx.run(LOCK_ROLLUPS)
    return tx.run(statement, [before, limit])
  }
}

/** Each merges the oldest quarters from before then into their hours, and returns how many hours they were; 0 when none is left. */
export const MERGES = [
  mergeHours(
    ...(['from campaign_rollups', 'delete from campaign_rollups', 'insert into campaign_rollups'] as const),
    'workspace_id, campaign_id',
    CAMPAIGN_COUNTS,
  ),
  mergeHours(
    ...(['from workspace_rollups', 'delete from workspace_rollups', 'insert into workspace_rollups'] as const),
    'workspace_id',
    COUNTS,
  ),
]

const FIND_HORIZON = sql(`
  select h.gone_before as "goneBefore"
  from campaigns c
  join event_horizons h on h.workspace_id = c.workspace_id
  where c.id = $1`)
const CLEAR_CAMPAIGN = sql(`
  delete from campaign_rollups
  where campaign_id = $1
    and at >= $2`)
const COUNT_CAMPAIGN = sql(`
  with ${counted(`(select * from events where campaign_id = $1 and timestamp >= $2 and ${COUNTED_AT} >= $2) as e`)}
  ${TO_CAMPAIGNS}`)

/**
 * Counts a campaign again. The rollups before the horizon stay, because their events are gone: the horizon is read once, because it may move
 * meanwhile, and it is a full hour. The campaign must be locked, and the rollups held.
 */
export async function recountRollups(tx: Tx, campaignId: string): Promise<void> {
  const horizon = await tx.first<{ goneBefore: Date }>(FIND_HORIZON, [campaignId])
  const values = [campaignId, horizon?.goneBefore ?? '-infinity']
  await tx.run(CLEAR_CAMPAIGN, values)
  await tx.run(COUNT_CAMPAIGN, values)
}

const CLEAR_WORKSPACE = sql(`
  delete from workspace_rollups
  where workspace_id = $1
    and at >= $2
    and at < $3`)
const SUM_UP_WORKSPACE = sql(toWorkspaces('campaign_rollups where workspace_id = $1 and at >= $2 and at < $3'))

/** No event of the workspace is recorded until the end of the transaction. */
export const holdEvents = sql(`
  select from event_streams
  where workspace_id = $1
  for update`).run<[workspaceId: string]>()

/** Events must wait, because the counts of an event that is recorded at the same time would be lost. So the period is short. */
export async function sumUpWorkspace(tx: Tx, workspaceId: string, from: Date, to: Date): Promise<void> {
  await tx.run(CLEAR_WORKSPACE, [workspaceId, from, to])
  await tx.run(SUM_UP_WORKSPACE, [workspaceId, from, to])
}

// Every quarter has a row for all keys, so the other rows are not read.
const spanOf = (table: string): string => `
    select min(at), max(at)
    from ${table}
    where workspace_id = $1 and dimension = 'all'`
/** When the first and the last rollup of the workspace begin; null when there are none. */
export const findCountedSpan = sql(`
  select min(span.first) as first, max(span.last) as last
  from (${spanOf('campaign_rollups')}
    union all ${spanOf('workspace_rollups')}
  ) as span(first, last)`).one<{ first: Date | null; last: Date | null }, [workspaceId: string]>()

export const hasCampaign = sql(`
  select from campaigns
  where workspace_id = $1 and id = $2`).any<[workspaceId: string, campaignId: string]>()

const DIMENSIONS = {
  none: { dimension: 'all', key: 'null' },
  step: { dimension: 'step', key: 'key' },
  variant: { dimension: 'variant', key: 'key' },
  mailbox: { dimension: 'mailbox', key: 'key' },
  campaign: { dimension: 'all', key: 'campaign_id' },
} as const
type Dimension = keyof typeof DIMENSIONS

export interface Period {
  from: Date
  to: Date
  /** The start of each hour, day or week in the period. */
  starts: string[]
}

/** The counts of a key in one of the hours, days or weeks of the period. */
export type Point = Counts & { key: string | null; place: number }

const pointsOf = (key: string): string => `(${key})::text as key, width_bucket(at, $4::timestamptz[]) - 1 as place, ${sums(COUNTS)}`
const inPeriod = (dimension: string): string => `dimension = '${dimension}' and at >= $2 and at < $3`

const ofWorkspace = ({ dimension, key }: (typeof DIMENSIONS)[Dimension]) =>
  sql(`
  select ${pointsOf(key)}
  from workspace_rollups
  where workspace_id = $1 and ${inPeriod(dimension)}
  group by 1, 2`)

// Each campaign is looked up separately. Otherwise PostgreSQL reads the whole period of all campaigns.
const ofCampaigns = ({ dimension, key }: (typeof DIMENSIONS)[Dimension]) =>
  sql(`
  select ${pointsOf(key)}
  from unnest($1::uuid[]) as chosen(id)
  cross join lateral (
    select *
    from campaign_rollups
    where campaign_id = chosen.id and ${inPeriod(dimension)}
    offset 0
  ) as rollups
  group by 1, 2`)

const names = Object.keys(DIMENSIONS) as Dimension[]
const OF_WORKSPACE = new Map(names.map(name => [name, ofWorkspace(DIMENSIONS[name])]))
const OF_CAMPAIGNS = new Map(names.map(name => [name, ofCampaigns(DIMENSIONS[name])]))

// As text, because pg takes longer to write an array of dates than PostgreSQL to read it.
const parametersOf = ({ from, to, starts }: Period): unknown[] => [from, to, `{${starts.join(',')}}`]

export const listWorkspacePoints = (db: Db, workspaceId: string, groupBy: GroupBy | null, period: Period): Promise<Point[]> =>
  db.many<Point>(OF_WORKSPACE.get(groupBy ?? 'none')!, [workspaceId, ...parametersOf(period)])

export const listCampaignPoints = (db: Db, campaignIds: string[], groupBy: GroupBy | null, period: Period): Promise<Point[]> =>
  db.many<Point>(OF_CAMPAIGNS.get(groupBy ?? 'none')!, [campaignIds, ...parametersOf(period)])

// A campaign that was never counted has no metrics. The limit of 1 makes PostgreSQL look for one row of each campaign, instead of
// reading the whole period of all; the order makes it use the index of the campaign.
/** The campaigns in which anything happened, those first that have sent most. */
export const listActiveCampaigns = sql(`
  select c.id
  from campaigns c
  join campaign_metrics m on m.campaign_id = c.id
  cross join lateral (
    select from campaign_rollups
    where campaign_id = c.id and ${inPeriod('all')}
    order by at
    limit 1
  ) as active
  where c.workspace_id = $1
  order by m.emails_sent_count desc, c.id
  limit $4`).column<string, [workspaceId: string, period: Period, limit: number]>((workspaceId, { from, to }, limit) => [
  workspaceId,
  from,
  to,
  limit,
])

/** How many messages of each variant a campaign has sent, ever. */
export const countSentOfVariants = sql(`
  select key, sum(sent) as sent
  from campaign_rollups
  where campaign_id = $1 and dimension = 'variant'
  group by key`).map<string | null, number, [campaignId: string]>()

/** Leads whose interest ended with the correction of their reply. */
const WITHDRAWN = countWhere("type = 'lead.status_changed' and (data->>'withdrawn')::boolean")

/**
 * The contribution of each event to the metrics of its campaign. Events carry all that is needed ("first", "machine"), so the
 * metrics are a plain sum: adding the newest events, or all of them again, gives the same numbers.
 */
const DELTAS = `
  ${countWhere("type = 'email.opened' and not machine")} as open_count,
  ${countWhere("type = 'email.opened' and not machine and first")} as unique_open_count,
  ${countWhere("type = 'email.clicked' and not machine")} as link_click_count,
  ${countWhere("type = 'email.replied'")} as reply_count,
  ${countWhere("type = 'email.replied' and first")} as unique_reply_count,
  ${countWhere("type = 'email.bounced' and first")} as bounced_count,
  ${countWhere("type = 'lead.unsubscribed' and first")} as unsubscribed_count,
  ${countWhere("type = 'email.sent'")} as emails_sent_count,
  ${countWhere("type = 'email.sent' and first")} as contacted_leads_count,
  ${countWhere("type = 'lead.status_changed' and (data->>'firstProspect')::boolean")} - ${WITHDRAWN} as total_opportunities,
  ${countWhere("type = 'lead.status_changed' and first and data->>'to' = 'interested'")} - ${WITHDRAWN} as total_interested,
  ${countWhere("type = 'lead.status_changed' and first and data->>'to' = 'meeting_booked'")} as total_meeting_booked,
  ${countWhere("type = 'lead.status_changed' and first and data->>'to' = 'meeting_completed'")} as total_meeting_completed,
  ${countWhere("type = 'lead.status_changed' and first and data->>'to' = 'closed'")} as total_closed,
  coalesce(sum((data->>'opportunityValueChange')::numeric), 0) as total_opportunity_value`

const COUNTERS = [...DELTAS.matchAll(/ as (\w+)/g)].map(match => match[1]!)

/** The clause after `insert into TABLE as kept`: each counter grows by the events. */
const fold = (events: string): string => `(campaign_id, ${COUNTERS.join(', ')})
  select counted.*
  from (
    select campaign_id, ${DELTAS}
    from (
      select campaign_id, type, data, coalesce((data->>'machine')::boolean, false) as machine,
        coalesce((data->>'first')::boolean, false) as first
      from ${events}
    ) as event
    group by campaign_id
  ) as counted
  join campaigns on campaigns.id = counted.campaign_id
  for key share of campaigns
  on conflict (campaign_id) do update set
    ${COUNTERS.map(name => `${name} = kept.${name} + excluded.${name}`).join(', ')}`

export const COUNTED_TYPES = [
  'email.opened',
  'email.clicked',
  'email.replied',
  'email.bounced',
  'email.sent',
  'lead.unsubscribed',
  'lead.status_changed',
  'lead.updated',
] as const

const COUNTED = `type in (${COUNTED_TYPES.map(type => `'${type}'`).join(', ')})`

interface CountedEvent {
  campaign_id: string
  type: string
  data: Record<string, unknown>
}

// The events are passed in: reading them from the log was a third of the cost of recording a sent message.
const IN_HAND = 'jsonb_to_recordset($1::jsonb) as event(campaign_id uuid, type text, data jsonb)'
export const addEvents = sql(`
  insert into campaign_metrics as kept ${fold(IN_HAND)}`).run((events: CountedEvent[]) => [JSON.stringify(events)])

/**
 * The lead of the event `e` was written to: by the log, or by the message itself, which is kept when the log is not. Without `exists`: a
 * plan that was made for it while the tables were small reads all of them.
 */
const WAS_WRITTEN_TO = `(
            (
              select true
              from sends s
              where s.lead_id = e.lead_id and s.step is not null and s.status = 'sent'
              limit 1
            ) or (
              select true
              from events s
              where s.lead_id = e.lead_id and s.type = 'email.sent'
              limit 1
            ))`

const SETTLE = sql(`
  insert into settled_metrics as kept ${fold(IN_HAND)}`)
const SETTLE_MEETINGS = sql(`
  insert into settled_metrics as kept (campaign_id, contacted_meeting_count)
  select e.campaign_id, count(distinct e.lead_id)
  from jsonb_to_recordset($1::jsonb) as e(campaign_id uuid, lead_id uuid, type text, data jsonb)
  join campaigns c on c.id = e.campaign_id
  where e.type = 'lead.status_changed'
    and e.data->>'to' = 'meeting_booked'
    and (e.data->>'first')::boolean
    and ${WAS_WRITTEN_TO}
  group by e.campaign_id
  on conflict (campaign_id) do update set
    contacted_meeting_count = kept.contacted_meeting_count + excluded.contacted_meeting_count`)

/** Stores the counts of these events, because the events are deleted. */
export async function settleEvents(tx: Tx, events: (CountedEvent & { lead_id: string | null })[]): Promise<void> {
  const values = [JSON.stringify(events)]
  await tx.run(SETTLE, values)
  await tx.run(SETTLE_MEETINGS, values)
}

// Writers hold the campaign in share before they touch its metrics: none of them can be halfway between the two statements
// below, and none holds the row of the metrics while it waits for the campaign.
const LOCK_CAMPAIGN = sql(`
  select id
  from campaigns
  where id = $1
  for update`)
const CLEAR = sql(`
  delete from campaign_metrics
  where campaign_id = $1`)
const ADD_SETTLED = sql(`
  insert into campaign_metrics (campaign_id, ${COUNTERS.join(', ')})
  select campaign_id, ${COUNTERS.join(', ')}
  from settled_metrics
  where campaign_id = $1`)
const ADD_ALL = sql(`
  insert into campaign_metrics as kept ${fold(`(select * from events where campaign_id = $1 and ${COUNTED}) as event`)}`)

export async function recountCampaign(tx: Tx, campaignId: string): Promise<void> {
  await tx.run(LOCK_CAMPAIGN, [campaignId])
  await tx.run(CLEAR, [campaignId])
  await tx.run(ADD_SETTLED, [campaignId])
  await tx.run(ADD_ALL, [campaignId])
}

/** Of a campaign in which nothing has happened. */
export const NO_METRICS = {
  openCount: 0,
  uniqueOpenCount: 0,
  linkClickCount: 0,
  replyCount: 0,
  uniqueReplyCount: 0,
  bouncedCount: 0,
  unsubscribedCount: 0,
  emailsSentCount: 0,
  contactedLeadsCount: 0,
  newLeadsContactedCount: 0,
  totalOpportunities: 0,
  totalInterested: 0,
  totalMeetingBooked: 0,
  totalMeetingCompleted: 0,
  totalClosed: 0,
  totalOpportunityValue: 0,
  /** Leads with a meeting that were written to: a meeting can also be reported for a lead that never was. */
  contactedMeetingCount: 0,
}

export type MetricsRow = Readonly<typeof NO_METRICS>

const FIND = lookup(
  ['uuid', 'timestamptz'],
  `
    select ${COUNTERS.map(name => `coalesce(m.${name}, 0) as "${fieldOf(name)}"`).join(', ')},
      (
        select coalesce(sum(q.contacted), 0)::int
        from campaign_rollups q
        where q.campaign_id = $1 and q.dimension = 'all' and q.at >= $2
      ) as "newLeadsContactedCount",
      coalesce(settled.contacted_meeting_count, 0) + (
        select count(distinct e.lead_id)
        from events e
        where e.campaign_id = $1
          and e.type = 'lead.status_changed'
          and e.data->>'to' = 'meeting_booked'
          and (e.data->>'first')::boolean
          and ${WAS_WRITTEN_TO}
      ) as "contactedMeetingCount"
    from (select) as asked_for
    left join campaign_metrics m on m.campaign_id = $1
    left join settled_metrics settled on settled.campaign_id = $1`,
)

/** `midnight` is when the campaign's day began in its own time zone. */
export const findMetrics = async (db: Db, campaignId: string, midnight: Date): Promise<MetricsRow> =>
  (await db.find<MetricsRow>(FIND, [campaignId, midnight]))!

export const listCampaignsToCount = sql(`
  select id, workspace_id as "workspaceId"
  from campaigns
  where ($1::uuid is null or id = $1)
  order by id`).many<{ id: string; workspaceId: string }, [campaignId: string | null]>()
