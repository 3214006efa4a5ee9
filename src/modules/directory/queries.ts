import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { type Db, sql, type Tx } from '../../db/client.ts'
import type { NewCompany, NewPerson, NewPlace } from './person-input.ts'

// ---- versions ----

/** One import at a time, in every process: versions are committed in the order of their numbers. */
const LOCK_DIRECTORY = sql('select pg_advisory_xact_lock(7265002)')
const NEXT_VERSION = sql('select max(version)::int + 1 as version from directory_versions')

export async function lockDirectory(tx: Tx): Promise<number> {
  await tx.run(LOCK_DIRECTORY)
  return (await tx.first<{ version: number }>(NEXT_VERSION))!.version
}

const INSERT_VERSION = sql(`
  insert into directory_versions (version, source, inserted_count, updated_count, deleted_count, created_at) values ($1, $2, $3, $4, $5, $6)`)

export interface VersionRow {
  version: number
  source: string
  inserted: number
  updated: number
  deleted: number
  now: Date
}

export const insertVersion = (tx: Tx, row: VersionRow): Promise<number> =>
  tx.run(INSERT_VERSION, [row.version, row.source, row.inserted, row.updated, row.deleted, row.now])

// ---- dictionaries ----

const INSERT_TITLES = sql(`
  insert into titles (id, title)
  select (select coalesce(max(id), 0) from titles) + row_number() over (), n.title
  from unnest($1::text[]) as n(title) where not exists (select from titles t where t.title = n.title)`)
const LIST_TITLES = sql('select id, title from titles where title = any($1::text[])')

/** Ids of the titles; those that are new are given one. */
export async function ensureTitles(tx: Tx, titles: string[]): Promise<Map<string, number>> {
  if (titles.length === 0) return new Map()
  await tx.run(INSERT_TITLES, [titles])
  const rows = await tx.many<{ id: number; title: string }>(LIST_TITLES, [titles])
  return new Map(rows.map(row => [row.title, row.id]))
}

const INSERT_PLACES = sql(`
  insert into places (id, country, region, city, lat, lon)
  select (select coalesce(max(id), 0) from places) + row_number() over (), n.country, n.region, n.city, n.lat, n.lon
  from unnest($1::text[], $2::text[], $3::text[], $4::real[], $5::real[]) as n(country, region, city, lat, lon)
  where not exists (
    select from places p where p.country = n.country and coalesce(p.region, '') = coalesce(n.region, '') and coalesce(p.city, '') = coalesce(n.city, ''))`)
const LIST_PLACES = sql(`
  select p.id, p.country || '|' || coalesce(p.region, '') || '|' || coalesce(p.city, '') as key
  from unnest($1::text[], $2::text[], $3::text[]) as n(country, region, city)
  join places p on p.country = n.country and coalesce(p.region, '') = coalesce(n.region, '') and coalesce(p.city, '') = coalesce(n.city, '')`)

export async function ensurePlaces(tx: Tx, places: NewPlace[]): Promise<Map<string, number>> {
  if (places.length === 0) return new Map()
  const column = <K extends keyof NewPlace>(name: K) => places.map(place => place[name])
  const names = [column('country'), column('region'), column('city')]
  await tx.run(INSERT_PLACES, [...names, column('lat'), column('lon')])
  const rows = await tx.many<{ id: number; key: string }>(LIST_PLACES, names)
  return new Map(rows.map(row => [row.key, row.id]))
}

// ---- staging ----

// Temporary tables are not logged and belong to the connection; what one import leaves is gone with its commit.
const STAGE = `
  create temp table if not exists stage_companies (
    n integer, match_key text, by_website boolean, name text, domain text, industry text, employees integer, size text, place_id integer,
    founded smallint, revenue bigint, revenue_currency text, funding_stage text, funding_total bigint, funding_currency text, funded_at date,
    technologies text, tags text, description text, company_id integer, is_new boolean not null default false
  ) on commit delete rows;
  create temp table if not exists stage_people (
    n integer, match_key text, email text, email_status text, email_type text, last_verified_at timestamptz(3), first_name text,
    last_name text, full_name text, title_id integer, seniority text, department text, company_n integer, place_id integer,
    linkedin_url text, phone text, extra_domain text, person_id integer
  ) on commit delete rows;
  truncate stage_companies, stage_people`

export async function openStage(tx: Tx): Promise<void> {
  await tx.client.query(STAGE)
}

const SPECIAL = /[\\\t\n\r]/
const ALL_SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A value as the text form of COPY wants it. */
export function copyCell(value: string | number | boolean | null): string {
  if (value === null) return '\\N'
  if (typeof value !== 'string') return String(value)
  return SPECIAL.test(value) ? value.replace(ALL_SPECIAL, character => ESCAPED[character]!) : value
}

const CHUNK_ROWS = 500

/** Streams rows into a table, a few hundred lines at a time. */
export async function copyRows<T>(
  tx: Pick<Tx, 'client'>,
  target: string,
  rows: Iterable<T>,
  cellsOf: (row: T, index: number) => (string | number | boolean | null)[],
): Promise<void> {
  function* lines(): Generator<string> {
    let chunk = ''
    let index = 0
    for (const row of rows) {
      chunk += `${cellsOf(row, index++).map(copyCell).join('\t')}\n`
      if (index % CHUNK_ROWS === 0) {
        yield chunk
        chunk = ''
      }
    }
    if (chunk) yield chunk
  }
  await pipeline(
    Readable.from(lines(), { objectMode: false, highWaterMark: 1 << 18 }),
    tx.client.query(copyFrom(`copy ${target} from stdin`)),
  )
}

const UNIT = '\u001f'

export async function stageCompanies(tx: Tx, companies: NewCompany[], placeIds: ReadonlyMap<string, number>): Promise<void> {
  const target = `stage_companies (n, match_key, by_website, name, domain, industry, employees, size, place_id, founded, revenue,
    revenue_currency, funding_stage, funding_total, funding_currency, funded_at, technologies, tags, description)`
  await copyRows(tx, target, companies, (row, n) => [
    n,
    row.matchKey,
    row.isDomainOfWebsite,
    row.name,
    row.domain,
    row.industry,
    row.employees,
    row.size,
    row.place && placeIds.get(row.place.key)!,
    row.founded,
    row.revenue,
    row.revenueCurrency,
    row.fundingStage,
    row.fundingTotal,
    row.fundingCurrency,
    row.fundedAt,
    row.technologies.join(UNIT),
    row.tags.join(UNIT),
    row.description,
  ])
}

export interface PersonIds {
  titles: ReadonlyMap<string, number>
  places: ReadonlyMap<string, number>
  /** Position among the staged companies, by match key. */
  companies: ReadonlyMap<string, number>
}

export async function stagePeople(tx: Tx, people: NewPerson[], ids: PersonIds): Promise<void> {
  const target = `stage_people (n, match_key, email, email_status, email_type, last_verified_at, first_name, last_name, full_name, title_id,
    seniority, department, company_n, place_id, linkedin_url, phone, extra_domain)`
  await copyRows(tx, target, people, (row, n) => [
    n,
    row.matchKey,
    row.email,
    row.emailStatus,
    row.emailType,
    row.lastVerifiedAt,
    row.firstName,
    row.lastName,
    row.fullName,
    row.title === null ? null : ids.titles.get(row.title)!,
    row.seniority,
    row.department,
    row.company && ids.companies.get(row.company.matchKey)!,
    row.place && ids.places.get(row.place.key)!,
    row.linkedinUrl,
    row.phone,
    row.extraDomain,
  ])
}

// ---- merging companies ----

// A website names its company for certain. The domain of an address may be one that a company was seen with before.
// The limit makes PostgreSQL look each one up in the index: by its own count it would rather read the whole table, in
// every batch, and a directory of millions would be read hundreds of times.
const KNOWN_BY_KEY = sql(`
  update stage_companies s set company_id = k.id
  from (select t.n, c.id from stage_companies t cross join lateral (select id from companies where match_key = t.match_key limit 1) c) k
  where k.n = s.n`)
const KNOWN_BY_DOMAIN = sql(`
  update stage_companies s set company_id = k.company_id
  from (
    select t.n, d.company_id from stage_companies t
    cross join lateral (select company_id from company_domains where domain = t.domain limit 1) d
    where t.company_id is null and not t.by_website) k
  where k.n = s.n`)
const NUMBER_NEW = sql(`
  update stage_companies s set is_new = true, company_id = f.id
  from (select n, (select coalesce(max(id), 0) from companies) + row_number() over (order by n) as id from stage_companies where company_id is null) f
  where f.n = s.n`)
const INSERT_COMPANIES = sql(`
  insert into companies (id, match_key, name, domain, industry, employees, size, place_id, founded, revenue, revenue_currency, funding_stage,
    funding_total, funding_currency, funded_at, technologies, tags, description, version)
  select company_id, match_key, coalesce(name, domain), domain, industry, employees, size, place_id, founded, revenue, revenue_currency,
    funding_stage, funding_total, funding_currency, funded_at, string_to_array(technologies, e'\\x1f'), string_to_array(tags, e'\\x1f'),
    description, $1
  from stage_companies where is_new order by company_id`)

// Several rows of a batch may turn out to be one company; one of them speaks for it, the next import for the others.
const UPDATE_COMPANIES = sql(`
  update companies c set name = m.name, industry = m.industry, employees = m.employees, size = m.size, place_id = m.place_id,
    founded = m.founded, revenue = m.revenue, revenue_currency = m.revenue_currency, funding_stage = m.funding_stage,
    funding_total = m.funding_total, funding_currency = m.funding_currency, funded_at = m.funded_at, technologies = m.technologies,
    tags = m.tags, description = m.description, version = $1
  from (
    select distinct on (s.company_id) o.id, coalesce(s.name, o.name) as name, coalesce(s.industry, o.industry) as industry,
      case when s.size is null or (s.employees is null and s.size = o.size) then o.employees else s.employees end as employees,
      coalesce(s.size, o.size) as size, coalesce(s.place_id, o.place_id) as place_id, coalesce(s.founded, o.founded) as founded,
      coalesce(s.revenue, o.revenue) as revenue,
      case when s.revenue is null then o.revenue_currency else s.revenue_currency end as revenue_currency,
      coalesce(s.funding_stage, o.funding_stage) as funding_stage, coalesce(s.funding_total, o.funding_total) as funding_total,
      case when s.funding_total is null then o.funding_currency else s.funding_currency end as funding_currency,
      coalesce(s.funded_at, o.funded_at) as funded_at,
      case when s.technologies = '' then o.technologies else string_to_array(s.technologies, e'\\x1f') end as technologies,
      case when s.tags = '' then o.tags else string_to_array(s.tags, e'\\x1f') end as tags,
      coalesce(s.description, o.description) as description
    from stage_companies s join companies o on o.id = s.company_id where not s.is_new order by s.company_id, s.n desc) m
  where c.id = m.id and (c.name, c.industry, c.employees, c.size, c.place_id, c.founded, c.revenue, c.revenue_currency, c.funding_stage,
      c.funding_total, c.funding_currency, c.funded_at, c.technologies, c.tags, c.description)
    is distinct from (m.name, m.industry, m.employees, m.size, m.place_id, m.founded, m.revenue, m.revenue_currency, m.funding_stage,
      m.funding_total, m.funding_currency, m.funded_at, m.technologies, m.tags, m.description)`)

const CLAIM_WEBSITES = sql(`
  insert into company_domains (domain, company_id)
  select distinct on (domain) domain, company_id from stage_companies where domain is not null and (by_website or is_new) order by domain, by_website desc
  on conflict (domain) do update set company_id = excluded.company_id where company_domains.company_id <> excluded.company_id`)
const ADD_DOMAINS = sql(`
  with added as (
    insert into company_domains (domain, company_id)
    select distinct on (p.extra_domain) p.extra_domain, c.company_id
    from stage_people p join stage_companies c on c.n = p.company_n where p.extra_domain is not null order by p.extra_domain, p.n
    on conflict (domain) do nothing returning company_id)
  update companies set version = $1 where id in (select company_id from added) and version < $1`)

/** New and changed companies; every staged row knows its company afterwards. */
export async function mergeCompanies(tx: Tx, version: number): Promise<{ inserted: number; updated: number }> {
  await tx.run(KNOWN_BY_KEY)
  await tx.run(KNOWN_BY_DOMAIN)
  await tx.run(NUMBER_NEW)
  const inserted = await tx.run(INSERT_COMPANIES, [version])
  const updated = await tx.run(UPDATE_COMPANIES, [version])
  await tx.run(CLAIM_WEBSITES)
  const widened = await tx.run(ADD_DOMAINS, [version])
  return { inserted, updated: updated + widened }
}

// ---- merging people ----

const KNOWN_PEOPLE = sql(`
  update stage_people s set person_id = k.id
  from (select t.n, p.id from stage_people t cross join lateral (select id from people where match_key = t.match_key limit 1) p) k
  where k.n = s.n`)

const UPDATE_PEOPLE = sql(`
  update people p set email = m.email, email_status = m.email_status, email_type = m.email_type, last_verified_at = m.last_verified_at,
    first_name = m.first_name, last_name = m.last_name, full_name = m.full_name, title_id = m.title_id, seniority = m.seniority,
    department = m.department, company_id = m.company_id, place_id = m.place_id, linkedin_url = m.linkedin_url, phone = m.phone,
    source = $2, imported_at = $3, version = $1
  from (
    select o.id, o.email, coalesce(s.email_status, o.email_status) as email_status,
      coalesce(s.email_type, o.email_type) as email_type, coalesce(s.last_verified_at, o.last_verified_at) as last_verified_at,
      coalesce(s.first_name, o.first_name) as first_name, coalesce(s.last_name, o.last_name) as last_name,
      case when s.full_name is not null then s.full_name
        when s.first_name is null and s.last_name is null then o.full_name
        else concat_ws(' ', coalesce(s.first_name, o.first_name), coalesce(s.last_name, o.last_name)) end as full_name,
      coalesce(s.title_id, o.title_id) as title_id,
      coalesce(s.seniority, case when s.title_id is null then o.seniority end) as seniority,
      coalesce(s.department, case when s.title_id is null then o.department end) as department,
      coalesce(c.company_id, o.company_id) as company_id, coalesce(s.place_id, o.place_id) as place_id,
      coalesce(s.linkedin_url, o.linkedin_url) as linkedin_url, coalesce(s.phone, o.phone) as phone
    from stage_people s join people o on o.id = s.person_id left join stage_companies c on c.n = s.company_n
    where s.person_id is not null) m
  where p.id = m.id and (p.email, p.email_status, p.email_type, p.last_verified_at, p.first_name, p.last_name, p.full_name, p.title_id,
      p.seniority, p.department, p.company_id, p.place_id, p.linkedin_url, p.phone)
    is distinct from (m.email, m.email_status, m.email_type, m.last_verified_at, m.first_name, m.last_name, m.full_name, m.title_id,
      m.seniority, m.department, m.company_id, m.place_id, m.linkedin_url, m.phone)`)

const INSERT_PEOPLE = sql(`
  insert into people (id, match_key, email, email_status, email_type, last_verified_at, first_name, last_name, full_name, title_id, seniority,
    department, company_id, place_id, linkedin_url, phone, source, imported_at, version)
  select (select coalesce(max(id), 0) from people) + row_number() over (order by s.n), s.match_key, s.email,
    coalesce(s.email_status, 'unverified'), s.email_type, s.last_verified_at, s.first_name, s.last_name,
    coalesce(s.full_name, nullif(concat_ws(' ', s.first_name, s.last_name), '')), s.title_id, s.seniority, s.department, c.company_id, s.place_id, s.linkedin_url, s.phone, $2, $3, $1
  from stage_people s left join stage_companies c on c.n = s.company_n
  where s.person_id is null`)

export async function mergePeople(tx: Tx, version: number, source: string, now: Date): Promise<{ inserted: number; updated: number }> {
  const known = await tx.run(KNOWN_PEOPLE)
  const updated = known > 0 ? await tx.run(UPDATE_PEOPLE, [version, source, now]) : 0
  const inserted = await tx.run(INSERT_PEOPLE, [version, source, now])
  return { inserted, updated }
}

// The number stays taken, and everything that told about the person goes.
const ERASE = sql(`
  update people set match_key = '!' || id, email = null, email_status = 'missing', email_type = null, last_verified_at = null, first_name = null,
    last_name = null, full_name = null, title_id = null, seniority = null, department = null, company_id = null, place_id = null,
    linkedin_url = null, phone = null, source = 'erased', deleted = true, version = $2
  where match_key = any($1::text[]) and not deleted`)

export const erasePeopleByKey = (tx: Tx, keys: string[], version: number): Promise<number> => tx.run(ERASE, [keys, version])

// ---- reading ----

const COUNT = sql('select count(*)::int as count from people where not deleted')

export async function countPeople(db: Db): Promise<number> {
  return (await db.first<{ count: number }>(COUNT))!.count
}

/** A person as they are sold and shown. */
export interface PersonRow {
  id: number
  email: string | null
  emailStatus: string
  firstName: string | null
  lastName: string | null
  fullName: string | null
  jobTitle: string | null
  seniority: string | null
  department: string | null
  linkedinUrl: string | null
  phone: string | null
  city: string | null
  region: string | null
  country: string | null
  company: string | null
  companyDomain: string | null
  industry: string | null
  companySize: string | null
  companyCountry: string | null
  lastVerifiedAt: Date | null
}

const FIND_PEOPLE = sql(`
  select p.id, p.email, p.email_status as "emailStatus", p.first_name as "firstName", p.last_name as "lastName", p.full_name as "fullName",
    t.title as "jobTitle", p.seniority, p.department, p.linkedin_url as "linkedinUrl", p.phone, w.city, w.region, w.country,
    c.name as company, c.domain as "companyDomain", c.industry, c.size as "companySize", h.country as "companyCountry",
    p.last_verified_at as "lastVerifiedAt"
  from people p left join titles t on t.id = p.title_id left join companies c on c.id = p.company_id
    left join places h on h.id = c.place_id left join places w on w.id = coalesce(p.place_id, c.place_id)
  where p.id = any($1::int[]) and not p.deleted order by p.id`)

/** In ascending order of id; ids of people who are gone are missing. */
export const findPeople = (db: Db, ids: readonly number[]): Promise<PersonRow[]> => db.many<PersonRow>(FIND_PEOPLE, [ids])

// ---- where a file import stands ----

export interface ImportPosition {
  bytePosition: number
  rowCount: number
  insertedCount: number
  updatedCount: number
  rejectedCount: number
  rejectedBytes: number
  finished: boolean
}

const FIND_IMPORT = sql(`
  select byte_position as "bytePosition", row_count as "rowCount", inserted_count as "insertedCount", updated_count as "updatedCount",
    rejected_count as "rejectedCount", rejected_bytes as "rejectedBytes", finished
  from directory_imports where fingerprint = $1`)

export const findImport = (db: Db, fingerprint: string): Promise<ImportPosition | undefined> =>
  db.first<ImportPosition>(FIND_IMPORT, [fingerprint])

const SAVE_IMPORT = sql(`
  insert into directory_imports (fingerprint, file_name, byte_position, row_count, inserted_count, updated_count, rejected_count, rejected_bytes,
    finished, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (fingerprint) do update set byte_position = $3, row_count = $4, inserted_count = $5, updated_count = $6, rejected_count = $7,
    rejected_bytes = $8, finished = $9, updated_at = $10`)

export const saveImport = (tx: Tx, fingerprint: string, fileName: string, at: ImportPosition, now: Date): Promise<number> =>
  tx.run(SAVE_IMPORT, [
    fingerprint,
    fileName,
    at.bytePosition,
    at.rowCount,
    at.insertedCount,
    at.updatedCount,
    at.rejectedCount,
    at.rejectedBytes,
    at.finished,
    now,
  ])
