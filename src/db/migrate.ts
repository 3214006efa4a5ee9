import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const FOLDER = join(import.meta.dirname, '../../migrations')
const LOCK = 7_265_001

/** The names of all migrations, in order. */
export const migrationNames = async (): Promise<string[]> => (await readdir(FOLDER)).filter(name => name.endsWith('.sql')).sort()

/** The migrations that the database has not seen yet. Changes nothing. */
export const listMissing = (url: string): Promise<string[]> => withClient(url, findMissing)

/** For a process that shares its database with others: the operator decides when to migrate. */
export async function refuseUnmigrated(url: string): Promise<void> {
  const missing = await listMissing(url)
  if (missing.length === 0) return
  throw new Error(
    `The database is not up to date (missing: ${missing.join(', ')}).\nRun: npm run migrate\nOr set OVERTURE_MIGRATE=true to migrate at the start.`,
  )
}

/**
 * Applies what is missing under a lock: several processes may start at the same moment. Each is a transaction of its own; those of a new database,
 * which nobody uses yet, are one, and one request, so that its making does not wait for turns of a process that is still loading.
 */
export function migrate(url: string): Promise<string[]> {
  return withClient(url, async client => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const version = Number((await client.query('show server_version_num')).rows[0].server_version_num)
    if (version < 150_000) throw new Error(`PostgreSQL 15 or later is needed; this server is ${version / 10_000}`)
    await client.query(CREATE_LIST)
    const missing = await findMissing(client)
    const isNew = missing.length === (await migrationNames()).length
    for (const names of isNew ? [missing] : missing.map(name => [name])) {
      await client.query('begin')
      try {
        await applyTogether(client, names)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    }
    return missing
  })
}

const CREATE_LIST = 'create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())'

async function applyTogether(client: pg.Client, names: readonly string[]): Promise<void> {
  const texts = await Promise.all(names.map(name => readFile(join(FOLDER, name), 'utf8')))
  const steps = names.map((name, index) => `${texts[index]}\n;insert into migrations (name) values (${pg.escapeLiteral(name)});\n`)
  await client.query('savepoint all_of_them')
  try {
    await client.query(steps.join(''))
  } catch {
    // Again, one by one, to say which of them it is.
    await client.query('rollback to all_of_them')
    for (const [index, step] of steps.entries()) await applyOne(client, names[index]!, step)
  }
}

async function applyOne(client: pg.Client, name: string, step: string): Promise<void> {
  try {
    await client.query(step)
  } catch (error) {
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** Makes an empty schema what it was after these migrations, within the transaction of the caller. */
export async function applyMigrations(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query(CREATE_LIST)
  await applyTogether(client, names)
}

async function findMissing(client: pg.Client): Promise<string[]> {
  const names = await migrationNames()
  const exists = await client.query(`select to_regclass('migrations') is not null as yes`)
  if (!exists.rows[0].yes) return names
  const applied = new Set((await client.query('select name from migrations')).rows.map(row => row.name))
  return names.filter(name => !applied.has(name))
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
