import pg from 'pg'
import { listTables } from '../../src/app/backup/tables.ts'

const ROWS = 3

/** Values that satisfy a check over several columns, or over a range. Other columns get any value of their type. */
const CHOSEN: Readonly<Record<string, Record<string, unknown>>> = {
  ledger_entries: { debit: 'issued', credit: 'available' },
  campaigns: { status: 'draft', status_before_archive: null },
  exports: { status: 'completed' },
  operations: { status: 'succeeded', error: null },
  people: { email_status: 'verified', deleted: false },
  tokens: { kind: 'organization', user_id: null },
}

interface Column {
  name: string
  type: string
  target: string | null
  targetColumn: string | null
  check: string | null
  isIdentity: boolean
}

const COLUMNS = `
  select a.attname as name, format_type(a.atttypid, null) as type, a.attidentity <> '' as "isIdentity",
    f.confrelid::regclass::text as target, t.attname as "targetColumn", pg_get_constraintdef(c.oid) as check
  from pg_attribute a
  left join pg_constraint f on f.conrelid = a.attrelid and f.contype = 'f' and f.conkey = array[a.attnum]
  left join pg_attribute t on t.attrelid = f.confrelid and t.attnum = f.confkey[1]
  left join pg_constraint c on c.conrelid = a.attrelid and c.contype = 'c' and c.conkey = array[a.attnum]
  where a.attrelid = $1::regclass
    and a.attnum > 0
    and not a.attisdropped
    and a.attgenerated = ''
  order by a.attnum`

/** Puts rows into every table that has none, with a value in every column. */
export async function fillTables(client: pg.Client): Promise<void> {
  for (const { name: table } of await listTables(client)) {
    const { rows } = await client.query(`select exists (select from ${pg.escapeIdentifier(table)}) as filled`)
    if (rows[0].filled) continue
    const columns = (await client.query<Column>(COLUMNS, [table])).rows.filter(({ isIdentity }) => !isIdentity)
    // A table with a column that can only be true has a single row.
    const isSingle = columns.some(({ check }) => check === 'CHECK (only_row)')
    for (let n = 1; n <= (isSingle ? 1 : ROWS); n++) await insertRow(client, table, columns, n)
  }
}

async function insertRow(client: pg.Client, table: string, columns: readonly Column[], n: number): Promise<void> {
  const values: unknown[] = []
  for (const column of columns) values.push(await valueFor(client, table, column, n))
  const names = columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  try {
    await client.query(`insert into ${pg.escapeIdentifier(table)} (${names}) values (${places})`, values)
  } catch (error) {
    throw new Error(`${table} cannot be filled: ${(error as Error).message}. Name values for it in CHOSEN.`, { cause: error })
  }
}

async function valueFor(client: pg.Client, table: string, column: Column, n: number): Promise<unknown> {
  const chosen = CHOSEN[table]?.[column.name]
  if (chosen !== undefined) return chosen
  if (column.target && column.target !== table) {
    const from = `${column.target} order by 1 offset $1 % (select count(*) from ${column.target}) limit 1`
    return (await client.query(`select ${pg.escapeIdentifier(column.targetColumn!)} as value from ${from}`, [n])).rows[0].value
  }
  if (column.target) return null
  const listed = column.check && /ARRAY\['([^']*)'/.exec(column.check)
  return listed ? listed[1] : valueOfType(column.type, n)
}

function valueOfType(type: string, n: number): unknown {
  if (type === 'uuid') return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
  if (type.startsWith('timestamp')) return `2026-03-0${n}T08:00:00.000Z`
  if (type === 'date') return `2026-03-0${n}`
  if (type === 'bytea') return Buffer.from([n, 0, 255])
  if (type === 'boolean') return true
  if (type === 'jsonb') return JSON.stringify({ n })
  if (type === 'uuid[]') return [valueOfType('uuid', n)]
  if (type === 'text[]') return [`Text ${n}`]
  if (type === 'text') return `Text ${n}`
  return n
}
