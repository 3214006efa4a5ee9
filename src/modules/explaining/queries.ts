import { among } from '../../db/fragments.ts'
import { type Db, sql } from '../../db/sql.ts'
import type { LogRange } from '../../lib/page.ts'
import type { LeadRow } from '../leads/queries.ts'
import { OPEN_STATUSES, type Recipient } from '../leads/schema.ts'
import { isNotSuppressed, isNotSuppressedEach, isSuppressed } from '../suppressions/queries.ts'

// Reads about messages. Nothing here changes them.

export interface DecisionRow {
  /** Places the decision between the event before it and the next event. */
  position: number
  id: string
  step: number
  reason: string
  nextAttemptAt: Date | null
  detail: Record<string, unknown> | null
  createdAt: Date
}

/** How far one position is from the next where they are closest. Exact in a float8 up to two thousand million events. */
const CLOSEST = 1 / 4_000_000

/** Puts entries that are not stored after the last entry, and before the next decision. */
export const positionBehind = (last: number): number => last + CLOSEST / 2

// Events are ordered by number, decisions by time: a decision comes after the last event before it. The first 999 of them are a thousandth
// apart, as the cursors that callers keep have it; the others share the last thousandth.
const listDecisionsIn = (order: 'asc' | 'desc') =>
  sql(`
  select position, id, step, reason, next_attempt_at as "nextAttemptAt", detail, created_at as "createdAt"
  from (
    select placed.*,
      (
        seq
        + least(row_number() over same_event, 999) / 1000.0
        + greatest(row_number() over same_event - 999, 0) * ${CLOSEST}
      )::float8 as position
    from (
      select d.*, coalesce((select max(e.seq) from events e where e.lead_id = d.lead_id and e.timestamp <= d.created_at), 0) as seq
      from decisions d
      where d.lead_id = $1
    ) as placed
    window same_event as (partition by seq order by created_at, id)
  ) as numbered
  where position > $2::float8
    and position < $3::float8
  order by position ${order}
  limit $4`)
const DECISIONS = { asc: listDecisionsIn('asc'), desc: listDecisionsIn('desc') }

export const listDecisions = (db: Db, leadId: string, { after, before, order, limit }: LogRange): Promise<DecisionRow[]> =>
  db.many<DecisionRow>(DECISIONS[order], [leadId, after, before, limit])

export const findDecision = sql(`
  select 0::float8 as position, id, step, reason, next_attempt_at as "nextAttemptAt", detail, created_at as "createdAt"
  from decisions
  where id = $2 and lead_id = $1`).first<DecisionRow, [leadId: string, id: string]>()

interface SkippedCount {
  reason: string
  detail: Record<string, unknown> | null
  count: number
  /** One of the leads. */
  leadId: string
}

export const countSkipped = sql(`
  select hold_reason as reason, hold_detail as detail, count(*)::int as count, (array_agg(id))[1] as "leadId"
  from leads
  where campaign_id = $1 and status = 'skipped' and hold_reason is not null
  group by 1, 2`).many<SkippedCount, [campaignId: string]>()

/** Leads with the same remaining steps and the same fields filled. What one of them lacks, all of them lack. */
export interface LeadShape {
  step: number
  version: number
  /** A bit set of the filled fields, as a string because it exceeds a number. */
  shape: string
}

interface ListedShape extends LeadShape {
  /** A few of the leads; the first represents all. Empty if all of them are suppressed. */
  ids: string[]
}

const OPEN_LEADS = `l.campaign_id = $1 and l.status ${among(OPEN_STATUSES)}`
const SHAPE = 'l.next_step, coalesce(l.sequence_version, 0), l.shape'

// A loose index scan from one shape to the next: the cost depends on the number of shapes, not of leads.
export const listLeadShapes = sql(`
  with recursive shapes(step, version, shape) as (
    (
      select ${SHAPE}
      from leads l
      where ${OPEN_LEADS}
      order by ${SHAPE}
      limit 1
    )
    union all
    select next.*
    from shapes,
      lateral (
        select ${SHAPE}
        from leads l
        where ${OPEN_LEADS}
          and (${SHAPE}) > (shapes.step, shapes.version, shapes.shape)
        order by ${SHAPE}
        limit 1
      ) as next(step, version, shape)
  )
  select s.step, s.version, s.shape::text,
    array(
      select l.id
      from leads l
      where ${OPEN_LEADS}
        and (${SHAPE}) = (s.step, s.version, s.shape)
        and ${isNotSuppressedEach('l')}
      order by l.id
      limit $3
    ) as ids
  from (select * from shapes limit $2) as s`).many<ListedShape, [campaignId: string, limit: number, examples: number]>()

// Each shape is counted up to a limit: "at least ten thousand" is as useful as the exact number.
const COUNT_SHAPES = sql(`
  select r.n, counted.count::int
  from jsonb_to_recordset($2::jsonb) as r(n int, step int, version int, shape bigint)
  cross join lateral (
    select count(*) as count
    from (
      select from leads l
      where ${OPEN_LEADS}
        and (${SHAPE}) = (r.step, r.version, r.shape)
        and ${isNotSuppressed('l')}
      limit $3
    ) as found
  ) as counted`)

/** The number of leads of each shape that can be written to, in the given order, at most `most` for each. */
export async function countShapes(db: Db, campaignId: string, shapes: LeadShape[], most: number): Promise<number[]> {
  const rows = shapes.map(({ step, version, shape }, n) => ({ n, step, version, shape }))
  const counts = await db.many<{ n: number; count: number }>(COUNT_SHAPES, [campaignId, JSON.stringify(rows), most])
  const byPlace = new Map(counts.map(({ n, count }) => [n, count]))
  return shapes.map((_, n) => byPlace.get(n) ?? 0)
}

export const countMailableLeads = sql(`
  select count(*)::int as count
  from (
    select from leads l
    where ${OPEN_LEADS}
      and ${isNotSuppressed('l')}
    limit $2
  ) as found`).value<number, [campaignId: string, most: number]>()

const ofCampaign = ({ id, workspaceId }: { id: string; workspaceId: string }, limit: number, most: number) => [id, workspaceId, limit, most]

export interface CountedLead {
  id: string
  email: string
  /** The total. */
  count: number
  /** Whether suppressions were left unchecked. */
  isAtLeast: boolean
}

/** The first leads that would get a message and whose address is bad according to an import. */
export const listBadAddresses = sql(`
  with found as materialized (
    select distinct l.id, l.email
    from leads l
    join people p on p.match_key = lower(l.email) and p.email_status = 'invalid'
      and p.owner in (0, (select coalesce(owner_number, 0) from workspaces where id = $2))
    where ${OPEN_LEADS}
    limit $4
  )
  select id, email, (count(*) over ())::int as count, (count(*) over ()) = $4 as "isAtLeast"
  from found
  order by id
  limit $3`).many<CountedLead, Parameters<typeof ofCampaign>>(ofCampaign)

// Starts from the suppressions, because few of them matter: an import leaves out suppressed addresses, so only suppressions newer than the
// campaign can affect its leads. A suppression without an address belongs to an erased person.
/** The first leads that would get a message if they were not suppressed. At most `most` suppressions are checked. */
export const listSuppressedLeads = sql(`
  with recent as materialized (
    select s.kind, s.value, s.hash
    from suppressions s
    where s.workspace_id = $2 and s.created_at >= (select created_at from campaigns where id = $1)
    order by s.created_at desc, s.id desc
    limit $4
  ), found as materialized (
    select l.id, l.email
    from recent s
    cross join lateral (
      select l.id, l.email
      from leads l
      where ${OPEN_LEADS} and l.workspace_id = $2 and lower(l.email) = s.value
      limit 1
    ) as l
    where s.kind = 'email'
    union
    select l.id, l.email
    from recent s
    cross join lateral (
      select l.id, l.email
      from leads l
      where ${OPEN_LEADS} and l.workspace_id = $2 and l.domain_hash = s.hash
      limit $4
    ) as l
    where s.kind = 'domain'
    limit $4
  )
  select id, email, (count(*) over ())::int as count, (count(*) over ()) = $4 or (select count(*) from recent) = $4 as "isAtLeast"
  from found
  order by id
  limit $3`).many<CountedLead, Parameters<typeof ofCampaign>>(ofCampaign)

export interface RecipientRow extends Recipient {
  id: string
  step: number
  sequenceVersion: number | null
  thread: { subject: string; messageIds: string[] } | null
  updatedAt: Date
}

const RECIPIENT = `id, email, first_name as "firstName", last_name as "lastName", full_name as "fullName", company,
    job_title as "jobTitle", variables, next_step as step, sequence_version as "sequenceVersion", thread, updated_at as "updatedAt"`

export const listRecipients = sql(`
  select ${RECIPIENT}
  from leads
  where id = any($1::uuid[])`).many<RecipientRow, [ids: string[]]>()

/** The requested lead of the campaign, or the first one. */
export const findRecipient = sql(`
  select ${RECIPIENT}
  from leads
  where campaign_id = $1 and ($2::uuid is null or id = $2)
  order by created_at, id
  limit 1`).first<RecipientRow, [campaignId: string, leadId: string | null]>()

interface VariantAnswers {
  variantId: string
  replied: number
  positive: number
}

// A reply counts for the message that it answers, and each message counts once. The condition on bounces is that of the index.
export const countAnswers = sql(`
  select s.variant_id as "variantId", count(distinct s.id)::int as replied,
    (count(distinct s.id) filter (where i.kind = 'positive'))::int as positive
  from inbound_messages i
  join sends s on s.id = i.send_id
  where i.campaign_id = $1
    and i.kind ${among(['positive', 'negative', 'neutral', 'opt_out'])}
    and i.kind <> 'bounce'
    and s.step is not null
  group by s.variant_id`).many<VariantAnswers, [campaignId: string]>()

export const countAssumed = sql(`
  select count(*)::int as count
  from sends
  where campaign_id = $1 and reconciled = 'assumed'`).value<number, [campaignId: string]>()

// The leads of a campaign that may still be written to, as the planner uses them.

/** Leads that are equal for the planner. */
export interface OpenEntry extends Pick<LeadRow, 'id' | 'timezone' | 'dueAt' | 'holdReason' | 'holdUntil'> {
  count: number
  step: number
  /** Empty when too few leads share the domain to reach a limit. */
  domain: string
  providerId: string | null
  holdDetail: Record<string, unknown> | null
  suppressed: boolean
  /** A message of the lead is on its way, or may have left. */
  openSend: string | null
}

/** One lead separately. */
export interface OpenLead extends OpenEntry, Pick<LeadRow, 'workspaceId' | 'campaignId' | 'email'> {}

const IS_OPEN = `l.status ${among(OPEN_STATUSES)}`
const DOMAIN = "lower(split_part(l.email, '@', 2))"
const UNSETTLED = `status ${among(['claimed', 'sending', 'unknown'])}`

const OPEN_LEAD = `l.id, 1 as count, l.workspace_id as "workspaceId", l.campaign_id as "campaignId", l.email, l.timezone,
    l.next_step as step, l.due_at as "dueAt", ${DOMAIN} as domain, l.provider_id as "providerId", l.hold_reason as "holdReason",
    l.hold_until as "holdUntil", l.hold_detail as "holdDetail", ${isSuppressed('l')} as suppressed,
    case when l.due_at is null then (
      select s.status
      from sends s
      where s.lead_id = l.id and s.step = l.next_step and s.${UNSETTLED})
    end as "openSend"`

// Leads without a message are in one index, the leads of each mailbox in another: the first entries of each are enough.
/** The leads that have been due the longest, or will be due first. */
export const listFirstDue = sql(`
  select ${OPEN_LEAD}
  from (
    (
      select *
      from leads
      where campaign_id = $1 and due_at is not null and provider_id is null
      order by due_at, id
      limit $3
    )
    union all
    select of_mailbox.*
    from unnest($2::uuid[]) as m(id)
    cross join lateral (
      select *
      from leads
      where campaign_id = $1 and due_at is not null and provider_id = m.id
      order by due_at, id
      limit $3
    ) as of_mailbox
  ) as l
  where ${IS_OPEN}
  order by l.due_at, l.id
  limit $3`).many<OpenLead, [campaignId: string, mailboxIds: string[], limit: number]>()

export const findOpenLead = sql(`
  select ${OPEN_LEAD}
  from leads l
  where l.id = $1 and ${IS_OPEN}`).first<OpenLead, [leadId: string]>()

// Leads that got no message and have no hold are equal for the planner but for their zone and due time, which are in the index of the queue.
const IN_FIRST_QUEUE = 'campaign_id = $1 and due_at is not null and provider_id is null'
const IS_FRESH = '(next_step = 0 and hold_reason is null)'

/** In larger campaigns, the fresh leads are counted in the index of the queue, because reading each of them takes long. */
const MOST_READ = 5000
const COUNTS_FRESH = '(select counts_fresh from campaign)'

// Every part has its own index. A lead at the first step that is not in the queue has a message on its way.
const READ_LEADS = `
      select *
      from leads l
      where campaign_id = $1 and ${IS_OPEN} and not ${COUNTS_FRESH}
      union all
      select *
      from leads
      where ${IN_FIRST_QUEUE} and not ${IS_FRESH} and ${COUNTS_FRESH}
      union all
      select fresh.*
      from suppressed_fresh s
      cross join lateral (
        select *
        from leads
        where leads.id = s.id
        limit 1
      ) as fresh
      union all
      select *
      from leads
      where campaign_id = $1 and due_at is not null and provider_id is not null and ${COUNTS_FRESH}
      union all
      select *
      from leads l
      where campaign_id = $1 and ${IS_OPEN} and next_step > 0 and due_at is null and ${COUNTS_FRESH}
      union all
      select begun.*
      from flying f
      cross join lateral (
        select *
        from leads
        where leads.id = f.lead_id
        limit 1
      ) as begun
      where f.step = 0 and begun.next_step = 0 and begun.due_at is null and ${COUNTS_FRESH}`

// Leads are equal when all values that the planner uses are equal. In a large campaign, leads that fall due within the same minute, or the
// same quarter of an hour, are combined and count as due with the first of them; leads that are due now are never combined with others. An
// import leaves out suppressed addresses, so only suppressions newer than the campaign matter.
const LIST_ENTRIES = sql.readByIndex(`
  with campaign as materialized (
    select case
        when c.total_leads > 100000 then interval '15 minutes'
        when c.total_leads > 20000 then interval '1 minute'
        else interval '1 millisecond'
      end as grain,
      coalesce(newest.created_at >= c.created_at, false) as has_suppressed,
      c.total_leads > ${MOST_READ} and $4::int is null as counts_fresh
    from campaigns c
    left join lateral (
      select s.created_at
      from suppressions s
      where s.workspace_id = c.workspace_id
      order by s.created_at desc, s.id desc
      limit 1
    ) as newest on true
    where c.id = $1
  ), crowded as materialized (
    select ${DOMAIN} as domain
    from leads l
    where $4::int is not null and l.campaign_id = $1 and l.due_at is not null
    group by 1
    having count(*) > $4
    union
    select unnest($5::text[])
  ), flying as materialized (
    select s.lead_id, s.step, s.status
    from open_sends o
    cross join lateral (
      select lead_id, step, status
      from sends
      where sends.id = o.send_id
      limit 1
    ) as s
    where o.campaign_id = $1 and s.${UNSETTLED}
  ), newer_suppressions as materialized (
    select s.workspace_id, s.kind, s.value, s.hash
    from campaigns c
    join suppressions s on s.workspace_id = c.workspace_id and s.created_at >= c.created_at
    where c.id = $1 and ${COUNTS_FRESH}
  ), suppressed_fresh as materialized (
    select l.id
    from newer_suppressions s
    cross join lateral (
      select *
      from leads
      where workspace_id = s.workspace_id and lower(email) = s.value and campaign_id = $1
      limit 1
    ) as l
    where s.kind = 'email' and ${IN_FIRST_QUEUE} and ${IS_FRESH}
    union
    select l.id
    from newer_suppressions s
    cross join lateral (
      select *
      from leads
      where workspace_id = s.workspace_id and domain_hash = s.hash and campaign_id = $1
      offset 0
    ) as l
    where s.kind = 'domain' and ${IN_FIRST_QUEUE} and ${IS_FRESH}
  )
  select count(*)::int as count, e.timezone, e.step, min(e.due_at) as "dueAt", e.domain, e.provider_id as "providerId",
    e.hold_reason as "holdReason", min(e.hold_until) as "holdUntil", e.hold_detail as "holdDetail", e.suppressed, e.open_send as "openSend"
  from (
    select case when $3 then l.timezone end as timezone,
      l.next_step as step,
      l.due_at,
      date_bin((select grain from campaign), l.due_at, 'epoch') as due_about,
      case when $4::int is not null and ${DOMAIN} in (select domain from crowded) then ${DOMAIN} else '' end as domain,
      l.provider_id,
      l.hold_reason,
      l.hold_until,
      case when l.hold_reason = any($6::text[]) then l.hold_detail end as hold_detail,
      (select has_suppressed from campaign) and ${isSuppressed('l')} as suppressed,
      f.status as open_send
    from (${READ_LEADS}
    ) as l
    left join flying f on l.due_at is null and f.lead_id = l.id and f.step = l.next_step
    where ${IS_OPEN}
      and ($7::uuid[] = '{}' or l.id not in (select unnest($7::uuid[])))
  ) as e
  group by e.timezone, e.step, e.due_at <= $2, e.due_about, e.domain, e.provider_id, e.hold_reason, e.hold_until > $2,
    e.hold_detail, e.suppressed, e.open_send
  union all
  select count(*)::int, case when $3 then timezone end, 0, min(due_at), '', null, null, null, null, false, null
  from leads
  where ${IN_FIRST_QUEUE} and ${IS_FRESH} and ${COUNTS_FRESH}
    and id not in (select id from suppressed_fresh)
    and id not in (select unnest($7::uuid[]))
  group by case when $3 then timezone end, due_at <= $2, date_bin((select grain from campaign), due_at, 'epoch')
  order by "dueAt", step, "providerId", timezone, domain`)

interface Telling {
  now: Date
  /** Whether leads are grouped by their own zones. */
  byZone: boolean
  /** Domains with more leads than this are kept apart; null when no mailbox limits messages per domain. */
  crowdedFrom: number | null
  /** Domains that got a message a moment ago. */
  recentDomains: string[]
  /** Holds whose details must be equal, too. */
  detailed: readonly string[]
  /** Leads that were checked one by one. */
  except: string[]
}

/** The open leads of a campaign, equal leads as one entry; the leads that are due first come first. */
export async function listOpenEntries(db: Db, campaignId: string, telling: Telling): Promise<OpenEntry[]> {
  const { now, byZone, crowdedFrom, recentDomains, detailed, except } = telling
  const values = [campaignId, now, byZone, crowdedFrom, recentDomains, detailed, except]
  const rows = await db.many<OpenEntry>(LIST_ENTRIES, values)
  return rows.map((row, n) => ({ ...row, id: `entry-${String(n).padStart(7, '0')}` }))
}

/** Leads that are not in the queue come last. */
export const dueMsOf = ({ dueAt }: Pick<OpenEntry, 'dueAt'>): number => dueAt?.getTime() ?? Number.MAX_SAFE_INTEGER
