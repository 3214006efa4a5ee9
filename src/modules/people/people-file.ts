import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, rm } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import { foldText, nearestWord } from '#lead-terms'
import type { Clock } from '../../lib/clock.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import { correctableRecord, originalCell } from '../../lib/csv.ts'
import { encodingOf, guessDelimiter, lineFeeder, RowCutter, readRow } from '../../lib/csv-stream.ts'
import { PERSON_HEADERS } from '../../lib/person-headers.ts'
import { withoutUnseen } from '../../lib/storable-text.ts'
import { withoutVerification } from './people.ts'
import { PERSON_FIELDS, type PersonField, type RawPerson, readPerson } from './person-input.ts'
import type { NewPerson } from './schema.ts'
import type { VerifyOptions } from './verify-people.ts'

const EDGE_BYTES = 65_536
/** A slice of long rows ends here, and a batch of them at the next one, so that neither the length of a row nor that of a file decides about the memory. */
const SLICE_BYTES = 256 * 1024
const BATCH_BYTES = 16 * 1024 * 1024

/** The properties of a file before its rows are read. */
interface FileHead {
  headers: string[]
  headerBytes: number
  delimiter: string
  /** Restores the original cell of a file of rejected rows. */
  original: (cell: string) => string
  /** Makes line feeds of what ends the lines. Each byte stays one byte. */
  withLineFeeds: (text: string) => string
  byteCount: number
  edges: Buffer
}

export async function readHead(file: string): Promise<FileHead> {
  const handle = await open(file).catch(error => {
    const { code } = error as NodeJS.ErrnoException
    throw wrongUsage(`${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`, 'use a file that exists')
  })
  try {
    const about = await handle.stat()
    if (!about.isFile()) throw wrongUsage(`${file} is not a file.`, 'use a CSV file')
    const { size } = about
    const start = await readAt(handle, 0, Math.min(size, EDGE_BYTES))
    const end = await readAt(handle, Math.max(0, size - EDGE_BYTES), Math.min(size, EDGE_BYTES))
    if (size > 0 && encodingOf(start) !== 'utf-8') throw wrongUsage(`${file} is UTF-16.`, 'save it as UTF-8')
    const beginning = start.toString('latin1')
    const withLineFeeds = lineFeeder(beginning)
    const [firstLine] = withLineFeeds(beginning).split('\n', 1) as [string]
    // The rows behind it would be taken for a part of the header.
    if (firstLine.length === EDGE_BYTES) throw wrongUsage(`The first line of ${file} is too long for a header.`, 'use a CSV file')
    const line = firstLine.replace(/^\xef\xbb\xbf/, '')
    const delimiter = guessDelimiter(line)
    const { cells, isUnclosed } = readRow(line, 0, delimiter, true)!
    if (isUnclosed) throw wrongUsage(`The first line of ${file} has a quote that is not closed there.`, 'write the header in one line')
    const written = cells.map(cell => cell.trim())
    const original = isMended(written) ? originalCell : (cell: string) => cell
    const headers = written.map(original)
    if (line.trim() === '') throw wrongUsage(`${file} is empty.`, 'use a CSV file with a header row')
    const headerBytes = firstLine.length === start.length ? size : firstLine.length + 1
    return { headers, headerBytes, delimiter, original, withLineFeeds, byteCount: size, edges: Buffer.concat([start, end]) }
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

/** Some rows that follow each other. */
interface CsvSlice {
  rows: string[][]
  /** The text of each row, to be read once more when its cells are gone. */
  lines: string[]
  /** Why a row could not be read, by its position among these rows. */
  problems: Map<number, string>
  /** The position after the last row. */
  bytePosition: number
}

/**
 * Reads a CSV file in slices, from the beginning of any row; long rows make a slice with fewer of them. RFC 4180, but tolerant: a quote inside an unquoted cell is a
 * quote, rows may be short or long, and empty lines are ignored. Bytes are read as one character each, so that positions are
 * exact whatever the encoding; cells that are not plain ASCII are decoded one by one. What ends the lines is known from the head of the
 * file.
 */
export async function* readCsv(
  file: string,
  delimiter: string,
  from: number,
  sliceRows: number,
  withLineFeeds = (text: string): string => text,
): AsyncGenerator<CsvSlice> {
  const cutter = new RowCutter(delimiter, 1)
  let bytesRead = from
  let slice: CsvSlice = { rows: [], lines: [], problems: new Map(), bytePosition: from }
  let sliceBytes = 0
  const take = function* (): Generator<CsvSlice> {
    const { text } = cutter
    for (let row = cutter.next(); row; row = cutter.next()) {
      if (row.problem !== null) slice.problems.set(slice.rows.length, row.problem)
      else if (row.cells.length === 1 && row.cells[0] === '') continue
      slice.rows.push(row.cells)
      const line = text.slice(row.start, row.end)
      // The end of the line would belong to the cell that is not closed.
      slice.lines.push(row.problem === null ? line : line.replace(/\r?\n$/, ''))
      sliceBytes += line.length
      if ((slice.rows.length < sliceRows && sliceBytes < SLICE_BYTES) || !cutter.isFresh) continue
      const bytePosition = bytesRead - text.length + row.end
      yield { ...slice, bytePosition }
      sliceBytes = 0
      slice = { rows: [], lines: [], problems: new Map(), bytePosition }
    }
  }
  for await (const chunk of createReadStream(file, { start: from, highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    bytesRead += chunk.length
    cutter.add(withLineFeeds(chunk.toString('latin1')), false)
    yield* take()
  }
  cutter.add('', true)
  yield* take()
  if (slice.rows.length > 0) yield { ...slice, bytePosition: bytesRead }
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
const SLICE_ROWS = 50

/** The first batch is small, and each one twice as large as the one before, so that the database gets something to do soon. */
const FIRST_ROWS = 1000

interface PeopleFile {
  file: string
  delimiter: string
  original: (cell: string) => string
  withLineFeeds: (text: string) => string
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
  /** The position after the last row. */
  bytePosition = 0
  readonly #file: Pick<PeopleFile, 'delimiter' | 'original'>
  readonly #rowsBefore: number

  constructor(file: Pick<PeopleFile, 'delimiter' | 'original'>, rowsBefore: number) {
    this.#file = file
    this.#rowsBefore = rowsBefore
  }

  rejectedRow(index: number, reason: string): Rejected {
    const { delimiter, original } = this.#file
    const row = readRow(this.lines[index]!, 0, delimiter, true)!.cells.map(original)
    return { row, rowNumber: this.#rowsBefore + index + 1, reason }
  }
}

/** Reads the people of a file, batch by batch, and checks their addresses when that was asked for. Counts values that cannot be read. */
export async function* prepareBatches(
  people: PeopleFile,
  from: { bytePosition: number; rowCount: number },
  unread: Partial<Record<PersonField, number>>,
): AsyncGenerator<PreparedBatch> {
  const { batchRows, delimiter, withLineFeeds } = people
  let rowsBefore = from.rowCount
  let rowsOfBatch = Math.min(FIRST_ROWS, batchRows)
  let batch = new PreparedBatch(people, rowsBefore)
  const addSlice = sliceReader(people, unread)
  for await (const slice of readCsv(people.file, delimiter, from.bytePosition, Math.min(SLICE_ROWS, batchRows), withLineFeeds)) {
    // The database merges the batch before at the same time, so its connection must get turns, too.
    await breathe()
    addSlice(batch, slice)
    if (batch.lines.length < rowsOfBatch && batch.lineBytes < BATCH_BYTES) continue
    yield await verified(batch, people)
    rowsBefore += batch.lines.length
    rowsOfBatch = Math.min(rowsOfBatch * 2, batchRows)
    batch = new PreparedBatch(people, rowsBefore)
  }
  if (batch.lines.length > 0) yield await verified(batch, people)
}

function sliceReader(
  { mapping, workspaceId, original }: PeopleFile,
  unread: Partial<Record<PersonField, number>>,
): (batch: PreparedBatch, slice: CsvSlice) => void {
  const fields = PERSON_FIELDS.filter(field => mapping.columns[field] !== undefined)
  const positions = fields.map(field => mapping.columns[field]!)
  const raw: RawPerson = {}
  return (batch, { rows, lines, problems, bytePosition }) => {
    batch.bytePosition = bytePosition
    for (let n = 0; n < rows.length; n++) {
      const row = rows[n]!
      const index = batch.lines.push(lines[n]!) - 1
      batch.lineBytes += lines[n]!.length
      const problem = problems.get(n)
      if (problem !== undefined) {
        batch.rejected.push(batch.rejectedRow(index, problem))
        continue
      }
      for (let at = 0; at < fields.length; at++) raw[fields[at]!] = original(row[positions[at]!] ?? '')
      const result = readPerson(raw)
      if ('rejected' in result) {
        batch.rejected.push(batch.rejectedRow(index, result.rejected))
        continue
      }
      for (const field of result.unread) unread[field] = (unread[field] ?? 0) + 1
      batch.people.push(workspaceId ? withoutVerification(result.person) : result.person)
      batch.indexes.push(index)
    }
  }
}

async function verified(batch: PreparedBatch, { verify, clock }: PeopleFile): Promise<PreparedBatch> {
  if (!verify) return batch
  const { people, indexes } = batch
  const { verifyPeople } = await import('./verify-people.ts')
  const verdicts = await verifyPeople(people, verify, clock.now())
  verdicts.forEach((reason, position) => {
    if (reason != null) batch.rejected.push(batch.rejectedRow(indexes[position]!, reason))
  })
  const isTaken = (_: unknown, position: number): boolean => verdicts[position] == null
  batch.people = people.filter(isTaken)
  batch.indexes = indexes.filter(isTaken)
  return batch
}
