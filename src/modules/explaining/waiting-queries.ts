import { type Db, sql } from '../../db/client.ts'
import { among } from '../../db/fragments.ts'
import { OPEN_STATUSES } from '../leads/schema.ts'
import { isSuppressed } from '../suppressions/queries.ts'

// The leads of a campaign that may still be written to, as the planner uses them.

/** Leads that are equal for the planner. */
export interface OpenEntry {
  id: string
  count: number
  timezone: string | null
  step: number
  dueAt: Date | null
  /** Empty when too few leads share the domain to reach a limit. */
  domain: string
  providerId: string | null
  holdReason: string | null
  holdUntil: Date | null
  holdDetail: Record<string, unknown> | null
  suppressed: boolean
  /** A message of the lead is on its way, or may have left. */
  openSend: string | null
}

/** One lead by itself. */
export interface OpenLead extends OpenEntry {
  workspaceId: string
  campaignId: string
  email: string
}

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
const LIST_FIRST_DUE = sql(`
  select ${OPEN_LEAD}
  from (
    (
      select *
      from leads
      where campaign_id = $1 and due_at is not null and provider_id is null
      order by due_at, id
      limit $2
    )
    union all
    select of_mailbox.*
    from unnest($3::uuid[]) as m(id)
    cross join lateral (
      select *
      from leads
      where campaign_id = $1 and due_at is not null and provider_id = m.id
      order by due_at, id
      limit $2
    ) as of_mailbox
  ) as l
  where ${IS_OPEN}
  order by l.due_at, l.id
  limit $2`)

/** The leads that have been due the longest, or will be due first. */
export const listFirstDue = (db: Db, campaignId: string, mailboxIds: string[], limit: number): Promise<OpenLead[]> =>
  db.many<OpenLead>(LIST_FIRST_DUE, [campaignId, limit, mailboxIds])

const FIND_OPEN_LEAD = sql(`
  select ${OPEN_LEAD}
  from leads l
  where l.id = $1 and ${IS_OPEN}`)

export const findOpenLead = (db: Db, leadId: string): Promise<OpenLead | undefined> => db.first<OpenLead>(FIND_OPEN_LEAD, [leadId])

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
const LIST_ENTRIES = sql(`
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
