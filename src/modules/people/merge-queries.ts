import { copyInShortly } from '../../db/copy-in.ts'
import { fieldOf } from '../../db/fragments.ts'
import { ask } from '../../db/questions.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import { listsOf } from '../../lib/pick.ts'
import type { NewCompany, NewPerson } from './schema.ts'

// The lock of the directory keeps other imports out. So new rows can be identified first and copied directly into their table with the next
// ids; only changes to existing rows go through a staging table.

/** Keys are single lines without control characters, so they are sent as one text, which is cheaper than an array. */
export const UNIT = '\u001f'

/** One import: its version, the source of the records, and their owner. */
export interface MergeSource {
  version: number
  source: string
  now: Date
  /** 0 is the operator, any other number a workspace. */
  owner: number
}

/** The company of the directory for a requested one. */
export interface FoundCompany {
  id: number | null
  /** The company that has the domain. */
  domainOwner: number | null
}

// PostgreSQL reads an index once for a whole list, which takes half as long as looking up one name after the other. The subqueries hide the
// length of the lists from the planner: for a long one, it would read the whole table in every batch.
const FIND_COMPANIES = sql(`
  select match_key as name, id
  from companies
  where match_key = any((select string_to_array($1, e'\\x1f'))::text[]) and owner = $3
  union all
  select domain, company_id
  from company_domains
  where domain = any((select string_to_array($2, e'\\x1f'))::text[]) and owner = $3`)

/** By position. Companies of which neither the key nor the domain is known are left out. */
export async function findCompanies(db: Db, companies: readonly NewCompany[], owner: number): Promise<Map<number, FoundCompany>> {
  const keys = companies.map(company => company.matchKey)
  const domains = companies.flatMap(company => company.domain ?? [])
  const rows = await db.many<{ name: string; id: number }>(FIND_COMPANIES, [keys.join(UNIT), domains.join(UNIT), owner])
  // No domain looks like a key, because keys contain a colon.
  const ids = new Map(rows.map(({ name, id }) => [name, id]))
  const found = new Map<number, FoundCompany>()
  companies.forEach(({ matchKey, domain }, position) => {
    const id = ids.get(matchKey) ?? null
    const domainOwner = domain === null ? null : (ids.get(domain) ?? null)
    if (id !== null || domainOwner !== null) found.set(position, { id, domainOwner })
  })
  return found
}

export const lastCompanyId = sql(`
  select coalesce(max(id), 0) as id
  from companies`).value<number>()

/** A record to merge, and its company. */
export interface CompanyToMerge {
  id: number
  record: NewCompany
  placeId: number | null
}

const COMPANY_COLUMNS = `industry, employees, size, founded, revenue, revenue_currency, funding_stage, funding_total, funding_currency,
  funded_at, technologies, tags, description`
const COMPANY_FIELDS = COMPANY_COLUMNS.split(/,\s+/).map(fieldOf) as (keyof NewCompany)[]
const COMPANY_CELLS = `name, domain, place_id, ${COMPANY_COLUMNS}`

const companyCells = ({ id, record, placeId }: CompanyToMerge, name: string | null): Cell[] => {
  const cells: Cell[] = [id, name, record.domain, placeId]
  for (const field of COMPANY_FIELDS) cells.push(cellOf(record[field]))
  return cells
}

const cellOf = (value: unknown): Cell => (Array.isArray(value) ? arrayCell(value) : (value as Cell))

const arrayCell = (values: readonly string[]): string =>
  values.length === 0 ? '{}' : `{${values.map(value => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`

export const insertCompanies = (tx: Tx, companies: readonly CompanyToMerge[], { version, owner }: MergeSource): Promise<void> =>
  copyRows(
    tx,
    `copy companies (version, owner, match_key, id, ${COMPANY_CELLS}) from stdin`,
    companies,
    company => [company.record.matchKey, ...companyCells(company, company.record.name ?? company.record.domain)],
    [version, owner],
  )

/** Marks the records of workspaces whose company is new to the operator as changed, so that followers of the directory read them again. */
export const touchTwins = sql(`
  update companies c
  set version = $2
  from unnest($1::text[]) as n(match_key)
  where c.match_key = n.match_key
    and c.owner > 0
    and c.version < $2
    and exists (select from workspaces where owner_number is not null)`).run((companies: readonly CompanyToMerge[], version: number) => [
  companies.map(({ record }) => record.matchKey),
  version,
])

// Temporary tables are not logged and belong to the connection; the commit empties them.
const STAGE_COMPANIES = `
  create temp table if not exists stage_companies on commit delete rows as
  select id as company_id, ${COMPANY_CELLS} from companies with no data;
  truncate stage_companies`

/**
 * A record `s` over the stored row `o`: a value that is missing changes nothing, except where a column has a rule of its own. Most records
 * change nothing, and the join only sees those that do.
 */
function mergeOf(columns: string, rules: Readonly<Record<string, string>>) {
  const names = columns.split(/,\s+/)
  const of = (alias: string): string => names.map(name => `${alias}.${name}`).join(', ')
  return {
    set: names.map(name => `${name} = m.${name}`).join(', '),
    merged: `select ${names.map(name => `${rules[name] ?? `coalesce(s.${name}, o.${name})`} as ${name}`).join(', ')}`,
    isChanged: `(${of('o')}) is distinct from (${of('merged')})`,
  }
}

/** A new value comes with what belongs to it. */
const withIts = (value: string, column: string): string => `case when s.${value} is null then o.${column} else s.${column} end`
const unlessEmpty = (column: string): string => `case when s.${column} = '{}' then o.${column} else s.${column} end`

const COMPANY = mergeOf(`name, place_id, ${COMPANY_COLUMNS}`, {
  employees: 'case when s.size is null or (s.employees is null and s.size = o.size) then o.employees else s.employees end',
  revenue_currency: withIts('revenue', 'revenue_currency'),
  funding_currency: withIts('funding_total', 'funding_currency'),
  technologies: unlessEmpty('technologies'),
  tags: unlessEmpty('tags'),
})

// The limit makes PostgreSQL look up each company, as above.
const UPDATE_COMPANIES = sql(`
  update companies c
  set ${COMPANY.set}, version = $1
  from (
    select o.id, merged.*
    from stage_companies s
    cross join lateral (select * from companies where id = s.company_id limit 1) o
    cross join lateral (${COMPANY.merged}) merged
    where ${COMPANY.isChanged}
  ) m
  where c.id = m.id`)

/** Replaces the values of companies with those of the records. Returns the number of changed companies. */
export async function updateCompanies(tx: Tx, companies: readonly CompanyToMerge[], version: number): Promise<number> {
  // Several records of a batch can turn out to be one company. The last of them is used now, the others with the next import.
  const last = new Map(companies.map(company => [company.id, company]))
  await ask(tx.client, STAGE_COMPANIES)
  await copyRows(tx, `copy stage_companies (company_id, ${COMPANY_CELLS}) from stdin`, last.values(), company =>
    companyCells(company, company.record.name),
  )
  return tx.run(UPDATE_COMPANIES, [version])
}

export interface CompanyDomain {
  domain: string
  companyId: number
}

/** Adds domains that no company of the owner has yet. */
export const insertDomains = (tx: Tx, domains: readonly CompanyDomain[], owner: number): Promise<void> =>
  copyRows(tx, 'copy company_domains (owner, domain, company_id) from stdin', domains, ({ domain, companyId }) => [domain, companyId], [
    owner,
  ])

/** Moves domains that turn out to belong to another company. */
export const moveDomains = sql(`
  update company_domains d
  set company_id = n.company_id
  from unnest($1::text[], $2::int[]) as n(domain, company_id)
  where d.domain = n.domain and d.owner = $3`).run((domains: readonly CompanyDomain[], owner: number) => [
  ...listsOf(domains, 'domain', 'companyId'),
  owner,
])

/** Adds further domains that no company has yet. Returns the number of changed companies. */
export const addDomains = sql(`
  with added as (
    insert into company_domains (domain, company_id, owner)
    select domain, company_id, $4
    from unnest($1::text[], $2::int[]) as n(domain, company_id)
    on conflict (domain, owner) do nothing
    returning company_id
  )
  update companies
  set version = $3
  where id in (select company_id from added) and version < $3`).run(
  (domains: readonly CompanyDomain[], { version, owner }: MergeSource) => [...listsOf(domains, 'domain', 'companyId'), version, owner],
)

/** The people of the owner with these match keys, by position. */
export const findKnownPeople = sql(`
  select k.n::int - 1 as n, p.id
  from unnest(string_to_array($1, e'\\x1f')) with ordinality as k(match_key, n)
  cross join lateral (select id from people where match_key = k.match_key and owner = $2 limit 1) p`).map<
  number,
  number,
  [matchKeys: readonly string[], owner: number]
>((matchKeys, owner) => [matchKeys.join(UNIT), owner])

export const lastPersonId = sql(`
  select coalesce(max(id), 0) as id
  from people`).value<number>()

/** A record to merge, and its person. */
export interface PersonToMerge {
  id: number
  record: NewPerson
  titleId: number | null
  companyId: number | null
  placeId: number | null
}

const PERSON_COLUMNS = `email_status, email_type, last_verified_at, first_name, last_name, full_name, seniority, department, linkedin_url, phone`
const PERSON_FIELDS = PERSON_COLUMNS.split(', ').map(fieldOf) as (keyof NewPerson)[]
const PERSON_CELLS = `title_id, company_id, place_id, ${PERSON_COLUMNS}`

function personCells({ titleId, companyId, placeId }: PersonToMerge, record: NewPerson): Cell[] {
  const cells: Cell[] = [titleId, companyId, placeId]
  for (const field of PERSON_FIELDS) cells.push(record[field] as Cell)
  return cells
}

export const insertPeople = (tx: Tx, people: Iterable<PersonToMerge>, { version, source, now, owner }: MergeSource): Promise<void> =>
  copyRows(
    tx,
    `copy people (source, imported_at, version, owner, id, match_key, email, ${PERSON_CELLS}) from stdin`,
    people,
    person => {
      const { id, record } = person
      const { emailStatus, fullName } = record
      const whole = { ...record, emailStatus: emailStatus ?? 'unverified', fullName: fullName ?? wholeName(record) }
      return [id, record.matchKey, record.email, ...personCells(person, whole)]
    },
    [source, now.toISOString(), version, owner],
  )

function wholeName({ firstName, lastName }: NewPerson): string | null {
  if (firstName === null || lastName === null) return firstName ?? lastName
  return `${firstName} ${lastName}`
}

const STAGE_PEOPLE = `
  create temp table if not exists stage_people on commit delete rows as
  select id as person_id, ${PERSON_CELLS} from people with no data;
  truncate stage_people`

const PERSON = mergeOf(PERSON_CELLS, {
  full_name: `case
      when s.full_name is not null then s.full_name
      when s.first_name is null and s.last_name is null then o.full_name
      else concat_ws(' ', coalesce(s.first_name, o.first_name), coalesce(s.last_name, o.last_name))
    end`,
  seniority: 'coalesce(s.seniority, case when s.title_id is null then o.seniority end)',
  department: 'coalesce(s.department, case when s.title_id is null then o.department end)',
})

// The limit makes PostgreSQL look up each person: otherwise it would read the whole directory in every batch.
const UPDATE_PEOPLE = sql(`
  update people p
  set ${PERSON.set}, source = $2, imported_at = $3, version = $1
  from (
    select o.id, merged.*
    from stage_people s
    cross join lateral (select * from people where id = s.person_id limit 1) o
    cross join lateral (${PERSON.merged}) merged
    where ${PERSON.isChanged}
  ) m
  where p.id = m.id`)

/** Replaces known values with those of the records; the address keeps its first spelling. Returns the number of changed people. */
export async function updatePeople(tx: Tx, people: readonly PersonToMerge[], { version, source, now }: MergeSource): Promise<number> {
  await ask(tx.client, STAGE_PEOPLE)
  await copyRows(tx, `copy stage_people (person_id, ${PERSON_CELLS}) from stdin`, people, person => [
    person.id,
    ...personCells(person, person.record),
  ])
  return tx.run(UPDATE_PEOPLE, [version, source, now])
}

export type Cell = string | number | boolean | null

const SPECIAL = /[\\\n\r]/
const ALL_SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escaped = (value: Cell): Cell => (typeof value === 'string' ? value.replace(ALL_SPECIAL, character => ESCAPED[character]!) : value)

/**
 * Values in the text format of COPY, in which an empty value is null. They are scanned together, because special characters are rare.
 * A tab is not looked for: the texts of the directory have none, and PostgreSQL refuses a row with too many values.
 */
function lineOf(cells: readonly Cell[]): string {
  const line = cells.join('\t')
  return SPECIAL.test(line) ? cells.map(escaped).join('\t') : line
}

const CHUNK_LENGTH = 1 << 16

/**
 * Streams rows into a table, some tens of kilobytes at a time. `statement` is a complete `copy ... from stdin`, whose first columns are
 * `common`: the values that all rows have. No text may be empty.
 */
export async function copyRows<T>(
  tx: Pick<Tx, 'client'>,
  statement: string,
  rows: Iterable<T>,
  cellsOf: (row: T) => Cell[],
  common: readonly Cell[] = [],
): Promise<void> {
  const start = common.map(value => `${escaped(value) ?? ''}\t`).join('')
  function* chunks(): Generator<Buffer> {
    let lines: string[] = []
    let length = 0
    for (const row of rows) {
      const line = `${start}${lineOf(cellsOf(row))}\n`
      lines.push(line)
      length += line.length
      if (length < CHUNK_LENGTH) continue
      yield Buffer.from(lines.join(''))
      lines = []
      length = 0
    }
    if (length > 0) yield Buffer.from(lines.join(''))
  }
  await copyInShortly(tx, `${statement} (null '')`, chunks())
}

// ---- filling an empty directory ----

/** The rows are cells already, in the order of the columns. */
const filling = (statement: string) => (tx: Tx, rows: Iterable<Cell[]>) => copyRows(tx, statement, rows, cells => cells)

export const copyPlaces = filling('copy places (id, country, region, city, lat, lon) from stdin')
export const copyTitles = filling('copy titles (id, title) from stdin')
export const copyCompanies = filling(`
  copy companies (id, match_key, name, domain, industry, employees, size, place_id, founded, revenue, revenue_currency,
    funding_stage, funding_total, funding_currency, funded_at, technologies, tags, description, version)
  from stdin`)
export const copyDomains = filling('copy company_domains (domain, company_id) from stdin')
export const copyPeople = filling(`
  copy people (id, match_key, email, email_status, email_type, last_verified_at, first_name, last_name, full_name, title_id,
    seniority, department, company_id, place_id, linkedin_url, source, imported_at, version)
  from stdin`)

// Only the owner of a table can drop its indexes. When the service and the migrations use different roles, the indexes stay.
const LIST_INDEXES = sql(`
  select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i
  join pg_class t on t.oid = i.indrelid
  where i.indrelid = 'people'::regclass
    and pg_has_role(t.relowner, 'usage')
    and not exists (
      select from pg_constraint c
      where c.conindid = i.indexrelid
    )`)

/**
 * Fills the directory without its secondary indexes and builds them at the end, which takes a third of the time. No other transaction can read
 * people until the transaction ends, so this is only for the first start.
 */
export async function withoutIndexesOfPeople(tx: Tx, fill: () => Promise<void>): Promise<void> {
  const indexes = await tx.many<{ name: string; definition: string }>(LIST_INDEXES, [])
  for (const { name } of indexes) await ask(tx.client, `drop index ${name}`)
  await fill()
  for (const { definition } of indexes) await ask(tx.client, definition)
}
