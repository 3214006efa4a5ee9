import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { withClient } from './startup.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
const LOCK = 7_265_001

export const migrationNames = async (folder = FOLDER): Promise<string[]> =>
  (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()

/** The migrations that the database has not seen yet. Changes nothing. */
export const listMissing = (url: string): Promise<string[]> => withClient({ connectionString: url }, client => findMissing(client))

/** For a process that shares its database with others: the operator decides when to migrate. */
export async function refuseUnmigrated(url: string): Promise<void> {
  const missing = await listMissing(url)
  if (missing.length === 0) return
  throw new Error(
    `The database is not up to date (missing: ${missing.join(', ')}).\nRun: npm run migrate\nOr set OVERTURE_MIGRATE=true to migrate at the start.`,
  )
}

/** Applies what is missing, each migration in a transaction of its own, under a lock: several processes may start at the same moment. */
export function migrate(url: string, folder = FOLDER): Promise<string[]> {
  return withClient({ connectionString: url }, async client => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const version = Number((await client.query('show server_version_num')).rows[0].server_version_num)
    if (version < 150_000) throw new Error(`PostgreSQL 15 or later is needed; this server is ${version / 10_000}`)
    const missing = await findMissing(client, folder)
    for (const name of missing) {
      await client.query('begin')
      try {
        await applyMigrations(client, [name], folder)
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    }
    return missing
  })
}

/** Applies these migrations, in the transaction of the caller. */
export async function applyMigrations(client: pg.Client, names: readonly string[], folder = FOLDER): Promise<void> {
  await client.query('create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())')
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    try {
      await client.query(`${text}\n;insert into migrations (name) values (${pg.escapeLiteral(name)})`)
    } catch (error) {
      throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
    }
  }
}

const STEPS = /^(?:create table (?:if not exists )?(\w+)|drop table (?:if exists )?(\w+)|alter table (\w+) rename to (\w+))/gim

/** The tables that these migrations make, without a database. */
export async function tableNames(migrations: readonly string[]): Promise<string[]> {
  const names = new Set(['migrations'])
  for (const migration of migrations) {
    for (const [, created, dropped, before, after] of (await readFile(join(FOLDER, migration), 'utf8')).matchAll(STEPS)) {
      for (const gone of [dropped, before]) if (gone !== undefined) names.delete(gone)
      for (const made of [created, after]) if (made !== undefined) names.add(made)
    }
  }
  return [...names]
}

async function findMissing(client: pg.Client, folder = FOLDER): Promise<string[]> {
  const names = await migrationNames(folder)
  const exists = await client.query(`select to_regclass('migrations') is not null as yes`)
  if (!exists.rows[0].yes) return names
  const applied = (await client.query<{ name: string }>('select name from migrations')).rows.map(row => row.name)
  // Migrations of a newer version are fine. A database without our first one has another history, which no migration continues.
  if (applied.length > 0 && !applied.includes(names[0]!)) throw new Error(OTHER_HISTORY)
  return names.filter(name => !applied.includes(name))
}

const OTHER_HISTORY =
  'An older build of Overture created this database, and this version cannot read it. Use an empty database or another OVERTURE_DIR, or start the older build again.'
