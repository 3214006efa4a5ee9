import { type Db, sql } from '../../db/client.ts'
import { among, intArray } from '../../db/fragments.ts'
import { LOST } from './exclusion-queries.ts'
import type { SamplePerson } from './schema.ts'

// PostgreSQL reads the index once for all ids, in their order: a look-up of each id would take more than twice as long. Everybody comes back
// in three texts: for tens of thousands of people, rows and arrays would take longer to take apart than to find.
const FIND_ADDRESSES = sql(`
  select coalesce(string_agg(id::text, ','), '') as ids,
    coalesce(string_agg(email, e'\\x1f'), '') as emails,
    coalesce(string_agg(case when owner > 0 then '1' else '0' end, ''), '') as owns
  from people p
  where id = any($1::int[])
    and position(e'\\x1f' in email) = 0
    and not deleted
    and owner in (0, $2)
    and (email_status = 'verified' or ($3 and owner > 0))
    and (
      case when owner = 0 and $2 > 0
      then (select own.id from people own where own.match_key = p.match_key and own.owner = $2 limit 1) is null
      else true
      end
    )`)

interface FoundAddress {
  email: string
  isOwn: boolean
}

/**
 * The people who can be delivered now, by their ids: those with a verified address, and with `anyOwn` the workspace's own with any address.
 * When both have a record of a person, the workspace's own.
 */
export async function findAddresses(
  db: Db,
  personIds: readonly number[],
  owner: number,
  anyOwn: boolean,
): Promise<Map<number, FoundAddress>> {
  const found = (await db.first<{ ids: string; emails: string; owns: string }>(FIND_ADDRESSES, [intArray(personIds), owner, anyOwn]))!
  const emails = found.emails.split('\u001f')
  const ids = found.ids === '' ? [] : found.ids.split(',')
  return new Map(ids.map((id, index) => [Number(id), { email: emails[index]!, isOwn: found.owns[index] === '1' }]))
}

const HAS_UNWANTED = sql(`
  select exists (select from suppressions where workspace_id = $1) as suppressed,
    exists (select from leads where workspace_id = $1 and status ${among(LOST)}) as lost`)

/** Whether the workspace excludes anybody at all. Most workspaces do not, and need no further lookup. */
export const hasUnwanted = async (db: Db, workspaceId: string): Promise<{ suppressed: boolean; lost: boolean }> =>
  (await db.first<{ suppressed: boolean; lost: boolean }>(HAS_UNWANTED, [workspaceId]))!

const FIND_UNWANTED = sql(`
  select lower(l.email) as email
  from leads l
  where l.workspace_id = $1
    and lower(l.email) = any($2::text[])
    and (l.status ${among(LOST)} or l.campaign_id = $3)`)

/** Of these addresses, in lower case, those that are lost to the workspace or in the campaign already. */
export async function findUnwanted(db: Db, workspaceId: string, emails: string[], campaignId: string | null): Promise<Set<string>> {
  const rows = await db.many<{ email: string }>(FIND_UNWANTED, [workspaceId, emails, campaignId])
  return new Set(rows.map(row => row.email))
}

const FIND_OWNED_HASHES = sql(`
  select asked.n::int - 1 as n
  from unnest($2::bytea[]) with ordinality as asked(hash, n)
  join workspace_people w on w.workspace_id = $1 and w.email_hash = asked.hash`)

/** The positions of addresses that the workspace has bought before. */
export async function findOwnedHashes(db: Db, workspaceId: string, hashes: Buffer[]): Promise<Set<number>> {
  const rows = await db.many<{ n: number }>(FIND_OWNED_HASHES, [workspaceId, hashes])
  return new Set(rows.map(row => row.n))
}

const LIST_SAMPLE = sql(`
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
  order by asked.n`)

/** The fields of these people that are visible before the purchase. */
export const listSample = (db: Db, personIds: number[]): Promise<SamplePerson[]> => db.many<SamplePerson>(LIST_SAMPLE, [personIds])
