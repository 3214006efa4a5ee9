import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, rm } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import { foldText, nearestWord } from '#lead-terms'
import type { Clock } from '../../lib/clock.ts'
import { unreadable, wrongUsage } from '../../lib/command-failure.ts'
import { correctableRecord, originalCell } from '../../lib/csv.ts'
import { type CsvRow, openCsv, readRow, SWALLOWED, swallowsRows } from '../../lib/csv-stream.ts'
import { isEmail } from '../../lib/email.ts'
import { PERSON_HEADERS } from '../../lib/person-headers.ts'
import { withoutUnseen } from '../../lib/storable-text.ts'
import { withoutVerification } from './people.ts'
import { PERSON_FIELDS, type PersonField, type RawPerson, readPerson } from './person-input.ts'
import type { NewPerson } from './schema.ts'
import type { VerifyOptions } from './verify-people.ts'

const EDGE_BYTES = 65_536
/** A batch of long rows ends here, so that the length of a row does not decide about the memory. */
const BATCH_BYTES = 16 * 1024 * 1024

/** The properties of a file before its rows are read. */
interface FileHead {
  headers: string[]
  /** Restores the original cell of a file of rejected rows. */
  original: (cell: string) => string
  byteCount: number
  edges: Buffer
}

export async function readHead(file: string): Promise<FileHead> {
  const handle = await open(file).catch(error => {
    throw unreadable(file, error, 'use a file that exists')
  })
  try {
    const about = await handle.stat()
    if (!about.isFile()) throw wrongUsage(`${file} is not a file.`, 'use a CSV file')
    const { size } = about
    const start = await readAt(handle, 0, Math.min(size, EDGE_BYTES))
    const end = await readAt(handle, Math.max(0, size - EDGE_BYTES), Math.min(size, EDGE_BYTES))
    const stream = createReadStream(file)
    const csv = await openCsv(stream)
    stream.destroy()
    if (!csv) throw wrongUsage(`${file} is empty.`, 'use a CSV file with a header row')
    if (csv.headerProblem !== null) throw wrongUsage(`The header of ${file} cannot be read: ${csv.headerProblem}.`, 'correct it')
    const original = isMended(csv.header) ? originalCell : (cell: string) => cell
    return { headers: csv.header.map(original), original, byteCount: size, edges: Buffer.concat([start, end]) }
  } finally {
    await handle.close()
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** The same file with another mapping or owner is another import. */
export function fingerprintOf(head: FileHead, mapping: ColumnMapping, workspaceId: string | undefined): string {
  return createHash('sha256')
    .update(head.edges)
    .update(JSON.stringify([head.byteCount, mapping.columns, ...(workspaceId ? [workspaceId] : [])]))
    .digest('base64url')
}

export interface Rejected {
  row: string[]
  rowNumber: number
  reason: string
}

/** The columns that a file of rejected rows ends with. */
const OUR_HEADERS = ['row', 'reason']

/** Whether this is a corrected file of rejected rows. */
const isMended = (headers: readonly string[]): boolean =>
  OUR_HEADERS.every((name, position) => headers.at(position - OUR_HEADERS.length) === name)

/** The file of an earlier import may have been corrected and not imported yet, so only an import that continues writes into it. */
export async function nameRejectFile(file: string, continues: boolean): Promise<string> {
  let last: string | undefined
  for (let count = 1; ; count++) {
    const name = `${file.replace(/\.csv$/i, '')}.rejected${count === 1 ? '' : `-${count}`}.csv`
    const isTaken = await lstat(name).then(
      () => true,
      () => false,
    )
    if (!isTaken) return continues && last !== undefined ? last : name
    last = name
  }
}

/** Rejected rows with their reasons, to be corrected and imported again. A spreadsheet would run no cell of it. */
export class RejectFile {
  readonly #path: string
  readonly #headers: readonly string[]
  #handle: FileHandle | undefined
  #bytes = 0

  constructor(path: string, headers: readonly string[]) {
    this.#path = path
    // The row number and the reason in a corrected file are those of the previous import.
    this.#headers = isMended(headers) ? headers.slice(0, -OUR_HEADERS.length) : headers
  }

  async open(bytes: number): Promise<void> {
    const { O_WRONLY, O_APPEND, O_NOFOLLOW, O_CREAT, O_EXCL } = constants
    // The rows are personal data, so only their owner may read them.
    this.#handle = await open(this.#path, O_WRONLY | O_APPEND | O_NOFOLLOW | (bytes === 0 ? O_CREAT | O_EXCL : 0), 0o600)
    await this.rewind(bytes)
  }

  /** Removes the rows after the last commit, because they will be written again. */
  async rewind(bytes: number): Promise<void> {
    await this.#handle!.truncate(bytes)
    this.#bytes = bytes
  }

  async append(rejected: readonly Rejected[]): Promise<number> {
    if (rejected.length === 0) return this.#bytes
    const lines = rejected.map(({ row, rowNumber, reason }) =>
      correctableRecord([...this.#headers.map((_, index) => row[index] ?? ''), String(rowNumber), reason]),
    )
    if (this.#bytes === 0) lines.unshift(correctableRecord([...this.#headers, ...OUR_HEADERS]))
    const text = Buffer.from(lines.join(''))
    await this.#handle!.appendFile(text)
    this.#bytes += text.length
    return this.#bytes
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    if (this.#bytes === 0) await rm(this.#path, { force: true })
  }
}

const HELP = 'overture help server'

// The names of the fields in files. The field's own name always matches.
const HEADERS: Partial<Record<PersonField, string>> = {
  ...PERSON_HEADERS,
  lastName: `${PERSON_HEADERS.lastName}, nom`,
  fullName: `${PERSON_HEADERS.fullName}, name`,
  jobTitle: `${PERSON_HEADERS.jobTitle}, titel`,
  emailStatus: 'email status, status, verification status, email verification, verification, deliverability',
  lastVerifiedAt: 'last verified, last verified at, verified at, email verified at',
  seniority: 'seniority, level, seniority level, management level',
  department: 'department, departments, function, job function, abteilung',
  location: 'location, person location, contact location, address, standort',
  city: 'city, person city, contact city, town, stadt, ort, ville, ciudad',
  region: 'state, region, province, person state, contact state, bundesland, county',
  country: 'country, person country, contact country, land, pays, pais',
  linkedinUrl: 'linkedin, linkedin url, person linkedin url, linkedin profile, profile url',
  phone: 'phone, phone number, telephone, mobile, mobile phone, direct phone, telefon, telephone number',
  companyDomain: 'website, company website, company domain, domain, web, url, company url, homepage, webseite, organization website',
  industry: 'industry, company industry, sector, branche, secteur',
  employees:
    'employees, company size, size, number of employees, employee count, headcount, company headcount, employees count, num employees, company employees, mitarbeiter, mitarbeiterzahl, effectif, empleados',
  companyLocation: 'company location, headquarters, hq, hq location, company address, company headquarters, hauptsitz',
  companyCity: 'company city, hq city',
  companyRegion: 'company state, company region, hq state',
  companyCountry: 'company country, hq country',
  founded: 'founded, founded year, year founded, founding year, grundungsjahr',
  revenue: 'revenue, annual revenue, company revenue, umsatz, turnover',
  fundingStage: 'funding stage, latest funding, last funding type, latest funding stage, last round',
  fundingTotal: 'total funding, funding total, funding, total funding amount',
  fundedAt: 'last funded at, latest funding date, last raised at, last funding date, funded at',
  technologies: 'technologies, tech stack, technology, tools',
  tags: 'keywords, tags, company keywords, specialties, specialities',
  companyDescription: 'company description, description, about, short description, company about',
}

const fieldByHeader = new Map<string, PersonField>()
for (const field of PERSON_FIELDS) {
  fieldByHeader.set(plain(field.replace(/[A-Z]/g, letter => ` ${letter}`)), field)
  for (const name of HEADERS[field]?.split(', ') ?? []) if (!fieldByHeader.has(plain(name))) fieldByHeader.set(plain(name), field)
}

function plain(header: string): string {
  return foldText(header.replace(/([a-z])([A-Z])/g, '$1 $2')).replaceAll(' ', '')
}

interface ColumnMapping {
  /** For each field, the position of its column. */
  columns: Partial<Record<PersonField, number>>
  /** Headers that match no field. */
  unused: string[]
}

/** Guesses which column is what; `overrides` (`email=Mail`) win over the guess, and `email=` leaves a field out. */
export function mapColumns(headers: readonly string[], overrides: readonly string[] = []): ColumnMapping {
  const columns: Partial<Record<PersonField, number>> = {}
  headers.forEach((header, position) => {
    const field = fieldByHeader.get(plain(header))
    if (field !== undefined && columns[field] === undefined) columns[field] = position
  })
  for (const override of overrides) {
    const equals = override.indexOf('=')
    const name = override.slice(0, equals)
    const header = override.slice(equals + 1)
    if (equals < 1) throw wrongUsage(`--map needs field=Header, as in --map email=Mail; got ${JSON.stringify(override)}`, HELP)
    const field = PERSON_FIELDS.find(known => known.toLowerCase() === name.toLowerCase())
    if (!field) throw wrongUsage(`There is no field ${JSON.stringify(name)}${suggest(name)}. Fields: ${PERSON_FIELDS.join(', ')}`, HELP)
    if (header === '') {
      delete columns[field]
      continue
    }
    const position = headers.findIndex(known => known === header || plain(known) === plain(header))
    if (position === -1) throw wrongUsage(`The file has no column ${JSON.stringify(header)}. Columns: ${headers.join(', ')}`, HELP)
    for (const other of PERSON_FIELDS) if (columns[other] === position) delete columns[other]
    columns[field] = position
  }
  const isNamed = columns.fullName !== undefined || columns.firstName !== undefined || columns.lastName !== undefined
  if (columns.email === undefined && !(isNamed && (columns.company !== undefined || columns.companyDomain !== undefined))) {
    throw wrongUsage(
      `No column looks like an email address. Name it: --map email="${headers[0] ?? 'Mail'}". Columns: ${headers.join(', ')}`,
      HELP,
    )
  }
  const used = new Set(Object.values(columns))
  return { columns, unused: headers.filter((_, position) => !used.has(position)) }
}

function suggest(name: string): string {
  const near = nearestWord(name, PERSON_FIELDS)
  return near ? ` (did you mean ${near}?)` : ''
}

/** The mapping as text for people. */
export function describeMapping(headers: readonly string[], { columns, unused }: ColumnMapping): string {
  const width = Math.max(...headers.map(header => header.length), 6)
  const lines = (Object.entries(columns) as [PersonField, number][])
    .sort((a, b) => a[1] - b[1])
    .map(([field, position]) => `  ${headers[position]!.padEnd(width)}  ->  ${field}`)
  if (unused.length > 0) lines.push(`  left out: ${unused.join(', ')}`)
  // A terminal would obey some characters in the names.
  return withoutUnseen(lines.join('\n'))
}

/** The number of rows that are read before other work gets a turn: a millisecond or so. */
const ROWS_AT_ONCE = 50

/** The first batch is small, and each one twice as large as the one before, so that the database gets something to do soon. */
const FIRST_ROWS = 1000

interface PeopleFile {
  file: string
  original: (cell: string) => string
  mapping: ColumnMapping
  batchRows: number
  clock: Clock
  verify?: VerifyOptions
  workspaceId?: string
}

/** Some rows of a file, ready to be merged. Cells would cost the garbage collector too much, so they are not kept. */
export class PreparedBatch {
  people: NewPerson[] = []
  /** The row of each person. */
  indexes: number[] = []
  readonly rejected: Rejected[] = []
  readonly lines: string[] = []
  lineBytes = 0
  /** How much of the file had been read for it. */
  bytePosition = 0
  readonly #original: (cell: string) => string
  readonly #delimiter: string
  readonly #rowsBefore: number

  constructor({ original }: PeopleFile, delimiter: string, rowsBefore: number) {
    this.#original = original
    this.#delimiter = delimiter
    this.#rowsBefore = rowsBefore
  }

  /** Returns the position of the row. */
  add({ text, problem }: CsvRow): number {
    this.lineBytes += text.length
    // The end of the line would belong to the cell that is not closed.
    return this.lines.push(problem === null ? text : text.replace(/\r?\n$/, '')) - 1
  }

  reject(index: number, reason: string): void {
    this.rejected.push(this.rejectedRow(index, reason))
  }

  rejectedRow(index: number, reason: string): Rejected {
    const row = readRow(this.lines[index]!, 0, this.#delimiter, true)!.cells.map(this.#original)
    return { row, rowNumber: this.#rowsBefore + index + 1, reason }
  }
}

/**
 * Reads the people of a file after the rows that are done, batch by batch, and checks their addresses when that was asked for. Counts values
 * that cannot be read.
 */
export async function* prepareBatches(
  people: PeopleFile,
  rowsDone: number,
  unread: Partial<Record<PersonField, number>>,
): AsyncGenerator<PreparedBatch> {
  const { file, batchRows } = people
  let bytesRead = 0
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
      bytesRead += piece.length
      yield piece
    }
  }
  const csv = (await openCsv(pieces()))!
  const addRow = rowReader(people, csv.delimiter, unread)
  let rowCount = 0
  let rowsOfBatch = Math.min(FIRST_ROWS, batchRows)
  let batch = new PreparedBatch(people, csv.delimiter, rowsDone)
  const finished = (): Promise<PreparedBatch> => {
    batch.bytePosition = bytesRead
    return verified(batch, people)
  }
  for await (const row of csv.rows) {
    // The database merges the batch before at the same time, so its connection must get turns, too.
    if (++rowCount % ROWS_AT_ONCE === 0) await breathe()
    if (rowCount <= rowsDone) continue
    addRow(batch, row)
    if (batch.lines.length < rowsOfBatch && batch.lineBytes < BATCH_BYTES) continue
    yield await finished()
    rowsOfBatch = Math.min(rowsOfBatch * 2, batchRows)
    batch = new PreparedBatch(people, csv.delimiter, rowCount)
  }
  if (batch.lines.length > 0) yield await finished()
}

function rowReader({ mapping, workspaceId, original }: PeopleFile, delimiter: string, unread: Partial<Record<PersonField, number>>) {
  const fields = PERSON_FIELDS.filter(field => mapping.columns[field] !== undefined)
  const positions = fields.map(field => mapping.columns[field]!)
  const raw: RawPerson = {}
  const { email } = mapping.columns
  const swallows = ({ text, cells }: CsvRow): boolean =>
    email !== undefined && text.trimEnd().includes('\n') && swallowsRows(cells, delimiter, email, isEmail)
  return (batch: PreparedBatch, row: CsvRow): void => {
    const index = batch.add(row)
    for (let at = 0; at < fields.length; at++) raw[fields[at]!] = original(row.cells[positions[at]!] ?? '')
    const problem = row.problem ?? (swallows(row) ? SWALLOWED : null)
    const result = problem === null ? readPerson(raw) : { rejected: problem }
    if ('rejected' in result) {
      batch.reject(index, result.rejected)
      return
    }
    for (const field of result.unread) unread[field] = (unread[field] ?? 0) + 1
    batch.people.push(workspaceId ? withoutVerification(result.person) : result.person)
    batch.indexes.push(index)
  }
}

async function verified(batch: PreparedBatch, { verify, clock }: PeopleFile): Promise<PreparedBatch> {
  if (!verify) return batch
  const { people, indexes } = batch
  const { verifyPeople } = await import('./verify-people.ts')
  const verdicts = await verifyPeople(people, verify, clock.now())
  verdicts.forEach((reason, position) => {
    if (reason != null) batch.reject(indexes[position]!, reason)
  })
  const isTaken = (_: unknown, position: number): boolean => verdicts[position] == null
  batch.people = people.filter(isTaken)
  batch.indexes = indexes.filter(isTaken)
  return batch
}
