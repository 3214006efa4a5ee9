import { ask, sql, type Tx } from '../../db/client.ts'
import { copyInShortly } from '../../db/copy-in.ts'

export type Cell = string | number | boolean | null

const SPECIAL = /[\\\n\r]/
const ALL_SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escaped = (value: Cell): Cell => (typeof value === 'string' ? value.replace(ALL_SPECIAL, character => ESCAPED[character]!) : value)

/**
 * Values in the text format of COPY, in which nothing stands for null. They are looked through together, because nearly none is special.
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

const asTheyAre = (cells: Cell[]): Cell[] => cells

const COPY_PLACES = `
  copy places (id, country, region, city, lat, lon)
  from stdin`

export const copyPlaces = (tx: Tx, rows: Iterable<Cell[]>): Promise<void> => copyRows(tx, COPY_PLACES, rows, asTheyAre)

const COPY_TITLES = `
  copy titles (id, title)
  from stdin`

export const copyTitles = (tx: Tx, rows: Iterable<Cell[]>): Promise<void> => copyRows(tx, COPY_TITLES, rows, asTheyAre)

const COPY_COMPANIES = `
  copy companies (id, match_key, name, domain, industry, employees, size, place_id, founded, revenue, revenue_currency,
    funding_stage, funding_total, funding_currency, funded_at, technologies, tags, description, version)
  from stdin`

export const copyCompanies = (tx: Tx, rows: Iterable<Cell[]>): Promise<void> => copyRows(tx, COPY_COMPANIES, rows, asTheyAre)

const COPY_DOMAINS = `
  copy company_domains (domain, company_id)
  from stdin`

export const copyDomains = (tx: Tx, rows: Iterable<Cell[]>): Promise<void> => copyRows(tx, COPY_DOMAINS, rows, asTheyAre)

const COPY_PEOPLE = `
  copy people (id, match_key, email, email_status, email_type, last_verified_at, first_name, last_name, full_name, title_id,
    seniority, department, company_id, place_id, linkedin_url, source, imported_at, version)
  from stdin`

export const copyPeople = (tx: Tx, rows: Iterable<Cell[]>): Promise<void> => copyRows(tx, COPY_PEOPLE, rows, asTheyAre)

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
 * Fills the directory without its secondary indexes and builds them at the end, which takes a third of the time. Nobody else can read
 * people until the transaction ends, so this is only for the first start.
 */
export async function withoutIndexesOfPeople(tx: Tx, fill: () => Promise<void>): Promise<void> {
  const indexes = await tx.many<{ name: string; definition: string }>(LIST_INDEXES, [])
  for (const { name } of indexes) await ask(tx.client, `drop index ${name}`)
  await fill()
  for (const { definition } of indexes) await ask(tx.client, definition)
}
