import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Currency, DEPARTMENTS, EMAIL_STATUSES, EMAIL_TYPES, type EmployeeBucket, type FundingStage, SENIORITIES } from '#lead-terms'
import { departmentCodes, IMPORTED, mailCode, seniorityCodes } from './codes.ts'
import type { CompanyRecord, DirectoryChanges, DirectoryVersion, PersonRecord, PlaceRecord, SetRow, TitleRecord } from './records.ts'

/** The position of a follower. Titles and places are only ever added. */
export interface FeedPosition {
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
  person: SetRow
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

export async function readChanges(
  client: pg.ClientBase,
  since: FeedPosition,
): Promise<{ changes: DirectoryChanges; current: DirectoryVersion }> {
  const people = new PackedPeople()
  const changes: DirectoryChanges = { titles: [], places: [], companies: [], people, deleted: [] }
  const current = await streamDirectory(client, since, {
    title: record => changes.titles.push(record),
    place: record => changes.places.push(record),
    company: record => changes.companies.push(record),
    person: people.push,
    deleted: id => changes.deleted.push(id),
  })
  return { changes, current }
}

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
const TAB = 9

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

/** A row of a person has only numbers and known labels, so it is read byte by byte without creating strings. */
async function eachPerson(client: pg.ClientBase, since: number, sink: FeedSink): Promise<void> {
  const query = `
    select id, coalesce(title_id, 0), coalesce(company_id, 0), coalesce(place_id, 0), coalesce(owner, 0), deleted::int,
      email_status, coalesce(email_type, ''), coalesce(seniority, ''), coalesce(department, '')
    from people where version > ${since}${since === 0 ? ' and not deleted' : ''}`
  const cells = new Float64Array(10)
  await eachChunk(client, query, lines => {
    let field = 0
    let value = 0
    for (let at = 0; at < lines.length; at++) {
      const byte = lines[at]!
      if (byte !== TAB && byte !== NEWLINE) {
        value = field < 6 ? value * 10 + byte - 48 : nextHash(value, byte)
        continue
      }
      cells[field++] = value
      value = 0
      if (byte === TAB) continue
      field = 0
      if (cells[5] === 1) {
        sink.deleted(cells[0]!)
        continue
      }
      const owner = cells[4]!
      const mail = statusLabels.at(cells[6]!) + (cells[7] === 0 ? 0 : typeLabels.at(cells[7]!)) + (owner === 0 ? 0 : IMPORTED)
      const seniority = cells[8] === 0 ? 0 : seniorityLabels.at(cells[8]!)
      const department = cells[9] === 0 ? 0 : departmentLabels.at(cells[9]!)
      sink.person(cells[0]!, mail, seniority, department, cells[1]!, cells[2]!, cells[3]!, owner)
    }
  })
}

/** The position of each number in a packed row. */
const PACKED = { id: 0, mail: 1, seniority: 2, department: 3, title: 4, company: 5, place: 6, owner: 7 } as const
const PACKED_LENGTH = 8

/** People as rows of eight numbers. A catch-up over millions of people keeps them in this form until all are applied at once. */
class PackedPeople implements Iterable<PersonRecord> {
  #values = new Int32Array(PACKED_LENGTH * 1024)
  count = 0

  readonly push: SetRow = (id, mail, seniority, department, title, company, place, owner) => {
    const start = this.count++ * PACKED_LENGTH
    if (start + PACKED_LENGTH > this.#values.length) {
      const grown = new Int32Array(this.#values.length * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values.set([id, mail, seniority, department, title, company, place, owner], start)
  };

  *[Symbol.iterator](): Iterator<PersonRecord> {
    for (let index = 0; index < this.count; index++) {
      const row = this.#values.subarray(index * PACKED_LENGTH, (index + 1) * PACKED_LENGTH)
      const mail = (row[PACKED.mail]! - 1) % IMPORTED
      yield {
        id: row[PACKED.id]!,
        emailStatus: EMAIL_STATUSES[mail >> 2]!,
        emailType: EMAIL_TYPES[(mail & 3) - 1] ?? null,
        seniority: SENIORITIES[row[PACKED.seniority]! - 1] ?? null,
        department: DEPARTMENTS[row[PACKED.department]! - 1] ?? null,
        titleId: row[PACKED.title]!,
        companyId: row[PACKED.company]!,
        placeId: row[PACKED.place]!,
        owner: row[PACKED.owner]!,
      }
    }
  }
}

/** The code of a label by a hash of its bytes, so that reading a row creates no string. */
class LabelCodes {
  readonly #table: Uint8Array
  readonly #mask: number

  constructor(labels: readonly { label: string; code: number }[]) {
    for (let size = 256; ; size *= 2) {
      const table = new Uint8Array(size)
      const taken = new Set<number>()
      for (const { label, code } of labels) {
        const slot = hashBytes(Buffer.from(label)) & (size - 1)
        taken.add(slot)
        table[slot] = code
      }
      this.#table = table
      this.#mask = size - 1
      if (taken.size === labels.length) return
    }
  }

  /** `hash` comes from `hashBytes`. An unknown label can return any code, so the database must contain only known labels. */
  at(hash: number): number {
    return this.#table[hash & this.#mask]!
  }
}

const nextHash = (hash: number, byte: number): number => (Math.imul(hash, 31) + byte) >>> 0

function hashBytes(bytes: Uint8Array): number {
  let hash = 0
  for (const byte of bytes) hash = nextHash(hash, byte)
  return hash
}

const seniorityLabels = new LabelCodes(SENIORITIES.map(label => ({ label, code: seniorityCodes.of(label) })))
const departmentLabels = new LabelCodes(DEPARTMENTS.map(label => ({ label, code: departmentCodes.of(label) })))
const statusLabels = new LabelCodes(EMAIL_STATUSES.map(label => ({ label, code: mailCode(label, null) })))
const typeLabels = new LabelCodes(EMAIL_TYPES.map((label, index) => ({ label, code: index + 1 })))
