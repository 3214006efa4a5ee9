import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { listTables } from '../../src/app/backup/tables.ts'
import { applyMigrations, listMissing, migrate, migrationNames } from '../../src/db/migrate.ts'
import { createTestDatabase } from '../harness.ts'
import { fillTables } from './fill-tables.ts'

const REAL = join(import.meta.dirname, '../../migrations')

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  after(() => client.end())
  return client
}

/** Our migrations, and one more. */
async function withPlanted(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overture-migrations-'))
  after(() => rm(folder, { recursive: true }))
  await cp(REAL, folder, { recursive: true })
  await writeFile(join(folder, '9999_planted.sql'), text)
  return folder
}

/** Applies each migration to a database in which every table has rows. */
async function migrateFilled(folder: string): Promise<pg.Client> {
  const client = await connect(await createTestDatabase({ isEmpty: true }))
  for (const name of await migrationNames(folder)) {
    await client.query('begin')
    await applyMigrations(client, [name], folder)
    await client.query('commit')
    await fillTables(client)
  }
  return client
}

describe('migrations', () => {
  it('apply to tables with rows', async () => {
    const client = await migrateFilled(REAL)
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query(`select exists (select from ${pg.escapeIdentifier(name)}) as filled`)
      assert.equal(rows[0].filled, true, `${name} has rows`)
    }
  })

  it('that fit only empty tables are found', async () => {
    const wrong = await withPlanted('alter table leads add column nickname text not null')
    await assert.doesNotReject(migrate(await createTestDatabase({ isEmpty: true }), wrong))
    await assert.rejects(migrateFilled(wrong), /migration 9999_planted\.sql failed: column "nickname" .* contains null values/)
    const right = await withPlanted(
      `alter table leads add column nickname text not null default 'Al'; create table pets (id uuid primary key)`,
    )
    const client = await migrateFilled(right)
    const { rows } = await client.query('select (select min(nickname) from leads) as nickname, (select count(*) > 0 from pets) as filled')
    assert.deepEqual(rows, [{ nickname: 'Al', filled: true }])
  })

  it('limit no length of a text, because an erasure writes [erased], which can be longer than what it replaces', async () => {
    const client = await connect(await createTestDatabase())
    const { rows } = await client.query(
      `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as check
       from pg_constraint
       where contype = 'c' and connamespace = 'public'::regnamespace and pg_get_constraintdef(oid) ~ 'length\\('`,
    )
    assert.deepEqual(rows, [], 'limit texts in the schema of the request')
    const { rows: limited } = await client.query(
      "select table_name, column_name from information_schema.columns where table_schema = 'public' and character_maximum_length is not null",
    )
    assert.deepEqual(limited, [])
  })

  it('leave nothing of a failed migration', async () => {
    const url = await createTestDatabase()
    const wrong = await withPlanted('create table pets (id uuid primary key); select 1 / 0')
    await assert.rejects(migrate(url, wrong), /9999_planted\.sql failed: division by zero/)
    const client = await connect(url)
    assert.deepEqual((await client.query("select to_regclass('pets') as pets")).rows, [{ pets: null }])
    assert.deepEqual(await listMissing(url), [])
  })

  it('refuse a database of an older build, and change nothing in it', async () => {
    const url = await createTestDatabase({ isEmpty: true })
    const client = await connect(url)
    await client.query("create table migrations (name text primary key); insert into migrations values ('0001_foundation.sql')")
    const refusal = /An older build of Overture created this database.*Use an empty database or another OVERTURE_DIR/
    await assert.rejects(migrate(url), refusal)
    await assert.rejects(listMissing(url), refusal)
    assert.deepEqual(
      (await listTables(client)).map(({ name }) => name),
      ['migrations'],
    )
  })
})
