import { type Db, sql } from '../../db/client.ts'
import { among } from '../../db/fragments.ts'
import type { LogRange } from '../../lib/page.ts'
import { OPEN_STATUSES, type Recipient } from '../leads/schema.ts'
import { isNotSuppressed, isNotSuppressedEach } from '../suppressions/queries.ts'

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

/** Puts what is not stored behind the last entry, and before the next decision. */
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

const FIND_DECISION = sql(`
  select 0::float8 as position, id, step, reason, next_attempt_at as "nextAttemptAt", detail, created_at as "createdAt"
  from decisions
  where id = $2 and lead_id = $1`)

export const findDecision = (db: Db, leadId: string, id: string): Promise<DecisionRow | undefined> =>
  db.first<DecisionRow>(FIND_DECISION, [leadId, id])

const COUNT_SKIPPED = sql(`
  select hold_reason as reason, hold_detail as detail, count(*)::int as count, (array_agg(id))[1] as "leadId"
  from leads
  where campaign_id = $1 and status = 'skipped' and hold_reason is not null
  group by 1, 2`)

interface SkippedCount {
  reason: string
  detail: Record<string, unknown> | null
  count: number
  /** One of the leads. */
  leadId: string
}

export const countSkipped = (db: Db, campaignId: string): Promise<SkippedCount[]> => db.many<SkippedCount>(COUNT_SKIPPED, [campaignId])

/** Leads with the same remaining steps and the same fields filled. What one of them lacks, all of them lack. */
export interface LeadShape {
  step: number
  version: number
  /** A bit set of the filled fields, as a string because it exceeds a number. */
  shape: string
}

interface ListedShape extends LeadShape {
  /** A few of the leads; the first stands for all. Empty when all of them are suppressed. */
  ids: string[]
}

const OPEN_LEADS = `l.campaign_id = $1 and l.status ${among(OPEN_STATUSES)}`
const SHAPE = 'l.next_step, coalesce(l.sequence_version, 0), l.shape'

// A loose index scan from one shape to the next: the cost depends on the number of shapes, not of leads.
const LIST_SHAPES = sql(`
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
  from (select * from shapes limit $2) as s`)

export const listLeadShapes = (db: Db, campaignId: string, limit: number, examples: number): Promise<ListedShape[]> =>
  db.many<ListedShape>(LIST_SHAPES, [campaignId, limit, examples])

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

const COUNT_MAILABLE = sql(`
  select count(*)::int as count
  from (
    select from leads l
    where ${OPEN_LEADS}
      and ${isNotSuppressed('l')}
    limit $2
  ) as found`)

export const countMailableLeads = async (db: Db, campaignId: string, most: number): Promise<number> =>
  (await db.first<{ count: number }>(COUNT_MAILABLE, [campaignId, most]))!.count

interface SuppressedLead {
  id: string
  email: string
  /** The total. */
  count: number
  /** Whether suppressions were left unchecked. */
  isAtLeast: boolean
}

// Starts from the suppressions, because few of them matter: an import leaves out suppressed addresses, so only suppressions newer than the
// campaign can affect its leads. A suppression without an address belongs to an erased person.
const LIST_SUPPRESSED = sql(`
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
  limit $3`)

const LIST_BAD_ADDRESSES = sql(`
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
  limit $3`)

/** The first leads that would get a message and whose address is bad according to an import. */
export const listBadAddresses = (
  db: Db,
  campaign: { id: string; workspaceId: string },
  limit: number,
  most: number,
): Promise<SuppressedLead[]> => db.many<SuppressedLead>(LIST_BAD_ADDRESSES, [campaign.id, campaign.workspaceId, limit, most])

/** The first leads that would get a message if they were not suppressed. At most `most` suppressions are checked. */
export const listSuppressedLeads = (
  db: Db,
  campaign: { id: string; workspaceId: string },
  limit: number,
  most: number,
): Promise<SuppressedLead[]> => db.many<SuppressedLead>(LIST_SUPPRESSED, [campaign.id, campaign.workspaceId, limit, most])

export interface RecipientRow extends Recipient {
  id: string
  step: number
  sequenceVersion: number | null
  thread: { subject: string; messageIds: string[] } | null
}

const RECIPIENT = `id, email, first_name as "firstName", last_name as "lastName", full_name as "fullName", company,
    job_title as "jobTitle", variables, next_step as step, sequence_version as "sequenceVersion", thread`

const LIST_RECIPIENTS = sql(`
  select ${RECIPIENT}
  from leads
  where id = any($1::uuid[])`)

export const listRecipients = (db: Db, ids: string[]): Promise<RecipientRow[]> => db.many<RecipientRow>(LIST_RECIPIENTS, [ids])

const ANY_RECIPIENT = sql(`
  select ${RECIPIENT}
  from leads
  where campaign_id = $1 and ($2::uuid is null or id = $2)
  order by created_at, id
  limit 1`)

/** The requested lead of the campaign, or the first one. */
export const findRecipient = (db: Db, campaignId: string, leadId: string | null): Promise<RecipientRow | undefined> =>
  db.first<RecipientRow>(ANY_RECIPIENT, [campaignId, leadId])

interface VariantAnswers {
  variantId: string
  replied: number
  positive: number
}

// A reply counts for the message that it answers, and each message counts once. The condition on bounces is that of the index.
const COUNT_ANSWERS = sql(`
  select s.variant_id as "variantId", count(distinct s.id)::int as replied,
    (count(distinct s.id) filter (where i.kind = 'positive'))::int as positive
  from inbound_messages i
  join sends s on s.id = i.send_id
  where i.campaign_id = $1
    and i.kind ${among(['positive', 'negative', 'neutral', 'opt_out'])}
    and i.kind <> 'bounce'
    and s.step is not null
  group by s.variant_id`)

export const countAnswers = (db: Db, campaignId: string): Promise<VariantAnswers[]> => db.many<VariantAnswers>(COUNT_ANSWERS, [campaignId])

const COUNT_ASSUMED = sql(`
  select count(*)::int as count
  from sends
  where campaign_id = $1 and reconciled = 'assumed'`)

export const countAssumed = async (db: Db, campaignId: string): Promise<number> =>
  (await db.first<{ count: number }>(COUNT_ASSUMED, [campaignId]))!.count
