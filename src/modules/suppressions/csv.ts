import { foldText } from '#lead-terms'
import { openCsv } from '../../lib/csv-stream.ts'
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

interface ListedSuppression {
  line: number
  value: string
  reason: string | undefined
}

/** The addresses and domains of a file: from the columns with these names or, in a file without headers, from the column where the first line has one. */
export async function readSuppressions(pieces: AsyncIterable<Uint8Array>): Promise<ListedSuppression[]> {
  const csv = await openCsv(pieces)
  if (!csv) throw invalid('body', '', 'empty', 'is an empty file')
  if (csv.headerProblem) throw invalid('body', '', 'header', `has a first line that cannot be read: ${csv.headerProblem}`)
  const header = csv.header.map(fold)
  const named = [...positionsOf(header, ADDRESSES), ...positionsOf(header, OTHER_VALUES)]
  const columns = named.length > 0 ? named : csv.header.flatMap((cell, position) => (isValue(cell) ? [position] : [])).slice(0, 1)
  if (columns.length === 0)
    throw invalid('body', '', 'columns', `needs a column email, domain or value; it has ${csv.header.join(', ').slice(0, 200)}`)
  const [reasonColumn] = positionsOf(header, REASONS)
  const listed: ListedSuppression[] = []
  const add = (line: number, cells: readonly string[]): void => {
    if (listed.length === MOST_ROWS) throw invalid('body', '', 'rows', `has more than ${MOST_ROWS} rows: send it in parts`)
    const value = columns.map(column => cells[column]?.trim() ?? '').find(cell => cell !== '') ?? ''
    const reason = reasonColumn === undefined ? '' : storableText(cells[reasonColumn]?.trim() ?? '', MOST_REASON_CHARACTERS)
    listed.push({ line, value: value.replace(/^@/, ''), reason: reason || undefined })
  }
  if (named.length === 0) add(1, csv.header)
  for await (const { line, cells } of csv.rows) add(line, cells)
  return listed
}

const positionsOf = (header: readonly string[], names: Set<string>): number[] =>
  header.flatMap((name, position) => (names.has(name) ? [position] : []))

function isValue(cell: string): boolean {
  const value = cell.trim().toLowerCase().replace(/^@/, '')
  return problemOf(value.includes('@') ? 'email' : 'domain', value) === null
}
