import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Currency, DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, type EmployeeBucket, type FundingStage, SENIORITIES } from '#lead-terms'
import { IMPORTED } from './columns.ts'
import type { CompanyRecord, DirectoryChanges, DirectoryVersion, PersonRow, PlaceRecord, TitleRecord } from './records.ts'

/** The position of a follower. Titles and places are only ever added. */
interface FeedPosition {
  version: number
  titleCount: number
  placeCount: number
  /** The version of the people, when it differs from the version of the rest. */
  peopleVersion?: number
}

export async function readDirectoryVersion(client: pg.ClientBase): Promise<DirectoryVersion> {
  const { rows } = await client.query('select version::int, id from directory_versions order by version desc limit 1')
  return rows[0] as DirectoryVersion
}

export async function hasDirectoryVersion(client: pg.ClientBase, { version, id }: DirectoryVersion): Promise<boolean> {
  const { rowCount } = await client.query('select from directory_versions where version = $1 and id = $2', [version, id])
  return rowCount === 1
}

interface FeedSink {
  title(record: TitleRecord): void
  place(record: PlaceRecord): void
  company(record: CompanyRecord): void
  person(...row: PersonRow): void
  deleted(id: number): void
}

/**
 * Streams all changes after `since` from one database snapshot into `sink`, and returns the version of the snapshot. It buffers no more
 * than one network chunk, whatever the size of the directory.
 */
export async function streamDirectory(client: pg.ClientBase, since: FeedPosition, sink: FeedSink): Promise<DirectoryVersion> {
  await client.query('begin transaction isolation level repeatable read read only')
  try {
    const current = await readDirectoryVersion(client)
    if (current.version > since.version) {
      const version = Math.floor(since.version)
      await eachRow(client, `select id, title from titles where id >= ${since.titleCount} order by id`, ([id, title]) =>
        sink.title({ id: Number(id), title: title! }),
      )
      await eachRow(client, `select id, country, region, city, lat, lon from places where id >= ${since.placeCount} order by id`, row =>
        sink.place(readPlace(row)),
      )
      await eachRow(client, companiesSince(version), row => sink.company(readCompany(row)))
      await eachPerson(client, Math.floor(since.peopleVersion ?? version), sink)
    }
    await client.query('commit')
    return current
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

export async function readChanges(client: pg.ClientBase, since: FeedPosition) {
  // In one list of numbers, because a catch-up over millions of people keeps them until all are applied at once.
  const packed: number[] = []
  const people: Iterable<PersonRow> = {
    *[Symbol.iterator]() {
      for (let at = 0; at < packed.length; at += PERSON_CELLS) yield packed.slice(at, at + PERSON_CELLS) as PersonRow
    },
  }
  const changes: DirectoryChanges = { titles: [], places: [], companies: [], people, deleted: [] }
  const current = await streamDirectory(client, since, {
    title: record => changes.titles.push(record),
    place: record => changes.places.push(record),
    company: record => changes.companies.push(record),
    person: (...cells) => packed.push(...cells),
    deleted: id => changes.deleted.push(id),
  })
  return { changes, current }
}

const PERSON_CELLS = 8
const UNIT = '\u001f'

const companiesSince = (version: number): string => `
  select c.id, c.name, d.domains, c.industry, c.employees, c.size, coalesce(c.place_id, 0), c.founded, c.revenue, c.revenue_currency,
    c.funding_stage, c.funding_total, c.funding_currency, c.funded_at, array_to_string(c.technologies, e'\\x1f'),
    array_to_string(c.tags, e'\\x1f'), c.description, c.owner,
    case when c.owner > 0 then coalesce((select o.id from companies o where o.match_key = c.match_key and o.owner = 0), 0) else 0 end
  from companies c left join ${
    version === 0
      ? "(select company_id, string_agg(domain, e'\\x1f') as domains from company_domains group by company_id) d on d.company_id = c.id"
      : "lateral (select string_agg(domain, e'\\x1f') as domains from company_domains where company_id = c.id) d on true"
  }
  where c.version > ${version} order by c.id`

type Cells = (string | null)[]

const list = (cell: string | null | undefined): string[] => (cell ? cell.split(UNIT) : [])
const number = (cell: string | null | undefined): number | null => (cell == null ? null : Number(cell))

function readPlace([id, country, region, city, lat, lon]: Cells): PlaceRecord {
  return { id: Number(id), country: country!, region: region ?? null, city: city ?? null, lat: number(lat), lon: number(lon) }
}

function readCompany(cells: Cells): CompanyRecord {
  return {
    id: Number(cells[0]),
    name: cells[1]!,
    domains: list(cells[2]),
    industry: cells[3] ?? null,
    employees: number(cells[4]),
    size: (cells[5] ?? null) as EmployeeBucket | null,
    placeId: Number(cells[6]),
    founded: number(cells[7]),
    revenue: number(cells[8]),
    revenueCurrency: (cells[9] ?? null) as Currency | null,
    fundingStage: (cells[10] ?? null) as FundingStage | null,
    fundingTotal: number(cells[11]),
    fundingCurrency: (cells[12] ?? null) as Currency | null,
    fundedAt: cells[13] ?? null,
    technologies: list(cells[14]),
    tags: list(cells[15]),
    description: cells[16] ?? null,
    owner: Number(cells[17]),
    twinId: Number(cells[18]),
  }
}

const NEWLINE = 10

/** Whole lines of a COPY, chunk by chunk. */
async function eachChunk(client: pg.ClientBase, query: string, take: (lines: Buffer) => void): Promise<void> {
  const stream = client.query(copyTo(`copy (${query}) to stdout`))
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end > 0) take(bytes.subarray(0, end))
    rest = bytes.subarray(end)
  }
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const readCell = (cell: string): string | null => {
  if (cell === '\\N') return null
  return cell.includes('\\') ? cell.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter) : cell
}

async function eachRow(client: pg.ClientBase, query: string, take: (cells: Cells) => void): Promise<void> {
  await eachChunk(client, query, lines => {
    for (const line of lines.toString('utf8').split('\n')) if (line !== '') take(line.split('\t').map(readCell))
  })
}

/** In SQL, the position of a value in a closed vocabulary, from 1; 0 when it is unknown. */
const codeIn = (values: readonly string[], column: string): string =>
  `coalesce(array_position('{${values.join(',')}}'::text[], ${column}), 0)`

/** PostgreSQL turns the labels into their codes, so a row has only numbers, and is read byte by byte without creating strings. */
async function eachPerson(client: pg.ClientBase, since: number, sink: FeedSink): Promise<void> {
  const mail = `4 * ${codeIn(EMAIL_STATUSES, 'email_status')} - 3 + ${codeIn(EMAIL_TYPES, 'email_type')}
    + case when owner > 0 then ${IMPORTED} else 0 end`
  const query = `
    select id, ${mail}, ${codeIn(SENIORITIES, 'seniority')}, ${codeIn(DEPARTMENTS, 'department')}, coalesce(title_id, 0),
      coalesce(company_id, 0), coalesce(place_id, 0), coalesce(owner, 0), deleted::int
    from people where version > ${since}${since === 0 ? ' and not deleted' : ''}`
  const cells = new Float64Array(9)
  await eachChunk(client, query, lines => {
    let field = 0
    let value = 0
    for (const byte of lines) {
      if (byte >= ZERO) {
        value = value * 10 + byte - ZERO
        continue
      }
      cells[field++] = value
      value = 0
      if (byte !== NEWLINE) continue
      field = 0
      const [id, mail, seniority, department, title, company, place, owner, deleted] = cells as unknown as PersonCells
      if (deleted === 1) sink.deleted(id)
      else sink.person(id, mail, seniority, department, title, company, place, owner)
    }
  })
}

const ZERO = 48
type PersonCells = [...PersonRow, deleted: number]
