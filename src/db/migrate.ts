import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const FOLDER = join(import.meta.dirname, '../../migrations')
const LOCK = 7_265_001

/** Applies what is missing, one transaction each, under a lock: several processes may start at the same moment. */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const version = Number((await client.query('show server_version_num')).rows[0].server_version_num)
    if (version < 150_000) throw new Error(`PostgreSQL 15 or later is needed; this server is ${version / 10_000}`)
    await client.query('create table if not exists migrations (name text primary key, applied_at timestamptz(3) not null default now())')
    const applied = new Set((await client.query('select name from migrations')).rows.map(row => row.name))
    const names = (await readdir(FOLDER)).filter(name => name.endsWith('.sql')).sort()
    const missing = names.filter(name => !applied.has(name))
    for (const name of missing) {
      const text = await readFile(join(FOLDER, name), 'utf8')
      await client.query('begin')
      try {
        await client.query(text)
        await client.query('insert into migrations (name) values ($1)', [name])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return missing
  } finally {
    await client.end()
  }
}
