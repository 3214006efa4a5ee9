import { createRequire } from 'node:module'
import type pg from 'pg'
import { MINUTE_MS } from '../lib/time.ts'
import { byCount } from './column-index.ts'
import {
  type Codes,
  departmentCodes,
  IMPORTED,
  industryCodes,
  isVerifiedCode,
  MAIL_CODES,
  type SmallColumn,
  seniorityCodes,
  sizeCodes,
} from './columns.ts'
import { CompanyStore } from './company-store.ts'
import { PlaceDictionary, TitleDictionary } from './dictionaries.ts'
import { hasDirectoryVersion, readChanges } from './feed.ts'
import type { BuildIndex } from './index-keeper.ts'
import type { DirectoryChanges, DirectoryVersion, ExportedIds, FacetCount, LeadPreview, PersonRow, Question } from './records.ts'
import { resolveFilter } from './resolve.ts'
import type { ColumnTest } from './scan.ts'

/** The part of a connection to ClickHouse that we use. */
export interface ClickHouse {
  query<R>(sql: string): Promise<R[]>
  insert(table: string, rows: object[]): Promise<void>
  run(sql: string): Promise<void>
  close(): Promise<void>
}

const INSERT_ROWS = 50_000
const COLUMNS =
  'id, status, type, seniority, department, country, industry, size, title_id, company_id, place_id, own_place, owner, deleted, version'

/**
 * The same search with the people in ClickHouse. A filter is resolved against the dictionaries exactly as for the columns in memory; the
 * resulting values and ids become plain SQL conditions.
 */
export class ClickHousePeople {
  readonly titles = new TitleDictionary()
  readonly places = new PlaceDictionary()
  readonly companies = new CompanyStore()
  readonly #clickhouse: ClickHouse
  readonly #table: string
  readonly #companyTable: string
  readonly #versionTable: string
  version = 0

  constructor(clickhouse: ClickHouse, prefix = 'overture_') {
    this.#clickhouse = clickhouse
    this.#table = `${prefix}people`
    this.#companyTable = `${prefix}companies`
    this.#versionTable = `${prefix}versions`
  }

  /** Creates missing tables. Returns the last version that was written completely, if there is one. */
  async open(): Promise<DirectoryVersion | undefined> {
    const word = 'LowCardinality(String)'
    await this.#clickhouse.run(`
      create table if not exists ${this.#table} (id UInt32, status ${word}, type ${word}, seniority ${word}, department ${word}, country ${word},
        industry ${word}, size ${word}, title_id UInt32, company_id UInt32, place_id UInt32, own_place UInt8, owner UInt32, deleted UInt8, version UInt64)
      engine = ReplacingMergeTree(version) order by id`)
    await this.#clickhouse.run(`
      create table if not exists ${this.#companyTable} (id UInt32, industry ${word}, size ${word}, country ${word}, place_id UInt32, version UInt64)
      engine = ReplacingMergeTree(version) order by id`)
    await this.#clickhouse.run(`
      create table if not exists ${this.#versionTable} (version UInt64, id String) engine = ReplacingMergeTree order by version`)
    const [row] = await this.#clickhouse.query<{ version: string | number; id: string }>(
      `select version, id from ${this.#versionTable} order by version desc limit 1`,
    )
    return row && { version: Number(row.version), id: row.id }
  }

  /** Deletes everything, and records the directory to which the tables belong from now on. */
  async clear(beginning: DirectoryVersion): Promise<void> {
    // The versions are deleted first, so that no process trusts half-empty tables.
    for (const table of [this.#versionTable, this.#table, this.#companyTable]) await this.#clickhouse.run(`truncate table ${table}`)
    await this.#clickhouse.insert(this.#versionTable, [beginning])
  }

  /**
   * `changedCompanies`: companies whose people must be rewritten because the tables hold old company values. Default: every company of the
   * changes.
   */
  async apply(
    changes: DirectoryChanges,
    { version, id: versionId }: DirectoryVersion,
    changedCompanies: readonly number[] = changes.companies.map(({ id }) => id),
  ): Promise<void> {
    for (const title of changes.titles) this.titles.add(title)
    for (const place of changes.places) this.places.add(place)
    for (const company of changes.companies) this.companies.set(company)
    await this.#refreshPeopleOf(changedCompanies, version)
    let rows: object[] = []
    for (const person of changes.people) {
      rows.push(this.#row(person, version))
      if (rows.length === INSERT_ROWS) {
        await this.#clickhouse.insert(this.#table, rows)
        rows = []
      }
    }
    for (const id of changes.deleted) rows.push({ id, deleted: 1, version })
    if (rows.length > 0) await this.#clickhouse.insert(this.#table, rows)
    // Written last: an interrupted write has no version, so it is repeated.
    await this.#clickhouse.insert(this.#versionTable, [{ version, id: versionId }])
    this.version = version
  }

  #row([id, mail, seniority, department, title, company, place, owner]: PersonRow, version: number): object {
    const { status, type } = MAIL_CODES[(mail - 1) % IMPORTED]!
    return {
      ...{ id, status, type: type ?? '' },
      seniority: seniorityCodes.value(seniority) ?? '',
      department: departmentCodes.value(department) ?? '',
      title_id: title,
      company_id: company,
      ...this.#valuesOfCompany(company),
      ...(place === 0 ? {} : this.#valuesOfPlace(place)),
      own_place: place === 0 ? 0 : 1,
      owner,
      deleted: 0,
      version,
    }
  }

  #valuesOfCompany(id: number) {
    return {
      industry: industryCodes.value(this.companies.industry.get(id)) ?? '',
      size: sizeCodes.value(this.companies.size.get(id)) ?? '',
      ...this.#valuesOfPlace(this.companies.place.get(id)),
    }
  }

  #valuesOfPlace(id: number) {
    return { country: this.places.records[id]?.country ?? '', place_id: id }
  }

  /** The rows of people contain values of their company, so they are rewritten when the company changes. */
  async #refreshPeopleOf(ids: readonly number[], version: number): Promise<void> {
    for (let start = 0; start < ids.length; start += INSERT_ROWS) {
      const some = ids.slice(start, start + INSERT_ROWS)
      const rows = some.map(id => ({ id, ...this.#valuesOfCompany(id), version }))
      await this.#clickhouse.insert(this.#companyTable, rows)
      await this.#clickhouse.run(`
        insert into ${this.#table} (${COLUMNS})
        select p.id, p.status, p.type, p.seniority, p.department, if(p.own_place = 1, p.country, c.country), c.industry, c.size, p.title_id, p.company_id,
          if(p.own_place = 1, p.place_id, c.place_id), p.own_place, p.owner, 0, ${version}
        from (select * from ${this.#table} final where deleted = 0 and company_id in (${some.join(',')})) as p
        inner join (select * from ${this.#companyTable} final where id in (${some.join(',')})) as c on c.id = p.company_id`)
    }
  }

  async preview(question: Question, withFacets: boolean): Promise<LeadPreview> {
    const counts = this.#clickhouse.query<{ matches: string | number; verified: string | number }>(`
      select (select count() from ${this.#matching(question)}) as matches, (select count() from ${this.#matching(question, true)}) as verified`)
    const facet = async (column: string): Promise<FacetCount[]> => {
      if (!withFacets) return []
      const rows = await this.#clickhouse.query<{ value: string; count: string | number }>(
        `select ${column} as value, count() as count from ${this.#matching(question)} group by value having value != ''`,
      )
      return rows.map(({ value, count }) => ({ value, count: Number(count) })).sort(byCount)
    }
    const [[row], industry, country, size, seniority] = await Promise.all([
      counts,
      facet('industry'),
      facet('country'),
      facet('size'),
      facet('seniority'),
    ])
    const facets = { industry, country, size, seniority }
    return { matchCount: Number(row!.matches), verifiedCount: Number(row!.verified), facets, version: this.version }
  }

  async exportIds(question: Question, limit: number): Promise<ExportedIds> {
    if (limit <= 0) return { ids: [], version: this.version }
    const rows = await this.#clickhouse.query<{ id: number }>(`select id from ${this.#matching(question)} order by id limit ${limit}`)
    return { ids: rows.map(({ id }) => Number(id)), version: this.version }
  }

  close(): Promise<void> {
    return this.#clickhouse.close()
  }

  /** A subquery for the people who match, or only for those with a verified address. */
  #matching(question: Question, withVerifiedAddress = false): string {
    const { filter, now, owner = 0, addresses } = question
    const tests = resolveFilter(filter, this, { now, owner, addresses, hasImported: false })
    const excluded = [...(question.excludeIds ?? [])]
    const conditions = [
      'deleted = 0',
      owner === 0 ? 'owner = 0' : `owner in (0, ${owner})`,
      ...(withVerifiedAddress ? ["status = 'verified'"] : []),
      ...tests.map(test => this.#condition(test, owner)),
      ...(excluded.length > 0 ? [`id not in (${excluded.join(',')})`] : []),
    ]
    const { maxPerCompany } = filter
    // Counts the first people of each company, in order of id. A person without a company counts as a company of their own.
    const limited =
      maxPerCompany === undefined ? '' : ` order by id limit ${maxPerCompany} by ${this.#companyOf(owner)}, if(company_id = 0, id, 0)`
    return `(select id, status, seniority, country, industry, size from ${this.#table} final where ${conditions.join(' and ')}${limited})`
  }

  /** The id by which a company is counted: a company that the workspace imported counts as the operator's record of the same company. */
  #companyOf(owner: number): string {
    const own: number[] = []
    for (let id = 1; owner > 0 && id < this.companies.count; id++)
      if (this.companies.owner.get(id) === owner && this.companies.twin.get(id) > 0) own.push(id)
    if (own.length === 0) return 'company_id'
    return `transform(company_id, [${own.join(',')}], [${own.map(id => this.companies.twin.get(id)).join(',')}], company_id)`
  }

  #condition({ column, table }: ColumnTest, owner: number): string {
    switch (column) {
      case 'owner':
        return '1'
      case 'title':
      case 'company':
      case 'place':
        return idCondition(`${column}_id`, table)
      case 'mail':
        return mailCondition(table, owner)
      default:
        return this.#valueCondition(column, table)
    }
  }

  #valueCondition(column: Exclude<SmallColumn, 'mail'>, table: Uint8Array): string {
    const codes: Record<typeof column, Codes> = {
      seniority: seniorityCodes,
      department: departmentCodes,
      industry: industryCodes,
      size: sizeCodes,
      country: this.places.countries,
    }
    const values = [...(table[0] === 1 ? [''] : []), ...codes[column].values.filter(value => table[codes[column].of(value)] === 1)]
    return values.length === 0 ? '0' : `${column} in (${values.map(value => `'${value}'`).join(',')})`
  }
}

/** Lists the values that match or those that do not, depending on which list is shorter. */
function idCondition(column: string, table: Uint8Array): string {
  const passing: number[] = []
  const failing: number[] = []
  for (let id = 0; id < table.length; id++) (table[id] === 1 ? passing : failing).push(id)
  if (passing.length === 0) return '0'
  if (failing.length === 0) return '1'
  return passing.length <= failing.length ? `${column} in (${passing.join(',')})` : `${column} not in (${failing.join(',')})`
}

/** The condition on the status of the address; for people whom the workspace imported it can differ. */
function mailCondition(table: Uint8Array, owner: number): string {
  const sold = pairsCondition(table.subarray(0, IMPORTED + 1))
  if (owner === 0) return sold
  const brought = pairsCondition(table.subarray(IMPORTED, IMPORTED * 2 + 1))
  return brought === sold ? sold : `((owner = 0 and ${sold}) or (owner = ${owner} and ${brought}))`
}

function pairsCondition(table: Uint8Array): string {
  const pairs = MAIL_CODES.filter(({ code }) => table[code] === 1)
  if (pairs.length === 0) return '0'
  const isEveryType = pairs.every(({ code }) => isVerifiedCode(code)) && pairs.length === 4
  return isEveryType
    ? `status = 'verified'`
    : `(status, type) in (${pairs.map(({ status, type }) => `('${status}','${type ?? ''}')`).join(',')})`
}

interface OfficialClient {
  query(options: { query: string; format: string }): Promise<{ json(): Promise<unknown> }>
  insert(options: { table: string; values: unknown[]; format: string }): Promise<unknown>
  command(options: { query: string }): Promise<unknown>
  close(): Promise<void>
}

const CLIENT = '@clickhouse/client'
/** Longer than the client's default of 30 seconds: rewriting the people of large companies takes minutes. */
const REQUEST_TIMEOUT_MS = 10 * MINUTE_MS
/** Turns the client's own logging off: it throws its errors, and we log those. */
const LOG_NOTHING = 127

/**
 * Connects with the official client. It is not a dependency, because most installations never need it; it is looked for in our packages and
 * in the folders of NODE_PATH.
 */
export function connectClickHouse(url: string): ClickHouse {
  const client = loadClient().createClient({
    url,
    application: 'overture',
    request_timeout: REQUEST_TIMEOUT_MS,
    log: { level: LOG_NOTHING },
    clickhouse_settings: {
      // Lists of ids in a query may be long.
      max_query_size: '268435456',
      max_ast_elements: '20000000',
      max_expanded_ast_elements: '20000000',
      // Keeps the connection alive while a long query sends no data.
      send_progress_in_http_headers: 1,
      http_headers_progress_interval_ms: '20000',
    },
  })
  return {
    query: async text => (await (await client.query({ query: text, format: 'JSONEachRow' })).json()) as never,
    insert: async (table, rows) => {
      await client.insert({ table, values: rows, format: 'JSONEachRow' })
    },
    run: async text => {
      await client.command({ query: text })
    },
    close: () => client.close(),
  }
}

function loadClient(): { createClient(options: object): OfficialClient } {
  const require = createRequire(import.meta.url)
  try {
    return require(CLIENT)
  } catch (error) {
    // Only a missing client gets this message: a broken client throws its own error.
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND' || !String(error).includes(`'${CLIENT}'`)) throw error
    throw new Error(`OVERTURE_CLICKHOUSE_URL is set, but the client of ClickHouse is not installed. Install it: npm install ${CLIENT}`)
  }
}

/**
 * For directories that do not fit into the memory of one machine: the people are in ClickHouse, the dictionaries in memory. Connects only when
 * the index is built, so that a missing client is reported as an error and tried again.
 */
export function buildInClickHouse(connect: () => ClickHouse): BuildIndex {
  let clickhouse: ClickHouse | undefined
  /** Reads the dictionaries completely, and of the people only those that ClickHouse does not have yet. */
  return async client => {
    clickhouse ??= connect()
    const people = new ClickHousePeople(clickhouse)
    let last = await people.open()
    if (!last || last.id === '' || !(await hasDirectoryVersion(client, last))) {
      last = await firstVersion(client)
      await people.clear(last)
    }
    const seen = last.version
    // When no version was written completely, a part of one may be in the tables. So the read does not start at 0, which would leave out
    // people who were erased since.
    const peopleVersion = seen === 0 ? -1 : seen
    const { changes, current } = await readChanges(client, { version: 0, titleCount: 1, placeCount: 1, peopleVersion })
    await people.apply(changes, current, await changedCompanies(client, seen, current.version))
    return people
  }
}

/** The first version of the directory: its id identifies the directory. */
async function firstVersion(client: pg.Client): Promise<DirectoryVersion> {
  const { rows } = await client.query('select 0 as version, id from directory_versions order by version limit 1')
  return rows[0] as DirectoryVersion
}

/**
 * Companies that changed after `seen`: their people have old company values even if they did not change themselves. A company that changes
 * after `current` comes with the next changes.
 */
async function changedCompanies(client: pg.Client, seen: number, current: number): Promise<number[]> {
  if (seen === 0 || seen >= current) return []
  const { rows } = await client.query('select id from companies where version > $1 and version <= $2 order by id', [seen, current])
  return rows.map(row => (row as { id: number }).id)
}
