import { columnsOf, fieldOf } from '../../db/fragments.ts'
import { sql, type Tx } from '../../db/sql.ts'
import { listsOf, valuesOf } from '../../lib/pick.ts'
import type { NewPerson, NewPlace } from './schema.ts'

// ---- versions ----

/** Allows one import at a time, across all processes: versions are committed in the order of their numbers. */
const LOCK_DIRECTORY = sql('select pg_advisory_xact_lock(7265002)')
const NEXT_VERSION = sql(`
  select max(version)::int + 1 as version
  from directory_versions`)

export async function lockDirectory(tx: Tx): Promise<number> {
  await tx.run(LOCK_DIRECTORY)
  return (await tx.first<{ version: number }>(NEXT_VERSION))!.version
}

/** The version of the directory, for code that keeps data derived from it. */
export const readDirectoryVersion = sql(`
  select max(version)::int as version
  from directory_versions`).value<number>()

/** Changes with each person whom the workspace imports, changes or erases, and with their companies. */
export const readOwnPeopleState = sql(`
  select concat_ws('/', count(*), max(p.version), max(c.version)) as state
  from people p
  left join companies c on c.id = p.company_id
  where p.owner > 0
    and p.owner = (select owner_number from workspaces where id = $1)`).value<string, [workspaceId: string]>()

interface VersionRow {
  version: number
  source: string
  inserted: number
  updated: number
  deleted: number
  now: Date
}

export const insertVersion = sql(`
  insert into directory_versions (version, source, inserted_count, updated_count, deleted_count, created_at)
  values ($1, $2, $3, $4, $5, $6)`).run((row: VersionRow) => valuesOf(row, 'version', 'source', 'inserted', 'updated', 'deleted', 'now'))

// ---- dictionaries ----

const INSERT_TITLES = sql(`
  insert into titles (id, title)
  select (select coalesce(max(id), 0) from titles) + row_number() over (), n.title
  from unnest($1::text[]) as n(title)
  returning id, title`)
interface TitleRow {
  id: number
  title: string
}

const LIST_TITLES = sql(`
  select id, title
  from titles
  where title = any($1::text[])`)

/** The ids of the titles; new titles are added. The directory must be locked. */
export async function ensureTitles(tx: Tx, titles: string[]): Promise<Map<string, number>> {
  if (titles.length === 0) return new Map()
  const known = await tx.many<TitleRow>(LIST_TITLES, [titles])
  const ids = new Map(known.map(row => [row.title, row.id]))
  const missing = titles.filter(title => !ids.has(title))
  const added = missing.length === 0 ? [] : await tx.many<TitleRow>(INSERT_TITLES, [missing])
  for (const row of added) ids.set(row.title, row.id)
  return ids
}

const INSERT_PLACES = sql(`
  insert into places (id, country, region, city, lat, lon)
  select (select coalesce(max(id), 0) from places) + row_number() over (), n.country, n.region, n.city, n.lat, n.lon
  from unnest($1::text[], $2::text[], $3::text[], $4::real[], $5::real[]) as n(country, region, city, lat, lon)
  where not exists (
    select from places p
    where p.country = n.country
      and coalesce(p.region, '') = coalesce(n.region, '')
      and coalesce(p.city, '') = coalesce(n.city, '')
  )`)
const LIST_PLACES = sql(`
  select p.id, p.country || '|' || coalesce(p.region, '') || '|' || coalesce(p.city, '') as key
  from unnest($1::text[], $2::text[], $3::text[]) as n(country, region, city)
  join places p on p.country = n.country and coalesce(p.region, '') = coalesce(n.region, '') and coalesce(p.city, '') = coalesce(n.city, '')`)

export async function ensurePlaces(tx: Tx, places: NewPlace[]): Promise<Map<string, number>> {
  if (places.length === 0) return new Map()
  const names = listsOf(places, 'country', 'region', 'city')
  await tx.run(INSERT_PLACES, [...names, ...listsOf(places, 'lat', 'lon')])
  const rows = await tx.many<{ id: number; key: string }>(LIST_PLACES, names)
  return new Map(rows.map(row => [row.key, row.id]))
}

// ---- erasing ----

// The id is never used again, and all personal data is removed.
/** Erases people of one owner, or of all. */
export const erasePeopleByKey = sql(`
  update people
  set match_key = '!' || id, email = null, email_status = 'missing', email_type = null, last_verified_at = null,
    first_name = null, last_name = null, full_name = null, title_id = null, seniority = null, department = null,
    company_id = null, place_id = null, linkedin_url = null, phone = null, source = 'erased', owner = null,
    deleted = true, version = $2
  where match_key = any($1::text[]) and ($3::int is null or owner = $3) and not deleted`).run<
  [keys: string[], version: number, owner: number | null]
>()

// ---- people who must not come back ----

export const insertErased = sql(`
  insert into erased_people (email_hash, erased_at)
  select hash, $2
  from unnest($1::bytea[]) as n(hash)
  on conflict do nothing`).run<[hashes: Buffer[], now: Date]>()

/** Whether the operator or this workspace has erased a person. */
export const isAnybodyErased = sql(`
  select exists (select from erased_people) or exists (select from suppressions where workspace_id = $1 and reason = 'erased') as found`).value<
  boolean,
  [workspaceId: string | null]
>()

/** The positions of erased people in the input. */
export const findErased = sql(`
  select asked.n::int - 1 as n
  from unnest($1::bytea[]) with ordinality as asked(hash, n)
  where exists (select from erased_people e where e.email_hash = asked.hash) or exists (
    select from suppressions s
    where s.workspace_id = $2 and s.kind = 'email' and s.hash = asked.hash and s.reason = 'erased'
  )`).column<number, [hashes: Buffer[], workspaceId: string | null]>()

// ---- reading ----

/** A person as sold and shown. */
interface PersonRow extends Pick<NewPerson, 'email' | 'firstName' | 'lastName' | 'fullName' | 'phone'> {
  id: number
  emailStatus: string
  jobTitle: string | null
  seniority: string | null
  department: string | null
  city: string | null
  country: string | null
  company: string | null
  industry: string | null
  companySize: string | null
}

/** In the requested order, without people who no longer exist. */
export const findPeople = sql(`
  select p.id, p.email, p.email_status as "emailStatus", p.first_name as "firstName", p.last_name as "lastName",
    p.full_name as "fullName", t.title as "jobTitle", p.seniority, p.department, p.phone, w.city, w.country, c.name as company, c.industry,
    c.size as "companySize"
  from unnest($1::int[]) with ordinality as asked(id, n)
  cross join lateral (select * from people where id = asked.id and not deleted limit 1) p
  left join titles t on t.id = p.title_id
  left join companies c on c.id = p.company_id
  left join places w on w.id = coalesce(p.place_id, c.place_id)
  order by asked.n`).many<PersonRow, [ids: readonly number[]]>()

const WITHOUT_WAITING = sql("select set_config('synchronous_commit', 'off', true)")

/** The commit does not wait for the disk. A crash of the server loses only whole transactions, the latest first. */
export const commitWithoutWaiting = (tx: Tx): Promise<number> => tx.run(WITHOUT_WAITING)

export interface ImportPosition {
  rowCount: number
  insertedCount: number
  updatedCount: number
  rejectedCount: number
  rejectedBytes: number
  finished: boolean
}

const POSITION = 'row_count, inserted_count, updated_count, rejected_count, rejected_bytes, finished'
const POSITION_FIELDS = POSITION.split(', ').map(fieldOf) as (keyof ImportPosition)[]

export const findImport = sql(`
  select ${columnsOf(POSITION)}
  from directory_imports
  where fingerprint = $1`).first<ImportPosition, [fingerprint: string]>()

export const saveImport = sql(`
  insert into directory_imports (fingerprint, file_name, updated_at, ${POSITION})
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (fingerprint) do update
  set (updated_at, ${POSITION}) = row($3, $4, $5, $6, $7, $8, $9)`).run(
  (fingerprint: string, fileName: string, at: ImportPosition, now: Date) => [
    ...[fingerprint, fileName, now],
    ...valuesOf(at, ...POSITION_FIELDS),
  ],
)
