import { type Db, sql } from '../../db/client.ts'
import { among, isNotSuppressed, isSuppressed } from '../../db/fragments.ts'
import { type LeadStatus, OPEN_STATUSES, type Recipient } from '../leads/schema.ts'

// What is read about messages, and nothing that changes them.

export interface DecisionRow {
  /** Between the event that it came after and the next one. */
  position: number
  id: string
  step: number
  reason: string
  nextAttemptAt: Date | null
  detail: Record<string, unknown> | null
  createdAt: Date
}

// Events are in order by their number, decisions by their time: a decision stands behind the last event before it.
const LIST_DECISIONS = sql(`
  select position, id, step, reason, next_attempt_at as "nextAttemptAt", detail, created_at as "createdAt"
  from (
    select placed.*, (seq + least(row_number() over (partition by seq order by created_at, id), 999) / 1000.0)::float8 as position
    from (
      select d.*, coalesce((select max(e.seq) from events e where e.lead_id = d.lead_id and e.timestamp <= d.created_at), 0) as seq
      from decisions d
      where d.lead_id = $1
    ) as placed
  ) as numbered
  where position > $2::float8
  order by position
  limit $3`)

export const listDecisions = (db: Db, leadId: string, after: number, limit: number): Promise<DecisionRow[]> =>
  db.many<DecisionRow>(LIST_DECISIONS, [leadId, after, limit])

const FIND_DECISION = sql(`
  select 0::float8 as position, id, step, reason, next_attempt_at as "nextAttemptAt", detail, created_at as "createdAt"
  from decisions
  where id = $2 and lead_id = $1`)

export const findDecision = (db: Db, leadId: string, id: string): Promise<DecisionRow | undefined> =>
  db.first<DecisionRow>(FIND_DECISION, [leadId, id])

export interface OpenLead {
  id: string
  workspaceId: string
  campaignId: string
  email: string
  timezone: string | null
  step: number
  dueAt: Date | null
  completesAt: Date | null
  domain: string
  providerId: string | null
  holdReason: string | null
  holdUntil: Date | null
  holdDetail: Record<string, unknown> | null
  suppressed: boolean
  /** A message of the lead is on its way, or may have left. */
  openSend: string | null
}

const OPEN_LEAD = `l.id, l.workspace_id as "workspaceId", l.campaign_id as "campaignId", l.email, l.timezone, l.next_step as step, l.due_at as "dueAt", l.completes_at as "completesAt",
    lower(split_part(l.email, '@', 2)) as domain, l.provider_id as "providerId", l.hold_reason as "holdReason",
    l.hold_until as "holdUntil", l.hold_detail as "holdDetail", ${isSuppressed('l')} as suppressed,
    case when l.due_at is null then (
      select s.status
      from sends s
      where s.lead_id = l.id and s.step = l.next_step and s.status in ('claimed', 'sending', 'unknown'))
    end as "openSend"`

const LIST_OPEN_LEADS = sql(`
  select ${OPEN_LEAD}
  from leads l
  where l.campaign_id = $1 and l.status ${among(OPEN_STATUSES)}
  order by l.due_at, l.id`)

export const listOpenLeads = (db: Db, campaignId: string): Promise<OpenLead[]> => db.many<OpenLead>(LIST_OPEN_LEADS, [campaignId])

const LIST_FIRST_DUE = sql(`
  select ${OPEN_LEAD}
  from leads l
  where l.campaign_id = $1 and l.due_at is not null and l.status ${among(OPEN_STATUSES)}
  order by l.due_at, l.id
  limit $2`)

/** Those who have been due the longest, or will be due first. */
export const listFirstDue = (db: Db, campaignId: string, limit: number): Promise<OpenLead[]> =>
  db.many<OpenLead>(LIST_FIRST_DUE, [campaignId, limit])

const FIND_OPEN_LEAD = sql(`
  select ${OPEN_LEAD}
  from leads l
  where l.id = $1 and l.status ${among(OPEN_STATUSES)}`)

export const findOpenLead = (db: Db, leadId: string): Promise<OpenLead | undefined> => db.first<OpenLead>(FIND_OPEN_LEAD, [leadId])

const COUNT_BY_STATUS = sql(`
  select status, case when status = 'skipped' then hold_reason end as reason,
    case when status = 'skipped' then hold_detail end as detail, count(*)::int as count, (array_agg(id))[1] as "leadId"
  from leads
  where campaign_id = $1
  group by 1, 2, 3`)

interface StatusCount {
  status: LeadStatus
  reason: string | null
  detail: Record<string, unknown> | null
  count: number
  /** One of them. */
  leadId: string
}

export const countByStatus = (db: Db, campaignId: string): Promise<StatusCount[]> => db.many<StatusCount>(COUNT_BY_STATUS, [campaignId])

/** Leads that have the same steps before them and the same fields filled: what one of them lacks, all of them lack. */
export interface LeadShape {
  step: number
  version: number
  /** Of the fields that are filled. A string: it does not fit into a number. */
  shape: string
}

interface ListedShape extends LeadShape {
  /** A few of them, the first stands for all. None when all of them are suppressed. */
  ids: string[]
}

const OPEN_LEADS = `l.campaign_id = $1 and l.status ${among(OPEN_STATUSES)}`
const SHAPE = 'l.next_step, coalesce(l.sequence_version, 0), l.shape'

// From one shape to the next by the index, whose order this is: it costs as many steps as there are shapes, not leads.
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
        and ${isNotSuppressed('l')}
      order by l.id
      limit $3
    ) as ids
  from (select * from shapes limit $2) as s`)

export const listLeadShapes = (db: Db, campaignId: string, limit: number, examples: number): Promise<ListedShape[]> =>
  db.many<ListedShape>(LIST_SHAPES, [campaignId, limit, examples])

const COUNT_SHAPES = sql(`
  select r.n, count(*)::int as count
  from jsonb_to_recordset($2::jsonb) as r(n int, step int, version int, shape bigint)
  join leads l on ${OPEN_LEADS}
    and (${SHAPE}) = (r.step, r.version, r.shape)
  where ${isNotSuppressed('l')}
  group by r.n`)

/** How many leads of each shape there are to be written to, in the order given. */
export async function countShapes(db: Db, campaignId: string, shapes: LeadShape[]): Promise<number[]> {
  const rows = shapes.map(({ step, version, shape }, n) => ({ n, step, version, shape }))
  const counts = await db.many<{ n: number; count: number }>(COUNT_SHAPES, [campaignId, JSON.stringify(rows)])
  const byPlace = new Map(counts.map(({ n, count }) => [n, count]))
  return shapes.map((_, n) => byPlace.get(n) ?? 0)
}

const COUNT_MAILABLE = sql(`
  select count(*)::int as count
  from leads l
  where ${OPEN_LEADS}
    and ${isNotSuppressed('l')}`)

export async function countMailableLeads(db: Db, campaignId: string): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_MAILABLE, [campaignId]))!.count
}

interface SuppressedLead {
  id: string
  email: string
  /** How many there are in all. */
  count: number
}

const LIST_SUPPRESSED = sql(`
  select l.id, l.email, (count(*) over ())::int as count
  from leads l
  where l.campaign_id = $1 and l.status ${among(OPEN_STATUSES)} and ${isSuppressed('l')}
  order by l.id
  limit $2`)

/** The first leads that would be written to if they were not suppressed. */
export const listSuppressedLeads = (db: Db, campaignId: string, limit: number): Promise<SuppressedLead[]> =>
  db.many<SuppressedLead>(LIST_SUPPRESSED, [campaignId, limit])

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

/** A lead of the campaign: the one asked for, or the first there is. */
export const findRecipient = (db: Db, campaignId: string, leadId: string | null): Promise<RecipientRow | undefined> =>
  db.first<RecipientRow>(ANY_RECIPIENT, [campaignId, leadId])

interface VariantCount {
  variantId: string
  sent: number
  replied: number
  positive: number
}

// What was sent is kept as a sum; replies are few. A reply counts for the message that it answers, and each message once.
const COUNT_VARIANTS = sql(`
  with sent as (
    select key as variant_id, sum(sent)::int as count
    from metric_quarters
    where campaign_id = $1 and dimension = 'variant' and key is not null
    group by key
  ), answered as (
    select s.variant_id::text as variant_id, count(distinct s.id)::int as replied,
      (count(distinct s.id) filter (where i.kind = 'positive'))::int as positive
    from inbound_messages i
    join sends s on s.id = i.send_id
    where i.campaign_id = $1
      and i.kind ${among(['positive', 'negative', 'neutral', 'opt_out'])}
      and i.kind <> 'bounce'
      and s.step is not null
    group by s.variant_id
  )
  select sent.variant_id as "variantId", sent.count as sent, coalesce(a.replied, 0) as replied, coalesce(a.positive, 0) as positive
  from sent
  left join answered a using (variant_id)`)

export const countVariants = (db: Db, campaignId: string): Promise<VariantCount[]> => db.many<VariantCount>(COUNT_VARIANTS, [campaignId])

const COUNT_ASSUMED = sql(`
  select count(*)::int as count
  from sends
  where campaign_id = $1 and reconciled = 'assumed'`)

export async function countAssumed(db: Db, campaignId: string): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_ASSUMED, [campaignId]))!.count
}
