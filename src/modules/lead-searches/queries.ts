import { among, intArray } from '../../db/fragments.ts'
import { type Db, type ReadSql, sql } from '../../db/sql.ts'
import { readReleases } from '../leads/queries.ts'
import { ANSWERED_STATUSES } from '../leads/schema.ts'
import { readOwnPeopleState } from '../people/queries.ts'
import type { SamplePerson } from './schema.ts'

/** The lead statuses of people who must not be emailed again. */
const LOST = ['bounced', 'unsubscribed'] as const

// PostgreSQL reads the index once for all ids, in their order: a lookup of each id would take more than twice as long.
/**
 * The people who can be delivered now, by their ids: those with a verified address, and with `anyOwn` the workspace's own with any address.
 * When both have a record of a person, the workspace's own.
 */
export const listAddresses = sql(`
  select id, email, owner > 0 as "isOwn"
  from people p
  where id = any($1::int[])
    and not deleted
    and email is not null
    and owner in (0, $2)
    and (email_status = 'verified' or ($3 and owner > 0))
    and (
      case when owner = 0 and $2 > 0
      then (select own.id from people own where own.match_key = p.match_key and own.owner = $2 limit 1) is null
      else true
      end
    )`).many<{ id: number; email: string; isOwn: boolean }, [personIds: readonly number[], owner: number, anyOwn: boolean]>(
  (personIds, owner, anyOwn) => [intArray(personIds), owner, anyOwn],
)

/** Whether the workspace excludes any people. Most workspaces do not, and need no further lookup. */
export const hasUnwanted = sql(`
  select exists (select from suppressions where workspace_id = $1) as suppressed,
    exists (select from leads where workspace_id = $1 and status ${among(LOST)}) as lost`).one<
  { suppressed: boolean; lost: boolean },
  [workspaceId: string]
>()

/** Of these addresses, in lower case, those that are lost to the workspace or in the campaign already. */
export const findUnwanted = sql(`
  select lower(l.email) as email
  from leads l
  where l.workspace_id = $1
    and lower(l.email) = any($2::text[])
    and (l.status ${among(LOST)} or l.campaign_id = $3)`).set<string, [workspaceId: string, emails: string[], campaignId: string | null]>()

/** The positions of addresses that the workspace has bought before. */
export const findOwnedHashes = sql(`
  select asked.n::int - 1 as n
  from unnest($2::bytea[]) with ordinality as asked(hash, n)
  join workspace_people w on w.workspace_id = $1 and w.email_hash = asked.hash`).set<number, [workspaceId: string, hashes: Buffer[]]>()

/** The fields of these people that are visible before the purchase. */
export const listSample = sql(`
  select t.title as "jobTitle",
    p.seniority,
    c.industry,
    c.size as "companySize",
    place.country,
    place.city
  from unnest($1::int[]) with ordinality as asked(id, n)
  join people p on p.id = asked.id and not p.deleted
  left join titles t on t.id = p.title_id
  left join companies c on c.id = p.company_id
  left join places place on place.id = coalesce(nullif(p.place_id, 0), c.place_id)
  order by asked.n`).many<SamplePerson, [personIds: number[]]>()

// The ids of the people whom a search excludes. Every statement starts with the rows of the workspace and looks each of them up in the
// directory. The limits make PostgreSQL do this: otherwise it would read the whole directory of millions for each preview. Only people of
// the operator and of the workspace count.

/** At most two records: the operator's and the workspace's own. */
const personOf = (key: string): string => `
  cross join lateral (
    select id from people where match_key = ${key} and (owner = 0 or owner = $2) limit 2) p`

// The ids are returned as one text, because reading hundreds of thousands of rows takes longer than finding them.
const listOf = (statement: string): ReadSql =>
  sql(`
  select string_agg(id::text, ',') as ids
  from (${statement}) as found`)

/**
 * All people in the directory whom this workspace must not email. People who are recognized only by the keyed hash of a suppression are
 * excluded later, when their address is known.
 */
const BARRED = listOf(`
  select p.id
  from suppressions s ${personOf('s.value')}
  where s.workspace_id = $1 and s.kind = 'email'
  union
  select p.id
  from suppressions s
  cross join lateral (
    select id
    from people
    where split_part(match_key, '@', 2) = s.value and email is not null and (owner = 0 or owner = $2)
    offset 0
  ) p
  where s.workspace_id = $1 and s.kind = 'domain'
  union
  select p.id
  from leads l ${personOf('lower(l.email)')}
  where l.workspace_id = $1 and l.status ${among(LOST)}`)

/** The operator's records of people for whom the workspace has its own record, which is used instead. */
const SHADOWED = listOf(`
  select p.id
  from people own
  cross join lateral (select id from people where match_key = own.match_key and owner = 0 limit 1) p
  where own.owner = $2 and own.owner > 0 and not own.deleted and $1::uuid is not null`)

const BOUGHT = listOf(`
  select person_id as id
  from workspace_people
  where workspace_id = $1 and $2::int is not null`)

const IN_ANY_CAMPAIGN = listOf(`
  select p.id
  from leads l ${personOf('lower(l.email)')}
  where l.workspace_id = $1`)

const IN_CAMPAIGN = listOf(`
  select p.id
  from leads l ${personOf('lower(l.email)')}
  where l.workspace_id = $1 and l.campaign_id = $3`)

const CONTACTED = listOf(`
  select p.id
  from leads l ${personOf('lower(l.email)')}
  where l.workspace_id = $1 and l.email_sent`)

const REPLIED = listOf(`
  select p.id
  from leads l ${personOf('lower(l.email)')}
  where l.workspace_id = $1
    and array_append(l.reached, l.status)
      && '{${ANSWERED_STATUSES.join(',')}}'`)

const CONTACTED_SINCE = listOf(`
  select p.id
  from events e
  left join leads l on l.id = e.lead_id ${personOf("lower(coalesce(l.email, e.data->>'email'))")}
  where e.workspace_id = $1 and e.type = 'email.sent' and e.timestamp >= $3
  union
  -- What the log does not reach back to is found by the messages themselves, as long as their lead is there.
  select p.id
  from leads l ${personOf('lower(l.email)')}
  where l.workspace_id = $1
    and l.email_sent
    and exists (select from event_horizons h where h.workspace_id = $1 and h.gone_before > $3)
    and exists (select from sends s where s.lead_id = l.id and s.sent_at >= $3)`)

/** All of them by name, so that a test can check their query plans. */
export const EXCLUSIONS = {
  barred: BARRED,
  shadowed: SHADOWED,
  bought: BOUGHT,
  inAnyCampaign: IN_ANY_CAMPAIGN,
  inCampaign: IN_CAMPAIGN,
  contacted: CONTACTED,
  replied: REPLIED,
  contactedSince: CONTACTED_SINCE,
}

export type Exclusion = keyof typeof EXCLUSIONS

/** A workspace, and its number as an owner of people. */
export interface Searcher {
  workspaceId: string
  owner: number
}

/** `more`: the campaign of `inCampaign`, the moment of `contactedSince`. */
export async function listExcludedBy(db: Db, reason: Exclusion, { workspaceId, owner }: Searcher, ...more: (string | Date)[]) {
  const row = await db.first<{ ids: string | null }>(EXCLUSIONS[reason], [workspaceId, owner, ...more])
  return row?.ids ? row.ids.split(',').map(Number) : []
}

// ---- what has changed since ----

/** A text that changes when leads, suppressions or lost leads come or go, and with each event of some types. */
const fingerprintOf = (fingerprint: string): ReadSql =>
  sql(`
  select concat_ws(' ', (${fingerprint}), (
    select max(last.seq)
    from unnest($2::text[]) as asked(type)
    cross join lateral (select seq from events where workspace_id = $1 and events.type = asked.type order by seq desc limit 1) as last
  )) as fingerprint`)

// Each campaign counts its leads. Moving a lead from one to another changes both counts.
const LEADS = `
    select count(*) || ' ' || coalesce(sum(hashtext(c.id::text)::bigint * c.total_leads), 0)
    from campaigns c
    where c.workspace_id = $1`

const SUPPRESSED_AND_LOST = `
    select count(*) || ' ' || count(s.value) || ' ' || coalesce(max(s.created_at)::text, '') || ' ' || (
      select count(*)
      from leads l
      where l.workspace_id = $1 and l.status ${among(LOST)})
    from suppressions s
    where s.workspace_id = $1`

const FINGERPRINTS: Partial<Record<Exclusion, ReadSql>> = {
  barred: fingerprintOf(SUPPRESSED_AND_LOST),
  inAnyCampaign: fingerprintOf(LEADS),
  contacted: fingerprintOf(LEADS),
  replied: fingerprintOf(LEADS),
}
const ALWAYS_THE_SAME = fingerprintOf("select ''")

export async function findFingerprint(db: Db, reason: Exclusion, workspaceId: string, types: readonly string[]): Promise<string> {
  return (await db.first<{ fingerprint: string }>(FINGERPRINTS[reason] ?? ALWAYS_THE_SAME, [workspaceId, types]))!.fingerprint
}

/** Changes when a purchase could add a person whom it could not add before, besides those who are new in the lead directory. */
export const readAddableState = async (db: Db, workspaceId: string): Promise<string> =>
  `${await readOwnPeopleState(db, workspaceId)} ${await readReleases(db, workspaceId, null)}`
