import { type Db, sql, type Tx } from '../../db/client.ts'
import { among } from '../../db/fragments.ts'
import { OPEN_STATUSES } from '../leads/schema.ts'

// How the other campaigns of a workspace affect a lead. Everything is found by an index: the address, its hash,
// or the hash of its domain.

/** A message that has left, or may have. What is only claimed has not. */
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

const ANSWERED = ['replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed'] as const
/** A sequence in such a campaign goes on, or may. */
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
      where o.workspace_id = a.workspace_id and o.domain_hash = a.domain_hash and o.status ${among(ANSWERED)} and o.id <> a.id
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
const LOCK_CONTACTS = sql(`
  select pg_advisory_xact_lock(7265025, number)
  from (
    select distinct (hashtextextended(key, 0) & 1023)::int as number
    from unnest($1::text[]) as key
    order by number
  ) as numbers`)

/** Until the commit, no other transaction can mark a message to these people or companies as leaving. */
export const lockContacts = (tx: Tx, keys: string[]): Promise<number> => tx.run(LOCK_CONTACTS, [keys])
