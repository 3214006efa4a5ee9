import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { mergeIntoDirectory } from '../../src/modules/people/people.ts'
import { createTestDatabase } from '../harness.ts'
import { openTestContext, peopleOf } from '../people.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
const OWNERS = '0016_owners_of_people.sql'

/** A database as it was before people had owners. */
async function databaseBefore(): Promise<{ url: string; client: pg.Client }> {
  const url = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  after(() => client.end())
  await client.query(
    'drop schema public cascade; create schema public; create table migrations (name text primary key, applied_at timestamptz(3) default now())',
  )
  for (const name of (await readdir(FOLDER)).filter(name => name.endsWith('.sql') && name < OWNERS).sort()) {
    await client.query(await readFile(join(FOLDER, name), 'utf8'))
    await client.query('insert into migrations (name) values ($1)', [name])
  }
  return { url, client }
}

test('people that came through the API become those of their workspace, everybody else stays the operator’s', async () => {
  const { url, client } = await databaseBefore()
  const [ada, ben] = [randomUUID(), randomUUID()]
  for (const id of [ada, ben]) await client.query('insert into workspaces (id, name) values ($1, $2)', [id, 'Workspace'])

  const company = (id: number, name: string, version: number) =>
    client
      .query(
        "insert into companies (id, match_key, name, domain, tags, version) values ($1, 'd:' || $2 || '.example', $2, $2 || '.example', '{x}', $3)",
        [id, name, version],
      )
      .then(() => client.query("insert into company_domains (domain, company_id) values ($1 || '.example', $2)", [name, id]))
  const person = (id: number, name: string, companyId: number, version: number) =>
    client.query(
      `insert into people (id, match_key, email, email_status, last_verified_at, full_name, company_id, source, imported_at, version)
       values ($1, $2, $2, 'verified', now(), $2, $3, 'any', now(), $4)`,
      [id, `${name}@x.example`, companyId, version],
    )
  const version = (number: number, inserted: number, updated: number) =>
    client.query("insert into directory_versions (version, source, inserted_count, updated_count) values ($1, 'any', $2, $3)", [
      number,
      inserted,
      updated,
    ])
  const imported = (workspaceId: string, made: number, inserted: number, updated: number, emails: string[]) =>
    client.query(
      `insert into operations (id, workspace_id, action, status, input, result, completed_at)
       values ($1, $2, 'directory.import', 'succeeded', $3, $4, now())`,
      [
        randomUUID(),
        workspaceId,
        { people: emails.map(name => ({ email: `${name}@X.example`, emailStatus: 'verified' })) },
        { version: made, insertedCount: inserted, updatedCount: updated },
      ],
    )
  // The operator imports three people, Ada three more and one of the operator's, Ben one; then the operator touches one of Ada's.
  await company(1, 'shared', 1)
  await company(2, 'adas', 2)
  await company(3, 'bens', 3)
  await person(1, 'op1', 1, 1)
  await person(2, 'op2', 1, 1)
  await person(3, 'op3', 1, 2)
  await person(4, 'a1', 2, 2)
  await person(5, 'a2', 2, 4)
  await person(6, 'a3', 1, 2)
  await person(7, 'b1', 3, 3)
  await version(1, 3, 0)
  await version(2, 3, 1)
  await version(3, 1, 0)
  await version(4, 0, 1)
  await imported(ada, 2, 3, 1, ['op3', 'a1', 'a2', 'a3'])
  await imported(ben, 3, 1, 0, ['b1'])
  // It changed nothing, so the version that it names is not its own.
  await imported(ben, 4, 0, 0, ['b1'])

  await migrate(url)
  const { rows } = await client.query(`
    select p.id, w.id as owner, p.email_status as status, p.version::int, c.match_key as company, c.owner = p.owner as "companyIsTheirs"
    from people p left join workspaces w on w.owner_number = p.owner left join companies c on c.id = p.company_id order by p.id`)
  const shared = 'd:shared.example'
  assert.deepEqual(
    rows.map(row => [row.id, row.owner, row.status, row.version, row.company, row.companyIsTheirs]),
    [
      [1, null, 'verified', 1, shared, true],
      [2, null, 'verified', 1, shared, true],
      [3, null, 'unverified', 5, shared, true],
      [4, ada, 'unverified', 5, 'd:adas.example', true],
      [5, null, 'verified', 4, 'd:adas.example', true],
      [6, ada, 'unverified', 5, shared, true],
      [7, ben, 'unverified', 5, 'd:bens.example', true],
    ],
  )
  const companies = await client.query('select id, match_key, owner > 0 as moved, version::int from companies order by id')
  assert.deepEqual(
    companies.rows.map(row => [row.id, row.match_key, row.moved, row.version]),
    [
      [1, shared, false, 1],
      [2, 'd:adas.example', false, 2],
      [3, 'd:bens.example', true, 5],
      [4, shared, true, 5],
      [5, 'd:adas.example', true, 5],
    ],
  )
  const domains = await client.query('select domain, company_id from company_domains order by company_id')
  assert.deepEqual(
    domains.rows.map(row => [row.domain, row.company_id]),
    [
      ['shared.example', 1],
      ['adas.example', 2],
      ['bens.example', 3],
      ['shared.example', 4],
      ['adas.example', 5],
    ],
  )

  // And it goes on from there: the next import of the workspace finds its own.
  const ctx = openTestContext(url, await mkdtemp(join(tmpdir(), 'overture-owners-')))
  const again = peopleOf([
    { email: 'a3@x.example', jobTitle: 'CEO', company: 'shared', companyDomain: 'shared.example' },
    { email: 'op1@x.example', jobTitle: 'CEO', company: 'shared', companyDomain: 'shared.example' },
  ])
  const batch = { source: 'api', now: new Date(), secrets: ctx.secrets, workspaceId: ada }
  const result = await ctx.db.inTransaction(tx => mergeIntoDirectory(tx, again, batch))
  assert.deepEqual([result.insertedCount, result.updatedCount], [1, 1])
})

test('a directory that no workspace has imported into is left as it is', async () => {
  const { url, client } = await databaseBefore()
  await client.query("insert into directory_versions (version, source, inserted_count) values (1, 'file', 1)")
  await client.query(
    "insert into people (id, match_key, email, email_status, source, imported_at, version) values (1, 'a@b.example', 'a@b.example', 'verified', 'file', now(), 1)",
  )
  await migrate(url)
  const { rows } = await client.query(
    'select owner, email_status as status, version::int, (select max(version)::int from directory_versions) as last from people',
  )
  assert.deepEqual(rows, [{ owner: 0, status: 'verified', version: 1, last: 1 }])
})
