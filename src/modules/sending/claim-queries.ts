import { among } from '../../db/fragments.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import { listsOf } from '../../lib/pick.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import type { Weekday } from '../campaigns/schema.ts'
import type { LeadRow } from '../leads/queries.ts'
import { ANSWERED_STATUSES, OPEN_STATUSES, type Recipient } from '../leads/schema.ts'
import { isSuppressedEach } from '../suppressions/queries.ts'
import { type Message, WORKSPACE_COLUMNS, type WorkspaceWriting } from './queries.ts'

/** An active campaign with leads that are due. The schedule decides whether its window is open. */
export interface DueCampaign
  extends WorkspaceWriting,
    Pick<CampaignRow, 'id' | 'workspaceId' | 'startDate' | 'endDate' | 'useLeadTimezone' | 'trackOpens' | 'trackClicks' | 'unsubscribe'>,
    Pick<CampaignRow, 'optOutText' | 'contactRules' | 'workspaceContactRules' | 'sequenceVersion' | 'updatedAt'> {
  mailboxIds: string[]
  /** Mailboxes that left the campaign and only continue their threads. */
  keptMailboxIds: string[]
  daysOfWeek: Weekday[]
  windowStart: string
  windowEnd: string
  timezone: string
  /** A campaign of the workspace has contact rules, so messages of all other campaigns matter. */
  sharesContacts: boolean
}

const CAMPAIGN_COLUMNS = `c.id, c.workspace_id as "workspaceId",
    array_remove(array_prepend(c.provider_id, c.rotation_provider_ids), null) as "mailboxIds",
    c.kept_provider_ids as "keptMailboxIds",
    c.sequence_version as "sequenceVersion", c.days_of_week as "daysOfWeek", c.window_start as "windowStart",
    c.window_end as "windowEnd", c.timezone, c.use_lead_timezone as "useLeadTimezone", c.start_date as "startDate", c.end_date as "endDate",
    c.track_opens as "trackOpens", c.track_clicks as "trackClicks", c.unsubscribe, c.opt_out_text as "optOutText",
    c.updated_at as "updatedAt", ${WORKSPACE_COLUMNS('c')}`

// Two probes into partial indexes per active campaign: the rows of other campaigns are never read.
export const listDueCampaigns = sql(`
  select ${CAMPAIGN_COLUMNS}
  from campaigns c
  where c.status = 'active' and c.timezone is not null and c.sequence_version > 0
    and (
      (
        select l.due_at
        from leads l
        where l.campaign_id = c.id and l.due_at is not null and l.provider_id is null
        order by l.due_at, l.id
        limit 1
      ) <= $1
      or exists (select from leads l where l.campaign_id = c.id and l.due_at <= $1 and l.provider_id is not null))`).many<
  DueCampaign,
  [now: Date]
>()

/** An active campaign with leads that are due now or later: the earliest due time for each mailbox that leads are bound to. */
export interface WaitingCampaign extends DueCampaign {
  queues: { mailboxId: string | null; dueAt: string }[]
}

export const listWaitingCampaigns = sql(`
  select ${CAMPAIGN_COLUMNS}, queues.found as queues
  from campaigns c
  cross join lateral (
    select json_agg(json_build_object('mailboxId', queue.mailbox_id, 'dueAt', queue.due_at)) as found
    from (
      (
        select null::uuid as mailbox_id, l.due_at
        from leads l
        where l.campaign_id = c.id and l.due_at is not null and l.provider_id is null
        order by l.due_at, l.id
        limit 1
      )
      union all
      select m.id, sticky.due_at
      from unnest(array_prepend(c.provider_id, c.rotation_provider_ids || c.kept_provider_ids)) as m(id)
      cross join lateral (
        select l.due_at
        from leads l
        where l.campaign_id = c.id and l.provider_id = m.id and l.due_at is not null
        order by l.due_at, l.id
        limit 1
      ) as sticky
    ) as queue
  ) as queues
  where c.status = 'active' and c.timezone is not null and c.sequence_version > 0 and queues.found is not null`).many<WaitingCampaign>()

/** A campaign as the sender sees it, whatever its status. */
export type SendingCampaign = DueCampaign & { status: string }

export const findSendingCampaign = sql(`
  select ${CAMPAIGN_COLUMNS}, c.status
  from campaigns c
  where c.id = $1`).first<SendingCampaign, [id: string]>()

export const listSendingCampaigns = sql(`
  select ${CAMPAIGN_COLUMNS}
  from campaigns c
  where c.id = any($1::uuid[])`).many<DueCampaign, [ids: string[]]>()

const RECENT = sql(`
  select provider_id as "mailboxId", domain, claimed_at as at
  from sends
  where provider_id = any($1::uuid[]) and claimed_at > $2 and claimed_at <= $2 + interval '1 hour'
    and status not in ('failed', 'queued')`)

export interface RecentSend {
  mailboxId: string
  domain: string
  at: Date
}

/** The messages of the last hour, for mailboxes that limit how many go to one domain. */
export const listRecentSends = (db: Db, mailboxIds: string[], since: Date): Promise<RecentSend[]> =>
  mailboxIds.length === 0 ? Promise.resolve([]) : db.many(RECENT, [mailboxIds, since])

/** A lead that is due, with everything that is needed to email it. */
export interface DueLead
  extends Recipient,
    Pick<LeadRow, 'id' | 'workspaceId' | 'campaignId' | 'timezone' | 'nextStep' | 'holdReason' | 'holdUntil'> {
  dueAt: Date
  sequenceVersion: number | null
  providerId: string | null
  thread: { subject: string; messageIds: string[] } | null
  suppressed: boolean
}

const LEAD_COLUMNS = `id, workspace_id, campaign_id, email, email_hash, domain_hash, first_name, last_name, full_name, company,
      job_title, timezone, variables, next_step, due_at, sequence_version, provider_id, thread, hold_reason, hold_until`

const DUE = (where: string): string => `
      select ${LEAD_COLUMNS}
      from leads
      where campaign_id = queue.campaign_id and due_at is not null and due_at <= $1 and ${where}
      order by due_at, id
      limit queue.room
      for update skip locked`

// Each queue of leads reads all its rows at once: within one statement, SKIP LOCKED would return the same row a second time.
const TAKE_DUE = sql(`
  with taken as materialized (
    select l.*
    from unnest($2::uuid[], $3::int[]) as queue(campaign_id, room)
    cross join lateral (${DUE('provider_id is null')}
    ) as l
    union all
    select l.*
    from unnest($4::uuid[], $5::uuid[], $6::int[]) as queue(campaign_id, mailbox_id, room)
    cross join lateral (${DUE('provider_id = queue.mailbox_id')}
    ) as l
  )
  select l.id, l.workspace_id as "workspaceId", l.campaign_id as "campaignId", l.email, l.first_name as "firstName",
    l.last_name as "lastName", l.full_name as "fullName", l.company, l.job_title as "jobTitle", l.timezone, l.variables,
    l.next_step as "nextStep", l.due_at as "dueAt", l.sequence_version as "sequenceVersion", l.provider_id as "providerId",
    l.thread, l.hold_reason as "holdReason", l.hold_until as "holdUntil", ${isSuppressedEach('l')} as suppressed
  from taken l`)

export interface LeadQueue {
  campaignId: string
  /** Null: leads that no mailbox has written to yet. */
  mailboxId: string | null
  room: number
}

export function takeDueLeads(tx: Tx, queues: LeadQueue[], now: Date): Promise<DueLead[]> {
  const fresh = queues.filter(queue => queue.mailboxId === null)
  const sticky = queues.filter(queue => queue.mailboxId !== null)
  return tx.many<DueLead>(TAKE_DUE, [now, ...listsOf(fresh, 'campaignId', 'room'), ...listsOf(sticky, 'campaignId', 'mailboxId', 'room')])
}

export interface NewSend extends Message {
  sequenceVersion: number
  domain: string
  dueAt: Date
}

interface ClaimedRow extends Pick<Message, 'id' | 'leadId' | 'variantId' | 'messageId'> {
  attempts: number
}

// A message that is retried keeps its id, and with it its Message-ID. A message that is sending, or was sent, is not claimed.
//
// A claim may commit asynchronously: the commit that marks the message as leaving flushes it, too.
export const insertClaims = sql(`
  with hurry as (
    select set_config('synchronous_commit', 'off', true)
  ), claimed as (
    insert into sends (id, workspace_id, campaign_id, lead_id, provider_id, step, sequence_version, variant_id, domain, message_id,
      due_at, email_hash, status, worker_id, claimed_at, created_at)
    select r.id, r."workspaceId", r."campaignId", r."leadId", r."providerId", r.step, r."sequenceVersion", r."variantId", r.domain,
      r."messageId", r."dueAt", (select l.email_hash from leads l where l.id = r."leadId"), 'claimed', $2, $3, $3
    from hurry, jsonb_to_recordset($1::jsonb) as r(
      id uuid, "workspaceId" uuid, "campaignId" uuid, "leadId" uuid, "providerId" uuid, step int, "sequenceVersion" int,
      "variantId" uuid, domain text, "messageId" text, "dueAt" timestamptz)
    on conflict (lead_id, step) do update
    set status = 'claimed', worker_id = excluded.worker_id, provider_id = excluded.provider_id, due_at = excluded.due_at,
      sequence_version = excluded.sequence_version, variant_id = excluded.variant_id,
      claimed_at = excluded.claimed_at, attempts = sends.attempts + 1,
      -- A refusal of another mailbox tells nothing about this one.
      mailbox_refusals = case when sends.provider_id = excluded.provider_id then sends.mailbox_refusals else 0 end,
      others_accepted = sends.others_accepted and sends.provider_id = excluded.provider_id
    where sends.status = 'queued'
    returning id, campaign_id, lead_id, message_id, attempts, variant_id
  ), opened as (
    insert into open_sends (send_id, campaign_id)
    select id, campaign_id
    from claimed
    on conflict do nothing
  )
  select id, lead_id as "leadId", message_id as "messageId", attempts, variant_id as "variantId"
  from claimed`).many<ClaimedRow, [sends: NewSend[], workerId: number, now: Date]>((sends, workerId, now) => [
  JSON.stringify(sends),
  workerId,
  now,
])

// How the other campaigns of a workspace affect a lead. Everything is found by an index: the address, its hash,
// or the hash of its domain.

/** A message that was sent, or may have been. A claimed message was not. */
const MAY_HAVE_LEFT = `status ${among(['sending', 'unknown', 'sent'])}`

const IS_CONTACTED = (lead: string): string =>
  `(${lead}.email_sent or exists (select from sends x where x.lead_id = ${lead}.id and x.${MAY_HAVE_LEFT}))`

// If two leads could wait for each other, the one that was written to goes first, otherwise the older one.
const READ_PEOPLE = sql(`
  with asked as materialized (
    select l.id, l.workspace_id, l.campaign_id, lower(l.email) as address, l.email_hash, l.created_at, ${IS_CONTACTED('l')} as is_contacted
    from leads l
    where l.id = any($1::uuid[])
  )
  select a.id as "leadId",
    (
      select max(coalesce(s.sent_at, s.intended_at, s.claimed_at))
      from sends f
      join sends s on s.lead_id = f.lead_id
      where f.email_hash = a.email_hash
        and f.step = 0
        and f.workspace_id = a.workspace_id
        and f.campaign_id <> a.campaign_id
        and s.${MAY_HAVE_LEFT}
    ) as "contactedElsewhereAt",
    (
      select o.campaign_id
      from leads o
      join campaigns c on c.id = o.campaign_id
      where o.workspace_id = a.workspace_id
        and lower(o.email) = a.address
        and o.campaign_id <> a.campaign_id
        and o.status ${among(OPEN_STATUSES)}
        and c.status = 'active'
        and case
          when ${IS_CONTACTED('o')} = a.is_contacted then (o.created_at, o.id) < (a.created_at, a.id)
          else not a.is_contacted
        end
      order by o.created_at, o.id
      limit 1
    ) as "aheadElsewhere"
  from asked a`)

interface PersonFacts {
  leadId: string
  contactedElsewhereAt: Date | null
  aheadElsewhere: string | null
}

export const readPeople = (db: Db, leadIds: string[]): Promise<PersonFacts[]> =>
  leadIds.length === 0 ? Promise.resolve([]) : db.many<PersonFacts>(READ_PEOPLE, [leadIds])

/** A sequence in such a campaign continues, or may continue. */
const UNDER_WAY = ['active', 'paused', 'attention_needed'] as const

// A first message that is leaving counts, too: its lead is marked as contacted only when the outcome is recorded.
const READ_COMPANIES = sql(`
  with flying as materialized (
    select l.workspace_id, l.domain_hash, lower(l.email) as address
    from open_sends o
    cross join lateral (
      select lead_id, status
      from sends
      where sends.id = o.send_id
      limit 1
    ) as s
    join leads l on l.id = s.lead_id
    where s.status ${among(['sending', 'unknown'])} and l.status = 'not_yet_contacted'
  ), asked as materialized (
    select id, workspace_id, lower(email) as address, domain_hash
    from leads
    where id = any($1::uuid[])
  )
  select a.id as "leadId",
    exists (
      select from leads o
      where o.workspace_id = a.workspace_id and o.domain_hash = a.domain_hash and o.status ${among(ANSWERED_STATUSES)} and o.id <> a.id
    ) as "hasCompanyReplied",
    array(
      select distinct address
      from (
        select lower(o.email) as address
        from leads o
        join campaigns c on c.id = o.campaign_id
        where o.workspace_id = a.workspace_id and o.domain_hash = a.domain_hash and o.status = 'contacted' and c.status ${among(UNDER_WAY)}
        union all
        select f.address
        from flying f
        where f.workspace_id = a.workspace_id and f.domain_hash = a.domain_hash
      ) as people
      where address <> a.address
      limit $2
    ) as "inSequence"
  from asked a`)

interface CompanyFacts {
  leadId: string
  hasCompanyReplied: boolean
  inSequence: string[]
}

/** `most` is the maximum number of people in a sequence that are returned. */
export const readCompanies = (db: Db, leadIds: string[], most: number): Promise<CompanyFacts[]> =>
  leadIds.length === 0 ? Promise.resolve([]) : db.many<CompanyFacts>(READ_COMPANIES, [leadIds, most])

// The second key is a number out of a thousand, so that a large batch does not fill the lock table. Two people who share a
// number only wait a moment for each other.
/** Until the commit, no other transaction can mark a message to these people or companies as leaving. */
export const lockContacts = sql(`
  select pg_advisory_xact_lock(7265025, number)
  from (
    select distinct (hashtextextended(key, 0) & 1023)::int as number
    from unnest($1::text[]) as key
    order by number
  ) as numbers`).run<[keys: string[]]>()
