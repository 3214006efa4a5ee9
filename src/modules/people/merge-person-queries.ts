import { ask, type Db, isTaken, sql, type Tx } from '../../db/client.ts'
import { copyRows } from './copy-queries.ts'
import { type MergeSource, UNIT } from './merge-queries.ts'
import type { NewPerson } from './schema.ts'

const FIND_KNOWN = sql(`
  select k.n::int - 1 as n, p.id
  from unnest(string_to_array($1, e'\\x1f')) with ordinality as k(match_key, n)
  cross join lateral (select id from people where match_key = k.match_key and owner = $2 limit 1) p`)

/** The people of the owner with these match keys, by position. */
export async function findKnownPeople(db: Db, matchKeys: readonly string[], owner: number): Promise<Map<number, number>> {
  const rows = await db.many<{ n: number; id: number }>(FIND_KNOWN, [matchKeys.join(UNIT), owner])
  return new Map(rows.map(({ n, id }) => [n, id]))
}

const LAST_PERSON = sql(`
  select coalesce(max(id), 0) as id
  from people`)

export const lastPersonId = async (db: Db): Promise<number> => (await db.first<{ id: number }>(LAST_PERSON))!.id

/** A record to merge, and its person. */
export interface PersonToMerge {
  id: number
  record: NewPerson
  titleId: number | null
  companyId: number | null
  placeId: number | null
}

const PERSON_CELLS = `email_status, email_type, last_verified_at, first_name, last_name, full_name, title_id, seniority, department, company_id,
  place_id, linkedin_url, phone`

export async function insertPeople(tx: Tx, people: Iterable<PersonToMerge>, { version, source, now, owner }: MergeSource): Promise<void> {
  await copyRows(
    tx,
    `copy people (source, imported_at, version, owner, id, match_key, email, ${PERSON_CELLS}) from stdin`,
    people,
    ({ id, record, titleId, companyId, placeId }) => [
      id,
      record.matchKey,
      record.email,
      record.emailStatus ?? 'unverified',
      record.emailType,
      record.lastVerifiedAt,
      record.firstName,
      record.lastName,
      record.fullName ?? wholeName(record),
      titleId,
      record.seniority,
      record.department,
      companyId,
      placeId,
      record.linkedinUrl,
      record.phone,
    ],
    [source, now.toISOString(), version, owner],
  )
}

/** True when a person could not be inserted, because the owner has somebody with this match key. */
export const isPersonKnown = (error: unknown): boolean => isTaken(error) && (error as { constraint?: unknown }).constraint === 'people_once'

function wholeName({ firstName, lastName }: NewPerson): string | null {
  if (firstName === null || lastName === null) return firstName ?? lastName
  return `${firstName} ${lastName}`
}

const STAGE_PEOPLE = `
  create temp table if not exists stage_people (
    person_id integer, email_status text, email_type text, last_verified_at timestamptz(3), first_name text, last_name text,
    full_name text, title_id integer, seniority text, department text, company_id integer, place_id integer, linkedin_url text, phone text
  ) on commit delete rows;
  truncate stage_people`

// The limit makes PostgreSQL look up each person: otherwise it would read the whole directory in every batch.
const UPDATE_PEOPLE = sql(`
  update people p
  set email_status = m.email_status, email_type = m.email_type, last_verified_at = m.last_verified_at,
    first_name = m.first_name, last_name = m.last_name, full_name = m.full_name, title_id = m.title_id,
    seniority = m.seniority, department = m.department, company_id = m.company_id, place_id = m.place_id,
    linkedin_url = m.linkedin_url, phone = m.phone, source = $2, imported_at = $3, version = $1
  from (
    select o.id, merged.*
    from stage_people s
    cross join lateral (select * from people where id = s.person_id limit 1) o
    cross join lateral (
      select coalesce(s.email_status, o.email_status) as email_status, coalesce(s.email_type, o.email_type) as email_type,
        coalesce(s.last_verified_at, o.last_verified_at) as last_verified_at,
        coalesce(s.first_name, o.first_name) as first_name, coalesce(s.last_name, o.last_name) as last_name,
        case
          when s.full_name is not null then s.full_name
          when s.first_name is null and s.last_name is null then o.full_name
          else concat_ws(' ', coalesce(s.first_name, o.first_name), coalesce(s.last_name, o.last_name))
        end as full_name,
        coalesce(s.title_id, o.title_id) as title_id,
        coalesce(s.seniority, case when s.title_id is null then o.seniority end) as seniority,
        coalesce(s.department, case when s.title_id is null then o.department end) as department,
        coalesce(s.company_id, o.company_id) as company_id, coalesce(s.place_id, o.place_id) as place_id,
        coalesce(s.linkedin_url, o.linkedin_url) as linkedin_url, coalesce(s.phone, o.phone) as phone
    ) merged
    where (
      o.email_status, o.email_type, o.last_verified_at, o.first_name, o.last_name, o.full_name, o.title_id,
      o.seniority, o.department, o.company_id, o.place_id, o.linkedin_url, o.phone
    ) is distinct from (
      merged.email_status, merged.email_type, merged.last_verified_at, merged.first_name, merged.last_name, merged.full_name,
      merged.title_id, merged.seniority, merged.department, merged.company_id, merged.place_id, merged.linkedin_url, merged.phone
    )
  ) m
  where p.id = m.id`)

/** Replaces known values with those of the records; the address keeps its first spelling. Returns the number of changed people. */
export async function updatePeople(tx: Tx, people: readonly PersonToMerge[], { version, source, now }: MergeSource): Promise<number> {
  await ask(tx.client, STAGE_PEOPLE)
  await copyRows(tx, `copy stage_people (person_id, ${PERSON_CELLS}) from stdin`, people, ({ id, record, titleId, companyId, placeId }) => [
    id,
    record.emailStatus,
    record.emailType,
    record.lastVerifiedAt,
    record.firstName,
    record.lastName,
    record.fullName,
    titleId,
    record.seniority,
    record.department,
    companyId,
    placeId,
    record.linkedinUrl,
    record.phone,
  ])
  return tx.run(UPDATE_PEOPLE, [version, source, now])
}
