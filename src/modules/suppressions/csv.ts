import { foldText } from '#lead-terms'
import { openCsv, SWALLOWED, swallowsRows } from '../../lib/csv-stream.ts'
import { invalid } from '../../lib/errors.ts'
import { PERSON_HEADERS } from '../../lib/person-headers.ts'
import { storableText } from '../../lib/storable-text.ts'
import { problemOf } from './suppressions.ts'

/** All rows are one transaction, and messages to these addresses wait for it. */
const MOST_ROWS = 20_000

const fold = (header: string): string => foldText(header).replaceAll(' ', '')
const namesOf = (list: string): Set<string> => new Set(list.split(', ').map(fold))

const ADDRESSES = namesOf(PERSON_HEADERS.email)
const OTHER_VALUES = namesOf(
  'value, address, recipient, blocked, domain, domains, domain name, company domain, website, wert, adresse, empfanger, gesperrt, domane, domaene, webseite, valeur, destinataire, domaine, site web, valor, direccion, destinatario, dominio, sitio web',
)
const REASONS = namesOf('reason, why, note, grund, notiz, raison, motif, motivo, razon, nota')

const MOST_REASON_CHARACTERS = 255

interface Remark {
  line: number
  reason: string
}

interface ReadSuppressions {
  listed: { line: number; value: string; reason: string | undefined }[]
  /** Rows that could not be read. */
  rejected: Remark[]
  warnings: Remark[]
}

/** The addresses and domains of a file: from the columns with these names or, in a file without headers, from the column where the first line has one. */
export async function readSuppressions(pieces: AsyncIterable<Uint8Array>): Promise<ReadSuppressions> {
  const csv = await openCsv(pieces)
  if (!csv) throw invalid('body', '', 'empty', 'is an empty file')
  if (csv.headerProblem) throw invalid('body', '', 'header', `has a first line that cannot be read: ${csv.headerProblem}`)
  const header = csv.header.map(fold)
  const named = [...positionsOf(header, ADDRESSES), ...positionsOf(header, OTHER_VALUES)]
  const columns = named.length > 0 ? named : csv.header.flatMap((cell, position) => (isValue(cell) ? [position] : [])).slice(0, 1)
  if (columns.length === 0)
    throw invalid('body', '', 'columns', `needs a column email, domain or value; it has ${csv.header.join(', ').slice(0, 200)}`)
  const [reasonColumn] = positionsOf(header, REASONS)
  const read: ReadSuppressions = { listed: [], rejected: [], warnings: [] }
  const add = (line: number, cells: readonly string[]): void => {
    const found = columns.map(column => (cells[column]?.trim() ?? '').replace(/^@/, '')).filter(value => value !== '')
    const addresses = found.filter(value => value.includes('@'))
    const values = addresses.length > 0 ? addresses : found.length > 0 ? found : ['']
    const reason = reasonColumn === undefined ? '' : storableText(cells[reasonColumn]?.trim() ?? '', MOST_REASON_CHARACTERS)
    for (const value of values) read.listed.push({ line, value, reason: reason || undefined })
    // The domain of a customer list is often the website: suppressing it would also keep out the colleagues of one person.
    if (addresses.length > 0 && addresses.length < found.length) read.warnings.push({ line, reason: ADDRESS_ONLY })
    if (columns.some(column => swallowsRows(cells, csv.delimiter, column, isValue))) read.warnings.push({ line, reason: SWALLOWED })
  }
  if (named.length === 0) add(1, csv.header)
  for await (const { line, cells, problem } of csv.rows) {
    if (problem === null) add(line, cells)
    else read.rejected.push({ line, reason: problem })
    if (read.listed.length + read.rejected.length > MOST_ROWS)
      throw invalid('body', '', 'rows', `has more than ${MOST_ROWS} rows: send it in parts`)
  }
  return read
}

const ADDRESS_ONLY = 'the row has an address and a domain, and only the address was suppressed; send domains in rows of their own'

const positionsOf = (header: readonly string[], names: Set<string>): number[] =>
  header.flatMap((name, position) => (names.has(name) ? [position] : []))

function isValue(cell: string): boolean {
  const value = cell.trim().toLowerCase().replace(/^@/, '')
  return problemOf(value.includes('@') ? 'email' : 'domain', value) === null
}
