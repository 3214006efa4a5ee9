import pg from 'pg'
import type { TableHead, Tail } from './archive.ts'

const TABLES = `
  select c.relname as name,
    array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace
    and c.relkind = 'r'
    and a.attnum > 0
    and not a.attisdropped
    and a.attgenerated = ''
  group by c.relname
  order by c.relname`

const REFERENCES = `
  select c.relname as name, t.relname as target
  from pg_constraint f
  join pg_class c on c.oid = f.conrelid
  join pg_class t on t.oid = f.confrelid
  where f.contype = 'f'
    and f.conrelid <> f.confrelid
    and c.relnamespace = current_schema()::regnamespace`

const SEQUENCES = `
  select sequencename as name
  from pg_sequences
  where schemaname = current_schema()
  order by sequencename`

/** Every table with the columns that are stored, and not made from others. A table comes after those that it refers to. */
export async function listTables(client: pg.Client): Promise<TableHead[]> {
  const tables = (await client.query<TableHead>(TABLES)).rows
  const { rows: references } = await client.query<{ name: string; target: string }>(REFERENCES)
  const ordered: TableHead[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name))
    const free = [...waiting].filter(table => !references.some(({ name, target }) => name === table.name && names.has(target)))
    if (free.length === 0) throw new Error(`These tables refer to each other in a circle: ${[...names].join(', ')}.`)
    for (const table of free) waiting.delete(table)
    ordered.push(...free)
  }
  return ordered
}

/** Read after the tables, so that no row has a number ahead of its sequence. */
export async function readSequences(client: pg.Client): Promise<Tail['sequences']> {
  const schema = await currentSchema(client)
  const { rows } = await client.query<{ name: string }>(SEQUENCES)
  const read: Tail['sequences'] = []
  for (const { name } of rows) {
    const state = await client.query(`select last_value::text as "lastValue", is_called as "isCalled" from ${qualified(schema, name)}`)
    read.push({ name, ...state.rows[0] })
  }
  return read
}

/** With the schema: a name alone could mean a table of PostgreSQL itself. */
export const copyText = (schema: string, { name, columns }: TableHead, way: 'to stdout' | 'from stdin'): string =>
  `copy ${qualified(schema, name)} (${columns.map(column => pg.escapeIdentifier(column)).join(', ')}) ${way}`

export const qualified = (schema: string, name: string): string => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

export const currentSchema = async (client: pg.Client): Promise<string> =>
  (await client.query<{ name: string }>('select current_schema() as name')).rows[0]!.name

/** Tables that have rows in a new database. */
const SEEDED = ['migrations', 'installation_keys', 'directory_versions', 'test_clock']

/** The tables whose rows would be lost. */
export async function listFilled(client: pg.Client): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of await listTables(client)) {
    if (SEEDED.includes(name)) continue
    const { rows } = await client.query(`select exists (select from ${pg.escapeIdentifier(name)}) as yes`)
    if (rows[0].yes) filled.push(name)
  }
  return filled
}

const OBJECTS = `
  select format('drop %s if exists %I cascade', kind, relname) as text, turn
  from pg_class
  join (values ('r', 'table', 1), ('p', 'table', 1), ('v', 'view', 2), ('S', 'sequence', 3)) as kinds (sign, kind, turn) on sign = relkind::text
  where relnamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.objid = pg_class.oid and d.deptype = 'e')
  union all
  select format('drop routine if exists %s cascade', p.oid::regprocedure), 4
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by turn`

/** Removes everything from the schema except objects of extensions. */
export async function dropEverything(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ text: string }>(OBJECTS)
  for (const { text } of rows) await client.query(text)
}
