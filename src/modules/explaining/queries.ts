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

interface LeadShape {
  /** A few of them, the first stands for all. */
  ids: string[]
  count: number
}

const IS_BLANK = (column: string): string => `nullif(btrim(l.${column}), '') is null`

// Leads that have the same fields filled render alike as far as missing values go, so one of each kind stands for all.
const LIST_SHAPES = sql(`
  select (array_agg(l.id order by l.id))[1:$3] as ids, count(*)::int as count
  from leads l
  where l.campaign_id = $1 and l.status ${among(OPEN_STATUSES)} and ${isNotSuppressed('l')}
  group by l.next_step, l.sequence_version, ${['first_name', 'last_name', 'full_name', 'company', 'job_title'].map(IS_BLANK).join(', ')},
    (select array_agg(v.key order by v.key) from jsonb_each_text(l.variables) as v where btrim(v.value) <> '')
  order by count(*) desc
  limit $2`)

export const listLeadShapes = (db: Db, campaignId: string, limit: number, examples: number): Promise<LeadShape[]> =>
  db.many<LeadShape>(LIST_SHAPES, [campaignId, limit, examples])

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
  step: number
  sent: number
  replied: number
  positive: number
}

const HAS_REPLY = (kinds: readonly string[]): string =>
  `exists (select from inbound_messages i where i.send_id = s.id and i.kind ${among(kinds)})`

// A reply counts for the message that it answers; a lead counts once for each variant.
const COUNT_VARIANTS = sql(`
  select s.variant_id as "variantId", min(s.step) as step, count(*)::int as sent,
    count(*) filter (where ${HAS_REPLY(['positive', 'negative', 'neutral', 'opt_out'])})::int as replied,
    count(*) filter (where ${HAS_REPLY(['positive'])})::int as positive
  from sends s
  where s.campaign_id = $1 and s.status = 'sent'
  group by s.variant_id`)

export const countVariants = (db: Db, campaignId: string): Promise<VariantCount[]> => db.many<VariantCount>(COUNT_VARIANTS, [campaignId])

const COUNT_ASSUMED = sql(`
  select count(*)::int as count
  from sends
  where campaign_id = $1 and reconciled = 'assumed'`)

export async function countAssumed(db: Db, campaignId: string): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_ASSUMED, [campaignId]))!.count
}
