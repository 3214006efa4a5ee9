import { type Db, sql, type Tx } from '../../db/client.ts'
import { fieldOf } from '../../db/fragments.ts'
import { countWhere } from './series-queries.ts'

/** What metrics read of the data of an event. */
export const COUNTED_FIELDS = [
  ...(['first', 'machine', 'firstProspect', 'to', 'opportunityValueChange'] as const),
  ...(['reconciled', 'step', 'variantId', 'providerId'] as const),
]

/**
 * What each event adds to the metrics of its campaign. Events carry all that is needed ("first", "machine"), so the
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
  ${countWhere("type = 'lead.status_changed' and (data->>'firstProspect')::boolean")} as total_opportunities,
  ${countWhere("type = 'lead.status_changed' and first and data->>'to' = 'interested'")} as total_interested,
  ${countWhere("type = 'lead.status_changed' and first and data->>'to' = 'meeting_booked'")} as total_meeting_booked,
  ${countWhere("type = 'lead.status_changed' and first and data->>'to' = 'meeting_completed'")} as total_meeting_completed,
  ${countWhere("type = 'lead.status_changed' and first and data->>'to' = 'closed'")} as total_closed,
  coalesce(sum(n * (data->>'opportunityValueChange')::numeric), 0) as total_opportunity_value`

const COUNTERS = [...DELTAS.matchAll(/ as (\w+)/g)].map(match => match[1]!)

/** What follows `insert into TABLE as kept`: each counter grows by what the events add. */
const fold = (events: string): string => `(campaign_id, ${COUNTERS.join(', ')})
  select counted.*
  from (
    select campaign_id, ${DELTAS}
    from (
      select campaign_id, type, data, n, coalesce((data->>'machine')::boolean, false) as machine,
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

export interface CountedEvent {
  campaign_id: string
  type: string
  data: Record<string, unknown>
  n: number
}

// The events are passed in: reading them from the log was a third of the cost of recording a sent message.
const IN_HAND = 'jsonb_to_recordset($1::jsonb) as event(campaign_id uuid, type text, data jsonb, n int)'
const ADD = sql(`
  insert into campaign_metrics as kept ${fold(IN_HAND)}`)

export const addEvents = (tx: Tx, events: CountedEvent[]): Promise<number> => tx.run(ADD, [JSON.stringify(events)])

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

/** Keeps what these events have added, because the events are deleted. */
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
  insert into campaign_metrics as kept ${fold(`(select *, 1 as n from events where campaign_id = $1 and ${COUNTED}) as event`)}`)

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

const FIND = sql(`
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
    left join settled_metrics settled on settled.campaign_id = $1`)

/** `midnight` is when the campaign's day began in its own time zone. */
export const findMetrics = async (db: Db, campaignId: string, midnight: Date): Promise<MetricsRow> =>
  (await db.first<MetricsRow>(FIND, [campaignId, midnight]))!

const LIST_CAMPAIGNS = sql(`
  select id, workspace_id as "workspaceId"
  from campaigns
  where ($1::uuid is null or id = $1)
  order by id`)

export const listCampaignsToCount = (db: Db, campaignId: string | null) =>
  db.many<{ id: string; workspaceId: string }>(LIST_CAMPAIGNS, [campaignId])
